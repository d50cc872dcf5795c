/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The first path of a run whose payoff code failed. Chunks may fail in any order and on several devices: the
 * least replicate, and in it the least path, is the same for all of them, and so is the error.
 */
#include "simulation_internal.h"

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

/* ---- The first fault ----------------------------------------------------------------------------- */

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
