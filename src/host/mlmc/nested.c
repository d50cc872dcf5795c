/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The algorithm of driver.c with 2 (L + 1) estimators instead of L + 1 (M. Giles and O. Sheridan-Methven,
 * "Analysis of nested multilevel Monte Carlo using approximate normal random variables", SIAM/ASA Journal on
 * Uncertainty Quantification 10, 2022): on level l the mean of Y~_l, the difference with approximate normals,
 * and that of Y_l - Y~_l, both of the same words. Their sum is the mean of Y_l, whatever the approximation
 * is. With V the variance and C the cost of a sample of either, as many samples as sqrt(V / C) times a common
 * factor make the sum's variance at least cost.
 *
 * A list is made and waited for before the next: what a round wants depends on all sums.
 */
#include "nested.h"

#include "laws.h"

#include <host/internal.h>

#include <math.h>

#define KINDS 2 /* differences, corrections */
#define FEW 8   /* an eighth of what is wanted, or less */
#define LEVELS BAILEY_MLMC_MAX_LEVELS

bailey_status bly_nested_create(struct bly_nested *nested)
{
    bailey_status status = BAILEY_OK;
    for (int k = 0; k < KINDS; k++) {
        const bailey_status made = bly_levels_create(BLY_LEVEL_RUN_ROWS, &nested->levels[k]);
        if (status == BAILEY_OK) status = made;
    }
    return status;
}

void bly_nested_free(struct bly_nested *nested)
{
    for (int k = 0; k < KINDS; k++) bly_levels_free(&nested->levels[k]);
}

bailey_status bly_nested_check(const bailey_mlmc_run_params *p, bailey_precision precision)
{
    if (p->approximate != BAILEY_MLMC_CONSTANT && p->approximate != BAILEY_MLMC_DYADIC)
        return bly_fail_argument("approximate", "approximate is %d, not a bailey_mlmc_approximation",
                                 (int)p->approximate);
    if (precision != BAILEY_PRECISION_F32)
        return bly_fail_argument("approximate", "approximate normals are there in single precision alone");
    if (bly_source_kind(&p->source) == BAILEY_SOURCE_POINT)
        return bly_fail_argument("approximate", "approximate normals are not there for a source of points");
    if (p->schedule != BAILEY_MLMC_DETERMINISTIC)
        return bly_fail_argument("schedule",
                                 "schedule is %d, and with approximate normals BAILEY_MLMC_DETERMINISTIC",
                                 (int)p->schedule);
    if (p->checkpoint)
        return bly_fail_argument("checkpoint", "there is no checkpoint with approximate normals");
    if (!(p->approximate_cost >= 0 && p->approximate_cost <= 1))
        return bly_fail_argument("approximate_cost", "approximate_cost is %g, not from 0 to 1",
                                 p->approximate_cost);
    return BAILEY_OK;
}

/* ---- Estimates ----------------------------------------------------------------------------------- */

/* What the sums of levels 0 .. finest say. */
struct estimates {
    double mean[KINDS][LEVELS], variance[KINDS][LEVELS]; /* of a sample */
    double cost[KINDS][LEVELS];
    double magnitude[LEVELS]; /* of the mean of Y, not below what the level before expects */
    double alpha, beta, gamma;
};

/* What is under way. */
struct run {
    const bailey_mlmc_run_params *params;
    const struct bly_sampler *sampler;
    struct bly_nested *nested;
    uint32_t first_steps, finest, most, rounds;
    int given; /* numbers of samples are, and multiples of the grain */
    double theta;
    struct estimates e;
    double spread[KINDS][LEVELS];   /* the variances, raised and extrapolated */
    uint64_t wanted[KINDS][LEVELS]; /* samples in all */
};

/* The costs of samples: with exact normals; a correction takes both paths twice. */
static void find_costs(struct run *r)
{
    const double given = r->params->approximate_cost, share = given > 0 ? given : BLY_APPROXIMATE_COST;
    for (uint32_t l = 0; l <= r->finest; l++) {
        const double exact = r->params->cost ? r->params->cost[l] : (double)((uint64_t)r->first_steps << l);
        r->e.cost[0][l] = share * exact;
        r->e.cost[1][l] = (1 + share) * exact;
    }
}

static void find_moments(struct run *r, int kind, uint32_t level)
{
    const struct bly_levels *known = &r->nested->levels[kind];
    const double n = (double)known->samples[level];
    double sums[BLY_LEVEL_ROWS] = {0};
    r->e.mean[kind][level] = r->e.variance[kind][level] = 0;
    if (known->samples[level] == 0) return;
    bly_levels_sums(known, level, sums);
    const double mean = sums[BLY_LEVEL_Y] / n, variance = fma(-mean, mean, sums[BLY_LEVEL_Y2] / n);
    r->e.mean[kind][level] = mean;
    r->e.variance[kind][level] = variance > 0 ? variance : 0;
}

/* Variances as they are used to choose numbers of samples; a level that has none yet continues the one before
 * it, its correction as slowly as the papers expect, by a half. */
static double find_spread(const struct run *r, int kind, double given, double *spread)
{
    uint32_t known = r->finest;
    while (known > 0 && r->nested->levels[kind].samples[known] == 0) known--;
    for (uint32_t l = 0; l <= known; l++) spread[l] = r->e.variance[kind][l];
    const double order = bly_settle_values(spread, known, given, BLY_MOST_BETA);
    for (uint32_t l = known + 1; l <= r->finest; l++) spread[l] = spread[l - 1] / bly_power_of_2(order);
    return order;
}

static void find_spreads(struct run *r)
{
    r->e.beta = find_spread(r, 0, r->params->beta, r->spread[0]);
    find_spread(r, 1, 1, r->spread[1]);
}

static void estimate(struct run *r)
{
    struct estimates *e = &r->e;
    const bailey_mlmc_run_params *p = r->params;
    find_costs(r);
    for (uint32_t l = 0; l <= r->finest; l++) {
        for (int k = 0; k < KINDS; k++) find_moments(r, k, l);
        e->magnitude[l] = fabs(e->mean[0][l] + e->mean[1][l]);
    }
    e->alpha = bly_settle_values(e->magnitude, r->finest, p->alpha, BLY_MOST_ALPHA);
    e->gamma = p->gamma > 0 ? p->gamma : bly_order_of(e->cost[0], r->finest, 1);
    find_spreads(r);
}

static double bias_of(const struct run *r) { return bly_bias_of(r->e.magnitude, r->finest, r->e.alpha); }

/* ---- Samples ------------------------------------------------------------------------------------- */

/* As many samples of each kind as make the sum's variance (1 - theta) eps^2. */
static void find_wanted(struct run *r)
{
    double sum = 0;
    const double eps = r->params->eps, allowed = (1 - r->theta) * (eps * eps);
    find_spreads(r);
    for (int k = 0; k < KINDS; k++)
        for (uint32_t l = 0; l <= r->finest; l++) sum += sqrt(r->spread[k][l] * r->e.cost[k][l]);
    for (int k = 0; k < KINDS; k++)
        for (uint32_t l = 0; l <= r->finest; l++) {
            const double n = ceil(sqrt(r->spread[k][l] / r->e.cost[k][l]) * sum / allowed);
            r->wanted[k][l] = n < 0x1p60 ? (uint64_t)n : UINT64_C(1) << 60;
        }
}

static bailey_status report(const struct run *r)
{
    double done = 0, all = 0;
    if (!r->params->progress) return BAILEY_OK;
    for (int k = 0; k < KINDS; k++)
        for (uint32_t l = 0; l <= r->finest; l++) {
            const uint64_t n = r->nested->levels[k].samples[l], w = r->wanted[k][l];
            done = fma((double)n, r->e.cost[k][l], done);
            all = fma((double)(w > n ? w : n), r->e.cost[k][l], all);
        }
    if (r->params->progress(r->params->progress_user, (uint64_t)done, (uint64_t)all) != 0)
        return bly_fail(BAILEY_ERROR_CANCELLED, "cancelled by the caller's progress function");
    return BAILEY_OK;
}

/* Samples of a kind of a level that the next list goes up to. Where few are there or none, the variance that
 * says how many are wanted is not known well: half of them come first. */
static uint64_t next_samples(const struct run *r, int kind, uint32_t l)
{
    const uint64_t have = r->nested->levels[kind].samples[l], wanted = r->wanted[kind][l];
    if (r->given) return wanted;
    if (r->rounds == 0) return bly_level_round(wanted);
    return bly_level_round(wanted / FEW > have ? wanted / 2 : wanted);
}

/* Makes what is wanted and not there yet, corrections first, which take longest. */
static bailey_status make(struct run *r)
{
    struct bly_level_range list[KINDS * LEVELS];
    uint32_t count = 0;
    for (int k = KINDS - 1; k >= 0; k--)
        for (uint32_t l = r->finest + 1; l-- > 0;) {
            const uint64_t have = r->nested->levels[k].samples[l], to = next_samples(r, k, l);
            if (to > have)
                list[count++] = (struct bly_level_range){l + (k ? BLY_CORRECTIONS : 0), have, to - have};
        }
    if (count == 0) return BAILEY_OK;
    bailey_status status = r->sampler->queue(r->sampler->user, list, count);
    if (status == BAILEY_OK) status = r->sampler->take(r->sampler->user);
    r->rounds++;
    estimate(r);
    return status == BAILEY_OK ? report(r) : status;
}

/* Whether no number of samples is more than 1 % below what is wanted. */
static int enough(const struct run *r)
{
    for (int k = 0; k < KINDS; k++)
        for (uint32_t l = 0; l <= r->finest; l++) {
            const uint64_t have = r->nested->levels[k].samples[l], w = r->wanted[k][l];
            if (w > have && (double)(w - have) > 0.01 * (double)have) return 0;
        }
    return 1;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

static void fill_level(const struct run *r, int kind, uint32_t l, bailey_mlmc_level *to)
{
    to->samples = r->nested->levels[kind].samples[l];
    to->cost = r->e.cost[kind][l];
    to->mean = r->e.mean[kind][l];
    to->variance = r->e.variance[kind][l];
}

static bailey_status fill(const struct run *r, bailey_mlmc_result *result)
{
    bailey_mlmc_result f = {.alpha = r->e.alpha, .beta = r->e.beta, .gamma = r->e.gamma};
    double variance = 0;
    f.levels = r->finest + 1;
    f.rounds = r->rounds;
    for (uint32_t l = 0; l <= r->finest; l++) {
        fill_level(r, 0, l, &f.level[l]);
        fill_level(r, 1, l, &f.correction[l]);
        const bailey_mlmc_level *const of[KINDS] = {&f.level[l], &f.correction[l]};
        for (int k = 0; k < KINDS; k++) {
            f.value += of[k]->mean;
            f.cost = fma((double)of[k]->samples, of[k]->cost, f.cost);
            if (of[k]->samples) variance += of[k]->variance / (double)of[k]->samples;
        }
    }
    f.standard_error = sqrt(variance);
    f.bias = bias_of(r);
    f.converged = f.bias <= sqrt(r->theta) * (r->params->eps > 0 ? r->params->eps : f.standard_error);
    if (!isfinite(f.value) || !isfinite(f.standard_error))
        return bly_fail(BAILEY_ERROR_INVALID, "payoffs of levels are not finite, or their squares");
    *result = f;
    return BAILEY_OK;
}

static struct run begin(const bailey_mlmc_run_params *params, uint32_t first_steps,
                        const struct bly_sampler *sampler, struct bly_nested *nested)
{
    struct run r = {.params = params, .sampler = sampler, .nested = nested, .first_steps = first_steps};
    r.theta = params->theta > 0 ? params->theta : 0.25;
    r.finest = params->min_level ? params->min_level : 2;
    r.most = params->max_level ? params->max_level : 10;
    return r;
}

bailey_status bly_nested_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                               const struct bly_sampler *sampler, struct bly_nested *nested,
                               bailey_mlmc_result *result)
{
    struct run r = begin(params, first_steps, sampler, nested);
    for (int k = 0; k < KINDS; k++)
        for (uint32_t l = 0; l <= r.finest; l++) r.wanted[k][l] = params->samples ? params->samples : 1000;
    for (;;) {
        const bailey_status status = make(&r);
        if (status != BAILEY_OK) return status;
        find_wanted(&r);
        if (!enough(&r)) continue;
        if (bias_of(&r) <= sqrt(r.theta) * params->eps || r.finest == r.most) break;
        r.finest++;
        find_costs(&r);
        find_wanted(&r);
    }
    return fill(&r, result);
}

bailey_status bly_nested_sample(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                const struct bly_sampler *sampler, const uint64_t *samples, uint32_t levels,
                                struct bly_nested *nested, bailey_mlmc_result *result)
{
    struct run r = begin(params, first_steps, sampler, nested);
    r.finest = levels - 1;
    r.given = 1;
    find_costs(&r);
    for (int k = 0; k < KINDS; k++)
        for (uint32_t l = 0; l < levels; l++) r.wanted[k][l] = samples[k * levels + l];
    bailey_status status = make(&r);
    bailey_mlmc_run_params own = *params;
    own.eps = 0;
    r.params = &own;
    if (status == BAILEY_OK) status = fill(&r, result);
    return status;
}
