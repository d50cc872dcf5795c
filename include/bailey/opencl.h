/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Using bailey in an OpenCL program: your contexts, queues and memory in bailey, and the handles behind
 * bailey objects. Needs the Khronos headers (<CL/cl.h>; define CL_TARGET_OPENCL_VERSION as you like, 120 or
 * later), but nothing of OpenCL at link time.
 *
 * To use bailey's device functions in your own kernels, pass the code of bailey_device_header
 * (bailey/advanced.h) to clCompileProgram and write `#include "bailey/device/..."`. Some compilers find only
 * quoted names.
 */
#ifndef BAILEY_OPENCL_H
#define BAILEY_OPENCL_H

#include <bailey/bailey.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a device of an OpenCL context on your own queue.
 *
 * `device` is one of the devices of `opencl_context`; NULL: the only one. Work is queued on `queue`, which
 * must be in order, after your earlier work there and before your later work. NULL: a new queue. Context and
 * queue are retained until the bailey context is destroyed. `params` may be NULL. The call runs one small
 * kernel on the queue and waits for it.
 * Returns: OK; ERROR_INVALID (opencl_context is NULL or does not hold the device; the queue is out of order
 * or belongs to another context or device), ERROR_NO_DEVICE (no driver, or a device that cannot be used; the
 * message gives the reason), ERROR_UNSUPPORTED, ERROR_MEMORY, ERROR_DRIVER, ERROR_BUILD.
 * Threads: as bailey_context_create. */
BAILEY_API bailey_status bailey_context_create_opencl(cl_context opencl_context, cl_device_id device,
                                                      cl_command_queue queue,
                                                      const bailey_context_params *params,
                                                      bailey_context **context);

/* Adopts (wraps) an OpenCL buffer of at least `bytes`, created in the context's cl_context with
 * CL_MEM_READ_WRITE (the default). It is retained until the bailey buffer is destroyed. Nothing is copied.
 * Work queued after a call sees its results; see also bailey_context_sync. bailey_buffer_read and _write need
 * a buffer without CL_MEM_HOST_* restrictions.
 * Returns: OK; ERROR_INVALID (NULL, an image, a buffer of another context, CL_MEM_READ_ONLY or
 * CL_MEM_WRITE_ONLY, fewer than `bytes`; a context of another backend), ERROR_MEMORY, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_buffer_adopt_opencl(bailey_context *context, cl_mem memory, uint64_t bytes,
                                                    bailey_buffer **buffer);

/* Returns the OpenCL context, device and queue that a bailey context uses; each pointer may be NULL. Work
 * that you queue on the queue is in order with the work of bailey. The handles live as long as the bailey
 * context, or longer if you retain them.
 * Returns: OK, ERROR_INVALID (a context of another backend). */
BAILEY_API bailey_status bailey_context_opencl(bailey_context *context, cl_context *opencl_context,
                                               cl_device_id *device, cl_command_queue *queue);

/* Returns the memory object of a buffer. It lives as long as the buffer, or longer if you retain it. A buffer
 * that adopts host memory has a device copy, which is up to date only during calls.
 * Returns: OK, ERROR_INVALID (a buffer of another backend). */
BAILEY_API bailey_status bailey_buffer_opencl(bailey_buffer *buffer, cl_mem *memory);

#ifdef __cplusplus
}
#endif

#endif
