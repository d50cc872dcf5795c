/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Paths of built-in payoffs: a text is written for one kind of path, and would give a wrong price on another.
 */
#include "simulation_internal.h"

static bailey_status settle_output(const struct bly_payoff_row *builtin, bailey_bridge_params *path)
{
    if (builtin->kind != BLY_PATH_VALUES && path->output == BAILEY_BRIDGE_PATHS)
        path->output = BAILEY_BRIDGE_INCREMENTS;
    if (builtin->kind == BLY_PATH_VALUES && path->output == BAILEY_BRIDGE_INCREMENTS)
        return bly_fail_argument(
            "output", "output is BAILEY_BRIDGE_INCREMENTS, and %s takes the path: BAILEY_BRIDGE_PATHS",
            builtin->name);
    return BAILEY_OK;
}

static bailey_status settle_dims(const struct bly_payoff_row *builtin, bailey_bridge_params *path)
{
    if (!builtin->dims) return BAILEY_OK;
    if (!path->dims) path->dims = builtin->dims;
    if (path->dims >= builtin->dims) return BAILEY_OK;
    return bly_fail_argument("dims", "dims is %u, and %s takes %u", path->dims, builtin->name, builtin->dims);
}

/* Increments are standard normals if their steps take a time of 1 and are independent. */
static bailey_status check_normals(const struct bly_payoff_row *builtin, const bailey_bridge_params *path)
{
    if (builtin->kind != BLY_PATH_NORMALS) return BAILEY_OK;
    if (path->covariance || path->factor)
        return bly_fail_argument(path->covariance ? "covariance" : "factor",
                                 "%s is given, and %s takes independent normals",
                                 path->covariance ? "covariance" : "factor", builtin->name);
    if (path->end)
        return bly_fail_argument("end", "end is given, and %s takes independent normals", builtin->name);
    for (uint64_t i = 0; path->times && i < path->steps && path->steps <= BAILEY_BRIDGE_MAX_STEPS; i++)
        if (path->times[i] != path->start_time + (double)(i + 1))
            return bly_fail_argument(
                "times", "times[%llu] is %.17g, and %s counts steps from start_time: %.17g",
                (unsigned long long)i, path->times[i], builtin->name, path->start_time + (double)(i + 1));
    return BAILEY_OK;
}

bailey_status bly_builtin_settle(bailey_simulation *s, bailey_simulation_params *params)
{
    s->builtin =
        !params->payoff.text && params->payoff.name ? bly_payoff_row_find(params->payoff.name) : NULL;
    if (!s->builtin) return BAILEY_OK;
    bailey_status status = settle_output(s->builtin, &params->path);
    if (status == BAILEY_OK) status = settle_dims(s->builtin, &params->path);
    return status == BAILEY_OK ? check_normals(s->builtin, &params->path) : status;
}
