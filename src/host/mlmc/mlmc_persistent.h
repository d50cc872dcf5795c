/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The schedule PERSISTENT: samples of levels made by a kernel that stays on the device.
 */
#ifndef BLY_MLMC_PERSISTENT_H
#define BLY_MLMC_PERSISTENT_H

#include "driver.h"
#include "mlmc_internal.h"

struct bly_stay;

/* As bly_rounds_create. Until it is destroyed nothing else may be queued on the context, nor memory be taken.
 */
bailey_status bly_stay_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                              struct bly_levels *levels, struct bly_stay **stay);
/* Stops the kernel and waits for it. NULL is allowed. */
void bly_stay_destroy(struct bly_stay *stay);

/* As bly_rounds_sampler. */
struct bly_sampler bly_stay_sampler(struct bly_stay *stay);

#endif
