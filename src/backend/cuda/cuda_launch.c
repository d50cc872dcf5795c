/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Launches of the CUDA backend: the shape of a kernel's blocks, its arguments, and the grids that it takes:
 * more than one where its items or rows exceed what a grid may have.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_internal.h"

#include <string.h>

#define MAX_GRID_X 2147483647u
#define MAX_GRID_YZ 65535u

/* A launch; the grid that is queued next begins at (first_item, first_row). */
struct launch {
    const struct bly_cuda_function *function;
    CUstream stream;
    uint64_t items, rows, first_item, first_row;
    unsigned x, y; /* of a block */
    uint64_t params[BLY_MAX_PARAMS / 8];
    CUdeviceptr pointers[BLY_MAX_BUFFERS];
    void *arguments[1 + BLY_MAX_BUFFERS + 4];
};

static uint64_t divide_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

/* Blocks of items along x and rows along y (src/kernels_cu/entry_cu.h): rows fill a block where items alone
 * would leave too many of its threads idle. */
static void shape_block(const struct bly_cuda_tuning *tuning, unsigned block, struct launch *launch)
{
    unsigned x = block, y = 1;
    while (x > 1 && y < launch->rows) {
        const uint64_t idle = divide_up(launch->items, x) * x - launch->items;
        if (x <= 32 ? launch->items > x / 2 : idle <= launch->items / tuning->idle_part) break;
        x /= 2;
        y *= 2;
    }
    launch->x = x;
    launch->y = y;
}

/* The block of a row: small launches take small ones, so that every multiprocessor gets some. */
static void shape_row(const struct bly_cuda_device *device, struct launch *launch)
{
    const struct bly_cuda_tuning *tuning = device->tuning;
    const uint64_t blocks = (uint64_t)tuning->blocks_per_unit * device->base.info.units;
    unsigned block = launch->function->block;
    while (block > tuning->least_block && launch->items < blocks * block / launch->rows) block /= 2;
    shape_block(tuning, block, launch);
}

/* The arguments of the entry point: the parameters, the buffers, and the range. */
static void fill_arguments(struct launch *launch, const void *params, struct bly_memory *const *buffers)
{
    const struct bly_kernel *kernel = launch->function->kernel;
    unsigned n = 0;
    if (kernel->params_bytes) memcpy(launch->params, params, kernel->params_bytes);
    launch->arguments[n++] = launch->params;
    for (uint32_t i = 0; i < kernel->buffers; i++) {
        launch->pointers[i] = buffers[i] ? buffers[i]->pointer : 0;
        launch->arguments[n++] = &launch->pointers[i];
    }
    launch->arguments[n++] = &launch->items;
    launch->arguments[n++] = &launch->rows;
    launch->arguments[n++] = &launch->first_item;
    launch->arguments[n++] = &launch->first_row;
}

static bailey_status fail_launch(const struct launch *launch, CUresult error)
{
    char text[BLY_CUDA_WORDS];
    return bly_fail(error == CUDA_ERROR_OUT_OF_MEMORY ? BAILEY_ERROR_MEMORY : BAILEY_ERROR_DRIVER,
                    "kernel %s over %llu x %llu: cuLaunchKernel: %s", launch->function->kernel->name,
                    (unsigned long long)launch->items, (unsigned long long)launch->rows,
                    bly_cuda_words(error, text));
}

/* A kernel that waits by itself for those before it begins while they end. */
static CUresult launch_grid(struct launch *launch, const unsigned grid[3], unsigned x, unsigned y)
{
    const struct bly_cuda_function *function = launch->function;
    if (!function->early)
        return bly_cuda.cuLaunchKernel(function->handle, grid[0], grid[1], grid[2], x, y, 1, function->shared,
                                       launch->stream, launch->arguments, NULL);
    CUlaunchAttribute early = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION};
    early.value.programmaticStreamSerializationAllowed = 1;
    const CUlaunchConfig config = {.gridDimX = grid[0],
                                   .gridDimY = grid[1],
                                   .gridDimZ = grid[2],
                                   .blockDimX = x,
                                   .blockDimY = y,
                                   .blockDimZ = 1,
                                   .sharedMemBytes = function->shared,
                                   .hStream = launch->stream,
                                   .attrs = &early,
                                   .numAttrs = 1};
    return bly_cuda.cuLaunchKernelEx(&config, function->handle, launch->arguments, NULL);
}

/* Queues blocks that loop over all items of all rows. */
static bailey_status launch_loop(struct launch *launch)
{
    const struct bly_cuda_function *function = launch->function;
    const uint64_t blocks = divide_up(launch->items * launch->rows, function->block);
    const unsigned grid = blocks < function->most_blocks ? (unsigned)blocks : function->most_blocks;
    const CUresult error = launch_grid(launch, (unsigned[]){grid, 1, 1}, function->block, 1);
    return error ? fail_launch(launch, error) : BAILEY_OK;
}

/* Queues the items of as many rows, starting at first_row, as fit a grid: one grid after another along the
 * items. */
static bailey_status launch_rows(struct launch *launch, uint64_t rows_here)
{
    const uint64_t most_items = (uint64_t)MAX_GRID_X * launch->x;
    const uint64_t row_blocks = divide_up(rows_here, launch->y);
    const unsigned grid_z = (unsigned)divide_up(row_blocks, MAX_GRID_YZ);
    const unsigned grid_y = (unsigned)divide_up(row_blocks, grid_z);
    for (launch->first_item = 0; launch->first_item < launch->items; launch->first_item += most_items) {
        const uint64_t left = launch->items - launch->first_item;
        const unsigned grid_x = (unsigned)divide_up(left < most_items ? left : most_items, launch->x);
        const CUresult error = launch_grid(launch, (unsigned[]){grid_x, grid_y, grid_z}, launch->x, launch->y);
        if (error) return fail_launch(launch, error);
    }
    return BAILEY_OK;
}

static bailey_status launch_all(struct launch *launch)
{
    if (launch->function->most_blocks) return launch_loop(launch);
    const uint64_t most_rows = (uint64_t)MAX_GRID_YZ * MAX_GRID_YZ * launch->y;
    for (launch->first_row = 0; launch->first_row < launch->rows; launch->first_row += most_rows) {
        const uint64_t left = launch->rows - launch->first_row;
        const bailey_status status = launch_rows(launch, left < most_rows ? left : most_rows);
        if (status != BAILEY_OK) return status;
    }
    return BAILEY_OK;
}

bailey_status bly_cuda_launch(struct bly_device *base, uint32_t queue, struct bly_program *program,
                              uint32_t kernel, uint64_t groups, uint64_t rows, const void *params,
                              struct bly_memory *const *buffers)
{
    struct bly_cuda_device *device = (struct bly_cuda_device *)base;
    struct launch launch = {.function = &program->functions[kernel], .rows = rows, .y = 1};
    launch.items = program->is_row ? bly_scalar_items(launch.function->kernel, groups) : groups;
    bailey_status status = bly_cuda_begin(device, queue, &launch.stream);
    if (status != BAILEY_OK) return status;
    if (launch.items * rows < launch.function->least_items)
        status = bly_cuda_plain(device, program, &launch.function);
    launch.x = launch.function->block;
    if (program->is_row) shape_row(device, &launch);
    fill_arguments(&launch, params, buffers);
    if (status == BAILEY_OK) status = launch_all(&launch);
    bly_cuda_leave();
    return status;
}

#endif
