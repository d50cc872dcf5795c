/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which CUDA devices there are, which of them can be used, and making one current.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_images.h"
#include "cuda_internal.h"

#include <stdio.h>
#include <string.h>

size_t bly_cuda_probe(char *why, size_t why_size)
{
    int count = 0;
    if (bly_cuda_load_driver(why, why_size) != BAILEY_OK) return 0;
    const CUresult error = bly_cuda.cuDeviceGetCount(&count);
    char text[BLY_CUDA_WORDS];
    if (error) {
        snprintf(why, why_size, "cuDeviceGetCount: %s", bly_cuda_words(error, text));
        return 0;
    }
    if (count <= 0)
        snprintf(why, why_size, "the CUDA driver finds no device (CUDA_VISIBLE_DEVICES may hide them)");
    return count > 0 ? (size_t)count : 0;
}

bailey_status bly_cuda_enter(const struct bly_cuda_device *device)
{
    const CUresult error = bly_cuda.cuCtxPushCurrent_v2(device->context);
    return error ? bly_cuda_fail(error, "cuCtxPushCurrent") : BAILEY_OK;
}

void bly_cuda_leave(void)
{
    CUcontext popped;
    bly_cuda.cuCtxPopCurrent_v2(&popped);
}

int bly_cuda_attribute(CUdevice ordinal, CUdevice_attribute name)
{
    int value = 0;
    return bly_cuda.cuDeviceGetAttribute(&value, name, ordinal) ? 0 : value;
}

unsigned bly_cuda_capability(CUdevice ordinal)
{
    return (unsigned)(10 * bly_cuda_attribute(ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                      bly_cuda_attribute(ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
}

CUresult bly_cuda_load_image(const void *image, CUmodule *module, char *log, size_t log_size)
{
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)log_size};
    *log = 0;
    const CUresult error = bly_cuda.cuModuleLoadDataEx(module, image, 2, options, values);
    log[log_size - 1] = 0;
    return error;
}

/* Whether the driver takes our fat binaries on this device: makes it load one. */
static CUresult try_image(CUdevice ordinal)
{
    CUcontext context, popped;
    CUmodule module;
    char log[1024];
    CUresult error = bly_cuda.cuDevicePrimaryCtxRetain(&context, ordinal);
    if (error) return error;
    error = bly_cuda.cuCtxPushCurrent_v2(context);
    if (!error) {
        error = bly_cuda_load_image(bly_cuda_images[0].begin, &module, log, sizeof log);
        if (!error) bly_cuda.cuModuleUnload(module);
        bly_cuda.cuCtxPopCurrent_v2(&popped);
    }
    bly_cuda.cuDevicePrimaryCtxRelease_v2(ordinal);
    return error;
}

/* Writes why the device cannot be used, if it cannot. */
static void judge(CUdevice ordinal, int driver, char *reason, size_t size)
{
    const unsigned capability = bly_cuda_capability(ordinal), major = capability / 10,
                   minor = capability % 10;
    int has_code = 0; /* machine code of the same major and no higher minor number runs here */
    for (const unsigned *a = bly_cuda_architectures; *a; a++)
        has_code |= *a / 10 == capability / 10 && *a <= capability;
    const int has_ptx = bly_cuda_architectures[0] <= capability; /* the first one's is embedded */
    char text[BLY_CUDA_WORDS];
    *reason = 0;
    if (capability < 75)
        snprintf(reason, size, "its compute capability is %u.%u; at least 7.5 is required", major, minor);
    else if (!has_code && !has_ptx)
        snprintf(reason, size, "this build has no kernels for compute capability %u.%u; the lowest is %u.%u",
                 major, minor, bly_cuda_architectures[0] / 10, bly_cuda_architectures[0] % 10);
    else if (bly_cuda_attribute(ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE) == CU_COMPUTEMODE_PROHIBITED)
        snprintf(reason, size, "its compute mode is \"prohibited\" (nvidia-smi -c)");
    else if (driver / 1000 < CUDA_VERSION / 1000 || (!has_code && driver < CUDA_VERSION)) {
        /* A driver older than the compiler may still take the code; only it can tell. */
        const CUresult error = try_image(ordinal);
        if (error)
            snprintf(reason, size,
                     "the driver (CUDA %d.%d) does not accept kernels built with CUDA %d.%d: %s",
                     driver / 1000, driver % 1000 / 10, CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10,
                     bly_cuda_words(error, text));
    }
}

void bly_cuda_describe_ordinal(CUdevice ordinal, size_t index, bailey_device *info)
{
    const unsigned capability = bly_cuda_capability(ordinal);
    int driver = 0;
    size_t bytes = 0;
    bly_cuda.cuDriverGetVersion(&driver);
    if (bly_cuda.cuDeviceGetName(info->name, (int)sizeof info->name, ordinal)) *info->name = 0;
    if (bly_cuda.cuDeviceTotalMem_v2(&bytes, ordinal)) bytes = 0;
    snprintf(info->address, sizeof info->address, "cuda:%zu", index);
    snprintf(info->driver, sizeof info->driver, "CUDA %d.%d, compute capability %u.%u", driver / 1000,
             driver % 1000 / 10, capability / 10, capability % 10);
    judge(ordinal, driver, info->reason, sizeof info->reason);
    info->kind = BAILEY_DEVICE_KIND_GPU;
    info->usable = *info->reason == 0;
    info->has_f64 = 1;
    info->units = (uint32_t)bly_cuda_attribute(ordinal, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->memory_bytes = info->allocation_bytes = bytes;
}

void bly_cuda_describe(size_t index, bailey_device *info)
{
    CUdevice ordinal;
    memset(info, 0, sizeof *info);
    const CUresult error = bly_cuda.cuDeviceGet(&ordinal, (int)index);
    char text[BLY_CUDA_WORDS];
    if (!error) {
        bly_cuda_describe_ordinal(ordinal, index, info);
        return;
    }
    snprintf(info->address, sizeof info->address, "cuda:%zu", index);
    snprintf(info->reason, sizeof info->reason, "cuDeviceGet: %s", bly_cuda_words(error, text));
    info->kind = BAILEY_DEVICE_KIND_GPU;
}

#endif
