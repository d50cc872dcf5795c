/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Elementary functions from additions, multiplications and fma alone: no libm, no division, no
 * hardware square root (except a guess of it on NVIDIA's devices), so that every device gives the same bits.
 * No result depends on whether denormals are kept or flushed (for the square root: on the domain stated).
 * Errors are in units in the last place of the exact result (docs/accuracy.md says how they were measured);
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
#define BAILEY_HIGHEST_F64(c) y = bailey_splat_f64(c);
#define BAILEY_NEXT_F64(c) y = bailey_fma_f64(y, x, bailey_splat_f64(c));
#define BAILEY_POLYNOMIAL_F64(name, coefficients)                                                            \
    BAILEY_FN bailey_f64 name(bailey_f64 x)                                                                  \
    {                                                                                                        \
        bailey_f64 y;                                                                                        \
        coefficients(BAILEY_HIGHEST_F64, BAILEY_NEXT_F64);                                                   \
        return y;                                                                                            \
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
 * before 4^k, or that one rounds wrong: hence 0.369 in place of 3/8. Verified on every x of the domain. */
#if defined(BAILEY_HAS_RSQRT)
/* NVIDIA's devices guess 1 / sqrt(x) to 2^-22.9 (PTX ISA, rsqrt.approx), and Markstein's step follows. Two
 * mantissas have guesses within that bound that would lead to the wrong root: the library checks them on
 * each device that it opens (src/kernels/fill.h), and tests/user_kernel.cu at every x of the domain. */
BAILEY_FN float bailey_sqrt_guessed_f32(float x, float r)
{
    const float g = x * r;
    return bailey_fma_f32(bailey_fma_f32(-g, g, x), 0.5f * r, g);
}
BAILEY_FN float bailey_sqrt_positive_f32(float x)
{
    return bailey_sqrt_guessed_f32(x, bailey_native_rsqrt_f32(x));
}
BAILEY_FN float bailey_sqrt_f32(float x)
{
    const float r = bailey_native_rsqrt_f32(x); /* infinite for 0 */
    return bailey_sqrt_guessed_f32(x, r < 0x1p52f ? r : 0x1p52f);
}
#else
BAILEY_FN bailey_f32 bailey_sqrt_f32(bailey_f32 x)
{
    bailey_f32 r = bailey_f32_bits_u32(bailey_splat_u32(0x5f0b385du) - (bailey_u32_bits_f32(x) >> 1));
    r = r * bailey_fma_f32(-(x * r), r, bailey_splat_f32(0x1.e417eap0f));
    bailey_f32 g = x * r, h = bailey_splat_f32(0.5f) * r;
    bailey_f32 e = bailey_fma_f32(-g, r, bailey_splat_f32(1.0f));
    e = e * bailey_fma_f32(e, bailey_splat_f32(0x1.7ap-2f), bailey_splat_f32(0.5f));
    g = bailey_fma_f32(g, e, g);
    h = bailey_fma_f32(h, e, h);
    return bailey_fma_f32(bailey_fma_f32(-g, g, x), h, g);
}

/* For x that cannot be 0. */
BAILEY_FN bailey_f32 bailey_sqrt_positive_f32(bailey_f32 x) { return bailey_sqrt_f32(x); }
#endif

#if BAILEY_HAS_F64

/* sqrt(x), correctly rounded (no exception in 3 10^8 samples), for x = 0 and finite
 * x >= 2^-960; otherwise as bailey_sqrt_f32. The third-order step refines r; an ordinary coupled step
 * precedes Markstein's. */
BAILEY_FN bailey_f64 bailey_sqrt_f64(bailey_f64 x)
{
    const bailey_f64 one_half = bailey_splat_f64(0.5);
    bailey_f64 r = bailey_f64_bits_u64(bailey_splat_u64(0x5fe1670ba0000000u) - (bailey_u64_bits_f64(x) >> 1));
    r = r * bailey_fma_f64(-(x * r), r, bailey_splat_f64(0x1.e417eap0));
    bailey_f64 e = bailey_fma_f64(-(x * r), r, bailey_splat_f64(1.0));
    e = e * bailey_fma_f64(e, bailey_splat_f64(0.375), one_half);
    r = bailey_fma_f64(r, e, r);
    bailey_f64 g = x * r, h = one_half * r;
    e = bailey_fma_f64(-g, h, one_half);
    g = bailey_fma_f64(g, e, g);
    h = bailey_fma_f64(h, e, h);
    return bailey_fma_f64(bailey_fma_f64(-g, g, x), h, g);
}

#endif

/* ---- Base-2 logarithm ----------------------------------------------------------------------- */

/* unit log2(1 + f) / f for |f| <= 1/3, where unit is a constant, a power of two. Minimax polynomial, relative
 * error 2^-24.8. */
BAILEY_FN bailey_f32 bailey_log2_ratio_f32(bailey_f32 f, float unit)
{
    bailey_f32 y = bailey_splat_f32(0x1.95a2aep-3f * unit);
    y = bailey_fma_f32(y, f, bailey_splat_f32(-0x1.c6faf8p-3f * unit));
    y = bailey_fma_f32(y, f, bailey_splat_f32(0x1.9fb0f6p-3f * unit));
    y = bailey_fma_f32(y, f, bailey_splat_f32(-0x1.e4f75ep-3f * unit));
    y = bailey_fma_f32(y, f, bailey_splat_f32(0x1.278a7p-2f * unit));
    y = bailey_fma_f32(y, f, bailey_splat_f32(-0x1.717298p-2f * unit));
    y = bailey_fma_f32(y, f, bailey_splat_f32(0x1.ec70c6p-2f * unit));
    y = bailey_fma_f32(y, f, bailey_splat_f32(-0x1.715456p-1f * unit));
    return bailey_fma_f32(y, f, bailey_splat_f32(0x1.715476p0f * unit));
}

#if BAILEY_HAS_F64

/* log2(1 + f) / f for |f| <= 1/3. Minimax polynomial, relative error 2^-56.0. */
/* clang-format off */
#define BAILEY_LOG2_RATIO_F64(first, next)                                                                   \
    first(-0x1.dd2f80c381513p-4) next(0x1.e7cc2a7b7f655p-4) next(-0x1.d77f90852a8ap-5)                       \
    next(0x1.fe5864b9f2324p-5) next(-0x1.516686d7b339fp-4) next(0x1.63823a829b473p-4)                        \
    next(-0x1.707e4fe365cd6p-4) next(0x1.894ce0937d47dp-4) next(-0x1.a623b13c5ecf6p-4)                       \
    next(0x1.c6976185af97p-4) next(-0x1.ec702d69d681p-4) next(0x1.0c9a6ac0c438dp-3)                          \
    next(-0x1.2776c63b949a7p-3) next(0x1.484b13fa4099fp-3) next(-0x1.7154764f93966p-3)                       \
    next(0x1.a61762a9ef7f8p-3) next(-0x1.ec709dc3a22d9p-3) next(0x1.2776c50ef32a1p-2)                        \
    next(-0x1.71547652b832dp-2) next(0x1.ec709dc3a04c1p-2) next(-0x1.71547652b82fep-1)                       \
    next(0x1.71547652b82fep0)
/* clang-format on */
BAILEY_HELD_POLYNOMIAL_F64(bailey_log2_ratio_f64, BAILEY_LOG2_RATIO_F64)

/* y = 2^e (1 + f), 2/3 <= 1 + f < 4/3: f, exactly, and e. The exponent becomes a double
 * through the bits of 2^52 + e, as few processors convert 64-bit integers. */
typedef struct bailey_log2_parts_f64 {
    bailey_f64 f, e;
} bailey_log2_parts_f64;

BAILEY_FN bailey_log2_parts_f64 bailey_log2_split_f64(bailey_f64 y)
{
    const bailey_u64 two_thirds = bailey_splat_u64(0x3fe5555555555555u);
    bailey_u64 i = bailey_u64_bits_f64(y) + bailey_splat_u64(0x3ff0000000000000u) - two_thirds;
    bailey_log2_parts_f64 r;
    r.f = bailey_f64_bits_u64((i & bailey_splat_u64(0xfffffffffffffu)) + two_thirds) - bailey_splat_f64(1.0);
    r.e = bailey_f64_bits_u64((i >> 52) | bailey_splat_u64(0x4330000000000000u)) -
          bailey_splat_f64(0x1p52 + 1023.0);
    return r;
}

#endif

/* ---- Exponential ---------------------------------------------------------------------------- */

/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2. Minimax polynomial, relative error 2^-27.8. */
BAILEY_FN bailey_f32 bailey_exp_rest_f32(bailey_f32 r)
{
    bailey_f32 y = bailey_splat_f32(0x1.a26762p-13f);
    y = bailey_fma_f32(y, r, bailey_splat_f32(0x1.6d2ep-10f));
    y = bailey_fma_f32(y, r, bailey_splat_f32(0x1.110ff2p-7f));
    y = bailey_fma_f32(y, r, bailey_splat_f32(0x1.555502p-5f));
    y = bailey_fma_f32(y, r, bailey_splat_f32(0x1.555556p-3f));
    return bailey_fma_f32(y, r, bailey_splat_f32(0x1p-1f));
}

/* exp(x) for every x: at most 1.5 ulp (measured 0.976); NaN for NaN, +inf above 88.722832 (where
 * exp overflows), +0 below -87.336540 (where exp is below the smallest normal: denormal results are never
 * returned).
 *
 * x = n ln 2 + r with n the nearest integer to x / ln 2, taken from the low bits of x / ln 2 + 1.5 2^23;
 * r in two fma, the first exact; 2^n is added to the exponent field. The last line turns large x into
 * infinity and passes a NaN on, which fails the comparison. */
BAILEY_FN bailey_f32 bailey_exp_f32(bailey_f32 x)
{
    const bailey_f32 shift = bailey_splat_f32(0x1.8p23f);
    bailey_f32 t = bailey_fma_f32(x, bailey_splat_f32(0x1.715476p0f), shift);
    bailey_f32 n = t - shift;
    bailey_f32 r = bailey_fma_f32(n, bailey_splat_f32(-0x1.62e43p-1f), x);
    r = bailey_fma_f32(n, bailey_splat_f32(0x1.05c61p-29f), r);
    bailey_f32 y = bailey_fma_f32(r * r, bailey_exp_rest_f32(r), r) + bailey_splat_f32(1.0f);
    y = bailey_f32_bits_u32(bailey_u32_bits_f32(y) + (bailey_u32_bits_f32(t) << 23));
    y = bailey_select_f32(bailey_lt_f32(x, bailey_splat_f32(-0x1.5d589ep6f)), bailey_splat_f32(0.0f), y);
    return bailey_select_f32(bailey_lt_f32(x, bailey_splat_f32(0x1.62e43p6f)), y,
                             x * bailey_splat_f32(0x1p127f));
}

/* exp(x), fast profile. On CUDA the relative error is at most 2^-21 + 2^-23 |x|; results below the
 * smallest normal may be zero or denormal. */
BAILEY_FN bailey_f32 bailey_exp_fast_f32(bailey_f32 x)
{
#if defined(BAILEY_HAS_NATIVE)
    return bailey_native_exp2_f32(x * 0x1.715476p0f);
#else
    return bailey_exp_f32(x);
#endif
}

#if BAILEY_HAS_F64

/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2. Minimax polynomial, relative error 2^-58.2. */
/* clang-format off */
#define BAILEY_EXP_REST_F64(first, next)                                                                     \
    first(0x1.1f32ea9c0c561p-29) next(0x1.af4eb2a1ca391p-26) next(0x1.27e500e0ac9c7p-22)                     \
    next(0x1.71de01b889bedp-19) next(0x1.a01a0197bcfd6p-16) next(0x1.a01a01ac1a723p-13)                      \
    next(0x1.6c16c16c18931p-10) next(0x1.1111111110056p-7) next(0x1.5555555555552p-5)                        \
    next(0x1.5555555555557p-3) next(0x1p-1)
/* clang-format on */
BAILEY_POLYNOMIAL_F64(bailey_exp_rest_f64, BAILEY_EXP_REST_F64)

/* exp(x) for every x: at most 1.5 ulp (measured 0.969); NaN for NaN, +inf above 709.78271289338397
 * (where exp overflows), +0 below -708.39641853226408 (where exp is below the smallest normal: denormal
 * results are never returned). Method: as bailey_exp_f32. */
BAILEY_FN bailey_f64 bailey_exp_f64(bailey_f64 x)
{
    const bailey_f64 shift = bailey_splat_f64(0x1.8p52);
    bailey_f64 t = bailey_fma_f64(x, bailey_splat_f64(0x1.71547652b82fep0), shift);
    bailey_f64 n = t - shift;
    bailey_f64 r = bailey_fma_f64(n, bailey_splat_f64(-0x1.62e42fefa39efp-1), x);
    r = bailey_fma_f64(n, bailey_splat_f64(-0x1.abc9e3b39803fp-56), r);
    bailey_f64 y = bailey_fma_f64(r * r, bailey_exp_rest_f64(r), r) + bailey_splat_f64(1.0);
    y = bailey_f64_bits_u64(bailey_u64_bits_f64(y) + (bailey_u64_bits_f64(t) << 52));
    y = bailey_select_f64(bailey_lt_f64(x, bailey_splat_f64(-0x1.6232bdd7abcd2p9)), bailey_splat_f64(0.0), y);
    return bailey_select_f64(bailey_lt_f64(x, bailey_splat_f64(0x1.62e42fefa39fp9)), y,
                             x * bailey_splat_f64(0x1p1023));
}

#endif

#endif
