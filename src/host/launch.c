/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The host's table of kernels, launching one, and the last error of a context.
 */
#include "internal.h"

#include <backend/rows.h>
#include <kernels/kernels.h>

#include <stdio.h>

/* A row is known by its name and its place, and its own text is the program of one kernel. */
#define ROW(text, count, kernel, params, ...)                                                                \
    .name = #kernel, .entry = text, .row = BLY_KERNEL_##kernel, .params_bytes = sizeof(params),              \
    .buffers = count
#define BLY_ENTRY_1(...) ROW("BLY_ENTRY_1(" #__VA_ARGS__ ")", 1, __VA_ARGS__)
#define BLY_ENTRY_2(...) ROW("BLY_ENTRY_2(" #__VA_ARGS__ ")", 2, __VA_ARGS__)
#define BLY_ENTRY_3(...) ROW("BLY_ENTRY_3(" #__VA_ARGS__ ")", 3, __VA_ARGS__)
#define BLY_STRIPED_ENTRY_1(...)                                                                             \
    ROW("BLY_STRIPED_ENTRY_1(" #__VA_ARGS__ ")", 1, __VA_ARGS__), .striped = BLY_FILL_STRIPED
#define BLY_STRIPED_ENTRY_2(...)                                                                             \
    ROW("BLY_STRIPED_ENTRY_2(" #__VA_ARGS__ ")", 2, __VA_ARGS__), .striped = BLY_FILL_STRIPED
#define BLY_POINT_ENTRY_2(...)                                                                               \
    ROW("BLY_POINT_ENTRY_2(" #__VA_ARGS__ ")", 2, __VA_ARGS__), .striped = BLY_FILL_STRIPED,                 \
                                                                .packs = BLY_SOBOL_PACKS
#define BLY_POINT_ENTRY_3(...)                                                                               \
    ROW("BLY_POINT_ENTRY_3(" #__VA_ARGS__ ")", 3, __VA_ARGS__), .striped = BLY_POINT_STRIPED,                \
                                                                .packs = BLY_SOBOL_PACKS
#define BLY_TEAM_ENTRY_1(...)                                                                                \
    ROW("BLY_TEAM_ENTRY_1(" #__VA_ARGS__ ")", 1, __VA_ARGS__), .team = BAILEY_RUN_LANES
#define BLY_TEAM_ENTRY_2(...)                                                                                \
    ROW("BLY_TEAM_ENTRY_2(" #__VA_ARGS__ ")", 2, __VA_ARGS__), .team = BAILEY_RUN_LANES
#define BRIDGE(text, count, kernel, kind, real)                                                              \
    ROW(text, count, kernel, bly_bridge_params, ), .packs = BLY_BRIDGE_PACKS_##kind(real)
#undef BLY_BRIDGE_READ
#define BLY_BRIDGE_READ(kernel, kind, record, real, scalar)                                                  \
    BRIDGE("BLY_BRIDGE_READ(" #kernel ", " #kind ", " #record ", " #real ", " #scalar ")", 4, kernel, kind,  \
           real)
#undef BLY_BRIDGE_DRAW
#define BLY_BRIDGE_DRAW(kernel, kind, record, METHOD, real, scalar)                                          \
    BRIDGE("BLY_BRIDGE_DRAW(" #kernel ", " #kind ", " #record ", " #METHOD ", " #real ", " #scalar ")", 4,   \
           kernel, kind, real)
#define BLY_PREBUILT(kernel, real, scalar)                                                                   \
    ROW("BLY_PREBUILT(" #kernel ", " #real ", " #scalar ")", 4, kernel, bly_prebuilt_params, ),              \
        .header = "kernels/prebuilt_" #real ".h"
#define BLY_ROW_f32(entry) {entry, .lane_bytes = 4},
#define BLY_ROW_f64(entry) {entry, .lane_bytes = 8},

const struct bly_kernel bly_kernels[BLY_KERNELS] = {BLY_KERNEL_ROWS};

bailey_status bly_row_entry(bailey_context *context, const struct bly_kernel *row, struct bly_entry *entry)
{
    struct bly_program **program = &context->rows[row->row];
    *entry = (struct bly_entry){.program = *program, .kernel = row};
    if (*program) return BAILEY_OK;
    const struct bly_code code = {.name = row->name, .kernels = row, .kernel_count = 1};
    const bailey_status status = context->device->backend->load(context->device, &code, program);
    entry->program = *program;
    return status;
}

void bly_rows_unload(bailey_context *context)
{
    for (int row = 0; row < BLY_KERNELS; row++)
        if (context->rows[row]) context->device->backend->unload(context->device, context->rows[row]);
}

/* The memory of the buffers. Host memory that they stand for is copied in. */
static bailey_status find_memory(struct bly_device *device, uint32_t count, bailey_buffer *const *buffers,
                                 const bailey_buffer *written, struct bly_memory **memory)
{
    for (uint32_t i = 0; i < count; i++) {
        memory[i] = buffers[i] ? buffers[i]->memory : NULL;
        if (!buffers[i] || !buffers[i]->host || buffers[i] == written) continue;
        const bailey_status status =
            device->backend->write(device, memory[i], 0, buffers[i]->host, buffers[i]->bytes);
        if (status != BAILEY_OK) return status;
    }
    return BAILEY_OK;
}

bailey_status bly_launch_entry(bailey_context *context, const struct bly_entry *entry, uint64_t groups,
                               uint64_t rows, const void *params, bailey_buffer *const *buffers,
                               const bailey_buffer *written, uint64_t first, uint64_t bytes)
{
    struct bly_device *device = context->device;
    struct bly_memory *memory[BLY_MAX_BUFFERS];
    if (bly_watch_stops(&device->watch)) return bly_watch_stopped();
    bailey_status status = find_memory(device, entry->kernel->buffers, buffers, written, memory);
    if (status != BAILEY_OK) return status;
    bly_log(2, "%s: %s over %llu x %llu groups", device->info.address, entry->kernel->name,
            (unsigned long long)groups, (unsigned long long)rows);
    status = device->backend->launch(device, 0, entry->program, entry->number, groups, rows, params, memory);
    if (status != BAILEY_OK || !written->host) return status;
    return device->backend->read(device, written->memory, first, (char *)written->host + first, bytes);
}

bailey_status bly_launch(bailey_context *context, const struct bly_kernel *row, uint64_t groups,
                         uint64_t rows, const void *params, size_t params_size, bailey_buffer *const *buffers,
                         const bailey_buffer *written, uint64_t first, uint64_t bytes)
{
    struct bly_entry entry;
    if (params_size != row->params_bytes)
        return bly_fail(BAILEY_ERROR_INVALID, "%s has %u bytes of parameters, not %zu", row->name,
                        (unsigned)row->params_bytes, params_size);
    const bailey_status status = bly_row_entry(context, row, &entry);
    if (status != BAILEY_OK) return status;
    return bly_launch_entry(context, &entry, groups, rows, params, buffers, written, first, bytes);
}

const char *bailey_context_error(const bailey_context *context) { return context ? context->error : ""; }

#if BLY_CHECK_THREADS
static _Thread_local char this_thread; /* its address */

struct bly_entered bly_enter(bailey_context *context)
{
    const uintptr_t me = (uintptr_t)&this_thread;
    uintptr_t nobody = 0;
    if (!context) return (struct bly_entered){NULL, BAILEY_OK};
    if (atomic_load(&context->user) != me && !atomic_compare_exchange_strong(&context->user, &nobody, me))
        return (struct bly_entered){
            NULL, bly_fail_argument("context",
                                    "the context of %s is in use by another thread: a context, and all "
                                    "objects created from it, may be used by one thread at a time",
                                    context->device->info.address)};
    context->entered++;
    return (struct bly_entered){context, BAILEY_OK};
}

void bly_leave(const struct bly_entered *entered)
{
    bailey_context *context = entered->context;
    if (context && --context->entered == 0) atomic_store(&context->user, 0);
}
#endif

bailey_status bly_finish(bailey_context *context, bailey_status status)
{
    if (status != BAILEY_OK && context)
        snprintf(context->error, sizeof context->error, "%s", bailey_error_message());
    return status;
}
