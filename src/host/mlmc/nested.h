/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Nested multilevel Monte Carlo (bailey_mlmc_run with `approximate`), apart from who makes the samples: each
 * level's mean is that of its differences with approximate normals, and that of what corrects them. Plain
 * arithmetic on the host, as that of driver.h.
 */
#ifndef BLY_MLMC_NESTED_H
#define BLY_MLMC_NESTED_H

#include "driver.h"

/* Of a step with approximate normals, relative to an exact one, where params->approximate_cost is 0: measured
 * (docs/mlmc-low-precision.md). */
#define BLY_APPROXIMATE_COST 0.75

/* In lists of a sampler a range of level BLY_CORRECTIONS + l has samples of the correction of level l. */
#define BLY_CORRECTIONS BAILEY_MLMC_MAX_LEVELS

/* What is known: of differences with approximate normals, and of their corrections. */
struct bly_nested {
    struct bly_levels levels[2];
};

/* As bly_levels_create and bly_levels_free. */
bailey_status bly_nested_create(struct bly_nested *nested);
void bly_nested_free(struct bly_nested *nested);

/* Adds a node of a range's level, of either kind. */
static inline void bly_nested_add(struct bly_nested *nested, uint32_t level, uint32_t height, uint64_t number,
                                  const double *value, uint64_t stride)
{
    const int correction = level >= BLY_CORRECTIONS;
    bly_levels_add(&nested->levels[correction], correction ? level - BLY_CORRECTIONS : level, height, number,
                   value, stride);
}

/* Refuses what there is not with approximate normals: an unknown kind, a source of points, a schedule other
 * than DETERMINISTIC, a checkpoint, a cost that is not positive and at most 1, double precision. */
bailey_status bly_nested_check(const bailey_mlmc_run_params *params, bailey_precision precision);

/* Fills *result. `nested` has what is known before; `params` has been checked. Of a list, samples of one kind
 * of a level begin where they last ended. */
bailey_status bly_nested_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                               const struct bly_sampler *sampler, struct bly_nested *nested,
                               bailey_mlmc_result *result);

/* Likewise for bailey_mlmc_sample: samples[l] of level l, and samples[levels + l] of its
 * correction. */
bailey_status bly_nested_sample(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                const struct bly_sampler *sampler, const uint64_t *samples, uint32_t levels,
                                struct bly_nested *nested, bailey_mlmc_result *result);

#endif
