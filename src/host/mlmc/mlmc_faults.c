/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "mlmc_faults.h"

#include "mlmc_internal.h"
#include "mlmc_rounds.h"
#include "nested_rounds.h"
#include "quasi_run.h"

#include <host/payoff/sites.h>

#include <stdio.h>

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

static bailey_status tell(bailey_mlmc *m, const bailey_mlmc_run_params *params, uint64_t told[BLY_LEVEL_TOLD])
{
    bailey_mlmc_run_params own = *params;
    own.progress = NULL;
    own.checkpoint = NULL;
    own.schedule = BAILEY_MLMC_SCHEDULE_BATCHED;
    if (bly_source_kind(&params->source) == BAILEY_SOURCE_KIND_POINT) return bly_quasi_tell(m, &own, told);
    if (params->approximate) own.source = bly_nested_source(params, m->fault.correction);
    return bly_rounds_tell(m, &own, told);
}

static bailey_status say(const bailey_mlmc *m, const uint64_t told[BLY_LEVEL_TOLD], int points)
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

bailey_status bly_level_fault_end(bailey_mlmc *m, const bailey_mlmc_run_params *params, bailey_status status)
{
    uint64_t told[BLY_LEVEL_TOLD] = {0};
    if (status != BAILEY_ERROR_PAYOFF || !m->fault.found) return status;
    status = tell(m, params, told);
    const int points = bly_source_kind(&params->source) == BAILEY_SOURCE_KIND_POINT;
    return status == BAILEY_OK ? say(m, told, points) : status;
}
