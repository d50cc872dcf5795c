/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * user_kernel of user_kernel.cl with copies of the tables in local memory: 10 KB of single precision and 12
 * KB of double, whose first three octaves are copied and whose other rows stay in the table.
 */
#define BAILEY_ICDF_COPIES 2
#define BAILEY_ICDF_HOT_F64 96
#define BAILEY_ICDF_COLD_F64 0
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
    const uint item = get_local_id(0), items = get_local_size(0);
    __local float4 copies_f32[BAILEY_ICDF_COPIES_BYTES_F32 / 16];
    bailey_icdf_copy_f32(copies_f32, table_f32, item, items);
#if BAILEY_HAS_F64
    __local double2 copies_f64[BAILEY_ICDF_COPIES_BYTES_F64 / 16];
    bailey_icdf_copy_f64(copies_f64, table_f64, item, items);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    if (block >= blocks) return;
    const bailey_philox_block b = bailey_philox_words4(seed, stream, block);
    for (int j = 0; j < 4; j++) {
        words[4 * block + j] = b.word[j];
        normals_f32[4 * block + j] = bailey_normal_icdf_f32((const __local float *)copies_f32, b.word[j]);
    }
#if BAILEY_HAS_F64
    for (int j = 0; j < 2; j++) {
        const bailey_u64 element = (bailey_u64)b.word[2 * j + 1] << 32 | b.word[2 * j];
        normals_f64[2 * block + j] = bailey_normal_icdf_f64((const __local double *)copies_f64, element);
    }
#endif
}
