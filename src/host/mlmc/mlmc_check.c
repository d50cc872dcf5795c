/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What runs and tests of levels refuse.
 */
#include "mlmc_run.h"
#include "nested.h"

#include <host/internal.h>

#include <math.h>

#define MOST_LEVEL (BAILEY_MLMC_MAX_LEVELS - 1)
#define MOST_ORDER 64

static bailey_status check_eps(double eps)
{
    if (eps > 0 && isfinite(eps)) return BAILEY_OK;
    return bly_fail_argument("eps", "eps is %g, not positive and finite", eps);
}

static bailey_status check_samples(uint64_t samples)
{
    if (samples <= BLY_MLMC_MOST_SAMPLES) return BAILEY_OK;
    return bly_fail_argument("samples", "samples is %llu, at most 2^38", (unsigned long long)samples);
}

static bailey_status check_range(const bailey_mlmc_run_params *p)
{
    const uint32_t least = bly_mlmc_least(p), most = bly_mlmc_most(p);
    if (least < 2 || least > MOST_LEVEL)
        return bly_fail_argument("min_level", "min_level is %u, not from 2 to %u", least, MOST_LEVEL);
    if (most < least || most > MOST_LEVEL)
        return bly_fail_argument("max_level", "max_level is %u, not from min_level %u to %u", most, least,
                                 MOST_LEVEL);
    return BAILEY_OK;
}

static bailey_status check_order(const char *name, double order)
{
    if (order >= 0 && order <= MOST_ORDER) return BAILEY_OK;
    bly_fail(BAILEY_ERROR_INVALID, "%s is %g, not from 0 to %d", name, order, MOST_ORDER);
    return bly_name_argument(BAILEY_ERROR_INVALID, name);
}

static bailey_status check_costs(const bailey_mlmc_run_params *p, uint32_t levels)
{
    for (uint32_t l = 0; p->cost && l < levels; l++)
        if (!(p->cost[l] > 0 && isfinite(p->cost[l])))
            return bly_fail_argument("cost", "cost[%u] is %g, not positive and finite", l, p->cost[l]);
    return BAILEY_OK;
}

/* What a given number of samples has too. */
static bailey_status check_laws(const bailey_mlmc_run_params *p, uint32_t levels)
{
    bailey_status status = check_order("alpha", p->alpha);
    if (status == BAILEY_OK) status = check_order("beta", p->beta);
    if (status == BAILEY_OK) status = check_order("gamma", p->gamma);
    return status == BAILEY_OK ? check_costs(p, levels) : status;
}

/* All but eps. */
static bailey_status check_run(const bailey_mlmc_run_params *p)
{
    if (BLY_REFUSES(p)) return BAILEY_ERROR_INVALID;
    if (!(p->bias_share >= 0 && p->bias_share < 1))
        return bly_fail_argument("bias_share", "bias_share is %g, not from 0 to below 1", p->bias_share);
    if (p->schedule != BAILEY_MLMC_SCHEDULE_BATCHED && p->schedule != BAILEY_MLMC_SCHEDULE_PERSISTENT)
        return bly_fail_argument("schedule", "schedule is %d, not a bailey_mlmc_schedule", (int)p->schedule);
    if (!(p->checkpoint_seconds >= 0 && isfinite(p->checkpoint_seconds)))
        return bly_fail_argument("checkpoint_seconds", "checkpoint_seconds is %g", p->checkpoint_seconds);
    bailey_status status = check_samples(p->initial_samples);
    if (status == BAILEY_OK) status = check_range(p);
    return status == BAILEY_OK ? check_laws(p, bly_mlmc_most(p) + 1) : status;
}

bailey_status bly_mlmc_check_run(const bailey_mlmc_run_params *p)
{
    const bailey_status status = check_eps(p->eps);
    return status == BAILEY_OK ? check_run(p) : status;
}

bailey_status bly_mlmc_check_sample(const bailey_mlmc_run_params *p, const uint64_t *samples, uint32_t levels)
{
    int any = 0;
    if (!samples) return bly_fail_argument("samples", "samples is NULL");
    if (levels < 1 || levels > BAILEY_MLMC_MAX_LEVELS)
        return bly_fail_argument("levels", "levels is %u, not from 1 to %u", levels, BAILEY_MLMC_MAX_LEVELS);
    for (uint32_t i = 0; i < levels * bly_nested_kinds(p); i++) {
        const bailey_status status = check_samples(samples[i]);
        if (status != BAILEY_OK) return status;
        if (samples[i] % BLY_LEVEL_GRAIN)
            return bly_fail_argument("samples", "samples[%u] is %llu, not a multiple of %u", i,
                                     (unsigned long long)samples[i], BLY_LEVEL_GRAIN);
        any |= samples[i] > 0;
    }
    if (!any) return bly_fail_argument("samples", "samples is 0 on all of %u levels", levels);
    return check_laws(p, levels);
}

static bailey_status check_all_eps(const bailey_mlmc_test_params *p)
{
    if (p->eps_count > BAILEY_MLMC_MAX_EPS)
        return bly_fail_argument("eps_count", "eps_count is %u, at most %u", p->eps_count,
                                 BAILEY_MLMC_MAX_EPS);
    if (p->eps_count && !p->eps)
        return bly_fail_argument("eps", "eps is NULL, and eps_count is %u", p->eps_count);
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < p->eps_count && status == BAILEY_OK; i++) status = check_eps(p->eps[i]);
    return status;
}

bailey_status bly_mlmc_check_test(const bailey_mlmc_test_params *p)
{
    const uint32_t finest = bly_mlmc_finest(p), most = bly_mlmc_most(&p->run);
    bailey_status status = check_all_eps(p);
    if (status == BAILEY_OK) status = check_samples(p->samples);
    if (status == BAILEY_OK) status = check_run(&p->run);
    if (status != BAILEY_OK) return status;
    if (finest < 2 || finest > MOST_LEVEL)
        return bly_fail_argument("finest", "finest is %u, not from 2 to %u", finest, MOST_LEVEL);
    if (p->run.cost && finest > most)
        return bly_fail_argument("finest", "finest is %u, and cost is given up to max_level %u alone", finest,
                                 most);
    return BAILEY_OK;
}
