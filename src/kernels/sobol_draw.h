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

/* Numbers of a row in a load of 16 bytes, to which rows are aligned; what an item needs are 0 ... 11. */
#define BLY_SOBOL_NEEDED 12
#if defined(BAILEY_IS_CUDA)
#define BLY_ALIGNED_16 __align__(16)
#else
#define BLY_ALIGNED_16 __attribute__((aligned(16)))
#endif
typedef struct BLY_ALIGNED_16 bly_sobol_part_32 {
    bailey_uint32 v[4];
} bly_sobol_part_32;
typedef struct BLY_ALIGNED_16 bly_sobol_part_64 {
    bailey_uint64 v[2];
} bly_sobol_part_64;

/* The words of points n, n + 1, ..., n a multiple of `width`, 2 or 4, from the head of n's chunk and the row
 * `t` of the table. */
typedef struct bly_sobol_near_32 {
    bailey_uint32 v[4];
} bly_sobol_near_32;
typedef struct bly_sobol_near_64 {
    bailey_uint64 v[4];
} bly_sobol_near_64;

/* All ones if bit k of x is set, k below 32. */
BAILEY_FN bailey_uint32 bly_sobol_mask(bailey_uint32 x, int k)
{
    return (bailey_uint32)((bailey_int32)(x << (31 - k)) >> 31);
}
#define BLY_SOBOL_MASK_32(x, k) bly_sobol_mask(x, k)
#define BLY_SOBOL_MASK_64(x, k) ((bailey_uint64)(bailey_int64)(bailey_int32)bly_sobol_mask(x, k))

#define BLY_SOBOL_NEAR(bits)                                                                                 \
    BAILEY_FN bly_sobol_near_##bits bly_sobol_near_of_##bits(                                                \
        const BAILEY_GLOBAL bailey_uint##bits *t, bailey_uint##bits head, bailey_uint64 n, int width)        \
    {                                                                                                        \
        const bailey_uint32 low = (bailey_uint32)n & (BLY_SOBOL_CHUNK - 1), gray = low ^ low >> 1;           \
        const int per_part = 128 / (bits);                                                                   \
        bly_sobol_part_##bits part[BLY_SOBOL_NEEDED * (bits) / 128];                                         \
        bly_sobol_near_##bits y;                                                                             \
        bailey_uint##bits x = head;                                                                          \
        BAILEY_UNROLL                                                                                        \
        for (int i = 0; i < BLY_SOBOL_NEEDED / per_part; i++)                                                \
            part[i] = ((const BAILEY_GLOBAL bly_sobol_part_##bits *)t)[i];                                   \
        BAILEY_UNROLL                                                                                        \
        for (int k = width == 4; k < BLY_SOBOL_CHUNK_BITS; k++)                                              \
            x ^= part[k / per_part].v[k % per_part] & BLY_SOBOL_MASK_##bits(gray, k);                        \
        y.v[0] = x;                                                                                          \
        y.v[1] = x ^ part[0].v[0];                                                                           \
        y.v[2] = y.v[1] ^ part[0].v[1];                                                                      \
        y.v[3] = x ^ part[0].v[1];                                                                           \
        return y;                                                                                            \
    }
BLY_SOBOL_NEAR(32)
BLY_SOBOL_NEAR(64)

#endif
