/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Eigenvalues of symmetric matrices. Pure host code; the same bits on every host.
 */
#ifndef BLY_EIGEN_H
#define BLY_EIGEN_H

#include <stdint.h>

/* Makes a[dims][dims], symmetric and finite, diagonal: its eigenvalues, in no order. Row k of `vectors` is the
 * vector of a[k][k], of length 1. The error is a few units in the last place of the largest eigenvalue. */
void bly_eigen(double *a, uint32_t dims, double *vectors);

/* Returns the smallest eigenvalue of a[dims][dims], dims in 1 .. BAILEY_BRIDGE_MAX_DIMS, and writes its
 * vector, of length 1. `a` is as for bly_eigen. */
double bly_eigen_smallest(double *a, uint32_t dims, double *vector);

#endif
