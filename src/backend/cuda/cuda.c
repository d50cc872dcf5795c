/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The CUDA backend, over the driver API: opening and closing.
 *
 * An open device is a stream in the device's primary context, or the caller's stream and context. Every
 * operation makes the context current and puts back what was, so that a program which uses CUDA itself
 * never sees a difference.
 */
#define ADDRESS_FORM "cuda[:N]"

#ifdef BLY_HAVE_CUDA

#include "cuda_images.h"
#include "cuda_internal.h"
#include "cuda_native.h"

#include <backend/cache.h>
#include <base/alloc.h>

/* The number under which the driver lists a device. */
static size_t index_of(CUdevice ordinal)
{
    int count = 0;
    CUdevice other;
    if (bly_cuda.cuDeviceGetCount(&count)) return 0;
    for (int i = 0; i < count; i++)
        if (!bly_cuda.cuDeviceGet(&other, i) && other == ordinal) return (size_t)i;
    return 0;
}

/* Finds context and device: the caller's, or the primary context of device `index`. */
static bailey_status take_context(struct bly_cuda_device *device, size_t index,
                                  const struct bly_native *native)
{
    CUresult error;
    if (native && native->context) {
        device->context = native->context;
        const bailey_status status = bly_cuda_enter(device);
        if (status != BAILEY_OK) return status;
        error = bly_cuda.cuCtxGetDevice(&device->ordinal);
        bly_cuda_leave();
        if (error) return bly_cuda_fail(error, "cuCtxGetDevice");
        index = index_of(device->ordinal);
    } else {
        error = bly_cuda.cuDeviceGet(&device->ordinal, (int)index);
        if (error) return bly_cuda_fail(error, "cuDeviceGet");
    }
    bly_cuda_describe_ordinal(device->ordinal, index, &device->base.info);
    if (!device->base.info.usable)
        return bly_fail(BAILEY_ERROR_NO_DEVICE, "%s: %s", device->base.info.address,
                        device->base.info.reason);
    device->tuning = bly_cuda_tuning_of(bly_cuda_capability(device->ordinal));
    device->base.tuning = &device->tuning->host;
    const int shared =
        bly_cuda_attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    device->base.shared_bytes = shared > 0 ? (uint32_t)shared : 0;
    if (device->context) return BAILEY_OK;
    error = bly_cuda.cuDevicePrimaryCtxRetain(&device->context, device->ordinal);
    if (error) return bly_cuda_fail(error, "cuDevicePrimaryCtxRetain");
    device->retained = 1;
    return BAILEY_OK;
}

/* Takes the caller's stream, if it is one of the context, or makes one. */
static bailey_status take_stream(struct bly_cuda_device *device, const struct bly_native *native)
{
    CUcontext context = NULL;
    CUstream stream = NULL;
    bailey_status status;
    if (!native || !native->queue) {
        status = bly_cuda_begin(device, 0, &stream);
        return status == BAILEY_OK ? bly_cuda_end(CUDA_SUCCESS, NULL) : status;
    }
    status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    status = bly_cuda_end(bly_cuda.cuStreamGetCtx(native->queue, &context), "cuStreamGetCtx");
    if (status != BAILEY_OK) return status;
    if (context != device->context)
        return bly_fail_argument("stream", "stream: it belongs to another CUDA context");
    device->streams[0] = native->queue;
    return BAILEY_OK;
}

/* Destroys the objects made in the context, which is current. */
static void empty_context(struct bly_cuda_device *device)
{
    bly_cuda_drain(device);
    bly_cuda_drop_fences(device);
    for (size_t i = 0; device->modules && bly_cuda_images[i].name; i++)
        if (device->modules[i]) bly_cuda.cuModuleUnload(device->modules[i]);
    for (uint32_t queue = 0; queue < BLY_CUDA_QUEUES; queue++)
        if (device->made_streams[queue]) bly_cuda.cuStreamDestroy_v2(device->streams[queue]);
}

void bly_cuda_close(struct bly_device *base)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    if (device->context && !bly_cuda.cuCtxPushCurrent_v2(device->context)) {
        empty_context(device);
        bly_cuda_leave();
    }
    if (device->retained) bly_cuda.cuDevicePrimaryCtxRelease_v2(device->ordinal);
    bly_cache_close(device->cache);
    bly_free(device->modules);
    bly_free(device);
}

bailey_status bly_cuda_open(size_t index, const struct bly_open_params *params, struct bly_device **result)
{
    const struct bly_native *native = params ? params->native : NULL;
    char why[256] = "";
    *result = NULL;
    if (bly_cuda_load_driver(why, sizeof why) != BAILEY_OK)
        return bly_fail(BAILEY_ERROR_NO_DEVICE, "cuda: %s", why);
    size_t images = 0;
    while (bly_cuda_images[images].name) images++;
    struct bly_cuda_device *device = bly_alloc(1, sizeof *device);
    if (!device) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a device");
    device->base.backend = &bly_backend_cuda;
    device->base.native_functions = 1;
    device->base.rounds_roots = 1;
    device->base.has_half = 1;
    device->base.warp = 32;
    device->base.params_bytes = BLY_MAX_PARAMS;
    device->base.given_bytes = BLY_MAX_PARAMS;
    device->base.sees_pinned = 1; /* as addresses are unified */
    device->base.queues = BLY_CUDA_QUEUES;
    device->base.tuned = bly_tuned_wanted();
    device->cache = BLY_CACHE_NONE;
    device->modules = bly_alloc(images + 1, sizeof *device->modules);
    bailey_status status = device->modules ? take_context(device, index, native)
                                           : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a device");
    if (status == BAILEY_OK) status = take_stream(device, native);
    if (status != BAILEY_OK) {
        bly_cuda_close(&device->base);
        return status;
    }
    if (!device->base.tuned) bly_log(1, "%s: no tuned kernels (BAILEY_TUNED=0)", device->base.info.address);
    device->cache = bly_cache_open(params ? params->cache_dir : NULL);
    *result = &device->base;
    return BAILEY_OK;
}

void bly_cuda_handles(const struct bly_device *base, void **context, void **stream)
{
    const struct bly_cuda_device *device = (const struct bly_cuda_device *)base;
    *context = device->context;
    *stream = device->streams[0];
}

uint64_t bly_cuda_pointer(const struct bly_memory *memory) { return memory->pointer; }

const struct bly_backend bly_backend_cuda = {.name = "cuda",
                                             .address_form = ADDRESS_FORM,
#define ROW(name) .name = bly_cuda_##name,
                                             BLY_OPERATIONS(ROW)
#undef ROW
};

#else /* built without nvcc and cuda.h: there is never a device, so nothing else is called */

#include "cuda_native.h"

#include <stdio.h>

static size_t probe(char *why, size_t why_size)
{
    snprintf(why, why_size, "this library was built without CUDA");
    return 0;
}

static bailey_status open_device(size_t index, const struct bly_open_params *params,
                                 struct bly_device **result)
{
    (void)index, (void)params;
    *result = NULL;
    return bly_fail(BAILEY_ERROR_NO_DEVICE, "cuda: this library was built without CUDA");
}

void bly_cuda_handles(const struct bly_device *device, void **context, void **stream)
{
    (void)device;
    *context = *stream = NULL;
}

uint64_t bly_cuda_pointer(const struct bly_memory *memory)
{
    (void)memory;
    return 0;
}

const struct bly_backend bly_backend_cuda = {
    .name = "cuda", .address_form = ADDRESS_FORM, .probe = probe, .open = open_device};

#endif
