/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The options of `bailey price`, one table for all products, each of which refuses those that mean nothing to
 * it (price_model.c); and the settings of the run.
 */
#include "price.h"

#include <bailey/job.h>
#include <bailey/simulation.h>

#include <cli/options/options.h>

/* Those that say what is priced and how are keys of `bailey batch` too. */
/* clang-format off */
#define PRICE_OPTIONS(type_row)                                                                              \
    HEADING("The deal:"),                                                                                    \
    type_row,                                                                                                \
    OPTION("--set", "NAME=VALUE[,...]",                                                                            \
     "any parameter by its name; may be given many times. One number fills an array"),                    \
    OPTION("--assets", "FILE", "a basket: CSV with a heading: name, spot, volatility, dividend, weight"),       \
    OPTION("--correlation", "FILE|RHO",                                                                            \
     "CSV, a row and a column for each asset; or the number that each two have; default: independent"),   \
    FIELD(bridge_params, dims, "--dims", .value = "D",                                                       \
          .help = "dimensions of the path, where neither product nor files say it"),                         \
    HEADING("Times:"),                                                                               \
    FIELD(bridge_params, steps, "--steps",                                                                   \
          .help = "equidistant times, the last is the maturity; the default is the product's"),              \
    OPTION("--maturity", "T", "in years, default 1"),                                                        \
    OPTION("--times", "FILE", "or your own times: one date (YYYY-MM-DD) or number of years per line",        \
           .before = "--fixings"),                                                                           \
    OPTION("--valuation", "DATE", "today, from which dates are counted, actual / 365 fixed"),                \
    FIELD(simulation_params, motion_depth, "--motion-depth", .before = "--levels",                           \
          .help = "the path is a motion, for a payoff that asks it for any of 2^N ticks"),                   \
    HEADING("Simulation:"),                                                                          \
    FIELD(simulation_run_params, paths, "--paths", .value = "P",                                             \
          .help = "of each replicate; with --target-error the most, by default 2^30"),                       \
    FIELD(simulation_run_params, replicates, "--replicates", .value = "R",                                   \
          .help = "how many independent prices are averaged, from consecutive streams; the standard error "  \
                  "is then that of their spread. Take 16 or more of points"),                                \
    FIELD(job_params, target_error, "--target-error", .value = "E",                                          \
          .help = "runs as many paths as a standard error of at most E takes: 16384, then twice as many, ..."), \
    SOURCE_OPTIONS,                                                                                          \
    FIELD(normal_params, method, "--normal", .only = "icdf box-muller"),                                              \
    FIELD(simulation_run_params, antithetic, "--antithetic"),                                                \
    OPTION("--control", "NAME=EXPECTED[,...]",                                                                     \
     "outputs whose expected value is known: control variates of the others"),                            \
    OPTION("--scenarios", "FILE",                                                                                  \
     "CSV with a heading of parameters, and name and time_shift: values each row on the same paths"),     \
    OPTION("--greeks", NULL, "also delta, gamma, vega, volga, vanna, rho, theta, cross gammas, correlations"),  \
    OPTION("--likelihood", NULL, "deltas, gammas, theta of --greeks by likelihood ratios, where a payoff jumps"), \
    FIELD(bridge_params, construction, "--construction"),                                                    \
    OPTION("--order", "NAME|FILE", "of a bridge, as in 'bailey paths --help'; default bisection"),              \
    FIELD(normal_params, precision, "--precision", .help = "of paths and payoffs"),                             \
    WORD_BITS_OPTION,                                                                                        \
    FIELD(normal_params, numerics, "--numerics"),                                                               \
    FIELD(simulation_run_params, sum, "--sum"),                                                              \
    FIELD(simulation_run_params, sum_limit, "--sum-limit",                                                   \
          .help = "the largest magnitude of an output, for --sum fixed"),                                    \
    HEADING("Points, of --generator sobol: path N is point N; take 2^m of them:"),                   \
    PATH_POINT_OPTIONS,                                                                                      \
    HEADING("Where it runs, and what is printed:"),                                                  \
    OPTION("--device", "D[,D...]",                                                                                 \
     OPTION_DEVICE_HELP ". Several, such as cuda:0,cuda:1,cpu, share the paths by their speed"),           \
    THREADS_OPTION,                                                                                          \
    FIELD(job_params, checkpoint, "--checkpoint", .value = "FILE",                                           \
          .help = "where a long run is saved: the same command goes on from there, to the same bits"),       \
    FIELD(job_params, checkpoint_seconds, "--checkpoint-seconds", .value = "S",                              \
          .before = "--checkpoint-every"),                                                                   \
    OPTION("--outputs", "NAME[,NAME...]", "what the outputs of a path are called in the report"),               \
    OPTION("--save-outputs", "FILE",                                                                         \
           "all outputs of all paths, as .npy, an array [output][replicate][path], or .csv, a line for each path", \
           .before = "--samples"),                                                                           \
    OPTION("--explain", "PATH",                                                                                    \
     "instead of a price, path number PATH of the run step by step: times, x, state and outputs"),        \
    OPTION("--json", NULL, "the report as JSON")
/* clang-format on */

#define SIGN_OPTION OPTION("--type", "call|put", "the parameter sign; default call")

const struct option price_options[] = {PRICE_OPTIONS(SIGN_OPTION), OPTIONS_END};

const struct option price_payoff_options[] = {
    PRICE_OPTIONS(SIGN_OPTION),
    HEADING("Your own payoff:"),
    OPTION("--payoff", "FILE", "its code, in C"),
    OPTION("--increments", NULL, "x[] are the increments of a step divided by its time, not the path"),
    FIELD(payoff, loop_budget, "--loop-budget",
          .help = "trips that loops without a known end may take together for a path and step"),
    OPTION("--payoff-template", NULL, "print code to start from, and end"),
    OPTIONS_END,
};

const struct option price_american_options[] = {
    PRICE_OPTIONS(FIELD(american_params, type, "--type")),
    HEADING("The option:"),
    FIELD(american_params, spot, "--spot", .value = "S[,S...]",
          .help = "prices today, one number or one for each asset"),
    FIELD(american_params, strike, "--strike", .value = "K"),
    FIELD(american_params, rate, "--rate", .value = "R", .help = "continuously compounded, 0.03 for 3 %"),
    FIELD(american_params, volatility, "--volatility", .value = "V[,V...]",
          .help = "of the prices, 0.2 for 20 %"),
    FIELD(american_params, dividend, "--dividend", .value = "Q[,Q...]"),
    FIELD(american_params, basis_functions, "--basis-functions", .before = "--functions"),
    FIELD(american_params, policy_paths, "--policy-paths", .value = "P",
          .help = "from which the policy is found, for each time of exercise"),
    FIELD(american_params, outer_paths, "--outer-paths", .value = "P"),
    FIELD(american_params, inner_paths, "--inner-paths", .value = "P",
          .help = "from each time at which an outer path is in the money"),
    FIELD(american_params, lower_only, "--lower-only"),
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
        return cli_error(CLI_USAGE, "--sum-limit is for --sum fixed");
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
        return cli_error(CLI_USAGE, "--paths: 1 is too few for a standard error, which takes 2");
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
