/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey/cuda.h. A library built without CUDA has these functions too, so that programs link.
 */
#include <host/internal.h>

#include <backend/cuda/cuda_native.h>

#ifdef BLY_HAVE_CUDA

#include <bailey/cuda.h>

#else /* what cuda.h would say, as the ABI has it */

typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef unsigned long long CUdeviceptr;

BAILEY_API bailey_status bailey_context_create_cuda(CUcontext cuda_context, CUstream stream,
                                                    const bailey_context_params *params,
                                                    bailey_context **context);
BAILEY_API bailey_status bailey_buffer_adopt_cuda(bailey_context *context, CUdeviceptr pointer,
                                                  uint64_t bytes, bailey_buffer **buffer);
BAILEY_API bailey_status bailey_context_cuda(bailey_context *context, CUcontext *cuda_context,
                                             CUstream *stream);
BAILEY_API bailey_status bailey_buffer_cuda(bailey_buffer *buffer, CUdeviceptr *pointer);

#endif

bailey_status bailey_context_create_cuda(CUcontext cuda_context, CUstream stream,
                                         const bailey_context_params *params, bailey_context **context)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    *context = NULL;
    if (!cuda_context) return bly_fail_argument("cuda_context", "cuda_context is NULL");
    if (params && BLY_REFUSES(params)) return BAILEY_ERROR_INVALID;
    const struct bly_native native = {.context = cuda_context, .queue = stream};
    const struct bly_open_params open = {.cache_dir = params ? params->cache_dir : NULL, .native = &native};
    return bly_context_open(&bly_backend_cuda, 0, &open, context);
}

bailey_status bailey_buffer_adopt_cuda(bailey_context *context, CUdeviceptr pointer, uint64_t bytes,
                                       bailey_buffer **buffer)
{
    if (!bly_context_backend_device(context, &bly_backend_cuda, "context"))
        return bly_finish(context, BAILEY_ERROR_INVALID);
    if (!pointer) return bly_finish(context, bly_fail_argument("pointer", "pointer is NULL"));
    return bly_buffer_adopt(context, (void *)(uintptr_t)pointer, bytes, buffer);
}

bailey_status bailey_context_cuda(bailey_context *context, CUcontext *cuda_context, CUstream *stream)
{
    const struct bly_device *device = bly_context_backend_device(context, &bly_backend_cuda, "context");
    if (!device) return bly_finish(context, BAILEY_ERROR_INVALID);
    void *handles[2];
    bly_cuda_handles(device, &handles[0], &handles[1]);
    if (cuda_context) *cuda_context = handles[0];
    if (stream) *stream = handles[1];
    return BAILEY_OK;
}

bailey_status bailey_buffer_cuda(bailey_buffer *buffer, CUdeviceptr *pointer)
{
    if (!buffer) return bly_fail_argument("buffer", "buffer is NULL");
    if (!bly_context_backend_device(buffer->context, &bly_backend_cuda, "buffer"))
        return bly_finish(buffer->context, BAILEY_ERROR_INVALID);
    if (!pointer) return bly_finish(buffer->context, bly_fail_argument("pointer", "pointer is NULL"));
    *pointer = bly_cuda_pointer(bly_buffer_memory(buffer));
    return BAILEY_OK;
}
