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
/* At most an estimated alpha and beta: of weak order 2 and strong order 2. Who has a scheme of more gives
 * its orders. */
#define BLY_MOST_ALPHA 2
#define BLY_MOST_BETA 4

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

/* The order by which values of levels 1 .. finest fall: `given` if positive, else estimated, and at most
 * `most`. Raises values of levels 2 .. that are below half of what the level before them expects by it: those
 * of few samples may be small by chance. */
double bly_settle_values(double *value, uint32_t finest, double given, double most);

/* What the levels beyond `finest` would add to the sum of the means, of these magnitudes: extrapolated from
 * the last three levels, whichever gives most. */
double bly_bias_of(const double *magnitude, uint32_t finest, double alpha);

#endif
