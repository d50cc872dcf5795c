/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Correlation matrices: check a matrix, or find the nearest correlation matrix.
 *
 * A field called `correlation` takes a correlation matrix and is checked like bailey_correlation_check. A
 * field called `covariance` takes any covariance; to have a correlation matrix checked before you pass it
 * there, call bailey_correlation_check.
 *
 * Matrices are [dims][dims], with 2 .. BAILEY_CORRELATION_MAX_DIMS rows. No function needs a context.
 */
#ifndef BAILEY_CORRELATION_H
#define BAILEY_CORRELATION_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAILEY_CORRELATION_MAX_DIMS 512u

/* The largest distance of an entry from its required value: four units in the last place of 1 in single
 * precision. Matrices computed in floats, or rounded to 7 digits, pass. */
#define BAILEY_CORRELATION_TOLERANCE 0x1p-21

/* Checks that a matrix is symmetric, with ones on the diagonal and entries from -1 to 1, each within
 * BAILEY_CORRELATION_TOLERANCE. It need not be positive semi-definite: the function that uses the matrix
 * checks that.
 *
 * `exact`, [dims][dims], may be NULL, or `correlation` itself. It receives the matrix that is used: ones on
 * the diagonal, and the lower triangle, limited to -1 .. 1, on both sides. An exact correlation matrix keeps
 * its bits.
 *
 * Returns: OK; ERROR_INVALID (the message names the first wrong entry, and says if the matrix looks like a
 * covariance matrix or like percentages). One dimension has no correlation, so `dims` 1 is an error.
 * Threads: any. */
BAILEY_API bailey_status bailey_correlation_check(const double *correlation, uint32_t dims, double *exact);

/* Writes the eigenvalues of a matrix, in increasing order, to eigenvalues[dims]. The matrix is positive
 * semi-definite if the first one is not negative, up to rounding (1e-14 times dims). The matrix must satisfy
 * the conditions of bailey_correlation_nearest. Returns: OK, ERROR_INVALID, ERROR_MEMORY. Threads: any. */
BAILEY_API bailey_status bailey_correlation_eigenvalues(const double *correlation, uint32_t dims,
                                                        double *eigenvalues);

/* Finds the correlation matrix nearest to a given matrix in the Frobenius norm, the root of the sum of the
 * squared changes of all entries. All its eigenvalues are at least `least_eigenvalue`, which is from 0 to
 * below 1. The nearest matrix is unique. With 0 it is usually singular; 1e-8 or more makes it invertible.
 *
 * The given matrix is symmetric with ones on the diagonal, as for bailey_correlation_check; its other entries
 * are from -1000 to 1000. `nearest`, [dims][dims], may be `correlation` itself. It is symmetric with ones on
 * the diagonal, and positive semi-definite within the tolerance of all functions that take a correlation or
 * covariance. If the given matrix is already a correlation matrix, the result is that of
 * bailey_correlation_check. `distance` may be NULL. The time grows with dims^3: some milliseconds for 30, a
 * second for 100, minutes for 500.
 *
 * Problem: N. Higham, "Computing the nearest correlation matrix - a problem from finance", IMA J. Numer.
 * Anal. 22 (2002), 329-343.
 * Returns: OK, ERROR_INVALID, ERROR_MEMORY. Threads: any. Results: computed only from the host's arithmetic,
 * with the same bits on every host. */
BAILEY_API bailey_status bailey_correlation_nearest(const double *correlation, uint32_t dims,
                                                    double least_eigenvalue, double *nearest,
                                                    double *distance);

#ifdef __cplusplus
}
#endif

#endif
