/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel Monte Carlo by itself, in plain C: the five options of M. Giles, "Improved multilevel Monte
 * Carlo convergence using the Milstein scheme" (2008), and the adaptive algorithm of his "Multilevel Monte
 * Carlo methods", Acta Numerica 24 (2015). Nothing of the library is in it: it is a rival, and a check.
 */
#ifndef CLI_BENCH_PLAIN_MLMC_H
#define CLI_BENCH_PLAIN_MLMC_H

#include "bench_host.h"
#include "bench_plain_levels.h"

#define PLAIN_MAX_LEVELS 21

struct plain_mlmc {
    struct bench_host *host;
    enum plain_option option;
    int twice; /* in double precision */
    double eps;
    uint64_t first_samples;        /* of each of the first levels */
    unsigned min_level, max_level; /* the finest at the start, and at most */
    uint64_t seed;
    /* Once it has run. */
    int converged;
    unsigned levels;
    double value, cost; /* a step of a fine path costs 1 */
    uint64_t samples[PLAIN_MAX_LEVELS];
    double mean[PLAIN_MAX_LEVELS], variance[PLAIN_MAX_LEVELS];
};

/* `user` is the struct plain_mlmc. Returns: OK, ERROR_MEMORY. */
bailey_status plain_mlmc_run(void *user);

#endif
