/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Quantiles from tables of polynomials: against known answers, in the order of the words, devices against
 * plain C, and what is refused. python/tests/test_laws.py has tests of the distributions against SciPy.
 */
#include "harness.h"

#include <bailey/advanced.h>
#include <bailey/device/tabled.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* As docs/developers/accuracy.md promises, in ulp; of beta numbers of small shapes, the last. */
static const double bounds[2] = {0.51, 0.55}, bound_of_logits = 1.6;

static bailey_variate_params params_of(const char *name, double a, double b, int f64)
{
    bailey_variate_params p = {.normal.precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32};
    if (!strcmp(name, "gamma")) {
        p.distribution = BAILEY_DISTRIBUTION_GAMMA;
        p.shape = a;
    } else if (!strcmp(name, "beta")) {
        p.distribution = BAILEY_DISTRIBUTION_BETA;
        p.shape = a;
        p.second_shape = b;
    } else if (!strcmp(name, "student-t")) {
        p.distribution = BAILEY_DISTRIBUTION_STUDENT_T;
        p.freedom = a;
    } else if (!strcmp(name, "truncated-normal")) {
        p.distribution = BAILEY_DISTRIBUTION_TRUNCATED_NORMAL;
        p.lower = a;
        p.upper = b;
    } else if (!strcmp(name, "noncentral-chi-square")) {
        p.distribution = BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE;
        p.freedom = a;
        p.noncentrality = b;
    } else {
        fail_msg("no distribution %s", name);
    }
    return p;
}

/* A distribution's table in the host's memory. */
static void *table_of(const bailey_variate_params *p)
{
    bailey_buffer *buffer = NULL;
    OK(bailey_variate_table_create(context, p, &buffer));
    const uint64_t bytes = bailey_buffer_bytes(buffer);
    void *table = malloc(bytes);
    assert_non_null(table);
    OK(bailey_buffer_read(buffer, 0, table, bytes));
    bailey_buffer_destroy(buffer);
    return table;
}

static double number_of(const void *table, int f64, uint64_t w)
{
    return f64 ? bailey_tabled_f64(table, w) : (double)bailey_tabled_f32(table, (uint32_t)w);
}

TEST(known, ON_CPU | LONG)
{
    char line[256], name[32], law[256], last[256] = "";
    unsigned bits, counted = 0;
    uint64_t w;
    double a, b, high, low, worst[2] = {0, 0}, of_logits = 0;
    void *table = NULL;
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/tabled.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        if (sscanf(line, "%31s %u %" SCNx64 " %lf %lf : %lf %lf", name, &bits, &w, &a, &b, &high, &low) != 7)
            fail_msg("%s: not a line of tabled.txt", line);
        const int f64 = bits == 64;
        snprintf(law, sizeof law, "%s %a %a %u", name, a, b, bits);
        if (strcmp(law, last) != 0) {
            const bailey_variate_params p = params_of(name, a, b, f64);
            free(table);
            table = table_of(&p);
            memcpy(last, law, sizeof last);
        }
        int exponent;
        frexp(high, &exponent);
        const double x = number_of(table, f64, w);
        const double unit = high == 0 ? DBL_TRUE_MIN : ldexp(1, exponent - (f64 ? 53 : 24));
        const double error = fabs((x - high) - low) / unit;
        const int logits =
            f64 ? ((double *)table)[1] == BAILEY_TABLED_LOGITS : ((float *)table)[1] == BAILEY_TABLED_LOGITS;
        if (logits && error <= bound_of_logits) {
            of_logits = fmax(of_logits, error);
            counted++;
            continue;
        }
        if (!(error <= bounds[f64])) fail_msg("%s: %a is off by %g ulp", line, x, error);
        worst[f64] = fmax(worst[f64], error);
        counted++;
    }
    free(table);
    fclose(file);
    print_message("most %.5f ulp in f32, %.5f in f64, %.5f of logits\n", worst[0], worst[1], of_logits);
    assert_int_equal(counted, 809);
}

/* A Poisson number of mean m is k or less where a gamma number of shape k + 1 is m or more, which relates a
 * shape of 10^9 to the thresholds of discrete.txt. */
TEST(duality, ON_CPU)
{
    char line[256];
    double mean;
    uint64_t k, words[2], counted = 0;
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/discrete.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "poisson %lf 0x0.0p+0 %" SCNu64 " %" SCNu64 " %" SCNu64, &mean, &k, &words[0],
                   &words[1]) != 4 ||
            mean != 1e9 || k > 1000000000 - 1)
            continue;
        for (int f64 = 0; f64 < 2; f64++) {
            const uint64_t all = UINT64_C(1) << (f64 ? 53 : 32), w = all - words[f64];
            const bailey_variate_params p = params_of("gamma", (double)k + 1, 0, f64);
            void *table = table_of(&p);
            if (w > 0 && number_of(table, f64, (w - 1) << (f64 ? 11 : 0)) > mean)
                fail_msg("%s: too large", line);
            if (w < all && number_of(table, f64, w << (f64 ? 11 : 0)) < mean) fail_msg("%s: too small", line);
            free(table);
        }
        counted++;
    }
    fclose(file);
    assert_true(counted >= 6);
}

/* Numbers of the words w, w + 1, ... are finite and in order. */
static void check_run(const char *what, const void *table, int f64, uint64_t w, uint64_t count)
{
    const uint64_t most = f64 ? (UINT64_C(1) << 53) - 1 : UINT32_MAX;
    double last = -INFINITY;
    for (uint64_t i = 0; i < count && w + i <= most; i++) {
        const double x = number_of(table, f64, (w + i) << (f64 ? 11 : 0));
        if (!isfinite(x) || x < last)
            fail_msg("%s, f%d, word %" PRIu64 ": %a after %a", what, f64 ? 64 : 32, w + i, x, last);
        last = x;
    }
}

/* Around every place where two pieces meet, of both sides, and at places of every scale. */
TEST(monotone, ON_CPU | LONG)
{
    static const struct {
        const char *name;
        double a, b;
    } laws[] = {{"gamma", 0.3, 0},
                {"gamma", 2.5, 0},
                {"gamma", 1e9, 0},
                {"beta", 0.5, 0.5},
                {"beta", 3, 400},
                {"student-t", 1, 0},
                {"student-t", 1e6, 0},
                {"truncated-normal", -1, 2},
                {"truncated-normal", 150, 1e9},
                {"noncentral-chi-square", 0.7, 20},
                {"gamma", 0.02, 0},
                {"beta", 0.05, 0.03}};
    uint64_t random = 43;
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        for (int f64 = 0; f64 < 2; f64++) {
            const bailey_variate_params p = params_of(laws[l].name, laws[l].a, laws[l].b, f64);
            void *table = table_of(&p);
            const int digits = f64 ? 53 : 32;
            const uint64_t all = UINT64_C(1) << digits;
            const int pieces = f64 ? (int)*(double *)table : (int)*(float *)table;
            for (int octave = pieces + 1; octave < digits - 1; octave++)
                for (uint64_t i = 0; i < UINT64_C(1) << pieces; i++) {
                    const uint64_t w = ((UINT64_C(1) << pieces) + i) << (octave - pieces);
                    check_run(laws[l].name, table, f64, w - 2, 4);
                    check_run(laws[l].name, table, f64, all - w - 2, 4);
                }
            for (int r = 0; r < 500; r++) {
                const uint64_t some = (next_random(&random) >> (64 - digits)) >> (r % digits);
                check_run(laws[l].name, table, f64, some, 40);
                check_run(laws[l].name, table, f64, all - 1 - some, 40);
                check_run(laws[l].name, table, f64, all / 2 - 20 + some / 2 * (uint64_t)(r % 2), 40);
            }
            free(table);
        }
}

TEST(bits, DEVICE | LONG)
{
    static const bailey_variate_params cases[] = {
        {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 0.5},
        {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 30, .scale = 1e-10},
        {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 0.05, .scale = 100},
        {.distribution = BAILEY_DISTRIBUTION_BETA, .shape = 0.08, .second_shape = 0.05},
        {.distribution = BAILEY_DISTRIBUTION_CHI_SQUARE, .freedom = 4.5},
        {.distribution = BAILEY_DISTRIBUTION_BETA, .shape = 2, .second_shape = 0.7},
        {.distribution = BAILEY_DISTRIBUTION_STUDENT_T, .freedom = 3},
        {.distribution = BAILEY_DISTRIBUTION_TRUNCATED_NORMAL,
         .mean = 2,
         .stddev = 3,
         .lower = 12,
         .upper = 1e9},
        {.distribution = BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE, .freedom = 2.5, .noncentrality = 1000},
    };
    enum { COUNT = 3237 };
    for (int f64 = 0; f64 <= (device.has_f64 ? 1 : 0); f64++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const bailey_source source = {
                .seed = 5, .generator = i % 2 ? BAILEY_GENERATOR_WARP : BAILEY_GENERATOR_PHILOX};
            bailey_variate_params p = cases[i];
            p.normal.precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
            void *table = table_of(&p);
            const size_t element = f64 ? 8 : 4;
            const uint64_t each = f64 ? 2 : 1, first = 8189;
            bailey_buffer *buffer = poisoned(COUNT * element);
            OK(bailey_words_generate(context, &source, first * each, COUNT * each, buffer, 0));
            uint32_t *words = harvest(buffer, COUNT * element);
            unsigned char *expected = allocate(COUNT * element);
            for (uint64_t j = 0; j < COUNT; j++) {
                const double d =
                    f64 ? bailey_tabled_f64(table, words[2 * j] | (uint64_t)words[2 * j + 1] << 32) : 0;
                const float f = f64 ? 0 : bailey_tabled_f32(table, words[j]);
                memcpy(expected + j * element, f64 ? (const void *)&d : &f, element);
            }
            buffer = poisoned(COUNT * element);
            OK(bailey_variates_generate(context, &source, &p, first, COUNT, buffer, 0));
            unsigned char *found = harvest(buffer, COUNT * element);
            same_bits("a distribution with a table", found, expected, COUNT, element);
            free(found);
            free(expected);
            free(words);
            free(table);
        }
}

TEST(refused, ON_CPU)
{
    const struct {
        const char *argument, *words;
        bailey_variate_params p;
    } cases[] = {
        {"shape", "from 0.001 to 1e+09", {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 0.0009}},
        {"shape", "from 0.001 to 1e+09", {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 2e9}},
        {"second_shape", "from 0.001", {.distribution = BAILEY_DISTRIBUTION_BETA, .second_shape = 1e-4}},
        {"second_shape",
         "one of the shapes must be at least 0.04",
         {.normal.precision = BAILEY_PRECISION_F64,
          .distribution = BAILEY_DISTRIBUTION_BETA,
          .shape = 0.01,
          .second_shape = 0.03}},
        {"freedom",
         "from 0.002 to 2e+09",
         {.distribution = BAILEY_DISTRIBUTION_CHI_SQUARE, .freedom = 0.001}},
        {"freedom", "from 0.3", {.distribution = BAILEY_DISTRIBUTION_STUDENT_T, .freedom = 0.29}},
        {"scale", "reach exp", {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 0.3, .scale = 1e-6}},
        {"scale", "must be 0", {.distribution = BAILEY_DISTRIBUTION_BETA, .scale = 2}},
        {"second_shape", "must be 0", {.distribution = BAILEY_DISTRIBUTION_GAMMA, .second_shape = 2}},
        {"freedom", "must be 0", {.distribution = BAILEY_DISTRIBUTION_GAMMA, .freedom = 2}},
        {"upper", "above lower, 0", {.distribution = BAILEY_DISTRIBUTION_TRUNCATED_NORMAL}},
        {"lower", "must be 0", {.distribution = BAILEY_DISTRIBUTION_NORMAL, .lower = 1}},
        {"lower",
         "at least 3.05176e-05 of these",
         {.distribution = BAILEY_DISTRIBUTION_TRUNCATED_NORMAL, .lower = 1000, .upper = 2000}},
        {"noncentrality",
         "from 0 to 1e6",
         {.distribution = BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE, .noncentrality = 2e6}},
        {"freedom", "from 0.6", {.distribution = BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE, .freedom = 0.5}},
        {"integers", "must be 0", {.distribution = BAILEY_DISTRIBUTION_GAMMA, .integers = 1}},
        {"alias", "must be 0", {.distribution = BAILEY_DISTRIBUTION_GAMMA, .alias = 1}},
    };
    bailey_buffer *table;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(bailey_variate_table_create(context, &cases[i].p, &table), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), cases[i].argument);
        if (!strstr(bailey_error_message(), cases[i].words)) fail_msg("%s", bailey_error_message());
        assert_null(table);
    }
}
