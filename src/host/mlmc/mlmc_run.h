/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs and tests of levels, apart from who makes the samples.
 */
#ifndef BLY_MLMC_RUN_H
#define BLY_MLMC_RUN_H

#include "driver.h"
#include "mlmc_checkpoint.h"

/* What bailey_mlmc_test_params mean where they are 0. */
#define BLY_MLMC_TEST_SAMPLES 100000u
#define BLY_MLMC_TEST_FINEST 8u

/* Who makes samplers. */
struct bly_sampler_maker {
    void *user;
    /* Makes one that adds to `levels`, of all their kinds. To be dropped whatever is returned. */
    bailey_status (*make)(void *user, const bailey_mlmc_run_params *params, struct bly_levels *levels,
                          struct bly_sampler *sampler);
    /* Waits for what is under way. */
    void (*drop)(void *user);
};

/* What bailey_mlmc_run, _sample and _test refuse, apart from source and normals. With `approximate` there are
 * samples[2 * levels]. */
bailey_status bly_mlmc_check_run(const bailey_mlmc_run_params *params);
bailey_status bly_mlmc_check_sample(const bailey_mlmc_run_params *params, const uint64_t *samples,
                                    uint32_t levels);
bailey_status bly_mlmc_check_test(const bailey_mlmc_test_params *params);

/* Runs what has been checked: bailey_mlmc_run with the schedule BATCHED, and bailey_mlmc_run_samples.
 * `identity` is what a checkpoint is known by; it may be NULL where params->checkpoint is. Nothing is
 * written to *result unless OK is returned. */
bailey_status bly_mlmc_run_lists(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                 const struct bly_sampler_maker *maker, const struct bly_identity *identity,
                                 bailey_mlmc_result *result);
bailey_status bly_mlmc_sample_lists(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                    const struct bly_sampler_maker *maker, const uint64_t *samples,
                                    uint32_t levels, bailey_mlmc_result *result);

/* The finest level of the convergence test. */
uint32_t bly_mlmc_finest(const bailey_mlmc_test_params *params);

/* The convergence test: fills all of the report except its runs. What has been checked, without
 * `approximate`.
 */
bailey_status bly_mlmc_test_levels(const bailey_mlmc_test_params *params, uint32_t first_steps,
                                   const struct bly_sampler_maker *maker, bailey_mlmc_report *report);

/* The complexity tests, one for each eps, by `run`: of a report that has all else. */
bailey_status bly_mlmc_test_runs(const bailey_mlmc_test_params *params, uint32_t first_steps,
                                 bailey_status (*run)(void *user, const bailey_mlmc_run_params *params,
                                                      bailey_mlmc_result *result),
                                 void *user, bailey_mlmc_report *report);

#endif
