/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Approximate normals, for multilevel Monte Carlo that corrects for them: functions of a word that come close
 * to bailey_normal_icdf_f32 of the same word and cost less. Both are monotone, exactly antisymmetric (~w
 * gives the other sign, so that the mean is 0), and the same bits on every device. They look at the first
 * bits of the word alone: a word of 32 bits makes two of them, of its first and of its last 16 bits.
 *
 *                 bits   mean square error   of each
 *   CONSTANT       10        1.50e-4         a load
 *   DYADIC         16        6.3e-6          a conversion, a load of two floats, an fma
 *
 * The error is E (Z - Z~)^2 for Z with the exact law; the variance is 1 less the error. O. Sheridan-Methven
 * and M. Giles, "Approximating inverse cumulative distribution functions to produce approximate random
 * variables", ACM Trans. Math. Softw. 49 (2023), has both kinds of functions; tools/fit_approximate.py made
 * these tables, data/approximate.bin, which bailey_approximate_table of bailey/advanced.h has. They
 * are 4,352 bytes, and DYADIC needs the first 256: two lines of a cache.
 */
#ifndef BAILEY_DEVICE_APPROXIMATE_H
#define BAILEY_DEVICE_APPROXIMATE_H

#include "bailey/device/dialect.h"

/* The address space of the table: a kernel that copies it into the memory of a group says so before it
 * includes this file. It is aligned to 8 bytes. */
#if !defined(BAILEY_APPROXIMATE_SPACE)
#define BAILEY_APPROXIMATE_SPACE BAILEY_GLOBAL
#endif

#define BAILEY_APPROXIMATE_CONSTANT 1
#define BAILEY_APPROXIMATE_DYADIC 2

/* Floats of the table: those of DYADIC, and of CONSTANT after them. */
#define BAILEY_DYADIC_FLOATS 64
#define BAILEY_CONSTANT_FLOATS 1024
#define BAILEY_APPROXIMATE_FLOATS (BAILEY_DYADIC_FLOATS + BAILEY_CONSTANT_FLOATS)

/* ---- CONSTANT ------------------------------------------------------------------------------- */

/* The mean of all normals whose words begin with the same 10 bits; +-3.374 at most. */
BAILEY_FN bailey_f32 bailey_normal_constant_f32(const BAILEY_APPROXIMATE_SPACE float *table, bailey_u32 w_)
{
    const BAILEY_APPROXIMATE_SPACE float *const entries = table + BAILEY_DYADIC_FLOATS;
#if BAILEY_LANES == 1
    return entries[w_ >> 22];
#else
    bailey_uint32 at[BAILEY_LANES];
    float value[BAILEY_LANES];
    bailey_vector_put_u32(at, w_ >> 22);
    BAILEY_UNROLL
    for (int lane = 0; lane < BAILEY_LANES; lane++) value[lane] = entries[at[lane]];
    return bailey_vector_get_f32(value);
#endif
}

/* ---- DYADIC --------------------------------------------------------------------------------- */

typedef struct bailey_dyadic_row {
    bailey_f32 a_, b_;
} bailey_dyadic_row;

/* Row r mod 32 of the table. With 16 lanes the rows are four vectors: of two, a permutation takes the
 * elements, and which two it is, a choice. */
BAILEY_FN bailey_dyadic_row bailey_dyadic_load(const BAILEY_APPROXIMATE_SPACE float *table, bailey_u32 r_)
{
    bailey_dyadic_row row;
#if BAILEY_LANES == 1 && (defined(BAILEY_IS_OPENCL) || defined(BAILEY_IS_CUDA))
    const float2 pair = ((const BAILEY_APPROXIMATE_SPACE float2 *)table)[r_ & 31];
    row.a_ = BAILEY_ELEMENT(const float, pair, 0), row.b_ = BAILEY_ELEMENT(const float, pair, 1);
#elif BAILEY_LANES == 1
    row.a_ = table[2 * (r_ & 31)], row.b_ = table[2 * (r_ & 31) + 1];
#elif defined(BAILEY_PERMUTE2)
    const bailey_u32 q_ = r_ << 1, second = q_ | bailey_splat_u32(1);
    const bailey_m32 upper = bailey_lt_i32(bailey_i32_bits_u32(r_ << 27), bailey_splat_i32(0));
    bailey_f32 rows[4];
    BAILEY_UNROLL
    for (int i_ = 0; i_ < 4; i_++) BAILEY_VECTOR_LOAD(rows[i_], table + i_ * BAILEY_LANES);
    row.a_ = bailey_select_f32(upper, BAILEY_PERMUTE2(rows[2], rows[3], q_),
                               BAILEY_PERMUTE2(rows[0], rows[1], q_));
    row.b_ = bailey_select_f32(upper, BAILEY_PERMUTE2(rows[2], rows[3], second),
                               BAILEY_PERMUTE2(rows[0], rows[1], second));
#else
    bailey_uint32 at[BAILEY_LANES];
    float a_[BAILEY_LANES], b_[BAILEY_LANES];
    bailey_vector_put_u32(at, (r_ & bailey_splat_u32(31)) << 1);
    BAILEY_UNROLL
    for (int lane = 0; lane < BAILEY_LANES; lane++) {
        a_[lane] = table[at[lane]];
        b_[lane] = table[at[lane] + 1];
    }
    row.a_ = bailey_vector_get_f32(a_);
    row.b_ = bailey_vector_get_f32(b_);
#endif
    return row;
}

/* The first 16 bits, folded to the tail probability K / 65536, K odd: K is exact as a float, and its exponent
 * and first bit are the row. Both halves of the words meet at 0; +-4.388 at most. */
BAILEY_FN bailey_f32 bailey_normal_dyadic_f32(const BAILEY_APPROXIMATE_SPACE float *table, bailey_u32 w_)
{
    const bailey_u32 folded = w_ ^ bailey_u32_bits_i32(bailey_i32_bits_u32(w_) >> 31);
    const bailey_u32 K_ = (folded >> 15) | bailey_splat_u32(1);
    const bailey_f32 f_ = bailey_f32_from_i32(bailey_i32_bits_u32(K_));
    const bailey_dyadic_row row = bailey_dyadic_load(table, bailey_u32_bits_f32(f_) >> 22);
    const bailey_f32 x_ = bailey_fma_f32(row.b_, f_, row.a_);
    return bailey_f32_bits_u32(bailey_u32_bits_f32(x_) | (~w_ & bailey_splat_u32(0x80000000u)));
}

/* ---- Either --------------------------------------------------------------------------------- */

/* `kind`, one of the two numbers above, should be a constant. */
BAILEY_FN bailey_f32 bailey_normal_approximate_f32(int kind, const BAILEY_APPROXIMATE_SPACE float *table,
                                                   bailey_u32 w_)
{
    return kind == BAILEY_APPROXIMATE_CONSTANT ? bailey_normal_constant_f32(table, w_)
                                               : bailey_normal_dyadic_f32(table, w_);
}

#if BAILEY_LANES == 1 && !defined(BAILEY_IS_OPENCL) && !defined(BAILEY_IS_CUDA) && defined(__AVX512F__) &&   \
    defined(__GNUC__)
#include "bailey/device/lang/approximate_x86.h"
#endif

#if BAILEY_LANES == 1
/* The same for `count` words in an item's array, for loops that become vector instructions. */
BAILEY_FN void bailey_normals_approximate_f32(int kind, const BAILEY_APPROXIMATE_SPACE float *table,
                                              const bailey_uint32 *w_, float *x_, int count)
{
#if defined(BAILEY_DYADIC_ARRAYS)
    if (kind == BAILEY_APPROXIMATE_DYADIC && count % BAILEY_DYADIC_ARRAYS == 0) {
        bailey_dyadic_floats rows[4];
        memcpy(rows, table, sizeof rows);
        for (int i_ = 0; i_ < count; i_ += BAILEY_DYADIC_ARRAYS)
            bailey_dyadic_sixteen(rows, w_ + i_, x_ + i_);
        return;
    }
#endif
    for (int i_ = 0; i_ < count; i_++) x_[i_] = bailey_normal_approximate_f32(kind, table, w_[i_]);
}
#endif

#endif
