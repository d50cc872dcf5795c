/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Words of a few neighbouring points, for kernels that draw them by row: what tables hold
 * (kernels/sobol_items.h says why), and how an item takes the words of its paths from them.
 *
 * The word of a point is linear in the bits of its number, and items of a group differ in the lowest bits
 * alone. So the word of each chunk's first point, its head, is made beforehand, and an item adds the bits
 * within its chunk: one exclusive or for each.
 */
#ifndef BLY_SOBOL_DRAW_H
#define BLY_SOBOL_DRAW_H

#include "bailey/device/sobol.h"

/* Numbers of a dimension in tables: P_0 ... P_63, the start, the seeds of the hash. */
#define BLY_SOBOL_START 64
#define BLY_SOBOL_SEEDS 65
#define BLY_SOBOL_NUMBERS 66
#define BLY_SOBOL_STRIDE 72 /* in dimension-major tables, whose rows are dimensions */

#define BLY_SOBOL_CHUNK_BITS 10
#define BLY_SOBOL_CHUNK (1u << BLY_SOBOL_CHUNK_BITS)

/* The words of points n, n + 1, ..., n a multiple of `width`, 2 or 4, from the head of n's chunk and the row
 * `t` of the table. */
typedef struct bly_sobol_near_32 {
    bailey_uint32 v[4];
} bly_sobol_near_32;
typedef struct bly_sobol_near_64 {
    bailey_uint64 v[4];
} bly_sobol_near_64;

#define BLY_SOBOL_NEAR(bits)                                                                                 \
    BAILEY_FN bly_sobol_near_##bits bly_sobol_near_of_##bits(                                                \
        const BAILEY_GLOBAL bailey_uint##bits *t, bailey_uint##bits head, bailey_uint64 n, int width)        \
    {                                                                                                        \
        const bailey_uint32 low = (bailey_uint32)n & (BLY_SOBOL_CHUNK - 1), gray = low ^ low >> 1;           \
        bailey_uint##bits x = head;                                                                          \
        bly_sobol_near_##bits y;                                                                             \
        BAILEY_UNROLL                                                                                        \
        for (int k = width == 4; k < BLY_SOBOL_CHUNK_BITS; k++)                                              \
            x ^= t[k] & (0 - (bailey_uint##bits)(gray >> k & 1));                                            \
        y.v[0] = x;                                                                                          \
        y.v[1] = x ^ t[0];                                                                                   \
        y.v[2] = x ^ t[0] ^ t[1];                                                                            \
        y.v[3] = x ^ t[1];                                                                                   \
        return y;                                                                                            \
    }
BLY_SOBOL_NEAR(32)
BLY_SOBOL_NEAR(64)

#endif
