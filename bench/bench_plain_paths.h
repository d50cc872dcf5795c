/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A Monte Carlo loop for one deal as anyone would write it in C, on as many threads as the device has:
 * xoshiro256+, Box-Muller, and the C library's functions.
 */
#ifndef CLI_BENCH_PLAIN_PATHS_H
#define CLI_BENCH_PLAIN_PATHS_H

#include "bench_host.h"
#include "simulate_deal.h"

struct plain_sums {
    double sum, squares;
};

/* The mean and the standard error of `paths` payoffs, of which part(user, index, count) sums up those of a
 * thread. */
void plain_estimate(struct bench_host *host, uint64_t paths,
                    struct plain_sums (*part)(const void *user, unsigned index, uint64_t count),
                    const void *user, double *mean, double *error);

struct plain_basket {
    struct bench_host *host;
    struct deal_f32 f32;
    struct deal_f64 f64;
    int twice; /* in double precision */
    uint64_t paths;
    double mean, error; /* of the payoffs, once it has run */
};

/* `user` is the struct plain_basket. */
bailey_status plain_basket_run(void *user);

#endif
