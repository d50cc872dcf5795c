/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The same work without the library, in plain C on as many threads as the device has: numbers, paths and
 * levels as anyone would program them.
 */
#ifndef CLI_BENCH_PLAIN_H
#define CLI_BENCH_PLAIN_H

#include "bench_host.h"
#include "simulate_deal.h"

#include <stddef.h>
#include <stdint.h>

/* ---- Numbers ---- */

/* Words 0 .. count - 1 of Philox4x32-10 with this seed and stream 0: those of bailey's philox. */
void plain_philox(struct bench_host *host, uint64_t seed, uint32_t *words, uint64_t count);

/* Standard normals, floats (element 4) or doubles (8), with the C library's functions: Box-Muller, or
 * Marsaglia's polar method, which is std::normal_distribution's in libstdc++ and libc++. */
void plain_normals(struct bench_host *host, int polar, uint64_t seed, size_t element, void *out,
                   uint64_t count);

void plain_memset(struct bench_host *host, void *memory, int value, uint64_t bytes);

/* Elements [first, end) of thread `index`, in whole cache lines. */
void plain_part(uint64_t count, unsigned index, unsigned threads, uint64_t *first, uint64_t *end);

/* ---- Paths ---- */

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
    int is_double; /* in double precision */
    int is_philox; /* with words of Philox */
    uint64_t paths;
    double mean, error; /* of the payoffs, once it has run */
};

/* `user` is the struct plain_basket. */
bailey_status plain_basket_run(void *user);

/* ---- Blocks of paths ---- */

#define PLAIN_LANES 8

/* Lanes of xoshiro256+, or a key of Philox and the number of the next block. */
struct plain_source {
    _Alignas(64) uint64_t s[4][PLAIN_LANES];
    uint64_t block;
    int is_philox;
};

/* Sources of different seeds do not meet in any practical time. */
void plain_source_start(struct plain_source *source, uint64_t seed, int is_philox);

struct plain_sums plain_paths_f32(struct plain_source *source, const struct deal_f32 *deal, uint64_t paths);
struct plain_sums plain_paths_f64(struct plain_source *source, const struct deal_f64 *deal, uint64_t paths);

/* ---- GPU Gems 3 ---- */

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

/* ---- Levels ---- */

enum plain_option {
    PLAIN_EUROPEAN,
    PLAIN_ASIAN,
    PLAIN_LOOKBACK,
    PLAIN_DIGITAL,
    PLAIN_BARRIER,
    PLAIN_OPTIONS
};

/* Sums of Y, the fine payoff less the coarse one, and of Y^2. */
struct plain_level_sums {
    double y, y2;
};

/* Adds `samples` samples of a level to *sums. */
void plain_level_f32(struct plain_source *source, enum plain_option option, unsigned level, uint64_t samples,
                     struct plain_level_sums *sums);
void plain_level_f64(struct plain_source *source, enum plain_option option, unsigned level, uint64_t samples,
                     struct plain_level_sums *sums);

/* ---- Multilevel Monte Carlo ---- */

#define PLAIN_MAX_LEVELS 21

struct plain_mlmc {
    struct bench_host *host;
    enum plain_option option;
    int is_double; /* in double precision */
    double eps;
    uint64_t first_samples;        /* of each of the first levels */
    unsigned min_level, max_level; /* the finest at the start, and at most */
    uint64_t seed;
    int is_philox;
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
