/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey/opencl.h. A library built without OpenCL has these functions too, so that programs link.
 */
#include <host/internal.h>

#include <backend/opencl/opencl_internal.h>

#ifdef BLY_HAVE_OPENCL
#include <bailey/opencl.h>
#else
BAILEY_API bailey_status bailey_context_create_opencl(cl_context opencl_context, cl_device_id device,
                                                      cl_command_queue queue,
                                                      const bailey_context_params *params,
                                                      bailey_context **context);
BAILEY_API bailey_status bailey_buffer_adopt_opencl(bailey_context *context, cl_mem memory, uint64_t bytes,
                                                    bailey_buffer **buffer);
BAILEY_API bailey_status bailey_context_opencl(bailey_context *context, cl_context *opencl_context,
                                               cl_device_id *device, cl_command_queue *queue);
BAILEY_API bailey_status bailey_buffer_opencl(bailey_buffer *buffer, cl_mem *memory);
#endif

bailey_status bailey_context_create_opencl(cl_context opencl_context, cl_device_id device,
                                           cl_command_queue queue, const bailey_context_params *params,
                                           bailey_context **context)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    *context = NULL;
    if (!opencl_context) return bly_fail_argument("opencl_context", "opencl_context is NULL");
    if (params && BLY_REFUSES(params)) return BAILEY_ERROR_INVALID;
    const struct bly_native native = {.context = opencl_context, .device = device, .queue = queue};
    const struct bly_open_params open = {.cache_dir = params ? params->cache_dir : NULL, .native = &native};
    return bly_context_open(&bly_backend_opencl, 0, &open, context);
}

bailey_status bailey_buffer_adopt_opencl(bailey_context *context, cl_mem memory, uint64_t bytes,
                                         bailey_buffer **buffer)
{
    if (!bly_context_backend_device(context, &bly_backend_opencl, "context"))
        return bly_finish(context, BAILEY_ERROR_INVALID);
    if (!memory) return bly_finish(context, bly_fail_argument("memory", "memory is NULL"));
    return bly_buffer_adopt(context, memory, bytes, buffer);
}

bailey_status bailey_context_opencl(bailey_context *context, cl_context *opencl_context, cl_device_id *device,
                                    cl_command_queue *queue)
{
    struct bly_device *open = bly_context_backend_device(context, &bly_backend_opencl, "context");
    if (!open) return bly_finish(context, BAILEY_ERROR_INVALID);
    bly_opencl_handles(open, opencl_context, device, queue);
    return BAILEY_OK;
}

bailey_status bailey_buffer_opencl(bailey_buffer *buffer, cl_mem *memory)
{
    if (!buffer) return bly_fail_argument("buffer", "buffer is NULL");
    if (!bly_context_backend_device(buffer->context, &bly_backend_opencl, "buffer"))
        return bly_finish(buffer->context, BAILEY_ERROR_INVALID);
    if (!memory) return bly_finish(buffer->context, bly_fail_argument("memory", "memory is NULL"));
    *memory = bly_opencl_memory(bly_buffer_memory(buffer));
    return BAILEY_OK;
}
