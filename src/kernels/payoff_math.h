/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions that payoff code may call, bly_payoff_exp and so on, for one lane. Whoever includes this
 * defines `real` as float or double, BLY_REAL as f32 or f64, and may define BLY_PAYOFF_FAST as 1: exp of f32
 * then uses the device's own approximation.
 */
#ifndef BLY_PAYOFF_MATH_H
#define BLY_PAYOFF_MATH_H

#include "bailey/device/elementary.h"
#include "bailey/device/gamma.h"
#include "bailey/device/inverse.h"
#include "kernels/payoff_functions.h"

#define BLY_PAYOFF_PASTE_(a, b) a##b
#define BLY_PAYOFF_PASTE(a, b) BLY_PAYOFF_PASTE_(a, b)

#define BLY_PAYOFF_DEFINE(name, arguments, made, root, summary)                                              \
    BAILEY_FN real bly_payoff_##name BLY_PAYOFF_TAKES_##arguments                                            \
    {                                                                                                        \
        return BLY_PAYOFF_PASTE(made, BLY_REAL) BLY_PAYOFF_GIVES_##arguments;                                \
    }

#if defined(BAILEY_IS_CUDA)
/* Square roots, rounded correctly, by the steps of CUDA's own, which call a subroutine where x is 0 or tiny: so roots of
 * several assets are computed one after the other there. Here none waits for another. */
BAILEY_FN float bly_payoff_root_f32(float x)
{
    const bool tiny = x < 0x1p-100f;
    const float root = bailey_sqrt_positive_f32(tiny ? x * 0x1p100f : x);
    const float other = x < 0 ? __int_as_float((int)0xffc00000u) : x;
    return x > 0 && x <= 0x1.fffffep127f ? (tiny ? root * 0x1p-50f : root) : other;
}
BAILEY_FN double bly_payoff_root_f64(double x)
{
    const bool tiny = x < 0x1p-900;
    const double s = tiny ? x * 0x1p200 : x;
    double y;
    BAILEY_ASM("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(s));
    const double e = __fma_rn(s, -(y * y), 1.0), z = __fma_rn(__fma_rn(e, 0.375, 0.5), e * y, y);
    const double g = s * z, root = __fma_rn(__fma_rn(-g, g, s), 0.5 * z, g);
    const double other = x < 0 ? __longlong_as_double((long long)0xfff8000000000000ull) : x;
    return x > 0 && x <= 0x1.fffffffffffffp1023 ? (tiny ? root * 0x1p-100 : root) : other;
}
#undef BLY_PAYOFF_SQRT_f32
#undef BLY_PAYOFF_SQRT_f64
#define BLY_PAYOFF_SQRT_f32 bly_payoff_root_f32
#define BLY_PAYOFF_SQRT_f64 bly_payoff_root_f64
#endif

BLY_PAYOFF_FUNCTIONS(BLY_PAYOFF_DEFINE)
#undef BLY_PAYOFF_DEFINE

#endif
