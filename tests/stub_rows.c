/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Serves the drivers' kernels by calling the cpu backend's.
 */
#include "stub_rows.h"
#include "stub_faults.h"

#include <backend/backend.h>
#include <backend/cpu/cpu.h>
#include <backend/rows.h>
#include <kernels/kernels.h>

#include <stddef.h>
#include <string.h>

#include <backend/rows_undefined.h>
#define ROW(name, buffers, striped, team) [BLY_KERNEL_##name] = {#name, buffers, striped, team},
#define BLY_ROW_f32(entry) entry
#define BLY_ROW_f64(entry) entry
#define BLY_ENTRY_1(name, p, a) ROW(name, 1, 1, 0)
#define BLY_ENTRY_2(name, p, a, b) ROW(name, 2, 1, 0)
#define BLY_ENTRY_3(name, p, a, b, c) ROW(name, 3, 1, 0)
#define BLY_STRIPED_ENTRY_1(name, p, a) ROW(name, 1, BLY_FILL_STRIPED, 0)
#define BLY_STRIPED_ENTRY_2(name, p, a, b) ROW(name, 2, BLY_FILL_STRIPED, 0)
#define BLY_POINT_ENTRY_2(name, p, a, b) ROW(name, 2, BLY_FILL_STRIPED, 0)
#define BLY_POINT_ENTRY_3(name, p, a, b, c) ROW(name, 3, BLY_POINT_STRIPED, 0)
#define BLY_TEAM_ENTRY_1(name, p, a, words) ROW(name, 1, 1, BAILEY_RUN_LANES)
#define BLY_TEAM_ENTRY_2(name, p, a, b, words) ROW(name, 2, 1, BAILEY_RUN_LANES)
#define BLY_BRIDGE_READ(name, kind, record, real, scalar) ROW(name, 4, 1, 0)
#define BLY_BRIDGE_DRAW(name, kind, record, METHOD, real, scalar) ROW(name, 4, 1, 0)
#define BLY_PREBUILT(name, real, scalar) ROW(name, 4, 1, 0)
static const struct stub_row rows[BLY_KERNELS] = {BLY_KERNEL_ROWS};

/* The fast forms are the exact ones, as on the cpu backend. */
static bly_cpu_function function_of(const struct stub_row *row)
{
    for (ptrdiff_t number = row - rows;; number -= BLY_DRAW_box_muller_fast_f32 - BLY_DRAW_box_muller_f32) {
        if (bly_cpu_kernels_scalar_4[number].function) return bly_cpu_kernels_scalar_4[number].function;
        if (bly_cpu_kernels_scalar_8[number].function) return bly_cpu_kernels_scalar_8[number].function;
    }
}

/* An item takes packs as backend.h says; the first item of a team makes its run. */
static void run_row(const struct stub_row *row, const void *params, void *const *buffers, uint64_t item,
                    uint64_t row_number)
{
    const bly_cpu_function function = function_of(row);
    if (row->team) {
        if (item % row->team == 0)
            function(params, buffers, item / row->team, item / row->team + 1, row_number);
        return;
    }
    for (uint64_t pack = item / 32 * 32 * row->striped + item % 32, k = 0; k < row->striped; k++, pack += 32)
        function(params, buffers, row->striped == 1 ? item : pack, (row->striped == 1 ? item : pack) + 1,
                 row_number);
}

/* x[item] = 2 a[item] + 1 for the items below the parameter. */
static void stub_double(const void *params, void *const *buffers, uint64_t item)
{
    uint64_t count;
    memcpy(&count, params, sizeof count);
    if (item < count) ((uint64_t *)buffers[2])[item] = 2 * ((const uint64_t *)buffers[0])[item] + 1;
}

/* x[item] = the sum of the other fifteen, of which any may be missing, and of the last parameter, for the
 * items below the first. */
static void stub_gather(const void *params, void *const *buffers, uint64_t item)
{
    uint64_t p[BLY_MAX_PARAMS / 8];
    memcpy(p, params, sizeof p);
    if (item >= p[0]) return;
    uint64_t sum = p[BLY_MAX_PARAMS / 8 - 1];
    for (int i = 0; i < 15; i++) sum += buffers[i] ? ((const uint64_t *)buffers[i])[item] : 0;
    ((uint64_t *)buffers[15])[item] = sum;
}

int stub_kernel_find(const char *name, int is_text, struct stub_kernel *kernel)
{
    memset(kernel, 0, sizeof *kernel);
    if (is_text && strcmp(name, "stub_double") == 0)
        *kernel = (struct stub_kernel){NULL, stub_double, 3};
    else if (is_text && strcmp(name, "stub_gather") == 0)
        *kernel = (struct stub_kernel){NULL, stub_gather, 16};
    for (size_t i = 0; !is_text && i < BLY_KERNELS; i++)
        if (strcmp(rows[i].name, name) == 0) *kernel = (struct stub_kernel){&rows[i], NULL, rows[i].buffers};
    return kernel->row || kernel->text;
}

void stub_kernel_run(const struct stub_kernel *kernel, const void *params, void *const *buffers,
                     uint64_t item, uint64_t row)
{
    stub_items += kernel->text != NULL;
    if (kernel->text)
        kernel->text(params, buffers, item);
    else
        run_row(kernel->row, params, buffers, item, row);
}
