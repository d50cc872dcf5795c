/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which points are made next, and when a run with points ends: the algorithm of M. Giles and B. Waterhouse,
 * "Multilevel quasi-Monte Carlo path simulation", Advanced Financial Modelling, Radon Series on Computational
 * and Applied Mathematics 8 (2009), section 3: while the variance of the sum is above its share of eps^2,
 * points double on the level where V_l / (N_l C_l) is largest, V_l being the variance of the mean of level l,
 * over all its replicates; then levels are added until the bias is below its share.
 *
 * Theirs doubles one level at a time. Here a round doubles the levels in that order as long as the others'
 * variances add up to more than is allowed: one of those has to double then even if the ones before were left
 * with no variance at all. So a round has nothing that one at a time would not make too, as long as doubling
 * never raises a level's V_l / (N_l C_l).
 */
#include "driver.h"

#include <bailey/points.h>
#include <base/alloc.h>
#include <host/internal.h>

#include <math.h>

/* ---- Sums of replicates -------------------------------------------------------------------------- */

void bly_replicates_free(struct bly_replicates *known)
{
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) {
        bly_free(known->sums[l]);
        known->sums[l] = NULL;
    }
}

bailey_status bly_replicates_begin(struct bly_replicates *known, const struct bly_point_range *range)
{
    double **sums = &known->sums[range->level];
    if (!*sums) *sums = bly_alloc((size_t)known->replicates * known->rows, sizeof **sums);
    return *sums ? BAILEY_OK : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the sums of a level");
}

/* The points of a range are the right sibling of those before: the tree's root is the sum of both. */
void bly_replicates_add(struct bly_replicates *known, const struct bly_point_range *range, uint32_t replicate,
                        const double *value, uint64_t stride)
{
    double *sums = known->sums[range->level] + (size_t)replicate * known->rows;
    for (uint32_t r = 0; r < known->rows; r++)
        sums[r] = range->first ? sums[r] + value[r * stride] : value[r * stride];
}

bailey_status bly_quasi_check(const bailey_mlmc_run_params *params, uint32_t *replicates)
{
    *replicates = params->replicates ? params->replicates : BLY_QUASI_REPLICATES;
    if (params->source.scramble == BAILEY_SCRAMBLE_NONE)
        return bly_fail_argument("scramble", "scramble is BAILEY_SCRAMBLE_NONE, so all replicates of points "
                                             "are the same and give no error estimate");
    if (*replicates < 2 || *replicates > BLY_QUASI_MOST_REPLICATES)
        return bly_fail_argument("replicates",
                                 "replicates is %u, not from 2 to %u as a source of points requires",
                                 *replicates, BLY_QUASI_MOST_REPLICATES);
    return BAILEY_OK;
}

/* Points have so many dimensions, and no two numbers of a path may share one. */
uint32_t bly_quasi_finest(uint32_t first_steps, uint32_t numbers)
{
    uint32_t level = 0;
    while (level + 1 < BAILEY_MLMC_MAX_LEVELS &&
           ((uint64_t)first_steps << (level + 1)) * numbers <= BAILEY_SOBOL_MAX_DIMS)
        level++;
    return level;
}

/* ---- Estimates ----------------------------------------------------------------------------------- */

/* What follows from the sums of levels 0 .. finest. */
struct estimates {
    double mean[BAILEY_MLMC_MAX_LEVELS];      /* of Y */
    double variance[BAILEY_MLMC_MAX_LEVELS];  /* of `mean` */
    double cost[BAILEY_MLMC_MAX_LEVELS];      /* of a sample */
    double magnitude[BAILEY_MLMC_MAX_LEVELS]; /* of the mean, not below what the level before expects */
    double seen[BAILEY_MLMC_MAX_LEVELS];      /* samples that differ from 0 ... */
    double size[BAILEY_MLMC_MAX_LEVELS];      /* ... their mean square, or another level's; 0: not known */
    double alpha, beta, gamma;
    double total, bias; /* variance of the value */
};

/* The mean over replicates of row `row`, and its variance: replicates are independent, their points are not.
 */
static double mean_of(const struct bly_replicates *known, uint32_t level, uint32_t row, double *variance)
{
    const double n = (double)known->points[level], replicates = known->replicates;
    const double *sums = known->sums[level] + row;
    double sum = 0, squares = 0;
    for (uint32_t r = 0; r < known->replicates; r++) sum += sums[(size_t)r * known->rows] / n;
    const double mean = sum / replicates;
    for (uint32_t r = 0; r < known->replicates; r++) {
        const double d = sums[(size_t)r * known->rows] / n - mean;
        squares = fma(d, d, squares);
    }
    *variance = squares / (replicates * (replicates - 1));
    return mean;
}

/* The variance of a sample, from rows `row` and `square` over all replicates; 0 where it is not above what
 * the sums are rounded by. */
static double sample_variance(const struct bly_replicates *known, uint32_t level, uint32_t row,
                              uint32_t square)
{
    const double n = (double)known->points[level] * known->replicates;
    double sum = 0, squares = 0;
    for (uint32_t r = 0; r < known->replicates; r++) {
        sum += known->sums[level][(size_t)r * known->rows + row];
        squares += known->sums[level][(size_t)r * known->rows + square];
    }
    const double rest = fma(-(sum / n), sum, squares) / (n - 1);
    return rest > 0x1p-44 * (squares / n) ? rest : 0;
}

/* The variance of a level's mean, by the spread of its replicates. Where they agree up to the rounding of
 * their sums, although samples differ, as may happen with a jump, the spread says nothing: then the variance
 * is that of as many independent samples. Means of sums in double agree to about 2^-47. */
static double known_variance(const struct bly_replicates *known, uint32_t level, double mean, double spread,
                             double variance)
{
    if (spread > 0x1p-94 * (mean * mean)) return spread;
    return variance / ((double)known->points[level] * known->replicates);
}

/* How large a sample's square may be where it differs from 0, as in driver.c. */
static void find_sizes(const struct bly_replicates *known, uint32_t finest, struct estimates *e)
{
    double largest = 0, all = 0;
    for (uint32_t l = 0; l <= finest; l++) {
        double squares = 0;
        e->seen[l] = e->size[l] = 0;
        for (uint32_t r = 0; r < known->replicates && known->points[l]; r++) {
            e->seen[l] += known->sums[l][(size_t)r * known->rows + BLY_LEVEL_SEEN];
            squares += known->sums[l][(size_t)r * known->rows + BLY_LEVEL_Y2];
        }
        if (e->seen[l] > 0) e->size[l] = squares / e->seen[l];
        largest = fmax(largest, e->size[l]);
        all += e->seen[l];
    }
    const int blind = all < BLY_FEW_SEEN && (double)known->points[0] * known->replicates < BLY_BLIND;
    for (uint32_t l = 0; l <= finest; l++)
        e->size[l] = blind ? 0 : e->seen[l] < BLY_FEW_SEEN ? largest : e->size[l];
}

/* Fine levels on which few samples differ from 0 have at least the variance, of a sample and so of the mean,
 * that the levels before them lead to expect. */
static void raise_few(const struct bly_replicates *known, uint32_t least, uint32_t finest, double *variance,
                      struct estimates *e)
{
    for (uint32_t l = least + 1; l <= finest; l++) {
        if (e->seen[l] >= BLY_FEW_SEEN || known->points[l] == 0) continue;
        variance[l] = fmax(variance[l], variance[l - 1] / bly_power_of_2(e->beta));
        e->variance[l] = fmax(e->variance[l], variance[l] / ((double)known->points[l] * known->replicates));
    }
}

static void estimate(const bailey_mlmc_run_params *params, uint32_t first_steps,
                     const struct bly_replicates *known, uint32_t finest, struct estimates *e)
{
    double variance[BAILEY_MLMC_MAX_LEVELS] = {0}; /* of a sample */
    e->total = 0;
    for (uint32_t l = 0; l <= finest; l++) {
        e->cost[l] = bly_mlmc_cost(params, first_steps, l);
        e->mean[l] = e->variance[l] = 0;
        if (known->points[l] == 0) continue;
        e->mean[l] = mean_of(known, l, BLY_LEVEL_Y, &e->variance[l]);
        variance[l] = sample_variance(known, l, BLY_LEVEL_Y, BLY_LEVEL_Y2);
        e->variance[l] = known_variance(known, l, e->mean[l], e->variance[l], variance[l]);
    }
    find_sizes(known, finest, e);
    for (uint32_t l = 0; l <= finest; l++) e->magnitude[l] = fabs(e->mean[l]);
    e->alpha = bly_settle_values(e->magnitude, finest, params->alpha, BLY_MOST_ALPHA);
    e->beta = bly_settle_values(variance, finest, params->beta, BLY_MOST_BETA);
    e->gamma = params->gamma > 0 ? params->gamma : bly_order_of(e->cost, finest, 1);
    e->bias = bly_bias_of(e->magnitude, finest, e->alpha, params->alpha > 0);
    raise_few(known, bly_mlmc_min_level(params), finest, variance, e);
    for (uint32_t l = 0; l <= finest; l++) e->total += e->variance[l];
}

/* ---- Rounds -------------------------------------------------------------------------------------- */

struct round {
    uint32_t count;
    struct bly_point_range range[BAILEY_MLMC_MAX_LEVELS];
};

/* The state of a run. */
struct run {
    const bailey_mlmc_run_params *params;
    uint32_t first_steps, finest, rounds;
    int counts_given; /* how many samples there must be */
    const struct bly_point_sampler *sampler;
    struct bly_replicates *known;
    struct estimates estimates;
};

static void sort_finest_first(struct round *round)
{
    for (uint32_t i = 1; i < round->count; i++)
        for (uint32_t j = i; j > 0 && round->range[j - 1].level < round->range[j].level; j--) {
            const struct bly_point_range range = round->range[j];
            round->range[j] = round->range[j - 1];
            round->range[j - 1] = range;
        }
}

static void add_range(struct round *round, uint32_t level, uint64_t first, uint64_t count)
{
    round->range[round->count++] = (struct bly_point_range){.level = level, .first = first, .count = count};
}

/* The least power of two, in bounds, that makes `samples` of all replicates. Points of a power of two are
 * balanced. */
static uint64_t points_for(uint64_t samples, uint32_t replicates)
{
    uint64_t points = BLY_QUASI_LEAST;
    while (points < BLY_QUASI_MOST && points < (samples + (replicates - 1)) / replicates) points *= 2;
    return points;
}

/* What estimates of variances may add up to. Each is from the spread of few replicates, of which the standard
 * error is sqrt(2 / (replicates - 1)) of it for normal means, and a run ends where they happen to be low: so
 * they count as larger by that much. Without it root-mean-square errors at eps 0.01 were up to 1.15 eps, with
 * it 0.92 (docs/records/benchmarks.md). */
static double variance_allowed(const struct run *r)
{
    const double eps = r->params->eps, doubt = sqrt(2.0 / (r->known->replicates - 1));
    return (1 - bly_mlmc_bias_share(r->params)) * (eps * eps) / (1 + doubt);
}

static int has_level(const struct round *round, uint32_t level)
{
    for (uint32_t i = 0; i < round->count; i++)
        if (round->range[i].level == level) return 1;
    return 0;
}

/* The level that gains most for its cost, of those not yet in the round: the largest V_l / (N_l C_l). */
static uint32_t neediest(const struct run *r, const struct round *round)
{
    uint32_t best = 0;
    double most = -1;
    for (uint32_t l = 0; l <= r->finest; l++) {
        const double gain = r->estimates.variance[l] / ((double)r->known->points[l] * r->estimates.cost[l]);
        if (has_level(round, l) || !(gain > most)) continue;
        most = gain;
        best = l;
    }
    return best;
}

/* The levels that have to double, if any. */
static bailey_status find_doublings(const struct run *r, struct round *round)
{
    const double allowed = variance_allowed(r);
    double rest = r->estimates.total;
    while (rest > allowed && round->count <= r->finest) {
        const uint32_t level = neediest(r, round);
        const uint64_t points = r->known->points[level];
        if (points >= BLY_QUASI_MOST)
            return bly_fail_argument(
                "eps", "eps is %g, for which level %u needs more than the 2^32 points of a replicate",
                r->params->eps, level);
        add_range(round, level, points, points);
        rest = 0;
        for (uint32_t l = 0; l <= r->finest; l++)
            if (!has_level(round, l)) rest += r->estimates.variance[l];
    }
    sort_finest_first(round);
    return BAILEY_OK;
}

/* The first levels on which too few samples differ from 0 double too (bly_samples_to_know). */
static void find_rare(const struct run *r, struct round *round)
{
    const uint32_t least = bly_mlmc_min_level(r->params);
    for (uint32_t l = 0; l <= least && l <= r->finest; l++) {
        const double size = r->estimates.size[l], n = (double)r->known->points[l] * r->known->replicates;
        if (has_level(round, l) || r->known->points[l] >= BLY_QUASI_MOST || (size == 0 && l > 0)) continue;
        if (bly_samples_to_know(n, r->estimates.seen[l], size, variance_allowed(r)) > 0)
            add_range(round, l, r->known->points[l], r->known->points[l]);
    }
    sort_finest_first(round);
}

static double cost_known(const struct run *r)
{
    double cost = 0;
    for (uint32_t l = 0; l <= r->finest; l++)
        cost += (double)r->known->points[l] * r->known->replicates * r->estimates.cost[l];
    return cost;
}

/* Called before a round is made: no round is in flight while the host examines the sums. */
static bailey_status report(const struct run *r, const struct round *next)
{
    const double done = cost_known(r);
    double all = done;
    for (uint32_t i = 0; i < next->count; i++)
        all += (double)next->range[i].count * r->known->replicates * r->estimates.cost[next->range[i].level];
    return done > 0 ? bly_mlmc_progress(r->params, done, all) : BAILEY_OK;
}

static bailey_status check_finite(const struct run *r, const struct round *round)
{
    for (uint32_t i = 0; i < round->count; i++) {
        const uint32_t level = round->range[i].level;
        for (size_t k = 0; k < (size_t)r->known->replicates * r->known->rows; k++)
            if (!isfinite(r->known->sums[level][k]))
                return bly_fail_argument("estimator", "a payoff is not finite on level %u", level);
    }
    return BAILEY_OK;
}

/* Makes what a round has, and looks at all that is known then. */
static bailey_status make(struct run *r, const struct round *round)
{
    bailey_status status = report(r, round);
    for (uint32_t i = 0; i < round->count && status == BAILEY_OK; i++)
        status = bly_replicates_begin(r->known, &round->range[i]);
    if (status == BAILEY_OK && round->count)
        status = r->sampler->make(r->sampler->user, round->range, round->count, r->known);
    if (status == BAILEY_OK) status = check_finite(r, round);
    if (status != BAILEY_OK) return status;
    for (uint32_t i = 0; i < round->count; i++)
        r->known->points[round->range[i].level] = round->range[i].first + round->range[i].count;
    r->rounds += round->count > 0;
    estimate(r->params, r->first_steps, r->known, r->finest, &r->estimates);
    return BAILEY_OK;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

static int is_converged(const struct run *r, double eps)
{
    return r->estimates.bias <= sqrt(bly_mlmc_bias_share(r->params)) * eps;
}

static void place_levels(const struct run *r, bailey_mlmc_result *result)
{
    for (uint32_t l = 0; l <= r->finest; l++) {
        result->level[l].samples = r->known->points[l] * r->known->replicates;
        result->level[l].cost = r->estimates.cost[l];
        result->level[l].mean = r->estimates.mean[l];
        result->level[l].variance = r->estimates.variance[l] * r->known->replicates;
        result->mean += r->estimates.mean[l];
    }
}

static bailey_status finish(const struct run *r, double eps, bailey_mlmc_result *result)
{
    const struct round none = {0};
    const bailey_status status = report(r, &none);
    if (status != BAILEY_OK) return status;
    double seen = 0;
    for (uint32_t l = 0; l <= r->finest; l++) seen += r->estimates.seen[l];
    const bailey_mlmc_reason reason = seen == 0 && !r->counts_given ? BAILEY_MLMC_REASON_NOTHING
                                      : is_converged(r, eps)        ? BAILEY_MLMC_REASON_CONVERGED
                                                                    : BAILEY_MLMC_REASON_BIAS;
    *result = (bailey_mlmc_result){.standard_error = sqrt(r->estimates.total),
                                   .bias = r->estimates.bias,
                                   .converged = reason == BAILEY_MLMC_REASON_CONVERGED,
                                   .reason = reason,
                                   .cost = cost_known(r),
                                   .alpha = r->estimates.alpha,
                                   .beta = r->estimates.beta,
                                   .gamma = r->estimates.gamma,
                                   .levels = r->finest + 1,
                                   .rounds = r->rounds};
    place_levels(r, result);
    return BAILEY_OK;
}

/* What comes next: levels that double, or else a new one; nothing at the end. */
static bailey_status find_next(struct run *r, struct round *round)
{
    round->count = 0;
    const bailey_status status = find_doublings(r, round);
    if (status == BAILEY_OK) find_rare(r, round);
    if (status != BAILEY_OK || round->count) return status;
    if (is_converged(r, r->params->eps) || r->finest == r->params->max_level) return BAILEY_OK;
    add_range(round, ++r->finest, 0, points_for(r->params->initial_samples, r->known->replicates));
    r->estimates.cost[r->finest] = bly_mlmc_cost(r->params, r->first_steps, r->finest);
    return BAILEY_OK;
}

bailey_status bly_quasi_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                              const struct bly_point_sampler *sampler, struct bly_replicates *known,
                              bailey_mlmc_result *result)
{
    struct run r = {.params = params,
                    .first_steps = first_steps,
                    .finest = bly_mlmc_min_level(params),
                    .sampler = sampler,
                    .known = known};
    struct round round = {0};
    for (uint32_t l = r.finest + 1; l-- > 0;) {
        add_range(&round, l, 0, points_for(params->initial_samples, known->replicates));
        r.estimates.cost[l] = bly_mlmc_cost(params, first_steps, l);
    }
    bailey_status status = BAILEY_OK;
    while (status == BAILEY_OK && round.count) {
        status = make(&r, &round);
        if (status == BAILEY_OK) status = find_next(&r, &round);
    }
    return status == BAILEY_OK ? finish(&r, params->eps, result) : status;
}

bailey_status bly_quasi_drive_samples(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                      const struct bly_point_sampler *sampler, const uint64_t *samples,
                                      uint32_t levels, struct bly_replicates *known,
                                      bailey_mlmc_result *result)
{
    struct run r = {.params = params,
                    .first_steps = first_steps,
                    .counts_given = 1,
                    .finest = levels - 1,
                    .sampler = sampler,
                    .known = known};
    struct round round = {0};
    for (uint32_t l = levels; l-- > 0;) {
        r.estimates.cost[l] = bly_mlmc_cost(params, first_steps, l);
        if (samples[l] > BLY_QUASI_MOST * known->replicates)
            return bly_fail_argument("samples",
                                     "samples[%u] is %llu; the maximum is 2^32 for each of %u replicates", l,
                                     (unsigned long long)samples[l], known->replicates);
        if (samples[l]) add_range(&round, l, 0, points_for(samples[l], known->replicates));
    }
    const bailey_status status = make(&r, &round);
    return status == BAILEY_OK ? finish(&r, sqrt(r.estimates.total), result) : status;
}

/* ---- Tables -------------------------------------------------------------------------------------- */

static void fill_row(const struct bly_replicates *known, uint32_t level, struct bly_quasi_level *row,
                     double *variance, double *fine)
{
    const double scale = (double)known->points[level] * known->replicates;
    row->mean = mean_of(known, level, BLY_LEVEL_Y, variance);
    row->fine_mean = mean_of(known, level, BLY_LEVEL_FINE, fine);
    row->variance = sample_variance(known, level, BLY_LEVEL_Y, BLY_LEVEL_Y2);
    row->fine_variance = sample_variance(known, level, BLY_LEVEL_FINE, BLY_LEVEL_FINE2);
    row->spread = scale * *variance;
    row->fine_spread = scale * *fine;
    row->check = 0;
}

bailey_status bly_quasi_tables(const bailey_mlmc_run_params *params, uint32_t first_steps,
                               const struct bly_point_sampler *sampler, uint64_t points, uint32_t levels,
                               struct bly_replicates *known, struct bly_quasi_level *rows)
{
    uint64_t samples[BAILEY_MLMC_MAX_LEVELS] = {0};
    bailey_mlmc_result result;
    for (uint32_t l = 0; l < levels; l++) samples[l] = points * known->replicates;
    const bailey_status status =
        bly_quasi_drive_samples(params, first_steps, sampler, samples, levels, known, &result);
    if (status != BAILEY_OK) return status;
    double below = 0; /* variance of the fine mean of the level below */
    for (uint32_t l = 0; l < levels; l++) {
        double variance, fine;
        fill_row(known, l, &rows[l], &variance, &fine);
        rows[l].cost = bly_mlmc_cost(params, first_steps, l);
        const double errors = sqrt(variance) + sqrt(below) + sqrt(fine);
        if (l > 0 && errors > 0)
            rows[l].check = fabs(rows[l].mean + rows[l - 1].fine_mean - rows[l].fine_mean) / (3 * errors);
        below = fine;
    }
    return BAILEY_OK;
}
