/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Samples with approximate normals and of their corrections, made on a device.
 */
#ifndef BLY_MLMC_NESTED_ROUNDS_H
#define BLY_MLMC_NESTED_ROUNDS_H

#include "driver.h"
#include "mlmc_internal.h"

struct bly_nested_rounds;

/* As bly_rounds_create; `params` have been checked by bly_nested_check, `levels` has both kinds. */
bailey_status bly_nested_rounds_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                       struct bly_levels *levels, struct bly_nested_rounds **nested);
/* Waits for what is under way. NULL is allowed. */
void bly_nested_rounds_destroy(struct bly_nested_rounds *nested);

/* The source of differences (kind 0) or corrections (1). */
bailey_source bly_nested_source(const bailey_mlmc_run_params *params, uint32_t kind);

/* As bly_rounds_sampler. */
struct bly_sampler bly_nested_rounds_sampler(struct bly_nested_rounds *nested);

#endif
