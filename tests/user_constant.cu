/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * user_kernel of user_kernel.cu with tables of the module's own, which the host fills: that of single
 * precision, as far as words of 32 bits need it, in constant memory, that of double precision, for which
 * constant memory has no room, in global memory.
 */
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

extern "C" {
__constant__ __align__(16) float user_table_f32[4 * BAILEY_ICDF_ROWS_F32];
__device__ __align__(16) double user_table_f64[8 * BAILEY_ICDF_ROWS_F64];
}

extern "C" __global__ void user_kernel(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 blocks,
                                       bailey_uint32 *words, float *normals_f32, double *normals_f64)
{
    const bailey_uint64 block = (bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= blocks) return;
    const bailey_philox_block b = bailey_philox_words4(seed, stream, block);
    for (int j = 0; j < 4; j++) {
        words[4 * block + j] = b.word[j];
        normals_f32[4 * block + j] = bailey_normal_icdf_f32(user_table_f32, b.word[j]);
    }
    for (int j = 0; j < 2; j++) {
        const bailey_u64 element = (bailey_u64)b.word[2 * j + 1] << 32 | b.word[2 * j];
        normals_f64[2 * block + j] = bailey_normal_icdf_f64(user_table_f64, element);
    }
}
