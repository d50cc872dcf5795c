/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a run says of payoff code that failed as it ran. The run itself finds the first path that did; that
 * path alone is run again, by a program that tells which scenario, place and value it was.
 */
#include "simulation_scenarios.h"

#include <host/payoff/sites.h>
#include <kernels/fixed_nodes.h>

#include <stdio.h>
#include <string.h>

/* ---- Nodes --------------------------------------------------------------------------------------- */

uint64_t bly_fault_in_row(const struct bly_simulation_rows *rows, int fixed, uint32_t row,
                          const double *values, uint64_t count)
{
    const double *from = values + (rows->sums + (fixed != 0) + row) * count;
    uint64_t least = BLY_NO_FAULT;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = BLY_NO_FAULT, word;
        memcpy(&word, &from[i], sizeof word);
        if (fixed && word != bly_fixed_nothing(BLY_FIXED_LEAST)) number = word;
        if (!fixed && from[i] < 0x1p53) number = (uint64_t)from[i];
        if (number < least) least = number;
    }
    return least;
}

/* ---- What is known ------------------------------------------------------------------------------- */

int bly_fault_is_before(const struct bly_fault *f, uint64_t replicate, uint64_t path)
{
    return f->found && (f->replicate < replicate || (f->replicate == replicate && f->path < path));
}

void bly_fault_note(struct bly_fault *f, uint64_t replicate, uint64_t path)
{
    if (f->found && !(replicate < f->replicate || (replicate == f->replicate && path < f->path))) return;
    f->found = 1;
    f->replicate = replicate;
    f->path = path;
}

bailey_status bly_fault_defer(struct bly_fault *f, bailey_status status)
{
    if (status != BAILEY_ERROR_INVALID || f->refused != BAILEY_OK)
        return status == BAILEY_ERROR_INVALID ? BAILEY_OK : status;
    f->refused = status;
    f->argument = bailey_error_argument();
    snprintf(f->text, sizeof f->text, "%s", bailey_error_message());
    return BAILEY_OK;
}

bailey_status bly_fault_status(const struct bly_fault *f, const char *argument)
{
    if (f->found) return bly_name_argument(bly_fail(BAILEY_ERROR_PAYOFF, "%s", f->text), argument);
    if (f->refused == BAILEY_OK) return BAILEY_OK;
    return bly_name_argument(bly_fail(f->refused, "%s", f->text), f->argument);
}

/* ---- The path that failed, again ----------------------------------------------------------------- */

/* What a pass tells of the path. */
struct told {
    int found;
    uint64_t scenario;
    int mirrored;
    uint32_t site;
    int64_t value;
};

static bailey_status take_nothing(void *user, const struct bly_pass *pass, uint64_t replicate,
                                  struct bly_tree *tree)
{
    (void)user, (void)pass, (void)replicate, (void)tree;
    return BAILEY_OK;
}

static bailey_status run_again(bailey_simulation *s, const bailey_simulation_run_params *params,
                               struct bly_scenario_plan *plan, uint64_t number, enum bly_draw draw,
                               const struct bly_fault *f, struct told *first)
{
    const struct bly_simulation_range range = {
        .replicate = f->replicate, .replicates = 1, .first = f->path, .paths = 1, .level = UINT32_MAX};
    struct bly_fault own = {.tells = 1};
    struct bly_pass pass;
    bailey_status status =
        bly_simulation_run_range(s, params, plan, number, draw, &range, take_nothing, NULL, &own);
    if (status == BAILEY_OK) status = bly_scenarios_pass(plan, number, &pass);
    if (status != BAILEY_OK || !own.found) return status;
    const uint32_t each = 1 + (params->antithetic != 0);
    const uint64_t *told = own.told, scenario = pass.scenario[told[0] / each % pass.scenarios];
    const int mirrored = told[0] % each != 0;
    if (first->found &&
        (first->scenario < scenario || (first->scenario == scenario && !(mirrored < first->mirrored))))
        return BAILEY_OK;
    *first = (struct told){.found = 1,
                           .scenario = scenario,
                           .mirrored = mirrored,
                           .site = (uint32_t)told[1],
                           .value = (int64_t)(told[2] << 32 | told[3])};
    return BAILEY_OK;
}

static void say(const bailey_simulation *s, const bailey_simulation_run_params *params,
                const struct told *told, struct bly_fault *f)
{
    char what[BLY_ERROR_TEXT / 2], replicate[64] = "", scenario[64] = "";
    const struct bly_payoff *payoff = &s->payoff;
    snprintf(what, sizeof what, "%s: payoff code failed", payoff->name);
    if (told->site > 0 && told->site <= payoff->site_count)
        bly_site_say(payoff->name, &payoff->sites[told->site - 1], told->value, payoff->loop_budget, what,
                     sizeof what);
    if (params->replicates > 1)
        snprintf(replicate, sizeof replicate, " of replicate %llu", (unsigned long long)f->replicate);
    if (params->scenarios.count)
        snprintf(scenario, sizeof scenario, ", in scenario %llu", (unsigned long long)told->scenario);
    snprintf(f->text, sizeof f->text, "%s, on %spath %llu%s%s", what,
             told->mirrored ? "the mirror image of " : "", (unsigned long long)f->path, replicate, scenario);
}

bailey_status bly_simulation_end_faults(bailey_simulation *s, const bailey_simulation_run_params *params,
                                        struct bly_scenario_plan *plan, enum bly_draw draw,
                                        struct bly_fault *f)
{
    bailey_simulation_run_params alone = *params;
    struct told told = {0};
    bailey_status status = BAILEY_OK;
    alone.samples = NULL;
    alone.progress = NULL;
    alone.histogram = (bailey_histogram){0};
    for (uint64_t i = 0; f->found && i < bly_scenarios_passes(plan) && status == BAILEY_OK; i++)
        status = run_again(s, &alone, plan, i, draw, f, &told);
    if (status != BAILEY_OK) return status;
    if (f->found) say(s, params, &told, f);
    return bly_fault_status(f, "payoff");
}
