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
    return bailey_draw_f32(method, TABLE_F32, seed, stream, i & ~UINT64_C(3)).value[i % 4];
}

static double reference_f64(int method, uint64_t seed, uint64_t stream, uint64_t i)
{
    return bailey_draw_f64(method, TABLE_F64, seed, stream, i & ~UINT64_C(1)).value[i % 2];
}

static const uint64_t firsts[] = {
    0, 1, 2, 3, 4, 62, 63, 4294967295u, UINT64_C(4294967297), UINT64_MAX - 5000};
static const uint64_t counts[] = {1, 2, 3, 31, 33, 64, 127, 4099};

TEST(test_words, DEVICE)
{
    static const bailey_source source = {.seed = UINT64_C(0xfedcba9876543210),
                                         .stream = UINT64_C(0x8000000000000001)};
    for (size_t f = 0; f < sizeof firsts / sizeof firsts[0]; f++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            const uint64_t first = firsts[f], count = counts[c];
            const uint64_t shift = c % 4; /* elements left alone in front */
            bailey_buffer *buffer = poisoned((shift + count) * 4);
            OK(bailey_words_generate(context, &source, first, count, buffer, shift));
            uint32_t *words = harvest(buffer, (shift + count) * 4);
            for (uint64_t i = 0; i < shift; i++) assert_int_equal(words[i], 0xA5A5A5A5u);
            for (uint64_t i = 0; i < count; i++) {
                const uint32_t expected = reference_word(source.seed, source.stream, first + i);
                if (words[shift + i] != expected)
                    fail_msg("first %llu count %llu: word %llu is %08x, expected %08x",
                             (unsigned long long)first, (unsigned long long)count, (unsigned long long)i,
                             words[shift + i], expected);
            }
            free(words);
        }
}

static void check_normals(bailey_precision precision, bailey_normal_method method)
{
    static const bailey_source source = {.seed = 12345, .stream = 6};
    const bailey_normal_params normal = {.method = method, .precision = precision};
    const size_t element = precision == BAILEY_PRECISION_F64 ? 8 : 4;
    for (size_t f = 0; f < sizeof firsts / sizeof firsts[0]; f++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            const uint64_t first = firsts[f], count = counts[c], shift = c % 3;
            bailey_buffer *buffer = poisoned((shift + count) * element);
            OK(bailey_normals_generate(context, &source, &normal, first, count, buffer, shift));
            unsigned char *found = harvest(buffer, (shift + count) * element);
            unsigned char *expected = allocate((shift + count) * element);
            memset(expected, POISON, (shift + count) * element);
            for (uint64_t i = 0; i < count; i++)
                if (precision == BAILEY_PRECISION_F64)
                    ((double *)expected)[shift + i] = reference_f64(method, 12345, 6, first + i);
                else
                    ((float *)expected)[shift + i] = reference_f32(method, 12345, 6, first + i);
            same_bits(precision == BAILEY_PRECISION_F64 ? "f64" : "f32", found, expected, shift + count,
                      element);
            free(found);
            free(expected);
        }
}

TEST(normals_f32, DEVICE)
{
    check_normals(BAILEY_PRECISION_F32, BAILEY_NORMAL_METHOD_ICDF);
    check_normals(BAILEY_PRECISION_F32, BAILEY_NORMAL_METHOD_BOX_MULLER);
}

TEST(normals_f64, DEVICE)
{
    if (!device.has_f64) skip();
    check_normals(BAILEY_PRECISION_F64, BAILEY_NORMAL_METHOD_ICDF);
    check_normals(BAILEY_PRECISION_F64, BAILEY_NORMAL_METHOD_BOX_MULLER);
}

/* Within 4.5 standard errors: mean 0, second moment 1 and fourth moment 3. */
TEST(moments, DEVICE)
{
    enum { COUNT = 1000003 };
    for (int method = 0; method < 2; method++) {
        const bailey_source source = {.seed = 3, .stream = 4};
        const bailey_normal_params normal = {.method = (bailey_normal_method)method};
        bailey_buffer *buffer = poisoned(COUNT * 4);
        OK(bailey_normals_generate(context, &source, &normal, 0, COUNT, buffer, 0));
        float *a = harvest(buffer, COUNT * 4);
        double sum = 0, squares = 0, fourth = 0;
        for (int i = 0; i < COUNT; i++) {
            const double x = a[i];
            sum += x, squares += x * x, fourth += x * x * x * x;
        }
        const double n = COUNT;
        assert_true(fabs(sum / n) < 4.5 / sqrt(n));
        assert_true(fabs(squares / n - 1) < 4.5 * sqrt(2 / n));
        assert_true(fabs(fourth / n - 3) < 4.5 * sqrt(96 / n));
        free(a);
    }
}

/* Without a word on them, normals are what parameters of zero ask for. */
TEST(normals_by_default, DEVICE)
{
    enum { COUNT = 1001 };
    static const bailey_source source = {.seed = 17};
    const bailey_normal_params zero = {0};
    bailey_buffer *plain = poisoned(COUNT * 4), *asked = poisoned(COUNT * 4);
    OK(bailey_normals_generate(context, &source, NULL, 5, COUNT, plain, 0));
    OK(bailey_normals_generate(context, &source, &zero, 5, COUNT, asked, 0));
    float *a = harvest(plain, COUNT * 4), *b = harvest(asked, COUNT * 4);
    same_bits("normals by default", a, b, COUNT, 4);
    free(a);
    free(b);
}

/* Streams and seeds differ in every block; the same arguments give the same words twice. */
TEST(streams, DEVICE)
{
    enum { COUNT = 4096 };
    uint32_t *fills[4];
    for (int i = 0; i < 4; i++) {
        const bailey_source source = {.seed = i == 1, .stream = i == 2};
        bailey_buffer *buffer = poisoned(COUNT * 4);
        OK(bailey_words_generate(context, &source, 0, COUNT, buffer, 0));
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

/* `fast` normals stay within the bounds of docs/developers/accuracy.md of the exact ones. */
TEST(test_fast, DEVICE)
{
    enum { COUNT = 1 << 20 };
    for (int method = 0; method < 2; method++) {
        const bailey_source source = {.seed = 5};
        bailey_normal_params normal = {.method = (bailey_normal_method)method};
        bailey_buffer *exact = poisoned(COUNT * 4), *fast = poisoned(COUNT * 4);
        OK(bailey_normals_generate(context, &source, &normal, 0, COUNT, exact, 0));
        normal.numerics = BAILEY_NUMERICS_FAST;
        OK(bailey_normals_generate(context, &source, &normal, 0, COUNT, fast, 0));
        float *a = harvest(exact, COUNT * 4), *b = harvest(fast, COUNT * 4);
        for (int i = 0; i < COUNT; i++) {
            /* The bound of the fast form plus that of the exact one; the inverse CDF has one form. */
            const double bound = method == BAILEY_NORMAL_METHOD_ICDF ? 0 : 0x1p-17 + fabs(a[i]) * 7 * 0x1p-24;
            if (!(fabs((double)a[i] - b[i]) <= bound))
                fail_msg("method %d, normal %d: fast %.9g, exact %.9g", method, i, b[i], a[i]);
        }
        free(a);
        free(b);
    }
}

/* The device's table is the library's own. */
TEST(test_table, DEVICE)
{
    const bailey_precision unknown = (bailey_precision)7;
    for (int f64 = 0; f64 <= (int)device.has_f64; f64++) {
        const bailey_precision precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
        bailey_buffer *table = NULL, *again = NULL;
        size_t bytes = 0;
        const void *data = bailey_normal_table_data(precision, &bytes);
        assert_int_equal(bytes, f64 ? 1696 * 64 : 1024 * 16);
        assert_int_equal((uintptr_t)data % 64, 0);
        OK(bailey_normal_table(context, precision, &table));
        OK(bailey_normal_table(context, precision, &again));
        assert_ptr_equal(table, again);
        assert_int_equal(bailey_buffer_bytes(table), bytes);
        void *copy = allocate(bytes);
        OK(bailey_buffer_read(table, 0, copy, bytes));
        assert_memory_equal(copy, data, bytes);
        free(copy);
    }
    bailey_buffer *table = NULL;
    assert_null(bailey_normal_table_data(unknown, NULL));
    assert_int_equal(bailey_normal_table(context, unknown, &table), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_normal_table(context, BAILEY_PRECISION_F32, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_normal_table(NULL, BAILEY_PRECISION_F32, &table), BAILEY_ERROR_INVALID);
    assert_null(table);
}
