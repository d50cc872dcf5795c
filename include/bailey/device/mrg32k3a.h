/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * MRG32k3a: two multiple recursive generators of order three, whose difference is taken.
 *     x[n] = 1403580 x[n-2] -  810728 x[n-3] mod m1,   m1 = 2^32 - 209
 *     y[n] =  527612 y[n-1] - 1370589 y[n-3] mod m2,   m2 = 2^32 - 22853
 *     z[n] = x[n] - y[n] mod m1
 *
 * Source: L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number
 * generators", Operations Research 47(1), 1999.
 *
 * Period: (m1^3 - 1)(m2^3 - 1)/2, about 2^191. It passes the known batteries. It is slow (four wide products
 * per word), and its words are not quite uniform: z is one of 0 ... m1 - 1 = 2^32 - 210, and the 209 words
 * above never occur. For a uniform number the error is 5e-8. If every word must be equally likely, use
 * another generator. L'Ecuyer's own uniform number is (z, or m1 for z = 0)/(m1 + 1).
 *
 * State, the oldest first: s1[0], s1[1], s1[2] are x[n-3], x[n-2], x[n-1], below m1 and not all zero; s2
 * are the same for y, below m2.
 *
 * Order contract of a start: words 0 to 2 of block `lane` of bailey_run_hash with tag 7 are s1, words 0 to 2
 * of block 32 + lane are s2, less m1 or m2 where they are not below it; should three be all zero, the
 * last of them is 1.
 */
#ifndef BAILEY_DEVICE_MRG32K3A_H
#define BAILEY_DEVICE_MRG32K3A_H

#include "bailey/device/run.h"

typedef struct bailey_mrg32k3a {
    bailey_u32 s1_[3], s2_[3];
} bailey_mrg32k3a;

#define BAILEY_MRG32K3A_M1 4294967087u
#define BAILEY_MRG32K3A_M2 4294944443u

/* x mod m, for m above 2^31. */
BAILEY_FN bailey_u32 bailey_mrg32k3a_mod(bailey_u32 x_, bailey_uint32 m_)
{
    const bailey_u32 modulus = bailey_splat_u32(m_);
    const bailey_m32 below = x_ < modulus;
    return bailey_select_u32(below, x_, x_ - modulus);
}

BAILEY_FN bailey_mrg32k3a bailey_mrg32k3a_start(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 run,
                                                bailey_u32 lane)
{
    const bailey_philox_block a_ = bailey_run_hash(7u, seed, stream, run, lane);
    const bailey_philox_block b_ =
        bailey_run_hash(7u, seed, stream, run, lane + bailey_splat_u32(BAILEY_RUN_LANES));
    const bailey_u32 zero = bailey_splat_u32(0u), one = bailey_splat_u32(1u);
    bailey_mrg32k3a g_;
    for (int i_ = 0; i_ < 3; i_++) {
        g_.s1_[i_] = bailey_mrg32k3a_mod(a_.word[i_], BAILEY_MRG32K3A_M1);
        g_.s2_[i_] = bailey_mrg32k3a_mod(b_.word[i_], BAILEY_MRG32K3A_M2);
    }
    const bailey_m32 good1 = zero < (g_.s1_[0] | g_.s1_[1] | g_.s1_[2]);
    const bailey_m32 good2 = zero < (g_.s2_[0] | g_.s2_[1] | g_.s2_[2]);
    g_.s1_[2] = bailey_select_u32(good1, g_.s1_[2], one);
    g_.s2_[2] = bailey_select_u32(good2, g_.s2_[2], one);
    return g_;
}

/* (a x + b (m - y)) mod m for m = 2^32 - c, x and y below m, a + b below 2^21 and c below 2^15: folds what
 * stands above bit 32, of which c remains, until less than 2 m is left. */
BAILEY_FN bailey_u32 bailey_mrg32k3a_combine(bailey_uint32 a_, bailey_u32 x_, bailey_uint32 b_, bailey_u32 y_,
                                             bailey_uint32 c_)
{
#if BAILEY_LANES == 1
    const bailey_uint32 m_ = 0u - c_;
    bailey_uint64 p_ = (bailey_uint64)a_ * x_ + (bailey_uint64)b_ * (m_ - y_);
    p_ = (p_ >> 32) * c_ + (bailey_uint32)p_;
    if (c_ >= 2048u) p_ = (p_ >> 32) * c_ + (bailey_uint32)p_;
    return (bailey_uint32)(p_ >= m_ ? p_ - m_ : p_);
#else
    /* 32-bit halves, with the carries from comparisons: no 64-bit lanes. */
    const bailey_u32 m_ = bailey_splat_u32(0u - c_), va = bailey_splat_u32(a_), vb = bailey_splat_u32(b_),
                     vc = bailey_splat_u32(c_), zero = bailey_splat_u32(0u), one = bailey_splat_u32(1u);
    const bailey_u32 n_ = m_ - y_, low = va * x_, sum = low + vb * n_;
    const bailey_m32 carry = sum < low;
    const bailey_u32 high =
        bailey_mulhi_u32(va, x_) + bailey_mulhi_u32(vb, n_) + bailey_select_u32(carry, one, zero);
    bailey_u32 r_ = sum + high * vc;
    bailey_m32 over = r_ < sum;
    if (c_ >= 2048u) { /* high * c has more than 32 bits */
        const bailey_u32 folded = r_;
        r_ += (bailey_mulhi_u32(high, vc) + bailey_select_u32(over, one, zero)) * vc;
        over = r_ < folded;
    }
    /* Less than 2^32 + m: a carry out of bit 32 and a subtraction of m both add c, and exclude each other. */
    const bailey_m32 above = m_ <= r_;
    return bailey_select_u32(over | above, r_ + vc, r_);
#endif
}

/* z: 0 ... 2^32 - 210. */
BAILEY_FN bailey_u32 bailey_mrg32k3a_next(bailey_mrg32k3a *g_)
{
    const bailey_u32 x_ = bailey_mrg32k3a_combine(1403580u, g_->s1_[1], 810728u, g_->s1_[0], 209u);
    const bailey_u32 y_ = bailey_mrg32k3a_combine(527612u, g_->s2_[2], 1370589u, g_->s2_[0], 22853u);
    const bailey_m32 negative = x_ < y_;
    g_->s1_[0] = g_->s1_[1];
    g_->s1_[1] = g_->s1_[2];
    g_->s1_[2] = x_;
    g_->s2_[0] = g_->s2_[1];
    g_->s2_[1] = g_->s2_[2];
    g_->s2_[2] = y_;
    return bailey_select_u32(negative, x_ - y_ - bailey_splat_u32(209u), x_ - y_);
}

#if BAILEY_HAS_F64
/* The word that curand() of cuRAND's device functions makes of the same state: the integer part
 * of 1.000000048662 times z (m1 for z = 0), a product rounded to double precision, FFFFFFFF where it is 2^32.
 * The words are spread over 32 bits, and 209 never occur. */
BAILEY_FN bailey_u32 bailey_mrg32k3a_next_curand(bailey_mrg32k3a *g_)
{
    const bailey_u32 z_ = bailey_mrg32k3a_next(g_), zero = bailey_splat_u32(0u);
    const bailey_m32 some = zero < z_;
    const bailey_u32 n_ = bailey_select_u32(some, z_, bailey_splat_u32(BAILEY_MRG32K3A_M1));
    const bailey_f64 scale = bailey_splat_f64(1.000000048662);
#if BAILEY_LANES == 1
    const bailey_uint64 word = (bailey_uint64)((double)n_ * scale);
    return word >> 32 ? 0xFFFFFFFFu : (bailey_uint32)word;
#else
    /* Conversions that every dialect has are those of int; the sum is exact. */
    const bailey_f64 high = bailey_f64_from_i32(bailey_i32_bits_u32(n_ >> 16));
    const bailey_f64 low = bailey_f64_from_i32(bailey_i32_bits_u32(n_ & bailey_splat_u32(0xFFFFu)));
    const bailey_f64 product = bailey_fma_f64(high, bailey_splat_f64(65536.0), low) * scale;
    /* The integer part, from the number's bits: 1 <= product < 2^33. */
    const bailey_u64 bits = bailey_u64_bits_f64(product), hidden = bailey_splat_u64((bailey_uint64)1 << 52);
    const bailey_u64 mantissa = (bits & (hidden - bailey_splat_u64(1))) | hidden;
    const bailey_u64 word = mantissa >> (bailey_splat_u64(1023 + 52) - (bits >> 52));
    const bailey_m64 fits = bailey_lt_i64(bailey_i64_bits_u64(word),
                                          bailey_i64_bits_u64(bailey_splat_u64((bailey_uint64)1 << 32)));
    return bailey_u32_from_u64(bailey_select_u64(fits, word, bailey_splat_u64(0xFFFFFFFFu)));
#endif
}
#endif

#endif
