/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_exercise_bound: both bounds of a payoff under a policy, by runs of one simulation (exercise_code.c).
 *
 * From date to date, outer paths walk on from their last mark in the device's memory, and inner paths fork from
 * the new one (kernels/simulation_kept.h). So no step is made twice, and only numbers of paths come back.
 *
 * Let V(i) be the value at date i of the strategy that follows the policy up to date i + horizon - 1 and then
 * receives what the regression estimates. Inner paths from date i estimate V(i) where the policy holds on, and
 * the expectation of V(i + 1): the same paths, which end one date later. The martingale has the increments V(i +
 * 1) less that expectation. Their noise has the mean 0 on each outer path, so that the largest excess of
 * exercise over the martingale is no less in the mean.
 */
#include "products.h"

#include <base/alloc.h>
#include <base/status.h>
#include <host/describe/records.h>
#include <host/internal.h>

#include <math.h>

/* Outer paths at a time, and the most inner paths with them. */
#define CHUNK UINT64_C(1024)
#define CHUNK_INNER (UINT64_C(1) << 21)

/* ---- Descriptions -------------------------------------------------------------------------------- */

#define STRUCT bailey_exercise_bounds_params
static const bailey_field exercise_bounds_params[] = {
    UINT64(paths, "number of paths of the lower bound", .range = FROM(2, BAILEY_BRIDGE_MAX_PATHS),
           .default_value = BAILEY_SIMULATION_PATHS),
    UINT64(outer_paths, "number of outer paths of the upper bound", .range = FROM(2, BAILEY_BRIDGE_MAX_PATHS),
           .default_value = BLY_BOUNDS_OUTER_PATHS),
    UINT64(inner_paths, "number of antithetic pairs of inner paths from each date of an outer path",
           .range = FROM(2, BLY_BOUNDS_MOST_INNER), .default_value = BLY_BOUNDS_INNER_PATHS),
    UINT32(horizon, "number of exercise dates that inner paths go on for",
           .range = FROM(1, BAILEY_EXERCISE_MAX_DATES), .default_value = BLY_BOUNDS_HORIZON),
    FLAG(antithetic, "follows paths of the lower bound by their antithetic paths"),
    REAL(today, "what exercise today pays; 0: it is not possible", .default_value = 0),
    NESTED(source, source, "source of random numbers, not of points"),
    NESTED(normal, normal_params, "how normals are generated; the precision is that of the path"),
    FUNCTION(progress, "called now and then with the number of steps from date to date done"),
    USER(progress_user, "passed to progress"),
};
RECORD(exercise_bounds_params, "How bounds under an exercise policy are estimated.", exercise_bounds_params);
#undef STRUCT

#define STRUCT bailey_exercise_bounds
static const bailey_field exercise_bounds[] = {
    REAL(lower, "lower bound of the price: the value of the exercise policy"),
    REAL(lower_standard_error, "its standard error"),
    REAL(upper, "upper bound of the price"),
    REAL(upper_standard_error, "its standard error"),
    REAL(interval_low, "lower end of the 95 % confidence interval"),
    REAL(interval_high, "upper end of it"),
    REAL(price, "middle of both bounds"),
    REAL(standard_error, "standard error of the price, which covers the distance between the bounds"),
    FLAG(exercise_now, "1 if exercise today pays at least the policy's value in sample"),
    UINT64(paths, "number of paths of all kinds that were simulated"),
};
RESULT(exercise_bounds, "Bounds of the price of a payoff that may be exercised early.", exercise_bounds);
#undef STRUCT

/* ---- Runs ---------------------------------------------------------------------------------------- */

struct bounding {
    const bailey_simulation *policy;
    const bailey_exercise_bounds_params *params;
    uint32_t dates, horizon;
    uint64_t paths, outer, inner, chunk;
    bailey_simulation *s;
    struct bly_kept kept;
    uint64_t marks[2], outer_at, inner_at; /* elements of its memory */
    void *numbers;                         /* read from there */
    double *value, *next, *expected, *martingale, *most; /* [chunk] */
    double today, lower, lower_error; /* E V(0) and its error; the policy's value is bounds.lower */
    uint64_t done, total, each;
    bailey_exercise_bounds bounds;
};

static int report(void *user, uint64_t done, uint64_t total)
{
    const struct bounding *b = user;
    (void)total;
    return b->params->progress(b->params->progress_user, b->done + done * b->each, b->total);
}

static bailey_status run(struct bounding *b, uint64_t stream, uint64_t paths, int antithetic,
                         bailey_estimate estimates[2])
{
    const bailey_exercise_bounds_params *p = b->params;
    bailey_simulation_run_params params = {.paths = paths,
                                           .source = p->source,
                                           .normal = p->normal,
                                           .antithetic = antithetic != 0,
                                           .progress = p->progress ? report : NULL,
                                           .progress_user = b};
    params.source.stream += stream;
    const bailey_status status = bly_simulation_run(b->s, &params, estimates);
    b->done += paths * b->each;
    b->bounds.paths += paths;
    return status;
}

static void set(struct bounding *b, enum bly_bounds_task task, uint32_t near, uint32_t far)
{
    const double values[] = {task, near, far < b->dates ? far : b->dates - 1};
    bly_exercise_write_parameter(b->s, "bailey_task", &values[0], 1);
    bly_exercise_write_parameter(b->s, "bailey_near", &values[1], 1);
    bly_exercise_write_parameter(b->s, "bailey_far", &values[2], 1);
}

/* ---- The lower bound ----------------------------------------------------------------------------- */

static bailey_status find_lower(struct bounding *b)
{
    bailey_estimate e[2];
    bailey_exercise_bounds *r = &b->bounds;
    const double today = b->params->today;
    set(b, BLY_BOUNDS_LOWER, b->horizon - 1, b->dates);
    b->each = b->dates;
    const bailey_status status = run(b, 0, b->paths, (int)b->params->antithetic, e);
    if (status != BAILEY_OK) return status;
    b->today = e[1].mean;
    b->lower_error = e[1].standard_error;
    r->exercise_now = today != 0 && today >= b->policy->policy->in_sample;
    r->lower = r->exercise_now ? today : e[0].mean;
    r->lower_standard_error = r->exercise_now ? 0 : e[0].standard_error;
    return BAILEY_OK;
}

/* ---- The upper bound ----------------------------------------------------------------------------- */

static bailey_status prepare(struct bounding *b)
{
    const uint64_t bytes = bly_element_bytes(b->s->precision),
                   row = bly_simulation_kept_numbers(b->s) + b->s->dims;
    b->chunk = CHUNK_INNER / b->inner < CHUNK ? CHUNK_INNER / b->inner : CHUNK;
    if (b->chunk > b->outer) b->chunk = b->outer;
    b->outer_at = 0;
    b->inner_at = 2 * b->chunk;
    b->marks[0] = b->inner_at + 2 * b->chunk * b->inner;
    b->marks[1] = b->marks[0] + row * b->chunk;
    b->kept.samples = 1;
    b->kept.at.row = b->chunk;
    b->numbers = bly_alloc(2 * b->chunk * b->inner, bytes);
    b->value = bly_alloc(5 * b->chunk, sizeof *b->value);
    if (!b->numbers || !b->value) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for bounds");
    b->next = b->value + b->chunk;
    b->expected = b->next + b->chunk;
    b->martingale = b->expected + b->chunk;
    b->most = b->martingale + b->chunk;
    return bly_pool_take(b->s->context, BLY_MEMORY_DEVICE, (b->marks[1] + row * b->chunk) * bytes,
                         &b->kept.memory);
}

/* The step of a date. */
static uint32_t step_of(const struct bounding *b, uint32_t date)
{
    return b->s->steps - 1 - (b->dates - 1 - date) * b->policy->policy->every;
}

/* A run whose outputs, [2][paths], go to memory and come back. */
static bailey_status run_kept(struct bounding *b, uint64_t stream, uint64_t at, uint64_t paths, int antithetic)
{
    const uint64_t bytes = bly_element_bytes(b->s->precision);
    bailey_estimate unused[2];
    b->kept.at.last = at;
    b->s->kept = &b->kept;
    const bailey_status status = run(b, stream, paths, antithetic, unused);
    b->s->kept = NULL;
    return status == BAILEY_OK ? bailey_buffer_read(b->kept.memory, at * bytes, b->numbers, 2 * paths * bytes)
                               : status;
}

static double number(const struct bounding *b, uint64_t i)
{
    return b->s->precision == BAILEY_PRECISION_F64 ? ((const double *)b->numbers)[i]
                                                   : (double)((const float *)b->numbers)[i];
}

/* Outer paths go on to a date: value[k] is what exercise pays there, and next[k] is not 0 where the policy
 * exercises or, with a horizon of 1, the value of the strategy. */
static bailey_status run_outer(struct bounding *b, uint64_t stream, uint32_t date, uint64_t count)
{
    bly_kept_params *at = &b->kept.at;
    set(b, BLY_BOUNDS_OUTER, b->horizon == 1 ? date : b->dates, date);
    at->fork = 0;
    at->begin = date ? step_of(b, date - 1) + 1 : 0;
    at->end = step_of(b, date) + 1;
    at->from = b->marks[(date + 1) % 2];
    at->mark = b->marks[date % 2];
    b->each = 1;
    const bailey_status status = run_kept(b, stream, b->outer_at, count, 0);
    for (uint64_t k = 0; k < count && status == BAILEY_OK; k++) {
        b->value[k] = number(b, k);
        b->next[k] = number(b, count + k);
    }
    return status;
}

static double mean(const struct bounding *b, uint64_t first)
{
    double sum = 0;
    for (uint64_t j = 0; j < b->inner; j++) sum += number(b, first + j);
    return sum / (double)b->inner;
}

/* Inner paths fork from a date. */
static bailey_status run_inner(struct bounding *b, uint64_t stream, uint32_t date, uint64_t count)
{
    const uint32_t left = b->dates - 1 - date, ahead = b->horizon < left ? b->horizon : left;
    bly_kept_params *at = &b->kept.at;
    set(b, BLY_BOUNDS_INNER, date + b->horizon - 1, date + b->horizon);
    at->fork = (uint32_t)b->inner;
    at->begin = step_of(b, date) + 1;
    at->end = step_of(b, date + ahead) + 1;
    at->from = b->marks[date % 2];
    at->mark = 0;
    b->each = ahead;
    return run_kept(b, stream, b->inner_at, count * b->inner, 1);
}

/* The value of the strategy on a date where outer path k is. */
static double value_of(const struct bounding *b, uint32_t date, uint64_t k)
{
    if (date + 1 == b->dates) return b->value[k];
    if (b->horizon == 1) return b->next[k];
    return b->next[k] != 0 ? b->value[k] : mean(b, k * b->inner);
}

static bailey_status run_date(struct bounding *b, uint64_t stream, uint32_t date, uint64_t count)
{
    const int last = date + 1 == b->dates;
    bailey_status status = run_outer(b, stream, date, count);
    if (status == BAILEY_OK && !last) status = run_inner(b, stream + 1, date, count);
    for (uint64_t k = 0; k < count && status == BAILEY_OK; k++) {
        b->martingale[k] += value_of(b, date, k) - b->expected[k];
        if (b->value[k] != 0 || last) b->most[k] = fmax(b->most[k], b->value[k] - b->martingale[k]);
        if (!last) b->expected[k] = mean(b, (count + k) * b->inner);
    }
    return status;
}

static bailey_status find_upper(struct bounding *b)
{
    const double n = (double)b->outer, today = b->params->today;
    double first = 0, sum = 0, squares = 0;
    bailey_status status = prepare(b);
    for (uint64_t begin = 0, count, stream = 1; begin < b->outer && status == BAILEY_OK;
         begin += count, stream += 2) {
        count = b->outer - begin < b->chunk ? b->outer - begin : b->chunk;
        for (uint64_t k = 0; k < count; k++) {
            b->martingale[k] = 0;
            b->expected[k] = b->today;
            b->most[k] = today != 0 ? today : -INFINITY;
        }
        for (uint32_t date = 0; date < b->dates && status == BAILEY_OK; date++)
            status = run_date(b, stream, date, count);
        for (uint64_t k = 0; k < count; k++) {
            if (begin + k == 0) first = b->most[k];
            sum += b->most[k] - first;
            squares = fma(b->most[k] - first, b->most[k] - first, squares);
        }
    }
    if (status != BAILEY_OK) return status;
    const double variance = fmax(fma(-sum / n, sum, squares), 0) / (n - 1);
    b->bounds.upper = first + sum / n;
    b->bounds.upper_standard_error = sqrt(fma(b->lower_error, b->lower_error, variance / n));
    return BAILEY_OK;
}

/* ---- Checks -------------------------------------------------------------------------------------- */

/* The last stream too. */
static bailey_status check_source(const struct bounding *b)
{
    const uint64_t others = 2 * b->outer;
    bailey_source last = b->params->source;
    const bailey_status status = bly_exercise_check_source(&last);
    if (status != BAILEY_OK) return status;
    if (last.stream > UINT64_MAX - others)
        return bly_fail_argument("stream", "stream %llu and the %llu after it exceed 2^64",
                                 (unsigned long long)last.stream, (unsigned long long)others);
    last.stream += others;
    return bailey_source_check(&last, NULL);
}

static bailey_status check(const struct bounding *b)
{
    const bailey_simulation *s = b->policy;
    bailey_status status = bailey_record_check(&bly_record_exercise_bounds_params, b->params);
    if (status != BAILEY_OK) return status;
    if (!s->policy)
        return bly_fail_argument("policy", "policy is under no exercise policy: see bailey_exercise_find");
    if (b->horizon < b->dates && !s->policy->outside)
        return bly_fail_argument("horizon",
                                 "horizon is %u of %u dates, but the policy has no values of paths that cannot "
                                 "exercise: set bailey_exercise_params.outside, or horizon to %u",
                                 b->horizon, b->dates, b->dates);
    if (s->fixed_end)
        return bly_fail_argument("policy", "paths have a fixed end, but inner paths need independent increments");
    status = check_source(b);
    if (status == BAILEY_OK) status = bly_parameters_check(&s->payoff, s->precision, s->values);
    if (status == BAILEY_OK) status = bly_check_normal(s->context, &b->params->normal, s->precision);
    return status == BAILEY_OK ? bly_exercise_check_device(s) : status;
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static bailey_status make(struct bounding *b)
{
    const struct bly_policy *policy = b->policy->policy;
    const struct bly_exercise_shape shape = {
        .functions = policy->functions, .dates = policy->dates, .every = policy->every};
    bailey_bridge_params path = b->policy->path.params;
    path.construction = BAILEY_CONSTRUCTION_WALK;
    path.order = NULL;
    bailey_status status = bly_exercise_make(b->policy, &path, &shape, BLY_EXERCISE_BOUNDS, &b->s);
    if (status != BAILEY_OK) return status;
    if (policy->outside)
        bly_exercise_write_parameter(b->s, "bailey_outside", policy->outside, policy->functions * policy->dates);
    if (bly_simulation_resumes(b->s)) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s: paths of %u dimensions do not continue at a date, which an upper bound needs",
                    b->policy->payoff.name, b->s->dims);
}

static void find_interval(struct bounding *b)
{
    bailey_exercise_bounds *r = &b->bounds;
    const double most = bailey_student_95(UINT64_MAX), gap = fmax(r->upper - r->lower, 0);
    r->interval_low = fma(-most, r->lower_standard_error, r->lower);
    if (b->params->today != 0) r->interval_low = fmax(r->interval_low, b->params->today);
    r->interval_high = fma(most, r->upper_standard_error, r->upper);
    r->price = 0.5 * (r->lower + r->upper);
    r->standard_error = gap / (2 * most) + fmax(r->lower_standard_error, r->upper_standard_error);
}

uint64_t bly_bounds_steps(uint32_t dates, uint32_t horizon, uint64_t paths, uint64_t outer, uint64_t inner)
{
    uint64_t steps = 0; /* of an inner path from each date */
    for (uint32_t left = 1; left < dates; left++) steps += horizon < left ? horizon : left;
    return paths * dates + outer * (dates + inner * steps);
}

static bailey_status bound(struct bounding *b)
{
    b->total = bly_bounds_steps(b->dates, b->horizon, b->paths, b->outer, b->inner);
    bailey_status status = make(b);
    if (status == BAILEY_OK) status = find_lower(b);
    if (status == BAILEY_OK) status = find_upper(b);
    if (status == BAILEY_OK) find_interval(b);
    return status;
}

static void destroy(struct bounding *b)
{
    bailey_simulation_destroy(b->s);
    bly_pool_release(b->kept.memory);
    bly_free(b->numbers);
    bly_free(b->value);
}

static void read_params(struct bounding *b)
{
    const bailey_exercise_bounds_params *p = b->params;
    b->dates = b->policy->policy ? b->policy->policy->dates : 0;
    b->horizon = p->horizon ? p->horizon : BLY_BOUNDS_HORIZON;
    b->paths = p->paths ? p->paths : BAILEY_SIMULATION_PATHS;
    b->outer = p->outer_paths ? p->outer_paths : BLY_BOUNDS_OUTER_PATHS;
    b->inner = p->inner_paths ? p->inner_paths : BLY_BOUNDS_INNER_PATHS;
}

bailey_status bailey_exercise_bound(bailey_simulation *policy, const bailey_exercise_bounds_params *params,
                                    bailey_exercise_bounds *bounds)
{
    if (!policy) return bly_fail_argument("policy", "policy is NULL");
    BLY_ENTER(policy->context);
    if (BLY_REFUSES(params)) return bly_finish(policy->context, BAILEY_ERROR_INVALID);
    if (!bounds) return bly_finish(policy->context, bly_fail_argument("bounds", "bounds is NULL"));
    struct bounding b = {.policy = policy, .params = params};
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    read_params(&b);
    bailey_status status = check(&b);
    if (status == BAILEY_OK) status = bound(&b);
    destroy(&b);
    fesetenv(&callers);
    if (status == BAILEY_OK) *bounds = b.bounds;
    return bly_finish(policy->context, status);
}
