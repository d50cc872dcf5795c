/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A user's own kernel, with the library's device headers: one thread draws one Philox block and makes
 * words, normals in single and normals in double precision of it. Compile with --fmad=false.
 */
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

extern "C" __global__ void user_kernel(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 blocks,
                                       bailey_uint32 *words, float *normals_f32, double *normals_f64)
{
    const bailey_uint64 block = (bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= blocks) return;
    const bailey_philox_block b = bailey_philox_words4(seed, stream, block);
    for (int j = 0; j < 4; j++) {
        words[4 * block + j] = b.word[j];
        normals_f32[4 * block + j] = bailey_normal_icdf_f32(b.word[j]);
    }
    for (int j = 0; j < 2; j++) {
        const bailey_u64 element = (bailey_u64)b.word[2 * j + 1] << 32 | b.word[2 * j];
        normals_f64[2 * block + j] = bailey_normal_icdf_f64(element);
    }
}
