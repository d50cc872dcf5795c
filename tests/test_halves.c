/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers of 16 bits: rounding against sums of doubles, numbers against those of single precision, golden
 * values, limits.
 */
#include "harness.h"

#include <bailey/device/float16.h>
#include <bailey/halves.h>

#include <math.h>

/* x to the nearest multiple of its last place, ties to even, as bits: `digits` of precision, exponents from
 * `least` on. */
static uint32_t rounded(double x, int digits, int least)
{
    int exponent;
    if (x == 0) return signbit(x) ? 0x8000 : 0;
    frexp(fabs(x), &exponent);
    const int place = (exponent - 1 < least ? least : exponent - 1) - (digits - 1);
    const double units = nearbyint(ldexp(fabs(x), -place)); /* ties to even */
    const int biased = place + digits - 1 - least;          /* 0: subnormal or the first binade */
    const uint32_t sign = signbit(x) ? 0x8000 : 0,
                   bits = (uint32_t)units + ((uint32_t)biased << (digits - 1));
    const uint32_t infinity = digits == 11 ? 0x7c00 : 0x7f80;
    return sign | (bits > infinity ? infinity : bits);
}

TEST(rounding, ON_CPU)
{
    uint64_t state = 1;
    for (int i = 0; i < 2000000; i++) {
        union {
            uint32_t bits;
            float value;
        } x = {(uint32_t)next_random(&state)};
        const uint32_t kind = (uint32_t)i % 4;
        if (kind == 1) x.bits = (x.bits & 0x80000000u) | 0x32800000u | (x.bits & 0x0fffffffu); /* near 1 */
        if (kind == 2) x.bits &= 0xffff8000u;                                                  /* ties */
        if (kind == 3) x.bits = ((x.bits & 0x8f80ffffu) | 0x31000000u) & ~(0xfffu >> i % 3);
        if (!isfinite(x.value)) continue;
        const uint32_t half = bailey_float16_of_f32(x.value), brain = bailey_bfloat16_of_f32(x.value);
        const double value = (double)x.value;
        if (half != rounded(value, 11, -14)) fail_msg("%a: float16 %x", value, half);
        if (fabs(value) >= 0x1p-126 && brain != rounded(value, 8, -126))
            fail_msg("%a: bfloat16 %x", value, brain);
    }
    assert_int_equal(bailey_float16_of_f32(NAN) & 0x7fff, 0x7e00);
    assert_int_equal(bailey_bfloat16_of_f32(NAN) & 0x7fff, 0x7fc0);
    assert_int_equal(bailey_float16_of_f32(-INFINITY), 0xfc00);
    assert_int_equal(bailey_bfloat16_of_f32(INFINITY), 0x7f80);
    assert_int_equal(bailey_float16_of_f32(65519.99f), 0x7bff);
    assert_int_equal(bailey_float16_of_f32(65520), 0x7c00);
    assert_int_equal(bailey_float16_uniform(1 - 0x1p-24f), BAILEY_FLOAT16_BELOW_1);
    assert_int_equal(bailey_bfloat16_uniform(1 - 0x1p-24f), BAILEY_BFLOAT16_BELOW_1);
    assert_int_equal(bailey_float16_uniform(0x1p-24f), 1);
}

enum { COUNT = 5003, FIRST = 8189, AT = 3 };

static const bailey_source sources[] = {{.seed = 5, .stream = 2},
                                        {.seed = 5, .generator = BAILEY_GENERATOR_PHILOX7},
                                        {.seed = 5, .generator = BAILEY_GENERATOR_WARP}};
static const bailey_normal_params normals[] = {
    {0}, {.method = BAILEY_NORMAL_METHOD_BOX_MULLER}, {.word_bits = 64}};

static uint16_t expected_of(int brain, int uniform, float x)
{
    if (uniform) return (uint16_t)(brain ? bailey_bfloat16_uniform(x) : bailey_float16_uniform(x));
    return (uint16_t)(brain ? bailey_bfloat16_of_f32(x) : bailey_float16_of_f32(x));
}

/* Case -1 is uniform. */
static void check_case(const bailey_source *source, int number, int brain)
{
    const bailey_half half = brain ? BAILEY_HALF_BFLOAT16 : BAILEY_HALF_FLOAT16;
    bailey_buffer *buffer = poisoned(COUNT * sizeof(float));
    if (number < 0)
        OK(bailey_uniforms_generate(context, source, BAILEY_PRECISION_F32, 0, FIRST, COUNT, buffer, 0));
    else
        OK(bailey_normals_generate(context, source, &normals[number], FIRST, COUNT, buffer, 0));
    float *x = harvest(buffer, COUNT * sizeof(float));
    buffer = poisoned((COUNT + AT) * sizeof(uint16_t));
    if (number < 0)
        OK(bailey_uniforms_generate_half(context, source, half, 0, FIRST, COUNT, buffer, AT));
    else
        OK(bailey_normals_generate_half(context, source, &normals[number], half, FIRST, COUNT, buffer, AT));
    uint16_t *h = harvest(buffer, (COUNT + AT) * sizeof(uint16_t));
    for (int i = 0; i < COUNT; i++)
        if (h[AT + i] != expected_of(brain, number < 0, x[i]))
            fail_msg("case %d, brain %d: %a became %x", number, brain, (double)x[i], h[AT + i]);
    free(h);
    free(x);
}

TEST(bits, DEVICE | LONG_ON_OPENCL)
{
    for (int s = 0; s < 3; s++)
        for (int number = -1; number < (few_programs() && s ? 1 : 3); number++)
            for (int brain = 0; brain < 2; brain++) check_case(&sources[s], number, brain);
}

/* Hashes of FNV-1a (Fowler, Noll, Vo 1991), from this library's first version of these numbers. */
TEST(golden, DEVICE | LONG_ON_OPENCL)
{
    for (int brain = 0; brain < 2; brain++) {
        const size_t bytes = COUNT * sizeof(uint16_t);
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        bailey_buffer *buffer = poisoned(bytes);
        if (brain)
            OK(bailey_uniforms_generate_half(context, sources, BAILEY_HALF_BFLOAT16, 0, FIRST, COUNT, buffer,
                                             0));
        else
            OK(bailey_normals_generate_half(context, sources, NULL, BAILEY_HALF_FLOAT16, FIRST, COUNT, buffer,
                                            0));
        uint8_t *h = harvest(buffer, bytes);
        for (size_t i = 0; i < bytes; i++) hash = (hash ^ h[i]) * UINT64_C(0x100000001b3);
        if (hash != (brain ? UINT64_C(0xb1d6feb5da0abb93) : UINT64_C(0xc00b88775cc09d52)))
            fail_msg("0x%llx", (unsigned long long)hash);
        free(h);
    }
}

/* Of floats in memory. */
TEST(rounded_floats, DEVICE)
{
    enum { N = 1001 };
    static float x[N];
    bailey_buffer *in = NULL;
    for (int i = 0; i < N; i++) x[i] = (float)ldexp(i - 500, i % 40 - 26);
    OK(bailey_buffer_adopt_host(context, x, sizeof x, &in));
    bailey_buffer *out = poisoned(N * sizeof(uint16_t));
    OK(bailey_halves_round(context, BAILEY_HALF_FLOAT16, in, 2, N - 2, out, 1));
    uint16_t *h = harvest(out, N * sizeof(uint16_t));
    for (int i = 2; i < N; i++) assert_int_equal(h[i - 1], expected_of(0, 0, x[i]));
    bailey_buffer_destroy(in);
    free(h);
}

TEST(refused, ON_CPU)
{
    const bailey_source sobol = {.generator = BAILEY_GENERATOR_SOBOL};
    const bailey_normal_params wide = {.precision = BAILEY_PRECISION_F64};
    bailey_buffer *buffer = poisoned(16);
#define REFUSED(argument, call)                                                                              \
    assert_int_equal(call, BAILEY_ERROR_INVALID);                                                            \
    assert_string_equal(bailey_error_argument(), argument)
    REFUSED("half", bailey_uniforms_generate_half(context, sources, (bailey_half)2, 0, 0, 8, buffer, 0));
    REFUSED("word_bits",
            bailey_uniforms_generate_half(context, sources, BAILEY_HALF_FLOAT16, 16, 0, 8, buffer, 0));
    REFUSED("out", bailey_uniforms_generate_half(context, sources, BAILEY_HALF_FLOAT16, 0, 0, 8 + GUARD_BYTES,
                                                 buffer, 0));
    REFUSED("generator",
            bailey_normals_generate_half(context, &sobol, NULL, BAILEY_HALF_FLOAT16, 0, 8, buffer, 0));
    REFUSED("precision",
            bailey_normals_generate_half(context, sources, &wide, BAILEY_HALF_FLOAT16, 0, 8, buffer, 0));
    REFUSED("half", bailey_normals_generate_half(context, sources, NULL, (bailey_half)-1, 0, 8, buffer, 0));
    REFUSED("count",
            bailey_normals_generate_half(context, sources, NULL, BAILEY_HALF_FLOAT16, 0, 0, buffer, 0));
    REFUSED("in", bailey_halves_round(context, BAILEY_HALF_FLOAT16, NULL, 0, 1, buffer, 0));
    REFUSED("count", bailey_halves_round(context, BAILEY_HALF_FLOAT16, buffer, 0, 0, buffer, 0));
    free(harvest(buffer, 16));
}
