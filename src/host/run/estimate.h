/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * From the sums of replicates to means, standard errors, intervals and control variates.
 */
#ifndef BLY_ESTIMATE_H
#define BLY_ESTIMATE_H

#include <bailey/simulation.h>

/* The sums of a replicate, as kernels/simulation_code.h orders them. */
struct bly_sums {
    uint32_t outputs;
    int products;
    int shape; /* 1: powers and extrema; 2: extrema */
    uint64_t paths;
    const double *value;
};

/* Sums over the replicates that have been added. */
struct bly_estimator;

/* `expected` as in bailey_simulation_run_params; NULL: no controls. Returns NULL where there is no memory. */
struct bly_estimator *bly_estimator_create(uint32_t outputs, const double *expected);
void bly_estimator_destroy(struct bly_estimator *estimator);

/* Adds a replicate. */
void bly_estimator_add(struct bly_estimator *estimator, const struct bly_sums *sums);

/* The estimates; with `points` the paths of a replicate are not independent. `covariance` may be NULL. */
void bly_estimator_finish(const struct bly_estimator *estimator, int points, bailey_estimate *estimates,
                          double *covariance);

#endif
