/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Memory: of the device; pinned, which is memory of the driver's that stays mapped; and the caller's.
 */
#include "opencl_internal.h"

#ifdef BLY_HAVE_OPENCL

#include <stdlib.h>
#include <string.h>

static bailey_status wrap(cl_mem object, void *address, struct bly_memory **memory)
{
    *memory = malloc(sizeof **memory);
    if (!*memory) return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a buffer");
    **memory = (struct bly_memory){object, address};
    return BAILEY_OK;
}

/* CL_OUT_OF_RESOURCES is what some drivers say when they are short of memory. */
static bailey_status fail_memory(cl_int error, uint64_t bytes, const char *function)
{
    const bailey_status status = error == CL_OUT_OF_RESOURCES ? BAILEY_ERROR_MEMORY : BAILEY_OK;
    const bailey_status usual = bly_cl_fail(error, "");
    return bly_fail(status ? status : usual, "a buffer of %llu bytes: %s: %s (%d)", (unsigned long long)bytes,
                    function, bly_cl_error_name(error), (int)error);
}

/* Maps the object for as long as it lives. */
static bailey_status map(struct bly_cl_device *device, cl_mem object, uint64_t bytes, void **address)
{
    cl_int error;
    *address = bly_cl.clEnqueueMapBuffer(device->queues[0], object, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                         (size_t)bytes, 0, NULL, NULL, &error);
    return error ? fail_memory(error, bytes, "clEnqueueMapBuffer") : BAILEY_OK;
}

static void unmap(const struct bly_cl_device *device, cl_mem object, void *address)
{
    bly_cl.clEnqueueUnmapMemObject(device->queues[0], object, address, 0, NULL, NULL);
    bly_cl.clFinish(device->queues[0]);
}

static bailey_status check_size(const struct bly_device *base, enum bly_memory_kind kind, uint64_t bytes)
{
    if (kind == BLY_MEMORY_MAPPED)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "%s: OpenCL 1.2 has no memory that the host sees while kernels run",
                        base->info.address);
    if (bytes > base->info.allocation_bytes || bytes > SIZE_MAX)
        return bly_fail(
            BAILEY_ERROR_MEMORY,
            "a buffer of %llu bytes: the device's maximum is %llu bytes (CL_DEVICE_MAX_MEM_ALLOC_SIZE)",
            (unsigned long long)bytes, (unsigned long long)base->info.allocation_bytes);
    return BAILEY_OK;
}

bailey_status bly_cl_alloc(struct bly_device *base, enum bly_memory_kind kind, uint64_t bytes,
                           struct bly_memory **memory)
{
    struct bly_cl_device *device = (struct bly_cl_device *)base;
    const cl_mem_flags host = kind == BLY_MEMORY_PINNED ? CL_MEM_ALLOC_HOST_PTR : 0;
    void *address = NULL;
    *memory = NULL;
    bailey_status status = check_size(base, kind, bytes);
    if (status != BAILEY_OK) return status;
    cl_int error;
    cl_mem object =
        bly_cl.clCreateBuffer(device->target.context, CL_MEM_READ_WRITE | host, (size_t)bytes, NULL, &error);
    if (error) return fail_memory(error, bytes, "clCreateBuffer");
    if (kind == BLY_MEMORY_PINNED) status = map(device, object, bytes, &address);
    if (status == BAILEY_OK) {
        status = wrap(object, address, memory);
        if (status != BAILEY_OK && address) unmap(device, object, address);
    }
    if (status != BAILEY_OK) bly_cl.clReleaseMemObject(object);
    return status;
}

void *bly_cl_address(struct bly_memory *memory) { return memory->address; }

bailey_status bly_cl_adopt(struct bly_device *base, void *native, uint64_t bytes, struct bly_memory **memory)
{
    struct bly_cl_device *device = (struct bly_cl_device *)base;
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
            "memory: it was created with %s; kernels read and write it, so CL_MEM_READ_WRITE is required",
            flags & CL_MEM_READ_ONLY ? "CL_MEM_READ_ONLY" : "CL_MEM_WRITE_ONLY");
    error = bly_cl.clRetainMemObject(object);
    if (error) return bly_cl_fail(error, "clRetainMemObject");
    const bailey_status status = wrap(object, NULL, memory);
    if (status != BAILEY_OK) bly_cl.clReleaseMemObject(object);
    return status;
}

/* The driver keeps objects that queued commands use, but knows nothing of addresses that they use. */
void bly_cl_release(struct bly_device *base, struct bly_memory *memory)
{
    struct bly_cl_device *device = (struct bly_cl_device *)base;
    if (!memory) return;
    if (memory->address) {
        bly_cl_finish(device);
        unmap(device, memory->object, memory->address);
    }
    bly_cl.clReleaseMemObject(memory->object);
    free(memory);
}

/* Between the host and pinned memory the device has nothing to do, but all before must be done. */
static bailey_status copy_pinned(cl_command_queue queue, void *destination, const void *source,
                                 uint64_t bytes)
{
    const cl_int error = bly_cl.clFinish(queue);
    if (error) return bly_cl_fail(error, "clFinish");
    memcpy(destination, source, (size_t)bytes);
    return BAILEY_OK;
}

/* NULL if the memory is not pinned. */
static char *place_in(const struct bly_memory *memory, uint64_t offset)
{
    return memory->address ? (char *)memory->address + offset : NULL;
}

bailey_status bly_cl_write(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                           const void *source, uint64_t bytes)
{
    cl_command_queue queue = ((struct bly_cl_device *)base)->queues[0];
    if (memory->address) return copy_pinned(queue, place_in(memory, offset), source, bytes);
    const cl_int error = bly_cl.clEnqueueWriteBuffer(queue, memory->object, CL_TRUE, (size_t)offset,
                                                     (size_t)bytes, source, 0, NULL, NULL);
    return error ? bly_cl_fail(error, "clEnqueueWriteBuffer") : BAILEY_OK;
}

bailey_status bly_cl_read(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                          void *destination, uint64_t bytes)
{
    cl_command_queue queue = ((struct bly_cl_device *)base)->queues[0];
    if (memory->address) return copy_pinned(queue, destination, place_in(memory, offset), bytes);
    const cl_int error = bly_cl.clEnqueueReadBuffer(queue, memory->object, CL_TRUE, (size_t)offset,
                                                    (size_t)bytes, destination, 0, NULL, NULL);
    return error ? bly_cl_fail(error, "clEnqueueReadBuffer") : BAILEY_OK;
}

/* Of pinned memory only the address is used: what a command does with an object that is mapped is
 * undefined. */
bailey_status bly_cl_copy(struct bly_device *base, uint32_t number, struct bly_memory *source,
                          uint64_t source_offset, struct bly_memory *destination, uint64_t destination_offset,
                          uint64_t bytes)
{
    cl_command_queue queue;
    const bailey_status status = bly_cl_queue((struct bly_cl_device *)base, number, &queue);
    if (status != BAILEY_OK) return status;
    char *from = place_in(source, source_offset), *to = place_in(destination, destination_offset);
    const size_t size = (size_t)bytes, begin = (size_t)source_offset, at = (size_t)destination_offset;
    cl_mem in = source->object, out = destination->object;
    if (from && to) return copy_pinned(queue, to, from, bytes);
    if (from)
        return bly_cl_queued(queue,
                             bly_cl.clEnqueueWriteBuffer(queue, out, CL_FALSE, at, size, from, 0, NULL, NULL),
                             "clEnqueueWriteBuffer");
    if (to)
        return bly_cl_queued(queue,
                             bly_cl.clEnqueueReadBuffer(queue, in, CL_FALSE, begin, size, to, 0, NULL, NULL),
                             "clEnqueueReadBuffer");
    return bly_cl_queued(queue, bly_cl.clEnqueueCopyBuffer(queue, in, out, begin, at, size, 0, NULL, NULL),
                         "clEnqueueCopyBuffer");
}

bailey_status bly_cl_fill(struct bly_device *base, struct bly_memory *memory, uint64_t offset, uint8_t value,
                          uint64_t bytes)
{
    cl_command_queue queue = ((struct bly_cl_device *)base)->queues[0];
    /* Drivers are quicker with wide patterns, but the range must consist of whole ones. */
    uint8_t pattern[16];
    memset(pattern, value, sizeof pattern);
    const size_t width = offset % sizeof pattern == 0 && bytes % sizeof pattern == 0 ? sizeof pattern : 1;
    return bly_cl_queued(queue,
                         bly_cl.clEnqueueFillBuffer(queue, memory->object, pattern, width, (size_t)offset,
                                                    (size_t)bytes, 0, NULL, NULL),
                         "clEnqueueFillBuffer");
}

#endif
