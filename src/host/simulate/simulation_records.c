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
    TEXT(code, "of one's own", .default_how = "the built-in called name"),
    TEXT(name, "of a built-in; of one's own code the file name in errors", .default_how = "payoff.c"),
    UINT32(loop_budget, "trips that loops without a proved end may take together in a call",
           .default_value = BAILEY_PAYOFF_LOOP_BUDGET),
};
RECORD(payoff, "The code of a payoff or of level functions.", payoff);
#undef STRUCT

#define STRUCT bailey_describe_params
static const bailey_field describe_params[] = {
    UINT32(dims, "dimensions of the path", .default_how = "as the code says, else 1"),
    UINT64(steps, "of the path", .default_how = "as the code says, else 1"),
    UINT32(motion_depth, "of a motion", .range = FROM(1, BAILEY_MOTION_MAX_DEPTH),
           .default_how = "as the code says"),
    CHOICE(precision, "of path and payoff", PRECISIONS),
};
RECORD(describe_params, "Sizes that code is read for.", describe_params);
#undef STRUCT

#define STRUCT bailey_simulation_params
static const bailey_field simulation_params[] = {
    NESTED(path, bridge_params, "times, dimensions, covariance, construction and precision"),
    NESTED(payoff, payoff, "what a path pays"),
    UINT32(motion_depth, "the path is a motion that is known at 2^motion_depth ticks",
           .range = FROM(1, BAILEY_MOTION_MAX_DEPTH), .default_how = "a path of the steps above"),
    UINT64(planned_paths, "that all runs together are going to take", .default_how = "not known"),
};
RECORD(simulation_params, "A payoff and its paths.", simulation_params);
#undef STRUCT

#define STRUCT bailey_histogram
static const bailey_field histogram_fields[] = {
    REAL(low, "beginning of the first bin"),
    REAL(high, "end of the last bin"),
    UINT32(bins, "of equal width", .range = FROM(1, 65536), .default_how = "no histogram"),
    UINT32(output, "result that is counted"),
    UINT64S(counts, "[bins + 2]", "below low, of each bin, from high on", .output = 1),
};
RECORD(histogram, "Counts of a result in equal bins.", histogram_fields);
#undef STRUCT

#define STRUCT bailey_scenarios
static const bailey_field scenarios_fields[] = {
    UINT64(count, "of scenarios", .range = FROM(1, 1048576),
           .default_how = "one, of the parameters as they are set"),
    UINT32(columns, "parameters that differ"),
    TEXTS(names, "[columns]", "of these parameters, as spot[1]"),
    REALS(values, "[count][columns]", "of these parameters"),
    REALS(time_shift, "[count]", "by which all times are later", .default_how = "0 each"),
    REALS(covariance, "[count][dims][dims]", "of the paths, per unit of time",
          .default_how = "the simulation's"),
    UINT32(rows, "sums of weighted results", .range = FROM(1, 65536),
           .default_how = "the results themselves"),
    REALS(weights, "[rows][count * outputs]", "of the results in each sum"),
    REALS(scores, "[rows][1 + dims + dims * dims]", "by which rows are multiplied, for likelihood ratios",
          .default_how = "none"),
};
RECORD(scenarios, "Sets of parameters that are valued on the same paths.", scenarios_fields);
#undef STRUCT

#define STRUCT bailey_simulation_run_params
static const bailey_field run_params[] = {
    NESTED(source, source, "of random numbers or points; replicate r draws from stream + r"),
    NESTED(normal, normal_params, "how normals are made; its precision is that of the simulation"),
    UINT64(first_path, "index of the first path", .range = FROM(0, 0x1p63)),
    UINT64(paths, "of each replicate", .needed = 1, .range = FROM(1, 0x1p63)),
    UINT64(replicates, "independent runs that are averaged",
           .range = FROM(1, BAILEY_SIMULATION_MAX_REPLICATES), .default_value = 1),
    FLAG(antithetic, "each path is followed by its mirror image, and is the mean of both"),
    REALS(expected, "[results]", "known expectations of results that are control variates, NaN of others",
          .nan = 1, .default_how = "no control variates"),
    NESTED(scenarios, scenarios, "sets of parameters that are valued on the same paths"),
    FLAG(moments, "also skewness, kurtosis, minimum and maximum"),
    BUFFER(samples, "all results of all paths, [results][replicates][paths]", .output = 1),
    NESTED(histogram, histogram, "of one result"),
    REALS(covariance, "[results][results]", "between the results of a path", .output = 1),
    CHOICE(sum, "how the outputs of paths are added up", SUMS),
    REAL(sum_limit, "largest magnitude of an output, for fixed sums",
         .range = FROM(1 / BLY_SUM_LIMIT, BLY_SUM_LIMIT), .default_how = "none"),
    FUNCTION(progress, "called now and then with the paths that are done"),
    USER(progress_user, "handed to progress"),
};
RECORD(simulation_run_params, "A run of a simulation.", run_params);
#undef STRUCT

#define STRUCT bailey_estimate
static const bailey_field estimate_fields[] = {
    REAL(mean, "of all paths"),
    REAL(standard_error, "of the mean", .nan = 1),
    REAL(controlled, "mean with control variates"),
    REAL(controlled_standard_error, "of that", .nan = 1),
    REAL(interval_low, "the expectation lies above it with 97.5 %", .nan = 1),
    REAL(interval_high, "and below this", .nan = 1),
    REAL(variance, "over all paths", .nan = 1),
    REAL(skewness, "with moments", .nan = 1),
    REAL(kurtosis, "beyond a normal number's 3, with moments", .nan = 1),
    REAL(minimum, "with moments", .nan = 1),
    REAL(maximum, "with moments", .nan = 1),
    UINT64(paths, "of all replicates"),
};
RESULT(estimate, "What a run says of one result.", estimate_fields);
#undef STRUCT

#define STRUCT bailey_moment
static const bailey_field moment_fields[] = {
    CHOICE(kind, "of moment", MOMENT_KINDS),
    UINT64(step, "of the path; of a motion the tick"),
    REAL(time, "of the step or tick"),
    UINT32(dimension, "of a motion, that is asked for"),
    REALS(x, "[dims]", "the path's point"),
    REALS(state, "[numbers]", "of the payoff, after the step", .nan = 1),
    REALS(outputs, "[outputs]", "of the payoff, at the end"),
    TEXT(fault, "what failed here, with its place in the code"),
};
RESULT(moment, "What a path comes to, step by step.", moment_fields);
#undef STRUCT

#define STRUCT bailey_greeks_params
static const bailey_field greeks_params[] = {
    TEXTS(spots, "[spot_count]", "parameters that are prices today"),
    UINT32(spot_count, "of them", .range = FROM(0, BLY_GREEKS_MOST_NAMES)),
    TEXTS(volatilities, "[volatility_count]", "parameters that are volatilities or variances"),
    UINT32(volatility_count, "of them", .range = FROM(0, BLY_GREEKS_MOST_NAMES)),
    TEXT(rate, "parameter that is the rate", .default_how = "no rho"),
    FLAG(theta, "also the derivative by today's date"),
    FLAG(correlation, "also derivatives by correlations"),
    FLAG(cross, "also cross gammas"),
    UINT32(output, "of the payoff, that is derived", .range = FROM(0, BAILEY_SIMULATION_MAX_OUTPUTS - 1)),
    CHOICE(method, "of estimating", GREEK_METHODS),
    REAL(spot_bump, "relative to the spot", .range = FROM_BELOW(0, 1),
         .default_how = "by volatility and time"),
    REAL(volatility_bump, "relative to the volatility", .range = FROM_BELOW(0, 1),
         .default_value = BLY_GREEKS_VOLATILITY_BUMP),
    REAL(rate_bump, "of the rate", .range = FROM_BELOW(0, 1), .default_value = BLY_GREEKS_RATE_BUMP),
    REAL(time_bump, "of the times", .unit = "years", .range = NOT_NEGATIVE,
         .default_how = "1 / 365, or half the time to the first one"),
    REAL(correlation_bump, "of correlations", .range = FROM_BELOW(0, 2),
         .default_value = BLY_GREEKS_CORRELATION_BUMP),
};
RECORD(greeks_params, "Which derivatives are estimated.", greeks_params);
#undef STRUCT

#define STRUCT bailey_greek_estimate
static const bailey_field greek_estimate[] = {
    CHOICE(kind, "of derivative", GREEK_KINDS),
    UINT32(first, "spot, volatility or dimension by which it is taken"),
    UINT32(second, "likewise, of mixed ones"),
    REAL(mean, "estimate of it"),
    REAL(standard_error, "of that", .nan = 1),
    REAL(bump, "as used; 0 of what is no difference"),
};
RESULT(greek_estimate, "A derivative of the price.", greek_estimate);
#undef STRUCT
