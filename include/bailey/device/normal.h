/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Standard normal deviates from uniform words: the inverse CDF (one word, one normal; monotone up to
 * the last places, so low-discrepancy points keep their structure) and Box-Muller (two words, two
 * normals; cheaper). Exact profile: the same bits on every device. Fast profile (names ending in
 * _fast_f32): native functions on CUDA and in scalar OpenCL code, the exact function elsewhere.
 *
 * A word always stands for the middle of its cell, (w + 1/2) / 2^32 (or 2^53): zero and one cannot
 * occur, every result is finite, and the distribution is exactly symmetric.
 */
#ifndef BAILEY_DEVICE_NORMAL_H
#define BAILEY_DEVICE_NORMAL_H

#include "bailey/device/dialect.h"
#include "bailey/device/math.h"

typedef struct bailey_pair_f32 {
    bailey_f32 v[2];
} bailey_pair_f32;

#if BAILEY_HAS_F64
typedef struct bailey_pair_f64 {
    bailey_f64 v[2];
} bailey_pair_f64;
#endif

/* ---- Inverse CDF ---------------------------------------------------------------------------- */

/* With p the tail probability, q = 1/2 - p and s = 6 + log2(p (1 - p)), the deviate is q g(s), and g
 * is so smooth that one polynomial serves the centre and one (f64: two) each tail: no square root, no
 * division. s is a function of p (1 - p) because x / q is even in q, hence analytic there at q = 0.
 * The word is reflected as an integer, so p and q both keep full relative precision and
 * icdf(~w) = -icdf(w) holds bit for bit. */

/* The tail probability of a word, as 31 bits: w in the lower half, ~w in the upper half. */
BAILEY_FN bailey_u32 bailey_normal_reflect_u32(bailey_u32 w)
{
    return w ^ bailey_u32_bits_i32(bailey_i32_bits_u32(w) >> 31);
}

/* (k + 1/2) / 2^32 for k < 2^31. */
BAILEY_FN bailey_f32 bailey_normal_unit_f32(bailey_u32 k)
{
    return bailey_fma_f32(bailey_f32_from_i32(bailey_i32_bits_u32(k)), bailey_splat_f32(0x1p-32f),
                          bailey_splat_f32(0x1p-33f));
}

/* g(s) for -3 <= s <= 4. Minimax polynomial, relative error 2^-26.7. */
BAILEY_FN bailey_f32 bailey_normal_centre_f32(bailey_f32 s)
{
    bailey_f32 y = bailey_splat_f32(0x1.010a44p-30f);
    y = bailey_fma_f32(y, s, bailey_splat_f32(0x1.2fe96p-33f));
    y = bailey_fma_f32(y, s, bailey_splat_f32(-0x1.ccf348p-24f));
    y = bailey_fma_f32(y, s, bailey_splat_f32(-0x1.aae5fep-21f));
    y = bailey_fma_f32(y, s, bailey_splat_f32(0x1.2bee2cp-18f));
    y = bailey_fma_f32(y, s, bailey_splat_f32(0x1.1cde9ep-13f));
    y = bailey_fma_f32(y, s, bailey_splat_f32(0x1.f7900cp-11f));
    y = bailey_fma_f32(y, s, bailey_splat_f32(-0x1.c6b688p-8f));
    y = bailey_fma_f32(y, s, bailey_splat_f32(-0x1.ea0ccp-2f));
    return bailey_fma_f32(y, s, bailey_splat_f32(0x1.1be4ccp2f));
}

/* g(s) for -27 <= s <= -3 (0.39 % of all words), in v = s + 14.75. Relative error 2^-25.5. */
BAILEY_FN bailey_f32 bailey_normal_tail_f32(bailey_f32 v)
{
    bailey_f32 y = bailey_splat_f32(0x1.11c0a8p-49f);
    y = bailey_fma_f32(y, v, bailey_splat_f32(0x1.dd859ap-45f));
    y = bailey_fma_f32(y, v, bailey_splat_f32(0x1.78161ap-42f));
    y = bailey_fma_f32(y, v, bailey_splat_f32(-0x1.a27d18p-40f));
    y = bailey_fma_f32(y, v, bailey_splat_f32(-0x1.82eb66p-35f));
    y = bailey_fma_f32(y, v, bailey_splat_f32(-0x1.462aa2p-29f));
    y = bailey_fma_f32(y, v, bailey_splat_f32(-0x1.878db4p-24f));
    y = bailey_fma_f32(y, v, bailey_splat_f32(-0x1.7c545cp-19f));
    y = bailey_fma_f32(y, v, bailey_splat_f32(-0x1.7f4aacp-14f));
    y = bailey_fma_f32(y, v, bailey_splat_f32(-0x1.d5c2fap-9f));
    y = bailey_fma_f32(y, v, bailey_splat_f32(-0x1.18a9aep-2f));
    return bailey_fma_f32(y, v, bailey_splat_f32(0x1.3779f8p3f));
}

/* q g(s) with the sign of the word w, whose tail probability is k: the second half of the inverse CDF. */
BAILEY_FN bailey_f32 bailey_normal_icdf_finish_f32(bailey_u32 w, bailey_u32 k, bailey_f32 s)
{
    bailey_f32 q = bailey_normal_unit_f32(k ^ bailey_splat_u32(0x7fffffffu));
    const bailey_f32 shift = bailey_splat_f32(14.75f);
    bailey_f32 g;
#if BAILEY_LANES == 1
    g = bailey_normal_centre_f32(s);
    if (s < -3.0f) g = bailey_normal_tail_f32(s + shift);
#else
    g = bailey_select_f32(bailey_lt_f32(s, bailey_splat_f32(-3.0f)), bailey_normal_tail_f32(s + shift),
                          bailey_normal_centre_f32(s));
#endif
    return bailey_f32_bits_u32(bailey_u32_bits_f32(q * g) ^ (~w & bailey_splat_u32(0x80000000u)));
}

/* The standard normal deviate whose CDF is (w + 1/2) / 2^32. At most 3.1 ulp (measured on every
 * w: 3.033); range +-6.338; antisymmetric bit for bit; monotone but for 684 of the 2^32 steps. */
BAILEY_FN bailey_f32 bailey_normal_icdf_f32(bailey_u32 w)
{
    bailey_u32 k = bailey_normal_reflect_u32(w);
    bailey_f32 p = bailey_normal_unit_f32(k);
    return bailey_normal_icdf_finish_f32(w, k, bailey_log2_biased_f32(bailey_fma_f32(-p, p, p), 6));
}

/* The same, fast profile: the device's own logarithm. On CUDA the relative error is at most 2^-20 for
 * every w, centre and tails included (derived from the PTX manual); antisymmetric, finite. */
BAILEY_FN bailey_f32 bailey_normal_icdf_fast_f32(bailey_u32 w)
{
#if defined(BAILEY_HAS_NATIVE)
    bailey_u32 k = bailey_normal_reflect_u32(w);
    bailey_f32 p = bailey_normal_unit_f32(k);
    return bailey_normal_icdf_finish_f32(w, k, bailey_native_log2_f32(bailey_fma_f32(-p, p, p)) + 6.0f);
#else
    return bailey_normal_icdf_f32(w);
#endif
}

#if BAILEY_HAS_F64

/* g(s) for -4 <= s <= 4. Minimax polynomial, relative error 2^-53.5. */
/* clang-format off */
#define BAILEY_NORMAL_CENTRE_F64(first, next)                                                                \
    first(0x1.80a6fd0e57127p-74) next(0x1.44fcb3cf6d253p-68) next(0x1.0a5e8d61551c4p-66)                     \
    next(-0x1.7d212e0a48508p-61) next(-0x1.bc0eccc12a55ep-58) next(0x1.0c5b371006688p-55)                    \
    next(0x1.e6b705c3dda21p-51) next(0x1.0de84dac09af3p-48) next(-0x1.ff8c1e85c4a6ap-45)                     \
    next(-0x1.e914c8ca0cb86p-41) next(-0x1.7676cf65c7026p-40) next(0x1.65198bf226186p-34)                    \
    next(0x1.cd5273460d54ap-31) next(-0x1.99392a3fbba4fp-30) next(-0x1.c17beba7b30b5p-24)                    \
    next(-0x1.a3c71a4f5ba91p-21) next(0x1.2a835d0e13d19p-18) next(0x1.1cc432955c7cp-13)                      \
    next(0x1.f79838006f794p-11) next(-0x1.c6b541cc3fb72p-8) next(-0x1.ea0cc3581f3dep-2)                      \
    next(0x1.1be4cbdd6b7ap2)
/* clang-format on */
BAILEY_POLYNOMIAL_F64(bailey_normal_centre_f64, BAILEY_NORMAL_CENTRE_F64)

/* g(s) for -18 <= s <= -4 (0.2 % of all words), in v = s + 11. Relative error 2^-56.3. */
/* clang-format off */
#define BAILEY_NORMAL_TAIL_F64(first, next)                                                                  \
    first(0x1.61b025667b185p-98) next(0x1.e9b3771f19c37p-89) next(0x1.94ea3a368b09bp-84)                     \
    next(0x1.b06f3228fb5ecp-81) next(-0x1.216356f9f2c0cp-79) next(-0x1.bdefdbfbccdc4p-73)                    \
    next(-0x1.9963d18a58937p-68) next(-0x1.0ca3c6917b84p-63) next(-0x1.fbfbca027a3c6p-60)                    \
    next(-0x1.23ee650c420afp-56) next(0x1.2e46a2bc33e81p-54) next(0x1.f6f6b00a8cfcbp-48)                     \
    next(0x1.ae109358497d6p-43) next(0x1.ff6f5ef01cb22p-39) next(0x1.cd417a642c402p-35)                      \
    next(0x1.1d443c46da581p-31) next(0x1.388aae1f7e133p-31) next(-0x1.2c2dd47ff737cp-23)                     \
    next(-0x1.5531531a9f1e1p-18) next(-0x1.396c268ca087ep-13) next(-0x1.4191fd232ecf2p-8)                    \
    next(-0x1.38d9fd83e2f9cp-2) next(0x1.14cc86fab3238p3)
/* clang-format on */
BAILEY_POLYNOMIAL_F64(bailey_normal_tail_f64, BAILEY_NORMAL_TAIL_F64)

/* g(s) for -48 <= s <= -18, in v = s + 33. Relative error 2^-54.0. */
/* clang-format off */
#define BAILEY_NORMAL_FAR_TAIL_F64(first, next)                                                              \
    first(0x1.08331be602713p-116) next(0x1.058789fc6a619p-111) next(-0x1.c82b2fe26c37cp-110)                 \
    next(0x1.dee4fb7b8d009p-112) next(0x1.09d8d9df9c80cp-97) next(0x1.3604a76d6a8f3p-93)                     \
    next(-0x1.325752c1f83d4p-92) next(-0x1.2cf87fe935e56p-84) next(-0x1.3571deceb5f9ep-78)                   \
    next(-0x1.10edc93cc44ebp-72) next(-0x1.9f239422ade4p-67) next(-0x1.29b0dc0fba65dp-61)                    \
    next(-0x1.a49d325188b28p-56) next(-0x1.29e1b5612051fp-50) next(-0x1.ab7cc6e37003cp-45)                   \
    next(-0x1.3973b09df9cb4p-39) next(-0x1.da0c0634292eap-34) next(-0x1.767d2a2cbda65p-28)                   \
    next(-0x1.3be74f84b2e1bp-22) next(-0x1.291e2b81a483p-16) next(-0x1.5afe971e58a12p-10)                    \
    next(-0x1.907f131cd000ap-3) next(0x1.bcd63c80318b8p3)
/* clang-format on */
BAILEY_POLYNOMIAL_F64(bailey_normal_far_tail_f64, BAILEY_NORMAL_FAR_TAIL_F64)

/* (k + 1/2) / 2^53 for k < 2^52, exactly. */
BAILEY_FN bailey_f64 bailey_normal_unit_f64(bailey_u64 k)
{
    return bailey_f64_bits_u64(k | bailey_splat_u64(0x3fe0000000000000u)) - bailey_splat_f64(0.5 - 0x1p-54);
}

/* The tail probability of a word, as 52 bits. The low 11 bits of the word are not used. */
BAILEY_FN bailey_u64 bailey_normal_reflect_u64(bailey_u64 w)
{
    return (w ^ (bailey_splat_u64(0) - (w >> 63))) >> 11;
}

/* The standard normal deviate whose CDF is ((w >> 11) + 1/2) / 2^53. At most 3 ulp
 * (measured 2.587); range +-8.292; antisymmetric bit for bit. */
BAILEY_FN bailey_f64 bailey_normal_icdf_f64(bailey_u64 w)
{
    bailey_f64 p = bailey_normal_unit_f64(bailey_normal_reflect_u64(w));
    bailey_f64 q = bailey_splat_f64(0.5) - p;
    bailey_f64 s = bailey_log2_biased_f64(bailey_fma_f64(-p, p, p), 6);
    bailey_f64 g;
    const bailey_f64 shift = bailey_splat_f64(11.0), far_shift = bailey_splat_f64(33.0);
#if BAILEY_LANES == 1
    g = bailey_normal_centre_f64(s);
    if (s < -4.0)
        g = s < -18.0 ? bailey_normal_far_tail_f64(s + far_shift) : bailey_normal_tail_f64(s + shift);
#else
    bailey_m64 tail = bailey_lt_f64(s, bailey_splat_f64(-4.0));
    g = bailey_normal_centre_f64(s);
    if (bailey_any_m64(tail)) {
        bailey_m64 outer = bailey_lt_f64(s, bailey_splat_f64(-18.0));
        g = bailey_select_f64(tail, bailey_normal_tail_f64(s + shift), g);
        if (bailey_any_m64(outer)) g = bailey_select_f64(outer, bailey_normal_far_tail_f64(s + far_shift), g);
    }
#endif
    return bailey_f64_bits_u64(bailey_u64_bits_f64(q * g) ^ (~w & bailey_splat_u64(0x8000000000000000u)));
}

#endif

/* ---- Box-Muller ----------------------------------------------------------------------------- */

/* r = sqrt(-2 ln U) for U = (u + 1/2) / 2^32, and an angle from v: t, its low 30 bits, is uniform in
 * (-1/2, 1/2) quarter turns, bit 31 reflects the cosine and bit 30 swaps the two, so that the four
 * wedges cover the circle once:
 *
 *     bits 31, 30 of v     00: (r c, r s)   10: (-r c, r s)   01: (r s, r c)   11: (r s, -r c)
 *
 * with c = cos(pi t / 2), s = sin(pi t / 2). t is never 0. (G. E. P. Box, M. E. Muller, Ann. Math.
 * Statist. 29, 1958.) */

/* 2^23 log2 U: in this unit the exponent need not be shifted down. Where U >= 2/3, ln U = log1p(-p) is taken
 * from p = 1 - U, which keeps its relative precision. */
#define BAILEY_LOG2_UNIT 0x1p23f
#define BAILEY_LOG2_UNIT_INVERSE 0x1p-23f
BAILEY_FN bailey_f32 bailey_normal_log2_f32(bailey_u32 u)
{
    const bailey_u32 two_thirds = bailey_splat_u32(0x3f2aaaabu);
    const bailey_f32 one = bailey_splat_f32(1.0f);
    const bailey_i32 zero = bailey_splat_i32(0);
    bailey_f32 p = bailey_normal_unit_f32(bailey_normal_reflect_u32(u));
    bailey_f32 y = bailey_select_f32(bailey_lt_i32(bailey_i32_bits_u32(u), zero), one - p, p);
    bailey_u32 i = bailey_u32_bits_f32(y) - two_thirds, e = i & bailey_splat_u32(0xff800000u);
    bailey_f32 f = bailey_f32_bits_u32(bailey_u32_bits_f32(y) - e) - one;
    f = bailey_select_f32(bailey_lt_i32(bailey_i32_bits_u32(i), zero), f, -p);
    return bailey_fma_f32(f, bailey_log2_ratio_f32(f, BAILEY_LOG2_UNIT),
                          bailey_f32_from_i32(bailey_i32_bits_u32(e)));
}

/* sin(pi t / 2) / t, in w = t^2 <= 1/4. Minimax polynomial, relative error 2^-25.1. */
BAILEY_FN bailey_f32 bailey_sine_ratio_f32(bailey_f32 w)
{
    bailey_f32 y = bailey_splat_f32(-0x1.2f5992p-8f);
    y = bailey_fma_f32(y, w, bailey_splat_f32(0x1.466b2p-4f));
    y = bailey_fma_f32(y, w, bailey_splat_f32(-0x1.4abbecp-1f));
    return bailey_fma_f32(y, w, bailey_splat_f32(0x1.921fb6p0f));
}

/* (cos(pi t / 2) - 1) / t^2, in w = t^2 <= 1/4. Minimax polynomial, relative error 2^-25.0. */
BAILEY_FN bailey_f32 bailey_cosine_rest_f32(bailey_f32 w)
{
    bailey_f32 y = bailey_splat_f32(0x1.d09c24p-11f);
    y = bailey_fma_f32(y, w, bailey_splat_f32(-0x1.55a5cp-6f));
    y = bailey_fma_f32(y, w, bailey_splat_f32(0x1.03c19ep-2f));
    return bailey_fma_f32(y, w, bailey_splat_f32(-0x1.3bd3ccp0f));
}

/* r times cosine and sine, swapped and signed as bits 31 and 30 of v say. */
BAILEY_FN bailey_pair_f32 bailey_normal_place_f32(bailey_f32 r, bailey_f32 c, bailey_f32 s, bailey_u32 v)
{
    bailey_m32 swap = bailey_lt_i32(bailey_i32_bits_u32(v << 1), bailey_splat_i32(0));
    bailey_pair_f32 z;
    c = bailey_f32_bits_u32(bailey_u32_bits_f32(c) ^ (v & bailey_splat_u32(0x80000000u)));
    z.v[0] = r * bailey_select_f32(swap, s, c);
    z.v[1] = r * bailey_select_f32(swap, c, s);
    return z;
}

/* Two independent standard normal deviates from two words. Each at most 7 ulp
 * (measured 4.889); |z| <= 6.764. */
BAILEY_FN bailey_pair_f32 bailey_normal_box_muller_f32(bailey_u32 u, bailey_u32 v)
{
    bailey_f32 r = bailey_sqrt_positive_f32(bailey_normal_log2_f32(u) *
                                            bailey_splat_f32(-0x1.62e43p0f * BAILEY_LOG2_UNIT_INVERSE));

    bailey_f32 t = bailey_f32_from_i32(bailey_i32_bits_u32((v << 2) | bailey_splat_u32(2u))) *
                   bailey_splat_f32(0x1p-32f);
    bailey_f32 w = t * t;
    bailey_f32 c = bailey_fma_f32(w, bailey_cosine_rest_f32(w), bailey_splat_f32(1.0f));
    return bailey_normal_place_f32(r, c, t * bailey_sine_ratio_f32(w), v);
}

/* The same, fast profile: the device's logarithm, root, sine and cosine. On CUDA the absolute error of
 * each deviate is at most 2^-17 (derived from the PTX manual: 2^-20.5 of the sine, times r); finite.
 * Of the logarithm near 1 the device knows only the absolute error, which is too much where r is small:
 * above U = 1 - 2^-11, -2 ln U is taken to be 2 (1 - U), to 2^-18 of r. */
BAILEY_FN bailey_pair_f32 bailey_normal_box_muller_fast_f32(bailey_u32 u, bailey_u32 v)
{
#if defined(BAILEY_HAS_NATIVE)
    const float near_one = bailey_fma_f32(bailey_f32_from_i32((bailey_int32)~u), 0x1p-31f, 0x1p-32f);
    const float uniform = bailey_fma_f32((float)u, 0x1p-32f, 0x1p-33f);
    const float w = bailey_native_log2_f32(uniform) * -0x1.62e43p0f;
    const float r = bailey_native_sqrt_f32(uniform > 1.0f - 0x1p-11f ? near_one : w);
    float angle = bailey_f32_from_i32(bailey_i32_bits_u32((v << 2) | 2u)) * 0x1.921fb6p-32f;
    const float s = bailey_native_sin_f32(angle), c = bailey_native_cos_f32(angle);
    return bailey_normal_place_f32(r, c, s, v);
#else
    return bailey_normal_box_muller_f32(u, v);
#endif
}

#if BAILEY_HAS_F64

/* sin(pi t / 2) / t, in w = t^2 <= 1/4. Minimax polynomial, relative error 2^-54.5. */
/* clang-format off */
#define BAILEY_SINE_RATIO_F64(first, next)                                                                   \
    first(0x1.e357ef99ead45p-25) next(-0x1.e2fe76fdffd28p-19) next(0x1.50782d5f14825p-13)                    \
    next(-0x1.32d2ccdfe9424p-8) next(0x1.466bc67754fffp-4) next(-0x1.4abbce625be09p-1)                       \
    next(0x1.921fb54442d18p0)
/* clang-format on */
BAILEY_HELD_POLYNOMIAL_F64(bailey_sine_ratio_f64, BAILEY_SINE_RATIO_F64)

/* (cos(pi t / 2) - 1) / t^2, in w = t^2 <= 1/4. Minimax polynomial, relative error 2^-53.8. */
/* clang-format off */
#define BAILEY_COSINE_REST_F64(first, next)                                                                  \
    first(-0x1.ac2eafc93ccdap-28) next(0x1.f9b8188b0a512p-22) next(-0x1.a6d1d35595887p-16)                   \
    next(0x1.e1f506654c60ap-11) next(-0x1.55d3c7e3b7b01p-6) next(0x1.03c1f081b5a24p-2)                       \
    next(-0x1.3bd3cc9be45dep0)
/* clang-format on */
BAILEY_HELD_POLYNOMIAL_F64(bailey_cosine_rest_f64, BAILEY_COSINE_REST_F64)

/* log2 of U = ((u >> 11) + 1/2) / 2^53, as in f32. */
BAILEY_FN bailey_f64 bailey_normal_log2_f64(bailey_u64 u)
{
    const bailey_i64 zero = bailey_i64_bits_u64(bailey_splat_u64(0));
    bailey_f64 p = bailey_normal_unit_f64(bailey_normal_reflect_u64(u));
    bailey_f64 y =
        bailey_select_f64(bailey_lt_i64(bailey_i64_bits_u64(u), zero), bailey_splat_f64(1.0) - p, p);
    bailey_log2_parts_f64 l = bailey_log2_split_f64(y, 0);
    bailey_f64 f = bailey_select_f64(bailey_lt_f64(l.e, bailey_splat_f64(0.0)), l.f, -p);
    return bailey_fma_f64(f, bailey_log2_ratio_f64(f), l.e);
}

/* Two independent standard normal deviates from two words. Each at most 5 ulp
 * (measured 4.109); |z| <= 8.653.
 * U = ((u >> 11) + 1/2) / 2^53; t is bits 61 to 11 of v, in the middle of its cell; bits 63 and 62
 * place the angle as in f32. */
BAILEY_FN bailey_pair_f64 bailey_normal_box_muller_f64(bailey_u64 u, bailey_u64 v)
{
    const bailey_i64 zero = bailey_i64_bits_u64(bailey_splat_u64(0));
    bailey_f64 r = bailey_sqrt_f64(bailey_normal_log2_f64(u) * bailey_splat_f64(-0x1.62e42fefa39efp0));

    bailey_f64 t =
        bailey_f64_bits_u64(((v << 2) >> 12) | bailey_splat_u64(0x3ff0000000000001u)) - bailey_splat_f64(1.5);
    bailey_f64 w = t * t;
    bailey_f64 c = bailey_fma_f64(w, bailey_cosine_rest_f64(w), bailey_splat_f64(1.0));
    bailey_f64 s = t * bailey_sine_ratio_f64(w);
    bailey_m64 swap = bailey_lt_i64(bailey_i64_bits_u64(v << 1), zero);
    bailey_pair_f64 z;
    c = bailey_f64_bits_u64(bailey_u64_bits_f64(c) ^ (v & bailey_splat_u64(0x8000000000000000u)));
    z.v[0] = r * bailey_select_f64(swap, s, c);
    z.v[1] = r * bailey_select_f64(swap, c, s);
    return z;
}

#endif

#endif
