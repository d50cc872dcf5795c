/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Kernels of the CUDA backend: from the embedded fat binaries, loaded when first launched, and from NVRTC,
 * where they are given as source.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_images.h"
#include "cuda_internal.h"
#include "nvrtc.h"

#include <backend/programs.h>

#include <stdlib.h>
#include <string.h>

#define FORMAT "bailey cuda program 1" /* changes when the key or the use of images does */

/* That an image called `name` was not loaded. */
static bailey_status fail_load(const struct bly_cuda_device *device, CUresult error, const char *name,
                               const char *log)
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
static bailey_status find_module(struct bly_cuda_device *device, unsigned index, CUmodule *result)
{
    if (!device->modules[index]) {
        const struct bly_cuda_image *image = &bly_cuda_images[index];
        char log[1024];
        CUmodule module;
        const double start = bly_seconds();
        const CUresult error = bly_cuda_load_image(image->begin, &module, log, sizeof log);
        if (error) return fail_load(device, error, image->name, log);
        bly_log(1, "%s: loaded the kernels \"%s\" in %.1f ms", device->base.info.address, image->name,
                1e3 * (bly_seconds() - start));
        device->modules[index] = module;
    }
    *result = device->modules[index];
    return BAILEY_OK;
}

static bailey_status find_embedded(struct bly_cuda_device *device, const struct bly_kernel *kernel,
                                   struct bly_cuda_function **result)
{
    struct bly_cuda_function *function = &device->functions[kernel->row];
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
    const struct bly_cuda_device *device;
    const struct bly_kernel *kernel;
    struct bly_nvrtc_plan plan;
};

static void *load_program(void *target, const void *image, size_t size)
{
    CUmodule module;
    char log[1024];
    (void)target, (void)size;
    return bly_cuda_load_image(image, &module, log, sizeof log) ? NULL : module;
}

static bailey_status build_program(void *target, void **program, void **image, size_t *size)
{
    const struct making *making = target;
    CUmodule module;
    char log[1024];
    const bailey_status status = bly_nvrtc_compile(making->kernel, &making->plan, image, size);
    if (status != BAILEY_OK) return status;
    const CUresult error = bly_cuda_load_image(*image, &module, log, sizeof log);
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

static bailey_status check_limit(const struct bly_cuda_device *device, const struct bly_kernel *kernel,
                                 uint32_t wanted, uint32_t most, const char *what)
{
    if (wanted <= most) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "kernel %s: %u %s, %s takes %u", kernel->name, (unsigned)wanted,
                    what, device->base.info.address, (unsigned)most);
}

static bailey_status plan_program(const struct bly_cuda_device *device, const struct bly_kernel *kernel,
                                  struct bly_nvrtc_plan *plan)
{
    int driver = 0;
    bly_cuda.cuDriverGetVersion(&driver);
    return bly_nvrtc_plan(
        kernel,
        (unsigned)(10 * bly_cuda_attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                   bly_cuda_attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)),
        driver, plan);
}

static bailey_status check_compiler(const struct bly_cuda_device *device)
{
    static const struct bly_kernel none;
    struct bly_nvrtc_plan plan;
    return plan_program(device, &none, &plan);
}

/* Compiles or finds the module of a kernel that has a source. */
static bailey_status make_module(struct bly_cuda_device *device, const struct bly_kernel *kernel,
                                 CUmodule *module)
{
    struct making making = {.device = device, .kernel = kernel};
    const int threads = bly_cuda_attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
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
static CUresult open_program(struct bly_cuda_program *program)
{
    const uint32_t shared = bly_shared_bytes(program->kernel);
    CUfunction handle;
    CUresult error = bly_cuda.cuModuleGetFunction(&handle, program->module, program->kernel->name);
    if (!error && shared > 48 << 10)
        error =
            bly_cuda.cuFuncSetAttribute(handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared);
    if (error) return error;
    program->function = (struct bly_cuda_function){handle, program->kernel->block};
    return CUDA_SUCCESS;
}

static bailey_status find_program(struct bly_cuda_device *device, const struct bly_kernel *kernel,
                                  struct bly_cuda_function **result)
{
    for (struct bly_cuda_program **link = &device->programs; *link; link = &(*link)->next) {
        struct bly_cuda_program *program = *link;
        if (program->kernel != kernel) continue;
        *link = program->next;
        program->next = device->programs;
        device->programs = program;
        *result = &program->function;
        return BAILEY_OK;
    }
    struct bly_cuda_program *program = calloc(1, sizeof *program);
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

bailey_status bly_cuda_find_function(struct bly_cuda_device *device, const struct bly_kernel *kernel,
                                     struct bly_cuda_function **result)
{
    return kernel->source ? find_program(device, kernel, result) : find_embedded(device, kernel, result);
}

static int function_attribute(const struct bly_cuda_function *function, CUfunction_attribute name)
{
    int value = 0;
    return bly_cuda.cuFuncGetAttribute(&value, name, function->handle) || value < 0 ? 0 : value;
}

bailey_status bly_cuda_compile(struct bly_device *base, const struct bly_kernel *kernel, size_t params_size,
                               bailey_kernel_info *info)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    struct bly_cuda_function *function = NULL;
    (void)params_size;
    if (!kernel) return check_compiler(device);
    bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    status = bly_cuda_find_function(device, kernel, &function);
    if (status == BAILEY_OK && info) {
        const uint32_t dynamic = kernel->source ? bly_shared_bytes(kernel) : 0;
        const int most =
            bly_cuda_attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
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
    bly_cuda_leave();
    return status;
}

void bly_cuda_forget(struct bly_device *base, const struct bly_kernel *kernel)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    struct bly_cuda_program **link = &device->programs;
    while (*link && (*link)->kernel != kernel) link = &(*link)->next;
    struct bly_cuda_program *program = *link;
    if (!program) return;
    *link = program->next;
    if (!bly_cuda.cuCtxPushCurrent_v2(device->context)) {
        bly_cuda.cuStreamSynchronize(device->stream);
        bly_cuda.cuModuleUnload(program->module);
        bly_cuda_leave();
    }
    free(program);
}

#endif
