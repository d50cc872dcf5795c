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
    bailey_uint32 value[4];
} bly_sobol_part_32;
typedef struct BLY_ALIGNED_16 bly_sobol_part_64 {
    bailey_uint64 value[2];
} bly_sobol_part_64;

#if defined(BAILEY_HAS_READ_ONLY)
BAILEY_FN bly_sobol_part_32 bly_sobol_part_of_32(const BAILEY_GLOBAL bailey_uint32 *p)
{
    bly_sobol_part_32 part;
    bailey_read_only_u32x4(p, part.value);
    return part;
}
BAILEY_FN bly_sobol_part_64 bly_sobol_part_of_64(const BAILEY_GLOBAL bailey_uint64 *p)
{
    bly_sobol_part_64 part;
    bailey_read_only_u64x2(p, part.value);
    return part;
}
#define BLY_SOBOL_READ_32(p) bailey_read_only_u32(p)
#define BLY_SOBOL_READ_64(p) bailey_read_only_u64(p)
#else
#define bly_sobol_part_of_32(p) (*(const BAILEY_GLOBAL bly_sobol_part_32 *)(p))
#define bly_sobol_part_of_64(p) (*(const BAILEY_GLOBAL bly_sobol_part_64 *)(p))
#define BLY_SOBOL_READ_32(p) (*(p))
#define BLY_SOBOL_READ_64(p) (*(p))
#endif

/* All ones if bit k of x is set, k below 32. */
BAILEY_FN bailey_uint32 bly_sobol_mask(bailey_uint32 x, int k)
{
    return (bailey_uint32)((bailey_int32)(x << (31 - k)) >> 31);
}
#define BLY_SOBOL_MASK_32(x, k) bly_sobol_mask(x, k)
#define BLY_SOBOL_MASK_64(x, k) ((bailey_uint64)(bailey_int64)(bailey_int32)bly_sobol_mask(x, k))

/* What an item needs of a row `t` of the table, with the head of its chunk; and the words of points n, n + 1,
 * ... of that chunk, n a multiple of `width`, 2 or 4. */
#define BLY_SOBOL_NEAR(bits)                                                                                 \
    typedef struct bly_sobol_row_##bits {                                                                    \
        bly_sobol_part_##bits part[BLY_SOBOL_NEEDED * (bits) / 128];                                         \
        bailey_uint##bits head, seeds;                                                                       \
    } bly_sobol_row_##bits;                                                                                  \
    typedef struct bly_sobol_near_##bits {                                                                   \
        bailey_uint##bits value[4];                                                                          \
    } bly_sobol_near_##bits;                                                                                 \
    BAILEY_FN bly_sobol_row_##bits bly_sobol_fetch_##bits(                                                   \
        const BAILEY_GLOBAL bailey_uint##bits *t, const BAILEY_GLOBAL bailey_uint##bits *head, int hashed)   \
    {                                                                                                        \
        bly_sobol_row_##bits row;                                                                            \
        BAILEY_UNROLL                                                                                        \
        for (int i = 0; i < BLY_SOBOL_NEEDED * (bits) / 128; i++)                                            \
            row.part[i] = bly_sobol_part_of_##bits(t + i * (128 / (bits)));                                  \
        row.head = BLY_SOBOL_READ_##bits(head);                                                              \
        row.seeds = hashed ? BLY_SOBOL_READ_##bits(t + BLY_SOBOL_SEEDS) : 0;                                 \
        return row;                                                                                          \
    }                                                                                                        \
    BAILEY_FN bly_sobol_near_##bits bly_sobol_near_of_##bits(const bly_sobol_row_##bits *row,                \
                                                             bailey_uint64 n, int width)                     \
    {                                                                                                        \
        const bailey_uint32 low = (bailey_uint32)n & (BLY_SOBOL_CHUNK - 1), gray = low ^ low >> 1;           \
        const int per_part = 128 / (bits);                                                                   \
        bly_sobol_near_##bits y;                                                                             \
        bailey_uint##bits x = row->head;                                                                     \
        BAILEY_UNROLL                                                                                        \
        for (int k = width == 4; k < BLY_SOBOL_CHUNK_BITS; k++)                                              \
            x ^= row->part[k / per_part].value[k % per_part] & BLY_SOBOL_MASK_##bits(gray, k);               \
        y.value[0] = x;                                                                                      \
        y.value[1] = x ^ row->part[0].value[0];                                                              \
        y.value[2] = y.value[1] ^ row->part[0].value[1];                                                     \
        y.value[3] = x ^ row->part[0].value[1];                                                              \
        return y;                                                                                            \
    }
BLY_SOBOL_NEAR(32)
BLY_SOBOL_NEAR(64)

#endif
