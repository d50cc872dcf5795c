/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Queues of the stub driver of OpenCL. Everything is done when it is queued, but events say so only once
 * their queue has been flushed.
 */
#include "stub_opencl.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

EXPORT cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                             cl_command_queue_properties properties, cl_int *error)
{
    (void)device;
    MAY_FAIL_TO(error);
    cl_command_queue queue = stub_make(sizeof *queue, context);
    queue->context = context;
    queue->properties = properties;
    return queue;
}

RETAIN(clRetainCommandQueue, cl_command_queue)
RELEASE(clReleaseCommandQueue, cl_command_queue)

EXPORT cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t size,
                                    void *value, size_t *value_size)
{
    MAY_FAIL;
    switch (what) {
    case CL_QUEUE_CONTEXT: ANSWER(cl_context, queue->context);
    case CL_QUEUE_DEVICE: ANSWER(cl_device_id, queue->context->device);
    case CL_QUEUE_PROPERTIES: ANSWER(cl_command_queue_properties, queue->properties);
    default: return CL_INVALID_VALUE;
    }
}

/* One more command; a blocking one is preceded by a flush. */
static void queued(cl_command_queue queue, cl_bool blocking)
{
    queue->commands++;
    if (blocking) queue->flushed = queue->commands;
}

EXPORT cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                                  size_t size, void *out, cl_uint waits, const cl_event *wait_list,
                                  cl_event *event)
{
    (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (memory->mapped) return CL_INVALID_OPERATION;
    if (offset > memory->size || size > memory->size - offset) return CL_INVALID_VALUE;
    memcpy(out, memory->bytes + offset, size);
    queued(queue, blocking);
    return CL_SUCCESS;
}

EXPORT cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                                   size_t size, const void *in, cl_uint waits, const cl_event *wait_list,
                                   cl_event *event)
{
    (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (memory->mapped) return CL_INVALID_OPERATION;
    if (offset > memory->size || size > memory->size - offset) return CL_INVALID_VALUE;
    memcpy(memory->bytes + offset, in, size);
    queued(queue, blocking);
    return CL_SUCCESS;
}

EXPORT cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                  size_t to_offset, size_t size, cl_uint waits, const cl_event *wait_list,
                                  cl_event *event)
{
    (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (from->mapped || to->mapped) return CL_INVALID_OPERATION;
    if (from_offset > from->size || size > from->size - from_offset) return CL_INVALID_VALUE;
    if (to_offset > to->size || size > to->size - to_offset) return CL_INVALID_VALUE;
    memcpy(to->bytes + to_offset, from->bytes + from_offset, size);
    queued(queue, CL_FALSE);
    return CL_SUCCESS;
}

EXPORT cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void *pattern, size_t width,
                                  size_t offset, size_t size, cl_uint waits, const cl_event *wait_list,
                                  cl_event *event)
{
    (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (memory->mapped) return CL_INVALID_OPERATION;
    if (offset > memory->size || size > memory->size - offset) return CL_INVALID_VALUE;
    if (width == 0 || width > 128 || (width & (width - 1)) || offset % width || size % width)
        return CL_INVALID_VALUE;
    for (size_t i = 0; i < size; i += width) memcpy(memory->bytes + offset + i, pattern, width);
    queued(queue, CL_FALSE);
    return CL_SUCCESS;
}

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global, const size_t *local,
                                     cl_uint waits, const cl_event *wait_list, cl_event *event)
{
    (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (dimensions != 2 || offset || global[0] % local[0] || global[1] % local[1])
        return CL_INVALID_WORK_GROUP_SIZE;
    /* Arguments: parameters, buffers, first item, items, first row. */
    const struct argument *arguments = kernel->arguments;
    int count = 0;
    while (count < MAX_ARGUMENTS && arguments[count].size) count++;
    if (count < 5) return CL_INVALID_KERNEL_ARGS;
    void *buffers[MAX_ARGUMENTS] = {0};
    for (int i = 1; i < count - 3; i++) {
        cl_mem memory;
        memcpy(&memory, arguments[i].bytes, sizeof memory);
        if (memory && memory->mapped) return CL_INVALID_OPERATION;
        buffers[i - 1] = memory ? memory->bytes : NULL;
    }
    uint64_t range[3];
    for (int i = 0; i < 3; i++) memcpy(&range[i], arguments[count - 3 + i].bytes, sizeof range[i]);
    for (uint64_t row = 0; row < global[1]; row++)
        for (uint64_t item = range[0]; item < range[0] + global[0]; item++)
            if (item < range[1] || kernel->entry.text)
                stub_kernel_run(&kernel->entry, arguments[0].bytes, buffers, item, range[2] + row);
    if (stub_odd("badfma") && strcmp(kernel->program->text, "bly_check") == 0) *(uint32_t *)buffers[0] ^= 1;
    queued(queue, CL_FALSE);
    return CL_SUCCESS;
}

EXPORT cl_int clFlush(cl_command_queue queue)
{
    MAY_FAIL;
    queue->flushed = queue->commands;
    return CL_SUCCESS;
}

EXPORT cl_int clFinish(cl_command_queue queue)
{
    MAY_FAIL;
    queue->flushed = queue->commands;
    return CL_SUCCESS;
}

/* ---- Mapped memory --------------------------------------------------------------------------- */

EXPORT void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags,
                                size_t offset, size_t size, cl_uint waits, const cl_event *wait_list,
                                cl_event *event, cl_int *error)
{
    (void)flags, (void)waits, (void)wait_list, (void)event;
    MAY_FAIL_TO(error);
    memory->mapped++;
    memory->base.references++; /* until it is unmapped */
    queued(queue, blocking);
    return offset + size <= memory->size ? memory->bytes + offset : NULL;
}

EXPORT cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *address, cl_uint waits,
                                      const cl_event *wait_list, cl_event *event)
{
    (void)waits, (void)wait_list, (void)event;
    if (address != memory->bytes || !memory->mapped) return CL_INVALID_VALUE;
    memory->mapped--;
    queued(queue, CL_FALSE);
    stub_drop(memory);
    return stub_fails(__func__);
}

/* ---- Events ---------------------------------------------------------------------------------- */

EXPORT cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint waits, const cl_event *wait_list,
                                          cl_event *event)
{
    MAY_FAIL;
    if (waits || wait_list) return CL_INVALID_EVENT_WAIT_LIST;
    *event = stub_make(sizeof **event, queue);
    queued(queue, CL_FALSE);
    (*event)->queue = queue;
    (*event)->number = queue->commands;
    (*event)->polls = stub_number("STUB_POLLS", 0);
    return CL_SUCCESS;
}

EXPORT cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint waits, const cl_event *wait_list,
                                           cl_event *event)
{
    (void)event;
    MAY_FAIL;
    if (waits != 1) return CL_INVALID_EVENT_WAIT_LIST;
    /* A queue that has not been flushed need not begin: a real driver would hang. */
    if (wait_list[0]->number > wait_list[0]->queue->flushed) return CL_INVALID_EVENT;
    queued(queue, CL_FALSE);
    return CL_SUCCESS;
}

EXPORT cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    MAY_FAIL;
    if (count != 1) return CL_INVALID_VALUE;
    events[0]->queue->flushed = events[0]->queue->commands;
    events[0]->polls = 0;
    return stub_number("STUB_EVENT", 0) ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

EXPORT cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *value_size)
{
    MAY_FAIL;
    if (what != CL_EVENT_COMMAND_EXECUTION_STATUS) return CL_INVALID_VALUE;
    cl_int state = stub_number("STUB_EVENT", CL_COMPLETE);
    if (event->number > event->queue->flushed)
        state = CL_QUEUED;
    else if (event->polls > 0 && event->polls--)
        state = CL_RUNNING;
    ANSWER(cl_int, state);
}

RELEASE(clReleaseEvent, cl_event)
