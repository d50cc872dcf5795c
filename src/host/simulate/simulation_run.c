/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_simulation_run: all passes over all paths, one after the other (simulation_range.c), the estimates
 * from their sums, and the message where payoff code failed.
 */
#include "simulation_internal.h"
#include <host/run/estimate.h>

#include <base/alloc.h>
#include <host/bridge/bridge_internal.h>
#include <host/payoff/sites.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Sums ---------------------------------------------------------------------------------------- */

/* Refuses sums in which an output beyond the limit was noted. */
static bailey_status check_words(const char *payoff, const bailey_simulation_run_params *params,
                                 uint64_t first, const struct bly_fixed *fixed, const double *value)
{
    uint64_t path = 0;
    uint32_t output = 0;
    if (!bly_fixed_find_beyond(fixed, value, params->first_path, &path, &output)) return BAILEY_OK;
    return bly_fail_argument("sum_limit", "%s: %s %llu of path %llu exceeds sum_limit %g or is not a number",
                             payoff, params->scenarios.count ? "result" : "output",
                             (unsigned long long)(first + output), (unsigned long long)path,
                             params->sum_limit);
}

bailey_status bly_simulation_check_sums(const char *payoff, const bailey_simulation_run_params *params,
                                        uint64_t first, const struct bly_tree *tree, const double *value)
{
    if (tree->fixed) return check_words(payoff, params, first, tree->fixed, value);
    for (uint32_t row = 0; row < tree->sums; row++)
        if (!isfinite(value[row]))
            return bly_fail_argument(
                "payoff",
                "%s: the outputs of paths sum to %g: some are not finite, or too large to be squared", payoff,
                value[row]);
    return BAILEY_OK;
}

bailey_status bly_simulation_read_sums(const char *payoff, const bailey_simulation_run_params *params,
                                       uint64_t first, struct bly_tree *tree, const double **numbers)
{
    bly_tree_finish(tree);
    double *behind = tree->value + tree->rows; /* where a node was that has been joined */
    *numbers = tree->fixed ? behind : tree->value;
    const bailey_status status = bly_simulation_check_sums(payoff, params, first, tree, tree->value);
    if (status == BAILEY_OK && tree->fixed)
        bly_fixed_read(tree->fixed, bly_fixed_places(params->sum_limit), tree->value, behind);
    return status;
}

/* ---- Passes -------------------------------------------------------------------------------------- */

/* A pass over all of a run's paths. */
struct pass_run {
    const bailey_simulation *s;
    const bailey_simulation_run_params *params;
    struct bly_estimator **estimators; /* of MOST results each; NULL until there is a node */
    uint32_t count;
    double *some;                    /* sums of one of them */
    uint64_t first;                  /* result of the pass */
    struct bly_fault *fault;
};

#define MOST BAILEY_SIMULATION_MAX_RESULTS

static bailey_status make_estimators(struct pass_run *w, uint32_t results)
{
    w->count = (results + MOST - 1) / MOST;
    w->estimators = bly_alloc(w->count, sizeof(struct bly_estimator *));
    w->some = bly_alloc(6 * MOST, sizeof *w->some);
    if (!w->estimators || !w->some) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run");
    for (uint32_t k = 0; k < w->count; k++) {
        const uint32_t rest = results - k * MOST;
        w->estimators[k] = bly_estimator_create(rest < MOST ? rest : MOST, w->params->expected);
        if (!w->estimators[k]) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run");
    }
    return BAILEY_OK;
}

static void free_estimators(struct pass_run *w)
{
    for (uint32_t k = 0; k < w->count && w->estimators; k++) bly_estimator_destroy(w->estimators[k]);
    bly_free(w->estimators);
    bly_free(w->some);
}

/* With more than MOST results there are no products of two: the sums are rows of one number each. */
static void add_sums(struct pass_run *w, const struct bly_sums *sums)
{
    const uint32_t kinds = sums->shape == 1 ? 6 : sums->shape ? 4 : 2;
    for (uint32_t k = 0; k < w->count && w->count > 1; k++) {
        const uint32_t first = k * MOST, rest = sums->outputs - first;
        struct bly_sums some = *sums;
        some.outputs = rest < MOST ? rest : MOST;
        some.value = w->some;
        for (uint32_t kind = 0; kind < kinds; kind++)
            memcpy(w->some + kind * some.outputs, sums->value + kind * sums->outputs + first,
                   some.outputs * sizeof *w->some);
        bly_estimator_add(w->estimators[k], &some);
    }
    if (w->count == 1) bly_estimator_add(w->estimators[0], sums);
}

/* Takes the nodes of a replicate, which are those of all its paths. */
static bailey_status take_replicate(void *user, const struct bly_pass *pass, uint64_t replicate,
                                    struct bly_tree *tree)
{
    struct pass_run *w = user;
    struct bly_sums sums = {.outputs = pass->results,
                            .products = w->params->covariance || w->params->expected,
                            .shape = (int)bly_simulation_shape(w->s, w->params),
                            .paths = w->params->paths};
    (void)replicate; /* they come in their order */
    bailey_status status = w->estimators ? BAILEY_OK : make_estimators(w, pass->results);
    if (status != BAILEY_OK) return status;
    status = bly_simulation_read_sums(w->s->payoff.name, w->params, pass->first, tree, &sums.value);
    if (status == BAILEY_OK) add_sums(w, &sums);
    if (status == BAILEY_ERROR_INVALID && !tree->fixed) w->fault->infinite = 1;
    w->first = pass->first;
    return w->s->payoff.site_count ? bly_fault_defer(w->fault, status) : status;
}

/* Whether there will be estimates. */
static int is_good(const struct bly_fault *fault) { return !fault->found && fault->refused == BAILEY_OK; }

static bailey_status run_pass(bailey_simulation *s, const bailey_simulation_run_params *params,
                              struct bly_scenario_plan *plan, uint64_t number, enum bly_draw draw,
                              struct bly_fault *fault, bailey_estimate *estimates)
{
    const struct bly_simulation_range range = {.replicates = bly_simulation_replicates(params),
                                               .first = params->first_path,
                                               .paths = params->paths,
                                               .height = UINT32_MAX};
    const int points = bly_source_kind(&params->source) == BAILEY_SOURCE_KIND_POINT;
    struct pass_run w = {.s = s, .params = params, .fault = fault};
    const bailey_status status =
        bly_simulation_run_range(s, params, plan, number, draw, &range, take_replicate, &w, fault);
    for (uint32_t k = 0; k < w.count && status == BAILEY_OK && is_good(fault); k++)
        bly_estimator_finish(w.estimators[k], points, estimates + w.first + k * MOST, params->covariance);
    free_estimators(&w);
    return status;
}

/* One pass after the other. Estimates and histogram go to copies first: a run that fails writes nothing. */
static bailey_status run_all(bailey_simulation *s, const bailey_simulation_run_params *params,
                             struct bly_scenario_plan *plan, enum bly_draw draw, struct bly_fault *fault,
                             bailey_estimate *estimates)
{
    const uint64_t bins = params->histogram.bins ? params->histogram.bins + UINT64_C(2) : 0;
    bailey_simulation_run_params own = *params;
    bailey_status status = BAILEY_OK;
    own.histogram.counts = bins ? bly_alloc((size_t)bins, sizeof *own.histogram.counts) : NULL;
    if (bins && !own.histogram.counts) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a histogram");
    for (uint64_t i = 0; i < bly_scenarios_passes(plan) && status == BAILEY_OK; i++)
        status = run_pass(s, &own, plan, i, draw, fault, estimates);
    if (status == BAILEY_OK && bins && is_good(fault))
        memcpy(params->histogram.counts, own.histogram.counts, bins * sizeof *own.histogram.counts);
    bly_free(own.histogram.counts);
    return status;
}

static bailey_status run_passes(bailey_simulation *s, const bailey_simulation_run_params *params,
                                struct bly_scenario_plan *plan, enum bly_draw draw, struct bly_fault *fault,
                                bailey_estimate *estimates)
{
    const uint64_t passes = bly_scenarios_passes(plan), results = bly_scenarios_results(plan);
    if (passes == 1) return run_pass(s, params, plan, 0, draw, fault, estimates);
    bailey_estimate *all = bly_alloc(results, sizeof *all);
    bailey_status status =
        all ? BAILEY_OK : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the estimates of a run");
    if (status == BAILEY_OK) status = run_all(s, params, plan, draw, fault, all);
    if (status == BAILEY_OK && is_good(fault)) memcpy(estimates, all, results * sizeof *all);
    bly_free(all);
    return status;
}

/* ---- The path that failed, again ----------------------------------------------------------------- */

/* A run only finds which path failed first. That path runs again, alone, by a program that also reports what
 * failed. */
struct diagnosis {
    int found;
    uint64_t scenario;
    int mirrored;
    uint32_t site;
    int64_t value;
};

static bailey_status take_nothing(void *user, const struct bly_pass *pass, uint64_t replicate,
                                  struct bly_tree *tree)
{
    (void)user, (void)pass, (void)replicate, (void)tree;
    return BAILEY_OK;
}

static bailey_status run_again(bailey_simulation *s, const bailey_simulation_run_params *params,
                               struct bly_scenario_plan *plan, uint64_t number, enum bly_draw draw,
                               const struct bly_fault *f, struct diagnosis *first)
{
    const struct bly_simulation_range range = {
        .replicate = f->replicate, .replicates = 1, .first = f->path, .paths = 1, .height = UINT32_MAX};
    struct bly_fault own = {.diagnoses = 1};
    struct bly_pass pass;
    bailey_status status =
        bly_simulation_run_range(s, params, plan, number, draw, &range, take_nothing, NULL, &own);
    if (status == BAILEY_OK) status = bly_scenarios_pass(plan, number, &pass);
    if (status != BAILEY_OK || !own.found) return status;
    const uint32_t each = 1 + (params->antithetic != 0);
    const uint64_t *row = own.diagnosis, scenario = pass.scenario[row[0] / each % pass.scenarios];
    const int mirrored = row[0] % each != 0;
    if (first->found &&
        (first->scenario < scenario || (first->scenario == scenario && !(mirrored < first->mirrored))))
        return BAILEY_OK;
    *first = (struct diagnosis){.found = 1,
                                .scenario = scenario,
                                .mirrored = mirrored,
                                .site = (uint32_t)row[1],
                                .value = (int64_t)(row[2] << 32 | row[3])};
    return BAILEY_OK;
}

static void describe_fault(const bailey_simulation *s, const bailey_simulation_run_params *params,
                           const struct diagnosis *diagnosis, struct bly_fault *f)
{
    char what[BLY_ERROR_TEXT / 2], replicate[64] = "", scenario[64] = "";
    const struct bly_payoff *payoff = &s->payoff;
    snprintf(what, sizeof what, "%s: payoff code failed", payoff->name);
    if (diagnosis->site > 0 && diagnosis->site <= payoff->site_count)
        bly_site_write(payoff->name, &payoff->sites[diagnosis->site - 1], diagnosis->value,
                       payoff->loop_budget, what, sizeof what);
    if (params->replicates > 1)
        snprintf(replicate, sizeof replicate, " of replicate %llu", (unsigned long long)f->replicate);
    if (params->scenarios.count)
        snprintf(scenario, sizeof scenario, ", in scenario %llu", (unsigned long long)diagnosis->scenario);
    snprintf(f->text, sizeof f->text, "%s, on %spath %llu%s%s", what,
             diagnosis->mirrored ? "the antithetic path of " : "", (unsigned long long)f->path, replicate,
             scenario);
}

bailey_status bly_simulation_end_faults(bailey_simulation *s, const bailey_simulation_run_params *params,
                                        struct bly_scenario_plan *plan, enum bly_draw draw,
                                        struct bly_fault *f)
{
    bailey_simulation_run_params alone = *params;
    struct diagnosis diagnosis = {0};
    bailey_status status = BAILEY_OK;
    alone.samples = NULL;
    alone.progress = NULL;
    alone.histogram = (bailey_histogram){0};
    for (uint64_t i = 0; f->found && i < bly_scenarios_passes(plan) && status == BAILEY_OK; i++)
        status = run_again(s, &alone, plan, i, draw, f, &diagnosis);
    if (status != BAILEY_OK) return status;
    if (f->found) describe_fault(s, params, &diagnosis, f);
    return bly_fault_status(f, "payoff");
}

/* ---- All of it ----------------------------------------------------------------------------------- */

bailey_status bly_simulation_run(bailey_simulation *s, const bailey_simulation_run_params *params,
                                 bailey_estimate *estimates)
{
    struct bly_scenario_plan *plan;
    enum bly_draw draw;
    struct bly_fault fault = {0};
    bailey_status status = bly_scenarios_plan(s, params, &plan);
    if (status == BAILEY_OK) status = bly_simulation_check_run(s, params, bly_scenarios_results(plan), &draw);
    if (status == BAILEY_OK) status = run_passes(s, params, plan, draw, &fault, estimates);
    if (status == BAILEY_OK) status = bly_simulation_end_faults(s, params, plan, draw, &fault);
    if (status == BAILEY_ERROR_INVALID && fault.infinite)
        status = bly_simulation_count_infinite(s, params, bly_scenarios_results(plan), draw, status);
    bly_scenarios_free(plan);
    return status;
}

bailey_status bailey_simulation_run(bailey_simulation *s, const bailey_simulation_run_params *params,
                                    bailey_estimate *estimates)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!estimates) return bly_finish(s->context, bly_fail_argument("estimates", "estimates is NULL"));
    const bailey_simulation_run_params sized = bly_simulation_sized(params);
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = bly_simulation_run(s, &sized, estimates);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}
