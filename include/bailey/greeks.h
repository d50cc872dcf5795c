/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Greeks: the derivatives of a price, of any payoff, with standard errors.
 *
 *     const char *const spots[] = {"spot"}, *const volatilities[] = {"volatility"};
 *     const bailey_greeks_params params = {
 *         .spots = spots, .spot_count = 1,
 *         .volatilities = volatilities, .volatility_count = 1,
 *         .rate = "rate"};
 *     const bailey_simulation_run_params run = {.paths = 1 << 20};
 *     bailey_greek_estimate greeks[16]; // bailey_simulation_greeks_count says how many there are
 *     bailey_simulation_greeks(simulation, &run, &params, greeks);
 *
 * docs/greeks.md explains what is computed, and what it is good for.
 */
#ifndef BAILEY_GREEKS_H
#define BAILEY_GREEKS_H

#include <bailey/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bailey_greek_kind {
    BAILEY_GREEK_KIND_PRICE = 0,
    BAILEY_GREEK_KIND_DELTA = 1,       /* by spot `first` */
    BAILEY_GREEK_KIND_GAMMA = 2,       /* twice by spot `first` */
    BAILEY_GREEK_KIND_CROSS_GAMMA = 3, /* by spots `first` and `second` */
    BAILEY_GREEK_KIND_VEGA = 4,        /* by volatility `first` */
    BAILEY_GREEK_KIND_VOLGA = 5,       /* twice by volatility `first` */
    BAILEY_GREEK_KIND_VANNA = 6,       /* by spot `first` and volatility `first` */
    BAILEY_GREEK_KIND_RHO = 7,         /* by the rate */
    BAILEY_GREEK_KIND_THETA = 8, /* by today's date: all times of the path come nearer; per unit of time */
    BAILEY_GREEK_KIND_CORRELATION = 9 /* by the correlation of dimensions `first` and `second` */
} bailey_greek_kind;

typedef enum bailey_greek_method {
    /* Central differences of scenarios on the same paths. Right for any payoff, but for the truncation error
     * of the bumps. Where a payoff jumps, few paths see the jump, and errors are large. */
    BAILEY_GREEK_METHOD_DIFFERENCES = 0,
    /* Deltas, gammas, cross ones too, and theta are means of payoff times score of the first point of the
     * path, and without truncation error; the others are differences. For payoffs in which spot i enters as
     * spot[i] * exp(volatility[i] * x[i] + something without spot and x), with nothing else of x, where the
     * volatility is a parameter that does not change along the path. Of the built-ins these are european,
     * digital and asian's output 0; others are refused, and so is theta of code that users write, whose rates
     * and dividends are not known. There have to be as many volatilities as spots, and no more spots than
     * dimensions; for theta, as many. The errors grow as the first time comes nearer: for one time, or a few.
     */
    BAILEY_GREEK_METHOD_LIKELIHOOD = 1
} bailey_greek_method;

/* Which parameters of a payoff are what. Names are as in scenarios: "rate", "spot[1]". What is NULL or 0 has
 * no Greeks. */
typedef struct bailey_greeks_params {
    const char *const *spots; /* [spot_count] */
    uint32_t spot_count;      /* at most 64 */
    /* [volatility_count], of what is to be called vega: volatilities, or variances of Heston's model. Number
     * i is that of spot i. */
    const char *const *volatilities;
    uint32_t volatility_count; /* at most 64 */
    const char *rate;
    uint32_t theta;       /* 1: also theta; not with a fixed end */
    uint32_t correlation; /* 1: also the derivatives by each correlation of two dimensions of the path */
    uint32_t cross;       /* 1: also cross gammas */
    uint32_t output;      /* of which output; 0 is the first */
    bailey_greek_method method;
    /* Sizes of bumps, 0 for the library's: of spots and volatilities relative to their value, of the rest
     * absolute. */
    double spot_bump; /* 0.025 * volatility * sqrt(last time), from 0.0001 to 0.05; see docs/greeks.md */
    double volatility_bump;  /* 0.01 */
    double rate_bump;        /* 0.001 */
    double time_bump;        /* 1 / 365, or half the time to the first one if that is less */
    double correlation_bump; /* 0.01, or less where the matrix would not be positive semi-definite */
    uint64_t reserved[4];
} bailey_greeks_params;

typedef struct bailey_greek_estimate {
    bailey_greek_kind kind;
    uint32_t first, second;
    double mean, standard_error;
    double bump; /* the difference from the middle, as used; 0 of what is no difference */
    uint64_t reserved[4];
} bailey_greek_estimate;

/* "delta", "cross gamma", ...; "unknown" for another number. */
BAILEY_API const char *bailey_greek_name(bailey_greek_kind kind);

/* How many Greeks bailey_simulation_greeks writes: the price, then of each kind in the order of the
 * enumeration all that are asked for, pairs as (0, 1), (0, 2), (1, 2), (0, 3), ... */
BAILEY_API uint64_t bailey_simulation_greeks_count(const bailey_simulation *simulation,
                                                   const bailey_greeks_params *params);

/* Estimates Greeks where the parameters are set, as bailey_simulation_run estimates prices. `run` has neither
 * scenarios nor expected, samples, histogram, covariance, and adds up in double.
 *
 * Returns: as bailey_simulation_run; ERROR_INVALID also for a bump that changes nothing, a spot that is not
 * positive, roles that do not fit. Threads: as all that is made from a context. Results: as scenarios. */
BAILEY_API bailey_status bailey_simulation_greeks(bailey_simulation *simulation,
                                                  const bailey_simulation_run_params *run,
                                                  const bailey_greeks_params *params,
                                                  bailey_greek_estimate *greeks);

#ifdef __cplusplus
}
#endif

#endif
