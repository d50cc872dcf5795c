/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Memory that tests can make fail: a countdown per thread counts allocations, and the one that it ends at
 * finds none.
 */
#include "alloc.h"

#include <stdlib.h>

_Thread_local int64_t bly_alloc_countdown = -1;

void *bly_alloc(size_t count, size_t size)
{
    if (bly_alloc_countdown > 0 && --bly_alloc_countdown == 0) {
        bly_alloc_countdown = -1;
        return NULL;
    }
    if (size != 0 && count > SIZE_MAX / size) return NULL;
    /* calloc may answer NULL for nothing at all, which is not a failure. */
    return count == 0 || size == 0 ? calloc(1, 1) : calloc(count, size);
}

void bly_free(void *memory) { free(memory); }
