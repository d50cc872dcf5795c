/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The CUDA backend, over the driver API: opening and launching.
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
#include <backend/rows.h>

#include <stdlib.h>
#include <string.h>

#define MAX_GRID_X 2147483647u
#define MAX_GRID_YZ 65535u

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
    CUresult error;
    bailey_status status = bly_cuda_enter(device);
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
    bly_cuda_leave();
    return status;
}

static void close_device(struct bly_device *base)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    if (device->context && !bly_cuda.cuCtxPushCurrent_v2(device->context)) {
        if (device->stream) bly_cuda.cuStreamSynchronize(device->stream);
        for (size_t i = 0; device->modules && bly_cuda_images[i].name; i++)
            if (device->modules[i]) bly_cuda.cuModuleUnload(device->modules[i]);
        for (const struct bly_cuda_program *p = device->programs; p; p = p->next)
            bly_cuda.cuModuleUnload(p->module);
        if (device->made_stream) bly_cuda.cuStreamDestroy_v2(device->stream);
        bly_cuda_leave();
    }
    if (device->retained) bly_cuda.cuDevicePrimaryCtxRelease_v2(device->ordinal);
    while (device->programs) {
        struct bly_cuda_program *next = device->programs->next;
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
    struct bly_cuda_device *device = calloc(1, sizeof *device);
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
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    struct bly_cuda_function *function = NULL;
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
    bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    status = bly_cuda_find_function(device, kernel, &function);
    if (status != BAILEY_OK) {
        bly_cuda_leave();
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
    bly_cuda_leave();
    return status;
}

static bailey_status sync(struct bly_device *base)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    bailey_status status = bly_cuda_enter(device);
    if (status != BAILEY_OK) return status;
    const CUresult error = bly_cuda.cuStreamSynchronize(device->stream);
    if (error) status = bly_cuda_fail(error, "cuStreamSynchronize");
    bly_cuda_leave();
    return status;
}

void bly_cuda_handles(const struct bly_device *base, void **context, void **stream)
{
    const struct bly_cuda_device *device = (const struct bly_cuda_device *)base;
    *context = device->context;
    *stream = device->stream;
}

uint64_t bly_cuda_pointer(const struct bly_memory *memory) { return memory->pointer; }

const struct bly_backend bly_backend_cuda = {
    .name = "cuda",
    .address_form = ADDRESS_FORM,
    .probe = bly_cuda_probe,
    .describe = bly_cuda_describe,
    .open = open_device,
    .close = close_device,
    .alloc = bly_cuda_alloc,
    .adopt = bly_cuda_adopt,
    .release = bly_cuda_release,
    .write = bly_cuda_write,
    .read = bly_cuda_read,
    .copy = bly_cuda_copy,
    .fill = bly_cuda_fill,
    .launch = launch,
    .sync = sync,
    .compile = bly_cuda_compile,
    .forget = bly_cuda_forget,
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
