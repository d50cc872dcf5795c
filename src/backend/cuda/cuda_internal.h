/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the parts of the CUDA backend share.
 */
#ifndef BLY_CUDA_INTERNAL_H
#define BLY_CUDA_INTERNAL_H

#include "cuda_symbols.h"

#include <backend/backend.h>

struct bly_cuda_function {
    CUfunction handle; /* NULL until first launched */
    unsigned block;    /* threads */
};

/* A kernel that was given as source. */
struct bly_cuda_program {
    struct bly_cuda_program *next;
    const struct bly_kernel *kernel;
    CUmodule module;
    struct bly_cuda_function function;
};

struct bly_cuda_device {
    struct bly_device base;
    CUdevice ordinal;
    CUcontext context;
    CUstream stream;
    int retained, made_stream;
    CUmodule *modules;                   /* by image */
    struct bly_cuda_function *functions; /* by row */
    struct bly_cuda_program *programs;   /* the one launched last comes first */
    int cache;                           /* bly_cache_open */
};

struct bly_memory {
    CUdeviceptr pointer;
    int owned;
};

/* Makes the device's context current, until bly_cuda_leave. */
bailey_status bly_cuda_enter(const struct bly_cuda_device *device);
void bly_cuda_leave(void);

/* 0 where the driver does not tell. */
int bly_cuda_attribute(CUdevice ordinal, CUdevice_attribute name);

/* Fills `info` for a device that is number `index`. */
void bly_cuda_describe_ordinal(CUdevice ordinal, size_t index, bailey_device *info);

/* Loads an image; `log` gets what the driver's compiler says of it. The context is current. */
CUresult bly_cuda_load_image(const void *image, CUmodule *module, char *log, size_t log_size);

/* Finds or makes the kernel's function. The context is current. */
bailey_status bly_cuda_find_function(struct bly_cuda_device *device, const struct bly_kernel *kernel,
                                     struct bly_cuda_function **result);

/* Operations of struct bly_backend. */
size_t bly_cuda_probe(char *why, size_t why_size);
void bly_cuda_describe(size_t index, bailey_device *info);
bailey_status bly_cuda_alloc(struct bly_device *device, uint64_t bytes, struct bly_memory **memory);
bailey_status bly_cuda_adopt(struct bly_device *device, void *native, uint64_t bytes,
                             struct bly_memory **memory);
void bly_cuda_release(struct bly_device *device, struct bly_memory *memory);
bailey_status bly_cuda_write(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                             const void *source, uint64_t bytes);
bailey_status bly_cuda_read(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                            void *destination, uint64_t bytes);
bailey_status bly_cuda_copy(struct bly_device *device, struct bly_memory *source, uint64_t source_offset,
                            struct bly_memory *destination, uint64_t destination_offset, uint64_t bytes);
bailey_status bly_cuda_fill(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                            uint8_t value, uint64_t bytes);
bailey_status bly_cuda_compile(struct bly_device *device, const struct bly_kernel *kernel, size_t params_size,
                               bailey_kernel_info *info);
void bly_cuda_forget(struct bly_device *device, const struct bly_kernel *kernel);

#endif
