/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Elementary functions from additions, multiplications, fma and a small table alone: no libm, no division, no
 * hardware square root (except a guess of it on NVIDIA's devices), so that every device gives the same bits.
 * No result depends on whether denormals are kept or flushed (for the square root: on the domain stated).
 * Errors are in units in the last place of the exact result (docs/developers/accuracy.md says how they were measured);
 * coefficients come from tools/fit_normal.sollya.
 *
 * Names ending in _fast_f32 use the device's own approximations on CUDA and in scalar OpenCL code,
 * and are the exact functions elsewhere.
 */
#ifndef BAILEY_DEVICE_MATH_H
#define BAILEY_DEVICE_MATH_H

#include "bailey/device/dialect.h"

/* A polynomial in x by Horner's rule, its coefficients given from the highest power down. A target may hold
 * those of the logarithm, the sine and the cosine in registers. */
#if BAILEY_HAS_F64
#if !defined(BAILEY_POLYNOMIAL_F64)
#define BAILEY_HIGHEST_F64(c) y_ = bailey_splat_f64(c);
#define BAILEY_NEXT_F64(c) y_ = bailey_fma_f64(y_, x_, bailey_splat_f64(c));
#define BAILEY_POLYNOMIAL_F64(name, coefficients)                                                            \
    BAILEY_FN bailey_f64 name(bailey_f64 x_)                                                                 \
    {                                                                                                        \
        bailey_f64 y_;                                                                                       \
        coefficients(BAILEY_HIGHEST_F64, BAILEY_NEXT_F64);                                                   \
        return y_;                                                                                           \
    }
#endif
#if !defined(BAILEY_HELD_POLYNOMIAL_F64)
#define BAILEY_HELD_POLYNOMIAL_F64 BAILEY_POLYNOMIAL_F64
#endif
#endif

/* ---- Square root ---------------------------------------------------------------------------- */

/* sqrt(x), correctly rounded, for x = 0 and every finite x >= 2^-102. Below, the
 * last bit may be wrong and depend on denormals; negative x, infinity and NaN are outside the domain.
 *
 * The exponent trick guesses r = 1 / sqrt(x); r (c - x r^2) is a Newton step whose constants (found by
 * search, together with the guess) balance its error at 8.8e-4. From e = 1 - x r^2, root and half
 * reciprocal root take the third-order correction 1 + e / 2 + 3 e^2 / 8. Then Markstein's: the residual
 * x - g^2 is exact in an fma, so the last fma rounds a value known to far more than 24 bits
 * (P. Markstein, IBM J. Res. Dev. 34, 1990). The estimate must not exceed the root of the last float
 * before 4^k, or that one rounds wrong: hence 0.369 instead of 3/8. Verified on every x of the domain. */
#if defined(BAILEY_HAS_RSQRT)
/* NVIDIA's devices guess 1 / sqrt(x) to 2^-22.9 (PTX ISA, rsqrt.approx), and Markstein's step follows. Two
 * mantissas have guesses within that bound that would lead to the wrong root: the library checks them on
 * each device that it opens (src/kernels/fill.h), and tests/user_kernel.cu at every x of the domain. */
BAILEY_FN float bailey_sqrt_guessed_f32(float x_, float r_)
{
    const float g_ = x_ * r_;
    return bailey_fma_f32(bailey_fma_f32(-g_, g_, x_), 0.5f * r_, g_);
}
BAILEY_FN float bailey_sqrt_positive_f32(float x_)
{
    return bailey_sqrt_guessed_f32(x_, bailey_native_rsqrt_f32(x_));
}
BAILEY_FN float bailey_sqrt_f32(float x_)
{
    const float r_ = bailey_native_rsqrt_f32(x_); /* infinite for 0 */
    return bailey_sqrt_guessed_f32(x_, r_ < 0x1p52f ? r_ : 0x1p52f);
}
#else
BAILEY_FN bailey_f32 bailey_sqrt_f32(bailey_f32 x_)
{
    bailey_f32 r_ = bailey_f32_bits_u32(bailey_splat_u32(0x5f0b385du) - (bailey_u32_bits_f32(x_) >> 1));
    r_ = r_ * bailey_fma_f32(-(x_ * r_), r_, bailey_splat_f32(0x1.e417eap0f));
    bailey_f32 g_ = x_ * r_, h_ = bailey_splat_f32(0.5f) * r_;
    bailey_f32 e_ = bailey_fma_f32(-g_, r_, bailey_splat_f32(1.0f));
    e_ = e_ * bailey_fma_f32(e_, bailey_splat_f32(0x1.7ap-2f), bailey_splat_f32(0.5f));
    g_ = bailey_fma_f32(g_, e_, g_);
    h_ = bailey_fma_f32(h_, e_, h_);
    return bailey_fma_f32(bailey_fma_f32(-g_, g_, x_), h_, g_);
}

/* For x that cannot be 0. */
BAILEY_FN bailey_f32 bailey_sqrt_positive_f32(bailey_f32 x_) { return bailey_sqrt_f32(x_); }
#endif

#if BAILEY_HAS_F64

/* sqrt(x), correctly rounded (no exception in 3 10^8 samples), for x = 0 and finite
 * x >= 2^-960; otherwise as bailey_sqrt_f32. The third-order step refines r; an ordinary coupled step
 * precedes Markstein's. */
BAILEY_FN bailey_f64 bailey_sqrt_f64(bailey_f64 x_)
{
    const bailey_f64 one_half = bailey_splat_f64(0.5);
    bailey_f64 r_ =
        bailey_f64_bits_u64(bailey_splat_u64(0x5fe1670ba0000000u) - (bailey_u64_bits_f64(x_) >> 1));
    r_ = r_ * bailey_fma_f64(-(x_ * r_), r_, bailey_splat_f64(0x1.e417eap0));
    bailey_f64 e_ = bailey_fma_f64(-(x_ * r_), r_, bailey_splat_f64(1.0));
    e_ = e_ * bailey_fma_f64(e_, bailey_splat_f64(0.375), one_half);
    r_ = bailey_fma_f64(r_, e_, r_);
    bailey_f64 g_ = x_ * r_, h_ = one_half * r_;
    e_ = bailey_fma_f64(-g_, h_, one_half);
    g_ = bailey_fma_f64(g_, e_, g_);
    h_ = bailey_fma_f64(h_, e_, h_);
    return bailey_fma_f64(bailey_fma_f64(-g_, g_, x_), h_, g_);
}

#endif

/* ---- Base-2 logarithm ----------------------------------------------------------------------- */

/* unit log2(1 + f) / f for |f| <= 1/3, where unit is a constant, a power of two. Minimax polynomial, relative
 * error 2^-24.8. */
BAILEY_FN bailey_f32 bailey_log2_ratio_f32(bailey_f32 f_, float unit)
{
    bailey_f32 y_ = bailey_splat_f32(0x1.95a2aep-3f * unit);
    y_ = bailey_fma_f32(y_, f_, bailey_splat_f32(-0x1.c6faf8p-3f * unit));
    y_ = bailey_fma_f32(y_, f_, bailey_splat_f32(0x1.9fb0f6p-3f * unit));
    y_ = bailey_fma_f32(y_, f_, bailey_splat_f32(-0x1.e4f75ep-3f * unit));
    y_ = bailey_fma_f32(y_, f_, bailey_splat_f32(0x1.278a7p-2f * unit));
    y_ = bailey_fma_f32(y_, f_, bailey_splat_f32(-0x1.717298p-2f * unit));
    y_ = bailey_fma_f32(y_, f_, bailey_splat_f32(0x1.ec70c6p-2f * unit));
    y_ = bailey_fma_f32(y_, f_, bailey_splat_f32(-0x1.715456p-1f * unit));
    return bailey_fma_f32(y_, f_, bailey_splat_f32(0x1.715476p0f * unit));
}

#if BAILEY_HAS_F64

/* log2(1 + r) / r for |r| <= 1/32. Minimax polynomial, relative error 2^-55.4. */
/* clang-format off */
#define BAILEY_LOG2_RATIO_F64(first, next)                                                                   \
    first(0x1.47a084cc7fd43p-3) next(-0x1.71fb070210ae9p-3) next(0x1.a617fc472937ap-3)                       \
    next(-0x1.ec707e796823fp-3) next(0x1.2776c4fec7437p-2) next(-0x1.71547653cf199p-2)                       \
    next(0x1.ec709dc3a16f9p-2) next(-0x1.71547652b82d4p-1) next(0x1.71547652b82fep0)
/* clang-format on */
BAILEY_HELD_POLYNOMIAL_F64(bailey_log2_ratio_f64, BAILEY_LOG2_RATIO_F64)

/* Row i belongs to 1/2 + i / 32 <= m < 1/2 + (i + 1) / 32: the bits of a factor c near 1 / m, and those of
 * 2^32 + 1 - log2(c). Among the numbers 2^(n / 2^20) near 1 / m, c is the nearest that is a double to within
 * 2^-62 of its logarithm, so that the row has that without error (S. Gal, B. Bachelis, ACM Trans. Math.
 * Softw. 17, 1991). The last c is 1. */
/* clang-format off */
#define BAILEY_LOG2_ROWS(first, next)                                                                        \
    first(0x3fff0732ec601a57, 0x41f000000000b641)                                                            \
    next(0x3ffd41df9bd4aca6, 0x41f0000000021182)                                                             \
    next(0x3ffbac548ef4374a, 0x41f0000000035a75)                                                             \
    next(0x3ffa430dc32c741f, 0x41f0000000048fc4)                                                             \
    next(0x3ff8f9f93b1fc3f3, 0x41f000000005b855)                                                             \
    next(0x3ff7d0205121cd7f, 0x41f000000006d238)                                                             \
    next(0x3ff6c1fb62ada2a1, 0x41f000000007de10)                                                             \
    next(0x3ff5c978a72a6023, 0x41f000000008dfa9)                                                             \
    next(0x3ff4e5a05dc434b5, 0x41f000000009d621)                                                             \
    next(0x3ff4165f69567f73, 0x41f00000000abf9e)                                                             \
    next(0x3ff351bbd2e32da1, 0x41f00000000ba604)                                                             \
    next(0x3ff29e119c8c4cab, 0x41f00000000c80ae)                                                             \
    next(0x3ff1f5cf274407e4, 0x41f00000000d5512)                                                             \
    next(0x3ff15afcc7105583, 0x41f00000000e1f7b)                                                             \
    next(0x3ff0c8c593a3a8cf, 0x41f00000000ee539)                                                             \
    next(0x3ff0000000000000, 0x41f0000000100000)
/* clang-format on */

typedef struct bailey_log2_row {
    bailey_u64 c_, l_;
} bailey_log2_row;

#if defined(BAILEY_ROW_OF_16)
BAILEY_FN bailey_log2_row bailey_log2_row_of(bailey_u64 i_)
{
    bailey_log2_row r_;
    BAILEY_ROW_OF_16(BAILEY_LOG2_ROWS, i_, r_.c_, r_.l_);
    return r_;
}
#else
#define BAILEY_FIRST_C(c, l) c
#define BAILEY_NEXT_C(c, l) , c
#define BAILEY_FIRST_L(c, l) l
#define BAILEY_NEXT_L(c, l) , l
BAILEY_CONSTANT bailey_uint64 bailey_log2_c[16] = {BAILEY_LOG2_ROWS(BAILEY_FIRST_C, BAILEY_NEXT_C)};
BAILEY_CONSTANT bailey_uint64 bailey_log2_l[16] = {BAILEY_LOG2_ROWS(BAILEY_FIRST_L, BAILEY_NEXT_L)};
BAILEY_FN bailey_log2_row bailey_log2_row_of(bailey_u64 i_)
{
    bailey_log2_row r_;
    r_.c_ = bailey_one_of_16_u64(bailey_log2_c, i_);
    r_.l_ = bailey_one_of_16_u64(bailey_log2_l, i_);
    return r_;
}
#endif

/* The mantissa of y > 0, in [1/2, 1). */
BAILEY_FN bailey_f64 bailey_log2_mantissa_f64(bailey_f64 y_)
{
    return bailey_f64_bits_u64((bailey_u64_bits_f64(y_) & bailey_splat_u64(0xfffffffffffffu)) |
                               bailey_splat_u64(0x3fe0000000000000u));
}

/* Parts of a positive double 2^e m given by its bits, 1/2 <= m < 1: the factor c of the row for m, and
 * e - log2(c), exactly. The exponent is added to the last bits of 2^32 + 1 - log2(c), whose unit is 2^-20, as
 * few processors convert 64-bit integers. */
typedef struct bailey_log2_parts_f64 {
    bailey_f64 c_, e_;
} bailey_log2_parts_f64;

BAILEY_FN bailey_log2_parts_f64 bailey_log2_parts_of_f64(bailey_u64 bits)
{
    const bailey_log2_row row = bailey_log2_row_of(bits >> 48);
    const bailey_u64 exponent = (bits >> 32) & bailey_splat_u64(0x7ff00000u);
    bailey_log2_parts_f64 r_;
    r_.c_ = bailey_f64_bits_u64(row.c_);
    r_.e_ = bailey_f64_bits_u64(row.l_ + exponent) - bailey_splat_f64(0x1p32 + 1023.0);
    return r_;
}

#endif

/* ---- Exponential ---------------------------------------------------------------------------- */

/* (exp(r) - 1) / r for |r| <= ln(2) / 2. Minimax polynomial, relative error 2^-26.1. */
BAILEY_FN bailey_f32 bailey_exp_slope_f32(bailey_f32 r_)
{
    bailey_f32 y_ = bailey_splat_f32(0x1.6b70dep-10f);
    y_ = bailey_fma_f32(y_, r_, bailey_splat_f32(0x1.1228bep-7f));
    y_ = bailey_fma_f32(y_, r_, bailey_splat_f32(0x1.555718p-5f));
    y_ = bailey_fma_f32(y_, r_, bailey_splat_f32(0x1.5554aep-3f));
    y_ = bailey_fma_f32(y_, r_, bailey_splat_f32(0x1.fffffep-2f));
    return bailey_fma_f32(y_, r_, bailey_splat_f32(0x1p0f));
}

/* exp(x) for every x: at most 1.5 ulp (measured 0.910); NaN for NaN, +inf above 88.722832 (where
 * exp overflows), +0 below -87.336540 (where exp is below the smallest normal: denormal results are never
 * returned).
 *
 * x = n ln 2 + r with n the nearest integer to x / ln 2, taken from the low bits of x / ln 2 + 1.5 2^23;
 * r in two fma, the first exact; 2^n is added to the exponent field. The last line turns large x into
 * infinity and passes a NaN on, which fails the comparison. */
BAILEY_FN bailey_f32 bailey_exp_f32(bailey_f32 x_)
{
    const bailey_f32 shift = bailey_splat_f32(0x1.8p23f);
    bailey_f32 t_ = bailey_fma_f32(x_, bailey_splat_f32(0x1.715476p0f), shift);
    bailey_f32 n_ = t_ - shift;
    bailey_f32 r_ = bailey_fma_f32(n_, bailey_splat_f32(-0x1.62e43p-1f), x_);
    r_ = bailey_fma_f32(n_, bailey_splat_f32(0x1.05c61p-29f), r_);
    bailey_f32 y_ = bailey_fma_f32(r_, bailey_exp_slope_f32(r_), bailey_splat_f32(1.0f));
    y_ = bailey_f32_bits_u32(bailey_u32_bits_f32(y_) + (bailey_u32_bits_f32(t_) << 23));
    y_ = bailey_select_f32(bailey_lt_f32(x_, bailey_splat_f32(-0x1.5d589ep6f)), bailey_splat_f32(0.0f), y_);
    return bailey_select_f32(bailey_lt_f32(x_, bailey_splat_f32(0x1.62e43p6f)), y_,
                             x_ * bailey_splat_f32(0x1p127f));
}

/* exp(x), fast profile. On CUDA the relative error is at most 2^-21 + 2^-23 |x|; results below the
 * smallest normal may be zero or denormal. */
BAILEY_FN bailey_f32 bailey_exp_fast_f32(bailey_f32 x_)
{
#if defined(BAILEY_HAS_NATIVE)
    return bailey_native_exp2_f32(x_ * 0x1.715476p0f);
#else
    return bailey_exp_f32(x_);
#endif
}

#if BAILEY_HAS_F64

/* (exp(r) - 1) / r for |r| <= ln(2) / 2. Minimax polynomial, relative error 2^-55.5. */
/* clang-format off */
#define BAILEY_EXP_SLOPE_F64(first, next)                                                                    \
    first(0x1.ae904a44a65f7p-26) next(0x1.28a27f89c5dbp-22) next(0x1.71de715ff9086p-19)                      \
    next(0x1.a019a6b0ac3f9p-16) next(0x1.a01a017eed94bp-13) next(0x1.6c16c17f2a71bp-10)                      \
    next(0x1.11111111173c4p-7) next(0x1.555555555211ap-5) next(0x1.555555555554p-3)                          \
    next(0x1.0000000000005p-1) next(0x1p0)
/* clang-format on */
BAILEY_POLYNOMIAL_F64(bailey_exp_slope_f64, BAILEY_EXP_SLOPE_F64)

/* exp(x) for every x: at most 1.5 ulp (measured 0.881); NaN for NaN, +inf above 709.78271289338397
 * (where exp overflows), +0 below -708.39641853226408 (where exp is below the smallest normal: denormal
 * results are never returned). Method: as bailey_exp_f32. */
BAILEY_FN bailey_f64 bailey_exp_f64(bailey_f64 x_)
{
    const bailey_f64 shift = bailey_splat_f64(0x1.8p52);
    bailey_f64 t_ = bailey_fma_f64(x_, bailey_splat_f64(0x1.71547652b82fep0), shift);
    bailey_f64 n_ = t_ - shift;
    bailey_f64 r_ = bailey_fma_f64(n_, bailey_splat_f64(-0x1.62e42fefa39efp-1), x_);
    r_ = bailey_fma_f64(n_, bailey_splat_f64(-0x1.abc9e3b39803fp-56), r_);
    bailey_f64 y_ = bailey_fma_f64(r_, bailey_exp_slope_f64(r_), bailey_splat_f64(1.0));
    y_ = bailey_f64_bits_u64(bailey_u64_bits_f64(y_) + (bailey_u64_bits_f64(t_) << 52));
    y_ = bailey_select_f64(bailey_lt_f64(x_, bailey_splat_f64(-0x1.6232bdd7abcd2p9)), bailey_splat_f64(0.0),
                           y_);
    return bailey_select_f64(bailey_lt_f64(x_, bailey_splat_f64(0x1.62e42fefa39fp9)), y_,
                             x_ * bailey_splat_f64(0x1p1023));
}

#endif

#endif
