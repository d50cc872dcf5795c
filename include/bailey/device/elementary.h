/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Functions that payoffs call in addition to bailey/device/math.h: logarithm, power, normal distribution
 * function, and the exact minimum, maximum, absolute value, floor and ceiling. They use only additions,
 * multiplications, fma and small tables, so that every device gives the same bits, and no branches, so that
 * compilers vectorise loops.
 *
 * A subnormal argument counts as zero, and a result below the smallest normal is zero, whether the device
 * keeps denormals or not; floor, ceiling and absolute value treat subnormals as what they are. Errors are in
 * units in the last place of the exact result (docs/developers/accuracy.md says how they were measured);
 * coefficients and rows come from tools/fit_normal.sollya.
 */
#ifndef BAILEY_DEVICE_ELEMENTARY_H
#define BAILEY_DEVICE_ELEMENTARY_H

#include "bailey/device/math.h"

#define BAILEY_HALF_f32 0.5f
#define BAILEY_HALF_f64 0.5

/* high + low, where high is the sum rounded. */
typedef struct bailey_sum_f32 {
    bailey_f32 high, low;
} bailey_sum_f32;
#if BAILEY_HAS_F64
typedef struct bailey_sum_f64 {
    bailey_f64 high, low;
} bailey_sum_f64;
#endif

/* ---- Minimum, maximum, absolute value, floor, ceiling ----------------------------------------- */

/* min(a, b) = a < b ? a : b and max(a, b) = a > b ? a : b: b where both are zeros, and where one is NaN.
 *
 * Floor and ceiling of every number, as C has them, with the sign of the argument on a zero. `whole` is the
 * first number from which on all are integers: |x| + whole - whole is an integer next to |x|, on whichever
 * side, and the bits of two positive numbers compare as the numbers do, denormals too. */
#define BAILEY_EXACT(real, word, integer, bits, whole)                                                       \
    BAILEY_FN bailey_##real bailey_min_##real(bailey_##real a_, bailey_##real b_)                            \
    {                                                                                                        \
        return bailey_select_##real(bailey_lt_##real(a_, b_), a_, b_);                                       \
    }                                                                                                        \
    BAILEY_FN bailey_##real bailey_max_##real(bailey_##real a_, bailey_##real b_)                            \
    {                                                                                                        \
        return bailey_select_##real(bailey_lt_##real(b_, a_), a_, b_);                                       \
    }                                                                                                        \
    BAILEY_FN bailey_##real bailey_abs_##real(bailey_##real x_)                                              \
    {                                                                                                        \
        const bailey_##word sign = bailey_splat_##word((bailey_uint##bits)1 << (bits - 1));                  \
        return bailey_##real##_bits_##word(bailey_##word##_bits_##real(x_) & ~sign);                         \
    }                                                                                                        \
    BAILEY_FN bailey_##integer bailey_order_##real(bailey_##real x_)                                         \
    {                                                                                                        \
        return bailey_##integer##_bits_##word(bailey_##word##_bits_##real(x_));                              \
    }                                                                                                        \
    /* x to an integer: down where `turn` is 0, up where it is the sign bit. */                              \
    BAILEY_FN bailey_##real bailey_whole_##real(bailey_##real x_, bailey_##word turn)                        \
    {                                                                                                        \
        const bailey_##real zero = bailey_splat_##real(0), one = bailey_splat_##real(1);                     \
        const bailey_##real limit = bailey_splat_##real(whole), a_ = bailey_abs_##real(x_);                  \
        const bailey_##word sign =                                                                           \
            bailey_##word##_bits_##real(x_) & bailey_splat_##word((bailey_uint##bits)1 << (bits - 1));       \
        const bailey_##real rounded = (a_ + limit) - limit;                                                  \
        const bailey_##integer order = bailey_order_##real(a_), nearest = bailey_order_##real(rounded);      \
        const bailey_##real below =                                                                          \
            rounded - bailey_select_##real(bailey_lt_##integer(order, nearest), one, zero);                  \
        const bailey_##real above =                                                                          \
            rounded + bailey_select_##real(bailey_lt_##integer(nearest, order), one, zero);                  \
        const bailey_##integer up = bailey_##integer##_bits_##word(sign ^ turn);                             \
        const bailey_##integer none = bailey_##integer##_bits_##word(bailey_splat_##word(0));                \
        const bailey_##real y_ = bailey_select_##real(bailey_lt_##integer(up, none), above, below);          \
        const bailey_##real r_ = bailey_##real##_bits_##word(bailey_##word##_bits_##real(y_) | sign);        \
        return bailey_select_##real(bailey_lt_##integer(order, bailey_order_##real(limit)), r_, x_);         \
    }                                                                                                        \
    BAILEY_FN bailey_##real bailey_floor_##real(bailey_##real x_)                                            \
    {                                                                                                        \
        return bailey_whole_##real(x_, bailey_splat_##word(0));                                              \
    }                                                                                                        \
    BAILEY_FN bailey_##real bailey_ceil_##real(bailey_##real x_)                                             \
    {                                                                                                        \
        return bailey_whole_##real(x_, bailey_splat_##word((bailey_uint##bits)1 << (bits - 1)));             \
    }
BAILEY_EXACT(f32, u32, i32, 32, 0x1p23f)
#if BAILEY_HAS_F64
BAILEY_EXACT(f64, u64, i64, 64, 0x1p52)
#endif

/* ---- Natural logarithm -------------------------------------------------------------------------- */

/* Infinities, NaN and limits as bits. */
#define BAILEY_LEAST_F32 0x00800000u
#define BAILEY_INFINITY_F32 0x7f800000u
#define BAILEY_NAN_F32 0x7fc00000u
#define BAILEY_LEAST_F64 0x0010000000000000u
#define BAILEY_INFINITY_F64 0x7ff0000000000000u
#define BAILEY_NAN_F64 0x7ff8000000000000u
#define BAILEY_SPLAT_I64(x) bailey_i64_bits_u64(bailey_splat_u64(x))

/* y = ln(x) where x is positive and normal; from x's other values what C has, subnormals being zeros. */
BAILEY_FN bailey_f32 bailey_log_ends_f32(bailey_f32 x_, bailey_f32 y_)
{
    const bailey_i32 i_ = bailey_order_f32(x_), a_ = bailey_order_f32(bailey_abs_f32(x_));
    y_ = bailey_select_f32(bailey_lt_i32(i_, bailey_splat_i32(BAILEY_INFINITY_F32)), y_, x_);
    y_ = bailey_select_f32(bailey_lt_i32(i_, bailey_splat_i32(0)),
                           bailey_f32_bits_u32(bailey_splat_u32(BAILEY_NAN_F32)), y_);
    return bailey_select_f32(bailey_lt_i32(a_, bailey_splat_i32(BAILEY_LEAST_F32)),
                             -bailey_f32_bits_u32(bailey_splat_u32(BAILEY_INFINITY_F32)), y_);
}

/* (log(1 + x) - x) / x^2 for |x| <= 1/3. Minimax polynomial, relative error 2^-24.3. */
BAILEY_FN bailey_f32 bailey_log_curve_f32(bailey_f32 x_)
{
    bailey_f32 y_ = bailey_splat_f32(-0x1.012632p-3f);
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.19b0e6p-3f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(-0x1.f62d52p-4f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.1fd6bcp-3f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(-0x1.5581d2p-3f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.99bfdep-3f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(-0x1.ffff88p-3f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.55552cp-2f));
    return bailey_fma_f32(y_, x_, bailey_splat_f32(-0x1p-1f));
}

/* ln(x): at most 2 ulp. -infinity for zeros, NaN for negative x, infinity for infinity, NaN for NaN.
 *
 * x = 2^e (1 + f), -1/3 <= f < 1/3. Up to 2^-16, ln 2 has so few bits that its product with e is exact. */
BAILEY_FN bailey_f32 bailey_log_f32(bailey_f32 x_)
{
    const bailey_u32 from = bailey_splat_u32(0x3f2aaaabu), i_ = bailey_u32_bits_f32(x_) - from;
    const bailey_f32 e_ = bailey_f32_from_i32(bailey_i32_bits_u32(i_) >> 23);
    const bailey_f32 f_ =
        bailey_f32_bits_u32((i_ & bailey_splat_u32(0x7fffffu)) + from) - bailey_splat_f32(1.0f);
    const bailey_f32 low =
        bailey_fma_f32(f_ * f_, bailey_log_curve_f32(f_), e_ * bailey_splat_f32(0x1.7f7d1cp-20f));
    return bailey_log_ends_f32(x_, bailey_fma_f32(e_, bailey_splat_f32(0x1.62e4p-1f), f_) + low);
}

/* The logarithm by rows. z spans 32 rows, by five bits of the mantissa, from 1 - 33/128 on, so that 1 is in
 * the middle of row 16, where c = 1. Elsewhere c is near 1 / z and has so few bits that r = c z - 1 is exact
 * in an fma; |r| < 3/128. A row has c and ln(1 / c) in two parts, the first a multiple of 2^-16 (f64: 2^-42).
 * The method is that of P. T. P. Tang, ACM Trans. Math. Softw. 16, 1990. */
/* clang-format off */
#define BAILEY_LOG_ROWS_F32(X)                                                                              \
    X(0x1.54p0f, -0x1.2294p-2f, -0x1.fbcf7ap-22f) X(0x1.5p0f, -0x1.1674p-2f, -0x1.cababap-18f)               \
    X(0x1.48p0f, -0x1.fb9p-3f, -0x1.86d5e4p-19f) X(0x1.4p0f, -0x1.c9p-3f, 0x1.070cacp-20f)                   \
    X(0x1.3cp0f, -0x1.af4p-3f, 0x1.b58bfap-18f) X(0x1.34p0f, -0x1.7ab8p-3f, -0x1.20421cp-20f)                \
    X(0x1.3p0f, -0x1.5ffp-3f, -0x1.83853cp-18f) X(0x1.28p0f, -0x1.2958p-3f, 0x1.683fp-18f)                   \
    X(0x1.24p0f, -0x1.0d78p-3f, 0x1.832f72p-23f) X(0x1.2p0f, -0x1.e27p-4f, -0x1.db8abcp-22f)                 \
    X(0x1.1cp0f, -0x1.a92p-4f, -0x1.b4e92cp-18f) X(0x1.14p0f, -0x1.342p-4f, 0x1.434f22p-19f)                 \
    X(0x1.1p0f, -0x1.f0ap-5f, -0x1.86008cp-20f) X(0x1.0cp0f, -0x1.774p-5f, -0x1.63d8ccp-19f)                 \
    X(0x1.08p0f, -0x1.f84p-6f, 0x1.64f188p-18f) X(0x1.04p0f, -0x1.fcp-7f, -0x1.5161f8p-20f)                  \
    X(0x1p0f, 0x0p0f, 0x0p0f) X(0x1.fp-1f, 0x1.042p-5f, -0x1.44ec32p-18f)                                    \
    X(0x1.ep-1f, 0x1.086p-4f, -0x1.9d2988p-18f) X(0x1.d4p-1f, 0x1.701p-4f, -0x1.67a8aap-19f)                 \
    X(0x1.c8p-1f, 0x1.da7p-4f, 0x1.3b1c22p-19f) X(0x1.b8p-1f, 0x1.366p-3f, -0x1.a7f538p-22f)                 \
    X(0x1.bp-1f, 0x1.5bf8p-3f, -0x1.fca55ep-18f) X(0x1.a4p-1f, 0x1.95a8p-3f, -0x1.291848p-18f)               \
    X(0x1.98p-1f, 0x1.d1p-3f, 0x1.bf932ap-18f) X(0x1.9p-1f, 0x1.f99p-3f, 0x1.c6cb3cp-19f)                    \
    X(0x1.88p-1f, 0x1.1178p-2f, 0x1.d044fcp-19f) X(0x1.7cp-1f, 0x1.315p-2f, -0x1.c3c594p-19f)                \
    X(0x1.74p-1f, 0x1.4718p-2f, 0x1.b84e38p-19f) X(0x1.6cp-1f, 0x1.5d5cp-2f, -0x1.10535p-21f)                \
    X(0x1.64p-1f, 0x1.741cp-2f, 0x1.876c68p-18f) X(0x1.5cp-1f, 0x1.8b64p-2f, -0x1.95dd34p-20f)
#define BAILEY_LOG_ROWS_F64(X)                                                                              \
    X(0x1.54p0, -0x1.22941fbcf8p-2, 0x1.a6976f5eb0963p-44)                                                   \
    X(0x1.5p0, -0x1.1675cababap-2, -0x1.8380e731f55c4p-44)                                                   \
    X(0x1.48p0, -0x1.fb9186d5e4p-3, 0x1.d572aab993c87p-47)                                                   \
    X(0x1.4p0, -0x1.c8ff7c79aap-3, 0x1.7794f689f8434p-45)                                                    \
    X(0x1.3cp0, -0x1.af3c94e80cp-3, 0x1.a4e633fcd9066p-52)                                                   \
    X(0x1.34p0, -0x1.7ab890210ep-3, 0x1.bdb9072534a58p-45)                                                   \
    X(0x1.3p0, -0x1.5ff3070a7ap-3, 0x1.8586f183bebf2p-44)                                                    \
    X(0x1.28p0, -0x1.29552f82p-3, 0x1.5b967f4471dfcp-44)                                                     \
    X(0x1.24p0, -0x1.0d77e7cd08p-3, -0x1.cb2cd2ee2f482p-44)                                                  \
    X(0x1.2p0, -0x1.e27076e2bp-4, 0x1.a342c2af0003cp-45)                                                     \
    X(0x1.1cp0, -0x1.a926d3a4acp-4, -0x1.563650bd22a9cp-44)                                                  \
    X(0x1.14p0, -0x1.341d7961bcp-4, -0x1.1d0929983761p-44)                                                   \
    X(0x1.1p0, -0x1.f0a30c0118p-5, 0x1.d599e83368e91p-45)                                                    \
    X(0x1.0cp0, -0x1.77458f633p-5, 0x1.181dce586af09p-44)                                                    \
    X(0x1.08p0, -0x1.f829b0e78p-6, -0x1.980267c7e09e4p-45)                                                   \
    X(0x1.04p0, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50)                                                   \
    X(0x1p0, 0x0p0, 0x0p0)                                                                                   \
    X(0x1.fp-1, 0x1.0415d89e78p-5, -0x1.dddc7f461c516p-44)                                                   \
    X(0x1.ep-1, 0x1.08598b59e4p-4, -0x1.7e5dd7009902cp-46)                                                   \
    X(0x1.d4p-1, 0x1.700d30aeacp-4, 0x1.c1e8da99ded32p-49)                                                   \
    X(0x1.c8p-1, 0x1.da72763844p-4, 0x1.a89401fa71733p-46)                                                   \
    X(0x1.b8p-1, 0x1.365fcb015ap-3, -0x1.fd3a0afb9691bp-44)                                                  \
    X(0x1.bp-1, 0x1.5bf406b544p-3, -0x1.27023eb68981cp-46)                                                   \
    X(0x1.a4p-1, 0x1.95a5adcf7p-3, 0x1.7f22858a0ff6fp-47)                                                    \
    X(0x1.98p-1, 0x1.d1037f2656p-3, -0x1.84a7e75b6f6e4p-47)                                                  \
    X(0x1.9p-1, 0x1.f991c6cb3cp-3, -0x1.90d04cd7cc834p-44)                                                   \
    X(0x1.88p-1, 0x1.1178e8227ep-2, 0x1.1ef78ce2d07f2p-44)                                                   \
    X(0x1.7cp-1, 0x1.314f1e1d36p-2, -0x1.8e27ad3213cb8p-45)                                                  \
    X(0x1.74p-1, 0x1.4718dc271cp-2, 0x1.06c18fb4c14c5p-44)                                                   \
    X(0x1.6cp-1, 0x1.5d5bddf596p-2, -0x1.a0b2a08a465dcp-47)                                                  \
    X(0x1.64p-1, 0x1.741d876c68p-2, -0x1.13a7b5b11cfa7p-44)                                                  \
    X(0x1.5cp-1, 0x1.8b639a88b3p-2, -0x1.05ae1e5e7047p-45)
#define BAILEY_LOG_REST_F64(first, next)                                                                    \
    first(0x1.5d16dce4619c8p-4) next(-0x1.9a06081795c2ep-4) next(0x1.c723e4319f1ap-4)                        \
    next(-0x1.fffff480a11ddp-4) next(0x1.249248bfad772p-3) next(-0x1.555555558f5b2p-3)                       \
    next(0x1.999999999d8c3p-3) next(-0x1.ffffffffffff6p-3) next(0x1.5555555555555p-2)
/* clang-format on */

#if !defined(BAILEY_LOOKUP)
#define BAILEY_LOOKUP BAILEY_CONSTANT
#endif
#define BAILEY_LOG_C(c, high, low) c,
#define BAILEY_LOG_HIGH(c, high, low) high,
#define BAILEY_LOG_LOW(c, high, low) low,
#define BAILEY_LOG_TABLES(real, scalar, rows)                                                                \
    BAILEY_LOOKUP scalar bailey_log_c_##real[32] = {rows(BAILEY_LOG_C)};                                     \
    BAILEY_LOOKUP scalar bailey_log_high_##real[32] = {rows(BAILEY_LOG_HIGH)};                               \
    BAILEY_LOOKUP scalar bailey_log_low_##real[32] = {rows(BAILEY_LOG_LOW)};
BAILEY_LOG_TABLES(f32, float, BAILEY_LOG_ROWS_F32)
#if BAILEY_HAS_F64
BAILEY_LOG_TABLES(f64, double, BAILEY_LOG_ROWS_F64)
#endif

/* table[i] in each lane; i < 32. */
#if BAILEY_LANES == 1
#define BAILEY_ROW_OF_32(real, scalar, word)                                                                 \
    BAILEY_FN bailey_##real bailey_row_of_32_##real(const BAILEY_TABLE scalar *table, bailey_##word i_)      \
    {                                                                                                        \
        return table[i_];                                                                                    \
    }
#else
#define BAILEY_ROW_OF_32(real, scalar, word)                                                                 \
    BAILEY_FN bailey_##real bailey_row_of_32_##real(const BAILEY_TABLE scalar *table, bailey_##word i_)      \
    {                                                                                                        \
        bailey_##real r_;                                                                                    \
        scalar own[BAILEY_LANES];                                                                            \
        BAILEY_ROW_INDEX_##word at[BAILEY_LANES];                                                            \
        BAILEY_VECTOR_STORE(at, i_);                                                                         \
        BAILEY_UNROLL                                                                                        \
        for (int lane = 0; lane < BAILEY_LANES; lane++) own[lane] = table[at[lane]];                         \
        BAILEY_VECTOR_LOAD(r_, own);                                                                         \
        return r_;                                                                                           \
    }
#define BAILEY_ROW_INDEX_u32 bailey_uint32
#define BAILEY_ROW_INDEX_u64 bailey_uint64
#endif
BAILEY_ROW_OF_32(f32, float, u32)
#if BAILEY_HAS_F64
BAILEY_ROW_OF_32(f64, double, u64)
#endif

/* (log(1 + x) - x + x^2 / 2) / x^3 for |x| <= 3/128. Minimax polynomial, relative error 2^-24. */
BAILEY_FN bailey_f32 bailey_log_rest_f32(bailey_f32 x_)
{
    bailey_f32 y_ = bailey_splat_f32(-0x1.55990cp-3f);
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.99d53p-3f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(-0x1.fffffcp-3f));
    return bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.555554p-2f));
}

/* ln(2^e z) = (e ln 2 + ln(1 / c) + r) - r^2 / 2 + r^3 rest(r); the sum in parentheses is exact in two parts
 * but for the second parts of the logarithms: its first two terms add up to 0 or to more than |r|. */
#define BAILEY_LOG_SUM(real, e, r, at, ln2_high, ln2_low)                                                    \
    const bailey_##real first = bailey_fma_##real(e, bailey_splat_##real(ln2_high),                          \
                                                  bailey_row_of_32_##real(bailey_log_high_##real, at));      \
    const bailey_##real rest = bailey_fma_##real(e, bailey_splat_##real(ln2_low),                            \
                                                 bailey_row_of_32_##real(bailey_log_low_##real, at));        \
    const bailey_##real second = first + r, halved = bailey_splat_##real(-BAILEY_HALF_##real) * r;           \
    const bailey_##real third = bailey_fma_##real(halved, r, second);                                        \
    bailey_##real low = rest + ((first - second) + r);                                                       \
    low = low + bailey_fma_##real(halved, r, second - third);                                                \
    low = bailey_fma_##real((r * r) * r, bailey_log_rest_##real(r), low);                                    \
    bailey_sum_##real s_;                                                                                    \
    s_.high = third + low;                                                                                   \
    s_.low = (third - s_.high) + low;                                                                        \
    return s_

/* ln(x) for positive normal x, relative error 2^-34. */
BAILEY_FN bailey_sum_f32 bailey_log_sum_f32(bailey_f32 x_)
{
    const bailey_u32 from = bailey_splat_u32(0x3f3e0000u), i_ = bailey_u32_bits_f32(x_) - from;
    const bailey_f32 e_ = bailey_f32_from_i32(bailey_i32_bits_u32(i_) >> 23);
    const bailey_f32 z_ = bailey_f32_bits_u32((i_ & bailey_splat_u32(0x7fffffu)) + from);
    const bailey_u32 at = (i_ >> 18) & bailey_splat_u32(31);
    const bailey_f32 r_ =
        bailey_fma_f32(z_, bailey_row_of_32_f32(bailey_log_c_f32, at), bailey_splat_f32(-1.0f));
    BAILEY_LOG_SUM(f32, e_, r_, at, 0x1.62e4p-1f, 0x1.7f7d1cp-20f);
}

#if BAILEY_HAS_F64

BAILEY_FN bailey_f64 bailey_log_ends_f64(bailey_f64 x_, bailey_f64 y_)
{
    const bailey_i64 i_ = bailey_order_f64(x_), a_ = bailey_order_f64(bailey_abs_f64(x_));
    y_ = bailey_select_f64(bailey_lt_i64(i_, BAILEY_SPLAT_I64(BAILEY_INFINITY_F64)), y_, x_);
    y_ = bailey_select_f64(bailey_lt_i64(i_, BAILEY_SPLAT_I64(0)),
                           bailey_f64_bits_u64(bailey_splat_u64(BAILEY_NAN_F64)), y_);
    return bailey_select_f64(bailey_lt_i64(a_, BAILEY_SPLAT_I64(BAILEY_LEAST_F64)),
                             -bailey_f64_bits_u64(bailey_splat_u64(BAILEY_INFINITY_F64)), y_);
}

/* As bailey_log_rest_f32, relative error 2^-54. */
BAILEY_POLYNOMIAL_F64(bailey_log_rest_f64, BAILEY_LOG_REST_F64)

/* ln(x) for positive normal x, relative error 2^-65. The exponent, 1023 above itself, becomes a number in the
 * last places of 2^52, as few processors convert 64-bit integers. */
BAILEY_FN bailey_sum_f64 bailey_log_sum_f64(bailey_f64 x_)
{
    const bailey_u64 from = bailey_splat_u64(0x3fe7c00000000000u);
    const bailey_u64 i_ = bailey_u64_bits_f64(x_) - from;
    const bailey_u64 biased = (i_ + bailey_splat_u64(0x3ff0000000000000u)) >> 52;
    const bailey_f64 e_ = bailey_f64_bits_u64(biased | bailey_splat_u64(0x4330000000000000u)) -
                          bailey_splat_f64(0x1p52 + 1023.0);
    const bailey_f64 z_ = bailey_f64_bits_u64((i_ & bailey_splat_u64(0xfffffffffffffu)) + from);
    const bailey_u64 at = (i_ >> 47) & bailey_splat_u64(31);
    const bailey_f64 r_ =
        bailey_fma_f64(z_, bailey_row_of_32_f64(bailey_log_c_f64, at), bailey_splat_f64(-1.0));
    BAILEY_LOG_SUM(f64, e_, r_, at, 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45);
}

/* ln(x): at most 1 ulp; otherwise as bailey_log_f32. */
BAILEY_FN bailey_f64 bailey_log_f64(bailey_f64 x_)
{
    return bailey_log_ends_f64(x_, bailey_log_sum_f64(x_).high);
}

#endif

/* ---- Power -------------------------------------------------------------------------------------- */

/* exp(high + low) with exp(high) between 2^-127 and 2^128 (f64: 2^-1023, 2^1024), low below 2^-17 in
 * magnitude; at the lower end the bits may be those of a subnormal, at the upper end those after infinity.
 * Method: as bailey_exp_f32. */
BAILEY_FN bailey_f32 bailey_exp_inner_f32(bailey_f32 high, bailey_f32 low)
{
    const bailey_f32 shift = bailey_splat_f32(0x1.8p23f);
    const bailey_f32 t_ = bailey_fma_f32(high, bailey_splat_f32(0x1.715476p0f), shift), n_ = t_ - shift;
    bailey_f32 r_ = bailey_fma_f32(n_, bailey_splat_f32(-0x1.62e43p-1f), high);
    r_ = bailey_fma_f32(n_, bailey_splat_f32(0x1.05c61p-29f), r_) + low;
    const bailey_f32 y_ = bailey_fma_f32(r_, bailey_exp_slope_f32(r_), bailey_splat_f32(1.0f));
    return bailey_f32_bits_u32(bailey_u32_bits_f32(y_) + (bailey_u32_bits_f32(t_) << 23));
}

/* exp(high + low) for every `high`: 0 below the smallest normal, infinity on overflow, NaN for NaN. */
BAILEY_FN bailey_f32 bailey_exp_sum_f32(bailey_f32 high, bailey_f32 low)
{
    const bailey_f32 zero = bailey_splat_f32(0.0f);
    bailey_f32 y_ = bailey_exp_inner_f32(high, low);
    const bailey_i32 i_ = bailey_order_f32(y_), end = bailey_splat_i32(BAILEY_INFINITY_F32);
    y_ = bailey_select_f32(bailey_lt_i32(i_, bailey_splat_i32(BAILEY_LEAST_F32)), zero, y_);
    y_ = bailey_select_f32(bailey_lt_i32(i_, end), y_, bailey_f32_bits_u32(bailey_u32_bits_i32(end)));
    y_ = bailey_select_f32(bailey_lt_f32(high, bailey_splat_f32(-87.5f)), zero, y_);
    return bailey_select_f32(bailey_lt_f32(high, bailey_splat_f32(88.8f)), y_,
                             high * bailey_splat_f32(0x1p127f));
}

#if BAILEY_HAS_F64

BAILEY_FN bailey_f64 bailey_exp_inner_f64(bailey_f64 high, bailey_f64 low)
{
    const bailey_f64 shift = bailey_splat_f64(0x1.8p52);
    const bailey_f64 t_ = bailey_fma_f64(high, bailey_splat_f64(0x1.71547652b82fep0), shift), n_ = t_ - shift;
    bailey_f64 r_ = bailey_fma_f64(n_, bailey_splat_f64(-0x1.62e42fefa39efp-1), high);
    r_ = bailey_fma_f64(n_, bailey_splat_f64(-0x1.abc9e3b39803fp-56), r_) + low;
    const bailey_f64 y_ = bailey_fma_f64(r_, bailey_exp_slope_f64(r_), bailey_splat_f64(1.0));
    return bailey_f64_bits_u64(bailey_u64_bits_f64(y_) + (bailey_u64_bits_f64(t_) << 52));
}

BAILEY_FN bailey_f64 bailey_exp_sum_f64(bailey_f64 high, bailey_f64 low)
{
    const bailey_f64 zero = bailey_splat_f64(0.0);
    bailey_f64 y_ = bailey_exp_inner_f64(high, low);
    const bailey_i64 i_ = bailey_order_f64(y_), end = BAILEY_SPLAT_I64(BAILEY_INFINITY_F64);
    y_ = bailey_select_f64(bailey_lt_i64(i_, BAILEY_SPLAT_I64(BAILEY_LEAST_F64)), zero, y_);
    y_ = bailey_select_f64(bailey_lt_i64(i_, end), y_, bailey_f64_bits_u64(bailey_u64_bits_i64(end)));
    y_ = bailey_select_f64(bailey_lt_f64(high, bailey_splat_f64(-708.5)), zero, y_);
    return bailey_select_f64(bailey_lt_f64(high, bailey_splat_f64(709.9)), y_,
                             high * bailey_splat_f64(0x1p1023));
}

#endif

/* x^y for all x and y: at most 2 ulp. C's cases: 1 where x is 1 or y is 0, whatever the other is; a negative
 * x needs an integer y, which decides the sign, and gives NaN with another; powers of 0 and infinity are 0 or
 * infinity, negative where x is and y is an odd integer. Subnormal x and y are zeros.
 *
 * exp(y ln|x|), logarithm and product in two parts. ln(1) is 0, which leaves infinite y: so y is then 0. */
#define BAILEY_POW(real, word, integer, mask, smallest, infinity, nan, splat)                                \
    BAILEY_FN bailey_##real bailey_pow_positive_##real(bailey_##real a_, bailey_##real y_)                   \
    {                                                                                                        \
        const bailey_##integer i_ = bailey_order_##real(a_),                                                 \
                               unit = bailey_order_##real(bailey_splat_##real(1));                           \
        const bailey_sum_##real s_ = bailey_log_sum_##real(a_);                                              \
        const bailey_##real ln = bailey_log_ends_##real(a_, s_.high);                                        \
        y_ = bailey_select_##real(bailey_lt_##integer(i_, unit) | bailey_lt_##integer(unit, i_), y_,         \
                                  bailey_splat_##real(0));                                                   \
        const bailey_##real high = y_ * ln;                                                                  \
        return bailey_exp_sum_##real(high, bailey_fma_##real(y_, s_.low, bailey_fma_##real(y_, ln, -high))); \
    }                                                                                                        \
    BAILEY_FN bailey_##real bailey_pow_##real(bailey_##real x_, bailey_##real y_)                            \
    {                                                                                                        \
        const bailey_##integer end = splat(infinity), least = splat(smallest);                               \
        const bailey_##real a_ = bailey_abs_##real(x_),                                                      \
                            halved = bailey_splat_##real(BAILEY_HALF_##real) * y_;                           \
        const bailey_##integer i_ = bailey_order_##real(a_),                                                 \
                               j_ = bailey_order_##real(bailey_abs_##real(y_));                              \
        const bailey_##mask broken = bailey_lt_##real(bailey_floor_##real(y_), y_);                          \
        const bailey_##mask odd = bailey_lt_##real(bailey_floor_##real(halved), halved);                     \
        const bailey_##word zero = bailey_splat_##word(0);                                                   \
        const bailey_##word sign = bailey_##word##_bits_##real(x_) ^ bailey_##word##_bits_##real(a_);        \
        const bailey_##word turn =                                                                           \
            bailey_select_##word(broken, zero, bailey_select_##word(odd, sign, zero));                       \
        bailey_##real r_ = bailey_pow_positive_##real(a_, y_);                                               \
        r_ = bailey_##real##_bits_##word(bailey_##word##_bits_##real(r_) ^ turn);                            \
        /* of a negative x: */                                                                               \
        bailey_##real n_ = bailey_##real##_bits_##word(bailey_splat_##word(nan));                            \
        n_ = bailey_select_##real(broken, n_, r_);                                                           \
        n_ = bailey_select_##real(bailey_lt_##integer(i_, least), r_, n_);                                   \
        n_ = bailey_select_##real(bailey_lt_##integer(i_, end), n_, r_);                                     \
        n_ = bailey_select_##real(bailey_lt_##integer(end, j_), y_, n_);                                     \
        r_ = bailey_select_##real(bailey_lt_##integer(bailey_order_##real(x_), splat(0)), n_, r_);           \
        return bailey_select_##real(bailey_lt_##integer(j_, least), bailey_splat_##real(1), r_);             \
    }
BAILEY_POW(f32, u32, i32, m32, BAILEY_LEAST_F32, BAILEY_INFINITY_F32, BAILEY_NAN_F32, bailey_splat_i32)
#if BAILEY_HAS_F64
BAILEY_POW(f64, u64, i64, m64, BAILEY_LEAST_F64, BAILEY_INFINITY_F64, BAILEY_NAN_F64, BAILEY_SPLAT_I64)
#endif

/* ---- Normal distribution function --------------------------------------------------------------- */

/* 1 / x for x from 1 to 64. The difference of bits guesses it to an eighth; each step cubes the error. */
#define BAILEY_CUBED(real, x, r, e)                                                                          \
    e = bailey_fma_##real(-x, r, bailey_splat_##real(1));                                                    \
    r = bailey_fma_##real(r, bailey_fma_##real(e, e, e), r);
BAILEY_FN bailey_f32 bailey_reciprocal_f32(bailey_f32 x_)
{
    bailey_f32 e_, r_ = bailey_f32_bits_u32(bailey_splat_u32(0x7ef311c7u) - bailey_u32_bits_f32(x_));
    BAILEY_CUBED(f32, x_, r_, e_)
    BAILEY_CUBED(f32, x_, r_, e_)
    return r_;
}
#if BAILEY_HAS_F64
BAILEY_FN bailey_f64 bailey_reciprocal_f64(bailey_f64 x_)
{
    bailey_f64 e_, r_ = bailey_f64_bits_u64(bailey_splat_u64(0x7fde6238e0000000u) - bailey_u64_bits_f64(x_));
    BAILEY_CUBED(f64, x_, r_, e_)
    BAILEY_CUBED(f64, x_, r_, e_)
    BAILEY_CUBED(f64, x_, r_, e_)
    return r_;
}
#endif

/* Phi(-a) exp(a^2 / 2) (a + 4) in x = (a - 4) / (a + 4) for 0 <= a <= 13, and in f64 with 5 for 4 for
 * 0 <= a <= 38. Minimax polynomials, relative errors 2^-25.7 and 2^-55.3. The change of variable is that of
 * M. M. Shepherd and J. G. Laframboise, Math. Comp. 36, 1981. */
BAILEY_FN bailey_f32 bailey_mills_f32(bailey_f32 x_)
{
    bailey_f32 y_ = bailey_splat_f32(-0x1.f3199p-14f);
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.aed946p-13f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.9d2c62p-10f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(-0x1.ce41cep-9f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(-0x1.ed8b8p-8f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.eed9fp-5f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(-0x1.7dff8p-3f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.8c6d8cp-2f));
    y_ = bailey_fma_f32(y_, x_, bailey_splat_f32(-0x1.373e3ap-1f));
    return bailey_fma_f32(y_, x_, bailey_splat_f32(0x1.82b4bcp-1f));
}

#if BAILEY_HAS_F64
/* clang-format off */
#define BAILEY_MILLS_F64(first, next)                                                                       \
    first(-0x1.fe683bc3487a6p-33) next(0x1.bce18d255a464p-30) next(0x1.0e3bbf80b9662p-27)                    \
    next(-0x1.3049758c95ca2p-27) next(-0x1.1c2982e43ee83p-24) next(0x1.655f4cc27521ap-25)                    \
    next(0x1.d13513917a7d4p-22) next(-0x1.68d74039f1568p-22) next(-0x1.73b05a17bd6cdp-19)                    \
    next(0x1.0b22790a1678dp-18) next(0x1.17dd49d8607cep-16) next(-0x1.a170a0f6c7fcbp-15)                     \
    next(-0x1.f21468e0e035ap-15) next(0x1.1daf1ca224455p-11) next(-0x1.a25037beb425dp-11)                    \
    next(-0x1.88590ea596789p-9) next(0x1.54b4d4f4a3bb4p-6) next(-0x1.1b1c254c9d25dp-4)                       \
    next(0x1.51f6329f01c8ep-3) next(-0x1.410ed5f875a1ep-2) next(0x1.fb31653876f78p-2)                        \
    next(-0x1.54ad03f27ca17p-1) next(0x1.89d3abe1f95aep-1)
/* clang-format on */
BAILEY_POLYNOMIAL_F64(bailey_mills_f64, BAILEY_MILLS_F64)
#endif

/* The standard normal distribution function: at most 4 ulp, in the lower tail too; 0 where it is below the
 * smallest normal, 1 above, NaN for NaN.
 *
 * Phi(-a) = exp(-a^2 / 2) times a function that varies slowly, of x = 1 - 2 k / (a + k) and over a + k. As
 * that varies most next to 0, what a + k and its reciprocal r have lost is put back: with the rest of the
 * sum, (a + k) r = 1 - e, and a factor 1 + e goes into the exponential. a^2 is exact in two parts. In place
 * of an `a` beyond the end, the end is computed with. */
#define BAILEY_NORMAL_CDF(real, integer, mask, k, last, infinity, splat)                                     \
    /* high (1 + low). */                                                                                    \
    BAILEY_FN bailey_sum_##real bailey_tail_ratio_##real(bailey_##real a_)                                   \
    {                                                                                                        \
        const bailey_##real one = bailey_splat_##real(1), center = bailey_splat_##real(k);                   \
        const bailey_##real d_ = a_ + center, rest = a_ - (d_ - center), r_ = bailey_reciprocal_##real(d_);  \
        const bailey_##real e_ = bailey_fma_##real(-rest, r_, bailey_fma_##real(-d_, r_, one));              \
        const bailey_##real slope = bailey_splat_##real(-2 * (k)) * r_;                                      \
        const bailey_##real x_ = bailey_fma_##real(r_, bailey_splat_##real(-2 * (k)), one);                  \
        bailey_sum_##real p_;                                                                                \
        p_.high = r_ * bailey_mills_##real(bailey_fma_##real(slope, e_, x_));                                \
        p_.low = e_;                                                                                         \
        return p_;                                                                                           \
    }                                                                                                        \
    BAILEY_FN bailey_##real bailey_normal_cdf_##real(bailey_##real x_)                                       \
    {                                                                                                        \
        const bailey_##real one = bailey_splat_##real(1),                                                    \
                            minus_half = bailey_splat_##real(-BAILEY_HALF_##real);                           \
        const bailey_##real end = bailey_splat_##real(last), magnitude = bailey_abs_##real(x_);              \
        const bailey_##mask beyond = bailey_lt_##real(end, magnitude);                                       \
        const bailey_##real a_ = bailey_select_##real(beyond, end, magnitude);                               \
        const bailey_sum_##real ratio = bailey_tail_ratio_##real(a_);                                        \
        const bailey_##real squared = a_ * a_, rest = bailey_fma_##real(a_, a_, -squared);                   \
        const bailey_##real low = bailey_fma_##real(minus_half, rest, ratio.low);                            \
        const bailey_##real e_ = bailey_exp_inner_##real(minus_half * squared, low);                         \
        const bailey_##real lower = bailey_select_##real(beyond, bailey_splat_##real(0), e_ * ratio.high);   \
        const bailey_##mask below = bailey_lt_##integer(bailey_order_##real(x_), splat(0));                  \
        const bailey_##real y_ =                                                                             \
            bailey_select_##real(below, lower, bailey_fma_##real(-e_, ratio.high, one));                     \
        return bailey_select_##real(bailey_lt_##integer(splat(infinity), bailey_order_##real(magnitude)),    \
                                    x_, y_);                                                                 \
    }
BAILEY_NORMAL_CDF(f32, i32, m32, 4.0f, 0x1.9e6602p3f, BAILEY_INFINITY_F32, bailey_splat_i32)
#if BAILEY_HAS_F64
BAILEY_NORMAL_CDF(f64, i64, m64, 5.0, 0x1.2c27b05bf1a0ap5, BAILEY_INFINITY_F64, BAILEY_SPLAT_I64)
#endif

#endif
