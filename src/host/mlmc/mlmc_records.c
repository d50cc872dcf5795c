/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the structs of multilevel Monte Carlo have.
 */
#include "mlmc_run.h"
#include "nested.h"
#include "quasi.h"

#include <bailey/mlmc.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>
#include <host/job/checkpoint.h>

#define STRUCT bailey_mlmc_params
static const bailey_field mlmc_params[] = {
    NESTED(estimator, payoff, "the level functions"),
    CHOICE(precision, "of paths and payoffs", PRECISIONS),
    UINT32(dims, "of the Brownian motion", .range = FROM(1, BAILEY_MLMC_MAX_NUMBERS), .default_value = 1),
    REALS(covariance, "[dims][dims]", "per unit of time", .default_how = "the identity"),
    REAL(time, "at which paths end", .range = ABOVE_0_TO(0x1p30), .default_value = 1),
    UINT32(first_steps, "of level 0, a power of two", .range = FROM(1, 1024), .default_value = 1),
};
RECORD(mlmc_params, "Level functions and their Brownian motion.", mlmc_params);
#undef STRUCT

#define STRUCT bailey_mlmc_run_params
static const bailey_field mlmc_run_params[] = {
    NESTED(source, source, "of random numbers or points; level l draws from stream + l"),
    NESTED(normal, normal_params, "how normals are made; its precision is that of the estimator"),
    REAL(eps, "the root-mean-square error that is wanted", .needed = 1, .range = POSITIVE),
    REAL(bias_share, "the share of its square that is left to the bias", .range = ABOVE_0_BELOW(1),
         .default_value = BLY_MLMC_BIAS_SHARE),
    UINT64(initial_samples, "of each of the first levels", .range = FROM(1, BLY_MLMC_MOST_SAMPLES),
           .default_value = BLY_MLMC_INITIAL_SAMPLES),
    UINT32(min_level, "the finest level at the start", .range = FROM(2, BAILEY_MLMC_MAX_LEVELS - 1),
           .default_value = BLY_MLMC_MIN_LEVEL),
    UINT32(max_level, "the finest level that there may be", .range = FROM(2, BAILEY_MLMC_MAX_LEVELS - 1),
           .default_value = BLY_MLMC_MAX_LEVEL),
    REAL(alpha, "means fall as 2^(-alpha level)", .range = FROM(0, 64), .default_how = "estimated"),
    REAL(beta, "variances fall as 2^(-beta level)", .range = FROM(0, 64), .default_how = "estimated"),
    REAL(gamma, "costs grow as 2^(gamma level)", .range = FROM(0, 64), .default_how = "estimated"),
    REALS(cost, "[max_level + 1]", "of a sample of each level", .range = POSITIVE,
          .default_how = "the steps of its fine path"),
    CHOICE(schedule, "how samples are shared out", MLMC_SCHEDULES),
    UINT32(replicates, "randomisations of points", .range = FROM(2, BLY_QUASI_MOST_REPLICATES),
           .default_how = "32 of points"),
    TEXT(checkpoint, "file that the run is saved to, and goes on from", .default_how = "none"),
    REAL(checkpoint_seconds, "between two savings", .unit = "seconds", .range = NOT_NEGATIVE,
         .default_value = BLY_CHECKPOINT_SECONDS),
    CHOICE(approximate, "whether most normals are approximate, with a correction for that",
           MLMC_APPROXIMATIONS),
    REAL(approximate_cost, "of a step with these, where an exact one costs 1", .range = ABOVE_0_TO(1),
         .default_value = BLY_APPROXIMATE_COST),
    FUNCTION(progress, "called now and then with the cost that is done"),
    USER(progress_user, "handed to progress"),
};
RECORD(mlmc_run_params, "A run to a given error.", mlmc_run_params);
#undef STRUCT

#define STRUCT bailey_mlmc_level
static const bailey_field mlmc_level[] = {
    UINT64(samples, "of all replicates"),
    REAL(cost, "of a sample"),
    REAL(mean, "of the differences"),
    REAL(variance, "of them; of points, between the means of replicates"),
};
RESULT(mlmc_level, "The differences of a level.", mlmc_level);
#undef STRUCT

#define STRUCT bailey_mlmc_result
static const bailey_field mlmc_result[] = {
    REAL(mean, "the expectation"),
    REAL(standard_error, "of it"),
    REAL(bias, "that is left, as estimated from the last three levels"),
    FLAG(converged, "1 if the error is as small as asked"),
    CHOICE(reason, "why not", MLMC_REASONS),
    REAL(cost, "of all samples"),
    REAL(alpha, "as used"),
    REAL(beta, "as used"),
    REAL(gamma, "as used"),
    UINT32(levels, "finest level + 1"),
    UINT32(rounds, "lists of samples that were launched"),
    IN_PLACE(RECORD, level, "[levels]", "each level's differences", .record = "mlmc_level"),
    IN_PLACE(RECORD, correction, "[levels]", "of approximate normals", .record = "mlmc_level"),
};
RESULT(mlmc_result, "The expectation that a run has found.", mlmc_result);
#undef STRUCT

#define STRUCT bailey_mlmc_test_params
static const bailey_field mlmc_test_params[] = {
    NESTED(run, mlmc_run_params, "of the complexity tests; eps and checkpoint are not looked at"),
    UINT64(samples, "of each level of the convergence test", .range = FROM(1, BLY_MLMC_MOST_SAMPLES),
           .default_value = BLY_MLMC_TEST_SAMPLES),
    UINT32(finest, "level of the convergence test", .range = FROM(2, BAILEY_MLMC_MAX_LEVELS - 1),
           .default_value = BLY_MLMC_TEST_FINEST),
    REALS(eps, "[eps_count]", "errors of the complexity tests", .range = POSITIVE),
    UINT32(eps_count, "number of complexity tests", .range = FROM(0, BAILEY_MLMC_MAX_EPS)),
};
RECORD(mlmc_test_params, "Tests of level functions.", mlmc_test_params);
#undef STRUCT

#define STRUCT bailey_mlmc_test_level
static const bailey_field mlmc_test_level[] = {
    REAL(mean, "of the differences"),
    REAL(fine_mean, "of the fine payoff"),
    REAL(variance, "of the differences"),
    REAL(fine_variance, "of the fine payoff"),
    REAL(kurtosis, "of the differences; 3 of normal numbers"),
    REAL(check, "above 1: the coarse payoff is not distributed as the fine one below"),
    REAL(cost, "of a sample"),
};
RESULT(mlmc_test_level, "A row of the convergence test.", mlmc_test_level);
#undef STRUCT

#define STRUCT bailey_mlmc_test_run
static const bailey_field mlmc_test_run[] = {
    REAL(eps, "error that was wanted"),
    REAL(standard_cost, "of Monte Carlo on the finest level alone"),
    REAL(savings, "that over the cost of the run"),
    NESTED(result, mlmc_result, "of the run"),
};
RESULT(mlmc_test_run, "A complexity test.", mlmc_test_run);
#undef STRUCT

#define STRUCT bailey_mlmc_report
static const bailey_field mlmc_report[] = {
    UINT64(samples, "of each level"),
    UINT32(levels, "finest level + 1"),
    IN_PLACE(RECORD, level, "[levels]", "rows of the convergence test", .record = "mlmc_test_level"),
    REAL(alpha, "by regression"),
    REAL(beta, "by regression"),
    REAL(gamma, "by regression"),
    FLAG(kurtosis_warning, "1: variances are hard to estimate"),
    FLAG(check_warning, "1: a check is above 1"),
    UINT32(runs, "complexity tests"),
    IN_PLACE(RECORD, run, "[runs]", "complexity tests", .record = "mlmc_test_run"),
};
RESULT(mlmc_report, "Tests of level functions.", mlmc_report);
#undef STRUCT
