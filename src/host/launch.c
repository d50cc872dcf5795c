/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The host's table of kernels, launching one, and the errors that a context keeps.
 */
#include "internal.h"

#include <backend/rows.h>
#include <kernels/kernels.h>

#include <stdio.h>

/* A row is known by its name and its place, and its own text is the program of one kernel. */
#define ROW(kernel, count, text) .name = #kernel, .entry = text, .row = BLY_KERNEL_##kernel, .buffers = count
#define BLY_ENTRY_1(kernel, p, a) ROW(kernel, 1, "BLY_ENTRY_1(" #kernel ", " #p ", " #a ")")
#define BLY_ENTRY_2(kernel, p, a, b) ROW(kernel, 2, "BLY_ENTRY_2(" #kernel ", " #p ", " #a ", " #b ")")
#define BLY_ENTRY_3(kernel, p, a, b, c)                                                                      \
    ROW(kernel, 3, "BLY_ENTRY_3(" #kernel ", " #p ", " #a ", " #b ", " #c ")")
#define BLY_STRIP_ENTRY_1(kernel, p, a)                                                                      \
    ROW(kernel, 1, "BLY_STRIP_ENTRY_1(" #kernel ", " #p ", " #a ")"), .strips = BLY_FILL_STRIPS
#define BLY_TEAM_ENTRY_1(kernel, p, a, words)                                                                \
    ROW(kernel, 1, "BLY_TEAM_ENTRY_1(" #kernel ", " #p ", " #a ", " #words ")"), .team = BAILEY_RUN_LANES
#define BLY_TEAM_ENTRY_2(kernel, p, a, b, words)                                                             \
    ROW(kernel, 2, "BLY_TEAM_ENTRY_2(" #kernel ", " #p ", " #a ", " #b ", " #words ")"),                     \
        .team = BAILEY_RUN_LANES
#undef BLY_BRIDGE_READ
#define BLY_BRIDGE_READ(kernel, kind, record, real, scalar)                                                  \
    ROW(kernel, 4, "BLY_BRIDGE_READ(" #kernel ", " #kind ", " #record ", " #real ", " #scalar ")"),          \
        .packs = BLY_BRIDGE_PACKS_##kind(real)
#undef BLY_BRIDGE_DRAW
#define BLY_BRIDGE_DRAW(kernel, kind, record, METHOD, real, scalar)                                          \
    ROW(kernel, 3,                                                                                           \
        "BLY_BRIDGE_DRAW(" #kernel ", " #kind ", " #record ", " #METHOD ", " #real ", " #scalar ")"),        \
        .packs = BLY_BRIDGE_PACKS_##kind(real)
#define BLY_ROW_f32(entry) {entry, .lane_bytes = 4},
#define BLY_ROW_f64(entry) {entry, .lane_bytes = 8},

const struct bly_kernel bly_kernels[BLY_KERNELS] = {BLY_KERNEL_ROWS};

bailey_status bly_launch(bailey_context *context, const struct bly_kernel *kernel, uint64_t groups,
                         uint64_t rows, const void *params, size_t params_size, bailey_buffer *const *buffers,
                         const bailey_buffer *written, uint64_t first, uint64_t bytes)
{
    struct bly_device *device = context->device;
    struct bly_memory *memory[BLY_MAX_BUFFERS] = {0};
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

const char *bailey_context_error(const bailey_context *context) { return context ? context->error : ""; }

bailey_status bly_finish(bailey_context *context, bailey_status status)
{
    if (status != BAILEY_OK && context)
        snprintf(context->error, sizeof context->error, "%s", bailey_error_text());
    return status;
}
