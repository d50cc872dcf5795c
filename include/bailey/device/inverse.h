/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Probabilities to numbers, for parameters that differ from call to call: what payoffs compute from a normal x
 * by uniform(x) and a quantile. One lane at a time. Fixed sequences of operations that IEEE 754 pins down, so
 * the same bits on every device; programs in OpenCL must round divisions correctly.
 */
#ifndef BAILEY_DEVICE_INVERSE_H
#define BAILEY_DEVICE_INVERSE_H

#include "bailey/device/elementary.h"

#if BAILEY_LANES == 1

/* The probability that a standard normal is below x, but never 0 or 1, so that a quantile is finite. */
#define BAILEY_UNIFORM(real, least, most)                                                                    \
    BAILEY_FN bailey_##real bailey_uniform_##real(bailey_##real x_)                                          \
    {                                                                                                        \
        const bailey_##real u_ = bailey_normal_cdf_##real(x_);                                               \
        return u_ < (least) ? (least) : u_ > (most) ? (most) : u_;                                           \
    }
BAILEY_UNIFORM(f32, 0x1p-126f, 1 - 0x1p-24f)

/* The x for which a standard normal is below x with probability u, 0 < u < 1; NaN for others. Rational
 * functions of M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied
 * Statistics 37 (1988): of u - 1/2, and of sqrt(-log(u)) in the tails, PPND7 in f32 and PPND16 in f64. */
#define BAILEY_HORNER(real, y, c, x) y = bailey_fma_##real(y, x, c);

BAILEY_FN bailey_f32 bailey_normal_quantile_f32(bailey_f32 u_)
{
    const bailey_f32 q_ = u_ - 0.5f;
    bailey_f32 n_, d_, r_;
    if (!(u_ > 0.0f && u_ < 1.0f)) return bailey_f32_bits_u32(0x7fc00000u);
    if (bailey_abs_f32(q_) <= 0.425f) {
        r_ = bailey_fma_f32(-q_, q_, 0.180625f);
        n_ = bailey_fma_f32(5.9109374720e+01f, r_, 1.5929113202e+02f);
        BAILEY_HORNER(f32, n_, 5.0434271938e+01f, r_)
        BAILEY_HORNER(f32, n_, 3.3871327179e+00f, r_)
        d_ = bailey_fma_f32(6.7187563600e+01f, r_, 7.8757757664e+01f);
        BAILEY_HORNER(f32, d_, 1.7895169469e+01f, r_)
        BAILEY_HORNER(f32, d_, 1.0f, r_)
        return q_ * (n_ / d_);
    }
    r_ = bailey_sqrt_f32(-bailey_log_f32(q_ < 0.0f ? u_ : 1.0f - u_));
    if (r_ <= 5.0f) {
        r_ = r_ - 1.6f;
        n_ = bailey_fma_f32(1.7023821103e-01f, r_, 1.3067284816e+00f);
        BAILEY_HORNER(f32, n_, 2.7568153900e+00f, r_)
        BAILEY_HORNER(f32, n_, 1.4234372777e+00f, r_)
        d_ = bailey_fma_f32(1.2021132975e-01f, r_, 7.3700164250e-01f);
    } else {
        r_ = r_ - 5.0f;
        n_ = bailey_fma_f32(1.7337203997e-02f, r_, 4.2868294337e-01f);
        BAILEY_HORNER(f32, n_, 3.0812263860e+00f, r_)
        BAILEY_HORNER(f32, n_, 6.6579051150e+00f, r_)
        d_ = bailey_fma_f32(1.2258202635e-02f, r_, 2.4197894225e-01f);
    }
    BAILEY_HORNER(f32, d_, 1.0f, r_)
    return q_ < 0.0f ? -(n_ / d_) : n_ / d_;
}

#if BAILEY_HAS_F64
BAILEY_UNIFORM(f64, 0x1p-1022, 1 - 0x1p-53)

BAILEY_FN bailey_f64 bailey_normal_quantile_f64(bailey_f64 u_)
{
    const bailey_f64 q_ = u_ - 0.5;
    bailey_f64 n_, d_, r_;
    if (!(u_ > 0.0 && u_ < 1.0)) return bailey_f64_bits_u64(0x7ff8000000000000u);
    if (bailey_abs_f64(q_) <= 0.425) {
        r_ = bailey_fma_f64(-q_, q_, 0.180625);
        n_ = bailey_fma_f64(2.5090809287301226727e+3, r_, 3.3430575583588128105e+4);
        BAILEY_HORNER(f64, n_, 6.7265770927008700853e+4, r_)
        BAILEY_HORNER(f64, n_, 4.5921953931549871457e+4, r_)
        BAILEY_HORNER(f64, n_, 1.3731693765509461125e+4, r_)
        BAILEY_HORNER(f64, n_, 1.9715909503065514427e+3, r_)
        BAILEY_HORNER(f64, n_, 1.3314166789178437745e+2, r_)
        BAILEY_HORNER(f64, n_, 3.3871328727963666080e+0, r_)
        d_ = bailey_fma_f64(5.2264952788528545610e+3, r_, 2.8729085735721942674e+4);
        BAILEY_HORNER(f64, d_, 3.9307895800092710610e+4, r_)
        BAILEY_HORNER(f64, d_, 2.1213794301586595867e+4, r_)
        BAILEY_HORNER(f64, d_, 5.3941960214247511077e+3, r_)
        BAILEY_HORNER(f64, d_, 6.8718700749205790830e+2, r_)
        BAILEY_HORNER(f64, d_, 4.2313330701600911252e+1, r_)
        BAILEY_HORNER(f64, d_, 1.0, r_)
        return q_ * (n_ / d_);
    }
    r_ = bailey_sqrt_f64(-bailey_log_f64(q_ < 0.0 ? u_ : 1.0 - u_));
    if (r_ <= 5.0) {
        r_ = r_ - 1.6;
        n_ = bailey_fma_f64(7.74545014278341407640e-4, r_, 2.27238449892691845833e-2);
        BAILEY_HORNER(f64, n_, 2.41780725177450611770e-1, r_)
        BAILEY_HORNER(f64, n_, 1.27045825245236838258e+0, r_)
        BAILEY_HORNER(f64, n_, 3.64784832476320460504e+0, r_)
        BAILEY_HORNER(f64, n_, 5.76949722146069140550e+0, r_)
        BAILEY_HORNER(f64, n_, 4.63033784615654529590e+0, r_)
        BAILEY_HORNER(f64, n_, 1.42343711074968357734e+0, r_)
        d_ = bailey_fma_f64(1.05075007164441684324e-9, r_, 5.47593808499534494600e-4);
        BAILEY_HORNER(f64, d_, 1.51986665636164571966e-2, r_)
        BAILEY_HORNER(f64, d_, 1.48103976427480074590e-1, r_)
        BAILEY_HORNER(f64, d_, 6.89767334985100004550e-1, r_)
        BAILEY_HORNER(f64, d_, 1.67638483018380384940e+0, r_)
        BAILEY_HORNER(f64, d_, 2.05319162663775882187e+0, r_)
    } else {
        r_ = r_ - 5.0;
        n_ = bailey_fma_f64(2.01033439929228813265e-7, r_, 2.71155556874348757815e-5);
        BAILEY_HORNER(f64, n_, 1.24266094738807843860e-3, r_)
        BAILEY_HORNER(f64, n_, 2.65321895265761230930e-2, r_)
        BAILEY_HORNER(f64, n_, 2.96560571828504891230e-1, r_)
        BAILEY_HORNER(f64, n_, 1.78482653991729133580e+0, r_)
        BAILEY_HORNER(f64, n_, 5.46378491116411436990e+0, r_)
        BAILEY_HORNER(f64, n_, 6.65790464350110377720e+0, r_)
        d_ = bailey_fma_f64(2.04426310338993978564e-15, r_, 1.42151175831644588870e-7);
        BAILEY_HORNER(f64, d_, 1.84631831751005468180e-5, r_)
        BAILEY_HORNER(f64, d_, 7.86869131145613259100e-4, r_)
        BAILEY_HORNER(f64, d_, 1.48753612908506148525e-2, r_)
        BAILEY_HORNER(f64, d_, 1.36929880922735805310e-1, r_)
        BAILEY_HORNER(f64, d_, 5.99832206555887937690e-1, r_)
    }
    BAILEY_HORNER(f64, d_, 1.0, r_)
    return q_ < 0.0 ? -(n_ / d_) : n_ / d_;
}
#endif

/* The least k for which a Poisson number of this mean is k or less with probability u or more, for 0 < u < 1
 * and means from 0 to 80 (f64: 700); NaN for others. P(N <= k) is added up from k = 0 in two parts, which do
 * not depend on u: the result grows with u. It is exact unless u is within (k + 4) 2^-23 (f64: 2^-52) of
 * P(N <= k), relative to it. No more is added where terms are below 2^-30 (2^-60). */
#define BAILEY_POISSON_ICDF(real, most, least, none)                                                         \
    BAILEY_FN bailey_##real bailey_poisson_icdf_##real(bailey_##real u_, bailey_##real mean_)                \
    {                                                                                                        \
        bailey_##real k_ = 0, p_, high_, low_ = 0;                                                           \
        if (!(u_ > 0 && u_ < 1 && mean_ >= 0 && mean_ <= (most))) return none;                               \
        p_ = bailey_exp_##real(-mean_);                                                                      \
        high_ = p_;                                                                                          \
        while ((high_ < u_ || (high_ == u_ && low_ < 0)) && (k_ < mean_ || p_ > (least))) {                  \
            k_ = k_ + 1;                                                                                     \
            p_ = p_ * mean_ / k_;                                                                            \
            const bailey_##real more_ = low_ + p_, sum_ = high_ + more_;                                     \
            low_ = more_ - (sum_ - high_);                                                                   \
            high_ = sum_;                                                                                    \
        }                                                                                                    \
        return k_;                                                                                           \
    }
BAILEY_POISSON_ICDF(f32, 80.0f, 0x1p-30f, bailey_f32_bits_u32(0x7fc00000u))
#if BAILEY_HAS_F64
BAILEY_POISSON_ICDF(f64, 700.0, 0x1p-60, bailey_f64_bits_u64(0x7ff8000000000000u))
#endif

#endif

#endif
