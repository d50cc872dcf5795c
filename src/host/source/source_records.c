/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the structs of distributions and points have; bailey_source and bailey_normal_params stand beside
 * their checks.
 */
#include <bailey/points.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_variate_params
static const bailey_field variate_params[] = {
    NESTED(normal, normal_params, "how the normals are made that it is made from"),
    CHOICE(distribution, "of the numbers", DISTRIBUTIONS),
    REAL(mean, "of a normal; of a log-normal that of its logarithm"),
    REAL(stddev, "standard deviation, likewise", .range = NOT_NEGATIVE, .default_value = 1),
    REAL(rate, "of an exponential", .range = NOT_NEGATIVE, .default_value = 1),
};
RECORD(variate_params, "A distribution.", variate_params);
#undef STRUCT

#define STRUCT bailey_points_params
static const bailey_field points_params[] = {
    CHOICE(form, "what a point's words become", POINTS_FORMS),
    CHOICE(layout, "of the array", POINTS_LAYOUTS),
    CHOICE(precision, "of uniforms and normals", PRECISIONS),
    UINT32(first_dim, "first dimension", .range = FROM(0, BAILEY_POINTS_MAX_DIMS - 1)),
    UINT32(dims, "dimensions", .range = FROM(1, BAILEY_POINTS_MAX_DIMS), .default_value = 1),
};
RECORD(points_params, "Which numbers of quasi-random points, and how they lie.", points_params);
#undef STRUCT
