/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a bridge holds, and the choice of its kernels (strategy.c).
 */
#ifndef BLY_BRIDGE_HOST_H
#define BLY_BRIDGE_HOST_H

#include "job.h"
#include <host/internal.h>

struct bly_bridge_kernel; /* one that was compiled for the bridge */

struct bailey_bridge {
    bailey_context *context;
    bailey_bridge_info info;
    bailey_bridge_output output;
    bailey_layout layout;
    bailey_precision precision;
    int fixed_end, correlated;
    int automatic; /* the library chose info.strategy */
    void *records; /* of the output and precision, as on the device */
    size_t records_bytes;
    void *constants; /* start[dims], end[dims], C[dims][dims] in the precision, as on the device */
    bailey_buffer *device_records, *device_constants;
    struct bly_bridge_kernel *kernels;
};

/* How to launch a bridge's kernel. */
struct bly_bridge_launch {
    const struct bly_kernel *kernel;
    bailey_buffer *records;
    uint64_t groups;
};

/* Checks that the bridge can draw what `normal` says, its offset aside. */
bailey_status bly_bridge_check_normal(const bailey_bridge *bridge, const bailey_normal_params *normal);

/* Settles the strategy: checks that the device can do the one that is wanted, or finds the best. */
bailey_status bly_bridge_choose(bailey_bridge *bridge, bailey_bridge_strategy wanted);

/* The kernel for `paths` paths from `first`, with normals as `normal` says or from memory (NULL), compiled if
 * it has not been. `z` and `x` are what it will work on; x may be NULL where only the kernel is wanted. */
bailey_status bly_bridge_find_kernel(bailey_bridge *bridge, const bailey_normal_params *normal, int transfer,
                                     uint64_t first, uint64_t paths, const bailey_buffer *z,
                                     const bailey_buffer *x, struct bly_bridge_launch *launch);

/* Frees the compiled kernels. */
void bly_bridge_forget_kernels(bailey_bridge *bridge);

#endif
