/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The statistics of a study: spreads, a line through points, and the intervals of both.
 */
#ifndef CLI_FIT_H
#define CLI_FIT_H

#include <stdint.h>

struct interval {
    double value, low, high; /* low .. high: 95 % */
};

/* The mean of `count` values; their standard deviation, count >= 2, goes to *deviation. */
double fit_spread(const double *values, uint64_t count, double *deviation);

/* What a standard deviation of `count` normal values, divided by it, lies between: 1 / factor to factor, by
 * the normal approximation of its logarithm, whose variance is 1 / (2 (count - 1)). */
double fit_spread_factor(uint64_t count);

/* The slope of y on x by least squares, with Student's interval from the residuals. All NAN below three
 * points. */
struct interval fit_slope(const double *x, const double *y, uint64_t count);

/* The ratio of two variances, (one / other)^2, from deviations of `count` values each: its logarithm is taken
 * as normal, of variance 4 / (count - 1). All NAN if either is 0. */
struct interval fit_variance_ratio(double one, double other, uint64_t count);

#endif
