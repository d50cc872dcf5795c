/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Copulas: the words' numbers enclose the correlated normals and numbers of Student's t, Kendall's tau has
 * its closed form, words give the numbers of distributions, limits.
 */
#include "harness.h"

#include <bailey/advanced.h>
#include <bailey/copulas.h>
#include <bailey/device/tabled.h>

#include <math.h>

enum { DIMS = 3, COUNT = 1003, FIRST = 77 };
static const double correlation[] = {1, 0.5, -0.3, 0.5, 1, 0.2, -0.3, 0.2, 1};
static const bailey_source philox = {.seed = 3, .stream = 4};

/* Normals of the copula's dimensions, and chi-square numbers after them, [dim][vector]. */
static float *numbers_of(double freedom)
{
    const bailey_variate_params chi_square = {.distribution = BAILEY_DISTRIBUTION_CHI_SQUARE,
                                              .freedom = freedom};
    bailey_buffer *buffer = poisoned((DIMS + 1) * COUNT * sizeof(float));
    for (uint64_t d = 0; d < DIMS; d++)
        OK(bailey_normals_generate(context, &philox, NULL, (d << 38) + FIRST, COUNT, buffer, d * COUNT));
    if (freedom > 0)
        OK(bailey_variates_generate(context, &philox, &chi_square, ((uint64_t)DIMS << 38) + FIRST, COUNT,
                                    buffer, DIMS * COUNT));
    return harvest(buffer, (DIMS + 1) * COUNT * sizeof(float));
}

/* The correlation's factor, by hand. */
static double component(const float *z, int dim, int i)
{
    const double c21 = (0.2 + 0.3 * 0.5) / sqrt(0.75);
    const double rows[DIMS][DIMS] = {
        {1, 0, 0}, {0.5, sqrt(0.75), 0}, {-0.3, c21, sqrt(1 - 0.09 - c21 * c21)}};
    double sum = 0;
    for (int j = 0; j <= dim; j++) sum += rows[dim][j] * (double)z[j * COUNT + i];
    return sum;
}

/* The number of word w - 1 + step, within what rounding may move a component. */
static void encloses(double low, double high, double x)
{
    const double slack = 1e-5 * (fabs(x) + 1e-3);
    if (low > x + slack || high < x - slack) fail_msg("%g is not in %g to %g", x, low, high);
}

static void check_ranks(double freedom)
{
    const bailey_variate_params student = {.distribution = BAILEY_DISTRIBUTION_STUDENT_T, .freedom = freedom};
    bailey_buffer *buffer = poisoned(DIMS * COUNT * sizeof(uint32_t)), *table = NULL;
    void *memory = NULL;
    OK(bailey_copula_generate(context, &philox, correlation, DIMS, freedom, BAILEY_PRECISION_F32, FIRST,
                              COUNT, buffer));
    uint32_t *w = harvest(buffer, DIMS * COUNT * sizeof(uint32_t));
    float *z = numbers_of(freedom);
    if (freedom > 0) {
        OK(bailey_variate_table_create(context, &student, &table));
        memory = allocate(bailey_buffer_bytes(table));
        OK(bailey_buffer_read(table, 0, memory, bailey_buffer_bytes(table)));
        bailey_buffer_destroy(table);
    }
    for (int d = 0; d < DIMS; d++)
        for (int i = 0; i < COUNT; i++) {
            const uint32_t word = w[d * COUNT + i], next = word == UINT32_MAX ? word : word + 1;
            double x = component(z, d, i);
            if (freedom > 0) x *= sqrt(freedom / (double)z[DIMS * COUNT + i]);
            if (freedom > 0)
                encloses((double)bailey_tabled_f32(memory, word), (double)bailey_tabled_f32(memory, next), x);
            else
                encloses((double)bailey_normal_icdf_f32(TABLE_F32, word),
                         (double)bailey_normal_icdf_f32(TABLE_F32, next), x);
        }
    free(memory);
    free(z);
    free(w);
}

TEST(ranks, DEVICE | REPEATED_ON_OPENCL)
{
    check_ranks(0);
    check_ranks(3.5);
}

/* Independent normals keep their words, but for those with the same number. */
TEST(independent, DEVICE | LONG_ON_OPENCL)
{
    const int f64 = device.has_f64 ? 1 : 0;
    const size_t element = f64 ? 8 : 4;
    bailey_buffer *buffer = poisoned(COUNT * element);
    OK(bailey_copula_generate(context, &philox, NULL, 1, 0, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                              FIRST, COUNT, buffer));
    void *w = harvest(buffer, COUNT * element);
    buffer = poisoned(COUNT * 2 * sizeof(uint32_t));
    OK(bailey_words_generate(context, &philox, FIRST * element / 4, COUNT * element / 4, buffer, 0));
    void *expected = harvest(buffer, COUNT * 2 * sizeof(uint32_t));
    for (int i = 0; i < COUNT; i++) {
        const int same = f64 ? bailey_normal_icdf_f64(TABLE_F64, ((uint64_t *)w)[i]) ==
                                   bailey_normal_icdf_f64(TABLE_F64, ((uint64_t *)expected)[i])
                             : bailey_normal_icdf_f32(TABLE_F32, ((uint32_t *)w)[i]) ==
                                   bailey_normal_icdf_f32(TABLE_F32, ((uint32_t *)expected)[i]);
        if (!same) fail_msg("f64 %d: word %d", f64, i);
    }
    free(expected);
    free(w);
}

/* Kendall's tau is 2 / pi asin(rho), for Gaussian and Student's copulas; words are uniform; points may be the
 * source. */
TEST(kendall, ON_CPU)
{
    enum { N = 4096 };
    static uint32_t w[2][N];
    const double rho[] = {1, 0.6, 0.6, 1}, expected = 2 / acos(-1.0) * asin(0.6);
    const bailey_source sobol = {.seed = 1, .generator = BAILEY_GENERATOR_SOBOL},
                        *sources[] = {&philox, &sobol};
    for (int c = 0; c < 4; c++) {
        bailey_buffer *buffer = NULL;
        double concordant = 0, mean = 0;
        OK(bailey_buffer_adopt_host(context, w, sizeof w, &buffer));
        OK(bailey_copula_generate(context, sources[c / 2], rho, 2, c % 2 ? 4 : 0, BAILEY_PRECISION_F32, 0, N,
                                  buffer));
        bailey_buffer_destroy(buffer);
        for (int i = 0; i < N; i++) {
            mean += w[0][i] * 0x1p-32 / N;
            for (int j = 0; j < i; j++) concordant += (w[0][i] < w[0][j]) == (w[1][i] < w[1][j]);
        }
        const double tau = 4 * concordant / ((double)N * (N - 1)) - 1;
        if (fabs(tau - expected) > 0.03) fail_msg("case %d: tau is %g, not %g", c, tau, expected);
        if (fabs(mean - 0.5) > (c / 2 ? 0.005 : 0.02)) fail_msg("case %d: the mean is %g", c, mean);
    }
}

/* Words of a source give the numbers that the source gives. */
TEST(words, DEVICE | LONG_ON_OPENCL)
{
    static const bailey_variate_params cases[] = {
        {.distribution = BAILEY_DISTRIBUTION_GUMBEL, .location = 1},
        {.distribution = BAILEY_DISTRIBUTION_LOG_NORMAL, .stddev = 0.5},
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 3, .integers = 1},
        {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 2.5}};
    for (int c = 0; c < 4; c++) {
        bailey_buffer *words = poisoned((COUNT + 2) * 4), *out = poisoned((COUNT + 3) * 4);
        OK(bailey_words_generate(context, &philox, FIRST, COUNT, words, 2));
        OK(bailey_variates_of_words(context, &cases[c], words, 2, COUNT, out, 3));
        free(harvest(words, (COUNT + 2) * 4));
        uint32_t *x = harvest(out, (COUNT + 3) * 4);
        out = poisoned(COUNT * 4);
        OK(bailey_variates_generate(context, &philox, &cases[c], FIRST, COUNT, out, 0));
        void *expected = harvest(out, COUNT * 4);
        same_bits("numbers of words", x + 3, expected, COUNT, 4);
        free(expected);
        free(x);
    }
}

TEST(refused, ON_CPU)
{
    const bailey_source mt = {.generator = BAILEY_GENERATOR_MT19937, .sequence = BAILEY_SEQUENCE_PUBLISHED};
    const bailey_variate_params muller = {.normal.method = BAILEY_NORMAL_METHOD_BOX_MULLER};
    const double wrong[] = {1, 0.5, 0.4, 1}, indefinite[] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1};
    bailey_buffer *buffer = poisoned(64);
#define REFUSED(argument, source, matrix, dims, freedom, first, count)                                       \
    assert_int_equal(bailey_copula_generate(context, source, matrix, dims, freedom, BAILEY_PRECISION_F32,    \
                                            first, count, buffer),                                           \
                     BAILEY_ERROR_INVALID);                                                                  \
    assert_string_equal(bailey_error_argument(), argument)
    REFUSED("source", NULL, NULL, 1, 0, 0, 1);
    REFUSED("dims", &philox, NULL, 0, 0, 0, 1);
    REFUSED("dims", &philox, NULL, 65, 0, 0, 1);
    REFUSED("correlation", &philox, wrong, 2, 0, 0, 1);
    REFUSED("correlation", &philox, indefinite, 3, 0, 0, 1);
    REFUSED("freedom", &philox, NULL, 2, 0.5, 0, 1);
    REFUSED("freedom", &philox, NULL, 2, NAN, 0, 1);
    REFUSED("count", &philox, NULL, 2, 0, 0, 0);
    REFUSED("first", &philox, NULL, 2, 0, UINT64_C(1) << 38, 1);
    REFUSED("generator", &mt, NULL, 2, 0, 0, 1);
    REFUSED("words", &philox, NULL, 2, 0, 0, 1000);
    assert_int_equal(bailey_variates_of_words(context, &muller, buffer, 0, 2, buffer, 2),
                     BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "method");
    free(harvest(buffer, 64));
}
