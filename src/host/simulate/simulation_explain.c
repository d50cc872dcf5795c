/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_simulation_explain: one path of a run, step by step. The interpreter runs the payoff on the points
 * that the device makes, and the device runs the same path: its outputs must be the same.
 */
#include "simulation_internal.h"

#include <base/alloc.h>
#include <base/status.h>
#include <host/bridge/bridge_internal.h>
#include <host/payoff/explain.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

struct explanation {
    bailey_simulation *s;
    const bailey_simulation_run_params *run;
    uint64_t path;
    bailey_explain show;
    void *user;
    struct bly_explained *code;
    double *x, *times;    /* [steps][dims], [steps]; of a motion the times of its end and start */
    bailey_buffer *value; /* of a motion at a tick */
    double outputs[BAILEY_SIMULATION_MAX_OUTPUTS];
    bailey_status status; /* of what calls of at() and the user came to */
};

/* ---- What there is to explain -------------------------------------------------------------------- */

static bailey_status read_reals(const bailey_simulation *s, bailey_buffer *from, uint64_t first,
                                uint64_t count, double *to)
{
    const size_t element = bly_element_bytes(s->precision);
    float *narrow = s->precision == BAILEY_PRECISION_F32 ? bly_alloc((size_t)count, sizeof *narrow) : NULL;
    if (s->precision == BAILEY_PRECISION_F32 && !narrow)
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a path");
    const bailey_status status =
        bailey_buffer_read(from, first * element, narrow ? (void *)narrow : (void *)to, count * element);
    for (uint64_t i = 0; narrow && i < count && status == BAILEY_OK; i++) to[i] = (double)narrow[i];
    bly_free(narrow);
    return status;
}

/* The points of the path, which those of a run are. */
static bailey_status read_path(struct explanation *e)
{
    bailey_simulation *s = e->s;
    const uint64_t count = (uint64_t)s->steps * s->dims;
    bailey_buffer *x = NULL;
    bailey_status status = bailey_buffer_create(s->context, count * bly_element_bytes(s->precision), &x);
    if (status == BAILEY_OK)
        status = bailey_bridge_paths(s->bridge, &e->run->source, &e->run->normal, e->path, 1, x);
    if (status == BAILEY_OK) status = read_reals(s, x, 0, count, e->x);
    bailey_buffer_destroy(x);
    return status;
}

static bailey_status read_times(struct explanation *e)
{
    const bailey_simulation *s = e->s;
    return read_reals(s, s->device_constants, (uint64_t)s->dims * (2 + s->dims),
                      s->steps + (s->motion ? 1u : 0u), e->times);
}

static bailey_status read_code(struct explanation *e)
{
    const bailey_simulation *s = e->s;
    const struct bly_explained_code code = {.code = s->code,
                                            .name = s->payoff.name,
                                            .precision = s->precision,
                                            .dims = s->assets,
                                            .own = s->dims - s->assets,
                                            .steps = s->steps,
                                            .around = s->around,
                                            .levels = s->motion_depth,
                                            .loop_budget = s->payoff.loop_budget};
    return bly_explained_create(&code, &e->code);
}

static void set_parameters(struct explanation *e)
{
    const bailey_simulation *s = e->s;
    uint32_t number = 0;
    for (uint32_t i = 0; i < s->payoff.param_count; i++)
        for (uint32_t j = 0; j < s->payoff.params[i].count; j++)
            bly_explained_set(e->code, number++,
                              bly_parameter_read(s->precision, &s->payoff.params[i], j, s->values));
}

static bailey_status prepare(struct explanation *e)
{
    bailey_simulation *s = e->s;
    bailey_status status = read_code(e);
    if (status != BAILEY_OK) return status;
    e->x = bly_alloc((size_t)s->steps * s->dims, sizeof *e->x);
    e->times = bly_alloc(s->steps + (size_t)1, sizeof *e->times);
    if (!e->x || !e->times) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a path");
    set_parameters(e);
    status = read_times(e);
    if (status != BAILEY_OK) return status;
    return s->motion ? bailey_buffer_create(s->context, s->dims * bly_element_bytes(s->precision), &e->value)
                     : read_path(e);
}

static void free_explanation(struct explanation *e)
{
    bly_explained_destroy(e->code);
    bailey_buffer_destroy(e->value);
    bly_free(e->x);
    bly_free(e->times);
}

/* ---- Moments ------------------------------------------------------------------------------------- */

/* Shows a moment, and says whether the path goes on. */
static bailey_status show(struct explanation *e, bailey_moment *moment)
{
    if (e->status != BAILEY_OK) return e->status;
    moment->fault = bly_explained_fault(e->code);
    if (e->show(e->user, moment))
        e->status = bly_fail(BAILEY_ERROR_CANCELLED, "cancelled while explaining path %llu",
                             (unsigned long long)e->path);
    else if (moment->fault)
        e->status =
            bly_fail(BAILEY_ERROR_PAYOFF, "%s, on path %llu", moment->fault, (unsigned long long)e->path);
    else
        e->status = bly_explained_status(e->code);
    return e->status;
}

static bailey_status show_finish(struct explanation *e)
{
    bailey_moment moment = {.kind = BAILEY_MOMENT_KIND_FINISH, .outputs = e->outputs};
    return show(e, &moment);
}

static bailey_status show_start(struct explanation *e)
{
    bailey_moment moment = {.kind = BAILEY_MOMENT_KIND_START, .state = bly_explained_start(e->code)};
    return show(e, &moment);
}

static bailey_status show_step(struct explanation *e, uint32_t i)
{
    bailey_moment moment = {
        .kind = BAILEY_MOMENT_KIND_STEP, .step = i, .time = e->times[i], .x = e->x + (size_t)i * e->s->dims};
    if (!bly_explained_is_whole(e->code))
        moment.state = bly_explained_step(e->code, i, moment.time, moment.x);
    return show(e, &moment);
}

static bailey_status explain_steps(struct explanation *e)
{
    bailey_status status = show_start(e);
    for (uint32_t i = 0; i < e->s->steps && status == BAILEY_OK; i++) status = show_step(e, i);
    if (status != BAILEY_OK) return status;
    bly_explained_finish(e->code, e->outputs);
    return show_finish(e);
}

/* ---- The whole path ------------------------------------------------------------------------------ */

static double at_step(void *user, uint64_t step, uint32_t dimension)
{
    const struct explanation *e = user;
    return e->x[step * e->s->dims + dimension];
}

static double time_of_step(void *user, uint64_t step)
{
    const struct explanation *e = user;
    return e->times[step];
}

/* As kernels/payoff_motion.h has it, in the same precision. */
static double time_of_tick(void *user, uint64_t tick)
{
    const struct explanation *e = user;
    const double end = e->times[0], start = e->times[1];
    const uint32_t depth = e->s->motion_depth;
    if (tick >= (uint64_t)1 << depth) return end;
    if (e->s->precision == BAILEY_PRECISION_F64)
        return fma(ldexp((double)tick, -(int)depth), end - start, start);
    return (double)fmaf(ldexpf((float)tick, -(int)depth), (float)end - (float)start, (float)start);
}

static double at_tick(void *user, uint64_t tick, uint32_t dimension)
{
    struct explanation *e = user;
    double value[BAILEY_BRIDGE_MAX_DIMS] = {0};
    if (e->status == BAILEY_OK)
        e->status = bailey_motion_values(e->s->motion, &e->run->source, &tick, 1, e->path, 1, e->value);
    if (e->status == BAILEY_OK) e->status = read_reals(e->s, e->value, 0, e->s->dims, value);
    bailey_moment moment = {.kind = BAILEY_MOMENT_KIND_AT,
                            .step = tick,
                            .time = time_of_tick(e, tick),
                            .dimension = dimension,
                            .x = value + dimension};
    if (!bly_explained_fault(e->code)) show(e, &moment);
    return value[dimension];
}

static bailey_status explain_whole(struct explanation *e)
{
    const struct bly_explained_path steps = {e, at_step, time_of_step}, ticks = {e, at_tick, time_of_tick};
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < e->s->steps && !e->s->motion && status == BAILEY_OK; i++)
        status = show_step(e, i);
    if (status != BAILEY_OK) return status;
    bly_explained_whole(e->code, e->s->motion ? &ticks : &steps, e->outputs);
    return show_finish(e);
}

/* ---- The same path on the device ----------------------------------------------------------------- */

/* Samples are all that is asked of the run: its sums may well not be finite. */
static bailey_status take_nothing(void *user, const struct bly_pass *pass, uint64_t replicate,
                                  struct bly_tree *tree)
{
    (void)user, (void)pass, (void)replicate, (void)tree;
    return BAILEY_OK;
}

static bailey_status run_path(struct explanation *e, const bailey_simulation_run_params *run)
{
    const struct bly_simulation_range range = {
        .replicates = 1, .first = e->path, .paths = 1, .height = UINT32_MAX};
    struct bly_scenario_plan *plan;
    struct bly_fault fault = {0};
    enum bly_draw draw;
    bailey_status status = bly_scenarios_plan(e->s, run, &plan);
    if (status == BAILEY_OK) status = bly_simulation_check_run(e->s, run, bly_scenarios_results(plan), &draw);
    if (status == BAILEY_OK)
        status = bly_simulation_run_range(e->s, run, plan, 0, draw, &range, take_nothing, NULL, &fault);
    if (status == BAILEY_OK) status = bly_simulation_end_faults(e->s, run, plan, draw, &fault);
    bly_scenarios_free(plan);
    return status;
}

/* A run of one path, with its outputs as samples. */
static bailey_status sample(struct explanation *e, double *outputs)
{
    const uint32_t count = e->s->payoff.outputs;
    bailey_simulation_run_params run = {.source = e->run->source,
                                        .normal = e->run->normal,
                                        .first_path = e->path,
                                        .paths = 1,
                                        .sum = e->run->sum,
                                        .sum_limit = e->run->sum_limit};
    bailey_status status =
        bailey_buffer_create(e->s->context, count * bly_element_bytes(e->s->precision), &run.samples);
    if (status == BAILEY_OK) status = run_path(e, &run);
    if (status == BAILEY_OK) status = read_reals(e->s, run.samples, 0, count, outputs);
    bailey_buffer_destroy(run.samples);
    return status;
}

/* Numbers of which bits are promised are the same. */
static bailey_status compare(const struct explanation *e, const double *outputs)
{
    for (uint32_t o = 0; o < e->s->payoff.outputs; o++)
        if (isfinite(e->outputs[o]) ? memcmp(&e->outputs[o], &outputs[o], sizeof *outputs)
                                    : isfinite(outputs[o]))
            return bly_fail(
                BAILEY_ERROR_SELFTEST,
                "%s: output %u of path %llu is %.17g on %s, and %.17g on the host: please report this "
                "code",
                e->s->payoff.name, o, (unsigned long long)e->path, outputs[o],
                e->s->context->device->info.address, e->outputs[o]);
    return BAILEY_OK;
}

/* ---- All together -------------------------------------------------------------------------------- */

static bailey_status check(const bailey_simulation_run_params *run, uint64_t path)
{
    const int points = bly_source_kind(&run->source) == BAILEY_SOURCE_KIND_POINT;
    const int bits = points ? 63 : 38;
    if (run->normal.numerics != BAILEY_NUMERICS_EXACT)
        return bly_fail_argument("numerics",
                                 "numerics is %d, but explaining a path needs BAILEY_NUMERICS_EXACT",
                                 (int)run->normal.numerics);
    if (path >> bits)
        return bly_fail_argument("path", "path is %llu; the maximum is 2^%d - 1", (unsigned long long)path,
                                 bits);
    return BAILEY_OK;
}

/* What failed on the device has to fail on the host, with the same words, and the other way round. */
static bailey_status compare_faults(const struct explanation *e, bailey_status status, const char *device)
{
    char host[BLY_ERROR_TEXT / 2];
    snprintf(host, sizeof host, "%s", status == BAILEY_ERROR_PAYOFF ? bailey_error_message() : "");
    if (strcmp(host, device) == 0) return status;
    return bly_fail(BAILEY_ERROR_SELFTEST, "%s: %s on %s, and %s on the host: please report this code",
                    e->s->payoff.name, *device ? device : "nothing fails",
                    e->s->context->device->info.address, *host ? host : "nothing fails");
}

/* The device comes first, as it finds what is wrong with the run; what is wrong with the path is shown first.
 */
static bailey_status explain(struct explanation *e)
{
    double outputs[BAILEY_SIMULATION_MAX_OUTPUTS];
    char fault[BLY_ERROR_TEXT / 2];
    const bailey_status ran = sample(e, outputs);
    if (ran != BAILEY_OK && ran != BAILEY_ERROR_PAYOFF) return ran;
    snprintf(fault, sizeof fault, "%s", ran == BAILEY_ERROR_PAYOFF ? bailey_error_message() : "");
    bailey_status status = prepare(e);
    if (status != BAILEY_OK) return status;
    status = bly_explained_is_whole(e->code) ? explain_whole(e) : explain_steps(e);
    if (status != BAILEY_OK && status != BAILEY_ERROR_PAYOFF) return status;
    status = compare_faults(e, status, fault);
    return status == BAILEY_OK ? compare(e, outputs) : bly_name_argument(status, "payoff");
}

bailey_status bailey_simulation_explain(bailey_simulation *s, const bailey_simulation_run_params *run,
                                        uint64_t path, bailey_explain callback, void *user)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(run)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!callback) return bly_finish(s->context, bly_fail_argument("explain", "explain is NULL"));
    struct explanation e = {.s = s, .run = run, .path = path, .show = callback, .user = user};
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = check(run, path);
    if (status == BAILEY_OK) status = explain(&e);
    free_explanation(&e);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}
