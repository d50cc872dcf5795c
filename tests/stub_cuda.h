/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What tests see of the stub driver (stub_cuda.c), through dlsym.
 */
#ifndef BLY_STUB_CUDA_H
#define BLY_STUB_CUDA_H

#include <cuda.h>

/* Calls that the environment's BLY_STUB_CUDA_FAIL can make fail, in the order of stub_cuda.c's names. */
enum bly_stub_call {
    BLY_STUB_RETAIN,
    BLY_STUB_STREAM,
    BLY_STUB_ALLOC,
    BLY_STUB_LOAD,
    BLY_STUB_FUNCTION,
    BLY_STUB_LAUNCH,
    BLY_STUB_WRITE,
    BLY_STUB_READ,
    BLY_STUB_SYNC,
    BLY_STUB_COPY,
    BLY_STUB_FILL,
    BLY_STUB_SHARED, /* cuFuncSetAttribute */
    BLY_STUB_HOST,   /* cuMemHostAlloc */
    BLY_STUB_MAP,    /* cuMemHostGetDevicePointer */
    BLY_STUB_EVENT,  /* cuEventCreate */
    BLY_STUB_RECORD,
    BLY_STUB_QUERY,
    BLY_STUB_AWAIT,  /* cuEventSynchronize */
    BLY_STUB_FOLLOW, /* cuStreamWaitEvent */
    BLY_STUB_CALLS
};

#define BLY_STUB_GATHER_PARAMS 1024 /* bytes: stub_gather's count comes first, what it adds last */

/* Exported as `bly_stub_cuda`. */
struct bly_stub_cuda {
    int calls[BLY_STUB_CALLS]; /* so many since the test set them to zero: what :<n> counts */
    int pushes, pops;
    int retained, streams, modules, allocations, host_allocations, events; /* now */
    CUstream last;      /* stream that something was queued in last */
    long program_items; /* that kernels of texts ran over, since the test set it to zero */
    int misuses;        /* calls without a current context, frees of what is not there, ... */
};

/* Exported as `bly_stub_cuda_context`: another context of device 0, never freed. */
typedef CUcontext bly_stub_cuda_context_function(void);
/* Exported as `bly_stub_cuda_memory`: memory of `context`, not counted in `allocations`. Host memory is
 * seen by kernels 4096 bytes above its address, or not at all where `mapped` is 0. */
typedef CUdeviceptr bly_stub_cuda_memory_function(CUcontext context, CUmemorytype type, int mapped,
                                                  size_t bytes);
/* Exported as `bly_stub_cuda_forget`: frees memory of bly_stub_cuda_memory. */
typedef void bly_stub_cuda_forget_function(CUdeviceptr pointer);

#endif
