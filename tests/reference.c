/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors */
#ifndef REAL

#include "reference.h"

#include <math.h>
#include <stdlib.h>

static double time_of(const double *times, double start_time, uint64_t point)
{
    return point == 0 ? start_time : times[point - 1];
}

static uint64_t built_at(const uint32_t *order, uint64_t steps, uint64_t k)
{
    return k == 0 ? steps : order[k - 1];
}

/* The nearest of t0 and the points built before the k-th, on either side of it. */
static void neighbours(const uint32_t *order, uint64_t steps, uint64_t k, uint64_t *left, uint64_t *right)
{
    const uint64_t point = built_at(order, steps, k);
    *left = 0;
    *right = steps;
    for (uint64_t j = 0; j < k; j++) {
        const uint64_t other = built_at(order, steps, j);
        if (other < point && other > *left) *left = other;
        if (other > point && other < *right) *right = other;
    }
}

/* The text below is read twice, once for each precision. */
#define REAL float
#define FMA fmaf
#define NAME(name) name##_f32
#include "reference.c"
#undef REAL
#undef FMA
#undef NAME
#define REAL double
#define FMA fma
#define NAME(name) name##_f64
#include "reference.c"

#else

static REAL NAME(correlate)(const double *factor, uint32_t dims, uint32_t i, const REAL *z)
{
    if (factor == NULL) return z[i];
    REAL sum = (REAL)factor[i * dims] * z[0];
    for (uint32_t j = 1; j <= i; j++) sum = FMA((REAL)factor[i * dims + j], z[j], sum);
    return sum;
}

void NAME(reference_bridge_paths)(const double *times, uint64_t steps, double start_time,
                                  const uint32_t *order, uint32_t dims, const double *factor,
                                  const double *start, const double *end, const REAL *z, REAL *x)
{
    REAL *value = malloc((steps + 1) * dims * sizeof *value); /* of points 0 .. N + 1 */
    if (value == NULL) abort();
    for (uint32_t i = 0; i < dims; i++) {
        value[i] = start == NULL ? 0 : (REAL)start[i];
        if (end != NULL) value[steps * dims + i] = (REAL)end[i];
    }
    for (uint64_t k = end != NULL; k < steps; k++) {
        const uint64_t point = built_at(order, steps, k);
        uint64_t l = 0, r = 0;
        double left_weight = 1, right_weight = 0;
        double sigma = sqrt(time_of(times, start_time, steps) - start_time);
        if (k > 0) {
            neighbours(order, steps, k, &l, &r);
            const double lo = time_of(times, start_time, l), t = time_of(times, start_time, point);
            const double hi = time_of(times, start_time, r);
            left_weight = (hi - t) / (hi - lo);
            right_weight = (t - lo) / (hi - lo);
            sigma = sqrt((hi - t) * (t - lo) / (hi - lo));
        }
        const REAL *row = z + (k - (end != NULL)) * dims;
        for (uint32_t i = 0; i < dims; i++) {
            const REAL left = (REAL)left_weight * value[l * dims + i];
            const REAL mean = FMA((REAL)right_weight, value[r * dims + i], left);
            value[point * dims + i] = FMA((REAL)sigma, NAME(correlate)(factor, dims, i, row), mean);
        }
    }
    for (uint64_t e = 0; e < steps * dims; e++) x[e] = value[dims + e];
    free(value);
}

void NAME(reference_bridge_increments)(const double *times, uint64_t steps, double start_time,
                                       const uint32_t *order, uint32_t dims, const double *factor,
                                       const double *start, const double *end, const REAL *z, REAL *x)
{
    /* Row lo of x holds X(hi) - X(lo) of the gap (lo, hi) between neighbours. */
    const double span = times[steps - 1] - start_time, length = steps == 1 ? span : 1;
    for (uint32_t i = 0; i < dims; i++) {
        if (end != NULL)
            x[i] = (REAL)(1 / length) * ((REAL)end[i] - (start == NULL ? 0 : (REAL)start[i]));
        else
            x[i] = FMA((REAL)(sqrt(span) / length), NAME(correlate)(factor, dims, i, z), 0);
    }
    for (uint64_t k = 1; k < steps; k++) {
        const uint64_t point = built_at(order, steps, k);
        uint64_t l, r;
        neighbours(order, steps, k, &l, &r);
        const double lo = time_of(times, start_time, l), t = time_of(times, start_time, point);
        const double hi = time_of(times, start_time, r);
        const double sigma = sqrt((hi - t) * (t - lo) / (hi - lo));
        const int left_done = point - l == 1, right_done = r - point == 1;
        const REAL left_weight = (REAL)((left_done ? 1 : t - lo) / (hi - lo));
        const REAL right_weight = (REAL)((right_done ? 1 : hi - t) / (hi - lo));
        const REAL left_sigma = (REAL)(sigma / (left_done ? t - lo : 1));
        const REAL right_sigma = (REAL)(sigma / (right_done ? hi - t : 1));
        const REAL *row = z + (k - (end != NULL)) * dims;
        for (uint32_t i = 0; i < dims; i++) {
            const REAL gap = x[l * dims + i], cz = NAME(correlate)(factor, dims, i, row);
            x[l * dims + i] = FMA(left_sigma, cz, left_weight * gap);
            x[point * dims + i] = FMA(-right_sigma, cz, right_weight * gap);
        }
    }
}

#endif
