/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Creates Brownian motions at ticks, and converts between ticks and times.
 */
#include "motion_internal.h"

#include <base/alloc.h>
#include <base/real.h>
#include <host/describe/records.h>
#include <host/source/source.h>

#include <float.h>
#include <math.h>
#include <string.h>

static bailey_status check_times(const bailey_motion_params *params)
{
    const double start = params->start_time, end = params->end_time;
    if (start == 0 && end == 0) return BAILEY_OK;
    if (!(end > start && isfinite(end - start)))
        return bly_fail_argument("end_time",
                                 "end_time is %.*g, not later than start_time %.*g by a finite time",
                                 BLY_REAL(end), BLY_REAL(start));
    return BAILEY_OK;
}

static bailey_status check_params(bailey_context *context, const bailey_motion_params *params)
{
    bailey_status status = bailey_record_check(&bly_record_motion_params, params);
    if (status == BAILEY_OK) status = bly_check_precision(context, params->precision);
    if (status == BAILEY_OK) status = check_times(params);
    if (status != BAILEY_OK) return status;
    if (params->areas && params->precision == BAILEY_PRECISION_F32 && !context->device->rounds_roots)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "areas in single precision: %s does not round its divisions correctly",
                        context->device->info.address);
    return BAILEY_OK;
}

/* The standard deviations of motion.h's nodes: of the midpoint of an interval of length `time` or, with
 * areas, of its x, y and u. */
static void node_deviations(bailey_motion_areas areas, double time, double deviations[3])
{
    deviations[0] = areas ? sqrt(time) / 4 : sqrt(time) / 2;
    deviations[1] = areas == BAILEY_MOTION_AREAS_HK ? sqrt(time / 768) : areas ? sqrt(time / 48) : 0;
    deviations[2] = areas == BAILEY_MOTION_AREAS_HK ? sqrt(time / 2880) : 0;
}

/* Deviations in single precision, which have to be normal numbers there down to the last level. */
static bailey_status narrow(const double *from, uint32_t depth, float *to)
{
    for (int i = 0; i < 3; i++) {
        to[i] = (float)from[i];
        if (from[i] != 0 && !(from[i] <= FLT_MAX && ldexp(from[i], -(int)((depth - 1) / 2)) >= FLT_MIN))
            return bly_fail_argument(
                "end_time", "end_time gives standard deviations from %g to %g, beyond single precision",
                ldexp(from[i], -(int)((depth - 1) / 2)), from[i]);
    }
    return BAILEY_OK;
}

static bailey_status keep_deviations(bailey_motion *motion)
{
    const double time = motion->end_time - motion->start_time;
    const double root[3] = {motion->fixed_end ? 0 : sqrt(time), motion->areas ? sqrt(time / 12) : 0,
                            motion->areas == BAILEY_MOTION_AREAS_HK ? sqrt(time / 720) : 0};
    double odd[3], even[3];
    node_deviations(motion->areas, time, odd);
    node_deviations(motion->areas, time / 2, even);
    if (motion->precision == BAILEY_PRECISION_F64) {
        bailey_motion_f64 *m = &motion->params.f64.motion;
        m->levels = motion->depth;
        m->areas = motion->areas;
        memcpy(m->root, root, sizeof root);
        memcpy(m->odd, odd, sizeof odd);
        memcpy(m->even, even, sizeof even);
        return BAILEY_OK;
    }
    bailey_motion_f32 *m = &motion->params.f32.motion;
    m->levels = motion->depth;
    m->areas = motion->areas;
    bailey_status status = narrow(root, 1, m->root);
    if (status == BAILEY_OK) status = narrow(odd, motion->depth, m->odd);
    if (status == BAILEY_OK) status = narrow(even, motion->depth, m->even);
    return status;
}

/* Uploads what `placed` reads: the means at t0 and at T, and C. */
static bailey_status place(bailey_motion *motion, int of, const struct bly_path_constants *constants)
{
    const size_t count = (size_t)constants->dims * (2 + constants->dims);
    void *array = NULL;
    bailey_status status = bly_constants_create(constants, motion->precision, &array);
    if (status == BAILEY_OK)
        status = bly_pool_upload(motion->context, array, count * bly_element_bytes(motion->precision),
                                 &motion->constants[of]);
    bly_free(array);
    return status;
}

static bailey_status keep_constants(bailey_motion *motion, const bailey_motion_params *params)
{
    double change[BAILEY_BRIDGE_MAX_DIMS] = {0};
    struct bly_path_constants c = {motion->dims, params->start, params->end, params->factor,
                                   params->covariance};
    bailey_status status = bly_check_constants(&c);
    for (uint32_t i = 0; i < motion->dims && status == BAILEY_OK && params->end; i++) {
        change[i] = params->end[i] - (params->start ? params->start[i] : 0);
        if (!isfinite(change[i]))
            status = bly_fail_argument("end", "end[%u] is %g, too far from the start", i, params->end[i]);
    }
    const int mixes = params->factor || params->covariance || params->end;
    if (status == BAILEY_OK && (mixes || params->start)) status = place(motion, 0, &c);
    c.start = NULL;
    c.end = change;
    if (status == BAILEY_OK && mixes) status = place(motion, 1, &c);
    return status;
}

static bailey_status create(bailey_context *context, const bailey_motion_params *params, bailey_motion **out)
{
    bailey_status status = check_params(context, params);
    if (status != BAILEY_OK) return status;
    bailey_motion *motion = bly_alloc(1, sizeof *motion);
    if (!motion) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a motion");
    motion->context = context;
    motion->precision = params->precision;
    motion->start_time = params->start_time;
    motion->end_time = params->start_time == 0 && params->end_time == 0 ? 1 : params->end_time;
    motion->depth = params->depth ? params->depth : BAILEY_MOTION_MAX_DEPTH;
    motion->dims = params->dims ? params->dims : 1;
    motion->fixed_end = params->end != NULL;
    motion->areas = params->areas;
    status = keep_deviations(motion);
    if (status == BAILEY_OK) status = keep_constants(motion, params);
    if (status != BAILEY_OK) {
        bailey_motion_destroy(motion);
        return status;
    }
    *out = motion;
    return BAILEY_OK;
}

bailey_status bailey_motion_create(bailey_context *context, const bailey_motion_params *params,
                                   bailey_motion **motion)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    if (!motion) return bly_finish(context, bly_fail_argument("motion", "motion is NULL"));
    *motion = NULL;
    BLY_ENTER(context);
    if (BLY_REFUSES(params)) return bly_finish(context, BAILEY_ERROR_INVALID);
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = create(context, params, motion);
    fesetenv(&callers);
    return bly_finish(context, status);
}

void bailey_motion_destroy(bailey_motion *motion)
{
    if (!motion) return;
    BLY_ENTER_VOID(motion->context);
    for (int i = 0; i < 2; i++) bly_pool_release(motion->constants[i]);
    bly_free(motion);
}

bailey_status bailey_motion_tick(const bailey_motion *motion, double time, uint64_t *tick)
{
    if (!motion) return bly_fail_argument("motion", "motion is NULL");
    if (!tick) return bly_fail_argument("tick", "tick is NULL");
    time = bly_between(time, motion->start_time, motion->end_time);
    if (!(time >= motion->start_time && time <= motion->end_time))
        return bly_fail_argument("time", "time is %.*g, not from start_time %.*g to end_time %.*g",
                                 BLY_REAL(time), BLY_REAL(motion->start_time), BLY_REAL(motion->end_time));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const double share = (time - motion->start_time) / (motion->end_time - motion->start_time);
    *tick = (uint64_t)rint(ldexp(share, (int)motion->depth));
    fesetenv(&callers);
    return BAILEY_OK;
}

double bailey_motion_time(const bailey_motion *motion, uint64_t tick)
{
    if (!motion) return 0;
    if (tick >= (uint64_t)1 << motion->depth) return motion->end_time;
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const double share = ldexp((double)tick, -(int)motion->depth);
    const double time = fma(share, motion->end_time - motion->start_time, motion->start_time);
    fesetenv(&callers);
    return time < motion->end_time ? time : motion->end_time;
}

bailey_status bly_motion_check_source(const bailey_source *source)
{
    bailey_source_kind kind = BAILEY_SOURCE_KIND_COUNTER;
    const bailey_status status = bailey_source_check(source, &kind);
    if (status != BAILEY_OK) return status;
    if (kind != BAILEY_SOURCE_KIND_COUNTER)
        return bly_fail_argument("generator", "generator is %s, but a motion draws from philox or philox7",
                                 bailey_generator_name(source->generator));
    return BAILEY_OK;
}

void bly_motion_set_source(const bailey_motion *motion, const bailey_source *source,
                           union bly_motion_params *params)
{
    const uint32_t rounds = bly_source_rounds(source);
    const bailey_philox_keys keys = bailey_motion_keys(rounds, source->seed, source->stream);
    *params = motion->params;
    if (motion->precision == BAILEY_PRECISION_F64) {
        params->f64.motion.rounds = rounds;
        params->f64.motion.keys = keys;
    } else {
        params->f32.motion.rounds = rounds;
        params->f32.motion.keys = keys;
    }
}

bailey_status bailey_motion_device_params(const bailey_motion *motion, const bailey_source *source,
                                          void *parameters, size_t size)
{
    union bly_motion_params params;
    if (!motion) return bly_fail_argument("motion", "motion is NULL");
    if (!parameters) return bly_fail_argument("parameters", "parameters is NULL");
    const int f64 = motion->precision == BAILEY_PRECISION_F64;
    const size_t needed = f64 ? sizeof params.f64.motion : sizeof params.f32.motion;
    if (size != needed)
        return bly_fail_argument("size", "size is %zu, but a bailey_motion_%s has %zu", size,
                                 f64 ? "f64" : "f32", needed);
    const bailey_status status = bly_motion_check_source(source);
    if (status != BAILEY_OK) return status;
    bly_motion_set_source(motion, source, &params);
    memcpy(parameters, f64 ? (void *)&params.f64.motion : (void *)&params.f32.motion, size);
    return BAILEY_OK;
}
