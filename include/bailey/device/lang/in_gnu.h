/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The dialect's target C with GNU vectors, for GCC and clang: several lanes. Part of
 * bailey/device/dialect.h, which lists what a target provides.
 */
#ifndef BAILEY_DEVICE_LANG_IN_GNU_H
#define BAILEY_DEVICE_LANG_IN_GNU_H

#if !defined(__GNUC__)
#error "BAILEY_LANES above 1 needs OpenCL C or a compiler with GNU vector types"
#endif

#include "bailey/device/lang/in_c.h"

typedef bailey_uint32 bailey_u32 __attribute__((vector_size(4 * BAILEY_LANES)));
typedef bailey_int32 bailey_i32 __attribute__((vector_size(4 * BAILEY_LANES)));
typedef bailey_uint64 bailey_u64 __attribute__((vector_size(8 * BAILEY_LANES)));
typedef bailey_int64 bailey_i64 __attribute__((vector_size(8 * BAILEY_LANES)));
typedef float bailey_f32 __attribute__((vector_size(4 * BAILEY_LANES)));
typedef double bailey_f64 __attribute__((vector_size(8 * BAILEY_LANES)));
typedef bailey_i32 bailey_m32;
typedef bailey_i64 bailey_m64;

/* ---- What vectors of x86 have and compilers do not find by themselves ------------------------- */

#if defined(__AVX512F__)
typedef long long bailey_longs_64 __attribute__((vector_size(64)));
#endif

/* 64-bit products of the low halves of the elements of vectors of so many bytes. */
#if defined(__clang__)
#define BAILEY_LOW_PRODUCTS(a, b) (((a)&0xffffffffu) * ((b)&0xffffffffu))
#if defined(__AVX512F__)
#define BAILEY_PRODUCTS_64 BAILEY_LOW_PRODUCTS
#endif
#if defined(__AVX2__)
#define BAILEY_PRODUCTS_32 BAILEY_LOW_PRODUCTS
#endif
#if defined(__SSE2__)
#define BAILEY_PRODUCTS_16 BAILEY_LOW_PRODUCTS
#endif
#else
typedef int bailey_ints_16 __attribute__((vector_size(16)));
typedef int bailey_ints_32 __attribute__((vector_size(32)));
typedef int bailey_ints_64 __attribute__((vector_size(64)));
#if defined(__AVX512F__)
#define BAILEY_PRODUCTS_64(a, b)                                                                             \
    __builtin_ia32_pmuludq512_mask((bailey_ints_64)(a), (bailey_ints_64)(b), (bailey_longs_64){0}, -1)
#endif
#if defined(__AVX2__)
#define BAILEY_PRODUCTS_32(a, b) __builtin_ia32_pmuludq256((bailey_ints_32)(a), (bailey_ints_32)(b))
#endif
#if defined(__SSE2__)
#define BAILEY_PRODUCTS_16(a, b) __builtin_ia32_pmuludq128((bailey_ints_16)(a), (bailey_ints_16)(b))
#endif
#endif

/* BAILEY_PRODUCTS is for bailey_u64, BAILEY_PAIR_PRODUCTS for bailey_pairs, which has half as many elements.
 */
#if BAILEY_LANES == 16 && defined(BAILEY_PRODUCTS_64)
#define BAILEY_PAIR_PRODUCTS BAILEY_PRODUCTS_64
#elif BAILEY_LANES == 8 && defined(BAILEY_PRODUCTS_32)
#define BAILEY_PAIR_PRODUCTS BAILEY_PRODUCTS_32
#elif BAILEY_LANES == 4 && defined(BAILEY_PRODUCTS_16)
#define BAILEY_PAIR_PRODUCTS BAILEY_PRODUCTS_16
#endif
#if BAILEY_LANES == 8 && defined(BAILEY_PRODUCTS_64)
#define BAILEY_PRODUCTS BAILEY_PRODUCTS_64
#elif BAILEY_LANES == 4 && defined(BAILEY_PRODUCTS_32)
#define BAILEY_PRODUCTS BAILEY_PRODUCTS_32
#elif BAILEY_LANES == 2 && defined(BAILEY_PRODUCTS_16)
#define BAILEY_PRODUCTS BAILEY_PRODUCTS_16
#endif

#if BAILEY_LANES == 8 && defined(__AVX512F__)
#if defined(__clang__)
#define BAILEY_PERMUTE2_64(low, high, i)                                                                     \
    (bailey_u64)                                                                                             \
        __builtin_ia32_vpermi2varq512((bailey_longs_64)(low), (bailey_longs_64)(i), (bailey_longs_64)(high))
#else
#define BAILEY_PERMUTE2_64(low, high, i) __builtin_shuffle(low, high, i)
#endif
#endif

/* GCC keeps packs in registers if a multiply-add is one operation to it, not a loop over lanes: without
 * these, kernels spill everything. */
#if !defined(__clang__)
#if BAILEY_LANES == 16 && defined(__AVX512F__)
#define BAILEY_FMA32(a, b, c) __builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4)
#define BAILEY_GATHER32(own, at)                                                                             \
    __builtin_ia32_gathersiv16sf((bailey_f32){0}, own, (bailey_i32)(at), (short)-1, 4)
#define BAILEY_PERMUTE2(a, b, q) __builtin_shuffle(a, b, q)
#endif
#if BAILEY_LANES == 8 && defined(__FMA__)
#define BAILEY_FMA32(a, b, c) __builtin_ia32_vfmaddps256(a, b, c)
#elif BAILEY_LANES == 4 && defined(__FMA__)
#define BAILEY_FMA32(a, b, c) __builtin_ia32_vfmaddps(a, b, c)
#endif
#if BAILEY_LANES == 8 && defined(__AVX512F__)
#define BAILEY_FMA64(a, b, c) __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, 4)
#elif BAILEY_LANES == 4 && defined(__FMA__)
#define BAILEY_FMA64(a, b, c) __builtin_ia32_vfmaddpd256(a, b, c)
#elif BAILEY_LANES == 2 && defined(__FMA__)
#define BAILEY_FMA64(a, b, c) __builtin_ia32_vfmaddpd(a, b, c)
#endif
#endif

#if defined(__clang__)
#define BAILEY_STREAM32(p, x) __builtin_nontemporal_store(x, (bailey_f32 *)(p))
#define BAILEY_STREAM64(p, x) __builtin_nontemporal_store(x, (bailey_f64 *)(p))
#elif BAILEY_LANES == 16 && defined(__AVX512F__)
#define BAILEY_STREAM32(p, x) __builtin_ia32_movntps512(p, x)
#elif BAILEY_LANES == 8 && defined(__AVX512F__)
#define BAILEY_STREAM32(p, x) __builtin_ia32_movntps256(p, x)
#define BAILEY_STREAM64(p, x) __builtin_ia32_movntpd512(p, x)
#elif BAILEY_LANES == 8 && defined(__AVX__)
#define BAILEY_STREAM32(p, x) __builtin_ia32_movntps256(p, x)
#elif BAILEY_LANES == 4 && defined(__AVX__)
#define BAILEY_STREAM32(p, x) __builtin_ia32_movntps(p, x)
#define BAILEY_STREAM64(p, x) __builtin_ia32_movntpd256(p, x)
#elif BAILEY_LANES == 4 && defined(__SSE2__)
#define BAILEY_STREAM32(p, x) __builtin_ia32_movntps(p, x)
#elif BAILEY_LANES == 2 && defined(__SSE2__)
#define BAILEY_STREAM64(p, x) __builtin_ia32_movntpd(p, x)
#endif
#if defined(__SSE2__)
#define BAILEY_STREAM_END() __builtin_ia32_sfence()
#endif
#define BAILEY_PREFETCH(p) __builtin_prefetch(p)

/* ---- What every target provides -------------------------------------------------------------- */

/* result[lane] = expression for every lane; the expression names the lane `bailey_lane`. */
#define BAILEY_EACH_LANE(result, expression)                                                                 \
    for (int bailey_lane = 0; bailey_lane < BAILEY_LANES; bailey_lane++) (result)[bailey_lane] = (expression)

/* Where a processor has no multiply-add, each lane's is a call. */
#if defined(__FP_FAST_FMA) || defined(__FMA__) || defined(__aarch64__)
#define BAILEY_FMA_FN BAILEY_FN
#else
#define BAILEY_FMA_FN BAILEY_CALLED
#endif
#if defined(BAILEY_FMA32)
BAILEY_FN bailey_f32 bailey_fma_f32(bailey_f32 a_, bailey_f32 b_, bailey_f32 c_)
{
    return BAILEY_FMA32(a_, b_, c_);
}
#else
BAILEY_FMA_FN bailey_f32 bailey_fma_f32(bailey_f32 a_, bailey_f32 b_, bailey_f32 c_)
{
    bailey_f32 r_;
    BAILEY_EACH_LANE(r_, __builtin_fmaf(a_[bailey_lane], b_[bailey_lane], c_[bailey_lane]));
    return r_;
}
#endif
#if defined(BAILEY_FMA64)
BAILEY_FN bailey_f64 bailey_fma_f64(bailey_f64 a_, bailey_f64 b_, bailey_f64 c_)
{
    return BAILEY_FMA64(a_, b_, c_);
}
#else
BAILEY_FMA_FN bailey_f64 bailey_fma_f64(bailey_f64 a_, bailey_f64 b_, bailey_f64 c_)
{
    bailey_f64 r_;
    BAILEY_EACH_LANE(r_, __builtin_fma(a_[bailey_lane], b_[bailey_lane], c_[bailey_lane]));
    return r_;
}
#endif

#define BAILEY_SPLAT(type, x) ((type){0} + (x))
#define BAILEY_SPLAT_REAL(type, x) ((x) - (type){0}) /* 0 + x would turn -0 into +0 */
#define BAILEY_CONVERT(to, x) __builtin_convertvector(x, bailey_##to)
#define BAILEY_SELECT(type, mask, m, a, b) ((type)(((m) & (mask)(a)) | (~(m) & (mask)(b))))
BAILEY_FN bailey_u64 bailey_lane_numbers(void) { return (bailey_u64){BAILEY_LANE_NUMBERS}; }

#if defined(BAILEY_PAIR_PRODUCTS)
#define BAILEY_HAS_PAIRS 1
typedef bailey_uint64 bailey_pairs __attribute__((vector_size(4 * BAILEY_LANES)));
BAILEY_FN bailey_pairs bailey_product_pairs(bailey_pairs a_, bailey_pairs b_)
{
    return (bailey_pairs)BAILEY_PAIR_PRODUCTS(a_, b_);
}
BAILEY_FN bailey_pairs bailey_pairs_even(bailey_u32 x_) { return (bailey_pairs)x_; }
BAILEY_FN bailey_pairs bailey_pairs_odd(bailey_u32 x_) { return (bailey_pairs)x_ >> 32; }
BAILEY_FN bailey_u32 bailey_u32_from_pairs(bailey_pairs even, bailey_pairs odd)
{
    return (bailey_u32)((even & 0xffffffffu) | odd << 32);
}
#define BAILEY_HAS_MULHI 1
BAILEY_FN bailey_u32 bailey_mulhi_u32(bailey_u32 a_, bailey_u32 b_)
{
    const bailey_pairs even = bailey_product_pairs((bailey_pairs)a_, (bailey_pairs)b_);
    const bailey_pairs odd = bailey_product_pairs((bailey_pairs)a_ >> 32, (bailey_pairs)b_ >> 32);
    return (bailey_u32)(even >> 32 | (odd & 0xffffffff00000000u));
}
#endif
#if defined(BAILEY_PRODUCTS)
#define BAILEY_HAS_PRODUCTS 1
BAILEY_FN bailey_u64 bailey_product_u64(bailey_u64 a_, bailey_u64 b_)
{
    return (bailey_u64)BAILEY_PRODUCTS(a_, b_);
}
#endif

BAILEY_FN int bailey_any_m32(bailey_m32 m_)
{
    bailey_int32 r_ = 0;
    for (int lane = 0; lane < BAILEY_LANES; lane++) r_ |= m_[lane];
    return r_ != 0;
}
BAILEY_FN int bailey_any_m64(bailey_m64 m_)
{
    bailey_int64 r_ = 0;
    for (int lane = 0; lane < BAILEY_LANES; lane++) r_ |= m_[lane];
    return r_ != 0;
}

BAILEY_FN bailey_u32 bailey_gather_u32(const bailey_uint32 *own, bailey_u32 at)
{
    bailey_u32 r_;
    BAILEY_EACH_LANE(r_, own[at[bailey_lane]]);
    return r_;
}
#if defined(BAILEY_GATHER32)
BAILEY_FN bailey_f32 bailey_gather_f32(const float *own, bailey_u32 at) { return BAILEY_GATHER32(own, at); }
#else
BAILEY_FN bailey_f32 bailey_gather_f32(const float *own, bailey_u32 at)
{
    bailey_f32 r_;
    BAILEY_EACH_LANE(r_, own[at[bailey_lane]]);
    return r_;
}
#endif

#if defined(__clang__)
#define BAILEY_SHUFFLE(index, a, b, list) __builtin_shufflevector(a, b, list)
#else
#define BAILEY_SHUFFLE(index, a, b, list) __builtin_shuffle(a, b, (index){list})
#endif

#define BAILEY_WHOLE(p) 1
/* Vector by vector, and by assignment: GCC copies larger things, and in loops vectors too, through memory in
 * pieces of 16 bytes. */
#define BAILEY_ANYWHERE(x)                                                                                   \
    typedef __typeof__((x).value[0]) bailey_anywhere __attribute__((aligned(4), may_alias))
#define BAILEY_LOAD_VECTOR(x, p, m) (x).value[m] = ((const bailey_anywhere *)(p))[m]
#define BAILEY_STORE_VECTOR(x, p, m) ((bailey_anywhere *)(p))[m] = (x).value[m]
#define BAILEY_LOAD_WHOLE64(x, scalar, vector, p)                                                            \
    BAILEY_ANYWHERE(x);                                                                                      \
    BAILEY_LOAD_VECTOR(x, p, 0), BAILEY_LOAD_VECTOR(x, p, 1)
#define BAILEY_STORE_WHOLE64(x, scalar, vector, p)                                                           \
    BAILEY_ANYWHERE(x);                                                                                      \
    BAILEY_STORE_VECTOR(x, p, 0), BAILEY_STORE_VECTOR(x, p, 1)
#define BAILEY_LOAD_WHOLE32(x, scalar, vector, p)                                                            \
    BAILEY_LOAD_WHOLE64(x, scalar, vector, p), BAILEY_LOAD_VECTOR(x, p, 2), BAILEY_LOAD_VECTOR(x, p, 3)
#define BAILEY_STORE_WHOLE32(x, scalar, vector, p)                                                           \
    BAILEY_STORE_WHOLE64(x, scalar, vector, p), BAILEY_STORE_VECTOR(x, p, 2), BAILEY_STORE_VECTOR(x, p, 3)
#define BAILEY_LOAD_PARTS(x, scalar, elements, p, offset, stride, low, high)                                 \
    scalar part[elements] = {0};                                                                             \
    for (bailey_uint32 i_ = (low); i_ < (high); i_++) part[i_] = (p)[(offset) + i_ * (stride)];              \
    memcpy(&(x), part, sizeof(x))
#define BAILEY_STORE_PARTS(x, scalar, elements, p, offset, stride, low, high)                                \
    scalar part[elements];                                                                                   \
    memcpy(part, &(x), sizeof(x));                                                                           \
    for (bailey_uint32 i_ = (low); i_ < (high); i_++) (p)[(offset) + i_ * (stride)] = part[i_]
#define BAILEY_VECTOR_LOAD(x, p) memcpy(&(x), p, sizeof(x))
#define BAILEY_VECTOR_STORE(p, x) memcpy(p, &(x), sizeof(x))

#endif
