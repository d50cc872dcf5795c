/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Least squares from sums, of a few functions: slopes of control variates, and the exercise policy of
 * American options.
 */
#ifndef BLY_REGRESSION_H
#define BLY_REGRESSION_H

#include <stdint.h>

/* Factorises the products of `count` functions, [count][stride], in place. used[j] is 0 of a function that
 * is, as far as can be told, a combination of those before it: it gets the coefficient 0. */
void bly_regression_factor(uint32_t count, uint32_t stride, double *products, int *used);

/* Replaces the products x of each function with the regressand by the functions' coefficients. */
void bly_regression_solve(uint32_t count, uint32_t stride, const double *factor, const int *used, double *x);

#endif
