/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Giles's adaptive algorithm (bailey_mlmc_run), apart from who makes the samples: plain arithmetic on the
 * host, in IEEE operations and the library's own elementary functions, so that all machines decide alike.
 */
#ifndef BLY_MLMC_DRIVER_H
#define BLY_MLMC_DRIVER_H

#include "levels.h"

/* Samples first .. first + count - 1 of a level: both ends are multiples of BLY_LEVEL_GRAIN. */
struct bly_level_range {
    uint32_t level; /* of lists with corrections: the estimator */
    uint64_t first, count;
};

/* Who makes samples. Lists are queued, at most two at a time, and taken in that order. In a list each
 * estimator is there once at most, and begins where it last ended: finest levels first, of each level its
 * corrections first. */
struct bly_sampler {
    void *user;
    bailey_status (*queue)(void *user, const struct bly_level_range *list, uint32_t count);
    /* Waits for the list that was queued first, and adds what it makes to the levels' sums. */
    bailey_status (*take)(void *user);
};

/* Numbers of samples are m 2^g with m < 2^BLY_LEVEL_BITS, and multiples of the grain: at least `samples`,
 * more by less than 1 %. */
#define BLY_LEVEL_BITS 8u
uint64_t bly_level_round(uint64_t samples);

#define BLY_MLMC_MOST_SAMPLES (UINT64_C(1) << 38) /* of a level */

/* What parameters mean where they are 0, which their descriptions say too. */
#define BLY_MLMC_BIAS_SHARE 0.25
#define BLY_MLMC_INITIAL_SAMPLES 1000u
#define BLY_MLMC_MIN_LEVEL 2u
#define BLY_MLMC_MAX_LEVEL 10u

/* What parameters say, or mean where they are 0. The cost is that of a sample; `level` is at most the
 * finest that `params` allow, or that there is. */
double bly_mlmc_cost(const bailey_mlmc_run_params *params, uint32_t first_steps, uint32_t level);
uint32_t bly_mlmc_least(const bailey_mlmc_run_params *params);
uint32_t bly_mlmc_most(const bailey_mlmc_run_params *params);
double bly_mlmc_bias_share(const bailey_mlmc_run_params *params);

struct bly_mlmc_list {
    struct bly_level_range range[BLY_ESTIMATORS];
    uint32_t count;
};

/* Where a run is, besides the sums: what a checkpoint has to have. All zero at the start. */
struct bly_mlmc_state {
    uint32_t finest; /* level */
    uint32_t rounds; /* lists so far */
    uint32_t lists;  /* under way, of which the first was queued first */
    struct bly_mlmc_list under_way[2];
    uint64_t queued[BLY_ESTIMATORS]; /* samples, those under way included */
    /* Called after each list, which may save what is known; NULL: nothing is. */
    bailey_status (*save)(void *user);
    void *save_user;
};

/* Fills *result. `levels` has the kinds of samples that `params` ask for (nested.h). Where the state says
 * that a run is under way, it has the run's sums, and the run goes on. If this fails, lists may still be
 * under way. */
bailey_status bly_mlmc_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                             const struct bly_sampler *sampler, struct bly_levels *levels,
                             struct bly_mlmc_state *state, bailey_mlmc_result *result);

/* Samples 0 .. samples[l] - 1 of levels 0 .. count - 1, which are multiples of the grain, and no others; with
 * corrections, 0 .. samples[count + l] - 1 of those of level l. */
bailey_status bly_mlmc_sample_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                    const struct bly_sampler *sampler, const uint64_t *samples,
                                    uint32_t count, struct bly_levels *levels, bailey_mlmc_result *result);

#endif
