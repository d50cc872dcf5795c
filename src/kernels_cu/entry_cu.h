/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Entry points in CUDA: one thread per item, over a grid that src/backend/cuda/cuda_launch.c chooses.
 *
 * Threads along x are items, along y and then z rows. A launch that no grid can hold is cut into
 * several, which start at (first_item, first_row).
 *
 * A file of this folder is one fat binary, of rows of kernels/families.h; each row stands in one of them.
 * Some stand once more, replaced, in the folder tuned.
 *
 * BLY_GROUP_ENTRY_n makes a group kernel, for texts that are compiled at run time: as in
 * src/kernels_cl/entry_cl.h, but `shared` is dynamic shared memory. BLY_BLOCK is the block's size, exactly.
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
#if defined(BLY_EARLY)
    typedef const type *of; /* a kernel before this one may still write it as this one begins */
#else
    typedef const type *__restrict__ of;
#endif
};

/* Buffers with their types, and what entry points call them. */
#define BLY_BUFFERS_1(a) bly_buffer<a>::of b0
#define BLY_BUFFERS_2(a, b) BLY_BUFFERS_1(a), bly_buffer<b>::of b1
#define BLY_BUFFERS_3(a, b, c) BLY_BUFFERS_2(a, b), bly_buffer<c>::of b2
#define BLY_BUFFERS_4(a, b, c, d) BLY_BUFFERS_3(a, b, c), bly_buffer<d>::of b3
#define BLY_BUFFERS_6(a, b, c, d, e, f) BLY_BUFFERS_4(a, b, c, d), bly_buffer<e>::of b4, bly_buffer<f>::of b5
#define BLY_BUFFERS_8(a, b, c, d, e, f, g, h)                                                                \
    BLY_BUFFERS_4(a, b, c, d), bly_buffer<e>::of b4, bly_buffer<f>::of b5, bly_buffer<g>::of b6,             \
        bly_buffer<h>::of b7
#define BLY_BUFFERS_16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                       \
    BLY_BUFFERS_8(a, b, c, d, e, f, g, h), bly_buffer<i>::of b8, bly_buffer<j>::of b9,                       \
        bly_buffer<k>::of b10, bly_buffer<l>::of b11, bly_buffer<m>::of b12, bly_buffer<n>::of b13,          \
        bly_buffer<o>::of b14, bly_buffer<p>::of b15
#define BLY_NAMES_1 b0
#define BLY_NAMES_2 b0, b1
#define BLY_NAMES_3 b0, b1, b2
#define BLY_NAMES_4 b0, b1, b2, b3
#define BLY_NAMES_6 BLY_NAMES_4, b4, b5
#define BLY_NAMES_8 BLY_NAMES_4, b4, b5, b6, b7
#define BLY_NAMES_16 BLY_NAMES_8, b8, b9, b10, b11, b12, b13, b14, b15

#define BLY_ENTRY(name, parameters, arguments)                                                               \
    extern "C" __global__ void __launch_bounds__(BLY_BLOCK) name parameters                                  \
    {                                                                                                        \
        const bailey_uint64 item = first_item + (bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x;        \
        const bailey_uint64 row_block = (bailey_uint64)blockIdx.z * gridDim.y + blockIdx.y;                  \
        const bailey_uint64 row = first_row + row_block * blockDim.y + threadIdx.y;                          \
        if (item < items && row < rows) name##_item arguments;                                               \
    }
#define BLY_SIZES bailey_uint64 items, bailey_uint64 rows, bailey_uint64 first_item, bailey_uint64 first_row

#define BLY_ROW_f32(entry) entry
#define BLY_ROW_f64(entry) entry
#define BLY_STRIPED_ENTRY_1 BLY_ENTRY_1
#define BLY_STRIPED_ENTRY_2 BLY_ENTRY_2
#define BLY_POINT_ENTRY_2 BLY_ENTRY_2
#define BLY_POINT_ENTRY_3 BLY_ENTRY_3
#define BLY_ENTRY_OF(n, name, params, ...)                                                                   \
    BLY_ENTRY(name, (const params p, BLY_BUFFERS_##n(__VA_ARGS__), BLY_SIZES), (p, BLY_NAMES_##n, item, row))
#define BLY_ENTRY_1(...) BLY_ENTRY_OF(1, __VA_ARGS__)
#define BLY_ENTRY_2(...) BLY_ENTRY_OF(2, __VA_ARGS__)
#define BLY_ENTRY_3(...) BLY_ENTRY_OF(3, __VA_ARGS__)
#define BLY_ENTRY_4(...) BLY_ENTRY_OF(4, __VA_ARGS__)

/* A team kernel (kernels/segments.h), from `name_team(p, b0, shared, group, lane, exists)`; a team is a warp.
 * `words` of 32 bits are a team's. */
#define BLY_TEAM 32
#define BLY_TEAM_SHARED
#define BLY_TEAM_SYNC() __syncwarp()
#define BLY_TEAM_ENTRY(name, words, parameters, arguments)                                                   \
    extern "C" __global__ void __launch_bounds__(BLY_BLOCK) name parameters                                  \
    {                                                                                                        \
        __shared__ __align__(16) bailey_uint32 shared[(words) * (BLY_BLOCK / BLY_TEAM)];                     \
        const bailey_uint64 item = first_item + (bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x;        \
        if (item < items && rows) name##_team arguments;                                                     \
    }
#define BLY_TEAM_PLACE(words)                                                                                \
    shared + threadIdx.x / BLY_TEAM *(words), item / BLY_TEAM, (bailey_uint32)(item % BLY_TEAM), 1
#define BLY_TEAM_ENTRY_1(name, params, t0, words)                                                            \
    BLY_TEAM_ENTRY(name, words, (const params p, BLY_BUFFERS_1(t0), BLY_SIZES),                              \
                   (p, b0, BLY_TEAM_PLACE(words)))
#define BLY_TEAM_ENTRY_2(name, params, t0, t1, words)                                                        \
    BLY_TEAM_ENTRY(name, words, (const params p, BLY_BUFFERS_2(t0, t1), BLY_SIZES),                          \
                   (p, b0, b1, BLY_TEAM_PLACE(words)))

#define BLY_SHARED

/* What a kernel is given, read where it is. */
#define BLY_BY_REFERENCE(type) const type &
#define BLY_LOCAL_ID ((bailey_uint32)threadIdx.x)
#define BLY_BARRIER() __syncthreads()

/* A program that wants as many registers as let this many blocks live on a multiprocessor defines
 * BLY_LEAST_BLOCKS; without it the compiler holds back. */
#if defined(BLY_LEAST_BLOCKS)
#define BLY_LAUNCH_BOUNDS __launch_bounds__(BLY_BLOCK, BLY_LEAST_BLOCKS)
#else
#define BLY_LAUNCH_BOUNDS __launch_bounds__(BLY_BLOCK)
#endif

/* A program that defines BLY_EARLY waits for what kernels before it wrote, and then lets the one after it begin as soon
 * as all of its blocks have, if launches allow that (programmatic dependent launch). */
#if defined(BLY_EARLY) && __CUDA_ARCH__ >= 900
#define BLY_WAIT_FOR_LAST()                                                                                  \
    BAILEY_ASM volatile("griddepcontrol.wait;" ::: "memory");                                                \
    BAILEY_ASM volatile("griddepcontrol.launch_dependents;" ::: "memory")
#else
#define BLY_WAIT_FOR_LAST()
#endif

#define BLY_GROUP_ENTRY(name, parameters, arguments)                                                         \
    extern "C" __global__ void BLY_LAUNCH_BOUNDS name parameters                                             \
    {                                                                                                        \
        BLY_WAIT_FOR_LAST();                                                                                 \
        extern __shared__ __align__(16) bailey_uint64 shared[];                                              \
        const bailey_uint64 item = first_item + (bailey_uint64)blockIdx.x * BLY_BLOCK + threadIdx.x;         \
        name##_group arguments;                                                                              \
    }
#define BLY_GROUP_ENTRY_OF(n, name, params, ...)                                                             \
    BLY_GROUP_ENTRY(name, (const __grid_constant__ params p, BLY_BUFFERS_##n(__VA_ARGS__), BLY_SIZES),       \
                    (p, BLY_NAMES_##n, shared, item))
#define BLY_GROUP_ENTRY_1(...) BLY_GROUP_ENTRY_OF(1, __VA_ARGS__)
#define BLY_GROUP_ENTRY_2(...) BLY_GROUP_ENTRY_OF(2, __VA_ARGS__)
#define BLY_GROUP_ENTRY_3(...) BLY_GROUP_ENTRY_OF(3, __VA_ARGS__)
#define BLY_GROUP_ENTRY_4(...) BLY_GROUP_ENTRY_OF(4, __VA_ARGS__)
#define BLY_GROUP_ENTRY_6(...) BLY_GROUP_ENTRY_OF(6, __VA_ARGS__)
#define BLY_GROUP_ENTRY_8(...) BLY_GROUP_ENTRY_OF(8, __VA_ARGS__)
#define BLY_GROUP_ENTRY_16(...) BLY_GROUP_ENTRY_OF(16, __VA_ARGS__)

#endif
