/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * One measurement of `bailey bench simulate`: a simulation, what it is compared with, and the check of its
 * price.
 */
#ifndef CLI_BENCH_SIMULATE_H
#define CLI_BENCH_SIMULATE_H

#include "bench_peers.h"

#include <bailey/simulation.h>

/* The rival that a row alternates with. */
enum simulate_rival {
    SIMULATE_BY_HAND, /* the fastest peer that is written for the deal; without one the built-in */
    SIMULATE_BUILTIN,
    SIMULATE_ONE_SCENARIO, /* the same simulation of one set of parameters */
    SIMULATE_PACKAGE       /* the peer of the case */
};

struct simulate_case {
    char name[64];
    enum bench_subject deal; /* BENCH_BASKET, BENCH_AVERAGE, BENCH_SINGLE */
    enum simulate_rival rival;
    bailey_source source;
    bailey_normal_params normal; /* with the precision */
    bailey_construction construction;
    int random_order;
    int changing; /* the strike changes with each call */
    uint64_t paths;
    uint64_t scenarios; /* strikes, on the same paths; 0: the deal alone */
    const struct bench_peer *peer;
};

#define SIMULATE_MAX_SCENARIOS 64

struct simulate_bench {
    struct bench base;
    struct bench_host *host; /* NULL: no CPU device */
    /* By precision: what is asked of peers by hand, and the fastest of them; its `peer` NULL: there is none.
     */
    struct bench_case by_hand[2];
    struct bench_entry rival[2];
    struct bench_case packaged; /* of the row measured last, with its text */
    struct bench_entry package;
    char text[1024];
    struct deal_f32 f32; /* the basket, for what is written by hand */
    struct deal_f64 f64;
};

/* Opens nothing: context, device and settings are the caller's. Returns an exit code. */
int simulate_bench_create(struct simulate_bench *bench);
void simulate_bench_destroy(struct simulate_bench *bench);

/* Measures; what goes wrong is in the row. */
void simulate_case_run(struct simulate_bench *bench, const struct simulate_case *wanted,
                       struct bench_row *row);

/* The same for a case with a peer. `theirs` is the row of the peer itself; if that is not there, it says so
 * and ours is empty: false is returned. */
int simulate_package_run(struct simulate_bench *bench, const struct simulate_case *wanted,
                         struct bench_row *ours, struct bench_row *theirs);

/* Peers by hand for the basket: where there are several, a row of each, measured alternately. The fastest is
 * the rival of later rows. */
void simulate_rivals_run(struct simulate_bench *bench, bailey_precision precision, uint64_t paths);

/* The simulations of GPU Gems 3 (bench_gems.c). */

/* Row number `index`; false past the last. `paths` 0: as many as suit the device. */
int gems_name(const struct bench *bench, size_t index, char *name);
void gems_run(struct simulate_bench *bench, size_t index, uint64_t paths, struct bench_row *row);

#endif
