/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * From sums to estimates (src/host/run/estimate.c), against sums in long double over the same numbers.
 */
#include <host/run/estimate.h>

#include "harness.h"

#include <math.h>

enum { MOST = 5, PATHS = 1000, REPLICATES = 6 };

static double value[MOST][REPLICATES][PATHS];
static double sums_of[MOST + MOST * (MOST + 1) / 2 + 4 * MOST];

/* The sums of a replicate, as kernels/simulation_code.h orders them. */
static struct bly_sums sum(uint32_t outputs, int replicate, uint64_t paths, int products, int shape)
{
    double *to = sums_of;
    memset(sums_of, 0, sizeof sums_of);
    for (int power = 1; power <= (shape ? 4 : 2); power++)
        for (uint32_t a = 0; a < outputs; a++)
            for (uint32_t b = a; b < (power == 2 && products ? outputs : a + 1); b++, to++)
                for (uint64_t p = 0; p < paths; p++)
                    *to += power == 2 ? value[a][replicate][p] * value[b][replicate][p]
                                      : pow(value[a][replicate][p], power);
    for (int sign = 1; shape && sign >= -1; sign -= 2)
        for (uint32_t a = 0; a < outputs; a++, to++) {
            *to = value[a][replicate][0];
            for (uint64_t p = 1; p < paths; p++)
                if (sign * value[a][replicate][p] < sign * *to) *to = value[a][replicate][p];
        }
    return (struct bly_sums){outputs, products, shape, paths, sums_of};
}

static void estimate(uint32_t outputs, int replicates, uint64_t paths, int shape, int points,
                     const double *expected, bailey_estimate *out, double *covariance)
{
    struct bly_estimator *estimator = bly_estimator_create(outputs, expected);
    assert_non_null(estimator);
    for (int r = 0; r < replicates; r++) {
        const struct bly_sums s = sum(outputs, r, paths, expected || covariance, shape);
        bly_estimator_add(estimator, &s);
    }
    bly_estimator_finish(estimator, points, out, covariance);
    bly_estimator_destroy(estimator);
}

/* Mean of (x - mean of x)^a (y - mean of y)^b over all paths of the replicates from `first` on. */
static long double moment(uint32_t x, int a, uint32_t y, int b, int first, int replicates, uint64_t paths)
{
    long double mean[2] = {0, 0}, total = 0;
    const long double n = (long double)replicates * (long double)paths;
    for (int r = first; r < first + replicates; r++)
        for (uint64_t p = 0; p < paths; p++) mean[0] += value[x][r][p] / n, mean[1] += value[y][r][p] / n;
    for (int r = first; r < first + replicates; r++)
        for (uint64_t p = 0; p < paths; p++)
            total += powl(value[x][r][p] - mean[0], a) * powl(value[y][r][p] - mean[1], b);
    return total / n;
}

static long double mean_of(uint32_t x, int first, int replicates, uint64_t paths)
{
    long double total = 0;
    for (int r = first; r < first + replicates; r++)
        for (uint64_t p = 0; p < paths; p++) total += value[x][r][p];
    return total / ((long double)replicates * (long double)paths);
}

static void near(const char *what, double found, long double expected, double scale)
{
    if (!(fabsl(found - expected) <= 1e-11 * scale))
        fail_msg("%s is %.17g, expected %.17Lg", what, found, expected);
}

/* 0: skew, 1: far from zero, 2: of both, 3: +1 and -1 alternately, 4: constant. */
static int fill(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int r = 0; r < REPLICATES; r++)
        for (int p = 0; p < PATHS; p++) {
            const double u = next_uniform(&random), w = next_uniform(&random);
            value[0][r][p] = u * u;
            value[1][r][p] = 10 + w;
            value[2][r][p] = 3 + 2 * u * u - 0.5 * w;
            value[3][r][p] = p % 2 ? 1 : -1;
            value[4][r][p] = 0.1;
        }
    return 0;
}

TEST(moments, HOST)
{
    bailey_estimate e[MOST];
    double covariance[MOST * MOST];
    for (int shape = 0; shape < 2; shape++) {
        estimate(MOST, 1, PATHS, shape, 0, NULL, e, covariance);
        for (uint32_t a = 0; a < MOST; a++) {
            const long double n = PATHS, m2 = moment(a, 2, a, 0, 0, 1, PATHS),
                              m3 = moment(a, 3, a, 0, 0, 1, PATHS), m4 = moment(a, 4, a, 0, 0, 1, PATHS);
            near("mean", e[a].mean, mean_of(a, 0, 1, PATHS), 10);
            near("variance", e[a].variance, m2 * n / (n - 1), 100);
            near("standard error", e[a].standard_error, sqrtl(m2 / (n - 1)), 100);
            assert_true(e[a].controlled == e[a].mean &&
                        e[a].controlled_standard_error == e[a].standard_error);
            assert_true(e[a].paths == PATHS);
            for (uint32_t b = 0; b < MOST; b++)
                near("covariance", covariance[a * MOST + b], moment(a, 1, b, 1, 0, 1, PATHS) * n / (n - 1),
                     100);
            if (!shape) assert_true(isnan(e[a].skewness) && isnan(e[a].minimum) && isnan(e[a].maximum));
            if (!shape || a == 4) continue;
            near("skewness", e[a].skewness, m3 / (m2 * sqrtl(m2)), 1e6);
            near("kurtosis", e[a].kurtosis, m4 / (m2 * m2) - 3, 1e8);
        }
    }
    assert_true(e[3].mean == 0 && e[3].minimum == -1 && e[3].maximum == 1);
    assert_true(e[3].skewness == 0 && e[3].kurtosis == -2);
    assert_true(e[4].variance == 0 && e[4].standard_error == 0 && e[4].skewness == 0 && e[4].minimum == 0.1);
}

TEST(few_paths, HOST)
{
    bailey_estimate e[MOST];
    double covariance[MOST * MOST];
    estimate(MOST, 1, 1, 1, 0, NULL, e, covariance);
    for (uint32_t a = 0; a < MOST; a++) {
        assert_true(e[a].mean == value[a][0][0] && e[a].minimum == e[a].mean && e[a].maximum == e[a].mean);
        assert_true(isnan(e[a].standard_error) && isnan(e[a].controlled_standard_error) &&
                    e[a].variance == 0);
        assert_true(e[a].skewness == 0 && e[a].kurtosis == 0);
    }
    for (uint32_t i = 0; i < MOST * MOST; i++) assert_true(fabs(covariance[i]) < 1e-12);
    estimate(MOST, 1, 2, 0, 0, NULL, e, NULL);
    near("half the distance", e[3].standard_error, 1, 1);
    estimate(MOST, 1, PATHS, 0, 1, NULL, e, NULL); /* points */
    for (uint32_t a = 0; a < MOST; a++)
        assert_true(isnan(e[a].standard_error) && isnan(e[a].controlled_standard_error));
}

/* The mean of means, and the error of their spread. */
TEST(replicates, HOST)
{
    bailey_estimate e[MOST];
    for (int points = 0; points < 2; points++)
        for (int count = 2; count <= REPLICATES; count += 2) {
            double covariance[MOST * MOST];
            estimate(MOST, count, PATHS, 1, points, NULL, e, covariance);
            for (uint32_t a = 0; a < MOST; a++) {
                long double mean = 0, square = 0, least = INFINITY;
                for (int r = 0; r < count; r++) mean += mean_of(a, r, 1, PATHS) / count;
                for (int r = 0; r < count; r++) square += powl(mean_of(a, r, 1, PATHS) - mean, 2);
                for (int r = 0; r < count; r++)
                    for (int p = 0; p < PATHS; p++) least = fminl(least, value[a][r][p]);
                const long double n = (long double)count * PATHS;
                near("mean", e[a].mean, mean, 10);
                if (a != 3) /* whose replicates agree */
                    near("standard error", e[a].standard_error, sqrtl(square / (count - 1) / count), 1000);
                near("variance", e[a].variance, moment(a, 2, a, 0, 0, count, PATHS) * n / (n - 1), 100);
                near("covariance", covariance[a], moment(0, 1, a, 1, 0, count, PATHS) * n / (n - 1), 100);
                assert_true(e[a].minimum == (double)least && e[a].paths == (uint64_t)count * PATHS);
            }
        }
}

/* Output 2 is a linear combination of the controls 0 and 1. */
TEST(exact_controls, HOST)
{
    bailey_estimate e[MOST];
    const double expected[MOST] = {0.3, 10.25, NAN, NAN, NAN}, answer = 3 + 2 * 0.3 - 0.5 * 0.25;
    for (int count = 1; count <= REPLICATES; count++) {
        estimate(MOST, count, PATHS, 0, 0, expected, e, NULL);
        near("controlled", e[2].controlled, answer, 100);
        assert_in_range((int64_t)(e[2].controlled_standard_error * 1e12), 0,
                        100000); /* of the sums' rounding */
        near("constant", e[4].controlled, 0.1, 1);
        assert_true(e[2].standard_error > 1e-3);
        assert_true(e[0].controlled == e[0].mean && e[0].controlled_standard_error == e[0].standard_error);
    }
}

/* One control: the slope is covariance over variance, and takes a degree of freedom. */
TEST(one_control, HOST)
{
    bailey_estimate e[MOST];
    const double expected[MOST] = {NAN, 10.5, NAN, NAN, NAN};
    estimate(MOST, 1, PATHS, 0, 0, expected, e, NULL);
    const long double n = PATHS, c = moment(1, 2, 1, 0, 0, 1, PATHS), b = moment(1, 1, 2, 1, 0, 1, PATHS),
                      rest = moment(2, 2, 2, 0, 0, 1, PATHS) - b * b / c;
    near("controlled", e[2].controlled, mean_of(2, 0, 1, PATHS) + b / c * (10.5 - mean_of(1, 0, 1, PATHS)),
         100);
    near("its error", e[2].controlled_standard_error, sqrtl(rest / (n - 2)), 1000);
    estimate(MOST, 1, 2, 0, 0, expected, e, NULL); /* no degree of freedom is left */
    assert_true(isnan(e[2].controlled_standard_error) && isfinite(e[2].controlled));
}

/* Controls that depend on each other, or do not vary, are left out and do no harm. */
TEST(idle_controls, HOST)
{
    bailey_estimate alone[MOST], e[MOST];
    const double one[MOST] = {NAN, 10.5, NAN, NAN, NAN}, two[MOST] = {NAN, 10.5, NAN, NAN, 0.1};
    double kept[REPLICATES][PATHS];
    estimate(MOST, 1, PATHS, 0, 0, one, alone, NULL);
    estimate(MOST, 1, PATHS, 0, 0, two, e, NULL);
    near("beside a constant", e[2].controlled, alone[2].controlled, 10);
    near("its error", e[2].controlled_standard_error, alone[2].controlled_standard_error, 1);
    memcpy(kept, value[4], sizeof kept);
    for (int p = 0; p < PATHS; p++) value[4][0][p] = 2 * value[1][0][p] + 7;
    const double twice[MOST] = {NAN, 10.5, NAN, NAN, 28};
    estimate(MOST, 1, PATHS, 0, 0, twice, e, NULL);
    memcpy(value[4], kept, sizeof kept);
    near("beside itself", e[2].controlled, alone[2].controlled, 10);
    near("its error", e[2].controlled_standard_error, alone[2].controlled_standard_error, 1);
}

/* Replicates that alternate between +1 and -1 all have the same mean, which says nothing of its error; a
 * constant has none. */
TEST(no_spread, HOST)
{
    bailey_estimate e[MOST];
    const double expected[MOST] = {NAN, NAN, NAN, NAN, 0.1};
    for (int points = 0; points < 2; points++)
        for (int controls = 0; controls < 2; controls++) {
            estimate(MOST, REPLICATES, PATHS, 0, points, controls ? expected : NULL, e, NULL);
            assert_true(e[3].mean == 0 && isnan(e[3].standard_error) &&
                        isnan(e[3].controlled_standard_error));
            assert_true(isnan(e[3].interval_low) && isnan(e[3].interval_high));
            assert_true(e[4].standard_error <= 1e-17 && e[0].standard_error > 0);
        }
    double kept[REPLICATES][PATHS];
    memcpy(kept, value[3], sizeof kept);
    for (int r = 0; r < REPLICATES; r++) /* sums that differ by their rounding alone */
        for (int p = 0; p < PATHS; p++) value[3][r][p] = (p + r) % 2 ? 0.7 : 0.1;
    estimate(MOST, REPLICATES, PATHS, 0, 1, NULL, e, NULL);
    memcpy(value[3], kept, sizeof kept);
    assert_true(fabs(e[3].mean - 0.4) < 1e-12 && isnan(e[3].standard_error));
}

/* Student's quantiles, of SciPy 1.15, and the intervals made of them. */
TEST(intervals, HOST)
{
    static const struct {
        uint64_t freedom;
        double quantile;
    } known[] = {{1, 12.7062047361747},  {7, 2.36462425159278},   {15, 2.13144954555978},
                 {20, 2.08596344726586}, {21, 2.07961384472768},  {31, 2.03951344639641},
                 {63, 1.99834054252074}, {1000, 1.96233908082641}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(fabs(bailey_student_95(known[i].freedom) - known[i].quantile) < 3e-7);
    assert_true(isnan(bailey_student_95(0)) && bailey_student_95(UINT64_MAX) == 1.959963984540054);
    bailey_estimate e[MOST];
    for (int count = 1; count <= REPLICATES; count++) {
        const double expected[MOST] = {NAN, 10.5, NAN, NAN, NAN};
        const double errors = bailey_student_95(count > 1 ? (uint64_t)count - 1 : PATHS - 1);
        estimate(MOST, count, PATHS, 0, 0, expected, e, NULL);
        assert_true(e[0].interval_low == fma(-errors, e[0].controlled_standard_error, e[0].controlled));
        assert_true(e[0].interval_high == fma(errors, e[0].controlled_standard_error, e[0].controlled));
    }
}

FIXTURE(fill, NULL)
