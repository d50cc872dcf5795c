/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Built-in payoffs in C. They are written for one path; compilers make vectors of the loops over the paths of
 * an item. Compiled once for each instruction set and precision, as cpu_kernels.c, which has the table.
 */
#define BAILEY_LANES 1
#define BLY_WIDTH BLY_CPU_PAYOFF_PATHS(BLY_VECTOR_BYTES, BLY_LANE_BYTES)

#include "cpu.h"

#include <kernels/families.h>

/* Texts need not look at all that they are given. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#if BLY_LANE_BYTES == 4
#include <kernels/prebuilt_f32.h>
#define ROWS BLY_PREBUILT_ROWS_f32
#else
#include <kernels/prebuilt_f64.h>
#define ROWS BLY_PREBUILT_ROWS_f64
#endif

#undef BLY_PREBUILT
#define BLY_ROW_f32(entry) entry
#define BLY_ROW_f64(entry) entry
#define BLY_PREBUILT(name, precision, scalar)                                                                \
    void BLY_CPU_PAYOFF(name, BLY_ISA)(const void *params_, void *const *buffers, uint64_t first,            \
                                       uint64_t last, uint64_t row);                                         \
    void BLY_CPU_PAYOFF(name, BLY_ISA)(const void *params_, void *const *buffers, uint64_t first,            \
                                       uint64_t last, uint64_t row)                                          \
    {                                                                                                        \
        bly_prebuilt_params p;                                                                               \
        memcpy(&p, params_, sizeof p);                                                                       \
        for (uint64_t item = first; item < last; item++)                                                     \
            name##_item(p, (const uint64_t *)buffers[0], (const scalar *)buffers[1],                         \
                        (const scalar *)buffers[2], (double *)buffers[3], item, row);                        \
    }
ROWS
