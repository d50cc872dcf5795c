/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Slots: what rooms above store with a context, which knows nothing of them. They are freed in the order
 * opposite to that in which they were made.
 */
#include "internal.h"

#include <base/alloc.h>

struct bly_slot {
    struct bly_slot *next;
    const struct bly_slot_owner *owner;
    max_align_t contents[];
};

/* A handful of rooms have slots: a list is looked through sooner than anything else would be computed. */
void *bly_context_slot(bailey_context *context, const struct bly_slot_owner *owner)
{
    struct bly_slot *slot = context->slots;
    while (slot && slot->owner != owner) slot = slot->next;
    if (slot) return slot->contents;
    slot = bly_alloc(1, sizeof *slot + owner->bytes);
    if (!slot) return NULL;
    slot->owner = owner;
    slot->next = context->slots;
    context->slots = slot;
    return slot->contents;
}

void bly_slots_empty(bailey_context *context)
{
    while (context->slots) {
        struct bly_slot *slot = context->slots;
        context->slots = slot->next;
        slot->owner->empty(slot->contents);
        bly_free(slot);
    }
}
