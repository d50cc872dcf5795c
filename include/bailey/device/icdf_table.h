/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The inverse normal CDF from a table of short polynomials: no logarithm, no square root, no division.
 * The same bits on every device, antisymmetric bit for bit, and monotone: a greater word never gives a
 * smaller deviate.
 *
 * Each octave of the tail probability p, [2^-(n+2), 2^-(n+1)), is cut into equal pieces, and each piece has
 * a polynomial in the distance from its upper end. All coefficients have the sign that makes each fma of
 * Horner's rule monotone whatever its rounding; where pieces meet, tools/fit_icdf.py has fitted them so
 * that the order holds. Before p = 1/2 the polynomial is odd, so small deviates keep their relative
 * accuracy.
 *
 * The tables are data/icdf_f32.bin (16 pieces per octave, rows of 4 floats) and data/icdf_f64.bin (32
 * pieces, rows of 8 doubles). Words of 32 bits need the first 8 KB of the former, words of 64 bits all of
 * its 16 KB. bailey_normal_table of bailey/advanced.h has them in a device's memory.
 */
#ifndef BAILEY_DEVICE_ICDF_TABLE_H
#define BAILEY_DEVICE_ICDF_TABLE_H

#include "bailey/device/lang/icdf_rows.h"

#if defined(BAILEY_IS_OPENCL) && BAILEY_LANES > 2
#include "bailey/device/lang/icdf_opencl.h"
#elif !defined(BAILEY_IS_OPENCL) && BAILEY_LANES > 1 && defined(__x86_64__) && !defined(BAILEY_ICDF_GENERIC)
#include "bailey/device/lang/icdf_x86.h"
#elif defined(BAILEY_ICDF_COPIES)
#include "bailey/device/lang/icdf_copies.h"
#endif

/* ---- Leading zeros -------------------------------------------------------------------------- */

/* The number of leading zeros of odd K. Vectors take it from the exponent of a float; the bit below the
 * leading one is cleared, so that no rounding can carry into the exponent. */
BAILEY_FN bailey_u32 bailey_icdf_zeros_u32(bailey_u32 K_)
{
#if BAILEY_LANES > 1
    const bailey_u32 k_ = (K_ & ~(K_ >> 1)) >> 1;
    const bailey_f32 f_ = bailey_fma_f32(bailey_f32_from_i32(bailey_i32_bits_u32(k_)), bailey_splat_f32(2.0f),
                                         bailey_splat_f32(1.0f));
    return bailey_splat_u32(158) - (bailey_u32_bits_f32(f_) >> 23);
#else
    return bailey_clz_u32(K_);
#endif
}

BAILEY_FN bailey_u32 bailey_icdf_zeros_u64(bailey_u64 K_)
{
#if BAILEY_LANES > 1
    const bailey_u32 bits31 = bailey_splat_u32(0x7fffffffu);
    const bailey_u64 k_ = K_ & ~(K_ >> 1);
    const bailey_u32 high = bailey_u32_from_u64(k_ >> 33), middle = bailey_u32_from_u64(k_ >> 2) & bits31;
    const bailey_f32 h_ = bailey_f32_from_i32(bailey_i32_bits_u32(high));
    const bailey_f32 m_ = bailey_f32_from_i32(bailey_i32_bits_u32(middle));
    const bailey_u32 low = (bailey_u32_from_u64(k_) & bailey_splat_u32(2)) | bailey_splat_u32(1);
    bailey_f32 f_ = bailey_fma_f32(m_, bailey_splat_f32(4.0f), bailey_f32_from_i32(bailey_i32_bits_u32(low)));
    f_ = bailey_fma_f32(h_, bailey_splat_f32(0x1p33f), f_);
    return bailey_splat_u32(190) - (bailey_u32_bits_f32(f_) >> 23);
#else
    return bailey_clz_u64(K_);
#endif
}

/* ---- f32 ------------------------------------------------------------------------------------ */

#if !defined(BAILEY_ICDF_PLACE_F32)
#define BAILEY_ICDF_PLACE_F32(table, word) bailey_icdf_find_f32(word)
#endif
#if !defined(BAILEY_ICDF_FINDS_F32)
#if !defined(BAILEY_ICDF_AT_F32)
BAILEY_FN bailey_u32 bailey_icdf_at_f32(bailey_u32 row) { return row; }
#endif

/* The leading zeros of K are the octave. */
BAILEY_FN bailey_icdf_place_f32 bailey_icdf_find_f32(bailey_u32 w_)
{
    const bailey_u32 K_ = bailey_icdf_odd_u32(w_), n_ = bailey_icdf_zeros_u32(K_), M_ = K_ << n_;
    bailey_icdf_place_f32 r_;
    r_.at = bailey_icdf_at_f32((n_ << 4) + (M_ >> 27) - bailey_splat_u32(16));
    r_.u_ = bailey_icdf_distance_u32(M_);
    return r_;
}
#endif

#if !defined(BAILEY_ICDF_LOADS_F32)
BAILEY_FN bailey_icdf_row_f32 bailey_icdf_load_f32(const BAILEY_ICDF_SPACE float *table, bailey_u32 row)
{
    bailey_icdf_row_f32 r_;
#if BAILEY_LANES > 1
    bailey_uint32 at[BAILEY_LANES];
    bailey_vector_put_u32(at, row);
    for (int k_ = 0; k_ < 4; k_++) {
        float c_[BAILEY_LANES];
        BAILEY_UNROLL
        for (int lane = 0; lane < BAILEY_LANES; lane++) c_[lane] = table[4 * at[lane] + k_];
        r_.c_[k_] = bailey_vector_get_f32(c_);
    }
#elif defined(BAILEY_IS_OPENCL) || defined(BAILEY_IS_CUDA)
    const float4 c_ = ((const BAILEY_ICDF_SPACE float4 *)table)[row];
    r_.c_[0] = BAILEY_ELEMENT(const float, c_, 0), r_.c_[1] = BAILEY_ELEMENT(const float, c_, 1);
    r_.c_[2] = BAILEY_ELEMENT(const float, c_, 2), r_.c_[3] = BAILEY_ELEMENT(const float, c_, 3);
#else
    BAILEY_UNROLL
    for (bailey_uint32 k_ = 0; k_ < 4; k_++) r_.c_[k_] = table[4 * row + k_];
#endif
    return r_;
}
#endif

/* The deviate of a word, from its row. */
BAILEY_FN bailey_f32 bailey_icdf_value_f32(bailey_icdf_row_f32 r_, bailey_f32 u_, bailey_u32 word)
{
    const bailey_f32 x_ = bailey_icdf_polynomial_f32(r_, u_);
#if defined(BAILEY_ICDF_SIGNED_F32) /* rows have the sign */
    (void)word;
    return x_;
#else
    return bailey_f32_bits_u32(bailey_u32_bits_f32(x_) | (~word & bailey_splat_u32(0x80000000u)));
#endif
}

/* The standard normal deviate whose CDF is (w + 1/2) / 2^32. At most 2.2 ulp (measured on every w: 1.957);
 * range +-6.338; monotone on every w. */
BAILEY_FN bailey_f32 bailey_normal_icdf_f32(const BAILEY_ICDF_SPACE float *table, bailey_u32 w_)
{
    const bailey_icdf_place_f32 p_ = BAILEY_ICDF_PLACE_F32(table, w_);
    return bailey_icdf_value_f32(bailey_icdf_load_f32(table, p_.at), p_.u_, w_);
}

#if defined(BAILEY_ICDF_AT_ONCE_F32)
/* The same of `count` words in memory, a multiple of the lanes. Places and distances are computed first, for
 * so many words, and rows looked up after it: the way from a word to its deviate is long, and a processor
 * does not look far enough ahead to fill it. */
#define BAILEY_ICDF_AHEAD 256
BAILEY_FN void bailey_normals_icdf_f32(const float *table, const bailey_uint32 *words, float *x_,
                                       size_t count)
{
    union {
        bailey_u32 vector[BAILEY_ICDF_AHEAD / BAILEY_LANES];
        bailey_uint32 at[BAILEY_ICDF_AHEAD];
    } places;
    bailey_f32 u_[BAILEY_ICDF_AHEAD / BAILEY_LANES];
    for (size_t done = 0, some; done < count; done += some) {
        some = count - done < BAILEY_ICDF_AHEAD ? count - done : BAILEY_ICDF_AHEAD;
        for (size_t i_ = 0; i_ < some; i_ += BAILEY_LANES) {
            const bailey_icdf_place_f32 p_ = bailey_icdf_find_f32(bailey_vector_get_u32(words + done + i_));
            places.vector[i_ / BAILEY_LANES] = p_.at;
            u_[i_ / BAILEY_LANES] = p_.u_;
        }
        for (size_t i_ = 0; i_ < some; i_ += BAILEY_LANES) {
            const bailey_icdf_row_f32 r_ = bailey_icdf_load_at_f32(table, places.at + i_);
            const bailey_u32 w_ = bailey_vector_get_u32(words + done + i_);
            bailey_vector_put_f32(x_ + done + i_, bailey_icdf_value_f32(r_, u_[i_ / BAILEY_LANES], w_));
        }
    }
}
#endif

/* MINUS the distance of M from the piece's upper end, 1 to 2^59, in units of 2^32, from all its bits: the
 * first 25 are exact as a float, the next 31 and the last 4 go together first. Both roundings are monotone.
 */
BAILEY_FN bailey_f32 bailey_icdf_distance_u64(bailey_u64 M_)
{
    const bailey_u64 d_ = (~M_ & bailey_splat_u64(0x7ffffffffffffffu)) + bailey_splat_u64(1);
    const bailey_u32 high = bailey_u32_from_u64(d_ >> 35);
    const bailey_u32 middle = bailey_u32_from_u64(d_ >> 4) & bailey_splat_u32(0x7fffffffu);
    const bailey_u32 low = bailey_u32_from_u64(d_) & bailey_splat_u32(15);
    const bailey_f32 h_ = bailey_f32_from_i32(bailey_i32_bits_u32(high));
    const bailey_f32 m_ = bailey_f32_from_i32(bailey_i32_bits_u32(middle));
    const bailey_f32 l_ = bailey_f32_from_i32(bailey_i32_bits_u32(low));
    const bailey_f32 rest = bailey_fma_f32(m_, bailey_splat_f32(16.0f), l_);
    return bailey_fma_f32(h_, bailey_splat_f32(-8.0f), rest * bailey_splat_f32(-0x1p-32f));
}

/* The same from an element of 64 bits, (w + 1/2) / 2^64: range +-9.155, and steps as fine as floats allow. At
 * most 2.2 ulp (measured 1.936). It needs all rows. */
BAILEY_FN bailey_f32 bailey_normal_icdf_f32_from_u64(const BAILEY_ICDF_SPACE float *table, bailey_u64 w_)
{
    const bailey_u64 s_ = bailey_splat_u64(0) - (w_ >> 63);
    const bailey_u64 K_ = ((w_ << 1) ^ s_) | bailey_splat_u64(1);
    const bailey_u32 n_ = bailey_icdf_zeros_u64(K_);
    const bailey_u64 M_ = K_ << bailey_u64_from_u32(n_);
    const bailey_u32 row = (n_ << 4) + bailey_u32_from_u64(M_ >> 59) - bailey_splat_u32(16);
    return bailey_icdf_value_f32(bailey_icdf_load_f32(table, bailey_icdf_at_f32(row)),
                                 bailey_icdf_distance_u64(M_), bailey_u32_from_u64(w_ >> 32));
}

/* ---- f64 ------------------------------------------------------------------------------------ */

#if BAILEY_HAS_F64

#if !defined(BAILEY_ICDF_LOADS_F64)
BAILEY_FN bailey_icdf_row_f64 bailey_icdf_load_f64(const BAILEY_ICDF_SPACE_F64 double *table, bailey_u32 row)
{
    bailey_icdf_row_f64 r_;
#if BAILEY_LANES > 1
    bailey_uint32 at[BAILEY_LANES];
    bailey_vector_put_u32(at, row);
    for (int k_ = 0; k_ < 8; k_++) {
        double c_[BAILEY_LANES];
        BAILEY_UNROLL
        for (int lane = 0; lane < BAILEY_LANES; lane++) c_[lane] = table[8 * at[lane] + k_];
        r_.c_[k_] = bailey_vector_get_f64(c_);
    }
#elif defined(BAILEY_IS_OPENCL) || defined(BAILEY_IS_CUDA)
    BAILEY_UNROLL
    for (int k_ = 0; k_ < 8; k_ += 2) {
        const double2 c_ = ((const BAILEY_ICDF_SPACE_F64 double2 *)table)[4 * row + k_ / 2];
        r_.c_[k_] = BAILEY_ELEMENT(const double, c_, 0), r_.c_[k_ + 1] = BAILEY_ELEMENT(const double, c_, 1);
    }
#else
    BAILEY_UNROLL
    for (bailey_uint32 k_ = 0; k_ < 8; k_++) r_.c_[k_] = table[8 * row + k_];
#endif
    return r_;
}
#endif

/* The rows of numbers with these bits, whose exponent is `first` in the first octave: exponent and first five
 * bits are octave and piece. */
#if !defined(BAILEY_ICDF_FINDS_F64)
BAILEY_FN bailey_icdf_row_f64 bailey_icdf_find_f64(const BAILEY_ICDF_SPACE_F64 double *table, bailey_u64 b_,
                                                   bailey_uint32 first)
{
    const bailey_u32 number = bailey_u32_from_u64(b_ >> 47) ^ bailey_splat_u32(0xffe0);
    return bailey_icdf_load_f64(table, number - bailey_splat_u32((2047 - first) * 32));
}
#endif

/* The distance from the piece's upper end, PLUS and exact, of numbers with these bits, scaled to 1 <= v < 2:
 * the bits below the piece, complemented, and one more. */
BAILEY_FN bailey_f64 bailey_icdf_distance_f64(bailey_u64 b_)
{
    const bailey_u64 rest = ~b_ & bailey_splat_u64(0x7fffffffffffu);
    return bailey_f64_bits_u64(rest | bailey_splat_u64(0x3ff0000000000000u)) -
           bailey_splat_f64(0x1.ffffffffffffep-1);
}

/* The polynomial of a row, with the sign of a word. */
BAILEY_FN bailey_f64 bailey_icdf_value_f64(bailey_icdf_row_f64 r_, bailey_f64 u_, bailey_u64 word)
{
    bailey_f64 x_ = r_.c_[7];
    BAILEY_UNROLL
    for (int k_ = 6; k_ >= 0; k_--) x_ = bailey_fma_f64(x_, u_, r_.c_[k_]);
    return bailey_f64_bits_u64(bailey_u64_bits_f64(x_) | (~word & bailey_splat_u64(0x8000000000000000u)));
}

/* The deviate of the tail probability, with the sign of a word. p is that times a power of two, so that its
 * exponent is `first` from 1/4 on. */
BAILEY_FN bailey_f64 bailey_icdf_of_tail_f64(const BAILEY_ICDF_SPACE_F64 double *table, bailey_f64 p_,
                                             bailey_uint32 first, bailey_u64 word)
{
    const bailey_u64 b_ = bailey_u64_bits_f64(p_);
    const bailey_f64 u_ = bailey_icdf_distance_f64(b_);
    return bailey_icdf_value_f64(bailey_icdf_find_f64(table, b_, first), u_, word);
}

/* The tail probability ((w >> 11) + 1/2) / 2^53 or 1 less that; a target may have it with another exponent.
 */
#if !defined(BAILEY_ICDF_TAILS_F64)
#define BAILEY_ICDF_TAILS_F64 1021 /* the exponent of 1/4 */
BAILEY_FN bailey_f64 bailey_icdf_tail_f64(bailey_u64 w_)
{
    const bailey_u64 k_ = (w_ ^ (bailey_splat_u64(0) - (w_ >> 63))) >> 11;
    return bailey_f64_bits_u64(k_ | bailey_splat_u64(0x3fe0000000000000u)) - bailey_splat_f64(0.5 - 0x1p-54);
}
#endif

/* The standard normal deviate whose CDF is ((w >> 11) + 1/2) / 2^53. At most 2 ulp (measured
 * 1.938; at most 1.956 by the fit's bound); range +-8.292; monotone on every w. */
BAILEY_FN bailey_f64 bailey_normal_icdf_f64(const BAILEY_ICDF_SPACE_F64 double *table, bailey_u64 w_)
{
    return bailey_icdf_of_tail_f64(table, bailey_icdf_tail_f64(w_), BAILEY_ICDF_TAILS_F64, w_);
}

#if defined(BAILEY_ICDF_FINDS_F64)
/* Of words in memory, wide ones of 64 bits or of 32: what has their sign, and their tails' bits. */
typedef struct bailey_icdf_bits_f64 {
    bailey_u64 sign, tail;
} bailey_icdf_bits_f64;
BAILEY_FN bailey_icdf_bits_f64 bailey_icdf_bits_of_f64(const void *words, size_t i_, int wide)
{
    bailey_icdf_bits_f64 b_;
    if (wide) {
        b_.sign = bailey_vector_get_u64((const bailey_uint64 *)words + i_);
        b_.tail = bailey_u64_bits_f64(bailey_icdf_tail_f64(b_.sign));
    } else {
        b_.sign = b_.tail =
            bailey_u64_bits_f64(bailey_icdf_signed_tail_f64((const bailey_uint32 *)words + i_));
    }
    return b_;
}

/* The same as bailey_normal_icdf_f64 (wide), or _from_u32, of `count` words, a multiple of the lanes, in
 * memory, in the two passes of bailey_normals_icdf_f32: 1.2 times the speed. */
#define BAILEY_ICDF_AHEAD_F64 256
BAILEY_FN void bailey_normals_icdf_f64(const double *table, const void *words, int wide, double *x_,
                                       size_t count)
{
    const char *base =
        bailey_icdf_base_f64(table, wide ? BAILEY_ICDF_TAILS_F64 : BAILEY_ICDF_SIGNED_TAILS_F64);
    union {
        bailey_u64 vector[BAILEY_ICDF_AHEAD_F64 / BAILEY_LANES];
        bailey_uint64 at[BAILEY_ICDF_AHEAD_F64];
    } places;
    bailey_f64 u_[BAILEY_ICDF_AHEAD_F64 / BAILEY_LANES];
    for (size_t done = 0, some; done < count; done += some) {
        some = count - done < BAILEY_ICDF_AHEAD_F64 ? count - done : BAILEY_ICDF_AHEAD_F64;
        for (size_t i_ = 0; i_ < some; i_ += BAILEY_LANES) {
            const bailey_u64 b_ = bailey_icdf_bits_of_f64(words, done + i_, wide).tail;
            places.vector[i_ / BAILEY_LANES] = bailey_icdf_places_f64(b_);
            u_[i_ / BAILEY_LANES] = bailey_icdf_distance_f64(b_);
        }
        for (size_t i_ = 0; i_ < some; i_ += BAILEY_LANES) {
            const bailey_icdf_row_f64 r_ = bailey_icdf_load_f64(base, places.at + i_);
            const bailey_u64 sign = bailey_icdf_bits_of_f64(words, done + i_, wide).sign;
            bailey_vector_put_f64(x_ + done + i_, bailey_icdf_value_f64(r_, u_[i_ / BAILEY_LANES], sign));
        }
    }
}
#endif

/* The same from one word of 32 bits, (w + 1/2) / 2^32: range +-6.338. */
BAILEY_FN bailey_f64 bailey_normal_icdf_f64_from_u32(const BAILEY_ICDF_SPACE_F64 double *table, bailey_u32 w_)
{
    const bailey_u64 K_ = bailey_u64_from_u32(bailey_icdf_odd_u32(w_));
    const bailey_f64 p_ =
        bailey_f64_bits_u64(K_ | bailey_splat_u64(0x4120000000000000u)) - bailey_splat_f64(0x1p19);
    return bailey_icdf_of_tail_f64(table, p_, 1021, bailey_u64_from_u32(w_) << 32);
}

#endif

#endif
