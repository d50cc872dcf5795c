/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the files of this room. A product is a client of simulations: Greeks are one run of
 * many weighted scenarios, an American option is many runs one after the other.
 */
#ifndef BLY_PRODUCTS_H
#define BLY_PRODUCTS_H

#include <bailey/american.h>
#include <bailey/exercise.h>
#include <bailey/greeks.h>
#include <host/simulate/simulation_internal.h>

/* ---- Greeks (greeks.c, greeks_gradient.c, greeks_request.c) -------------------------------------- */

/* What bailey_greeks_params allow, and mean where they are 0. */
#define BLY_GREEKS_MOST_NAMES 64u
#define BLY_GREEKS_VOLATILITY_BUMP 0.01
#define BLY_GREEKS_RATE_BUMP 0.001
#define BLY_GREEKS_CORRELATION_BUMP 0.01
#define BLY_GREEKS_MOST_DIRECTIONS 8u /* spots with second derivatives along each path: a program for each   \
                                       */

#define BLY_GREEK_KINDS (BAILEY_GREEK_KIND_CORRELATION + 1)

/* Pairs of two different ones of n. */
static inline uint64_t bly_greek_pairs(uint64_t n) { return n ? n * (n - 1) / 2 : 0; }

/* How many Greeks of each kind are asked for. */
void bly_greeks_count(const bailey_simulation *simulation, const bailey_greeks_params *params,
                      uint64_t counts[BLY_GREEK_KINDS]);

/* Where Greek `number` of a kind stands among them. */
uint64_t bly_greek_place(const bailey_simulation *simulation, const bailey_greeks_params *params,
                         bailey_greek_kind kind, uint64_t number);

/* Refuses a run that Greeks cannot be estimated from, and Greeks that the simulation does not have. */
bailey_status bly_greeks_check(const bailey_simulation *simulation, const bailey_simulation_run_params *run,
                               const bailey_greeks_params *params);

/* Refuses Greeks that likelihood ratios do not estimate. */
bailey_status bly_greeks_check_scored(const bailey_simulation *simulation,
                                      const bailey_greeks_params *params);

/* greeks_gradient.c: writes deltas, vegas, rho, theta and correlations, by adjoints, to their places; or
 * gammas, cross gammas and vannas, by the derivatives of adjoints with respect to each spot. */
bailey_status bly_greeks_gradient(bailey_simulation *simulation, const bailey_simulation_run_params *run,
                                  const bailey_greeks_params *params, bailey_greek_estimate *greeks);
bailey_status bly_greeks_gradient_second(bailey_simulation *simulation,
                                         const bailey_simulation_run_params *run,
                                         const bailey_greeks_params *params, bailey_greek_estimate *greeks);

/* A parameter and its bumps. */
struct bly_greek_bump {
    double value, low, high;
};

/* Second derivatives under an exercise policy: gammas, cross gammas, volgas and vannas, by differences of first
 * ones; bumps of the spots, then of the volatilities. */
bailey_status bly_greeks_gradient_differences(bailey_simulation *simulation,
                                              const bailey_simulation_run_params *run,
                                              const bailey_greeks_params *params,
                                              const struct bly_greek_bump *bumps, bailey_greek_estimate *greeks);

/* ---- States of paths at exercise dates (dates.c) ------------------------------------------------- */

/* In memory, of each deal: [length][numbers] rows of the dates of a segment, then the mark at the end of each
 * segment but the last, [segments - 1][numbers + dims], where paths continue at marks, then a row of later payoffs.
 * Runs of simulations whose `kept` points here make states, or look at them. */
struct bly_dates {
    uint64_t paths;
    uint32_t count, every; /* dates; steps from one to the next, the last step being the last of them */
    uint32_t deals;        /* at a time: as many as are asked for, until bly_dates_take finds for how many there is
                            * room; 1 where there are several segments */
    /* bly_dates_take: */
    uint32_t steps, numbers, dims;
    int resumes; /* paths continue at marks */
    uint32_t length, segments;
    uint64_t rows;
    int at; /* the segment that is there */
    struct bly_kept kept;
};

/* Takes memory for the states of `keeper`, whose code is around.c's or the same by hand; bly_pool_release of
 * dates->kept.memory. */
bailey_status bly_dates_take(struct bly_dates *dates, const bailey_simulation *keeper, uint64_t memory);

/* The step of a date. */
uint32_t bly_dates_step(const struct bly_dates *dates, uint32_t date);

/* The next run makes a segment; where paths continue at marks, those before it have been made once. */
void bly_dates_make(struct bly_dates *dates, uint32_t segment);
int bly_dates_are_made(const struct bly_dates *dates, uint32_t date);

/* The next run looks at the states of a date. Before that, later payoffs are replaced by the first output of
 * those of date `replacing`, which is there too. */
#define BLY_NO_DATE UINT32_MAX
void bly_dates_look(struct bly_dates *dates, uint32_t date, uint32_t replacing);

/* ---- Early exercise of payoffs (exercise.c, exercise_code.c) -------------------------------------- */

/* What code around a payoff (host/payoff/around.c) is written for. */
struct bly_exercise_shape {
    uint32_t functions; /* of the regression, the constant included */
    uint32_t dates, every;
};

enum bly_exercise_code {
    BLY_EXERCISE_DATE,   /* what is asked of the states of one date: enum bly_date_task */
    BLY_EXERCISE_POLICY, /* the payoff under the policy */
    BLY_EXERCISE_BOUNDS  /* what bounds of it ask for: enum bly_bounds_task */
};

/* The parameter bailey_task of BLY_EXERCISE_DATE, and its outputs: one more than there are functions. */
enum bly_date_task {
    BLY_DATE_BACKWARD,   /* the payoff on the date or later, from the later one, first and last. It is 0: see write_kept of
                          * host/simulate/simulation_text.c */
    BLY_DATE_REGRESSION, /* 1, the functions and the later payoff, of paths that can exercise */
    BLY_DATE_OUTSIDE,    /* the same of those that cannot */
    BLY_DATE_TASKS
};

/* The parameter bailey_task of BLY_EXERCISE_BOUNDS, and its two outputs. Values at dates `bailey_near` and
 * `bailey_far` end strategies: the policy's on that date or, where it holds on, the regression's. */
enum bly_bounds_task {
    BLY_BOUNDS_LOWER, /* the payoff under the policy; the value that ends at `near` */
    BLY_BOUNDS_OUTER, /* of a path that nothing ends: what exercise pays on its date, at the last one what the
                       * path pays; 1 if the policy exercises or, where `near` is that date, the value that ends
                       * there */
    BLY_BOUNDS_INNER  /* of a path that continues until date `far`: the values that end at `near` and `far` */
};

/* How many functions there are, for a payoff with `exercise`. */
uint32_t bly_exercise_functions(const struct bly_payoff *payoff);
/* Their names, a line of each. */
void bly_exercise_names(const struct bly_payoff *payoff, struct bly_text *names);
void bly_exercise_write(const struct bly_payoff *payoff, const struct bly_exercise_shape *shape,
                        enum bly_exercise_code code, struct bly_text *text);

/* A simulation of such code around the payoff of `s`, with the parameters of `s`. */
bailey_status bly_exercise_make(const bailey_simulation *s, const bailey_bridge_params *path,
                                const struct bly_exercise_shape *shape, enum bly_exercise_code code,
                                bailey_simulation **made);
/* Sets a parameter that code of the library has. */
void bly_exercise_write_parameter(bailey_simulation *s, const char *name, const double *values,
                                  uint32_t count);
/* Refuses points. */
bailey_status bly_exercise_check_source(const bailey_source *source);
/* A device without double precision, where the library's code adds up. */
bailey_status bly_exercise_check_device(const bailey_simulation *s);

/* ---- Bounds (exercise_bounds.c) -------------------------------------------------------------------- */

/* Defaults; American options have them too. */
#define BLY_BOUNDS_HORIZON 2u
#define BLY_BOUNDS_OUTER_PATHS 500u
#define BLY_BOUNDS_INNER_PATHS 128u
#define BLY_BOUNDS_MOST_INNER (UINT64_C(1) << 20)

/* Steps of paths from date to date that bounds take, as their progress counts them. */
uint64_t bly_bounds_steps(uint32_t dates, uint32_t horizon, uint64_t paths, uint64_t outer, uint64_t inner);

/* ---- American options (american.c, american_option.c) -------------------------------------------- */

/* An option, checked and with its defaults. */
struct bly_american_option {
    bailey_context *context;
    const bailey_american_params *params;
    uint32_t assets, functions, largest;
    uint32_t steps; /* times of exercise */
    uint64_t paths, policy_paths, outer_paths, inner_paths;
    double now; /* value of exercise today, in strikes; not positive out of the money */
    double spot[BAILEY_AMERICAN_MAX_ASSETS], drift[BAILEY_AMERICAN_MAX_ASSETS];
    double factor[BAILEY_AMERICAN_MAX_ASSETS * BAILEY_AMERICAN_MAX_ASSETS];
};

/* Checks the parameters and fills in *option. */
bailey_status bly_american_read(bailey_context *context, const bailey_american_params *params,
                                struct bly_american_option *option);

/* The simulation of american/american_payoff.c, with its parameters. */
bailey_status bly_american_simulation(const struct bly_american_option *option, bailey_simulation **simulation);

#endif
