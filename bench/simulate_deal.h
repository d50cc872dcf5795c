/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The deals of `bailey bench simulate`, as programs written by hand want them, for C and CUDA: an arithmetic
 * Asian call on a basket, in equal steps. start is the logarithm of weight times spot, drift that of a step,
 * factor the correlated deviation of a step, by rows without what is above the diagonal.
 */
#ifndef BENCH_SIMULATE_DEAL_H
#define BENCH_SIMULATE_DEAL_H

#define DEAL_ASSETS 3
#define DEAL_FIXINGS 24

#define DEAL_STRUCT(real, suffix)                                                                            \
    struct deal_##suffix {                                                                                   \
        real start[DEAL_ASSETS], drift[DEAL_ASSETS], factor[DEAL_ASSETS * (DEAL_ASSETS + 1) / 2], strike;    \
    };
DEAL_STRUCT(float, f32)
DEAL_STRUCT(double, f64)
#undef DEAL_STRUCT

/* The two simulations of Howes and Thomas, GPU Gems 3, chapter 37 (listings 37-8 and 37-9), and the numbers
 * instead of normals in the rows "Constant RNG" of its table 37-1. */
#define GEMS_MAX_STEPS 256
#define GEMS_GARCH_STEPS 8
#define GEMS_CONSTANTS 16

struct deal_gems {
    /* an Asian option on the maximum of two assets */
    float spot_a, spot_b, drift_a, drift_b, sigma_aa, sigma_ab, sigma_bb;
    /* a lookback option with GARCH volatility */
    float spot, drift, volatility, shock, a0, a1, a2;
    float constant[GEMS_CONSTANTS];
    unsigned long long normals; /* where normals in memory are: number i of path p at i * paths + p */
};

#endif
