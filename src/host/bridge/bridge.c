/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridges: planning once, generating as often as wished.
 */
#include "bridge_internal.h"
#include "plan.h"
#include "transfer.h"

#include <base/alloc.h>
#include <host/source/factor.h>
#include <kernels/bridges.h>
#include <kernels/fill.h>

#include <float.h>
#include <math.h>
#include <string.h>

static bailey_status check_params(const bailey_bridge_params *params, uint32_t dims)
{
    if (params->steps < 1 || params->steps > BAILEY_BRIDGE_MAX_STEPS)
        return bly_fail_argument("steps", "steps is %llu, from 1 to %u", (unsigned long long)params->steps,
                                 BAILEY_BRIDGE_MAX_STEPS);
    if (!params->times) return bly_fail_argument("times", "times is NULL");
    if (dims > BAILEY_BRIDGE_MAX_DIMS)
        return bly_fail_argument("dims", "dims is %u, at most %u", dims, BAILEY_BRIDGE_MAX_DIMS);
    if (params->factor && params->covariance)
        return bly_fail_argument("factor", "factor and covariance are both given, at most one may be");
    if (params->output != BAILEY_BRIDGE_PATHS && params->output != BAILEY_BRIDGE_INCREMENTS)
        return bly_fail_argument("output", "output is %d, not a bailey_bridge_output", (int)params->output);
    if (params->layout != BAILEY_LAYOUT_STEP_MAJOR && params->layout != BAILEY_LAYOUT_PATH_MAJOR)
        return bly_fail_argument("layout", "layout is %d, not a bailey_layout", (int)params->layout);
    for (uint32_t i = 0; i < dims; i++) {
        if (params->start && !isfinite(params->start[i]))
            return bly_fail_argument("start", "start[%u] is %g, not finite", i, params->start[i]);
        if (params->end && !isfinite(params->end[i]))
            return bly_fail_argument("end", "end[%u] is %g, not finite", i, params->end[i]);
    }
    return BAILEY_OK;
}

/* Keeps start, end and C in the bridge's precision, here and on the device. */
static bailey_status upload_constants(bailey_bridge *bridge, const bailey_bridge_params *params)
{
    const uint32_t d = bridge->info.dims;
    const size_t count = (size_t)d * (2 + d), element = bly_element_bytes(bridge->precision);
    double *values = bly_alloc(count, sizeof *values);
    float *rounded = bly_alloc(count, sizeof *rounded);
    const char *matrix = params->covariance ? "covariance" : "factor";
    bailey_status status = BAILEY_OK;
    if (!values || !rounded) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge");
    for (uint32_t i = 0; i < d && status == BAILEY_OK; i++) {
        values[i] = params->start ? params->start[i] : 0;
        values[d + i] = params->end ? params->end[i] : 0;
        for (uint32_t j = 0; j <= i; j++)
            values[(2 + i) * d + j] = params->factor ? params->factor[i * d + j] : i == j;
    }
    if (status == BAILEY_OK && params->factor) status = bly_check_factor(params->factor, d);
    if (status == BAILEY_OK && params->covariance)
        status = bly_factor_covariance("covariance", params->covariance, d, values + 2 * d);
    for (size_t i = 0; i < count && status == BAILEY_OK; i++) {
        const char *argument = i < d ? "start" : i < 2 * (size_t)d ? "end" : matrix;
        if (bridge->precision == BAILEY_PRECISION_F32 && fabs(values[i]) > FLT_MAX)
            status = bly_fail_argument(argument, "start, end or factor holds %g, beyond single precision",
                                       values[i]);
        if (bridge->precision == BAILEY_PRECISION_F32 && values[i] != 0 && fabs(values[i]) < FLT_MIN)
            status = bly_fail_argument(argument, "start, end or factor holds %g, below single precision's %g",
                                       values[i], (double)FLT_MIN);
        rounded[i] = (float)values[i];
    }
    if (status == BAILEY_OK)
        status = bailey_buffer_create(bridge->context, count * element, &bridge->device_constants);
    if (bridge->precision == BAILEY_PRECISION_F64) {
        bridge->constants = values;
        bly_free(rounded);
    } else {
        bridge->constants = rounded;
        bly_free(values);
    }
    if (status == BAILEY_OK)
        status = bailey_buffer_write(bridge->device_constants, 0, bridge->constants, count * element);
    return status;
}

/* A weight, scale or sigma in single precision; it must be a normal number or zero there. */
static bailey_status narrow(double value, float *out)
{
    *out = (float)value;
    if (value != 0 && !(fabs(value) <= FLT_MAX && fabs(value) >= FLT_MIN))
        return bly_fail_argument("times", "times lead to the weight %g, outside single precision", value);
    return BAILEY_OK;
}

static bailey_status narrow_steps(const bailey_bridge_step_f64 *from, bailey_bridge_step_f32 *to,
                                  uint64_t count)
{
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < count && status == BAILEY_OK; i++) {
        to[i].z = from[i].z, to[i].point = from[i].point, to[i].left = from[i].left,
        to[i].right = from[i].right;
        to[i].code = from[i].code;
        status = narrow(from[i].left_weight, &to[i].left_weight);
        if (status == BAILEY_OK) status = narrow(from[i].right_weight, &to[i].right_weight);
        if (status == BAILEY_OK) status = narrow(from[i].sigma, &to[i].sigma);
    }
    return status;
}

static bailey_status narrow_splits(const bailey_bridge_split_f64 *from, bailey_bridge_split_f32 *to,
                                   uint64_t count)
{
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < count && status == BAILEY_OK; i++) {
        to[i].z = from[i].z, to[i].gap = from[i].gap, to[i].node = from[i].node, to[i].code = from[i].code;
        status = narrow(from[i].weight, &to[i].weight);
        if (status == BAILEY_OK) status = narrow(from[i].sigma, &to[i].sigma);
        if (status == BAILEY_OK) status = narrow(from[i].left_scale, &to[i].left_scale);
        if (status == BAILEY_OK) status = narrow(from[i].right_scale, &to[i].right_scale);
    }
    return status;
}

/* Keeps the records of the plan that the bridge needs, in its precision, here and on the device. */
static bailey_status upload_records(bailey_bridge *bridge, struct bly_plan *plan)
{
    const int increments = bridge->output == BAILEY_BRIDGE_INCREMENTS;
    const int f64 = bridge->precision == BAILEY_PRECISION_F64;
    const size_t size = increments ? f64 ? sizeof(bailey_bridge_split_f64) : sizeof(bailey_bridge_split_f32)
                        : f64 ? sizeof(bailey_bridge_step_f64)
                                   : sizeof(bailey_bridge_step_f32);
    bailey_status status = BAILEY_OK;
    bridge->records_bytes = size * plan->steps;
    bridge->records = bly_alloc(plan->steps, size);
    if (!bridge->records) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a plan");
    if (f64)
        memcpy(bridge->records, increments ? (void *)plan->split : (void *)plan->path, bridge->records_bytes);
    else if (increments)
        status = narrow_splits(plan->split, bridge->records, plan->steps);
    else
        status = narrow_steps(plan->path, bridge->records, plan->steps);
    if (status == BAILEY_OK)
        status = bailey_buffer_create(bridge->context, bridge->records_bytes, &bridge->device_records);
    if (status == BAILEY_OK)
        status = bailey_buffer_write(bridge->device_records, 0, bridge->records, bridge->records_bytes);
    return status;
}

static void count_split_traffic(const struct bly_plan *plan, bailey_bridge_info *info)
{
    info->stack_reads = info->stack_writes = 0;
    for (uint64_t k = 1; k < plan->steps; k++) {
        info->stack_reads += BAILEY_BRIDGE_SPLIT_SOURCE(plan->split[k].code) == BAILEY_BRIDGE_SPLIT_STACK;
        info->stack_writes += BAILEY_BRIDGE_SPLIT_PUSH(plan->split[k].code) != 0;
    }
}

static bailey_status create(bailey_context *context, const bailey_bridge_params *params, bailey_bridge **out)
{
    const uint32_t dims = params->dims ? params->dims : 1;
    bailey_status status = bly_check_precision(context, params->precision);
    if (status == BAILEY_OK) status = check_params(params, dims);
    if (status != BAILEY_OK) return status;

    struct bly_plan plan = {0};
    const double begun = bly_seconds();
    status = bly_plan_create(params->times, params->steps, params->start_time, params->order,
                             params->end != NULL, &plan);
    if (status != BAILEY_OK) return status;
    bly_log(1, "bridge: planned %llu steps in %.3f s, %u stack slots", (unsigned long long)plan.steps,
            bly_seconds() - begun, plan.path_slots);

    bailey_bridge *bridge = bly_alloc(1, sizeof *bridge);
    if (!bridge) {
        bly_plan_destroy(&plan);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge");
    }
    const int increments = params->output == BAILEY_BRIDGE_INCREMENTS;
    bridge->context = context;
    bridge->output = params->output;
    bridge->layout = params->layout;
    bridge->precision = params->precision;
    bridge->fixed_end = params->end != NULL;
    bridge->correlated = params->factor || params->covariance;
    bridge->info = (bailey_bridge_info){.z_steps = plan.steps - (params->end ? 1 : 0),
                                        .x_steps = plan.steps,
                                        .dims = dims,
                                        .stack_slots = increments ? plan.split_slots : plan.path_slots,
                                        .stack_reads = plan.stack_reads,
                                        .stack_writes = plan.stack_writes};
    if (increments) count_split_traffic(&plan, &bridge->info);
    status = upload_constants(bridge, params);
    if (status == BAILEY_OK) status = upload_records(bridge, &plan);
    if (status == BAILEY_OK) status = bly_bridge_choose(bridge, params->strategy);
    bly_plan_destroy(&plan);
    if (status != BAILEY_OK) {
        bailey_bridge_destroy(bridge);
        return status;
    }
    *out = bridge;
    return BAILEY_OK;
}

bailey_status bailey_bridge_create(bailey_context *context, const bailey_bridge_params *params,
                                   bailey_bridge **bridge)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    if (!bridge) return bly_finish(context, bly_fail_argument("bridge", "bridge is NULL"));
    *bridge = NULL;
    if (!params) return bly_finish(context, bly_fail_argument("params", "params is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = create(context, params, bridge);
    fesetenv(&callers);
    return bly_finish(context, status);
}

void bailey_bridge_destroy(bailey_bridge *bridge)
{
    if (!bridge) return;
    bly_bridge_forget_kernels(bridge);
    bailey_buffer_destroy(bridge->device_records);
    bailey_buffer_destroy(bridge->device_constants);
    bly_free(bridge->constants);
    bly_free(bridge->records);
    bly_free(bridge);
}

bailey_status bailey_bridge_describe(const bailey_bridge *bridge, bailey_bridge_info *info)
{
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    if (!info) return bly_finish(bridge->context, bly_fail_argument("info", "info is NULL"));
    *info = bridge->info;
    return BAILEY_OK;
}

bailey_status bailey_bridge_records(const bailey_bridge *bridge, const void **records, size_t *bytes)
{
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    if (!records) return bly_finish(bridge->context, bly_fail_argument("records", "records is NULL"));
    if (!bytes) return bly_finish(bridge->context, bly_fail_argument("bytes", "bytes is NULL"));
    *records = bridge->records;
    *bytes = bridge->records_bytes;
    return BAILEY_OK;
}

/* Checks a range of paths, and that `buffer` holds `steps` step rows of them. */
static bailey_status check_paths(const bailey_bridge *bridge, uint64_t first, uint64_t paths, uint64_t steps,
                                 const bailey_buffer *buffer, const char *name)
{
    if (paths == 0) return bly_fail_argument("paths", "paths is 0, at least 1");
    if (paths > BAILEY_BRIDGE_MAX_PATHS || first > BAILEY_BRIDGE_MAX_PATHS - paths)
        return bly_fail_argument("first_path", "first_path %llu + paths %llu exceeds 2^38",
                                 (unsigned long long)first, (unsigned long long)paths);
    if (steps == 0) return BAILEY_OK; /* a fixed end and no interior times: there is no Z */
    const uint64_t count = bly_multiply(paths, steps * bridge->info.dims);
    if (count == 0)
        return bly_fail_argument(name, "%s: %llu paths of %llu steps and %u dims exceed 2^64 elements", name,
                                 (unsigned long long)paths, (unsigned long long)steps, bridge->info.dims);
    return bly_check_buffer(bridge->context, buffer, name, 0, count, bly_element_bytes(bridge->precision));
}

/* Distance between rows and between paths of an array of `steps` step rows in the bridge's layout. */
static void strides(const bailey_bridge *bridge, uint64_t steps, uint64_t paths, uint64_t *row,
                    uint64_t *path)
{
    const int step_major = bridge->layout == BAILEY_LAYOUT_STEP_MAJOR;
    *row = step_major ? paths : 1;
    *path = step_major ? 1 : steps * bridge->info.dims;
}

/* Builds paths first .. from `z`, or from normals drawn as `normal` says where it is not NULL. */
static bailey_status build(bailey_bridge *bridge, const bailey_normal_params *normal, int transfer,
                           uint64_t first, uint64_t paths, bailey_buffer *z, bailey_buffer *x)
{
    const bailey_bridge_info *info = &bridge->info;
    bly_bridge_params p = {.first_path = first,
                           .paths = paths,
                           .steps = (uint32_t)info->x_steps,
                           .dims = info->dims,
                           .fixed_end = (uint32_t)bridge->fixed_end,
                           .correlated = (uint32_t)bridge->correlated,
                           .slots = info->stack_slots};
    strides(bridge, info->z_steps, paths, &p.z_row, &p.z_path);
    strides(bridge, info->x_steps, paths, &p.x_row, &p.x_path);
    if (normal) {
        p.keys = bailey_philox_keys_of(normal->seed);
        p.stream = normal->stream;
    }
    if (info->z_steps == 0) z = NULL;
    struct bly_bridge_launch launch;
    const bailey_status status =
        bly_bridge_find_kernel(bridge, normal, transfer, first, paths, z, x, &launch);
    if (status != BAILEY_OK) return status;
    bailey_buffer *drawn[] = {launch.records, bridge->device_constants, x};
    bailey_buffer *read[] = {launch.records, bridge->device_constants, z, x};
    return bly_launch(bridge->context, launch.kernel, launch.groups, 1, &p, sizeof p, normal ? drawn : read,
                      x, 0, info->x_steps * info->dims * paths * bly_element_bytes(bridge->precision));
}

static bailey_status build_from(bailey_bridge *bridge, int transfer, uint64_t paths, bailey_buffer *z,
                                bailey_buffer *x)
{
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    bailey_status status = check_paths(bridge, 0, paths, bridge->info.z_steps, z, "z");
    if (status == BAILEY_OK) status = check_paths(bridge, 0, paths, bridge->info.x_steps, x, "x");
    if (status == BAILEY_OK && z == x) status = bly_fail_argument("z", "z and x are the same buffer");
    if (status == BAILEY_OK) status = build(bridge, NULL, transfer, 0, paths, z, x);
    return bly_finish(bridge->context, status);
}

bailey_status bailey_bridge_generate(bailey_bridge *bridge, uint64_t paths, bailey_buffer *z,
                                     bailey_buffer *x)
{
    return build_from(bridge, 0, paths, z, x);
}

bailey_status bly_bridge_transfer(bailey_bridge *bridge, uint64_t paths, bailey_buffer *z, bailey_buffer *x)
{
    return build_from(bridge, 1, paths, z, x);
}

static bailey_status check_drawn(const bailey_bridge *bridge, const bailey_normal_params *normal)
{
    if (!normal) return bly_fail_argument("normal", "normal is NULL");
    if (normal->offset != 0)
        return bly_fail_argument("offset", "normal->offset is %llu, must be 0 (use first_path)",
                                 (unsigned long long)normal->offset);
    return bly_bridge_check_normal(bridge, normal);
}

bailey_status bailey_bridge_simulate(bailey_bridge *bridge, const bailey_normal_params *normal,
                                     uint64_t first_path, uint64_t paths, bailey_buffer *x)
{
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    bailey_status status = check_drawn(bridge, normal);
    if (status == BAILEY_OK) status = check_paths(bridge, first_path, paths, bridge->info.x_steps, x, "x");
    if (status == BAILEY_OK) status = build(bridge, normal, 0, first_path, paths, NULL, x);
    return bly_finish(bridge->context, status);
}

bailey_status bailey_bridge_normals(bailey_bridge *bridge, const bailey_normal_params *normal,
                                    uint64_t first_path, uint64_t paths, bailey_buffer *z)
{
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    const uint64_t rows = bridge->info.z_steps * bridge->info.dims;
    bailey_status status = check_drawn(bridge, normal);
    if (status == BAILEY_OK) status = check_paths(bridge, first_path, paths, bridge->info.z_steps, z, "z");
    if (status != BAILEY_OK || rows == 0) return bly_finish(bridge->context, status);
    bly_fill_params p = {.keys = bailey_philox_keys_of(normal->seed),
                         .stream = normal->stream,
                         .first = first_path,
                         .count = paths,
                         .row_elements = UINT64_C(1) << BLY_PATH_BITS};
    strides(bridge, bridge->info.z_steps, paths, &p.out_row, &p.out_stride);
    const struct bly_kernel *kernel = &bly_kernels[BLY_KERNEL_bly_philox_icdf_f32 +
                                                   bly_draw_of(bridge->context, normal, bridge->precision)];
    status = bly_launch(bridge->context, kernel,
                        bly_groups(first_path, paths, bly_block_elements(bridge->precision)), rows, &p,
                        sizeof p, &z, z, 0, rows * paths * bly_element_bytes(bridge->precision));
    return bly_finish(bridge->context, status);
}
