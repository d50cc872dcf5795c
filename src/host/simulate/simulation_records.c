/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the structs of payoffs, simulations and Greeks have.
 */
#include "simulation_internal.h"

#include <bailey/greeks.h>
#include <bailey/simulation.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_payoff
static const bailey_field payoff[] = {
    TEXT(code, "your own code", .default_how = "the built-in called name"),
    TEXT(name, "name of a built-in; for your own code, the file name that errors show",
         .default_how = "payoff.c"),
    UINT32(loop_budget, "iterations that loops without a proved end may take in one call",
           .range = FROM(1, UINT32_MAX), .default_value = BAILEY_PAYOFF_LOOP_BUDGET),
};
RECORD(payoff, "The code of a payoff or of level functions.", payoff);
#undef STRUCT

#define STRUCT bailey_describe_params
static const bailey_field describe_params[] = {
    UINT32(dims, "number of dimensions of the path", .default_how = "as the code says, else 1"),
    UINT64(steps, "number of steps of the path", .default_how = "as the code says, else 1"),
    UINT32(motion_depth, "depth of the motion", .range = FROM(1, BAILEY_MOTION_MAX_DEPTH),
           .default_how = "as the code says"),
    CHOICE(precision, "precision of path and payoff", PRECISIONS),
};
RECORD(describe_params, "The sizes for which code is described.", describe_params);
#undef STRUCT

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
           .default_how = "one, with the parameters as they are set"),
    UINT32(columns, "number of parameters that differ between scenarios"),
    TEXTS(names, "[columns]", "names of these parameters, such as spot[1]"),
    REALS(values, "[count][columns]", "values of these parameters"),
    REALS(time_shift, "[count]", "shift of all times", .default_how = "0 each"),
    REALS(covariance, "[count][dims][dims]", "covariance of the paths per unit of time",
          .default_how = "the simulation's"),
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
    FLAG(antithetic, "follows each path by its mirror image; a sample is the mean of both"),
    REALS(expected, "[results]",
          "known expectations of results that serve as control variates; NaN for the others", .nan = 1,
          .default_how = "no control variates"),
    NESTED(scenarios, scenarios, "sets of parameters that are priced on the same paths"),
    FLAG(moments, "also estimates skewness, kurtosis, minimum and maximum"),
    BUFFER(samples, "receives all results of all paths, [results][replicates][paths]", .output = 1),
    NESTED(histogram, histogram, "histogram of one result"),
    REALS(covariance, "[results][results]", "receives the covariance between results", .output = 1),
    CHOICE(sum, "how the outputs of paths are added up", SUMS),
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
    CHOICE(kind, "which call of the payoff it is", MOMENT_KINDS),
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

#define STRUCT bailey_greeks_params
static const bailey_field greeks_params[] = {
    TEXTS(spots, "[spot_count]", "names of the parameters that are spot prices"),
    UINT32(spot_count, "number of spots", .range = FROM(0, BLY_GREEKS_MOST_NAMES)),
    TEXTS(volatilities, "[volatility_count]", "names of the parameters that are volatilities or variances"),
    UINT32(volatility_count, "number of volatilities", .range = FROM(0, BLY_GREEKS_MOST_NAMES)),
    TEXT(rate, "name of the parameter that is the rate", .default_how = "no rho"),
    FLAG(theta, "also estimates theta, the derivative with respect to today's date"),
    FLAG(correlation, "also estimates the derivatives with respect to correlations"),
    FLAG(cross, "also estimates cross gammas"),
    UINT32(output, "index of the output whose derivatives are estimated",
           .range = FROM(0, BAILEY_SIMULATION_MAX_OUTPUTS - 1)),
    CHOICE(method, "method of estimation", GREEK_METHODS),
    REAL(spot_bump, "bump of spots, relative", .range = FROM_BELOW(0, 1),
         .default_how = "chosen by volatility and time"),
    REAL(volatility_bump, "bump of volatilities, relative", .range = FROM_BELOW(0, 1),
         .default_value = BLY_GREEKS_VOLATILITY_BUMP),
    REAL(rate_bump, "bump of the rate", .range = FROM_BELOW(0, 1), .default_value = BLY_GREEKS_RATE_BUMP),
    REAL(time_bump, "bump of the times", .unit = "years", .range = NOT_NEGATIVE,
         .default_how = "1 / 365, or half the time to the first one"),
    REAL(correlation_bump, "bump of correlations", .range = FROM_BELOW(0, 2),
         .default_value = BLY_GREEKS_CORRELATION_BUMP),
};
RECORD(greeks_params, "Which Greeks are estimated, and how.", greeks_params);
#undef STRUCT

#define STRUCT bailey_greek_estimate
static const bailey_field greek_estimate[] = {
    CHOICE(kind, "which derivative it is", GREEK_KINDS),
    UINT32(first, "index of the spot, volatility or dimension"),
    UINT32(second, "index of the second one, of a mixed derivative"),
    REAL(mean, "estimate of the derivative"),
    REAL(standard_error, "standard error of the estimate", .nan = 1),
    REAL(bump, "bump that was used; 0 where there was none"),
};
RESULT(greek_estimate, "A derivative of the price.", greek_estimate);
#undef STRUCT
