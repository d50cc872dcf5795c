/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Memory of the CUDA backend: made, adopted, moved and filled.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_internal.h"

#include <stdlib.h>

bailey_status bly_cuda_alloc(struct bly_device *base, uint64_t bytes, struct bly_memory **result)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    struct bly_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a buffer");
    memory->owned = 1;
    bailey_status status = bly_cuda_enter(device);
    if (status == BAILEY_OK) {
        const CUresult error = bly_cuda.cuMemAlloc_v2(&memory->pointer, (size_t)bytes);
        if (error) {
            size_t available = 0, total = 0;
            char text[BLY_CUDA_WORDS];
            const CUresult known = bly_cuda.cuMemGetInfo_v2(&available, &total);
            status = bly_cuda_fail(error, "cuMemAlloc");
            if (!known)
                bly_fail(status, "cuMemAlloc of %llu bytes: %s; %llu of the %llu bytes of %s are free",
                         (unsigned long long)bytes, bly_cuda_words(error, text),
                         (unsigned long long)available, (unsigned long long)total, base->info.address);
        }
        bly_cuda_leave();
    }
    if (status != BAILEY_OK) {
        free(memory);
        return status;
    }
    *result = memory;
    return BAILEY_OK;
}

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
                     "the pointer 0x%llx is not memory that CUDA knows: %s", shown,
                     bly_cuda_words(error, text)),
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
        return bly_fail_argument("bytes", "%llu bytes at 0x%llx, the allocation has %llu from there",
                                 (unsigned long long)bytes, shown, (unsigned long long)room);
    return BAILEY_OK;
}

bailey_status bly_cuda_adopt(struct bly_device *base, void *native, uint64_t bytes,
                             struct bly_memory **result)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    const CUdeviceptr pointer = (uintptr_t)native;
    if (pointer % 8 != 0)
        return bly_fail_argument("pointer", "the pointer 0x%llx is not aligned to 8 bytes",
                                 (unsigned long long)pointer);
    struct bly_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a buffer");
    bailey_status status = bly_cuda_enter(device);
    if (status == BAILEY_OK) {
        status = check_pointer(device, pointer, bytes, &memory->pointer);
        bly_cuda_leave();
    }
    if (status != BAILEY_OK) {
        free(memory);
        return status;
    }
    *result = memory;
    return BAILEY_OK;
}

void bly_cuda_release(struct bly_device *base, struct bly_memory *memory)
{
    if (!memory) return;
    if (memory->owned && !bly_cuda.cuCtxPushCurrent_v2(((struct bly_cuda_device *)base)->context)) {
        bly_cuda.cuMemFree_v2(memory->pointer);
        bly_cuda_leave();
    }
    free(memory);
}

bailey_status bly_cuda_write(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                             const void *source, uint64_t bytes)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    CUresult error =
        bly_cuda.cuMemcpyHtoDAsync_v2(memory->pointer + offset, source, (size_t)bytes, device->stream);
    if (error) status = bly_cuda_fail(error, "cuMemcpyHtoDAsync");
    error = bly_cuda.cuStreamSynchronize(device->stream);
    if (error && status == BAILEY_OK) status = bly_cuda_fail(error, "cuStreamSynchronize");
    bly_cuda_leave();
    return status;
}

bailey_status bly_cuda_read(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                            void *destination, uint64_t bytes)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    CUresult error =
        bly_cuda.cuMemcpyDtoHAsync_v2(destination, memory->pointer + offset, (size_t)bytes, device->stream);
    if (error) status = bly_cuda_fail(error, "cuMemcpyDtoHAsync");
    error = bly_cuda.cuStreamSynchronize(device->stream);
    if (error && status == BAILEY_OK) status = bly_cuda_fail(error, "cuStreamSynchronize");
    bly_cuda_leave();
    return status;
}

bailey_status bly_cuda_copy(struct bly_device *base, struct bly_memory *source, uint64_t source_offset,
                            struct bly_memory *destination, uint64_t destination_offset, uint64_t bytes)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    const CUresult error =
        bly_cuda.cuMemcpyDtoDAsync_v2(destination->pointer + destination_offset,
                                      source->pointer + source_offset, (size_t)bytes, device->stream);
    if (error) status = bly_cuda_fail(error, "cuMemcpyDtoDAsync");
    bly_cuda_leave();
    return status;
}

bailey_status bly_cuda_fill(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                            uint8_t value, uint64_t bytes)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    const CUresult error =
        bly_cuda.cuMemsetD8Async(memory->pointer + offset, value, (size_t)bytes, device->stream);
    if (error) status = bly_cuda_fail(error, "cuMemsetD8Async");
    bly_cuda_leave();
    return status;
}

#endif
