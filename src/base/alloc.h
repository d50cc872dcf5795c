/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Memory of the host layer, of the CUDA backend and of what backends share: the one place that allocates for
 * them, so that tests can make it fail.
 */
#ifndef BLY_ALLOC_H
#define BLY_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory for `count` > 0 objects of `size` bytes; NULL when there is none or count * size
 * overflows. */
void *bly_alloc(size_t count, size_t size);
void bly_free(void *memory); /* NULL is allowed */

/* Fault injection, per thread: n > 0 makes the n-th allocation from now fail, which turns it off
 * again. Off when zero or negative. */
#if defined(__GNUC__)
__attribute__((visibility("hidden")))
#endif
extern _Thread_local int64_t bly_alloc_countdown;

#endif
