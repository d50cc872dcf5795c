/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels in C, over GNU vectors. Compiled once for each instruction set (BLY_LEVEL, with the
 * compiler's flags to match) and lane width in bytes (BLY_LANE_BYTES); BLY_VECTOR_BYTES is the width of
 * a register there, or 0 for scalar code.
 */
#if BLY_VECTOR_BYTES == 0
#define BAILEY_LANES 1
#else
#define BAILEY_LANES (BLY_VECTOR_BYTES / BLY_LANE_BYTES)
#endif

#include "cpu.h"

#include <backend/rows.h>
#include <kernels/kernels.h>

#define BLY_RUN(name, params_type, ...)                                                                      \
    static void name##_all(const void *params, void *const *buffers, uint64_t first, uint64_t last,          \
                           uint64_t row)                                                                     \
    {                                                                                                        \
        params_type p;                                                                                       \
        memcpy(&p, params, sizeof p);                                                                        \
        for (uint64_t item = first; item < last; item++) name##_item(p, __VA_ARGS__, item, row);             \
    }
#define BLY_ENTRY_1(name, p, t0) BLY_RUN(name, p, (t0 *)buffers[0])
#define BLY_STRIP_ENTRY_1 BLY_ENTRY_1
#define BLY_ENTRY_2(name, p, t0, t1) BLY_RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1])
#define BLY_ENTRY_3(name, p, t0, t1, t2)                                                                     \
    BLY_RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1], (t2 *)buffers[2])
#define BLY_ENTRY_4(name, p, t0, t1, t2, t3)                                                                 \
    BLY_RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1], (t2 *)buffers[2], (t3 *)buffers[3])

#define BLY_TEAM_RUN(name, params_type, ...)                                                                 \
    static void name##_all(const void *params, void *const *buffers, uint64_t first, uint64_t last,          \
                           uint64_t row)                                                                     \
    {                                                                                                        \
        params_type p;                                                                                       \
        memcpy(&p, params, sizeof p);                                                                        \
        (void)row;                                                                                           \
        for (uint64_t run = first; run < last; run++) name##_run(p, __VA_ARGS__, run);                       \
    }
#define BLY_TEAM_ENTRY_1(name, p, t0, words) BLY_TEAM_RUN(name, p, (t0 *)buffers[0])
#define BLY_TEAM_ENTRY_2(name, p, t0, t1, words) BLY_TEAM_RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1])

/* Rows whose lanes have this width; the other table has the rest. */
#if BLY_LANE_BYTES == 4
#define OWN_f32(entry) entry
#define OWN_f64(entry)
#else
#define OWN_f32(entry)
#define OWN_f64(entry) entry
#endif
#define BLY_ROW_f32 OWN_f32
#define BLY_ROW_f64 OWN_f64
BLY_KERNEL_ROWS

#include <backend/rows_named.h>
#undef BLY_ROW_f32
#undef BLY_ROW_f64
#define BLY_ROW_f32 OWN_f32
#define BLY_ROW_f64 OWN_f64
#define ROW(name) [BLY_KERNEL_##name] = {name##_all, BAILEY_LANES},
const struct bly_cpu_kernel BLY_CPU_TABLE(BLY_LEVEL, BLY_LANE_BYTES)[BLY_KERNELS] = {BLY_KERNEL_ROWS};
