/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "job.h"

#include <bailey/device/bridge.h>

const char *bailey_bridge_strategy_name(bailey_bridge_strategy strategy)
{
    switch (strategy) {
#define NAME(number, name, word, writer)                                                                     \
    case BAILEY_BRIDGE_STRATEGY_##name: return word;
        BAILEY_BRIDGE_STRATEGY_LIST(NAME)
#undef NAME
    }
    return "unknown";
}

struct bly_record bly_record_read(const struct bly_bridge_job *job, uint32_t k)
{
#define STEP(suffix)                                                                                         \
    const bailey_bridge_step_##suffix s = ((const bailey_bridge_step_##suffix *)job->records)[k];            \
    return (struct bly_record){                                                                              \
        s.z, s.point, 0, s.code, s.left, s.right, {s.left_weight, s.right_weight, s.sigma}};
#define SPLIT(suffix)                                                                                        \
    const bailey_bridge_split_##suffix s = ((const bailey_bridge_split_##suffix *)job->records)[k];          \
    return (struct bly_record){                                                                              \
        s.z, s.gap, s.node, s.code, 0, 0, {s.weight, s.sigma, s.left_scale, s.right_scale}};
    const int f64 = job->precision == BAILEY_PRECISION_F64;
    if (job->output == BAILEY_BRIDGE_INCREMENTS) {
        if (f64) {
            SPLIT(f64)
        }
        SPLIT(f32)
    }
    if (f64) {
        STEP(f64)
    }
    STEP(f32)
#undef STEP
#undef SPLIT
}

void bly_record_write_code(const struct bly_bridge_job *job, void *records, uint32_t k, uint32_t code)
{
    const int f64 = job->precision == BAILEY_PRECISION_F64;
    if (job->output == BAILEY_BRIDGE_INCREMENTS) {
        if (f64)
            ((bailey_bridge_split_f64 *)records)[k].code = code;
        else
            ((bailey_bridge_split_f32 *)records)[k].code = code;
    } else if (f64) {
        ((bailey_bridge_step_f64 *)records)[k].code = code;
    } else {
        ((bailey_bridge_step_f32 *)records)[k].code = code;
    }
}

size_t bly_record_bytes(const struct bly_bridge_job *job)
{
    const int f64 = job->precision == BAILEY_PRECISION_F64;
    if (job->output == BAILEY_BRIDGE_INCREMENTS)
        return f64 ? sizeof(bailey_bridge_split_f64) : sizeof(bailey_bridge_split_f32);
    return f64 ? sizeof(bailey_bridge_step_f64) : sizeof(bailey_bridge_step_f32);
}
