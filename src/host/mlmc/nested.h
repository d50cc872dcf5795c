/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Nested multilevel Monte Carlo (bailey_mlmc_run with `approximate`): what sets a level's two kinds of
 * samples apart, differences with approximate normals (kind 0) and what corrects them (kind 1). The driver
 * decides for both; without `approximate` there is kind 0 alone, with exact normals.
 */
#ifndef BLY_MLMC_NESTED_H
#define BLY_MLMC_NESTED_H

#include "levels.h"

/* Of a step with approximate normals, relative to an exact one, where params->approximate_cost is 0: measured
 * (docs/mlmc-low-precision.md). */
#define BLY_APPROXIMATE_COST 0.75

/* Variances of corrections fall as 2^(-BLY_CORRECTION_BETA l), as the paper expects; they are too few for an
 * estimate. */
#define BLY_CORRECTION_BETA 1

/* 1, or BLY_KINDS. */
uint32_t bly_nested_kinds(const bailey_mlmc_run_params *params);

/* What a sample of a kind costs, relative to a difference with exact normals. */
double bly_nested_cost(const bailey_mlmc_run_params *params, uint32_t kind);

/* Refuses what there is not with approximate normals: an unknown kind, a source of points, a schedule other
 * than BATCHED, a cost that is not from 0 to 1, double precision. OK without them. */
bailey_status bly_nested_check(const bailey_mlmc_run_params *params, bailey_precision precision);

#endif
