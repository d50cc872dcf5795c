/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel quasi-Monte Carlo (bailey_mlmc_run with a source of kind POINT), apart from who makes the
 * samples: plain arithmetic on the host, as that of driver.h. A level is estimated by several replicates of
 * the same points, each scrambled anew; the spread of their means is its variance.
 */
#ifndef BLY_MLMC_QUASI_H
#define BLY_MLMC_QUASI_H

#include "levels.h"

#define BLY_QUASI_REPLICATES 32u /* where params->replicates is 0 */
#define BLY_QUASI_MOST_REPLICATES 1024u
#define BLY_QUASI_STREAMS 32u /* from a replicate to the next; more than there are levels */

/* Points of a replicate: numbers are powers of two, at least the grain and at most this. */
#define BLY_QUASI_LEAST BLY_LEVEL_GRAIN
#define BLY_QUASI_MOST (UINT64_C(1) << 32)

/* What is known: of each level, and of each of its replicates, sums over points 0 .. points - 1. */
struct bly_replicates {
    uint32_t replicates, rows;               /* rows: BLY_LEVEL_RUN_ROWS or BLY_LEVEL_ROWS */
    uint64_t points[BAILEY_MLMC_MAX_LEVELS]; /* of a replicate */
    double *sums[BAILEY_MLMC_MAX_LEVELS];    /* [replicates][rows]; NULL until there are some */
};

void bly_replicates_free(struct bly_replicates *known);

/* Points first .. first + count - 1 of all replicates of a level. Either first is 0, and count the first
 * power of two that is wanted, or first is count, and the points double. */
struct bly_point_range {
    uint32_t level;
    uint64_t first, count;
};

/* Who makes samples of points. A list has each level once at most, the finest first. */
struct bly_point_sampler {
    void *user;
    /* Makes the samples of a list and waits for them. For each range and each replicate it gives `rows` sums,
     * which are the roots of binary trees over the numbers of points, to bly_replicates_add. */
    bailey_status (*make)(void *user, const struct bly_point_range *list, uint32_t count,
                          struct bly_replicates *known);
};

/* Makes room for the sums of a level, which are then to be added for every replicate, in any order. Returns:
 * OK, ERROR_MEMORY. */
bailey_status bly_replicates_begin(struct bly_replicates *known, const struct bly_point_range *range);
/* Adds the sums of points of a range, of one replicate: row r is value[r * stride]. */
void bly_replicates_add(struct bly_replicates *known, const struct bly_point_range *range, uint32_t replicate,
                        const double *value, uint64_t stride);

/* The replicates of a run, with 0 filled in. Returns: OK, ERROR_INVALID for those that there cannot be, and
 * for a source of points that is not scrambled. */
bailey_status bly_quasi_check(const bailey_mlmc_run_params *params, uint32_t *replicates);

/* The finest level whose paths of `numbers` random numbers per step have dimensions of their own, at most
 * BAILEY_MLMC_MAX_LEVELS - 1. */
uint32_t bly_quasi_finest(uint32_t first_steps, uint32_t numbers);

/* Fills *result. `known` is empty: replicates and rows alone are set. `params` has been checked, and has
 * max_level filled in. */
bailey_status bly_quasi_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                              const struct bly_point_sampler *sampler, struct bly_replicates *known,
                              bailey_mlmc_result *result);

/* Likewise for bailey_mlmc_run_samples: samples[l] are those of all replicates, so many points of each as are
 * at least as many, or none. */
bailey_status bly_quasi_sample(const bailey_mlmc_run_params *params, uint32_t first_steps,
                               const struct bly_point_sampler *sampler, const uint64_t *samples,
                               uint32_t levels, struct bly_replicates *known, bailey_mlmc_result *result);

/* A row of the tables of Giles and Waterhouse, of a level with `points` points of a replicate. The variance
 * of a mean over n samples, times n, would be `variance` if samples were independent; by how much `spread` is
 * below is what points gain. */
struct bly_quasi_level {
    double mean, fine_mean;         /* of Y, of the fine payoff */
    double variance, fine_variance; /* of one sample */
    double spread, fine_spread;     /* variance of a replicate's mean, times its points */
    double check;                   /* as of struct bailey_mlmc_test_level, by what replicates spread */
    double cost;                    /* of a sample */
};

/* Makes the rows of levels 0 .. levels - 1, with `points` points on each, from sums of BLY_LEVEL_ROWS rows.
 */
bailey_status bly_quasi_tables(const bailey_mlmc_run_params *params, uint32_t first_steps,
                               const struct bly_point_sampler *sampler, uint64_t points, uint32_t levels,
                               struct bly_replicates *known, struct bly_quasi_level *rows);

#endif
