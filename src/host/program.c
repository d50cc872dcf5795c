/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "program.h"
#include "internal.h"

#include <base/alloc.h>

#include <string.h>

#define MOST_IDLE 64

struct bly_kept *bly_program_find(bailey_context *context, const uint8_t key[BLY_DIGEST_BYTES])
{
    struct bly_kept **link = &context->kept;
    while (*link && memcmp((*link)->key, key, BLY_DIGEST_BYTES) != 0) link = &(*link)->next;
    struct bly_kept *kept = *link;
    if (!kept) return NULL;
    *link = kept->next;
    kept->next = context->kept;
    context->kept = kept;
    kept->users++;
    return kept;
}

bailey_status bly_program_new(bailey_context *context, const uint8_t key[BLY_DIGEST_BYTES], size_t note_bytes,
                              struct bly_kept **out)
{
    struct bly_kept *kept = bly_alloc(1, sizeof *kept);
    void *note = kept && note_bytes ? bly_alloc(1, note_bytes) : NULL;
    *out = kept;
    if (!kept || (note_bytes && !note)) {
        bly_free(kept);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program");
    }
    memcpy(kept->key, key, BLY_DIGEST_BYTES);
    kept->note = note;
    kept->users = 1;
    kept->next = context->kept;
    context->kept = kept;
    return BAILEY_OK;
}

bailey_status bly_program_load(bailey_context *context, struct bly_kept *kept, const struct bly_code *code)
{
    struct bly_device *device = context->device;
    kept->kernels = bly_alloc(code->kernel_count, sizeof *kept->kernels);
    if (!kept->kernels) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program");
    memcpy(kept->kernels, code->kernels, code->kernel_count * sizeof *kept->kernels);
    return device->backend->load(device, code, &kept->program);
}

/* Frees the entry that the link leads to. */
static void drop(bailey_context *context, struct bly_kept **link)
{
    struct bly_kept *kept = *link;
    *link = kept->next;
    if (kept->program) context->device->backend->unload(context->device, kept->program);
    for (int i = 0; i < BLY_KEPT_BUFFERS; i++) bly_pool_give(kept->buffers[i]);
    bly_free(kept->kernels);
    bly_free(kept->note);
    bly_free(kept);
}

/* Drops the idle entries after the first `most`. */
static void trim(bailey_context *context, uint32_t most)
{
    uint32_t idle = 0;
    for (struct bly_kept **link = &context->kept; *link;) {
        if ((*link)->users == 0 && ++idle > most)
            drop(context, link);
        else
            link = &(*link)->next;
    }
}

void bly_program_release(bailey_context *context, struct bly_kept *kept)
{
    if (kept && --kept->users == 0) trim(context, MOST_IDLE);
}

void bly_program_discard(bailey_context *context, struct bly_kept *kept)
{
    struct bly_kept **link = &context->kept;
    while (*link != kept) link = &(*link)->next;
    drop(context, link);
}

void bly_program_empty(bailey_context *context) { trim(context, 0); }
