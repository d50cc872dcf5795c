/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Code of levels that fails as it runs. A run ends with the first list in which it does, and tells the first
 * sample of that list, by level, correction, replicate and number.
 */
#ifndef BLY_MLMC_FAULTS_H
#define BLY_MLMC_FAULTS_H

#include <bailey/mlmc.h>

/* Rows of what is told of a fault: kernels/payoff_faults.h. */
#define BLY_LEVEL_TOLD 4u

struct bly_level_fault {
    int found;
    uint32_t level, correction, replicate; /* replicate: of points */
    uint64_t sample;
};

/* Whether `a` comes before `b`, which is not if it is the same. */
int bly_level_fault_before(const struct bly_level_fault *a, const struct bly_level_fault *b);
/* Keeps the first, in the levels, and returns ERROR_PAYOFF. */
bailey_status bly_level_fault_note(bailey_mlmc *mlmc, const struct bly_level_fault *fault);

#endif
