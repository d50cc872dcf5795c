/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kind of path that code asks for in its head comment: on another kind it would give a wrong price.
 */
#include "simulation_internal.h"

#include <base/alloc.h>
#include <host/payoff/descriptions.h>

#include <math.h>
#include <string.h>

#define USUAL_DEPTH 20u

/* PATHS, which is 0, becomes INCREMENTS. */
static bailey_status settle_output(const bailey_path_needs *needs, const char *name,
                                   bailey_bridge_params *path)
{
    const int increments =
        needs->kind == BAILEY_PATH_KIND_INCREMENTS || needs->kind == BAILEY_PATH_KIND_NORMALS;
    if (needs->kind == BAILEY_PATH_KIND_ANY) return BAILEY_OK;
    if (increments && path->output == BAILEY_BRIDGE_OUTPUT_PATHS)
        path->output = BAILEY_BRIDGE_OUTPUT_INCREMENTS;
    if (increments || path->output != BAILEY_BRIDGE_OUTPUT_INCREMENTS) return BAILEY_OK;
    return bly_fail_argument(
        "output", "output is BAILEY_BRIDGE_OUTPUT_INCREMENTS, but %s needs BAILEY_BRIDGE_OUTPUT_PATHS", name);
}

static bailey_status settle_dims(const bailey_path_needs *needs, const char *name, uint32_t *dims)
{
    if (!*dims) *dims = needs->dims_least;
    if (*dims < needs->dims_least)
        return bly_fail_argument("dims", "dims is %u, but %s needs %u", *dims, name, needs->dims_least);
    if (needs->dims_most && *dims > needs->dims_most)
        return bly_fail_argument("dims", "dims is %u, but %s allows at most %u", *dims, name,
                                 needs->dims_most);
    return BAILEY_OK;
}

/* An order or a fixed end is for a bridge. */
static void settle_construction(const bailey_path_needs *needs, bailey_bridge_params *path)
{
    if (path->construction != BAILEY_CONSTRUCTION_AUTO) return;
    path->construction = needs->has_construction && !path->order && !path->end ? needs->construction
                                                                               : BAILEY_CONSTRUCTION_BRIDGE;
}

static bailey_status settle_depth(const bailey_path_needs *needs, const char *name, uint32_t *depth)
{
    if (needs->kind == BAILEY_PATH_KIND_MOTION && !*depth)
        *depth = needs->motion_depth ? needs->motion_depth : USUAL_DEPTH;
    if (needs->kind == BAILEY_PATH_KIND_ANY || needs->kind == BAILEY_PATH_KIND_MOTION || !*depth)
        return BAILEY_OK;
    return bly_fail_argument("motion_depth", "motion_depth is %u, but the path of %s has steps", *depth,
                             name);
}

static bailey_status check_steps(const bailey_path_needs *needs, const char *name, uint64_t steps)
{
    if (needs->steps_least && steps < needs->steps_least)
        return bly_fail_argument("steps", "steps is %llu, but %s needs at least %llu",
                                 (unsigned long long)steps, name, (unsigned long long)needs->steps_least);
    if (needs->steps_most && steps > needs->steps_most)
        return bly_fail_argument("steps", "steps is %llu, but %s allows at most %llu steps",
                                 (unsigned long long)steps, name, (unsigned long long)needs->steps_most);
    if (needs->steps_multiple && steps % needs->steps_multiple)
        return bly_fail_argument("steps", "steps is %llu, but %s needs a multiple of %llu",
                                 (unsigned long long)steps, name, (unsigned long long)needs->steps_multiple);
    return BAILEY_OK;
}

static bailey_status check_start(const bailey_path_needs *needs, const char *name, double start)
{
    if (needs->start != BAILEY_PATH_START_ZERO || start == 0) return BAILEY_OK;
    return bly_fail_argument("start_time", "start_time is %g, but %s needs a path that begins at time 0",
                             start, name);
}

static bool is_identity(const double *matrix, uint32_t dims)
{
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j < dims; j++)
            if (matrix[i * dims + j] != (i == j)) return false;
    return true;
}

/* A correlation between dimensions would be one that the code does not know of. */
static bailey_status check_independent(const bailey_path_needs *needs, const char *name,
                                       const bailey_bridge_params *path)
{
    const double *matrix = path->covariance ? path->covariance : path->factor;
    const char *given = path->covariance ? "covariance" : "factor";
    if (!needs->independent || !matrix || path->dims > BAILEY_BRIDGE_MAX_DIMS) return BAILEY_OK;
    if (is_identity(matrix, path->dims)) return BAILEY_OK;
    return bly_fail_argument(given, "%s is given, but %s needs independent dimensions of variance 1", given,
                             name);
}

/* A model's own dimensions go with those of the assets, so these have variance 1, and any correlation. */
static bailey_status check_own(const bailey_path_needs *needs, const char *name,
                               const bailey_bridge_params *path)
{
    const uint32_t d = path->dims;
    if (!bly_own_dims(needs, d) || d > BAILEY_BRIDGE_MAX_DIMS) return BAILEY_OK;
    if (path->end) return bly_fail_argument("end", "end is given, but %s has dimensions of its own", name);
    if (d + bly_own_dims(needs, d) > BAILEY_BRIDGE_MAX_DIMS)
        return bly_fail_argument("dims", "dims is %u, for which %s needs %u; the maximum is %u", d, name,
                                 d + bly_own_dims(needs, d), BAILEY_BRIDGE_MAX_DIMS);
    for (uint32_t i = 0; i < d && (path->covariance || path->factor); i++) {
        double variance = path->covariance ? path->covariance[i * d + i] : 0;
        for (uint32_t k = 0; k <= i && path->factor; k++)
            variance = fma(path->factor[i * d + k], path->factor[i * d + k], variance);
        if (!(fabs(variance - 1) < 1e-9))
            return bly_fail_argument(path->covariance ? "covariance" : "factor",
                                     "dimension %u has the variance %.17g, but %s needs 1", i, variance,
                                     name);
    }
    return BAILEY_OK;
}

/* Numbers for d dimensions become those for `all`: a matrix has the identity for the others, else there are
 * zeros. *numbers is NULL where there are none. */
static bailey_status widen(const double **numbers, double **wide, uint32_t d, uint32_t all, int square)
{
    if (!*numbers) return BAILEY_OK;
    *wide = bly_alloc(square ? (size_t)all * all : all, sizeof **wide);
    if (!*wide) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a path");
    for (uint32_t i = 0; i < all && !square; i++) (*wide)[i] = i < d ? (*numbers)[i] : 0;
    for (uint32_t i = 0; i < all && square; i++)
        for (uint32_t j = 0; j < all; j++)
            (*wide)[i * all + j] = i < d && j < d ? (*numbers)[i * d + j] : i == j;
    *numbers = *wide;
    return BAILEY_OK;
}

bailey_status bly_path_widen(const bailey_simulation *s, bailey_bridge_params *path,
                             struct bly_path_copy *wide)
{
    path->dims = s->dims;
    if (s->assets == s->dims) return BAILEY_OK;
    bailey_status status = widen(&path->covariance, &wide->covariance, s->assets, s->dims, 1);
    if (status == BAILEY_OK) status = widen(&path->factor, &wide->factor, s->assets, s->dims, 1);
    return status == BAILEY_OK ? widen(&path->start, &wide->start, s->assets, s->dims, 0) : status;
}

/* Increments are standard normals if their steps take a time of 1 and are independent. */
static bailey_status check_normals(const bailey_path_needs *needs, const char *name,
                                   const bailey_bridge_params *path)
{
    if (needs->kind != BAILEY_PATH_KIND_NORMALS) return BAILEY_OK;
    if (path->end) return bly_fail_argument("end", "end is given, but %s needs independent normals", name);
    for (uint64_t i = 0; path->times && i < path->steps && path->steps <= BAILEY_BRIDGE_MAX_STEPS; i++)
        if (path->times[i] != path->start_time + (double)(i + 1))
            return bly_fail_argument(
                "times", "times[%llu] is %.17g, but %s counts steps from start_time: %.17g",
                (unsigned long long)i, path->times[i], name, path->start_time + (double)(i + 1));
    return BAILEY_OK;
}

bailey_status bly_path_settle(bailey_simulation *s, bailey_simulation_params *params)
{
    const char *code = params->payoff.code, *name = params->payoff.name;
    bailey_bridge_params *path = &params->path;
    bailey_path_needs needs = {0};
    s->builtin = !code && name ? bly_payoff_row_find(name) : NULL;
    if (s->builtin) code = (const char *)s->builtin->text;
    s->assets = s->dims = path->dims ? path->dims : 1;
    if (!code) return BAILEY_OK; /* which is refused where it is read */
    if (!name) name = "payoff.c";
    bailey_status status = bly_needs_of_code(false, code, name, &needs);
    s->counts_time = needs.start == BAILEY_PATH_START_COUNTED;
    s->independent = needs.independent != 0;
    if (status == BAILEY_OK) status = settle_output(&needs, name, path);
    if (status == BAILEY_OK) settle_construction(&needs, path);
    if (status == BAILEY_OK) status = settle_dims(&needs, name, &path->dims);
    if (status == BAILEY_OK) status = settle_depth(&needs, name, &params->motion_depth);
    if (status == BAILEY_OK) status = check_steps(&needs, name, path->steps);
    if (status == BAILEY_OK) status = check_start(&needs, name, path->start_time);
    if (status == BAILEY_OK) status = check_independent(&needs, name, path);
    if (status == BAILEY_OK) status = check_own(&needs, name, path);
    s->assets = path->dims ? path->dims : 1;
    s->dims = s->assets + bly_own_dims(&needs, s->assets);
    return status == BAILEY_OK ? check_normals(&needs, name, path) : status;
}
