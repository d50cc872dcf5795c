/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What paths begin with, end at and are correlated by, as bridges and motions are given it.
 */
#ifndef BLY_CONSTANTS_H
#define BLY_CONSTANTS_H

#include <bailey/bailey.h>

struct bly_path_constants {
    uint32_t dims;                     /* 1 .. BAILEY_BRIDGE_MAX_DIMS; checked here */
    const double *start, *end;         /* [dims]; NULL: 0 */
    const double *factor, *covariance; /* [dims][dims], at most one; both NULL: the identity */
};

/* Checks them: limits, finite numbers, not both matrices. */
bailey_status bly_check_constants(const struct bly_path_constants *constants);

/* Writes start[dims], end[dims] and C[dims][dims] in the precision to an array that the caller frees. Fails
 * where C cannot be found, or a number is beyond single precision. NULL where it fails. */
bailey_status bly_keep_constants(const struct bly_path_constants *constants, bailey_precision precision,
                                 void **kept);

#endif
