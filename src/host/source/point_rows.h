/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Points for those who draw them row by row, as bridges do.
 */
#ifndef BLY_POINT_ROWS_H
#define BLY_POINT_ROWS_H

#include <host/internal.h>

/* Normals of points first .. first + count - 1, by inverse CDF: a dimension per step and factor, by the
 * source's assignment. */
struct bly_point_rows {
    const bailey_source *source;
    bailey_precision precision;
    uint32_t steps, factors;
    uint64_t first, count;
};

/* Checks a source of kind POINT that has been checked as one, for normals that `normal` describes. */
bailey_status bly_check_points(const bailey_source *source, const bailey_normal_params *normal);

/* Writes them to `out`, [step][factor][point], or [point][step][factor] if `point_major`. */
bailey_status bly_points_normals(bailey_context *context, const struct bly_point_rows *rows, int point_major,
                                 bailey_buffer *out);

/* What kernels need that draw them (kernels/sobol_draw.h): the table, which is the context's, and the heads,
 * which go back to the pool once the kernel is queued. */
bailey_status bly_points_heads(bailey_context *context, const struct bly_point_rows *rows,
                               bailey_buffer **table, bailey_buffer **heads);

#endif
