/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the parts of the CUDA backend.
 */
#ifndef BLY_CUDA_INTERNAL_H
#define BLY_CUDA_INTERNAL_H

#include "cuda_symbols.h"

#include <backend/backend.h>

/* ---- Tuned numbers (cuda_tuning.c) ----------------------------------------------------------- */

/* Numbers tuned for CUDA devices, by compute capability. No result depends on them. */

struct bly_cuda_tuning {
    unsigned capability;    /* times 10: of devices of at least this one */
    struct bly_tuning host; /* what the host layer asks for */
    /* Threads of a row's block, powers of two: at most `block`, halved down to `least_block` while a launch
     * has fewer than `blocks_per_unit` blocks for each multiprocessor. */
    unsigned block, least_block, blocks_per_unit;
    /* A kernel that copies a table into every block is not used if less than 1 in so many of its threads
     * would have an item. */
    unsigned copies_part;
    unsigned idle_part; /* rows fill a block where items alone would leave more than 1 in so many idle */
};

/* That of a device; the table ends with what every device has. */
const struct bly_cuda_tuning *bly_cuda_tuning_of(unsigned capability);

/* ---- Devices, memory and programs ------------------------------------------------------------ */

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

/* Destroys the cached fences. The context is current, or there are none. */
void bly_cuda_drop_fences(struct bly_cuda_device *device);

#define BLY_DECLARED(name) bly_op_##name bly_cuda_##name;
BLY_OPERATIONS(BLY_DECLARED)
#undef BLY_DECLARED

/* ---- The compiler (cuda_nvrtc.c) ------------------------------------------------------------- */

/* NVRTC, NVIDIA's compiler as a library: opened at run time, for texts. */

#define BLY_NVRTC_OPTIONS 6

/* How a text is compiled for a device. */
struct bly_nvrtc_plan {
    char version[32]; /* of NVRTC */
    char options[BLY_NVRTC_OPTIONS][48];
    int is_ptx; /* NVRTC knows no machine code that runs there: the driver translates its PTX */
};

/* A device as the compiler sees it. */
struct bly_nvrtc_target {
    int cache;           /* that remembers the compiler */
    unsigned capability; /* times 10 */
    int driver;          /* of cuDriverGetVersion */
};

/* Plans for blocks of so many threads that share so many bytes. Opens NVRTC, unless it is open or the cache
 * has which one it is: opening it takes longer than to load a cached program.
 * Returns OK, or ERROR_UNSUPPORTED where NVRTC is not there or too old for the device. Threads: any. */
bailey_status bly_nvrtc_plan(uint32_t block, uint32_t shared_bytes, const struct bly_nvrtc_target *target,
                             struct bly_nvrtc_plan *plan);

/* Compiles a text to an image for cuModuleLoadDataEx, from malloc; `name` is for errors. Returns: OK,
 * ERROR_BUILD with the compiler's log, ERROR_MEMORY. Threads: any. */
bailey_status bly_nvrtc_compile(const char *name, const char *text, const struct bly_nvrtc_target *target,
                                const struct bly_nvrtc_plan *plan, void **image, size_t *size);

#endif
