/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How `bailey mlmc` draws a report: the usual four panels.
 */
#ifndef CLI_MLMC_VIEW_H
#define CLI_MLMC_VIEW_H

#include "output.h"

#include <bailey/mlmc.h>

/* By level: log2 of the variances and of the means of fine payoffs and of differences, and samples for each
 * eps; by eps: eps^2 times the costs of multilevel and of plain Monte Carlo. `tested` is 0 of a report
 * without a convergence test, whose variances and means are then those of the last run. */
int mlmc_plot(struct output *output, const bailey_mlmc_report *report, int tested, const char *title,
              const char *subtitle);

#endif
