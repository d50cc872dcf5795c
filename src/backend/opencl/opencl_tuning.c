/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The host's numbers:
 * - Scratch: what the second cache holds, so that words do not travel further between the kernel that writes
 *   them and the one that reads them; on CPU devices a core's.
 * - Chunks: on CPU devices a MiB of paths per unit stays in the second cache too; a GPU that has less
 *   to do at a time idles at the ends of launches.
 * - Straight-line code: up to the size that compiles in about a second, and dimensions whose values fit the
 *   registers. On CPU devices the table-driven blocks of the built-in kernels are the fastest.
 * - Copies of the table of the inverse CDF: 1,024 items of a unit, and the 48 KB that NVIDIA's driver gives a
 *   work-group. A device that gives less reads the table where it is, and so do devices other than GPUs,
 *   which lack such memory, except in tests. Other shapes were not measured. The same holds for simulations;
 *   their groups are powers of two, since a group's sum is a tree.
 * - Draws in line: as on CUDA, by what NVIDIA's driver does on an H200: 0.736 of a fill where a function's
 *   have 0.427 in f32, 0.310 and 0.262 in f64. Elsewhere, where caches of instructions may be smaller, they
 *   are not measured; not on GPUs they run in tests alone, which the smaller number keeps short.
 *
 * Work-groups: on GPUs the usual choice for kernels without local memory. On CPU devices a group is what a
 * thread takes at a time, and an item is whole vectors already (1 costs 10 % in Philox on PoCL 3.1; 4 to 64
 * are equal).
 *
 * Queues: a GPU copies and computes at the same time, from two queues. On a CPU device both would share the
 * cores, and a copy is work for them like any other, so that there is nothing to overlap.
 */
#include <stddef.h> /* something to compile */

#ifdef BLY_HAVE_OPENCL

#include "opencl_internal.h"

#define MIB (UINT64_C(1) << 20)

#define SIMULATION                                                                                           \
    {                                                                                                        \
        {256, 2, 8, 8, 1, 48 << 10}, { 256, 4, 4, 4, 0, 48 << 10 }                                           \
    }
#define SIMULATIONS                                                                                          \
    {                                                                                                        \
        SIMULATION, SIMULATION                                                                               \
    }
#define SHAPES                                                                                               \
    {                                                                                                        \
        {256, 4, 8, 8, 1, 48 << 10}, { 256, 4, 4, 4, 0, 48 << 10 }                                           \
    }
#define COPIES                                                                                               \
    {                                                                                                        \
        SHAPES, SHAPES                                                                                       \
    }

static const struct bly_cl_tuning gpu = {
    .host = {.scratch_words = UINT64_C(1) << 22,
             .chunk_bytes = 512 * MIB,
             .compile_normals = UINT64_C(1) << 34,
             .z_chunk_bytes = 64 * MIB,
             .z_chunk_paths = 65536,
             .straight_steps = 256,
             .straight_dims = 8,
             .divided_dims = 32,
             .copies = COPIES,
             .in_line = COPIES,
             .simulation = SIMULATIONS,
             .code = 8192,
             .copies_rows = 16},
    .local_size = 128,
    .queues = 2,
};

/* Chunks are per unit in these two. */
static const struct bly_cl_tuning cpu = {
    .host = {.scratch_words = UINT64_C(1) << 18,
             .chunk_bytes = MIB,
             .compile_normals = UINT64_C(1) << 33,
             .z_chunk_bytes = 4 * MIB,
             .copies = COPIES,
             .in_line = COPIES,
             .simulation = SIMULATIONS,
             .code = 2048},
    .local_size = 4,
    .queues = 1,
};

/* Neither: accelerators, and simulators of GPUs, which take work in the same groups. */
static const struct bly_cl_tuning other = {
    .host = {.scratch_words = UINT64_C(1) << 22,
             .chunk_bytes = MIB,
             .compile_normals = UINT64_C(1) << 34,
             .z_chunk_bytes = 64 * MIB,
             .z_chunk_paths = 65536,
             .copies = COPIES,
             .in_line = COPIES,
             .simulation = SIMULATIONS,
             .code = 2048},
    .local_size = 128,
    .queues = 1,
};

struct bly_cl_tuning bly_cl_tuning(bailey_device_kind kind, uint32_t units)
{
    if (kind == BAILEY_DEVICE_KIND_GPU) return gpu;
    struct bly_cl_tuning tuning = kind == BAILEY_DEVICE_KIND_CPU ? cpu : other;
    tuning.host.chunk_bytes *= units ? units : 1;
    return tuning;
}

#endif
