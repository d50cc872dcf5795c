/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs: what they are given, as data. Their texts, in
 * src/host/simulate/payoffs/, say what they pay.
 */
#ifndef BLY_BUILTINS_H
#define BLY_BUILTINS_H

#include <bailey/bailey.h>

/* A parameter. `value` is a sensible default, of each element of an array too. */
struct bly_builtin_parameter {
    const char *name;
    double value;
    const char *meaning;
    int array; /* 1: an element for each dimension of the path */
};

#define BLY_BUILTIN_PARAMETERS 10

struct bly_builtin {
    const char *name;
    bailey_bridge_output output; /* what x[] is */
    uint32_t dims;               /* of the path; 0: any number */
    uint32_t steps;              /* a sensible number */
    /* 1: the times are 1, 2, 3, ..., the construction is WALK and the dimensions have no covariance, so that
     * x[] are the normals of a step. 0: any of them. */
    int normals;
    struct bly_builtin_parameter parameters[BLY_BUILTIN_PARAMETERS]; /* up to the first without a name */
};

#define BLY_SPOT                                                                                             \
    {                                                                                                        \
        "spot", 100, "price at time 0", 0                                                                    \
    }
#define BLY_SPOTS                                                                                            \
    {                                                                                                        \
        "spot", 100, "price of each asset at time 0", 1                                                      \
    }
#define BLY_STRIKE                                                                                           \
    {                                                                                                        \
        "strike", 100, "strike", 0                                                                           \
    }
#define BLY_RATE                                                                                             \
    {                                                                                                        \
        "rate", 0.05, "interest, continuously compounded, per year", 0                                       \
    }
#define BLY_DIVIDEND                                                                                         \
    {                                                                                                        \
        "dividend", 0, "dividend yield, continuously compounded, per year", 0                                \
    }
#define BLY_DIVIDENDS                                                                                        \
    {                                                                                                        \
        "dividend", 0, "dividend yield of each asset, continuously compounded, per year", 1                  \
    }
#define BLY_VOLATILITY                                                                                       \
    {                                                                                                        \
        "volatility", 0.2, "volatility, per square root of a year", 0                                        \
    }
#define BLY_VOLATILITIES                                                                                     \
    {                                                                                                        \
        "volatility", 0.2, "volatility of each asset, per square root of a year", 1                          \
    }
#define BLY_WEIGHTS                                                                                          \
    {                                                                                                        \
        "weight", 1, "weight of each asset in the basket", 1                                                 \
    }
#define BLY_SIGN                                                                                             \
    {                                                                                                        \
        "sign", 1, "1: a call; -1: a put", 0                                                                 \
    }
#define BLY_PAST(mean)                                                                                       \
    {"past_count", 0, "fixings that are past, in addition to those of the path", 0},                         \
    {                                                                                                        \
        "past_average", 0, mean " over the fixings that are past", 0                                         \
    }

/* clang-format off */
static const struct bly_builtin bly_builtins[] = {
    {"european", BAILEY_BRIDGE_PATHS, 1, 1, 0,
     {BLY_SPOT, BLY_STRIKE, BLY_RATE, BLY_VOLATILITY, BLY_DIVIDEND, BLY_SIGN}},
    {"asian", BAILEY_BRIDGE_PATHS, 0, 12, 0,
     {BLY_SPOTS, BLY_VOLATILITIES, BLY_DIVIDENDS, BLY_WEIGHTS, BLY_RATE, BLY_STRIKE,
      BLY_PAST("mean of the basket"), BLY_SIGN}},
    {"asian-geometric", BAILEY_BRIDGE_PATHS, 0, 12, 0,
     {BLY_SPOTS, BLY_VOLATILITIES, BLY_DIVIDENDS, BLY_WEIGHTS, BLY_RATE, BLY_STRIKE,
      BLY_PAST("geometric mean of the basket"), BLY_SIGN}},
    /* A year of 256 steps, volatilities of 20 % and a correlation of 0.5: the publication gives no numbers. */
    {"asian-max", BAILEY_BRIDGE_INCREMENTS, 2, 256, 1,
     {{"spot_a", 100, "price of asset a at time 0", 0},
      {"spot_b", 100, "price of asset b at time 0", 0},
      {"drift_a", 0.03 / 256, "drift of the logarithm of a, per step", 0},
      {"drift_b", 0.03 / 256, "drift of the logarithm of b, per step", 0},
      {"sigma_aa", 0.0125, "change of the logarithm of a by the first normal of a step", 0},
      {"sigma_ab", 0.00625, "change of the logarithm of b by the first normal of a step", 0},
      {"sigma_bb", 0.010825317547305483, "change of the logarithm of b by the second normal of a step", 0}}},
    /* A mean volatility of 1 % per step. */
    {"lookback-garch", BAILEY_BRIDGE_INCREMENTS, 1, 8, 1,
     {BLY_SPOT,
      {"drift", 0.0001, "drift of the logarithm, per step", 0},
      {"volatility", 0.01, "volatility before the first step, per step", 0},
      {"shock", 0, "change of the logarithm by chance before the first step", 0},
      {"a0", 0.000005, "constant part of a step's variance", 0},
      {"a1", 0.85, "part of the variance of the step before", 0},
      {"a2", 0.1, "part of the square of the shock of the step before", 0}}},
    {"barrier", BAILEY_BRIDGE_PATHS, 1, 1, 0,
     {BLY_SPOT, BLY_STRIKE, {"barrier", 80, "barrier", 0},
      {"side", -1, "-1: a down barrier; 1: an up barrier", 0}, BLY_RATE, BLY_VOLATILITY, BLY_DIVIDEND,
      {"rebate", 0, "paid at maturity if the option was knocked out, or never in", 0},
      {"knock_in", 0, "1: lives if the barrier was touched; 0: if it was not", 0}, BLY_SIGN}},
    {"digital", BAILEY_BRIDGE_PATHS, 1, 1, 0,
     {BLY_SPOT, BLY_STRIKE, {"cash", 1, "what it pays", 0}, BLY_RATE, BLY_VOLATILITY, BLY_DIVIDEND, BLY_SIGN}},
    {"heston", BAILEY_BRIDGE_INCREMENTS, 2, 64, 0,
     {BLY_SPOT, BLY_STRIKE, BLY_RATE, BLY_DIVIDEND,
      {"variance", 0.04, "variance at time 0, per year: of a volatility of 0.2, 0.04", 0},
      {"reversion", 1.5, "speed at which the variance returns to its mean, per year", 0},
      {"mean_variance", 0.04, "mean of the variance in the long run", 0},
      {"sigma", 0.3, "volatility of the variance", 0}, BLY_SIGN}},
};
/* clang-format on */

#define BLY_BUILTIN_COUNT (sizeof bly_builtins / sizeof bly_builtins[0])

#endif
