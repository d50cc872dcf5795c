/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The algorithm of multilevel quasi-Monte Carlo (src/host/mlmc/quasi_driver.c), with levels whose means and
 * whose replicates' spread are known: replicate r of level l has the mean MEAN 2^(-alpha l) + d_r, where d_r
 * falls as a power of the points and its squares have the sum that the wanted variance says.
 */
#include <base/alloc.h>
#include <host/mlmc/driver.h>

#include "harness.h"

#include <math.h>

enum { REPLICATES = 32, MOST_ROUNDS = 200 };

#define DOUBT (1 + sqrt(2. / 31)) /* by which variances of 32 replicates are taken to be larger */

struct fake {
    double mean, alpha, spread, beta;
    double gain;        /* variances of means fall as points^-gain */
    double sample;      /* variance of a sample on level 0 */
    uint32_t bad_level; /* pays NaN; 0: none does */
    uint32_t nothing;   /* this level has a mean of almost 0; 0: none has */
    bailey_status fails;
    uint64_t points[BAILEY_MLMC_MAX_LEVELS];
    uint32_t rounds, ranges[MOST_ROUNDS];
};

static double level_mean(const struct fake *f, uint32_t level)
{
    return f->nothing && level == f->nothing ? 1e-9 : f->mean * exp2(-f->alpha * level);
}

/* The variance of the mean of `replicates` replicates. */
static double level_variance(const struct fake *f, uint32_t level, double points, uint32_t replicates)
{
    return f->spread * exp2(-f->beta * level) * pow(points, -f->gain) / replicates;
}

/* The mean of a replicate: above and below in turns, so that the squares of all add up as they should. */
static double replicate_mean(const struct fake *f, uint32_t level, double points, uint32_t replicate,
                             uint32_t replicates)
{
    const double d = sqrt(level_variance(f, level, points, replicates) * (replicates - 1));
    return level_mean(f, level) + (replicate % 2 ? d : -d);
}

static void check_range(const struct fake *f, const struct bly_point_range *range)
{
    assert_in_range(range->level, 0, BAILEY_MLMC_MAX_LEVELS - 1);
    assert_true(range->count >= BLY_QUASI_LEAST && (range->count & (range->count - 1)) == 0);
    assert_true(range->first == f->points[range->level]);
    assert_true(range->first == 0 || range->first == range->count);
}

static void add_range(struct fake *f, const struct bly_point_range *range, struct bly_replicates *known)
{
    const double before = (double)range->first, after = before + (double)range->count;
    for (uint32_t r = 0; r < known->replicates; r++) {
        double sums[BLY_LEVEL_ROWS] = {0};
        const double mean = level_mean(f, range->level);
        sums[BLY_LEVEL_Y] = after * replicate_mean(f, range->level, after, r, known->replicates);
        if (range->first)
            sums[BLY_LEVEL_Y] -= before * replicate_mean(f, range->level, before, r, known->replicates);
        sums[BLY_LEVEL_Y2] = (double)range->count * (mean * mean + f->sample * exp2(-f->beta * range->level));
        sums[BLY_LEVEL_SEEN] = (double)range->count;
        if (known->rows == BLY_LEVEL_ROWS) { /* all levels have what is below and Y */
            for (uint32_t l = 0; l <= range->level; l++)
                sums[BLY_LEVEL_FINE] += (double)range->count * level_mean(f, l);
            sums[BLY_LEVEL_FINE] += (r % 2 ? 1 : -1) * (double)range->count;
            sums[BLY_LEVEL_FINE2] = (double)range->count * 1000;
        }
        if (f->bad_level && f->bad_level == range->level) sums[BLY_LEVEL_Y] = NAN;
        bly_replicates_add(known, range, r, sums, 1);
    }
    f->points[range->level] = range->first + range->count;
}

static bailey_status make(void *user, const struct bly_point_range *list, uint32_t count,
                          struct bly_replicates *known)
{
    struct fake *f = user;
    assert_true(count > 0 && f->rounds < MOST_ROUNDS);
    for (uint32_t i = 0; i < count; i++) {
        check_range(f, &list[i]);
        if (i) assert_true(list[i].level < list[i - 1].level);
        add_range(f, &list[i], known);
    }
    f->ranges[f->rounds++] = count;
    return f->fails;
}

static bailey_mlmc_run_params run_params(double eps)
{
    return (bailey_mlmc_run_params){
        .source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN},
        .eps = eps,
        .max_level = 10};
}

static bailey_status drive(struct fake *f, const bailey_mlmc_run_params *params, bailey_mlmc_result *result)
{
    struct bly_replicates known = {.rows = BLY_LEVEL_RUN_ROWS};
    const struct bly_point_sampler sampler = {f, make};
    memset(f->points, 0, sizeof f->points);
    f->rounds = 0;
    bailey_status status = bly_quasi_check(params, &known.replicates);
    if (status == BAILEY_OK) status = bly_quasi_drive(params, 1, &sampler, &known, result);
    bly_replicates_free(&known);
    return status;
}

/* One doubling at a time, as the paper has it. Returns the finest level. */
static uint32_t one_at_a_time(const struct fake *f, double eps, uint32_t finest, uint64_t *points)
{
    for (uint32_t l = 0; l <= finest; l++) points[l] = BLY_QUASI_LEAST;
    for (uint32_t L = 2;; L++) {
        for (;;) {
            double total = 0, most = -1;
            uint32_t best = 0;
            for (uint32_t l = 0; l <= L; l++) {
                const double v = level_variance(f, l, (double)points[l], REPLICATES);
                total += v;
                if (v / ((double)points[l] * exp2(l)) <= most) continue;
                most = v / ((double)points[l] * exp2(l));
                best = l;
            }
            if (total <= 0.75 * eps * eps / DOUBT) break;
            points[best] *= 2;
        }
        if (L == finest) return L;
    }
}

static const struct fake smooth = {
    .mean = 10, .alpha = 1, .spread = 400, .beta = 2, .gain = 1.8, .sample = 200};

TEST(shares_of_the_error, HOST)
{
    for (int i = 0; i < 12; i++) {
        struct fake f = smooth;
        const double eps = 0.1 * exp2(-i);
        const bailey_mlmc_run_params params = run_params(eps);
        bailey_mlmc_result result;
        double value = 0, total = 0, cost = 0;
        uint64_t fewest[BAILEY_MLMC_MAX_LEVELS];
        bailey_mlmc_run_params deep = params;
        deep.max_level = 20;
        OK(drive(&f, &deep, &result));
        assert_true(result.converged);
        assert_int_equal(one_at_a_time(&f, eps, result.levels - 1, fewest), result.levels - 1);
        for (uint32_t l = 0; l < result.levels; l++) {
            const bailey_mlmc_level *level = &result.level[l];
            assert_int_equal(level->samples, f.points[l] * REPLICATES);
            assert_true(f.points[l] <= fewest[l]);
            assert_float_equal(level->mean, level_mean(&f, l), 1e-9 * fabs(level->mean));
            const double v = level_variance(&f, l, (double)f.points[l], REPLICATES);
            assert_float_equal(level->variance, v * REPLICATES, 1e-6 * v * REPLICATES);
            value += level->mean;
            total += v;
            cost += (double)level->samples * exp2(l);
        }
        assert_true(total <= 0.75 * eps * eps / DOUBT);
        assert_float_equal(result.standard_error, sqrt(total), 1e-6 * sqrt(total));
        assert_true(result.mean == value);
        assert_true(result.cost == cost);
        assert_float_equal(result.alpha, 1, 1e-6);
        assert_float_equal(result.beta, 2, 1e-3);
        assert_float_equal(result.gamma, 1, 1e-6);
        assert_float_equal(result.bias, level_mean(&f, result.levels - 1), 1e-6 * result.bias);
        assert_true(result.bias <= 0.5 * eps);
        if (result.levels > 3) assert_true(level_mean(&f, result.levels - 2) > 0.5 * eps);
        assert_int_equal(result.rounds, f.rounds);
    }
}

/* Lists have several levels where all are needed anyway. */
TEST(several_levels_at_once, HOST)
{
    struct fake f = smooth;
    bailey_mlmc_run_params params = run_params(1e-5);
    bailey_mlmc_result result;
    uint32_t most = 0, doublings = 0;
    params.max_level = 20;
    OK(drive(&f, &params, &result));
    for (uint32_t i = 1; i < f.rounds; i++) {
        most = f.ranges[i] > most ? f.ranges[i] : most;
        doublings += f.ranges[i];
    }
    assert_true(most > 1);
    assert_true(f.rounds < doublings);
}

TEST(stops_at_the_finest_level, HOST)
{
    struct fake f = smooth;
    bailey_mlmc_run_params params = run_params(0.001);
    bailey_mlmc_result result;
    params.max_level = 5;
    OK(drive(&f, &params, &result));
    assert_false(result.converged);
    assert_int_equal(result.levels, 6);
    assert_true(result.standard_error <= sqrt(0.75 / DOUBT) * 0.001);
    params.alpha = 4; /* as given */
    OK(drive(&f, &params, &result));
    assert_true(result.alpha == 4);
    params.bias_share = 0.96; /* more is left to the bias, less to the variance */
    params.max_level = 20;
    params.alpha = 0;
    OK(drive(&f, &params, &result));
    assert_true(result.converged && result.bias <= sqrt(0.96) * 0.001 * (1 + 1e-9));
    assert_true(result.standard_error <= sqrt(0.04 / DOUBT) * 0.001);
}

/* A mean that happens to be near 0 on the finest level does not end the run. */
static bailey_status make_crossing(void *user, const struct bly_point_range *list, uint32_t count,
                                   struct bly_replicates *known)
{
    const bailey_status status = make(user, list, count, known);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t r = 0; list[i].level == 3 && r < known->replicates; r++)
            known->sums[3][(size_t)r * known->rows] = 1e-9;
    return status;
}

TEST(looks_at_three_levels, HOST)
{
    struct fake f = smooth;
    struct bly_replicates known = {.rows = BLY_LEVEL_RUN_ROWS, .replicates = REPLICATES};
    const struct bly_point_sampler sampler = {&f, make_crossing};
    bailey_mlmc_run_params params = run_params(0.5);
    bailey_mlmc_result result;
    params.alpha = 1;
    OK(bly_quasi_drive(&params, 1, &sampler, &known, &result));
    bly_replicates_free(&known);
    assert_int_equal(result.levels,
                     7); /* level 2's mean, 2.5, is still 0.625 two levels on, a level of 0.3125 */
    assert_true(result.converged);
}

/* Replicates of fewer than 1024 points of level 0 agree exactly, as may happen with a jump. */
static bailey_status make_agreeing(void *user, const struct bly_point_range *list, uint32_t count,
                                   struct bly_replicates *known)
{
    const bailey_status status = make(user, list, count, known);
    for (uint32_t i = 0; i < count; i++) {
        const double n = (double)(list[i].first + list[i].count);
        for (uint32_t r = 0; list[i].level == 0 && n < 1024 && r < known->replicates; r++)
            known->sums[0][(size_t)r * known->rows] = n * 10;
    }
    return status;
}

TEST(no_spread, HOST)
{
    struct fake f = smooth;
    struct bly_replicates known = {.rows = BLY_LEVEL_RUN_ROWS, .replicates = REPLICATES};
    const struct bly_point_sampler sampler = {&f, make_agreeing};
    const bailey_mlmc_run_params params = run_params(0.2);
    const uint64_t samples[3] = {32 * REPLICATES, 32 * REPLICATES, 32 * REPLICATES};
    bailey_mlmc_result result;
    OK(bly_quasi_drive_samples(&params, 1, &sampler, samples, 3, &known, &result));
    bly_replicates_free(&known);
    /* A sample's variance is 200. */
    assert_float_equal(result.level[0].variance, 200.0 * 1024 / 1023 / 32, 1e-9);
    assert_true(result.standard_error >= sqrt(200.0 / 32 / REPLICATES));
    memset(f.points, 0, sizeof f.points);
    known = (struct bly_replicates){.rows = BLY_LEVEL_RUN_ROWS, .replicates = REPLICATES};
    f.rounds = 0;
    OK(bly_quasi_drive(&params, 1, &sampler, &known, &result));
    bly_replicates_free(&known);
    assert_true(f.points[0] >= 256 && result.standard_error <= sqrt(0.75) * 0.2);
}

/* Of samples that are all 0 nothing is known. */
static bailey_status make_nothing(void *user, const struct bly_point_range *list, uint32_t count,
                                  struct bly_replicates *known)
{
    const bailey_status status = make(user, list, count, known);
    for (uint32_t i = 0; i < count; i++)
        memset(known->sums[list[i].level], 0, known->replicates * known->rows * sizeof(double));
    return status;
}

TEST(nothing_but_zeros, HOST)
{
    struct fake f = smooth;
    struct bly_replicates known = {.rows = BLY_LEVEL_RUN_ROWS, .replicates = REPLICATES};
    const struct bly_point_sampler sampler = {&f, make_nothing};
    const bailey_mlmc_run_params params = run_params(0.2);
    bailey_mlmc_result result;
    OK(bly_quasi_drive(&params, 1, &sampler, &known, &result));
    bly_replicates_free(&known);
    assert_true(!result.converged && result.reason == BAILEY_MLMC_REASON_NOTHING && result.mean == 0);
    assert_int_equal(result.level[0].samples, 1 << 20);
}

/* Nor does it where the order is estimated: it is not fast convergence. */
TEST(means_near_zero, HOST)
{
    for (uint32_t level = 2; level < 5; level++) {
        struct fake f = smooth;
        const bailey_mlmc_run_params params = run_params(2 * exp2(-(double)level));
        bailey_mlmc_result result;
        f.nothing = level;
        OK(drive(&f, &params, &result));
        assert_true(result.converged && result.levels > level + 2 && result.alpha <= 2);
    }
}

TEST(first_points_and_replicates, HOST)
{
    struct fake f = smooth;
    bailey_mlmc_run_params params = run_params(1000); /* what is there first is enough */
    bailey_mlmc_result result;
    OK(drive(&f, &params, &result));
    assert_int_equal(f.rounds, 1);
    for (int l = 0; l < 3; l++) assert_int_equal(result.level[l].samples, 32 * 32);
    params.initial_samples = 10000;
    params.replicates = 10;
    params.min_level = 4;
    OK(drive(&f, &params, &result));
    assert_int_equal(result.levels, 5);
    for (int l = 0; l < 5; l++) assert_int_equal(result.level[l].samples, 10 * 1024);
}

TEST(refusals, HOST)
{
    struct fake f = smooth;
    bailey_mlmc_run_params params = run_params(0.1);
    bailey_mlmc_result result = {.mean = 42};
    params.source.scramble = BAILEY_SCRAMBLE_NONE;
    assert_int_equal(drive(&f, &params, &result), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "scramble");
    params.source.scramble = BAILEY_SCRAMBLE_SHIFT;
    params.replicates = 1;
    assert_int_equal(drive(&f, &params, &result), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "replicates");
    params.replicates = 1025;
    assert_int_equal(drive(&f, &params, &result), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "from 2 to 1024"));
    params.replicates = 1024;
    OK(drive(&f, &params, &result));
    params.replicates = 2;
    OK(drive(&f, &params, &result));
    result.mean = 42;
    f.gain = 0; /* more points do not help */
    assert_int_equal(drive(&f, &params, &result), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "eps");
    assert_true(result.mean == 42);
}

static int cancel(void *user, uint64_t done, uint64_t total)
{
    assert_true(done > 0 && done <= total);
    return --*(int *)user == 0;
}

TEST(ends_early, HOST)
{
    bailey_mlmc_run_params params = run_params(0.001);
    bailey_mlmc_result result = {.mean = 42};
    struct fake f = smooth;
    int left = 3;
    params.progress = cancel;
    params.progress_user = &left;
    assert_int_equal(drive(&f, &params, &result), BAILEY_ERROR_CANCELLED);
    assert_int_equal(f.rounds, 3);
    params.progress = NULL;
    f.bad_level = 2;
    assert_int_equal(drive(&f, &params, &result), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "not finite on level 2"));
    f.bad_level = 0;
    f.fails = BAILEY_ERROR_DRIVER;
    assert_int_equal(drive(&f, &params, &result), BAILEY_ERROR_DRIVER);
    f.fails = BAILEY_OK;
    int64_t n = 1;
    for (bailey_status status = BAILEY_ERROR_MEMORY; status == BAILEY_ERROR_MEMORY; n++) {
        bly_alloc_countdown = n;
        status = drive(&f, &params, &result);
        bly_alloc_countdown = 0;
        assert_true(status == BAILEY_OK || (status == BAILEY_ERROR_MEMORY && result.mean == 42));
    }
    assert_true(n > 3);
}

TEST(as_many_as_asked_for, HOST)
{
    struct fake f = smooth;
    struct bly_replicates known = {.rows = BLY_LEVEL_RUN_ROWS, .replicates = REPLICATES};
    const struct bly_point_sampler sampler = {&f, make};
    const bailey_mlmc_run_params params = run_params(0);
    const uint64_t samples[] = {1, 32 * 32 + 1, 0, 4096 * 32};
    bailey_mlmc_result result;
    OK(bly_quasi_drive_samples(&params, 4, &sampler, samples, 4, &known, &result));
    assert_int_equal(result.level[0].samples, 32 * 32);
    assert_int_equal(result.level[1].samples, 64 * 32);
    assert_int_equal(result.level[2].samples, 0);
    assert_int_equal(result.level[3].samples, 4096 * 32);
    assert_true(result.level[2].mean == 0 && result.level[2].variance == 0);
    assert_true(result.cost == 4 * (1024. + 2 * 2048 + 8 * 131072));
    assert_int_equal(result.rounds, 1);
    bly_replicates_free(&known);
}

TEST(tables, HOST)
{
    struct fake f = smooth;
    struct bly_replicates known = {.rows = BLY_LEVEL_ROWS, .replicates = REPLICATES};
    const struct bly_point_sampler sampler = {&f, make};
    const bailey_mlmc_run_params params = run_params(0);
    struct bly_quasi_level rows[5];
    OK(bly_quasi_tables(&params, 1, &sampler, 256, 5, &known, rows));
    double fine = 0;
    for (uint32_t l = 0; l < 5; l++) {
        fine += level_mean(&f, l);
        assert_float_equal(rows[l].mean, level_mean(&f, l), 1e-9);
        assert_float_equal(rows[l].fine_mean, fine, 1e-9);
        assert_float_equal(rows[l].variance, 200 * exp2(-2. * l), 0.03 * rows[l].variance);
        assert_float_equal(rows[l].fine_variance, 1000 - fine * fine, 5);
        const double spread = level_variance(&f, l, 256, REPLICATES) * 256 * REPLICATES;
        assert_float_equal(rows[l].spread, spread, 1e-6 * spread);
        assert_float_equal(rows[l].fine_spread, 256. * 32 / 31, 1e-6 * 256);
        assert_true(rows[l].check < 1e-9);
        assert_true(rows[l].cost == exp2(l));
    }
    bly_replicates_free(&known);
}

TEST(finest_levels, HOST)
{
    assert_int_equal(bly_quasi_finest(1, 1), 14); /* 16384 dimensions of 21201 */
    assert_int_equal(bly_quasi_finest(1, 2), 13);
    assert_int_equal(bly_quasi_finest(4, 3), 10);
    assert_int_equal(bly_quasi_finest(1024, 20), 0);
}
