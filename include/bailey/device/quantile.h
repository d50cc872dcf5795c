/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Quantiles that have closed forms: of the logistic, Laplace, Gumbel, Cauchy, Weibull and Pareto
 * distributions, at the probability U that a word stands for,
 *
 *     U = (w + 1/2) / 2^32 of a word of 32 bits (f32)
 *     U = (floor(w / 2^11) + 1/2) / 2^53 of one of 64 bits (f64)
 *
 * Logarithms and exponentials are computed in two parts and rounded once, at the end, so that results are
 * correctly rounded but for one in thousands, and grow with the word: what their inner parts may be wrong by
 * is far less than what a word adds. docs/developers/accuracy.md has the bounds. Neither divisions nor
 * branches are used.
 */
#ifndef BAILEY_DEVICE_QUANTILE_H
#define BAILEY_DEVICE_QUANTILE_H

#include "bailey/device/elementary.h"
#include "bailey/device/normal.h"

/* ---- Tail probabilities in two parts ----------------------------------------------------------- */

/* (k + 1/2) / 2^32 for k < 2^31, as high + low exactly; high has so few bits (16) that its product with a
 * factor of the logarithm's rows is exact. */
BAILEY_FN bailey_sum_f32 bailey_tail_f32(bailey_u32 k_)
{
    const bailey_u32 below = bailey_splat_u32(0x7fffu);
    bailey_sum_f32 t_;
    t_.high = bailey_f32_from_i32(bailey_i32_bits_u32(k_ & ~below)) * bailey_splat_f32(0x1p-32f);
    t_.low = bailey_fma_f32(bailey_f32_from_i32(bailey_i32_bits_u32(k_ & below)), bailey_splat_f32(0x1p-32f),
                            bailey_splat_f32(0x1p-33f));
    return t_;
}
#if BAILEY_HAS_F64
/* (k + 1/2) / 2^53 for k < 2^52; high has 40 bits. */
BAILEY_FN bailey_sum_f64 bailey_tail_f64(bailey_u64 k_)
{
    bailey_sum_f64 t_;
    t_.high = bailey_f64_bits_u64((k_ & ~bailey_splat_u64(0xfffu)) | bailey_splat_u64(0x3fe0000000000000u)) -
              bailey_splat_f64(0.5);
    t_.low = bailey_normal_unit_f64(k_) - t_.high;
    return t_;
}
#endif

/* The tail probability of a word as an integer, and a mask of the upper half, where it is that of 1 - U. */
BAILEY_FN bailey_m32 bailey_upper_f32(bailey_u32 w_)
{
    return bailey_lt_i32(bailey_i32_bits_u32(w_), bailey_splat_i32(0));
}
#if BAILEY_HAS_F64
BAILEY_FN bailey_m64 bailey_upper_f64(bailey_u64 w_)
{
    return bailey_lt_i64(bailey_i64_bits_u64(w_), bailey_i64_bits_u64(bailey_splat_u64(0)));
}
#endif

/* ---- Logarithms in two parts -------------------------------------------------------------------- */

/* Row, exponent and factor for x: c / 2^e is near 1 / x. */
typedef struct bailey_log_place_f32 {
    bailey_u32 at;
    bailey_f32 e_, factor;
} bailey_log_place_f32;

BAILEY_FN bailey_log_place_f32 bailey_log_place_of_f32(bailey_f32 x_)
{
    const bailey_u32 i_ = bailey_u32_bits_f32(x_) - bailey_splat_u32(0x3f3e0000u);
    const bailey_u32 inverse =
        bailey_splat_u32(0x3f800000u) - (i_ & bailey_splat_u32(0xff800000u)); /* 2^-e */
    bailey_log_place_f32 p_;
    p_.at = (i_ >> 18) & bailey_splat_u32(31);
    p_.e_ = bailey_f32_from_i32(bailey_i32_bits_u32(i_) >> 23);
    p_.factor = bailey_row_of_32_f32(bailey_log_c_f32, p_.at) * bailey_f32_bits_u32(inverse);
    return p_;
}

BAILEY_FN bailey_sum_f32 bailey_log_place_sum_f32(bailey_log_place_f32 p_, bailey_f32 r_)
{
    BAILEY_LOG_SUM(f32, p_.e_, r_, p_.at, 0x1.62e4p-1f, 0x1.7f7d1cp-20f);
}

#if BAILEY_HAS_F64
typedef struct bailey_log_place_f64 {
    bailey_u64 at;
    bailey_f64 e_, factor;
} bailey_log_place_f64;

BAILEY_FN bailey_log_place_f64 bailey_log_place_of_f64(bailey_f64 x_)
{
    const bailey_u64 i_ = bailey_u64_bits_f64(x_) - bailey_splat_u64(0x3fe7c00000000000u);
    const bailey_u64 biased = (i_ + bailey_splat_u64(0x3ff0000000000000u)) >> 52;
    const bailey_u64 inverse =
        bailey_splat_u64(0x3ff0000000000000u) - (i_ & bailey_splat_u64(0xfff0000000000000u));
    bailey_log_place_f64 p_;
    p_.at = (i_ >> 47) & bailey_splat_u64(31);
    p_.e_ = bailey_f64_bits_u64(biased | bailey_splat_u64(0x4330000000000000u)) -
            bailey_splat_f64(0x1p52 + 1023.0);
    p_.factor = bailey_row_of_32_f64(bailey_log_c_f64, p_.at) * bailey_f64_bits_u64(inverse);
    return p_;
}

BAILEY_FN bailey_sum_f64 bailey_log_place_sum_f64(bailey_log_place_f64 p_, bailey_f64 r_)
{
    BAILEY_LOG_SUM(f64, p_.e_, r_, p_.at, 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45);
}
#endif

/* bailey_log_parts: ln(high + low) of two parts whose sum rounds to high. bailey_log_tail: ln(t), and where
 * `upper` is set ln(1 - t), for a tail probability t up to 1/2 as bailey_tail makes it. Both err by at most
 * 2^-36 of the result in f32 and 2^-64 in f64, or where the result may be 0, in bailey_log_parts, by 2^-40
 * and 2^-68.
 *
 * As bailey_log_sum, with r = c x / 2^e - 1 in two parts. With 1 - t, whose bits a number does not hold, r is
 * (c / 2^e - 1) - (c / 2^e) t: the first product is exact, so that nothing is lost where t is small, e = 0
 * and c = 1. */
#define BAILEY_QUANTILE_LOG(real, mask)                                                                      \
    BAILEY_FN bailey_sum_##real bailey_log_reduced_##real(bailey_log_place_##real p_, bailey_##real r0_,     \
                                                          bailey_##real r1_)                                 \
    {                                                                                                        \
        const bailey_##real r_ = r0_ + r1_, added = r_ - r0_;                                                \
        const bailey_##real rest = (r0_ - (r_ - added)) + (r1_ - added);                                     \
        const bailey_sum_##real l_ = bailey_log_place_sum_##real(p_, r_);                                    \
        const bailey_##real low = l_.low + bailey_fma_##real(-r_, rest, rest);                               \
        bailey_sum_##real s_;                                                                                \
        s_.high = l_.high + low;                                                                             \
        s_.low = (l_.high - s_.high) + low;                                                                  \
        return s_;                                                                                           \
    }                                                                                                        \
    BAILEY_FN bailey_sum_##real bailey_log_parts_##real(bailey_sum_##real x_)                                \
    {                                                                                                        \
        const bailey_log_place_##real p_ = bailey_log_place_of_##real(x_.high);                              \
        return bailey_log_reduced_##real(p_, bailey_fma_##real(p_.factor, x_.high, bailey_splat_##real(-1)), \
                                         p_.factor * x_.low);                                                \
    }                                                                                                        \
    BAILEY_FN bailey_sum_##real bailey_log_tail_##real(bailey_sum_##real t_, bailey_##mask upper)            \
    {                                                                                                        \
        const bailey_##real one = bailey_splat_##real(1);                                                    \
        const bailey_##real x_ = t_.high + t_.low, low = (t_.high - x_) + t_.low;                            \
        const bailey_log_place_##real p_ =                                                                   \
            bailey_log_place_of_##real(bailey_select_##real(upper, one - x_, x_));                           \
        const bailey_##real high = bailey_select_##real(upper, -t_.high, x_);                                \
        const bailey_##real base = bailey_select_##real(upper, p_.factor - one, -one);                       \
        return bailey_log_reduced_##real(p_, bailey_fma_##real(p_.factor, high, base),                       \
                                         p_.factor * bailey_select_##real(upper, -t_.low, low));             \
    }
BAILEY_QUANTILE_LOG(f32, m32)
#if BAILEY_HAS_F64
BAILEY_QUANTILE_LOG(f64, m64)
#endif

/* ---- Exponentials of two parts ------------------------------------------------------------------- */

/* 2^(i / 32) in two parts: X(high in f32, low in f32, high in f64, low in f64). This
 * and the constants of the exponential come from tools/fit_quantile.py. */
/* clang-format off */
#define BAILEY_EXP2_ROWS(X)                                                                                  \
    X(0x1p0f, 0x0p0f, 0x1p0, 0x0p0)                                                                          \
    X(0x1.059b0ep0f, -0x1.9d4f52p-25f, 0x1.059b0d3158574p0, 0x1.d73e2a475b465p-55)                           \
    X(0x1.0b5586p0f, 0x1.9f3122p-25f, 0x1.0b5586cf9890fp0, 0x1.8a62e4adc610bp-54)                            \
    X(0x1.11301ep0f, -0x1.fdb496p-25f, 0x1.11301d0125b51p0, -0x1.6c51039449b3ap-54)                          \
    X(0x1.172b84p0f, -0x1.c15742p-27f, 0x1.172b83c7d517bp0, -0x1.19041b9d78a76p-55)                          \
    X(0x1.1d4874p0f, -0x1.d2e8cap-25f, 0x1.1d4873168b9aap0, 0x1.e016e00a2643cp-54)                           \
    X(0x1.2387a6p0f, 0x1.ceac48p-25f, 0x1.2387a6e756238p0, 0x1.9b07eb6c70573p-54)                            \
    X(0x1.29e9ep0f, -0x1.5c0424p-25f, 0x1.29e9df51fdee1p0, 0x1.612e8afad1255p-55)                            \
    X(0x1.306fep0f, 0x1.4636e2p-25f, 0x1.306fe0a31b715p0, 0x1.6f46ad23182e4p-55)                             \
    X(0x1.371a74p0f, -0x1.18aac6p-25f, 0x1.371a7373aa9cbp0, -0x1.63aeabf42eae2p-54)                          \
    X(0x1.3dea64p0f, 0x1.824684p-25f, 0x1.3dea64c123422p0, 0x1.ada0911f09ebcp-55)                            \
    X(0x1.44e086p0f, 0x1.8624b4p-30f, 0x1.44e086061892dp0, 0x1.89b7a04ef80dp-59)                             \
    X(0x1.4bfdaep0f, -0x1.593abcp-25f, 0x1.4bfdad5362a27p0, 0x1.d4397afec42e2p-56)                           \
    X(0x1.5342b6p0f, -0x1.2c561p-25f, 0x1.5342b569d4f82p0, -0x1.07abe1db13cadp-55)                           \
    X(0x1.5ab07ep0f, -0x1.5bd5ecp-27f, 0x1.5ab07dd485429p0, 0x1.6324c054647adp-54)                           \
    X(0x1.6247ecp0f, -0x1.f8b55p-25f, 0x1.6247eb03a5585p0, -0x1.383c17e40b497p-54)                           \
    X(0x1.6a09e6p0f, 0x1.9fcef4p-26f, 0x1.6a09e667f3bcdp0, -0x1.bdd3413b26456p-54)                           \
    X(0x1.71f75ep0f, 0x1.1d8beep-25f, 0x1.71f75e8ec5f74p0, -0x1.16e4786887a99p-55)                           \
    X(0x1.7a1148p0f, -0x1.829fdp-25f, 0x1.7a11473eb0187p0, -0x1.41577ee04992fp-55)                           \
    X(0x1.82589ap0f, -0x1.accc7cp-26f, 0x1.82589994cce13p0, -0x1.d4c1dd41532d8p-54)                          \
    X(0x1.8ace54p0f, 0x1.15506ep-27f, 0x1.8ace5422aa0dbp0, 0x1.6e9f156864b27p-54)                            \
    X(0x1.93737cp0f, -0x1.e64744p-25f, 0x1.93737b0cdc5e5p0, -0x1.75fc781b57ebcp-57)                          \
    X(0x1.9c4918p0f, 0x1.51f848p-27f, 0x1.9c49182a3f09p0, 0x1.c7c46b071f2bep-56)                             \
    X(0x1.a5503cp0f, -0x1.b83b54p-25f, 0x1.a5503b23e255dp0, -0x1.d2f6edb8d41e1p-54)                          \
    X(0x1.ae89fap0f, -0x1.a94b14p-26f, 0x1.ae89f995ad3adp0, 0x1.7a1cd345dcc81p-54)                           \
    X(0x1.b7f77p0f, -0x1.a09438p-25f, 0x1.b7f76f2fb5e47p0, -0x1.5584f7e54ac3bp-56)                           \
    X(0x1.c199bep0f, -0x1.3d56b2p-27f, 0x1.c199bdd85529cp0, 0x1.11065895048ddp-55)                           \
    X(0x1.cb720ep0f, -0x1.8837ccp-27f, 0x1.cb720dcef9069p0, 0x1.503cbd1e949dbp-56)                           \
    X(0x1.d5818ep0f, -0x1.822dbcp-27f, 0x1.d5818dcfba487p0, 0x1.2ed02d75b3707p-55)                           \
    X(0x1.dfc974p0f, -0x1.908c94p-25f, 0x1.dfc97337b9b5fp0, -0x1.1a5cd4f184b5cp-54)                          \
    X(0x1.ea4afap0f, 0x1.52486cp-27f, 0x1.ea4afa2a490dap0, -0x1.e9c23179c2893p-54)                           \
    X(0x1.f50766p0f, -0x1.246ebp-26f, 0x1.f50765b6e454p0, 0x1.9d3e12dd8a18bp-54)
/* clang-format on */
#define BAILEY_EXP2_HIGH_F32(high, low, high64, low64) high,
#define BAILEY_EXP2_LOW_F32(high, low, high64, low64) low,
#define BAILEY_EXP2_HIGH_F64(high, low, high64, low64) high64,
#define BAILEY_EXP2_LOW_F64(high, low, high64, low64) low64,
BAILEY_LOOKUP float bailey_exp2_high_f32[32] = {BAILEY_EXP2_ROWS(BAILEY_EXP2_HIGH_F32)};
BAILEY_LOOKUP float bailey_exp2_low_f32[32] = {BAILEY_EXP2_ROWS(BAILEY_EXP2_LOW_F32)};
#if BAILEY_HAS_F64
BAILEY_LOOKUP double bailey_exp2_high_f64[32] = {BAILEY_EXP2_ROWS(BAILEY_EXP2_HIGH_F64)};
BAILEY_LOOKUP double bailey_exp2_low_f64[32] = {BAILEY_EXP2_ROWS(BAILEY_EXP2_LOW_F64)};
#endif

/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 64, by Taylor: relative error 2^-38 (f64: 2^-67) of exp(r). */
BAILEY_FN bailey_f32 bailey_exp_curve_f32(bailey_f32 r_)
{
    bailey_f32 y_ = bailey_splat_f32(0x1.555556p-5f);
    y_ = bailey_fma_f32(y_, r_, bailey_splat_f32(0x1.555556p-3f));
    return bailey_fma_f32(y_, r_, bailey_splat_f32(0.5f));
}
#if BAILEY_HAS_F64
/* clang-format off */
#define BAILEY_EXP_CURVE_F64(first, next)                                                                    \
    first(0x1.a01a01a01a01ap-13) next(0x1.6c16c16c16c17p-10) next(0x1.1111111111111p-7)                      \
    next(0x1.5555555555555p-5) next(0x1.5555555555555p-3) next(0.5)
/* clang-format on */
BAILEY_POLYNOMIAL_F64(bailey_exp_curve_f64, BAILEY_EXP_CURVE_F64)
#endif

/* exp(high + low), rounded once, for |high| <= 87 (f64: 708), low below 2^-17 (2^-43) in magnitude. n / 32 is
 * the nearest to the argument over ln 2. The first two parts of ln(2) / 32 have so few bits that r is exact
 * before low is added (the third is the rest); 2^(n / 32) is a row and an exponent. */
#define BAILEY_QUANTILE_EXP(real, word, shift, inverse, first, second, third, place)                         \
    BAILEY_FN bailey_##real bailey_exp_parts_##real(bailey_sum_##real x_)                                    \
    {                                                                                                        \
        const bailey_##real from = bailey_splat_##real(shift);                                               \
        const bailey_##real t_ = bailey_fma_##real(x_.high, bailey_splat_##real(inverse), from),             \
                            n_ = t_ - from;                                                                  \
        const bailey_##word turn = bailey_##word##_bits_##real(t_), at = turn & bailey_splat_##word(31);     \
        const bailey_##real high = bailey_row_of_32_##real(bailey_exp2_high_##real, at);                     \
        const bailey_##real low = bailey_row_of_32_##real(bailey_exp2_low_##real, at);                       \
        bailey_##real a_ = bailey_fma_##real(n_, bailey_splat_##real(-(first)), x_.high);                    \
        a_ = bailey_fma_##real(n_, bailey_splat_##real(-(second)), a_);                                      \
        const bailey_##real r_ = a_ + x_.low;                                                                \
        const bailey_##real rest = bailey_fma_##real(n_, bailey_splat_##real(-(third)), (a_ - r_) + x_.low); \
        const bailey_##real curved =                                                                         \
            bailey_fma_##real(r_ * r_, bailey_exp_curve_##real(r_), bailey_fma_##real(r_, rest, rest));      \
        const bailey_##real y_ = bailey_fma_##real(high, r_, high), grown = y_ - high;                       \
        const bailey_##real least = bailey_fma_##real(high, curved, bailey_fma_##real(low, r_, low));        \
        const bailey_##real less = bailey_fma_##real(high, r_, -grown) + least;                              \
        return bailey_##real##_bits_##word(bailey_##word##_bits_##real(y_ + less) +                          \
                                           ((turn >> 5) << (place)));                                        \
    }
BAILEY_QUANTILE_EXP(f32, u32, 0x1.8p23f, 0x1.715476p5f, 0x1.62ep-6f, 0x1.0cp-20f, -0x1.05c61p-34f, 23)
#if BAILEY_HAS_F64
BAILEY_QUANTILE_EXP(f64, u64, 0x1.8p52, 0x1.71547652b82fep5, 0x1.62e42fefap-6, 0x1.cf78p-45,
                    0x1.abc9e3b39803fp-61, 52)
#endif

/* ---- Quantiles ------------------------------------------------------------------------------------ */

/* The distributions in their standard forms; each function grows with w. `last` is the greatest tail. */
#define BAILEY_QUANTILES(real, word, bits, last, upper_half, centre, series)                                 \
    BAILEY_FN bailey_##real bailey_signed_##real(bailey_##real magnitude, bailey_##word w_)                  \
    {                                                                                                        \
        const bailey_##word sign = ~w_ & bailey_splat_##word((bailey_uint##bits)1 << (bits - 1));            \
        return bailey_##real##_bits_##word(bailey_##word##_bits_##real(magnitude) | sign);                   \
    }                                                                                                        \
    /* ln(U), in two parts. */                                                                               \
    BAILEY_FN bailey_sum_##real bailey_log_uniform_##real(bailey_##word w_)                                  \
    {                                                                                                        \
        return bailey_log_tail_##real(bailey_tail_##real(bailey_normal_reflect_##word(w_)),                  \
                                      bailey_upper_##real(w_));                                              \
    }                                                                                                        \
    /* exp(-ln * exponent), the factor in two parts too. */                                                  \
    BAILEY_FN bailey_##real bailey_power_parts_##real(bailey_sum_##real ln, bailey_##real exponent,          \
                                                      bailey_##real low)                                     \
    {                                                                                                        \
        bailey_sum_##real t_;                                                                                \
        t_.high = exponent * ln.high;                                                                        \
        t_.low = bailey_fma_##real(                                                                          \
            exponent, ln.low,                                                                                \
            bailey_fma_##real(low, ln.high, bailey_fma_##real(exponent, ln.high, -t_.high)));                \
        return bailey_exp_parts_##real(t_);                                                                  \
    }                                                                                                        \
    /* ln(U / (1 - U)). The function of ~w is the opposite number, and none is 0. Where s = |2 U - 1| is     \
     * below 1/32 it is 2 artanh(s). */                                                                      \
    BAILEY_FN bailey_##real bailey_logistic_##real(bailey_##word w_)                                         \
    {                                                                                                        \
        const bailey_##real four = bailey_splat_##real(4);                                                   \
        const bailey_##word k_ = bailey_normal_reflect_##word(w_), middle = bailey_splat_##word(last) - k_;  \
        const bailey_sum_##real t_ = bailey_tail_##real(k_), m_ = bailey_tail_##real(middle);                \
        const bailey_##real s_ = m_.high + m_.low, low = (m_.high - s_) + m_.low;                            \
        const bailey_##real inner =                                                                          \
            bailey_fma_##real(four, s_, four * bailey_fma_##real(s_, series((four * s_) * s_), low));        \
        const bailey_sum_##real a_ =                                                                         \
            bailey_log_tail_##real(t_, bailey_lt_##real(t_.low, bailey_splat_##real(0)));                    \
        const bailey_sum_##real b_ =                                                                         \
            bailey_log_tail_##real(t_, bailey_lt_##real(bailey_splat_##real(0), t_.low));                    \
        const bailey_##real d_ = a_.high - b_.high;                                                          \
        const bailey_##real outer = d_ + (((a_.high - d_) - b_.high) + (a_.low - b_.low));                   \
        return bailey_signed_##real(                                                                         \
            bailey_select_##real(bailey_lt_##real(s_, bailey_splat_##real(centre)), inner, -outer), w_);     \
    }                                                                                                        \
    /* ln(2 U) below 1/2 and -ln(2 (1 - U)) above, opposite for ~w; none is 0. */                            \
    BAILEY_FN bailey_##real bailey_laplace_##real(bailey_##word w_)                                          \
    {                                                                                                        \
        const bailey_##real two = bailey_splat_##real(2);                                                    \
        const bailey_##word k_ = bailey_normal_reflect_##word(w_);                                           \
        /* whether 2 p is above 1/2, where ln(1 - t) is taken of t = 1 - 2 p */                              \
        bailey_sum_##real t_ = bailey_tail_##real(bailey_select_##word(                                      \
            bailey_upper_##real(k_ << (upper_half)), bailey_splat_##word(last) - k_, k_));                   \
        t_.high = two * t_.high;                                                                             \
        t_.low = two * t_.low;                                                                               \
        return bailey_signed_##real(                                                                         \
            -bailey_log_tail_##real(t_, bailey_upper_##real(k_ << (upper_half))).high, w_);                  \
    }                                                                                                        \
    /* -ln(-ln(U)). */                                                                                       \
    BAILEY_FN bailey_##real bailey_gumbel_##real(bailey_##word w_)                                           \
    {                                                                                                        \
        bailey_sum_##real s_ = bailey_log_uniform_##real(w_);                                                \
        s_.high = -s_.high;                                                                                  \
        s_.low = -s_.low;                                                                                    \
        return -bailey_log_parts_##real(s_).high;                                                            \
    }                                                                                                        \
    /* (-ln(1 - U))^exponent, for an exponent 1 / shape in two parts with which the result is a normal       \
     * number. */                                                                                            \
    BAILEY_FN bailey_##real bailey_weibull_##real(bailey_##word w_, bailey_##real exponent,                  \
                                                  bailey_##real low)                                         \
    {                                                                                                        \
        bailey_sum_##real s_ = bailey_log_uniform_##real(~w_);                                               \
        s_.high = -s_.high;                                                                                  \
        s_.low = -s_.low;                                                                                    \
        return bailey_power_parts_##real(bailey_log_parts_##real(s_), exponent, low);                        \
    }                                                                                                        \
    /* (1 - U)^-exponent, of the same exponents. */                                                          \
    BAILEY_FN bailey_##real bailey_pareto_##real(bailey_##word w_, bailey_##real exponent,                   \
                                                 bailey_##real low)                                          \
    {                                                                                                        \
        return bailey_power_parts_##real(bailey_log_uniform_##real(~w_), -exponent, -low);                   \
    }

/* artanh(s) / s - 1 in v = s^2 < 2^-10, by Taylor: relative error 2^-43 (f64: 2^-74) of artanh(s) / s. */
BAILEY_FN bailey_f32 bailey_artanh_rest_f32(bailey_f32 v_)
{
    bailey_f32 y_ = bailey_splat_f32(0x1.24924ap-3f);
    y_ = bailey_fma_f32(y_, v_, bailey_splat_f32(0x1.99999ap-3f));
    return v_ * bailey_fma_f32(y_, v_, bailey_splat_f32(0x1.555556p-2f));
}
BAILEY_QUANTILES(f32, u32, 32, 0x7fffffffu, 1, 0x1p-6f, bailey_artanh_rest_f32)
#if BAILEY_HAS_F64
/* clang-format off */
#define BAILEY_ARTANH_F64(first, next)                                                                       \
    first(0x1.3b13b13b13b14p-4) next(0x1.745d1745d1746p-4) next(0x1.c71c71c71c71cp-4)                        \
    next(0x1.2492492492492p-3) next(0x1.999999999999ap-3) next(0x1.5555555555555p-2)
/* clang-format on */
BAILEY_POLYNOMIAL_F64(bailey_artanh_curve_f64, BAILEY_ARTANH_F64)
BAILEY_FN bailey_f64 bailey_artanh_rest_f64(bailey_f64 v_) { return v_ * bailey_artanh_curve_f64(v_); }
BAILEY_QUANTILES(f64, u64, 64, 0xfffffffffffffu, 12, 0x1p-6, bailey_artanh_rest_f64)
#endif

/* ---- The quantile of Cauchy's distribution --------------------------------------------------------- */

/* s = 2 t - 1/2 of a tail probability t = (k + 1/2) / 2^32 (f64: 2^53), in two parts. */
BAILEY_FN bailey_sum_f32 bailey_twice_tail_f32(bailey_u32 k_)
{
    const bailey_u32 below = bailey_splat_u32(0xffffu), s_ = (k_ << 1) - bailey_splat_u32(0x7fffffffu);
    const bailey_f32 unit = bailey_splat_f32(0x1p-32f);
    const bailey_f32 high = bailey_f32_from_i32(bailey_i32_bits_u32(s_ & ~below)) * unit;
    const bailey_f32 low = bailey_f32_from_i32(bailey_i32_bits_u32(s_ & below)) * unit;
    bailey_sum_f32 t_;
    t_.high = bailey_fma_f32(bailey_f32_from_i32(bailey_i32_bits_u32(s_ & below)), unit, high);
    t_.low = (high - t_.high) + low;
    return t_;
}
#if BAILEY_HAS_F64
BAILEY_FN bailey_sum_f64 bailey_twice_tail_f64(bailey_u64 k_)
{
    bailey_sum_f64 t_;
    t_.high = bailey_fma_f64(bailey_splat_f64(2), bailey_normal_unit_f64(k_), bailey_splat_f64(-0.5));
    t_.low = bailey_splat_f64(0);
    return t_;
}
#endif

/* cot(pi t) = exp(ln(q) - ln(t) + L(q) - L(t)) with q = 1/2 - t and L(t) = ln(sin(pi t) / (pi t)), as cos(pi
 * t) is sin(pi q). L(q) - L(t) is s F(s^2), s = 2 t - 1/2. The first two coefficients of F are in two parts;
 * the rest is fitted for s^2 <= 1/4, with an error of 2^-40 (f64: 2^-66) of the logarithm. */
BAILEY_FN bailey_f32 bailey_cauchy_rest_f32(bailey_f32 v_)
{
    bailey_f32 y_ = bailey_splat_f32(0x1.b197e8p-12f);
    y_ = bailey_fma_f32(y_, v_, bailey_splat_f32(0x1.8ccee6p-11f));
    y_ = bailey_fma_f32(y_, v_, bailey_splat_f32(0x1.131b9cp-9f));
    y_ = bailey_fma_f32(y_, v_, bailey_splat_f32(0x1.772a3ap-8f));
    y_ = bailey_fma_f32(y_, v_, bailey_splat_f32(0x1.0aeedp-6f));
    return bailey_fma_f32(y_, v_, bailey_splat_f32(0x1.92e184p-5f));
}
#if BAILEY_HAS_F64
/* clang-format off */
#define BAILEY_CAUCHY_F64(first, next)                                                                       \
    first(0x1.7f9c673d65374p-18) next(0x1.9731e27e85fa1p-18) next(0x1.4a4b405b459ep-16) next(0x1.8d3a0d077f515p-15)\
    next(0x1.f4d14d224ca45p-14) next(0x1.3f20b79388393p-12) next(0x1.9de9d88ad7e84p-11) next(0x1.12899c28cc1p-9)\
    next(0x1.772e908a009fap-8) next(0x1.0aeec983f7633p-6) next(0x1.92e184683ff53p-5)
/* clang-format on */
BAILEY_POLYNOMIAL_F64(bailey_cauchy_rest_f64, BAILEY_CAUCHY_F64)
#endif
#define BAILEY_CAUCHY(real, word, last, first_high, first_low, second_high, second_low)                      \
    /* tan(pi (U - 1/2)). The function of ~w is the opposite number, and none is 0. */                       \
    BAILEY_FN bailey_##real bailey_cauchy_##real(bailey_##word w_)                                           \
    {                                                                                                        \
        const bailey_##real zero = bailey_splat_##real(0);                                                   \
        const bailey_##word k_ = bailey_normal_reflect_##word(w_), middle = bailey_splat_##word(last) - k_;  \
        const bailey_sum_##real t_ = bailey_tail_##real(k_), q_ = bailey_tail_##real(middle);                \
        const bailey_sum_##real a_ = bailey_log_tail_##real(q_, bailey_lt_##real(q_.low, zero));             \
        const bailey_sum_##real b_ = bailey_log_tail_##real(t_, bailey_lt_##real(t_.low, zero));             \
        const bailey_sum_##real s_ = bailey_twice_tail_##real(k_);                                           \
        const bailey_##real v_ = s_.high * s_.high, rest = bailey_cauchy_rest_##real(v_);                    \
        const bailey_##real less =                                                                           \
            bailey_fma_##real(s_.high + s_.high, s_.low, bailey_fma_##real(s_.high, s_.high, -v_));          \
        const bailey_##real second = bailey_splat_##real(second_high),                                       \
                            first = bailey_splat_##real(first_high);                                         \
        const bailey_##real g_ = bailey_fma_##real(v_, rest, second);                                        \
        const bailey_##real g_low =                                                                          \
            bailey_fma_##real(v_, rest, second - g_) + bailey_splat_##real(second_low);                      \
        const bailey_##real f_ = bailey_fma_##real(v_, g_, first);                                           \
        const bailey_##real f_low =                                                                          \
            bailey_fma_##real(v_, g_, first - f_) +                                                          \
            bailey_fma_##real(v_, g_low, bailey_fma_##real(less, g_, bailey_splat_##real(first_low)));       \
        const bailey_##real d_ = a_.high - b_.high, added = d_ - a_.high;                                    \
        const bailey_##real lost = (a_.high - (d_ - added)) - (b_.high + added);                             \
        const bailey_##real y_ = bailey_fma_##real(s_.high, f_, d_);                                         \
        const bailey_##real low =                                                                            \
            bailey_fma_##real(s_.high, f_, d_ - y_) +                                                        \
            bailey_fma_##real(s_.high, f_low, bailey_fma_##real(s_.low, f_, a_.low - b_.low));               \
        bailey_sum_##real x_;                                                                                \
        x_.high = y_ + (lost + low);                                                                         \
        x_.low = (y_ - x_.high) + (lost + low);                                                              \
        return bailey_signed_##real(bailey_exp_parts_##real(x_), w_);                                        \
    }
BAILEY_CAUCHY(f32, u32, 0x7fffffffu, 0x1.b7812ap-1f, 0x1.dde974p-26f, 0x1.5330dep-3f, 0x1.7cb814p-29f)
#if BAILEY_HAS_F64
BAILEY_CAUCHY(f64, u64, 0xfffffffffffffu, 0x1.b7812aeef4b9fp-1, -0x1.a62633145c06ep-57, 0x1.5330de5f2e053p-3,
              -0x1.56639098d008fp-58)
#endif

#endif
