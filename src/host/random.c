/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling buffers with words and normals.
 */
#include "internal.h"

#include <kernels/fill.h>

uint64_t bly_block_elements(bailey_precision precision) { return precision == BAILEY_PRECISION_F64 ? 2 : 4; }

size_t bly_element_bytes(bailey_precision precision)
{
    return precision == BAILEY_PRECISION_F64 ? sizeof(double) : sizeof(float);
}

uint64_t bly_groups(uint64_t first, uint64_t count, uint64_t block)
{
    const uint64_t lead = first % block;
    return count / block + (count % block + lead + block - 1) / block;
}

bailey_status bly_check_precision(const bailey_context *context, bailey_precision precision)
{
    if (precision != BAILEY_PRECISION_F32 && precision != BAILEY_PRECISION_F64)
        return bly_fail(BAILEY_ERROR_INVALID, "precision is %d, not a bailey_precision", (int)precision);
    if (precision == BAILEY_PRECISION_F64 && !context->device->info.has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision",
                        context->device->info.address);
    return BAILEY_OK;
}

bailey_status bly_check_normal(const bailey_context *context, const bailey_normal_params *normal,
                               bailey_precision precision)
{
    if (normal->method != BAILEY_NORMAL_ICDF && normal->method != BAILEY_NORMAL_BOX_MULLER)
        return bly_fail(BAILEY_ERROR_INVALID, "method is %d, not a bailey_normal_method",
                        (int)normal->method);
    if (normal->numerics != BAILEY_NUMERICS_EXACT && normal->numerics != BAILEY_NUMERICS_FAST)
        return bly_fail(BAILEY_ERROR_INVALID, "numerics is %d, not a bailey_numerics", (int)normal->numerics);
    return bly_check_precision(context, precision);
}

const char *bly_draw_name(const bailey_context *context, const bailey_normal_params *normal,
                          bailey_precision precision)
{
    const int native = normal->numerics == BAILEY_NUMERICS_FAST && precision == BAILEY_PRECISION_F32 &&
                       context->device->native_functions;
    if (normal->method == BAILEY_NORMAL_BOX_MULLER)
        return native                              ? "box_muller_fast_f32"
               : precision == BAILEY_PRECISION_F64 ? "box_muller_f64"
                                                   : "box_muller_f32";
    return native ? "icdf_fast_f32" : precision == BAILEY_PRECISION_F64 ? "icdf_f64" : "icdf_f32";
}

/* Checks elements [offset, offset + count) of a sequence. */
static bailey_status check_count(uint64_t offset, uint64_t count)
{
    if (count == 0) return bly_fail(BAILEY_ERROR_INVALID, "count is 0, at least 1");
    if (offset > UINT64_MAX - (count - 1))
        return bly_fail(BAILEY_ERROR_INVALID, "offset %llu + count %llu exceeds 2^64",
                        (unsigned long long)offset, (unsigned long long)count);
    return BAILEY_OK;
}

bailey_status bailey_words_generate(bailey_context *context, const bailey_random_params *params,
                                    uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail(BAILEY_ERROR_INVALID, "context is NULL");
    if (!params) return bly_finish(context, bly_fail(BAILEY_ERROR_INVALID, "params is NULL"));
    bailey_status status = check_count(params->offset, count);
    if (status == BAILEY_OK)
        status = bly_check_buffer(context, out, "out", out_offset, count, sizeof(uint32_t));
    if (status != BAILEY_OK) return bly_finish(context, status);
    const bly_fill_params fill = {.seed = params->seed,
                                  .stream = params->stream,
                                  .first = params->offset,
                                  .count = count,
                                  .out_offset = out_offset,
                                  .out_stride = 1};
    return bly_finish(context, bly_launch(context, bly_kernel_find("bly_words"),
                                          bly_groups(fill.first, count, 4), 1, &fill, sizeof fill, &out, out,
                                          out_offset * sizeof(uint32_t), count * sizeof(uint32_t)));
}

bailey_status bailey_normals_generate(bailey_context *context, const bailey_normal_params *params,
                                      uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail(BAILEY_ERROR_INVALID, "context is NULL");
    if (!params) return bly_finish(context, bly_fail(BAILEY_ERROR_INVALID, "params is NULL"));
    bailey_status status = bly_check_normal(context, params, params->precision);
    if (status == BAILEY_OK) status = check_count(params->offset, count);
    if (status == BAILEY_OK)
        status =
            bly_check_buffer(context, out, "out", out_offset, count, bly_element_bytes(params->precision));
    if (status != BAILEY_OK) return bly_finish(context, status);
    const bly_fill_params fill = {.seed = params->seed,
                                  .stream = params->stream,
                                  .first = params->offset,
                                  .count = count,
                                  .out_offset = out_offset,
                                  .out_stride = 1};
    const size_t element = bly_element_bytes(params->precision);
    const struct bly_kernel *kernel =
        bly_kernel_find("bly_normals_%s", bly_draw_name(context, params, params->precision));
    return bly_finish(context,
                      bly_launch(context, kernel,
                                 bly_groups(fill.first, count, bly_block_elements(params->precision)), 1,
                                 &fill, sizeof fill, &out, out, out_offset * element, count * element));
}
