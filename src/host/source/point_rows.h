/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Points for those who draw them row by row, as bridges do.
 */
#ifndef BLY_POINT_ROWS_H
#define BLY_POINT_ROWS_H

#include <bailey/points.h>
#include <host/internal.h>

/* Normals of points first .. first + count - 1, by inverse CDF: a dimension per step and factor, by the
 * source's assignment. */
struct bly_point_rows {
    const bailey_source *source;
    bailey_precision precision;
    uint32_t steps, factors;
    uint64_t first, count;
    uint32_t replicates, stream_step; /* number r is of stream + r stream_step; replicates 0 is 1 */
};

/* Checks a source of kind POINT that has been checked as one, for normals that `normal` describes. */
bailey_status bly_check_points(const bailey_source *source, const bailey_normal_params *normal);

/* Writes them to `out`, [step][factor][replicate][point], or, of one replicate alone, [point][step][factor]
 * if `point_major`. */
bailey_status bly_points_normals(bailey_context *context, const struct bly_point_rows *rows, int point_major,
                                 bailey_buffer *out);

/* Writes dimensions first_dim .. first_dim + dims - 1 of the same points, as they are numbered, in a form,
 * from element `offset` of `out` on: [dimension][replicate][point]. steps and factors are not looked at. */
bailey_status bly_points_dims(bailey_context *context, const struct bly_point_rows *rows,
                              bailey_points_form form, uint32_t first_dim, uint32_t dims, bailey_buffer *out,
                              uint64_t offset);

/* What kernels need that draw them (kernels/sobol_draw.h): the table, which is the context's, and the heads,
 * which go back to the pool once the kernel is queued. */
bailey_status bly_points_heads(bailey_context *context, const struct bly_point_rows *rows,
                               bailey_buffer **table, bailey_buffer **heads);

#endif
