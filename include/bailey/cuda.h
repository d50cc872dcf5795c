/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey in a program that uses CUDA itself: contexts, streams and memory of the caller's, and the
 * handles behind bailey's own. Needs the toolkit's <cuda.h>, and nothing of the toolkit at link time.
 *
 * A program that uses the runtime API calls cudaFree(0) and then cuCtxGetCurrent for the context of its
 * device; cudaStream_t is CUstream, and a pointer from cudaMalloc cast to CUdeviceptr is its address.
 * No call changes the context that is current on the caller's thread.
 */
#ifndef BAILEY_CUDA_H
#define BAILEY_CUDA_H

#include <bailey/bailey.h>

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the device of a CUDA context, on a stream of the caller's.
 *
 * Work is queued on `stream`, in order with what the caller queues there; NULL: a new stream, which does
 * not wait for the default stream (for that one pass CU_STREAM_LEGACY or CU_STREAM_PER_THREAD; the
 * latter is another stream in each thread, so call bailey_context_sync before another thread takes over).
 * Neither context nor stream is owned: both must outlive the bailey context. One small kernel runs on the
 * stream, and is waited for, before the call returns: it must not be capturing. `params` may be NULL.
 * Returns: OK; ERROR_INVALID (cuda_context is NULL, the stream is one of another context), ERROR_NO_DEVICE
 * (no driver, a device that is too old, a library built without CUDA), ERROR_UNSUPPORTED, ERROR_MEMORY,
 * ERROR_DRIVER, ERROR_BUILD. Threads: as bailey_context_create. */
BAILEY_API bailey_status bailey_context_create_cuda(CUcontext cuda_context, CUstream stream,
                                                    const bailey_context_params *params,
                                                    bailey_context **context);

/* Adopts `bytes` of CUDA memory, aligned to its elements' 4 or 8 bytes, which must outlive the buffer and the
 * work queued with it: memory of the context's device, managed memory, or pinned host memory that is mapped on the device.
 * Nothing is copied; results are there when the stream has come past the call, see bailey_context_sync.
 * Returns: OK; ERROR_INVALID (a NULL or misaligned pointer, memory that CUDA does not know, of another
 * context, out of the kernels' reach, or less than `bytes`; a context that is not CUDA's), ERROR_MEMORY,
 * ERROR_DRIVER. */
BAILEY_API bailey_status bailey_buffer_adopt_cuda(bailey_context *context, CUdeviceptr pointer,
                                                  uint64_t bytes, bailey_buffer **buffer);

/* The CUDA context and the stream that a bailey context works in; either may be NULL if not wanted. Work
 * that the caller queues on the stream is in order with bailey's. They live as long as the bailey context.
 * Returns: OK, ERROR_INVALID (a context that is not CUDA's). */
BAILEY_API bailey_status bailey_context_cuda(bailey_context *context, CUcontext *cuda_context,
                                             CUstream *stream);

/* The address of a buffer's device memory, valid in bailey_context_cuda's context as long as the buffer
 * lives. A buffer that adopts host memory has a device copy, which is up to date only during calls.
 * Returns: OK, ERROR_INVALID (a buffer that is not of a CUDA context). */
BAILEY_API bailey_status bailey_buffer_cuda(bailey_buffer *buffer, CUdeviceptr *pointer);

#ifdef __cplusplus
}
#endif

#endif
