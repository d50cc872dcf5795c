/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Random payoff code of the whole language, a function of a seed.
 *
 * A piece of code holds several programs, which share nothing but `params` and `state`: program k writes
 * out[k]. So a compiler that takes a second to start tests many of them.
 */
#ifndef RANDOM_PAYOFF_H
#define RANDOM_PAYOFF_H

#include <stdint.h>

struct random_payoff_options {
    uint32_t programs;    /* 1 .. 8 */
    uint32_t first;       /* number of the first, which is part of all its names */
    uint32_t dims, steps; /* of the path */
    int whole;            /* the code has `whole` instead of start, step and finish */
    int faults;           /* indices, divisors and loops may fail: else none does */
    int plain; /* no shift, conversion or result depends on what the language defines and C leaves open, but
                * for signed integers that wrap around */
    int small; /* without functions, and with few statements: for many of them */
};

/* To be freed with free(); NULL without memory. */
char *random_payoff(uint64_t seed, const struct random_payoff_options *options);

/* A number below n, of a state that it changes. */
uint64_t random_payoff_below(uint64_t *state, uint64_t n);

#endif
