/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Giles's algorithm (src/host/mlmc/driver.c) against its formulas, computed here plainly, on levels whose
 * laws are known.
 */
#include "mlmc_fakes.h"

#include <bailey/advanced.h>
#include <base/alloc.h>

static void near(const char *what, double found, double expected, double error)
{
    if (!(fabs(found - expected) <= error))
        fail_msg("%s is %.17g, expected %.17g within %g", what, found, expected, error);
}

/* ---- Rounding ------------------------------------------------------------------------------------ */

static void check_rounding(uint64_t n)
{
    const uint64_t r = bly_samples_round_up(n);
    uint64_t m = r;
    assert_true(r >= n && r % BLY_LEVEL_GRAIN == 0 && bly_samples_round_up(r) == r);
    assert_true(r - n < 32 || (double)(r - n) < 0.01 * (double)n);
    for (m /= BLY_LEVEL_GRAIN; m % 2 == 0 && m; m /= 2) continue;
    assert_true(m < 1u << BLY_SAMPLES_BITS);
}

TEST(rounding, HOST)
{
    uint64_t random = 1;
    for (uint64_t n = 1; n < 100000; n++) {
        check_rounding(n);
        assert_true(bly_samples_round_up(n) <= bly_samples_round_up(n + 1));
    }
    for (int i = 0; i < 100000; i++) check_rounding(next_random(&random) >> (26 + i % 30));
    for (uint32_t k = 5; k <= 38; k++) {
        assert_true(bly_samples_round_up(UINT64_C(1) << k) == UINT64_C(1) << k);
        check_rounding((UINT64_C(1) << k) + 1);
    }
    assert_true(bly_samples_round_up(1) == 32 && bly_samples_round_up(1000) == 1024);
    assert_true(bly_samples_round_up(298508288) == UINT64_C(143) << 21);
}

/* ---- Formulas ------------------------------------------------------------------------------------ */

/* The number of samples that the result's own variances call for. */
static double wanted(const bailey_mlmc_result *r, uint32_t level, double eps, double theta)
{
    double sum = 0;
    for (uint32_t l = 0; l < r->levels; l++) sum += sqrt(r->level[l].variance * r->level[l].cost);
    return sqrt(r->level[level].variance / r->level[level].cost) * sum / ((1 - theta) * eps * eps);
}

/* Giles's estimate of what is left, from the last three levels. */
static double bias_of(const bailey_mlmc_run_params *p, const bailey_mlmc_result *r)
{
    const double order = p->alpha > 0 ? r->alpha : fmin(r->alpha, 1);
    double most = 0, mean[BAILEY_MLMC_MAX_LEVELS];
    for (uint32_t l = 0; l < r->levels; l++) {
        mean[l] = fabs(r->level[l].mean);
        if (l >= 2) mean[l] = fmax(mean[l], mean[l - 1] / exp2(r->alpha + 1));
    }
    for (uint32_t i = 0; i < 3; i++)
        most = fmax(most, mean[r->levels - 1 - i] * exp2(-order * i) / (exp2(order) - 1));
    return most;
}

static void check_sums(const struct fake *f, const bailey_mlmc_result *r)
{
    for (uint32_t l = 0; l < r->levels; l++) {
        const uint64_t n = r->level[l].samples;
        double rows[BLY_LEVEL_ROWS], sum = 0, squares = 0;
        for (uint64_t i = 0; i < n; i++) {
            fake_sample(f, l, i, rows);
            sum += rows[BLY_LEVEL_Y];
            squares += rows[BLY_LEVEL_Y2];
        }
        const double mean = sum / (double)n;
        near("a mean", r->level[l].mean, mean, 1e-12 * (fabs(mean) + f->deviation[l]));
        near("a variance", r->level[l].variance, squares / (double)n - mean * mean,
             1e-10 * (mean * mean + squares / (double)n));
    }
}

static void check_result(const struct fake *f, const bailey_mlmc_run_params *p, const bailey_mlmc_result *r)
{
    const double theta = p->bias_share > 0 ? p->bias_share : 0.25;
    double value = 0, variance = 0, cost = 0;
    check_sums(f, r);
    for (uint32_t l = 0; l < r->levels; l++) {
        value += r->level[l].mean;
        variance += r->level[l].variance / (double)r->level[l].samples;
        cost += (double)r->level[l].samples * r->level[l].cost;
    }
    near("value", r->mean, value, 1e-13 * fabs(value));
    near("standard_error", r->standard_error, sqrt(variance), 1e-13 * sqrt(variance));
    near("cost", r->cost, cost, 1e-13 * cost);
    near("bias", r->bias, bias_of(p, r), 1e-12 * r->bias);
    assert_true(r->converged == (r->bias <= sqrt(theta) * p->eps));
    assert_true(r->standard_error <= sqrt(1 - theta) * p->eps * 1.006);
}

/* Variances are known from the first samples: each level has as many samples as the formula says. */
TEST(numbers_of_samples, HOST)
{
    static const double orders[][2] = {{1, 2}, {1, 1}, {1, 0.8}, {1.5, 3}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        for (double theta = 0; theta < 0.6; theta += 0.5) {
            struct fake f = fake_laws(orders[i][0], orders[i][1]);
            const bailey_mlmc_run_params p = {.eps = 0.01, .bias_share = theta, .initial_samples = 64};
            bailey_mlmc_result r;
            OK(fake_run(&f, &p, &r));
            check_result(&f, &p, &r);
            assert_true(r.converged && r.levels > 4 && f.made == 1 && f.dropped == 1 && f.rounds == 0);
            for (uint32_t l = 0; l < r.levels; l++) {
                const double n = (double)r.level[l].samples,
                             w = wanted(&r, l, p.eps, theta > 0 ? theta : 0.25);
                assert_true(n * 1.01 >= w);
                /* A grain more, what is rounded, and what variances of 64 samples are off. */
                if (n > 64 && n > w * 1.05 + 32) fail_msg("level %u has %g samples, %g are needed", l, n, w);
            }
        }
}

/* Much work is done in many rounds, none of which outruns the estimates so far. */
TEST(many_rounds, LONG)
{
    struct fake f = fake_laws(1, 2);
    const bailey_mlmc_run_params p = {.eps = 0.001};
    bailey_mlmc_result r;
    f.deviation[0] = 8;
    f.rare = 4;
    OK(fake_run(&f, &p, &r));
    assert_true(r.rounds > 10 && r.rounds == f.taken && r.cost > 0x1p26);
    double ideal = 0;
    for (uint32_t l = 0; l < r.levels; l++) ideal += sqrt(r.level[l].variance * r.level[l].cost);
    ideal *= ideal / (0.75 * p.eps * p.eps);
    assert_true(r.cost <= 1.02 * ideal && r.cost >= 0.99 * ideal);
    near("value", r.mean, 11, 4 * p.eps);
}

TEST(finest_level, HOST)
{
    struct fake f = fake_laws(1, 2);
    bailey_mlmc_run_params p = {.eps = 0.002, .max_level = 3};
    bailey_mlmc_result r, s;
    OK(fake_run(&f, &p, &r));
    check_result(&f, &p, &r);
    assert_true(!r.converged && r.levels == 4);
    near("bias", r.bias, 0.125, 0.05);
    /* One that is there from the start, and is not needed. */
    p = (bailey_mlmc_run_params){.eps = 0.1, .min_level = 7, .max_level = 7};
    OK(fake_run(&f, &p, &r));
    check_result(&f, &p, &r);
    assert_true(r.converged && r.levels == 8);
    p.max_level = 20;
    OK(fake_run(&f, &p, &s));
    same_results(&r, &s);
}

/* ---- Orders -------------------------------------------------------------------------------------- */

TEST(orders, HOST)
{
    double cost[BAILEY_MLMC_MAX_LEVELS];
    struct fake f = fake_laws(1.25, 2.5);
    bailey_mlmc_run_params p = {.eps = 0.005, .cost = cost};
    bailey_mlmc_result r;
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) cost[l] = 3 * exp2(1.5 * l);
    OK(fake_run(&f, &p, &r));
    near("alpha", r.alpha, 1.25, 0.1);
    near("beta", r.beta, 2.5, 0.1);
    near("gamma", r.gamma, 1.5, 1e-12);
    assert_true(r.level[3].cost == cost[3]);
    p.alpha = 1, p.beta = 2, p.gamma = 1;
    OK(fake_run(&f, &p, &r));
    check_result(&f, &p, &r);
    assert_true(r.alpha == 1 && r.beta == 2 && r.gamma == 1);
    /* In other units. */
    bailey_mlmc_result s;
    p = (bailey_mlmc_run_params){.eps = 0.002};
    OK(fake_run(&f, &p, &r));
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) cost[l] = exp2((double)l - 60);
    p.cost = cost;
    OK(fake_run(&f, &p, &s));
    assert_true(r.rounds == s.rounds && r.levels == s.levels && s.cost == r.cost * 0x1p-60);
    for (uint32_t l = 0; l < r.levels; l++) assert_true(r.level[l].samples == s.level[l].samples);
    /* Without any that could be seen. */
    f = fake_laws(0.1, 0.1);
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) cost[l] = 1;
    p = (bailey_mlmc_run_params){.eps = 0.05, .cost = cost, .max_level = 5};
    OK(fake_run(&f, &p, &r));
    check_result(&f, &p, &r);
    assert_true(r.alpha == 0.5 && r.beta == 0.5 && r.gamma == 0.5);
}

/* Nothing varies on level 0, as of digital options, or nowhere. */
TEST(no_variance, HOST)
{
    struct fake f = fake_laws(1, 2);
    bailey_mlmc_run_params p = {.eps = 0.005};
    bailey_mlmc_result r;
    f.deviation[0] = 0;
    OK(fake_run(&f, &p, &r));
    check_result(&f, &p, &r);
    assert_true(r.converged && r.level[0].samples == 1024 && r.level[0].variance < 1e-10);
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) f.deviation[l] = 0;
    OK(fake_run(&f, &p, &r));
    near("value", r.mean, 11 - exp2(1 - (double)r.levels), 1e-12);
    assert_true(r.converged && r.levels == 10 && r.level[9].samples == 32 && r.standard_error < 1e-8);
}

/* Where all samples are 0 nothing is known: level 0 is sampled up to a limit, and the run says so. */
TEST(nothing_but_zeros, HOST)
{
    struct fake f = {0};
    const bailey_mlmc_run_params p = {.eps = 0.005};
    bailey_mlmc_result r;
    OK(fake_run(&f, &p, &r));
    assert_true(!r.converged && r.reason == BAILEY_MLMC_REASON_NOTHING && r.levels == 3 && r.mean == 0);
    assert_true(r.level[0].samples == 1 << 20 && r.level[1].samples == 1024);
    assert_string_equal(bailey_mlmc_reason_message(r.reason), "no sample differs from 0");
    /* Levels whose differences are all 0, as of an exact scheme, take a few more, and converge. */
    f.mean[0] = 10;
    f.deviation[0] = 4;
    OK(fake_run(&f, &p, &r));
    assert_true(r.converged && r.reason == BAILEY_MLMC_REASON_CONVERGED && r.levels == 3);
    assert_true(r.level[1].samples > 1024 && r.level[1].samples < r.level[0].samples / 8);
    assert_string_equal(bailey_mlmc_reason_message(r.reason), "");
}

/* One sample in `rare` differs from 0: an error of eps, by root mean square over runs that see other samples.
 */
TEST(rare_samples, HOST)
{
    static const double rare[] = {100, 1000, 10000};
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++) {
        double squares = 0;
        enum { RUNS = 40 };
        for (int n = 0; n < RUNS; n++) {
            struct fake f = {.rare = rare[i], .same_sign = 1, .offset = UINT64_C(1000003) * (uint64_t)n};
            const bailey_mlmc_run_params p = {.eps = 1 / sqrt(rare[i])};
            bailey_mlmc_result r;
            f.deviation[0] = 4;
            for (uint32_t l = 1; l < BAILEY_MLMC_MAX_LEVELS; l++) f.deviation[l] = exp2(-(double)l);
            OK(fake_run(&f, &p, &r));
            assert_true(r.converged && r.level[0].samples > 20 * rare[i]);
            /* 4 / sqrt(rare) on level 0, and 2^-l / sqrt(rare) on the others. */
            const double exact = 5 / sqrt(rare[i]);
            squares += (r.mean - exact) * (r.mean - exact) / (p.eps * p.eps);
        }
        if (!(squares <= 1.3 * 1.3 * RUNS)) /* known to 11 %, three of which are a third */
            fail_msg("one of %g: the error is %.2f eps", rare[i], sqrt(squares / RUNS));
    }
}

/* Means that fall fast on coarse levels only: the bias is no less than at weak order 1. */
TEST(fast_at_first, HOST)
{
    struct fake f = fake_laws(1, 2);
    const bailey_mlmc_run_params p = {.eps = 0.02};
    bailey_mlmc_run_params given = p;
    bailey_mlmc_result r, sooner;
    for (uint32_t l = 1; l < 5; l++) f.mean[l] = exp2(-2.0 * l) * 8;
    for (uint32_t l = 5; l < BAILEY_MLMC_MAX_LEVELS; l++) f.mean[l] = f.mean[4] * exp2(4 - (double)l);
    OK(fake_run(&f, &p, &r));
    double left = 0;
    for (uint32_t l = r.levels; l < BAILEY_MLMC_MAX_LEVELS; l++) left += f.mean[l];
    assert_true(r.converged && r.alpha > 1.1 && left <= 0.5 * p.eps * 1.01 && r.bias > 0.7 * left);
    given.alpha = 2;
    OK(fake_run(&f, &given, &sooner));
    assert_true(sooner.levels < r.levels);
}

/* A mean that is near 0 by chance, on any level, is not fast convergence: the levels beyond are examined. */
TEST(means_near_zero, HOST)
{
    static const double small[] = {0, 1e-12, 1e-6, 1e-3};
    for (uint32_t level = 2; level < 5; level++)
        for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
            struct fake f = fake_laws(1, 2);
            const bailey_mlmc_run_params p = {.eps = 0.2 * exp2(-(double)level)};
            bailey_mlmc_result r;
            f.deviation[level] = 1e-7;
            f.mean[level] = small[i];
            OK(fake_run(&f, &p, &r));
            check_result(&f, &p, &r);
            assert_true(r.converged && r.levels > level + 2 && r.alpha <= 2);
            near("value", r.mean, 11 - exp2(-(double)level), 4 * p.eps);
            /* Nor are variances. */
            f = fake_laws(1, 1);
            f.deviation[level] = small[i];
            OK(fake_run(&f, &p, &r));
            check_result(&f, &p, &r);
            assert_true(r.beta < 2);
        }
}

/* ---- Bits ---------------------------------------------------------------------------------------- */

TEST(heights, HOST)
{
    struct fake f = fake_laws(1, 1.5);
    const bailey_mlmc_run_params p = {.eps = 0.01};
    bailey_mlmc_result first, r;
    f.rare = 3;
    f.mean[0] = 0.1;
    f.highest = 5;
    OK(fake_run(&f, &p, &first));
    for (uint32_t highest = 0; highest < 30; highest += highest ? 7 : 6) {
        f.highest = highest;
        OK(fake_run(&f, &p, &r));
        same_results(&first, &r);
    }
}

/* As many samples as a run had: the same sums; and of none on some levels. */
TEST(given_samples, HOST)
{
    struct fake f = fake_laws(1, 1.5);
    const struct bly_sampler_maker maker = fake_maker(&f);
    const bailey_mlmc_run_params p = {.eps = 0.005}, none = {.eps = 7, .bias_share = 0.99};
    uint64_t samples[BAILEY_MLMC_MAX_LEVELS];
    bailey_mlmc_result run, r;
    OK(fake_run(&f, &p, &run));
    for (uint32_t l = 0; l < run.levels; l++) samples[l] = run.level[l].samples;
    OK(bly_mlmc_check_samples(&none, samples, run.levels));
    OK(fake_samples(&none, &maker, samples, run.levels, &r));
    assert_true(f.rounds == 0 && r.converged == (r.bias <= 0.5 * r.standard_error));
    r.rounds = run.rounds;
    r.converged = run.converged;
    r.reason = run.reason;
    same_results(&run, &r);
    const uint64_t some[] = {0, 1000032, 0, 32, 20000000 - 20000000 % 32};
    OK(bly_mlmc_check_samples(&none, some, 5));
    OK(fake_samples(&none, &maker, some, 5, &r));
    for (uint32_t l = 0; l < 5; l++) assert_true(r.level[l].samples == some[l]);
    assert_true(r.rounds > 1);
    assert_true(r.level[0].mean == 0 && r.level[0].variance == 0);
    near("a mean", r.level[4].mean, f.mean[4], 5 * f.deviation[4] / sqrt(2e7));
}

/* ---- Errors -------------------------------------------------------------------------------------- */

static void refused(bailey_status status, const char *argument, const char *words)
{
    assert_int_equal(status, BAILEY_ERROR_INVALID);
    if (argument && (!bailey_error_argument() || strcmp(bailey_error_argument(), argument) != 0))
        fail_msg("refuses %s, not %s: %s", bailey_error_argument(), argument, bailey_error_message());
    if (!strstr(bailey_error_message(), words)) fail_msg("says %s", bailey_error_message());
}

TEST(sums_that_are_no_numbers, HOST)
{
    struct fake f = fake_laws(1, 2);
    const bailey_mlmc_run_params p = {.eps = 0.01};
    bailey_mlmc_result r = {.rounds = 77};
    f.bad = 1023;
    refused(fake_run(&f, &p, &r), NULL, "level 1");
    f = fake_laws(1, 2);
    f.deviation[2] = 1e160;
    refused(fake_run(&f, &p, &r), NULL, "level 2");
    f = fake_laws(1, 2);
    refused(fake_run(&f, &(bailey_mlmc_run_params){.eps = 1e-7}, &r), "eps", "2^38");
    f.deviation[0] = 0;
    refused(fake_run(&f, &(bailey_mlmc_run_params){.eps = 1e-200}, &r), "eps", "2^38");
    assert_true(r.rounds == 77 && f.made == f.dropped);
}

#define REFUSES(argument, words, ...)                                                                        \
    refused(bly_mlmc_check_run(&(bailey_mlmc_run_params){__VA_ARGS__}), argument, words)

TEST(run_arguments, HOST)
{
    static const double cost[] = {1, 2, 3, 0}, endless[] = {1, INFINITY};
    OK(bly_mlmc_check_run(&(bailey_mlmc_run_params){.eps = 1, .cost = cost, .max_level = 2}));
    OK(bly_mlmc_check_run(&(bailey_mlmc_run_params){.eps = 1e-9, .min_level = 20, .max_level = 20}));
    REFUSES("max_level", "min_level, which is 11", .eps = 1, .min_level = 11);
    REFUSES("cost", "cost[3] is 0", .eps = 1, .cost = cost, .max_level = 3);
    REFUSES("cost", "cost[1] is inf", .eps = 1, .cost = endless, .max_level = 2);
}

TEST(sample_arguments, HOST)
{
    static const uint64_t odd[] = {32, 33}, none[] = {0, 0}, large[] = {(UINT64_C(1) << 38) + 32};
    static const double cost[] = {1, -1};
    const bailey_mlmc_run_params p = {.max_level = 77, .bias_share = 5}; /* are ignored */
    OK(bly_mlmc_check_samples(&p, odd, 1));
    refused(bly_mlmc_check_samples(&p, NULL, 1), "samples", "NULL");
    refused(bly_mlmc_check_samples(&p, odd, 0), "levels", "1 to 21");
    refused(bly_mlmc_check_samples(&p, odd, 22), "levels", "22");
    refused(bly_mlmc_check_samples(&p, odd, 2), "samples", "samples[1] is 33, not a multiple of 32");
    refused(bly_mlmc_check_samples(&p, none, 2), "samples", "0 on all of 2");
    refused(bly_mlmc_check_samples(&p, large, 1), "samples", "2^38");
    const bailey_mlmc_run_params unknown = {.approximate = (bailey_mlmc_approximation)9};
    refused(bly_mlmc_check_samples(&unknown, odd, 1), "approximate", "not exact, constant, dyadic, half, half-dyadic or auto");
    const bailey_mlmc_run_params costs = {.cost = cost};
    OK(bly_mlmc_check_samples(&costs, odd, 1));
    refused(bly_mlmc_check_samples(&costs, (const uint64_t[]){32, 32}, 2), "cost", "cost[1] is -1");
}

/* ---- Failures ------------------------------------------------------------------------------------ */

static int stop_at_once(void *user, uint64_t done, uint64_t total)
{
    uint64_t *before = user;
    assert_true(done <= total && done >= before[0]);
    before[0] = done;
    return before[1]-- == 0;
}

TEST(cancelled, HOST)
{
    struct fake f = fake_laws(1, 2);
    const struct bly_sampler_maker maker = fake_maker(&f);
    uint64_t calls[2];
    const bailey_mlmc_run_params p = {.eps = 0.01, .progress = stop_at_once, .progress_user = calls};
    const uint64_t samples[] = {UINT64_C(1) << 22, UINT64_C(1) << 21, 320};
    bailey_mlmc_result r = {.rounds = 77};
    for (uint64_t n = 0; n < 3; n++) {
        calls[0] = 0, calls[1] = n;
        assert_int_equal(fake_run(&f, &p, &r), BAILEY_ERROR_CANCELLED);
        assert_true(f.taken == n + 1 && f.made == f.dropped && r.rounds == 77);
    }
    calls[0] = 0, calls[1] = 0;
    assert_int_equal(fake_samples(&p, &maker, samples, 3, &r), BAILEY_ERROR_CANCELLED);
    assert_true(r.rounds == 77 && f.made == f.dropped);
    calls[0] = 0, calls[1] = 1000;
    OK(fake_run(&f, &p, &r));
    assert_true(calls[0] == (uint64_t)r.cost && calls[1] == 1000 - r.rounds);
}

TEST(devices_that_fail, HOST)
{
    struct fake f = fake_laws(1, 2);
    const bailey_mlmc_run_params p = {.eps = 0.01};
    bailey_mlmc_result r = {.rounds = 77};
    for (f.fails_after = 1; fake_run(&f, &p, &r) != BAILEY_OK; f.fails_after++) {
        assert_true(r.rounds == 77 && f.made == f.dropped);
        assert_string_equal(bailey_error_message(), "the device is gone");
    }
    assert_true(r.rounds == (uint32_t)f.fails_after);
}

TEST(without_memory, HOST)
{
    struct fake f = fake_laws(1, 2);
    const bailey_mlmc_run_params p = {.eps = 0.02};
    bailey_mlmc_result r = {.rounds = 77};
    bailey_status status = BAILEY_ERROR_MEMORY;
    int n = 0;
    while (status == BAILEY_ERROR_MEMORY) {
        bly_alloc_countdown = ++n;
        status = fake_run(&f, &p, &r);
        bly_alloc_countdown = 0;
        assert_true(status == BAILEY_OK || r.rounds == 77);
    }
    assert_int_equal(status, BAILEY_OK);
    assert_true(n == BAILEY_MLMC_MAX_LEVELS + 2 && f.made == f.dropped);
}
