/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Singular values and right singular vectors of a bidiagonal matrix. Pure host code; the same bits on every
 * host.
 */
#ifndef BLY_BIDIAGONAL_H
#define BLY_BIDIAGONAL_H

#include <bailey/bailey.h>

/* The matrix has d[0 .. n - 1] on its diagonal and e[0 .. n - 2] above it, all finite and not 0, except that
 * d[n - 1] may be 0. Leaves the singular values in `d`, in no order, and destroys `e`; row k of v[n][n]
 * becomes the right singular vector of d[k], with either sign. The rows are orthogonal and of length 1 to
 * rounding, whatever the matrix. Returns OK, ERROR_MEMORY. */
bailey_status bly_bidiagonal(uint32_t n, double *d, double *e, double *v);

#endif
