/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * user_kernel of user_kernel.cl with the table of single precision in constant memory. That of double
 * precision is larger than constant memory need be and stays in global memory.
 */
#define BAILEY_ICDF_SPACE __constant
#define BAILEY_ICDF_SPACE_F64 __global
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

__kernel void user_kernel(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 blocks,
                          __global bailey_uint32 *words, __global float *normals_f32,
#if BAILEY_HAS_F64
                          __global double *normals_f64,
#endif
                          __constant float *table_f32
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
