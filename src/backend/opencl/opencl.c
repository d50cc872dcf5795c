/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The OpenCL backend: opening devices, and the table of its operations. OpenCL 1.2 is all it needs.
 */
#include "opencl_internal.h"

/* For a kernel's arguments all devices take 1024 bytes. */
#define PARAMS_BYTES 936u

#define ADDRESS_FORM "opencl[:PLATFORM[:DEVICE]]"

#ifdef BLY_HAVE_OPENCL

#include <backend/cache.h>

#include <stdlib.h>

/* ---- Opening --------------------------------------------------------------------------------- */

/* The caller's device, or the only one of the caller's context. */
static bailey_status choose_native(const struct bly_native *native, struct bly_cl_place *place)
{
    char why[256] = "";
    struct bly_cl_place *places;
    const size_t count = bly_cl_enumerate(&places, why, sizeof why);
    *place = (struct bly_cl_place){.device = native->device, .p = BLY_CL_NOWHERE, .d = BLY_CL_NOWHERE};
    if (!count) return bly_fail(BAILEY_ERROR_NO_DEVICE, "%s", why);
    if (native->context) {
        cl_device_id held[1024];
        size_t size = 0;
        const cl_int error =
            bly_cl.clGetContextInfo(native->context, CL_CONTEXT_DEVICES, sizeof held, held, &size);
        if (error) {
            free(places);
            return bly_cl_fail(error, "clGetContextInfo(CL_CONTEXT_DEVICES)");
        }
        int found = 0;
        for (size_t i = 0; i < size / sizeof *held; i++) found |= held[i] == place->device;
        if (!place->device && size == sizeof *held) {
            place->device = held[0];
            found = 1;
        }
        if (!found) {
            free(places);
            return bly_fail_argument("device", place->device ? "device: not in the context"
                                                             : "device: NULL, but the context has several");
        }
    }
    cl_int error = bly_cl.clGetDeviceInfo(place->device, CL_DEVICE_PLATFORM, sizeof place->platform,
                                          &place->platform, NULL);
    size_t i = 0;
    while (i < count && places[i].device != place->device) i++;
    if (i < count) *place = places[i];
    free(places);
    return error ? bly_cl_fail(error, "clGetDeviceInfo(CL_DEVICE_PLATFORM)") : BAILEY_OK;
}

static bailey_status check_queue(cl_command_queue queue, cl_context context, cl_device_id id)
{
    cl_context its_context = NULL;
    cl_device_id its_device = NULL;
    cl_command_queue_properties properties = 0;
    cl_int error =
        bly_cl.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof its_context, &its_context, NULL);
    if (!error)
        error = bly_cl.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof its_device, &its_device, NULL);
    if (!error)
        error =
            bly_cl.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    if (error) return bly_cl_fail(error, "clGetCommandQueueInfo");
    if (its_context != context) return bly_fail_argument("queue", "queue: it belongs to another context");
    if (its_device != id) return bly_fail_argument("queue", "queue: it belongs to another device");
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        return bly_fail_argument("queue", "queue: it is out of order; an in-order queue is required");
    return BAILEY_OK;
}

static void destroy(struct bly_cl_device *device)
{
    for (int i = 0; i < BLY_CL_QUEUES; i++)
        if (device->queues[i]) bly_cl.clReleaseCommandQueue(device->queues[i]);
    if (device->target.context) bly_cl.clReleaseContext(device->target.context);
    bly_cache_close(device->target.cache);
    free(device->target.identity);
    free(device);
}

/* Makes or takes over the context. */
static bailey_status connect(struct bly_cl_target *target, cl_platform_id platform,
                             const struct bly_native *native)
{
    cl_int error;
    if (native && native->context) {
        error = bly_cl.clRetainContext(native->context);
        if (error) return bly_cl_fail(error, "clRetainContext");
        target->context = native->context;
        return BAILEY_OK;
    }
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_context context = bly_cl.clCreateContext(properties, 1, &target->device, NULL, NULL, &error);
    if (error) return bly_cl_fail(error, "clCreateContext");
    target->context = context;
    return BAILEY_OK;
}

/* Makes or takes over queue 0. */
static bailey_status connect_queue(struct bly_cl_device *device, const struct bly_native *native)
{
    cl_command_queue queue;
    if (!native || !native->queue) return bly_cl_queue(device, 0, &queue);
    const bailey_status status = check_queue(native->queue, device->target.context, device->target.device);
    if (status != BAILEY_OK) return status;
    const cl_int error = bly_cl.clRetainCommandQueue(native->queue);
    if (error) return bly_cl_fail(error, "clRetainCommandQueue");
    device->queues[0] = native->queue;
    return BAILEY_OK;
}

/* The device that is asked for. */
static bailey_status choose(size_t index, const struct bly_open_params *params, struct bly_cl_place *place)
{
    if (params->native) return choose_native(params->native, place);
    char why[256] = "";
    struct bly_cl_place *places;
    const size_t count = bly_cl_enumerate(&places, why, sizeof why);
    if (index < count) *place = places[index];
    free(places);
    if (index < count) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_NO_DEVICE, "%s", count ? "no such OpenCL device" : why);
}

/* Tuning, traits and limits. */
static void equip(struct bly_cl_device *device, const struct bly_cl_place *place)
{
    struct bly_device *base = &device->base;
    const int is_cpu = base->info.kind == BAILEY_DEVICE_KIND_CPU;
    const struct bly_cl_tuning tuning = bly_cl_tuning(base->info.kind, base->info.units);
    const cl_ulong shared = bly_cl_device_ulong(place->device, CL_DEVICE_LOCAL_MEM_SIZE);
    size_t largest = 0;
    device->tuning = tuning.host;
    device->local_size = tuning.local_size;
    device->target.traits = bly_cl_traits(place, is_cpu);
    device->shuffles = device->target.traits.shuffles;
    device->scalar = !is_cpu;
    if (bly_cl.clGetDeviceInfo(place->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof largest, &largest,
                               NULL) != CL_SUCCESS)
        largest = 0; /* the driver does not say */
    if (largest && largest < device->local_size) device->local_size = largest;
    base->group_items = largest < UINT32_MAX ? (uint32_t)largest : UINT32_MAX;
    base->tuning = &device->tuning;
    base->queues = tuning.queues;
    base->tuned = bly_tuned_wanted();
    base->native_functions = !is_cpu;
    base->shared_bytes = shared < UINT32_MAX ? (uint32_t)shared : UINT32_MAX;
    base->params_bytes = PARAMS_BYTES;
    base->rounds_roots = (uint32_t)device->target.traits.correct_rounding;
    base->warp =
        device->target.traits.verbose ? 32 : 0; /* NVIDIA's: items of a group are in warps in their order */
    base->miscompiles = device->target.traits.miscompiles;
}

static bailey_status describe(struct bly_cl_device *device, const struct bly_cl_place *place)
{
    bailey_device *info = &device->base.info;
    const bailey_status status = bly_cl_describe_place(place, info);
    if (status != BAILEY_OK) return bly_fail(status, "%s (%s): %s", info->address, info->name, info->reason);
    device->target.device = place->device;
    device->target.identity = bly_cl_identity(place->platform, place->device);
    if (!device->target.identity) return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a context");
    equip(device, place);
    return BAILEY_OK;
}

bailey_status bly_cl_open(size_t index, const struct bly_open_params *params, struct bly_device **result)
{
    struct bly_cl_place place;
    *result = NULL;
    bailey_status status = choose(index, params, &place);
    if (status != BAILEY_OK) return status;
    struct bly_cl_device *device = calloc(1, sizeof *device);
    if (!device) return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a context");
    device->base.backend = &bly_backend_opencl;
    device->target.cache = BLY_CACHE_NONE;
    status = describe(device, &place);
    if (status == BAILEY_OK) status = connect(&device->target, place.platform, params->native);
    if (status == BAILEY_OK) status = connect_queue(device, params->native);
    if (status != BAILEY_OK) {
        destroy(device);
        return status;
    }
    device->target.cache = bly_cache_open(params->cache_dir);
    *result = &device->base;
    return BAILEY_OK;
}

void bly_cl_close(struct bly_device *base)
{
    struct bly_cl_device *device = (struct bly_cl_device *)base;
    bly_cl_finish(device);
    destroy(device);
}

/* A device without a compiler has not been opened. */
bailey_status bly_cl_compiler(struct bly_device *base)
{
    (void)base;
    return BAILEY_OK;
}

/* ---- Handles --------------------------------------------------------------------------------- */

void bly_opencl_handles(struct bly_device *base, cl_context *context, cl_device_id *id,
                        cl_command_queue *queue)
{
    struct bly_cl_device *device = (struct bly_cl_device *)base;
    if (context) *context = device->target.context;
    if (id) *id = device->target.device;
    if (queue) *queue = device->queues[0];
}

cl_mem bly_opencl_memory(const struct bly_memory *memory) { return memory->object; }

const struct bly_backend bly_backend_opencl = {.name = "opencl",
                                               .address_form = ADDRESS_FORM,
                                               .auto_kind = BAILEY_DEVICE_KIND_GPU,
                                               .adopts_objects = 1,
#define ROW(name) .name = bly_cl_##name,
                                               BLY_OPERATIONS(ROW)
#undef ROW
};

#else /* built without CL/cl.h: there is never a device, so nothing else is called */

#include <stdio.h>

static size_t probe(char *why, size_t why_size)
{
    snprintf(why, why_size, "this library was built without OpenCL");
    return 0;
}

static bailey_status open_device(size_t index, const struct bly_open_params *params,
                                 struct bly_device **result)
{
    (void)index, (void)params;
    *result = NULL;
    return bly_fail(BAILEY_ERROR_NO_DEVICE, "opencl: this library was built without OpenCL");
}

void bly_opencl_handles(struct bly_device *device, cl_context *context, cl_device_id *id,
                        cl_command_queue *queue)
{
    (void)device, (void)context, (void)id, (void)queue;
}

cl_mem bly_opencl_memory(const struct bly_memory *memory)
{
    (void)memory;
    return NULL;
}

const struct bly_backend bly_backend_opencl = {
    .name = "opencl", .address_form = ADDRESS_FORM, .probe = probe, .open = open_device};

#endif
