/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "fit.h"

#include <math.h>

#define NORMAL_975 1.959963984540054 /* quantile of the normal distribution */

/* Student's quantile. Below five degrees of freedom from the table, above by the expansion of Cornish and
 * Fisher (Abramowitz and Stegun 26.7.5), to 0.003. */
static double student_975(uint64_t freedom)
{
    static const double table[] = {12.706, 4.303, 3.182, 2.776};
    const double z = NORMAL_975, n = (double)freedom, z2 = z * z;
    if (freedom <= sizeof table / sizeof *table) return table[freedom - 1];
    return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
                (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

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
    const double by = student_975(count - 2) * sqrt(squares / (double)(count - 2) / xx);
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
