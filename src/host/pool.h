/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Memory that the host layer uses for itself. What is given back is kept for the next request of that size.
 *
 * Device memory may be given back while work on it is queued: whoever takes it next works in the order of
 * queue 0. Memory that queue 1 uses, and memory that the host looks at (PINNED, MAPPED), needs a fence first:
 * it is given back when nothing that is queued uses it any more. Contents are undefined.
 *
 * Buffers of the public interface do not come from here: their native objects may be in the caller's hands.
 */
#ifndef BLY_POOL_H
#define BLY_POOL_H

#include <backend/backend.h>

struct bly_pool {
    bailey_buffer *idle; /* the one given back last comes first */
    uint64_t bytes, count;
};

/* Returns: OK, ERROR_MEMORY, ERROR_UNSUPPORTED (see `alloc` of backend.h), ERROR_DRIVER. */
bailey_status bly_pool_take(bailey_context *context, enum bly_memory_kind kind, uint64_t bytes,
                            bailey_buffer **buffer);
/* Waits for nothing, unless more is kept than the pool may hold. NULL is allowed. */
void bly_pool_release(bailey_buffer *buffer);
/* Releases what is kept. */
void bly_pool_empty(bailey_context *context);

/* Device memory with these contents. */
bailey_status bly_pool_upload(bailey_context *context, const void *data, uint64_t bytes,
                              bailey_buffer **buffer);

/* Allocates anew; where that fails, once more with the pool emptied. */
bailey_status bly_memory_alloc(bailey_context *context, enum bly_memory_kind kind, uint64_t bytes,
                               struct bly_memory **memory);

#endif
