/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The simulations of Howes and Thomas, GPU Gems 3, chapter 37, on a processor as their table 37-1 has them: a
 * plain loop in C, with normals by ziggurat from MT19937, or with none.
 */
#ifndef CLI_BENCH_PLAIN_GEMS_H
#define CLI_BENCH_PLAIN_GEMS_H

#include "bench_host.h"
#include "simulate_deal.h"

struct plain_gems {
    struct bench_host *host;
    const struct deal_gems *deal;
    int garch;    /* listing 37-9, else 37-8 */
    int constant; /* numbers that are not normals */
    uint64_t paths;
    double mean, error; /* of the payoffs, once it has run */
};

/* `user` is the struct plain_gems. */
bailey_status plain_gems_run(void *user);

#endif
