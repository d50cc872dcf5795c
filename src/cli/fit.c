/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "fit.h"

#include <bailey/simulation.h>

#include <math.h>

#define NORMAL_975 1.959963984540054 /* quantile of the normal distribution */

double fit_spread(const double *values, uint64_t count, double *deviation)
{
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < count; i++) sum += values[i];
    const double mean = sum / (double)count;
    for (uint64_t i = 0; i < count; i++) squares += (values[i] - mean) * (values[i] - mean);
    *deviation = sqrt(squares / (double)(count - 1));
    return mean;
}

double fit_spread_factor(uint64_t count) { return exp(NORMAL_975 / sqrt(2 * (double)(count - 1))); }

struct interval fit_slope(const double *x, const double *y, uint64_t count)
{
    const struct interval none = {NAN, NAN, NAN};
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, squares = 0;
    if (count < 3) return none;
    for (uint64_t i = 0; i < count; i++) {
        mean_x += x[i] / (double)count;
        mean_y += y[i] / (double)count;
    }
    for (uint64_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    const double slope = xy / xx;
    for (uint64_t i = 0; i < count; i++) {
        const double residual = y[i] - mean_y - slope * (x[i] - mean_x);
        squares += residual * residual;
    }
    const double by = bailey_student_95(count - 2) * sqrt(squares / (double)(count - 2) / xx);
    return (struct interval){slope, slope - by, slope + by};
}

struct interval fit_variance_ratio(double one, double other, uint64_t count)
{
    const struct interval none = {NAN, NAN, NAN};
    if (!(one > 0 && other > 0)) return none;
    const double ratio = one * one / (other * other);
    const double factor = exp(NORMAL_975 * 2 / sqrt((double)(count - 1)));
    return (struct interval){ratio, ratio / factor, ratio * factor};
}
