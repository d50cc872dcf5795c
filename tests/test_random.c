/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Words and normals on a device against the device headers compiled as plain scalar C.
 */
#include "harness.h"

#include <bailey/device/draw.h>

#include <math.h>

static uint32_t reference_word(uint64_t seed, uint64_t stream, uint64_t i)
{
    return bailey_philox_words4(seed, stream, i / 4).word[i % 4];
}

static float reference_f32(int method, uint64_t seed, uint64_t stream, uint64_t i)
{
    return bailey_draw_f32(method, seed, stream, i & ~UINT64_C(3)).v[i % 4];
}

static double reference_f64(int method, uint64_t seed, uint64_t stream, uint64_t i)
{
    return bailey_draw_f64(method, seed, stream, i & ~UINT64_C(1)).v[i % 2];
}

static const uint64_t offsets[] = {
    0, 1, 2, 3, 4, 62, 63, 4294967295u, UINT64_C(4294967297), UINT64_MAX - 5000};
static const uint64_t counts[] = {1, 2, 3, 31, 33, 64, 127, 4099};

static void test_words(void **state)
{
    (void)state;
    for (size_t o = 0; o < sizeof offsets / sizeof offsets[0]; o++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            const bailey_random_params params = {.seed = UINT64_C(0xfedcba9876543210),
                                                 .stream = UINT64_C(0x8000000000000001),
                                                 .offset = offsets[o]};
            const uint64_t count = counts[c], shift = c % 4; /* elements left alone in front */
            bailey_buffer *buffer = poisoned((shift + count) * 4);
            OK(bailey_words_generate(context, &params, count, buffer, shift));
            uint32_t *words = harvest(buffer, (shift + count) * 4);
            for (uint64_t i = 0; i < shift; i++) assert_int_equal(words[i], 0xA5A5A5A5u);
            for (uint64_t i = 0; i < count; i++) {
                const uint32_t expected = reference_word(params.seed, params.stream, params.offset + i);
                if (words[shift + i] != expected)
                    fail_msg("offset %llu count %llu: word %llu is %08x, expected %08x",
                             (unsigned long long)params.offset, (unsigned long long)count,
                             (unsigned long long)i, words[shift + i], expected);
            }
            free(words);
        }
}

static void check_normals(bailey_precision precision, bailey_normal_method method)
{
    const size_t element = precision == BAILEY_PRECISION_F64 ? 8 : 4;
    for (size_t o = 0; o < sizeof offsets / sizeof offsets[0]; o++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            const bailey_normal_params params = {
                .seed = 12345, .stream = 6, .offset = offsets[o], .method = method, .precision = precision};
            const uint64_t count = counts[c], shift = c % 3;
            bailey_buffer *buffer = poisoned((shift + count) * element);
            OK(bailey_normals_generate(context, &params, count, buffer, shift));
            unsigned char *found = harvest(buffer, (shift + count) * element);
            unsigned char *expected = allocate((shift + count) * element);
            memset(expected, POISON, (shift + count) * element);
            for (uint64_t i = 0; i < count; i++)
                if (precision == BAILEY_PRECISION_F64)
                    ((double *)expected)[shift + i] = reference_f64(method, 12345, 6, params.offset + i);
                else
                    ((float *)expected)[shift + i] = reference_f32(method, 12345, 6, params.offset + i);
            same_bits(precision == BAILEY_PRECISION_F64 ? "f64" : "f32", found, expected, shift + count,
                      element);
            free(found);
            free(expected);
        }
}

static void test_normals_f32(void **state)
{
    (void)state;
    check_normals(BAILEY_PRECISION_F32, BAILEY_NORMAL_ICDF);
    check_normals(BAILEY_PRECISION_F32, BAILEY_NORMAL_BOX_MULLER);
}

static void test_normals_f64(void **state)
{
    (void)state;
    if (!device.has_f64) skip();
    check_normals(BAILEY_PRECISION_F64, BAILEY_NORMAL_ICDF);
    check_normals(BAILEY_PRECISION_F64, BAILEY_NORMAL_BOX_MULLER);
}

/* A long fill in one call equals the same fill cut at random places. */
static void test_chunks(void **state)
{
    (void)state;
    enum { COUNT = 1000003 };
    uint64_t random = 1;
    for (int method = 0; method < 2; method++) {
        bailey_normal_params params = {.seed = 3, .stream = 4, .method = (bailey_normal_method)method};
        bailey_buffer *whole = poisoned(COUNT * 4), *parts = poisoned(COUNT * 4);
        OK(bailey_normals_generate(context, &params, COUNT, whole, 0));
        for (uint64_t at = 0, count; at < COUNT; at += count) {
            count = next_random(&random) % 100000 + 1;
            if (count > COUNT - at) count = COUNT - at;
            params.offset = at;
            OK(bailey_normals_generate(context, &params, count, parts, at));
        }
        float *a = harvest(whole, COUNT * 4), *b = harvest(parts, COUNT * 4);
        same_bits("cut fill", b, a, COUNT, 4);
        double sum = 0, squares = 0, fourth = 0;
        for (int i = 0; i < COUNT; i++) {
            const double x = a[i];
            sum += x, squares += x * x, fourth += x * x * x * x;
        }
        /* Within 4.5 standard errors of 0, 1 and 3. */
        const double n = COUNT;
        assert_true(fabs(sum / n) < 4.5 / sqrt(n));
        assert_true(fabs(squares / n - 1) < 4.5 * sqrt(2 / n));
        assert_true(fabs(fourth / n - 3) < 4.5 * sqrt(96 / n));
        free(a);
        free(b);
    }
}

/* Streams and seeds differ in every block; the same arguments give the same words twice. */
static void test_streams(void **state)
{
    (void)state;
    enum { COUNT = 4096 };
    uint32_t *fills[4];
    for (int i = 0; i < 4; i++) {
        const bailey_random_params params = {.seed = i == 1, .stream = i == 2};
        bailey_buffer *buffer = poisoned(COUNT * 4);
        OK(bailey_words_generate(context, &params, COUNT, buffer, 0));
        fills[i] = harvest(buffer, COUNT * 4);
    }
    same_bits("repeated fill", fills[3], fills[0], COUNT, 4);
    for (int i = 0; i < COUNT; i += 4) {
        assert_memory_not_equal(fills[0] + i, fills[1] + i, 16);
        assert_memory_not_equal(fills[0] + i, fills[2] + i, 16);
        assert_memory_not_equal(fills[1] + i, fills[2] + i, 16);
    }
    for (int i = 0; i < 4; i++) free(fills[i]);
}

/* `fast` normals stay within the bounds of docs/accuracy.md of the exact ones. */
static void test_fast(void **state)
{
    (void)state;
    enum { COUNT = 1 << 20 };
    for (int method = 0; method < 2; method++) {
        bailey_normal_params params = {.seed = 5, .method = (bailey_normal_method)method};
        bailey_buffer *exact = poisoned(COUNT * 4), *fast = poisoned(COUNT * 4);
        OK(bailey_normals_generate(context, &params, COUNT, exact, 0));
        params.numerics = BAILEY_NUMERICS_FAST;
        OK(bailey_normals_generate(context, &params, COUNT, fast, 0));
        float *a = harvest(exact, COUNT * 4), *b = harvest(fast, COUNT * 4);
        for (int i = 0; i < COUNT; i++) {
            /* The bound of the fast form plus that of the exact one. */
            const double bound = method == BAILEY_NORMAL_ICDF ? fabs(a[i]) * (0x1p-20 + 4 * 0x1p-24)
                                                              : 0x1p-17 + fabs(a[i]) * 7 * 0x1p-24;
            if (!(fabs((double)a[i] - b[i]) <= bound))
                fail_msg("method %d, normal %d: fast %.9g, exact %.9g", method, i, b[i], a[i]);
        }
        free(a);
        free(b);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),       cmocka_unit_test(test_normals_f32),
                                       cmocka_unit_test(test_normals_f64), cmocka_unit_test(test_chunks),
                                       cmocka_unit_test(test_streams),     cmocka_unit_test(test_fast)};
    return harness_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
