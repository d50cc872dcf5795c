/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The dialect's target CUDA, by nvcc or NVRTC: one lane. Part of bailey/device/dialect.h, which lists what a
 * target provides.
 */
#ifndef BAILEY_DEVICE_LANG_IN_CUDA_H
#define BAILEY_DEVICE_LANG_IN_CUDA_H

#if BAILEY_LANES != 1
#error "BAILEY_LANES above 1 needs OpenCL C or a compiler with GNU vector types"
#endif

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
#define BAILEY_HAS_F64 1
#define BAILEY_FN static __forceinline__ __device__
#define BAILEY_CALLED static __noinline__ __device__
#define BAILEY_GLOBAL
#define BAILEY_CONSTANT __constant__
#define BAILEY_TABLE
#define BAILEY_COUNT(p) atomicAdd((p), 1u)
#define BAILEY_RAISE(p, x) atomicMax((p), (x))
#define BAILEY_PEEK(p) (*(volatile const bailey_uint32 *)(p))
/* Constant memory would serve a warp row by row. */
#define BAILEY_LOOKUP static __device__ __attribute__((unused)) const
#define BAILEY_SHARED
#define BAILEY_BARRIER() __syncthreads()
#define BAILEY_LOCAL_X bailey_local_x()
#define BAILEY_UNROLL _Pragma("unroll")
#define BAILEY_UNROLL_1 _Pragma("unroll 1")
#define BAILEY_UNROLL_2 _Pragma("unroll 2")
#define BAILEY_UNROLL_4 _Pragma("unroll 4")
#define BAILEY_ASM asm

#include "bailey/device/lang/one_lane.h"
#include "bailey/device/lang/ptx.h"

/* A member that CUDA names. */
#pragma push_macro("x")
#undef x
BAILEY_FN bailey_uint32 bailey_local_x(void) { return threadIdx.x; }
#pragma pop_macro("x")

BAILEY_FN bailey_f32 bailey_fma_f32(bailey_f32 a_, bailey_f32 b_, bailey_f32 c_)
{
    return __fmaf_rn(a_, b_, c_);
}
BAILEY_FN bailey_f64 bailey_fma_f64(bailey_f64 a_, bailey_f64 b_, bailey_f64 c_)
{
    return __fma_rn(a_, b_, c_);
}
BAILEY_FN bailey_u32 bailey_clz_u64(bailey_u64 x_) { return (bailey_u32)__clzll((long long)x_); }

#define BAILEY_BITS_u32_f32(x) __float_as_uint(x)
#define BAILEY_BITS_f32_u32(x) __uint_as_float(x)
#define BAILEY_BITS_i32_u32(x) (bailey_i32) x
#define BAILEY_BITS_u32_i32(x) (bailey_u32) x
#define BAILEY_BITS_i64_u64(x) (bailey_i64) x
#define BAILEY_BITS_u64_i64(x) (bailey_u64) x
#define BAILEY_BITS_u64_f64(x) (bailey_u64) __double_as_longlong(x)
#define BAILEY_BITS_f64_u64(x) __longlong_as_double((long long)x)
#define BAILEY_BITS(to, from)                                                                                \
    BAILEY_FN bailey_##to bailey_##to##_bits_##from(bailey_##from x_)                                        \
    {                                                                                                        \
        return BAILEY_BITS_##to##_##from(x_);                                                                \
    }

#define BAILEY_HAS_MULHI 1
BAILEY_FN bailey_u32 bailey_mulhi_u32(bailey_u32 a_, bailey_u32 b_) { return __umulhi(a_, b_); }

#define BAILEY_HAS_REVERSE 1
BAILEY_FN bailey_u32 bailey_reverse_u32(bailey_u32 x_) { return __brev(x_); }

/* One instruction each. Absolute error of the logarithm 2^-22 near 1, relative errors of the logarithm and
 * 2^x 2^-22 elsewhere (PTX manual, ex2.approx and lg2.approx). */
#define BAILEY_HAS_NATIVE 1
BAILEY_NATIVE(exp2, "ex2")
BAILEY_NATIVE(log2, "lg2")
BAILEY_NATIVE(sqrt, "sqrt")
BAILEY_NATIVE(sin, "sin")
BAILEY_NATIVE(cos, "cos")

#define BAILEY_WARP_SHUFFLES 1
BAILEY_FN bailey_uint32 bailey_warp_read(bailey_uint32 word, bailey_uint32 lane)
{
    return __shfl_sync(0xffffffffu, word, (int)lane);
}

/* What kernels that stay on the device need, to hear of the host and of each other. */
BAILEY_FN bailey_uint64 bailey_add_u64(bailey_uint64 *to, bailey_uint64 x_)
{
    return atomicAdd((unsigned long long *)to, (unsigned long long)x_);
}
BAILEY_FN bailey_uint64 bailey_hear_u64(const bailey_uint64 *from)
{
    return *(const volatile bailey_uint64 *)from;
}
BAILEY_FN void bailey_tell_u64(bailey_uint64 *to, bailey_uint64 x_) { *(volatile bailey_uint64 *)to = x_; }
BAILEY_FN void bailey_fence_system(void) { __threadfence_system(); }
BAILEY_FN void bailey_pause(bailey_uint32 nanoseconds) { __nanosleep(nanoseconds); }
BAILEY_FN void bailey_warp_meet(void) { __syncwarp(); }
/* The number of the lane so many behind this one. */
BAILEY_FN double bailey_warp_behind(double x_, bailey_uint32 far_) { return __shfl_down_sync(0xffffffffu, x_, far_); }

/* Coefficients are in constant memory: written as numbers, each would cost two instructions. A kernel that
 * loops defines BAILEY_HELD_COEFFICIENTS, and the compiler keeps those of the logarithm, the sine and the
 * cosine in registers, as they come from memory that it will not read again. */
#define BAILEY_COEFFICIENT_F64(c) c,
#define BAILEY_POLYNOMIAL_OF_F64(name, coefficients, space, load)                                            \
    static space __attribute__((unused)) double name##_coefficients[] = {                                    \
        coefficients(BAILEY_COEFFICIENT_F64, BAILEY_COEFFICIENT_F64)};                                       \
    BAILEY_FN double name(double x_)                                                                         \
    {                                                                                                        \
        double y_ = load(name##_coefficients);                                                               \
        _Pragma("unroll") for (int i_ = 1; i_ < (int)(sizeof name##_coefficients / sizeof y_); i_++) y_ =    \
            bailey_fma_f64(y_, x_, load(name##_coefficients + i_));                                          \
        return y_;                                                                                           \
    }
#define BAILEY_POLYNOMIAL_F64(name, coefficients)                                                            \
    BAILEY_POLYNOMIAL_OF_F64(name, coefficients, __constant__, *)
#if defined(BAILEY_HELD_COEFFICIENTS)
BAILEY_FN double bailey_held_f64(const double *at)
{
    double c_;
    asm("ld.global.nc.f64 %0, [%1];" : "=d"(c_) : "l"(at));
    return c_;
}
#define BAILEY_HELD_POLYNOMIAL_F64(name, coefficients)                                                       \
    BAILEY_POLYNOMIAL_OF_F64(name, coefficients, __device__, bailey_held_f64)
#endif

/* From compute capability 8.0 on. */
#if __CUDA_ARCH__ >= 800
#define BAILEY_COPY_16(to, from)                                                                             \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)),  \
                 "l"(from)                                                                                   \
                 : "memory")
#define BAILEY_COPIED() asm volatile("cp.async.wait_all;" ::: "memory")
#endif

#endif
