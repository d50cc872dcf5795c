/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The check of correlation matrices that all modules share.
 */
#include "source.h"

#include <base/status.h>

#include <math.h>

#define TOLERANCE BAILEY_CORRELATION_TOLERANCE

/* Whether all entries of the diagonal are `value`. */
static int diagonal_is(const double *m, uint32_t dims, double value)
{
    for (uint32_t i = 0; i < dims; i++)
        if (!(fabs(m[i * dims + i] - value) <= TOLERANCE * value)) return 0;
    return 1;
}

/* Correlations in percent, under a diagonal of 100 or of 1. */
static int looks_like_percent(const double *m, uint32_t dims)
{
    const int unit = diagonal_is(m, dims, 1);
    int beyond = 0;
    if (!unit && !diagonal_is(m, dims, 100)) return 0;
    for (uint32_t i = 0; i < dims * dims; i++) {
        if (!(fabs(m[i]) <= 100 * (1 + TOLERANCE))) return 0;
        beyond |= fabs(m[i]) >= 2;
    }
    return beyond;
}

/* Variances on the diagonal, which allow the other entries. */
static int looks_like_covariance(const double *m, uint32_t dims)
{
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j <= i; j++)
            if (!(m[i * dims + i] > 0 &&
                  m[i * dims + j] * m[i * dims + j] <= (1 + TOLERANCE) * m[i * dims + i] * m[j * dims + j]))
                return 0;
    return !diagonal_is(m, dims, 1);
}

static const char *likeness(const double *m, uint32_t dims)
{
    return looks_like_percent(m, dims)      ? "; the matrix looks like percentages"
           : looks_like_covariance(m, dims) ? "; the matrix looks like a covariance matrix"
                                            : "";
}

static bailey_status check_entry(const double *m, uint32_t dims, double most, uint32_t i, uint32_t j)
{
    const double lower = m[i * dims + j], upper = m[j * dims + i];
    if (!isfinite(lower) || !isfinite(upper))
        return bly_fail_argument("correlation", "correlation[%u][%u] = %g is not finite",
                                 isfinite(lower) ? j : i, isfinite(lower) ? i : j,
                                 isfinite(lower) ? upper : lower);
    if (i == j && !(fabs(lower - 1) <= TOLERANCE))
        return bly_fail_argument("correlation", "correlation[%u][%u] is %.*g, must be 1%s", i, i,
                                 bly_digits(lower), lower, likeness(m, dims));
    if (!(fabs(lower) <= most + TOLERANCE))
        return bly_fail_argument("correlation", "correlation[%u][%u] is %.*g, must be from %g to %g%s", i, j,
                                 bly_digits(lower), lower, -most, most, likeness(m, dims));
    if (!(fabs(lower - upper) <= TOLERANCE))
        return bly_fail_argument("correlation",
                                 "correlation[%u][%u] = %.*g differs from correlation[%u][%u] = %.*g", i, j,
                                 bly_digits(lower), lower, j, i, bly_digits(upper), upper);
    return BAILEY_OK;
}

bailey_status bly_correlation_check(const double *correlation, uint32_t dims, double most, double *exact)
{
    if (!correlation) return bly_fail_argument("correlation", "correlation is NULL");
    if (dims == 1)
        return bly_fail_argument("correlation", "correlation is given, but there is only one dimension");
    if (dims < 2 || dims > BAILEY_CORRELATION_MAX_DIMS)
        return bly_fail_argument("dims", "dims is %u, not from 2 to %u", dims, BAILEY_CORRELATION_MAX_DIMS);
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j <= i; j++) {
            const bailey_status status = check_entry(correlation, dims, most, i, j);
            if (status != BAILEY_OK) return status;
        }
    for (uint32_t i = 0; i < dims && exact; i++) {
        exact[i * dims + i] = 1;
        for (uint32_t j = 0; j < i; j++)
            exact[j * dims + i] = exact[i * dims + j] = fmax(-most, fmin(correlation[i * dims + j], most));
    }
    return BAILEY_OK;
}

bailey_status bailey_correlation_check(const double *correlation, uint32_t dims, double *exact)
{
    return bly_correlation_check(correlation, dims, 1, exact);
}
