/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Least squares from sums, of a few functions: slopes of control variates, and exercise policies.
 */
#ifndef BLY_REGRESSION_H
#define BLY_REGRESSION_H

#include <stdint.h>

/* Factorises the products of `count` functions, [count][stride], in place. used[j] is 0 of a function that
 * is, as far as can be told, a combination of those before it: it gets the coefficient 0. */
void bly_regression_factor(uint32_t count, uint32_t stride, double *products, int *used);

/* Replaces the products x of each function with the regressand by the functions' coefficients. */
void bly_regression_solve(uint32_t count, uint32_t stride, const double *factor, const int *used, double *x);

#define BLY_FIT_MOST 16u /* functions */

struct bly_fit_quality {
    uint32_t used;    /* functions with a coefficient, the constant included */
    double condition; /* of their correlations, in the 1-norm; 0: the constant is alone */
};

/* The least squares of a regressand by a constant and `count` functions, from their means and covariances
 * [count + 1][count + 1], the regressand last. Functions are taken in the order of what those before leave of
 * them, and left out where that is next to nothing, or where they do not vary. coefficient[0] is the constant,
 * the next `count` are of the functions. */
struct bly_fit_quality bly_regression_fit(uint32_t count, const double *mean, const double *covariance,
                                          double *coefficient);

#endif
