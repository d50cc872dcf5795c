/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What tests see of the stub driver (stub_cuda.c), through dlsym, besides stub_faults.h.
 */
#ifndef STUB_CUDA_H
#define STUB_CUDA_H

#include <backend/cuda/cuda_symbols.h>

#define STUB_SYMBOLS(X) BLY_CUDA_SYMBOLS(X) BLY_CUDA_NEWER_SYMBOLS(X)

/* Exported as `bly_stub_cuda`. */
struct bly_stub_cuda {
    int pushes, pops;
    int retained, streams, modules, allocations, host_allocations, events; /* now */
    CUstream last; /* stream that something was queued in last */
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
