/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The options of `bailey price`, one table for all products, and those of them that say how to simulate.
 */
#ifndef CLI_PRICE_OPTIONS_H
#define CLI_PRICE_OPTIONS_H

#include "source_options.h"

#include <bailey/simulation.h>

/* For products, without what a payoff of one's own needs, and with it. */
extern const struct option price_options[], price_payoff_options[];

/* Of both. */
/* clang-format off */
enum price_option {
    H_DEAL, TYPE, SET, ASSETS, CORRELATION, DIMS,
    H_TIMES, STEPS, MATURITY, TIMES, VALUATION, MOTION_DEPTH,
    H_SIMULATION, PATHS, REPLICATES, TARGET_ERROR, SOURCE_OPTION_NAMES, NORMAL, ANTITHETIC, CONTROL,
    SCENARIOS, GREEKS, LIKELIHOOD, CONSTRUCTION, ORDER, PRECISION, WORD_BITS, NUMERICS, SUM, SUM_LIMIT,
    H_POINTS, PATH_POINT_OPTION_NAMES,
    H_WORK, DEVICE, THREADS, CHECKPOINT, CHECKPOINT_SECONDS, OUTPUTS, SAVE_OUTPUTS, EXPLAIN, JSON,
    H_PAYOFF, PAYOFF, INCREMENTS, LOOP_BUDGET, PAYOFF_TEMPLATE
};
/* clang-format on */

struct price_settings {
    bailey_simulation_run_params run; /* the precision of its normals is that of paths and payoffs */
    double target;                    /* of the standard error, with the most paths in `run`; 0: none */
    int quiet;                        /* no progress is shown */
};

/* Prints what is wrong, returns an exit code. */
int price_settings_read(const struct arguments *arguments, struct price_settings *settings);

/* The correlation of `dims` dimensions, or of as many as the file has where *dims is 0, from --correlation: a
 * file, or the number that each two have. *matrix is allocated, NULL without the option. */
int price_correlation(const struct arguments *arguments, const char *const *names, uint64_t *dims,
                      double **matrix);

/* For bailey_progress, of a struct cli_progress. */
int price_progress(void *user, uint64_t done, uint64_t total);

#endif
