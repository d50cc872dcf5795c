/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Integers below n from elements of twice their bits: floor(n w / 2^64) of a 64-bit element w for n up to
 * 2^32, floor(n w / 2^128) of a 128-bit one above. One element gives one integer, without a loop, and the
 * integer grows with the element.
 *
 * Each integer has the probability 1/n within 2^-64 (2^-128): floor(2^64 / n) elements or one more. To show
 * such a difference by a chi-square test takes more numbers than there are. With N of them the statistic
 * grows by at most N n^2 2^-130 on average, which is 1/4 for N = 2^64 and n = 2^32; of 64-bit integers it
 * grows by N n^2 2^-258. Rejection (D. Lemire, "Fast random integer generation in an interval", ACM TOMACS
 * 29, 2019, from whom the product is) would make it zero, but number i would then need the fates of the
 * numbers before it, or a second sequence and a loop.
 *
 * `last` is n - 1, so that n = 2^32 and n = 2^64 have a place.
 */
#ifndef BAILEY_DEVICE_BELOW_H
#define BAILEY_DEVICE_BELOW_H

#include "bailey/device/dialect.h"

/* n h + floor(n l / 2^32) for w = 2^32 h + l is below 2^64. */
BAILEY_FN bailey_u32 bailey_integer_u32(bailey_u64 w_, bailey_uint32 last)
{
    const bailey_u64 m_ = bailey_splat_u64(last), h_ = w_ >> 32, l_ = w_ & bailey_splat_u64(0xffffffffu);
    return bailey_u32_from_u64((m_ * h_ + h_ + ((m_ * l_ + l_) >> 32)) >> 32);
}

/* The high half of a 64 x 64 bit product. */
BAILEY_FN bailey_u64 bailey_mulhi_u64(bailey_u64 a_, bailey_u64 b_)
{
    const bailey_u64 low = bailey_splat_u64(0xffffffffu);
    const bailey_u64 a0_ = a_ & low, a1_ = a_ >> 32, b0_ = b_ & low, b1_ = b_ >> 32;
    const bailey_u64 m0_ = a1_ * b0_ + ((a0_ * b0_) >> 32), m1_ = a0_ * b1_ + (m0_ & low);
    return a1_ * b1_ + (m0_ >> 32) + (m1_ >> 32);
}

/* 1 where a + b is 2^64 or more. */
BAILEY_FN bailey_u64 bailey_carry_u64(bailey_u64 a_, bailey_u64 b_)
{
    return ((a_ & b_) | ((a_ | b_) & ~(a_ + b_))) >> 63;
}

/* Of w = 2^64 high + low: n high + floor(n low / 2^64), without its lower 64 bits. */
BAILEY_FN bailey_u64 bailey_integer_u64(bailey_u64 high, bailey_u64 low, bailey_uint64 last)
{
    const bailey_u64 m_ = bailey_splat_u64(last), product = m_ * high, part = m_ * low;
    const bailey_u64 above = bailey_mulhi_u64(m_, high) + bailey_carry_u64(product, high);
    const bailey_u64 below = bailey_mulhi_u64(m_, low) + bailey_carry_u64(part, low);
    return above + bailey_carry_u64(product + high, below);
}

#endif
