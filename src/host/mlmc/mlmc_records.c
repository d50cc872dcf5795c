/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The public structs of multilevel Monte Carlo as records: names, ranges, defaults and words of their fields,
 * from which checks, digests, options, JSON and bindings are made.
 */
#include "driver.h"

#include <bailey/mlmc.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>
#include <host/run/checkpoint.h>

#define STRUCT bailey_mlmc_params
static const bailey_field mlmc_params[] = {
    NESTED(estimator, payoff, "the estimator code"),
    CHOICE(precision, "precision of paths and payoffs", PRECISIONS),
    UINT32(dims, "number of dimensions of the Brownian motion", .range = FROM(1, BAILEY_MLMC_MAX_NUMBERS),
           .default_value = 1),
    REALS(covariance, "[dims][dims]", "covariance of the dimensions per unit of time",
          .default_how = "the identity"),
    REAL(time, "time at which paths end", .range = ABOVE_0_TO(0x1p30), .default_value = 1),
    UINT32(first_steps, "number of steps of level 0, a power of two", .range = FROM(1, 1024),
           .default_value = 1),
};
RECORD(mlmc_params, "A multilevel estimator and its Brownian motion.", mlmc_params);
#undef STRUCT

#define STRUCT bailey_mlmc_run_params
static const bailey_field mlmc_run_params[] = {
    NESTED(source, source, "source of random numbers or points; level l draws from stream + l"),
    NESTED(normal, normal_params, "how normals are generated; the precision is that of the estimator"),
    REAL(eps, "target root-mean-square error", .needed = 1, .range = POSITIVE),
    REAL(bias_share, "share of the squared error allotted to the bias", .range = ABOVE_0_BELOW(1),
         .default_value = BLY_MLMC_BIAS_SHARE),
    UINT64(initial_samples, "number of samples of each of the first levels",
           .range = FROM(1, BLY_MLMC_MOST_SAMPLES), .default_value = BLY_MLMC_INITIAL_SAMPLES),
    UINT32(min_level, "finest level at the start", .range = FROM(2, BAILEY_MLMC_MAX_LEVELS - 1),
           .default_value = BLY_MLMC_MIN_LEVEL),
    UINT32(max_level, "finest level that may be reached", .range = FROM(2, BAILEY_MLMC_MAX_LEVELS - 1),
           .default_value = BLY_MLMC_MAX_LEVEL),
    REAL(alpha, "rate at which means fall, as 2^(-alpha level)", .range = FROM(0, 64),
         .default_how = "estimated"),
    REAL(beta, "rate at which variances fall, as 2^(-beta level)", .range = FROM(0, 64),
         .default_how = "estimated"),
    REAL(gamma, "rate at which costs grow, as 2^(gamma level)", .range = FROM(0, 64),
         .default_how = "estimated"),
    REALS(cost, "[max_level + 1]", "cost of a sample of each level", .range = POSITIVE,
          .default_how = "the steps of its fine path"),
    CHOICE(schedule, "how samples are launched", MLMC_SCHEDULES),
    UINT32(replicates, "number of randomisations of points", .range = FROM(2, BLY_QUASI_MOST_REPLICATES),
           .default_how = "32 with points"),
    TEXT(checkpoint, "file to which the run is saved and from which it resumes", .default_how = "none"),
    REAL(checkpoint_seconds, "time between two saves", .unit = "seconds", .range = NOT_NEGATIVE,
         .default_value = BLY_CHECKPOINT_SECONDS),
    CHOICE(approximate, "approximate normals for most samples, with a correction from a few",
           MLMC_APPROXIMATIONS),
    REAL(approximate_cost, "cost of a step with approximate normals, where an exact one costs 1",
         .range = ABOVE_0_TO(1), .default_value = BLY_APPROXIMATE_COST),
    FUNCTION(progress, "called now and then with the cost spent"),
    USER(progress_user, "passed to progress"),
};
RECORD(mlmc_run_params, "A run to a target error.", mlmc_run_params);
#undef STRUCT

#define STRUCT bailey_mlmc_level
static const bailey_field mlmc_level[] = {
    UINT64(samples, "number of samples of all replicates"),
    REAL(cost, "cost of a sample"),
    REAL(mean, "mean of the differences"),
    REAL(variance, "variance of the differences; with points, between the means of replicates"),
};
RESULT(mlmc_level, "The differences of a level.", mlmc_level);
#undef STRUCT

#define STRUCT bailey_mlmc_choice
static const bailey_field mlmc_choice[] = {
    CHOICE(approximate, "what the level uses", MLMC_APPROXIMATIONS),
    REAL(constant, "cost to equal error with constant, relative to exact; 0: not examined"),
    REAL(dyadic, "the same with dyadic"),
    REAL(half, "the same with half"),
    REAL(half_dyadic, "the same with half-dyadic"),
};
RESULT(mlmc_choice, "What approximate = auto has chosen for a level, and why.", mlmc_choice);
#undef STRUCT

#define STRUCT bailey_mlmc_result
static const bailey_field mlmc_result[] = {
    REAL(mean, "estimate of the expectation"),
    REAL(standard_error, "standard error of the mean"),
    REAL(bias, "remaining bias, as estimated from the last three levels"),
    FLAG(converged, "1 if the target error was reached"),
    CHOICE(reason, "why it was not reached", MLMC_REASONS),
    REAL(cost, "cost of all samples"),
    REAL(alpha, "alpha that was used"),
    REAL(beta, "beta that was used"),
    REAL(gamma, "gamma that was used"),
    UINT32(levels, "number of levels"),
    UINT32(rounds, "number of rounds of samples"),
    IN_PLACE(RECORD, level, "[levels]", "the differences of each level", .record = "mlmc_level"),
    IN_PLACE(RECORD, correction, "[levels]", "the corrections of approximate normals on each level",
             .record = "mlmc_level"),
    UINT32(choices, "number of levels for which approximate = auto has chosen"),
    IN_PLACE(RECORD, choice, "[choices]", "what approximate = auto has chosen for each level",
             .record = "mlmc_choice"),
};
RESULT(mlmc_result, "The result of a run to a target error.", mlmc_result);
#undef STRUCT

#define STRUCT bailey_mlmc_test_params
static const bailey_field mlmc_test_params[] = {
    NESTED(run, mlmc_run_params, "the runs of the complexity tests; eps and checkpoint are ignored"),
    UINT64(samples, "number of samples of each level of the convergence test",
           .range = FROM(1, BLY_MLMC_MOST_SAMPLES), .default_value = BLY_MLMC_TEST_SAMPLES),
    UINT32(finest, "finest level of the convergence test", .range = FROM(2, BAILEY_MLMC_MAX_LEVELS - 1),
           .default_value = BLY_MLMC_TEST_FINEST),
    REALS(eps, "[eps_count]", "target errors of the complexity tests", .range = POSITIVE),
    UINT32(eps_count, "number of complexity tests", .range = FROM(0, BAILEY_MLMC_MAX_EPS)),
};
RECORD(mlmc_test_params, "Tests of a multilevel estimator.", mlmc_test_params);
#undef STRUCT

#define STRUCT bailey_mlmc_test_level
static const bailey_field mlmc_test_level[] = {
    REAL(mean, "mean of the differences"),
    REAL(fine_mean, "mean of the fine payoff"),
    REAL(variance, "variance of the differences"),
    REAL(fine_variance, "variance of the fine payoff"),
    REAL(kurtosis, "kurtosis of the differences; that of a normal distribution is 3"),
    REAL(check,
         "consistency check; above 1 the coarse payoff does not have the distribution of the fine one below"),
    REAL(cost, "cost of a sample"),
};
RESULT(mlmc_test_level, "A row of the convergence test.", mlmc_test_level);
#undef STRUCT

#define STRUCT bailey_mlmc_test_run
static const bailey_field mlmc_test_run[] = {
    REAL(eps, "target error"),
    REAL(standard_cost, "cost of plain Monte Carlo on the finest level"),
    REAL(savings, "standard_cost over the cost of the run"),
    NESTED(result, mlmc_result, "result of the run"),
};
RESULT(mlmc_test_run, "A complexity test.", mlmc_test_run);
#undef STRUCT

#define STRUCT bailey_mlmc_report
static const bailey_field mlmc_report[] = {
    UINT64(samples, "number of samples of each level"),
    UINT32(levels, "number of levels"),
    IN_PLACE(RECORD, level, "[levels]", "levels of the convergence test", .record = "mlmc_test_level"),
    REAL(alpha, "alpha by regression"),
    REAL(beta, "beta by regression"),
    REAL(gamma, "gamma by regression"),
    FLAG(kurtosis_warning, "1: variances are hard to estimate"),
    FLAG(check_warning, "1: a check is above 1"),
    UINT32(runs, "number of complexity tests"),
    IN_PLACE(RECORD, run, "[runs]", "complexity tests", .record = "mlmc_test_run"),
};
RESULT(mlmc_report, "Tests of a multilevel estimator.", mlmc_report);
#undef STRUCT
