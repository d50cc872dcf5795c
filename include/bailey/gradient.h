/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gradients: all first derivatives of a price in one run, by reverse-mode differentiation of the payoff code.
 *
 *     const bailey_gradient_params params = {0}; // by all real parameters
 *     bailey_derivative gradient[16]; // bailey_simulation_gradient_count returns the number needed
 *     const bailey_simulation_run_params run = {.paths = 1 << 20};
 *     bailey_simulation_gradient(simulation, &run, &params, &price, gradient);
 */
#ifndef BAILEY_GRADIENT_H
#define BAILEY_GRADIENT_H

#include <bailey/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bailey_gradient_params {
    const char *const *names; /* [count]: real parameters, each array as a whole; NULL: all real parameters */
    uint32_t count;
    uint32_t covariance; /* 1: also derivatives with respect to the entries of the path's covariance */
    uint32_t output;     /* the output that is differentiated; 0 is the first */
    /* Half of the interval over which a jump is spread, in the units of the two sides of the comparison that
     * makes the payoff jump. 0: a payoff that jumps is rejected with its line. */
    double width;
    uint64_t reserved[4];
} bailey_gradient_params;

/* A derivative of the price. */
typedef struct bailey_derivative {
    const char *name;       /* the parameter, or "covariance"; valid as long as the simulation */
    uint32_t first, second; /* the element of an array; or the row and column, where second <= first. Off the
                             * diagonal both entries change */
    bailey_estimate estimate;
    uint64_t reserved[4];
} bailey_derivative;

/* The number of derivatives that bailey_simulation_gradient writes: those with respect to parameters, in the
 * order of the payoff code, then those with respect to the covariance, row by row. 0 if an argument is NULL
 * or a name is wrong. */
BAILEY_API uint64_t bailey_simulation_gradient_count(const bailey_simulation *simulation,
                                                     const bailey_gradient_params *params);

/* Estimates the outputs and the derivatives of one of them at the current parameters. `estimates`, [outputs],
 * are those of bailey_simulation_run. A parameter whose default is another parameter does not follow it. With
 * `expected`, [outputs], the control variates also apply to the derivatives. `run` must not have scenarios,
 * samples, histogram or covariance.
 *
 * A derivative has the same bits whatever else is asked for.
 *
 * Returns: as bailey_simulation_run; also ERROR_UNSUPPORTED, with the line, for code that cannot be
 * differentiated: it jumps and the width is 0, it has `whole`, or a loop whose length depends on data.
 * ERROR_INVALID for wrong names and a singular covariance. Threads: as the context. Results: exact. */
BAILEY_API bailey_status bailey_simulation_gradient(bailey_simulation *simulation,
                                                    const bailey_simulation_run_params *run,
                                                    const bailey_gradient_params *params,
                                                    bailey_estimate *estimates, bailey_derivative *gradient);

/* The code that computes these derivatives, in the payoff language and with the names of the payoff's code: a
 * payoff with `whole`, whose outputs are those of the payoff, followed by the derivatives. *code is valid
 * until the next call for a gradient of the simulation.
 *
 * Returns: as bailey_simulation_gradient. Threads: as the context. */
BAILEY_API bailey_status bailey_simulation_gradient_code(bailey_simulation *simulation,
                                                         const bailey_gradient_params *params,
                                                         const char **code);

#ifdef __cplusplus
}
#endif

#endif
