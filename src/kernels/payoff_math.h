/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions that the text of a payoff may call, for one lane. Whoever includes this defines `real` as
 * float or double, BLY_REAL as f32 or f64, and may define BLY_PAYOFF_FAST as 1: exp of f32 then uses the
 * device's own approximation.
 */
#ifndef BLY_PAYOFF_MATH_H
#define BLY_PAYOFF_MATH_H

#include "bailey/device/elementary.h"

#define BLY_PAYOFF_PASTE_(a, b) a##b
#define BLY_PAYOFF_PASTE(a, b) BLY_PAYOFF_PASTE_(a, b)
#define BLY_PAYOFF_OF(name) BLY_PAYOFF_PASTE(bailey_##name##_, BLY_REAL)

#if !defined(BLY_PAYOFF_FAST)
#define BLY_PAYOFF_FAST 0
#endif
#define BLY_PAYOFF_FASTER_f32 bailey_exp_fast_f32
#define BLY_PAYOFF_FASTER_f64 bailey_exp_f64

/* The square root of the language, rounded correctly: in OpenCL, f32, by a program that is built with
 * -cl-fp32-correctly-rounded-divide-sqrt. */
#if defined(BAILEY_IS_CUDA)
#define BLY_PAYOFF_SQRT_f32 __fsqrt_rn
#define BLY_PAYOFF_SQRT_f64 __dsqrt_rn
#elif defined(BAILEY_IS_OPENCL)
#define BLY_PAYOFF_SQRT_f32 sqrt
#define BLY_PAYOFF_SQRT_f64 sqrt
#else
#define BLY_PAYOFF_SQRT_f32 sqrtf
#define BLY_PAYOFF_SQRT_f64 sqrt
#endif

#if BLY_PAYOFF_FAST
BAILEY_FN real bly_payoff_exp(real x) { return BLY_PAYOFF_PASTE(BLY_PAYOFF_FASTER_, BLY_REAL)(x); }
#else
BAILEY_FN real bly_payoff_exp(real x) { return BLY_PAYOFF_OF(exp)(x); }
#endif
BAILEY_FN real bly_payoff_log(real x) { return BLY_PAYOFF_OF(log)(x); }
BAILEY_FN real bly_payoff_sqrt(real x) { return BLY_PAYOFF_PASTE(BLY_PAYOFF_SQRT_, BLY_REAL)(x); }
BAILEY_FN real bly_payoff_pow(real x, real y) { return BLY_PAYOFF_OF(pow)(x, y); }
BAILEY_FN real bly_payoff_fabs(real x) { return BLY_PAYOFF_OF(abs)(x); }
BAILEY_FN real bly_payoff_fmin(real a, real b) { return BLY_PAYOFF_OF(min)(a, b); }
BAILEY_FN real bly_payoff_fmax(real a, real b) { return BLY_PAYOFF_OF(max)(a, b); }
BAILEY_FN real bly_payoff_floor(real x) { return BLY_PAYOFF_OF(floor)(x); }
BAILEY_FN real bly_payoff_ceil(real x) { return BLY_PAYOFF_OF(ceil)(x); }
BAILEY_FN real bly_payoff_fma(real a, real b, real c) { return BLY_PAYOFF_OF(fma)(a, b, c); }
BAILEY_FN real bly_payoff_normal_cdf(real x) { return BLY_PAYOFF_OF(normal_cdf)(x); }

#endif
