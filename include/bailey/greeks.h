/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Greeks: derivatives of the price of any payoff, with standard errors.
 *
 *     const char *const spots[] = {"spot"}, *const volatilities[] = {"volatility"};
 *     const bailey_greeks_params params = {
 *         .spots = spots, .spot_count = 1,
 *         .volatilities = volatilities, .volatility_count = 1,
 *         .rate = "rate"};
 *     const bailey_simulation_run_params run = {.paths = 1 << 20};
 *     bailey_greek_estimate greeks[16]; // bailey_simulation_greeks_count returns the number needed
 *     bailey_simulation_greeks(simulation, &run, &params, greeks);
 *
 * docs/greeks.md explains the estimators and when to use each.
 */
#ifndef BAILEY_GREEKS_H
#define BAILEY_GREEKS_H

#include <bailey/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bailey_greek_kind {
    BAILEY_GREEK_KIND_PRICE = 0,
    BAILEY_GREEK_KIND_DELTA = 1,       /* with respect to spot `first` */
    BAILEY_GREEK_KIND_GAMMA = 2,       /* second derivative with respect to spot `first` */
    BAILEY_GREEK_KIND_CROSS_GAMMA = 3, /* with respect to spots `first` and `second` */
    BAILEY_GREEK_KIND_VEGA = 4,        /* with respect to volatility `first` */
    BAILEY_GREEK_KIND_VOLGA = 5,       /* second derivative with respect to volatility `first` */
    BAILEY_GREEK_KIND_VANNA = 6,       /* with respect to spot `first` and volatility `first` */
    BAILEY_GREEK_KIND_RHO = 7,         /* with respect to the rate */
    BAILEY_GREEK_KIND_THETA =
        8, /* with respect to today's date: all times of the path come nearer; per unit of time */
    BAILEY_GREEK_KIND_CORRELATION = 9 /* with respect to the correlation of dimensions `first` and `second` */
} bailey_greek_kind;

typedef enum bailey_greek_method {
    /* For each Greek the best that there is: gradients where the payoff can be differentiated. What cannot is
     * estimated by likelihood ratios if they are valid and the path has one date, else by differences.
     * Differences too if any bump is given that is not the default. */
    BAILEY_GREEK_METHOD_AUTO = 0,
    /* Likelihood ratios. Delta, gamma, cross gamma and theta are means of payoff times score of the first
     * point of the path, without truncation error; the other Greeks are differences. Valid for payoffs in
     * which spot i enters only as spot[i] * exp(volatility[i] * x[i] + a term without spot and x), x enters
     * nowhere else, and the volatility is a parameter that is constant along the path. Among the built-ins
     * these are european, digital and output 0 of asian; others are rejected. Theta of your own payoffs is
     * rejected too, because their rates and dividends are not known. There must be as many volatilities as
     * spots, and no more spots than dimensions; theta needs exactly as many. Standard errors grow as the
     * first time comes nearer, so use this method for one date or a few dates.
     */
    BAILEY_GREEK_METHOD_LIKELIHOOD = 1,
    /* Derivatives along each path, by adjoints (bailey/gradient.h): delta, vega, rho, theta and correlations
     * from one run, without truncation error; gamma, cross gamma and vanna from a run for each of at most 8
     * spots. A jump, and the kink of a call for these second derivatives, is spread as in gradient.h, by
     * `width`. Under an exercise policy (bailey/exercise.h) second derivatives, volgas too, are
     * differences of first ones: where a spot moves, paths change their date, and their slopes jump. The other
     * Greeks are differences: volga, second derivatives by more spots, and second derivatives of payoffs that have
     * only first ones. Rejected for a payoff that cannot be differentiated.
     */
    BAILEY_GREEK_METHOD_GRADIENT = 2,
    /* Central differences of scenarios on the same paths. Valid for any payoff, up to the truncation error of
     * the bumps. If a payoff jumps, few paths see the jump, and standard errors are large. */
    BAILEY_GREEK_METHOD_DIFFERENCES = 3
} bailey_greek_method;

/* The roles of a payoff's parameters. Names are as in scenarios: "rate", "spot[1]". A role that is NULL or 0
 * has no Greeks. */
typedef struct bailey_greeks_params {
    const char *const *spots; /* [spot_count] */
    uint32_t spot_count;      /* at most 64 */
    /* [volatility_count] parameters to differentiate for vega: volatilities, or variances in Heston's model.
     * Entry i belongs to spot i. */
    const char *const *volatilities;
    uint32_t volatility_count; /* at most 64 */
    const char *rate;
    uint32_t theta; /* 1: compute theta; not with a fixed end */
    uint32_t
        correlation; /* 1: compute the derivatives with respect to each correlation of two path dimensions */
    uint32_t cross;  /* 1: compute cross gammas */
    uint32_t output; /* which output; 0 is the first */
    bailey_greek_method method; /* of estimation; 0 is AUTO */
    /* Bump sizes; 0 for the default. Those of spots and volatilities are relative to their values, the others
     * absolute. */
    double spot_bump; /* 0.025 * volatility * sqrt(last time), from 0.0001 to 0.05, 0.1 instead of 0.025 under an
                       * exercise policy; see docs/greeks.md */
    double volatility_bump;  /* 0.01 */
    double rate_bump;        /* 0.001 */
    double time_bump;        /* 1 / 365, or half the first time if that is smaller */
    double correlation_bump; /* 0.01, or less if the matrix would not be positive semi-definite */
    double width;            /* as in bailey_gradient_params, for gradients */
    uint64_t reserved[4];
} bailey_greeks_params;

typedef struct bailey_greek_estimate {
    bailey_greek_kind kind;
    uint32_t first, second;
    double mean, standard_error;
    double bump;                /* the bump that was used; 0 if the estimate is not a difference */
    bailey_greek_method method; /* of this estimate; not AUTO */
    uint64_t reserved[4];
} bailey_greek_estimate;

/* "delta", "cross gamma", ...; "unknown" for another number. */
BAILEY_API const char *bailey_greek_name(bailey_greek_kind kind);

/* The number of Greeks that bailey_simulation_greeks writes: the price, then all requested Greeks in the
 * order of the enumeration, with pairs ordered (0, 1), (0, 2), (1, 2), (0, 3), ... */
BAILEY_API uint64_t bailey_simulation_greeks_count(const bailey_simulation *simulation,
                                                   const bailey_greeks_params *params);

/* Estimates Greeks at the current parameters, as bailey_simulation_run estimates prices. `run` must not have
 * scenarios, expected, samples, histogram or covariance, and accumulates in double.
 *
 * Returns: as bailey_simulation_run; also ERROR_INVALID for a bump that changes nothing, a spot that is not
 * positive, or roles that do not fit. Threads: as the context. Results: as scenarios. */
BAILEY_API bailey_status bailey_simulation_greeks(bailey_simulation *simulation,
                                                  const bailey_simulation_run_params *run,
                                                  const bailey_greeks_params *params,
                                                  bailey_greek_estimate *greeks);

#ifdef __cplusplus
}
#endif

#endif
