/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The CUDA backend, over the driver API.
 *
 * An open device is a stream in the device's primary context, or the caller's stream and context. Every
 * operation makes the context current and puts back what was, so that a program which uses CUDA itself
 * never sees a difference. Kernels come from the embedded fat binaries, loaded when first launched, and from
 * NVRTC, where they are given as source.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_images.h"
#include "cuda_native.h"
#include "cuda_symbols.h"
#include "nvrtc.h"
#include <backend/programs.h>
#include <backend/rows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "bailey cuda program 1" /* changes when the key or the use of images does */

#define MAX_GRID_X 2147483647u
#define MAX_GRID_YZ 65535u

struct function {
    CUfunction handle; /* NULL until first launched */
    unsigned block;    /* threads */
};

/* A kernel that was given as source. */
struct program {
    struct program *next;
    const struct bly_kernel *kernel;
    CUmodule module;
    struct function function;
};

struct device {
    struct bly_device base;
    CUdevice ordinal;
    CUcontext context;
    CUstream stream;
    int retained, made_stream;
    CUmodule *modules;          /* by image */
    struct function *functions; /* by row */
    struct program *programs;   /* the one launched last comes first */
    int cache;                  /* bly_cache_open */
};

struct bly_memory {
    CUdeviceptr pointer;
    int owned;
};

static struct device *cuda_device(struct bly_device *device) { return (struct device *)device; }

/* Makes the device's context current, until leave(). */
static bailey_status enter(const struct device *device)
{
    const CUresult error = bly_cuda.cuCtxPushCurrent_v2(device->context);
    return error ? bly_cuda_fail(error, "cuCtxPushCurrent") : BAILEY_OK;
}

static void leave(void)
{
    CUcontext popped;
    bly_cuda.cuCtxPopCurrent_v2(&popped);
}

/* ---- Discovery ------------------------------------------------------------------------------- */

static size_t probe(char *why, size_t why_size)
{
    int count = 0;
    if (bly_cuda_load(why, why_size) != BAILEY_OK) return 0;
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

static int attribute(CUdevice ordinal, CUdevice_attribute name)
{
    int value = 0;
    return bly_cuda.cuDeviceGetAttribute(&value, name, ordinal) ? 0 : value;
}

/* Loads an image; `log` gets what the driver's compiler says of it. */
static CUresult load_image(const void *image, CUmodule *module, char *log, size_t log_size)
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
        error = load_image(bly_cuda_images[0].begin, &module, log, sizeof log);
        if (!error) bly_cuda.cuModuleUnload(module);
        bly_cuda.cuCtxPopCurrent_v2(&popped);
    }
    bly_cuda.cuDevicePrimaryCtxRelease_v2(ordinal);
    return error;
}

/* Writes why the device cannot be used, if it cannot. */
static void judge(CUdevice ordinal, int driver, char *reason, size_t size)
{
    const int major = attribute(ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    const int minor = attribute(ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    const unsigned capability = (unsigned)(10 * major + minor);
    int has_code = 0; /* machine code of the same major and no higher minor number runs here */
    for (const unsigned *a = bly_cuda_architectures; *a; a++)
        has_code |= *a / 10 == capability / 10 && *a <= capability;
    const int has_ptx = bly_cuda_architectures[0] <= capability; /* the first one's is embedded */
    char text[BLY_CUDA_WORDS];
    *reason = 0;
    if (capability < 75)
        snprintf(reason, size, "its compute capability is %d.%d, at least 7.5 is needed", major, minor);
    else if (!has_code && !has_ptx)
        snprintf(reason, size, "this build has no kernels for compute capability %d.%d, the lowest is %u.%u",
                 major, minor, bly_cuda_architectures[0] / 10, bly_cuda_architectures[0] % 10);
    else if (attribute(ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE) == CU_COMPUTEMODE_PROHIBITED)
        snprintf(reason, size, "its compute mode is \"prohibited\" (nvidia-smi -c)");
    else if (driver / 1000 < CUDA_VERSION / 1000 || (!has_code && driver < CUDA_VERSION)) {
        /* A driver older than the compiler may still take the code; only it can tell. */
        const CUresult error = try_image(ordinal);
        if (error)
            snprintf(reason, size, "the driver (CUDA %d.%d) does not take kernels built by CUDA %d.%d: %s",
                     driver / 1000, driver % 1000 / 10, CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10,
                     bly_cuda_words(error, text));
    }
}

static void describe_ordinal(CUdevice ordinal, size_t index, bailey_device *info)
{
    int driver = 0;
    size_t bytes = 0;
    bly_cuda.cuDriverGetVersion(&driver);
    if (bly_cuda.cuDeviceGetName(info->name, (int)sizeof info->name, ordinal)) *info->name = 0;
    if (bly_cuda.cuDeviceTotalMem_v2(&bytes, ordinal)) bytes = 0;
    snprintf(info->address, sizeof info->address, "cuda:%zu", index);
    snprintf(info->driver, sizeof info->driver, "CUDA %d.%d, compute capability %d.%d", driver / 1000,
             driver % 1000 / 10, attribute(ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
             attribute(ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    judge(ordinal, driver, info->reason, sizeof info->reason);
    info->kind = BAILEY_DEVICE_KIND_GPU;
    info->usable = *info->reason == 0;
    info->has_f64 = 1;
    info->units = (uint32_t)attribute(ordinal, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->memory_bytes = info->allocation_bytes = bytes;
}

static void describe(size_t index, bailey_device *info)
{
    CUdevice ordinal;
    memset(info, 0, sizeof *info);
    const CUresult error = bly_cuda.cuDeviceGet(&ordinal, (int)index);
    char text[BLY_CUDA_WORDS];
    if (!error) {
        describe_ordinal(ordinal, index, info);
        return;
    }
    snprintf(info->address, sizeof info->address, "cuda:%zu", index);
    snprintf(info->reason, sizeof info->reason, "cuDeviceGet: %s", bly_cuda_words(error, text));
    info->kind = BAILEY_DEVICE_KIND_GPU;
}

/* ---- Opening --------------------------------------------------------------------------------- */

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
static bailey_status take_context(struct device *device, size_t index, const struct bly_native *native)
{
    CUresult error;
    if (native && native->context) {
        device->context = native->context;
        const bailey_status status = enter(device);
        if (status != BAILEY_OK) return status;
        error = bly_cuda.cuCtxGetDevice(&device->ordinal);
        leave();
        if (error) return bly_cuda_fail(error, "cuCtxGetDevice");
        index = index_of(device->ordinal);
    } else {
        error = bly_cuda.cuDeviceGet(&device->ordinal, (int)index);
        if (error) return bly_cuda_fail(error, "cuDeviceGet");
    }
    describe_ordinal(device->ordinal, index, &device->base.info);
    if (!device->base.info.usable)
        return bly_fail(BAILEY_ERROR_NO_DEVICE, "%s: %s", device->base.info.address,
                        device->base.info.reason);
    const int shared = attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    device->base.shared_bytes = shared > 0 ? (uint32_t)shared : 0;
    if (device->context) return BAILEY_OK;
    error = bly_cuda.cuDevicePrimaryCtxRetain(&device->context, device->ordinal);
    if (error) return bly_cuda_fail(error, "cuDevicePrimaryCtxRetain");
    device->retained = 1;
    return BAILEY_OK;
}

/* Takes the caller's stream, if it is one of the context, or makes one. */
static bailey_status take_stream(struct device *device, const struct bly_native *native)
{
    CUresult error;
    bailey_status status = enter(device);
    if (status != BAILEY_OK) return status;
    if (native && native->queue) {
        CUcontext context = NULL;
        error = bly_cuda.cuStreamGetCtx(native->queue, &context);
        if (error)
            status = bly_cuda_fail(error, "cuStreamGetCtx");
        else if (context != device->context)
            status = bly_fail_argument("stream", "stream: it belongs to another CUDA context");
        else
            device->stream = native->queue;
    } else {
        error = bly_cuda.cuStreamCreate(&device->stream, CU_STREAM_NON_BLOCKING);
        if (error) status = bly_cuda_fail(error, "cuStreamCreate");
        device->made_stream = !error;
    }
    leave();
    return status;
}

static void close_device(struct bly_device *base)
{
    struct device *device = cuda_device(base);
    if (device->context && !bly_cuda.cuCtxPushCurrent_v2(device->context)) {
        if (device->stream) bly_cuda.cuStreamSynchronize(device->stream);
        for (size_t i = 0; device->modules && bly_cuda_images[i].name; i++)
            if (device->modules[i]) bly_cuda.cuModuleUnload(device->modules[i]);
        for (const struct program *p = device->programs; p; p = p->next) bly_cuda.cuModuleUnload(p->module);
        if (device->made_stream) bly_cuda.cuStreamDestroy_v2(device->stream);
        leave();
    }
    if (device->retained) bly_cuda.cuDevicePrimaryCtxRelease_v2(device->ordinal);
    while (device->programs) {
        struct program *next = device->programs->next;
        free(device->programs);
        device->programs = next;
    }
    bly_cache_close(device->cache);
    free(device->modules);
    free(device->functions);
    free(device);
}

static bailey_status open_device(size_t index, const struct bly_open_params *params,
                                 struct bly_device **result)
{
    const struct bly_native *native = params ? params->native : NULL;
    char why[256] = "";
    *result = NULL;
    if (bly_cuda_load(why, sizeof why) != BAILEY_OK) return bly_fail(BAILEY_ERROR_NO_DEVICE, "cuda: %s", why);
    size_t images = 0;
    while (bly_cuda_images[images].name) images++;
    struct device *device = calloc(1, sizeof *device);
    if (!device) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a device");
    device->base.backend = &bly_backend_cuda;
    device->base.native_functions = 1;
    device->cache = BLY_CACHE_NONE;
    device->modules = calloc(images + 1, sizeof *device->modules);
    device->functions = calloc(BLY_KERNELS, sizeof *device->functions);
    bailey_status status = device->modules && device->functions
                               ? take_context(device, index, native)
                               : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a device");
    if (status == BAILEY_OK) status = take_stream(device, native);
    if (status != BAILEY_OK) {
        close_device(&device->base);
        return status;
    }
    device->cache = bly_cache_open(params ? params->cache_dir : NULL);
    *result = &device->base;
    return BAILEY_OK;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static bailey_status alloc(struct bly_device *base, uint64_t bytes, struct bly_memory **result)
{
    struct device *device = cuda_device(base);
    struct bly_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a buffer");
    memory->owned = 1;
    bailey_status status = enter(device);
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
        leave();
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
static bailey_status check_pointer(const struct device *device, CUdeviceptr pointer, uint64_t bytes,
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

static bailey_status adopt(struct bly_device *base, void *native, uint64_t bytes, struct bly_memory **result)
{
    struct device *device = cuda_device(base);
    const CUdeviceptr pointer = (uintptr_t)native;
    if (pointer % 8 != 0)
        return bly_fail_argument("pointer", "the pointer 0x%llx is not aligned to 8 bytes",
                                 (unsigned long long)pointer);
    struct bly_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a buffer");
    bailey_status status = enter(device);
    if (status == BAILEY_OK) {
        status = check_pointer(device, pointer, bytes, &memory->pointer);
        leave();
    }
    if (status != BAILEY_OK) {
        free(memory);
        return status;
    }
    *result = memory;
    return BAILEY_OK;
}

static void release(struct bly_device *base, struct bly_memory *memory)
{
    if (!memory) return;
    if (memory->owned && !bly_cuda.cuCtxPushCurrent_v2(cuda_device(base)->context)) {
        bly_cuda.cuMemFree_v2(memory->pointer);
        leave();
    }
    free(memory);
}

static bailey_status write_memory(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                                  const void *source, uint64_t bytes)
{
    struct device *device = cuda_device(base);
    bailey_status status = enter(device);
    if (status != BAILEY_OK) return status;
    CUresult error =
        bly_cuda.cuMemcpyHtoDAsync_v2(memory->pointer + offset, source, (size_t)bytes, device->stream);
    if (error) status = bly_cuda_fail(error, "cuMemcpyHtoDAsync");
    error = bly_cuda.cuStreamSynchronize(device->stream);
    if (error && status == BAILEY_OK) status = bly_cuda_fail(error, "cuStreamSynchronize");
    leave();
    return status;
}

static bailey_status read_memory(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                                 void *destination, uint64_t bytes)
{
    struct device *device = cuda_device(base);
    bailey_status status = enter(device);
    if (status != BAILEY_OK) return status;
    CUresult error =
        bly_cuda.cuMemcpyDtoHAsync_v2(destination, memory->pointer + offset, (size_t)bytes, device->stream);
    if (error) status = bly_cuda_fail(error, "cuMemcpyDtoHAsync");
    error = bly_cuda.cuStreamSynchronize(device->stream);
    if (error && status == BAILEY_OK) status = bly_cuda_fail(error, "cuStreamSynchronize");
    leave();
    return status;
}

static bailey_status copy_memory(struct bly_device *base, struct bly_memory *source, uint64_t source_offset,
                                 struct bly_memory *destination, uint64_t destination_offset, uint64_t bytes)
{
    struct device *device = cuda_device(base);
    bailey_status status = enter(device);
    if (status != BAILEY_OK) return status;
    const CUresult error =
        bly_cuda.cuMemcpyDtoDAsync_v2(destination->pointer + destination_offset,
                                      source->pointer + source_offset, (size_t)bytes, device->stream);
    if (error) status = bly_cuda_fail(error, "cuMemcpyDtoDAsync");
    leave();
    return status;
}

static bailey_status fill_memory(struct bly_device *base, struct bly_memory *memory, uint64_t offset,
                                 uint8_t value, uint64_t bytes)
{
    struct device *device = cuda_device(base);
    bailey_status status = enter(device);
    if (status != BAILEY_OK) return status;
    const CUresult error =
        bly_cuda.cuMemsetD8Async(memory->pointer + offset, value, (size_t)bytes, device->stream);
    if (error) status = bly_cuda_fail(error, "cuMemsetD8Async");
    leave();
    return status;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* That an image called `name` was not loaded. */
static bailey_status fail_load(const struct device *device, CUresult error, const char *name, const char *log)
{
    char text[BLY_CUDA_WORDS];
    return bly_fail(error == CUDA_ERROR_OUT_OF_MEMORY       ? BAILEY_ERROR_MEMORY
                    : error == CUDA_ERROR_NO_BINARY_FOR_GPU ? BAILEY_ERROR_NO_DEVICE
                    : error == CUDA_ERROR_INVALID_PTX || error == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
                            error == CUDA_ERROR_JIT_COMPILER_NOT_FOUND
                        ? BAILEY_ERROR_BUILD
                        : BAILEY_ERROR_DRIVER,
                    "%s: loading the kernels \"%s\": %s%s%s", device->base.info.address, name,
                    bly_cuda_words(error, text), *log ? "\n" : "", log);
}

/* The kernel's module, loaded if it was not; the context is current. */
static bailey_status find_module(struct device *device, unsigned index, CUmodule *result)
{
    if (!device->modules[index]) {
        const struct bly_cuda_image *image = &bly_cuda_images[index];
        char log[1024];
        CUmodule module;
        const double start = bly_seconds();
        const CUresult error = load_image(image->begin, &module, log, sizeof log);
        if (error) return fail_load(device, error, image->name, log);
        bly_log(1, "%s: loaded the kernels \"%s\" in %.1f ms", device->base.info.address, image->name,
                1e3 * (bly_seconds() - start));
        device->modules[index] = module;
    }
    *result = device->modules[index];
    return BAILEY_OK;
}

static bailey_status find_embedded(struct device *device, const struct bly_kernel *kernel,
                                   struct function **result)
{
    struct function *function = &device->functions[kernel->row];
    *result = function;
    if (function->handle) return BAILEY_OK;
    CUmodule module = NULL;
    CUfunction handle;
    int most = 0;
    const bailey_status status = find_module(device, bly_cuda_image_of[kernel->row], &module);
    if (status != BAILEY_OK) return status;
    CUresult error = bly_cuda.cuModuleGetFunction(&handle, module, kernel->name);
    if (!error) error = bly_cuda.cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, handle);
    if (error) {
        char text[BLY_CUDA_WORDS];
        return bly_fail(BAILEY_ERROR_DRIVER, "kernel %s: %s", kernel->name, bly_cuda_words(error, text));
    }
    function->block = 32;
    while (function->block < 256 && 2 * function->block <= (unsigned)most) function->block *= 2;
    function->handle = handle;
    return BAILEY_OK;
}

/* A program while it is made. */
struct making {
    const struct device *device;
    const struct bly_kernel *kernel;
    struct bly_nvrtc_plan plan;
};

static void *load_program(void *target, const void *image, size_t size)
{
    CUmodule module;
    char log[1024];
    (void)target, (void)size;
    return load_image(image, &module, log, sizeof log) ? NULL : module;
}

static bailey_status build_program(void *target, void **program, void **image, size_t *size)
{
    const struct making *making = target;
    CUmodule module;
    char log[1024];
    const bailey_status status = bly_nvrtc_compile(making->kernel, &making->plan, image, size);
    if (status != BAILEY_OK) return status;
    const CUresult error = load_image(*image, &module, log, sizeof log);
    if (error) {
        free(*image);
        *image = NULL;
        const bailey_status status_of_load = fail_load(making->device, error, making->kernel->name, log);
        /* What is refused straight from the compiler did not build. */
        return error == CUDA_ERROR_INVALID_IMAGE || error == CUDA_ERROR_NO_BINARY_FOR_GPU ? BAILEY_ERROR_BUILD
                                                                                          : status_of_load;
    }
    *program = module;
    return BAILEY_OK;
}

static bailey_status check_limit(const struct device *device, const struct bly_kernel *kernel,
                                 uint32_t wanted, uint32_t most, const char *what)
{
    if (wanted <= most) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "kernel %s: %u %s, %s takes %u", kernel->name, (unsigned)wanted,
                    what, device->base.info.address, (unsigned)most);
}

static bailey_status plan_program(const struct device *device, const struct bly_kernel *kernel,
                                  struct bly_nvrtc_plan *plan)
{
    int driver = 0;
    bly_cuda.cuDriverGetVersion(&driver);
    return bly_nvrtc_plan(
        kernel,
        (unsigned)(10 * attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                   attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)),
        driver, plan);
}

static bailey_status check_compiler(const struct device *device)
{
    static const struct bly_kernel none;
    struct bly_nvrtc_plan plan;
    return plan_program(device, &none, &plan);
}

/* Compiles or finds the module of a kernel that has a source. */
static bailey_status make_module(struct device *device, const struct bly_kernel *kernel, CUmodule *module)
{
    struct making making = {.device = device, .kernel = kernel};
    const int threads = attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    bailey_status status =
        check_limit(device, kernel, kernel->block, threads > 0 ? (uint32_t)threads : 0, "threads a block");
    if (status == BAILEY_OK)
        status = check_limit(device, kernel, bly_shared_bytes(kernel), device->base.shared_bytes,
                             "bytes of shared memory a block");
    if (status == BAILEY_OK) status = plan_program(device, kernel, &making.plan);
    if (status != BAILEY_OK) return status;
    const char *key[BLY_NVRTC_OPTIONS + 4] = {FORMAT, making.plan.version, kernel->source};
    for (int i = 0; i < BLY_NVRTC_OPTIONS; i++) key[3 + i] = making.plan.options[i];
    const struct bly_program wanted = {.backend = "cuda",
                                       .name = kernel->name,
                                       .key = key,
                                       .cache = device->cache,
                                       .target = &making,
                                       .load = load_program,
                                       .build = build_program};
    void *made = NULL;
    status = bly_program_make(&wanted, &made);
    *module = made;
    return status;
}

/* Takes a program's kernel out of its module, with as much shared memory as it wants. */
static CUresult open_program(struct program *program)
{
    const uint32_t shared = bly_shared_bytes(program->kernel);
    CUfunction handle;
    CUresult error = bly_cuda.cuModuleGetFunction(&handle, program->module, program->kernel->name);
    if (!error && shared > 48 << 10)
        error =
            bly_cuda.cuFuncSetAttribute(handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared);
    if (error) return error;
    program->function = (struct function){handle, program->kernel->block};
    return CUDA_SUCCESS;
}

static bailey_status find_program(struct device *device, const struct bly_kernel *kernel,
                                  struct function **result)
{
    for (struct program **link = &device->programs; *link; link = &(*link)->next) {
        struct program *program = *link;
        if (program->kernel != kernel) continue;
        *link = program->next;
        program->next = device->programs;
        device->programs = program;
        *result = &program->function;
        return BAILEY_OK;
    }
    struct program *program = calloc(1, sizeof *program);
    if (!program) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program");
    program->kernel = kernel;
    bailey_status status = make_module(device, kernel, &program->module);
    if (status == BAILEY_OK) {
        const CUresult error = open_program(program);
        char text[BLY_CUDA_WORDS];
        if (error) {
            status =
                bly_fail(BAILEY_ERROR_DRIVER, "kernel %s: %s", kernel->name, bly_cuda_words(error, text));
            bly_cuda.cuModuleUnload(program->module);
        }
    }
    if (status != BAILEY_OK) {
        free(program);
        return status;
    }
    program->next = device->programs;
    device->programs = program;
    *result = &program->function;
    return BAILEY_OK;
}

/* The context is current. */
static bailey_status find_function(struct device *device, const struct bly_kernel *kernel,
                                   struct function **result)
{
    return kernel->source ? find_program(device, kernel, result) : find_embedded(device, kernel, result);
}

static int function_attribute(const struct function *function, CUfunction_attribute name)
{
    int value = 0;
    return bly_cuda.cuFuncGetAttribute(&value, name, function->handle) || value < 0 ? 0 : value;
}

static bailey_status compile(struct bly_device *base, const struct bly_kernel *kernel, size_t params_size,
                             bailey_kernel_info *info)
{
    struct device *device = cuda_device(base);
    struct function *function = NULL;
    (void)params_size;
    if (!kernel) return check_compiler(device);
    bailey_status status = enter(device);
    if (status != BAILEY_OK) return status;
    status = find_function(device, kernel, &function);
    if (status == BAILEY_OK && info) {
        const uint32_t dynamic = kernel->source ? bly_shared_bytes(kernel) : 0;
        const int most = attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
        int blocks = 0;
        memset(info, 0, sizeof *info);
        info->registers = (uint32_t)function_attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
        info->spill_bytes = (uint32_t)function_attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
        info->shared_bytes =
            (uint32_t)function_attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + dynamic;
        info->block = function->block;
        if (most > 0 && !bly_cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function->handle,
                                                                              (int)function->block, dynamic))
            info->occupancy = (double)blocks * function->block / most;
    }
    leave();
    return status;
}

static void forget(struct bly_device *base, const struct bly_kernel *kernel)
{
    struct device *device = cuda_device(base);
    struct program **link = &device->programs;
    while (*link && (*link)->kernel != kernel) link = &(*link)->next;
    struct program *program = *link;
    if (!program) return;
    *link = program->next;
    if (!bly_cuda.cuCtxPushCurrent_v2(device->context)) {
        bly_cuda.cuStreamSynchronize(device->stream);
        bly_cuda.cuModuleUnload(program->module);
        leave();
    }
    free(program);
}

/* ---- Launching ------------------------------------------------------------------------------- */

static uint64_t divide_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

/* Blocks of items along x and rows along y (src/kernels_cu/entry_cu.h): rows fill a block where items alone
 * would leave more than an eighth of its threads idle. */
static void shape_block(unsigned block, uint64_t items, uint64_t rows, unsigned *x, unsigned *y)
{
    *x = block;
    *y = 1;
    while (*x > 1 && *y < rows) {
        const uint64_t idle = divide_up(items, *x) * *x - items;
        if (*x <= 32 ? items > *x / 2 : idle <= items / 8) break;
        *x /= 2;
        *y *= 2;
    }
}

static bailey_status launch(struct bly_device *base, const struct bly_kernel *kernel, uint64_t groups,
                            uint64_t rows, const void *params, size_t params_size,
                            struct bly_memory *const *buffers)
{
    struct device *device = cuda_device(base);
    struct function *function = NULL;
    uint64_t aligned[BLY_MAX_PARAMS / 8];
    CUdeviceptr pointers[BLY_MAX_BUFFERS];
    uint64_t first_item = 0, first_row = 0;
    void *arguments[1 + BLY_MAX_BUFFERS + 4];
    unsigned n = 0;
    memcpy(aligned, params, params_size);
    arguments[n++] = aligned;
    for (unsigned i = 0; i < kernel->buffers; i++) {
        pointers[i] = buffers[i] ? buffers[i]->pointer : 0;
        arguments[n++] = &pointers[i];
    }
    arguments[n++] = &groups;
    arguments[n++] = &rows;
    arguments[n++] = &first_item;
    arguments[n++] = &first_row;

    if (!kernel->source) groups = bly_scalar_items(kernel, groups);
    bailey_status status = enter(device);
    if (status != BAILEY_OK) return status;
    status = find_function(device, kernel, &function);
    if (status != BAILEY_OK) {
        leave();
        return status;
    }
    unsigned x = function->block, y = 1;
    if (!kernel->source) {
        /* Small launches take small blocks, so that every multiprocessor gets some. */
        unsigned block = x;
        while (block > 64 && groups < (uint64_t)4 * block * base->info.units / rows) block /= 2;
        shape_block(block, groups, rows, &x, &y);
    }
    const unsigned shared = kernel->source ? bly_shared_bytes(kernel) : 0;
    const uint64_t most_items = (uint64_t)MAX_GRID_X * x;
    const uint64_t most_rows = (uint64_t)MAX_GRID_YZ * MAX_GRID_YZ * y;
    for (first_row = 0; status == BAILEY_OK && first_row < rows; first_row += most_rows) {
        const uint64_t rows_here = rows - first_row < most_rows ? rows - first_row : most_rows;
        const uint64_t row_blocks = divide_up(rows_here, y);
        const unsigned grid_z = (unsigned)divide_up(row_blocks, MAX_GRID_YZ);
        const unsigned grid_y = (unsigned)divide_up(row_blocks, grid_z);
        for (first_item = 0; status == BAILEY_OK && first_item < groups; first_item += most_items) {
            const uint64_t items_here = groups - first_item < most_items ? groups - first_item : most_items;
            const CUresult error =
                bly_cuda.cuLaunchKernel(function->handle, (unsigned)divide_up(items_here, x), grid_y, grid_z,
                                        x, y, 1, shared, device->stream, arguments, NULL);
            char text[BLY_CUDA_WORDS];
            if (error)
                status =
                    bly_fail(error == CUDA_ERROR_OUT_OF_MEMORY ? BAILEY_ERROR_MEMORY : BAILEY_ERROR_DRIVER,
                             "kernel %s over %llu x %llu: %s", kernel->name, (unsigned long long)groups,
                             (unsigned long long)rows, bly_cuda_words(error, text));
        }
    }
    leave();
    return status;
}

static bailey_status sync(struct bly_device *base)
{
    struct device *device = cuda_device(base);
    bailey_status status = enter(device);
    if (status != BAILEY_OK) return status;
    const CUresult error = bly_cuda.cuStreamSynchronize(device->stream);
    if (error) status = bly_cuda_fail(error, "cuStreamSynchronize");
    leave();
    return status;
}

void bly_cuda_handles(const struct bly_device *base, void **context, void **stream)
{
    const struct device *device = (const struct device *)base;
    *context = device->context;
    *stream = device->stream;
}

uint64_t bly_cuda_pointer(const struct bly_memory *memory) { return memory->pointer; }

const struct bly_backend bly_backend_cuda = {
    .name = "cuda",
    .probe = probe,
    .describe = describe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .adopt = adopt,
    .release = release,
    .write = write_memory,
    .read = read_memory,
    .copy = copy_memory,
    .fill = fill_memory,
    .launch = launch,
    .sync = sync,
    .compile = compile,
    .forget = forget,
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

const struct bly_backend bly_backend_cuda = {.name = "cuda", .probe = probe, .open = open_device};

#endif
