/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The random numbers of a level's samples, made of points in the device's memory.
 */
#ifndef BLY_MLMC_QUASI_ROWS_H
#define BLY_MLMC_QUASI_ROWS_H

#include "quasi.h"

#include <host/internal.h>

/* What the paths of all levels take. */
struct bly_quasi_paths {
    bailey_context *context;
    bailey_precision precision;
    uint32_t first_steps, dims, normals, uniforms; /* the last three per step */
    double time;
    const double *factor; /* [dims][dims], lower triangular; NULL: the identity */
    bailey_construction construction;
};

/* Random numbers of a sample of a level; rows of what is made. */
static inline uint64_t bly_quasi_numbers(const struct bly_quasi_paths *paths, uint32_t level)
{
    return ((uint64_t)paths->first_steps << level) * (paths->dims + paths->normals + paths->uniforms);
}

/* Points first .. first + count - 1 of replicates replicate .. replicate + replicates - 1 of a level. */
struct bly_quasi_piece {
    uint32_t level, replicate, replicates;
    uint64_t first, count;
};

/* What makes them: paths, bridges of levels so far, and Z of the last piece. All zero but `paths` at first.
 */
struct bly_quasi_rows {
    struct bly_quasi_paths paths;
    bailey_bridge *bridge[BAILEY_MLMC_MAX_LEVELS];
    bailey_buffer *z;
};

/* Takes the memory for so many samples of a level, so that it is not short later. Returns: OK, ERROR_MEMORY,
 * ERROR_DRIVER. */
bailey_status bly_quasi_rows_reserve(struct bly_quasi_rows *rows, uint32_t level, uint64_t samples);

/* Writes [row][replicate][point] of a piece to `out`: increments of the Brownian motion, of covariance h C,
 * [step] [dim]; then the normals, [step][number], and the uniforms likewise. Sample p of replicate r takes
 * point p of stream + BLY_QUASI_STREAMS r + level. Its first dimensions drive the bridge, by the source's
 * assignment; those behind them are the normals and then the uniforms, as the rows are numbered.
 *
 * Asynchronous. Returns: OK, ERROR_MEMORY, ERROR_DRIVER. */
bailey_status bly_quasi_rows_make(struct bly_quasi_rows *rows, const bailey_source *source,
                                  const struct bly_quasi_piece *piece, bailey_buffer *out);
void bly_quasi_rows_free(struct bly_quasi_rows *rows);

#endif
