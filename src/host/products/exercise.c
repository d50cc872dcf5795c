/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_exercise_find: the policy of a payoff with `exercise`, by runs of simulations of the payoff with code
 * around it (exercise_code.c): nothing here simulates.
 *
 * The policy's paths are made once, and leave their states at exercise dates in the device's memory (dates.c).
 * Backwards in time, one run of each date returns the sums that the regression is solved from, and another
 * replaces each path's later payoff by its payoff on that date or later. Only sums come back, which are trees as
 * all sums of simulations: so the policy has the same bits everywhere.
 */
#include "products.h"

#include <base/alloc.h>
#include <base/status.h>
#include <host/describe/records.h>
#include <host/internal.h>
#include <host/run/regression.h>
#include <host/simulate/gradient_jumps.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PATHS 65536u
#define MOST_OUTPUTS BAILEY_SIMULATION_MAX_OUTPUTS
#define FEWEST 2u /* paths that can exercise, for each function */

/* A continuation value that no exercise value exceeds: where too few paths can exercise for a regression, the
 * policy does not. */
#define NEVER 1e30

/* ---- Descriptions -------------------------------------------------------------------------------- */

#define STRUCT bailey_exercise_params
static const bailey_field exercise_params[] = {
    UINT64(paths, "number of paths from which the exercise policy is estimated",
           .range = FROM(2, BAILEY_BRIDGE_MAX_PATHS), .default_value = PATHS),
    UINT32(every, "number of steps, of a product dates, from one exercise date to the next; the last is one",
           .range = FROM(1, BAILEY_BRIDGE_MAX_STEPS), .default_value = 1),
    NESTED(source, source, "source of random numbers of these paths, not of points"),
    NESTED(normal, normal_params, "how normals are generated; the precision is that of the path"),
    UINT64(memory, "bytes on the device for states of these paths at exercise dates",
           .default_how = "1073741824, or a quarter of the device's memory if that is less"),
    FLAG(outside, "also estimates the value of paths that cannot exercise, for the upper bound"),
    FUNCTION(progress, "called now and then with the number of paths done"),
    USER(progress_user, "passed to progress"),
};
RECORD(exercise_params, "How an exercise policy is estimated.", exercise_params);
#undef STRUCT

#define STRUCT bailey_exercise_result
static const bailey_field exercise_result[] = {
    REAL(in_sample, "value of the policy on the paths from which it was estimated"),
    REAL(in_sample_standard_error, "its standard error"),
    REAL(condition, "largest condition number of the regressions"),
    UINT32(dates, "number of exercise dates"),
    UINT32(regressions, "number of dates before the last with a regression; the policy exercises on no others"),
    UINT32(functions, "number of functions of the regression, the constant included"),
    UINT32(least_used, "the fewest functions that a regression used"),
};
RESULT(exercise_result, "An exercise policy.", exercise_result);
#undef STRUCT

/* ---- Runs ---------------------------------------------------------------------------------------- */

struct finding {
    bailey_simulation *s;
    const bailey_exercise_params *params;
    struct bly_exercise_shape shape;
    bailey_simulation *backward, *regression, *policy;
    struct bly_dates dates;
    double *coefficient; /* [dates][functions] */
    double *outside;     /* the same, of paths that cannot exercise; NULL: not asked for */
    uint64_t done;       /* paths, once for each date */
    bailey_exercise_result result;
};

static int report(void *user, uint64_t done, uint64_t total)
{
    const struct finding *f = user;
    (void)total;
    return f->params->progress(f->params->progress_user, f->done + done, f->dates.paths * f->dates.count);
}

static bailey_status run(struct finding *f, bailey_simulation *s, double *covariance,
                         bailey_estimate *estimates)
{
    const int counts = s == f->backward && f->dates.kept.replaces && f->params->progress;
    const bailey_simulation_run_params params = {.paths = f->dates.paths,
                                                 .source = f->params->source,
                                                 .normal = f->params->normal,
                                                 .covariance = covariance,
                                                 .progress = counts ? report : NULL,
                                                 .progress_user = f};
    s->kept = &f->dates.kept;
    const bailey_status status = bly_simulation_run(s, &params, estimates);
    s->kept = NULL;
    return status;
}

/* Code that may fail is waited for. */
static int is_quiet(const struct finding *f) { return f->backward->payoff.site_count == 0; }

static bailey_status make_states(struct finding *f, uint32_t segment)
{
    bailey_estimate unused[1];
    bly_dates_make(&f->dates, segment);
    f->dates.kept.quiet = is_quiet(f);
    return run(f, f->backward, NULL, unused);
}

void bly_exercise_write_parameter(bailey_simulation *s, const char *name, const double *values,
                                  uint32_t count)
{
    const struct bly_field *field = bly_parameter_find(&s->payoff, name, strlen(name));
    for (uint32_t i = 0; i < count; i++)
        bly_parameter_write(s->precision, field, i, values[i], s->values);
    s->changed = 1;
}

static void set_date(const struct finding *f, bailey_simulation *s, uint32_t date)
{
    const double start = f->s->counts_time ? f->s->start_time : 0, last = date + 1 == f->dates.count,
                 time = f->s->path.times[bly_dates_step(&f->dates, date)] - start;
    bly_exercise_write_parameter(s, "bailey_time", &time, 1);
    bly_exercise_write_parameter(s, "bailey_last", &last, 1);
    bly_exercise_write_parameter(s, "bailey_coefficient",
                                 f->coefficient + (size_t)date * f->shape.functions, f->shape.functions);
}

static bailey_status look_at(struct finding *f, bailey_simulation *s, uint32_t date, double *covariance,
                             bailey_estimate *estimates)
{
    bailey_status status = BAILEY_OK;
    if (!bly_dates_are_made(&f->dates, date)) status = make_states(f, date / f->dates.length);
    set_date(f, s, date);
    bly_dates_look(&f->dates, date, s == f->backward);
    f->dates.kept.quiet = s == f->backward && date > 0 && is_quiet(f);
    return status == BAILEY_OK ? run(f, s, covariance, estimates) : status;
}

/* ---- The policy ---------------------------------------------------------------------------------- */

/* Means and covariances on the paths that can exercise, a part q of all, from those of all paths, on which
 * output 0 is 1 where they can, and outputs are 0 where they cannot. `used` is 0 where they are too few. */
static struct bly_fit_quality fit(const struct finding *f, const bailey_estimate *e, const double *covariance,
                                  double *coefficient)
{
    const uint32_t count = f->shape.functions - 1, outputs = count + 2, stride = count + 1;
    const double n = (double)f->dates.paths, q = e[0].mean;
    double mean[MOST_OUTPUTS], own[MOST_OUTPUTS * MOST_OUTPUTS];
    if (q * n < FEWEST * f->shape.functions) return (struct bly_fit_quality){0};
    for (uint32_t i = 0; i < stride; i++) {
        mean[i] = e[1 + i].mean / q;
        for (uint32_t j = 0; j < stride; j++) {
            const double all = covariance[(1 + i) * outputs + 1 + j] * ((n - 1) / n),
                         means = e[1 + i].mean * e[1 + j].mean;
            own[i * stride + j] = fma(-means, (1 - q) / q, all) / q;
        }
    }
    return bly_regression_fit(count, mean, own, coefficient);
}

static void regress(struct finding *f, uint32_t date, const bailey_estimate *e, const double *covariance)
{
    double *coefficient = f->coefficient + (size_t)date * f->shape.functions;
    bailey_exercise_result *r = &f->result;
    const struct bly_fit_quality found = fit(f, e, covariance, coefficient);
    if (!found.used) {
        coefficient[0] = NEVER;
        return;
    }
    r->regressions++;
    r->condition = found.condition > r->condition ? found.condition : r->condition;
    r->least_used = found.used < r->least_used ? found.used : r->least_used;
}

/* The same for paths that cannot exercise; their mean where they are too few. */
static bailey_status regress_outside(struct finding *f, uint32_t date)
{
    bailey_estimate e[MOST_OUTPUTS];
    double covariance[MOST_OUTPUTS * MOST_OUTPUTS], not = 1;
    double *coefficient = f->outside + (size_t)date * f->shape.functions;
    bly_exercise_write_parameter(f->regression, "bailey_not", &not, 1);
    const bailey_status status = look_at(f, f->regression, date, covariance, e);
    not = 0;
    bly_exercise_write_parameter(f->regression, "bailey_not", &not, 1);
    if (status == BAILEY_OK && !fit(f, e, covariance, coefficient).used && e[0].mean > 0)
        coefficient[0] = e[f->shape.functions].mean / e[0].mean;
    return status;
}

/* The path of the assets alone, as simulations are asked for: *factor is the caller's. */
static bailey_status narrow(const bailey_simulation *s, bailey_bridge_params *path, double **factor)
{
    const uint32_t assets = s->assets;
    *factor = NULL;
    path->dims = assets;
    if (assets == s->dims || !(path->covariance || path->factor)) return BAILEY_OK;
    *factor = bly_alloc((size_t)assets * assets, sizeof **factor);
    if (!*factor) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    for (uint32_t i = 0; i < assets; i++)
        memcpy(*factor + (size_t)i * assets, s->factor + (size_t)i * s->dims, assets * sizeof **factor);
    path->covariance = NULL;
    path->factor = *factor;
    return BAILEY_OK;
}

bailey_status bly_exercise_make(const bailey_simulation *s, const bailey_bridge_params *path,
                                const struct bly_exercise_shape *shape, enum bly_exercise_code code,
                                bailey_simulation **made)
{
    struct bly_text text = {0};
    bailey_bridge_params assets = *path;
    double *factor;
    bly_exercise_write(&s->payoff, shape, code, &text);
    bailey_status status = narrow(s, &assets, &factor);
    if (text.failed) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    const bailey_simulation_params params = {
        .path = assets,
        .payoff = {.code = s->code, .name = s->payoff.name, .loop_budget = s->payoff.loop_budget}};
    if (status == BAILEY_OK) status = bly_simulation_create_around(s->context, &params, text.data, made);
    bly_free(text.data);
    bly_free(factor);
    if (status == BAILEY_OK) bly_gradient_parameters(s, *made);
    return status;
}

static bailey_status prepare(struct finding *f)
{
    const bailey_bridge_params *path = &f->s->path.params;
    bailey_status status = bly_exercise_make(f->s, path, &f->shape, BLY_EXERCISE_BACKWARD, &f->backward);
    if (status == BAILEY_OK)
        status = bly_exercise_make(f->s, path, &f->shape, BLY_EXERCISE_REGRESSION, &f->regression);
    if (status == BAILEY_OK) status = bly_dates_take(&f->dates, f->backward, f->params->memory);
    if (status == BAILEY_OK) set_date(f, f->backward, f->dates.count - 1);
    for (uint32_t i = 0; f->dates.resumes && i + 1 < f->dates.segments && status == BAILEY_OK; i++)
        status = make_states(f, i);
    return status;
}

/* Backwards in time. The mean payoff on the first date or later is the policy's value in sample. */
static bailey_status find_policy(struct finding *f)
{
    bailey_estimate estimates[MOST_OUTPUTS], paid;
    double covariance[MOST_OUTPUTS * MOST_OUTPUTS];
    bailey_status status = prepare(f);
    for (uint32_t date = f->dates.count; date-- > 0 && status == BAILEY_OK;) {
        if (date + 1 < f->dates.count) {
            status = look_at(f, f->regression, date, covariance, estimates);
            if (status == BAILEY_OK) regress(f, date, estimates, covariance);
            if (status == BAILEY_OK && f->outside) status = regress_outside(f, date);
        }
        if (status == BAILEY_OK) status = look_at(f, f->backward, date, NULL, &paid);
        f->done += f->dates.paths;
    }
    if (status != BAILEY_OK) return status;
    f->result.in_sample = paid.mean;
    f->result.in_sample_standard_error = paid.standard_error;
    if (!f->result.regressions) f->result.least_used = 0;
    if (!f->result.regressions && f->dates.count > 1)
        bly_warn("%s: on all dates but the last, too few paths can exercise: `exercise` is 0 on the others, so "
                 "that the policy waits until the last date",
                 f->s->payoff.name);
    return BAILEY_OK;
}

static bailey_status make_policy(struct finding *f)
{
    struct bly_text names = {0};
    bailey_status status =
        bly_exercise_make(f->s, &f->s->path.params, &f->shape, BLY_EXERCISE_POLICY, &f->policy);
    if (status != BAILEY_OK) return status;
    bly_exercise_write_parameter(f->policy, "bailey_coefficient", f->coefficient,
                                 f->shape.functions * f->shape.dates);
    bly_exercise_names(&f->s->payoff, &names);
    struct bly_policy *policy = f->policy->policy = bly_alloc(1, sizeof *policy);
    if (names.failed || !policy) {
        bly_free(names.data);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    }
    for (char *p = names.data; *p; p++)
        if (*p == '\n') *p = 0;
    *policy = (struct bly_policy){.functions = f->shape.functions,
                                  .dates = f->shape.dates,
                                  .every = f->shape.every,
                                  .in_sample = f->result.in_sample,
                                  .names = names.data,
                                  .outside = f->outside};
    f->outside = NULL;
    return BAILEY_OK;
}

/* ---- Checks -------------------------------------------------------------------------------------- */

bailey_status bly_exercise_check_source(const bailey_source *source)
{
    bailey_source_kind kind = BAILEY_SOURCE_KIND_COUNTER;
    const bailey_status status = bailey_source_check(source, &kind);
    if (status != BAILEY_OK || kind != BAILEY_SOURCE_KIND_POINT) return status;
    return bly_fail_argument("generator",
                             "generator is one of points, but paths of exercise must be independent");
}

bailey_status bly_exercise_check_device(const bailey_simulation *s)
{
    if (s->context->device->info.has_f64) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision, which sums of payoffs need",
                    s->context->device->info.address);
}

static bailey_status check(const bailey_simulation *s, const bailey_exercise_params *p)
{
    bailey_status status = bailey_record_check(&bly_record_exercise_params, p);
    if (status != BAILEY_OK) return status;
    if (s->around)
        return bly_fail_argument("simulation", "simulation is under an exercise policy already");
    if (!s->payoff.exercises)
        return bly_fail_argument("payoff",
                                 "%s has no function exercise; write real exercise(const state *s, const params "
                                 "*p, real t), which returns what exercise at time t pays, discounted, or 0",
                                 s->payoff.name);
    const uint32_t every = p->every ? p->every : 1, dates = (s->steps / s->substeps - 1) / every + 1;
    if (dates > BAILEY_EXERCISE_MAX_DATES)
        return bly_fail_argument("every", "every %u of %u dates gives %u exercise dates; at most %u", every,
                                 s->steps / s->substeps, dates, BAILEY_EXERCISE_MAX_DATES);
    status = bly_exercise_check_source(&p->source);
    if (status == BAILEY_OK) status = bly_parameters_missing(&s->payoff, s->given, NULL);
    if (status == BAILEY_OK) status = bly_parameters_check(&s->payoff, s->precision, s->values);
    if (status == BAILEY_OK) status = bly_check_normal(s->context, &p->normal, s->precision);
    return status == BAILEY_OK ? bly_exercise_check_device(s) : status;
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static bailey_status find(struct finding *f)
{
    const uint32_t every = (f->params->every ? f->params->every : 1) * f->s->substeps;
    f->shape = (struct bly_exercise_shape){.functions = bly_exercise_functions(&f->s->payoff),
                                           .dates = (f->s->steps - 1) / every + 1,
                                           .every = every};
    f->dates = (struct bly_dates){
        .paths = f->params->paths ? f->params->paths : PATHS, .count = f->shape.dates, .every = every};
    f->result = (bailey_exercise_result){
        .dates = f->shape.dates, .functions = f->shape.functions, .least_used = f->shape.functions};
    f->coefficient = bly_alloc((size_t)f->shape.dates * f->shape.functions, sizeof *f->coefficient);
    if (f->params->outside)
        f->outside = bly_alloc((size_t)f->shape.dates * f->shape.functions, sizeof *f->outside);
    if (!f->coefficient || (f->params->outside && !f->outside))
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    bailey_status status = find_policy(f);
    return status == BAILEY_OK ? make_policy(f) : status;
}

static void destroy(struct finding *f)
{
    bailey_simulation_destroy(f->backward);
    bailey_simulation_destroy(f->regression);
    bailey_simulation_destroy(f->policy);
    bly_pool_release(f->dates.kept.memory);
    bly_free(f->coefficient);
    bly_free(f->outside);
}

bailey_status bailey_exercise_find(bailey_simulation *s, const bailey_exercise_params *params,
                                   bailey_exercise_result *result, bailey_simulation **policy)
{
    if (policy) *policy = NULL;
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!result) return bly_finish(s->context, bly_fail_argument("result", "result is NULL"));
    if (!policy) return bly_finish(s->context, bly_fail_argument("policy", "policy is NULL"));
    struct finding f = {.s = s, .params = params};
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = check(s, params);
    if (status == BAILEY_OK) status = find(&f);
    if (status == BAILEY_OK) {
        *result = f.result;
        *policy = f.policy;
        f.policy = NULL;
    }
    destroy(&f);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}

const char *bailey_exercise_function(const bailey_simulation *policy, size_t index)
{
    if (!policy || !policy->policy || index >= policy->policy->functions) return NULL;
    const char *name = policy->policy->names;
    while (index-- > 0) name += strlen(name) + 1;
    return name;
}
