/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The quantiles of bailey/device/quantile.h: against known answers, monotone, and as distributions by the
 * test of Kolmogorov and Smirnov. test_distributions.c compares devices with them.
 */
#include "harness.h"

#include <bailey/device/distribution.h>

#include <inttypes.h>
#include <math.h>

/* What docs/developers/accuracy.md promises, in ulp; next to U = 1/e, where a Gumbel number passes 0, its
 * error is also allowed to be so much. */
static const double bound = 0.51, gumbel_f32 = 0x1p-35, gumbel_f64 = 0x1p-66;

static float quantile_f32(bailey_distribution distribution, uint32_t w, double shape)
{
    const double high = (float)(1 / shape);
    const float low = (float)(fma(-high, shape, 1) / shape);
    switch (distribution) {
    case BAILEY_DISTRIBUTION_LOGISTIC: return bailey_logistic_f32(w);
    case BAILEY_DISTRIBUTION_LAPLACE: return bailey_laplace_f32(w);
    case BAILEY_DISTRIBUTION_GUMBEL: return bailey_gumbel_f32(w);
    case BAILEY_DISTRIBUTION_CAUCHY: return bailey_cauchy_f32(w);
    case BAILEY_DISTRIBUTION_WEIBULL: return bailey_weibull_f32(w, (float)high, low);
    case BAILEY_DISTRIBUTION_PARETO: return bailey_pareto_f32(w, (float)high, low);
    default: fail_msg("distribution %d has no closed form here", (int)distribution); return 0;
    }
}

static double quantile_f64(bailey_distribution distribution, uint64_t w, double shape)
{
    const double high = 1 / shape, low = fma(-high, shape, 1) / shape;
    switch (distribution) {
    case BAILEY_DISTRIBUTION_LOGISTIC: return bailey_logistic_f64(w);
    case BAILEY_DISTRIBUTION_LAPLACE: return bailey_laplace_f64(w);
    case BAILEY_DISTRIBUTION_GUMBEL: return bailey_gumbel_f64(w);
    case BAILEY_DISTRIBUTION_CAUCHY: return bailey_cauchy_f64(w);
    case BAILEY_DISTRIBUTION_WEIBULL: return bailey_weibull_f64(w, high, low);
    case BAILEY_DISTRIBUTION_PARETO: return bailey_pareto_f64(w, high, low);
    default: fail_msg("distribution %d has no closed form here", (int)distribution); return 0;
    }
}

static const struct {
    const char *name;
    bailey_distribution distribution;
    double shapes[6]; /* up to a 0 */
} quantiles[] = {
    {"logistic", BAILEY_DISTRIBUTION_LOGISTIC, {1}},
    {"laplace", BAILEY_DISTRIBUTION_LAPLACE, {1}},
    {"gumbel", BAILEY_DISTRIBUTION_GUMBEL, {1}},
    {"cauchy", BAILEY_DISTRIBUTION_CAUCHY, {1}},
    {"weibull", BAILEY_DISTRIBUTION_WEIBULL, {0.3, 0.5, 1, 2.5, 1000}},
    {"pareto", BAILEY_DISTRIBUTION_PARETO, {0.3, 0.5, 1, 2.5, 1000}},
};
enum { QUANTILES = sizeof quantiles / sizeof *quantiles };

/* The unit in the last place of x with so many digits. */
static double unit(double x, int digits)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent - digits);
}

TEST(known, HOST)
{
    char line[256], name[32];
    unsigned bits, counted = 0;
    uint64_t w;
    double shape, high, low;
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/quantiles.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#') continue;
        int q = QUANTILES;
        if (sscanf(line, "%31s %u %" SCNx64 " %lf : %lf %lf", name, &bits, &w, &shape, &high, &low) == 6)
            for (q = 0; q < QUANTILES && strcmp(name, quantiles[q].name) != 0; q++) continue;
        if (q == QUANTILES) fail_msg("%s: not a line of quantiles.txt", line);
        const bailey_distribution distribution = quantiles[q].distribution;
        const double x = bits == 32 ? (double)quantile_f32(distribution, (uint32_t)w, shape)
                                    : quantile_f64(distribution, w, shape);
        double most = bound * unit(high, bits == 32 ? 24 : 53);
        if (distribution == BAILEY_DISTRIBUTION_GUMBEL) most += bits == 32 ? gumbel_f32 : gumbel_f64;
        const double error = fabs((x - high) - low);
        if (!(error <= most)) fail_msg("%s: %a is off by %g, more than %g", line, x, error, most);
        counted++;
    }
    fclose(file);
    assert_int_equal(counted, 2 * (4 * 60 + 2 * 6 * 25));
}

/* Runs of neighbouring words, each compared with the next: at every scale from both ends and from the middle,
 * and around U = 1/e. All numbers are finite and none is 0. */
TEST(monotone, HOST)
{
    enum { RUN = 64 };
    const int runs = getenv("BAILEY_TEST_QUICK") ? 200 : 4000;
    const uint64_t middle = UINT64_C(1) << 63, inverse_e = UINT64_C(0x5e2d58d8b3bcdf1a);
    uint64_t random = 43;
    for (int q = 0; q < QUANTILES; q++)
        for (int s = 0; s < 6 && quantiles[q].shapes[s] != 0; s++)
            for (int r = 0; r < runs; r++) {
                const double shape = quantiles[q].shapes[s];
                const uint64_t scale = next_random(&random) % 64, some = next_random(&random) >> scale;
                const uint64_t from[] = {some, ~some, middle + (some >> 1), middle - (some >> 1),
                                         inverse_e - (32 << 11)};
                const uint64_t w = from[r % 5];
                for (int f64 = 0; f64 < 2; f64++) {
                    const uint64_t step = f64 ? UINT64_C(1) << 11 : UINT64_C(1) << 32;
                    double last = 0;
                    for (uint64_t i = 0; i < RUN && (i == 0 || w + i * step >= step); i++) {
                        const uint64_t word = w + i * step;
                        const double x = f64 ? quantile_f64(quantiles[q].distribution, word, shape)
                                             : (double)quantile_f32(quantiles[q].distribution,
                                                                    (uint32_t)(word >> 32), shape);
                        if (!isfinite(x) || x == 0 || (i > 0 && x < last))
                            fail_msg("%s, f%d, shape %g, word %016" PRIx64 ": %a after %a", quantiles[q].name,
                                     f64 ? 64 : 32, shape, word, x, last);
                        last = x;
                    }
                }
            }
}

/* Symmetric ones are exactly that. */
TEST(symmetric, HOST)
{
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        const uint64_t w = next_random(&random) >> (i % 64);
        assert_true(bailey_logistic_f64(~w) == -bailey_logistic_f64(w));
        assert_true(bailey_cauchy_f64(~w) == -bailey_cauchy_f64(w));
        assert_true(bailey_cauchy_f32(~(uint32_t)w) == -bailey_cauchy_f32((uint32_t)w));
        assert_true(bailey_laplace_f64(~w) == -bailey_laplace_f64(w));
        assert_true(bailey_logistic_f32(~(uint32_t)w) == -bailey_logistic_f32((uint32_t)w));
        assert_true(bailey_laplace_f32(~(uint32_t)w) == -bailey_laplace_f32((uint32_t)w));
    }
}

static double cdf(const bailey_variate_params *p, double x)
{
    const double z = (x - p->location) / p->scale;
    switch (p->distribution) {
    case BAILEY_DISTRIBUTION_LOGISTIC: return 1 / (1 + exp(-z));
    case BAILEY_DISTRIBUTION_LAPLACE: return z < 0 ? exp(z) / 2 : 1 - exp(-z) / 2;
    case BAILEY_DISTRIBUTION_GUMBEL: return exp(-exp(-z));
    case BAILEY_DISTRIBUTION_CAUCHY: return 0.5 + atan(z) / 3.14159265358979323846;
    case BAILEY_DISTRIBUTION_WEIBULL: return -expm1(-pow(z, p->shape));
    default: return 1 - pow(z, -p->shape);
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The p-value of the largest distance of n sorted probabilities from a uniform distribution, by Kolmogorov's
 * series. */
static double kolmogorov(const double *u, int n)
{
    double distance = 0, p = 0;
    for (int i = 0; i < n; i++)
        distance = fmax(distance, fmax(u[i] - i / (double)n, (i + 1) / (double)n - u[i]));
    const double t = distance * (sqrt(n) + 0.12 + 0.11 / sqrt(n));
    for (int k = 1; k <= 100; k++) p += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * t * t);
    return p;
}

/* 18 distributions, each of two generators and two precisions; as seeds are fixed, p-values are too. All 72
 * are above 1e-5, which random numbers miss in one of 1,400 cases. */
TEST(laws, DEVICE | LONG_ON_OPENCL)
{
    enum { COUNT = 20000 };
    static const double locations[] = {0, -3, 0.5}, scales[] = {1, 0.25, 40}, shapes[] = {0.5, 1.7, 9};
    static const bailey_generator generators[] = {BAILEY_GENERATOR_PHILOX, BAILEY_GENERATOR_WARP};
    double *u = allocate(COUNT * sizeof *u), least = 1;
    for (int q = 0; q < QUANTILES; q++)
        for (int s = 0; s < 3; s++)
            for (int g = 0; g < 2; g++)
                for (int f64 = 0; f64 <= (device.has_f64 ? 1 : 0); f64++) {
                    const int shaped = quantiles[q].shapes[1] != 0;
                    const bailey_source source = {
                        .seed = 43, .stream = (uint64_t)s, .generator = generators[g]};
                    const bailey_variate_params p = {.normal.precision =
                                                         f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                                                     .distribution = quantiles[q].distribution,
                                                     .location = shaped ? 0 : locations[s],
                                                     .scale = scales[s],
                                                     .shape = shaped ? shapes[s] : 0};
                    const size_t element = f64 ? 8 : 4;
                    bailey_buffer *buffer = poisoned(COUNT * element);
                    OK(bailey_variates_generate(context, &source, &p, 0, COUNT, buffer, 0));
                    void *x = harvest(buffer, COUNT * element);
                    for (int i = 0; i < COUNT; i++)
                        u[i] = cdf(&p, f64 ? ((double *)x)[i] : (double)((float *)x)[i]);
                    qsort(u, COUNT, sizeof *u, ascending);
                    const double value = kolmogorov(u, COUNT);
                    if (value < 1e-5)
                        fail_msg("%s, set %d, generator %d, f%d: p-value %g", quantiles[q].name, s, g,
                                 f64 ? 64 : 32, value);
                    least = fmin(least, value);
                    free(x);
                }
    print_message("least p-value %.4f\n", least);
    free(u);
}
