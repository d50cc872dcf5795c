/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_mlmc_test: what M. Giles's program mlmc_test looks at ("Multilevel Monte Carlo methods", Acta
 * Numerica 24, 2015, section 3). The convergence test takes as many samples on each level and finds orders,
 * kurtosis and whether the sum telescopes; the complexity tests are runs to several errors.
 */
#include "driver.h"

#include <math.h>

#define LEAST_VARIANCE 1e-10 /* as in his program: so that a level without any has a kurtosis and a check */
#define MOST_KURTOSIS 100    /* of the finest level, as in his program: above it the test warns */

uint32_t bly_mlmc_test_finest(const bailey_mlmc_test_params *params)
{
    return params->finest ? params->finest : BLY_MLMC_TEST_FINEST;
}

static double at_least(double variance) { return variance > LEAST_VARIANCE ? variance : LEAST_VARIANCE; }

/* (m4 - 4 m3 m1 + 6 m2 m1^2 - 3 m1^4) / V^2, from the moments of Y. */
static double kurtosis_of(const double *sums, double n, double variance)
{
    const double m1 = sums[BLY_LEVEL_Y] / n, m2 = sums[BLY_LEVEL_Y2] / n;
    const double m3 = sums[BLY_LEVEL_Y3] / n, m4 = sums[BLY_LEVEL_Y4] / n;
    const double lower = fma(m1, fma(-3 * m1, m1, 6 * m2), -4 * m3);
    return fma(m1, lower, m4) / (variance * variance);
}

static void fill_level(const struct bly_term_sums *term_sums, uint32_t l, bailey_mlmc_test_level *level)
{
    const double n = (double)term_sums->samples[l];
    double sums[BLY_LEVEL_ROWS];
    bly_term_sums_read(term_sums, l, sums);
    level->mean = sums[BLY_LEVEL_Y] / n;
    level->fine_mean = sums[BLY_LEVEL_FINE] / n;
    level->variance = at_least(bly_variance_of(sums[BLY_LEVEL_Y], sums[BLY_LEVEL_Y2], n));
    level->fine_variance = at_least(bly_variance_of(sums[BLY_LEVEL_FINE], sums[BLY_LEVEL_FINE2], n));
    level->kurtosis = kurtosis_of(sums, n, level->variance);
}

/* The consistency check. The mean of the coarse payoff is that of the fine payoff minus that of Y, and must
 * equal the fine mean of the level below. Returns their difference over three standard errors, for which the
 * sum of the three standard deviations is used, as it bounds that of the sum: a value above 1 is not chance.
 */
static double check_of(const bailey_mlmc_test_level *level, double samples)
{
    const double difference = fabs(level->mean + level[-1].fine_mean - level->fine_mean);
    const double deviations =
        sqrt(level->variance) + sqrt(level[-1].fine_variance) + sqrt(level->fine_variance);
    return sqrt(samples) * difference / (3 * deviations);
}

static void fit(bailey_mlmc_report *r)
{
    double mean[BAILEY_MLMC_MAX_LEVELS], variance[BAILEY_MLMC_MAX_LEVELS], cost[BAILEY_MLMC_MAX_LEVELS];
    for (uint32_t l = 0; l < r->levels; l++) {
        mean[l] = fabs(r->level[l].mean);
        variance[l] = r->level[l].variance;
        cost[l] = r->level[l].cost;
    }
    r->alpha = bly_slope_of(mean, r->levels - 1, -1);
    r->beta = bly_slope_of(variance, r->levels - 1, -1);
    r->gamma = bly_slope_of(cost, r->levels - 1, 1);
}

static void fill(const bailey_mlmc_test_params *params, uint32_t first_steps,
                 const struct bly_term_sums *term_sums, bailey_mlmc_report *r)
{
    for (uint32_t l = 0; l < r->levels; l++) {
        fill_level(term_sums, l, &r->level[l]);
        r->level[l].cost = bly_mlmc_cost(&params->run, first_steps, l);
        r->level[l].check = l ? check_of(&r->level[l], (double)r->samples) : 0;
        r->check_warning |= r->level[l].check > 1;
    }
    r->kurtosis_warning = r->level[r->levels - 1].kurtosis > MOST_KURTOSIS;
    fit(r);
}

bailey_status bly_mlmc_test_levels(const bailey_mlmc_test_params *params, uint32_t first_steps,
                                   const struct bly_sampler_maker *maker, bailey_mlmc_report *report)
{
    const uint64_t wanted = params->samples ? params->samples : BLY_MLMC_TEST_SAMPLES;
    const uint64_t n = (wanted + (BLY_LEVEL_GRAIN - 1)) / BLY_LEVEL_GRAIN * BLY_LEVEL_GRAIN;
    uint64_t samples[BAILEY_MLMC_MAX_LEVELS];
    struct bly_term_sums sums;
    bailey_mlmc_result result;
    *report = (bailey_mlmc_report){.samples = n, .levels = bly_mlmc_test_finest(params) + 1};
    for (uint32_t l = 0; l < report->levels; l++) samples[l] = n;
    const bailey_status status = bly_mlmc_run_samples_with(&params->run, first_steps, maker, samples,
                                                           report->levels, BLY_LEVEL_ROWS, &sums, &result);
    if (status == BAILEY_OK) fill(params, first_steps, &sums, report);
    bly_term_sums_free(&sums);
    return status;
}

/* On the finest level that the run had, by the variance of its payoff as the convergence test saw it, or on
 * the finest that it saw. */
static double standard_cost(const bailey_mlmc_test_params *params, uint32_t first_steps,
                            const bailey_mlmc_report *report, const bailey_mlmc_test_run *run)
{
    const uint32_t finest = run->result.levels - 1;
    const uint32_t seen = finest < report->levels ? finest : report->levels - 1;
    const double allowed = (1 - bly_mlmc_bias_share(&params->run)) * (run->eps * run->eps);
    return report->level[seen].fine_variance * bly_mlmc_cost(&params->run, first_steps, finest) / allowed;
}

bailey_status bly_mlmc_test_runs(const bailey_mlmc_test_params *params, uint32_t first_steps,
                                 bailey_status (*run)(void *user, const bailey_mlmc_run_params *params,
                                                      bailey_mlmc_result *result),
                                 void *user, bailey_mlmc_report *report)
{
    bailey_mlmc_run_params one = params->run;
    bailey_status status = BAILEY_OK;
    one.checkpoint = NULL;
    for (uint32_t i = 0; i < params->eps_count && status == BAILEY_OK; i++) {
        bailey_mlmc_test_run *test = &report->run[i];
        one.eps = test->eps = params->eps[i];
        status = run(user, &one, &test->result);
        if (status != BAILEY_OK) return status;
        test->standard_cost = standard_cost(params, first_steps, report, test);
        test->savings = test->standard_cost / test->result.cost;
        report->runs = i + 1;
    }
    return status;
}
