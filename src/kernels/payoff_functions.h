/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of the payoff language. This list is the one place that knows them: the parser offers its
 * rows, programs define them (kernels/payoff_math.h), and so does the interpreter on the host.
 *
 *     X(name, arguments, made, root, summary)
 *
 * name: as payoff code calls it.
 * arguments: how many, 1 to 3; all are real, as is the result.
 * made: the function that computes it, without f32 or f64 at its end: of bailey/device/elementary.h or
 * inverse.h or gamma.h, or below. root: 1 if it takes a root or divides: in f32 it takes a device then that rounds both
 * correctly. summary: what it is, of its arguments x, y and z. Python has its functions of these rows, too
 * (python/make_functions.py).
 */
#ifndef BLY_PAYOFF_FUNCTIONS_H
#define BLY_PAYOFF_FUNCTIONS_H

#define BLY_PAYOFF_FUNCTIONS(X)                                                                              \
    X(exp, 1, BLY_PAYOFF_EXP_, 0, "e to the power of x")                                                     \
    X(log, 1, bailey_log_, 0, "the natural logarithm of x")                                                  \
    X(sqrt, 1, BLY_PAYOFF_SQRT_, 1, "the square root of x, rounded correctly")                               \
    X(pow, 2, bailey_pow_, 0, "x to the power of y")                                                         \
    X(fabs, 1, bailey_abs_, 0, "the absolute value of x")                                                    \
    X(fmin, 2, bailey_min_, 0, "the smaller one")                                                            \
    X(fmax, 2, bailey_max_, 0, "the larger one")                                                             \
    X(floor, 1, bailey_floor_, 0, "the largest integer that is not above x")                                 \
    X(ceil, 1, bailey_ceil_, 0, "the smallest integer that is not below x")                                  \
    X(fma, 3, bailey_fma_, 0, "x * y + z, rounded once")                                                     \
    X(normal_cdf, 1, bailey_normal_cdf_, 0, "the probability that a standard normal is below x")             \
    X(uniform, 1, bailey_uniform_, 0,                                                                        \
      "the probability that a standard normal is below x, but never 0 or 1: a normal as a uniform number")   \
    X(normal_icdf, 1, bailey_normal_quantile_, 1,                                                            \
      "the number that a standard normal is below with probability x")                                       \
    X(poisson_icdf, 2, bailey_poisson_icdf_, 1,                                                              \
      "the least number that a Poisson number of mean y, up to 80 or 700, is not above with probability x")   \
    X(gamma_icdf, 2, bailey_gamma_icdf_, 1,                                                                  \
      "the number that a gamma number of shape y, from 0.001 to 1e9, is below with probability x")           \
    X(gamma_icdf_by_shape, 2, bailey_gamma_icdf_by_shape_, 1, "the derivative of gamma_icdf by y")           \
    X(gamma_density, 2, bailey_gamma_density_, 1, "the density at x of a gamma number of shape y")

/* The parameters of so many arguments, and the arguments of a call with them. */
#define BLY_PAYOFF_TAKES_1 (real x)
#define BLY_PAYOFF_TAKES_2 (real x, real y)
#define BLY_PAYOFF_TAKES_3 (real x, real y, real z)
#define BLY_PAYOFF_GIVES_1 (x)
#define BLY_PAYOFF_GIVES_2 (x, y)
#define BLY_PAYOFF_GIVES_3 (x, y, z)

/* exp: of f32, the device's own approximation where a program defines BLY_PAYOFF_FAST as 1. */
#if !defined(BLY_PAYOFF_FAST)
#define BLY_PAYOFF_FAST 0
#endif
#if BLY_PAYOFF_FAST
#define BLY_PAYOFF_EXP_f32 bailey_exp_fast_f32
#else
#define BLY_PAYOFF_EXP_f32 bailey_exp_f32
#endif
#define BLY_PAYOFF_EXP_f64 bailey_exp_f64

/* The square root, rounded correctly: in OpenCL, f32, by a program that is built with
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

#endif
