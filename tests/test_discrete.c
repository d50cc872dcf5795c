/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Discrete distributions: thresholds against known answers, all of them found by the table's search, aliases,
 * devices against plain C, frequencies, and what is refused.
 */
#include "harness.h"

#include <bailey/advanced.h>
#include <bailey/device/discrete.h>

#include <inttypes.h>
#include <math.h>

struct law {
    const char *name;
    bailey_distribution distribution;
};
static const struct law laws[] = {{"poisson", BAILEY_DISTRIBUTION_POISSON},
                                  {"binomial", BAILEY_DISTRIBUTION_BINOMIAL},
                                  {"geometric", BAILEY_DISTRIBUTION_GEOMETRIC},
                                  {"negative-binomial", BAILEY_DISTRIBUTION_NEGATIVE_BINOMIAL}};

/* The distribution of a line of discrete.txt. */
static bailey_variate_params params_of(const char *name, double a, double probability, int f64)
{
    bailey_variate_params p = {.normal.precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                               .probability = probability};
    size_t i = 0;
    while (i < 4 && strcmp(name, laws[i].name) != 0) i++;
    if (i == 4) fail_msg("no distribution %s", name);
    p.distribution = laws[i].distribution;
    if (p.distribution == BAILEY_DISTRIBUTION_POISSON) p.mean = a;
    if (p.distribution == BAILEY_DISTRIBUTION_BINOMIAL) p.trials = (uint64_t)a;
    if (p.distribution == BAILEY_DISTRIBUTION_NEGATIVE_BINOMIAL) p.shape = a;
    return p;
}

/* A distribution's table in the host's memory. */
struct table {
    void *memory;
    int f64;
};

static struct table table_of(const bailey_variate_params *p)
{
    bailey_buffer *buffer = NULL;
    OK(bailey_variate_table_create(context, p, &buffer));
    const uint64_t bytes = bailey_buffer_bytes(buffer);
    struct table t = {malloc(bytes), p->normal.precision == BAILEY_PRECISION_F64};
    assert_non_null(t.memory);
    OK(bailey_buffer_read(buffer, 0, t.memory, bytes));
    bailey_buffer_destroy(buffer);
    return t;
}

/* The number for U = (word + 1/2) / 2^32, or / 2^53. */
static uint64_t number_of(const struct table *t, uint64_t word)
{
    return t->f64 ? bailey_discrete_u64(t->memory, word << 11)
                  : bailey_discrete_u32(t->memory, (uint32_t)word);
}

/* Exactly so many words have the number k or less. */
static void check_threshold(const struct table *t, const char *line, uint64_t k, uint64_t words)
{
    if (words > 0 && number_of(t, words - 1) > k)
        fail_msg("%s: word %" PRIu64 " gives %" PRIu64, line, words - 1, number_of(t, words - 1));
    if (words < UINT64_C(1) << (t->f64 ? 53 : 32) && number_of(t, words) <= k)
        fail_msg("%s: word %" PRIu64 " gives %" PRIu64, line, words, number_of(t, words));
}

TEST(known, ON_CPU)
{
    char line[256], name[32], last[256] = "";
    uint64_t k, words[2], counted = 0;
    double a, probability;
    struct table tables[2] = {{NULL, 0}, {NULL, 0}};
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/discrete.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        if (sscanf(line, "%31s %lf %lf %" SCNu64 " %" SCNu64 " %" SCNu64, name, &a, &probability, &k,
                   &words[0], &words[1]) != 6)
            fail_msg("%s: not a line of discrete.txt", line);
        char law[256];
        snprintf(law, sizeof law, "%s %a %a", name, a, probability);
        for (int f64 = 0; f64 < 2; f64++) {
            if (strcmp(law, last) != 0) {
                free(tables[f64].memory);
                const bailey_variate_params p = params_of(name, a, probability, f64);
                tables[f64] = table_of(&p);
            }
            check_threshold(&tables[f64], line, k, words[f64]);
        }
        memcpy(last, law, sizeof last);
        counted++;
    }
    fclose(file);
    for (int f64 = 0; f64 < 2; f64++) free(tables[f64].memory);
    assert_int_equal(counted, 233);
}

/* The search finds each threshold of a table: the words before and after it differ by as many numbers as have
 * it. With the thresholds in order, that says all about all words. Returns whether the table has lines. */
static int check_search(const bailey_variate_params *p)
{
    const struct table t = table_of(p);
    const uint64_t *wide = t.memory;
    const uint32_t *narrow = t.memory;
    const uint64_t first = t.f64 ? wide[3] : narrow[3], least = t.f64 ? wide[2] : narrow[2];
    const uint64_t most = (UINT64_C(1) << (t.f64 ? 53 : 32)) - 1;
    uint64_t before = 0;
    for (uint64_t i = 0;; i++) {
        const uint64_t word = t.f64 ? wide[first + i] : narrow[first + i];
        if (word >= most) {
            if (number_of(&t, most) != least + i)
                fail_msg("the last word gives %" PRIu64, number_of(&t, most));
            break;
        }
        if (word < before) fail_msg("threshold %" PRIu64 " is out of order", i);
        if (number_of(&t, word) > least + i || number_of(&t, word + 1) <= least + i)
            fail_msg("threshold %" PRIu64 ", %" PRIu64 ": %" PRIu64 " and %" PRIu64, i, word,
                     number_of(&t, word), number_of(&t, word + 1));
        before = word;
    }
    if (number_of(&t, 0) < least) fail_msg("word 0 gives %" PRIu64, number_of(&t, 0));
    const int lines = (t.f64 ? wide[1] : narrow[1]) >= BAILEY_DISCRETE_LINES;
    free(t.memory);
    return lines;
}

/* 300 values that are equally probable but for every third, and 100,000 that are nearly all in one place. */
static double some_weights[300], many_weights[100000];

static void make_weights(void)
{
    for (int i = 0; i < 300; i++) some_weights[i] = i % 3 ? 0.1 : 0;
    for (int i = 0; i < 100000; i++) many_weights[i] = i == 77777 ? 1 : 1e-9;
}

static bailey_variate_params case_of(int i, int f64)
{
    const bailey_variate_params cases[] = {
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 3},
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 0},
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 1e-300},
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 54321.5},
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 2e6},
        {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .trials = 40, .probability = 0.3},
        {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .trials = 2147483647, .probability = 1},
        {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .trials = 2147483647, .probability = 1e-9},
        {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .trials = 2147483647, .probability = 1 - 0x1p-50},
        {.distribution = BAILEY_DISTRIBUTION_GEOMETRIC, .probability = 0.05},
        {.distribution = BAILEY_DISTRIBUTION_GEOMETRIC, .probability = 1},
        {.distribution = BAILEY_DISTRIBUTION_NEGATIVE_BINOMIAL, .shape = 2.5, .probability = 0.1},
        {.distribution = BAILEY_DISTRIBUTION_NEGATIVE_BINOMIAL, .probability = 0.5},
        {.distribution = BAILEY_DISTRIBUTION_DISCRETE, .weights = some_weights, .weight_count = 300},
        {.distribution = BAILEY_DISTRIBUTION_DISCRETE, .weights = many_weights, .weight_count = 100000},
        {.distribution = BAILEY_DISTRIBUTION_DISCRETE, .weights = some_weights + 1, .weight_count = 1},
        {.distribution = BAILEY_DISTRIBUTION_DISCRETE,
         .weights = some_weights,
         .weight_count = 300,
         .alias = 1},
        {.distribution = BAILEY_DISTRIBUTION_DISCRETE,
         .weights = many_weights,
         .weight_count = 100000,
         .alias = 1},
        {.distribution = BAILEY_DISTRIBUTION_DISCRETE,
         .weights = some_weights + 1,
         .weight_count = 1,
         .alias = 1},
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 54321.5, .alias = 1},
        {.distribution = BAILEY_DISTRIBUTION_GEOMETRIC, .probability = 0.05, .alias = 1},
    };
    bailey_variate_params p = {.trials = UINT64_MAX};
    if (i < (int)(sizeof cases / sizeof *cases)) p = cases[i];
    p.normal.precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    return p;
}

static uint64_t element(const struct table *t, uint64_t i)
{
    return t->f64 ? ((const uint64_t *)t->memory)[i] : ((const uint32_t *)t->memory)[i];
}

/* Aliases give each number as many words as thresholds do, and the search finds the pairs of all cells. */
static void check_aliases(bailey_variate_params p)
{
    const struct table t = table_of(&p);
    p.alias = 0;
    const struct table ordered = table_of(&p);
    const int bits = t.f64 ? 53 : 32;
    const uint64_t pieces = element(&t, 0), cells = UINT64_C(1) << pieces,
                   size = (UINT64_C(1) << bits) >> pieces;
    const uint64_t least = element(&t, 2), first = element(&ordered, 3), all = UINT64_C(1) << bits;
    uint64_t *words = allocate(cells * sizeof *words), before = 0;
    assert_int_equal(element(&t, 1), BAILEY_DISCRETE_ALIAS);
    memset(words, 0, cells * sizeof *words);
    for (uint64_t c = 0; c < cells; c++) {
        const uint64_t begin = c * size, from = element(&t, BAILEY_DISCRETE_HEAD + 2 * c);
        const uint64_t other = element(&t, BAILEY_DISCRETE_HEAD + 2 * c + 1);
        assert_true(from >= begin && from < begin + size && other >= least && other - least < cells);
        words[c] += from - begin;
        words[other - least] += begin + size - from;
        assert_int_equal(number_of(&t, from), other);
        assert_int_equal(number_of(&t, begin + size - 1), other);
        if (from > begin) assert_int_equal(number_of(&t, from - 1), least + c);
        if (from > begin) assert_int_equal(number_of(&t, begin), least + c);
    }
    for (uint64_t k = 0; k < cells; k++) {
        const uint64_t last = element(&ordered, first + k);
        const uint64_t until = last >= all - 1 ? all : last + 1;
        if (words[k] != until - before)
            fail_msg("%" PRIu64 " has %" PRIu64 " words, not %" PRIu64, least + k, words[k], until - before);
        before = until;
        if (until == all) break;
    }
    assert_int_equal(before, all);
    free(words);
    free(t.memory);
    free(ordered.memory);
}

TEST(search, ON_CPU)
{
    int tables[2] = {0, 0}; /* without and with lines */
    make_weights();
    for (int f64 = 0; f64 < 2; f64++)
        for (int i = 0; case_of(i, f64).trials != UINT64_MAX; i++) {
            const bailey_variate_params p = case_of(i, f64);
            if (p.alias)
                check_aliases(p);
            else
                tables[check_search(&p)]++;
        }
    assert_true(tables[0] > 10 && tables[1] > 1);
}

/* Numbers as floats and as integers, of a part of the sequence, against plain C on the words. */
static void check_device(const bailey_source *source, bailey_variate_params p, uint64_t first, uint64_t count)
{
    const struct table t = table_of(&p);
    const uint64_t each = t.f64 ? 2 : 1;
    const size_t element = t.f64 ? 8 : 4;
    bailey_buffer *buffer = poisoned(count * element);
    OK(bailey_words_generate(context, source, first * each, count * each, buffer, 0));
    uint32_t *words = harvest(buffer, count * element);
    unsigned char *expected = allocate(count * element);
    for (p.integers = 0; p.integers < 2; p.integers++) {
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t w = t.f64 ? words[2 * i] | (uint64_t)words[2 * i + 1] << 32 : words[i];
            const uint64_t n =
                t.f64 ? bailey_discrete_u64(t.memory, w) : bailey_discrete_u32(t.memory, (uint32_t)w);
            const uint32_t n32 = (uint32_t)n;
            const float f = (float)n;
            const double d = (double)n;
            memcpy(expected + i * element,
                   t.f64        ? p.integers ? (const void *)&n : &d
                   : p.integers ? (const void *)&n32
                                : &f,
                   element);
        }
        buffer = poisoned((count + 3) * element);
        OK(bailey_variates_generate(context, source, &p, first, count, buffer, 3));
        unsigned char *found = harvest(buffer, (count + 3) * element);
        same_bits("a discrete distribution", found + 3 * element, expected, count, element);
        for (size_t i = 0; i < 3 * element; i++) assert_int_equal(found[i], POISON);
        free(found);
    }
    free(expected);
    free(words);
    free(t.memory);
}

TEST(bits, DEVICE | LONG_ON_OPENCL)
{
    static const bailey_generator generators[] = {BAILEY_GENERATOR_PHILOX, BAILEY_GENERATOR_WARP};
    make_weights();
    for (int f64 = 0; f64 <= (device.has_f64 ? 1 : 0); f64++)
        for (int i = 0; case_of(i, f64).trials != UINT64_MAX; i++) {
            const bailey_source source = {.seed = 5, .stream = (uint64_t)i, .generator = generators[i % 2]};
            check_device(&source, case_of(i, f64), 8189, 3237);
            check_device(&source, case_of(i, f64), UINT64_C(1) << 40 | 2, 9);
        }
}

/* P(X = k) from gamma functions. */
static double mass(const bailey_variate_params *p, double k)
{
    const double n = (double)p->trials, s = p->probability;
    switch (p->distribution) {
    case BAILEY_DISTRIBUTION_POISSON: return exp(k * log(p->mean) - p->mean - lgamma(k + 1));
    case BAILEY_DISTRIBUTION_BINOMIAL:
        return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(s) + (n - k) * log1p(-s));
    case BAILEY_DISTRIBUTION_GEOMETRIC: return s * pow(1 - s, k - 1);
    case BAILEY_DISTRIBUTION_NEGATIVE_BINOMIAL:
        return exp(lgamma(k + p->shape) - lgamma(k + 1) - lgamma(p->shape) + p->shape * log(s) +
                   k * log1p(-s));
    default: return p->weights[(int)k];
    }
}

/* The chi-square statistic of frequencies, with at least 10 numbers expected in each class, as a nearly
 * normal number: its cube root, by Wilson and Hilferty (1931). */
static double excess(const bailey_variate_params *p, const uint32_t *x, uint64_t count)
{
    enum { MOST = 400 };
    double seen[MOST] = {0}, chi = 0, expected = 0, here = 0, all = 0;
    int classes = 0;
    for (uint64_t i = 0; i < count; i++) seen[x[i] < MOST ? x[i] : MOST - 1]++;
    for (int k = p->distribution == BAILEY_DISTRIBUTION_GEOMETRIC; k < MOST; k++) {
        const double share = k < MOST - 1 ? mass(p, k) * (double)count : (double)count - all;
        all += share, expected += share, here += seen[k];
        if (expected < 10 || (k < MOST - 1 && (double)count - all < 10)) continue;
        chi += (here - expected) * (here - expected) / expected;
        expected = here = 0;
        classes++;
    }
    const double v = classes - 1;
    return (cbrt(chi / v) - (1 - 2 / (9 * v))) / sqrt(2 / (9 * v));
}

/* Seeds are fixed, so that a test that passes passes always. */
TEST(frequencies, DEVICE | LONG_ON_OPENCL)
{
    static const double weights[] = {1, 5, 2.5, 0.25, 7};
    const bailey_variate_params cases[] = {
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 0.1},
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 3},
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 150.5},
        {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .trials = 10, .probability = 0.3},
        {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .trials = 300, .probability = 0.9},
        {.distribution = BAILEY_DISTRIBUTION_GEOMETRIC, .probability = 0.2},
        {.distribution = BAILEY_DISTRIBUTION_NEGATIVE_BINOMIAL, .shape = 2.5, .probability = 0.2},
        {.distribution = BAILEY_DISTRIBUTION_DISCRETE, .weights = weights, .weight_count = 5},
    };
    enum { COUNT = 50000 };
    double most = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bailey_source source = {.seed = 43, .generator = BAILEY_GENERATOR_WARP};
        bailey_variate_params p = cases[i], scaled = p;
        double share[5];
        p.integers = 1;
        bailey_buffer *buffer = poisoned(COUNT * sizeof(uint32_t));
        OK(bailey_variates_generate(context, &source, &p, 0, COUNT, buffer, 0));
        uint32_t *x = harvest(buffer, COUNT * sizeof(uint32_t));
        if (p.weights) {
            for (int k = 0; k < 5; k++) share[k] = weights[k] / 15.75;
            for (int k = 0; k < COUNT; k++) assert_true(x[k] < 5);
            double chi = 0;
            uint32_t seen[5] = {0};
            for (int k = 0; k < COUNT; k++) seen[x[k]]++;
            for (int k = 0; k < 5; k++) chi += pow(seen[k] - share[k] * COUNT, 2) / (share[k] * COUNT);
            if (chi > 23.5) fail_msg("weights: chi-square %g with 4 degrees of freedom", chi);
        } else {
            const double z = excess(&scaled, x, COUNT);
            if (!(fabs(z) < 4)) fail_msg("case %zu: %g standard deviations", i, z);
            most = fmax(most, fabs(z));
        }
        free(x);
    }
    print_message("most %.2f standard deviations\n", most);
}

TEST(refused, ON_CPU)
{
    static const double negative[] = {1, -1}, zero[] = {0, 0}, large[] = {1e300, 1e300};
    const struct {
        const char *argument, *words;
        bailey_variate_params p;
    } cases[] = {
        {"mean", "from 0 to 1e9", {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = -1}},
        {"mean", "from 0 to 1e9", {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 1.1e9}},
        {"probability", "needs one above 0", {.distribution = BAILEY_DISTRIBUTION_GEOMETRIC}},
        {"probability", "from 0 to 1", {.distribution = BAILEY_DISTRIBUTION_GEOMETRIC, .probability = 1.5}},
        {"probability", "too small", {.distribution = BAILEY_DISTRIBUTION_GEOMETRIC, .probability = 1e-5}},
        {"probability",
         "too small",
         {.distribution = BAILEY_DISTRIBUTION_NEGATIVE_BINOMIAL, .shape = 1e12, .probability = 0.5}},
        {"trials", "at least 1", {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .probability = 0.5}},
        {"trials",
         "from 0 to 2147483647",
         {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .probability = 0.5, .trials = 2147483648}},
        {"weights", "needs weights", {.distribution = BAILEY_DISTRIBUTION_DISCRETE}},
        {"weights",
         "-1",
         {.distribution = BAILEY_DISTRIBUTION_DISCRETE, .weights = negative, .weight_count = 2}},
        {"weights",
         "sum",
         {.distribution = BAILEY_DISTRIBUTION_DISCRETE, .weights = zero, .weight_count = 2}},
        {"weights",
         "sum",
         {.distribution = BAILEY_DISTRIBUTION_DISCRETE, .weights = large, .weight_count = 2}},
        {"probability",
         "must be 0",
         {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 1, .probability = 0.5}},
        {"integers", "must be 0", {.integers = 1}},
        {"scale", "must be 0", {.distribution = BAILEY_DISTRIBUTION_POISSON, .scale = 2}},
        {"alias", "must be 0", {.alias = 1}},
    };
    bailey_buffer *buffer = poisoned(16), *table;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bailey_source source = {.seed = 1};
        assert_int_equal(bailey_variates_generate(context, &source, &cases[i].p, 0, 4, buffer, 0),
                         BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), cases[i].argument);
        if (!strstr(bailey_error_message(), cases[i].words)) fail_msg("%s", bailey_error_message());
        assert_int_equal(bailey_variate_table_create(context, &cases[i].p, &table), BAILEY_ERROR_INVALID);
        assert_null(table);
    }
    assert_int_equal(bailey_variate_table_create(context, &(bailey_variate_params){0}, &table),
                     BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "distribution");
    free(harvest(buffer, 16));
}
