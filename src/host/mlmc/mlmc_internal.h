/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What levels of multilevel Monte Carlo hold, once their text is read.
 */
#ifndef BLY_MLMC_INTERNAL_H
#define BLY_MLMC_INTERNAL_H

#include "mlmc_faults.h"

#include <bailey/mlmc.h>
#include <host/internal.h>
#include <host/payoff/parameters.h>
#include <host/run/variant.h>

struct bailey_mlmc {
    bailey_context *context;
    struct bly_payoff payoff;
    uint8_t *given; /* 1 of each parameter that was set */
    bailey_precision precision;
    uint32_t dims, first_steps;
    double time;
    double *factor;  /* [dims][dims], lower triangular, not rounded; NULL: the identity */
    uint8_t *values; /* the set of parameters */
    struct bly_variants programs;
    uint32_t group_items;         /* that compiled kernels have been refused more than; 0: none has */
    struct bly_level_fault fault; /* of the run under way */
    uint8_t path_digest[BLY_DIGEST_BYTES];
};

/* Of built-in levels; NULL where there are none of this name. */
const char *bly_mlmc_builtin_code(const char *name);

/* Fine steps of a level. */
static inline uint64_t bly_mlmc_steps(const bailey_mlmc *mlmc, uint32_t level)
{
    return (uint64_t)mlmc->first_steps << level;
}

#endif
