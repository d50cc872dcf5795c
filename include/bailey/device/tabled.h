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
 * Where a shape is so small that numbers span thousands of octaves, polynomials are of a logarithm instead,
 * and its exponential is rounded once:
 *
 *     f64: c0 and c1 in two parts each, c2, ..., c5      f32: as above
 *
 * The first 8 elements of a table are the pieces, BAILEY_TABLED_NUMBERS, _LOGARITHMS or _LOGITS, and 6 zeros.
 */
#ifndef BAILEY_DEVICE_TABLED_H
#define BAILEY_DEVICE_TABLED_H

#include "bailey/device/quantile.h"

#define BAILEY_TABLED_OCTAVES_F32 32
#define BAILEY_TABLED_OCTAVES_F64 53

#define BAILEY_TABLED_NUMBERS 0    /* polynomials are numbers x */
#define BAILEY_TABLED_LOGARITHMS 1 /* ln(x); below -87 (f64: -708) the number is 0 */
#define BAILEY_TABLED_LOGITS 2     /* ln(x / (1 - x)); x or 1 - x is 0 below the same */

typedef struct bailey_tabled_row_f32 {
    bailey_f32 c_[8];
} bailey_tabled_row_f32;

#if BAILEY_LANES == 1 && defined(BAILEY_HAS_READ_ONLY)
/* 16 bytes at a time: a warp's rows are few lines of the cache, each of which is looked up once per load */
#define BAILEY_TABLED_LOAD(real, scalar) BAILEY_TABLED_LOAD_##real
#define BAILEY_TABLED_LOAD_f32                                                                               \
    bailey_uint32 bits[8];                                                                                   \
    bailey_read_only_u32x4((const BAILEY_GLOBAL bailey_uint32 *)(table + 8 * row), bits);                    \
    bailey_read_only_u32x4((const BAILEY_GLOBAL bailey_uint32 *)(table + 8 * row) + 4, bits + 4);            \
    BAILEY_UNROLL                                                                                            \
    for (bailey_uint32 k_ = 0; k_ < 8; k_++) r_.c_[k_] = bailey_f32_bits_u32(bits[k_]);
#define BAILEY_TABLED_LOAD_f64                                                                               \
    bailey_uint64 bits[8];                                                                                   \
    BAILEY_UNROLL                                                                                            \
    for (bailey_uint32 k_ = 0; k_ < 8; k_ += 2)                                                              \
        bailey_read_only_u64x2((const BAILEY_GLOBAL bailey_uint64 *)(table + 8 * row) + k_, bits + k_);      \
    BAILEY_UNROLL                                                                                            \
    for (bailey_uint32 k_ = 0; k_ < 8; k_++) r_.c_[k_] = bailey_f64_bits_u64(bits[k_]);
#elif BAILEY_LANES == 1
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

/* Numbers from logarithms. The polynomial's parts are added again, so that the high one is their sum rounded.
 */
#define BAILEY_TABLED_f32 float
#define BAILEY_TABLED_f64 double
#define BAILEY_TABLED_POWER(real, word, most, steps)                                                         \
    /* e / (1 + e) or, if `upper`, 1 / (1 + e), of 0 <= e <= 1: 1 / d by Newton's method from a line, and a  \
     * quotient whose error is taken off, also that of d = 1 + e. */                                                   \
    BAILEY_FN bailey_##real bailey_tabled_share_##real(bailey_##real e_, bailey_m##word upper)               \
    {                                                                                                        \
        const bailey_##real one = bailey_splat_##real(1), d_ = one + e_, less = e_ - (d_ - one);             \
        const bailey_##real n_ = bailey_select_##real(upper, one, e_);                                       \
        bailey_##real r_ =                                                                                   \
            bailey_fma_##real(d_, bailey_splat_##real(-0.5f), bailey_splat_##real(1.457107f));               \
        BAILEY_UNROLL                                                                                        \
        for (int k_ = 0; k_ < (steps); k_++)                                                                 \
            r_ = bailey_fma_##real(r_, bailey_fma_##real(-d_, r_, one), r_);                                 \
        const bailey_##real q_ = bailey_fma_##real(n_, r_, bailey_splat_##real(0));                          \
        return bailey_fma_##real(bailey_fma_##real(-q_, less, bailey_fma_##real(-q_, d_, n_)), r_, q_);      \
    }                                                                                                        \
    BAILEY_FN bailey_##real bailey_tabled_power_##real(const BAILEY_GLOBAL BAILEY_TABLED_##real *table,      \
                                                       int form, bailey_u##word w_)                          \
    {                                                                                                        \
        const bailey_##real zero = bailey_splat_##real(0), least = bailey_splat_##real(-(most));             \
        const bailey_sum_##real y_ = bailey_tabled_at_##real(table, w_);                                     \
        const bailey_##real size = y_.high + y_.low, rest = (y_.high - size) + y_.low;                       \
        const bailey_m##word upper = bailey_lt_##real(zero, size);                                           \
        bailey_sum_##real e_;                                                                                \
        e_.high = size;                                                                                      \
        e_.low = rest;                                                                                       \
        if (form == BAILEY_TABLED_LOGITS) {                                                                  \
            e_.high = bailey_select_##real(upper, -size, size);                                              \
            e_.low = bailey_select_##real(upper, -rest, rest);                                               \
        }                                                                                                    \
        const bailey_m##word none = bailey_lt_##real(e_.high, least);                                        \
        e_.high = bailey_select_##real(none, least, e_.high);                                                \
        e_.low = bailey_select_##real(none, zero, e_.low);                                                   \
        const bailey_##real x_ = bailey_select_##real(none, zero, bailey_exp_parts_##real(e_));              \
        return form == BAILEY_TABLED_LOGITS ? bailey_tabled_share_##real(x_, upper) : x_;                    \
    }

/* The polynomial at the distance u + rest, in two parts; the rest is below 2^-24. */
BAILEY_FN bailey_sum_f32 bailey_tabled_value_f32(bailey_tabled_row_f32 r_, bailey_f32 u_, bailey_f32 rest_)
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
    bailey_sum_f32 y_;
    y_.high = sum;
    y_.low = rest + (r_.c_[1] + low);
    return y_;
}

/* The same for a word. */
BAILEY_FN bailey_sum_f32 bailey_tabled_at_f32(const BAILEY_GLOBAL float *table, bailey_u32 w_)
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

/* The quantile for a word, of numbers; of logarithms, and of sides. */
BAILEY_FN bailey_f32 bailey_tabled_number_f32(const BAILEY_GLOBAL float *table, bailey_u32 w_)
{
    const bailey_sum_f32 y_ = bailey_tabled_at_f32(table, w_);
    return y_.high + y_.low;
}
BAILEY_TABLED_POWER(f32, 32, 87, 3)

BAILEY_FN bailey_f32 bailey_tabled_f32(const BAILEY_GLOBAL float *table, bailey_u32 w_)
{
    const int form = (int)table[1];
    return form == BAILEY_TABLED_NUMBERS ? bailey_tabled_number_f32(table, w_)
                                         : bailey_tabled_power_f32(table, form, w_);
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

/* The place of a word: its row and the distance there. */
typedef struct bailey_tabled_place_f64 {
    bailey_tabled_row_f64 row;
    bailey_f64 u_;
} bailey_tabled_place_f64;

BAILEY_FN bailey_tabled_place_f64 bailey_tabled_place_of_f64(const BAILEY_GLOBAL double *table, bailey_u64 w_)
{
    const bailey_uint32 pieces = (bailey_uint32)table[0];
    const bailey_u64 s_ = bailey_splat_u64(0) - (w_ >> 63);
    const bailey_u64 k_ = ((w_ ^ s_) >> 11) | bailey_splat_u64(0x3fe0000000000000u);
    const bailey_u64 b_ = bailey_u64_bits_f64(bailey_f64_bits_u64(k_) - bailey_splat_f64(0.5 - 0x1p-54));
    const bailey_u64 row = (b_ >> bailey_splat_u64(52 - pieces)) -
                           bailey_splat_u64((bailey_uint64)969 << pieces) +
                           (s_ & bailey_splat_u64((bailey_uint64)BAILEY_TABLED_OCTAVES_F64 << pieces));
    const bailey_u64 above = ~b_ & bailey_splat_u64(((bailey_uint64)1 << (52 - pieces)) - 1);
    bailey_tabled_place_f64 p_;
    p_.u_ = bailey_f64_bits_u64(above | bailey_splat_u64(0x3ff0000000000000u)) -
            bailey_splat_f64(0x1.ffffffffffffep-1);
    p_.row = bailey_tabled_load_f64(table + 8, row);
    return p_;
}

BAILEY_FN bailey_f64 bailey_tabled_number_f64(const BAILEY_GLOBAL double *table, bailey_u64 w_)
{
    const bailey_tabled_place_f64 p_ = bailey_tabled_place_of_f64(table, w_);
    bailey_f64 s_ = p_.row.c_[7];
    BAILEY_UNROLL
    for (int k_ = 6; k_ >= 1; k_--) s_ = bailey_fma_f64(s_, p_.u_, p_.row.c_[k_]);
    return p_.row.c_[0] + s_;
}

BAILEY_FN bailey_sum_f64 bailey_tabled_at_f64(const BAILEY_GLOBAL double *table, bailey_u64 w_)
{
    const bailey_tabled_place_f64 p_ = bailey_tabled_place_of_f64(table, w_);
    bailey_f64 s_ = p_.row.c_[7];
    BAILEY_UNROLL
    for (int k_ = 6; k_ >= 3; k_--) s_ = bailey_fma_f64(s_, p_.u_, p_.row.c_[k_]);
    const bailey_f64 high = bailey_fma_f64(p_.row.c_[2], p_.u_, bailey_splat_f64(0));
    const bailey_f64 low = bailey_fma_f64(s_, p_.u_, bailey_fma_f64(p_.row.c_[2], p_.u_, -high));
    const bailey_f64 sum = p_.row.c_[0] + high, added = sum - p_.row.c_[0];
    const bailey_f64 rest = (p_.row.c_[0] - (sum - added)) + (high - added);
    bailey_sum_f64 y_;
    y_.high = sum;
    y_.low = rest + (p_.row.c_[1] + low);
    return y_;
}
BAILEY_TABLED_POWER(f64, 64, 708, 5)

BAILEY_FN bailey_f64 bailey_tabled_f64(const BAILEY_GLOBAL double *table, bailey_u64 w_)
{
    const int form = (int)table[1];
    return form == BAILEY_TABLED_NUMBERS ? bailey_tabled_number_f64(table, w_)
                                         : bailey_tabled_power_f64(table, form, w_);
}
#endif

#endif
