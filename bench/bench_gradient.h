/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The deals of `bailey bench gradient`, and one measurement of them.
 */
#ifndef CLI_BENCH_GRADIENT_H
#define CLI_BENCH_GRADIENT_H

#include "bench_peers.h"

#include <bailey/gradient.h>

/* A deal, and what it is differentiated by. */
struct gradient_deal {
    const char *name;
    uint32_t assets, dims, steps;
    int is_heston;
    bailey_construction construction;
    uint32_t others; /* 1: also the covariance; with a built-in, also the time */
    uint64_t derivatives;
};
extern const struct gradient_deal gradient_deals[];
enum { GRADIENT_ASIAN, GRADIENT_ASIAN_ALL, GRADIENT_ASIAN_BRIDGE, GRADIENT_HESTON };

struct gradient_bench {
    struct bench base;
    struct bench_host *host; /* NULL: no CPU device */
};

/* Compiles the code of the derivatives by a run of few paths, and times it. Before all other runs of the deal
 * in this process, with an empty cache. */
void gradient_compile_run(struct gradient_bench *bench, const struct gradient_deal *deal,
                          bailey_precision precision, struct bench_row *row);

/* Times the price alone, it with all derivatives, and the peers, in turns. `row` becomes that of the
 * derivatives; the others' are written before it. */
void gradient_run(struct gradient_bench *bench, const struct gradient_deal *deal, bailey_precision precision,
                  uint64_t paths, struct bench_row *row);

#endif
