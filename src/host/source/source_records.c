/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The public structs of distributions and points as records; those of bailey_source and bailey_normal_params
 * are next to their checks.
 */
#include <bailey/points.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>
#include <host/source/source.h>

#define STRUCT bailey_variate_params
static const bailey_field variate_params[] = {
    NESTED(normal, normal_params, "how the underlying normals are generated"),
    CHOICE(distribution, "distribution", DISTRIBUTIONS),
    REAL(mean, "mean of a normal, truncated normal or Poisson; of a log-normal, that of its logarithm"),
    REAL(stddev, "standard deviation of a normal, also before it is truncated; of a log-normal, that of its logarithm",
         .range = NOT_NEGATIVE, .default_value = 1),
    REAL(rate, "rate of an exponential", .range = NOT_NEGATIVE, .default_value = 1),
    REAL(location, "location of a logistic, Laplace, Gumbel or Cauchy distribution"),
    REAL(scale, "scale of a logistic, Laplace, Gumbel, Cauchy, Weibull, Pareto or gamma distribution",
         .range = NOT_NEGATIVE, .default_value = 1),
    REAL(shape, "shape of a Weibull, Pareto, gamma or beta; of a negative binomial, the number of successes",
         .range = NOT_NEGATIVE, .default_value = 1),
    REAL(second_shape, "second shape of a beta", .range = NOT_NEGATIVE, .default_value = 1),
    REAL(freedom, "degrees of freedom of a chi-square, non-central chi-square or Student's t", .range = NOT_NEGATIVE,
         .default_value = 1),
    REAL(probability, "of a success, for a binomial, geometric or negative binomial", .range = FROM(0, 1),
         .default_how = "none"),
    UINT64(trials, "trials of a binomial", .range = FROM(0, BLY_LARGEST_VALUE), .default_how = "none"),
    REALS(weights, "[weight_count]", "weight of each integer, from 0, of a discrete distribution",
          .range = NOT_NEGATIVE),
    UINT64(weight_count, "number of weights", .range = FROM(0, BLY_MOST_VALUES), .default_how = "none"),
    FLAG(integers, "numbers of a discrete distribution are integers of 32 bits, or of 64 for f64"),
    FLAG(alias, "numbers of a discrete distribution come from a table of aliases, and do not grow with their words"),
    REAL(lower, "lower end of a truncated normal"),
    REAL(upper, "upper end of a truncated normal; 40 standard deviations from the mean or more: none"),
    REAL(noncentrality, "noncentrality of a non-central chi-square: the sum of squared means",
         .range = NOT_NEGATIVE),
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
