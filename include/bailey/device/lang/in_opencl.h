/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The dialect's target OpenCL C, from 1.2: one lane for devices that run items side by side, OpenCL's vectors
 * for processors. Part of bailey/device/dialect.h, which lists what a target provides.
 */
#ifndef BAILEY_DEVICE_LANG_IN_OPENCL_H
#define BAILEY_DEVICE_LANG_IN_OPENCL_H

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
#define BAILEY_CALLED static __attribute__((noinline))
#define BAILEY_GLOBAL __global
#define BAILEY_CONSTANT __constant
#define BAILEY_TABLE __constant
#define BAILEY_COUNT(p) atomic_inc(p)
#define BAILEY_RAISE(p, x) atomic_max((p), (x))
#define BAILEY_PEEK(p) (*(volatile __global const uint *)(p))

#if defined(__clang__) || defined(__NV_CL_C_VERSION)
#define BAILEY_UNROLL _Pragma("unroll")
#define BAILEY_UNROLL_1 _Pragma("unroll 1")
#define BAILEY_UNROLL_2 _Pragma("unroll 2")
#define BAILEY_UNROLL_4 _Pragma("unroll 4")
#else
#define BAILEY_UNROLL
#define BAILEY_UNROLL_1
#define BAILEY_UNROLL_2
#define BAILEY_UNROLL_4
#endif

/* OpenCL's name of a lane type, and of a function that it names by the type. */
#define BAILEY_PASTE_(a, b) a##b
#define BAILEY_PASTE(a, b) BAILEY_PASTE_(a, b)
#if BAILEY_LANES == 1
#define BAILEY_WIDE(name) name
#else
#define BAILEY_WIDE(name) BAILEY_PASTE(name, BAILEY_LANES)
#endif
#define BAILEY_NAME_u32 uint
#define BAILEY_NAME_i32 int
#define BAILEY_NAME_u64 ulong
#define BAILEY_NAME_i64 long
#define BAILEY_NAME_f32 float
#define BAILEY_NAME_f64 double
#define BAILEY_BITS(to, from)                                                                                \
    BAILEY_FN bailey_##to bailey_##to##_bits_##from(bailey_##from x_)                                        \
    {                                                                                                        \
        return BAILEY_WIDE(BAILEY_PASTE(as_, BAILEY_NAME_##to))(x_);                                         \
    }

#if BAILEY_LANES == 1

#include "bailey/device/lang/one_lane.h"

BAILEY_FN bailey_u32 bailey_clz_u64(bailey_u64 x_) { return (bailey_u32)clz(x_); }

#define BAILEY_SHARED __local
#define BAILEY_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define BAILEY_LOCAL_X ((uint)get_local_id(0))

#if defined(__NV_CL_C_VERSION)
#define BAILEY_ASM __asm__
#include "bailey/device/lang/ptx.h"
/* One instruction each: native_exp2 and native_log2 keep denormals, which takes five more. */
#define BAILEY_HAS_NATIVE 1
BAILEY_NATIVE(exp2, "ex2")
BAILEY_NATIVE(log2, "lg2")
BAILEY_NATIVE(sqrt, "sqrt")
BAILEY_NATIVE(sin, "sin")
BAILEY_NATIVE(cos, "cos")
/* One instruction makes both halves of a product where the other half is a * b: of products through 64 bits
 * NVIDIA's compiler makes two. */
#define BAILEY_HAS_MULHI 1
BAILEY_FN bailey_u32 bailey_mulhi_u32(bailey_u32 a_, bailey_u32 b_)
{
    bailey_u32 r_;
    BAILEY_ASM("mul.hi.u32 %0, %1, %2;" : "=r"(r_) : "r"(a_), "r"(b_));
    return r_;
}
#define BAILEY_HAS_REVERSE 1
BAILEY_FN bailey_u32 bailey_reverse_u32(bailey_u32 x_)
{
    bailey_u32 r_;
    BAILEY_ASM("brev.b32 %0, %1;" : "=r"(r_) : "r"(x_));
    return r_;
}
#define BAILEY_WARP_SHUFFLES 1
/* NVIDIA's OpenCL has no shuffle, but accepts the PTX instruction. */
BAILEY_FN bailey_uint32 bailey_warp_read(bailey_uint32 word, bailey_uint32 lane)
{
    bailey_uint32 r_;
    BAILEY_ASM volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(r_) : "r"(word), "r"(lane));
    return r_;
}
#elif defined(BAILEY_SUBGROUPS_OF_32)
/* Defined by the caller of the compiler if sub-groups are whole and have 32 or 64 items. Lane i of a
 * generator is the item that counts i, modulo 32, in its sub-group: which items of a work-group these are is
 * the driver's choice (OpenCL 3.0 API, 3.2.1). */
#define BAILEY_WARP_SHUFFLES 1
#if defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
BAILEY_FN bailey_uint32 bailey_warp_read(bailey_uint32 word, bailey_uint32 lane)
{
    return sub_group_shuffle(word, (get_sub_group_local_id() & ~31u) | lane);
}
#endif
#if !defined(BAILEY_HAS_CLZ)
BAILEY_FN bailey_u32 bailey_clz_u32(bailey_u32 x_) { return clz(x_); }
#endif
#if !defined(BAILEY_HAS_NATIVE)
#define BAILEY_HAS_NATIVE 1
BAILEY_FN float bailey_native_exp2_f32(float x_) { return native_exp2(x_); }
BAILEY_FN float bailey_native_log2_f32(float x_) { return native_log2(x_); }
BAILEY_FN float bailey_native_sqrt_f32(float x_) { return native_sqrt(x_); }
BAILEY_FN float bailey_native_sin_f32(float x_) { return native_sin(x_); }
BAILEY_FN float bailey_native_cos_f32(float x_) { return native_cos(x_); }
#endif

#else /* several lanes */

typedef BAILEY_WIDE(uint) bailey_u32;
typedef BAILEY_WIDE(int) bailey_i32;
typedef BAILEY_WIDE(ulong) bailey_u64;
typedef BAILEY_WIDE(long) bailey_i64;
typedef BAILEY_WIDE(float) bailey_f32;
typedef BAILEY_WIDE(int) bailey_m32;
typedef BAILEY_WIDE(long) bailey_m64;
#if BAILEY_HAS_F64
typedef BAILEY_WIDE(double) bailey_f64;
#endif

#define BAILEY_SPLAT(type, x) ((type)(x))
#define BAILEY_SPLAT_REAL(type, x) ((type)(x))
#define BAILEY_CONVERT(to, x) BAILEY_WIDE(BAILEY_PASTE(convert_, BAILEY_NAME_##to))(x)
#define BAILEY_SELECT(type, mask, m, a, b) select(b, a, m)
BAILEY_FN bailey_u64 bailey_lane_numbers(void) { return (bailey_u64)(BAILEY_LANE_NUMBERS); }
BAILEY_FN int bailey_any_m32(bailey_m32 m_) { return any(m_); }
BAILEY_FN int bailey_any_m64(bailey_m64 m_) { return any(m_); }

#define BAILEY_VECTOR_LOAD(x, p) (x) = BAILEY_WIDE(vload)(0, p)
#define BAILEY_VECTOR_STORE(p, x) BAILEY_WIDE(vstore)(x, 0, p)
#define BAILEY_GATHER(suffix, scalar)                                                                        \
    BAILEY_FN bailey_##suffix bailey_gather_##suffix(const scalar *own, bailey_u32 at)                       \
    {                                                                                                        \
        bailey_uint32 from[BAILEY_LANES];                                                                    \
        scalar value[BAILEY_LANES];                                                                          \
        BAILEY_VECTOR_STORE(from, at);                                                                       \
        for (int l_ = 0; l_ < BAILEY_LANES; l_++) value[l_] = own[from[l_]];                                 \
        return BAILEY_WIDE(vload)(0, value);                                                                 \
    }
BAILEY_GATHER(u32, bailey_uint32)
BAILEY_GATHER(f32, float)
#if BAILEY_LANES == 16
#define BAILEY_PERMUTE2(a, b, q) shuffle2(a, b, q)
#endif
#if BAILEY_LANES == 8 && defined(__clang__) && defined(__AVX512F__)
#define BAILEY_PERMUTE2_64(low, high, i)                                                                     \
    as_ulong8(__builtin_ia32_vpermi2varq512(as_long8(low), as_long8(i), as_long8(high)))
#endif
#if defined(__clang__)
#define BAILEY_SHUFFLE(index, a, b, list) __builtin_shufflevector(a, b, list)
#else
#define BAILEY_SHUFFLE(index, a, b, list) shuffle2(a, b, (index)(list))
#endif

#define BAILEY_WHOLE(p) 1
#define BAILEY_VLOAD(x, i, p) (x).value[i] = BAILEY_WIDE(vload)(i, p)
#define BAILEY_VSTORE(x, i, p) BAILEY_WIDE(vstore)((x).value[i], i, p)
#define BAILEY_LOAD_WHOLE64(x, scalar, vector, p) BAILEY_VLOAD(x, 0, p), BAILEY_VLOAD(x, 1, p)
#define BAILEY_STORE_WHOLE64(x, scalar, vector, p) BAILEY_VSTORE(x, 0, p), BAILEY_VSTORE(x, 1, p)
#define BAILEY_LOAD_WHOLE32(x, scalar, vector, p)                                                            \
    BAILEY_LOAD_WHOLE64(x, scalar, vector, p), BAILEY_VLOAD(x, 2, p), BAILEY_VLOAD(x, 3, p)
#define BAILEY_STORE_WHOLE32(x, scalar, vector, p)                                                           \
    BAILEY_STORE_WHOLE64(x, scalar, vector, p), BAILEY_VSTORE(x, 2, p), BAILEY_VSTORE(x, 3, p)
#define BAILEY_LOAD_PARTS(x, scalar, elements, p, offset, stride, low, high)                                 \
    scalar part[elements];                                                                                   \
    for (bailey_uint32 i_ = 0; i_ < (elements); i_++)                                                        \
        part[i_] = i_ >= (low) && i_ < (high) ? (p)[(offset) + i_ * (stride)] : (scalar)0;                   \
    for (bailey_uint32 m_ = 0; m_ < (elements) / BAILEY_LANES; m_++)                                         \
    (x).value[m_] = BAILEY_WIDE(vload)(m_, part)
#define BAILEY_STORE_PARTS(x, scalar, elements, p, offset, stride, low, high)                                \
    scalar part[elements];                                                                                   \
    for (bailey_uint32 m_ = 0; m_ < (elements) / BAILEY_LANES; m_++) BAILEY_VSTORE(x, m_, part);             \
    for (bailey_uint32 i_ = (low); i_ < (high); i_++) (p)[(offset) + i_ * (stride)] = part[i_]

#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define BAILEY_STREAM32(p, x) __builtin_nontemporal_store(x, (__global bailey_f32 *)(p))
#define BAILEY_STREAM64(p, x) __builtin_nontemporal_store(x, (__global bailey_f64 *)(p))
#endif
#if __has_builtin(__builtin_prefetch)
#define BAILEY_PREFETCH(p) __builtin_prefetch((const void *)(size_t)(p))
#endif
#endif
#if defined(__SSE2__)
#define BAILEY_STREAM_END() __builtin_ia32_sfence()
#endif

#endif

BAILEY_FN bailey_f32 bailey_fma_f32(bailey_f32 a_, bailey_f32 b_, bailey_f32 c_) { return fma(a_, b_, c_); }
#if BAILEY_HAS_F64
BAILEY_FN bailey_f64 bailey_fma_f64(bailey_f64 a_, bailey_f64 b_, bailey_f64 c_) { return fma(a_, b_, c_); }
#endif

#endif
