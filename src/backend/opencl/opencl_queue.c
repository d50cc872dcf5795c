/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Queues, and fences in them: markers, whose events say when all before them is done.
 */
#include "opencl_internal.h"

#ifdef BLY_HAVE_OPENCL

#include <stdlib.h>

struct bly_fence {
    cl_event event;
    cl_command_queue queue; /* it lives as long as the device */
};

bailey_status bly_cl_queue(struct bly_cl_device *device, uint32_t number, cl_command_queue *queue)
{
    if (number >= device->base.queues) number = 0;
    *queue = device->queues[number];
    if (*queue) return BAILEY_OK;
    cl_int error;
    *queue = bly_cl.clCreateCommandQueue(device->target.context, device->target.device, 0, &error);
    if (error) return bly_cl_fail(error, "clCreateCommandQueue");
    device->queues[number] = *queue;
    return BAILEY_OK;
}

cl_int bly_cl_finish(const struct bly_cl_device *device)
{
    cl_int first = CL_SUCCESS;
    for (int i = 0; i < BLY_CL_QUEUES; i++) {
        const cl_int error = device->queues[i] ? bly_cl.clFinish(device->queues[i]) : CL_SUCCESS;
        if (!first) first = error;
    }
    return first;
}

bailey_status bly_cl_wait(struct bly_device *base)
{
    const cl_int error = bly_cl_finish((struct bly_cl_device *)base);
    return error ? bly_cl_fail(error, "clFinish") : BAILEY_OK;
}

bailey_status bly_cl_queued(cl_command_queue queue, cl_int error, const char *what)
{
    if (error) return bly_cl_fail(error, what);
    error = bly_cl.clFlush(queue);
    return error ? bly_cl_fail(error, "clFlush") : BAILEY_OK;
}

/* Another queue waits for an event for ever if the queue that it is in has not been flushed. */
bailey_status bly_cl_fence(struct bly_device *base, uint32_t number, struct bly_fence **result)
{
    cl_command_queue queue;
    *result = NULL;
    bailey_status status = bly_cl_queue((struct bly_cl_device *)base, number, &queue);
    if (status != BAILEY_OK) return status;
    struct bly_fence *fence = malloc(sizeof *fence);
    if (!fence) return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a fence");
    *fence = (struct bly_fence){NULL, queue};
    status = bly_cl_queued(queue, bly_cl.clEnqueueMarkerWithWaitList(queue, 0, NULL, &fence->event),
                           "clEnqueueMarkerWithWaitList");
    if (status != BAILEY_OK) {
        bly_cl_fence_free(base, fence);
        return status;
    }
    *result = fence;
    return BAILEY_OK;
}

/* An event with an error makes the wait fail too; the event says which. */
bailey_status bly_cl_fence_done(struct bly_device *base, struct bly_fence *fence, int wait, int *done)
{
    (void)base;
    cl_int state = CL_QUEUED;
    const cl_int waited = wait ? bly_cl.clWaitForEvents(1, &fence->event) : CL_SUCCESS;
    *done = 0;
    if (waited && waited != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        return bly_cl_fail(waited, "clWaitForEvents");
    const cl_int error =
        bly_cl.clGetEventInfo(fence->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (error) return bly_cl_fail(error, "clGetEventInfo(CL_EVENT_COMMAND_EXECUTION_STATUS)");
    if (state < 0) return bly_cl_fail(state, "the work before a fence");
    if (waited) return bly_cl_fail(waited, "clWaitForEvents");
    *done = state == CL_COMPLETE;
    return BAILEY_OK;
}

/* A queue follows its own fences as it is. */
bailey_status bly_cl_follow(struct bly_device *base, uint32_t number, struct bly_fence *fence)
{
    cl_command_queue queue;
    const bailey_status status = bly_cl_queue((struct bly_cl_device *)base, number, &queue);
    if (status != BAILEY_OK || queue == fence->queue) return status;
    const cl_int error = bly_cl.clEnqueueBarrierWithWaitList(queue, 1, &fence->event, NULL);
    return error ? bly_cl_fail(error, "clEnqueueBarrierWithWaitList") : BAILEY_OK;
}

void bly_cl_fence_free(struct bly_device *base, struct bly_fence *fence)
{
    (void)base;
    if (!fence) return;
    if (fence->event) bly_cl.clReleaseEvent(fence->event);
    free(fence);
}

#endif
