/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How CUDA reads the tables of the inverse CDF from shared memory, which is twice as fast as through L1 in
 * f64. Part of bailey/device/icdf_table.h where BAILEY_ICDF_COPIES is defined before it is included; its
 * functions are then given pointers to what a block has copied, once for many normals:
 *
 *     extern __shared__ float4 memory[];                  BAILEY_ICDF_COPIES_BYTES_F32 (F64) of it
 *     bailey_icdf_copy_f32(memory, table);
 *     __syncthreads();
 *     ... bailey_normal_icdf_f32((const float *)memory, word) ...
 *
 * The rows of the first octaves, which nearly all words need, stand there eight times, one for each eight
 * lanes: a load of 16 bytes serves eight lanes at a time, and no two of them meet in a bank. Words of 64 bits
 * in f32 are not served.
 */
#ifndef BAILEY_DEVICE_LANG_ICDF_CUDA_H
#define BAILEY_DEVICE_LANG_ICDF_CUDA_H

#define BAILEY_ICDF_LOADS_F32 1
#define BAILEY_ICDF_LOADS_F64 1

/* Rows that stand there eight times: 8 octaves and 6. */
#define BAILEY_ICDF_HOT_F32 128
#define BAILEY_ICDF_HOT_F64 192

/* Where the other rows begin, in pieces of 16 bytes, and all pieces. In f64 a gap after each fourth of the
 * other rows spreads them over the banks. */
#define BAILEY_ICDF_COLD_F32 (8 * BAILEY_ICDF_HOT_F32)
#define BAILEY_ICDF_COLD_F64 (32 * BAILEY_ICDF_HOT_F64)
#define BAILEY_ICDF_PIECES_F32 (BAILEY_ICDF_COLD_F32 + BAILEY_ICDF_ROWS_F32 - BAILEY_ICDF_HOT_F32)
#define BAILEY_ICDF_PIECES_F64 (BAILEY_ICDF_COLD_F64 + (BAILEY_ICDF_ROWS_F64 - BAILEY_ICDF_HOT_F64) / 4 * 17)
#define BAILEY_ICDF_COPIES_BYTES_F32 (16 * BAILEY_ICDF_PIECES_F32) /* 22,528 */
#define BAILEY_ICDF_COPIES_BYTES_F64 (16 * BAILEY_ICDF_PIECES_F64) /* 200,576 */

/* Copies a table into the memory of a block, whose threads along x and y all call it. */
BAILEY_FN void bailey_icdf_copy_f32(void *memory, const float *table)
{
    const float4 *const from = (const float4 *)table;
    float4 *const to = (float4 *)memory;
    const unsigned threads = blockDim.x * blockDim.y;
    for (unsigned i = threadIdx.y * blockDim.x + threadIdx.x; i < BAILEY_ICDF_PIECES_F32; i += threads)
        to[i] = from[i < BAILEY_ICDF_COLD_F32 ? i / 8 : i - BAILEY_ICDF_COLD_F32 + BAILEY_ICDF_HOT_F32];
}
BAILEY_FN void bailey_icdf_copy_f64(void *memory, const double *table)
{
    const double2 *const from = (const double2 *)table;
    double2 *const to = (double2 *)memory;
    const unsigned threads = blockDim.x * blockDim.y, first = threadIdx.y * blockDim.x + threadIdx.x;
    for (unsigned i = first; i < BAILEY_ICDF_COLD_F64; i += threads) to[i] = from[i / 8];
    for (unsigned i = first; i < 4 * (BAILEY_ICDF_ROWS_F64 - BAILEY_ICDF_HOT_F64); i += threads)
        to[BAILEY_ICDF_COLD_F64 + i + i / 16] = from[4 * BAILEY_ICDF_HOT_F64 + i];
}

BAILEY_FN bailey_icdf_row_f32 bailey_icdf_load_f32(const float *copies, bailey_u32 row)
{
    const bailey_u32 at = row < BAILEY_ICDF_HOT_F32 ? 8 * row + (threadIdx.x & 7)
                                                    : row + (BAILEY_ICDF_COLD_F32 - BAILEY_ICDF_HOT_F32);
    const float4 c = ((const float4 *)copies)[at];
    bailey_icdf_row_f32 r;
    r.c[0] = c.x, r.c[1] = c.y, r.c[2] = c.z, r.c[3] = c.w;
    return r;
}

BAILEY_FN bailey_icdf_row_f64 bailey_icdf_load_f64(const double *copies, bailey_u32 row)
{
    const bool hot = row < BAILEY_ICDF_HOT_F64;
    const bailey_u32 cold = row - BAILEY_ICDF_HOT_F64;
    const bailey_u32 at = hot ? 32 * row + (threadIdx.x & 7) : BAILEY_ICDF_COLD_F64 + 4 * cold + cold / 4;
    const bailey_u32 next = hot ? 8 : 1;
    bailey_icdf_row_f64 r;
    BAILEY_UNROLL
    for (int k = 0; k < 4; k++) {
        const double2 c = ((const double2 *)copies)[at + k * next];
        r.c[2 * k] = c.x, r.c[2 * k + 1] = c.y;
    }
    return r;
}

#endif
