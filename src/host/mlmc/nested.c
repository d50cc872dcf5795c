/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * 2 (L + 1) estimators instead of L + 1 (M. Giles and O. Sheridan-Methven, "Analysis of nested multilevel
 * Monte Carlo using approximate normal random variables", SIAM/ASA Journal on Uncertainty Quantification 10,
 * 2022): on level l the mean of Y~_l, the difference with approximate normals, and that of Y_l - Y~_l, both
 * of the same words. Their sum is the mean of Y_l, whatever the approximation is. With V the variance and C
 * the cost of a sample of either, as many samples as sqrt(V / C) times a common factor make the sum's
 * variance at least cost.
 */
#include "nested.h"

#include <host/internal.h>

uint32_t bly_nested_kinds(const bailey_mlmc_run_params *params)
{
    return params->approximate == BAILEY_MLMC_APPROXIMATION_EXACT ? 1 : BLY_KINDS;
}

/* A correction takes both paths with both normals. */
double bly_nested_cost(const bailey_mlmc_run_params *params, uint32_t kind)
{
    const double given = params->approximate_cost, share = given > 0 ? given : BLY_APPROXIMATE_COST;
    if (params->approximate == BAILEY_MLMC_APPROXIMATION_EXACT) return 1;
    return kind ? 1 + share : share;
}

bailey_status bly_nested_check(const bailey_mlmc_run_params *p, bailey_precision precision)
{
    if (p->approximate == BAILEY_MLMC_APPROXIMATION_EXACT) return BAILEY_OK;
    if (precision != BAILEY_PRECISION_F32)
        return bly_fail_argument("approximate", "approximate normals are there in single precision alone");
    if (bly_source_kind(&p->source) == BAILEY_SOURCE_KIND_POINT)
        return bly_fail_argument("approximate", "approximate normals are not there for a source of points");
    if (p->schedule != BAILEY_MLMC_SCHEDULE_BATCHED)
        return bly_fail_argument("schedule",
                                 "schedule is %d, and with approximate normals BAILEY_MLMC_SCHEDULE_BATCHED",
                                 (int)p->schedule);
    return BAILEY_OK;
}
