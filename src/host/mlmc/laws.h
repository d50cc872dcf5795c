/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How means, variances and costs go on from level to level: regressions and extrapolations. IEEE operations
 * and the library's own elementary functions alone.
 */
#ifndef BLY_MLMC_LAWS_H
#define BLY_MLMC_LAWS_H

#include <stdint.h>

#define BLY_LEAST_ORDER 0.5 /* that an estimated alpha, beta or gamma has */

/* x > 0; and 2^x. */
double bly_log2_of(double x);
double bly_power_of_2(double x);

/* Of `count` numbers, from the sums of them and of their squares: not negative. */
double bly_variance_of(double sum, double squares, double count);

/* The least-squares slope of log2 of the values of levels 1 .. finest that are positive, times `sign`; NaN
 * where fewer than two are. */
double bly_slope_of(const double *value, uint32_t finest, double sign);
/* Likewise, at least BLY_LEAST_ORDER, which it is too where there is none. */
double bly_order_of(const double *value, uint32_t finest, double sign);

/* Raises values of levels 2 .. that are below half of what the level before them expects by the order:
 * those of few samples may be small by chance. */
void bly_raise_values(double *value, uint32_t finest, double order);

/* What the levels beyond `finest` would add to the sum of the means, of these magnitudes: extrapolated from
 * the last three levels, whichever gives most. */
double bly_bias_of(const double *magnitude, uint32_t finest, double alpha);

#endif
