/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Correlation matrices: whether a matrix is one, and the nearest one to a matrix that is not.
 *
 * A field called `correlation` takes a correlation matrix, which is checked as bailey_correlation_check
 * does it. A field called `covariance` takes any covariance: to have a correlation
 * matrix checked before it goes there, call bailey_correlation_check.
 *
 * Matrices are [dims][dims], of 2 .. BAILEY_CORRELATION_MAX_DIMS rows. No function needs a context.
 */
#ifndef BAILEY_CORRELATION_H
#define BAILEY_CORRELATION_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAILEY_CORRELATION_MAX_DIMS 512u

/* How far entries may be from what they must be: four units in the last place of 1 in single precision, so
 * that what was computed in floats, or rounded to 7 digits, passes. */
#define BAILEY_CORRELATION_TOLERANCE 0x1p-21

/* Checks that a matrix is symmetric, has ones on the diagonal and entries from -1 to 1, each within
 * BAILEY_CORRELATION_TOLERANCE. It need not be positive semi-definite: the function that uses
 * the matrix checks that.
 *
 * `exact`, [dims][dims], may be NULL, or `correlation` itself. It gets the matrix that is then used: the
 * lower triangle, limited to -1 .. 1, on both sides of a diagonal of ones. A matrix that is exact keeps its
 * bits.
 *
 * Returns: OK; ERROR_INVALID: the message names the first entry that is wrong, and says if the matrix looks
 * like a covariance matrix or like percent. One dimension has no correlation, so `dims` 1 is an error.
 * Threads: any. */
BAILEY_API bailey_status bailey_correlation_check(const double *correlation, uint32_t dims, double *exact);

/* Writes the eigenvalues of a matrix, increasing, to eigenvalues[dims]: it is positive semi-definite if the
 * first is not negative, but for rounding (1e-14 times dims). The matrix is as for
 * bailey_correlation_nearest. Returns: OK, ERROR_INVALID, ERROR_MEMORY. Threads: any. */
BAILEY_API bailey_status bailey_correlation_eigenvalues(const double *correlation, uint32_t dims,
                                                        double *eigenvalues);

/* The correlation matrix nearest to a given one in Frobenius's norm, the root of the sum of the squares of
 * all entries' changes, among those whose eigenvalues are at least `least_eigenvalue`, from 0 to below 1. It
 * is unique. With 0 the result is usually singular; 1e-8 or more makes it invertible.
 *
 * The given matrix is symmetric and has ones on the diagonal, as for bailey_correlation_check; other entries
 * are from -1000 to 1000. `nearest`, [dims][dims], may be `correlation` itself; it is symmetric, has ones on
 * the diagonal, and is positive semi-definite by the standards of all functions that take a correlation or
 * covariance. A matrix that is a correlation matrix already is left as bailey_correlation_check makes it.
 * `distance` may be NULL. The time grows with dims^3: some milliseconds for 30, a second for 100, minutes for
 * 500.
 *
 * Problem: N. Higham, "Computing the nearest correlation matrix - a problem from finance", IMA J. Numer.
 * Anal. 22 (2002), 329-343.
 * Returns: OK, ERROR_INVALID, ERROR_MEMORY. Threads: any. Results: from the host's arithmetic alone, the same
 * bits on every host. */
BAILEY_API bailey_status bailey_correlation_nearest(const double *correlation, uint32_t dims,
                                                    double least_eigenvalue, double *nearest,
                                                    double *distance);

#ifdef __cplusplus
}
#endif

#endif
