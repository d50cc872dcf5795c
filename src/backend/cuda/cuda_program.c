/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs of the CUDA backend: rows from the embedded fat binaries, of which the device loads each once and
 * keeps it, and texts from NVRTC, each a separate module.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_images.h"
#include "cuda_internal.h"

#include <backend/programs.h>
#include <backend/rows.h>
#include <base/alloc.h>
#include <kernels_cu/tuned/tuned_cu.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "bailey cuda program 2" /* changes when the key or the use of images does */

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
                    "%s: loading the kernels \"%s\": cuModuleLoadDataEx: %s%s%s", device->base.info.address,
                    name, bly_cuda_words(error, text), *log ? "\n" : "", log);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The image's module, loaded if it was not; the context is current. */
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

/* How a tuned replacement is launched: kernels_cu/tuned/tuned_cu.h. */
struct shape {
    unsigned block, blocks, shared, early;
};

static const struct shape shapes[BLY_KERNELS] = {
#define SHAPE(block, blocks, shared, early)                                                                  \
    {                                                                                                        \
        block, blocks, shared, early                                                                         \
    }
#define ROW(name, shape, gain) [BLY_KERNEL_##name] = BLY_SHAPE_##shape(SHAPE),
    BLY_TUNED_CU(ROW)
#undef ROW
#undef SHAPE
};

static int is_tuned(const struct bly_cuda_device *device, uint32_t row)
{
    return device->base.tuned && bly_cuda_tuned_image_of[row] &&
           shapes[row].shared <= device->base.shared_bytes;
}

/* The image that holds a row's kernel. */
static unsigned image_of(const struct bly_cuda_device *device, uint32_t row)
{
    return is_tuned(device, row) ? bly_cuda_tuned_image_of[row] - 1u : bly_cuda_image_of[row];
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* A program while it is made. */
struct making {
    const struct bly_cuda_device *device;
    const char *name, *text; /* the definitions are in the text */
    struct bly_nvrtc_target target;
    struct bly_nvrtc_plan plan;
};

static void *load_image(void *target, const void *image, size_t size)
{
    CUmodule module;
    char log[1024];
    (void)target, (void)size;
    return bly_cuda_load_image(image, &module, log, sizeof log) ? NULL : module;
}

static bailey_status build_image(void *target, void **program, void **image, size_t *size)
{
    const struct making *making = target;
    CUmodule module;
    char log[1024];
    const bailey_status status =
        bly_nvrtc_compile(making->name, making->text, &making->target, &making->plan, image, size);
    if (status != BAILEY_OK) return status;
    const CUresult error = bly_cuda_load_image(*image, &module, log, sizeof log);
    if (error) {
        free(*image);
        *image = NULL;
        const bailey_status status_of_load = fail_load(making->device, error, making->name, log);
        /* An image that is refused straight from the compiler did not build. */
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

static bailey_status check_limits(const struct bly_cuda_device *device, const struct bly_code *code)
{
    const int most = bly_cuda_attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; status == BAILEY_OK && i < code->kernel_count; i++) {
        const struct bly_kernel *kernel = &code->kernels[i];
        status = check_limit(device, kernel, kernel->block, most > 0 ? (uint32_t)most : 0, "threads a block");
        if (status == BAILEY_OK)
            status = check_limit(device, kernel, bly_shared_bytes(kernel), device->base.shared_bytes,
                                 "bytes of shared memory a block");
    }
    return status;
}

static struct bly_nvrtc_target target_of(const struct bly_cuda_device *device)
{
    struct bly_nvrtc_target target = {.cache = device->cache,
                                      .capability = bly_cuda_capability(device->ordinal)};
    bly_cuda.cuDriverGetVersion(&target.driver);
    return target;
}

bailey_status bly_cuda_compiler(struct bly_device *base)
{
    const struct bly_nvrtc_target target = target_of((struct bly_cuda_device *)base);
    struct bly_nvrtc_plan plan;
    return bly_nvrtc_plan(0, 0, &target, &plan);
}

/* Finds the composed text's module, or compiles it. */
static bailey_status make_module(const struct bly_cuda_device *device, struct making *making,
                                 CUmodule *module)
{
    const char *key[BLY_NVRTC_OPTIONS + 4] = {FORMAT, making->plan.version, making->text};
    for (int i = 0; i < BLY_NVRTC_OPTIONS; i++) key[3 + i] = making->plan.options[i];
    const struct bly_wanted wanted = {.backend = "cuda",
                                      .name = making->name,
                                      .key = key,
                                      .cache = device->cache,
                                      .target = making,
                                      .load = load_image,
                                      .build = build_image};
    void *made = NULL;
    const bailey_status status = bly_program_make(&wanted, &made);
    *module = made;
    return status;
}

static bailey_status compile(const struct bly_cuda_device *device, const struct bly_code *code,
                             CUmodule *module)
{
    struct making making = {.device = device, .name = code->name, .target = target_of(device)};
    bailey_status status = check_limits(device, code);
    if (status == BAILEY_OK)
        status =
            bly_nvrtc_plan(code->kernels[0].block, bly_code_shared_bytes(code), &making.target, &making.plan);
    if (status != BAILEY_OK) return status;
    char *text = bly_code_compose(code);
    if (!text) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program's code");
    making.text = text;
    status = make_module(device, &making, module);
    bly_free(text);
    return status;
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* A program without its module. */
static struct bly_program *new_program(const struct bly_code *code)
{
    struct bly_program *program =
        bly_alloc(1, sizeof *program + code->kernel_count * sizeof *program->functions);
    if (!program) return NULL;
    program->is_row = !code->text;
    program->count = code->kernel_count;
    program->kernels = bly_code_kernels(code);
    for (uint32_t i = 0; program->kernels && i < code->kernel_count; i++)
        program->functions[i].kernel = &program->kernels[i];
    if (program->kernels) return program;
    bly_free(program);
    return NULL;
}

static void free_program(struct bly_program *program)
{
    if (program) bly_free(program->kernels);
    bly_free(program);
}

static int function_attribute(const struct bly_cuda_function *function, CUfunction_attribute name)
{
    int value = 0;
    return bly_cuda.cuFuncGetAttribute(&value, name, function->handle) || value < 0 ? 0 : value;
}

static bailey_status fail_function(const struct bly_cuda_function *function, CUresult error, const char *what)
{
    char text[BLY_CUDA_WORDS];
    return bly_fail(BAILEY_ERROR_DRIVER, "kernel %s: %s: %s", function->kernel->name, what,
                    bly_cuda_words(error, text));
}

/* More than 48 KiB of shared memory must be asked for. */
static bailey_status ask_shared(const struct bly_cuda_function *function)
{
    const unsigned fixed = (unsigned)function_attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    if (fixed + function->shared <= 48u << 10) return BAILEY_OK;
    const CUresult error = bly_cuda.cuFuncSetAttribute(
        function->handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)function->shared);
    return error ? fail_function(function, error, "cuFuncSetAttribute") : BAILEY_OK;
}

static int may_be_early(const struct bly_cuda_device *device)
{
    return bly_cuda.cuLaunchKernelEx && bly_cuda_capability(device->ordinal) >= 90;
}

/* Blocks that loop: as many as run at once, and no more than the table says. */
static bailey_status shape_loop(const struct bly_cuda_device *device, const struct shape *shape,
                                struct bly_cuda_function *function)
{
    int blocks = 0;
    function->block = shape->block;
    function->shared = shape->shared;
    function->early = shape->early && may_be_early(device);
    const bailey_status status = ask_shared(function);
    if (status != BAILEY_OK) return status;
    const CUresult error = bly_cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function->handle, (int)function->block, function->shared);
    if (error) return fail_function(function, error, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    if (blocks < 1) blocks = 1;
    if ((unsigned)blocks > shape->blocks) blocks = (int)shape->blocks;
    const unsigned units =
        device->base.info.units ? device->base.info.units : 1; /* the driver need not say */
    function->most_blocks = (unsigned)blocks * units;
    if (device->base.tuned == BLY_TUNED_WHERE_IT_PAYS)
        function->least_items =
            (uint64_t)function->most_blocks * function->block / device->tuning->copies_part;
    return BAILEY_OK;
}

/* A row's block is the largest that table and driver allow. */
static bailey_status shape_row(const struct bly_cuda_device *device, struct bly_cuda_function *function)
{
    int most = 0;
    const CUresult error =
        bly_cuda.cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function->handle);
    if (error) return fail_function(function, error, "cuFuncGetAttribute");
    function->block = 32;
    while (function->block < device->tuning->block && 2 * function->block <= (unsigned)most)
        function->block *= 2;
    return BAILEY_OK;
}

/* A text's block is given, and so is its shared memory. */
static bailey_status shape_text(const struct bly_cuda_device *device, struct bly_cuda_function *function)
{
    function->early = function->kernel->early && may_be_early(device);
    function->block = function->kernel->block;
    function->shared = bly_shared_bytes(function->kernel);
    return ask_shared(function);
}

static bailey_status take_function(CUmodule module, struct bly_cuda_function *function)
{
    const CUresult error = bly_cuda.cuModuleGetFunction(&function->handle, module, function->kernel->name);
    return error ? fail_function(function, error, "cuModuleGetFunction") : BAILEY_OK;
}

static bailey_status take_functions(const struct bly_cuda_device *device, CUmodule module,
                                    struct bly_program *program)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; status == BAILEY_OK && i < program->count; i++) {
        struct bly_cuda_function *function = &program->functions[i];
        const uint32_t row = function->kernel->row;
        status = take_function(module, function);
        if (status != BAILEY_OK) break;
        status = !program->is_row                              ? shape_text(device, function)
                 : is_tuned(device, row) && shapes[row].blocks ? shape_loop(device, &shapes[row], function)
                                                               : shape_row(device, function);
    }
    return status;
}

bailey_status bly_cuda_plain(struct bly_cuda_device *device, struct bly_program *program,
                             const struct bly_cuda_function **function)
{
    struct bly_cuda_function *plain = &program->plain;
    CUmodule module = NULL;
    *function = plain;
    if (plain->handle) return BAILEY_OK;
    plain->kernel = program->kernels;
    bailey_status status = find_module(device, bly_cuda_image_of[plain->kernel->row], &module);
    if (status == BAILEY_OK) status = take_function(module, plain);
    if (status == BAILEY_OK) status = shape_row(device, plain);
    if (status != BAILEY_OK) plain->handle = NULL;
    return status;
}

/* With the context current. */
static bailey_status fill_program(struct bly_cuda_device *device, const struct bly_code *code,
                                  struct bly_program *program)
{
    CUmodule module = NULL;
    bailey_status status = program->is_row
                               ? find_module(device, image_of(device, code->kernels[0].row), &module)
                               : compile(device, code, &module);
    if (status != BAILEY_OK) return status;
    status = take_functions(device, module, program);
    if (program->is_row) return status;
    if (status == BAILEY_OK)
        program->module = module;
    else
        bly_cuda.cuModuleUnload(module);
    return status;
}

bailey_status bly_cuda_load(struct bly_device *base, const struct bly_code *code, struct bly_program **result)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    *result = NULL;
    struct bly_program *program = new_program(code);
    if (!program) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program");
    bailey_status status = bly_cuda_enter(device);
    if (status == BAILEY_OK) {
        status = fill_program(device, code, program);
        bly_cuda_leave();
    }
    if (status == BAILEY_OK)
        *result = program;
    else
        free_program(program);
    return status;
}

void bly_cuda_unload(struct bly_device *base, struct bly_program *program)
{
    const struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    if (program && program->module && !bly_cuda.cuCtxPushCurrent_v2(device->context)) {
        bly_cuda_drain(device);
        bly_cuda.cuModuleUnload(program->module);
        bly_cuda_leave();
    }
    free_program(program);
}

bailey_status bly_cuda_inspect(struct bly_device *base, struct bly_program *program, uint32_t kernel,
                               bailey_kernel_info *info)
{
    const struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    const struct bly_cuda_function *function = &program->functions[kernel];
    const bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    const int most = bly_cuda_attribute(device->ordinal, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    int blocks = 0;
    memset(info, 0, sizeof *info);
    info->registers = (uint32_t)function_attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
    info->spill_bytes = (uint32_t)function_attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    info->shared_bytes =
        (uint32_t)function_attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + function->shared;
    info->block = function->block;
    if (most > 0 && !bly_cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                        &blocks, function->handle, (int)function->block, function->shared))
        info->occupancy = (double)blocks * function->block / most;
    bly_cuda_leave();
    return BAILEY_OK;
}

#endif
