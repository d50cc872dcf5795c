/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_bridge_create: checks the parameters, plans the construction once and keeps its records, for any
 * number of builds (build.c).
 */
#include "bridge_internal.h"
#include "plan.h"

#include <base/alloc.h>
#include <host/describe/records.h>
#include <host/source/source.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Refuses what principal components cannot have. */
static bailey_status check_pca(const bailey_bridge_params *params)
{
    const bailey_bridge_strategy strategy = params->strategy;
    if (params->steps > BAILEY_BRIDGE_PCA_MAX_STEPS)
        return bly_fail_argument("steps", "steps is %llu; the maximum with construction pca is %u",
                                 (unsigned long long)params->steps, BAILEY_BRIDGE_PCA_MAX_STEPS);
    if (params->order) return bly_fail_argument("order", "order is given, but construction pca has no order");
    if (strategy != BAILEY_BRIDGE_STRATEGY_AUTO && strategy != BAILEY_BRIDGE_STRATEGY_READBACK)
        return bly_fail_argument("strategy",
                                 "strategy is %s, not auto or readback as construction pca requires",
                                 bailey_bridge_strategy_name(strategy));
    return BAILEY_OK;
}

/* Refuses what random walks cannot have. */
static bailey_status check_random_walk(const bailey_bridge_params *params)
{
    if (params->order)
        return bly_fail_argument("order", "order is given, but construction walk has no order");
    if (params->end) return bly_fail_argument("end", "end is given, but construction walk has a free end");
    return BAILEY_OK;
}

static bailey_status check_construction(const bailey_bridge_params *params)
{
    switch (params->construction) {
    case BAILEY_CONSTRUCTION_AUTO:
    case BAILEY_CONSTRUCTION_BRIDGE: break;
    case BAILEY_CONSTRUCTION_PCA: return check_pca(params);
    case BAILEY_CONSTRUCTION_WALK: return check_random_walk(params);
    }
    return BAILEY_OK;
}

static bailey_status check_params(const bailey_bridge_params *params,
                                  const struct bly_path_constants *constants)
{
    bailey_status status = bailey_record_check(&bly_record_bridge_params, params);
    if (status == BAILEY_OK) status = bly_check_constants(constants);
    return status == BAILEY_OK ? check_construction(params) : status;
}

/* A weight, scale or sigma in single precision; it must be a normal number or zero there. */
static bailey_status narrow(double value, float *out)
{
    *out = (float)value;
    if (value != 0 && !(fabs(value) <= FLT_MAX && fabs(value) >= FLT_MIN))
        return bly_fail_argument("times", "times give the weight %g, outside single precision", value);
    return BAILEY_OK;
}

static bailey_status narrow_steps(const bailey_bridge_step_f64 *from, bailey_bridge_step_f32 *to,
                                  uint64_t count)
{
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < count && status == BAILEY_OK; i++) {
        to[i].row = from[i].row, to[i].point = from[i].point, to[i].left = from[i].left,
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
        to[i].row = from[i].row, to[i].gap = from[i].gap, to[i].node = from[i].node,
        to[i].code = from[i].code;
        status = narrow(from[i].left_weight, &to[i].left_weight);
        if (status == BAILEY_OK) status = narrow(from[i].right_weight, &to[i].right_weight);
        if (status == BAILEY_OK) status = narrow(from[i].left_sigma, &to[i].left_sigma);
        if (status == BAILEY_OK) status = narrow(from[i].right_sigma, &to[i].right_sigma);
    }
    return status;
}

/* Keeps the records of the plan that the bridge needs, in its precision. */
static bailey_status keep_records(bailey_bridge *bridge, struct bly_plan *plan)
{
    const int increments = bridge->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS;
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
    return status;
}

static void count_traffic(bailey_bridge *bridge, const struct bly_plan *plan)
{
    bailey_bridge_info *info = &bridge->info;
    const int increments = bridge->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS;
    info->stack_slots = increments ? plan->split_slots : plan->path_slots;
    info->stack_reads = increments ? 0 : plan->stack_reads;
    info->stack_writes = increments ? 0 : plan->stack_writes;
    if (!increments) return;
    for (uint64_t k = 1; k < plan->steps; k++) {
        info->stack_reads += BAILEY_BRIDGE_SPLIT_SOURCE(plan->split[k].code) == BAILEY_BRIDGE_SPLIT_STACK;
        info->stack_writes += BAILEY_BRIDGE_SPLIT_PUSH(plan->split[k].code) != 0;
    }
}

/* The increments of a random walk are the "paths" of its records from a start of 0. */
static int is_random_walk_increments(const bailey_bridge_params *params)
{
    return params->construction == BAILEY_CONSTRUCTION_WALK &&
           params->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS;
}

static bailey_status make_plan(const bailey_bridge_params *params, struct bly_plan *plan)
{
    if (params->construction == BAILEY_CONSTRUCTION_WALK)
        return bly_plan_create_random_walk(params->times, params->steps, params->start_time,
                                           params->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS, plan);
    return bly_plan_create(params->times, params->steps, params->start_time, params->order,
                           params->end != NULL, plan);
}

static bailey_status create(bailey_context *context, const bailey_bridge_params *params, bailey_bridge **out)
{
    const uint32_t dims = params->dims ? params->dims : 1;
    const struct bly_path_constants constants = {dims, params->start, params->end, params->factor,
                                                 params->covariance};
    bailey_status status = bly_check_precision(context, params->precision);
    if (status == BAILEY_OK) status = check_params(params, &constants);
    if (status != BAILEY_OK) return status;

    struct bly_plan plan = {0};
    const double begun = bly_seconds();
    status = make_plan(params, &plan);
    if (status != BAILEY_OK) return status;
    bly_log(1, "bridge: planned %llu steps in %.3f s, %u stack slots", (unsigned long long)plan.steps,
            bly_seconds() - begun, plan.path_slots);

    bailey_bridge *bridge = bly_alloc(1, sizeof *bridge);
    if (!bridge) {
        bly_plan_destroy(&plan);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge");
    }
    bridge->context = context;
    bridge->output = is_random_walk_increments(params) ? BAILEY_BRIDGE_OUTPUT_PATHS : params->output;
    bridge->layout = params->layout;
    bridge->precision = params->precision;
    bridge->fixed_end = params->end != NULL;
    bridge->correlated = params->factor || params->covariance;
    bridge->pca = params->construction == BAILEY_CONSTRUCTION_PCA;
    bridge->info = (bailey_bridge_info){
        .z_steps = plan.steps - (params->end ? 1 : 0), .x_steps = plan.steps, .dims = dims};
    if (!bridge->pca) count_traffic(bridge, &plan);
    status = bly_constants_create(&constants, bridge->precision, &bridge->constants);
    if (status == BAILEY_OK && is_random_walk_increments(params))
        memset(bridge->constants, 0, dims * bly_element_bytes(bridge->precision));
    if (status == BAILEY_OK)
        status = bridge->pca ? bly_pca_keep(bridge, params) : keep_records(bridge, &plan);
    if (status == BAILEY_OK) status = bly_bridge_place(bridge);
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
    BLY_ENTER(context);
    if (BLY_REFUSES(params)) return bly_finish(context, BAILEY_ERROR_INVALID);
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = create(context, params, bridge);
    fesetenv(&callers);
    return bly_finish(context, status);
}

void bailey_bridge_destroy(bailey_bridge *bridge)
{
    if (!bridge) return;
    BLY_ENTER_VOID(bridge->context);
    bly_bridge_release(bridge);
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
