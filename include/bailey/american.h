/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * American and Bermudan options, which may be exercised at several times: a price that is too low but for its
 * standard error, and one that is too high.
 *
 *     const double spot = 36, volatility = 0.2;
 *     double times[50];
 *     for (int i = 0; i < 50; i++) times[i] = (i + 1) / 50.0;
 *     const bailey_american_params params = {.spot = &spot, .strike = 40, .volatility = &volatility,
 *                                            .rate = 0.06, .exercise_times = times, .exercise_count = 50,
 *                                            .policy_paths = 100000, .outer_paths = 500};
 *     bailey_american_result result;
 *     bailey_american_price(context, &params, &result);
 *
 * docs/american.md says how to choose the numbers of paths.
 */
#ifndef BAILEY_AMERICAN_H
#define BAILEY_AMERICAN_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAILEY_AMERICAN_MAX_EXERCISES 1000u
#define BAILEY_AMERICAN_MAX_ASSETS 16u
#define BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS 15u

/* An option that may be exercised today, or at one of the times that follow. The assets are geometric
 * Brownian motions under the risk-neutral measure. Arrays have `assets` entries. An American option, which
 * may be exercised at any time, is approached with many times. */
typedef struct bailey_american_params {
    /* A call pays the largest of the prices, less strike; a put, on one asset, strike - S. */
    bailey_option_type type;
    uint32_t assets;              /* 1 .. BAILEY_AMERICAN_MAX_ASSETS; 0 means 1 */
    const double *spot;           /* positive */
    const double *volatility;     /* per square root of a year, not negative */
    const double *dividend;       /* continuous yields; NULL: zero */
    const double *correlation;    /* [assets][assets] (bailey/correlation.h); NULL: independent */
    double strike;                /* positive */
    double rate;                  /* continuously compounded */
    const double *exercise_times; /* in years from today, increasing and positive; the last is the maturity */
    uint64_t exercise_count;      /* 1 .. BAILEY_AMERICAN_MAX_EXERCISES */
    /* Of the regression, the constant included, at most BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS. Put: then
     * weighted Laguerre polynomials; default 4, as Longstaff and Schwartz. Call on one asset: powers of the
     * price; default 4. On several: products of powers of the largest price and the next, by degree, 10 up to
     * cubic ones, then up to 5 with the third and fourth; default 10 on two assets, 14 on three, else 15. 0
     * means the default. */
    uint32_t basis_functions;
    uint64_t paths;        /* of the lower bound, at least 2; 0 means BAILEY_SIMULATION_PATHS */
    uint64_t policy_paths; /* others, from which the policy is found, at least 2; 0 means 65536 */
    uint64_t outer_paths;  /* of the upper bound, at least 2; 0 means 200 */
    uint64_t inner_paths;  /* of each outer path, from each time in the money, at least 2; 0 means 1000 */
    uint32_t antithetic;   /* 1: paths of the lower bound and inner paths come with their mirror images */
    uint32_t lower_only;   /* 1: no upper bound, and no outer and inner paths */
    bailey_source source;  /* not of kind POINT; the streams from its own on, 3 + outer_paths of them */
    bailey_normal_params normal; /* its precision is that of paths and payoffs; sums are double always */
    bailey_progress progress;    /* may be NULL; counts paths, those of all kinds and runs */
    void *progress_user;
    uint64_t reserved[4];
} bailey_american_params;

typedef struct bailey_american_result {
    double lower, lower_standard_error; /* the value of a policy, so a lower bound; its standard error */
    double upper, upper_standard_error; /* NaN with lower_only */
    /* Both bounds hold with a probability of 95 % or more between lower - 1.96 lower_standard_error and
     * upper + 1.96 upper_standard_error, and so does the price. What exercise pays today is a bound too:
     * interval_low is no less. With lower_only interval_high is infinite. */
    double interval_low, interval_high;
    /* The middle of both bounds. Its error covers how far they are apart: half of that in units of 1.96
     * standard errors, and the larger of the bounds' errors, so that price +- 1.96 standard_error holds all
     * of the interval. With lower_only price is lower, and its error NaN: not known. */
    double price, standard_error;
    /* The value of the policy on the paths from which it was found, which Longstaff and Schwartz report: it
     * may be too low, as the policy is not the best, or too high, as it knows these paths. */
    double in_sample, in_sample_standard_error;
    /* 1 if exercise today pays at least in_sample: lower is what it pays, without error. The paths of the
     * lower bound have no part in the decision, which would raise it. */
    uint32_t exercise_now;
    uint32_t basis_functions; /* of the regression */
    uint64_t paths;           /* that were simulated, of all kinds and runs */
    uint64_t reserved[4];
} bailey_american_result;

/* Prices an American or Bermudan option. Waits for the result.
 *
 * The policy is that of F. Longstaff and E. Schwartz, "Valuing American options by simulation: a simple
 * least-squares approach", Review of Financial Studies 14 (2001): from the last time backwards, a regression
 * over the paths in the money of what they pay later says what holding on is worth. The lower bound values it
 * on other paths. The upper bound is that of L. Andersen and M. Broadie, "Primal-dual simulation algorithm
 * for pricing multidimensional American options", Management Science 50 (2004): no holder gains more than one
 * who sees the whole path, and pays for it with the martingale of the policy's value. That value is
 * simulated from every time at which an outer path is in the money; its noise raises the bound, by less the
 * more inner paths there are. Regressions simulate the policy's paths exercise_count - 1 times: this takes
 * no memory for them, and grows with the square of the number of times.
 *
 * Returns: OK, ERROR_INVALID (the message names argument and limit), ERROR_UNSUPPORTED (a device without
 * double precision, or one that compiles no code), ERROR_BUILD, ERROR_MEMORY, ERROR_CANCELLED, ERROR_DRIVER.
 * Nothing is written to *result unless OK is returned.
 * Threads: as all that is made from a context.
 * Results: exact: the same bits on every device. Sums are trees as those of bailey_simulation_run;
 * regressions are plain IEEE operations in a fixed order on the host, and discount factors the library's own
 * exponentials. */
BAILEY_API bailey_status bailey_american_price(bailey_context *context, const bailey_american_params *params,
                                               bailey_american_result *result);

#ifdef __cplusplus
}
#endif

#endif
