/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gradients: all first derivatives of a price in one run, and second derivatives by chosen parameters, by
 * reverse-mode differentiation of the payoff code, or in forward mode where its loops have no known length.
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
    /* [count]: real parameters, each array as a whole. NULL: all real parameters except choices, such as a
     * `sign` that is -1 or 1. */
    const char *const *names;
    uint32_t count;
    uint32_t covariance;  /* 1: also derivatives with respect to the entries of the path's covariance */
    uint32_t output;      /* the output that is differentiated; 0 is the first */
    uint32_t width_count; /* of widths */
    /* Half of the interval over which a jump is spread, in the units of the two sides of the comparison that
     * makes the payoff jump. 0: for each comparison the default, by the spread of the difference of its sides
     * on pilot paths and by the number of paths. */
    double width;
    /* [outputs]: what is differentiated is the sum of the outputs times these; `output` is then ignored.
     * NULL: `output` alone. Other weights, as long as the same ones are 0, need no new code. */
    const double *weights;
    /* 1: also the derivative with respect to the time at which paths begin, with all other times as they are:
     * minus that with respect to scenarios.time_shift, the theta of greeks.h. Not with a fixed end. */
    uint32_t time;
    /* [direction_count]: real parameters such as "spot[1]", or "spot" for all of its elements. For each, all
     * derivatives of the first derivative with respect to it follow, in the same order: gamma and vanna, by
     * spots, volga, by volatilities. Where a payoff has a kink, its first derivative jumps. */
    const char *const *directions;
    uint32_t direction_count;
    /* Bytes of states that a path may keep, to go back through its steps, at most 4194304; 0: 1 MiB. With
     * less, states are computed again, with the same bits; too few bytes are rejected with the least number
     * that works. The code says in its first lines how many are kept. */
    uint64_t memory;
    const double *widths; /* [width_count]: the same for each comparison, in the order of
                           * bailey_simulation_gradient_jump; one number is for all of them. A payoff that
                           * jumps at a width of 0 is rejected with its line */
    uint64_t width_paths; /* paths that default widths are for; 0: those of the run, or for
                           * bailey_simulation_gradient_create the default number of paths */
    uint64_t reserved[4];
} bailey_gradient_params;

/* A derivative of the price. */
typedef struct bailey_derivative {
    const char *name;       /* the parameter, "covariance" or "time"; valid as long as the simulation */
    uint32_t first, second; /* the element of an array; or the row and column, where second <= first. Off the
                             * diagonal both entries change */
    bailey_estimate estimate;
    const char *by;    /* of a second derivative: the parameter that the first derivative is by; else NULL */
    uint32_t by_first; /* its element */
    uint32_t forward;  /* 1: found in forward mode, a run of each path for each derivative, as the code has
                        * `whole` or loops whose length depends on data; 0: by adjoints, all at once */
    /* 1: the output does not depend on it, as the code shows, so the derivative is 0; 0 from
     * bailey_simulation_gradient_read for second derivatives. */
    uint32_t independent;
    /* The largest contribution of a single path to the sum over all paths, as a share of that sum; it is
     * above 1 where other paths cancel, and NaN if it is not known. Where it is at least 0.05, and so is that
     * path's share of the sum of squares, the standard error cannot be relied on, and there is a warning
     * (bailey_warning_set). */
    double largest_share;
    bailey_estimate by_jumps; /* the part of it that came through comparisons where the payoff jumps */
    uint64_t reserved[4];
} bailey_derivative;

/* A comparison that makes the payoff jump. */
typedef struct bailey_gradient_jump {
    uint32_t line, column; /* of the payoff code */
    uint32_t reruns;       /* 1: the rest of the path was run again on the other side of it */
    uint32_t counts;       /* 0: no derivative that was asked for came through it */
    double width;          /* of the last run */
    double spread;         /* standard deviation of the difference of its sides on pilot paths */
    double side; /* 0: spread over both sides; 1 or -1: over the one where the left number is larger or
                  * smaller alone, from 0 to the width, as hardly any pilot path comes to the other */
    uint64_t reserved[4];
} bailey_gradient_jump;

/* The number of derivatives that bailey_simulation_gradient writes: those with respect to parameters, in the
 * order of the payoff code, then those with respect to the covariance, row by row, then that with respect to
 * time; and as many for each direction. 0 if an argument is NULL or a name is wrong. */
BAILEY_API uint64_t bailey_simulation_gradient_count(const bailey_simulation *simulation,
                                                     const bailey_gradient_params *params);

/* Estimates the outputs and the derivatives of one of them at the current parameters. `estimates`, [outputs],
 * are those of bailey_simulation_run. A parameter whose default is another parameter does not follow it. With
 * `expected` the control variates also apply to the derivatives: each has the slopes that minimise its own
 * variance. With scenarios, `gradient` has all derivatives of the first scenario, then those of the next;
 * they must not have weights, nor `covariance` or `time_shift` if there are derivatives with respect to
 * these. `run` must not have samples, histogram or covariance: see bailey_simulation_gradient_create.
 *
 * Second derivatives take a run for each direction, of about three times the cost of a price.
 *
 * A derivative has the same bits whatever else is asked for.
 *
 * Returns: as bailey_simulation_run; also ERROR_UNSUPPORTED, with the line, for code that cannot be
 * differentiated: it jumps at a width of 0 in `widths`, or in a loop whose length depends on data; with
 * `directions`, it has such loops or `whole`; with `covariance` or `time`, it has `whole`. ERROR_INVALID for
 * wrong names, a singular covariance and too little memory. mlmc.h has gradients of levels. Threads: as the
 * context. Results: exact. */
BAILEY_API bailey_status bailey_simulation_gradient(bailey_simulation *simulation,
                                                    const bailey_simulation_run_params *run,
                                                    const bailey_gradient_params *params,
                                                    bailey_estimate *estimates, bailey_derivative *gradient);

/* Creates a simulation of the same paths whose outputs are those of the payoff, followed by the derivatives,
 * at the current parameters and weights: for jobs, several devices, MPI and tallies, whose checkpoints then
 * belong to this question, and for anything else that runs take. Its parameters are those of the payoff,
 * which can be set; with derivatives with respect to covariance or time, scenarios must not move the paths.
 * With one direction, there is one more output before the derivatives: the first derivative that they are
 * second derivatives of. More directions need a simulation each.
 *
 * Returns: as bailey_simulation_gradient. Threads: as the context. */
BAILEY_API bailey_status bailey_simulation_gradient_create(bailey_simulation *simulation,
                                                           const bailey_gradient_params *params,
                                                           bailey_simulation **derivatives);

/* Names the estimates of a run of that simulation, which are all of its outputs: `gradient` has what
 * bailey_simulation_gradient would write, but for first derivatives if there is a direction, and by_jumps.
 * largest_share needs a run with `moments`. Returns: OK, ERROR_INVALID, ERROR_UNSUPPORTED. Threads: as the
 * context. */
BAILEY_API bailey_status bailey_simulation_gradient_read(bailey_simulation *simulation,
                                                         const bailey_gradient_params *params,
                                                         const bailey_estimate *estimates,
                                                         bailey_derivative *gradient);

/* A comparison that makes the payoff jump, as of the last bailey_simulation_gradient of the simulation: with
 * the width that was used. `index` counts them from 0 in the order of the code: of step, then of finish.
 *
 * Returns: OK; ERROR_INVALID beyond the last one, and before a gradient. Threads: as the context. */
BAILEY_API bailey_status bailey_simulation_gradient_jump(const bailey_simulation *simulation, uint64_t index,
                                                         bailey_gradient_jump *jump);

/* The code that computes these derivatives, in the payoff language and with the names of the payoff's code: a
 * payoff with `whole`, whose outputs are those of the payoff, followed by the derivatives; with one
 * direction, as for bailey_simulation_gradient_create. *code is valid until the next call for a gradient of
 * the simulation.
 *
 * Returns: as bailey_simulation_gradient. Threads: as the context. */
BAILEY_API bailey_status bailey_simulation_gradient_code(bailey_simulation *simulation,
                                                         const bailey_gradient_params *params,
                                                         const char **code);

#ifdef __cplusplus
}
#endif

#endif
