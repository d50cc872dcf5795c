/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Forward mode of the lists of host/derive, against which its adjoints are held.
 */
#ifndef TANGENTS_H
#define TANGENTS_H

#include <host/derive/derivative.h>

/* What leaves change by; NULL: nothing. */
struct changes {
    const double *state, *params, *x;
};

/* The list's values, and what all of them change by. */
void find_tangents(const struct bly_derivative *d, const struct bly_reversed *r, const struct bly_leaves *leaves,
                   const struct changes *changes, union bly_scalar *values, double *tangents);

#endif
