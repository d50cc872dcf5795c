/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey in a program that uses OpenCL itself: contexts, queues and memory of the caller's, and the
 * handles behind bailey's own. Needs the Khronos headers (<CL/cl.h>; define CL_TARGET_OPENCL_VERSION as you
 * like, 120 or later), and nothing of OpenCL at link time.
 *
 * For kernels of your own that use bailey's device functions, give the code of bailey_device_header
 * (bailey/advanced.h) to clCompileProgram and write `#include "bailey/device/..."` (some compilers find only
 * quoted names).
 */
#ifndef BAILEY_OPENCL_H
#define BAILEY_OPENCL_H

#include <bailey/bailey.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a device of an OpenCL context, on a queue of the caller's.
 *
 * `device` is one that `opencl_context` holds; NULL: the only one. Work is queued on `queue`, which must be
 * in order, behind what the caller has queued there and in front of what it queues next; NULL: a new
 * queue. Context and queue are retained until the bailey context is destroyed. `params` may be NULL. One
 * small kernel runs on the queue, and is waited for, before the call returns.
 * Returns: OK; ERROR_INVALID (opencl_context is NULL, it does not hold the device, the queue is out of order
 * or of another context or device), ERROR_NO_DEVICE (no driver, a device that cannot be used: the message has
 * the reason), ERROR_UNSUPPORTED, ERROR_MEMORY, ERROR_DRIVER, ERROR_BUILD.
 * Threads: as bailey_context_create. */
BAILEY_API bailey_status bailey_context_create_opencl(cl_context opencl_context, cl_device_id device,
                                                      cl_command_queue queue,
                                                      const bailey_context_params *params,
                                                      bailey_context **context);

/* Adopts an OpenCL buffer of at least `bytes`, made in the context's cl_context with CL_MEM_READ_WRITE (the
 * default). It is retained until the bailey buffer is destroyed. Nothing is copied; results are there for
 * whatever is queued behind the call that makes them, see also bailey_context_sync. bailey_buffer_read and
 * _write need a buffer without CL_MEM_HOST_* restrictions.
 * Returns: OK; ERROR_INVALID (NULL, an image, of another context, CL_MEM_READ_ONLY or CL_MEM_WRITE_ONLY,
 * less than `bytes`; a context that is not OpenCL's), ERROR_MEMORY, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_buffer_adopt_opencl(bailey_context *context, cl_mem memory, uint64_t bytes,
                                                    bailey_buffer **buffer);

/* The OpenCL context, device and queue that a bailey context works with; each pointer may be NULL if it is
 * not wanted. Work that the caller queues on the queue is in order with bailey's. The handles live as long
 * as the bailey context, longer if the caller retains them.
 * Returns: OK, ERROR_INVALID (a context that is not OpenCL's). */
BAILEY_API bailey_status bailey_context_opencl(bailey_context *context, cl_context *opencl_context,
                                               cl_device_id *device, cl_command_queue *queue);

/* The memory object of a buffer; it lives as long as the buffer, longer if the caller retains it. A buffer
 * that adopts host memory has a device copy, which is up to date only during calls.
 * Returns: OK, ERROR_INVALID (a buffer that is not of an OpenCL context). */
BAILEY_API bailey_status bailey_buffer_opencl(bailey_buffer *buffer, cl_mem *memory);

#ifdef __cplusplus
}
#endif

#endif
