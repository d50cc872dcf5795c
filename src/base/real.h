/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers that were computed, and how messages print them.
 */
#ifndef BLY_REAL_H
#define BLY_REAL_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Four units in the last place of the larger bound. */
static inline double bly_slack(double low, double high)
{
    return 4 * DBL_EPSILON * fmax(fabs(low), fabs(high));
}
/* `value`, or the bound that it misses by rounding alone: by at most that. */
static inline double bly_between(double value, double low, double high)
{
    const double slack = bly_slack(low, high);
    if (value < low && value >= low - slack) return low;
    return value > high && value <= high + slack ? high : value;
}

/* Digits for "%.*g", 6 or more, that tell a number from every other: a number that is refused never prints as
 * its limit does. */
static inline int bly_digits(double value)
{
    char text[40];
    int digits = 6;
    do snprintf(text, sizeof text, "%.*g", digits, value);
    while (strtod(text, NULL) != value && isfinite(value) && ++digits < 17);
    return digits;
}

/* The two arguments of "%.*g". */
#define BLY_REAL(value) bly_digits(value), (value)

#endif
