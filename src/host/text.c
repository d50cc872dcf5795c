/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "text.h"

#include "alloc.h"

#include <bailey/device/bridge.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void bly_text_add(struct bly_text *text, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    const int wanted = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (wanted < 0 || (size_t)wanted >= sizeof line) text->failed = 1;
    if (text->failed) return;
    const size_t length = (size_t)wanted;
    if (text->used + length + 1 > text->size) {
        const size_t size = 2 * (text->used + length + 1) + 4096;
        char *data = bly_alloc(size, 1);
        if (!data) {
            text->failed = 1;
            return;
        }
        if (text->data) memcpy(data, text->data, text->used);
        bly_free(text->data);
        text->data = data;
        text->size = size;
    }
    memcpy(text->data + text->used, line, length + 1);
    text->used += length;
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
