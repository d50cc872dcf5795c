/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Quantiles from tables that the host computes for given parameters (bailey_variate_table_create of
 * bailey/advanced.h): gamma, chi-square, beta, Student's t, truncated normal and non-central chi-square
 * distributions, at the probability U of bailey/device/quantile.h.
 *
 * As in bailey/device/icdf_table.h, each octave of the tail probability is cut into equal pieces, here
 * 2^pieces of them, with a polynomial in the distance from the piece's upper end; the tails of U and 1 - U
 * have separate rows. The polynomial is added up in two parts and rounded once, so its inner error is
 * less than what a word adds, and numbers grow with the word. Rows have 8 elements, in the order of U or 1 -
 * U:
 *
 *     f64: c0 in two parts, c1, ..., c6      f32: c0 and c1 in two parts each, c2, c3, c4, 0
 *
 * The first 8 elements of a table are the pieces and 7 zeros.
 */
#ifndef BAILEY_DEVICE_TABLED_H
#define BAILEY_DEVICE_TABLED_H

#include "bailey/device/normal.h"

#define BAILEY_TABLED_OCTAVES_F32 32
#define BAILEY_TABLED_OCTAVES_F64 53

typedef struct bailey_tabled_row_f32 {
    bailey_f32 c_[8];
} bailey_tabled_row_f32;

#if BAILEY_LANES == 1
#define BAILEY_TABLED_LOAD(real, scalar)                                                                     \
    BAILEY_UNROLL                                                                                            \
    for (bailey_uint32 k_ = 0; k_ < 8; k_++) r_.c_[k_] = table[8 * row + k_];
#else
#define BAILEY_TABLED_LOAD(real, scalar)                                                                     \
    bailey_uint32 at[BAILEY_LANES];                                                                          \
    scalar own[8][BAILEY_LANES];                                                                             \
    bailey_vector_put_u32(at, row);                                                                          \
    BAILEY_UNROLL                                                                                            \
    for (int lane = 0; lane < BAILEY_LANES; lane++)                                                          \
        for (int k_ = 0; k_ < 8; k_++) own[k_][lane] = table[8 * at[lane] + k_];                             \
    for (int k_ = 0; k_ < 8; k_++) r_.c_[k_] = bailey_vector_get_##real(own[k_]);
#endif

/* On x86, whole rows are loaded and transposed (bailey/device/lang/icdf_x86.h). */
#if BAILEY_LANES > 1 && !defined(BAILEY_IS_OPENCL) && defined(BAILEY_ICDF_LOADS_F32) && defined(__x86_64__)
BAILEY_FN bailey_tabled_row_f32 bailey_tabled_load_f32(const float *table, bailey_u32 row)
{
    const bailey_icdf_row_f32 low = bailey_icdf_load_f32(table, row << 5);
    const bailey_icdf_row_f32 high = bailey_icdf_load_f32(table + 4, row << 5);
    bailey_tabled_row_f32 r_;
    for (int k_ = 0; k_ < 4; k_++) r_.c_[k_] = low.c_[k_], r_.c_[4 + k_] = high.c_[k_];
    return r_;
}
#else
BAILEY_FN bailey_tabled_row_f32 bailey_tabled_load_f32(const BAILEY_GLOBAL float *table, bailey_u32 row)
{
    bailey_tabled_row_f32 r_;
    BAILEY_TABLED_LOAD(f32, float)
    return r_;
}
#endif

/* The polynomial at the distance u + rest; the rest is below 2^-24. */
BAILEY_FN bailey_f32 bailey_tabled_value_f32(bailey_tabled_row_f32 r_, bailey_f32 u_, bailey_f32 rest_)
{
    const bailey_f32 v_ = u_ + rest_;
    bailey_f32 s_ = bailey_fma_f32(r_.c_[6], v_, r_.c_[5]);
    s_ = bailey_fma_f32(s_, v_, r_.c_[4]);
    s_ = bailey_fma_f32(s_, v_, r_.c_[3]);
    const bailey_f32 high = bailey_fma_f32(r_.c_[2], u_, bailey_splat_f32(0.0f));
    const bailey_f32 low =
        bailey_fma_f32(s_, v_, bailey_fma_f32(r_.c_[2], rest_, bailey_fma_f32(r_.c_[2], u_, -high)));
    const bailey_f32 sum = r_.c_[0] + high, added = sum - r_.c_[0];
    const bailey_f32 rest = (r_.c_[0] - (sum - added)) + (high - added);
    return sum + (rest + (r_.c_[1] + low));
}

/* The quantile for a word. */
BAILEY_FN bailey_f32 bailey_tabled_f32(const BAILEY_GLOBAL float *table, bailey_u32 w_)
{
    const bailey_uint32 pieces = (bailey_uint32)table[0];
    const bailey_u32 s_ = bailey_u32_bits_i32(bailey_i32_bits_u32(w_) >> 31);
    const bailey_u32 K_ = ((w_ << 1) ^ s_) | bailey_splat_u32(1), n_ = bailey_icdf_zeros_u32(K_);
    const bailey_u32 M_ = K_ << n_;
    const bailey_u32 row = (n_ << bailey_splat_u32(pieces)) + ((M_ << 1) >> bailey_splat_u32(32 - pieces)) +
                           (s_ & bailey_splat_u32((bailey_uint32)BAILEY_TABLED_OCTAVES_F32 << pieces));
    const bailey_u32 above = M_ | bailey_splat_u32(0xffffffffu << (31 - pieces)); /* minus the distance */
    const bailey_u32 last = bailey_splat_u32(0x7fu);
    const bailey_f32 unit = bailey_splat_f32(-0x1p-31f);
    const bailey_f32 u_ = bailey_f32_from_i32(bailey_i32_bits_u32(above & ~last)) * unit;
    const bailey_f32 rest_ = bailey_f32_from_i32(bailey_i32_bits_u32(above & last)) * unit;
    return bailey_tabled_value_f32(bailey_tabled_load_f32(table + 8, row), u_, rest_);
}

#if BAILEY_HAS_F64
typedef struct bailey_tabled_row_f64 {
    bailey_f64 c_[8];
} bailey_tabled_row_f64;

#if BAILEY_LANES > 1 && !defined(BAILEY_IS_OPENCL) && defined(BAILEY_ICDF_LOADS_F64) && defined(__x86_64__)
BAILEY_FN bailey_tabled_row_f64 bailey_tabled_load_f64(const double *table, bailey_u64 row_)
{
    bailey_uint64 at[BAILEY_LANES];
    bailey_tabled_row_f64 r_;
    bailey_vector_put_u64(at, row_ << 6);
    const bailey_icdf_row_f64 found = bailey_icdf_load_f64((const char *)table, at);
    for (int k_ = 0; k_ < 8; k_++) r_.c_[k_] = found.c_[k_];
    return r_;
}
#else
BAILEY_FN bailey_tabled_row_f64 bailey_tabled_load_f64(const BAILEY_GLOBAL double *table, bailey_u64 row_)
{
    const bailey_u32 row = bailey_u32_from_u64(row_);
    bailey_tabled_row_f64 r_;
    BAILEY_TABLED_LOAD(f64, double)
    return r_;
}
#endif

BAILEY_FN bailey_f64 bailey_tabled_value_f64(bailey_tabled_row_f64 r_, bailey_f64 u_)
{
    bailey_f64 s_ = r_.c_[7];
    BAILEY_UNROLL
    for (int k_ = 6; k_ >= 1; k_--) s_ = bailey_fma_f64(s_, u_, r_.c_[k_]);
    return r_.c_[0] + s_;
}

BAILEY_FN bailey_f64 bailey_tabled_f64(const BAILEY_GLOBAL double *table, bailey_u64 w_)
{
    const bailey_uint32 pieces = (bailey_uint32)table[0];
    const bailey_u64 s_ = bailey_splat_u64(0) - (w_ >> 63);
    const bailey_u64 k_ = ((w_ ^ s_) >> 11) | bailey_splat_u64(0x3fe0000000000000u);
    const bailey_u64 b_ = bailey_u64_bits_f64(bailey_f64_bits_u64(k_) - bailey_splat_f64(0.5 - 0x1p-54));
    const bailey_u64 row = (b_ >> bailey_splat_u64(52 - pieces)) -
                           bailey_splat_u64((bailey_uint64)969 << pieces) +
                           (s_ & bailey_splat_u64((bailey_uint64)BAILEY_TABLED_OCTAVES_F64 << pieces));
    const bailey_u64 above = ~b_ & bailey_splat_u64(((bailey_uint64)1 << (52 - pieces)) - 1);
    const bailey_f64 u_ = bailey_f64_bits_u64(above | bailey_splat_u64(0x3ff0000000000000u)) -
                          bailey_splat_f64(0x1.ffffffffffffep-1);
    return bailey_tabled_value_f64(bailey_tabled_load_f64(table + 8, row), u_);
}
#endif

#endif
