/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Entry points of kernels that read the table of the inverse CDF from copies in shared memory
 * (bailey/device/lang/icdf_copies.h). A row of these has a few blocks for each multiprocessor, which copy the
 * table and then loop over all items of all rows; the grid has one dimension (cuda_launch.c). The table is
 * the buffer before the last.
 *
 * Where a file of rows is read as a list (cmake/BaileyCuda.cmake), BLY_ENTRY_H is defined and there is
 * nothing here.
 */
#if !defined(BLY_ENTRY_H)
#define BAILEY_ICDF_COPIES 8
#if !defined(BAILEY_ICDF_HOT_F32)
#define BAILEY_ICDF_HOT_F32 1024 /* rows with a sign */
#define BLY_SHAPE_F32 BLY_SHAPE_COPIES_F32
#endif
#define BAILEY_ICDF_HOT_F64 256
#include <kernels_cu/entry_cu.h>

#include <kernels/fill.h>
#include <kernels/halves_items.h>
#include <kernels/mixed_widths.h>
#include <kernels/segments.h>
#include <kernels/sobol_items.h>
#include <kernels_cu/tuned/tuned_cu.h>

#undef BLY_STRIPED_ENTRY_2
#undef BLY_ENTRY_3
#undef BLY_POINT_ENTRY_3
#undef BLY_TEAM_ENTRY_2

/* The element of a table, with its shape in tuned_cu.h. */
template <typename type> struct bly_copies;
#define BLY_SHAPE(threads, count, bytes, early) enum { block = threads, blocks = count, shared = bytes };
template <> struct bly_copies<const float> {
    typedef float element;
    BLY_SHAPE_F32(BLY_SHAPE)
};
template <> struct bly_copies<const double> {
    typedef double element;
    BLY_SHAPE_COPIES_F64(BLY_SHAPE)
};
static_assert(bly_copies<const float>::shared == BAILEY_ICDF_COPIES_BYTES_F32, "shape COPIES_F32");
static_assert(bly_copies<const double>::shared == BAILEY_ICDF_COPIES_BYTES_F64, "shape COPIES_F64");

BAILEY_FN void bly_copy(void *memory, const float *table)
{
    bailey_icdf_copy_f32(memory, table, threadIdx.x, bly_copies<const float>::block);
}
BAILEY_FN void bly_copy(void *memory, const double *table)
{
    bailey_icdf_copy_f64(memory, table, threadIdx.x, bly_copies<const double>::block);
}

/* The kernel after this one may begin as soon as blocks of this one end, where its launch allows that
 * (programmatic dependent launch); what it writes, and all that the kernels before it wrote, is waited for
 * here. Without such a launch neither does anything. */
BAILEY_FN void bly_let_next_begin(void)
{
#if __CUDA_ARCH__ >= 900
    BAILEY_ASM volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
BAILEY_FN void bly_wait_for_last(void)
{
#if __CUDA_ARCH__ >= 900
    BAILEY_ASM volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Items follow one another from row to row. */
#define BLY_COPIES_ENTRY(name, type, parameters, table, loop, call)                                          \
    extern "C" __global__ void __launch_bounds__(bly_copies<type>::block, bly_copies<type>::blocks)          \
        name parameters                                                                                      \
    {                                                                                                        \
        extern __shared__ __align__(16) bailey_uint64 memory[];                                              \
        bly_let_next_begin();                                                                                \
        bly_copy(memory, table);                                                                             \
        bly_wait_for_last();                                                                                 \
        __syncthreads();                                                                                     \
        const bly_copies<type>::element *const copies = (const bly_copies<type>::element *)memory;           \
        const bailey_uint64 step = (bailey_uint64)gridDim.x * blockDim.x;                                    \
        const bailey_uint64 first = (bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x;                    \
        loop(call)                                                                                           \
    }

#define BLY_STRIPED_ENTRY_2(name, params, t0, t1)                                                            \
    BLY_COPIES_ENTRY(name, t0, (const params p, bly_buffer<t0>::of b0, bly_buffer<t1>::of b1, BLY_SIZES),    \
                     b0, BLY_ONE_ROW, name##_item(p, copies, b1, item, row))
#define BLY_COPIES_ENTRY_3(name, params, t0, t1, t2, loop)                                                   \
    BLY_COPIES_ENTRY(                                                                                        \
        name, t1,                                                                                            \
        (const params p, bly_buffer<t0>::of b0, bly_buffer<t1>::of b1, bly_buffer<t2>::of b2, BLY_SIZES),    \
        b1, loop, name##_item(p, b0, copies, b2, item, row))
#define BLY_ENTRY_3(...) BLY_COPIES_ENTRY_3(__VA_ARGS__, BLY_ONE_ROW)
#define BLY_POINT_ENTRY_3(...) BLY_COPIES_ENTRY_3(__VA_ARGS__, BLY_MANY_ROWS)
#define BLY_TEAM_ENTRY_2(name, params, t0, t1, words)                                                        \
    BLY_COPIES_ENTRY(                                                                                        \
        name, t0, (const params p, bly_buffer<t0>::of b0, bly_buffer<t1>::of b1, BLY_SIZES), b0,             \
        BLY_ONE_ROW,                                                                                         \
        name##_team(p, copies, b1, nullptr, item / BLY_TEAM, (bailey_uint32)(item % BLY_TEAM), 1))

#endif
