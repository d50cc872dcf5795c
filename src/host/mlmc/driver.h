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
    uint32_t level;
    uint64_t first, count;
};

/* Who makes samples. Lists are queued, at most two at a time, and taken in that order. In a list each level
 * is there once at most, the finest first, and begins where it last ended. */
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

/* Fills *result. `levels` has what is known before, which is nothing, or a checkpoint's. */
bailey_status bly_mlmc_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                             const struct bly_sampler *sampler, struct bly_levels *levels,
                             bailey_mlmc_result *result);

#endif
