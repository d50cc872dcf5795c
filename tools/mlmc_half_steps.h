/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What mlmc_half.cu and mlmc_half_cpu.c have in common: the variants that they time, how their sums are held
 * to those of paths emulated on the host, and the tables (docs/mlmc-low-precision.md).
 */
#ifndef MLMC_HALF_STEPS_H
#define MLMC_HALF_STEPS_H

#include "mlmc_half_paths.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MLMC_HALF_LEVELS 7

/* Samples of one kind: `normals` as of mlmc_half_ends, paths of a format. */
struct mlmc_half_variant {
    const char *name;
    int normals, format, shared; /* 1: halves of a word are of two samples, on level 0 alone */
};
enum { MLMC_HALF_VARIANTS = 11 };
extern const struct mlmc_half_variant mlmc_half_variants[MLMC_HALF_VARIANTS];

/* Of the differences Y of samples. */
struct mlmc_half_sums {
    double y, yy;
};

/* Who makes samples. It may have several programs for the same, its `ways`, of which the fastest counts. */
struct mlmc_half_maker {
    const char *name;
    int ways;
    const char *const *way_names;
    void *user;
    /* Whether it makes these, and if not, why. */
    const char *(*refuses)(void *user, const struct mlmc_half_variant *variant);
    /* Sums of samples 0 .. samples - 1, a multiple of 8, and the seconds that they took. */
    double (*sum)(void *user, int way, const struct mlmc_half_variant *variant, enum mlmc_half_form form,
                  int level, uint64_t samples, struct mlmc_half_sums *sums);
    /* The ends of the paths of the same samples, as mlmc_half_ends has them; of DIFFERENCE and SHARED. */
    void (*ends)(void *user, const struct mlmc_half_variant *variant, enum mlmc_half_form form, int level,
                 uint64_t samples, float *first, float *second);
};

/* Compares all of a maker's samples with the host's, times them, and prints both. `steps`: fine steps of a
 * measurement. Returns the number of mismatches. */
int mlmc_half_measure(const struct mlmc_half_maker *maker, uint64_t steps);

#ifdef __cplusplus
}
#endif

#endif
