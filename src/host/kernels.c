/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The host's table of kernels, and launching one.
 */
#include "internal.h"

#include <kernels/kernels.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* An entry point, seen from the host, is a row of the table; its items are not compiled. */
#undef BLY_BRIDGE_READ
#undef BLY_BRIDGE_DRAW
#define BLY_BRIDGE_READ(kind, record, real, scalar)                                                          \
    {.name = "bly_bridge_" #kind "_z_" #real,                                                                \
     .lane_bytes = LANE_BYTES,                                                                               \
     .buffers = 4,                                                                                           \
     .packs = BLY_BRIDGE_PACKS_##kind(real)},
#define BLY_BRIDGE_DRAW(kind, record, source, method, real, scalar)                                          \
    {.name = "bly_bridge_" #kind "_" #source "_" #real,                                                      \
     .lane_bytes = LANE_BYTES,                                                                               \
     .buffers = 3,                                                                                           \
     .packs = BLY_BRIDGE_PACKS_##kind(real)},
#define BLY_ENTRY_1(kernel, params, a) {.name = #kernel, .lane_bytes = LANE_BYTES, .buffers = 1},
#define BLY_ENTRY_2(kernel, params, a, b) {.name = #kernel, .lane_bytes = LANE_BYTES, .buffers = 2},
#define BLY_ENTRY_3(kernel, params, a, b, c) {.name = #kernel, .lane_bytes = LANE_BYTES, .buffers = 3},
#define BLY_ENTRY_4(kernel, params, a, b, c, d) {.name = #kernel, .lane_bytes = LANE_BYTES, .buffers = 4},
#undef BLY_STRIP_ENTRY_1
#define BLY_STRIP_ENTRY_1(kernel, params, a)                                                                 \
    {.name = #kernel, .lane_bytes = LANE_BYTES, .buffers = 1, .strips = BLY_FILL_STRIPS},
#define BLY_TEAM_ENTRY_1(kernel, params, a, words)                                                           \
    {.name = #kernel, .lane_bytes = LANE_BYTES, .buffers = 1, .team = BAILEY_RUN_LANES},
#define BLY_TEAM_ENTRY_2(kernel, params, a, b, words)                                                        \
    {.name = #kernel, .lane_bytes = LANE_BYTES, .buffers = 2, .team = BAILEY_RUN_LANES},
#define ROW(name) BLY_KERNEL_##name

static const struct bly_kernel kernels[] = {
#define LANE_BYTES 4
    BLY_KERNELS_32(ROW)
#undef LANE_BYTES
#define LANE_BYTES 8
        BLY_KERNELS_64(ROW)};

const struct bly_kernel *bly_kernel_find(const char *format, ...)
{
    char name[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].name, name) == 0) return &kernels[i];
    return NULL;
}

bailey_status bly_launch(bailey_context *context, const struct bly_kernel *kernel, uint64_t groups,
                         uint64_t rows, const void *params, size_t params_size, bailey_buffer *const *buffers,
                         const bailey_buffer *written, uint64_t first, uint64_t bytes)
{
    struct bly_device *device = context->device;
    struct bly_memory *memory[BLY_MAX_BUFFERS] = {0};
    if (!kernel) return bly_fail(BAILEY_ERROR_BUILD, "no kernel of that name");
    for (uint32_t i = 0; i < kernel->buffers; i++) {
        if (!buffers[i]) continue;
        memory[i] = buffers[i]->memory;
        if (!buffers[i]->host || buffers[i] == written) continue;
        const bailey_status status =
            device->backend->write(device, memory[i], 0, buffers[i]->host, buffers[i]->bytes);
        if (status != BAILEY_OK) return status;
    }
    bly_log(2, "%s: %s over %llu x %llu groups", device->info.address, kernel->name,
            (unsigned long long)groups, (unsigned long long)rows);
    const bailey_status status =
        device->backend->launch(device, kernel, groups, rows, params, params_size, memory);
    if (status != BAILEY_OK || !written->host) return status;
    return device->backend->read(device, written->memory, first, (char *)written->host + first, bytes);
}
