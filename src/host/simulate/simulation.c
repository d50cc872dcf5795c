/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Creates a simulation: reads the payoff and plans the paths once, for any number of runs. A bridge becomes a
 * stream of steps in time order, so that a kernel can hand each point to the payoff and forget it; paths that
 * cannot be created so go through memory whole.
 */
#include "simulation_internal.h"

#include <base/alloc.h>
#include <host/bridge/bridge_internal.h>
#include <host/bridge/plan.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>
#include <host/motion/motion_internal.h>
#include <host/payoff/descriptions.h>
#include <host/payoff/models.h>
#include <host/source/source.h>

#include <string.h>

#define MOST_STREAM_DIMS 16u /* above, paths go through memory, where bridges share out the dimensions */
#define MOST_WALK_DIMS 64u   /* the same of walks whose states may be kept, so that they continue from there */

/* Bytes of the points that may wait in an item's private memory, above which paths go through memory: of the
 * four paths that are the fewest on processors, where threads have a stack of 1 MiB; GPUs set it aside for
 * all items that are resident. */
#define MOST_STACK_BYTES 131072u
#define MOST_STACK_BYTES_GPU 16384u
#define STACK_PATHS 4u

#define MOST_KEPT_BYTES 1024u /* of a path that an item of a derivative keeps */

/* A motion has one step, its time, and nothing of how a bridge is built. */
static bailey_status check_motion(const bailey_simulation_params *params)
{
    const bailey_bridge_params *path = &params->path;
    if (params->motion_depth == 0) return BAILEY_OK;
    if (path->steps != 1)
        return bly_fail_argument("motion_depth", "motion_depth is %u, but path has %llu steps instead of one",
                                 params->motion_depth, (unsigned long long)path->steps);
    if (path->order) return bly_fail_argument("order", "order is given, but a motion has none");
    if (path->construction > BAILEY_CONSTRUCTION_BRIDGE)
        return bly_fail_argument("construction", "construction is %s, but a motion needs bridge",
                                 BLY_CHOICE_WORD(CONSTRUCTIONS, path->construction));
    if (path->output != BAILEY_BRIDGE_OUTPUT_PATHS)
        return bly_fail_argument("output", "output is %s, but a motion needs paths",
                                 BLY_CHOICE_WORD(BRIDGE_OUTPUTS, path->output));
    if (path->dims > MOST_STREAM_DIMS)
        return bly_fail_argument("dims", "dims is %u; the maximum for a motion is %u", path->dims,
                                 MOST_STREAM_DIMS);
    return BAILEY_OK;
}

static bailey_status check(const bailey_simulation_params *params)
{
    const bailey_bridge_params *path = &params->path;
    const bailey_status status = bailey_record_check(&bly_record_simulation_params, params);
    if (status != BAILEY_OK) return status;
    if (path->layout != BAILEY_LAYOUT_STEP_MAJOR)
        return bly_fail_argument("layout", "layout is %d, but a simulation needs 0", (int)path->layout);
    if (path->strategy != BAILEY_BRIDGE_STRATEGY_AUTO)
        return bly_fail_argument("strategy",
                                 "strategy is %d, but a simulation needs BAILEY_BRIDGE_STRATEGY_AUTO",
                                 (int)path->strategy);
    return check_motion(params);
}

/* What kernels/payoff_motion.h reads after the time of the one step. */
static void add_motion(const bailey_simulation *s, uint8_t *values)
{
    const bailey_motion *motion = s->motion;
    const int f64 = s->precision == BAILEY_PRECISION_F64;
    const bailey_motion_f64 *wide = &motion->params.f64.motion;
    const bailey_motion_f32 *narrow = &motion->params.f32.motion;
    const double added[] = {
        s->counts_time ? 0 : motion->start_time, f64 ? wide->root[0] : (double)narrow->root[0],
        f64 ? wide->odd[0] : (double)narrow->odd[0], f64 ? wide->even[0] : (double)narrow->even[0]};
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        bly_parameter_write_real(s->precision, added[i], values + i * bly_element_bytes(s->precision));
}

#define MOTION_NUMBERS 4

/* start, end and C, as the bridge has them, then the times, then what a motion has. Where the code says so,
 * time counts from the start of the path. */
static bailey_status place_constants(bailey_simulation *s, const double *times)
{
    const size_t element = bly_element_bytes(s->precision),
                 before = (size_t)s->dims * (2 + s->dims) * element,
                 bytes = before + (s->steps + (s->motion ? MOTION_NUMBERS : 0)) * element;
    uint8_t *values = bly_alloc(bytes, 1);
    if (!values) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    memcpy(values, s->bridge->constants, before);
    for (uint32_t i = 0; i < s->steps; i++)
        bly_parameter_write_real(s->precision, times[i] - (s->counts_time ? s->start_time : 0),
                                 values + before + i * element);
    if (s->motion) add_motion(s, values + before + s->steps * element);
    const bailey_status status = bly_pool_upload(s->context, values, bytes, &s->device_constants);
    bly_free(values);
    return status;
}

/* Writes the stream's steps as devices read them. */
static bailey_status place_stream(bailey_simulation *s, const struct bly_stream_step *steps)
{
    const int f64 = s->precision == BAILEY_PRECISION_F64;
    const size_t size = f64 ? sizeof(bly_stream_f64) : sizeof(bly_stream_f32);
    uint8_t *records = bly_alloc(s->steps, size);
    s->z = bly_alloc(s->steps, sizeof *s->z);
    s->pops = bly_alloc(s->steps, sizeof *s->pops);
    bailey_status status = BAILEY_OK;
    if (!records || !s->z || !s->pops)
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    for (uint32_t k = 0; k < s->steps && status == BAILEY_OK; k++) {
        const struct bly_stream_step *step = &steps[k];
        const float left = (float)step->left_weight, right = (float)step->right_weight,
                    sigma = (float)step->sigma;
        const bly_stream_f64 wide = {step->z, step->pops, step->left_weight, step->right_weight, step->sigma};
        const bly_stream_f32 narrow = {step->z, step->pops, left, right, sigma, 0};
        s->z[k] = step->z;
        s->pops[k] = step->pops;
        memcpy(records + k * size, f64 ? (const void *)&wide : (const void *)&narrow, size);
    }
    if (status == BAILEY_OK)
        status = bly_pool_upload(s->context, records, s->steps * size, &s->device_stream);
    bly_free(records);
    return status;
}

static bailey_status plan_bridge(bailey_simulation *s, const bailey_bridge_params *path)
{
    struct bly_plan plan = {0};
    struct bly_stream stream = {0};
    bailey_status status =
        bly_plan_create(path->times, path->steps, path->start_time, path->order, path->end != NULL, &plan);
    if (status == BAILEY_OK) status = bly_stream_create(&plan, &stream);
    if (status == BAILEY_OK) status = place_stream(s, stream.items);
    if (stream.depth > 1) s->stack_depth = stream.depth;
    bly_stream_destroy(&stream);
    bly_plan_destroy(&plan);
    return status;
}

/* A walk's records are in time order as they are, and nothing waits. */
static bailey_status plan_walk(bailey_simulation *s, const bailey_bridge_params *path)
{
    struct bly_plan plan = {0};
    struct bly_stream_step *steps = bly_alloc(s->steps, sizeof *steps);
    bailey_status status = bly_plan_create_random_walk(path->times, path->steps, path->start_time,
                                                       s->walk == BLY_WALK_INCREMENTS, &plan);
    if (!steps && status == BAILEY_OK)
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    for (uint32_t k = 0; k < s->steps && status == BAILEY_OK; k++)
        steps[k] = (struct bly_stream_step){.z = k, .pops = 1, .left_weight = 1, .sigma = plan.path[k].sigma};
    if (status == BAILEY_OK) status = place_stream(s, steps);
    bly_plan_destroy(&plan);
    bly_free(steps);
    return status;
}

static int is_stream(const bailey_simulation *s, const bailey_bridge_params *path)
{
    const uint32_t most = s->around && s->walk != BLY_WALK_TREE ? MOST_WALK_DIMS : MOST_STREAM_DIMS;
    if (s->prebuilt || s->payoff.whole || s->dims > most ||
        path->construction == BAILEY_CONSTRUCTION_PCA)
        return 0;
    return path->construction == BAILEY_CONSTRUCTION_WALK || path->output == BAILEY_BRIDGE_OUTPUT_PATHS;
}

/* Whether the points that wait fit. */
static int is_shallow(const bailey_simulation *s)
{
    const int gpu = s->context->device->info.kind == BAILEY_DEVICE_KIND_GPU;
    const uint64_t bytes = STACK_PATHS * (uint64_t)s->stack_depth * s->dims * bly_element_bytes(s->precision);
    return bytes <= (gpu ? MOST_STACK_BYTES_GPU : MOST_STACK_BYTES);
}

/* The mean of the times, counted from the start, and over all pairs of times that of the earlier one: time i
 * is the earlier one of 2 (n - i) - 1 ordered pairs. */
static void find_means(bailey_simulation *s, const double *times)
{
    const double n = (double)s->steps;
    s->mean_time = s->mean_earlier = 0;
    for (uint32_t i = 0; i < s->steps; i++) {
        const double time = times[i] - s->start_time;
        s->mean_time += time / n;
        s->mean_earlier += time * (2 * (n - (double)i) - 1) / (n * n);
    }
}

/* What closed forms and scenarios that move paths need to know; the bridge has found the arguments to be
 * right. */
static bailey_status note_path(bailey_simulation *s, const bailey_bridge_params *path)
{
    const uint32_t d = s->dims;
    s->start_time = path->start_time;
    s->first_time = path->times[0];
    s->last_time = path->times[s->steps - 1];
    s->payoff.last_date = s->last_time;
    s->starts_elsewhere = 0;
    for (uint32_t i = 0; i < d && path->start; i++) s->starts_elsewhere |= path->start[i] != 0;
    find_means(s, path->times);
    s->factor = bly_alloc((size_t)d * d, sizeof *s->factor);
    if (!s->factor) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    if (path->covariance) return bly_factor_covariance("covariance", path->covariance, d, s->factor);
    for (uint32_t i = 0; i < d; i++)
        for (uint32_t j = 0; j <= i; j++)
            s->factor[i * d + j] = path->factor ? path->factor[i * d + j] : i == j;
    return BAILEY_OK;
}

static bailey_status make_motion(bailey_simulation *s, const bailey_bridge_params *path)
{
    const bailey_motion_params params = {.start_time = path->start_time,
                                         .end_time = path->times[0],
                                         .depth = s->motion_depth,
                                         .dims = s->dims,
                                         .factor = path->factor,
                                         .covariance = path->covariance,
                                         .start = path->start,
                                         .end = path->end,
                                         .precision = s->precision};
    return bailey_motion_create(s->context, &params, &s->motion);
}

/* Keeps the times of a path for bailey_simulation_bias, where it needs them. */
static bailey_status copy_times(bailey_simulation *s, const double *times)
{
    if (!s->payoff.description->d.path.coarser_steps) return BAILEY_OK;
    s->times = bly_alloc(s->steps, sizeof *s->times);
    if (!s->times) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    memcpy(s->times, times, s->steps * sizeof *s->times);
    return BAILEY_OK;
}

/* The paths of a derivative take a small part of its time; straight-line code for them would take several
 * times as long to compile as the derivative. */
static bailey_status make_bridge(bailey_simulation *s, const bailey_bridge_params *path)
{
    bailey_bridge_params quick = *path;
    const int pca = path->construction == BAILEY_CONSTRUCTION_PCA;
    if (s->most_outputs && !pca) quick.strategy = bly_bridge_short_strategy(s->context, s->dims);
    const bailey_status status = bailey_bridge_create(s->context, &quick, &s->bridge);
    if (status != BAILEY_ERROR_UNSUPPORTED || quick.strategy == path->strategy) return status;
    return bailey_bridge_create(s->context, path, &s->bridge);
}

/* Whether a derivative, which reads its paths forward and back, may compute them from Z. On processors items
 * keep them: Z goes through memory, as for the price, and X stays in the first caches. Asian of 3 dimensions
 * and 24 steps with 14 derivatives, of a price, by X in memory and so: f32 1.80, 1.74; f64 1.83, 1.55 (EPYC,
 * AVX-512, processor time, 2026-11-27). */
static int may_follow(const bailey_simulation *s, const bailey_bridge_params *path)
{
    if (!s->most_outputs || s->dims > MOST_STREAM_DIMS) return 0;
    if (bly_simulation_draws(s)) return bly_simulation_may_draw_segments(s, path);
    return path->construction != BAILEY_CONSTRUCTION_PCA &&
           (path->construction == BAILEY_CONSTRUCTION_WALK || path->output == BAILEY_BRIDGE_OUTPUT_PATHS) &&
           (uint64_t)s->steps * s->dims * bly_element_bytes(s->precision) <= MOST_KEPT_BYTES;
}

static bailey_status plan_followed(bailey_simulation *s, const bailey_bridge_params *path)
{
    const bailey_status status = s->walk == BLY_WALK_TREE ? plan_bridge(s, path) : plan_walk(s, path);
    s->follows = is_shallow(s);
    if (!s->follows) s->stack_depth = 1;
    return status;
}

static bailey_status plan_paths(bailey_simulation *s, const bailey_bridge_params *path)
{
    bailey_bridge_info info;
    bailey_status status = make_bridge(s, path);
    if (status == BAILEY_OK && s->motion_depth) status = make_motion(s, path);
    if (status == BAILEY_OK) status = bailey_bridge_describe(s->bridge, &info);
    if (status != BAILEY_OK) return status;
    s->z_rows = (uint32_t)(info.z_steps * info.dims);
    s->fixed_end = path->end != NULL;
    s->correlated = path->factor || path->covariance;
    s->walk = path->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS  ? BLY_WALK_INCREMENTS
              : path->construction == BAILEY_CONSTRUCTION_WALK ? BLY_WALK_POINTS
                                                               : BLY_WALK_TREE;
    s->stack_depth = 1;
    s->streams = is_stream(s, path);
    status = note_path(s, path);
    if (status == BAILEY_OK) status = copy_times(s, path->times);
    if (status == BAILEY_OK) status = place_constants(s, path->times);
    if (status == BAILEY_OK && may_follow(s, path)) return plan_followed(s, path);
    if (status != BAILEY_OK || !s->streams) return status;
    status = s->walk == BLY_WALK_TREE ? plan_bridge(s, path) : plan_walk(s, path);
    s->streams = is_shallow(s);
    if (!s->streams) s->stack_depth = 1;
    return status;
}

static void *copied(const void *from, uint64_t bytes, bailey_status *status)
{
    void *to = from ? bly_alloc((size_t)bytes + 1, 1) : NULL;
    if (from && !to) *status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    if (to) memcpy(to, from, (size_t)bytes);
    return to;
}

/* The path has been checked. */
static bailey_status copy_path(bailey_simulation *s, const bailey_bridge_params *path)
{
    struct bly_path_copy *c = &s->path;
    const uint64_t dims = s->dims, square = dims * dims * sizeof(double);
    bailey_status status = BAILEY_OK;
    c->params = *path;
    c->params.times = c->times = copied(path->times, path->steps * sizeof(double), &status);
    c->params.order = c->order =
        copied(path->order, path->steps * sizeof(uint32_t) - sizeof(uint32_t), &status);
    c->params.factor = c->factor = copied(path->factor, square, &status);
    c->params.covariance = c->covariance = copied(path->covariance, square, &status);
    c->params.start = c->start = copied(path->start, dims * sizeof(double), &status);
    c->params.end = c->end = copied(path->end, dims * sizeof(double), &status);
    return status;
}

static void free_path(struct bly_path_copy *c)
{
    bly_free(c->times);
    bly_free(c->order);
    bly_free(c->factor);
    bly_free(c->covariance);
    bly_free(c->start);
    bly_free(c->end);
}

static bailey_status copy_code(bailey_simulation *s, const bailey_payoff *payoff)
{
    const char *code = payoff->code ? payoff->code : s->builtin ? (const char *)s->builtin->text : "";
    const size_t bytes = strlen(code) + 1;
    s->code = bly_alloc(bytes, 1);
    if (!s->code) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    memcpy(s->code, code, bytes);
    return BAILEY_OK;
}

/* The paths, which have the code's own dimensions too. */
static bailey_status make_paths(bailey_simulation *s, bailey_bridge_params path)
{
    struct bly_path_copy wide = {0};
    bailey_status status = bly_path_widen(s, &path, &wide);
    if (status == BAILEY_OK) status = plan_paths(s, &path);
    if (status == BAILEY_OK) status = copy_path(s, &path);
    free_path(&wide);
    return status;
}

static bailey_status create(bailey_context *context, bailey_simulation_params *params, uint64_t normals,
                            bailey_simulation *s)
{
    s->context = context;
    s->programs = (struct bly_variants){.context = context, .object = "simulation"};
    s->precision = params->path.precision;
    const bailey_status settled = bly_path_settle(s, params);
    if (settled != BAILEY_OK) return settled;
    bailey_status status = check(params);
    if (status == BAILEY_OK) status = bly_check_precision(context, s->precision);
    if (status != BAILEY_OK) return status;
    s->steps = (uint32_t)params->path.steps;
    s->motion_depth = params->motion_depth;
    const struct bly_payoff_path path = {.precision = s->precision,
                                         .steps = s->steps,
                                         .dims = s->assets,
                                         .own = s->dims - s->assets,
                                         .motion_depth = s->motion_depth,
                                         .most_outputs = s->most_outputs,
                                         .around = s->around};
    status = bly_payoff_find(context, &params->payoff, &path, &s->payoff);
    if (status == BAILEY_OK && s->payoff.has_root && s->precision == BAILEY_PRECISION_F32 &&
        !context->device->rounds_roots)
        status = bly_fail(BAILEY_ERROR_UNSUPPORTED,
                          "%s divides or takes a square root, which %s does not round correctly in single "
                          "precision; use double",
                          s->payoff.name, context->device->info.address);
    if (status == BAILEY_OK) status = copy_code(s, &params->payoff);
    if (status == BAILEY_OK) status = bly_prebuilt_choose(s, &params->payoff, normals);
    if (status == BAILEY_OK) status = make_paths(s, params->path);
    if (status != BAILEY_OK) return status;
    bly_record_digest_of(&bly_record_simulation_params, params, s->path_digest);
    s->width = bly_simulation_width(s, 1, s->payoff.outputs);
    s->changed = 1;
    s->values = bly_alloc(s->payoff.params_bytes, 1);
    s->given = bly_alloc(s->payoff.param_count + 1u, 1);
    if (!s->values || !s->given) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    bly_parameters_fill(&s->payoff, s->precision, s->given, s->values);
    return bly_pool_take(context, BLY_MEMORY_DEVICE, s->payoff.params_bytes, &s->device_values);
}

/* UINT64_MAX where it is not known. */
static uint64_t planned_normals(const bailey_simulation_params *p)
{
    const uint64_t dims = p->path.dims ? p->path.dims : 1, steps = p->path.steps ? p->path.steps : 1;
    if (p->planned_paths == 0 || steps > BAILEY_BRIDGE_MAX_STEPS || dims > BAILEY_BRIDGE_MAX_DIMS)
        return UINT64_MAX;
    const uint64_t normals = bly_multiply(steps * dims, p->planned_paths);
    return normals ? normals : UINT64_MAX;
}

static bailey_status create_special(bailey_context *context, const bailey_simulation_params *params,
                                    uint32_t outputs, const char *around, bailey_simulation **simulation)
{
    bailey_status status = BAILEY_OK;
    bailey_simulation *s = bly_alloc(1, sizeof *s);
    if (!s) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    s->context = context;
    s->most_outputs = outputs;
    s->substeps = 1;
    s->around = copied(around, around ? strlen(around) : 0, &status);
    bailey_simulation_params own = *params;
    struct bly_resolved resolved = {0};
    if (status == BAILEY_OK) status = bly_payoff_resolve(&params->payoff, &params->path, &resolved);
    if (status == BAILEY_OK) own.payoff = resolved.payoff;
    if (resolved.times) {
        s->substeps = (uint32_t)(resolved.steps / params->path.steps);
        own.path.times = resolved.times, own.path.steps = resolved.steps;
    }
    if (status == BAILEY_OK) status = create(context, &own, planned_normals(&own), s);
    s->closed = resolved.closed;
    resolved.closed = NULL;
    bly_resolved_free(&resolved);
    if (status == BAILEY_OK)
        *simulation = s;
    else
        bailey_simulation_destroy(s);
    return status;
}

bailey_status bly_simulation_create(bailey_context *context, const bailey_simulation_params *params,
                                    bailey_simulation **simulation)
{
    return create_special(context, params, 0, NULL, simulation);
}

bailey_status bly_simulation_create_derivative(bailey_context *context,
                                               const bailey_simulation_params *params, uint32_t outputs,
                                               bailey_simulation **simulation)
{
    return create_special(context, params, outputs, NULL, simulation);
}

bailey_status bly_simulation_create_around(bailey_context *context, const bailey_simulation_params *params,
                                           const char *around, bailey_simulation **simulation)
{
    return create_special(context, params, 0, around, simulation);
}

bailey_status bailey_simulation_create(bailey_context *context, const bailey_simulation_params *params,
                                       bailey_simulation **simulation)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    if (!simulation) return bly_finish(context, bly_fail_argument("simulation", "simulation is NULL"));
    *simulation = NULL;
    BLY_ENTER(context);
    if (BLY_REFUSES(params)) return bly_finish(context, BAILEY_ERROR_INVALID);
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = bly_simulation_create(context, params, simulation);
    fesetenv(&callers);
    return bly_finish(context, status);
}

void bailey_simulation_destroy(bailey_simulation *s)
{
    if (!s) return;
    BLY_ENTER_VOID(s->context);
    if (s->gradient) s->gradient_free(s->gradient);
    bly_variants_free(&s->programs);
    bly_pool_release(s->results);
    bly_pool_release(s->device_values);
    bly_pool_release(s->device_stream);
    bly_pool_release(s->device_constants);
    bailey_bridge_destroy(s->bridge);
    bailey_motion_destroy(s->motion);
    bly_payoff_free(&s->payoff);
    free_path(&s->path);
    bly_free(s->lanes);
    bly_free(s->around);
    if (s->policy) bly_free(s->policy->outside);
    bly_free(s->functions);
    bly_free(s->policy);
    bly_free(s->code);
    bly_free(s->closed);
    bly_free(s->values);
    bly_free(s->given);
    bly_free(s->factor);
    bly_free(s->times);
    bly_free(s->z);
    bly_free(s->pops);
    bly_free(s);
}

/* ---- Parameters ---------------------------------------------------------------------------------- */

bailey_status bailey_simulation_set(bailey_simulation *s, const char *name, const double *values,
                                    uint64_t count)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (!name) return bly_finish(s->context, bly_fail_argument("name", "name is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status =
        bly_parameters_set(&s->payoff, s->precision, name, values, count, s->values, s->given);
    if (status == BAILEY_OK) {
        bly_parameters_fill(&s->payoff, s->precision, s->given, s->values);
        s->changed = 1;
    }
    fesetenv(&callers);
    return bly_finish(s->context, status);
}

const char *bailey_simulation_parameter(const bailey_simulation *s, size_t index, uint64_t *count)
{
    if (!s || index >= s->payoff.param_count) return NULL;
    if (count) *count = s->payoff.params[index].count;
    return s->payoff.params[index].name;
}

const char *bailey_simulation_state(const bailey_simulation *s, size_t index, uint64_t *count)
{
    if (!s || index >= s->payoff.state_count) return NULL;
    if (count) *count = s->payoff.states[index].count;
    return s->payoff.states[index].name;
}

uint32_t bailey_simulation_outputs(const bailey_simulation *s) { return s ? s->payoff.outputs : 0; }

const bailey_description *bailey_simulation_description(const bailey_simulation *s)
{
    return s ? &s->payoff.description->d : NULL;
}
