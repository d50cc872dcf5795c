/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Levels whose laws are known, made on the host: sample i of estimator e, which is level l or its correction,
 * is mean_e + deviation_e g, where g is a function of (e, i) with mean 0 and variance 1. The sampler checks
 * what the driver asks of it.
 */
#ifndef MLMC_FAKES_H
#define MLMC_FAKES_H

#include <base/status.h>
#include <host/mlmc/driver.h>

#include "harness.h"

#include <math.h>

struct fake {
    double mean[BLY_TERMS], deviation[BLY_TERMS];
    double skew;      /* added to the means of coarse payoffs: 0 where the sum telescopes */
    double rare;      /* of so many samples, one is far out; 0: none */
    int same_sign;    /* of those */
    uint64_t offset;  /* of the numbers that samples are computed from */
    uint32_t highest; /* of nodes; 0: all heights that are allowed, in rotation */
    uint64_t bad;     /* this sample of level 1 is not finite; 0: none */
    int fails_after;  /* rounds, if positive: then `take` fails */

    struct bly_term_sums *sums;
    struct bly_round under_way[2];
    uint32_t rounds, taken, made, dropped;
    uint64_t next[BLY_TERMS]; /* samples queued */
    uint64_t turns;
};

/* Means 2^(-alpha l), variances 2^(-beta l) on levels 1 and above; corrections have means of 0. */
static inline struct fake fake_laws(double alpha, double beta)
{
    struct fake f = {.mean = {10}, .deviation = {4}};
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) {
        if (l) f.mean[l] = exp2(-alpha * l);
        if (l) f.deviation[l] = exp2(-beta * l / 2);
        f.deviation[BLY_CORRECTIONS + l] = f.deviation[l] / 16;
    }
    return f;
}

static inline uint64_t fake_bits(uint32_t level, uint64_t i)
{
    uint64_t state = i * BAILEY_MLMC_MAX_LEVELS + level;
    return next_random(&state);
}

/* Of payoffs without rare ones it is 1 or -1: variances are then known from few samples. */
static inline double fake_number(const struct fake *f, uint32_t level, uint64_t i)
{
    const uint64_t bits = fake_bits(level, i + f->offset);
    if (!(f->rare > 0)) return bits >> 63 ? 1 : -1;
    return (double)(bits >> 11) * 0x1p-53 < 1 / f->rare ? (f->same_sign || bits & 1 ? 1 : -1) * sqrt(f->rare)
                                                        : 0;
}

static inline void fake_sample(const struct fake *f, uint32_t level, uint64_t i, double rows[BLY_LEVEL_ROWS])
{
    const double g = fake_number(f, level, i);
    double y = f->mean[level] + f->deviation[level] * g, fine = y;
    if (f->bad && level == 1 && i == f->bad) y = NAN;
    for (uint32_t l = 0; l < level; l++) fine += f->mean[l];
    if (level) {
        fine += f->deviation[0] * (fake_bits(level, ~i) >> 63 ? 1 : -1);
        y += f->skew;
    }
    rows[BLY_LEVEL_Y] = y;
    rows[BLY_LEVEL_Y2] = y * y;
    rows[BLY_LEVEL_SEEN] = y != 0;
    rows[BLY_LEVEL_Y3] = y * y * y;
    rows[BLY_LEVEL_Y4] = y * y * (y * y);
    rows[BLY_LEVEL_FINE] = fine;
    rows[BLY_LEVEL_FINE2] = fine * fine;
}

/* The sums over 2^height samples: of two halves. */
static inline void fake_node(const struct fake *f, uint32_t level, uint32_t height, uint64_t number,
                             double rows[BLY_LEVEL_ROWS])
{
    double right[BLY_LEVEL_ROWS];
    if (height == 0) {
        fake_sample(f, level, number, rows);
        return;
    }
    fake_node(f, level, height - 1, 2 * number, rows);
    fake_node(f, level, height - 1, 2 * number + 1, right);
    for (int r = 0; r < BLY_LEVEL_ROWS; r++) rows[r] += right[r];
}

/* The place of a term among all of coarser levels, and of its level. */
static inline uint32_t fake_place(uint32_t term)
{
    return bly_term_level(term) * BLY_TERM_KINDS + bly_term_kind(term);
}

static bailey_status fake_queue(void *user, const struct bly_sample_range *range, uint32_t count)
{
    struct fake *f = user;
    assert_true(f->rounds < 2 && count > 0 && count <= BLY_TERMS);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(range[i].term < BAILEY_MLMC_MAX_LEVELS * f->sums->kinds);
        assert_true(i == 0 || fake_place(range[i].term) < fake_place(range[i - 1].term));
        assert_true(range[i].first == f->next[range[i].term] && range[i].count > 0);
        assert_true(range[i].count % BLY_LEVEL_GRAIN == 0);
        f->next[range[i].term] += range[i].count;
        f->under_way[f->rounds].range[i] = range[i];
    }
    f->under_way[f->rounds++].count = count;
    return BAILEY_OK;
}

static inline void fake_range(struct fake *f, const struct bly_sample_range *range)
{
    const uint64_t end = range->first + range->count;
    double rows[BLY_LEVEL_ROWS];
    for (uint64_t at = range->first; at < end;) {
        const uint32_t most = f->highest ? f->highest : 5 + (uint32_t)(next_random(&f->turns) % 12);
        uint32_t height = 5;
        while (height < most && (at >> height & 1) == 0 && at + (UINT64_C(2) << height) <= end) height++;
        fake_node(f, range->term, height, at >> height, rows);
        bly_term_sums_add(f->sums, range->term, height, at >> height, rows, 1);
        at += UINT64_C(1) << height;
    }
}

static bailey_status fake_take(void *user)
{
    struct fake *f = user;
    assert_true(f->rounds > 0);
    if (f->fails_after > 0 && (int)f->taken == f->fails_after)
        return bly_fail(BAILEY_ERROR_DRIVER, "the device is gone");
    for (uint32_t i = 0; i < f->under_way[0].count; i++) fake_range(f, &f->under_way[0].range[i]);
    f->under_way[0] = f->under_way[1];
    f->rounds--;
    f->taken++;
    return BAILEY_OK;
}

/* Begins where a checkpoint left the sums: known once the first round is queued. */
static bailey_status fake_queue_on(void *user, const struct bly_sample_range *range, uint32_t count)
{
    struct fake *f = user;
    if (f->rounds == 0 && f->taken == 0) memcpy(f->next, f->sums->samples, sizeof f->next);
    return fake_queue(user, range, count);
}

static bailey_status fake_make(void *user, const bailey_mlmc_run_params *params, struct bly_term_sums *sums,
                               struct bly_sampler *sampler)
{
    struct fake *f = user;
    (void)params;
    f->sums = sums;
    f->rounds = f->taken = 0;
    memset(f->next, 0, sizeof f->next);
    f->made++;
    *sampler = (struct bly_sampler){.user = f, .queue = fake_queue_on, .take = fake_take};
    return BAILEY_OK;
}

static void fake_drop(void *user) { ((struct fake *)user)->dropped++; }

static inline struct bly_sampler_maker fake_maker(struct fake *f)
{
    return (struct bly_sampler_maker){f, fake_make, fake_drop};
}

static inline bailey_status fake_run(struct fake *f, const bailey_mlmc_run_params *params,
                                     bailey_mlmc_result *result)
{
    const struct bly_sampler_maker maker = fake_maker(f);
    struct bly_identity identity = {0};
    const bailey_status status = bly_mlmc_check_run(params);
    if (status != BAILEY_OK) return status;
    bly_mlmc_identify(params, &identity);
    return bly_mlmc_run_with(params, 1, &maker, &identity, result);
}

static inline bailey_status fake_samples(const bailey_mlmc_run_params *params,
                                         const struct bly_sampler_maker *maker, const uint64_t *samples,
                                         uint32_t levels, bailey_mlmc_result *result)
{
    struct bly_term_sums sums;
    const bailey_status status =
        bly_mlmc_run_samples_with(params, 1, maker, samples, levels, BLY_LEVEL_RUN_ROWS, &sums, result);
    bly_term_sums_free(&sums);
    return status;
}

#define SAME(field) assert_memory_equal(&a->field, &b->field, sizeof a->field)

/* All of two results: number by number, since structures have padding. */
static inline void same_results(const bailey_mlmc_result *a, const bailey_mlmc_result *b)
{
    SAME(mean);
    SAME(standard_error);
    SAME(bias);
    SAME(converged);
    SAME(reason);
    SAME(cost);
    SAME(alpha);
    SAME(beta);
    SAME(gamma);
    SAME(levels);
    SAME(rounds);
    for (uint32_t l = 0; l < a->levels; l++) {
        SAME(level[l].samples);
        SAME(level[l].cost);
        SAME(level[l].mean);
        SAME(level[l].variance);
        SAME(correction[l].samples);
        SAME(correction[l].mean);
        SAME(correction[l].variance);
    }
}

#endif
