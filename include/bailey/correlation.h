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

/* The same with weights and fixed entries.
 *
 * `weights`, [dims], positive, NULL for 1: the distance is the root of the sum of weights[i] weights[j] times
 * the squared change of entry (i, j), with weights relative to their mean. So rows that are known well change
 * less. The largest weight is at most 1e6 times the smallest. `fixed`, [dims][dims], symmetric, NULL for none:
 * where it is not 0, the entry keeps its value. `nearest` may be `correlation` itself.
 *
 * The time grows with dims^3 and with dims^2 times the number of fixed entries.
 * Returns: OK, ERROR_INVALID (as bailey_correlation_nearest; a weight; fixed entries that no positive definite
 * matrix has), ERROR_MEMORY. Threads, Results: as bailey_correlation_nearest. Source: as there; weights as in
 * Higham's article, the fixed entries as in H. Qi, D. Sun, "Correlation stress testing for value-at-risk: an
 * unconstrained convex optimization approach", Comput. Optim. Appl. 45 (2010). */
BAILEY_API bailey_status bailey_correlation_adjust(const double *correlation, uint32_t dims,
                                                   double least_eigenvalue, const double *weights,
                                                   const uint32_t *fixed, double *nearest, double *distance);

/* Finds a model of `factors` factors near a correlation matrix: loadings[dims][factors] = L, whose rows have
 * lengths of at most 1, so that L L' with ones on its diagonal is nearest to the matrix in the Frobenius norm.
 * `nearest`, [dims][dims], receives that correlation matrix; `nearest` and `distance` may be NULL. Component i
 * of such a vector is the row's product with `factors` normals, plus sqrt(1 - length^2) times a normal of its
 * own. `factors` is from 1 to dims. The matrix must satisfy the conditions of bailey_correlation_nearest.
 *
 * The problem has local minima; the search starts from the largest eigenvalues' vectors. It ends when no entry
 * of L would move by 1e-9. The time of each of up to some thousand steps grows with dims^2 factors.
 * Returns: OK, ERROR_INVALID, ERROR_MEMORY. Threads, Results: as bailey_correlation_nearest. Source: R.
 * Borsdorf, N. Higham, M. Raydan, "Computing a nearest correlation matrix with factor structure", SIAM J.
 * Matrix Anal. Appl. 31 (2010), 2603-2622, by the spectral projected gradient method. */
BAILEY_API bailey_status bailey_correlation_factors(const double *correlation, uint32_t dims, uint32_t factors,
                                                    double *loadings, double *nearest, double *distance);

#ifdef __cplusplus
}
#endif

#endif
