/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * One hash of 10,000 numbers of every distribution in both precisions, by counters and by a generator with a
 * state, and of Sobol points: the same on every device and platform.
 *
 *     cc -O2 -Iinclude tools/variate_hash.c -o variate_hash build/release/libbailey.a -lm -ldl -lpthread
 *     ./variate_hash [DEVICE ...]
 */
#include <bailey/bailey.h>
#include <bailey/points.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define D(name) .distribution = BAILEY_DISTRIBUTION_##name

static const double weights[] = {1, 0, 5, 2.5, 0.25, 0, 7};
static const bailey_variate_params laws[] = {
    {D(POISSON), .mean = 1e-6},
    {D(POISSON), .mean = 30},
    {D(POISSON), .mean = 1e9, .integers = 1},
    {D(POISSON), .mean = 3000, .alias = 1},
    {D(BINOMIAL), .trials = 1000, .probability = 0.02},
    {D(GEOMETRIC), .probability = 0.1},
    {D(NEGATIVE_BINOMIAL), .shape = 2.5, .probability = 0.01},
    {D(DISCRETE), .weights = weights, .weight_count = 7},
    {D(GAMMA), .shape = 0.001},
    {D(GAMMA), .shape = 0.05, .scale = 100},
    {D(GAMMA), .shape = 0.5},
    {D(GAMMA), .shape = 1e9},
    {D(CHI_SQUARE), .freedom = 5},
    {D(BETA), .shape = 2, .second_shape = 0.7},
    {D(BETA), .shape = 0.04, .second_shape = 1e9},
    {D(STUDENT_T), .freedom = 4},
    {D(TRUNCATED_NORMAL), .lower = 8, .upper = 100},
    {D(NONCENTRAL_CHI_SQUARE), .freedom = 2.5, .noncentrality = 1000},
    {D(LOGISTIC)},
    {D(LAPLACE), .location = -3, .scale = 7},
    {D(GUMBEL)},
    {D(CAUCHY)},
    {D(WEIBULL), .shape = 1.5},
    {D(PARETO), .shape = 3},
    {D(NORMAL), .mean = 1, .stddev = 2},
    {D(LOG_NORMAL), .mean = 0.5, .stddev = 0.25},
    {D(EXPONENTIAL), .rate = 3},
};

enum { COUNT = 10000, DIMS = 5, WAYS = 3 };

static int need(bailey_status status)
{
    if (status) printf("%s\n", bailey_error_message());
    return status == BAILEY_OK;
}

/* Numbers of a law, by a way of drawing. */
static int draw(bailey_context *context, const bailey_variate_params *law, int way, bailey_buffer *out)
{
    const bailey_points_params points = {.dims = DIMS};
    bailey_source source = {.seed = 43, .generator = way == 1 ? BAILEY_GENERATOR_WARP : BAILEY_GENERATOR_PHILOX};
    if (way < 2) return need(bailey_variates_generate(context, &source, law, 7, COUNT, out, 0));
    if (law->alias) return 1;
    source.generator = BAILEY_GENERATOR_SOBOL;
    source.scramble = BAILEY_SCRAMBLE_OWEN;
    source.word_bits = law->normal.precision == BAILEY_PRECISION_F64 ? 64 : 32;
    return need(bailey_points_variates(context, &source, &points, law, 7, COUNT / DIMS, out, 0));
}

static int hash_of(const char *device, uint64_t *hash)
{
    static unsigned char bytes[COUNT * sizeof(double)];
    bailey_context *context = NULL;
    bailey_buffer *out = NULL;
    int good = need(bailey_context_create(device, NULL, &context)) &&
               need(bailey_buffer_create(context, sizeof bytes, &out)) &&
               need(bailey_buffer_write(out, 0, bytes, sizeof bytes));
    *hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv */
    for (size_t i = 0; i < sizeof laws / sizeof *laws * 2 * WAYS && good; i++) {
        bailey_variate_params law = laws[i / (2 * WAYS)];
        const size_t each = i % 2 ? sizeof(double) : sizeof(float);
        law.normal.precision = i % 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
        good = draw(context, &law, (int)(i / 2 % WAYS), out) &&
               need(bailey_buffer_read(out, 0, bytes, COUNT * each));
        for (size_t k = 0; k < COUNT * each; k++) *hash = (*hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    }
    bailey_buffer_destroy(out);
    bailey_context_destroy(context);
    return good;
}

int main(int count, char **devices)
{
    int failed = 0;
    for (int i = 1; i < count; i++) {
        uint64_t hash;
        if (hash_of(devices[i], &hash))
            printf("%-12s %016" PRIx64 "\n", devices[i], hash);
        else
            failed = 1;
    }
    return failed;
}
