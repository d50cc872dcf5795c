/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * user_kernel of user_kernel.cu with copies of the tables in shared memory: 14 KB of single precision and
 * 24 KB of double, whose first three octaves are copied and whose other rows stay in the table.
 */
#define BAILEY_ICDF_COPIES 4
#define BAILEY_ICDF_HOT_F64 96
#define BAILEY_ICDF_COLD_F64 0
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

extern "C" __global__ void user_kernel(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 blocks,
                                       bailey_uint32 *words, float *normals_f32, double *normals_f64,
                                       const float *table_f32, const double *table_f64)
{
    __shared__ float4 copies_f32[BAILEY_ICDF_COPIES_BYTES_F32 / 16];
    __shared__ double2 copies_f64[BAILEY_ICDF_COPIES_BYTES_F64 / 16];
    bailey_icdf_copy_f32(copies_f32, table_f32, threadIdx.x, blockDim.x);
    bailey_icdf_copy_f64(copies_f64, table_f64, threadIdx.x, blockDim.x);
    __syncthreads();
    const bailey_uint64 block = (bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= blocks) return;
    const bailey_philox_block b = bailey_philox_words4(seed, stream, block);
    for (int j = 0; j < 4; j++) {
        words[4 * block + j] = b.word[j];
        normals_f32[4 * block + j] = bailey_normal_icdf_f32((const float *)copies_f32, b.word[j]);
    }
    for (int j = 0; j < 2; j++) {
        const bailey_u64 element = (bailey_u64)b.word[2 * j + 1] << 32 | b.word[2 * j];
        normals_f64[2 * block + j] = bailey_normal_icdf_f64((const double *)copies_f64, element);
    }
}
