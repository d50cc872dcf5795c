/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Distributions other than the standard normal, as bailey_variates_generate makes them: the one table, for
 * the host and for kernels alike, and the functions that make a number of one word. With BAILEY_TABLE_ALONE
 * defined it is the table alone.
 */
#ifndef BAILEY_DISTRIBUTION_LIST

/* X(number, NAME, word, kind, text, factor). Numbers never change; they count from 0.
 *   kind     NORMAL  bailey_fma_f32(scale, z, mean) of a standard normal z (bailey/device/normal.h), and
 *                    bailey_exp_f32 of that for LOG_NORMAL; scale is factor * standard deviation
 *            MEAN    bailey_fma_f32(scale, bailey_<word>_f32(w), mean) of a word w; the same scale
 *            RATE    bailey_<word>_f32(w, scale); scale is factor / rate
 *            LOCATION as MEAN; scale is factor * the scale
 *            SHAPE   scale * bailey_<word>_f32(w, exponent, low), where exponent + low is factor / shape
 *            DISCRETE a table for all of them (bailey/device/discrete.h)
 *            TABLED  a table of polynomials (bailey/device/tabled.h)
 *   factor   a double; scale is computed in double and rounded to the precision, and so are exponent and low
 */
#define BAILEY_DISTRIBUTION_LIST(X)                                                                          \
    X(0, NORMAL, normal, NORMAL, "normal", 1.0)                                                              \
    X(1, LOG_NORMAL, log_normal, NORMAL, "log-normal", 1.0)                                                  \
    X(2, EXPONENTIAL, exponential, RATE, "exponential", -0x1.62e42fefa39efp-1)                               \
    X(3, LOGISTIC, logistic, LOCATION, "logistic", 1.0)                                                      \
    X(4, LAPLACE, laplace, LOCATION, "laplace", 1.0)                                                         \
    X(5, GUMBEL, gumbel, LOCATION, "gumbel", 1.0)                                                            \
    X(6, WEIBULL, weibull, SHAPE, "weibull", 1.0)                                                            \
    X(7, PARETO, pareto, SHAPE, "pareto", 1.0)                                                               \
    X(8, CAUCHY, cauchy, LOCATION, "cauchy", 1.0)                                                            \
    X(9, POISSON, poisson, DISCRETE, "poisson", 1.0)                                                         \
    X(10, BINOMIAL, binomial, DISCRETE, "binomial", 1.0)                                                     \
    X(11, GEOMETRIC, geometric, DISCRETE, "geometric", 1.0)                                                  \
    X(12, NEGATIVE_BINOMIAL, negative_binomial, DISCRETE, "negative-binomial", 1.0)                          \
    X(13, DISCRETE, discrete, DISCRETE, "discrete", 1.0)                                                     \
    X(14, GAMMA, gamma, TABLED, "gamma", 1.0)                                                                \
    X(15, CHI_SQUARE, chi_square, TABLED, "chi-square", 1.0)                                                 \
    X(16, BETA, beta, TABLED, "beta", 1.0)                                                                   \
    X(17, STUDENT_T, student_t, TABLED, "student-t", 1.0)                                                    \
    X(18, TRUNCATED_NORMAL, truncated_normal, TABLED, "truncated-normal", 1.0)                               \
    X(19, NONCENTRAL_CHI_SQUARE, noncentral_chi_square, TABLED, "noncentral-chi-square", 1.0)                \
    /* the next distribution */

#endif

#if !defined(BAILEY_TABLE_ALONE) && !defined(BAILEY_DEVICE_DISTRIBUTION_H)
#define BAILEY_DEVICE_DISTRIBUTION_H

#include "bailey/device/normal.h"
#include "bailey/device/quantile.h"

/* -ln(U) / rate for U = (w + 1/2) / 2^32, where `scale` is -ln(2) / rate: -0x1.62e42fefa39efp-1 / rate in
 * double, rounded to the precision. At most 5.5 ulp of the exact value (docs/developers/accuracy.md). U is
 * never 0 or 1: with rate 1 the values go from 2^-33 to 22.9, the largest for w = 0. */
BAILEY_FN bailey_f32 bailey_exponential_f32(bailey_u32 w_, bailey_f32 scale)
{
    return bailey_normal_log2_f32(w_) * bailey_splat_f32(BAILEY_LOG2_UNIT_INVERSE) * scale;
}

#if BAILEY_HAS_F64
/* The same for U = ((w >> 11) + 1/2) / 2^53: with rate 1 from 2^-54 to 37.5. At most 4 ulp. */
BAILEY_FN bailey_f64 bailey_exponential_f64(bailey_u64 w_, bailey_f64 scale)
{
    return bailey_normal_log2_f64(w_) * scale;
}
#endif

#endif
