/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The dialect in which bailey's device code is written: code that is valid C11, C++17, OpenCL C 1.2
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
 *
 * Names. Device headers must compile after any macros of their user. Public names begin with bailey_ or
 * BAILEY_. Parameters, variables and members are words in lower case, or one letter, perhaps with a digit,
 * and an underscore: x_, c0_; comments leave the underscore out. Words that are often macros are not among
 * them: tests/hostile_macros.sh has a list, and tries the headers behind it.
 *
 * Each target has a file, lang/in_<target>.h, chosen below. It must provide:
 *   bailey_uint32 ... bailey_int64       scalars
 *   BAILEY_FN, BAILEY_CALLED             prefix of functions that are always or never inlined; local arrays
 *                                        with variable indices belong in the former (tests/random_texts.c)
 *   BAILEY_GLOBAL, BAILEY_CONSTANT       address spaces
 *   BAILEY_TABLE                         the address space of BAILEY_CONSTANT data behind a pointer
 *   BAILEY_HAS_F64                       1 if the target has double, else 0: no double is needed below
 *   bailey_u32 ... bailey_f64            lane types
 *   bailey_m32, bailey_m64               masks for lanes of 32 and 64 bits: zero or nonzero with one lane,
 *                                        else 0 or -1 in each lane
 *   BAILEY_UNROLL                        before a loop: unrolls it
 *   BAILEY_UNROLL_1, _2, _4              before a loop: unrolls it by this factor
 *   bailey_fma_f32, _f64                 fused multiply-add
 *   BAILEY_SPLAT(type, x)                x in every lane, of integers
 *   BAILEY_SPLAT_REAL(type, x)           x in every lane, -0 too
 *   bailey_lane_numbers()                0, 1, ..., BAILEY_LANES - 1
 *   BAILEY_BITS(to, from)                makes the bit cast bailey_<to>_bits_<from>
 *   BAILEY_CONVERT(to, x)                x as bailey_<to>, to nearest even where a rounding can happen
 *   BAILEY_SELECT(type, mask, m, a, b)   m ? a : b in each lane; mask is the type of m
 *   bailey_any_m32, _m64                 whether the mask is set in any lane
 *   bailey_gather_u32, _f32              own[at] in each lane, of an item's own array
 *   BAILEY_SHUFFLE(index, a, b, list)    with several lanes: the elements of a and b that the list numbers
 *   bailey_clz_u32, _u64                 with one lane: the leading zeros of a number above 0
 *   BAILEY_LOAD_WHOLE32, _STORE_, ...    how packs move, see lang/packs.h
 * A target with a better alternative to bailey's default code may define
 *   BAILEY_HAS_MULHI                     and bailey_mulhi_u32
 *   BAILEY_HAS_REVERSE                   and bailey_reverse_u32
 *   BAILEY_HAS_NATIVE                    and bailey_native_exp2_f32, _log2_, _sqrt_, _sin_ and _cos_: the
 *                                        device's own approximations
 *   BAILEY_HAS_RSQRT                     and bailey_native_rsqrt_f32, with the error that math.h needs
 *   BAILEY_LOOKUP                        BAILEY_CONSTANT of small tables that items read at different places
 *   BAILEY_POLYNOMIAL_F64, BAILEY_HELD_POLYNOMIAL_F64    see math.h
 *   BAILEY_SHARED, BAILEY_BARRIER()      where items of one lane run in groups: their memory, their barrier
 *   BAILEY_LOCAL_X                       an item's number in its group, along x
 *   BAILEY_HAS_OPAQUE                    and bailey_opaque, a number of which compilers know nothing
 *   BAILEY_HAS_OPAQUE_INDEX              and bailey_opaque_index, an index of which compilers know nothing
 *   BAILEY_HAS_WIDEN                     and bailey_widen, the conversion of an int to 64 bits
 *   BAILEY_WARP_SHUFFLES                 and bailey_warp_read, which gives a lane of a warp's word
 *   bailey_add_u64, bailey_hear_u64, ... for persistent kernels: messages to and from the host
 *   BAILEY_PERMUTE2(a, b, q)             with 16 lanes: elements q of the 32 of a and b
 *   BAILEY_PERMUTE2_64(a, b, q)          with 8 lanes of 64 bits: elements q mod 16 of the 16 of a and b
 *   BAILEY_ROW_OF_16(rows, i, a, b)      row i mod 16 of a list of 16 pairs, see bailey_log2_row_of of math.h
 *   BAILEY_STORE_ONCE32, BAILEY_STREAM32, BAILEY_PREFETCH, ...    see lang/packs.h
 *   BAILEY_COPY_16(to, from)             starts a copy of 16 bytes to a group's memory, past the registers
 *   BAILEY_COPIED()                      waits for all of an item's copies
 *   BAILEY_COUNT(p)                      atomically adds 1 to a 32-bit word in global memory
 *   BAILEY_RAISE(p, x), BAILEY_PEEK(p)   atomically raise such a word to x, and read it
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

#if BAILEY_LANES == 2
#define BAILEY_LANE_NUMBERS 0, 1
#define BAILEY_ZIP_LOW 0, 2
#define BAILEY_ZIP_HIGH 1, 3
#define BAILEY_TURN_EVENS 0, 2
#define BAILEY_TURN_ODDS 1, 3
#elif BAILEY_LANES == 4
#define BAILEY_LANE_NUMBERS 0, 1, 2, 3
#define BAILEY_ZIP_LOW 0, 4, 1, 5
#define BAILEY_ZIP_HIGH 2, 6, 3, 7
#define BAILEY_TURN_EVENS 0, 4, 2, 6
#define BAILEY_TURN_ODDS 1, 5, 3, 7
#elif BAILEY_LANES == 8
#define BAILEY_LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7
#define BAILEY_ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define BAILEY_ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define BAILEY_TURN_EVENS 0, 8, 2, 10, 4, 12, 6, 14
#define BAILEY_TURN_ODDS 1, 9, 3, 11, 5, 13, 7, 15
#elif BAILEY_LANES == 16
#define BAILEY_LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define BAILEY_ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define BAILEY_ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define BAILEY_TURN_EVENS 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define BAILEY_TURN_ODDS 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#elif BAILEY_LANES != 1
#error "BAILEY_LANES must be 1, 2, 4, 8 or 16"
#endif

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)
#define BAILEY_IS_OPENCL 1
#include "bailey/device/lang/in_opencl.h"
#elif defined(__CUDACC__)
#define BAILEY_IS_CUDA 1
#include "bailey/device/lang/in_cuda.h"
#elif BAILEY_LANES == 1
#include "bailey/device/lang/in_c.h"
#else
#include "bailey/device/lang/in_gnu.h"
#endif

/* ---- Broadcast, bit casts, conversions ------------------------------------------------------ */

BAILEY_FN bailey_u32 bailey_splat_u32(bailey_uint32 x_) { return BAILEY_SPLAT(bailey_u32, x_); }
BAILEY_FN bailey_i32 bailey_splat_i32(bailey_int32 x_) { return BAILEY_SPLAT(bailey_i32, x_); }
BAILEY_FN bailey_u64 bailey_splat_u64(bailey_uint64 x_) { return BAILEY_SPLAT(bailey_u64, x_); }
BAILEY_FN bailey_f32 bailey_splat_f32(float x_) { return BAILEY_SPLAT_REAL(bailey_f32, x_); }

BAILEY_BITS(u32, f32)
BAILEY_BITS(f32, u32)
BAILEY_BITS(i32, u32)
BAILEY_BITS(u32, i32)
BAILEY_BITS(i64, u64)
BAILEY_BITS(u64, i64)

BAILEY_FN bailey_f32 bailey_f32_from_i32(bailey_i32 x_) { return BAILEY_CONVERT(f32, x_); }
BAILEY_FN bailey_u64 bailey_u64_from_u32(bailey_u32 x_) { return BAILEY_CONVERT(u64, x_); }
BAILEY_FN bailey_u32 bailey_u32_from_u64(bailey_u64 x_) { return BAILEY_CONVERT(u32, x_); }

#if BAILEY_HAS_F64
BAILEY_FN bailey_f64 bailey_splat_f64(double x_) { return BAILEY_SPLAT_REAL(bailey_f64, x_); }
BAILEY_BITS(u64, f64)
BAILEY_BITS(f64, u64)
BAILEY_FN bailey_f64 bailey_f64_from_i32(bailey_i32 x_) { return BAILEY_CONVERT(f64, x_); }
BAILEY_FN bailey_f64 bailey_f64_from_f32(bailey_f32 x_) { return BAILEY_CONVERT(f64, x_); }
BAILEY_FN bailey_f32 bailey_f32_from_f64(bailey_f64 x_) { return BAILEY_CONVERT(f32, x_); }
#endif

/* The high half of a 32 x 32 bit product. Written through 64 bits, as that vectorises (PoCL leaves kernels
 * that call mul_hi(uint, uint) scalar: six times slower). */
#if !defined(BAILEY_HAS_MULHI)
BAILEY_FN bailey_u32 bailey_mulhi_u32(bailey_u32 a_, bailey_u32 b_)
{
    return bailey_u32_from_u64((bailey_u64_from_u32(a_) * bailey_u64_from_u32(b_)) >> 32);
}
#endif

/* Bit 31 - i is bit i. */
#if !defined(BAILEY_HAS_REVERSE)
BAILEY_FN bailey_u32 bailey_reverse_u32(bailey_u32 x_)
{
    x_ = (x_ >> 16) | (x_ << 16);
    x_ = (x_ >> 8 & bailey_splat_u32(0x00ff00ffu)) | (x_ & bailey_splat_u32(0x00ff00ffu)) << 8;
    x_ = (x_ >> 4 & bailey_splat_u32(0x0f0f0f0fu)) | (x_ & bailey_splat_u32(0x0f0f0f0fu)) << 4;
    x_ = (x_ >> 2 & bailey_splat_u32(0x33333333u)) | (x_ & bailey_splat_u32(0x33333333u)) << 2;
    return (x_ >> 1 & bailey_splat_u32(0x55555555u)) | (x_ & bailey_splat_u32(0x55555555u)) << 1;
}
#endif

/* ---- Comparison and choice ------------------------------------------------------------------ */

BAILEY_FN bailey_m32 bailey_lt_i32(bailey_i32 a_, bailey_i32 b_) { return a_ < b_; }
BAILEY_FN bailey_m32 bailey_lt_f32(bailey_f32 a_, bailey_f32 b_) { return a_ < b_; }
BAILEY_FN bailey_m64 bailey_lt_i64(bailey_i64 a_, bailey_i64 b_) { return a_ < b_; }

/* m ? a : b, lane by lane. */
#define BAILEY_CHOICE(to, mask)                                                                              \
    BAILEY_FN bailey_##to bailey_select_##to(bailey_##mask m_, bailey_##to a_, bailey_##to b_)               \
    {                                                                                                        \
        return BAILEY_SELECT(bailey_##to, bailey_##mask, m_, a_, b_);                                        \
    }
BAILEY_CHOICE(u32, m32)
BAILEY_CHOICE(i32, m32)
BAILEY_CHOICE(f32, m32)
BAILEY_CHOICE(u64, m64)
#if BAILEY_HAS_F64
BAILEY_FN bailey_m64 bailey_lt_f64(bailey_f64 a_, bailey_f64 b_) { return a_ < b_; }
BAILEY_CHOICE(f64, m64)
#endif

#include "bailey/device/lang/packs.h"

/* ---- Tables of 16 elements ------------------------------------------------------------------ */

/* table[i mod 16] in each lane. */
BAILEY_FN bailey_u64 bailey_one_of_16_u64(const BAILEY_TABLE bailey_uint64 *table, bailey_u64 i_)
{
#if BAILEY_LANES == 1
    return table[i_ & 15];
#elif defined(BAILEY_PERMUTE2_64)
    bailey_u64 low, high;
    BAILEY_VECTOR_LOAD(low, table);
    BAILEY_VECTOR_LOAD(high, table + 8);
    return BAILEY_PERMUTE2_64(low, high, i_);
#else
    bailey_uint64 own[BAILEY_LANES];
    i_ = i_ & bailey_splat_u64(15);
    BAILEY_VECTOR_STORE(own, i_);
    BAILEY_UNROLL
    for (int lane = 0; lane < BAILEY_LANES; lane++) own[lane] = table[own[lane]];
    BAILEY_VECTOR_LOAD(i_, own);
    return i_;
#endif
}

#endif
