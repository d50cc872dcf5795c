/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NVRTC, NVIDIA's compiler as a library: opened at run time, for texts.
 */
#ifndef BLY_CUDA_NVRTC_H
#define BLY_CUDA_NVRTC_H

#include <backend/backend.h>

#define BLY_NVRTC_OPTIONS 6

/* How a text is compiled for a device. */
struct bly_nvrtc_plan {
    char version[32]; /* of NVRTC */
    char options[BLY_NVRTC_OPTIONS][48];
    int is_ptx; /* NVRTC knows no machine code that runs there: the driver translates its PTX */
};

/* Opens NVRTC if it is not open, and plans for blocks of so many threads that share so many bytes, a device
 * of that compute capability (times 10), and a driver that says it is that version (cuDriverGetVersion).
 * Returns OK, or ERROR_UNSUPPORTED where NVRTC is not there or too old for the device. Threads: any. */
bailey_status bly_nvrtc_plan(uint32_t block, uint32_t shared_bytes, unsigned capability, int driver,
                             struct bly_nvrtc_plan *plan);

/* Compiles a text to an image for cuModuleLoadDataEx, from malloc; `name` is for errors. Returns: OK,
 * ERROR_BUILD with the compiler's log, ERROR_MEMORY. Threads: any. */
bailey_status bly_nvrtc_compile(const char *name, const char *text, const struct bly_nvrtc_plan *plan,
                                void **image, size_t *size);

#endif
