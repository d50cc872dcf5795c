/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * M. Giles, "Multilevel Monte Carlo methods", Acta Numerica 24 (2015), section 3, in lists.
 *
 * His algorithm makes all samples that are wanted, looks, and makes more. Here what is wanted is made in
 * slices, finest levels first, and two lists are under way: while the device is at work on one, the host
 * looks at the sums of those before and queues the next. A slice is a part of the steps that are still to
 * come, so that level 0, which has nearly all of it, goes on while finer levels are found to be needed,
 * and how many samples it needs is known well before the last of them are made. A finer level is begun as
 * soon as the bias is seen to be too large, not when all else is done: its samples are as many as the
 * variances so far want.
 *
 * All decisions are functions of sums and of what was queued before, and lists are looked at in their
 * order, so that nothing depends on how long anything takes.
 *
 * A level has one estimator, the mean of its differences, or with approximate normals two (nested.c); what
 * follows from the sum of all their means and variances is the same.
 */
#include "driver.h"

#include "laws.h"
#include "nested.h"

#include <host/internal.h>

#include <math.h>
#include <string.h>

#define LEVELS BAILEY_MLMC_MAX_LEVELS
#define LEAST_SLICE 0x1p24 /* steps: a fraction of a millisecond on the fastest devices */
#define SLICES 8           /* a list is this part of the steps to come, unless that is less than the least */

struct drive {
    const bailey_mlmc_run_params *params;
    const struct bly_sampler *sampler;
    struct bly_levels *levels;
    struct bly_mlmc_state *state;
    uint32_t first_steps, most, kinds;
    int given; /* how many samples are wanted: neither more nor fewer */
    double theta;
    /* Of each estimator. */
    double mean[BLY_ESTIMATORS], variance[BLY_ESTIMATORS];
    double cost[BLY_ESTIMATORS], steps[BLY_ESTIMATORS]; /* of a sample; exact fine steps that take as long */
    double spread[BLY_ESTIMATORS];                      /* variance, raised and extrapolated */
    double seen[BLY_ESTIMATORS], size[BLY_ESTIMATORS];  /* samples that differ from 0; their mean square */
    uint64_t wanted[BLY_ESTIMATORS];
    double magnitude[LEVELS]; /* of a level's mean, raised */
    double alpha, beta, gamma;
    int waits; /* for variances to be known */
};

uint64_t bly_level_round(uint64_t samples)
{
    uint64_t grain = BLY_LEVEL_GRAIN;
    while (samples >> BLY_LEVEL_BITS >= grain) grain *= 2;
    return (samples + (grain - 1)) / grain * grain;
}

double bly_mlmc_cost(const bailey_mlmc_run_params *params, uint32_t first_steps, uint32_t level)
{
    return params->cost ? params->cost[level] : (double)((uint64_t)first_steps << level);
}

uint32_t bly_mlmc_most(const bailey_mlmc_run_params *params)
{
    return params->max_level ? params->max_level : BLY_MLMC_MAX_LEVEL;
}

uint32_t bly_mlmc_least(const bailey_mlmc_run_params *params)
{
    return params->min_level ? params->min_level : BLY_MLMC_MIN_LEVEL;
}

double bly_mlmc_bias_share(const bailey_mlmc_run_params *params)
{
    return params->bias_share > 0 ? params->bias_share : BLY_MLMC_BIAS_SHARE;
}

/* ---- Estimators ---------------------------------------------------------------------------------- */

static uint32_t estimators(const struct drive *d) { return (d->state->finest + 1) * d->kinds; }

/* Number i of them in the order of levels, of which each has its difference, then its correction. */
static uint32_t estimator(const struct drive *d, uint32_t i)
{
    return i % d->kinds * BLY_CORRECTIONS + i / d->kinds;
}

static uint32_t level_of(uint32_t e) { return e < BLY_CORRECTIONS ? e : e - BLY_CORRECTIONS; }

/* The finest level that has samples of a kind, which are those of all coarser levels too. */
static uint32_t finest_of(const struct drive *d, uint32_t kind)
{
    const uint64_t *samples = d->levels->samples + kind * BLY_CORRECTIONS;
    uint32_t l = d->state->finest;
    while (l > 0 && samples[l] == 0) l--;
    return l;
}

/* Likewise, of all kinds. */
static uint32_t finest_known(const struct drive *d)
{
    uint32_t least = finest_of(d, 0);
    for (uint32_t k = 1; k < d->kinds; k++)
        if (finest_of(d, k) < least) least = finest_of(d, k);
    return least;
}

/* ---- Estimates ----------------------------------------------------------------------------------- */

static bailey_status find_moments(struct drive *d, uint32_t e)
{
    const double n = (double)d->levels->samples[e];
    double sums[BLY_LEVEL_ROWS] = {0};
    d->mean[e] = d->variance[e] = d->seen[e] = d->size[e] = 0;
    if (d->levels->samples[e] == 0) return BAILEY_OK;
    bly_levels_sums(d->levels, e, sums);
    if (!isfinite(sums[BLY_LEVEL_Y]) || !isfinite(sums[BLY_LEVEL_Y2]))
        return bly_fail(BAILEY_ERROR_INVALID, "payoffs of level %u are not finite, or their squares",
                        level_of(e));
    d->mean[e] = sums[BLY_LEVEL_Y] / n;
    d->variance[e] = bly_variance_of(sums[BLY_LEVEL_Y], sums[BLY_LEVEL_Y2], n);
    d->seen[e] = fmin(fmax(sums[BLY_LEVEL_SEEN], 0), n); /* whatever a checkpoint says */
    if (d->seen[e] > 0) d->size[e] = sums[BLY_LEVEL_Y2] / d->seen[e];
    return BAILEY_OK;
}

static void find_costs(struct drive *d)
{
    for (uint32_t i = 0; i < (d->most + 1) * d->kinds; i++) {
        const uint32_t e = estimator(d, i), l = level_of(e);
        const double part = bly_nested_cost(d->params, i % d->kinds);
        d->cost[e] = part * bly_mlmc_cost(d->params, d->first_steps, l);
        d->steps[e] = part * (double)((uint64_t)d->first_steps << l);
    }
}

/* Levels without samples continue the one before. Returns the order by which variances of a kind fall. */
static double find_spread(struct drive *d, uint32_t kind, double given)
{
    double *spread = d->spread + kind * BLY_CORRECTIONS;
    const uint32_t known = finest_of(d, kind), finest = d->state->finest;
    memcpy(spread, d->variance + kind * BLY_CORRECTIONS, (finest + 1) * sizeof *spread);
    const double order = bly_settle_values(spread, known, given, BLY_MOST_BETA);
    for (uint32_t l = bly_mlmc_least(d->params) + 1; l <= known; l++)
        if (d->seen[kind * BLY_CORRECTIONS + l] < BLY_FEW_SEEN)
            spread[l] = fmax(spread[l], spread[l - 1] / bly_power_of_2(order));
    for (uint32_t l = known + 1; l <= finest; l++) spread[l] = spread[l - 1] / bly_power_of_2(order);
    return order;
}

static bailey_status estimate(struct drive *d)
{
    const bailey_mlmc_run_params *p = d->params;
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < estimators(d) && status == BAILEY_OK; i++)
        status = find_moments(d, estimator(d, i));
    if (status != BAILEY_OK) return status;
    for (uint32_t l = 0; l <= d->state->finest; l++)
        d->magnitude[l] = fabs(d->mean[l] + d->mean[BLY_CORRECTIONS + l]);
    d->alpha = bly_settle_values(d->magnitude, finest_known(d), p->alpha, BLY_MOST_ALPHA);
    d->beta = find_spread(d, 0, p->beta);
    if (d->kinds > 1) find_spread(d, 1, BLY_CORRECTION_BETA);
    d->gamma = p->gamma > 0 ? p->gamma : bly_order_of(d->cost, d->state->finest, 1);
    return BAILEY_OK;
}

/* ---- Rare samples -------------------------------------------------------------------------------- */

/* How large a sample's square may be where it differs from 0: as the estimator has seen, or where it has seen
 * few, as any other has. 0, not known, where all together have seen few, which may be small by chance, until
 * level 0 has been looked at long enough. */
static double size_of(const struct drive *d, uint32_t e)
{
    double size = d->size[e], all = 0;
    for (uint32_t i = 0; i < estimators(d); i++) {
        all += d->seen[estimator(d, i)];
        if (d->seen[e] < BLY_FEW_SEEN) size = fmax(size, d->size[estimator(d, i)]);
    }
    return all < BLY_FEW_SEEN && (double)d->levels->samples[0] < BLY_BLIND ? 0 : size;
}

/* Raises what is wanted of the first levels, which no law of those before can help. */
static void want_to_know(struct drive *d, double allowed)
{
    d->waits = 0;
    for (uint32_t i = 0; i < (bly_mlmc_least(d->params) + 1) * d->kinds; i++) {
        const uint32_t e = estimator(d, i);
        const double size = size_of(d, e), have = (double)d->levels->samples[e];
        const double to_know = size > 0 || e == 0 ? bly_samples_to_know(have, d->seen[e], size, allowed) : 0;
        const double n = fmin(to_know, BLY_MLMC_MOST_SAMPLES);
        d->waits |= n > 0;
        if (n > (double)d->wanted[e]) d->wanted[e] = (uint64_t)n;
    }
}

/* ---- What is wanted ------------------------------------------------------------------------------ */

/* As many samples as make the sum's variance (1 - theta) eps^2, at least cost. Where none has been seen to
 * differ there are some, so that it is known. */
static bailey_status find_wanted(struct drive *d)
{
    const double eps = d->params->eps, allowed = (1 - d->theta) * (eps * eps);
    double sum = 0;
    for (uint32_t i = 0; i < estimators(d); i++) {
        const uint32_t e = estimator(d, i);
        sum += sqrt(d->spread[e] * d->cost[e]);
    }
    for (uint32_t i = 0; i < estimators(d); i++) {
        const uint32_t e = estimator(d, i);
        const double n = ceil(sqrt(d->spread[e] / d->cost[e]) * sum / allowed);
        if (!(n <= BLY_MLMC_MOST_SAMPLES))
            return bly_fail_argument("eps", "eps is %g, for which level %u takes %g samples, more than 2^38",
                                     eps, level_of(e), n);
        d->wanted[e] = n > BLY_LEVEL_GRAIN ? (uint64_t)n : BLY_LEVEL_GRAIN;
    }
    want_to_know(d, allowed);
    return BAILEY_OK;
}

/* Looks at all sums. */
static bailey_status look(struct drive *d)
{
    const bailey_status status = estimate(d);
    return status == BAILEY_OK ? find_wanted(d) : status;
}

static double bias_of(const struct drive *d)
{
    return bly_bias_of(d->magnitude, d->state->finest, d->alpha, d->params->alpha > 0);
}

static int is_converged(const struct drive *d) { return bias_of(d) <= sqrt(d->theta) * d->params->eps; }

/* ---- Lists --------------------------------------------------------------------------------------- */

/* Whether some number of samples is more than 1 % below what is wanted. */
static int needs_more(const struct drive *d)
{
    for (uint32_t i = 0; i < estimators(d); i++) {
        const uint64_t have = d->state->queued[estimator(d, i)], w = d->wanted[estimator(d, i)];
        if (w > have && (double)(w - have) > 0.01 * (double)have) return 1;
    }
    return 0;
}

/* By the weight of a sample of each estimator. */
static double to_come(const struct drive *d, const double *weight)
{
    double sum = 0;
    for (uint32_t i = 0; i < estimators(d); i++) {
        const uint32_t e = estimator(d, i);
        if (d->wanted[e] > d->state->queued[e])
            sum = fma((double)(d->wanted[e] - d->state->queued[e]), weight[e], sum);
    }
    return sum;
}

/* The next list: of what is wanted, finest levels first, as much as a slice. */
static void fill_list(const struct drive *d, struct bly_mlmc_list *list)
{
    const double steps = to_come(d, d->steps), slice = fmax(steps / SLICES, LEAST_SLICE);
    double left = steps < 1.5 * slice ? steps : slice;
    list->count = 0;
    for (uint32_t i = estimators(d); i-- > 0;) {
        const uint32_t e = estimator(d, i);
        const uint64_t have = d->state->queued[e];
        uint64_t room = (uint64_t)(fmax(left, 0) / d->steps[e]);
        if (d->wanted[e] <= have) continue;
        if (list->count == 0 && room == 0) room = 1;
        const uint64_t more = d->wanted[e] - have < room ? d->wanted[e] - have : room;
        if (more == 0) continue;
        const uint64_t round = bly_level_round(have + more);
        const uint64_t to = d->given && round > d->wanted[e] ? d->wanted[e] : round;
        list->range[list->count++] = (struct bly_level_range){e, have, to - have};
        left -= (double)more * d->steps[e];
    }
}

static bailey_status queue(struct drive *d, const struct bly_mlmc_list *list)
{
    struct bly_mlmc_state *s = d->state;
    const bailey_status status = d->sampler->queue(d->sampler->user, list->range, list->count);
    if (status != BAILEY_OK) return status;
    for (uint32_t i = 0; i < list->count; i++)
        s->queued[list->range[i].level] = list->range[i].first + list->range[i].count;
    s->under_way[s->lists++] = *list;
    s->rounds++;
    return BAILEY_OK;
}

static uint64_t whole(double cost) { return cost < 0x1p63 ? (uint64_t)cost : UINT64_C(1) << 63; }

static bailey_status report(const struct drive *d)
{
    double done = 0;
    if (!d->params->progress) return BAILEY_OK;
    for (uint32_t i = 0; i < estimators(d); i++)
        done = fma((double)d->levels->samples[estimator(d, i)], d->cost[estimator(d, i)], done);
    double all = done + to_come(d, d->cost);
    for (uint32_t i = 0; i < d->state->lists; i++)
        for (uint32_t j = 0; j < d->state->under_way[i].count; j++)
            all = fma((double)d->state->under_way[i].range[j].count,
                      d->cost[d->state->under_way[i].range[j].level], all);
    if (d->params->progress(d->params->progress_user, whole(done), whole(all)) != 0)
        return bly_fail(BAILEY_ERROR_CANCELLED, "cancelled after a cost of %.6g of %.6g", done, all);
    return BAILEY_OK;
}

static bailey_status take(struct drive *d)
{
    struct bly_mlmc_state *s = d->state;
    const bailey_status status = d->sampler->take(d->sampler->user);
    if (status != BAILEY_OK) return status;
    s->under_way[0] = s->under_way[1];
    s->lists--;
    return BAILEY_OK;
}

/* Takes the first list, looks, and says how far the run is. */
static bailey_status take_and_look(struct drive *d)
{
    bailey_status status = take(d);
    if (status == BAILEY_OK) status = look(d);
    if (status == BAILEY_OK && d->state->save) status = d->state->save(d->state->save_user);
    return status == BAILEY_OK ? report(d) : status;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

static int saw_nothing(const struct drive *d)
{
    for (uint32_t i = 0; i < estimators(d); i++)
        if (d->seen[estimator(d, i)] > 0) return 0;
    return !d->given;
}

static void fill(const struct drive *d, bailey_mlmc_result *result)
{
    bailey_mlmc_result r = {.alpha = d->alpha, .beta = d->beta, .gamma = d->gamma};
    double variance = 0;
    r.levels = d->state->finest + 1;
    r.rounds = d->state->rounds;
    for (uint32_t i = 0; i < estimators(d); i++) {
        const uint32_t e = estimator(d, i);
        const uint64_t n = d->levels->samples[e];
        bailey_mlmc_level *of = e < BLY_CORRECTIONS ? r.level : r.correction;
        of[level_of(e)] = (bailey_mlmc_level){
            .samples = n, .cost = d->cost[e], .mean = d->mean[e], .variance = d->variance[e]};
        r.mean += d->mean[e];
        r.cost = fma((double)n, d->cost[e], r.cost);
        if (n) variance += d->variance[e] / (double)n;
    }
    r.standard_error = sqrt(variance);
    r.bias = bias_of(d);
    if (!(r.bias <= sqrt(d->theta) * (d->params->eps > 0 ? d->params->eps : r.standard_error)))
        r.reason = BAILEY_MLMC_REASON_BIAS;
    if (saw_nothing(d)) r.reason = BAILEY_MLMC_REASON_NOTHING;
    r.converged = r.reason == BAILEY_MLMC_REASON_CONVERGED;
    *result = r;
}

/* The finest level is known, its bias too large, and there may be one more. */
static int wants_level(const struct drive *d)
{
    const uint32_t finest = d->state->finest;
    return finest < d->most && finest_known(d) == finest && !d->waits && !is_converged(d);
}

/* One list more, or one less. Sets *done at the end of the run. */
static bailey_status go_on(struct drive *d, int *done)
{
    struct bly_mlmc_state *s = d->state;
    struct bly_mlmc_list list;
    if (s->lists == 2) return take_and_look(d);
    if (wants_level(d)) {
        s->finest++;
        const bailey_status status = look(d);
        if (status != BAILEY_OK) return status;
    }
    fill_list(d, &list);
    if (list.count && needs_more(d)) return queue(d, &list);
    *done = s->lists == 0;
    return *done ? BAILEY_OK : take_and_look(d);
}

static struct drive begin(const bailey_mlmc_run_params *params, uint32_t first_steps,
                          const struct bly_sampler *sampler, struct bly_levels *levels,
                          struct bly_mlmc_state *state, uint32_t most)
{
    struct drive d = {.params = params,
                      .sampler = sampler,
                      .levels = levels,
                      .state = state,
                      .first_steps = first_steps,
                      .most = most,
                      .kinds = levels->kinds,
                      .theta = bly_mlmc_bias_share(params)};
    find_costs(&d);
    return d;
}

/* The first list: as many samples of each estimator of the first levels. */
static bailey_status queue_first(struct drive *d)
{
    const uint64_t samples =
        bly_level_round(d->params->initial_samples ? d->params->initial_samples : BLY_MLMC_INITIAL_SAMPLES);
    struct bly_mlmc_list list = {0};
    d->state->finest = bly_mlmc_least(d->params);
    for (uint32_t i = estimators(d); i-- > 0;)
        list.range[list.count++] = (struct bly_level_range){estimator(d, i), 0, samples};
    return queue(d, &list);
}

/* What was under way when the state was saved. */
static bailey_status queue_again(struct drive *d)
{
    struct bly_mlmc_state *s = d->state;
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < s->lists && status == BAILEY_OK; i++)
        status = d->sampler->queue(d->sampler->user, s->under_way[i].range, s->under_way[i].count);
    return status;
}

bailey_status bly_mlmc_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                             const struct bly_sampler *sampler, struct bly_levels *levels,
                             struct bly_mlmc_state *state, bailey_mlmc_result *result)
{
    struct drive d = begin(params, first_steps, sampler, levels, state, bly_mlmc_most(params));
    bailey_status status = state->rounds ? queue_again(&d) : queue_first(&d);
    int done = 0;
    if (status == BAILEY_OK) status = levels->samples[0] ? look(&d) : take_and_look(&d);
    while (status == BAILEY_OK && !done) status = go_on(&d, &done);
    if (status == BAILEY_OK) fill(&d, result);
    return status;
}

bailey_status bly_mlmc_sample_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                    const struct bly_sampler *sampler, const uint64_t *samples,
                                    uint32_t count, struct bly_levels *levels, bailey_mlmc_result *result)
{
    bailey_mlmc_run_params own = *params;
    own.eps = own.bias_share = 0;
    struct bly_mlmc_state state = {.finest = count - 1};
    struct drive d = begin(&own, first_steps, sampler, levels, &state, count - 1);
    bailey_status status = BAILEY_OK;
    d.given = 1;
    for (uint32_t k = 0; k < d.kinds; k++)
        memcpy(d.wanted + k * BLY_CORRECTIONS, samples + k * count, count * sizeof *samples);
    while (status == BAILEY_OK && (state.lists || to_come(&d, d.steps) > 0)) {
        struct bly_mlmc_list list;
        fill_list(&d, &list);
        const int queues = list.count && state.lists < 2;
        status = queues ? queue(&d, &list) : take(&d);
        if (status == BAILEY_OK && !queues) status = report(&d);
    }
    if (status == BAILEY_OK) status = estimate(&d);
    if (status == BAILEY_OK) fill(&d, result);
    return status;
}
