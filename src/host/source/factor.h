/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Covariance matrices to lower triangular factors. Pure host code; the same bits on every host.
 */
#ifndef BLY_FACTOR_H
#define BLY_FACTOR_H

#include <bailey/bailey.h>

/* Everything is judged relative to the standard deviations: entry (i, j) counts as zero when it is at
 * most this times sqrt(cov[i][i] cov[j][j]). */
#define BLY_FACTOR_TOLERANCE(dims) ((double)(dims)*0x1p-46)

/* Finds a lower triangular C with C C' = cov, both [dims][dims], row by row, dims in
 * 1 .. BAILEY_BRIDGE_MAX_DIMS; the diagonal of C is not negative, above it C is zero.
 *
 * `cov` must be symmetric (its lower triangle is used) and positive semi-definite, both within the
 * tolerance, and C C' equals it within the tolerance. On failure returns ERROR_INVALID; the
 * error is of the argument `name`, a literal, its entries are called "name[i][j]", and for a matrix that is
 * not positive semi-definite the text has the smallest eigenvalue. */
bailey_status bly_factor_covariance(const char *name, const double *cov, uint32_t dims, double *c);

/* Refuses a factor whose lower triangle is not finite; entries are called "factor[i][j]". */
bailey_status bly_check_factor(const double *c, uint32_t dims);

/* The fewest significant digits, 15 or more, that read back as `value`: people look for what they wrote. */
int bly_digits(double value);

#endif
