/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Entry points in CUDA: one thread an item, over a grid that src/backend/cuda/cuda.c chooses.
 *
 * Threads along x are items, along y and then z rows. A launch that no grid can hold is cut into
 * several, which start at (first_item, first_row).
 *
 * A file of this folder is one fat binary. To add a kernel, add a line BLY_KERNEL_<name>; which must
 * start at the first column: cmake/BaileyCuda.cmake finds kernels by these lines.
 */
#ifndef BLY_ENTRY_H
#define BLY_ENTRY_H

/* The most threads of a block; the backend asks for it (CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK). */
#ifndef BLY_BLOCK
#define BLY_BLOCK 256
#endif

/* A buffer of const elements is read only and overlaps none that is written: __restrict__ lets its loads
 * use the read-only path. Any other may be read back by the kernel that writes it. */
template <typename type> struct bly_buffer {
    typedef type *of;
};
template <typename type> struct bly_buffer<const type> {
    typedef const type *__restrict__ of;
};

#define BLY_ENTRY(name, parameters, arguments)                                                               \
    extern "C" __global__ void __launch_bounds__(BLY_BLOCK) name parameters                                  \
    {                                                                                                        \
        const bailey_uint64 item = first_item + (bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x;        \
        const bailey_uint64 row_block = (bailey_uint64)blockIdx.z * gridDim.y + blockIdx.y;                  \
        const bailey_uint64 row = first_row + row_block * blockDim.y + threadIdx.y;                          \
        if (item < items && row < rows) name##_item arguments;                                               \
    }
#define BLY_SIZES bailey_uint64 items, bailey_uint64 rows, bailey_uint64 first_item, bailey_uint64 first_row

#define BLY_ENTRY_1(name, params, t0)                                                                        \
    BLY_ENTRY(name, (const params p, bly_buffer<t0>::of b0, BLY_SIZES), (p, b0, item, row))
#define BLY_ENTRY_2(name, params, t0, t1)                                                                    \
    BLY_ENTRY(name, (const params p, bly_buffer<t0>::of b0, bly_buffer<t1>::of b1, BLY_SIZES),               \
              (p, b0, b1, item, row))
#define BLY_ENTRY_3(name, params, t0, t1, t2)                                                                \
    BLY_ENTRY(                                                                                               \
        name,                                                                                                \
        (const params p, bly_buffer<t0>::of b0, bly_buffer<t1>::of b1, bly_buffer<t2>::of b2, BLY_SIZES),    \
        (p, b0, b1, b2, item, row))
#define BLY_ENTRY_4(name, params, t0, t1, t2, t3)                                                            \
    BLY_ENTRY(name,                                                                                          \
              (const params p, bly_buffer<t0>::of b0, bly_buffer<t1>::of b1, bly_buffer<t2>::of b2,          \
               bly_buffer<t3>::of b3, BLY_SIZES),                                                            \
              (p, b0, b1, b2, b3, item, row))

#endif
