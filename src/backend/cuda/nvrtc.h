/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NVRTC, NVIDIA's compiler as a library: opened at run time, for kernels that are given as source.
 */
#ifndef BLY_CUDA_NVRTC_H
#define BLY_CUDA_NVRTC_H

#include <backend/backend.h>

#define BLY_NVRTC_OPTIONS 6

/* How a kernel is compiled for a device. */
struct bly_nvrtc_plan {
    char version[32]; /* of NVRTC */
    char options[BLY_NVRTC_OPTIONS][48];
    int is_ptx; /* NVRTC knows no machine code that runs there: the driver translates its PTX */
};

/* Opens NVRTC if it is not open, and plans for a device of that compute capability (times 10) and a driver
 * that says it is that version (cuDriverGetVersion). Returns OK, or ERROR_UNSUPPORTED where NVRTC is not
 * there or too old for the device. Threads: any. */
bailey_status bly_nvrtc_plan(const struct bly_kernel *kernel, unsigned capability, int driver,
                             struct bly_nvrtc_plan *plan);

/* Compiles the kernel's source to an image for cuModuleLoadData, from malloc. Returns: OK, ERROR_BUILD with
 * the compiler's log, ERROR_MEMORY. Threads: any. */
bailey_status bly_nvrtc_compile(const struct bly_kernel *kernel, const struct bly_nvrtc_plan *plan,
                                void **image, size_t *size);

#endif
