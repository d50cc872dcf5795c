/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels of the stub driver of OpenCL: bailey's own, compiled as C, and stub_double, which tests give as
 * source.
 */
#include "stub_opencl_kernels.h"

#include <string.h>

#include <kernels/kernels.h>

#define RUN(name, params_type, ...)                                                                          \
    static void name##_stub(const void *params, void *const *buffers, uint64_t item, uint64_t row)           \
    {                                                                                                        \
        params_type p;                                                                                       \
        memcpy(&p, params, sizeof p);                                                                        \
        name##_item(p, __VA_ARGS__, item, row);                                                              \
    }
#define BLY_ENTRY_1(name, p, t0) RUN(name, p, (t0 *)buffers[0])
#define BLY_ENTRY_2(name, p, t0, t1) RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1])
#define BLY_ENTRY_3(name, p, t0, t1, t2) RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1], (t2 *)buffers[2])
#define BLY_ENTRY_4(name, p, t0, t1, t2, t3)                                                                 \
    RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1], (t2 *)buffers[2], (t3 *)buffers[3])
/* A GPU's item takes several packs 32 apart (backend.h); compiled as C, one. */
#define BLY_STRIP_ENTRY_1(name, params_type, t0)                                                             \
    static void name##_stub(const void *params, void *const *buffers, uint64_t item, uint64_t row)           \
    {                                                                                                        \
        params_type p;                                                                                       \
        memcpy(&p, params, sizeof p);                                                                        \
        for (uint64_t pack = item / 32 * 32 * BLY_FILL_STRIPS + item % 32, k = 0; k < BLY_FILL_STRIPS;       \
             k++, pack += 32)                                                                                \
            name##_item(p, (t0 *)buffers[0], pack, row);                                                     \
    }
/* A team's first item does what all of it should. */
#define TEAM 32
#define RUN_TEAM(name, params_type, ...)                                                                     \
    static void name##_stub(const void *params, void *const *buffers, uint64_t item, uint64_t row)           \
    {                                                                                                        \
        params_type p;                                                                                       \
        (void)row;                                                                                           \
        memcpy(&p, params, sizeof p);                                                                        \
        if (item % TEAM == 0) name##_run(p, __VA_ARGS__, item / TEAM);                                       \
    }
#define BLY_TEAM_ENTRY_1(name, p, t0, words) RUN_TEAM(name, p, (t0 *)buffers[0])
#define BLY_TEAM_ENTRY_2(name, p, t0, t1, words) RUN_TEAM(name, p, (t0 *)buffers[0], (t1 *)buffers[1])
#define BLY_ROW_f32(entry) entry
#define BLY_ROW_f64(entry) entry
BLY_KERNEL_ROWS

/* DOUBLE: x[item] = 2 a[item] + 1 for the items below the parameter. Every item that runs is counted. */
EXPORT uint64_t stub_items;
static void stub_double_stub(const void *params, void *const *buffers, uint64_t item, uint64_t row)
{
    uint64_t count;
    (void)row;
    memcpy(&count, params, sizeof count);
    stub_items++;
    if (item < count) ((uint64_t *)buffers[2])[item] = 2 * ((const uint64_t *)buffers[0])[item] + 1;
}

static const struct stub_kernel kernels[] = {
#include <backend/rows_named.h>
#define ROW(name) {#name, name##_stub, 0},
    BLY_KERNEL_ROWS{"stub_double", stub_double_stub, 1}};

const struct stub_kernel *stub_kernel_find(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernels[i].name, name) == 0) return &kernels[i];
    return NULL;
}
