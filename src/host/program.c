/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Cached programs in a list, the one used last first: a context has few, and each has a digest to be found
 * by.
 */
#include "internal.h"

#include <base/alloc.h>

#include <string.h>

/* Idle programs take the device's memory: as many as this stay. */
#define MOST_IDLE 64

struct bly_cached *bly_program_find(bailey_context *context, const uint8_t key[BLY_DIGEST_BYTES])
{
    struct bly_cached **link = &context->cached;
    while (*link && memcmp((*link)->key, key, BLY_DIGEST_BYTES) != 0) link = &(*link)->next;
    struct bly_cached *cached = *link;
    if (!cached) return NULL;
    *link = cached->next;
    cached->next = context->cached;
    context->cached = cached;
    cached->users++;
    return cached;
}

bailey_status bly_program_new(bailey_context *context, const uint8_t key[BLY_DIGEST_BYTES], size_t note_bytes,
                              struct bly_cached **out)
{
    struct bly_cached *cached = bly_alloc(1, sizeof *cached);
    void *note = cached && note_bytes ? bly_alloc(1, note_bytes) : NULL;
    *out = cached;
    if (!cached || (note_bytes && !note)) {
        bly_free(cached);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program");
    }
    memcpy(cached->key, key, BLY_DIGEST_BYTES);
    cached->note = note;
    cached->users = 1;
    cached->next = context->cached;
    context->cached = cached;
    return BAILEY_OK;
}

bailey_status bly_program_load(bailey_context *context, struct bly_cached *cached,
                               const struct bly_code *code)
{
    struct bly_device *device = context->device;
    cached->kernels = bly_alloc(code->kernel_count, sizeof *cached->kernels);
    if (!cached->kernels) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program");
    memcpy(cached->kernels, code->kernels, code->kernel_count * sizeof *cached->kernels);
    return device->backend->load(device, code, &cached->program);
}

/* Frees the entry that the link leads to. */
static void drop(bailey_context *context, struct bly_cached **link)
{
    struct bly_cached *cached = *link;
    *link = cached->next;
    if (cached->program) context->device->backend->unload(context->device, cached->program);
    for (int i = 0; i < BLY_CACHED_BUFFERS; i++) bly_pool_release(cached->buffers[i]);
    bly_free(cached->kernels);
    bly_free(cached->note);
    bly_free(cached);
}

/* Drops the idle entries after the first `most`. */
static void trim(bailey_context *context, uint32_t most)
{
    uint32_t idle = 0;
    for (struct bly_cached **link = &context->cached; *link;) {
        if ((*link)->users == 0 && ++idle > most)
            drop(context, link);
        else
            link = &(*link)->next;
    }
}

void bly_program_release(bailey_context *context, struct bly_cached *cached)
{
    if (cached && --cached->users == 0) trim(context, MOST_IDLE);
}

void bly_program_discard(bailey_context *context, struct bly_cached *cached)
{
    struct bly_cached **link = &context->cached;
    while (*link != cached) link = &(*link)->next;
    drop(context, link);
}

void bly_program_empty(bailey_context *context) { trim(context, 0); }
