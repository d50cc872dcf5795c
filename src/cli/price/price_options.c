/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The options of `bailey price`, one table for all products, each of which refuses those that mean nothing to
 * it (price_model.c); and the settings of the run.
 */
#include "price.h"

#include <bailey/exercise.h>
#include <bailey/job.h>
#include <bailey/simulation.h>

#include <cli/options/options.h>

/* Those that say what is priced and how are keys of `bailey batch` too. */
/* clang-format off */
#define PRICE_OPTIONS(type_row)                                                                              \
    HEADING("The deal:"),                                                                                    \
    type_row,                                                                                                \
    OPTION("--model", "NAME|FILE",                                                                           \
     "price the product under this model: a built-in one, or a file with its code; see docs/models.md"),     \
    OPTION("--set", "NAME=VALUE[,...]",                                                                            \
     "set a parameter by name; may be repeated. One number fills an array; @FILE has the numbers of a CSV file"),                    \
    OPTION("--assets", "FILE", "basket: CSV with the header row name, spot, volatility, dividend, weight"),       \
    OPTION("--correlation", "FILE|RHO",                                                                            \
     "CSV file with one row and column per asset, or one number for every pair; default: independent"),   \
    FIELD(bridge_params, dims, "--dims", .value = "D",                                                       \
          .help = "number of dimensions of the path, if neither product nor files give it"),                 \
    HEADING("Times:"),                                                                               \
    FIELD(bridge_params, steps, "--steps",                                                                   \
          .help = "number of equally spaced times up to the maturity; the default depends on the product"),  \
    FIELD(payoff, substeps, "--substeps", .value = "N",                                                      \
          .help = "with a model that discretises: its steps from each time to the next"),                   \
    OPTION("--maturity", "T", "time to maturity in years, default 1"),                                       \
    OPTION("--times", "FILE", "alternatively, your own times: one date (YYYY-MM-DD) or number of years per line", \
           .before = "--fixings"),                                                                           \
    OPTION("--valuation", "DATE", "today's date, from which dates are counted, actual / 365 fixed"),                \
    FIELD(simulation_params, motion_depth, "--motion-depth", .before = "--levels",                           \
          .help = "make the path a Brownian motion of 2^N ticks, for a payoff that asks for any of them"),   \
    HEADING("Simulation:"),                                                                          \
    FIELD(simulation_run_params, paths, "--paths", .value = "P",                                             \
          .help = "number of paths per replicate; with --target-error the maximum, by default 2^30"),        \
    FIELD(simulation_run_params, replicates, "--replicates", .value = "R",                                   \
          .help = "number of independent prices to average, from consecutive streams; the standard error "   \
                  "then comes from their spread. With points, use 16 or more"),                              \
    FIELD(job_params, target_error, "--target-error", .value = "E",                                          \
          .help = "run until the standard error, of a discretised model with its bias, is at most E: 16384 "  \
                  "paths, then twice as many, ..."),                                                         \
    SOURCE_OPTIONS,                                                                                          \
    FIELD(normal_params, method, "--normal", .only = "icdf box-muller"),                                              \
    FIELD(simulation_run_params, antithetic, "--antithetic"),                                                \
    OPTION("--control", "NAME=EXPECTED[,...]",                                                                     \
     "use outputs whose mean is known as control variates for the others; by default those that the payoff or product has; none: without"), \
    OPTION("--scenarios", "FILE",                                                                                  \
     "CSV with a header row of parameters, name and time_shift; price each row on the same paths"),       \
    OPTION("--greeks", NULL, "estimate delta, gamma, vega, volga, vanna, rho, theta, cross gammas and correlations"),  \
    FIELD(greeks_params, method, "--greeks-method"),                                                          \
    OPTION("--likelihood", NULL, "with --greeks: use likelihood ratios for delta, gamma and theta, for payoffs that jump"), \
    OPTION("--gradient", NULL, "estimate the derivatives with respect to all real parameters, in one run"),              \
    OPTION("--by", "NAME[,NAME...]", "with --gradient: only with respect to these parameters"),                \
    FIELD(gradient_params, covariance, "--by-covariance",                                                    \
          .help = "with --gradient: also with respect to the covariance of the path"),                       \
    FIELD(gradient_params, time, "--by-time",                                                                \
          .help = "with --gradient: also with respect to the time at which paths begin"),                    \
    OPTION("--directions", "NAME[,NAME...]",                                                                 \
           "with --gradient: also the second derivatives with respect to each of these and all others"),     \
    FIELD(gradient_params, width, "--width", .value = "W",                                                    \
          .help = "for gradients: half of the interval over which a jump of the payoff is spread"),        \
    OPTION("--widths", "W[,W...]",                                                                           \
           "with --gradient: a width for each comparison that jumps, in the order of the code"),             \
    OPTION("--output", "NAME", "with --gradient: the output to differentiate; default the price"),           \
    OPTION("--weights", "W[,W...]",                                                                          \
           "with --gradient: differentiate the sum of all outputs times these instead"),                     \
    FIELD(bridge_params, construction, "--construction"),                                                    \
    OPTION("--order", "NAME|FILE", "construction order of a bridge, as in 'bailey paths --help'; default bisection"),              \
    FIELD(normal_params, precision, "--precision", .help = "precision of paths and payoffs"),                             \
    WORD_BITS_OPTION,                                                                                        \
    FIELD(normal_params, numerics, "--numerics"),                                                               \
    FIELD(simulation_run_params, sum, "--sum"),                                                              \
    FIELD(simulation_run_params, sum_limit, "--sum-limit",                                                   \
          .help = "with --sum fixed: the largest magnitude that an output may have"),                        \
    HEADING("Points (--generator sobol); path N is point N; use 2^m paths:"),                                \
    PATH_POINT_OPTIONS,                                                                                      \
    HEADING("Device and output:"),                                                                           \
    OPTION("--device", "D[,D...]",                                                                                 \
     OPTION_DEVICE_HELP ". Several devices, such as cuda:0,cuda:1,cpu, share the paths according to their speed"), \
    THREADS_OPTION,                                                                                          \
    FIELD(job_params, checkpoint, "--checkpoint", .value = "FILE",                                           \
          .help = "save a long run to this file; the same command resumes from it, with the same bits"),     \
    FIELD(job_params, checkpoint_seconds, "--checkpoint-seconds", .value = "S",                              \
          .before = "--checkpoint-every"),                                                                   \
    OPTION("--outputs", "NAME[,NAME...]", "names of the outputs in the report"),               \
    OPTION("--save-outputs", "FILE",                                                                         \
           "write all outputs of all paths as .npy, an array [output][replicate][path], or .csv, one line per path", \
           .before = "--samples"),                                                                           \
    OPTION("--explain", "PATH",                                                                                    \
     "instead of a price, show path number PATH of the run step by step: times, x, state and outputs"),   \
    OPTION("--derivative-code", NULL,                                                                        \
     "instead of a price, print the code that computes its derivatives, in the payoff language"),         \
    OPTION("--json", NULL, "print the report as JSON")
/* clang-format on */

#define SIGN_OPTION OPTION("--type", "call|put", "call or put, the parameter sign; default call")

const struct option price_options[] = {PRICE_OPTIONS(SIGN_OPTION), OPTIONS_END};

const struct option price_payoff_options[] = {
    PRICE_OPTIONS(SIGN_OPTION),
    HEADING("Your own payoff:"),
    OPTION("--payoff", "FILE", "file with its code, in C"),
    OPTION("--increments", NULL, "x[] holds each step's increment divided by its length instead of the path"),
    FIELD(payoff, loop_budget, "--loop-budget",
          .help = "iterations that loops without a proved end may take in one call"),
    OPTION("--payoff-template", NULL, "print commented code to start from, and exit"),
    HEADING("Early exercise:"),
    FIELD(exercise_params, every, "--exercise-every",
          .help = "with exercise: number of steps from one exercise date to the next; the last step is one"),
    FIELD(exercise_params, paths, "--policy-paths", .value = "P",
          .help = "with exercise: number of other paths, from which the exercise policy is estimated"),
    FIELD(exercise_params, memory, "--memory", .value = "B",
          .help = "with exercise: bytes on the device for states of those paths"),
    FIELD(exercise_bounds_params, outer_paths, "--outer-paths", .value = "P",
          .help = "with exercise: number of outer paths of the upper bound"),
    FIELD(exercise_bounds_params, inner_paths, "--inner-paths", .value = "P",
          .help = "with exercise: number of antithetic pairs of inner paths from each date of an outer path"),
    FIELD(exercise_bounds_params, horizon, "--horizon", .value = "N",
          .help = "with exercise: number of exercise dates that inner paths go on for"),
    OPTION("--lower-only", NULL, "with exercise: omit the upper bound, and its outer and inner paths"),
    OPTIONS_END,
};

const struct option price_american_options[] = {
    PRICE_OPTIONS(FIELD(american_params, type, "--type")),
    HEADING("The option:"),
    FIELD(american_params, spot, "--spot", .value = "S[,S...]",
          .help = "spot prices, one number or one per asset"),
    FIELD(american_params, strike, "--strike", .value = "K"),
    FIELD(american_params, rate, "--rate", .value = "R",
          .help = "rate, continuously compounded, 0.03 for 3 %"),
    FIELD(american_params, volatility, "--volatility", .value = "V[,V...]",
          .help = "volatilities, 0.2 for 20 %"),
    FIELD(american_params, dividend, "--dividend", .value = "Q[,Q...]"),
    FIELD(american_params, basis_functions, "--basis-functions", .before = "--functions"),
    FIELD(american_params, policy_paths, "--policy-paths", .value = "P",
          .help = "number of paths that determine the policy at each exercise time"),
    FIELD(american_params, outer_paths, "--outer-paths", .value = "P"),
    FIELD(american_params, inner_paths, "--inner-paths", .value = "P",
          .help = "number of antithetic pairs of inner paths from each time of an outer path"),
    FIELD(american_params, lower_only, "--lower-only"),
    FIELD(american_params, memory, "--memory", .value = "B"),
    OPTIONS_END,
};

static int check_target(const struct arguments *a, const struct price_settings *s)
{
    if (!a->value[TARGET_ERROR]) return CLI_OK;
    if (!(s->target > 0))
        return cli_error(CLI_USAGE, "--target-error: %s is not positive", a->value[TARGET_ERROR]);
    if (source_is_points(&s->run.source) && s->run.replicates == 1)
        return cli_error(CLI_USAGE, "--target-error: points of one replicate have no standard error; see "
                                    "--replicates");
    return CLI_OK;
}

static int check_sum(const struct arguments *a, const struct price_settings *s)
{
    if (s->run.sum == BAILEY_SUM_FIXED && !a->value[SUM_LIMIT])
        return cli_error(CLI_USAGE, "--sum fixed needs --sum-limit, the largest magnitude of an output");
    if (s->run.sum != BAILEY_SUM_FIXED && a->value[SUM_LIMIT])
        return cli_error(CLI_USAGE, "--sum-limit needs --sum fixed");
    return CLI_OK;
}

int price_settings_read(const struct arguments *a, struct price_settings *s)
{
    bailey_job_params job = {0};
    int code;
    *s = (struct price_settings){.run = {.replicates = 1}};
    if ((code = options_read_fields(a, "simulation_run_params", &s->run)) ||
        (code = options_read_fields(a, "job_params", &job)) ||
        (code = source_read(a, &s->run.source, &s->run.normal)))
        return code;
    s->target = job.target_error;
    if (!a->value[PATHS])
        s->run.paths = a->value[TARGET_ERROR] ? BAILEY_JOB_MOST_PATHS : BAILEY_SIMULATION_PATHS;
    if (s->run.paths < 2)
        return cli_error(CLI_USAGE, "--paths: 1 is too few for a standard error; use 2 or more");
    code = check_sum(a, s);
    return code ? code : check_target(a, s);
}

int price_correlation(const struct arguments *a, const char *const *names, uint64_t *dims, double **matrix)
{
    uint64_t rows;
    const int code = correlation_read(a, CORRELATION, *dims ? names : NULL, *dims, *dims, matrix, &rows);
    if (code || !*matrix) return code;
    if (*dims && rows != *dims)
        return cli_error(CLI_USAGE, "--correlation: %s has %u rows, %s has %u %s",
                         option_numbers(a, CORRELATION) ? "the array" : a->value[CORRELATION], (unsigned)rows,
                         a->value[ASSETS] ? "--assets" : "the path", (unsigned)*dims,
                         a->value[ASSETS] ? "assets" : "dimensions");
    *dims = rows;
    return CLI_OK;
}

int price_progress(void *user, uint64_t done, uint64_t total)
{
    cli_progress_update(user, done, total);
    return 0;
}
