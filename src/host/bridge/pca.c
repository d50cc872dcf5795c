/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Principal components of a Brownian path. With gaps g_i = t_i - t_(i-1), the covariance of the times is
 * L G L', where L has ones up to the diagonal and G is diagonal, of the gaps. Its eigenvectors and
 * eigenvalues are the left singular vectors and the squares of the singular values of L sqrt(G) = V S W', so
 * that A = V S = L sqrt(G) W: step i of column k adds sqrt(g_i) W_ik, and scaled increments are W_ik /
 * sqrt(g_i), with all their digits. The covariance is as exact as W is orthogonal.
 *
 * The inverse of L sqrt(G) is bidiagonal, which gives W quickly: W is the right singular vectors of the
 * matrix with 1 / sqrt(g_i) on its diagonal and -1 / sqrt(g_(i+1)) above it. With a fixed end there is one
 * component fewer, because the gaps' changes add up to nothing: the last row of that matrix is 0, and the
 * vector of the singular value 0 is left out. The other vectors describe the path's distance from the
 * straight line.
 */
#include "bridge_internal.h"

#include "plan.h"

#include <backend/rows.h>
#include <base/alloc.h>
#include <kernels/pca_items.h>

#include <float.h>
#include <math.h>

/* A bridge's components: row order[k] of w is component k. */
struct components {
    uint32_t steps, count;
    int fixed, increments;
    const double *times;
    double start_time;
    double *root; /* of each gap */
    double *d, *w, *column;
    uint32_t *order;
};

static void free_components(struct components *c)
{
    bly_free(c->root);
    bly_free(c->d);
    bly_free(c->w);
    bly_free(c->column);
    bly_free(c->order);
}

static double time_before(const struct components *c, uint32_t step)
{
    return step == 0 ? c->start_time : c->times[step - 1];
}

/* Largest variance first, which is the smallest d; the 0 of a fixed end is left out. */
static void sort_components(struct components *c)
{
    for (uint32_t i = 0; i < c->steps; i++) {
        uint32_t place = i;
        for (; place > 0 && c->d[c->order[place - 1]] > c->d[i]; place--)
            c->order[place] = c->order[place - 1];
        c->order[place] = i;
    }
    for (uint32_t k = 0; c->fixed && k < c->count; k++) c->order[k] = c->order[k + 1];
}

static bailey_status find_components(struct components *c)
{
    const uint32_t n = c->steps;
    c->root = bly_alloc(n, sizeof(double));
    c->d = bly_alloc(n, sizeof(double));
    c->w = bly_alloc((size_t)n * n, sizeof(double));
    c->column = bly_alloc(n, sizeof(double));
    c->order = bly_alloc(n, sizeof *c->order);
    if (!c->root || !c->d || !c->w || !c->column || !c->order)
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge of %u components", (unsigned)n);
    double *above = c->column; /* free until the components are known */
    for (uint32_t i = 0; i < n; i++) {
        c->root[i] = sqrt(c->times[i] - time_before(c, i));
        c->d[i] = 1 / c->root[i];
        if (i > 0) above[i - 1] = -c->d[i];
    }
    if (c->fixed) c->d[n - 1] = 0;
    const bailey_status status = bly_bidiagonal(n, c->d, above, c->w);
    if (status == BAILEY_OK) sort_components(c);
    return status;
}

/* Column k of A, or of the scaled increments. Its first entry that is not 0 is positive. With a fixed end,
 * sums come from the nearer end, where the path is known. */
static void make_column(const struct components *c, uint32_t k)
{
    const uint32_t n = c->steps;
    const double *w = c->w + (size_t)c->order[k] * n;
    uint32_t i = 0;
    while (i + 1 < n && w[i] == 0) i++;
    const double sign = w[i] < 0 ? -1 : 1;
    double sum = 0;
    for (i = 0; i < n; i++) {
        sum += sign * (c->root[i] * w[i]);
        c->column[i] = c->increments ? sign * (w[i] / c->root[i]) : sum;
    }
    if (c->increments || !c->fixed) return;
    sum = 0;
    for (i = n - 1; c->times[n - 1] - c->times[i] < c->times[i] - c->start_time; i--) {
        c->column[i] = sum;
        sum -= sign * (c->root[i] * w[i]);
        if (i == 0) break;
    }
}

/* A number of the records; one that no precision has as a normal number is 0. */
static void put(const bailey_bridge *bridge, uint64_t at, double value)
{
    const int f64 = bridge->precision == BAILEY_PRECISION_F64;
    if (fabs(value) < (f64 ? DBL_MIN : (double)FLT_MIN)) value = 0;
    if (f64)
        ((double *)bridge->records)[at] = value;
    else
        ((float *)bridge->records)[at] = (float)value;
}

/* Checks that every step's standard deviation lies between bounds within which its largest components are
 * normal numbers. */
static bailey_status check_range(const struct components *c, const bailey_bridge *bridge)
{
    for (uint32_t i = 0; i < c->steps && bridge->precision == BAILEY_PRECISION_F32; i++) {
        const double size = c->increments ? 1 / c->root[i] : c->root[i];
        if (size > (double)FLT_MAX / 0x1p24 || size < (double)FLT_MIN * 0x1p24)
            return bly_fail_argument("times",
                                     "times give the standard deviation %g, outside single precision", size);
    }
    return BAILEY_OK;
}

static uint32_t tiles_of(uint64_t steps) { return (uint32_t)((steps + BLY_PCA_TILE - 1) / BLY_PCA_TILE); }

/* Where the base begins. */
static uint64_t matrix_elements(const bailey_bridge *bridge)
{
    return (uint64_t)tiles_of(bridge->info.x_steps) * BLY_PCA_TILE * bridge->info.z_steps;
}

/* The path without its random part: start, or the straight line to a fixed end. */
static double base_of(const struct components *c, const bailey_bridge_params *params, uint32_t step,
                      uint32_t dim)
{
    const double start = params->start ? params->start[dim] : 0, end = c->fixed ? params->end[dim] : 0;
    const double last = c->times[c->steps - 1], all = last - c->start_time, t = c->times[step];
    if (!c->fixed) return c->increments ? 0 : start;
    if (c->increments) return (end - start) / all;
    return (last - t) / all * start + (t - c->start_time) / all * end;
}

bailey_status bly_pca_keep(bailey_bridge *bridge, const bailey_bridge_params *params)
{
    const bailey_bridge_info *info = &bridge->info;
    const uint64_t base = matrix_elements(bridge), count = base + info->x_steps * info->dims;
    struct components c = {.steps = (uint32_t)info->x_steps,
                           .count = (uint32_t)info->z_steps,
                           .fixed = bridge->fixed_end,
                           .increments = bridge->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS,
                           .times = params->times,
                           .start_time = params->start_time};
    bridge->records_bytes = count * bly_element_bytes(bridge->precision);
    bridge->records = bly_alloc(count, bly_element_bytes(bridge->precision));
    bailey_status status =
        bridge->records ? find_components(&c) : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge");
    if (status == BAILEY_OK) status = check_range(&c, bridge);
    for (uint32_t k = 0; k < c.count && status == BAILEY_OK; k++) {
        make_column(&c, k);
        for (uint32_t i = 0; i < c.steps; i++)
            put(bridge, ((uint64_t)(i / BLY_PCA_TILE) * c.count + k) * BLY_PCA_TILE + i % BLY_PCA_TILE,
                c.column[i]);
    }
    for (uint64_t i = 0; i < info->x_steps * info->dims && status == BAILEY_OK; i++)
        put(bridge, base + i, base_of(&c, params, (uint32_t)(i / info->dims), (uint32_t)(i % info->dims)));
    free_components(&c);
    return status;
}

static const struct bly_kernel *kernel_of(const bailey_bridge *bridge, int correlate)
{
    static const int rows[2][2] = {{BLY_KERNEL_bly_pca_f32, BLY_KERNEL_bly_pca_correlate_f32},
                                   {BLY_KERNEL_bly_pca_f64, BLY_KERNEL_bly_pca_correlate_f64}};
    return &bly_kernels[rows[bridge->precision == BAILEY_PRECISION_F64][correlate]];
}

bailey_status bly_pca_find_kernel(const bailey_bridge *bridge, int draw, struct bly_bridge_launch *launch)
{
    launch->entry.program = NULL;
    return draw == BLY_DRAW_NONE ? bly_row_entry(bridge->context, kernel_of(bridge, 0), &launch->entry)
                                 : BAILEY_OK;
}

/* A GPU has items for each tile of steps. Elsewhere an item makes all steps, and reads its Z once. */
bailey_status bly_pca_build(const bailey_bridge *bridge, const bly_bridge_params *p, bailey_buffer *z,
                            bailey_buffer *x)
{
    bailey_context *context = bridge->context;
    const int gpu = context->device->info.kind == BAILEY_DEVICE_KIND_GPU;
    const uint32_t tiles = tiles_of(p->steps), components = (uint32_t)bridge->info.z_steps;
    bly_pca_params q = {.paths = p->paths,
                        .z_row = p->z_row,
                        .z_path = p->z_path,
                        .x_row = p->x_row,
                        .x_path = p->x_path,
                        .x_first = p->x_first,
                        .base = matrix_elements(bridge),
                        .steps = p->steps,
                        .components = components,
                        .dims = p->dims,
                        .split = (uint32_t)gpu,
                        .correlated = p->correlated};
    const uint64_t groups = bly_groups(0, p->paths, bly_block_elements(bridge->precision));
    const uint64_t bytes = (uint64_t)p->steps * p->dims * p->paths * bly_element_bytes(bridge->precision);
    bailey_buffer device_only = *x; /* sums are not for the host memory that it adopts */
    device_only.host = NULL;
    bailey_buffer *sums = p->correlated ? &device_only : x;
    bailey_buffer *const multiplied[] = {bridge->device_records, z, sums};
    bailey_buffer *const correlated[] = {bridge->device_records, bridge->device_constants, x};
    const bailey_status status =
        bly_launch(context, kernel_of(bridge, 0), groups, gpu ? (uint64_t)tiles * p->dims : 1, &q, sizeof q,
                   multiplied, sums, 0, bytes);
    if (status != BAILEY_OK || !p->correlated) return status;
    q.split = gpu || p->x_path == 1; /* adjacent paths of a few rows; else the steps of one path */
    return bly_launch(context, kernel_of(bridge, 1), groups, q.split ? tiles : 1, &q, sizeof q, correlated, x,
                      0, bytes);
}
