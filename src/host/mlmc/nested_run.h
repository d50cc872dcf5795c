/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs with approximate normals on a device: what bailey_mlmc_run and bailey_mlmc_sample do where
 * params->approximate is set.
 */
#ifndef BLY_MLMC_NESTED_RUN_H
#define BLY_MLMC_NESTED_RUN_H

#include "mlmc_internal.h"

/* As bailey_mlmc_run, of params that have been checked but for what bly_nested_check looks at. */
bailey_status bly_nested_run(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                             bailey_mlmc_result *result);

/* As bailey_mlmc_sample; `samples` and `levels` have not been checked. */
bailey_status bly_nested_run_samples(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                     const uint64_t *samples, uint32_t levels, bailey_mlmc_result *result);

#endif
