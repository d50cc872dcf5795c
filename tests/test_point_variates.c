/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Points in other distributions: number by number as computed from the words of the points, in both layouts,
 * and as evenly spread as the points.
 */
#include "harness.h"

#include <bailey/advanced.h>
#include <bailey/device/discrete.h>
#include <bailey/device/distribution.h>
#include <bailey/device/tabled.h>
#include <bailey/points.h>

#include <math.h>

static const bailey_variate_params cases[] = {
    {.distribution = BAILEY_DISTRIBUTION_NORMAL, .mean = 0.5, .stddev = 2},
    {.distribution = BAILEY_DISTRIBUTION_GUMBEL},
    {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 3},
    {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 2.5},
};
enum { CASES = sizeof cases / sizeof *cases };

static void *table_of(const bailey_variate_params *p)
{
    bailey_buffer *buffer = NULL;
    if (p->distribution < BAILEY_DISTRIBUTION_POISSON) return NULL;
    OK(bailey_variate_table_create(context, p, &buffer));
    void *table = allocate(bailey_buffer_bytes(buffer));
    OK(bailey_buffer_read(buffer, 0, table, bailey_buffer_bytes(buffer)));
    bailey_buffer_destroy(buffer);
    return table;
}

static double number_of(const bailey_variate_params *p, const void *table, uint64_t w)
{
    const int f64 = p->normal.precision == BAILEY_PRECISION_F64;
    const uint32_t v = (uint32_t)w;
    switch (p->distribution) {
    case BAILEY_DISTRIBUTION_LOG_NORMAL: return (double)bailey_exp_f32(bailey_normal_icdf_f32(TABLE_F32, v));
    case BAILEY_DISTRIBUTION_EXPONENTIAL: return (double)bailey_exponential_f32(v, -0x1.62e42fefa39efp-1f);
    case BAILEY_DISTRIBUTION_WEIBULL: return (double)bailey_weibull_f32(v, (float)(1 / p->shape), 0);
    case BAILEY_DISTRIBUTION_PARETO: return (double)bailey_pareto_f32(v, (float)(1 / p->shape), 0);
    case BAILEY_DISTRIBUTION_NORMAL:
        return f64 ? fma(p->stddev, bailey_normal_icdf_f64(TABLE_F64, w), p->mean)
                   : (double)fmaf((float)p->stddev, bailey_normal_icdf_f32(TABLE_F32, v), (float)p->mean);
    case BAILEY_DISTRIBUTION_GUMBEL: return f64 ? bailey_gumbel_f64(w) : (double)bailey_gumbel_f32(v);
    case BAILEY_DISTRIBUTION_LOGISTIC: return f64 ? bailey_logistic_f64(w) : (double)bailey_logistic_f32(v);
    case BAILEY_DISTRIBUTION_LAPLACE: return f64 ? bailey_laplace_f64(w) : (double)bailey_laplace_f32(v);
    case BAILEY_DISTRIBUTION_CAUCHY: return f64 ? bailey_cauchy_f64(w) : (double)bailey_cauchy_f32(v);
    default: break;
    }
    if (p->distribution < BAILEY_DISTRIBUTION_GAMMA)
        return f64 ? bailey_discrete_f64(table, w) : (double)bailey_discrete_f32(table, v);
    return f64 ? bailey_tabled_f64(table, w) : (double)bailey_tabled_f32(table, v);
}

TEST(bits, DEVICE | LONG_ON_OPENCL)
{
    enum { DIMS = 5, POINTS = 1003 };
    for (int c = 0; c < CASES; c++)
        for (int f64 = 0; f64 <= (device.has_f64 ? 1 : 0); f64++)
            for (int by_dim = 0; by_dim < 2; by_dim++) {
                bailey_variate_params p = cases[c];
                p.normal.precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
                const bailey_source source = {.seed = 3,
                                              .generator = BAILEY_GENERATOR_SOBOL,
                                              .scramble = BAILEY_SCRAMBLE_OWEN,
                                              .word_bits = f64 ? 64 : 32};
                const bailey_points_params words = {.form = BAILEY_POINTS_FORM_WORDS,
                                                    .layout = (bailey_points_layout)by_dim,
                                                    .first_dim = 7,
                                                    .dims = DIMS};
                const bailey_points_params params = {
                    .layout = (bailey_points_layout)by_dim, .first_dim = 7, .dims = DIMS};
                const size_t element = f64 ? 8 : 4, bytes = DIMS * POINTS * element;
                void *table = table_of(&p);
                bailey_buffer *buffer = poisoned(bytes);
                OK(bailey_points_generate(context, &source, &words, 99, POINTS, buffer, 0));
                void *w = harvest(buffer, bytes);
                buffer = poisoned(bytes + 3 * element);
                OK(bailey_points_variates(context, &source, &params, &p, 99, POINTS, buffer, 3));
                char *x = harvest(buffer, bytes + 3 * element);
                for (int i = 0; i < DIMS * POINTS; i++) {
                    const uint64_t word = f64 ? ((uint64_t *)w)[i] : ((uint32_t *)w)[i];
                    const double expected = number_of(&p, table, word);
                    const double found =
                        f64 ? ((double *)(void *)x)[i + 3] : (double)((float *)(void *)x)[i + 3];
                    if (found != expected)
                        fail_msg("case %d, f64 %d, %d: %a, not %a", c, f64, i, found, expected);
                }
                free(x);
                free(w);
                free(table);
            }
}

/* With 2^m points, the numbers up to k are within 1 of their probability's share, in each dimension. */
TEST(even, ON_CPU)
{
    enum { DIMS = 3, POINTS = 4096 };
    const bailey_source source = {
        .seed = 3, .generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN};
    const bailey_points_params params = {.layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR, .dims = DIMS};
    const bailey_variate_params p = {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 3, .integers = 1};
    bailey_buffer *buffer = poisoned(DIMS * POINTS * sizeof(uint32_t));
    OK(bailey_points_variates(context, &source, &params, &p, 0, POINTS, buffer, 0));
    uint32_t *x = harvest(buffer, DIMS * POINTS * sizeof(uint32_t));
    for (int d = 0; d < DIMS; d++) {
        double share = 0, term = exp(-3);
        for (uint32_t k = 0; k < 12; k++, term *= 3.0 / k) {
            int count = 0;
            share += term;
            for (int i = 0; i < POINTS; i++) count += x[d * POINTS + i] <= k;
            if (fabs(count - share * POINTS) > 1)
                fail_msg("%d of %g numbers are %u or less", count, share * POINTS, k);
        }
    }
    free(x);
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Number k in order of 2^12 points is one of the words that begin with k, in each dimension and of every
 * distribution; exponential numbers fall. */
TEST(strata, ON_CPU)
{
    enum { DIMS = 2, POINTS = 4096 };
    static const double weights[] = {1, 5, 2.5, 0.25, 7};
    static const bailey_variate_params laws[] = {
        {.distribution = BAILEY_DISTRIBUTION_NORMAL, .mean = 0.5, .stddev = 2},
        {.distribution = BAILEY_DISTRIBUTION_LOG_NORMAL},
        {.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL},
        {.distribution = BAILEY_DISTRIBUTION_WEIBULL, .shape = 0.5},
        {.distribution = BAILEY_DISTRIBUTION_PARETO, .shape = 2},
        {.distribution = BAILEY_DISTRIBUTION_DISCRETE, .weights = weights, .weight_count = 5},
        {.distribution = BAILEY_DISTRIBUTION_LOGISTIC},
        {.distribution = BAILEY_DISTRIBUTION_LAPLACE},
        {.distribution = BAILEY_DISTRIBUTION_GUMBEL},
        {.distribution = BAILEY_DISTRIBUTION_CAUCHY},
        {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 3000},
        {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .trials = 1000000, .probability = 0.3},
        {.distribution = BAILEY_DISTRIBUTION_GEOMETRIC, .probability = 0.01},
        {.distribution = BAILEY_DISTRIBUTION_NEGATIVE_BINOMIAL, .shape = 2.5, .probability = 0.01},
        {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 0.3},
        {.distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 0.02},
        {.distribution = BAILEY_DISTRIBUTION_CHI_SQUARE, .freedom = 5},
        {.distribution = BAILEY_DISTRIBUTION_BETA, .shape = 2, .second_shape = 0.7},
        {.distribution = BAILEY_DISTRIBUTION_STUDENT_T, .freedom = 4},
        {.distribution = BAILEY_DISTRIBUTION_TRUNCATED_NORMAL, .lower = 8, .upper = 100},
        {.distribution = BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE, .freedom = 4, .noncentrality = 30},
    };
    enum { ALL = BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE + 1, TWICE = 1 };
    assert_int_equal(sizeof laws / sizeof *laws, ALL + TWICE); /* gamma twice */
    const bailey_source source = {
        .seed = 4, .generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN};
    const bailey_points_params params = {.layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR, .dims = DIMS};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        void *table = table_of(&laws[i]);
        bailey_buffer *buffer = poisoned(DIMS * POINTS * sizeof(float));
        OK(bailey_points_variates(context, &source, &params, &laws[i], 0, POINTS, buffer, 0));
        float *x = harvest(buffer, DIMS * POINTS * sizeof(float));
        for (int d = 0; d < DIMS; d++) {
            qsort(x + d * POINTS, POINTS, sizeof *x, compare);
            for (uint64_t k = 0; k < POINTS; k++) {
                const int falls = laws[i].distribution == BAILEY_DISTRIBUTION_EXPONENTIAL;
                const uint64_t cell = falls ? POINTS - 1 - k : k,
                               ends[] = {cell << 20, ((cell + 1) << 20) - 1};
                const double here = (double)x[(uint64_t)d * POINTS + k];
                const double low = number_of(&laws[i], table, ends[falls]);
                const double high = number_of(&laws[i], table, ends[!falls]);
                if (!(here >= low && here <= high))
                    fail_msg("law %zu: number %d is %g, not from %g to %g", i, (int)k, here, low, high);
            }
        }
        free(x);
        free(table);
    }
}

TEST(refused, ON_CPU)
{
    const bailey_source sobol = {.generator = BAILEY_GENERATOR_SOBOL}, philox = {.seed = 1};
    const bailey_variate_params gumbel = {.distribution = BAILEY_DISTRIBUTION_GUMBEL},
                                wide = {.normal.precision = BAILEY_PRECISION_F64,
                                        .distribution = BAILEY_DISTRIBUTION_GUMBEL},
                                muller = {.normal.method = BAILEY_NORMAL_METHOD_BOX_MULLER};
    const bailey_points_params beyond = {.first_dim = BAILEY_POINTS_MAX_DIMS - 1, .dims = 2};
    bailey_buffer *buffer = poisoned(16);
#define REFUSED(argument, source, params, variate, points)                                                   \
    assert_int_equal(bailey_points_variates(context, source, params, variate, 0, points, buffer, 0),         \
                     BAILEY_ERROR_INVALID);                                                                  \
    assert_string_equal(bailey_error_argument(), argument)
    REFUSED("generator", &philox, NULL, &gumbel, 4);
    REFUSED("word_bits", &sobol, NULL, &wide, 2);
    REFUSED("method", &sobol, NULL, &muller, 4);
    REFUSED("points", &sobol, NULL, &gumbel, 0);
    REFUSED("out", &sobol, NULL, &gumbel, 100000);
    REFUSED("first_dim", &sobol, &beyond, &gumbel, 2);
    REFUSED("variate", &sobol, NULL, NULL, 4);
    const bailey_variate_params alias = {.distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 3, .alias = 1};
    REFUSED("alias", &sobol, NULL, &alias, 4);
    free(harvest(buffer, 16));
}
