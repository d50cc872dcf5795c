/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The adaptive algorithm: which samples are made next, and when a run ends. It is that of M. Giles,
 * "Multilevel Monte Carlo methods", Acta Numerica 24 (2015), section 3, in rounds, one of which is queued
 * before the results of the previous one are known.
 *
 * His algorithm makes all samples that are needed, evaluates them, and makes more. Here samples are made in
 * rounds, finest levels first, and two rounds are in flight: while the device runs one, the host reads the
 * sums of those before and queues the next. A round is a fraction of the steps that are still to come, so
 * that level 0, which has nearly all of them, continues while finer levels are found to be needed, and the
 * number of samples that it needs is known well before the last of them are made. A finer level begins as
 * soon as the bias is seen to be too large, not when all else is done; the number of its samples follows from
 * the variances so far.
 *
 * All decisions are functions of sums and of what was queued before, and rounds are examined in their order,
 * so that nothing depends on how long anything takes.
 *
 * With approximate normals there are 2 (L + 1) terms instead of L + 1 (M. Giles and O. Sheridan-Methven,
 * "Analysis of nested multilevel Monte Carlo using approximate normal random variables", SIAM/ASA Journal on
 * Uncertainty Quantification 10, 2022): on level l the mean of Y~_l, the difference with approximate normals,
 * and that of Y_l - Y~_l, both of the same words. Their sum is the mean of Y_l, whatever the approximation
 * is, so that bias, variance and numbers of samples follow from the terms in the same way. With AUTO a level
 * has a correction only where choose.c found a kind of approximate normals to be cheaper.
 */
#include "driver.h"

#include <host/internal.h>

#include <math.h>
#include <string.h>

#define LEVELS BAILEY_MLMC_MAX_LEVELS

/* A round is an eighth of the steps to come, so that most of them are decided with up-to-date sums; but it
 * has enough steps, a fraction of a millisecond on the fastest devices, for the latency of a launch not to
 * count. */
#define ROUNDS_TO_COME 8
#define LEAST_ROUND 0x1p24

/* Variances of corrections fall as 2^(-CORRECTION_BETA l), as Giles and Sheridan-Methven expect; their
 * samples are too few for an estimate. */
#define CORRECTION_BETA 1

struct drive {
    const bailey_mlmc_run_params *params;
    const struct bly_sampler *sampler;
    struct bly_term_sums *sums;
    struct bly_mlmc_state *state;
    uint32_t first_steps, most, kinds;
    int counts_given; /* what is needed must be made: neither more nor fewer */
    double bias_share;
    const struct bly_choosing *choosing; /* with AUTO, else NULL */
    /* For each term. */
    double mean[BLY_TERMS], variance[BLY_TERMS];
    double cost[BLY_TERMS], steps[BLY_TERMS]; /* of a sample; exact fine steps that take as long */
    double spread[BLY_TERMS];                 /* variance, raised and extrapolated */
    double seen[BLY_TERMS], size[BLY_TERMS];  /* samples that differ from 0; their mean square */
    uint64_t wanted[BLY_TERMS];
    double magnitude[LEVELS]; /* of a level's mean, raised */
    double alpha, beta, gamma;
    int waits; /* for the variances of the first levels to be known */
};

/* ---- Parameters and their defaults --------------------------------------------------------------- */

/* Steps of the fine path: the coarse one is not counted, as in Giles's tables. */
double bly_mlmc_cost(const bailey_mlmc_run_params *params, uint32_t first_steps, uint32_t level)
{
    return params->cost ? params->cost[level] : (double)((uint64_t)first_steps << level);
}

uint32_t bly_mlmc_max_level(const bailey_mlmc_run_params *params)
{
    return params->max_level ? params->max_level : BLY_MLMC_MAX_LEVEL;
}

uint32_t bly_mlmc_min_level(const bailey_mlmc_run_params *params)
{
    return params->min_level ? params->min_level : BLY_MLMC_MIN_LEVEL;
}

double bly_mlmc_bias_share(const bailey_mlmc_run_params *params)
{
    return params->bias_share > 0 ? params->bias_share : BLY_MLMC_BIAS_SHARE;
}

uint32_t bly_approximate_kinds(const bailey_mlmc_run_params *params)
{
    return params->approximate == BAILEY_MLMC_APPROXIMATION_EXACT ? 1 : BLY_TERM_KINDS;
}

/* A correction takes both paths with both normals. */
double bly_approximate_cost(const bailey_mlmc_run_params *params, uint32_t kind)
{
    const double given = params->approximate_cost, cost = given > 0 ? given : BLY_APPROXIMATE_COST;
    if (params->approximate == BAILEY_MLMC_APPROXIMATION_EXACT) return 1;
    return kind ? 1 + cost : cost;
}

/* A cost may be of any unit, and beyond 64 bits. */
static uint64_t integer_of(double cost) { return cost < 0x1p63 ? (uint64_t)cost : UINT64_C(1) << 63; }

bailey_status bly_mlmc_progress(const bailey_mlmc_run_params *params, double done, double all)
{
    if (!params->progress || !params->progress(params->progress_user, integer_of(done), integer_of(all)))
        return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_CANCELLED, "cancelled after a cost of %.6g of %.6g", done, all);
}

/* ---- Terms --------------------------------------------------------------------------------------- */

static uint32_t term_count(const struct drive *d) { return (d->state->finest + 1) * d->kinds; }

/* Term i in the order of levels, of which each has its difference, then its correction. */
static uint32_t term_at(const struct drive *d, uint32_t i) { return bly_term_of(i / d->kinds, i % d->kinds); }

/* Not corrections of levels that use exact normals. */
static int has_term(const struct drive *d, uint32_t t)
{
    return !d->choosing || bly_term_kind(t) == 0 || d->state->choice[bly_term_level(t)].approximate;
}

/* The finest level that has samples of a kind, which are those of all coarser levels too. */
static uint32_t finest_of(const struct drive *d, uint32_t kind)
{
    const uint64_t *samples = d->sums->samples + kind * BLY_CORRECTIONS;
    uint32_t l = d->state->finest;
    while (l > 0 && samples[l] == 0) l--;
    return l;
}

/* The finest level that has samples of all kinds. Where kinds are chosen, both begin together. */
static uint32_t finest_known(const struct drive *d)
{
    uint32_t least = finest_of(d, 0);
    for (uint32_t k = 1; k < d->kinds && !d->choosing; k++)
        if (finest_of(d, k) < least) least = finest_of(d, k);
    return least;
}

/* ---- Estimates ----------------------------------------------------------------------------------- */

/* Mean and variance of a term, and how many of its samples differ from 0. */
static bailey_status find_moments(struct drive *d, uint32_t t)
{
    const double n = (double)d->sums->samples[t];
    double sums[BLY_LEVEL_ROWS] = {0};
    d->mean[t] = d->variance[t] = d->seen[t] = d->size[t] = 0;
    if (d->sums->samples[t] == 0) return BAILEY_OK;
    bly_term_sums_read(d->sums, t, sums);
    if (!isfinite(sums[BLY_LEVEL_Y]) || !isfinite(sums[BLY_LEVEL_Y2]))
        return bly_fail(BAILEY_ERROR_INVALID, "payoffs on level %u, or their squares, are not finite",
                        bly_term_level(t));
    d->mean[t] = sums[BLY_LEVEL_Y] / n;
    d->variance[t] = bly_variance_of(sums[BLY_LEVEL_Y], sums[BLY_LEVEL_Y2], n);
    d->seen[t] = fmin(fmax(sums[BLY_LEVEL_SEEN], 0), n); /* whatever a checkpoint says */
    if (d->seen[t] > 0) d->size[t] = sums[BLY_LEVEL_Y2] / d->seen[t];
    return BAILEY_OK;
}

/* The cost of a sample, relative to a difference with exact normals. */
static double relative_cost(const struct drive *d, uint32_t t)
{
    const uint32_t l = bly_term_level(t), kind = bly_term_kind(t);
    if (!d->choosing) return bly_approximate_cost(d->params, kind);
    if (!has_term(d, t)) return 0;
    const double cost = bly_choosing_cost(d->choosing, d->state->choice[l].approximate, l);
    return kind ? 1 + cost : cost;
}

static void find_costs(struct drive *d)
{
    for (uint32_t i = 0; i < (d->most + 1) * d->kinds; i++) {
        const uint32_t t = term_at(d, i), l = bly_term_level(t);
        const double relative = relative_cost(d, t);
        d->cost[t] = relative * bly_mlmc_cost(d->params, d->first_steps, l);
        d->steps[t] = relative * (double)((uint64_t)d->first_steps << l);
    }
}

/* Variances as far as samples can be trusted. Fine levels on which few samples differ from 0 have at least
 * what the levels before them lead to expect; levels without samples continue the previous one, as in the
 * algorithm of Giles. Returns the order by which variances of a kind fall. */
static double find_spread(struct drive *d, uint32_t kind, double given)
{
    double *spread = d->spread + kind * BLY_CORRECTIONS;
    const uint32_t known = finest_of(d, kind), finest = d->state->finest;
    memcpy(spread, d->variance + kind * BLY_CORRECTIONS, (finest + 1) * sizeof *spread);
    const double order = bly_settle_values(spread, known, given, BLY_MOST_BETA);
    for (uint32_t l = bly_mlmc_min_level(d->params) + 1; l <= known; l++)
        if (d->seen[kind * BLY_CORRECTIONS + l] < BLY_FEW_SEEN)
            spread[l] = fmax(spread[l], spread[l - 1] / bly_power_of_2(order));
    for (uint32_t l = known + 1; l <= finest; l++) spread[l] = spread[l - 1] / bly_power_of_2(order);
    return order;
}

/* The bias follows from means of levels: with approximate normals, of both terms together. */
static bailey_status estimate(struct drive *d)
{
    const bailey_mlmc_run_params *p = d->params;
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < term_count(d) && status == BAILEY_OK; i++)
        status = find_moments(d, term_at(d, i));
    if (status != BAILEY_OK) return status;
    for (uint32_t l = 0; l <= d->state->finest; l++)
        d->magnitude[l] = fabs(d->mean[l] + d->mean[BLY_CORRECTIONS + l]);
    d->alpha = bly_settle_values(d->magnitude, finest_known(d), p->alpha, BLY_MOST_ALPHA);
    d->beta = find_spread(d, 0, p->beta);
    if (d->choosing)
        memcpy(d->spread + BLY_CORRECTIONS, d->variance + BLY_CORRECTIONS, LEVELS * sizeof *d->spread);
    else if (d->kinds > 1)
        find_spread(d, 1, CORRECTION_BETA);
    d->gamma = p->gamma > 0 ? p->gamma : bly_order_of(d->cost, d->state->finest, 1);
    return BAILEY_OK;
}

/* ---- Rare samples -------------------------------------------------------------------------------- */

/* How large a sample's square may be where it differs from 0: as the term has seen, or where it has seen few,
 * as any other has. 0, not known, where all together have seen few, which may be small by chance, until level
 * 0 has been looked at long enough. */
static double size_of(const struct drive *d, uint32_t t)
{
    double size = d->size[t], all = 0;
    for (uint32_t i = 0; i < term_count(d); i++) {
        all += d->seen[term_at(d, i)];
        if (d->seen[t] < BLY_FEW_SEEN) size = fmax(size, d->size[term_at(d, i)]);
    }
    return all < BLY_FEW_SEEN && (double)d->sums->samples[0] < BLY_BLIND ? 0 : size;
}

/* Raises what is needed of the first levels, of which no levels before them lead to expect anything. */
static void want_to_know(struct drive *d, double allowed)
{
    d->waits = 0;
    for (uint32_t i = 0; i < (bly_mlmc_min_level(d->params) + 1) * d->kinds; i++) {
        const uint32_t t = term_at(d, i);
        if (!has_term(d, t)) continue;
        const double size = size_of(d, t), have = (double)d->sums->samples[t];
        const double to_know = size > 0 || t == 0 ? bly_samples_to_know(have, d->seen[t], size, allowed) : 0;
        const double n = fmin(to_know, BLY_MLMC_MOST_SAMPLES);
        d->waits |= n > 0;
        if (n > (double)d->wanted[t]) d->wanted[t] = (uint64_t)n;
    }
}

/* ---- Numbers of samples -------------------------------------------------------------------------- */

/* As many samples as make the sum's variance (1 - bias_share) eps^2, at least cost: N = sqrt(V / C) times the
 * sum of sqrt(V C) over that variance, as in Giles's algorithm. Where the variance is 0 there are some all
 * the same, so that it is known, as on level 0 of the digital option, which is not random. */
static bailey_status find_wanted(struct drive *d)
{
    const double eps = d->params->eps, allowed = (1 - d->bias_share) * (eps * eps);
    double sum = 0;
    for (uint32_t i = 0; i < term_count(d); i++) {
        const uint32_t t = term_at(d, i);
        sum += sqrt(d->spread[t] * d->cost[t]);
    }
    for (uint32_t i = 0; i < term_count(d); i++) {
        const uint32_t t = term_at(d, i);
        if (!has_term(d, t)) continue;
        const double n = ceil(sqrt(d->spread[t] / d->cost[t]) * sum / allowed);
        if (!(n <= BLY_MLMC_MOST_SAMPLES))
            return bly_fail_argument("eps", "eps is %g, for which level %u needs %g samples, more than 2^38",
                                     eps, bly_term_level(t), n);
        d->wanted[t] = n > BLY_LEVEL_GRAIN ? (uint64_t)n : BLY_LEVEL_GRAIN;
    }
    want_to_know(d, allowed);
    return BAILEY_OK;
}

/* Estimates all terms anew, and what is needed of them. */
static bailey_status look(struct drive *d)
{
    const bailey_status status = estimate(d);
    return status == BAILEY_OK ? find_wanted(d) : status;
}

static double bias_of(const struct drive *d)
{
    return bly_bias_of(d->magnitude, d->state->finest, d->alpha, d->params->alpha > 0);
}

/* The bias has its share of the mean square error, eps^2. */
static int is_converged(const struct drive *d) { return bias_of(d) <= sqrt(d->bias_share) * d->params->eps; }

/* ---- Rounds -------------------------------------------------------------------------------------- */

/* Whether some number of samples is more than 1 % below what is needed: Giles's algorithm leaves out less. */
static int needs_more(const struct drive *d)
{
    for (uint32_t i = 0; i < term_count(d); i++) {
        const uint64_t have = d->state->samples[term_at(d, i)], w = d->wanted[term_at(d, i)];
        if (w > have && (double)(w - have) > 0.01 * (double)have) return 1;
    }
    return 0;
}

/* The samples that are needed and not queued, each with the weight of its term. */
static double to_come(const struct drive *d, const double *weight)
{
    double sum = 0;
    for (uint32_t i = 0; i < term_count(d); i++) {
        const uint32_t t = term_at(d, i);
        if (d->wanted[t] > d->state->samples[t])
            sum = fma((double)(d->wanted[t] - d->state->samples[t]), weight[t], sum);
    }
    return sum;
}

/* Samples first .. first + count - 1 of a term, of the kind that its level has. */
static struct bly_sample_range range_of(const struct drive *d, uint32_t t, uint64_t first, uint64_t count)
{
    const bailey_mlmc_approximation kind =
        d->choosing ? d->state->choice[bly_term_level(t)].approximate : d->params->approximate;
    return (struct bly_sample_range){t, first, count, kind};
}

/* The next round, of what is needed: finest levels first, whose samples take longest and decide whether there
 * will be finer ones. The last one is up to half as long again, instead of a short one behind it. */
static void fill_round(const struct drive *d, struct bly_round *round)
{
    const double steps = to_come(d, d->steps), usual = fmax(steps / ROUNDS_TO_COME, LEAST_ROUND);
    double left = steps < 1.5 * usual ? steps : usual;
    round->count = 0;
    for (uint32_t i = term_count(d); i-- > 0;) {
        const uint32_t t = term_at(d, i);
        const uint64_t have = d->state->samples[t];
        uint64_t room = (uint64_t)(fmax(left, 0) / d->steps[t]);
        if (d->wanted[t] <= have) continue;
        if (round->count == 0 && room == 0) room = 1;
        const uint64_t more = d->wanted[t] - have < room ? d->wanted[t] - have : room;
        if (more == 0) continue;
        const uint64_t rounded = bly_samples_round_up(have + more);
        const uint64_t to = d->counts_given && rounded > d->wanted[t] ? d->wanted[t] : rounded;
        round->range[round->count++] = range_of(d, t, have, to - have);
        left -= (double)more * d->steps[t];
    }
}

static bailey_status queue(struct drive *d, const struct bly_round *round)
{
    struct bly_mlmc_state *s = d->state;
    const bailey_status status = d->sampler->queue(d->sampler->user, round->range, round->count);
    if (status != BAILEY_OK) return status;
    for (uint32_t i = 0; i < round->count; i++)
        s->samples[round->range[i].term] = round->range[i].first + round->range[i].count;
    s->under_way[s->queued++] = *round;
    s->rounds++;
    return BAILEY_OK;
}

/* The total is the cost of completed samples, of those in flight, and of those that the present estimates
 * call for. */
static bailey_status report(const struct drive *d)
{
    double done = 0;
    if (!d->params->progress) return BAILEY_OK;
    for (uint32_t i = 0; i < term_count(d); i++)
        done = fma((double)d->sums->samples[term_at(d, i)], d->cost[term_at(d, i)], done);
    double all = done + to_come(d, d->cost);
    for (uint32_t i = 0; i < d->state->queued; i++)
        for (uint32_t j = 0; j < d->state->under_way[i].count; j++)
            all = fma((double)d->state->under_way[i].range[j].count,
                      d->cost[d->state->under_way[i].range[j].term], all);
    return bly_mlmc_progress(d->params, done, all);
}

static bailey_status take(struct drive *d)
{
    struct bly_mlmc_state *s = d->state;
    const bailey_status status = d->sampler->take(d->sampler->user);
    if (status != BAILEY_OK) return status;
    s->under_way[0] = s->under_way[1];
    s->queued--;
    return BAILEY_OK;
}

/* Takes the first round, looks, and reports how far the run is. */
static bailey_status take_and_look(struct drive *d)
{
    bailey_status status = take(d);
    if (status == BAILEY_OK) status = look(d);
    if (status == BAILEY_OK && d->state->save) status = d->state->save(d->state->save_user);
    return status == BAILEY_OK ? report(d) : status;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

/* A mean of 0 by no sample that differs from 0 is not known: payoffs other than 0 may be too rare to be seen.
 */
static int saw_nothing(const struct drive *d)
{
    for (uint32_t i = 0; i < term_count(d); i++)
        if (d->seen[term_at(d, i)] > 0) return 0;
    return !d->counts_given;
}

/* Without an eps, of given samples, the bias is measured by the standard error. */
static void fill(const struct drive *d, bailey_mlmc_result *result)
{
    bailey_mlmc_result r = {.alpha = d->alpha, .beta = d->beta, .gamma = d->gamma};
    double variance = 0;
    r.levels = d->state->finest + 1;
    r.rounds = d->state->rounds;
    for (uint32_t i = 0; i < term_count(d); i++) {
        const uint32_t t = term_at(d, i);
        const uint64_t n = d->sums->samples[t];
        bailey_mlmc_level *of = t < BLY_CORRECTIONS ? r.level : r.correction;
        of[bly_term_level(t)] = (bailey_mlmc_level){
            .samples = n, .cost = d->cost[t], .mean = d->mean[t], .variance = d->variance[t]};
        r.mean += d->mean[t];
        r.cost = fma((double)n, d->cost[t], r.cost);
        if (n) variance += d->variance[t] / (double)n;
    }
    r.cost += d->state->spent;
    r.choices = d->choosing ? r.levels : 0;
    memcpy(r.choice, d->state->choice, sizeof r.choice);
    r.standard_error = sqrt(variance);
    r.bias = bias_of(d);
    if (!(r.bias <= sqrt(d->bias_share) * (d->params->eps > 0 ? d->params->eps : r.standard_error)))
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

/* ---- A kind for each level ----------------------------------------------------------------------- */

/* A level as it is foreseen, in exact steps. */
static struct bly_outlook outlook_of(const struct drive *d, uint32_t l)
{
    struct bly_outlook outlook = {.level = l,
                                  .level_steps = (double)((uint64_t)d->first_steps << l),
                                  .variance = d->spread[l]};
    for (uint32_t k = 0; k <= d->state->finest; k++)
        outlook.steps += (double)d->wanted[k] * (double)((uint64_t)d->first_steps << k);
    outlook.share = (double)d->wanted[l] * outlook.level_steps / outlook.steps;
    if ((double)d->state->samples[l] > d->choosing->most_dropped * (double)d->wanted[l])
        outlook.share = 0;
    return outlook;
}

/* Whether the next level without a kind needs one to be chosen. Levels for which nothing can pay are EXACT at
 * once, without a wait for the rounds in flight, so that a run without a gain is that of exact normals. */
static int must_choose(struct drive *d)
{
    struct bly_mlmc_state *s = d->state;
    if (!d->choosing || d->waits) return 0;
    for (; s->chosen <= s->finest; s->chosen++) {
        const struct bly_outlook outlook = outlook_of(d, s->chosen);
        if (bly_may_choose(d->choosing, &outlook)) return 1;
    }
    return 0;
}

/* Chooses the next level's kind. No round is in flight: all its samples are in the sums. */
static bailey_status choose(struct drive *d)
{
    struct bly_mlmc_state *s = d->state;
    const uint32_t l = s->chosen;
    const struct bly_outlook outlook = outlook_of(d, l);
    double spent = 0;
    const bailey_status status = bly_choose(d->choosing, &outlook, d->sums, &s->choice[l], &spent);
    if (status != BAILEY_OK) return status;
    s->spent += spent / outlook.level_steps * bly_mlmc_cost(d->params, d->first_steps, l);
    for (uint32_t kind = 0; kind < d->kinds; kind++)
        s->samples[bly_term_of(l, kind)] = d->sums->samples[bly_term_of(l, kind)];
    s->chosen++;
    find_costs(d);
    return look(d);
}

/* Queues one round more, or takes one. Sets *done at the end of the run. */
static bailey_status go_on(struct drive *d, int *done)
{
    struct bly_mlmc_state *s = d->state;
    struct bly_round round;
    if (must_choose(d)) return s->queued ? take_and_look(d) : choose(d);
    if (s->queued == 2) return take_and_look(d);
    if (wants_level(d)) {
        s->finest++;
        return look(d);
    }
    fill_round(d, &round);
    if (round.count && needs_more(d)) return queue(d, &round);
    *done = s->queued == 0;
    return *done ? BAILEY_OK : take_and_look(d);
}

static struct drive begin(const bailey_mlmc_run_params *params, uint32_t first_steps,
                          const struct bly_sampler *sampler, struct bly_term_sums *sums,
                          struct bly_mlmc_state *state, uint32_t most)
{
    struct drive d = {.params = params,
                      .sampler = sampler,
                      .sums = sums,
                      .state = state,
                      .first_steps = first_steps,
                      .most = most,
                      .kinds = sums->kinds,
                      .choosing = params->approximate == BAILEY_MLMC_APPROXIMATION_AUTO ? sampler->choosing : NULL,
                      .bias_share = bly_mlmc_bias_share(params)};
    find_costs(&d);
    return d;
}

/* The first round: as many samples of each term of the first levels. */
static bailey_status queue_first(struct drive *d)
{
    const uint64_t samples = bly_samples_round_up(d->params->initial_samples ? d->params->initial_samples
                                                                             : BLY_MLMC_INITIAL_SAMPLES);
    struct bly_round round = {0};
    d->state->finest = bly_mlmc_min_level(d->params);
    for (uint32_t i = term_count(d); i-- > 0;)
        if (has_term(d, term_at(d, i))) round.range[round.count++] = range_of(d, term_at(d, i), 0, samples);
    return queue(d, &round);
}

/* Queues the rounds that were in flight when the state was saved, so that the run continues to the same bits.
 */
static bailey_status queue_again(struct drive *d)
{
    struct bly_mlmc_state *s = d->state;
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < s->queued; i++)
        for (uint32_t j = 0; j < s->under_way[i].count; j++) {
            struct bly_sample_range *range = &s->under_way[i].range[j];
            *range = range_of(d, range->term, range->first, range->count);
        }
    for (uint32_t i = 0; i < s->queued && status == BAILEY_OK; i++)
        status = d->sampler->queue(d->sampler->user, s->under_way[i].range, s->under_way[i].count);
    return status;
}

bailey_status bly_mlmc_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                             const struct bly_sampler *sampler, struct bly_term_sums *sums,
                             struct bly_mlmc_state *state, bailey_mlmc_result *result)
{
    struct drive d = begin(params, first_steps, sampler, sums, state, bly_mlmc_max_level(params));
    bailey_status status = state->rounds ? queue_again(&d) : queue_first(&d);
    int done = 0;
    if (status == BAILEY_OK) status = sums->samples[0] ? look(&d) : take_and_look(&d);
    while (status == BAILEY_OK && !done) status = go_on(&d, &done);
    if (status == BAILEY_OK) fill(&d, result);
    return status;
}

/* The same rounds of an eighth each: nothing is decided between them, but progress is reported, and two are
 * enough to keep a device busy. */
bailey_status bly_mlmc_drive_samples(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                     const struct bly_sampler *sampler, const uint64_t *samples,
                                     uint32_t count, struct bly_term_sums *sums, bailey_mlmc_result *result)
{
    bailey_mlmc_run_params own = *params;
    own.eps = own.bias_share = 0;
    struct bly_mlmc_state state = {.finest = count - 1};
    struct drive d = begin(&own, first_steps, sampler, sums, &state, count - 1);
    bailey_status status = BAILEY_OK;
    d.counts_given = 1;
    for (uint32_t k = 0; k < d.kinds; k++)
        memcpy(d.wanted + k * BLY_CORRECTIONS, samples + k * count, count * sizeof *samples);
    while (status == BAILEY_OK && (state.queued || to_come(&d, d.steps) > 0)) {
        struct bly_round round;
        fill_round(&d, &round);
        const int queues = round.count && state.queued < 2;
        status = queues ? queue(&d, &round) : take(&d);
        if (status == BAILEY_OK && !queues) status = report(&d);
    }
    if (status == BAILEY_OK) status = estimate(&d);
    if (status == BAILEY_OK) fill(&d, result);
    return status;
}
