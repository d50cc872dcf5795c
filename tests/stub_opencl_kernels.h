/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the stub driver of OpenCL (stub_opencl.c) runs: kernels compiled as C (stub_opencl_kernels.c).
 */
#ifndef STUB_OPENCL_KERNELS_H
#define STUB_OPENCL_KERNELS_H

#include "stub_rows.h"

#define EXPORT __attribute__((visibility("default")))

typedef void stub_function(const void *params, void *const *buffers, uint64_t item, uint64_t row);

/* One of the two; work-groups of a text's kernel are whole. */
struct stub_kernel {
    const struct stub_row *row;
    stub_function *text;
};

/* 0 where there is none of this name. */
int stub_kernel_find(const char *name, struct stub_kernel *kernel);

void stub_kernel_run(const struct stub_kernel *kernel, const void *params, void *const *buffers,
                     uint64_t item, uint64_t row);

#endif
