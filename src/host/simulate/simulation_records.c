/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The public structs of simulations as records, from which checks, digests, options, JSON and bindings are
 * made.
 */
#include "simulation_internal.h"

#include <bailey/simulation.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_simulation_params
static const bailey_field simulation_params[] = {
    NESTED(path, bridge_params, "the paths: times, dimensions, covariance, construction and precision"),
    NESTED(payoff, payoff, "the payoff"),
    UINT32(motion_depth, "makes the path a Brownian motion of 2^motion_depth ticks",
           .range = FROM(1, BAILEY_MOTION_MAX_DEPTH), .default_how = "a path of the given steps"),
    UINT64(planned_paths, "number of paths that you plan to run in all", .default_how = "not known"),
};
RECORD(simulation_params, "A payoff and its paths.", simulation_params);
#undef STRUCT

#define STRUCT bailey_histogram
static const bailey_field histogram_fields[] = {
    REAL(low, "lower end of the first bin"),
    REAL(high, "upper end of the last bin"),
    UINT32(bins, "number of bins, of equal width", .range = FROM(1, 65536), .default_how = "no histogram"),
    UINT32(output, "index of the result that is counted"),
    UINT64S(counts, "[bins + 2]", "how many results are below low, in each bin, and at or above high",
            .output = 1),
};
RECORD(histogram, "A histogram of one result.", histogram_fields);
#undef STRUCT

#define STRUCT bailey_scenarios
static const bailey_field scenarios_fields[] = {
    UINT64(count, "number of scenarios", .range = FROM(1, 1048576),
           .default_how = "one, with the current parameters"),
    UINT32(columns, "number of parameters that differ between scenarios"),
    TEXTS(names, "[columns]", "names of these parameters, such as spot[1]"),
    REALS(values, "[count][columns]", "values of these parameters"),
    REALS(time_shift, "[count]", "shift of all times", .default_how = "0 each"),
    REALS(covariance, "[count][dims][dims]", "covariance of the paths per unit of time",
          .default_how = "that of the simulation"),
    UINT32(rows, "number of weighted sums of results", .range = FROM(1, 65536),
           .default_how = "the results themselves"),
    REALS(weights, "[rows][count * outputs]", "weight of each result in each sum"),
    REALS(scores, "[rows][1 + dims + dims * dims]", "likelihood-ratio scores by which rows are multiplied",
          .default_how = "none"),
};
RECORD(scenarios, "Sets of parameters that are priced on the same paths.", scenarios_fields);
#undef STRUCT

#define STRUCT bailey_simulation_run_params
static const bailey_field run_params[] = {
    NESTED(source, source, "of random numbers or points; replicate r draws from stream + r"),
    NESTED(normal, normal_params, "how normals are generated; the precision is that of the simulation"),
    UINT64(first_path, "index of the first path", .range = FROM(0, 0x1p63)),
    UINT64(paths, "number of paths of each replicate", .range = FROM(1, 0x1p63),
           .default_value = BAILEY_SIMULATION_PATHS),
    UINT64(replicates, "number of independent replicates, whose mean is the result",
           .range = FROM(1, BAILEY_SIMULATION_MAX_REPLICATES), .default_value = 1),
    FLAG(antithetic, "pair each path with its antithetic path; a sample is the mean of both"),
    REALS(expected, "[results]",
          "known expectations of results that serve as control variates; NaN for the others", .nan = 1,
          .default_how = "no control variates"),
    NESTED(scenarios, scenarios, "sets of parameters that are priced on the same paths"),
    FLAG(moments, "estimate skewness, kurtosis, minimum and maximum too"),
    BUFFER(samples, "receives all results of all paths, [results][replicates][paths]", .output = 1),
    NESTED(histogram, histogram, "histogram of one result"),
    REALS(covariance, "[results][results]", "receives the covariance between results", .output = 1),
    CHOICE(sum, "how payoff values are accumulated", SUMS),
    REAL(sum_limit, "largest magnitude that an output can have, for fixed sums",
         .range = FROM(1 / BLY_SUM_LIMIT, BLY_SUM_LIMIT), .default_how = "none"),
    FUNCTION(progress, "called now and then with the number of paths done"),
    USER(progress_user, "passed to progress"),
};
RECORD(simulation_run_params, "A run of a simulation.", run_params);
#undef STRUCT

#define STRUCT bailey_estimate
static const bailey_field estimate_fields[] = {
    REAL(mean, "mean over all paths"),
    REAL(standard_error, "standard error of the mean", .nan = 1),
    REAL(controlled, "mean with control variates"),
    REAL(controlled_standard_error, "standard error of controlled", .nan = 1),
    REAL(interval_low, "lower end of the 95 % confidence interval", .nan = 1),
    REAL(interval_high, "upper end of the 95 % confidence interval", .nan = 1),
    REAL(variance, "variance over all paths", .nan = 1),
    REAL(skewness, "skewness over all paths, with moments", .nan = 1),
    REAL(kurtosis, "excess kurtosis over all paths, with moments", .nan = 1),
    REAL(minimum, "smallest result, with moments", .nan = 1),
    REAL(maximum, "largest result, with moments", .nan = 1),
    UINT64(paths, "number of paths of all replicates"),
};
RESULT(estimate, "The estimate of one result of a run.", estimate_fields);
#undef STRUCT

#define STRUCT bailey_moment
static const bailey_field moment_fields[] = {
    CHOICE(kind, "the call of the payoff", MOMENT_KINDS),
    UINT64(step, "step of the path, or tick of the motion"),
    REAL(time, "time of the step or tick"),
    UINT32(dimension, "dimension of the motion that the payoff asked for"),
    REALS(x, "[dims]", "point of the path"),
    REALS(state, "[numbers]", "state of the payoff after the step", .nan = 1),
    REALS(outputs, "[outputs]", "outputs of the payoff at the end"),
    TEXT(fault, "what failed here, with its line in the code"),
};
RESULT(moment, "One step of a path that is explained.", moment_fields);
#undef STRUCT
