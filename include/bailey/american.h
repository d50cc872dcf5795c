/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * American and Bermudan options: a lower and an upper bound on the price, each with a standard error.
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
 * docs/american.md explains how to choose the numbers of paths.
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

/* An option that may be exercised today or at one of the given times. The assets are geometric Brownian
 * motions under the risk-neutral measure. Arrays have `assets` entries. An American option, which may be
 * exercised at any time, is approximated with many times. */
typedef struct bailey_american_params {
    /* The exercise value of a call is the largest price minus the strike; that of a put, on one asset, is
     * strike - S. */
    bailey_option_type type;
    uint32_t assets;              /* 1 .. BAILEY_AMERICAN_MAX_ASSETS; 0 means 1 */
    const double *spot;           /* positive */
    const double *volatility;     /* per square root of a year, not negative */
    const double *dividend;       /* continuous yields; NULL: zero */
    const double *correlation;    /* [assets][assets] (bailey/correlation.h); NULL: independent */
    double strike;                /* positive */
    double rate;                  /* continuously compounded */
    const double *exercise_times; /* in years from today, positive and increasing; the last is the maturity */
    uint64_t exercise_count;      /* 1 .. BAILEY_AMERICAN_MAX_EXERCISES */
    /* Basis functions of the regression, including the constant, at most BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS.
     * For a put, the others are weighted Laguerre polynomials; the default is 4, as in Longstaff and
     * Schwartz. For a call on one asset they are powers of the price; the default is 4. On several assets
     * they are products of powers of the two largest prices, by degree: 10 up to cubic ones, then up to 5
     * with the third and fourth largest. The default is 10 on two assets, 14 on three, else 15. 0 means the
     * default. */
    uint32_t basis_functions;
    uint64_t paths;        /* for the lower bound, at least 2; 0 means BAILEY_SIMULATION_PATHS */
    uint64_t policy_paths; /* independent paths that determine the policy, at least 2; 0 means 65536 */
    uint64_t outer_paths;  /* for the upper bound, at least 2; 0 means 500 */
    uint64_t inner_paths;  /* antithetic pairs from each time of an outer path, 2 to 2^20; 0 means 128 */
    /* Bytes on the device for the prices of the policy's paths at exercise times; 0: 2^30, or a quarter of
     * the device's memory if that is less. If they do not fit, these paths are simulated twice, with the same
     * bits. This needs about 3 sqrt(exercise_count) numbers per path and asset, even if they exceed `memory`.
     */
    uint64_t memory;
    uint32_t antithetic;         /* 1: antithetic pairs for the lower bound too */
    uint32_t lower_only;         /* 1: no upper bound, and no outer or inner paths */
    bailey_source source;        /* not of kind POINT; uses 2 + 2 outer_paths streams, starting at its own */
    bailey_normal_params normal; /* its precision applies to paths and payoffs; sums are always double */
    bailey_progress progress;    /* may be NULL; counts steps of paths of all kinds from time to time */
    void *progress_user;
    uint64_t reserved[4];
} bailey_american_params;

typedef struct bailey_american_result {
    double lower, lower_standard_error; /* the value of a policy, hence a lower bound; its standard error */
    double upper, upper_standard_error; /* NaN with lower_only */
    /* A 95 % interval: both bounds, and therefore the price, lie between lower - 1.96 lower_standard_error
     * and upper + 1.96 upper_standard_error with a probability of 95 % or more. The value of exercise today
     * is a bound too: interval_low is at least that. With lower_only, interval_high is infinite. */
    double interval_low, interval_high;
    /* The midpoint of the two bounds. Its standard error covers the gap between them (half of it in units of
     * 1.96 standard errors) and the larger of the bounds' standard errors, so price +- 1.96 standard_error
     * contains the whole interval. With lower_only, price is lower and its standard error is NaN: not known.
     */
    double price, standard_error;
    /* The value of the policy on the paths that determined it, as reported by Longstaff and Schwartz. It may
     * be too low because the policy is not optimal, or too high because the policy was fitted to these paths.
     */
    double in_sample, in_sample_standard_error;
    /* 1 if exercise today is worth at least in_sample: lower is then the exercise value, without error. The
     * paths of the lower bound take no part in this decision, which would bias it upwards. */
    uint32_t exercise_now;
    uint32_t basis_functions; /* of the regression */
    uint64_t paths;           /* simulated, of all kinds; of antithetic pairs, pairs */
    uint64_t reserved[4];
} bailey_american_result;

/* Prices an American or Bermudan option. Waits for the result.
 *
 * The policy is that of F. Longstaff and E. Schwartz, "Valuing American options by simulation: a simple
 * least-squares approach", Review of Financial Studies 14 (2001). Backwards from the last time, a regression
 * of later payoffs on the paths in the money estimates the continuation value. The lower bound values this
 * policy on independent paths.
 *
 * The upper bound is the dual bound of L. Andersen and M. Broadie, "Primal-dual simulation algorithm for
 * pricing multidimensional American options", Management Science 50 (2004), as bailey_exercise_bound estimates
 * it, with its default horizon. The noise of inner paths raises it, less so with more of them. Time is
 * proportional to the number of times.
 *
 * Returns: OK, ERROR_INVALID (the message names argument and limit), ERROR_UNSUPPORTED (a device without
 * double precision or without a run-time compiler), ERROR_BUILD, ERROR_MEMORY, ERROR_CANCELLED, ERROR_DRIVER.
 * *result is written only if OK is returned.
 * Threads: as the context.
 * Results: exact: the same bits on every device. Sums are trees as in bailey_simulation_run; regressions are
 * plain IEEE operations in a fixed order, and discount factors use the library's exponential. */
BAILEY_API bailey_status bailey_american_price(bailey_context *context, const bailey_american_params *params,
                                               bailey_american_result *result);

#ifdef __cplusplus
}
#endif

#endif
