/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The public structs of distributions and points as records; those of bailey_source and bailey_normal_params
 * are next to their checks.
 */
#include <bailey/points.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_variate_params
static const bailey_field variate_params[] = {
    NESTED(normal, normal_params, "how the underlying normals are generated"),
    CHOICE(distribution, "distribution", DISTRIBUTIONS),
    REAL(mean, "mean of a normal; of a log-normal, that of its logarithm"),
    REAL(stddev, "standard deviation of a normal; of a log-normal, that of its logarithm",
         .range = NOT_NEGATIVE, .default_value = 1),
    REAL(rate, "rate of an exponential", .range = NOT_NEGATIVE, .default_value = 1),
    REAL(location, "location of a logistic, Laplace, Gumbel or Cauchy distribution"),
    REAL(scale, "scale of a logistic, Laplace, Gumbel, Cauchy, Weibull or Pareto distribution",
         .range = NOT_NEGATIVE, .default_value = 1),
    REAL(shape, "shape of a Weibull or Pareto", .range = NOT_NEGATIVE, .default_value = 1),
};
RECORD(variate_params, "A distribution.", variate_params);
#undef STRUCT

#define STRUCT bailey_points_params
static const bailey_field points_params[] = {
    CHOICE(form, "what a point consists of", POINTS_FORMS),
    CHOICE(layout, "layout of the array", POINTS_LAYOUTS),
    CHOICE(precision, "precision of uniforms and normals", PRECISIONS),
    UINT32(first_dim, "first dimension", .range = FROM(0, BAILEY_POINTS_MAX_DIMS - 1)),
    UINT32(dims, "number of dimensions", .range = FROM(1, BAILEY_POINTS_MAX_DIMS), .default_value = 1),
};
RECORD(points_params, "Which dimensions of quasi-random points are generated, and in which layout.",
       points_params);
#undef STRUCT
