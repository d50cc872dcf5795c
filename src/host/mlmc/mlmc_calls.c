/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_mlmc_run, _run_samples and _test: their arguments, who makes the samples, and what is reported where
 * the level functions fail as they run.
 */
#include "mlmc_internal.h"

#include <base/alloc.h>
#include <host/payoff/sites.h>

#include <stdio.h>

/* One of three samplers, by the parameters of the run. */
struct maker {
    bailey_mlmc *mlmc;
    struct bly_batched *batched;
    struct bly_approximate *approximate;
    struct bly_persistent *persistent;
};

static bailey_status make(void *user, const bailey_mlmc_run_params *params, struct bly_term_sums *sums,
                          struct bly_sampler *sampler)
{
    struct maker *m = user;
    bailey_status status;
    if (params->schedule == BAILEY_MLMC_SCHEDULE_PERSISTENT) {
        status = bly_persistent_create(m->mlmc, params, sums, &m->persistent);
        if (status == BAILEY_OK) *sampler = bly_persistent_sampler(m->persistent);
    } else if (params->approximate) {
        status = bly_approximate_create(m->mlmc, params, sums, &m->approximate);
        if (status == BAILEY_OK) *sampler = bly_approximate_sampler(m->approximate);
    } else {
        status = bly_batched_create(m->mlmc, params, sums, &m->batched);
        if (status == BAILEY_OK) *sampler = bly_batched_sampler(m->batched);
    }
    return status;
}

static void drop(void *user)
{
    struct maker *m = user;
    bly_batched_destroy(m->batched);
    bly_approximate_destroy(m->approximate);
    bly_persistent_destroy(m->persistent);
    *m = (struct maker){.mlmc = m->mlmc};
}

static int is_points(const bailey_mlmc_run_params *params)
{
    return bly_source_kind(&params->source) == BAILEY_SOURCE_KIND_POINT;
}

/* Refuses a source that does not go with the parameters, and missing parameters. */
static bailey_status check_source(const bailey_mlmc *mlmc, const bailey_mlmc_run_params *params)
{
    bailey_source_kind kind;
    bailey_status status = bailey_source_check(&params->source, &kind);
    if (status == BAILEY_OK) status = bly_parameters_missing(&mlmc->payoff, mlmc->given, NULL);
    if (status == BAILEY_OK) status = bly_parameters_check(&mlmc->payoff, mlmc->precision, mlmc->values);
    if (status != BAILEY_OK) return status;
    if (kind == BAILEY_SOURCE_KIND_POINT && params->checkpoint)
        return bly_fail_argument("checkpoint", "checkpoint is given, but runs with points have none");
    if (kind == BAILEY_SOURCE_KIND_POINT && params->schedule == BAILEY_MLMC_SCHEDULE_PERSISTENT)
        return bly_fail_argument(
            "schedule", "schedule is BAILEY_MLMC_SCHEDULE_PERSISTENT, which does not support points");
    if (params->schedule == BAILEY_MLMC_SCHEDULE_PERSISTENT && params->checkpoint)
        return bly_fail_argument("checkpoint", "checkpoint is given, but persistent kernels have none");
    return bly_approximate_check(params, mlmc->precision);
}

/* ---- Code that fails as it runs ----------------------------------------------------------------- */

/* Runs the sample of the levels' fault again. */
static bailey_status diagnose(bailey_mlmc *m, const bailey_mlmc_run_params *params,
                              uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS])
{
    bailey_mlmc_run_params own = *params;
    own.progress = NULL;
    own.checkpoint = NULL;
    own.schedule = BAILEY_MLMC_SCHEDULE_BATCHED;
    if (is_points(params)) return bly_quasi_diagnose(m, &own, diagnosis);
    if (params->approximate) own.source = bly_approximate_source(params, m->fault.correction);
    own.approximate = m->fault.approximate;
    return bly_batched_diagnose(m, &own, diagnosis);
}

/* The message: what failed at which site, and on which sample. */
static bailey_status write_fault(const bailey_mlmc *m, const uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS],
                                 int points)
{
    const struct bly_level_fault *f = &m->fault;
    char what[BLY_ERROR_TEXT / 2], replicate[64] = "";
    const uint64_t site = diagnosis[1], number = f->sample;
    snprintf(what, sizeof what, "%s: its code failed", m->payoff.name);
    if (site > 0 && site <= m->payoff.site_count)
        bly_site_write(m->payoff.name, &m->payoff.sites[site - 1],
                       (int64_t)(diagnosis[2] << 32 | diagnosis[3]), m->payoff.loop_budget, what,
                       sizeof what);
    if (points) snprintf(replicate, sizeof replicate, "replicate %u of ", f->replicate);
    bly_fail(BAILEY_ERROR_PAYOFF, "%s, on %s %llu of %s%slevel %u", what, points ? "point" : "sample",
             (unsigned long long)number, replicate, f->correction ? "the corrections of " : "", f->level);
    return bly_name_argument(BAILEY_ERROR_PAYOFF, "estimator");
}

/* Ends a run with `status`: where it is ERROR_PAYOFF the sample that failed is made again, to find out why.
 * `params` are those that its source was of. */
static bailey_status end_fault(bailey_mlmc *m, const bailey_mlmc_run_params *params, bailey_status status)
{
    uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS] = {0};
    if (status != BAILEY_ERROR_PAYOFF || !m->fault.found) return status;
    status = diagnose(m, params, diagnosis);
    return status == BAILEY_OK ? write_fault(m, diagnosis, is_points(params)) : status;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

static void identify(const bailey_mlmc *m, const bailey_mlmc_run_params *params,
                     struct bly_identity *identity)
{
    bly_mlmc_identify(params, identity);
    memcpy(identity->digest[BLY_IDENTITY_PATH], m->path_digest, BLY_DIGEST_BYTES);
    bly_payoff_digest(&m->payoff, identity->digest[BLY_IDENTITY_PAYOFF]);
    bly_parameters_digest(&m->payoff, m->precision, m->values, identity->digest[BLY_IDENTITY_PARAMETERS]);
}

/* Only a checkpoint needs the identity of its run, whose digest takes a third of a short run on the host. */
static bailey_status run(void *user, const bailey_mlmc_run_params *params, bailey_mlmc_result *result)
{
    bailey_mlmc *mlmc = user;
    struct maker samplers = {.mlmc = mlmc};
    const struct bly_sampler_maker maker = {&samplers, make, drop};
    struct bly_identity identity;
    mlmc->fault.found = 0;
    if (is_points(params)) return end_fault(mlmc, params, bly_quasi_run(mlmc, params, result));
    if (params->checkpoint) identify(mlmc, params, &identity);
    return end_fault(
        mlmc, params,
        bly_mlmc_run_with(params, mlmc->first_steps, &maker, params->checkpoint ? &identity : NULL, result));
}

bailey_status bly_mlmc_run(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                           bailey_mlmc_result *result)
{
    bailey_status status = bly_mlmc_check_run(params);
    if (status == BAILEY_OK) status = check_source(mlmc, params);
    return status == BAILEY_OK ? run(mlmc, params, result) : status;
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
    const bailey_status status = bly_mlmc_run(mlmc, params, result);
    fesetenv(&callers);
    return bly_finish(mlmc->context, status);
}

bailey_status bly_mlmc_run_samples(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   const uint64_t *samples, uint32_t levels, bailey_mlmc_result *result)
{
    struct maker samplers = {.mlmc = mlmc};
    const struct bly_sampler_maker maker = {&samplers, make, drop};
    bailey_mlmc_run_params own = *params;
    own.schedule = BAILEY_MLMC_SCHEDULE_BATCHED;
    own.checkpoint = NULL;
    mlmc->fault.found = 0;
    bailey_status status = check_source(mlmc, &own);
    if (status == BAILEY_OK) status = bly_mlmc_check_samples(params, samples, levels);
    if (status == BAILEY_OK && is_points(params))
        return end_fault(mlmc, &own, bly_quasi_run_samples(mlmc, params, samples, levels, result));
    if (status != BAILEY_OK) return status;
    struct bly_term_sums sums;
    status = bly_mlmc_run_samples_with(&own, mlmc->first_steps, &maker, samples, levels, BLY_LEVEL_RUN_ROWS,
                                       &sums, result);
    bly_term_sums_free(&sums);
    return end_fault(mlmc, &own, status);
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
    const bailey_status status = bly_mlmc_run_samples(mlmc, params, samples, levels, result);
    fesetenv(&callers);
    return bly_finish(mlmc->context, status);
}

/* ---- Tests --------------------------------------------------------------------------------------- */

/* The convergence test takes independent samples with exact normals, also where the runs do not. A report
 * takes too much for the stack of some threads. */
static bailey_status test(bailey_mlmc *mlmc, const bailey_mlmc_test_params *params, bailey_mlmc_report *out)
{
    struct maker samplers = {.mlmc = mlmc};
    const struct bly_sampler_maker maker = {&samplers, make, drop};
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
