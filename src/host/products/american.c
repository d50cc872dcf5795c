/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * American options: a payoff with `exercise` (american/american_payoff.c), whose policy and bounds are those of
 * any such payoff (exercise.c, exercise_bounds.c), brought into strikes.
 */
#include "products.h"

#include <base/alloc.h>
#include <host/internal.h>

#include <math.h>
#include <string.h>

struct pricing {
    struct bly_american_option *option;
    bailey_simulation *simulation, *policy;
    bailey_american_result result;
    uint64_t done, total; /* steps of paths from time to time */
};

/* Streams of the source, and those after the last. */
enum { STREAM_POLICY, STREAM_BOUNDS };

static int report(void *user, uint64_t done, uint64_t total)
{
    const struct pricing *p = user;
    const bailey_american_params *params = p->option->params;
    (void)total;
    return params->progress(params->progress_user, p->done + done, p->total);
}

static bailey_source source_of(const struct pricing *p, uint64_t stream)
{
    bailey_source source = p->option->params->source;
    source.stream += stream;
    return source;
}

/* Words for options. */
static bailey_status rename_argument(const struct pricing *p, bailey_status status)
{
    if (status == BAILEY_ERROR_INVALID && !strcmp(bailey_error_argument(), "payoff"))
        return bly_fail_argument("spot",
                                 "spot, rate, volatility and exercise_times give payoffs beyond %s precision",
                                 p->option->params->normal.precision == BAILEY_PRECISION_F64 ? "double" : "single");
    return status;
}

static bailey_status find_policy(struct pricing *p)
{
    const struct bly_american_option *option = p->option;
    const bailey_american_params *params = option->params;
    const bailey_exercise_params find = {.paths = option->policy_paths,
                                         .source = source_of(p, STREAM_POLICY),
                                         .normal = params->normal,
                                         .memory = params->memory,
                                         .outside = option->outer_paths && option->steps > BLY_BOUNDS_HORIZON,
                                         .progress = params->progress ? report : NULL,
                                         .progress_user = p};
    bailey_exercise_result found;
    const bailey_status status = bailey_exercise_find(p->simulation, &find, &found, &p->policy);
    if (status != BAILEY_OK) return status;
    p->done += option->policy_paths * option->steps;
    p->result.in_sample = params->strike * found.in_sample;
    p->result.in_sample_standard_error = params->strike * found.in_sample_standard_error;
    p->result.exercise_now = option->now > 0 && option->now >= found.in_sample;
    return BAILEY_OK;
}

/* Without an upper bound. */
static bailey_status find_lower(struct pricing *p)
{
    const struct bly_american_option *option = p->option;
    const bailey_american_params *params = option->params;
    const double today = params->strike * option->now, most = bailey_student_95(UINT64_MAX);
    const bailey_simulation_run_params run = {.paths = option->paths,
                                              .antithetic = params->antithetic,
                                              .source = source_of(p, STREAM_BOUNDS),
                                              .normal = params->normal,
                                              .progress = params->progress ? report : NULL,
                                              .progress_user = p};
    bailey_american_result *r = &p->result;
    bailey_estimate lower;
    const bailey_status status = bailey_simulation_run(p->policy, &run, &lower);
    if (status != BAILEY_OK) return status;
    r->lower = r->exercise_now ? today : params->strike * lower.mean;
    r->lower_standard_error = r->exercise_now ? 0 : params->strike * lower.standard_error;
    r->price = r->lower;
    r->upper = r->upper_standard_error = r->standard_error = NAN;
    r->interval_low = fmax(fma(-most, r->lower_standard_error, r->lower), fmax(today, 0));
    r->interval_high = INFINITY;
    r->paths = option->policy_paths + option->paths;
    return BAILEY_OK;
}

static bailey_status find_bounds(struct pricing *p)
{
    const struct bly_american_option *option = p->option;
    const bailey_american_params *params = option->params;
    const double strike = params->strike;
    const bailey_exercise_bounds_params bound = {.paths = option->paths,
                                                 .outer_paths = option->outer_paths,
                                                 .inner_paths = option->inner_paths,
                                                 .horizon = BLY_BOUNDS_HORIZON,
                                                 .antithetic = params->antithetic,
                                                 .today = fmax(option->now, 0),
                                                 .source = source_of(p, STREAM_BOUNDS),
                                                 .normal = params->normal,
                                                 .progress = params->progress ? report : NULL,
                                                 .progress_user = p};
    bailey_american_result *r = &p->result;
    bailey_exercise_bounds b;
    const bailey_status status = bailey_exercise_bound(p->policy, &bound, &b);
    if (status != BAILEY_OK) return status;
    r->lower = strike * b.lower;
    r->lower_standard_error = strike * b.lower_standard_error;
    r->upper = strike * b.upper;
    r->upper_standard_error = strike * b.upper_standard_error;
    r->interval_low = fmax(strike * b.interval_low, strike * bound.today);
    r->interval_high = strike * b.interval_high;
    r->price = 0.5 * (r->lower + r->upper);
    r->standard_error = strike * b.standard_error;
    r->paths = option->policy_paths + b.paths;
    return BAILEY_OK;
}

static bailey_status price(struct pricing *p)
{
    const struct bly_american_option *option = p->option;
    const uint64_t bounds =
        option->outer_paths ? bly_bounds_steps(option->steps, BLY_BOUNDS_HORIZON, option->paths,
                                               option->outer_paths, option->inner_paths)
                            : option->paths;
    p->total = option->policy_paths * option->steps + bounds;
    p->result.basis_functions = option->functions;
    bailey_status status = bly_american_simulation(option, &p->simulation);
    if (status == BAILEY_OK) status = find_policy(p);
    if (status == BAILEY_OK) status = option->outer_paths ? find_bounds(p) : find_lower(p);
    return rename_argument(p, status);
}

static void destroy(struct pricing *p)
{
    bailey_simulation_destroy(p->policy);
    bailey_simulation_destroy(p->simulation);
    bly_free(p->option);
}

bailey_status bailey_american_price(bailey_context *context, const bailey_american_params *params,
                                    bailey_american_result *result)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!params) return bly_finish(context, bly_fail_argument("params", "params is NULL"));
    if (!result) return bly_finish(context, bly_fail_argument("result", "result is NULL"));
    struct pricing p = {.option = bly_alloc(1, sizeof *p.option)};
    if (!p.option) return bly_finish(context, bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = bly_american_read(context, params, p.option);
    if (status == BAILEY_OK) status = price(&p);
    fesetenv(&callers);
    destroy(&p);
    if (status == BAILEY_OK) *result = p.result;
    return bly_finish(context, status);
}
