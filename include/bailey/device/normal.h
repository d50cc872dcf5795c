/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Standard normal deviates from uniform words: the inverse CDF (one word, one normal; monotone, so
 * low-discrepancy points keep their structure) and Box-Muller (two words, two normals; no buffer). Exact
 * profile: the same bits on every device. Fast profile (Box-Muller's, whose name ends in _fast_f32): native
 * functions on CUDA and in scalar OpenCL code, the exact function elsewhere.
 *
 * The inverse CDF reads a table (bailey/device/icdf_table.h), which a kernel is given as a buffer:
 *
 *     float z = bailey_normal_icdf_f32(table, word);          table: const BAILEY_GLOBAL float *
 *     double z = bailey_normal_icdf_f64(table, element);      table: const BAILEY_GLOBAL double *
 *
 * The functions whose name ends in _from_u64 and _from_u32 take words of the width that is not the usual one
 * of their precision: floats from elements of 64 bits reach further out (+-9.155, Box-Muller's +-9.493), and
 * doubles from single words are what sequences of 32 bits have.
 *
 * bailey_normal_table of bailey/advanced.h has the buffer, bailey_normal_table_data the bytes.
 *
 * Other memory can hold the tables; what is defined stands before this file is included:
 *
 *     #define BAILEY_ICDF_SPACE __constant                 OpenCL, f32: the kernel's argument is __constant
 *     #define BAILEY_ICDF_SPACE_F64 __global               f64's 106 KB do not fit there
 *
 *     __constant__ __align__(16) float table[4 * BAILEY_ICDF_ROWS_F32];      CUDA, f32: words of 32 bits
 *     __device__ __align__(16) double table[8 * BAILEY_ICDF_ROWS_F64];       CUDA, f64
 *
 *     #define BAILEY_ICDF_COPIES 4                         shared or local memory, several times
 *     bailey_icdf_copy_f32(memory, table, item, items);    all items of a group; then its barrier
 *
 * bailey/device/lang/icdf_copies.h has the sizes of the last, BAILEY_ICDF_COPIES_BYTES_F32 and _F64.
 *
 * A word always stands for the middle of its cell, (w + 1/2) / 2^32 (or 2^53): zero and one cannot
 * occur, every result is finite, and the distribution is exactly symmetric.
 */
#ifndef BAILEY_DEVICE_NORMAL_H
#define BAILEY_DEVICE_NORMAL_H

#include "bailey/device/dialect.h"
#include "bailey/device/icdf_table.h"
#include "bailey/device/math.h"

typedef struct bailey_pair_f32 {
    bailey_f32 value[2];
} bailey_pair_f32;

#if BAILEY_HAS_F64
typedef struct bailey_pair_f64 {
    bailey_f64 value[2];
} bailey_pair_f64;
#endif

/* ---- Tail probabilities ---------------------------------------------------------------------- */

/* The tail probability of a word, as 31 bits: w in the lower half, ~w in the upper half. */
BAILEY_FN bailey_u32 bailey_normal_reflect_u32(bailey_u32 w_)
{
    return w_ ^ bailey_u32_bits_i32(bailey_i32_bits_u32(w_) >> 31);
}

/* (k + 1/2) / 2^32 for k < 2^31. */
BAILEY_FN bailey_f32 bailey_normal_unit_f32(bailey_u32 k_)
{
    return bailey_fma_f32(bailey_f32_from_i32(bailey_i32_bits_u32(k_)), bailey_splat_f32(0x1p-32f),
                          bailey_splat_f32(0x1p-33f));
}

#if BAILEY_HAS_F64

/* (k + 1/2) / 2^53 for k < 2^52, exactly. */
BAILEY_FN bailey_f64 bailey_normal_unit_f64(bailey_u64 k_)
{
    return bailey_f64_bits_u64(k_ | bailey_splat_u64(0x3fe0000000000000u)) - bailey_splat_f64(0.5 - 0x1p-54);
}

/* The tail probability of a word, as 52 bits. The low 11 bits of the word are not used. */
BAILEY_FN bailey_u64 bailey_normal_reflect_u64(bailey_u64 w_)
{
    return (w_ ^ (bailey_splat_u64(0) - (w_ >> 63))) >> 11;
}

#endif

/* ---- Box-Muller ----------------------------------------------------------------------------- */

/* r = sqrt(-2 ln U) for U = (u + 1/2) / 2^32, and an angle from v: t, its low 30 bits, is uniform in
 * (-1/2, 1/2) quarter turns, bit 31 reflects the cosine and bit 30 swaps the two, so that the four
 * wedges cover the circle once:
 *
 *     bits 31, 30 of v     00: (r c, r s)   10: (-r c, r s)   01: (r s, r c)   11: (r s, -r c)
 *
 * with c = cos(pi t / 2), s = sin(pi t / 2). t is never 0. (G. E. P. Box, M. E. Muller, Ann. Math.
 * Statist. 29, 1958.) */

/* 2^23 log2 U: in this unit the exponent need not be shifted down. Where U >= 2/3, ln U = log1p(-p) is taken
 * from p = 1 - U, which keeps its relative precision. */
#define BAILEY_LOG2_UNIT 0x1p23f
#define BAILEY_LOG2_UNIT_INVERSE 0x1p-23f
/* The logarithm for the tail probability p; bit 31 of u selects the side. */
BAILEY_FN bailey_f32 bailey_normal_log2_of_tail_f32(bailey_f32 p_, bailey_u32 u_)
{
    const bailey_u32 two_thirds = bailey_splat_u32(0x3f2aaaabu);
    const bailey_f32 one = bailey_splat_f32(1.0f);
    const bailey_i32 zero = bailey_splat_i32(0);
    bailey_f32 y_ = bailey_select_f32(bailey_lt_i32(bailey_i32_bits_u32(u_), zero), one - p_, p_);
    bailey_u32 i_ = bailey_u32_bits_f32(y_) - two_thirds, e_ = i_ & bailey_splat_u32(0xff800000u);
    bailey_f32 f_ = bailey_f32_bits_u32(bailey_u32_bits_f32(y_) - e_) - one;
    f_ = bailey_select_f32(bailey_lt_i32(bailey_i32_bits_u32(i_), zero), f_, -p_);
    return bailey_fma_f32(f_, bailey_log2_ratio_f32(f_, BAILEY_LOG2_UNIT),
                          bailey_f32_from_i32(bailey_i32_bits_u32(e_)));
}
BAILEY_FN bailey_f32 bailey_normal_log2_f32(bailey_u32 u_)
{
    return bailey_normal_log2_of_tail_f32(bailey_normal_unit_f32(bailey_normal_reflect_u32(u_)), u_);
}

/* sin(pi t / 2) / t, in w = t^2 <= 1/4. Minimax polynomial, relative error 2^-25.1. */
BAILEY_FN bailey_f32 bailey_sine_ratio_f32(bailey_f32 w_)
{
    bailey_f32 y_ = bailey_splat_f32(-0x1.2f5992p-8f);
    y_ = bailey_fma_f32(y_, w_, bailey_splat_f32(0x1.466b2p-4f));
    y_ = bailey_fma_f32(y_, w_, bailey_splat_f32(-0x1.4abbecp-1f));
    return bailey_fma_f32(y_, w_, bailey_splat_f32(0x1.921fb6p0f));
}

/* (cos(pi t / 2) - 1) / t^2, in w = t^2 <= 1/4. Minimax polynomial, relative error 2^-25.0. */
BAILEY_FN bailey_f32 bailey_cosine_rest_f32(bailey_f32 w_)
{
    bailey_f32 y_ = bailey_splat_f32(0x1.d09c24p-11f);
    y_ = bailey_fma_f32(y_, w_, bailey_splat_f32(-0x1.55a5cp-6f));
    y_ = bailey_fma_f32(y_, w_, bailey_splat_f32(0x1.03c19ep-2f));
    return bailey_fma_f32(y_, w_, bailey_splat_f32(-0x1.3bd3ccp0f));
}

/* r times cosine and sine, swapped and signed as bits 31 and 30 of v say. */
BAILEY_FN bailey_pair_f32 bailey_normal_place_f32(bailey_f32 r_, bailey_f32 c_, bailey_f32 s_, bailey_u32 v_)
{
    bailey_m32 crossed = bailey_lt_i32(bailey_i32_bits_u32(v_ << 1), bailey_splat_i32(0));
    bailey_pair_f32 z_;
    c_ = bailey_f32_bits_u32(bailey_u32_bits_f32(c_) ^ (v_ & bailey_splat_u32(0x80000000u)));
    z_.value[0] = r_ * bailey_select_f32(crossed, s_, c_);
    z_.value[1] = r_ * bailey_select_f32(crossed, c_, s_);
    return z_;
}

/* sqrt(-2 ln U) from the logarithm, and the angle of v. */
BAILEY_FN bailey_pair_f32 bailey_normal_polar_f32(bailey_f32 log2_u, bailey_u32 v_)
{
    bailey_f32 r_ =
        bailey_sqrt_positive_f32(log2_u * bailey_splat_f32(-0x1.62e43p0f * BAILEY_LOG2_UNIT_INVERSE));

    bailey_f32 t_ = bailey_f32_from_i32(bailey_i32_bits_u32((v_ << 2) | bailey_splat_u32(2u))) *
                    bailey_splat_f32(0x1p-32f);
    bailey_f32 w_ = t_ * t_;
    bailey_f32 c_ = bailey_fma_f32(w_, bailey_cosine_rest_f32(w_), bailey_splat_f32(1.0f));
    return bailey_normal_place_f32(r_, c_, t_ * bailey_sine_ratio_f32(w_), v_);
}

/* Two independent standard normal deviates from two words. Each at most 7 ulp
 * (measured 4.889); |z| <= 6.764. */
BAILEY_FN bailey_pair_f32 bailey_normal_box_muller_f32(bailey_u32 u_, bailey_u32 v_)
{
    return bailey_normal_polar_f32(bailey_normal_log2_f32(u_), v_);
}

/* The same from two elements of 64 bits, at most 7 ulp (measured 4.593): U = (u + 1/2) / 2^64, so that |z| <=
 * 9.493, and the angle from the high half of v. bailey_normal_box_muller_f64(u, v) makes the same except for
 * the bits that each leaves out: its t counts from its other end. */
BAILEY_FN bailey_pair_f32 bailey_normal_box_muller_f32_from_u64(bailey_u64 u_, bailey_u64 v_)
{
    const bailey_u64 K_ = ((u_ << 1) ^ (bailey_splat_u64(0) - (u_ >> 63))) | bailey_splat_u64(1); /* p 2^65 */
    const bailey_u32 high = bailey_u32_from_u64(K_ >> 33);
    const bailey_u32 middle = bailey_u32_from_u64(K_ >> 2) & bailey_splat_u32(0x7fffffffu);
    const bailey_u32 low = bailey_u32_from_u64(K_) & bailey_splat_u32(3);
    const bailey_f32 m_ = bailey_f32_from_i32(bailey_i32_bits_u32(middle));
    const bailey_f32 l_ = bailey_f32_from_i32(bailey_i32_bits_u32(low));
    const bailey_f32 rest = bailey_fma_f32(m_, bailey_splat_f32(0x1p-63f), l_ * bailey_splat_f32(0x1p-65f));
    const bailey_f32 p_ =
        bailey_fma_f32(bailey_f32_from_i32(bailey_i32_bits_u32(high)), bailey_splat_f32(0x1p-32f), rest);
    return bailey_normal_polar_f32(bailey_normal_log2_of_tail_f32(p_, bailey_u32_from_u64(u_ >> 32)),
                                   bailey_u32_from_u64(v_ >> 32) ^ bailey_splat_u32(0x20000000u));
}

/* The same, fast profile: the device's logarithm, root, sine and cosine. On CUDA the absolute error of
 * each deviate is at most 2^-17 (derived from the PTX manual: 2^-20.5 of the sine, times r); finite.
 * Near 1 only the absolute error of the device's logarithm is bounded, which is too much if r is small:
 * above U = 1 - 2^-11, -2 ln U is taken to be 2 (1 - U), to 2^-18 of r. */
BAILEY_FN bailey_pair_f32 bailey_normal_box_muller_fast_f32(bailey_u32 u_, bailey_u32 v_)
{
#if defined(BAILEY_HAS_NATIVE)
    const float near_one = bailey_fma_f32(bailey_f32_from_i32((bailey_int32)~u_), 0x1p-31f, 0x1p-32f);
    const float uniform = bailey_fma_f32((float)u_, 0x1p-32f, 0x1p-33f);
    const float w_ = bailey_native_log2_f32(uniform) * -0x1.62e43p0f;
    const float r_ = bailey_native_sqrt_f32(uniform > 1.0f - 0x1p-11f ? near_one : w_);
    float angle = bailey_f32_from_i32(bailey_i32_bits_u32((v_ << 2) | 2u)) * 0x1.921fb6p-32f;
    const float s_ = bailey_native_sin_f32(angle), c_ = bailey_native_cos_f32(angle);
    return bailey_normal_place_f32(r_, c_, s_, v_);
#else
    return bailey_normal_box_muller_f32(u_, v_);
#endif
}

#if BAILEY_HAS_F64

/* sin(pi t / 2) / t, in w = t^2 <= 1/4. Minimax polynomial, relative error 2^-54.5. */
/* clang-format off */
#define BAILEY_SINE_RATIO_F64(first, next)                                                                   \
    first(0x1.e357ef99ead45p-25) next(-0x1.e2fe76fdffd28p-19) next(0x1.50782d5f14825p-13)                    \
    next(-0x1.32d2ccdfe9424p-8) next(0x1.466bc67754fffp-4) next(-0x1.4abbce625be09p-1)                       \
    next(0x1.921fb54442d18p0)
/* clang-format on */
BAILEY_HELD_POLYNOMIAL_F64(bailey_sine_ratio_f64, BAILEY_SINE_RATIO_F64)

/* (cos(pi t / 2) - 1) / t^2, in w = t^2 <= 1/4. Minimax polynomial, relative error 2^-53.8. */
/* clang-format off */
#define BAILEY_COSINE_REST_F64(first, next)                                                                  \
    first(-0x1.ac2eafc93ccdap-28) next(0x1.f9b8188b0a512p-22) next(-0x1.a6d1d35595887p-16)                   \
    next(0x1.e1f506654c60ap-11) next(-0x1.55d3c7e3b7b01p-6) next(0x1.03c1f081b5a24p-2)                       \
    next(-0x1.3bd3cc9be45dep0)
/* clang-format on */
BAILEY_HELD_POLYNOMIAL_F64(bailey_cosine_rest_f64, BAILEY_COSINE_REST_F64)

/* log2 of U from its tail probability p, as in f32; `below` is the bits of U where U >= 1/2. With U = 2^e m,
 * 1/2 <= m < 1, and the factor c of the row for m it is e - log2(c) + log2(1 + r), r = c m - 1, made as
 * -c f + (c - 1) from f = 1 - m, which is exact. Where U >= 1/2, f is p = 1 - U, whose last bit m has not;
 * next to 1, where c is 1, ln U = log1p(-p) then keeps its relative precision. (P. T. P. Tang, ACM Trans.
 * Math. Softw. 16, 1990.) */
BAILEY_FN bailey_f64 bailey_normal_log2_of_tail_f64(bailey_f64 p_, bailey_u64 below, bailey_u64 u_)
{
    const bailey_f64 one = bailey_splat_f64(1.0);
    const bailey_i64 zero = bailey_i64_bits_u64(bailey_splat_u64(0));
    const bailey_m64 upper = bailey_lt_i64(bailey_i64_bits_u64(u_), zero);
    const bailey_u64 bits = bailey_select_u64(upper, below, bailey_u64_bits_f64(p_));
    const bailey_f64 f_ = bailey_select_f64(upper, p_, one - bailey_log2_mantissa_f64(p_));
    const bailey_log2_parts_f64 l_ = bailey_log2_parts_of_f64(bits);
    const bailey_f64 r_ = bailey_fma_f64(-f_, l_.c_, l_.c_ - one);
    return bailey_fma_f64(r_, bailey_log2_ratio_f64(r_), l_.e_);
}

/* log2 of U = ((u >> 11) + 1/2) / 2^53. */
BAILEY_FN bailey_f64 bailey_normal_log2_f64(bailey_u64 u_)
{
    const bailey_u64 k_ = bailey_normal_reflect_u64(u_);
    return bailey_normal_log2_of_tail_f64(bailey_normal_unit_f64(k_),
                                          k_ ^ bailey_splat_u64(0x3fefffffffffffffu), u_);
}

/* sqrt(-2 ln U) from the logarithm, and the angle t, which bits 63 and 62 of v place as in f32. */
BAILEY_FN bailey_pair_f64 bailey_normal_polar_f64(bailey_f64 log2_u, bailey_f64 t_, bailey_u64 v_)
{
    const bailey_i64 zero = bailey_i64_bits_u64(bailey_splat_u64(0));
    bailey_f64 r_ = bailey_sqrt_f64(log2_u * bailey_splat_f64(-0x1.62e42fefa39efp0));

    bailey_f64 w_ = t_ * t_;
    bailey_f64 c_ = bailey_fma_f64(w_, bailey_cosine_rest_f64(w_), bailey_splat_f64(1.0));
    bailey_f64 s_ = t_ * bailey_sine_ratio_f64(w_);
    bailey_m64 crossed = bailey_lt_i64(bailey_i64_bits_u64(v_ << 1), zero);
    bailey_pair_f64 z_;
    c_ = bailey_f64_bits_u64(bailey_u64_bits_f64(c_) ^ (v_ & bailey_splat_u64(0x8000000000000000u)));
    z_.value[0] = r_ * bailey_select_f64(crossed, s_, c_);
    z_.value[1] = r_ * bailey_select_f64(crossed, c_, s_);
    return z_;
}

/* Two independent standard normal deviates from two words. Each at most 4.5 ulp
 * (measured 3.369); |z| <= 8.653.
 * U = ((u >> 11) + 1/2) / 2^53; t is bits 61 to 11 of v, in the middle of its cell. */
BAILEY_FN bailey_pair_f64 bailey_normal_box_muller_f64(bailey_u64 u_, bailey_u64 v_)
{
    const bailey_f64 t_ = bailey_f64_bits_u64(((v_ << 2) >> 12) | bailey_splat_u64(0x3ff0000000000001u)) -
                          bailey_splat_f64(1.5);
    return bailey_normal_polar_f64(bailey_normal_log2_f64(u_), t_, v_);
}

/* The same from two words of 32 bits, at most 4.5 ulp (measured 3.409): U = (u + 1/2) / 2^32, |z| <= 6.764.
 * Where bailey_normal_box_muller_f32(u, v) makes two floats, these are the doubles that they approximate. */
BAILEY_FN bailey_pair_f64 bailey_normal_box_muller_f64_from_u32(bailey_u32 u_, bailey_u32 v_)
{
    const bailey_u64 K_ = bailey_u64_from_u32(bailey_icdf_odd_u32(u_)); /* p 2^33 */
    const bailey_f64 p_ =
        bailey_f64_bits_u64(K_ | bailey_splat_u64(0x4120000000000000u)) - bailey_splat_f64(0x1p19);
    const bailey_f64 t_ = bailey_f64_from_i32(bailey_i32_bits_u32((v_ << 2) | bailey_splat_u32(2u))) *
                          bailey_splat_f64(0x1p-32);
    const bailey_u64 below = bailey_u64_bits_f64(bailey_splat_f64(1.0) - p_);
    return bailey_normal_polar_f64(bailey_normal_log2_of_tail_f64(p_, below, bailey_u64_from_u32(u_) << 32),
                                   t_, bailey_u64_from_u32(v_) << 32);
}

#endif

#endif
