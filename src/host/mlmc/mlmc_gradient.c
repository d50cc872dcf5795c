/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_mlmc_gradient: a run, and then for each derivative a run of the same samples of other levels, whose
 * payoffs are what those of the levels change by with a parameter (host/derive/derivative.h).
 */
#include "mlmc_internal.h"

#include <base/alloc.h>
#include <host/derive/derivative.h>
#include <host/payoff/descriptions.h>
#include <host/payoff/machine.h>
#include <host/payoff/payoff.h>

#include <stdio.h>
#include <string.h>

/* ---- Names --------------------------------------------------------------------------------------- */

static const char *refusal(const bailey_mlmc *m, const struct bly_field *field)
{
    if (field->type != BLY_FIELD_REAL) return "an integer";
    return bly_parameter_described(&m->payoff, field)->choice_count ? "a choice" : NULL;
}

static bailey_status find_name(const bailey_mlmc *m, const char *name, const struct bly_field **field)
{
    if (!name) return bly_fail_argument("names", "names holds a NULL");
    *field = bly_parameter_find(&m->payoff, name, strlen(name));
    if (!*field)
        return bly_fail_argument("names", "%s is not a parameter of %s; name an array without an index", name,
                                 m->payoff.name);
    if (refusal(m, *field))
        return bly_fail_argument("names", "%s is %s; only real parameters have derivatives", name,
                                 refusal(m, *field));
    return BAILEY_OK;
}

/* Cells of params, as many as there are derivatives: by `cells`, unless it is NULL. */
static bailey_status find_cells(const bailey_mlmc *m, const char *const *names, uint32_t count,
                                uint32_t *cells, uint64_t *found)
{
    const uint32_t all = names ? count : m->payoff.param_count;
    *found = 0;
    for (uint32_t k = 0; k < all; k++) {
        const struct bly_field *field = &m->payoff.params[k];
        uint32_t first = 0;
        const bailey_status status = names ? find_name(m, names[k], &field) : BAILEY_OK;
        if (status != BAILEY_OK) return status;
        if (refusal(m, field)) continue;
        for (const struct bly_field *f = m->payoff.params; f != field; f++) first += f->count;
        for (uint32_t i = 0; i < field->count && cells; i++) cells[*found + i] = first + i;
        *found += field->count;
    }
    return BAILEY_OK;
}

uint64_t bailey_mlmc_gradient_count(const bailey_mlmc *m, const char *const *names, uint32_t count)
{
    uint64_t found;
    return m && find_cells(m, names, count, NULL, &found) == BAILEY_OK ? found : 0;
}

/* ---- Code ---------------------------------------------------------------------------------------- */

static bailey_status write_code(struct bly_unit *unit, uint32_t cell, struct bly_text *text)
{
    uint8_t *asked = bly_alloc(bly_cells(unit->params->type) + 1u, 1);
    if (!asked) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    struct bly_derivative d = {.unit = unit, .asked = asked, .direction = cell};
    asked[cell] = 1;
    const bailey_status status = bly_derivative_levels(&d, text);
    bly_derivative_free(&d);
    bly_free(asked);
    return status;
}

/* Levels of the derivative by a cell of params. To be destroyed whatever is returned, if not NULL. */
static bailey_status make(const bailey_mlmc *m, uint32_t cell, bailey_mlmc **made)
{
    struct bly_unit unit = {.kind = BLY_UNIT_LEVELS,
                            .precision = m->precision,
                            .dims = m->dims,
                            .code = m->code,
                            .length = strlen(m->code),
                            .argument = "estimator",
                            .loop_budget = m->payoff.loop_budget};
    struct bly_text text = {0};
    char name[300];
    bly_unit_name(&unit, m->payoff.name);
    bailey_status status = bly_unit_read(&unit);
    if (status == BAILEY_OK) status = write_code(&unit, cell, &text);
    snprintf(name, sizeof name, "derivatives of %.255s", m->payoff.name);
    const bailey_payoff code = {.code = text.data, .name = name, .loop_budget = m->payoff.loop_budget};
    if (status == BAILEY_OK) status = bly_mlmc_create_like(m, &code, made);
    bly_unit_free(&unit);
    bly_free(text.data);
    return status;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

static bailey_status check(const bailey_mlmc_run_params *p)
{
    if (bly_source_kind(&p->source) == BAILEY_SOURCE_KIND_POINT)
        return bly_fail_argument("source",
                                 "the source has points, of which there are no gradients of levels");
    if (p->schedule != BAILEY_MLMC_SCHEDULE_BATCHED)
        return bly_fail_argument(
            "schedule", "schedule is %d, but gradients need BAILEY_MLMC_SCHEDULE_BATCHED", (int)p->schedule);
    if (p->approximate != BAILEY_MLMC_APPROXIMATION_EXACT)
        return bly_fail_argument("approximate", "gradients do not support approximate normals");
    return BAILEY_OK;
}

static bailey_status differentiate(const bailey_mlmc *m, const bailey_mlmc_run_params *params, uint32_t cell,
                                   const bailey_mlmc_result *price, bailey_mlmc_result *derivative)
{
    uint64_t samples[BAILEY_MLMC_MAX_LEVELS];
    bailey_mlmc *made = NULL;
    for (uint32_t l = 0; l < price->levels; l++) samples[l] = price->level[l].samples;
    bailey_status status = make(m, cell, &made);
    if (status == BAILEY_OK) status = bly_mlmc_run_samples(made, params, samples, price->levels, derivative);
    bailey_mlmc_destroy(made);
    return status;
}

/* To copies, as a run that fails writes nothing. Code that cannot be differentiated is refused before the
 * price is run. */
static bailey_status run(bailey_mlmc *m, const bailey_mlmc_run_params *params, const uint32_t *cells,
                         uint64_t count, bailey_mlmc_result *own)
{
    bailey_status status = check(params);
    for (uint64_t k = 0; k < count && status == BAILEY_OK; k++) {
        bailey_mlmc *made = NULL;
        status = make(m, cells[k], &made);
        bailey_mlmc_destroy(made);
    }
    if (status == BAILEY_OK) status = bly_mlmc_run(m, params, own);
    for (uint64_t k = 0; k < count && status == BAILEY_OK; k++)
        status = differentiate(m, params, cells[k], own, own + 1 + k);
    return status;
}

static bailey_status gradient(bailey_mlmc *m, const bailey_mlmc_run_params *params, const char *const *names,
                              uint32_t count, bailey_mlmc_result *result, bailey_mlmc_result *derivatives)
{
    uint64_t found = 0;
    bailey_status status = find_cells(m, names, count, NULL, &found);
    if (status != BAILEY_OK) return status;
    uint32_t *cells = bly_alloc(found + 1, sizeof *cells);
    bailey_mlmc_result *own = bly_alloc(found + 1, sizeof *own);
    status = cells && own ? find_cells(m, names, count, cells, &found)
                          : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    if (status == BAILEY_OK) status = run(m, params, cells, found, own);
    if (status == BAILEY_OK) *result = own[0];
    if (status == BAILEY_OK) memcpy(derivatives, own + 1, found * sizeof *own);
    bly_free(cells);
    bly_free(own);
    return status;
}

bailey_status bailey_mlmc_gradient(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   const char *const *names, uint32_t count, bailey_mlmc_result *result,
                                   bailey_mlmc_result *derivatives)
{
    if (!mlmc) return bly_fail_argument("mlmc", "mlmc is NULL");
    BLY_ENTER(mlmc->context);
    if (BLY_REFUSES(params)) return bly_finish(mlmc->context, BAILEY_ERROR_INVALID);
    if (!result) return bly_finish(mlmc->context, bly_fail_argument("result", "result is NULL"));
    if (!derivatives)
        return bly_finish(mlmc->context, bly_fail_argument("derivatives", "derivatives is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = gradient(mlmc, params, names, count, result, derivatives);
    fesetenv(&callers);
    return bly_finish(mlmc->context, status);
}
