/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the stub driver of OpenCL (stub_opencl.c) runs: kernels compiled as C (stub_opencl_kernels.c).
 */
#ifndef STUB_OPENCL_KERNELS_H
#define STUB_OPENCL_KERNELS_H

#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef void stub_function(const void *params, void *const *buffers, uint64_t item, uint64_t row);

struct stub_kernel {
    const char *name;
    stub_function *function;
    int is_group; /* its work-groups are whole */
};

/* NULL where there is none of this name. */
const struct stub_kernel *stub_kernel_find(const char *name);

#endif
