/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Early exercise of any payoff: payoff code with a function `exercise` is priced under an exercise policy
 * that is estimated by regression.
 *
 *     bailey_simulation *s, *policy; // of code with `exercise`, and with its parameters set
 *     const bailey_exercise_params params = {.source = {.seed = 1, .stream = 1}};
 *     bailey_exercise_result result;
 *     bailey_exercise_find(s, &params, &result, &policy);
 *     bailey_simulation_run(policy, &run, &lower); // a lower bound of the price
 *     bailey_exercise_bounds bounds;
 *     bailey_exercise_bound(policy, &(bailey_exercise_bounds_params){0}, &bounds); // both bounds, and an interval
 *     bailey_simulation_destroy(policy);
 *
 * bailey_exercise_price prices many deals of the same code, each under its own policy, in shared launches.
 * docs/exercise.md explains the code and the method.
 */
#ifndef BAILEY_EXERCISE_H
#define BAILEY_EXERCISE_H

#include <bailey/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAILEY_EXERCISE_MAX_DATES 4096u
#define BAILEY_EXERCISE_MAX_FUNCTIONS 15u /* of the regression, the constant included */

typedef struct bailey_exercise_params {
    uint64_t paths; /* that determine the policy, at least 2; 0 means 65536 */
    /* Steps from one exercise date to the next, counted back from the last step, which is always one; 0 means
     * 1. For a product whose model has steps between its dates, dates are counted. There are at most
     * BAILEY_EXERCISE_MAX_DATES exercise dates. */
    uint32_t every;
    /* For the policy's paths; not of kind POINT. Runs of the policy must be on other paths: with another seed
     * or stream. */
    bailey_source source;
    bailey_normal_params normal; /* its precision is that of the path */
    /* Bytes on the device for states of the policy's paths at exercise dates; 0: 2^30, or a quarter of the
     * device's memory if that is less. If they do not fit, parts of these paths are simulated again, with the
     * same bits. The fewest states that work may exceed `memory`. */
    uint64_t memory;
    /* 1: also estimates, by a second regression at each date, the value of paths that cannot exercise:
     * bailey_exercise_bound needs it where inner paths end before the last date. The policy is the same. */
    uint32_t outside;
    bailey_progress progress; /* may be NULL; counts the policy's paths once for each date */
    void *progress_user;
    uint64_t reserved[4];
} bailey_exercise_params;

typedef struct bailey_exercise_result {
    /* The value of the policy on the paths that determined it, and its standard error. It may be too low
     * because the policy is not optimal, or too high because it was fitted to these paths. */
    double in_sample, in_sample_standard_error;
    /* The largest condition number of the regressions: of the correlation matrix of the functions in use, in
     * the 1-norm. 0 if there was none. */
    double condition;
    uint32_t dates;       /* at which exercise is possible */
    uint32_t regressions; /* dates before the last on which enough paths could exercise for a regression; the
                           * policy does not exercise on others */
    uint32_t functions;   /* of the regression, the constant included: see bailey_exercise_function */
    uint32_t least_used;  /* the fewest of them that a regression used: others were combinations of these */
    uint64_t reserved[4];
} bailey_exercise_result;

/* Estimates an exercise policy for a payoff whose code has
 *
 *     real exercise(const state *s, const params *p, real t); // what exercise at time t pays, discounted
 *     void regress(const state *s, const params *p, real f[3]); // optional: functions of the regression
 *
 * and creates the simulation of the payoff under it. Waits for the result.
 *
 * On an exercise date, after `step`, a path can exercise if `exercise` is not 0. It then pays that instead of
 * out[0] of `finish`, and ends: other outputs are those of `finish` for the state on that date. Exercise
 * maximises the value. For a right of the issuer, let the code count what the issuer receives.
 *
 * The policy is that of F. Longstaff and E. Schwartz, "Valuing American options by simulation: a simple
 * least-squares approach", Review of Financial Studies 14 (2001). Backwards from the last date, a regression
 * of later payoffs on the paths that can exercise estimates the continuation value. Its functions are the
 * constant and those of `regress`; without it the exercise value, its square and cube, the numbers of the
 * state, their squares and their products, as far as there is room. A function that is nearly a combination
 * of others on these paths, or constant, is left out.
 *
 * *policy is an ordinary simulation of the same path, with its own copies of the parameters, whose policy is
 * fixed: runs, scenarios, Greeks, gradients and jobs of it are those of a payoff. The mean of its first output
 * is a lower bound of the price if its paths are not those of `params->source`. It has one parameter more,
 * bailey_coefficient. Destroy it with bailey_simulation_destroy; the given simulation does not change.
 *
 * Returns: OK, ERROR_INVALID (the message names argument and limit; also of code without `exercise`),
 * ERROR_PAYOFF, ERROR_UNSUPPORTED (a device without double precision or without a run-time compiler),
 * ERROR_BUILD, ERROR_MEMORY, ERROR_CANCELLED, ERROR_DRIVER. *result is written, and *policy not NULL, only if
 * OK is returned. A policy that never exercises before the last date, since no path could, is a warning
 * (bailey_warning_set).
 * Threads: as the context.
 * Results: exact: the same bits on every device, whatever the number of threads and `memory`. Sums are trees
 * as in bailey_simulation_run; regressions are plain IEEE operations in a fixed order. */
BAILEY_API bailey_status bailey_exercise_find(bailey_simulation *simulation,
                                              const bailey_exercise_params *params,
                                              bailey_exercise_result *result, bailey_simulation **policy);

/* Prices many deals, which differ in parameters alone: each scenario of `run` under its own policy. It is
 * bailey_exercise_find with the parameters of each, on the same paths, and then one run of all scenarios, each
 * with its policy. The deals share the launches of both: as many at a time as `memory` holds the states of, one
 * after the other where states of one do not fit, or where the code may fail as it runs.
 *
 * results[i] is the policy of scenario i, estimates those of bailey_simulation_run with `run`: output o of
 * scenario i is number i * outputs + o, unless there are weights. Scenarios cannot move paths (time_shift,
 * covariance), and params->outside is 0, as no policy is kept for bounds.
 *
 * Returns: as bailey_exercise_find and bailey_simulation_run. *results and *estimates are written only if OK is
 * returned.
 * Threads: as the context.
 * Results: exact: the same bits on every device, and those of each deal alone, whatever `memory` is. */
BAILEY_API bailey_status bailey_exercise_price(bailey_simulation *simulation,
                                               const bailey_exercise_params *params,
                                               const bailey_simulation_run_params *run,
                                               bailey_exercise_result *results, bailey_estimate *estimates);

/* The regression function with the given number, from 0, the constant, of a simulation from
 * bailey_exercise_find, or of one that bailey_exercise_price has priced: "1", "exercise", "price[0]^2",
 * "regress[0]". NULL beyond the last. Valid as long as the simulation.
 * Threads: any. */
BAILEY_API const char *bailey_exercise_function(const bailey_simulation *policy, size_t index);

typedef struct bailey_exercise_bounds_params {
    uint64_t paths;       /* of the lower bound, at least 2; 0 means BAILEY_SIMULATION_PATHS */
    uint64_t outer_paths; /* of the upper bound, at least 2; 0 means 500 */
    uint64_t inner_paths; /* antithetic pairs from each date of an outer path, 2 to 2^20; 0 means 128 */
    /* Dates that inner paths go on for, at least 1; 0 means 2. Where that is before the last date, they end
     * with the value that the regression estimates: this needs bailey_exercise_params.outside. */
    uint32_t horizon;
    uint32_t antithetic; /* 1: antithetic pairs for the lower bound too */
    double today;        /* what exercise today pays; 0: it is not possible */
    /* Not of kind POINT, and of other paths than the policy's. Uses at most 1 + 2 outer_paths streams,
     * starting at its own. */
    bailey_source source;
    bailey_normal_params normal; /* its precision is that of the path */
    bailey_progress progress;    /* may be NULL; counts steps of paths of all kinds from date to date */
    void *progress_user;
    uint64_t reserved[4];
} bailey_exercise_bounds_params;

typedef struct bailey_exercise_bounds {
    double lower, lower_standard_error; /* the value of the policy; its standard error */
    double upper, upper_standard_error;
    /* A 95 % interval: both bounds, and therefore the price, lie between lower - 1.96 lower_standard_error
     * and upper + 1.96 upper_standard_error with a probability of 95 % or more. interval_low is at least
     * `today`. */
    double interval_low, interval_high;
    /* The midpoint of the two bounds. Its standard error covers the gap between them (half of it in units of
     * 1.96 standard errors) and the larger of the bounds' standard errors, so price +- 1.96 standard_error
     * contains the whole interval. */
    double price, standard_error;
    /* 1 if `today` is worth at least the policy in sample: lower is then `today`, without error. */
    uint32_t exercise_now;
    uint64_t paths; /* simulated, of all kinds; of antithetic pairs, pairs */
    uint64_t reserved[4];
} bailey_exercise_bounds;

/* Bounds of the price from the simulation of a payoff under a policy (bailey_exercise_find), at its current
 * parameters. Waits for the result.
 *
 * The lower bound is the mean of its first output: where the simulation's construction is a walk, with the bits
 * of bailey_simulation_run from the same source and paths.
 *
 * The upper bound is the dual bound of L. Andersen and M. Broadie, "Primal-dual simulation algorithm for
 * pricing multidimensional American options", Management Science 50 (2004): the mean over outer paths of the
 * largest excess of exercise over a martingale. Its increments are those of the value of a strategy, and inner
 * paths from each date estimate them without bias, so that their noise raises the bound. The strategy follows
 * the policy for `horizon` dates and then receives the continuation value that the regression estimates. So the
 * work grows in proportion to dates times inner paths times horizon; with a horizon of all dates the bound is
 * that of Andersen and Broadie. A longer horizon, more inner paths or a better policy tighten it.
 *
 * Inner paths continue from states of outer paths by independent increments, so all paths are made as a walk.
 *
 * Returns: OK, ERROR_INVALID (the message names argument and limit; a simulation that is not under a policy;
 * paths with a fixed end), ERROR_PAYOFF, ERROR_UNSUPPORTED (paths of more than 64 dimensions), ERROR_BUILD,
 * ERROR_MEMORY, ERROR_CANCELLED, ERROR_DRIVER. *bounds is written only if OK is returned.
 * Threads: as the context.
 * Results: exact: the same bits on every device. Sums over outer and inner paths are in double and in a fixed
 * order. */
BAILEY_API bailey_status bailey_exercise_bound(bailey_simulation *policy,
                                               const bailey_exercise_bounds_params *params,
                                               bailey_exercise_bounds *bounds);

#ifdef __cplusplus
}
#endif

#endif
