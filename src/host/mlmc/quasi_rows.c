/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The random numbers of a level's samples, made of points in the device's memory: a Brownian bridge, whose
 * first dimensions settle most of the path, then normals and uniform numbers.
 *
 * Bridges of levels count time in steps and have sqrt(h) C for a factor: what they give as increments per
 * unit of time are then the increments themselves, without another rounding.
 */
#include "mlmc_internal.h"

#include <base/alloc.h>
#include <host/source/source.h>

#include <math.h>
#include <string.h>

/* sqrt(h) C. */
static void scale_factor(const struct bly_quasi_paths *paths, uint32_t steps, double *scaled)
{
    const double root = sqrt(paths->time / steps);
    for (uint32_t i = 0; i < paths->dims; i++)
        for (uint32_t j = 0; j < paths->dims; j++) {
            const double c = paths->factor ? paths->factor[i * paths->dims + j] : i == j;
            scaled[i * paths->dims + j] = j <= i ? root * c : 0;
        }
}

static bailey_status make_bridge(const struct bly_quasi_paths *paths, uint32_t level, bailey_bridge **bridge)
{
    const uint32_t steps = paths->first_steps << level;
    double *times = bly_alloc((size_t)steps + (size_t)paths->dims * paths->dims, sizeof *times);
    if (!times) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the paths of a level");
    for (uint32_t i = 0; i < steps; i++) times[i] = i + 1;
    scale_factor(paths, steps, times + steps);
    const bailey_bridge_params params = {.times = times,
                                         .steps = steps,
                                         .dims = paths->dims,
                                         .factor = times + steps,
                                         .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS,
                                         .precision = paths->precision,
                                         .strategy = BAILEY_BRIDGE_STRATEGY_READBACK,
                                         .construction = paths->construction};
    const bailey_status status = bailey_bridge_create(paths->context, &params, bridge);
    bly_free(times);
    return status;
}

/* Memory for the Z of a chunk: that of the last one, where it is large enough. Queued work uses it before its
 * next user does (pool.c). */
static bailey_status take_z(struct bly_quasi_rows *rows, uint64_t bytes)
{
    if (rows->z && bailey_buffer_bytes(rows->z) >= bytes) return BAILEY_OK;
    bly_pool_release(rows->z);
    rows->z = NULL;
    return bly_pool_take(rows->paths.context, BLY_MEMORY_DEVICE, bytes, &rows->z);
}

bailey_status bly_quasi_rows_reserve(struct bly_quasi_rows *rows, uint32_t level, uint64_t samples)
{
    const struct bly_quasi_paths *paths = &rows->paths;
    const uint64_t steps = (uint64_t)paths->first_steps << level;
    return take_z(rows, steps * paths->dims * samples * bly_element_bytes(paths->precision));
}

static bailey_status make_increments(struct bly_quasi_rows *rows, const struct bly_point_rows *points,
                                     uint32_t level, bailey_buffer *out)
{
    const struct bly_quasi_paths *paths = &rows->paths;
    const uint64_t samples = points->replicates * points->count;
    bailey_status status = bly_quasi_rows_reserve(rows, level, samples);
    if (status == BAILEY_OK && !rows->bridge[level]) status = make_bridge(paths, level, &rows->bridge[level]);
    if (status == BAILEY_OK) status = bly_points_normals(paths->context, points, 0, rows->z);
    return status == BAILEY_OK ? bailey_bridge_build(rows->bridge[level], samples, rows->z, out) : status;
}

bailey_status bly_quasi_rows_make(struct bly_quasi_rows *rows, const bailey_source *source,
                                  const struct bly_quasi_chunk *chunk, bailey_buffer *out)
{
    const struct bly_quasi_paths *paths = &rows->paths;
    const uint32_t steps = paths->first_steps << chunk->level, driven = steps * paths->dims;
    const uint32_t normals = steps * paths->normals, uniforms = steps * paths->uniforms;
    const uint64_t samples = chunk->replicates * chunk->count;
    bailey_source streams = *source;
    streams.stream += (uint64_t)BLY_QUASI_STREAMS * chunk->replicate + chunk->level;
    const struct bly_point_rows points = {.source = &streams,
                                          .precision = paths->precision,
                                          .steps = steps,
                                          .factors = paths->dims,
                                          .first = chunk->first,
                                          .count = chunk->count,
                                          .replicates = chunk->replicates,
                                          .stream_step = BLY_QUASI_STREAMS};
    bailey_status status = make_increments(rows, &points, chunk->level, out);
    if (status == BAILEY_OK && normals)
        status = bly_points_dims(paths->context, &points, BAILEY_POINTS_FORM_NORMALS, driven, normals, out,
                                 driven * samples);
    if (status == BAILEY_OK && uniforms)
        status = bly_points_dims(paths->context, &points, BAILEY_POINTS_FORM_UNIFORMS, driven + normals,
                                 uniforms, out, (driven + normals) * samples);
    return status;
}

void bly_quasi_rows_free(struct bly_quasi_rows *rows)
{
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) bailey_bridge_destroy(rows->bridge[l]);
    bly_pool_release(rows->z);
    memset(rows, 0, sizeof *rows);
}
