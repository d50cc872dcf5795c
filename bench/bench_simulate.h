/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * One measurement of `bailey bench simulate`: a simulation, what it is compared with, and the check of its
 * price.
 */
#ifndef CLI_BENCH_SIMULATE_H
#define CLI_BENCH_SIMULATE_H

#include "bench.h"
#include "bench_peers.h"
#include "bench_plain.h"

#include <bailey/simulation.h>

enum simulate_deal { SIMULATE_BASKET, SIMULATE_SINGLE, SIMULATE_AVERAGE, SIMULATE_DEALS };

/* What a row takes turns with. */
enum simulate_rival {
    SIMULATE_BEST_PEER, /* cuRAND's faster kernel; on CPUs the plain loop; without either the built-in */
    SIMULATE_BUILTIN,
    SIMULATE_ONE_SCENARIO, /* the same simulation of one set of parameters */
    SIMULATE_PYTHON        /* the module of the case, on CPUs */
};

struct simulate_case {
    char name[64];
    enum simulate_deal deal;
    enum simulate_rival rival;
    bailey_source source;
    bailey_normal_params normal; /* with the precision */
    bailey_construction construction;
    int random_order;
    int changing; /* the strike changes with each call */
    uint64_t paths;
    uint64_t scenarios; /* strikes, on the same paths; 0: the deal alone */
    const char *module; /* "numpy", which has the basket, or "quantlib", the average on one asset */
};

#define SIMULATE_MAX_SCENARIOS 64

struct simulate_bench {
    struct bench base;
    struct bench_host *host;   /* NULL: no CPU device */
    struct bench_peers *peers; /* NULL: peers_why; not looked for unless the backend is cuda */
    char peers_why[200];
    struct bench_peer
        peer[2]; /* cuRAND's faster kernel, by precision; kernel NULL: not chosen yet, or none */
    const char *peer_name[2];
    struct bench_python *python; /* of the case before this; NULL: python_why */
    const char *python_module;   /* NULL: nothing was tried yet */
    bailey_precision python_precision;
    char python_why[200];
    struct deal_f32 f32; /* the basket, for what is written by hand */
    struct deal_f64 f64;
};

/* Opens nothing: context, device and settings are the caller's. Returns an exit code. */
int simulate_bench_create(struct simulate_bench *bench);
void simulate_bench_destroy(struct simulate_bench *bench);

/* Measures; what goes wrong is in the row. */
void simulate_case_run(struct simulate_bench *bench, const struct simulate_case *wanted,
                       struct bench_row *row);

/* Likewise, of a case with a module. `theirs` is the row of the module itself; if that is not there, it says
 * so and ours is empty: false is returned. */
int simulate_python_run(struct simulate_bench *bench, const struct simulate_case *wanted,
                        struct bench_row *ours, struct bench_row *theirs);

#define SIMULATE_RIVALS 4

/* What others have for the basket, on CUDA: rows of kernels with cuRAND's device functions. The faster of
 * those whose normals are cuRAND's is the rival from then on. Returns how many rows. */
size_t simulate_rivals_run(struct simulate_bench *bench, bailey_precision precision, uint64_t paths,
                           struct bench_row rows[SIMULATE_RIVALS]);

/* The simulations of GPU Gems 3 (bench_gems.c). */

/* Row number `index`; false past the last. `paths` 0: as many as suit the device. */
int gems_name(size_t index, char *name, size_t size);
void gems_run(struct simulate_bench *bench, size_t index, uint64_t paths, struct bench_row *row);

#endif
