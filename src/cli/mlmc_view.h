/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How `bailey mlmc` shows what it has found: as a report, and as the usual four panels.
 */
#ifndef CLI_MLMC_VIEW_H
#define CLI_MLMC_VIEW_H

#include "document.h"
#include "output.h"

#include <bailey/mlmc.h>

struct mlmc_view {
    const char *name; /* of built-in levels, or the file of one's own */
    const bailey_mlmc_params *params;
    const bailey_mlmc_test_params *test;
    const bailey_mlmc_report *report;
};

/* Adds it, and warns. */
void mlmc_report(struct document *d, const struct mlmc_view *view, const bailey_device *device);

/* By level: log2 of the variances and of the means of fine payoffs and of differences, and samples for each
 * eps; by eps: eps^2 times the costs of multilevel and of plain Monte Carlo. `tested` is 0 of a report
 * without a convergence test, whose variances and means are then those of the last run. */
int mlmc_plot(struct output *output, const bailey_mlmc_report *report, int tested, const char *title,
              const char *subtitle);

#endif
