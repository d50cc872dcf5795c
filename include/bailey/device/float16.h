/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Floats of 16 bits: IEEE 754 binary16 (float16) and the upper half of binary32 (bfloat16), as bits in the
 * lower half of a word, rounded from single precision to nearest, ties to even. Only integers are rounded,
 * but for subnormal numbers of float16: |x| + 1/2 has their last place, 2^-24, so that one sum rounds them.
 */
#ifndef BAILEY_DEVICE_FLOAT16_H
#define BAILEY_DEVICE_FLOAT16_H

#include "bailey/device/dialect.h"

/* The largest below 1: 1 - 2^-11 and 1 - 2^-8. */
#define BAILEY_FLOAT16_BELOW_1 0x3bffu
#define BAILEY_BFLOAT16_BELOW_1 0x3f7fu

/* Beyond the largest number, 65504, by half a place or more: infinity. A NaN is 7e00, with its sign. */
BAILEY_FN bailey_u32 bailey_float16_of_f32(bailey_f32 x_)
{
    const bailey_u32 one = bailey_splat_u32(1), bits = bailey_u32_bits_f32(x_);
    const bailey_u32 a_ = bits & bailey_splat_u32(0x7fffffffu);
    const bailey_i32 size = bailey_i32_bits_u32(a_);
    const bailey_u32 least = bailey_u32_bits_f32(bailey_f32_bits_u32(a_) + bailey_splat_f32(0.5f));
    bailey_u32 h_ = (a_ - bailey_splat_u32(0x38000000u - 0xfffu) + (a_ >> 13 & one)) >> 13;
    h_ = bailey_select_u32(bailey_lt_i32(size, bailey_splat_i32(0x38800000)),
                           least - bailey_splat_u32(0x3f000000u), h_);
    h_ = bailey_select_u32(bailey_lt_i32(bailey_splat_i32(0x477fefff), size), bailey_splat_u32(0x7c00u), h_);
    h_ = bailey_select_u32(bailey_lt_i32(bailey_splat_i32(0x7f800000), size), bailey_splat_u32(0x7e00u), h_);
    return h_ | (bits >> 16 & bailey_splat_u32(0x8000u));
}

/* A NaN is 7fc0, with its sign. */
BAILEY_FN bailey_u32 bailey_bfloat16_of_f32(bailey_f32 x_)
{
    const bailey_u32 bits = bailey_u32_bits_f32(x_);
    const bailey_u32 a_ = bits & bailey_splat_u32(0x7fffffffu);
    const bailey_u32 nearest = (bits + bailey_splat_u32(0x7fffu) + (bits >> 16 & bailey_splat_u32(1))) >> 16;
    const bailey_u32 none = bailey_splat_u32(0x7fc0u) | (bits >> 16 & bailey_splat_u32(0x8000u));
    return bailey_select_u32(bailey_lt_i32(bailey_splat_i32(0x7f800000), bailey_i32_bits_u32(a_)), none,
                             nearest);
}

/* The same for a uniform number: at most the largest below 1. */
BAILEY_FN bailey_u32 bailey_float16_uniform(bailey_f32 x_)
{
    const bailey_u32 h_ = bailey_float16_of_f32(x_), most = bailey_splat_u32(BAILEY_FLOAT16_BELOW_1);
    return bailey_select_u32(bailey_lt_i32(bailey_i32_bits_u32(most), bailey_i32_bits_u32(h_)), most, h_);
}
BAILEY_FN bailey_u32 bailey_bfloat16_uniform(bailey_f32 x_)
{
    const bailey_u32 h_ = bailey_bfloat16_of_f32(x_), most = bailey_splat_u32(BAILEY_BFLOAT16_BELOW_1);
    return bailey_select_u32(bailey_lt_i32(bailey_i32_bits_u32(most), bailey_i32_bits_u32(h_)), most, h_);
}

#endif
