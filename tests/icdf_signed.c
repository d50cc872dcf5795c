/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Rows of the inverse CDF that have the sign (bailey/device/lang/icdf_copies.h), on a processor: the header as CUDA
 * reads it, with the instructions of PTX in C.
 */
#include "icdf_lanes.h"

#define BAILEY_LANES 1
#include <bailey/device/dialect.h>

typedef struct float4 {
    float value[4];
} float4;
static float4 make_float4(float a, float b, float c, float d) { return (float4){{a, b, c, d}}; }
#undef BAILEY_ELEMENT
#define BAILEY_ELEMENT(type, vector, k) (vector).value[k]

static uint32_t bailey_sign_zeros_u32(uint32_t x)
{
    const uint32_t differ = x ^ (x >> 31 ? ~0u : 0u);
    return differ ? (uint32_t)__builtin_clz(differ) : ~0u;
}
static uint32_t bailey_shift_pair_u32(uint32_t high, uint32_t low, uint32_t n)
{
    const uint64_t pair = (uint64_t)high << 32 | low;
    return (uint32_t)(pair << (n < 32 ? n : 32) >> 32);
}
static uint32_t bailey_choose_not_u32(uint32_t mask, uint32_t a, uint32_t b) { return (a & mask) | (~b & ~mask); }
static uint32_t bailey_mad_u32(uint32_t a, uint32_t b, uint32_t c) { return a * b + c; }

static uint32_t own;
#define BAILEY_IS_CUDA 1
#define BAILEY_SHARED
#define BAILEY_LOCAL_X own
#define BAILEY_ICDF_COPIES 8
#define BAILEY_ICDF_HOT_F32 1024
#undef BAILEY_HAS_F64
#define BAILEY_HAS_F64 0
#include <bailey/device/icdf_table.h>

void icdf_signed(const float *table, const uint32_t *w, float *x, size_t count)
{
    static float4 copies[BAILEY_ICDF_COPIES_BYTES_F32 / sizeof(float4)];
    for (uint32_t i = 0; i < 100; i++) bailey_icdf_copy_f32(copies, table, i, 100);
    for (size_t i = 0; i < count; i++) {
        own = (uint32_t)i;
        x[i] = bailey_normal_icdf_f32((const float *)copies, w[i]);
    }
}
