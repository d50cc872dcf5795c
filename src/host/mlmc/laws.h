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
#define BLY_MOST_BIAS_ORDER 1.0

/* x > 0; and 2^x. */
double bly_log2_of(double x);
double bly_power_of_2(double x);

/* Of `count` numbers, from the sums of them and of their squares: not negative. */
double bly_variance_of(double sum, double squares, double count);

/* A variance that few samples have made is not known, and may be far too small. From `seen` of n samples that
 * differ from 0, of mean square `size`, it is below size (seen + 3) / n with a probability of about 95 % (the
 * rule of three, where there is none). Returns how many samples of the estimator are wanted, until
 * BLY_ENOUGH_SEEN differ from 0, or what the variance of the mean may then be at most is no longer more than
 * a sixteenth of `allowed`, the variance that the sum may have; where no size is known (0), until BLY_BLIND.
 * 0: there are enough. */
#define BLY_ENOUGH_SEEN 30
#define BLY_BLIND 0x1p20
/* With fewer on all levels together, no size is known; with fewer on a fine level, the law of the levels
 * before it says more than its own variance. */
#define BLY_FEW_SEEN 10
double bly_samples_to_know(double n, double seen, double size, double allowed);

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
 * the last three levels, whichever gives most, by `alpha`, and by no more than weak order 1 unless alpha is
 * `given`: means that fall faster on coarse levels do not go on so. */
double bly_bias_of(const double *magnitude, uint32_t finest, double alpha, int given);

#endif
