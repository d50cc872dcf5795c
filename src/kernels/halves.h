/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Uniforms and normals of 16 bits: drawn from Philox, and rounded from floats in memory.
 */
#ifndef BLY_HALVES_H
#define BLY_HALVES_H

#include "bailey/device/halves.h"
#include "kernels/fill.h"
#include "kernels/variates.h"

typedef unsigned short bly_half_bits;

/* Floats from element `first` on; `brain` chooses bfloat16, `uniform` numbers that must stay below 1. */
typedef struct bly_halves_params {
    bailey_uint64 first, count, out_offset;
    bailey_uint64 brain, uniform;
} bly_halves_params;

BAILEY_FN bailey_pack_u32 bly_halves_of(bailey_uint64 brain, bailey_uint64 uniform, bailey_pack_f32 x)
{
    bailey_pack_u32 y;
    for (int j = 0; j < 4; j++) {
        if (uniform)
            y.value[j] = brain ? bailey_bfloat16_uniform(x.value[j]) : bailey_float16_uniform(x.value[j]);
        else
            y.value[j] = brain ? bailey_bfloat16_of_f32(x.value[j]) : bailey_float16_of_f32(x.value[j]);
    }
    return y;
}

/* Stores elements low .. high - 1 of a pack from out[at] on: on a GPU a whole pack as 8 bytes. */
BAILEY_FN void bly_store_halves(BAILEY_GLOBAL bly_half_bits *out, bailey_uint64 at, bailey_uint32 low,
                                bailey_uint32 high, bailey_pack_u32 y)
{
#if BAILEY_LANES == 1
#if defined(BAILEY_IS_OPENCL) || defined(BAILEY_IS_CUDA)
    if (low == 0 && high == 4 && ((size_t)(out + at) & 7) == 0) {
        const bailey_uint64 first = y.value[0] | y.value[1] << 16, second = y.value[2] | y.value[3] << 16;
        *(BAILEY_GLOBAL bailey_uint64 *)(out + at) = first | second << 32;
        return;
    }
#endif
    for (bailey_uint32 i = 0; i < 4; i++)
        if (i >= low && i < high) out[at + i] = (bly_half_bits)y.value[i];
#else
    bailey_uint32 own[BAILEY_PACK32];
    for (int j = 0; j < 4; j++) bailey_vector_put_u32(own + j * BAILEY_LANES, y.value[j]);
    if (low == 0 && high == BAILEY_PACK32)
        for (bailey_uint32 i = 0; i < BAILEY_PACK32; i++) out[at + i] = (bly_half_bits)own[i];
    else
        for (bailey_uint32 i = low; i < high; i++) out[at + i] = (bly_half_bits)own[i];
#endif
}

/* Packs 32 apart, as kernels/range.h has them, of one row with a stride of 1; `integers` chooses bfloat16. */
#define BLY_HALVES_ITEM(name, parameter, uniform, draw)                                                      \
    BAILEY_FN void name(bly_fill_params p, parameter BAILEY_GLOBAL bly_half_bits *out, bailey_uint64 item,   \
                        bailey_uint64 row)                                                                   \
    {                                                                                                        \
        const bailey_uint64 number = bly_first_pack(item, BLY_STRIPED);                                      \
        (void)row;                                                                                           \
        BAILEY_UNROLL_2 for (bailey_uint32 k = 0; k < BLY_STRIPED; k++)                                      \
        {                                                                                                    \
            const bly_range r =                                                                              \
                bly_range_of_item(p.first, p.count, 4, BAILEY_PACK32, number + 32 * (bailey_uint64)k);       \
            const bailey_uint64 begin = r.begin;                                                             \
            if (r.low < r.high)                                                                              \
                bly_store_halves(out, p.out_offset + (begin - p.first), r.low, r.high,                       \
                                 bly_halves_of(p.integers, uniform, draw));                                  \
        }                                                                                                    \
    }
BLY_HALVES_ITEM(bly_halves_u01_item, BLY_NO_TABLE, 1,
                bly_form_f32(BAILEY_DRAW_UNIFORM, 0, bly_drawn_pack((int)p.rounds, p.keys, p.stream, begin)))
BLY_HALVES_ITEM(bly_halves_icdf_item, BLY_TABLE_f32, 0,
                bailey_draw_rounds_f32((int)p.rounds, BAILEY_DRAW_ICDF, table, p.keys, p.stream, begin))

/* Of floats that lie in memory from `in` on. */
BAILEY_FN void bly_halves_rounded_item(bly_halves_params p, const BAILEY_GLOBAL float *in,
                                       BAILEY_GLOBAL bly_half_bits *out, bailey_uint64 item,
                                       bailey_uint64 row)
{
    const bly_range r = bly_range_of_item(0, p.count, 4, BAILEY_PACK32, item);
    (void)row;
    if (r.low < r.high)
        bly_store_halves(
            out, p.out_offset + r.begin, r.low, r.high,
            bly_halves_of(p.brain, p.uniform, bailey_load_f32(in, p.first + r.begin, 1, r.low, r.high)));
}

#endif
