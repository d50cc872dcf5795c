/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which normals serve a level of a run with AUTO. A kind of approximate normals replaces N samples of
 * variance V and cost C by samples of variance V~ and cost C~, and a few of variance Vc and cost Cc that
 * correct them: at equal error and least cost the ratio of costs is (sqrt(V~ C~) + sqrt(Vc Cc))^2 / (V C)
 * (M. Giles and O. Sheridan-Methven, SIAM/ASA Journal on Uncertainty Quantification 10, 2022). V~ is about V.
 * Costs come from a table, so that all devices choose alike; Vc comes from samples.
 */
#include "driver.h"

#include <base/log.h>
#include <host/internal.h>

#include <math.h>

/* Corrections that a kind is judged by: at most, and at least. */
#define MOST_TRIED 16384.0
#define LEAST_TRIED 1024.0
/* A gain below it on a class of devices is left: costs and variances are estimates, and each kind adds
 * launches. On an H200 the lookback option to 0.0002, of which the table expects 10 % less cost on GPUs, took
 * 2 % longer. */
#define LEAST_RATIO_GAINED 0.12

/* At equal error, relative to EXACT: the geometric mean over classes, or the largest where that gains too
 * little. */
static double ratio_of(const struct bly_choosing *choosing, uint32_t kind, uint32_t level, double variance)
{
    double product = 1, most = 0;
    for (uint32_t i = 0; i < BLY_COST_CLASSES; i++) {
        const double cost = choosing->cost[i][kind][level];
        const double root = sqrt(cost) + sqrt(variance * (1 + cost)), ratio = root * root;
        product *= ratio;
        most = fmax(most, ratio);
    }
    return most < 1 - LEAST_RATIO_GAINED ? sqrt(product) : most;
}

double bly_choosing_cost(const struct bly_choosing *choosing, bailey_mlmc_approximation kind, uint32_t level)
{
    double product = 1;
    for (uint32_t i = 0; i < BLY_COST_CLASSES; i++) product *= choosing->cost[i][kind][level];
    return sqrt(product);
}

static int pays(const struct bly_choosing *choosing, const struct bly_outlook *o, double ratio)
{
    return ratio < 1 - LEAST_RATIO_GAINED && o->steps * o->share * (1 - ratio) >
                                                 choosing->least_gain + choosing->step_gain * o->level_steps;
}

/* How many corrections a kind is judged by; 0: the run is too short for so many. */
static uint64_t tried_of(const struct bly_choosing *choosing, const struct bly_outlook *o)
{
    const double n = choosing->most_tried * o->steps / (2 * o->level_steps);
    return n < LEAST_TRIED ? 0 : bly_samples_round_up((uint64_t)fmin(n, MOST_TRIED));
}

int bly_may_choose(const struct bly_choosing *choosing, const struct bly_outlook *o)
{
    double least = 1;
    for (uint32_t kind = 1; kind < BLY_APPROXIMATIONS; kind++)
        least = fmin(least, ratio_of(choosing, kind, o->level, 0));
    return tried_of(choosing, o) > 0 && o->variance > 0 && pays(choosing, o, least);
}

/* ---- Kinds --------------------------------------------------------------------------------------- */

/* A level whose kinds are tried. */
struct trial {
    const struct bly_choosing *choosing;
    const struct bly_outlook *outlook;
    struct bly_term_sums own;         /* of the kind that is tried */
    struct bly_term_sums *best_sums;  /* corrections of the best kind so far */
    double best;                      /* its ratio; 1: of EXACT */
    bailey_mlmc_approximation kind;   /* the best */
    double *spent;
};

static bailey_status make(struct trial *t, uint32_t kind, uint32_t of, struct bly_term_sums *sums)
{
    const struct bly_sample_range range = {bly_term_of(t->outlook->level, of), 0,
                                           tried_of(t->choosing, t->outlook),
                                           (bailey_mlmc_approximation)kind};
    return t->choosing->make(t->choosing->user, &range, sums);
}

/* Half precision may be unable to express the code, its parameters, or a payoff. */
static int cannot_be_had(uint32_t kind, bailey_status status)
{
    if (kind < BAILEY_MLMC_APPROXIMATION_HALF) return 0;
    if (status != BAILEY_ERROR_INVALID && status != BAILEY_ERROR_PAYOFF) return 0;
    bly_log(1, "levels: not in half precision: %s", bailey_error_message());
    return 1;
}

static double variance_of(const struct bly_term_sums *sums, uint32_t term)
{
    double row[BLY_LEVEL_ROWS];
    bly_term_sums_read(sums, term, row);
    return bly_variance_of(row[BLY_LEVEL_Y], row[BLY_LEVEL_Y2], (double)sums->samples[term]);
}

/* Samples a kind's corrections unless it could not win without any. Sets its number. */
static bailey_status try_kind(struct trial *t, uint32_t kind, double *number)
{
    const uint32_t level = t->outlook->level, term = bly_term_of(level, 1);
    *number = ratio_of(t->choosing, kind, level, 0);
    if (!(*number < t->best) || !pays(t->choosing, t->outlook, *number)) return BAILEY_OK;
    bly_term_sums_clear(&t->own, term);
    const bailey_status status = make(t, kind, 1, &t->own);
    if (cannot_be_had(kind, status)) *number = 0;
    if (*number == 0 || status != BAILEY_OK) return *number == 0 ? BAILEY_OK : status;
    *t->spent += (double)t->own.samples[term] * t->outlook->level_steps *
                 (1 + bly_choosing_cost(t->choosing, (bailey_mlmc_approximation)kind, level));
    *number = ratio_of(t->choosing, kind, level, variance_of(&t->own, term) / t->outlook->variance);
    if (!(*number < t->best) || !pays(t->choosing, t->outlook, *number)) return BAILEY_OK;
    t->best = *number;
    t->kind = (bailey_mlmc_approximation)kind;
    bly_term_sums_move(&t->own, t->best_sums, term);
    return BAILEY_OK;
}

/* The cheapest kind first, so that others may not have to be tried. */
static bailey_status try_all(struct trial *t, double *number[BLY_APPROXIMATIONS])
{
    int tried[BLY_APPROXIMATIONS] = {0};
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 1; i < BLY_APPROXIMATIONS && status == BAILEY_OK; i++) {
        uint32_t next = 0;
        for (uint32_t kind = 1; kind < BLY_APPROXIMATIONS; kind++)
            if (!tried[kind] && (!next || ratio_of(t->choosing, kind, t->outlook->level, 0) <
                                              ratio_of(t->choosing, next, t->outlook->level, 0)))
                next = kind;
        tried[next] = 1;
        status = try_kind(t, next, number[next]);
    }
    return status;
}

/* The level begins anew, with the samples of the kind that was chosen. */
static bailey_status begin_level(struct trial *t, struct bly_term_sums *sums, bailey_mlmc_choice *choice)
{
    const uint32_t level = t->outlook->level, difference = bly_term_of(level, 0);
    bly_term_sums_clear(&t->own, difference);
    const bailey_status status = make(t, t->kind, 0, &t->own);
    if (status != BAILEY_OK) return cannot_be_had(t->kind, status) ? BAILEY_OK : status;
    const double corrections =
        (double)t->best_sums->samples[bly_term_of(level, 1)] * t->outlook->level_steps *
        (1 + bly_choosing_cost(t->choosing, t->kind, level));
    *t->spent += (double)sums->samples[difference] * t->outlook->level_steps - corrections;
    bly_term_sums_move(&t->own, sums, difference);
    bly_term_sums_move(t->best_sums, sums, bly_term_of(level, 1));
    choice->approximate = t->kind;
    return BAILEY_OK;
}

bailey_status bly_choose(const struct bly_choosing *choosing, const struct bly_outlook *outlook,
                         struct bly_term_sums *sums, bailey_mlmc_choice *choice, double *spent)
{
    struct bly_term_sums best;
    struct trial t = {
        .choosing = choosing, .outlook = outlook, .best_sums = &best, .best = 1, .spent = spent};
    bailey_mlmc_choice made = {0};
    double exact, *number[] = {&exact, &made.constant, &made.dyadic, &made.half, &made.half_dyadic};
    bailey_status status = bly_term_sums_create(sums->rows, sums->kinds, &t.own);
    const bailey_status second = bly_term_sums_create(sums->rows, sums->kinds, &best);
    if (status == BAILEY_OK) status = second;
    if (status == BAILEY_OK) status = try_all(&t, number);
    if (status == BAILEY_OK && t.kind) status = begin_level(&t, sums, &made);
    if (status == BAILEY_OK) *choice = made;
    bly_term_sums_free(&t.own);
    bly_term_sums_free(&best);
    return status;
}
