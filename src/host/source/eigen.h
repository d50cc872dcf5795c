/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The smallest eigenvalue of a small symmetric matrix. Pure host code, for messages: no result depends on it.
 */
#ifndef BLY_EIGEN_H
#define BLY_EIGEN_H

#include <stdint.h>

/* Returns the smallest eigenvalue of a[dims][dims], dims in 1 .. BAILEY_BRIDGE_MAX_DIMS, and writes its
 * vector, of length 1. The error is a few units in the last place of the largest eigenvalue. `a` is symmetric
 * and finite; it is destroyed. */
double bly_eigen_smallest(double *a, uint32_t dims, double *vector);

#endif
