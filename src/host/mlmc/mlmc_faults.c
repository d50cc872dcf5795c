/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "mlmc_faults.h"

#include "mlmc_internal.h"

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
