/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels in C, over GNU vectors. Compiled once for each instruction set (BLY_ISA, with the
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

/* Here the fast forms are the exact ones, whose rows serve for them (cpu.c). */
#undef BLY_DRAWS_FAST_f32
#define BLY_DRAWS_FAST_f32(X)
#define BLY_DRAWS_CALLED 1

#include <kernels/kernels.h>

#include "cpu_numbers.h"

#define BLY_ALL_OF(name)                                                                                     \
    void name(const void *params, void *const *buffers, uint64_t first, uint64_t last, uint64_t row)
#define BLY_ALL(name) static BLY_ALL_OF(name##_all)
#define BLY_RUN(name, params_type, ...)                                                                      \
    BLY_ALL(name)                                                                                            \
    {                                                                                                        \
        params_type p;                                                                                       \
        memcpy(&p, params, sizeof p);                                                                        \
        for (uint64_t item = first; item < last; item++) name##_item(p, __VA_ARGS__, item, row);             \
    }
#define BLY_ENTRY_1(name, p, t0) BLY_RUN(name, p, (t0 *)buffers[0])
#define BLY_ENTRY_2(name, p, t0, t1) BLY_RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1])
/* Rows of Philox: words, and numbers through words, if each of them has one, else item by item. */
#define BLY_STRIPED_RUN(name, params_type, ...)                                                              \
    BLY_ALL(name)                                                                                            \
    {                                                                                                        \
        const params_type *const given = params;                                                             \
        if (BLY_KERNEL_##name == BLY_KERNEL_bly_words_philox)                                                \
            first = bly_counter_words(10, given, buffers[0], first, last, row);                              \
        else if (BLY_KERNEL_##name == BLY_KERNEL_bly_words_philox7)                                          \
            first = bly_counter_words(7, given, buffers[0], first, last, row);                               \
        else if (bly_has_form(BLY_KERNEL_##name) &&                                                          \
                 bly_counter_numbers(BLY_KERNEL_##name, given, buffers, first, last, row))                   \
            return;                                                                                          \
        for (; first < last; first++) name##_item(*given, __VA_ARGS__, first, row);                          \
    }
#if defined(BLY_AT_ONCE) || BLY_LANE_BYTES == 8
#define BLY_STRIPED_ENTRY_2(name, p, t0, t1) BLY_STRIPED_RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1])
#else /* floats, in vectors of fewer lanes: nothing gained */
#define BLY_STRIPED_ENTRY_2 BLY_ENTRY_2
#endif
#define BLY_STRIPED_ENTRY_1(name, p, t0) BLY_STRIPED_RUN(name, p, (t0 *)buffers[0])
#define BLY_ENTRY_3(name, params_type, t0, t1, t2)                                                           \
    BLY_ALL(name)                                                                                            \
    {                                                                                                        \
        params_type p;                                                                                       \
        memcpy(&p, params, sizeof p);                                                                        \
        first = bly_form_at_once(BLY_KERNEL_##name, params, buffers, first, last, row);                      \
        for (; first < last; first++)                                                                        \
            name##_item(p, (t0 *)buffers[0], (t1 *)buffers[1], (t2 *)buffers[2], first, row);                \
    }
#define BLY_POINT_ENTRY_2 BLY_ENTRY_2
#define BLY_POINT_ENTRY_3(name, p, t0, t1, t2)                                                               \
    BLY_RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1], (t2 *)buffers[2])
#define BLY_ENTRY_4(name, p, t0, t1, t2, t3)                                                                 \
    BLY_RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1], (t2 *)buffers[2], (t3 *)buffers[3])

#define BLY_TEAM_RUN(name, params_type, ...)                                                                 \
    BLY_ALL(name)                                                                                            \
    {                                                                                                        \
        params_type p;                                                                                       \
        memcpy(&p, params, sizeof p);                                                                        \
        (void)row;                                                                                           \
        for (uint64_t group = first; group < last; group++) name##_alone(p, __VA_ARGS__, group);             \
    }
#if BLY_LANE_BYTES == 4
#define BLY_TEAM_ENTRY_1(name, p, t0, words) BLY_TEAM_RUN(name, p, (t0 *)buffers[0])
#define BLY_TEAM_ENTRY_2(name, p, t0, t1, words) BLY_TEAM_RUN(name, p, (t0 *)buffers[0], (t1 *)buffers[1])
#else /* doubles of the warp generator */
#define BLY_TEAM_ENTRY_1(name, p, t0, words)                                                                 \
    BLY_ALL(name)                                                                                            \
    {                                                                                                        \
        (void)row;                                                                                           \
        bly_segment_numbers(bly_form_of_row(BLY_KERNEL_##name - BLY_KERNEL_bly_warp_u01_f32), params,        \
                            buffers, first, last);                                                           \
    }
#define BLY_TEAM_ENTRY_2(name, p, t0, t1, words) BLY_TEAM_ENTRY_1(name, p, t0, words)
#endif

/* Readback kernels that draw: one of each kind, which is told the method. They are large, and no slower than
 * kernels that each have one method's draw; the other kernels would be 10 % slower in f64. */
#define BLY_DRAWN(kind, record, real, scalar)                                                                \
    static __attribute__((noinline)) void bly_drawn_##kind##_##real(                                         \
        int method, const void *params, void *const *buffers, uint64_t first, uint64_t last)                 \
    {                                                                                                        \
        bly_bridge_params p;                                                                                 \
        memcpy(&p, params, sizeof p);                                                                        \
        const bly_called_draw called = {method, params};                                                     \
        const bly_drawing draw = (bly_drawing)&called;                                                       \
        if (draw == BLY_DRAW_NONE) __builtin_unreachable();                                                  \
        for (uint64_t item = first; item < last; item++)                                                     \
            bly_bridge_##kind##_##real(draw, p, (const bailey_bridge_##record##_##real *)buffers[0],         \
                                       (const scalar *)buffers[1], (const scalar *)buffers[2],               \
                                       (scalar *)buffers[3], item);                                          \
    }
#define BLY_DRAWN_ROW(name, kind, METHOD, real)                                                              \
    BLY_ALL(name)                                                                                            \
    {                                                                                                        \
        (void)row;                                                                                           \
        bly_drawn_##kind##_##real(BAILEY_DRAW_##METHOD, params, buffers, first, last);                       \
    }
#define BLY_OWN_ROW(name, kind, record, METHOD, real, scalar)                                                \
    BLY_ALL(name)                                                                                            \
    {                                                                                                        \
        bly_bridge_params p;                                                                                 \
        memcpy(&p, params, sizeof p);                                                                        \
        (void)row;                                                                                           \
        for (uint64_t item = first; item < last; item++)                                                     \
            bly_bridge_##kind##_##real(                                                                      \
                BAILEY_DRAW_##METHOD, p, (const bailey_bridge_##record##_##real *)buffers[0],                \
                (const scalar *)buffers[1], (const scalar *)buffers[2], (scalar *)buffers[3], item);         \
    }
#undef BLY_BRIDGE_DRAW
#define BLY_BRIDGE_DRAW(name, kind, record, METHOD, real, scalar)                                            \
    BLY_DRAW_##kind(name, record, METHOD, real, scalar)
#define BLY_DRAW_paths(name, record, METHOD, real, scalar)                                                   \
    BLY_OWN_ROW(name, paths, record, METHOD, real, scalar)
#define BLY_DRAW_increments(name, record, METHOD, real, scalar)                                              \
    BLY_OWN_ROW(name, increments, record, METHOD, real, scalar)
#define BLY_DRAW_paths_readback(name, record, METHOD, real, scalar)                                          \
    BLY_DRAWN_ROW(name, paths_readback, METHOD, real)
#define BLY_DRAW_increments_readback(name, record, METHOD, real, scalar)                                     \
    BLY_DRAWN_ROW(name, increments_readback, METHOD, real)
#if BLY_LANE_BYTES == 4
BLY_DRAWN(paths_readback, step, f32, float)
BLY_DRAWN(increments_readback, split, f32, float)
#else
BLY_DRAWN(paths_readback, step, f64, double)
BLY_DRAWN(increments_readback, split, f64, double)
#endif

/* Payoffs are in a separate object. */
#define BLY_PREBUILT(name, real, scalar) extern BLY_ALL_OF(BLY_CPU_PAYOFF(name, BLY_ISA));

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
#undef BLY_PREBUILT
#define BLY_PREBUILT(name, real, scalar)                                                                     \
    [BLY_KERNEL_##name] = {BLY_CPU_PAYOFF(name, BLY_ISA),                                                    \
                           BLY_CPU_PAYOFF_PATHS(BLY_VECTOR_BYTES, BLY_LANE_BYTES) / (16 / BLY_LANE_BYTES)},
#define ROW(name) [BLY_KERNEL_##name] = {name##_all, BAILEY_LANES},
const struct bly_cpu_kernel BLY_CPU_TABLE(BLY_ISA, BLY_LANE_BYTES)[BLY_KERNELS] = {BLY_KERNEL_ROWS};
