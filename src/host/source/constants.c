/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The start, end and factor of paths, checked and put into the precision that kernels read.
 */
#include "source.h"

#include <base/alloc.h>
#include <base/status.h>

#include <float.h>
#include <math.h>

bailey_status bly_check_constants(const struct bly_path_constants *c)
{
    if (c->factor && c->covariance)
        return bly_fail_argument("factor", "factor and covariance are both given; give at most one");
    return BAILEY_OK;
}

/* All of them as doubles. */
static bailey_status fill(const struct bly_path_constants *c, double *values)
{
    const uint32_t d = c->dims;
    for (uint32_t i = 0; i < d; i++) {
        values[i] = c->start ? c->start[i] : 0;
        values[d + i] = c->end ? c->end[i] : 0;
        for (uint32_t j = 0; j <= i; j++) values[(2 + i) * d + j] = c->factor ? c->factor[i * d + j] : i == j;
    }
    if (c->factor) return bly_check_factor(c->factor, d);
    if (c->covariance) return bly_factor_covariance("covariance", c->covariance, d, values + 2 * d);
    return BAILEY_OK;
}

/* In single precision a number must be 0 or normal. */
static bailey_status narrow(const char *argument, double value, float *out)
{
    if (fabs(value) > FLT_MAX)
        return bly_fail_argument(argument, "start, end or factor holds %g, beyond single precision", value);
    if (value != 0 && fabs(value) < FLT_MIN)
        return bly_fail_argument(argument, "start, end or factor holds %g, below single precision's %g",
                                 value, (double)FLT_MIN);
    *out = (float)value;
    return BAILEY_OK;
}

bailey_status bly_constants_create(const struct bly_path_constants *c, bailey_precision precision,
                                   void **array)
{
    const uint32_t d = c->dims;
    const size_t count = (size_t)d * (2 + d);
    const char *matrix = c->covariance ? "covariance" : "factor";
    double *values = bly_alloc(count, sizeof *values);
    float *rounded = bly_alloc(count, sizeof *rounded);
    bailey_status status = BAILEY_OK;
    *array = NULL;
    if (!values || !rounded)
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for start, end and factor");
    if (status == BAILEY_OK) status = fill(c, values);
    for (size_t i = 0; i < count && status == BAILEY_OK && precision == BAILEY_PRECISION_F32; i++)
        status = narrow(i < d ? "start" : i < 2 * (size_t)d ? "end" : matrix, values[i], &rounded[i]);
    if (status == BAILEY_OK) *array = precision == BAILEY_PRECISION_F64 ? (void *)values : (void *)rounded;
    if (*array != values) bly_free(values);
    if (*array != rounded) bly_free(rounded);
    return status;
}
