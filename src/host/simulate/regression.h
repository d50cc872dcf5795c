/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Least squares from sums.
 */
#ifndef BLY_REGRESSION_H
#define BLY_REGRESSION_H

#include <stdint.h>

#define BLY_REGRESSION_MOST 16u

/* Solves the normal equations a x = b of `count` functions, a their products and b those with what is
 * explained. A function that is a combination of those before it, as far as can be told, gets 0. Destroys a.
 * The same bits everywhere. */
void bly_regress(uint32_t count, double a[BLY_REGRESSION_MOST][BLY_REGRESSION_MOST],
                 const double b[BLY_REGRESSION_MOST], double x[BLY_REGRESSION_MOST]);

#endif
