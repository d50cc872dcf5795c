/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Using bailey in a CUDA program: your contexts, streams and memory in bailey, and the handles behind bailey
 * objects. Needs the toolkit's <cuda.h>, but nothing of the toolkit at link time.
 *
 * A program that uses the runtime API calls cudaFree(0) and then cuCtxGetCurrent to get the context of its
 * device. cudaStream_t is CUstream, and a pointer from cudaMalloc, cast to CUdeviceptr, is its address. No
 * call changes the current context of the calling thread.
 */
#ifndef BAILEY_CUDA_H
#define BAILEY_CUDA_H

#include <bailey/bailey.h>

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the device of a CUDA context on your own stream.
 *
 * Work is queued on `stream`, in order with your own work there. NULL: a new stream, which does not wait for
 * the default stream. To use that one, pass CU_STREAM_LEGACY or CU_STREAM_PER_THREAD. The latter is a
 * different stream in each thread, so call bailey_context_sync before another thread takes over. bailey owns
 * neither context nor stream: both must outlive the bailey context. The call runs one small kernel on the
 * stream and waits for it, so the stream must not be capturing. `params` may be NULL.
 * Returns: OK; ERROR_INVALID (cuda_context is NULL, the stream belongs to another context), ERROR_NO_DEVICE
 * (no driver, a device that is too old, a library built without CUDA), ERROR_UNSUPPORTED, ERROR_MEMORY,
 * ERROR_DRIVER, ERROR_BUILD. Threads: as bailey_context_create. */
BAILEY_API bailey_status bailey_context_create_cuda(CUcontext cuda_context, CUstream stream,
                                                    const bailey_context_params *params,
                                                    bailey_context **context);

/* Adopts (wraps) `bytes` of CUDA memory, which must be aligned to its elements' 4 or 8 bytes and outlive the
 * buffer and the work queued with it. It may be device memory of the context, managed memory, or pinned host
 * memory that is mapped on the device. Nothing is copied. Results are available once the stream has passed
 * the call; see bailey_context_sync.
 * Returns: OK; ERROR_INVALID (a NULL or misaligned pointer; memory unknown to CUDA, of another context, out
 * of the kernels' reach, or smaller than `bytes`; a context of another backend), ERROR_MEMORY, ERROR_DRIVER.
 */
BAILEY_API bailey_status bailey_buffer_adopt_cuda(bailey_context *context, CUdeviceptr pointer,
                                                  uint64_t bytes, bailey_buffer **buffer);

/* Returns the CUDA context and the stream that a bailey context uses; either pointer may be NULL. Work that
 * you queue on the stream is in order with the work of bailey. The handles live as long as the bailey
 * context.
 * Returns: OK, ERROR_INVALID (a context of another backend). */
BAILEY_API bailey_status bailey_context_cuda(bailey_context *context, CUcontext *cuda_context,
                                             CUstream *stream);

/* Returns the address of a buffer's device memory, valid in bailey_context_cuda's context as long as the
 * buffer lives. A buffer that adopts host memory has a device copy, which is up to date only during calls.
 * Returns: OK, ERROR_INVALID (a buffer of another backend). */
BAILEY_API bailey_status bailey_buffer_cuda(bailey_buffer *buffer, CUdeviceptr *pointer);

#ifdef __cplusplus
}
#endif

#endif
