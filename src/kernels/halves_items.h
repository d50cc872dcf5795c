/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Uniforms and normals of 16 bits: drawn from Philox, and rounded from floats in memory.
 */
#ifndef BLY_HALVES_ITEMS_H
#define BLY_HALVES_ITEMS_H

#include "bailey/device/float16.h"
#include "bailey/device/lang/float16_x86.h"
#include "kernels/fill.h"
#include "kernels/variates.h"

typedef unsigned short bly_half_bits;

/* Floats from element `first` on; `brain` chooses bfloat16, `uniform` numbers that must stay below 1. */
typedef struct bly_halves_params {
    bailey_uint64 first, count, out_offset;
    bailey_uint64 brain, uniform;
} bly_halves_params;

/* Halves in each lane, in the lower half of a word: of any floats, and of uniforms and normals, which are
 * neither NaN nor too large. A uniform number is at most the largest half below 1. */
BAILEY_FN bailey_u32 bly_half_of_any(int brain, bailey_f32 x)
{
    return brain ? bailey_bfloat16_of_f32(x) : bailey_float16_of_f32(x);
}

BAILEY_FN bailey_f32 bly_half_below_1(int brain, bailey_f32 x)
{
    const bailey_f32 most = bailey_splat_f32(brain ? 1 - 0x1p-8f : 1 - 0x1p-11f);
    return bailey_select_f32(bailey_lt_f32(most, x), most, x);
}

BAILEY_FN bailey_u32 bly_half_of_drawn(int brain, bailey_f32 x)
{
    const bailey_u32 one = bailey_splat_u32(1), bits = bailey_u32_bits_f32(x);
    if (brain) return (bits + bailey_splat_u32(0x7fffu) + (bits >> 16 & one)) >> 16;
    const bailey_u32 a = bits & bailey_splat_u32(0x7fffffffu);
    const bailey_u32 least = bailey_u32_bits_f32(bailey_f32_bits_u32(a) + bailey_splat_f32(0.5f));
    const bailey_u32 h = (a - bailey_splat_u32(0x38000000u - 0xfffu) + (a >> 13 & one)) >> 13;
    return bailey_select_u32(bailey_lt_i32(bailey_i32_bits_u32(a), bailey_splat_i32(0x38800000)),
                             least - bailey_splat_u32(0x3f000000u), h) |
           (bits >> 16 & bailey_splat_u32(0x8000u));
}

/* Two halves in a word. NVIDIA's instruction rounds the same way; it is in PTX from compute capability 8.0
 * on. */
#if BAILEY_LANES == 1
BAILEY_FN bailey_uint32 bly_half_pair(int brain, bailey_f32 first, bailey_f32 second)
{
#if defined(BAILEY_IS_CUDA) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    bailey_uint32 pair;
    if (brain)
        BAILEY_ASM("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    else
        BAILEY_ASM("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    return pair;
#else
    return bly_half_of_drawn(brain, first) | bly_half_of_drawn(brain, second) << 16;
#endif
}
#endif

/* Stores elements low .. high - 1 of a pack of floats from out[at] on, `drawn` or any. A whole pack goes as 8
 * bytes on a GPU. */
BAILEY_FN void bly_store_halves(BAILEY_GLOBAL bly_half_bits *out, bailey_uint64 at, bailey_uint32 low,
                                bailey_uint32 high, int drawn, int brain, bailey_pack_f32 x)
{
#if BAILEY_LANES == 1
    bailey_uint32 pair[2];
    for (int j = 0; j < 2; j++)
        pair[j] = drawn ? bly_half_pair(brain, x.value[2 * j], x.value[2 * j + 1])
                        : bly_half_of_any(brain, x.value[2 * j]) | bly_half_of_any(brain, x.value[2 * j + 1])
                                                                       << 16;
#if defined(BAILEY_IS_OPENCL) || defined(BAILEY_IS_CUDA)
    if (low == 0 && high == 4 && ((size_t)(out + at) & 7) == 0) {
        *(BAILEY_GLOBAL bailey_uint64 *)(out + at) = pair[0] | (bailey_uint64)pair[1] << 32;
        return;
    }
#endif
    for (bailey_uint32 i = 0; i < 4; i++)
        if (i >= low && i < high) out[at + i] = (bly_half_bits)(pair[i >> 1] >> (16 * (i & 1)));
#elif defined(BAILEY_STORES_HALVES)
    bly_half_bits own[BAILEY_PACK32];
    for (int j = 0; j < 4; j++)
        if (drawn && !brain)
            bailey_store_float16(own + j * BAILEY_LANES, x.value[j]);
        else
            bailey_store_lower_halves(own + j * BAILEY_LANES, drawn ? bly_half_of_drawn(brain, x.value[j])
                                                                    : bly_half_of_any(brain, x.value[j]));
    if (low == 0 && high == BAILEY_PACK32)
        memcpy(out + at, own, sizeof own);
    else
        memcpy(out + at + low, own + low, (high - low) * sizeof *own);
#else
    bailey_uint32 own[BAILEY_PACK32];
    for (int j = 0; j < 4; j++)
        bailey_vector_put_u32(own + j * BAILEY_LANES, drawn ? bly_half_of_drawn(brain, x.value[j])
                                                            : bly_half_of_any(brain, x.value[j]));
    if (low == 0 && high == BAILEY_PACK32)
        for (bailey_uint32 i = 0; i < BAILEY_PACK32; i++) out[at + i] = (bly_half_bits)own[i];
    else
        for (bailey_uint32 i = low; i < high; i++) out[at + i] = (bly_half_bits)own[i];
#endif
}

BAILEY_FN bailey_pack_f32 bly_halves_below_1(int brain, bailey_pack_f32 x)
{
    for (int j = 0; j < 4; j++) x.value[j] = bly_half_below_1(brain, x.value[j]);
    return x;
}

/* Stores a whole pack of drawn floats; on a GPU at a multiple of 8 bytes. */
#if BAILEY_LANES == 1 && (defined(BAILEY_IS_OPENCL) || defined(BAILEY_IS_CUDA))
#define BLY_HALVES_WHOLE(out) (((size_t)(out) & 7) == 0)
BAILEY_FN void bly_store_whole_halves(BAILEY_GLOBAL bly_half_bits *out, int brain, bailey_pack_f32 x)
{
    const bailey_uint32 low = bly_half_pair(brain, x.value[0], x.value[1]),
                        high = bly_half_pair(brain, x.value[2], x.value[3]);
    *(BAILEY_GLOBAL bailey_uint64 *)out = low | (bailey_uint64)high << 32;
}
#else
#define BLY_HALVES_WHOLE(out) 1
BAILEY_FN void bly_store_whole_halves(BAILEY_GLOBAL bly_half_bits *out, int brain, bailey_pack_f32 x)
{
    bly_store_halves(out, 0, 0, BAILEY_PACK32, 1, brain, x);
}
#endif

/* Packs 32 apart, as kernels/range.h has them, of one row with a stride of 1; `integers` chooses bfloat16.
 * Where all are whole, it and the rounds are constants of a loop. */
#define BLY_HALVES_LOOP(rounds, brain, draw)                                                                 \
    {                                                                                                        \
        BAILEY_UNROLL_2 for (bailey_uint32 k = 0; k < BLY_STRIPED; k++, begin += 32 * BAILEY_PACK32)         \
            bly_store_whole_halves(out + (p.out_offset + (begin - p.first)), brain, draw(rounds, brain));    \
    }
#define BLY_HALVES_ITEM(name, parameter, draw)                                                               \
    BAILEY_FN void name(bly_fill_params p, parameter BAILEY_GLOBAL bly_half_bits *out, bailey_uint64 item,   \
                        bailey_uint64 row)                                                                   \
    {                                                                                                        \
        const bailey_uint64 number = bly_first_pack(item, BLY_STRIPED);                                      \
        const int brain = p.integers != 0;                                                                   \
        bailey_uint64 begin = (p.first & ~(bailey_uint64)3) + number * BAILEY_PACK32;                        \
        (void)row;                                                                                           \
        if (bly_all_whole(p.first, p.count, BAILEY_PACK32, begin) &&                                         \
            BLY_HALVES_WHOLE(out + (p.out_offset + (begin - p.first)))) {                                    \
            if (brain && p.rounds == 7)                                                                      \
                BLY_HALVES_LOOP(7, 1, draw)                                                                  \
            else if (brain)                                                                                  \
                BLY_HALVES_LOOP(10, 1, draw)                                                                 \
            else if (p.rounds == 7)                                                                          \
                BLY_HALVES_LOOP(7, 0, draw)                                                                  \
            else                                                                                             \
                BLY_HALVES_LOOP(10, 0, draw)                                                                 \
            return;                                                                                          \
        }                                                                                                    \
        BAILEY_UNROLL_1 for (bailey_uint32 k = 0; k < BLY_STRIPED; k++)                                      \
        {                                                                                                    \
            const bly_range r =                                                                              \
                bly_range_of_item(p.first, p.count, 4, BAILEY_PACK32, number + 32 * (bailey_uint64)k);       \
            begin = r.begin;                                                                                 \
            if (r.low < r.high)                                                                              \
                bly_store_halves(out, p.out_offset + (begin - p.first), r.low, r.high, 1, brain,             \
                                 draw((int)p.rounds, brain));                                                \
        }                                                                                                    \
    }
#define BLY_HALVES_UNIFORM(rounds, brain)                                                                    \
    bly_halves_below_1(                                                                                      \
        brain, bly_form_f32(BAILEY_DRAW_UNIFORM, 0, bly_drawn_pack(rounds, p.keys, p.stream, begin)))
#define BLY_HALVES_NORMAL(rounds, brain)                                                                     \
    bailey_draw_rounds_f32(rounds, BAILEY_DRAW_ICDF, table, p.keys, p.stream, begin)
BLY_HALVES_ITEM(bly_halves_u01_item, BLY_NO_TABLE, BLY_HALVES_UNIFORM)
BLY_HALVES_ITEM(bly_halves_icdf_item, BLY_TABLE_f32, BLY_HALVES_NORMAL)

/* Of floats that lie in memory from `in` on. */
BAILEY_FN void bly_halves_rounded_item(bly_halves_params p, const BAILEY_GLOBAL float *in,
                                       BAILEY_GLOBAL bly_half_bits *out, bailey_uint64 item,
                                       bailey_uint64 row)
{
    const bly_range r = bly_range_of_item(0, p.count, 4, BAILEY_PACK32, item);
    const int brain = p.brain != 0;
    (void)row;
    if (r.low >= r.high) return;
    bailey_pack_f32 x = bailey_load_f32(in, p.first + r.begin, 1, r.low, r.high);
    if (p.uniform) x = bly_halves_below_1(brain, x);
    bly_store_halves(out, p.out_offset + r.begin, r.low, r.high, 0, brain, x);
}

#endif
