/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A user's own kernels in CUDA, with the library's device headers; user_kernel.cl has the same in OpenCL C,
 * but for the last. One draws words, normals in single and normals in double precision, a Philox block a
 * thread; one draws from every generator that steps, a lane of a run a thread; one builds Brownian paths, a
 * path a thread; one runs the known answers of Philox; one takes every square root. Compile with
 * --fmad=false. user_constant.cu and user_copies.cu have the first again, with the tables of the inverse CDF
 * in other memory.
 */
#include <bailey/device/bridge.h>
#include <bailey/device/generators.h>
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

extern "C" __global__ void user_kernel(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 blocks,
                                       bailey_uint32 *words, float *normals_f32, double *normals_f64,
                                       const float *table_f32, const double *table_f64)
{
    const bailey_uint64 block = (bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= blocks) return;
    const bailey_philox_block b = bailey_philox_words4(seed, stream, block);
    for (int j = 0; j < 4; j++) {
        words[4 * block + j] = b.word[j];
        normals_f32[4 * block + j] = bailey_normal_icdf_f32(table_f32, b.word[j]);
    }
    for (int j = 0; j < 2; j++) {
        const bailey_u64 element = (bailey_u64)b.word[2 * j + 1] << 32 | b.word[2 * j];
        normals_f64[2 * block + j] = bailey_normal_icdf_f64(table_f64, element);
    }
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

extern "C" __global__ void user_generators(bailey_uint64 seed, bailey_uint64 stream, bailey_uint32 items,
                                           bailey_uint32 draws, bailey_uint32 *words)
{
    const bailey_uint32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= items) return;
    BAILEY_GENERATOR_LIST(ROW)
    DRAW(mrg32k3a, mrg32k3a_next_curand)
}

/* Paths of one dimension, step-major, from 0, with the plan's records: Z row k of path p is normal number
 * k * 2^38 + p, of which this thread uses one of four. */
extern "C" __global__ void user_paths(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 paths,
                                      bailey_uint32 steps, const bailey_bridge_step_f32 *records,
                                      const float *table, float *x)
{
    const bailey_uint64 path = (bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x;
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

/* Raw Philox: four counter words and two key words in, four words out, a vector a thread. */
extern "C" __global__ void user_kat(bailey_uint32 count, const bailey_uint32 *c, const bailey_uint32 *k,
                                    bailey_uint32 *words)
{
    const bailey_uint32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const bailey_philox_block b =
        bailey_philox4x32_10(c[4 * i], c[4 * i + 1], c[4 * i + 2], c[4 * i + 3], k[2 * i], k[2 * i + 1]);
    for (int j = 0; j < 4; j++) words[4 * i + j] = b.word[j];
}

/* wrong[i] counts the numbers of bailey_sqrt_f32's domain, 0 and 2^-102 to the largest, every items-th of
 * them from the i-th on, whose root is not the device's own, which is the one that is nearest. */
extern "C" __global__ void user_roots(bailey_uint32 items, bailey_uint32 *wrong)
{
    const bailey_uint32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= items) return;
    bailey_uint32 count = __float_as_uint(bailey_sqrt_f32(0.0f)) != 0;
    for (bailey_uint32 bits = 0x0c800000u + i; bits < 0x7f800000u; bits += items) {
        const float x = __uint_as_float(bits), root = __fsqrt_rn(x);
        count += bailey_sqrt_f32(x) != root || bailey_sqrt_positive_f32(x) != root;
    }
    wrong[i] = count;
}
