/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Level functions, built in (the files under levels/, which the build lists in kernels/levels_list.h) or the
 * caller's: their code is read once, by the front end of payoffs, for as many runs as wished.
 */
#include "mlmc_internal.h"

#include <base/alloc.h>
#include <host/describe/records.h>
#include <host/payoff/descriptions.h>
#include <host/source/source.h>
#include <kernels/levels_list.h>

#include <math.h>
#include <string.h>

#define DECLARE(name, file) extern const unsigned char bly_data_##file[];
BLY_LEVELS_LIST(DECLARE)

#define ROW(name, file) {name, bly_data_##file},
static const struct {
    const char *name;
    const unsigned char *code;
} builtins[] = {BLY_LEVELS_LIST(ROW)};

#define COUNT (sizeof builtins / sizeof builtins[0])

const char *bly_mlmc_builtin_code(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(builtins[i].name, name) == 0) return (const char *)builtins[i].code;
    return NULL;
}

const char *bailey_mlmc_name(size_t index) { return index < COUNT ? builtins[index].name : NULL; }

/* The code itself, of a built-in too. */
static bailey_status find_code(const bailey_payoff *levels, bailey_payoff *found)
{
    *found = *levels;
    if (BLY_REFUSES(levels)) return BAILEY_ERROR_INVALID;
    if (levels->model_code || levels->model_name || levels->substeps || levels->controls)
        return bly_fail_argument("estimator", "estimator has a model, substeps or controls, which only products take");
    if (levels->code) return BAILEY_OK;
    if (!levels->name)
        return bly_fail_argument("estimator", "estimator has neither code nor the name of a built-in");
    found->code = bly_mlmc_builtin_code(levels->name);
    if (found->code) return BAILEY_OK;
    return bly_fail_argument("estimator", "estimator \"%s\" is not a built-in", levels->name);
}

static bailey_status check(const bailey_mlmc_params *p)
{
    const uint32_t steps = p->first_steps;
    const bailey_status status = bailey_record_check(&bly_record_mlmc_params, p);
    if (status == BAILEY_OK && (steps & (steps - 1)) != 0)
        return bly_fail_argument("first_steps", "first_steps is %u, not a power of two", steps);
    return status;
}

/* As many dimensions as the head comment of the code asks for, where the caller leaves them open. */
static bailey_status choose_dims(const bailey_payoff *levels, uint32_t *dims)
{
    bailey_path_needs needs = {0};
    const char *name = levels->name ? levels->name : "levels.c";
    const bailey_status status = bly_needs_of_code(true, levels->code, name, &needs);
    if (!*dims) *dims = needs.dims_least ? needs.dims_least : 1;
    if (status == BAILEY_OK && *dims < needs.dims_least)
        return bly_fail_argument("dims", "dims is %u, but %s needs %u", *dims, name, needs.dims_least);
    if (status == BAILEY_OK && needs.dims_most && *dims > needs.dims_most)
        return bly_fail_argument("dims", "dims is %u, but %s allows at most %u", *dims, name,
                                 needs.dims_most);
    return status;
}

static bailey_status place_factor(bailey_mlmc *m, const double *covariance)
{
    if (!covariance) return BAILEY_OK;
    m->factor = bly_alloc((size_t)m->dims * m->dims, sizeof *m->factor);
    if (!m->factor) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for levels");
    return bly_factor_covariance("covariance", covariance, m->dims, m->factor);
}

/* What distinguishes the paths of checkpoints, with the dimensions that the code has settled. */
static void digest(bailey_mlmc *m, const bailey_mlmc_params *params)
{
    bailey_mlmc_params settled = *params;
    settled.dims = m->dims;
    bly_record_digest_of(&bly_record_mlmc_params, &settled, m->path_digest);
}

static bailey_status keep_code(bailey_mlmc *m, const char *code)
{
    const size_t bytes = strlen(code) + 1;
    m->code = bly_alloc(bytes, 1);
    if (!m->code) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for levels");
    memcpy(m->code, code, bytes);
    return BAILEY_OK;
}

static bailey_status create(bailey_context *context, const bailey_mlmc_params *params, bailey_mlmc *m)
{
    bailey_payoff levels;
    bailey_status status = check(params);
    if (status == BAILEY_OK) status = bly_check_precision(context, params->precision);
    if (status == BAILEY_OK) status = find_code(&params->estimator, &levels);
    if (status != BAILEY_OK) return status;
    m->context = context;
    m->programs = (struct bly_variants){.context = context, .object = "levels"};
    m->precision = params->precision;
    m->dims = params->dims;
    status = choose_dims(&levels, &m->dims);
    if (status != BAILEY_OK) return status;
    m->first_steps = params->first_steps ? params->first_steps : 1;
    m->time = params->time > 0 ? params->time : 1;
    status = bly_levels_read(&levels, m->precision, m->dims, &m->payoff);
    m->payoff.loop_budget = levels.loop_budget ? levels.loop_budget : BAILEY_PAYOFF_LOOP_BUDGET;
    if (status == BAILEY_OK && m->payoff.has_root && m->precision == BAILEY_PRECISION_F32 &&
        !context->device->rounds_roots)
        status = bly_fail(BAILEY_ERROR_UNSUPPORTED,
                          "%s divides or takes a square root, which %s does not round correctly in single "
                          "precision; use double",
                          m->payoff.name, context->device->info.address);
    if (status == BAILEY_OK) status = place_factor(m, params->covariance);
    if (status == BAILEY_OK) status = keep_code(m, levels.code);
    if (status != BAILEY_OK) return status;
    m->values = bly_alloc(m->payoff.params_bytes, 1);
    m->given = bly_alloc(m->payoff.param_count + 1u, 1);
    if (!m->values || !m->given) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for levels");
    bly_parameters_fill(&m->payoff, m->precision, m->given, m->values);
    digest(m, params);
    m->choosing = bly_choosing_of(m);
    return BAILEY_OK;
}

bailey_status bailey_mlmc_create(bailey_context *context, const bailey_mlmc_params *params,
                                 bailey_mlmc **mlmc)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    if (!mlmc) return bly_finish(context, bly_fail_argument("mlmc", "mlmc is NULL"));
    *mlmc = NULL;
    BLY_ENTER(context);
    if (BLY_REFUSES(params)) return bly_finish(context, BAILEY_ERROR_INVALID);
    bailey_mlmc *m = bly_alloc(1, sizeof *m);
    if (!m) return bly_finish(context, bly_fail(BAILEY_ERROR_MEMORY, "out of memory for levels"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = create(context, params, m);
    fesetenv(&callers);
    if (status == BAILEY_OK)
        *mlmc = m;
    else
        bailey_mlmc_destroy(m);
    return bly_finish(context, status);
}

bailey_status bly_mlmc_create_like(const bailey_mlmc *of, const bailey_payoff *estimator, bailey_mlmc **made)
{
    const bailey_mlmc_params params = {.estimator = *estimator,
                                       .precision = of->precision,
                                       .dims = of->dims,
                                       .time = of->time,
                                       .first_steps = of->first_steps};
    const size_t bytes = (size_t)of->dims * of->dims * sizeof *of->factor;
    bailey_mlmc *m = *made = bly_alloc(1, sizeof *m);
    if (!m) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for levels");
    m->context = of->context;
    const bailey_status status = create(of->context, &params, m);
    if (status != BAILEY_OK) return status;
    if (of->factor) m->factor = bly_alloc(bytes, 1);
    if (of->factor && !m->factor) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for levels");
    if (of->factor) memcpy(m->factor, of->factor, bytes);
    memcpy(m->values, of->values, of->payoff.params_bytes);
    memset(m->given, 1, of->payoff.param_count);
    return BAILEY_OK;
}

void bailey_mlmc_destroy(bailey_mlmc *m)
{
    if (!m) return;
    BLY_ENTER_VOID(m->context);
    bly_variants_free(&m->programs);
    bly_payoff_free(&m->payoff);
    bly_free(m->factor);
    bly_free(m->code);
    bly_free(m->values);
    bly_free(m->given);
    bly_free(m);
}

bailey_status bailey_mlmc_set(bailey_mlmc *m, const char *name, const double *values, uint64_t count)
{
    if (!m) return bly_fail_argument("mlmc", "mlmc is NULL");
    BLY_ENTER(m->context);
    if (!name) return bly_finish(m->context, bly_fail_argument("name", "name is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status =
        bly_parameters_set(&m->payoff, m->precision, name, values, count, m->values, m->given);
    if (status == BAILEY_OK) bly_parameters_fill(&m->payoff, m->precision, m->given, m->values);
    fesetenv(&callers);
    return bly_finish(m->context, status);
}

const char *bailey_mlmc_parameter(const bailey_mlmc *m, size_t index, uint64_t *count)
{
    if (!m || index >= m->payoff.param_count) return NULL;
    if (count) *count = m->payoff.params[index].count;
    return m->payoff.params[index].name;
}

const bailey_description *bailey_mlmc_description(const bailey_mlmc *m)
{
    return m ? &m->payoff.description->d : NULL;
}

bailey_status bailey_mlmc_describe(const bailey_payoff *levels, const bailey_describe_params *params,
                                   bailey_description **description)
{
    bailey_payoff found;
    struct bly_description *out = NULL;
    if (!description) return bly_fail_argument("description", "description is NULL");
    *description = NULL;
    if (!levels) return bly_fail_argument("estimator", "estimator is NULL");
    bailey_status status = find_code(levels, &found);
    if (status == BAILEY_OK && params) status = bailey_record_check(&bly_record_describe_params, params);
    if (status == BAILEY_OK) status = bly_describe_code(true, found.code, found.name, params, &out);
    if (status == BAILEY_OK) *description = &out->d;
    return status;
}

/* ---- Code that fails as it runs ------------------------------------------------------------------ */

int bly_level_fault_before(const struct bly_level_fault *a, const struct bly_level_fault *b)
{
    if (a->level != b->level) return a->level < b->level;
    if (a->correction != b->correction) return a->correction < b->correction;
    if (a->replicate != b->replicate) return a->replicate < b->replicate;
    return a->sample < b->sample;
}

bailey_status bly_level_fault_note(bailey_mlmc *m, const struct bly_level_fault *fault)
{
    if (!m->fault.found || bly_level_fault_before(fault, &m->fault)) m->fault = *fault;
    m->fault.found = 1;
    return bly_fail(BAILEY_ERROR_PAYOFF, "%s: its code failed", m->payoff.name);
}
