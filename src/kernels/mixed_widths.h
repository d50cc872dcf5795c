/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers from words of the width that is not the usual one of their precision: floats from elements of 64
 * bits, doubles from single words.
 */
#ifndef BLY_MIXED_WIDTHS_H
#define BLY_MIXED_WIDTHS_H

#include "kernels/fill.h"
#include "kernels/variates.h"

/* (w | 1) / 2^64, rounded down: from 2^-64 to 1 - 2^-24. */
BAILEY_FN bailey_f32 bly_uniform_f32_from_u64(bailey_u64 w)
{
    w = w | bailey_splat_u64(1);
    const bailey_u32 n = bailey_icdf_zeros_u64(w);
    const bailey_u32 leading = bailey_u32_from_u64((w << bailey_u64_from_u32(n)) >> 40);
    return bailey_f32_from_i32(bailey_i32_bits_u32(leading)) *
           bailey_f32_bits_u32((bailey_splat_u32(127 - 24) - n) << 23);
}

/* The elements at in[begin], of which a lane makes four numbers. */
BAILEY_FN bailey_pack_f32 bly_mixed_form_f32(int form, const BAILEY_ICDF_SPACE float *table,
                                             const BAILEY_GLOBAL bailey_uint64 *in, bailey_uint64 begin)
{
    bailey_pack_u64 a = bailey_load_u64(in, begin, 1, 0, BAILEY_PACK64);
    bailey_pack_u64 b = bailey_load_u64(in, begin + BAILEY_PACK64, 1, 0, BAILEY_PACK64);
    if (form == BAILEY_DRAW_UNIFORM) {
        bailey_pack_f32 y;
        for (int j = 0; j < 2; j++) {
            y.value[j] = bly_uniform_f32_from_u64(a.value[j]);
            y.value[2 + j] = bly_uniform_f32_from_u64(b.value[j]);
        }
        return y;
    }
    a = bailey_turn_u64(a), b = bailey_turn_u64(b);
    bailey_elements4 u;
    for (int j = 0; j < 2; j++) u.value[j] = a.value[j], u.value[2 + j] = b.value[j];
    return bailey_turn_f32(bailey_normals_of_elements_f32(form, table, u));
}

#if BAILEY_HAS_F64
/* (w + 1/2) / 2^32, exactly. */
BAILEY_FN bailey_f64 bly_uniform_f64_from_u32(bailey_u32 w)
{
    const bailey_u64 middle = bailey_splat_u64(0x3ff0000000080000u);
    return bailey_f64_bits_u64(bailey_u64_from_u32(w) << 20 | middle) - bailey_splat_f64(1.0);
}

/* Likewise of single words, two for each lane. */
BAILEY_FN bailey_pack_f64 bly_mixed_form_f64(int form, const BAILEY_ICDF_SPACE double *table,
                                             const BAILEY_GLOBAL bailey_uint32 *in, bailey_uint64 begin)
{
    const bailey_u32 a = bailey_vector_load_u32(in + begin),
                     b = bailey_vector_load_u32(in + begin + BAILEY_LANES);
#if BAILEY_LANES > 1
    const bailey_u32 w0 = BAILEY_SHUFFLE(bailey_u32, a, b, BAILEY_TURN_EVENS),
                     w1 = BAILEY_SHUFFLE(bailey_u32, a, b, BAILEY_TURN_ODDS);
#else
    const bailey_u32 w0 = a, w1 = b;
#endif
    bailey_pack_f64 y;
    if (form == BAILEY_DRAW_UNIFORM) {
        y.value[0] = bly_uniform_f64_from_u32(w0);
        y.value[1] = bly_uniform_f64_from_u32(w1);
    } else {
        y = bailey_normals_of_words_f64(form, table, w0, w1);
    }
    return bailey_turn_f64(y);
}
#endif

#define BLY_BLOCK_f32 4
#define BLY_BLOCK_f64 2
#define BLY_PACK_f32 BAILEY_PACK32
#define BLY_PACK_f64 BAILEY_PACK64

/* Kernels, as the rows have them: drawn from blocks that are known by number, and of words in memory. */
#define BLY_MIXED_COUNTER_ITEM(method, METHOD, real, scalar, bits)                                           \
    BLY_FILL_ITEM(bly_mixed_counter_##method##_##real##_item, real, scalar, BLY_BLOCK_##real,                \
                  BLY_PACK_##real, BLY_TABLE_##real,                                                         \
                  bailey_draw_rounds_##real((int)p.rounds, BAILEY_DRAW_##METHOD | BAILEY_DRAW_BITS_##bits,   \
                                            table, p.keys, p.stream, begin))
#define BLY_MIXED_OF_UNIFORM(real, scalar, bits)                                                             \
    BLY_FORM_ITEM(bly_mixed_u01_##real##_item, real, bits, scalar, BLY_BLOCK_##real, BLY_PACK_##real,        \
                  BLY_NO_TABLE, bly_mixed_form_##real(BAILEY_DRAW_UNIFORM, 0, in, begin))
#define BLY_MIXED_OF_DRAW(method, METHOD, real, scalar, bits)                                                \
    BLY_FORM_ITEM(bly_mixed_##method##_##real##_item, real, bits, scalar, BLY_BLOCK_##real, BLY_PACK_##real, \
                  BLY_TABLE_##real,                                                                          \
                  bly_scaled_##real(p, bly_mixed_form_##real(BAILEY_DRAW_##METHOD, table, in, begin)))

BLY_MIXED_f32(BLY_MIXED_COUNTER_ITEM) BLY_MIXED_OF_UNIFORM(f32, float, 64) BLY_MIXED_f32(BLY_MIXED_OF_DRAW)
#if BAILEY_HAS_F64
    BLY_MIXED_f64(BLY_MIXED_COUNTER_ITEM) BLY_MIXED_OF_UNIFORM(f64, double, 32)
        BLY_MIXED_f64(BLY_MIXED_OF_DRAW)
#endif

#endif
