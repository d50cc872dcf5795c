/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Local volatility from quotes of implied volatilities, for the model `dupire` (docs/models.md).
 *
 *     bailey_volatility_quotes quotes = {.expiries = ..., .forwards = ..., .strikes = ..., .volatilities = ...,
 *                                        .expiry_count = 6, .strike_count = 11};
 *     bailey_local_volatility grid;
 *     bailey_local_volatility_find(&quotes, &grid);
 *     bailey_simulation_set(s, "horizon", &grid.horizon, 1);
 *     bailey_simulation_set(s, "low", &grid.low, 1);
 *     bailey_simulation_set(s, "high", &grid.high, 1);
 *     bailey_simulation_set(s, "volatility", grid.volatility, BAILEY_LOCAL_VOLATILITY_NODES);
 *
 * No function needs a context.
 */
#ifndef BAILEY_LOCAL_VOLATILITY_H
#define BAILEY_LOCAL_VOLATILITY_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAILEY_LOCAL_VOLATILITY_ROWS 16u
#define BAILEY_LOCAL_VOLATILITY_COLUMNS 65u
#define BAILEY_LOCAL_VOLATILITY_NODES 1040u

#define BAILEY_VOLATILITY_QUOTES_MAX 4096u /* expiries, and strikes */

typedef struct bailey_volatility_quotes {
    const double *expiries;     /* [expiry_count], years, increasing */
    const double *forwards;     /* [expiry_count]: the forward price at each expiry */
    const double *strikes;      /* [strike_count], increasing */
    const double *volatilities; /* [expiry_count][strike_count], 0.2 is 20 %; NaN: there is no quote. Each expiry
                                 * has at least one */
    uint32_t expiry_count, strike_count;
    double horizon; /* time of the grid's last row, years; 0: the last expiry */
    /* Logarithms of price divided by forward at the first and last column; both 0: 4 standard deviations of the
     * logarithm at the horizon to both sides. */
    double low, high;
    uint64_t reserved[4];
} bailey_volatility_quotes;

typedef struct bailey_local_volatility {
    double horizon, low, high; /* of the grid */
    /* Nodes that prices are likely to reach, within 3 standard deviations of the forward, but that lie beyond
     * the quotes: volatilities there are those at the nearest quote. */
    uint32_t extrapolated;
    /* The farthest of these nodes, and the quote that it takes. */
    double extrapolated_time, extrapolated_strike, last_strike;
    double volatility[BAILEY_LOCAL_VOLATILITY_NODES]; /* [row][column]: row k is at time horizon k / 15, column j
                                                       * at the logarithm low + (high - low) j / 64 */
    uint64_t reserved[4];
} bailey_local_volatility;

/* Computes the grid of local volatilities by Dupire's formula, in the form for the total implied variance w = v^2
 * t. Between quotes, w is a natural cubic spline of the logarithm of strike divided by forward, and then a
 * monotone cubic of time (Fritsch and Carlson 1980). Volatilities before the first expiry follow from w = 0 at time
 * 0; beyond the last expiry, and beyond the quoted strikes, they are those of the edge, and a warning names the
 * farthest node.
 *
 * Quotes with arbitrage are rejected: calls that are not convex in their strike (butterfly), a total variance that
 * falls from one expiry to the next at the same share of the forward (calendar), each with the expiry and strike;
 * and a surface that has arbitrage only between quotes, with the place.
 *
 * Source: B. Dupire, "Pricing with a smile", Risk 7 (1994); J. Gatheral, "The Volatility Surface", 2006, chapter 1.
 * Returns: OK, ERROR_INVALID, ERROR_MEMORY. Threads: any. Results: computed only from the host's arithmetic and its
 * logarithm, to about 1e-9. */
BAILEY_API bailey_status bailey_local_volatility_find(const bailey_volatility_quotes *quotes,
                                                      bailey_local_volatility *grid);

#ifdef __cplusplus
}
#endif

#endif
