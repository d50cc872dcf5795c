/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Both tails of single-precision normals. D. B. Thomas's example: a word becomes a float before it is looked
 * at which half it is in; floats next to 1 are 2^-24 apart, so that 256 words have one value there, 128 give
 * infinity, and the upper half of the distribution has the values of 2^23 floats, while the lower half is
 * fine. Box-Muller made so has the same flaw at small radii. Each check is one function of a transform and a
 * side: what bailey does passes on both sides; the naive form, with everything after its uniform number done
 * in double, passes on the good side and fails the same check on the other.
 *
 * BAILEY_TEST_VERBOSE in the environment prints the figures.
 */
#include <bailey/advanced.h>
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "test.h"

enum { OUTER = 1 << 17 }; /* words looked at one by one: beyond 4.01, or radii below 0.0078 and above 4.56 */

typedef enum side { LOW, HIGH } side;

/* Word number k from the lower or the upper end. */
static uint32_t word_at(side s, uint32_t k) { return s == LOW ? k : ~k; }

/* ---- Transforms ------------------------------------------------------------------------------- */

static double beyond(double x) { return 0.5 * erfc(x * sqrt(0.5)); }

/* x with beyond(x) = p, 0 < p <= 1/2: Newton's method for the logarithm. */
static double deviate(double p)
{
    double x = sqrt(-2 * log(p)) * 0.8;
    for (int i = 0; i < 8; i++) {
        const double q = beyond(x);
        x += log(q / p) * q / (exp(-0.5 * x * x) / sqrt(2 * M_PI));
    }
    return x;
}

/* A float in (0, 1]: the constant keeps it from 0, not from 1. */
static float naive_uniform(uint32_t w) { return (float)w * 0x1p-32f + 0x1p-33f; }

static float naive_icdf(uint32_t w)
{
    const double p = (double)naive_uniform(w);
    if (p == 1) return INFINITY;
    return (float)(p <= 0.5 ? -deviate(p) : deviate(1 - p));
}

static float naive_radius(uint32_t w) { return sqrtf(-2.0f * logf(naive_uniform(w))); }

static const float *table; /* of the inverse CDF */

static float our_icdf(uint32_t w) { return bailey_normal_icdf_f32(table, w); }

/* The cosine of word 0 is 1. */
static float our_radius(uint32_t w) { return bailey_normal_box_muller_f32(w, 0).value[0]; }

typedef float (*transform)(uint32_t);

/* ---- Checks: 1 where all is well ---------------------------------------------------------------- */

static int judged(const char *what, transform f, side s, int good, double figure, double limit)
{
    if (getenv("BAILEY_TEST_VERBOSE"))
        printf("%-36s %-12s %-5s %14.7g, limit %10.7g: %s\n", what,
               f == our_icdf     ? "icdf"
               : f == our_radius ? "radius"
               : f == naive_icdf ? "naive icdf"
                                 : "naive radius",
               s == LOW ? "low" : "high", figure, limit, good ? "passes" : "fails");
    return good;
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static uint32_t distinct(transform f, side s, uint32_t first, uint32_t count)
{
    float *z = malloc(count * sizeof *z);
    assert_non_null(z);
    for (uint32_t k = 0; k < count; k++) z[k] = f(word_at(s, first + k));
    qsort(z, count, sizeof *z, by_value);
    uint32_t different = 1;
    for (uint32_t k = 1; k < count; k++) different += z[k] != z[k - 1];
    free(z);
    return different;
}

static int check_finite(transform f, side s)
{
    uint32_t infinite = 0;
    for (uint32_t k = 0; k < OUTER; k++) {
        const float z = f(word_at(s, k));
        infinite += !isfinite(z) || z == 0;
    }
    return judged("infinite or zero", f, s, infinite == 0, infinite, 0);
}

/* At one end nearly every word has a distinct value. */
static int check_distinct(transform f, side s)
{
    const double found = distinct(f, s, 0, OUTER);
    return judged("distinct values", f, s, found >= 0.99 * OUTER, found, 0.99 * OUTER);
}

/* Word k of an end has k + 1/2 of 2^32 beyond it. */
static double tail_of(transform f, side s, float z)
{
    const double x = (double)z;
    if (f == our_icdf || f == naive_icdf) return beyond(s == LOW ? -x : x);
    return s == LOW ? exp(-0.5 * x * x) : -expm1(-0.5 * x * x);
}

static int check_probability(transform f, side s)
{
    double worst = 0;
    for (uint32_t k = 0; k < OUTER; k++) {
        const double error = fabs(tail_of(f, s, f(word_at(s, k))) / (((double)k + 0.5) * 0x1p-32) - 1);
        if (!(error <= worst)) worst = error;
    }
    return judged("relative error of the tail", f, s, worst < 3e-5, worst, 3e-5);
}

/* Words beyond x: within one of the 2^32 P(Z > x) there should be. */
static int check_counts(transform f, side s)
{
    static const double edges[] = {4.25, 4.5, 5, 5.5, 6};
    int good = 1;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const double expected = beyond(edges[i]) * 0x1p32;
        uint32_t found = 0;
        for (uint32_t k = 0; k < OUTER; k++) found += fabs((double)f(word_at(s, k))) > edges[i];
        char what[40];
        snprintf(what, sizeof what, "words beyond %g", edges[i]);
        good &= judged(what, f, s, fabs(found - expected) <= 1, found, expected);
    }
    return good;
}

/* Words drawn from the last 2^20 of an end: beyond 5 to 6, as many as there should be. */
static int check_sample(transform f, side s)
{
    enum { BLOCKS = 1 << 18 };
    static const double edges[] = {4.5, 5, 5.5, 6};
    uint32_t found[4] = {0};
    for (uint32_t b = 0; b < BLOCKS; b++) {
        const bailey_philox_block w = bailey_philox_words4(20261121, s, b);
        for (int j = 0; j < 4; j++) {
            const double z = fabs((double)f(word_at(s, w.word[j] >> 12)));
            for (int i = 0; i < 4; i++) found[i] += z > edges[i];
        }
    }
    int good = 1;
    for (int i = 0; i < 4; i++) {
        const double p = beyond(edges[i]) * 0x1p12, expected = 4 * BLOCKS * p;
        char what[40];
        snprintf(what, sizeof what, "sample beyond %g", edges[i]);
        good &= judged(what, f, s, fabs(found[i] - expected) < 4.5 * sqrt(expected), found[i], expected);
    }
    return good;
}

/* ---- Tests -------------------------------------------------------------------------------------- */

/* Ours passes on both sides, the naive form on `fine` and not on the other. */
static void compare(int (*check)(transform, side), transform ours, transform naive, side fine)
{
    assert_true(check(ours, LOW));
    assert_true(check(ours, HIGH));
    assert_true(check(naive, fine));
    assert_false(check(naive, fine == LOW ? HIGH : LOW));
}

TEST(icdf, LONG)
{
    compare(check_finite, our_icdf, naive_icdf, LOW);
    compare(check_distinct, our_icdf, naive_icdf, LOW);
    compare(check_probability, our_icdf, naive_icdf, LOW);
    compare(check_counts, our_icdf, naive_icdf, LOW);
    compare(check_sample, our_icdf, naive_icdf, LOW);
}

/* Large radii are those of small words: they make both tails, small radii the centre. */
TEST(box_muller, HOST)
{
    compare(check_finite, our_radius, naive_radius, LOW);
    compare(check_distinct, our_radius, naive_radius, LOW);
    compare(check_probability, our_radius, naive_radius, LOW);
}

/* Mirror images bit for bit; of the naive form hardly one. */
TEST(symmetry, HOST)
{
    uint32_t ours = 0, naive = 0;
    for (uint32_t k = 0; k < OUTER; k++) {
        ours += our_icdf(k) == -our_icdf(~k);
        naive += naive_icdf(k) == -naive_icdf(~k);
    }
    assert_int_equal(ours, OUTER);
    assert_true(naive < OUTER / 100);
}

/* Not only the tail: anywhere in the upper half the naive form has few values. */
TEST(halves, HOST)
{
    for (int bit = 18; bit <= 30; bit += 4) {
        const uint32_t first = UINT32_C(1) << bit, ours = distinct(our_icdf, HIGH, first, OUTER),
                       low = distinct(naive_icdf, LOW, first, OUTER),
                       high = distinct(naive_icdf, HIGH, first, OUTER);
        if (getenv("BAILEY_TEST_VERBOSE"))
            printf("%d words from 2^%d on have values: ours %u, naive %u low, %u high\n", OUTER, bit,
                   (unsigned)ours, (unsigned)low, (unsigned)high);
        assert_int_equal(distinct(our_icdf, LOW, first, OUTER), ours);
        assert_true(2 * high < ours);
        assert_true(2 * low > ours);
    }
}

/* Any words: both tails of Box-Muller's pairs and of the inverse CDF. */
TEST(counts, LONG)
{
    enum { BLOCKS = 1 << 22 };
    static const double edges[] = {3, 4, 4.5, 5};
    static uint32_t found[2][2][4]; /* of the method and the side */
    for (uint32_t b = 0; b < BLOCKS; b++) {
        const bailey_philox_block w = bailey_philox_words4(5, 0, b);
        for (int j = 0; j < 4; j++) {
            const float pair = bailey_normal_box_muller_f32(w.word[j & 2], w.word[(j & 2) + 1]).value[j & 1];
            const double z[2] = {(double)our_icdf(w.word[j]), (double)pair};
            for (int m = 0; m < 2; m++)
                for (int i = 0; i < 4 && fabs(z[m]) > edges[i]; i++) found[m][z[m] > 0][i]++;
        }
    }
    for (int m = 0; m < 2; m++)
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < 4; i++) {
                const double expected = 4.0 * BLOCKS * beyond(edges[i]);
                if (fabs(found[m][s][i] - expected) > 4.5 * sqrt(expected))
                    fail_msg("%s: %u beyond %s%g, expected %g", m ? "Box-Muller" : "inverse CDF",
                             (unsigned)found[m][s][i], s ? "" : "-", edges[i], expected);
            }
}

static int set_up(void **state)
{
    (void)state;
    table = bailey_normal_table_data(BAILEY_PRECISION_F32, NULL);
    return 0;
}
FIXTURE(set_up, NULL)
