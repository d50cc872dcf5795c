/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Queues and fences of the CUDA backend: streams and events.
 *
 * A fence that is freed keeps its event for the next one. An event may be recorded again while an earlier
 * recording is still awaited: a queue that waits does so for what it held when the wait was queued.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_internal.h"

#include <base/alloc.h>

#define CACHED_FENCES 16u

struct bly_fence {
    CUevent event;
    struct bly_fence *next; /* among the cached ones */
};

/* ---- Streams --------------------------------------------------------------------------------- */

bailey_status bly_cuda_begin(struct bly_cuda_device *device, uint32_t queue, CUstream *stream)
{
    const bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    if (!device->streams[queue]) {
        const CUresult error = bly_cuda.cuStreamCreate(&device->streams[queue], CU_STREAM_NON_BLOCKING);
        if (error) return bly_cuda_end(error, "cuStreamCreate");
        device->made_streams[queue] = 1;
    }
    *stream = device->streams[queue];
    return BAILEY_OK;
}

bailey_status bly_cuda_end(CUresult error, const char *call)
{
    const bailey_status status = error ? bly_cuda_fail(error, call) : BAILEY_OK;
    bly_cuda_leave();
    return status;
}

CUresult bly_cuda_drain(const struct bly_cuda_device *device)
{
    CUresult result = CUDA_SUCCESS;
    for (uint32_t queue = 0; queue < BLY_CUDA_QUEUES; queue++) {
        if (!device->streams[queue]) continue;
        const CUresult error = bly_cuda.cuStreamSynchronize(device->streams[queue]);
        if (!result) result = error;
    }
    return result;
}

bailey_status bly_cuda_wait(struct bly_device *base)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    const bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    return bly_cuda_end(bly_cuda_drain(device), "cuStreamSynchronize");
}

/* ---- Fences ---------------------------------------------------------------------------------- */

/* Takes a cached fence or makes one. The context is current. */
static bailey_status take_fence(struct bly_cuda_device *device, struct bly_fence **result)
{
    struct bly_fence *fence = device->fences;
    if (fence) {
        device->fences = fence->next;
        device->fence_count--;
    } else {
        fence = bly_alloc(1, sizeof *fence);
        if (!fence) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a fence");
        const CUresult error = bly_cuda.cuEventCreate(&fence->event, CU_EVENT_DISABLE_TIMING);
        if (error) {
            bly_free(fence);
            return bly_cuda_fail(error, "cuEventCreate");
        }
    }
    *result = fence;
    return BAILEY_OK;
}

/* Keeps a fence, or destroys it where there are enough. */
static void release_fence(struct bly_cuda_device *device, struct bly_fence *fence)
{
    if (device->fence_count < CACHED_FENCES) {
        fence->next = device->fences;
        device->fences = fence;
        device->fence_count++;
        return;
    }
    if (!bly_cuda.cuCtxPushCurrent_v2(device->context)) {
        bly_cuda.cuEventDestroy_v2(fence->event);
        bly_cuda_leave();
    }
    bly_free(fence);
}

void bly_cuda_drop_fences(struct bly_cuda_device *device)
{
    while (device->fences) {
        struct bly_fence *next = device->fences->next;
        bly_cuda.cuEventDestroy_v2(device->fences->event);
        bly_free(device->fences);
        device->fences = next;
    }
    device->fence_count = 0;
}

bailey_status bly_cuda_fence(struct bly_device *base, uint32_t queue, struct bly_fence **result)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    struct bly_fence *fence = NULL;
    CUstream stream = NULL;
    bailey_status status = bly_cuda_begin(device, queue, &stream);
    if (status != BAILEY_OK) return status;
    status = take_fence(device, &fence);
    if (status != BAILEY_OK) {
        bly_cuda_leave();
        return status;
    }
    const CUresult error = bly_cuda.cuEventRecord(fence->event, stream);
    if (error)
        release_fence(device, fence);
    else
        *result = fence;
    return bly_cuda_end(error, "cuEventRecord");
}

bailey_status bly_cuda_fence_done(struct bly_device *base, struct bly_fence *fence, int wait, int *done)
{
    const bailey_status status = bly_cuda_enter((struct bly_cuda_device *)base);
    if (status != BAILEY_OK) return status;
    const CUresult error =
        wait ? bly_cuda.cuEventSynchronize(fence->event) : bly_cuda.cuEventQuery(fence->event);
    const int pending = !wait && error == CUDA_ERROR_NOT_READY;
    if (done) *done = !error;
    return bly_cuda_end(pending ? CUDA_SUCCESS : error, wait ? "cuEventSynchronize" : "cuEventQuery");
}

bailey_status bly_cuda_follow(struct bly_device *base, uint32_t queue, struct bly_fence *fence)
{
    CUstream stream = NULL;
    const bailey_status status = bly_cuda_begin((struct bly_cuda_device *)base, queue, &stream);
    if (status != BAILEY_OK) return status;
    return bly_cuda_end(bly_cuda.cuStreamWaitEvent(stream, fence->event, 0), "cuStreamWaitEvent");
}

void bly_cuda_fence_free(struct bly_device *base, struct bly_fence *fence)
{
    if (fence) release_fence((struct bly_cuda_device *)base, fence);
}

#endif
