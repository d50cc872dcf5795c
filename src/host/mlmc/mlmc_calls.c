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

/* ---- Runs ---------------------------------------------------------------------------------------- */

static bailey_status run(void *user, const bailey_mlmc_run_params *params, bailey_mlmc_result *result)
{
    bailey_mlmc *mlmc = user;
    struct maker rounds = {.mlmc = mlmc};
    const struct bly_sampler_maker maker = {&rounds, make, drop};
    struct bly_identity identity;
    mlmc->fault.found = 0;
    if (is_points(params)) return bly_level_fault_end(mlmc, params, bly_quasi_run(mlmc, params, result));
    bly_mlmc_identify(params, &identity);
    memcpy(identity.digest[BLY_IDENTITY_PATH], mlmc->path_digest, BLY_DIGEST_BYTES);
    bly_payoff_digest(&mlmc->payoff, identity.digest[BLY_IDENTITY_PAYOFF]);
    bly_parameters_digest(&mlmc->payoff, mlmc->precision, mlmc->values,
                          identity.digest[BLY_IDENTITY_PARAMETERS]);
    return bly_level_fault_end(mlmc, params,
                               bly_mlmc_run_lists(params, mlmc->first_steps, &maker, &identity, result));
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
        return bly_level_fault_end(mlmc, &own, bly_quasi_run_sample(mlmc, params, samples, levels, result));
    if (status != BAILEY_OK) return status;
    return bly_level_fault_end(
        mlmc, &own, bly_mlmc_sample_lists(&own, mlmc->first_steps, &maker, samples, levels, result));
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
    status = bly_level_fault_end(mlmc, &levels.run,
                                 bly_mlmc_test_levels(&levels, mlmc->first_steps, &maker, report));
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
