/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The dialect's target C and C++: one lane. lang/in_gnu.h, which has more, shares the first half. Part of
 * bailey/device/dialect.h, which lists what a target provides.
 */
#ifndef BAILEY_DEVICE_LANG_IN_C_H
#define BAILEY_DEVICE_LANG_IN_C_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "bailey needs arithmetic without excess precision (x87 has it; build for SSE2)"
#endif

typedef uint32_t bailey_uint32;
typedef int32_t bailey_int32;
typedef uint64_t bailey_uint64;
typedef int64_t bailey_int64;
#define BAILEY_HAS_F64 1
#define BAILEY_GLOBAL
#define BAILEY_CONSTANT static const
#define BAILEY_TABLE

#if defined(__GNUC__)
#define BAILEY_COUNT(p) (void)__atomic_fetch_add((p), 1u, __ATOMIC_RELAXED)
#define BAILEY_RAISE(p, x) bailey_raise((p), (x))
#define BAILEY_PEEK(p) __atomic_load_n((p), __ATOMIC_RELAXED)
static inline __attribute__((unused)) void bailey_raise(bailey_uint32 *word, bailey_uint32 least)
{
    bailey_uint32 before = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (before < least &&
           !__atomic_compare_exchange_n(word, &before, least, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}
#define BAILEY_FN static inline __attribute__((always_inline, unused))
#define BAILEY_CALLED static __attribute__((noinline, unused))
#else
#define BAILEY_FN static inline
#define BAILEY_CALLED static
#endif

/* Numbers of 64 bits of two vectors, by their places in a and then b. */
#if defined(__clang__)
#define BAILEY_SHUFFLE64 __builtin_shufflevector
#elif defined(__GNUC__)
#define BAILEY_SHUFFLE64(a, b, ...)                                                                          \
    __builtin_shuffle(a, b, (bailey_int64 __attribute__((vector_size(sizeof(a))))){__VA_ARGS__})
#endif

#if defined(__clang__) && defined(__AVX512FP16__)
#define BAILEY_FMA_F16 __builtin_fmaf16 /* of _Float16 */
#endif

#if defined(__clang__)
#define BAILEY_UNROLL _Pragma("unroll")
#define BAILEY_UNROLL_1 _Pragma("unroll 1")
#define BAILEY_UNROLL_2 _Pragma("unroll 2")
#define BAILEY_UNROLL_4 _Pragma("unroll 4")
#else
#if defined(__GNUC__)
#define BAILEY_UNROLL _Pragma("GCC unroll 16")
#else
#define BAILEY_UNROLL
#endif
#define BAILEY_UNROLL_1
#define BAILEY_UNROLL_2
#define BAILEY_UNROLL_4
#endif

#define BAILEY_BITS(to, from)                                                                                \
    BAILEY_FN bailey_##to bailey_##to##_bits_##from(bailey_##from x_)                                        \
    {                                                                                                        \
        bailey_##to r_;                                                                                      \
        memcpy(&r_, &x_, sizeof r_);                                                                         \
        return r_;                                                                                           \
    }

#if BAILEY_LANES == 1
#define BAILEY_LOAD_WHOLE32(x, scalar, vector, p) memcpy(&(x), p, sizeof(x))
#define BAILEY_STORE_WHOLE32(x, scalar, vector, p) memcpy(p, &(x), sizeof(x))
#define BAILEY_LOAD_WHOLE64 BAILEY_LOAD_WHOLE32
#define BAILEY_STORE_WHOLE64 BAILEY_STORE_WHOLE32
#include "bailey/device/lang/one_lane.h"
BAILEY_FN bailey_f32 bailey_fma_f32(bailey_f32 a_, bailey_f32 b_, bailey_f32 c_) { return fmaf(a_, b_, c_); }
BAILEY_FN bailey_f64 bailey_fma_f64(bailey_f64 a_, bailey_f64 b_, bailey_f64 c_) { return fma(a_, b_, c_); }
#if defined(__GNUC__)
BAILEY_FN bailey_u32 bailey_clz_u32(bailey_u32 x_) { return (bailey_u32)__builtin_clz(x_); }
BAILEY_FN bailey_u32 bailey_clz_u64(bailey_u64 x_) { return (bailey_u32)__builtin_clzll(x_); }
#else
BAILEY_FN bailey_u32 bailey_clz_u64(bailey_u64 x_)
{
    bailey_u32 n_ = 0;
    for (; !(x_ >> 63); x_ <<= 1) n_++;
    return n_;
}
BAILEY_FN bailey_u32 bailey_clz_u32(bailey_u32 x_) { return bailey_clz_u64(x_) - 32; }
#endif
#endif

#endif
