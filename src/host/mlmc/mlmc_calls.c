/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_mlmc_run, _sample and _test: arguments, and who makes the samples.
 */
#include "mlmc_internal.h"
#include "mlmc_persistent.h"
#include "mlmc_rounds.h"
#include "mlmc_run.h"
#include "nested.h"
#include "nested_rounds.h"
#include "quasi_run.h"

#include <base/alloc.h>
#include <host/payoff/sites.h>

#include <stdio.h>

struct maker {
    bailey_mlmc *mlmc;
    struct bly_rounds *rounds;
    struct bly_nested_rounds *nested;
    struct bly_stay *stay;
};

static bailey_status make(void *user, const bailey_mlmc_run_params *params, struct bly_levels *levels,
                          struct bly_sampler *sampler)
{
    struct maker *m = user;
    if (params->schedule == BAILEY_MLMC_SCHEDULE_PERSISTENT) {
        const bailey_status stays = bly_stay_create(m->mlmc, params, levels, &m->stay);
        if (stays == BAILEY_OK) *sampler = bly_stay_sampler(m->stay);
        return stays;
    }
    if (params->approximate) {
        const bailey_status nests = bly_nested_rounds_create(m->mlmc, params, levels, &m->nested);
        if (nests == BAILEY_OK) *sampler = bly_nested_rounds_sampler(m->nested);
        return nests;
    }
    const bailey_status status = bly_rounds_create(m->mlmc, params, levels, &m->rounds);
    if (status == BAILEY_OK) *sampler = bly_rounds_sampler(m->rounds);
    return status;
}

static void drop(void *user)
{
    struct maker *m = user;
    bly_rounds_destroy(m->rounds);
    bly_nested_rounds_destroy(m->nested);
    bly_stay_destroy(m->stay);
    *m = (struct maker){.mlmc = m->mlmc};
}

static int is_points(const bailey_mlmc_run_params *params)
{
    return bly_source_kind(&params->source) == BAILEY_SOURCE_KIND_POINT;
}

/* What lists do not serve. */
static bailey_status check_source(const bailey_mlmc *mlmc, const bailey_mlmc_run_params *params)
{
    bailey_source_kind kind;
    bailey_status status = bailey_source_check(&params->source, &kind);
    if (status == BAILEY_OK) status = bly_parameters_missing(&mlmc->payoff, mlmc->given, NULL);
    if (status == BAILEY_OK) status = bly_parameters_check(&mlmc->payoff, mlmc->precision, mlmc->values);
    if (status != BAILEY_OK) return status;
    if (kind == BAILEY_SOURCE_KIND_POINT && params->checkpoint)
        return bly_fail_argument("checkpoint", "there is no checkpoint of a run with points");
    if (kind == BAILEY_SOURCE_KIND_POINT && params->schedule == BAILEY_MLMC_SCHEDULE_PERSISTENT)
        return bly_fail_argument("schedule",
                                 "schedule is BAILEY_MLMC_SCHEDULE_PERSISTENT, which is not for points");
    if (params->schedule == BAILEY_MLMC_SCHEDULE_PERSISTENT && params->checkpoint)
        return bly_fail_argument("checkpoint", "there is no checkpoint with kernels that stay");
    return bly_nested_check(params, mlmc->precision);
}

/* ---- Code that fails as it runs ----------------------------------------------------------------- */

static bailey_status tell(bailey_mlmc *m, const bailey_mlmc_run_params *params, uint64_t told[BLY_LEVEL_TOLD])
{
    bailey_mlmc_run_params own = *params;
    own.progress = NULL;
    own.checkpoint = NULL;
    own.schedule = BAILEY_MLMC_SCHEDULE_BATCHED;
    if (is_points(params)) return bly_quasi_tell(m, &own, told);
    if (params->approximate) own.source = bly_nested_source(params, m->fault.correction);
    return bly_rounds_tell(m, &own, told);
}

static bailey_status say_fault(const bailey_mlmc *m, const uint64_t told[BLY_LEVEL_TOLD], int points)
{
    const struct bly_level_fault *f = &m->fault;
    char what[BLY_ERROR_TEXT / 2], replicate[64] = "";
    const uint64_t site = told[1], number = f->sample;
    snprintf(what, sizeof what, "%s: its code failed", m->payoff.name);
    if (site > 0 && site <= m->payoff.site_count)
        bly_site_say(m->payoff.name, &m->payoff.sites[site - 1], (int64_t)(told[2] << 32 | told[3]),
                     m->payoff.loop_budget, what, sizeof what);
    if (points) snprintf(replicate, sizeof replicate, "replicate %u of ", f->replicate);
    bly_fail(BAILEY_ERROR_PAYOFF, "%s, on %s %llu of %s%slevel %u", what, points ? "point" : "sample",
             (unsigned long long)number, replicate, f->correction ? "the corrections of " : "", f->level);
    return bly_name_argument(BAILEY_ERROR_PAYOFF, "estimator");
}

/* Ends a run with `status`: where it is ERROR_PAYOFF the sample that failed is made again to find the words.
 * `params` are those that its source was of. */
static bailey_status end_fault(bailey_mlmc *m, const bailey_mlmc_run_params *params, bailey_status status)
{
    uint64_t told[BLY_LEVEL_TOLD] = {0};
    if (status != BAILEY_ERROR_PAYOFF || !m->fault.found) return status;
    status = tell(m, params, told);
    return status == BAILEY_OK ? say_fault(m, told, is_points(params)) : status;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

static bailey_status run(void *user, const bailey_mlmc_run_params *params, bailey_mlmc_result *result)
{
    bailey_mlmc *mlmc = user;
    struct maker rounds = {.mlmc = mlmc};
    const struct bly_sampler_maker maker = {&rounds, make, drop};
    struct bly_identity identity;
    mlmc->fault.found = 0;
    if (is_points(params)) return end_fault(mlmc, params, bly_quasi_run(mlmc, params, result));
    bly_mlmc_identify(params, &identity);
    memcpy(identity.digest[BLY_IDENTITY_PATH], mlmc->path_digest, BLY_DIGEST_BYTES);
    bly_payoff_digest(&mlmc->payoff, identity.digest[BLY_IDENTITY_PAYOFF]);
    bly_parameters_digest(&mlmc->payoff, mlmc->precision, mlmc->values,
                          identity.digest[BLY_IDENTITY_PARAMETERS]);
    return end_fault(mlmc, params, bly_mlmc_run_lists(params, mlmc->first_steps, &maker, &identity, result));
}

bailey_status bailey_mlmc_run(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                              bailey_mlmc_result *result)
{
    if (!mlmc) return bly_fail_argument("mlmc", "mlmc is NULL");
    BLY_ENTER(mlmc->context);
    if (BLY_REFUSES(params)) return bly_finish(mlmc->context, BAILEY_ERROR_INVALID);
    if (!result) return bly_finish(mlmc->context, bly_fail_argument("result", "result is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = bly_mlmc_check_run(params);
    if (status == BAILEY_OK) status = check_source(mlmc, params);
    if (status == BAILEY_OK) status = run(mlmc, params, result);
    fesetenv(&callers);
    return bly_finish(mlmc->context, status);
}

static bailey_status sample(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params, const uint64_t *samples,
                            uint32_t levels, bailey_mlmc_result *result)
{
    struct maker rounds = {.mlmc = mlmc};
    const struct bly_sampler_maker maker = {&rounds, make, drop};
    bailey_mlmc_run_params own = *params;
    own.schedule = BAILEY_MLMC_SCHEDULE_BATCHED;
    own.checkpoint = NULL;
    mlmc->fault.found = 0;
    bailey_status status = check_source(mlmc, &own);
    if (status == BAILEY_OK) status = bly_mlmc_check_sample(params, samples, levels);
    if (status == BAILEY_OK && is_points(params))
        return end_fault(mlmc, &own, bly_quasi_run_sample(mlmc, params, samples, levels, result));
    if (status != BAILEY_OK) return status;
    return end_fault(mlmc, &own,
                     bly_mlmc_sample_lists(&own, mlmc->first_steps, &maker, samples, levels, result));
}

bailey_status bailey_mlmc_run_samples(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                      const uint64_t *samples, uint32_t levels, bailey_mlmc_result *result)
{
    if (!mlmc) return bly_fail_argument("mlmc", "mlmc is NULL");
    BLY_ENTER(mlmc->context);
    if (BLY_REFUSES(params)) return bly_finish(mlmc->context, BAILEY_ERROR_INVALID);
    if (!result) return bly_finish(mlmc->context, bly_fail_argument("result", "result is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = sample(mlmc, params, samples, levels, result);
    fesetenv(&callers);
    return bly_finish(mlmc->context, status);
}

/* ---- Tests --------------------------------------------------------------------------------------- */

/* A report takes too much for the stack of some threads. */
static bailey_status test(bailey_mlmc *mlmc, const bailey_mlmc_test_params *params, bailey_mlmc_report *out)
{
    struct maker rounds = {.mlmc = mlmc};
    const struct bly_sampler_maker maker = {&rounds, make, drop};
    bailey_status status = bly_mlmc_check_test(params);
    bailey_mlmc_test_params levels = *params;
    levels.run.checkpoint = NULL;
    if (status == BAILEY_OK) status = check_source(mlmc, &levels.run);
    if (status != BAILEY_OK) return status;
    levels.run.approximate = BAILEY_MLMC_APPROXIMATION_EXACT;
    bailey_mlmc_report *report = bly_alloc(1, sizeof *report);
    if (!report) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a report");
    if (is_points(&params->run))
        levels.run.source =
            (bailey_source){.seed = params->run.source.seed, .stream = params->run.source.stream};
    mlmc->fault.found = 0;
    status = end_fault(mlmc, &levels.run, bly_mlmc_test_levels(&levels, mlmc->first_steps, &maker, report));
    if (status == BAILEY_OK) status = bly_mlmc_test_runs(params, mlmc->first_steps, run, mlmc, report);
    if (status == BAILEY_OK) *out = *report;
    bly_free(report);
    return status;
}

bailey_status bailey_mlmc_test(bailey_mlmc *mlmc, const bailey_mlmc_test_params *params,
                               bailey_mlmc_report *report)
{
    if (!mlmc) return bly_fail_argument("mlmc", "mlmc is NULL");
    BLY_ENTER(mlmc->context);
    if (BLY_REFUSES(params)) return bly_finish(mlmc->context, BAILEY_ERROR_INVALID);
    if (!report) return bly_finish(mlmc->context, bly_fail_argument("report", "report is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = test(mlmc, params, report);
    fesetenv(&callers);
    return bly_finish(mlmc->context, status);
}
