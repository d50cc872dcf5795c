/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the parts of the CUDA backend share.
 */
#ifndef BLY_CUDA_INTERNAL_H
#define BLY_CUDA_INTERNAL_H

#include "cuda_symbols.h"
#include "cuda_tuning.h"

#include <backend/backend.h>

#define BLY_CUDA_QUEUES 2

struct bly_cuda_device {
    struct bly_device base;
    CUdevice ordinal;
    CUcontext context;
    CUstream streams[BLY_CUDA_QUEUES]; /* by queue; the second is NULL until it is used */
    int made_streams[BLY_CUDA_QUEUES]; /* ours to destroy */
    int retained;
    CUmodule *modules;        /* by image; NULL until a row of it is loaded */
    struct bly_fence *fences; /* freed ones, for reuse */
    uint32_t fence_count;     /* of them */
    const struct bly_cuda_tuning *tuning;
    int cache; /* bly_cache_open */
};

struct bly_memory {
    CUdeviceptr pointer;
    void *host; /* PINNED and MAPPED: where the host sees it */
    int owned;
};

/* One kernel of a program. */
struct bly_cuda_function {
    CUfunction handle;
    const struct bly_kernel *kernel; /* of the program's */
    unsigned block;                  /* threads */
    unsigned shared;                 /* bytes of dynamic shared memory */
    unsigned most_blocks; /* of a launch, which loop over all items of all rows; 0: a thread for each */
    int early;            /* may begin while the kernel before it ends; it waits by itself */
    uint64_t least_items; /* launches of fewer take the plain kernel of the row */
};

struct bly_program {
    CUmodule module; /* NULL: that of an image, which the device keeps */
    int is_row;
    uint32_t count;
    struct bly_kernel *kernels;
    struct bly_cuda_function plain; /* of a row with a tuned replacement; without a handle until it is used */
    struct bly_cuda_function functions[];
};

/* The row's own kernel, not its tuned replacement. The context is current. */
bailey_status bly_cuda_plain(struct bly_cuda_device *device, struct bly_program *program,
                             const struct bly_cuda_function **function);

/* Makes the device's context current, until bly_cuda_leave. */
bailey_status bly_cuda_enter(const struct bly_cuda_device *device);
void bly_cuda_leave(void);

/* 0 where the driver does not report it. */
int bly_cuda_attribute(CUdevice ordinal, CUdevice_attribute name);

/* Compute capability, times 10. */
unsigned bly_cuda_capability(CUdevice ordinal);

/* Fills `info` for a device that is number `index`. */
void bly_cuda_describe_ordinal(CUdevice ordinal, size_t index, bailey_device *info);

/* Loads an image; `log` gets what the driver's compiler says of it. The context is current. */
CUresult bly_cuda_load_image(const void *image, CUmodule *module, char *log, size_t log_size);

/* Begins an operation in a queue: makes the context current, and the stream if it is not there. Then
 * bly_cuda_end, with the outcome of `call`, undoes the former. */
bailey_status bly_cuda_begin(struct bly_cuda_device *device, uint32_t queue, CUstream *stream);
bailey_status bly_cuda_end(CUresult error, const char *call);

/* Waits for the streams that there are. The context is current. */
CUresult bly_cuda_drain(const struct bly_cuda_device *device);

/* Destroys the fences kept for reuse. The context is current, or there are none. */
void bly_cuda_drop_fences(struct bly_cuda_device *device);

#define BLY_DECLARED(name) bly_op_##name bly_cuda_##name;
BLY_OPERATIONS(BLY_DECLARED)
#undef BLY_DECLARED

#endif
