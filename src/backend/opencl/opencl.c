/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The OpenCL backend: devices, memory and launches. OpenCL 1.2 is all it needs.
 */
#include "opencl_internal.h"

#define ADDRESS_FORM "opencl[:PLATFORM[:DEVICE]]"

#ifdef BLY_HAVE_OPENCL

#include "devices.h"
#include <backend/cache.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Work-group sizes: on GPUs the usual choice for kernels without local memory; on CPU devices a group is
 * what a thread takes at a time, and an item is whole vectors already (1 costs 10 % in Philox on PoCL 3.1;
 * 4 to 64 are equal). */
#define LOCAL_GPU 128
#define LOCAL_CPU 4

/* Limits of one enqueue. NVIDIA's drivers take 65,535 groups in dimension 1; some drivers count all items
 * of a range in 32 bits. */
#define MAX_ITEMS (UINT64_C(1) << 30)
#define MAX_ROWS (UINT64_C(1) << 15)
#define MAX_RANGE (UINT64_C(1) << 31)

struct kernel {
    struct kernel *next;
    const struct bly_kernel *what;
    cl_kernel kernel;
    unsigned packs; /* that an item takes, one lane's share each */
    size_t local_size;
};

struct device {
    struct bly_device base;
    struct bly_cl_target target;
    cl_command_queue queue;
    int shuffles;      /* `standard` (bly_cl_kernel_create) of team kernels with shuffles; 0: without */
    size_t local_size; /* of kernels without a source */
    size_t largest_group;
    struct kernel *kernels; /* the one launched last comes first */
};

struct bly_memory {
    cl_mem object;
};

/* ---- Opening --------------------------------------------------------------------------------- */

/* The caller's device, or the only one of his context. */
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
            return bly_fail_argument("device", place->device ? "device: the context does not hold it"
                                                             : "device: NULL, but the context holds several");
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
        return bly_fail_argument("queue", "queue: it is out of order; an in-order queue is needed");
    return BAILEY_OK;
}

static void destroy(struct device *device)
{
    while (device->kernels) {
        struct kernel *next = device->kernels->next;
        bly_cl.clReleaseKernel(device->kernels->kernel);
        free(device->kernels);
        device->kernels = next;
    }
    if (device->queue) bly_cl.clReleaseCommandQueue(device->queue);
    if (device->target.context) bly_cl.clReleaseContext(device->target.context);
    bly_cache_close(device->target.cache);
    free(device->target.identity);
    free(device);
}

/* Makes or takes over context and queue. */
static bailey_status connect(struct device *device, cl_platform_id platform, const struct bly_native *native)
{
    cl_int error;
    struct bly_cl_target *target = &device->target;
    if (native && native->context) {
        error = bly_cl.clRetainContext(native->context);
        if (error) return bly_cl_fail(error, "clRetainContext");
        target->context = native->context;
    } else {
        const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
        target->context = bly_cl.clCreateContext(properties, 1, &target->device, NULL, NULL, &error);
        if (error) {
            target->context = NULL;
            return bly_cl_fail(error, "clCreateContext");
        }
    }
    if (native && native->queue) {
        const bailey_status status = check_queue(native->queue, target->context, target->device);
        if (status != BAILEY_OK) return status;
        error = bly_cl.clRetainCommandQueue(native->queue);
        if (error) return bly_cl_fail(error, "clRetainCommandQueue");
        device->queue = native->queue;
    } else {
        device->queue = bly_cl.clCreateCommandQueue(target->context, target->device, 0, &error);
        if (error) {
            device->queue = NULL;
            return bly_cl_fail(error, "clCreateCommandQueue");
        }
    }
    return BAILEY_OK;
}

static bailey_status open_device(size_t index, const struct bly_open_params *params,
                                 struct bly_device **result)
{
    struct bly_cl_place place;
    *result = NULL;
    if (params->native) {
        const bailey_status status = choose_native(params->native, &place);
        if (status != BAILEY_OK) return status;
    } else {
        char why[256] = "";
        struct bly_cl_place *places;
        const size_t count = bly_cl_enumerate(&places, why, sizeof why);
        if (index < count) place = places[index];
        free(places);
        if (index >= count)
            return bly_fail(BAILEY_ERROR_NO_DEVICE, "%s", count ? "no such OpenCL device" : why);
    }

    struct device *device = calloc(1, sizeof *device);
    if (!device) return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a context");
    device->target.cache = BLY_CACHE_NONE;
    device->base.backend = &bly_backend_opencl;
    bailey_status status = bly_cl_describe_place(&place, &device->base.info);
    if (status != BAILEY_OK) {
        bly_fail(status, "%s (%s): %s", device->base.info.address, device->base.info.name,
                 device->base.info.reason);
        destroy(device);
        return status;
    }
    struct bly_cl_target *target = &device->target;
    target->device = place.device;
    target->identity = bly_cl_identity(place.platform, place.device);
    target->correct_rounding = (bly_cl_device_ulong(place.device, CL_DEVICE_SINGLE_FP_CONFIG) &
                                CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    char *extensions = bly_cl_device_text(place.device, CL_DEVICE_EXTENSIONS);
    const int is_cpu = device->base.info.kind == BAILEY_DEVICE_KIND_CPU;
    target->verbose = extensions && strstr(extensions, "cl_nv_compiler_options");
    device->shuffles = is_cpu ? 0 : bly_cl_shuffle_standard(&place, extensions);
    free(extensions);
    target->specialises = is_cpu;
    const int pocl = bly_cl_pocl_version(place.platform);
    target->alone = pocl < 4;
    if (pocl == 5) device->base.miscompiles = "PoCL 5"; /* 5.0: wrong values, others after each compilation */
    device->base.native_functions = !is_cpu;
    const cl_ulong shared = bly_cl_device_ulong(place.device, CL_DEVICE_LOCAL_MEM_SIZE);
    device->base.shared_bytes = shared < UINT32_MAX ? (uint32_t)shared : UINT32_MAX;
    device->local_size = is_cpu ? LOCAL_CPU : LOCAL_GPU;
    if (bly_cl.clGetDeviceInfo(place.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof device->largest_group,
                               &device->largest_group, NULL) != CL_SUCCESS)
        device->largest_group = 0;
    if (device->largest_group && device->largest_group < device->local_size)
        device->local_size = device->largest_group;
    if (!target->identity)
        status = bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a context");
    else
        status = connect(device, place.platform, params->native);
    if (status != BAILEY_OK) {
        destroy(device);
        return status;
    }
    target->cache = bly_cache_open(params->cache_dir);
    *result = &device->base;
    return BAILEY_OK;
}

static void close_device(struct bly_device *base)
{
    struct device *device = (struct device *)base;
    bly_cl.clFinish(device->queue);
    destroy(device);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static bailey_status wrap(cl_mem object, struct bly_memory **memory)
{
    *memory = malloc(sizeof **memory);
    if (*memory) {
        (*memory)->object = object;
        return BAILEY_OK;
    }
    bly_cl.clReleaseMemObject(object);
    return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a buffer");
}

static bailey_status alloc_memory(struct bly_device *base, uint64_t bytes, struct bly_memory **memory)
{
    struct device *device = (struct device *)base;
    *memory = NULL;
    if (bytes > base->info.allocation_bytes || bytes > SIZE_MAX)
        return bly_fail(
            BAILEY_ERROR_MEMORY,
            "a buffer of %llu bytes: the device's largest is %llu bytes (CL_DEVICE_MAX_MEM_ALLOC_SIZE)",
            (unsigned long long)bytes, (unsigned long long)base->info.allocation_bytes);
    cl_int error;
    cl_mem object =
        bly_cl.clCreateBuffer(device->target.context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &error);
    if (error) {
        const bailey_status status = error == CL_OUT_OF_RESOURCES ? BAILEY_ERROR_MEMORY : BAILEY_OK;
        const bailey_status usual = bly_cl_fail(error, "");
        return bly_fail(status ? status : usual, "a buffer of %llu bytes: clCreateBuffer: %s (%d)",
                        (unsigned long long)bytes, bly_cl_error_name(error), (int)error);
    }
    return wrap(object, memory);
}

static bailey_status adopt_memory(struct bly_device *base, void *native, uint64_t bytes,
                                  struct bly_memory **memory)
{
    struct device *device = (struct device *)base;
    cl_mem object = native;
    cl_mem_object_type type = 0;
    size_t size = 0;
    cl_context context = NULL;
    cl_mem_flags flags = 0;
    *memory = NULL;
    cl_int error = bly_cl.clGetMemObjectInfo(object, CL_MEM_TYPE, sizeof type, &type, NULL);
    if (!error) error = bly_cl.clGetMemObjectInfo(object, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (!error) error = bly_cl.clGetMemObjectInfo(object, CL_MEM_CONTEXT, sizeof context, &context, NULL);
    if (!error) error = bly_cl.clGetMemObjectInfo(object, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    if (error) return bly_cl_fail(error, "clGetMemObjectInfo");
    if (type != CL_MEM_OBJECT_BUFFER) return bly_fail_argument("memory", "memory: an image, not a buffer");
    if (context != device->target.context)
        return bly_fail_argument("memory", "memory: it belongs to another OpenCL context");
    if (size < bytes)
        return bly_fail_argument("memory", "memory: it holds %llu bytes, not %llu", (unsigned long long)size,
                                 (unsigned long long)bytes);
    if (flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY))
        return bly_fail_argument(
            "memory",
            "memory: it was made with %s; kernels read and write it, so CL_MEM_READ_WRITE is needed",
            flags & CL_MEM_READ_ONLY ? "CL_MEM_READ_ONLY" : "CL_MEM_WRITE_ONLY");
    error = bly_cl.clRetainMemObject(object);
    if (error) return bly_cl_fail(error, "clRetainMemObject");
    return wrap(object, memory);
}

static void release_memory(struct bly_device *base, struct bly_memory *memory)
{
    (void)base;
    if (!memory) return;
    bly_cl.clReleaseMemObject(memory->object);
    free(memory);
}

static bailey_status write_memory(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                                  const void *source, uint64_t bytes)
{
    struct device *device = (struct device *)base;
    const cl_int error = bly_cl.clEnqueueWriteBuffer(device->queue, memory->object, CL_TRUE, (size_t)offset,
                                                     (size_t)bytes, source, 0, NULL, NULL);
    return error ? bly_cl_fail(error, "clEnqueueWriteBuffer") : BAILEY_OK;
}

static bailey_status read_memory(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                                 void *destination, uint64_t bytes)
{
    struct device *device = (struct device *)base;
    const cl_int error = bly_cl.clEnqueueReadBuffer(device->queue, memory->object, CL_TRUE, (size_t)offset,
                                                    (size_t)bytes, destination, 0, NULL, NULL);
    return error ? bly_cl_fail(error, "clEnqueueReadBuffer") : BAILEY_OK;
}

static bailey_status copy_memory(struct bly_device *base, struct bly_memory *source, uint64_t source_offset,
                                 struct bly_memory *destination, uint64_t destination_offset, uint64_t bytes)
{
    struct device *device = (struct device *)base;
    cl_int error =
        bly_cl.clEnqueueCopyBuffer(device->queue, source->object, destination->object, (size_t)source_offset,
                                   (size_t)destination_offset, (size_t)bytes, 0, NULL, NULL);
    if (error) return bly_cl_fail(error, "clEnqueueCopyBuffer");
    error = bly_cl.clFlush(device->queue);
    return error ? bly_cl_fail(error, "clFlush") : BAILEY_OK;
}

static bailey_status fill_memory(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                                 uint8_t value, uint64_t bytes)
{
    struct device *device = (struct device *)base;
    /* Drivers are quicker with wide patterns, but the range must consist of whole ones. */
    uint8_t pattern[16];
    memset(pattern, value, sizeof pattern);
    const size_t width = offset % sizeof pattern == 0 && bytes % sizeof pattern == 0 ? sizeof pattern : 1;
    cl_int error = bly_cl.clEnqueueFillBuffer(device->queue, memory->object, pattern, width, (size_t)offset,
                                              (size_t)bytes, 0, NULL, NULL);
    if (error) return bly_cl_fail(error, "clEnqueueFillBuffer");
    error = bly_cl.clFlush(device->queue);
    return error ? bly_cl_fail(error, "clFlush") : BAILEY_OK;
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* Whether the device has room for the work-groups of a kernel that has a source. */
static bailey_status check_group(const struct device *device, const struct bly_kernel *what)
{
    if (device->largest_group && what->block > device->largest_group)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "kernel %s: work-groups of %u items, %s takes %llu",
                        what->name, (unsigned)what->block, device->base.info.address,
                        (unsigned long long)device->largest_group);
    if (bly_shared_bytes(what) > device->base.shared_bytes)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "kernel %s: %u bytes of local memory, %s has %u",
                        what->name, (unsigned)bly_shared_bytes(what), device->base.info.address,
                        (unsigned)device->base.shared_bytes);
    return BAILEY_OK;
}

/* Whether the compiled kernel can run in the work-groups that it was written for. */
static bailey_status check_kernel(const struct device *device, const struct bly_kernel *what,
                                  cl_kernel kernel)
{
    size_t most = 0;
    if (bly_cl.clGetKernelWorkGroupInfo(kernel, device->target.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                        &most, NULL) != CL_SUCCESS ||
        most >= what->block)
        return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                    "kernel %s: work-groups of %u items, compiled for %s it takes %llu", what->name,
                    (unsigned)what->block, device->base.info.address, (unsigned long long)most);
}

/* How many items the sub-groups of this kernel's work-groups have, but for the last one of a work-group,
 * which may have fewer; 0 if the driver does not say. */
static size_t subgroup_size(const struct device *device, const struct kernel *kernel)
{
    const size_t local[2] = {kernel->local_size, 1};
    size_t size = 0;
    return bly_cl.clGetKernelSubGroupInfo(kernel->kernel, device->target.device,
                                          CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, local,
                                          sizeof size, &size, NULL) == CL_SUCCESS
               ? size
               : 0;
}

/* Makes kernel->kernel. Team kernels shuffle where they can: after one that cannot, none is tried again. */
static bailey_status create_kernel(struct device *device, const struct bly_kernel *what, size_t params_size,
                                   unsigned lanes, struct kernel *kernel)
{
    if (device->shuffles && what->team && lanes == 1) {
        if (bly_cl_kernel_create(&device->target, what, params_size, lanes, kernel->local_size,
                                 device->shuffles, &kernel->kernel) == BAILEY_OK) {
            const size_t size = subgroup_size(device, kernel);
            if ((size == 32 || size == 64) && kernel->local_size % size == 0) return BAILEY_OK;
            bly_cl.clReleaseKernel(kernel->kernel);
            bly_log(1, "opencl: %s has sub-groups of %zu items, not 32 or 64; local memory is used instead",
                    what->name, size);
        } else {
            bly_log(1, "opencl: %s fails with sub-groups; local memory is used instead", what->name);
            bly_log(2, "opencl: %s", bailey_error_text());
        }
        device->shuffles = 0;
    }
    return bly_cl_kernel_create(&device->target, what, params_size, lanes, kernel->local_size, 12,
                                &kernel->kernel);
}

static bailey_status find_kernel(struct device *device, const struct bly_kernel *what, size_t params_size,
                                 struct kernel **found)
{
    for (struct kernel **link = &device->kernels; *link; link = &(*link)->next) {
        struct kernel *kernel = *link;
        if (kernel->what != what) continue;
        *link = kernel->next;
        kernel->next = device->kernels;
        device->kernels = *found = kernel;
        return BAILEY_OK;
    }
    bailey_status status = what->source ? check_group(device, what) : BAILEY_OK;
    if (status != BAILEY_OK) return status;
    if (device->base.native_functions && what->team && device->local_size % what->team)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s takes groups of at most %zu items, %s needs %u",
                        device->base.info.address, device->local_size, what->name, (unsigned)what->team);
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel) return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a kernel");
    const unsigned lanes = device->base.native_functions || what->source ? 1 : 64 / what->lane_bytes;
    kernel->what = what;
    kernel->packs = what->team ? 1 : lanes > 1 && what->packs ? lanes * what->packs : lanes;
    kernel->local_size = what->source ? what->block : device->local_size;
    status = create_kernel(device, what, params_size, lanes, kernel);
    if (status == BAILEY_OK && what->source) {
        status = check_kernel(device, what, kernel->kernel);
        if (status != BAILEY_OK) bly_cl.clReleaseKernel(kernel->kernel);
    }
    if (status != BAILEY_OK) {
        free(kernel);
        return status;
    }
    kernel->next = device->kernels;
    device->kernels = *found = kernel;
    return BAILEY_OK;
}

static bailey_status compile(struct bly_device *base, const struct bly_kernel *what, size_t params_size,
                             bailey_kernel_info *info)
{
    struct device *device = (struct device *)base;
    struct kernel *kernel = NULL;
    if (!what) return BAILEY_OK; /* a device without a compiler has not been opened */
    const bailey_status status = find_kernel(device, what, params_size, &kernel);
    if (status == BAILEY_OK && info)
        bly_cl_kernel_describe(&device->target, what, kernel->kernel, kernel->local_size, info);
    return status;
}

static void forget(struct bly_device *base, const struct bly_kernel *what)
{
    struct device *device = (struct device *)base;
    for (struct kernel **link = &device->kernels; *link; link = &(*link)->next) {
        struct kernel *kernel = *link;
        if (kernel->what != what) continue;
        bly_cl.clFinish(device->queue);
        *link = kernel->next;
        bly_cl.clReleaseKernel(kernel->kernel);
        free(kernel);
        return;
    }
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static bailey_status launch(struct bly_device *base, const struct bly_kernel *what, uint64_t groups,
                            uint64_t rows, const void *params, size_t params_size,
                            struct bly_memory *const *buffers)
{
    struct device *device = (struct device *)base;
    struct kernel *kernel = NULL;
    const bailey_status status = find_kernel(device, what, params_size, &kernel);
    if (status != BAILEY_OK) return status;

    const cl_uint range = 1 + what->buffers; /* index of the argument first_item */
    const cl_ulong items = device->base.native_functions && !what->source
                               ? bly_scalar_items(what, groups)
                               : groups / kernel->packs + (groups % kernel->packs != 0);
    const uint64_t most_items = MAX_ITEMS / kernel->local_size * kernel->local_size;
    cl_int error = bly_cl.clSetKernelArg(kernel->kernel, 0, params_size, params);
    for (cl_uint i = 0; i < what->buffers && !error; i++)
        error = bly_cl.clSetKernelArg(kernel->kernel, 1 + i, sizeof(cl_mem),
                                      buffers[i] ? &buffers[i]->object : NULL);
    if (error) return bly_cl_fail(error, what->name);

    cl_ulong rows_now;
    for (cl_ulong item = 0; item < items; item += most_items) {
        const uint64_t items_now = least(items - item, most_items);
        const size_t local[2] = {kernel->local_size, 1};
        const size_t padded = (size_t)((items_now + local[0] - 1) / local[0] * local[0]);
        const cl_ulong end = item + items_now;
        error = bly_cl.clSetKernelArg(kernel->kernel, range, sizeof item, &item);
        if (!error) error = bly_cl.clSetKernelArg(kernel->kernel, range + 1, sizeof end, &end);
        for (cl_ulong row = 0; row < rows && !error; row += rows_now) {
            rows_now = least(least(rows - row, MAX_ROWS), MAX_RANGE / padded);
            const size_t global[2] = {padded, (size_t)rows_now};
            error = bly_cl.clSetKernelArg(kernel->kernel, range + 2, sizeof row, &row);
            if (!error)
                error = bly_cl.clEnqueueNDRangeKernel(device->queue, kernel->kernel, 2, NULL, global, local,
                                                      0, NULL, NULL);
        }
        if (error) return bly_cl_fail(error, what->name);
    }
    error = bly_cl.clFlush(device->queue);
    if (error) return bly_cl_fail(error, "clFlush");
    return BAILEY_OK;
}

static bailey_status sync_device(struct bly_device *base)
{
    const cl_int error = bly_cl.clFinish(((struct device *)base)->queue);
    return error ? bly_cl_fail(error, "clFinish") : BAILEY_OK;
}

/* ---- Handles --------------------------------------------------------------------------------- */

void bly_opencl_handles(struct bly_device *base, cl_context *context, cl_device_id *id,
                        cl_command_queue *queue)
{
    struct device *device = (struct device *)base;
    if (context) *context = device->target.context;
    if (id) *id = device->target.device;
    if (queue) *queue = device->queue;
}

cl_mem bly_opencl_memory(const struct bly_memory *memory) { return memory->object; }

const struct bly_backend bly_backend_opencl = {
    .name = "opencl",
    .address_form = ADDRESS_FORM,
    .auto_kind = BAILEY_DEVICE_KIND_GPU,
    .adopts_objects = 1,
    .probe = bly_cl_probe,
    .describe = bly_cl_describe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc_memory,
    .adopt = adopt_memory,
    .release = release_memory,
    .write = write_memory,
    .read = read_memory,
    .copy = copy_memory,
    .fill = fill_memory,
    .launch = launch,
    .sync = sync_device,
    .compile = compile,
    .forget = forget,
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
