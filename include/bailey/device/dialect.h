/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The dialect in which bailey's device code is written: one text that is C11, C++17, OpenCL C 1.2
 * and CUDA C++ at once.
 *
 * Scalars are `bailey_uint32`, `bailey_int32`, `bailey_uint64`, `bailey_int64`, `float`, `double`.
 * Lane types (`bailey_u32`, `bailey_i32`, `bailey_u64`, `bailey_i64`, `bailey_f32`, `bailey_f64`)
 * hold BAILEY_LANES elements. With BAILEY_LANES equal to 1, the default, they are the scalars; on
 * CPU devices OpenCL vectors or GNU vectors take their place. `+ - * & | ^ ~ << >>` work on both;
 * everything else goes through the functions below.
 *
 * Exactness. Results are the same bits everywhere because only operations that IEEE 754 pins down
 * are used, and because no product ever feeds a plain + or -: where a multiply-add is meant,
 * `bailey_fma_*` is written, so that no compiler can contract what was not contracted elsewhere.
 */
#ifndef BAILEY_DEVICE_DIALECT_H
#define BAILEY_DEVICE_DIALECT_H

#ifndef BAILEY_LANES
#define BAILEY_LANES 1
#endif

#if defined(__FAST_MATH__) || defined(__FAST_RELAXED_MATH__) || defined(__ASSOCIATIVE_MATH__) ||             \
    defined(__RECIPROCAL_MATH__)
#error "bailey device code must not be compiled with -ffast-math: results would differ between devices"
#endif

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)
#define BAILEY_IS_OPENCL 1
#elif defined(__CUDACC__)
#define BAILEY_IS_CUDA 1
#endif

/* ---- Scalars, qualifiers -------------------------------------------------------------------- */

/* PTX: NVRTC knows it by one name, NVIDIA's OpenCL by the other. */
#if defined(BAILEY_IS_CUDA)
#define BAILEY_ASM asm
#elif defined(__NV_CL_C_VERSION)
#define BAILEY_ASM __asm__
#endif

#if defined(BAILEY_IS_OPENCL)

#pragma OPENCL FP_CONTRACT OFF
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define BAILEY_HAS_F64 1
#else
#define BAILEY_HAS_F64 0
#endif
typedef uint bailey_uint32;
typedef int bailey_int32;
typedef ulong bailey_uint64;
typedef long bailey_int64;
#define BAILEY_FN static inline __attribute__((always_inline))
#define BAILEY_GLOBAL __global
#define BAILEY_CONSTANT __constant

#else /* C, C++, CUDA */

#define BAILEY_HAS_F64 1
#if defined(__CUDACC_RTC__)
typedef unsigned int bailey_uint32;
typedef int bailey_int32;
typedef unsigned long long bailey_uint64;
typedef long long bailey_int64;
#else
#include <stdint.h>
#include <string.h>
typedef uint32_t bailey_uint32;
typedef int32_t bailey_int32;
typedef uint64_t bailey_uint64;
typedef int64_t bailey_int64;
#endif
#define BAILEY_GLOBAL
#if defined(BAILEY_IS_CUDA)
#define BAILEY_FN static __forceinline__ __device__
#define BAILEY_CONSTANT __constant__
#else
#include <math.h>
#if defined(__GNUC__)
#define BAILEY_FN static inline __attribute__((always_inline, unused))
#else
#define BAILEY_FN static inline
#endif
#define BAILEY_CONSTANT static const
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "bailey needs arithmetic without excess precision (x87 has it; build for SSE2)"
#endif
#endif

#endif

/* ---- Lane types ----------------------------------------------------------------------------- */

#if BAILEY_LANES == 1

typedef bailey_uint32 bailey_u32;
typedef bailey_int32 bailey_i32;
typedef bailey_uint64 bailey_u64;
typedef bailey_int64 bailey_i64;
typedef float bailey_f32;
typedef bailey_int32 bailey_m32; /* a mask that goes with 32-bit lanes: zero or not */
typedef bailey_int32 bailey_m64; /* a mask that goes with 64-bit lanes: zero or not */
#if BAILEY_HAS_F64
typedef double bailey_f64;
#endif

#elif defined(BAILEY_IS_OPENCL)

#define BAILEY_PASTE_(a, b) a##b
#define BAILEY_PASTE(a, b) BAILEY_PASTE_(a, b)
typedef BAILEY_PASTE(uint, BAILEY_LANES) bailey_u32;
typedef BAILEY_PASTE(int, BAILEY_LANES) bailey_i32;
typedef BAILEY_PASTE(ulong, BAILEY_LANES) bailey_u64;
typedef BAILEY_PASTE(long, BAILEY_LANES) bailey_i64;
typedef BAILEY_PASTE(float, BAILEY_LANES) bailey_f32;
typedef BAILEY_PASTE(int, BAILEY_LANES) bailey_m32; /* 0 or -1 a lane */
typedef BAILEY_PASTE(long, BAILEY_LANES) bailey_m64;
#if BAILEY_HAS_F64
typedef BAILEY_PASTE(double, BAILEY_LANES) bailey_f64;
#endif

#elif defined(__GNUC__) && !defined(BAILEY_IS_CUDA)

typedef bailey_uint32 bailey_u32 __attribute__((vector_size(4 * BAILEY_LANES)));
typedef bailey_int32 bailey_i32 __attribute__((vector_size(4 * BAILEY_LANES)));
typedef bailey_uint64 bailey_u64 __attribute__((vector_size(8 * BAILEY_LANES)));
typedef bailey_int64 bailey_i64 __attribute__((vector_size(8 * BAILEY_LANES)));
typedef float bailey_f32 __attribute__((vector_size(4 * BAILEY_LANES)));
typedef double bailey_f64 __attribute__((vector_size(8 * BAILEY_LANES)));
typedef bailey_i32 bailey_m32; /* 0 or -1 a lane */
typedef bailey_i64 bailey_m64;

#else
#error "BAILEY_LANES above 1 needs OpenCL C or a compiler with GNU vector types"
#endif

/* result[lane] = expression for every lane; the expression names the lane `bailey_lane`. */
#define BAILEY_EACH_LANE(result, expression)                                                                 \
    for (int bailey_lane = 0; bailey_lane < BAILEY_LANES; bailey_lane++) (result)[bailey_lane] = (expression)

/* ---- Fused multiply-add --------------------------------------------------------------------- */

#if defined(BAILEY_IS_OPENCL)
BAILEY_FN bailey_f32 bailey_fma_f32(bailey_f32 a, bailey_f32 b, bailey_f32 c) { return fma(a, b, c); }
#if BAILEY_HAS_F64
BAILEY_FN bailey_f64 bailey_fma_f64(bailey_f64 a, bailey_f64 b, bailey_f64 c) { return fma(a, b, c); }
#endif
#elif defined(BAILEY_IS_CUDA)
BAILEY_FN bailey_f32 bailey_fma_f32(bailey_f32 a, bailey_f32 b, bailey_f32 c) { return __fmaf_rn(a, b, c); }
BAILEY_FN bailey_f64 bailey_fma_f64(bailey_f64 a, bailey_f64 b, bailey_f64 c) { return __fma_rn(a, b, c); }
#elif BAILEY_LANES == 1
BAILEY_FN bailey_f32 bailey_fma_f32(bailey_f32 a, bailey_f32 b, bailey_f32 c) { return fmaf(a, b, c); }
BAILEY_FN bailey_f64 bailey_fma_f64(bailey_f64 a, bailey_f64 b, bailey_f64 c) { return fma(a, b, c); }
#else
/* GCC keeps packs in registers if a multiply-add is one operation to it, not a loop over lanes: without
 * these, kernels spill everything. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__) && BAILEY_LANES == 16
#define BAILEY_FMA32(a, b, c) __builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4)
#elif defined(__GNUC__) && !defined(__clang__) && defined(__FMA__) && BAILEY_LANES == 8
#define BAILEY_FMA32(a, b, c) __builtin_ia32_vfmaddps256(a, b, c)
#elif defined(__GNUC__) && !defined(__clang__) && defined(__FMA__) && BAILEY_LANES == 4
#define BAILEY_FMA32(a, b, c) __builtin_ia32_vfmaddps(a, b, c)
#endif
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__) && BAILEY_LANES == 8
#define BAILEY_FMA64(a, b, c) __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, 4)
#elif defined(__GNUC__) && !defined(__clang__) && defined(__FMA__) && BAILEY_LANES == 4
#define BAILEY_FMA64(a, b, c) __builtin_ia32_vfmaddpd256(a, b, c)
#elif defined(__GNUC__) && !defined(__clang__) && defined(__FMA__) && BAILEY_LANES == 2
#define BAILEY_FMA64(a, b, c) __builtin_ia32_vfmaddpd(a, b, c)
#endif
BAILEY_FN bailey_f32 bailey_fma_f32(bailey_f32 a, bailey_f32 b, bailey_f32 c)
{
#if defined(BAILEY_FMA32)
    return BAILEY_FMA32(a, b, c);
#else
    bailey_f32 r;
    BAILEY_EACH_LANE(r, __builtin_fmaf(a[bailey_lane], b[bailey_lane], c[bailey_lane]));
    return r;
#endif
}
BAILEY_FN bailey_f64 bailey_fma_f64(bailey_f64 a, bailey_f64 b, bailey_f64 c)
{
#if defined(BAILEY_FMA64)
    return BAILEY_FMA64(a, b, c);
#else
    bailey_f64 r;
    BAILEY_EACH_LANE(r, __builtin_fma(a[bailey_lane], b[bailey_lane], c[bailey_lane]));
    return r;
#endif
}
#endif

/* ---- Broadcast, lane numbers ---------------------------------------------------------------- */

#if BAILEY_LANES == 1
#define BAILEY_SPLAT(type, x) ((type)(x))
#elif defined(BAILEY_IS_OPENCL)
#define BAILEY_SPLAT(type, x) ((type)(x))
#else
#define BAILEY_SPLAT(type, x) ((type){0} + (x))
#endif

BAILEY_FN bailey_u32 bailey_splat_u32(bailey_uint32 x) { return BAILEY_SPLAT(bailey_u32, x); }
BAILEY_FN bailey_i32 bailey_splat_i32(bailey_int32 x) { return BAILEY_SPLAT(bailey_i32, x); }
BAILEY_FN bailey_u64 bailey_splat_u64(bailey_uint64 x) { return BAILEY_SPLAT(bailey_u64, x); }
BAILEY_FN bailey_f32 bailey_splat_f32(float x)
{
#if BAILEY_LANES == 1 || defined(BAILEY_IS_OPENCL)
    return BAILEY_SPLAT(bailey_f32, x);
#else
    return x - (bailey_f32){0}; /* 0 + x would turn -0 into +0 */
#endif
}
#if BAILEY_HAS_F64
BAILEY_FN bailey_f64 bailey_splat_f64(double x)
{
#if BAILEY_LANES == 1 || defined(BAILEY_IS_OPENCL)
    return BAILEY_SPLAT(bailey_f64, x);
#else
    return x - (bailey_f64){0};
#endif
}
#endif

/* 0, 1, ..., BAILEY_LANES - 1. */
BAILEY_FN bailey_u64 bailey_lane_numbers(void)
{
#if BAILEY_LANES == 1
    return 0;
#elif BAILEY_LANES == 2
    return (bailey_u64){0, 1};
#elif defined(BAILEY_IS_OPENCL) && BAILEY_LANES == 4
    return (bailey_u64)(0, 1, 2, 3);
#elif defined(BAILEY_IS_OPENCL) && BAILEY_LANES == 8
    return (bailey_u64)(0, 1, 2, 3, 4, 5, 6, 7);
#elif defined(BAILEY_IS_OPENCL) && BAILEY_LANES == 16
    return (bailey_u64)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
    bailey_u64 r;
    BAILEY_EACH_LANE(r, (bailey_uint64)bailey_lane);
    return r;
#endif
}

/* ---- Bit casts ------------------------------------------------------------------------------ */

#if defined(BAILEY_IS_OPENCL) && BAILEY_LANES > 1
BAILEY_FN bailey_u32 bailey_u32_bits_f32(bailey_f32 x) { return BAILEY_PASTE(as_uint, BAILEY_LANES)(x); }
BAILEY_FN bailey_f32 bailey_f32_bits_u32(bailey_u32 x) { return BAILEY_PASTE(as_float, BAILEY_LANES)(x); }
BAILEY_FN bailey_i32 bailey_i32_bits_u32(bailey_u32 x) { return BAILEY_PASTE(as_int, BAILEY_LANES)(x); }
BAILEY_FN bailey_u32 bailey_u32_bits_i32(bailey_i32 x) { return BAILEY_PASTE(as_uint, BAILEY_LANES)(x); }
BAILEY_FN bailey_i64 bailey_i64_bits_u64(bailey_u64 x) { return BAILEY_PASTE(as_long, BAILEY_LANES)(x); }
BAILEY_FN bailey_u64 bailey_u64_bits_i64(bailey_i64 x) { return BAILEY_PASTE(as_ulong, BAILEY_LANES)(x); }
#if BAILEY_HAS_F64
BAILEY_FN bailey_u64 bailey_u64_bits_f64(bailey_f64 x) { return BAILEY_PASTE(as_ulong, BAILEY_LANES)(x); }
BAILEY_FN bailey_f64 bailey_f64_bits_u64(bailey_u64 x) { return BAILEY_PASTE(as_double, BAILEY_LANES)(x); }
#endif
#elif defined(BAILEY_IS_OPENCL)
BAILEY_FN bailey_u32 bailey_u32_bits_f32(bailey_f32 x) { return as_uint(x); }
BAILEY_FN bailey_f32 bailey_f32_bits_u32(bailey_u32 x) { return as_float(x); }
BAILEY_FN bailey_i32 bailey_i32_bits_u32(bailey_u32 x) { return as_int(x); }
BAILEY_FN bailey_u32 bailey_u32_bits_i32(bailey_i32 x) { return as_uint(x); }
BAILEY_FN bailey_i64 bailey_i64_bits_u64(bailey_u64 x) { return as_long(x); }
BAILEY_FN bailey_u64 bailey_u64_bits_i64(bailey_i64 x) { return as_ulong(x); }
#if BAILEY_HAS_F64
BAILEY_FN bailey_u64 bailey_u64_bits_f64(bailey_f64 x) { return as_ulong(x); }
BAILEY_FN bailey_f64 bailey_f64_bits_u64(bailey_u64 x) { return as_double(x); }
#endif
#elif defined(BAILEY_IS_CUDA)
BAILEY_FN bailey_u32 bailey_u32_bits_f32(bailey_f32 x) { return __float_as_uint(x); }
BAILEY_FN bailey_f32 bailey_f32_bits_u32(bailey_u32 x) { return __uint_as_float(x); }
BAILEY_FN bailey_i32 bailey_i32_bits_u32(bailey_u32 x) { return (bailey_i32)x; }
BAILEY_FN bailey_u32 bailey_u32_bits_i32(bailey_i32 x) { return (bailey_u32)x; }
BAILEY_FN bailey_i64 bailey_i64_bits_u64(bailey_u64 x) { return (bailey_i64)x; }
BAILEY_FN bailey_u64 bailey_u64_bits_i64(bailey_i64 x) { return (bailey_u64)x; }
BAILEY_FN bailey_u64 bailey_u64_bits_f64(bailey_f64 x) { return (bailey_u64)__double_as_longlong(x); }
BAILEY_FN bailey_f64 bailey_f64_bits_u64(bailey_u64 x) { return __longlong_as_double((long long)x); }
#else
#define BAILEY_BITS(name, to, from)                                                                          \
    BAILEY_FN to name(from x)                                                                                \
    {                                                                                                        \
        to r;                                                                                                \
        memcpy(&r, &x, sizeof r);                                                                            \
        return r;                                                                                            \
    }
BAILEY_BITS(bailey_u32_bits_f32, bailey_u32, bailey_f32)
BAILEY_BITS(bailey_f32_bits_u32, bailey_f32, bailey_u32)
BAILEY_BITS(bailey_i32_bits_u32, bailey_i32, bailey_u32)
BAILEY_BITS(bailey_u32_bits_i32, bailey_u32, bailey_i32)
BAILEY_BITS(bailey_i64_bits_u64, bailey_i64, bailey_u64)
BAILEY_BITS(bailey_u64_bits_i64, bailey_u64, bailey_i64)
BAILEY_BITS(bailey_u64_bits_f64, bailey_u64, bailey_f64)
BAILEY_BITS(bailey_f64_bits_u64, bailey_f64, bailey_u64)
#undef BAILEY_BITS
#endif

/* ---- Conversions (to nearest even where a rounding can happen) ------------------------------- */

#if defined(BAILEY_IS_OPENCL) && BAILEY_LANES > 1
#define BAILEY_CONVERT(type, lanes, x) BAILEY_PASTE(convert_##type, BAILEY_LANES)(x)
#elif BAILEY_LANES == 1
#define BAILEY_CONVERT(type, lanes, x) ((lanes)(x))
#else
#define BAILEY_CONVERT(type, lanes, x) __builtin_convertvector(x, lanes)
#endif

BAILEY_FN bailey_f32 bailey_f32_from_i32(bailey_i32 x) { return BAILEY_CONVERT(float, bailey_f32, x); }
BAILEY_FN bailey_u64 bailey_u64_from_u32(bailey_u32 x) { return BAILEY_CONVERT(ulong, bailey_u64, x); }
BAILEY_FN bailey_u32 bailey_u32_from_u64(bailey_u64 x) { return BAILEY_CONVERT(uint, bailey_u32, x); }
#if BAILEY_HAS_F64
BAILEY_FN bailey_f64 bailey_f64_from_i32(bailey_i32 x) { return BAILEY_CONVERT(double, bailey_f64, x); }
BAILEY_FN bailey_f64 bailey_f64_from_f32(bailey_f32 x) { return BAILEY_CONVERT(double, bailey_f64, x); }
BAILEY_FN bailey_f32 bailey_f32_from_f64(bailey_f64 x) { return BAILEY_CONVERT(float, bailey_f32, x); }
#endif

/* 64-bit products of lanes 0, 2, 4, ...: what GCC does not find by itself. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(BAILEY_IS_CUDA)
#if BAILEY_LANES == 16 && defined(__AVX512F__)
typedef long long bailey_products __attribute__((vector_size(64)));
#define BAILEY_MULTIPLY_EVEN(a, b) __builtin_ia32_pmuludq512_mask(a, b, (bailey_products){0}, -1)
#elif BAILEY_LANES == 8 && defined(__AVX2__)
#define BAILEY_MULTIPLY_EVEN(a, b) __builtin_ia32_pmuludq256(a, b)
#elif BAILEY_LANES == 4 && defined(__SSE2__)
#define BAILEY_MULTIPLY_EVEN(a, b) __builtin_ia32_pmuludq128(a, b)
#endif
#endif

/* The high half of a 32 x 32 bit product. Written through 64 bits where that vectorises (PoCL
 * leaves kernels that call mul_hi(uint, uint) scalar: six times slower). */
BAILEY_FN bailey_u32 bailey_mulhi_u32(bailey_u32 a, bailey_u32 b)
{
#if defined(BAILEY_IS_CUDA)
    return __umulhi(a, b);
#elif defined(BAILEY_MULTIPLY_EVEN)
    typedef bailey_uint64 pairs __attribute__((vector_size(4 * BAILEY_LANES)));
    const pairs even = (pairs)BAILEY_MULTIPLY_EVEN((bailey_i32)a, (bailey_i32)b);
    const pairs odd = (pairs)BAILEY_MULTIPLY_EVEN((bailey_i32)((pairs)a >> 32), (bailey_i32)((pairs)b >> 32));
    return (bailey_u32)(even >> 32 | (odd & 0xffffffff00000000u));
#else
    return bailey_u32_from_u64((bailey_u64_from_u32(a) * bailey_u64_from_u32(b)) >> 32);
#endif
}

/* ---- Comparison and choice ------------------------------------------------------------------ */

BAILEY_FN bailey_m32 bailey_lt_i32(bailey_i32 a, bailey_i32 b) { return a < b; }
BAILEY_FN bailey_m32 bailey_lt_f32(bailey_f32 a, bailey_f32 b) { return a < b; }
BAILEY_FN bailey_m64 bailey_lt_i64(bailey_i64 a, bailey_i64 b) { return a < b; }
#if BAILEY_HAS_F64
BAILEY_FN bailey_m64 bailey_lt_f64(bailey_f64 a, bailey_f64 b) { return a < b; }
#endif

/* m ? a : b, lane by lane. */
#if BAILEY_LANES == 1
#define BAILEY_SELECT(lanes, mask, m, a, b) ((m) ? (a) : (b))
#elif defined(BAILEY_IS_OPENCL)
#define BAILEY_SELECT(lanes, mask, m, a, b) select(b, a, m)
#else
#define BAILEY_SELECT(lanes, mask, m, a, b) ((lanes)(((m) & (mask)(a)) | (~(m) & (mask)(b))))
#endif
BAILEY_FN bailey_u32 bailey_select_u32(bailey_m32 m, bailey_u32 a, bailey_u32 b)
{
    return BAILEY_SELECT(bailey_u32, bailey_m32, m, a, b);
}
BAILEY_FN bailey_i32 bailey_select_i32(bailey_m32 m, bailey_i32 a, bailey_i32 b)
{
    return BAILEY_SELECT(bailey_i32, bailey_m32, m, a, b);
}
BAILEY_FN bailey_f32 bailey_select_f32(bailey_m32 m, bailey_f32 a, bailey_f32 b)
{
    return BAILEY_SELECT(bailey_f32, bailey_m32, m, a, b);
}
BAILEY_FN bailey_u64 bailey_select_u64(bailey_m64 m, bailey_u64 a, bailey_u64 b)
{
    return BAILEY_SELECT(bailey_u64, bailey_m64, m, a, b);
}
#if BAILEY_HAS_F64
BAILEY_FN bailey_f64 bailey_select_f64(bailey_m64 m, bailey_f64 a, bailey_f64 b)
{
    return BAILEY_SELECT(bailey_f64, bailey_m64, m, a, b);
}
#endif

/* Whether the mask is set in any lane. */
BAILEY_FN int bailey_any_m32(bailey_m32 m)
{
#if BAILEY_LANES == 1
    return m != 0;
#elif defined(BAILEY_IS_OPENCL)
    return any(m);
#else
    bailey_int32 r = 0;
    for (int lane = 0; lane < BAILEY_LANES; lane++) r |= m[lane];
    return r != 0;
#endif
}
BAILEY_FN int bailey_any_m64(bailey_m64 m)
{
#if BAILEY_LANES == 1
    return m != 0;
#elif defined(BAILEY_IS_OPENCL)
    return any(m);
#else
    bailey_int64 r = 0;
    for (int lane = 0; lane < BAILEY_LANES; lane++) r |= m[lane];
    return r != 0;
#endif
}

/* ---- Packs ---------------------------------------------------------------------------------- */

/* A pack is 16 bytes a lane: four vectors of 32-bit lanes or two of 64-bit lanes, and stands for
 * BAILEY_PACK32 or BAILEY_PACK64 consecutive elements: element m * BAILEY_LANES + l is lane l of v[m]. */
#define BAILEY_PACK32 (4 * BAILEY_LANES)
#define BAILEY_PACK64 (2 * BAILEY_LANES)
typedef struct bailey_pack_u32 {
    bailey_u32 v[4];
} bailey_pack_u32;
typedef struct bailey_pack_f32 {
    bailey_f32 v[4];
} bailey_pack_f32;
typedef struct bailey_pack_u64 {
    bailey_u64 v[2];
} bailey_pack_u64;
#if BAILEY_HAS_F64
typedef struct bailey_pack_f64 {
    bailey_f64 v[2];
} bailey_pack_f64;
#endif

/* zip: v[m], lane l of the argument becomes element 4 l + m (32 bits) or 2 l + m (64 bits): turns
 * results computed as one generator block a lane into consecutive elements. unzip undoes it. */
#if BAILEY_LANES == 1
BAILEY_FN bailey_pack_u32 bailey_unzip_u32(bailey_pack_u32 a) { return a; }
BAILEY_FN bailey_pack_u64 bailey_unzip_u64(bailey_pack_u64 a) { return a; }
BAILEY_FN bailey_pack_u32 bailey_zip_u32(bailey_pack_u32 a) { return a; }
BAILEY_FN bailey_pack_f32 bailey_zip_f32(bailey_pack_f32 a) { return a; }
BAILEY_FN bailey_pack_u64 bailey_zip_u64(bailey_pack_u64 a) { return a; }
#if BAILEY_HAS_F64
BAILEY_FN bailey_pack_f64 bailey_zip_f64(bailey_pack_f64 a) { return a; }
#endif
#else
#if BAILEY_LANES == 2
#define BAILEY_ZIP_LOW 0, 2
#define BAILEY_ZIP_HIGH 1, 3
#define BAILEY_EVENS 0, 2
#define BAILEY_ODDS 1, 3
#elif BAILEY_LANES == 4
#define BAILEY_ZIP_LOW 0, 4, 1, 5
#define BAILEY_ZIP_HIGH 2, 6, 3, 7
#define BAILEY_EVENS 0, 2, 4, 6
#define BAILEY_ODDS 1, 3, 5, 7
#elif BAILEY_LANES == 8
#define BAILEY_ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define BAILEY_ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define BAILEY_EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define BAILEY_ODDS 1, 3, 5, 7, 9, 11, 13, 15
#elif BAILEY_LANES == 16
#define BAILEY_ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define BAILEY_ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define BAILEY_EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define BAILEY_ODDS 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#else
#error "BAILEY_LANES must be 1, 2, 4, 8 or 16"
#endif
#if defined(BAILEY_IS_OPENCL) && !defined(__clang__)
#define BAILEY_ZIP_LOWER(index, a, b) shuffle2(a, b, (index)(BAILEY_ZIP_LOW))
#define BAILEY_ZIP_UPPER(index, a, b) shuffle2(a, b, (index)(BAILEY_ZIP_HIGH))
#define BAILEY_EVEN(index, a, b) shuffle2(a, b, (index)(BAILEY_EVENS))
#define BAILEY_ODD(index, a, b) shuffle2(a, b, (index)(BAILEY_ODDS))
#elif defined(__clang__)
#define BAILEY_ZIP_LOWER(index, a, b) __builtin_shufflevector(a, b, BAILEY_ZIP_LOW)
#define BAILEY_ZIP_UPPER(index, a, b) __builtin_shufflevector(a, b, BAILEY_ZIP_HIGH)
#define BAILEY_EVEN(index, a, b) __builtin_shufflevector(a, b, BAILEY_EVENS)
#define BAILEY_ODD(index, a, b) __builtin_shufflevector(a, b, BAILEY_ODDS)
#else
#define BAILEY_ZIP_LOWER(index, a, b) __builtin_shuffle(a, b, (index){BAILEY_ZIP_LOW})
#define BAILEY_ZIP_UPPER(index, a, b) __builtin_shuffle(a, b, (index){BAILEY_ZIP_HIGH})
#define BAILEY_EVEN(index, a, b) __builtin_shuffle(a, b, (index){BAILEY_EVENS})
#define BAILEY_ODD(index, a, b) __builtin_shuffle(a, b, (index){BAILEY_ODDS})
#endif
#define BAILEY_ZIP32(suffix, lanes)                                                                          \
    BAILEY_FN bailey_pack_##suffix bailey_zip_##suffix(bailey_pack_##suffix a)                               \
    {                                                                                                        \
        lanes even_low = BAILEY_ZIP_LOWER(bailey_u32, a.v[0], a.v[2]);                                       \
        lanes even_high = BAILEY_ZIP_UPPER(bailey_u32, a.v[0], a.v[2]);                                      \
        lanes odd_low = BAILEY_ZIP_LOWER(bailey_u32, a.v[1], a.v[3]);                                        \
        lanes odd_high = BAILEY_ZIP_UPPER(bailey_u32, a.v[1], a.v[3]);                                       \
        a.v[0] = BAILEY_ZIP_LOWER(bailey_u32, even_low, odd_low);                                            \
        a.v[1] = BAILEY_ZIP_UPPER(bailey_u32, even_low, odd_low);                                            \
        a.v[2] = BAILEY_ZIP_LOWER(bailey_u32, even_high, odd_high);                                          \
        a.v[3] = BAILEY_ZIP_UPPER(bailey_u32, even_high, odd_high);                                          \
        return a;                                                                                            \
    }
#define BAILEY_ZIP64(suffix, lanes)                                                                          \
    BAILEY_FN bailey_pack_##suffix bailey_zip_##suffix(bailey_pack_##suffix a)                               \
    {                                                                                                        \
        lanes low = BAILEY_ZIP_LOWER(bailey_u64, a.v[0], a.v[1]);                                            \
        a.v[1] = BAILEY_ZIP_UPPER(bailey_u64, a.v[0], a.v[1]);                                               \
        a.v[0] = low;                                                                                        \
        return a;                                                                                            \
    }
BAILEY_FN bailey_pack_u32 bailey_unzip_u32(bailey_pack_u32 a)
{
    const bailey_u32 even_low = BAILEY_EVEN(bailey_u32, a.v[0], a.v[1]);
    const bailey_u32 even_high = BAILEY_EVEN(bailey_u32, a.v[2], a.v[3]);
    const bailey_u32 odd_low = BAILEY_ODD(bailey_u32, a.v[0], a.v[1]);
    const bailey_u32 odd_high = BAILEY_ODD(bailey_u32, a.v[2], a.v[3]);
    a.v[0] = BAILEY_EVEN(bailey_u32, even_low, even_high);
    a.v[1] = BAILEY_EVEN(bailey_u32, odd_low, odd_high);
    a.v[2] = BAILEY_ODD(bailey_u32, even_low, even_high);
    a.v[3] = BAILEY_ODD(bailey_u32, odd_low, odd_high);
    return a;
}
BAILEY_FN bailey_pack_u64 bailey_unzip_u64(bailey_pack_u64 a)
{
    const bailey_u64 even = BAILEY_EVEN(bailey_u64, a.v[0], a.v[1]);
    a.v[1] = BAILEY_ODD(bailey_u64, a.v[0], a.v[1]);
    a.v[0] = even;
    return a;
}
BAILEY_ZIP32(u32, bailey_u32)
BAILEY_ZIP32(f32, bailey_f32)
BAILEY_ZIP64(u64, bailey_u64)
#if BAILEY_HAS_F64
BAILEY_ZIP64(f64, bailey_f64)
#endif
#endif

/* Memory. Element i of the pack lives at p[offset + i * stride]; only elements low <= i < high are
 * touched, the others of a loaded pack are zero. `offset` may wrap below zero as long as the elements
 * touched do not. A whole pack with stride 1 moves as vectors. */
#if BAILEY_LANES == 1
#define BAILEY_ALIGNED16(p) (((size_t)(p)&15) == 0)
#if defined(BAILEY_IS_OPENCL) || defined(BAILEY_IS_CUDA)
#define BAILEY_LOAD_WHOLE32(pack, vector, p)                                                                 \
    do {                                                                                                     \
        const vector whole = *(const BAILEY_GLOBAL vector *)(p);                                             \
        (pack).v[0] = whole.x, (pack).v[1] = whole.y, (pack).v[2] = whole.z, (pack).v[3] = whole.w;          \
    } while (0)
#define BAILEY_STORE_WHOLE32(pack, vector, p)                                                                \
    do {                                                                                                     \
        vector whole;                                                                                        \
        whole.x = (pack).v[0], whole.y = (pack).v[1], whole.z = (pack).v[2], whole.w = (pack).v[3];          \
        *(BAILEY_GLOBAL vector *)(p) = whole;                                                                \
    } while (0)
#define BAILEY_LOAD_WHOLE64(pack, vector, p)                                                                 \
    do {                                                                                                     \
        const vector whole = *(const BAILEY_GLOBAL vector *)(p);                                             \
        (pack).v[0] = whole.x, (pack).v[1] = whole.y;                                                        \
    } while (0)
#define BAILEY_STORE_WHOLE64(pack, vector, p)                                                                \
    do {                                                                                                     \
        vector whole;                                                                                        \
        whole.x = (pack).v[0], whole.y = (pack).v[1];                                                        \
        *(BAILEY_GLOBAL vector *)(p) = whole;                                                                \
    } while (0)
#else
#define BAILEY_LOAD_WHOLE32(x, vector, p) memcpy(&(x), p, 16)
#define BAILEY_STORE_WHOLE32(x, vector, p) memcpy(p, &(x), 16)
#define BAILEY_LOAD_WHOLE64 BAILEY_LOAD_WHOLE32
#define BAILEY_STORE_WHOLE64 BAILEY_STORE_WHOLE32
#endif
#define BAILEY_WHOLE(p) BAILEY_ALIGNED16(p)
#elif defined(BAILEY_IS_OPENCL)
#define BAILEY_VLOAD(x, i, p) (x).v[i] = BAILEY_PASTE(vload, BAILEY_LANES)(i, p)
#define BAILEY_VSTORE(x, i, p) BAILEY_PASTE(vstore, BAILEY_LANES)((x).v[i], i, p)
#define BAILEY_LOAD_WHOLE32(x, vector, p)                                                                    \
    do {                                                                                                     \
        BAILEY_VLOAD(x, 0, p);                                                                               \
        BAILEY_VLOAD(x, 1, p);                                                                               \
        BAILEY_VLOAD(x, 2, p);                                                                               \
        BAILEY_VLOAD(x, 3, p);                                                                               \
    } while (0)
#define BAILEY_STORE_WHOLE32(x, vector, p)                                                                   \
    do {                                                                                                     \
        BAILEY_VSTORE(x, 0, p);                                                                              \
        BAILEY_VSTORE(x, 1, p);                                                                              \
        BAILEY_VSTORE(x, 2, p);                                                                              \
        BAILEY_VSTORE(x, 3, p);                                                                              \
    } while (0)
#define BAILEY_LOAD_WHOLE64(x, vector, p)                                                                    \
    do {                                                                                                     \
        BAILEY_VLOAD(x, 0, p);                                                                               \
        BAILEY_VLOAD(x, 1, p);                                                                               \
    } while (0)
#define BAILEY_STORE_WHOLE64(x, vector, p)                                                                   \
    do {                                                                                                     \
        BAILEY_VSTORE(x, 0, p);                                                                              \
        BAILEY_VSTORE(x, 1, p);                                                                              \
    } while (0)
#define BAILEY_WHOLE(p) 1
#else
#define BAILEY_LOAD_WHOLE32(x, vector, p) memcpy(&(x), p, sizeof(x))
#define BAILEY_STORE_WHOLE32(x, vector, p) memcpy(p, &(x), sizeof(x))
#define BAILEY_LOAD_WHOLE64 BAILEY_LOAD_WHOLE32
#define BAILEY_STORE_WHOLE64 BAILEY_STORE_WHOLE32
#define BAILEY_WHOLE(p) 1
#endif

#if BAILEY_LANES == 1
/* Constant indices keep the pack in registers. */
#define BAILEY_LOAD_PARTS(x, scalar, elements, p, offset, stride, low, high)                                 \
    for (bailey_uint32 i = 0; i < (elements); i++)                                                           \
    (x).v[i] = i >= (low) && i < (high) ? (p)[(offset) + i * (stride)] : (scalar)0
#define BAILEY_STORE_PARTS(x, scalar, elements, p, offset, stride, low, high)                                \
    for (bailey_uint32 i = 0; i < (elements); i++)                                                           \
        if (i >= (low) && i < (high)) (p)[(offset) + i * (stride)] = (x).v[i]
#elif defined(BAILEY_IS_OPENCL)
#define BAILEY_LOAD_PARTS(x, scalar, elements, p, offset, stride, low, high)                                 \
    scalar part[elements];                                                                                   \
    for (bailey_uint32 i = 0; i < (elements); i++)                                                           \
        part[i] = i >= (low) && i < (high) ? (p)[(offset) + i * (stride)] : (scalar)0;                       \
    for (bailey_uint32 m = 0; m < (elements) / BAILEY_LANES; m++)                                            \
    (x).v[m] = BAILEY_PASTE(vload, BAILEY_LANES)(m, part)
#define BAILEY_STORE_PARTS(x, scalar, elements, p, offset, stride, low, high)                                \
    scalar part[elements];                                                                                   \
    for (bailey_uint32 m = 0; m < (elements) / BAILEY_LANES; m++)                                            \
        BAILEY_PASTE(vstore, BAILEY_LANES)((x).v[m], m, part);                                               \
    for (bailey_uint32 i = (low); i < (high); i++) (p)[(offset) + i * (stride)] = part[i]
#else
#define BAILEY_LOAD_PARTS(x, scalar, elements, p, offset, stride, low, high)                                 \
    scalar part[elements] = {0};                                                                             \
    for (bailey_uint32 i = (low); i < (high); i++) part[i] = (p)[(offset) + i * (stride)];                   \
    memcpy(&(x), part, sizeof(x))
#define BAILEY_STORE_PARTS(x, scalar, elements, p, offset, stride, low, high)                                \
    scalar part[elements];                                                                                   \
    memcpy(part, &(x), sizeof(x));                                                                           \
    for (bailey_uint32 i = (low); i < (high); i++) (p)[(offset) + i * (stride)] = part[i]
#endif

#define BAILEY_MEMORY(suffix, scalar, vector, elements, load_whole, store_whole)                             \
    BAILEY_FN bailey_pack_##suffix bailey_load_##suffix(const BAILEY_GLOBAL scalar *p, bailey_uint64 offset, \
                                                        bailey_uint64 stride, bailey_uint32 low,             \
                                                        bailey_uint32 high)                                  \
    {                                                                                                        \
        bailey_pack_##suffix x;                                                                              \
        if (stride == 1 && low == 0 && high == (elements) && BAILEY_WHOLE(p + offset)) {                     \
            load_whole(x, vector, p + offset);                                                               \
        } else {                                                                                             \
            BAILEY_LOAD_PARTS(x, scalar, elements, p, offset, stride, low, high);                            \
        }                                                                                                    \
        return x;                                                                                            \
    }                                                                                                        \
    BAILEY_FN void bailey_store_##suffix(BAILEY_GLOBAL scalar *p, bailey_uint64 offset,                      \
                                         bailey_uint64 stride, bailey_uint32 low, bailey_uint32 high,        \
                                         bailey_pack_##suffix x)                                             \
    {                                                                                                        \
        if (stride == 1 && low == 0 && high == (elements) && BAILEY_WHOLE(p + offset)) {                     \
            store_whole(x, vector, p + offset);                                                              \
        } else {                                                                                             \
            BAILEY_STORE_PARTS(x, scalar, elements, p, offset, stride, low, high);                           \
        }                                                                                                    \
    }
BAILEY_MEMORY(u32, bailey_uint32, uint4, BAILEY_PACK32, BAILEY_LOAD_WHOLE32, BAILEY_STORE_WHOLE32)
BAILEY_MEMORY(u64, bailey_uint64, ulong2, BAILEY_PACK64, BAILEY_LOAD_WHOLE64, BAILEY_STORE_WHOLE64)
BAILEY_MEMORY(f32, float, float4, BAILEY_PACK32, BAILEY_LOAD_WHOLE32, BAILEY_STORE_WHOLE32)
#if BAILEY_HAS_F64
BAILEY_MEMORY(f64, double, double2, BAILEY_PACK64, BAILEY_LOAD_WHOLE64, BAILEY_STORE_WHOLE64)
#endif

/* The same for a whole pack, with stride 1, at an address of global memory that BAILEY_WHOLE finds good.
 * NVIDIA's compilers make four stores of one where another branch stores the same values one by one, unless
 * it is told in its own words. */
#if defined(BAILEY_IS_CUDA) || defined(__NV_CL_C_VERSION)
#define BAILEY_STORE_VECTOR32(constraint)                                                                    \
    BAILEY_ASM volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(p), constraint(x.v[0]),             \
                        constraint(x.v[1]), constraint(x.v[2]), constraint(x.v[3])                           \
                        : "memory")
#define BAILEY_STORE_VECTOR64(constraint)                                                                    \
    BAILEY_ASM volatile("st.global.v2.b64 [%0], {%1, %2};" ::"l"(p), constraint(x.v[0]), constraint(x.v[1])  \
                        : "memory")
#define BAILEY_STORE_WHOLE(suffix, scalar, vector, store_whole, store_vector, constraint)                    \
    BAILEY_FN void bailey_store_whole_##suffix(BAILEY_GLOBAL scalar *p, bailey_pack_##suffix x)              \
    {                                                                                                        \
        store_vector(constraint);                                                                            \
    }
#else
#define BAILEY_STORE_WHOLE(suffix, scalar, vector, store_whole, store_vector, constraint)                    \
    BAILEY_FN void bailey_store_whole_##suffix(BAILEY_GLOBAL scalar *p, bailey_pack_##suffix x)              \
    {                                                                                                        \
        store_whole(x, vector, p);                                                                           \
    }
#endif
BAILEY_STORE_WHOLE(u32, bailey_uint32, uint4, BAILEY_STORE_WHOLE32, BAILEY_STORE_VECTOR32, "r")
BAILEY_STORE_WHOLE(f32, float, float4, BAILEY_STORE_WHOLE32, BAILEY_STORE_VECTOR32, "f")
#if BAILEY_HAS_F64
BAILEY_STORE_WHOLE(f64, double, double2, BAILEY_STORE_WHOLE64, BAILEY_STORE_VECTOR64, "d")
#endif

/* Single vectors, at any address: loaded from memory, and got from and put into an item's own arrays. */
#if BAILEY_LANES == 1
#define BAILEY_VECTOR_LOAD(x, p) (x) = *(p)
#define BAILEY_VECTOR_STORE(p, x) *(p) = (x)
#elif defined(BAILEY_IS_OPENCL)
#define BAILEY_VECTOR_LOAD(x, p) (x) = BAILEY_PASTE(vload, BAILEY_LANES)(0, p)
#define BAILEY_VECTOR_STORE(p, x) BAILEY_PASTE(vstore, BAILEY_LANES)(x, 0, p)
#else
#define BAILEY_VECTOR_LOAD(x, p) memcpy(&(x), p, sizeof(x))
#define BAILEY_VECTOR_STORE(p, x) memcpy(p, &(x), sizeof(x))
#endif
#define BAILEY_VECTOR_ACCESS(suffix, scalar)                                                                 \
    BAILEY_FN bailey_##suffix bailey_vector_load_##suffix(const BAILEY_GLOBAL scalar *p)                     \
    {                                                                                                        \
        bailey_##suffix x;                                                                                   \
        BAILEY_VECTOR_LOAD(x, p);                                                                            \
        return x;                                                                                            \
    }                                                                                                        \
    BAILEY_FN bailey_##suffix bailey_vector_get_##suffix(const scalar *own)                                  \
    {                                                                                                        \
        bailey_##suffix x;                                                                                   \
        BAILEY_VECTOR_LOAD(x, own);                                                                          \
        return x;                                                                                            \
    }                                                                                                        \
    BAILEY_FN void bailey_vector_put_##suffix(scalar *own, bailey_##suffix x) { BAILEY_VECTOR_STORE(own, x); }
BAILEY_VECTOR_ACCESS(u32, bailey_uint32)
BAILEY_VECTOR_ACCESS(f32, float)
#if BAILEY_HAS_F64
BAILEY_VECTOR_ACCESS(f64, double)
#endif

#if BAILEY_LANES > 1
/* A streaming store goes past the caches, where the platform has such stores and the address is a multiple of
 * the vector's size; an item that makes them ends with bailey_stream_end. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define BAILEY_STREAM32(p, x) __builtin_nontemporal_store(x, (BAILEY_GLOBAL bailey_f32 *)(p))
#define BAILEY_STREAM64(p, x) __builtin_nontemporal_store(x, (BAILEY_GLOBAL bailey_f64 *)(p))
#endif
#if __has_builtin(__builtin_prefetch)
#define BAILEY_PREFETCH(p) __builtin_prefetch((const void *)(size_t)(p))
#endif
#endif
#if !defined(BAILEY_STREAM32) && !defined(BAILEY_IS_OPENCL) && defined(__SSE2__)
#if BAILEY_LANES == 16 && defined(__AVX512F__)
#define BAILEY_STREAM32(p, x) __builtin_ia32_movntps512(p, x)
#elif BAILEY_LANES == 8 && defined(__AVX__)
#define BAILEY_STREAM32(p, x) __builtin_ia32_movntps256(p, x)
#elif BAILEY_LANES == 4
#define BAILEY_STREAM32(p, x) __builtin_ia32_movntps(p, x)
#endif
#if BAILEY_LANES == 8 && defined(__AVX512F__)
#define BAILEY_STREAM64(p, x) __builtin_ia32_movntpd512(p, x)
#elif BAILEY_LANES == 4 && defined(__AVX__)
#define BAILEY_STREAM64(p, x) __builtin_ia32_movntpd256(p, x)
#elif BAILEY_LANES == 2
#define BAILEY_STREAM64(p, x) __builtin_ia32_movntpd(p, x)
#endif
#endif
#if defined(BAILEY_STREAM32)
#define BAILEY_VECTOR_STREAM32(p, x)                                                                         \
    if (((size_t)(p) & (sizeof(x) - 1)) == 0)                                                                \
        BAILEY_STREAM32(p, x);                                                                               \
    else                                                                                                     \
        BAILEY_VECTOR_STORE(p, x)
#else
#define BAILEY_VECTOR_STREAM32 BAILEY_VECTOR_STORE
#endif
#if defined(BAILEY_STREAM64)
#define BAILEY_VECTOR_STREAM64(p, x)                                                                         \
    if (((size_t)(p) & (sizeof(x) - 1)) == 0)                                                                \
        BAILEY_STREAM64(p, x);                                                                               \
    else                                                                                                     \
        BAILEY_VECTOR_STORE(p, x)
#else
#define BAILEY_VECTOR_STREAM64 BAILEY_VECTOR_STORE
#endif
#define BAILEY_VECTOR_MEMORY(suffix, scalar, stream)                                                         \
    BAILEY_FN void bailey_vector_stream_##suffix(BAILEY_GLOBAL scalar *p, bailey_##suffix x)                 \
    {                                                                                                        \
        stream(p, x);                                                                                        \
    }                                                                                                        \
    /* Streams `count` elements from an array of the item's own. */                                          \
    BAILEY_FN void bailey_stream_##suffix(BAILEY_GLOBAL scalar *p, const scalar *own, bailey_uint32 count)   \
    {                                                                                                        \
        bailey_uint32 i = 0;                                                                                 \
        for (; i < count && ((size_t)(p + i) & (sizeof(bailey_##suffix) - 1)); i++) p[i] = own[i];           \
        for (; i + BAILEY_LANES <= count; i += BAILEY_LANES)                                                 \
            bailey_vector_stream_##suffix(p + i, bailey_vector_get_##suffix(own + i));                       \
        for (; i < count; i++) p[i] = own[i];                                                                \
    }
BAILEY_VECTOR_MEMORY(f32, float, BAILEY_VECTOR_STREAM32)
#if BAILEY_HAS_F64
BAILEY_VECTOR_MEMORY(f64, double, BAILEY_VECTOR_STREAM64)
#endif

/* Orders streaming stores before what the item's thread does next. */
BAILEY_FN void bailey_stream_end(void)
{
#if defined(__SSE2__)
    __builtin_ia32_sfence();
#endif
}

/* Asks for the cache line of an element that will be read soon; it must exist. */
BAILEY_FN void bailey_prefetch_f32(const BAILEY_GLOBAL float *p)
{
#if defined(BAILEY_PREFETCH)
    BAILEY_PREFETCH(p);
#else
    (void)p;
#endif
}
#if BAILEY_HAS_F64
BAILEY_FN void bailey_prefetch_f64(const BAILEY_GLOBAL double *p)
{
#if defined(BAILEY_PREFETCH)
    BAILEY_PREFETCH(p);
#else
    (void)p;
#endif
}
#endif
#endif

#endif
