/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Tests of levels (src/host/mlmc/mlmc_test.c) against the same figures computed plainly, and the text of
 * reports.
 */
#include "mlmc_fakes.h"

#include <base/alloc.h>

static void near(const char *what, double found, double expected, double error)
{
    if (!(fabs(found - expected) <= error))
        fail_msg("%s is %.17g, expected %.17g within %g", what, found, expected, error);
}

static bailey_status run_fake(void *user, const bailey_mlmc_run_params *params, bailey_mlmc_result *result)
{
    assert_null(params->checkpoint);
    return fake_run(user, params, result);
}

static bailey_status test_fake(struct fake *f, const bailey_mlmc_test_params *params,
                               bailey_mlmc_report *report)
{
    const struct bly_sampler_maker maker = fake_maker(f);
    bailey_status status = bly_mlmc_check_test(params);
    if (status == BAILEY_OK) status = bly_mlmc_test_levels(params, 1, &maker, report);
    return status == BAILEY_OK ? bly_mlmc_test_runs(params, 1, run_fake, f, report) : status;
}

/* ---- Tables -------------------------------------------------------------------------------------- */

/* A row from two passes over the samples, about the means. */
static bailey_mlmc_test_level plain_level(const struct fake *f, uint32_t level, uint64_t n)
{
    bailey_mlmc_test_level e = {0};
    double rows[BLY_LEVEL_ROWS], fourth = 0;
    for (uint64_t i = 0; i < n; i++) {
        fake_sample(f, level, i, rows);
        e.mean += rows[BLY_LEVEL_Y] / (double)n;
        e.fine_mean += rows[BLY_LEVEL_FINE] / (double)n;
    }
    for (uint64_t i = 0; i < n; i++) {
        fake_sample(f, level, i, rows);
        const double y = rows[BLY_LEVEL_Y] - e.mean, fine = rows[BLY_LEVEL_FINE] - e.fine_mean;
        e.variance += y * y / (double)n;
        e.fine_variance += fine * fine / (double)n;
        fourth += y * y * y * y / (double)n;
    }
    e.kurtosis = fourth / (e.variance * e.variance);
    return e;
}

/* The slope by the two sums of least squares, about the means. */
static double slope(const double *value, uint32_t finest)
{
    const double mean = (1 + finest) / 2.0;
    double above = 0, below = 0;
    for (uint32_t l = 1; l <= finest; l++) {
        above += (l - mean) * log2(fabs(value[l]));
        below += (l - mean) * (l - mean);
    }
    return above / below;
}

static void check_tables(const struct fake *f, const bailey_mlmc_report *r)
{
    double mean[BAILEY_MLMC_MAX_LEVELS], variance[BAILEY_MLMC_MAX_LEVELS];
    bailey_mlmc_test_level before = {0};
    for (uint32_t l = 0; l < r->levels; l++) {
        const bailey_mlmc_test_level e = plain_level(f, l, r->samples);
        near("mean", r->level[l].mean, e.mean, 1e-11);
        near("fine_mean", r->level[l].fine_mean, e.fine_mean, 1e-11);
        near("variance", r->level[l].variance, e.variance, 1e-9 * e.variance + 1e-14);
        near("fine_variance", r->level[l].fine_variance, e.fine_variance, 1e-9 * e.fine_variance);
        near("kurtosis", r->level[l].kurtosis, e.kurtosis, 1e-6 * e.kurtosis);
        near("cost", r->level[l].cost, exp2(l), 0);
        const double check = sqrt((double)r->samples) * fabs(e.mean + before.fine_mean - e.fine_mean) /
                             (3 * (sqrt(e.variance) + sqrt(before.fine_variance) + sqrt(e.fine_variance)));
        near("check", r->level[l].check, l ? check : 0, 1e-7);
        mean[l] = e.mean;
        variance[l] = e.variance;
        before = e;
    }
    near("alpha", r->alpha, -slope(mean, r->levels - 1), 1e-9);
    near("beta", r->beta, -slope(variance, r->levels - 1), 1e-9);
    near("gamma", r->gamma, 1, 1e-12);
}

TEST(tables, HOST)
{
    struct fake f = fake_laws(1.2, 2);
    bailey_mlmc_test_params p = {.samples = 50000};
    bailey_mlmc_report r;
    f.rare = 5;
    OK(test_fake(&f, &p, &r));
    assert_true(r.samples == 50016 && r.levels == 9 && r.runs == 0 && f.made == 1 && f.dropped == 1);
    check_tables(&f, &r);
    assert_true(!r.check_warning && !r.kurtosis_warning);
    near("kurtosis", r.level[3].kurtosis, 5, 0.3);
    p.finest = 3;
    p.samples = 0;
    OK(test_fake(&f, &p, &r));
    assert_true(r.samples == 100000 && r.levels == 4);
    check_tables(&f, &r);
}

TEST(warnings, HOST)
{
    struct fake f = fake_laws(1, 1);
    const bailey_mlmc_test_params p = {.samples = 40000, .finest = 4};
    bailey_mlmc_report r;
    f.rare = 150;
    f.mean[0] = 1;
    OK(test_fake(&f, &p, &r));
    assert_true(r.kurtosis_warning && !r.check_warning && r.level[4].kurtosis > 100);
    f = fake_laws(1, 1);
    f.skew = 0.3;
    OK(test_fake(&f, &p, &r));
    assert_true(!r.kurtosis_warning && r.check_warning && r.level[1].check > 1 && r.level[0].check == 0);
    /* A level that is the same for all samples. */
    f = fake_laws(1, 1);
    f.deviation[2] = 0;
    OK(test_fake(&f, &p, &r));
    assert_true(r.level[2].variance == 1e-10 && fabs(r.level[2].kurtosis) < 1e9 && !r.check_warning);
}

TEST(runs, HOST)
{
    static const double eps[] = {0.02, 0.05, 0.01};
    struct fake f = fake_laws(1, 2);
    bailey_mlmc_test_params p = {.samples = 3200, .finest = 5, .eps = eps, .eps_count = 3};
    bailey_mlmc_report r;
    p.run.bias_share = 0.5;
    p.run.eps = -1; /* neither is examined */
    p.run.checkpoint = "/nonexistent/run";
    OK(test_fake(&f, &p, &r));
    assert_true(r.runs == 3 && r.levels == 6);
    for (int i = 0; i < 3; i++) {
        bailey_mlmc_run_params one = p.run;
        bailey_mlmc_result result;
        one.eps = eps[i];
        one.checkpoint = NULL;
        OK(fake_run(&f, &one, &result));
        same_results(&result, &r.run[i].result);
        const uint32_t finest = result.levels - 1;
        const double cost =
            r.level[finest < 5 ? finest : 5].fine_variance * exp2(finest) / (0.5 * eps[i] * eps[i]);
        near("eps", r.run[i].eps, eps[i], 0);
        near("standard_cost", r.run[i].standard_cost, cost, 1e-12 * cost);
        near("savings", r.run[i].savings, cost / result.cost, 1e-12 * cost / result.cost);
    }
    assert_true(r.run[2].result.levels - 1 > 5); /* finer than the convergence test */
}

#define REFUSES(argument, words, ...)                                                                        \
    assert_int_equal(bly_mlmc_check_test(&(bailey_mlmc_test_params){__VA_ARGS__}), BAILEY_ERROR_INVALID);    \
    assert_string_equal(bailey_error_argument(), argument);                                                  \
    if (!strstr(bailey_error_message(), words)) fail_msg("says %s", bailey_error_message())

TEST(arguments, HOST)
{
    static const double eps[2] = {1, 0}, cost[] = {1, 2, 4, 8, 16, 32};
    REFUSES("eps", "NULL", .eps_count = 1);
    REFUSES("eps", "eps[1] is 0", .eps = eps, .eps_count = 2);
    REFUSES("finest", "max_level 5", .run = {.cost = cost, .max_level = 5});
    OK(bly_mlmc_check_test(&(bailey_mlmc_test_params){.run = {.cost = cost, .max_level = 5}, .finest = 5}));
    OK(bly_mlmc_check_test(&(bailey_mlmc_test_params){.eps = eps, .eps_count = 1}));
}

static int stop(void *user, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    return --*(int *)user == 0;
}

TEST(failures, HOST)
{
    static const double eps[] = {0.05};
    bailey_status status = BAILEY_ERROR_MEMORY;
    struct fake f = fake_laws(1, 2);
    bailey_mlmc_test_params p = {.samples = 320, .eps = eps, .eps_count = 1};
    bailey_mlmc_report r;
    int n = 0;
    for (; status == BAILEY_ERROR_MEMORY; n++) {
        bly_alloc_countdown = n + 1;
        status = test_fake(&f, &p, &r);
        bly_alloc_countdown = 0;
    }
    assert_int_equal(status, BAILEY_OK);
    assert_true(n == 2 * (int)BAILEY_MLMC_MAX_LEVELS + 3 && f.made == f.dropped);
    const int lists = 1 + (int)r.run[0].result.rounds;
    for (int i = 1; i <= lists; i++) {
        int left = i;
        p.run.progress = stop;
        p.run.progress_user = &left;
        assert_int_equal(test_fake(&f, &p, &r), BAILEY_ERROR_CANCELLED);
        assert_true(left == 0 && f.made == f.dropped);
    }
}

/* ---- Texts --------------------------------------------------------------------------------------- */

/* Of M. Giles's talk of 2025, European call: two rows, and the lines of two eps. The lines are laid out as
 * those of his files. */
static const bailey_mlmc_report talk = {
    .samples = 32,
    .levels = 3,
    .level = {{9.9892, 9.9892, 182.13, 182.13, 6.0958, 0, 1},
              {0.17378, 9.9936, 0.11858, 190.78, 29.612, 0.011556, 2},
              {-0.10289, 10.627, 0.042051, 222.55, 129.782, 1.034558, 4}},
    .alpha = 0.936768,
    .beta = 1.939754,
    .gamma = 1,
    .kurtosis_warning = 1,
    .check_warning = 1,
    .runs = 3,
    .run = {{0.001,
             4.81e11,
             1410.64,
             {.mean = 10.451,
              .cost = 3.41e8,
              .converged = 1,
              .levels = 3,
              .level = {{298508288, 1, 0, 0}, {5834752, 2, 0, 0}, {2215936, 4, 0, 0}}}},
            {0.02,
             4.704e7,
             54.43,
             {.mean = 10.452,
              .cost = 864300,
              .converged = 0,
              .reason = BAILEY_MLMC_REASON_BIAS,
              .levels = 2,
              .level = {{741376, 1, 0, 0}, {16384, 2, 0, 0}},
              .correction = {{5120, 1.75, 0, 0}, {1024, 3.5, 0, 0}}}},
            {0.00025,
             4.704e12,
             54.43,
             {.mean = 10.452,
              .cost = 864300,
              .converged = 1,
              .levels = 1,
              .level = {{UINT64_C(1) << 38, 1, 0, 0}}}}}};

static const char talk_head[] = "\n"
                                "**********************************************************\n"
                                "*** MLMC file version 1.0     produced by              ***\n";

static const char talk_rest[] =
    "**********************************************************\n"
    "\n"
    "**********************************************************\n"
    "*** Convergence tests, kurtosis, telescoping sum check ***\n"
    "*** using N =     32 samples                           ***\n"
    "**********************************************************\n"
    "\n"
    " l   ave(Pf-Pc)    ave(Pf)   var(Pf-Pc)    var(Pf)    kurtosis     check        cost \n"
    "---------------------------------------------------------------------------------------\n"
    " 0   9.9892e+00  9.9892e+00  1.8213e+02  1.8213e+02  6.0958e+00  0.0000e+00  1.0000e+00 \n"
    " 1   1.7378e-01  9.9936e+00  1.1858e-01  1.9078e+02  2.9612e+01  1.1556e-02  2.0000e+00 \n"
    " 2  -1.0289e-01  1.0627e+01  4.2051e-02  2.2255e+02  1.2978e+02  1.0346e+00  4.0000e+00 \n"
    "\n"
    " WARNING: kurtosis on finest level = 129.782000 \n"
    " few samples make up its variance, which is hard to estimate \n"
    "\n"
    " WARNING: maximum consistency error = 1.034558 \n"
    " E[Pf-Pc] is not E[Pf] - E[Pf] of the level below; more samples would make it certain \n"
    "\n"
    "******************************************************\n"
    "*** Linear regression estimates of MLMC parameters ***\n"
    "******************************************************\n"
    "\n"
    " alpha = 0.936768  (exponent for MLMC weak convergence)\n"
    " beta  = 1.939754  (exponent for MLMC variance) \n"
    " gamma = 1.000000  (exponent for MLMC cost) \n"
    "\n"
    "*****************************\n"
    "*** MLMC complexity tests ***\n"
    "*****************************\n"
    "\n"
    "  eps       value     mlmc_cost  std_cost  savings     N_l \n"
    "--------------------------------------------------------- \n"
    "0.0010  1.0451e+01  3.410e+08  4.810e+11  1410.64 298508288  5834752  2215936\n"
    "0.0200  1.0452e+01  8.643e+05  4.704e+07    54.43    741376    16384\n"
    "2.50e-04  1.0452e+01  8.643e+05  4.704e+12    54.43 274877906944\n"
    "\n"
    " corrections: eps = 0.02, N_l      5120     1024\n"
    " WARNING: eps = 0.02 is not reached with 2 levels: the bias is too large on the finest level \n";

TEST(text, HOST)
{
    char expected[4096], found[4096];
    snprintf(expected, sizeof expected, "%s*** bailey_mlmc_test of bailey %-23s ***\n%s", talk_head,
             bailey_version(), talk_rest);
    const uint64_t length = strlen(expected);
    assert_true(bailey_mlmc_report_write(&talk, NULL, 0) == length);
    assert_true(bailey_mlmc_report_write(&talk, NULL, 100) == length);
    memset(found, 'x', sizeof found);
    assert_true(bailey_mlmc_report_write(&talk, found, sizeof found) == length);
    assert_string_equal(found, expected);
    for (uint64_t size = 0; size <= length + 1; size++) {
        memset(found, 'x', sizeof found);
        assert_true(bailey_mlmc_report_write(&talk, found, size) == length);
        assert_true(found[size] == 'x');
        if (size) assert_true(memcmp(found, expected, size - 1) == 0 && found[size - 1] == 0);
    }
    assert_true(bailey_mlmc_report_write(NULL, found, 10) == 0);
}

/* Every line of the boxes has their width, also for the most samples that there can be. */
TEST(boxes, HOST)
{
    static const uint64_t samples[] = {1, 99999, 9999999, 10000000, UINT64_C(1) << 38};
    char found[4096];
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        bailey_mlmc_report r = talk;
        r.samples = samples[i];
        r.runs = 0;
        bailey_mlmc_report_write(&r, found, sizeof found);
        assert_null(strstr(found, "complexity"));
        const char *line = strstr(found, "*** using N =");
        assert_non_null(line);
        assert_true(strtoull(line + 13, NULL, 10) == samples[i]);
        assert_int_equal(strcspn(line, "\n"), 58);
    }
}
