/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_mlmc_run and bailey_mlmc_run_samples with a source of kind POINT.
 */
#ifndef BLY_MLMC_QUASI_RUN_H
#define BLY_MLMC_QUASI_RUN_H

#include "mlmc_internal.h"
#include "quasi.h"

/* What bailey_mlmc_run and bailey_mlmc_run_samples do once their arguments are checked as for any source;
 * zeros stand for defaults still. max_level is at most the finest level of which each random number of a
 * sample has a dimension of its own: more is refused, and the default is no more. */
bailey_status bly_quasi_run(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                            bailey_mlmc_result *result);
bailey_status bly_quasi_run_sample(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   const uint64_t *samples, uint32_t levels, bailey_mlmc_result *result);
/* For tests: memory that a piece takes at most, instead of what the device is tuned for, and how increments
 * are made of points. */
struct bly_quasi_options {
    uint64_t piece_bytes; /* 0: as tuned */
    bailey_construction construction;
};
bailey_status bly_quasi_run_with(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                 const struct bly_quasi_options *options, bailey_mlmc_result *result);
/* Rows of levels 0 .. levels - 1, with `points` points of each replicate on each. */
bailey_status bly_quasi_run_tables(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   const struct bly_quasi_options *options, uint64_t points, uint32_t levels,
                                   struct bly_quasi_level *rows);

/* What is told of the levels' fault (mlmc_faults.h). */
bailey_status bly_quasi_tell(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                             uint64_t told[BLY_LEVEL_TOLD]);

#endif
