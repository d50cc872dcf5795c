/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Memory of the CUDA backend: made, adopted, moved and filled.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_internal.h"

#include <base/alloc.h>

static bailey_status fail_alloc(const struct bly_cuda_device *device, CUresult error, const char *what,
                                uint64_t bytes)
{
    size_t available = 0, total = 0;
    char text[BLY_CUDA_WORDS];
    const CUresult known = bly_cuda.cuMemGetInfo_v2(&available, &total);
    const bailey_status status = bly_cuda_fail(error, what);
    if (known) return status;
    return bly_fail(status, "%s of %llu bytes: %s; %llu of the %llu bytes of %s are free", what,
                    (unsigned long long)bytes, bly_cuda_words(error, text), (unsigned long long)available,
                    (unsigned long long)total, device->base.info.address);
}

/* The kinds of memory, made with the context current. */

static bailey_status alloc_device(const struct bly_cuda_device *device, uint64_t bytes,
                                  struct bly_memory *memory)
{
    const CUresult error = bly_cuda.cuMemAlloc_v2(&memory->pointer, (size_t)bytes);
    return error ? fail_alloc(device, error, "cuMemAlloc", bytes) : BAILEY_OK;
}

static bailey_status alloc_host(uint64_t bytes, unsigned flags, struct bly_memory *memory)
{
    char text[BLY_CUDA_WORDS];
    const CUresult error = bly_cuda.cuMemHostAlloc(&memory->host, (size_t)bytes, flags);
    if (!error) return BAILEY_OK;
    return bly_fail(error == CUDA_ERROR_OUT_OF_MEMORY ? BAILEY_ERROR_MEMORY : BAILEY_ERROR_DRIVER,
                    "cuMemHostAlloc of %llu bytes: %s", (unsigned long long)bytes,
                    bly_cuda_words(error, text));
}

/* Copies find it by its address in the host, as addresses are unified. */
static bailey_status alloc_pinned(const struct bly_cuda_device *device, uint64_t bytes,
                                  struct bly_memory *memory)
{
    (void)device;
    const bailey_status status = alloc_host(bytes, 0, memory);
    memory->pointer = (uintptr_t)memory->host;
    return status;
}

static bailey_status alloc_mapped(const struct bly_cuda_device *device, uint64_t bytes,
                                  struct bly_memory *memory)
{
    if (!bly_cuda_attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY))
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s cannot map the host's memory",
                        device->base.info.address);
    const bailey_status status = alloc_host(bytes, CU_MEMHOSTALLOC_DEVICEMAP, memory);
    if (status != BAILEY_OK) return status;
    const CUresult error = bly_cuda.cuMemHostGetDevicePointer_v2(&memory->pointer, memory->host, 0);
    if (!error) return BAILEY_OK;
    bly_cuda.cuMemFreeHost(memory->host);
    return bly_cuda_fail(error, "cuMemHostGetDevicePointer");
}

bailey_status bly_cuda_alloc(struct bly_device *base, enum bly_memory_kind kind, uint64_t bytes,
                             struct bly_memory **result)
{
    const struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    struct bly_memory *memory = bly_alloc(1, sizeof *memory);
    if (!memory) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a buffer");
    memory->owned = 1;
    bailey_status status = bly_cuda_enter(device);
    if (status == BAILEY_OK) {
        status = kind == BLY_MEMORY_PINNED   ? alloc_pinned(device, bytes, memory)
                 : kind == BLY_MEMORY_MAPPED ? alloc_mapped(device, bytes, memory)
                                             : alloc_device(device, bytes, memory);
        bly_cuda_leave();
    }
    if (status != BAILEY_OK) {
        bly_free(memory);
        return status;
    }
    *result = memory;
    return BAILEY_OK;
}

void *bly_cuda_address(struct bly_memory *memory) { return memory->host; }

/* Checks, in the device's context, that its kernels can reach `bytes` at `pointer`, and finds under which
 * address. */
static bailey_status check_pointer(const struct bly_cuda_device *device, CUdeviceptr pointer, uint64_t bytes,
                                   CUdeviceptr *mapped)
{
    const unsigned long long shown = pointer;
    CUmemorytype type = 0;
    CUcontext context = NULL;
    unsigned managed = 0;
    char text[BLY_CUDA_WORDS];
    CUresult error = bly_cuda.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer);
    if (error)
        return bly_name_argument(
            bly_fail(error == CUDA_ERROR_INVALID_VALUE ? BAILEY_ERROR_INVALID : BAILEY_ERROR_DRIVER,
                     "the pointer 0x%llx is not known to CUDA: %s", shown, bly_cuda_words(error, text)),
            error == CUDA_ERROR_INVALID_VALUE ? "pointer" : "");
    if (bly_cuda.cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer)) managed = 0;
    /* Memory of a pool or of a mapping may have no context; the next question still tells. */
    if (bly_cuda.cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, pointer)) context = NULL;
    if (type == CU_MEMORYTYPE_DEVICE && !managed && context && context != device->context)
        return bly_fail_argument("pointer", "the pointer 0x%llx belongs to another CUDA context", shown);
    error = bly_cuda.cuPointerGetAttribute(mapped, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, pointer);
    if (error)
        return bly_name_argument(
            bly_fail(error == CUDA_ERROR_INVALID_VALUE ? BAILEY_ERROR_INVALID : BAILEY_ERROR_DRIVER,
                     "kernels on %s cannot reach the pointer 0x%llx: %s", device->base.info.address, shown,
                     bly_cuda_words(error, text)),
            error == CUDA_ERROR_INVALID_VALUE ? "pointer" : "");
    CUdeviceptr begin = 0;
    size_t size = 0;
    if (bly_cuda.cuMemGetAddressRange_v2(&begin, &size, *mapped))
        return BAILEY_OK; /* the driver cannot tell */
    const uint64_t room = size - (*mapped - begin);
    if (bytes > room)
        return bly_fail_argument("bytes",
                                 "%llu bytes at 0x%llx exceed the allocation, which has %llu left there",
                                 (unsigned long long)bytes, shown, (unsigned long long)room);
    return BAILEY_OK;
}

bailey_status bly_cuda_adopt(struct bly_device *base, void *native, uint64_t bytes,
                             struct bly_memory **result)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    const CUdeviceptr pointer = (uintptr_t)native;
    if (pointer % 4 != 0)
        return bly_fail_argument("pointer", "the pointer 0x%llx is not aligned to 4 bytes",
                                 (unsigned long long)pointer);
    struct bly_memory *memory = bly_alloc(1, sizeof *memory);
    if (!memory) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a buffer");
    bailey_status status = bly_cuda_enter(device);
    if (status == BAILEY_OK) {
        status = check_pointer(device, pointer, bytes, &memory->pointer);
        bly_cuda_leave();
    }
    if (status != BAILEY_OK) {
        bly_free(memory);
        return status;
    }
    *result = memory;
    return BAILEY_OK;
}

void bly_cuda_release(struct bly_device *base, struct bly_memory *memory)
{
    const struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    if (!memory) return;
    if (memory->owned && !bly_cuda.cuCtxPushCurrent_v2(device->context)) {
        bly_cuda_drain(device); /* what is queued may still use it */
        if (memory->host)
            bly_cuda.cuMemFreeHost(memory->host);
        else
            bly_cuda.cuMemFree_v2(memory->pointer);
        bly_cuda_leave();
    }
    bly_free(memory);
}

/* Waits for a transfer that was queued; its own error comes first. */
static bailey_status end_transfer(CUstream stream, CUresult error, const char *call)
{
    const CUresult waited = bly_cuda.cuStreamSynchronize(stream);
    return error ? bly_cuda_end(error, call) : bly_cuda_end(waited, "cuStreamSynchronize");
}

bailey_status bly_cuda_write(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                             const void *source, uint64_t bytes)
{
    CUstream stream = NULL;
    const bailey_status status = bly_cuda_begin((struct bly_cuda_device *)base, 0, &stream);
    if (status != BAILEY_OK) return status;
    return end_transfer(
        stream, bly_cuda.cuMemcpyHtoDAsync_v2(memory->pointer + offset, source, (size_t)bytes, stream),
        "cuMemcpyHtoDAsync");
}

bailey_status bly_cuda_read(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                            void *destination, uint64_t bytes)
{
    CUstream stream = NULL;
    const bailey_status status = bly_cuda_begin((struct bly_cuda_device *)base, 0, &stream);
    if (status != BAILEY_OK) return status;
    return end_transfer(
        stream, bly_cuda.cuMemcpyDtoHAsync_v2(destination, memory->pointer + offset, (size_t)bytes, stream),
        "cuMemcpyDtoHAsync");
}

bailey_status bly_cuda_copy(struct bly_device *base, uint32_t queue, struct bly_memory *source,
                            uint64_t source_offset, struct bly_memory *destination,
                            uint64_t destination_offset, uint64_t bytes)
{
    CUstream stream = NULL;
    const bailey_status status = bly_cuda_begin((struct bly_cuda_device *)base, queue, &stream);
    if (status != BAILEY_OK) return status;
    return bly_cuda_end(bly_cuda.cuMemcpyAsync(destination->pointer + destination_offset,
                                               source->pointer + source_offset, (size_t)bytes, stream),
                        "cuMemcpyAsync");
}

bailey_status bly_cuda_fill(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                            uint8_t value, uint64_t bytes)
{
    CUstream stream = NULL;
    const bailey_status status = bly_cuda_begin((struct bly_cuda_device *)base, 0, &stream);
    if (status != BAILEY_OK) return status;
    return bly_cuda_end(bly_cuda.cuMemsetD8Async(memory->pointer + offset, value, (size_t)bytes, stream),
                        "cuMemsetD8Async");
}

#endif
