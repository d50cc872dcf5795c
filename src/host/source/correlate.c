/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Vectors of correlated normals: each is a factor of the covariance matrix times independent normals, added
 * up in one order on every device.
 */
#include "source.h"
#include <base/alloc.h>

#include <host/internal.h>

#include <kernels/variates.h>

#include <float.h>
#include <math.h>

enum { MOST_DIMS = BAILEY_BRIDGE_MAX_DIMS };

/* C as the kernel has it; `to` is zero. */
static bailey_status narrow(const double *factor, uint32_t dims, bailey_precision precision, void *to)
{
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j <= i; j++) {
            const double value = factor[i * dims + j];
            if (precision == BAILEY_PRECISION_F64) {
                ((double *)to)[i * dims + j] = value;
                continue;
            }
            if (value != 0 && !(fabs(value) <= FLT_MAX && fabs(value) >= FLT_MIN))
                return bly_fail_argument(
                    "factor",
                    "factor[%u][%u] = %g; in single precision it must be 0 or have a magnitude from %g to %g",
                    i, j, value, (double)FLT_MIN, (double)FLT_MAX);
            ((float *)to)[i * dims + j] = (float)value;
        }
    return BAILEY_OK;
}

static bailey_status check(const bailey_context *context, const double *factor, uint32_t dims,
                           bailey_precision precision, uint64_t count, const bailey_buffer *z,
                           const bailey_buffer *x)
{
    bailey_status status = bly_check_precision(context, precision);
    if (status != BAILEY_OK) return status;
    if (!factor) return bly_fail_argument("factor", "factor is NULL");
    if (dims < 1 || dims > MOST_DIMS)
        return bly_fail_argument("dims", "dims is %u, not from 1 to %d", (unsigned)dims, (int)MOST_DIMS);
    status = bly_check_factor(factor, dims);
    if (status != BAILEY_OK) return status;
    const size_t element = bly_element_bytes(precision);
    if (count < 1 || count > UINT64_MAX / (dims * element))
        return bly_fail_argument("count", "count is %llu, not from 1 to %llu", (unsigned long long)count,
                                 (unsigned long long)(UINT64_MAX / (dims * element)));
    const uint64_t bytes = count * dims * element;
    status = bly_check_buffer(context, z, "z", 0, count * dims, element);
    if (status == BAILEY_OK) status = bly_check_buffer(context, x, "x", 0, count * dims, element);
    return status == BAILEY_OK ? bly_check_apart(z, "z", bytes, x, "x", bytes) : status;
}

bailey_status bailey_normals_correlate(bailey_context *context, const double *factor, uint32_t dims,
                                       bailey_precision precision, uint64_t count, bailey_buffer *z,
                                       bailey_buffer *x)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    bailey_status status = check(context, factor, dims, precision, count, z, x);
    if (status != BAILEY_OK) return bly_finish(context, status);
    const size_t element = bly_element_bytes(precision);
    const uint32_t rows = (dims + BLY_CORRELATE_ROWS - 1) / BLY_CORRELATE_ROWS;
    const size_t entries = (size_t)rows * BLY_CORRELATE_ROWS * dims;
    void *c = bly_alloc(entries, element);
    if (!c)
        return bly_finish(context, bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a factor of %u dims",
                                            (unsigned)dims));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    status = narrow(factor, dims, precision, c);
    fesetenv(&callers);
    bailey_buffer *uploaded = NULL;
    if (status == BAILEY_OK) status = bly_pool_upload(context, c, entries * element, &uploaded);
    bly_free(c);
    if (status != BAILEY_OK) return bly_finish(context, status);
    const bly_correlate_params p = {.count = count, .dims = dims};
    bailey_buffer *const buffers[] = {uploaded, z, x};
    status = bly_launch(context,
                        &bly_kernels[precision == BAILEY_PRECISION_F64 ? BLY_KERNEL_bly_correlate_f64
                                                                       : BLY_KERNEL_bly_correlate_f32],
                        bly_groups(0, count, bly_block_elements(precision)), rows, &p, sizeof p, buffers, x,
                        0, count * dims * element);
    bly_pool_release(uploaded);
    return bly_finish(context, status);
}
