/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs of gradients: one of the simulation that all first derivatives are outputs of, and one for each
 * direction of second derivatives.
 */
#include "simulation_gradient.h"

#include <base/alloc.h>
#include <host/describe/records.h>

#include <math.h>
#include <string.h>

#define HEAVY 0.05 /* share of a path from which there is a warning */

/* ---- Checks -------------------------------------------------------------------------------------- */

static bailey_status check_weights(const bailey_simulation *s, const bailey_gradient_params *p)
{
    for (uint32_t o = 0; p->weights && o < s->payoff.outputs; o++)
        if (!isfinite(p->weights[o]))
            return bly_fail_argument("weights", "weights[%u] is %g", o, p->weights[o]);
    return BAILEY_OK;
}

static bailey_status check_question(const bailey_simulation *s, const bailey_gradient_params *p)
{
    const bailey_status status = bailey_record_check(&bly_record_gradient_params, p);
    if (status != BAILEY_OK) return status;
    if (p->output >= s->payoff.outputs && !p->weights)
        return bly_fail_argument("output", "output is %u, but the payoff has %u", p->output,
                                 s->payoff.outputs);
    const char *moved = p->covariance ? "covariance" : p->time ? "time" : NULL;
    if (moved && s->fixed_end)
        return bly_fail_argument(moved, "%s is set, but a path with a fixed end has no such derivatives",
                                 moved);
    if (p->covariance && s->independent)
        return bly_fail_argument("covariance", "covariance is set, but %s needs independent dimensions",
                                 s->payoff.name);
    if (p->width_count && !p->widths)
        return bly_fail_argument("widths", "widths is NULL but width_count is %u", p->width_count);
    if (p->count && !p->names) return bly_fail_argument("names", "names is NULL");
    return check_weights(s, p);
}

/* What moves the paths would move the derivatives with respect to it as well. */
static bailey_status check_scenarios(const bailey_simulation *s, const bailey_simulation_run_params *run,
                                     const bailey_gradient_params *p)
{
    const bailey_scenarios *of = &run->scenarios;
    if (!of->count) return BAILEY_OK;
    if (of->rows)
        return bly_fail_argument("weights",
                                 "scenarios have weights, which a gradient does not support: it has weights "
                                 "of outputs");
    if (p->covariance && of->covariance)
        return bly_fail_argument("covariance", "covariance is set, and scenarios move the covariance too");
    if (p->time && of->time_shift)
        return bly_fail_argument("time", "time is set, and scenarios shift the times too");
    struct bly_scenario_plan *plan;
    const bailey_status status = bly_scenarios_plan(s, run, &plan);
    bly_scenarios_free(plan);
    return status;
}

static bailey_status check_parameters(const bailey_simulation *s)
{
    const bailey_status status = bly_parameters_missing(&s->payoff, s->given, NULL);
    return status == BAILEY_OK ? bly_parameters_check(&s->payoff, s->precision, s->values) : status;
}

static bailey_status check(const bailey_simulation *s, const bailey_simulation_run_params *run,
                           const bailey_gradient_params *p)
{
    const char *const wrong = run->samples          ? "samples"
                              : run->histogram.bins ? "histogram"
                              : run->covariance     ? "covariance"
                                                    : NULL;
    if (wrong) return bly_fail_argument(wrong, "%s is set, which a gradient does not support", wrong);
    bailey_status status = check_question(s, p);
    if (status == BAILEY_OK) status = check_scenarios(s, run, p);
    return status == BAILEY_OK ? check_parameters(s) : status;
}

/* ---- Names and shares ---------------------------------------------------------------------------- */

/* The derivatives of one scenario, without estimates. Returns their number. */
static uint32_t name_derivatives(const bailey_simulation *s, const struct bly_gradient *g,
                                 bailey_derivative *gradient)
{
    const int knows = g->independent != NULL;
    uint32_t number = 0, at = 0;
    const char *by = NULL;
    uint32_t by_first = 0;
    for (uint32_t k = 0; k < s->payoff.param_count; k++) {
        const struct bly_field *field = &s->payoff.params[k];
        const uint32_t element = g->direction - number;
        if (g->is_second && g->direction >= number && element < field->count) {
            by = field->name;
            by_first = element;
        }
        for (uint32_t i = 0; i < field->count; i++)
            if (g->asked[number + i])
                gradient[at++] = (bailey_derivative){.name = field->name,
                                                     .first = i,
                                                     .independent = knows && g->independent[number + i]};
        number += field->count;
    }
    for (uint32_t i = 0; i < s->assets && g->covariance; i++)
        for (uint32_t j = 0; j <= i; j++)
            gradient[at++] = (bailey_derivative){.name = "covariance",
                                                 .first = i,
                                                 .second = j,
                                                 .independent = knows && g->independent[g->numbers]};
    if (g->time)
        gradient[at++] = (bailey_derivative){.name = "time",
                                             .independent = knows && g->independent[g->numbers + 1]};
    for (uint32_t k = 0; k < at; k++) {
        gradient[k].by = by;
        gradient[k].by_first = by_first;
    }
    return at;
}

static double largest_of(const bailey_estimate *e) { return fmax(fabs(e->minimum), fabs(e->maximum)); }

static double share_of(const bailey_estimate *e)
{
    const double largest = largest_of(e);
    return largest == 0 ? 0 : largest / (fabs(e->mean) * (double)e->paths);
}

/* Whether a path also has such a share of the sum of squares, which the standard error is computed from. A
 * derivative that is 0 but for noise may be smaller than any path; its error is right all the same. */
static int is_heavy(const bailey_derivative *d)
{
    const bailey_estimate *e = &d->estimate;
    const double paths = (double)e->paths, largest = largest_of(e);
    const double squares = e->variance * (paths - 1) + paths * e->mean * e->mean;
    return d->largest_share >= HEAVY && largest * largest >= HEAVY * squares;
}

static void warn(const bailey_simulation *s, const bailey_derivative *gradient, uint64_t count)
{
    const bailey_derivative *worst = NULL;
    uint64_t heavy = 0;
    for (uint64_t k = 0; k < count; k++) {
        if (!is_heavy(&gradient[k])) continue;
        heavy++;
        if (!worst || gradient[k].largest_share > worst->largest_share) worst = &gradient[k];
    }
    if (!worst) return;
    bly_warn("%s: a single path contributes %.3g %% of the derivative with respect to %s%s%s, so that its "
             "standard error cannot be relied on (%llu of %llu derivatives have such paths)",
             s->payoff.name, 100 * worst->largest_share, worst->name, worst->by ? " and " : "",
             worst->by ? worst->by : "", (unsigned long long)heavy, (unsigned long long)count);
}

/* Extrema are only what shares are computed from, unless moments were asked for. */
static void clear_extrema(bailey_estimate *e) { e->minimum = e->maximum = NAN; }

/* The estimates of one scenario. */
static uint32_t take_estimates(const bailey_simulation *s, const struct bly_gradient *g,
                               const bailey_estimate *all, bailey_derivative *gradient)
{
    const uint32_t count = name_derivatives(s, g, gradient), before = s->payoff.outputs + (g->is_second != 0);
    for (uint32_t k = 0; k < count; k++) {
        gradient[k].estimate = all[before + k];
        gradient[k].largest_share = share_of(&all[before + k]);
        gradient[k].forward = g->forward != 0;
        if (!g->parts || !g->jumps) continue;
        gradient[k].by_jumps = all[before + count + k];
        clear_extrema(&gradient[k].by_jumps);
    }
    return count;
}

/* ---- The run ------------------------------------------------------------------------------------- */

static uint64_t scenarios_of(const bailey_simulation_run_params *run)
{
    return run->scenarios.count ? run->scenarios.count : 1;
}

static void take(const bailey_simulation *s, const bailey_simulation_run_params *run,
                 const struct bly_gradient *g, bailey_estimate *all, bailey_estimate *estimates,
                 bailey_derivative *gradient, uint64_t row)
{
    const uint32_t outputs = s->payoff.outputs;
    for (uint64_t k = 0; k < scenarios_of(run); k++) {
        const uint32_t count = take_estimates(s, g, all + k * g->outputs, gradient + k * row);
        warn(s, gradient + k * row, count);
        for (uint32_t i = 0; i < count && !run->moments; i++) clear_extrema(&gradient[k * row + i].estimate);
        for (uint32_t o = 0; o < outputs && estimates; o++) {
            estimates[k * outputs + o] = all[k * g->outputs + o];
            if (!run->moments) clear_extrema(&estimates[k * outputs + o]);
        }
    }
}

/* Code that fails as it runs also fails for the price alone, whose message has lines of the payoff instead of
 * those of its derivatives. */
static bailey_status explain(bailey_simulation *s, const bailey_simulation_run_params *run,
                             bailey_status status)
{
    if (status != BAILEY_ERROR_PAYOFF) return status;
    bailey_estimate *prices = bly_alloc(scenarios_of(run) * s->payoff.outputs, sizeof *prices);
    if (!prices) return status;
    const bailey_status own = bly_simulation_run(s, run, prices);
    bly_free(prices);
    return own == BAILEY_OK ? bly_fail(status, "the code of derivatives of %s failed", s->payoff.name) : own;
}

/* `gradient` has a row of so many derivatives for each scenario, of which these are some. */
static bailey_status run_order(bailey_simulation *s, const bailey_simulation_run_params *run,
                               bailey_estimate *estimates, bailey_derivative *gradient, uint64_t row)
{
    const struct bly_gradient *g = s->gradient;
    const uint64_t results = g->outputs * scenarios_of(run);
    const uint32_t outputs = s->payoff.outputs;
    bailey_simulation_run_params own = *run;
    bailey_estimate *all = bly_alloc(results, sizeof *all);
    double *expected = bly_alloc(results, sizeof *expected);
    bailey_status status =
        all && expected ? BAILEY_OK : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    for (uint64_t k = 0; k < results && status == BAILEY_OK; k++) {
        const uint64_t scenario = k / g->outputs, o = k % g->outputs;
        expected[k] = run->expected && o < outputs ? run->expected[scenario * outputs + o] : NAN;
    }
    if (run->expected) own.expected = expected;
    g->of->has_extrema = 1;
    if (status == BAILEY_OK) status = bly_simulation_run(g->of, &own, all);
    if (status == BAILEY_OK) take(s, run, g, all, estimates, gradient, row);
    status = explain(s, run, status);
    bly_free(all);
    bly_free(expected);
    return status;
}

static bailey_status find_and_run(bailey_simulation *s, const bailey_simulation_run_params *run,
                                  const bailey_gradient_params *p, struct bly_gradient_order order,
                                  bailey_estimate *estimates, bailey_derivative *gradient, uint64_t row)
{
    const bailey_status status = bly_gradient_ready(s, p, order, run->paths);
    return status == BAILEY_OK ? run_order(s, run, estimates, gradient, row) : status;
}

/* The progress of all orders together. */
struct progress {
    const bailey_simulation_run_params *run;
    uint64_t order, orders;
};

static int report(void *user, uint64_t done, uint64_t total)
{
    const struct progress *p = user;
    return p->run->progress(p->run->progress_user, p->order * total + done, p->orders * total);
}

/* The first derivatives, then the second ones of each direction: to copies, as a run that fails writes
 * nothing. */
static bailey_status run_orders(bailey_simulation *s, const bailey_simulation_run_params *run,
                                const bailey_gradient_params *p, bailey_estimate *estimates,
                                bailey_derivative *gradient)
{
    struct bly_directions directions;
    bailey_status status = bly_gradient_directions(s, p, &directions);
    if (status != BAILEY_OK) return status;
    const uint64_t row = bailey_simulation_gradient_count(s, p), each = row / (1 + directions.count),
                   prices = scenarios_of(run) * s->payoff.outputs, all = scenarios_of(run) * row;
    bailey_derivative *own = bly_alloc((size_t)all + 1, sizeof *own);
    bailey_estimate *own_estimates = bly_alloc(prices, sizeof *own_estimates);
    if (!own || !own_estimates) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    struct progress progress = {.run = run, .orders = 1 + (uint64_t)directions.count};
    bailey_simulation_run_params reporting = *run;
    if (run->progress) {
        reporting.progress = report;
        reporting.progress_user = &progress;
    }
    struct bly_gradient_order order = {.parts = 1};
    if (status == BAILEY_OK) status = find_and_run(s, &reporting, p, order, own_estimates, own, row);
    for (uint32_t k = 0; k < directions.count && status == BAILEY_OK; k++) {
        progress.order = 1 + k;
        order = (struct bly_gradient_order){.is_second = 1, .direction = directions.number[k], .parts = 1};
        status = find_and_run(s, &reporting, p, order, NULL, own + (1 + k) * each, row);
    }
    if (status == BAILEY_OK) memcpy(gradient, own, (size_t)all * sizeof *own);
    if (status == BAILEY_OK && estimates) memcpy(estimates, own_estimates, prices * sizeof *own_estimates);
    bly_free(own);
    bly_free(own_estimates);
    return status;
}

bailey_status bly_gradient_second(bailey_simulation *s, const bailey_simulation_run_params *run,
                                  const bailey_gradient_params *p, bailey_derivative *second)
{
    struct bly_directions directions;
    const bailey_simulation_run_params sized = bly_simulation_sized(run);
    const uint64_t row = bailey_simulation_gradient_count(s, p);
    bailey_status status = check(s, &sized, p);
    if (status == BAILEY_OK) status = bly_gradient_directions(s, p, &directions);
    for (uint32_t k = 0; status == BAILEY_OK && k < directions.count; k++) {
        const struct bly_gradient_order order = {.is_second = 1, .direction = directions.number[k]};
        const uint64_t each = row / (1 + directions.count);
        status = find_and_run(s, &sized, p, order, NULL, second + k * each, each);
    }
    return status;
}

bailey_status bailey_simulation_gradient(bailey_simulation *s, const bailey_simulation_run_params *run,
                                         const bailey_gradient_params *params, bailey_estimate *estimates,
                                         bailey_derivative *gradient)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(run)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!gradient) return bly_finish(s->context, bly_fail_argument("gradient", "gradient is NULL"));
    const bailey_simulation_run_params sized = bly_simulation_sized(run);
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = check(s, &sized, params);
    if (status == BAILEY_OK) status = run_orders(s, &sized, params, estimates, gradient);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}

/* ---- One order as a simulation -------------------------------------------------------------------- */

/* The one order that a simulation has. */
static bailey_status order_of(const bailey_simulation *s, const bailey_gradient_params *p,
                              struct bly_gradient_order *order)
{
    struct bly_directions directions;
    bailey_status status = check_question(s, p);
    if (status == BAILEY_OK) status = bly_gradient_directions(s, p, &directions);
    if (status != BAILEY_OK) return status;
    if (directions.count > 1)
        return bly_fail_argument("directions", "there are %u directions, of which a simulation has one",
                                 directions.count);
    *order = (struct bly_gradient_order){.is_second = directions.count != 0,
                                         .direction = directions.count ? directions.number[0] : 0};
    return BAILEY_OK;
}

/* The numbers that a payoff compares again depend on its parameters, so without them it is as if there were
 * none. */
static bailey_status find_one(bailey_simulation *s, const bailey_gradient_params *p)
{
    struct bly_gradient_order order;
    bailey_status status = order_of(s, p, &order);
    if (status == BAILEY_OK) status = bly_gradient_find(s, p, order);
    if (status != BAILEY_OK || !s->gradient->jumps || check_parameters(s) != BAILEY_OK) return status;
    return bly_gradient_ready(s, p, order, BAILEY_SIMULATION_PATHS);
}

bailey_status bailey_simulation_gradient_jump(const bailey_simulation *s, uint64_t index,
                                              bailey_gradient_jump *jump)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (!jump) return bly_finish(s->context, bly_fail_argument("jump", "jump is NULL"));
    const struct bly_gradient_jumps *jumps = s->gradient ? s->gradient->jumps : NULL;
    const uint32_t count = jumps ? jumps->count : 0;
    if (index >= count)
        return bly_finish(s->context, bly_fail_argument("index", "index is %llu, of %u jumps",
                                                        (unsigned long long)index, count));
    const struct bly_jump *of = &jumps->places[index];
    *jump = (bailey_gradient_jump){.line = (uint32_t)of->place.line,
                                   .column = (uint32_t)of->place.column,
                                   .reruns = jumps->runs != 0,
                                   .counts = of->counts,
                                   .width = jumps->widths[index],
                                   .side = jumps->sides[index],
                                   .spread = jumps->spreads[index]};
    return bly_finish(s->context, BAILEY_OK);
}

bailey_status bailey_simulation_gradient_code(bailey_simulation *s, const bailey_gradient_params *params,
                                              const char **code)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!code) return bly_finish(s->context, bly_fail_argument("code", "code is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = find_one(s, params);
    if (status == BAILEY_OK) *code = s->gradient->of->code;
    fesetenv(&callers);
    return bly_finish(s->context, status);
}

/* It is made like any other, and then is the caller's. */
static bailey_status create(bailey_simulation *s, const bailey_gradient_params *params,
                            bailey_simulation **derivatives)
{
    struct bly_gradient_order order;
    bailey_status status = order_of(s, params, &order);
    if (status == BAILEY_OK) status = check_parameters(s);
    if (status == BAILEY_OK) status = bly_gradient_ready(s, params, order, BAILEY_SIMULATION_PATHS);
    if (status != BAILEY_OK) return status;
    struct bly_gradient *g = s->gradient;
    s->gradient = g->next;
    g->next = NULL;
    *derivatives = g->of;
    g->of->has_extrema = 0;
    g->of = NULL;
    bly_gradient_free(g);
    return BAILEY_OK;
}

bailey_status bailey_simulation_gradient_create(bailey_simulation *s, const bailey_gradient_params *params,
                                                bailey_simulation **derivatives)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!derivatives) return bly_finish(s->context, bly_fail_argument("derivatives", "derivatives is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = create(s, params, derivatives);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}

bailey_status bailey_simulation_gradient_read(bailey_simulation *s, const bailey_gradient_params *params,
                                              const bailey_estimate *estimates, bailey_derivative *gradient)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!estimates) return bly_finish(s->context, bly_fail_argument("estimates", "estimates is NULL"));
    if (!gradient) return bly_finish(s->context, bly_fail_argument("gradient", "gradient is NULL"));
    struct bly_gradient_order order;
    struct bly_gradient *g = NULL;
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = order_of(s, params, &order);
    if (status == BAILEY_OK) status = bly_gradient_question(s, params, order, &g);
    if (status == BAILEY_OK) status = bly_gradient_find_mode(s, g);
    if (status == BAILEY_OK) warn(s, gradient, take_estimates(s, g, estimates, gradient));
    bly_gradient_free(g);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}
