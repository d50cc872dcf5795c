/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Refusals of runs and tests of levels. A record's check examines every field; a run of given samples or a
 * test ignores some of them, and an ignored field is not refused.
 */
#include "driver.h"

#include <host/describe/records.h>
#include <host/internal.h>

#include <math.h>

/* All fields but those that a test or a given number of samples ignores. */
static bailey_status check_fields(const bailey_mlmc_run_params *p, double eps)
{
    bailey_mlmc_run_params looked_at = *p;
    looked_at.eps = eps;
    looked_at.normal.precision = BAILEY_PRECISION_F32; /* the estimator's counts */
    return bailey_record_check(&bly_record_mlmc_run_params, &looked_at);
}

static bailey_status check_costs(const bailey_mlmc_run_params *p, uint32_t levels)
{
    for (uint32_t l = 0; p->cost && l < levels; l++)
        if (!(p->cost[l] > 0 && isfinite(p->cost[l])))
            return bly_fail_argument("cost", "cost[%u] is %g, not positive and finite", l, p->cost[l]);
    return BAILEY_OK;
}

/* The fields that runs of given samples read. */
static bailey_status check_fields_of_samples(const bailey_mlmc_run_params *p, uint32_t levels)
{
    bailey_mlmc_run_params looked_at = *p;
    looked_at.bias_share = 0;
    looked_at.initial_samples = looked_at.min_level = looked_at.max_level = 0;
    looked_at.schedule = BAILEY_MLMC_SCHEDULE_BATCHED;
    looked_at.cost = NULL; /* of other levels */
    const bailey_status status = check_fields(&looked_at, 1);
    return status == BAILEY_OK ? check_costs(p, levels) : status;
}

bailey_status bly_mlmc_check_run(const bailey_mlmc_run_params *p)
{
    const uint32_t least = bly_mlmc_min_level(p), most = bly_mlmc_max_level(p);
    const bailey_status status = check_fields(p, p->eps);
    if (status == BAILEY_OK && most < least)
        return bly_fail_argument("max_level", "max_level is %u, below min_level, which is %u", most, least);
    return status;
}

bailey_status bly_mlmc_check_samples(const bailey_mlmc_run_params *p, const uint64_t *samples,
                                     uint32_t levels)
{
    int any = 0;
    if (!samples) return bly_fail_argument("samples", "samples is NULL");
    if (levels < 1 || levels > BAILEY_MLMC_MAX_LEVELS)
        return bly_fail_argument("levels", "levels is %u, not from 1 to %u", levels, BAILEY_MLMC_MAX_LEVELS);
    const bailey_status status = check_fields_of_samples(p, levels);
    if (status != BAILEY_OK) return status;
    if (p->approximate == BAILEY_MLMC_APPROXIMATION_AUTO)
        return bly_fail_argument("approximate",
                                 "approximate is auto, but a run of given samples chooses nothing: give the kind");
    for (uint32_t i = 0; i < levels * bly_approximate_kinds(p); i++) {
        if (samples[i] > BLY_MLMC_MOST_SAMPLES)
            return bly_fail_argument("samples", "samples[%u] is %llu; the maximum is 2^38", i,
                                     (unsigned long long)samples[i]);
        if (samples[i] % BLY_LEVEL_GRAIN)
            return bly_fail_argument("samples", "samples[%u] is %llu, not a multiple of %u", i,
                                     (unsigned long long)samples[i], BLY_LEVEL_GRAIN);
        any |= samples[i] > 0;
    }
    return any ? BAILEY_OK : bly_fail_argument("samples", "samples is 0 on all of %u levels", levels);
}

bailey_status bly_mlmc_check_test(const bailey_mlmc_test_params *p)
{
    const uint32_t finest = bly_mlmc_test_finest(p), most = bly_mlmc_max_level(&p->run);
    bailey_mlmc_test_params looked_at = *p;
    looked_at.run.eps = 1;
    bailey_status status = bly_mlmc_check_run(&looked_at.run);
    looked_at.run.normal.precision = BAILEY_PRECISION_F32;
    if (status == BAILEY_OK) status = bailey_record_check(&bly_record_mlmc_test_params, &looked_at);
    if (status == BAILEY_OK && p->eps_count && !p->eps)
        return bly_fail_argument("eps", "eps is NULL but eps_count is %u", p->eps_count);
    if (status == BAILEY_OK && p->run.cost && finest > most)
        return bly_fail_argument("finest", "finest is %u, but cost is given only up to max_level %u", finest,
                                 most);
    return status;
}

bailey_status bly_approximate_check(const bailey_mlmc_run_params *p, bailey_precision precision)
{
    if (p->approximate == BAILEY_MLMC_APPROXIMATION_EXACT) return BAILEY_OK;
    if (precision != BAILEY_PRECISION_F32)
        return bly_fail_argument("approximate", "approximate normals need single precision");
    if (bly_source_kind(&p->source) == BAILEY_SOURCE_KIND_POINT)
        return bly_fail_argument("approximate", "approximate normals do not support a source of points");
    if (p->schedule != BAILEY_MLMC_SCHEDULE_BATCHED)
        return bly_fail_argument("schedule",
                                 "schedule is %d, but approximate normals need BAILEY_MLMC_SCHEDULE_BATCHED",
                                 (int)p->schedule);
    return BAILEY_OK;
}
