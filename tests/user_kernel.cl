/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A user's own kernels in OpenCL C, with the library's device headers; user_kernel.cu has the same in CUDA.
 * One draws words, normals in single and, where the device has it, normals in double precision, a Philox
 * block an item; one draws from every generator that steps, a lane of a run an item; one builds Brownian
 * paths, a path an item; one runs the known answers of Philox. user_constant.cl and user_copies.cl have the
 * first again, with the tables of the inverse CDF in other memory.
 */
#include <bailey/device/bridge.h>
#include <bailey/device/generators.h>
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

__kernel void user_kernel(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 blocks,
                          __global bailey_uint32 *words, __global float *normals_f32,
#if BAILEY_HAS_F64
                          __global double *normals_f64,
#endif
                          __global const float *table_f32
#if BAILEY_HAS_F64
                          ,
                          __global const double *table_f64
#endif
)
{
    const bailey_uint64 block = get_global_id(0);
    if (block >= blocks) return;
    const bailey_philox_block b = bailey_philox_words4(seed, stream, block);
    for (int j = 0; j < 4; j++) {
        words[4 * block + j] = b.word[j];
        normals_f32[4 * block + j] = bailey_normal_icdf_f32(table_f32, b.word[j]);
    }
#if BAILEY_HAS_F64
    for (int j = 0; j < 2; j++) {
        const bailey_u64 element = (bailey_u64)b.word[2 * j + 1] << 32 | b.word[2 * j];
        normals_f64[2 * block + j] = bailey_normal_icdf_f64(table_f64, element);
    }
#endif
}

/* `draws` words of lane i % 32 of run i / 32 in words[generator][draw][i], in user_generators.h's order. */
#define DRAW(state, next)                                                                                    \
    {                                                                                                        \
        bailey_##state g = bailey_##state##_start(seed, stream, i / 32, i % 32);                             \
        for (bailey_uint32 k = 0; k < draws; k++, words += items) words[i] = bailey_##next(&g);              \
    }
#define COUNTER(word)
#define TEAM(word)
#define LANES(word) DRAW(word, word##_next)
#define ROW(number, name, word, kind, published, text, verdict, period) kind(word)

__kernel void user_generators(bailey_uint64 seed, bailey_uint64 stream, bailey_uint32 items,
                              bailey_uint32 draws, __global bailey_uint32 *words)
{
    const bailey_uint32 i = get_global_id(0);
    if (i >= items) return;
    BAILEY_GENERATOR_LIST(ROW)
#if BAILEY_HAS_F64
    DRAW(mrg32k3a, mrg32k3a_next_curand)
#endif
}

/* Paths of one dimension, step-major, from 0, with the plan's records: Z row k of path p is normal number
 * k * 2^38 + p, of which this item uses one of four. */
__kernel void user_paths(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 paths, bailey_uint32 steps,
                         __global const bailey_bridge_step_f32 *records, __global const float *table,
                         __global float *x)
{
    const bailey_uint64 path = get_global_id(0);
    if (path >= paths) return;
    for (bailey_uint32 k = 0; k < steps; k++) {
        const bailey_bridge_step_f32 s = records[k];
        const bailey_philox_block b =
            bailey_philox_words4(seed, stream, ((bailey_uint64)s.row << 36) + path / 4);
        const float left = s.left ? x[(s.left - 1) * paths + path] : 0.0f;
        const float right = s.right ? x[(s.right - 1) * paths + path] : 0.0f;
        const float z = bailey_normal_icdf_f32(table, b.word[path % 4]);
        x[(s.point - 1) * paths + path] = bailey_bridge_point_f32(s, left, right, z);
    }
}

/* Raw Philox: four counter words and two key words in, four words out, a vector an item. */
__kernel void user_kat(bailey_uint32 count, __global const bailey_uint32 *c, __global const bailey_uint32 *k,
                       __global bailey_uint32 *words)
{
    const size_t i = get_global_id(0);
    if (i >= count) return;
    const bailey_philox_block b =
        bailey_philox4x32_10(c[4 * i], c[4 * i + 1], c[4 * i + 2], c[4 * i + 3], k[2 * i], k[2 * i + 1]);
    for (int j = 0; j < 4; j++) words[4 * i + j] = b.word[j];
}
