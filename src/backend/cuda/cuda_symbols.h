/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The entry points of the CUDA driver that the backend uses, opened at run time.
 *
 * Exports are named with their versions: what cuda.h makes of an unversioned name changes from toolkit
 * to toolkit.
 */
#ifndef BLY_CUDA_SYMBOLS_H
#define BLY_CUDA_SYMBOLS_H

#include <bailey/bailey.h>

#include <cuda.h>

#define BLY_CUDA_SYMBOLS(X)                                                                                  \
    X(cuCtxGetDevice)                                                                                        \
    X(cuCtxPopCurrent_v2)                                                                                    \
    X(cuCtxPushCurrent_v2)                                                                                   \
    X(cuDeviceGet)                                                                                           \
    X(cuDeviceGetAttribute)                                                                                  \
    X(cuDeviceGetCount)                                                                                      \
    X(cuDeviceGetName)                                                                                       \
    X(cuDevicePrimaryCtxRelease_v2)                                                                          \
    X(cuDevicePrimaryCtxRetain)                                                                              \
    X(cuDeviceTotalMem_v2)                                                                                   \
    X(cuDriverGetVersion)                                                                                    \
    X(cuEventCreate)                                                                                         \
    X(cuEventDestroy_v2)                                                                                     \
    X(cuEventQuery)                                                                                          \
    X(cuEventRecord)                                                                                         \
    X(cuEventSynchronize)                                                                                    \
    X(cuFuncGetAttribute)                                                                                    \
    X(cuFuncSetAttribute)                                                                                    \
    X(cuGetErrorName)                                                                                        \
    X(cuGetErrorString)                                                                                      \
    X(cuInit)                                                                                                \
    X(cuLaunchKernel)                                                                                        \
    X(cuMemAlloc_v2)                                                                                         \
    X(cuMemFreeHost)                                                                                         \
    X(cuMemFree_v2)                                                                                          \
    X(cuMemGetAddressRange_v2)                                                                               \
    X(cuMemGetInfo_v2)                                                                                       \
    X(cuMemHostAlloc)                                                                                        \
    X(cuMemHostGetDevicePointer_v2)                                                                          \
    X(cuMemcpyAsync)                                                                                         \
    X(cuMemcpyDtoHAsync_v2)                                                                                  \
    X(cuMemcpyHtoDAsync_v2)                                                                                  \
    X(cuMemsetD8Async)                                                                                       \
    X(cuModuleGetFunction)                                                                                   \
    X(cuModuleLoadDataEx)                                                                                    \
    X(cuModuleUnload)                                                                                        \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                           \
    X(cuPointerGetAttribute)                                                                                 \
    X(cuStreamCreate)                                                                                        \
    X(cuStreamDestroy_v2)                                                                                    \
    X(cuStreamGetCtx)                                                                                        \
    X(cuStreamSynchronize)                                                                                   \
    X(cuStreamWaitEvent)

/* NULL in drivers that are older. */
#define BLY_CUDA_NEWER_SYMBOLS(X) X(cuLaunchKernelEx) /* 11.8 */

struct bly_cuda_table {
#define BLY_CUDA_MEMBER(function) __typeof__(&function) function;
    BLY_CUDA_SYMBOLS(BLY_CUDA_MEMBER)
    BLY_CUDA_NEWER_SYMBOLS(BLY_CUDA_MEMBER)
#undef BLY_CUDA_MEMBER
};

/* Filled by the first bly_cuda_load_driver that succeeds. */
extern struct bly_cuda_table bly_cuda;

/* Opens the driver and calls cuInit, until that has worked once. Returns OK or ERROR_NO_DEVICE with the
 * reason in `why`. Threads: any. */
bailey_status bly_cuda_load_driver(char *why, size_t why_size);

/* "CUDA_ERROR_INVALID_VALUE (invalid argument)", in `text`. */
#define BLY_CUDA_WORDS 160
const char *bly_cuda_words(CUresult error, char text[BLY_CUDA_WORDS]);

/* Sets the thread's error text to "<what>: <words>". Returns ERROR_MEMORY or ERROR_DRIVER. */
bailey_status bly_cuda_fail(CUresult error, const char *what);

#endif
