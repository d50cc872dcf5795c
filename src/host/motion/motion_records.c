/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The public struct of motions as a record.
 */
#include <bailey/motion.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_motion_params
static const bailey_field motion_params[] = {
    REAL(start_time, "time at which the motion begins"),
    REAL(end_time, "time at which it ends", .default_how = "1 where start_time is 0 too"),
    UINT32(depth, "the motion has 2^depth ticks", .range = FROM(1, BAILEY_MOTION_MAX_DEPTH),
           .default_value = BAILEY_MOTION_MAX_DEPTH),
    UINT32(dims, "number of dimensions", .range = FROM(1, BAILEY_BRIDGE_MAX_DIMS), .default_value = 1),
    REALS(factor, "[dims][dims], on and below the diagonal",
          "lower triangular factor of the covariance per unit of time", .default_how = "the identity"),
    REALS(covariance, "[dims][dims]", "covariance of the dimensions per unit of time",
          .default_how = "the identity"),
    REALS(start, "[dims]", "where it begins", .default_how = "0"),
    REALS(end, "[dims]", "where it ends", .default_how = "anywhere"),
    CHOICE(areas, "integrals of the motion that come with its values", MOTION_AREAS),
    CHOICE(precision, "precision of the values", PRECISIONS),
};
RECORD(motion_params, "A Brownian motion at any time.", motion_params);
#undef STRUCT
