/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The deal of `bailey bench simulate`, as hand-written programs want it, for C and CUDA: an arithmetic Asian
 * call on a basket, in equal steps. start is the logarithm of weight times spot, drift that of a step, factor
 * the correlated deviation of a step, by rows without what is above the diagonal.
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

#endif
