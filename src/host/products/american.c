/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * American options as runs of simulations, whose texts are in american/: nothing here simulates.
 *
 * A regression needs the paths' prices at one time and their payoffs later. The policy's paths are made once,
 * and leave their states at all times in the device's memory; each regression reads those of its time. Where
 * there is no memory for all, they are those of a segment of times, and marks between segments, from which
 * the paths are made again: twice in all. Only sums of products come back, which are trees as all sums of
 * simulations: so the policy, and all that follows from it, has the same bits everywhere.
 */
#include "products.h"

#include <base/alloc.h>
#include <host/internal.h>
#include <host/run/regression.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_FUNCTIONS BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS

/* A value, in discounted strikes, that nothing to gain exceeds: where paths in the money are too few for a
 * regression, the policy holds on. */
#define NEVER 1e30
#define FEWEST 2u /* paths in the money, for each function */

/* Times from which inner paths of a run begin: their states are in registers. */
#define INNER_DATES 8u

/* The standard errors on either side of an interval of 95 %. */
#define NORMAL_95 1.959963984540054

#define OUTER_CHUNK 1024u /* outer paths whose prices the host has at a time */

extern const unsigned char bly_data_american_regression[], bly_data_american_backward[],
    bly_data_american_value[], bly_data_american_decisions[];

struct pricing {
    struct bly_american_option *option;
    bailey_simulation *regression, *backward, *value, *decisions;
    struct bly_dates dates;
    bailey_bridge *bridge;
    bailey_buffer *paths, *samples;
    void *numbers; /* read from paths or samples */
    bailey_american_result result;
    double in_sample;      /* the policy's value on its own paths, in strikes */
    double held;           /* the value of not exercising today, in strikes */
    double held_error;     /* its standard error, in money */
    uint64_t simulated;    /* paths */
    uint64_t done, total;  /* paths, those of the policy once for each time */
    uint64_t each;         /* that a path of the current run counts for */
    double *pays, *points; /* of OUTER_CHUNK paths: [time][path], [time][asset][path] */
};

/* Streams of the source: its stream and the next three. */
enum { STREAM_POLICY, STREAM_LOWER, STREAM_OUTER, STREAM_INNER };

/* ---- Runs ---------------------------------------------------------------------------------------- */

static int report(void *user, uint64_t done, uint64_t total)
{
    const struct pricing *p = user;
    const bailey_american_params *params = p->option->params;
    (void)total;
    return params->progress(params->progress_user, p->done + done * p->each, p->total);
}

/* A run on a stream of the source. */
static bailey_status run_only(struct pricing *p, bailey_simulation *s, uint64_t stream,
                              bailey_simulation_run_params run, bailey_estimate *estimates)
{
    const bailey_american_params *params = p->option->params;
    run.source = params->source;
    run.source.stream += stream;
    run.normal = params->normal;
    run.progress = params->progress ? report : NULL;
    run.progress_user = p;
    const bailey_status status = bailey_simulation_run(s, &run, estimates);
    if (status == BAILEY_ERROR_INVALID && !strcmp(bailey_error_argument(), "payoff"))
        return bly_fail_argument("spot",
                                 "spot, rate, volatility and exercise_times give payoffs beyond %s precision",
                                 params->normal.precision == BAILEY_PRECISION_F64 ? "double" : "single");
    return status;
}

static bailey_status run(struct pricing *p, bailey_simulation *s, uint64_t stream,
                         bailey_simulation_run_params params, bailey_estimate *estimates)
{
    p->each = params.scenarios.count ? params.scenarios.count : 1;
    const bailey_status status = run_only(p, s, stream, params, estimates);
    p->done += params.paths * p->each;
    p->simulated += params.paths * p->each;
    return status;
}

/* ---- States of the policy's paths ---------------------------------------------------------------- */

/* A run of one of the simulations of states, on the policy's paths; of those at a time, the last one counts.
 */
static bailey_status run_states(struct pricing *p, bailey_simulation *s, double *covariance,
                                bailey_estimate *estimates)
{
    const bailey_simulation_run_params params = {.paths = p->option->policy_paths, .covariance = covariance};
    s->kept = &p->dates.kept;
    p->each = p->dates.kept.replaces != 0;
    const bailey_status status = run_only(p, s, STREAM_POLICY, params, estimates);
    s->kept = NULL;
    return status;
}

/* Makes the states of a segment; those before it have been made once. */
static bailey_status make_states(struct pricing *p, uint32_t segment)
{
    bailey_estimate unused;
    bly_dates_make(&p->dates, segment);
    p->dates.kept.quiet = 1;
    return run_states(p, p->backward, NULL, &unused);
}

/* Looks at the states of a time. The estimates are those of a regression, or of the first time: what is paid
 * later changes without waiting for the device. */
static bailey_status look_at(struct pricing *p, bailey_simulation *s, uint32_t date, double *covariance,
                             bailey_estimate *estimates)
{
    bailey_status status = bly_american_set_date(p->option, s, date);
    if (status == BAILEY_OK && !bly_dates_are_made(&p->dates, date))
        status = make_states(p, date / p->dates.length);
    bly_dates_look(&p->dates, date, s == p->backward);
    p->dates.kept.quiet = s == p->backward && date > 0;
    return status == BAILEY_OK ? run_states(p, s, covariance, estimates) : status;
}

/* ---- The policy ---------------------------------------------------------------------------------- */

/* The regression at time `date`, from the sums of a run. */
static void regress(struct pricing *p, uint32_t date, const bailey_estimate *e, const double *covariance)
{
    const uint32_t count = p->option->functions, outputs = count + 1;
    const double n = (double)p->option->policy_paths;
    double *coefficient = p->option->coefficient + (size_t)date * count;
    double a[MOST_FUNCTIONS][MOST_FUNCTIONS], b[MOST_FUNCTIONS];
    int used[MOST_FUNCTIONS];
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < outputs; j++) {
            const double product = fma(e[i].mean, e[j].mean, covariance[i * outputs + j] * ((n - 1) / n));
            if (j < count)
                a[i][j] = product;
            else
                b[i] = product;
        }
    }
    memset(coefficient, 0, count * sizeof *coefficient);
    coefficient[0] = NEVER;
    if (e[0].mean * n < FEWEST * count) return; /* output 0 is 1 in the money */
    bly_regression_factor(count, MOST_FUNCTIONS, a[0], used);
    bly_regression_solve(count, MOST_FUNCTIONS, a[0], used, b);
    memcpy(coefficient, b, count * sizeof *coefficient);
}

static bailey_status prepare_policy(struct pricing *p)
{
    const struct bly_american_option *option = p->option;
    bailey_status status = bly_american_date_simulation(option, bly_data_american_regression,
                                                        "american_regression", &p->regression);
    if (status == BAILEY_OK)
        status = bly_american_date_simulation(option, bly_data_american_backward, "american_backward",
                                              &p->backward);
    if (status == BAILEY_OK) status = bly_american_set_date(option, p->backward, option->steps - 1);
    p->dates = (struct bly_dates){.paths = option->policy_paths, .count = option->steps, .every = 1};
    if (status == BAILEY_OK) status = bly_dates_take(&p->dates, p->backward, option->params->memory);
    for (uint32_t i = 0; i + 1 < p->dates.segments && status == BAILEY_OK; i++) status = make_states(p, i);
    p->simulated += option->policy_paths;
    return status;
}

/* From the last time backwards. The payoffs that are left at the first time are the policy's value in sample.
 */
static bailey_status find_policy(struct pricing *p)
{
    const struct bly_american_option *option = p->option;
    const double strike = option->params->strike;
    bailey_estimate estimates[BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS + 1], paid;
    double covariance[(BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS + 1) * (BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS + 1)];
    bailey_status status = prepare_policy(p);
    for (uint32_t date = option->steps; date-- > 0 && status == BAILEY_OK;) {
        if (date + 1 < option->steps) {
            status = look_at(p, p->regression, date, covariance, estimates);
            if (status == BAILEY_OK) regress(p, date, estimates, covariance);
        }
        if (status == BAILEY_OK) status = look_at(p, p->backward, date, NULL, &paid);
        p->done += option->policy_paths;
    }
    if (status != BAILEY_OK) return status;
    p->in_sample = paid.mean;
    p->result.in_sample = strike * paid.mean;
    p->result.in_sample_standard_error = strike * paid.standard_error;
    return BAILEY_OK;
}

/* ---- The lower bound ----------------------------------------------------------------------------- */

/* On other paths. */
static bailey_status find_lower(struct pricing *p)
{
    const struct bly_american_option *option = p->option;
    const double today = -1, strike = option->params->strike;
    const bailey_simulation_run_params others = {.paths = option->paths,
                                                 .antithetic = option->params->antithetic};
    bailey_estimate lower;
    bailey_status status =
        bly_american_simulation(option, bly_data_american_value, "american_value", &p->value);
    if (status == BAILEY_OK) status = bly_american_set_policy(option, p->value);
    if (status == BAILEY_OK) status = bailey_simulation_set(p->value, "date", &today, 1);
    if (status == BAILEY_OK) status = run(p, p->value, STREAM_LOWER, others, &lower);
    if (status != BAILEY_OK) return status;
    bailey_american_result *r = &p->result;
    p->held = lower.mean;
    p->held_error = strike * lower.standard_error;
    r->exercise_now = option->now > 0 && option->now >= p->in_sample;
    r->lower = strike * (r->exercise_now ? option->now : lower.mean);
    r->lower_standard_error = r->exercise_now ? 0 : strike * lower.standard_error;
    return BAILEY_OK;
}

/* ---- The upper bound ----------------------------------------------------------------------------- */

/* Reads `count` numbers of the precision. */
static bailey_status read_numbers(struct pricing *p, bailey_buffer *buffer, uint64_t count, double *to)
{
    const int f64 = p->option->params->normal.precision == BAILEY_PRECISION_F64;
    const bailey_status status =
        bailey_buffer_read(buffer, 0, p->numbers, count * (f64 ? sizeof(double) : sizeof(float)));
    for (uint64_t i = 0; i < count && status == BAILEY_OK; i++)
        to[i] = f64 ? ((const double *)p->numbers)[i] : (double)((const float *)p->numbers)[i];
    return status;
}

static bailey_status prepare_outer(struct pricing *p)
{
    const struct bly_american_option *option = p->option;
    const uint64_t rows = (uint64_t)option->steps * option->assets;
    const uint64_t most = OUTER_CHUNK * (rows > BLY_AMERICAN_DECISIONS ? rows : BLY_AMERICAN_DECISIONS);
    const bailey_bridge_params path = bly_american_path(option);
    p->numbers = bly_alloc(most, sizeof(double));
    p->pays = bly_alloc((option->steps + BLY_AMERICAN_DECISIONS) * (size_t)OUTER_CHUNK, sizeof(double));
    p->points = bly_alloc(rows * OUTER_CHUNK, sizeof(double));
    if (!p->numbers || !p->pays || !p->points)
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option");
    bailey_status status =
        bly_american_simulation(option, bly_data_american_decisions, "american_decisions", &p->decisions);
    if (status == BAILEY_OK) status = bly_american_set_policy(option, p->decisions);
    if (status == BAILEY_OK) status = bailey_bridge_create(option->context, &path, &p->bridge);
    if (status == BAILEY_OK)
        status =
            bly_pool_take(option->context, BLY_MEMORY_DEVICE, rows * OUTER_CHUNK * sizeof(double), &p->paths);
    if (status == BAILEY_OK)
        status = bly_pool_take(option->context, BLY_MEMORY_DEVICE,
                               BLY_AMERICAN_DECISIONS * OUTER_CHUNK * sizeof(double), &p->samples);
    return status;
}

/* What outer paths first .. first + count - 1 do at their times, and where they are. */
static bailey_status find_outer(struct pricing *p, uint64_t first, uint64_t count)
{
    const struct bly_american_option *option = p->option;
    bailey_estimate estimates[BLY_AMERICAN_DECISIONS];
    bailey_source source = option->params->source;
    source.stream += STREAM_OUTER;
    bailey_status status =
        bailey_bridge_paths(p->bridge, &source, &option->params->normal, first, count, p->paths);
    if (status == BAILEY_OK)
        status = read_numbers(p, p->paths, (uint64_t)option->steps * option->assets * count, p->points);
    for (uint32_t date = 0; date < option->steps && status == BAILEY_OK; date += BLY_AMERICAN_DECISIONS) {
        const double value = date;
        const bailey_simulation_run_params params = {
            .first_path = first, .paths = count, .samples = p->samples};
        status = bailey_simulation_set(p->decisions, "date", &value, 1);
        if (status == BAILEY_OK) status = run(p, p->decisions, STREAM_OUTER, params, estimates);
        if (status == BAILEY_OK)
            status =
                read_numbers(p, p->samples, BLY_AMERICAN_DECISIONS * count, p->pays + (size_t)date * count);
    }
    return status;
}

/* The inner simulations of a run: scenarios of `value`, which begin at some of the times of one outer path.
 * Always as many, so that they are one program; those that are not needed begin after the last time. */
struct inner {
    uint32_t count, used, columns;
    uint32_t date[INNER_DATES];
    char name[BAILEY_AMERICAN_MAX_ASSETS][16];
    const char *names[1 + BAILEY_AMERICAN_MAX_ASSETS];
    double values[INNER_DATES * (1 + BAILEY_AMERICAN_MAX_ASSETS)];
};

static void prepare_inner(const struct bly_american_option *option, struct inner *inner)
{
    memset(inner, 0, sizeof *inner);
    inner->count = option->steps - 1 < INNER_DATES ? option->steps - 1 : INNER_DATES;
    inner->columns = 1 + option->assets;
    inner->names[0] = "date";
    for (uint32_t d = 0; d < option->assets; d++) {
        snprintf(inner->name[d], sizeof inner->name[d], "from[%u]", d);
        inner->names[1 + d] = inner->name[d];
    }
}

/* Runs the inner simulations that were collected. Inner paths of one outer path are the same for all of its
 * times, which lets the bound be what it is: only the noise of different outer paths must be independent. */
static bailey_status run_inner(struct pricing *p, struct inner *inner, uint64_t number, double *value)
{
    const struct bly_american_option *option = p->option;
    bailey_estimate estimates[INNER_DATES];
    for (uint32_t i = inner->used; i < inner->count; i++) {
        memset(inner->values + (size_t)i * inner->columns, 0, inner->columns * sizeof(double));
        inner->values[i * inner->columns] = option->steps;
    }
    const bailey_simulation_run_params params = {.paths = option->inner_paths,
                                                 .antithetic = option->params->antithetic,
                                                 .scenarios = {.count = inner->count,
                                                               .columns = inner->columns,
                                                               .names = inner->names,
                                                               .values = inner->values}};
    const bailey_status status = run(p, p->value, STREAM_INNER + number, params, estimates);
    for (uint32_t i = 0; i < inner->used && status == BAILEY_OK; i++)
        value[inner->date[i]] = estimates[i].mean;
    inner->used = 0;
    return status;
}

/* What holding on is worth at the times of one outer path that are in the money: path `k` of `count`. */
static bailey_status find_values(struct pricing *p, struct inner *inner, uint64_t number, uint64_t k,
                                 uint64_t count, double *value)
{
    const struct bly_american_option *option = p->option;
    bailey_status status = BAILEY_OK;
    for (uint32_t date = 0; date + 1 < option->steps && status == BAILEY_OK; date++) {
        if (p->pays[date * count + k] == 0) continue;
        double *to = inner->values + (size_t)inner->used * inner->columns;
        inner->date[inner->used++] = date;
        *to++ = date;
        for (uint32_t d = 0; d < option->assets; d++)
            *to++ = p->points[((size_t)date * option->assets + d) * count + k];
        if (inner->used == inner->count) status = run_inner(p, inner, number, value);
    }
    return status == BAILEY_OK && inner->used ? run_inner(p, inner, number, value) : status;
}

/* The most that the holder of one outer path gains over the martingale, which begins with the option's value
 * today. While the policy holds on, the martingale is the policy's value and what it has left behind so far,
 * `passed`: what exercise was worth beyond holding on, where the policy would have exercised. Times that are
 * out of the money are none to exercise at; at maturity the option ends in any case. */
static double gain_of(const struct pricing *p, uint64_t k, uint64_t count, const double *value)
{
    const struct bly_american_option *option = p->option;
    double passed = p->result.exercise_now ? option->now - p->held : 0;
    double most = p->result.exercise_now ? 0 : option->now > 0 ? option->now - p->held : -INFINITY;
    for (uint32_t date = 0; date + 1 < option->steps; date++) {
        const double pays = p->pays[date * count + k];
        if (pays == 0) continue;
        const double gain = pays > 0 ? -passed : -pays - value[date] - passed;
        if (pays > 0) passed += pays - value[date];
        most = gain > most ? gain : most;
    }
    return -passed > most ? -passed : most;
}

static bailey_status find_upper(struct pricing *p)
{
    const struct bly_american_option *option = p->option;
    const double n = (double)option->outer_paths, strike = option->params->strike;
    double value[BAILEY_AMERICAN_MAX_EXERCISES], first = 0, sum = 0, squares = 0;
    struct inner inner;
    bailey_status status = prepare_outer(p);
    prepare_inner(option, &inner);
    for (uint64_t number = 0, count = 0; number < option->outer_paths && status == BAILEY_OK;
         number += count) {
        const uint64_t left = option->outer_paths - number;
        count = left < OUTER_CHUNK ? left : OUTER_CHUNK;
        status = find_outer(p, number, count);
        for (uint64_t k = 0; k < count && status == BAILEY_OK; k++) {
            status = find_values(p, &inner, number + k, k, count, value);
            if (status != BAILEY_OK) break;
            const double gain = gain_of(p, k, count, value);
            if (number + k == 0) first = gain;
            sum += gain - first;
            squares = fma(gain - first, gain - first, squares);
        }
    }
    if (status != BAILEY_OK) return status;
    const double variance = fmax(fma(-sum / n, sum, squares), 0) / (n - 1);
    const double error = strike * sqrt(variance / n);
    p->result.upper = fma(strike, first + sum / n, p->result.lower);
    /* Where it is best to exercise today the lower bound has no error, but the gains have that of what
     * holding on is worth. */
    p->result.upper_standard_error = sqrt(fma(error, error, p->held_error * p->held_error));
    return BAILEY_OK;
}

/* ---- The interval -------------------------------------------------------------------------------- */

static void find_interval(const struct bly_american_option *option, bailey_american_result *r)
{
    const double today = option->params->strike * fmax(option->now, 0);
    r->interval_low = fmax(fma(-NORMAL_95, r->lower_standard_error, r->lower), today);
    r->interval_high = INFINITY;
    r->price = r->lower;
    r->standard_error = NAN;
    if (!option->outer_paths) return;
    const double gap = fmax(r->upper - r->lower, 0);
    r->interval_high = fma(NORMAL_95, r->upper_standard_error, r->upper);
    r->price = 0.5 * (r->lower + r->upper);
    r->standard_error = gap / (2 * NORMAL_95) + fmax(r->lower_standard_error, r->upper_standard_error);
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static uint64_t count_paths(const struct bly_american_option *option)
{
    const uint64_t outer = option->outer_paths;
    const uint64_t parts = (option->steps + BLY_AMERICAN_DECISIONS - 1) / BLY_AMERICAN_DECISIONS;
    return option->policy_paths * option->steps + option->paths +
           outer * (parts + ((option->steps - 1 + INNER_DATES - 1) / INNER_DATES) * INNER_DATES *
                                option->inner_paths);
}

static bailey_status price(struct pricing *p)
{
    p->total = count_paths(p->option);
    bailey_status status = find_policy(p);
    if (status == BAILEY_OK) status = find_lower(p);
    if (status != BAILEY_OK) return status;
    p->result.upper = p->result.upper_standard_error = NAN;
    if (p->option->outer_paths) status = find_upper(p);
    find_interval(p->option, &p->result);
    p->result.basis_functions = p->option->functions;
    p->result.paths = p->simulated;
    return status;
}

static void destroy(struct pricing *p)
{
    bailey_simulation_destroy(p->regression);
    bailey_simulation_destroy(p->backward);
    bly_pool_release(p->dates.kept.memory);
    bailey_simulation_destroy(p->value);
    bailey_simulation_destroy(p->decisions);
    bailey_bridge_destroy(p->bridge);
    bly_pool_release(p->paths);
    bly_pool_release(p->samples);
    bly_free(p->numbers);
    bly_free(p->pays);
    bly_free(p->points);
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
