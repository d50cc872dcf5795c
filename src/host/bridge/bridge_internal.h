/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The contents of a bridge, and the choice of its kernels (strategy.c).
 */
#ifndef BLY_BRIDGE_HOST_H
#define BLY_BRIDGE_HOST_H

#include "bridge_job.h"

#include <bailey/bailey.h>
#include <host/internal.h>
#include <kernels/bridges.h>

struct bly_bridge_kernel; /* one that was compiled for the bridge */

struct bailey_bridge {
    bailey_context *context;
    bailey_bridge_info info;
    bailey_bridge_output output; /* which the records make: PATHS too for the increments of a random walk */
    bailey_layout layout;
    bailey_precision precision;
    int fixed_end, correlated;
    int pca;       /* built by principal components (pca.c), whose matrix the records are */
    int automatic; /* the library chose info.strategy */
    void *records; /* of the output and precision, as on the device */
    size_t records_bytes;
    void *constants; /* start[dims], end[dims], C[dims][dims] in the precision, as on the device */
    bailey_buffer *device_records, *device_constants;
    struct bly_cached *arrays; /* whose buffers those are; NULL: they are the bridge's own */
    struct bly_job_digests digests;
    struct bly_bridge_kernel *kernels;
};

/* How to launch a bridge's kernel. */
struct bly_bridge_launch {
    struct bly_entry entry; /* without a program where no kernel draws so: the normals go through memory */
    bailey_buffer *records;
    uint64_t groups;
};

/* Puts records and constants where the device sees them, or finds them there. */
bailey_status bly_bridge_place(bailey_bridge *bridge);

/* Checks that the bridge can take its normals from the source, and finds how they are drawn: in registers, or
 * in memory if the source is of kind RUN. `normal` may be NULL. */
bailey_status bly_bridge_check_source(const bailey_bridge *bridge, const bailey_source *source,
                                      const bailey_normal_params *normal, enum bly_draw *draw);

/* Rows of Z, [row][path], of a source that has been checked and is not of points. */
bailey_status bly_bridge_rows(const bailey_bridge *bridge, const bailey_source *source, enum bly_draw draw,
                              uint64_t first_row, uint64_t rows, uint64_t first_path, uint64_t paths,
                              bailey_buffer *z);

/* Settles the strategy: checks that the device can do the one that is needed, or finds the best. */
bailey_status bly_bridge_choose(bailey_bridge *bridge, bailey_bridge_strategy wanted);

/* A strategy whose code does not grow with the steps, for paths that are a small part of what they are for;
 * some bridges do not fit it. */
bailey_bridge_strategy bly_bridge_short_strategy(const bailey_context *context, uint32_t dims);

/* The kernel for the paths of `p`, with normals of `source` as an enum bly_draw says or from memory
 * (BLY_DRAW_NONE, and no source), compiled if it has not been. `z` and `x` are what it will work on; x may be
 * NULL where only the kernel is needed. */
bailey_status bly_bridge_find_kernel(bailey_bridge *bridge, int draw, const bailey_source *source,
                                     int transfer, const bly_bridge_params *p, const bailey_buffer *z,
                                     const bailey_buffer *x, struct bly_bridge_launch *launch);

/* Releases the kernels, the records and the constants, which stay cached in the context for other bridges. */
void bly_bridge_release(bailey_bridge *bridge);

/* ---- Principal components (pca.c) ------------------------------------------------------------ */

/* Bridges that are built by principal components. */

/* Makes the records: the matrix and the base of kernels/pca_items.h, in the bridge's precision. The times
 * have been checked. Returns OK, ERROR_MEMORY, ERROR_INVALID (entries outside single precision). */
bailey_status bly_pca_keep(bailey_bridge *bridge, const bailey_bridge_params *params);

/* As bly_bridge_find_kernel: normals always come from memory. */
bailey_status bly_pca_find_kernel(const bailey_bridge *bridge, int draw, struct bly_bridge_launch *launch);

/* Builds the paths of `p` from `z`. */
bailey_status bly_pca_build(const bailey_bridge *bridge, const bly_bridge_params *p, bailey_buffer *z,
                            bailey_buffer *x);

/* ---- For benchmarks and tests (build.c) ------------------------------------------------------ */

/* What only benchmarks and tests ask of a bridge. */

/* What bailey_bridge_build could reach if arithmetic took no time. Makes the same launch with the same
 * loads and stores, but each row of X becomes a copy of the row of Z that builds it. Returns: as
 * bailey_bridge_build; ERROR_UNSUPPORTED unless the strategy is SPECIALISED, the output paths and the end
 * free. */
bailey_status bly_bridge_transfer(bailey_bridge *bridge, uint64_t paths, bailey_buffer *z, bailey_buffer *x);

#endif
