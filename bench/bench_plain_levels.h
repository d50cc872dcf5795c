/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Samples of levels of the five options, in loops that compilers make vectors of: spot and strike 100, rate
 * 0.05, volatility 0.2, time 1, barrier 85; 2^level Milstein steps.
 */
#ifndef CLI_BENCH_PLAIN_LEVELS_H
#define CLI_BENCH_PLAIN_LEVELS_H

#include <stdint.h>

enum plain_option {
    PLAIN_EUROPEAN,
    PLAIN_ASIAN,
    PLAIN_LOOKBACK,
    PLAIN_DIGITAL,
    PLAIN_BARRIER,
    PLAIN_OPTIONS
};

#define PLAIN_LANES 8

/* Lanes of xoshiro256+. */
struct plain_source {
    uint64_t s[4][PLAIN_LANES];
};

/* Sums of Y, the fine payoff less the coarse one, and of Y^2. */
struct plain_level_sums {
    double y, y2;
};

/* Sources of different seeds do not meet in any practical time. */
void plain_source_start(struct plain_source *source, uint64_t seed);

/* Adds `samples` samples of a level to *sums. */
void plain_level_f32(struct plain_source *source, enum plain_option option, unsigned level, uint64_t samples,
                     struct plain_level_sums *sums);
void plain_level_f64(struct plain_source *source, enum plain_option option, unsigned level, uint64_t samples,
                     struct plain_level_sums *sums);

#endif
