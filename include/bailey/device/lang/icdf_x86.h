/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How x86 reads the tables of the inverse CDF for a vector of lanes: whole rows are loaded and transposed,
 * which takes a third of the time of gathers (Zen 4). Part of bailey/device/icdf_table.h, whose generic
 * functions these replace; the values are the same. Here a row is known by its offset in bytes.
 */
#ifndef BAILEY_DEVICE_LANG_ICDF_X86_H
#define BAILEY_DEVICE_LANG_ICDF_X86_H

#include "bailey/device/lang/icdf_rows.h"

#include <immintrin.h>

/* Keeps clang from making one shuffle of two, of which it would then need one for each lane. */
#if defined(__clang__)
#define BAILEY_ICDF_KEEP(x) __asm__("" : "+v"(x))
#else
#define BAILEY_ICDF_KEEP(x) (void)(x)
#endif

/* The elements of a vector as scalars, taken two by two: half as many moves between register files. */
BAILEY_FN void bailey_icdf_unpack(bailey_uint32 *at, bailey_u32 x_)
{
    bailey_uint64 pair[BAILEY_LANES / 2];
    memcpy(pair, &x_, sizeof pair);
    BAILEY_UNROLL
    for (int i_ = 0; i_ < BAILEY_LANES / 2; i_++) {
        at[2 * i_] = (bailey_uint32)pair[i_];
        at[2 * i_ + 1] = (bailey_uint32)(pair[i_] >> 32);
    }
}

/* ---- f32 ------------------------------------------------------------------------------------ */

#if (BAILEY_LANES == 16 && defined(__AVX512F__)) || (BAILEY_LANES == 8 && defined(__AVX2__))
#define BAILEY_ICDF_FINDS_F32 1
#define BAILEY_ICDF_LOADS_F32 1
#define BAILEY_ICDF_AT_ONCE_F32 1

BAILEY_FN bailey_u32 bailey_icdf_at_f32(bailey_u32 row) { return row << 4; }

BAILEY_FN __m128 bailey_icdf_read_f32(const float *table, bailey_uint32 at)
{
    return _mm_loadu_ps((const float *)((const char *)table + at));
}
#endif

#if BAILEY_LANES == 16 && defined(__AVX512F__)
/* Exponent and first four bits of K, as a float that is rounded towards zero, are octave and piece. */
BAILEY_FN bailey_icdf_place_f32 bailey_icdf_find_f32(bailey_u32 w_)
{
    const bailey_u32 K_ = bailey_icdf_odd_u32(w_);
    const bailey_u32 f_ =
        (bailey_u32)_mm512_cvt_roundepu32_ps((__m512i)K_, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    const bailey_u32 M_ = K_ << (bailey_splat_u32(158) - (f_ >> 23));
    bailey_icdf_place_f32 r_;
    r_.at = (((f_ >> 15) ^ bailey_splat_u32(0xff00)) & bailey_splat_u32(0xfff0)) - bailey_splat_u32(97 << 8);
    r_.u_ = bailey_icdf_distance_u32(M_);
    return r_;
}

/* Rows 0, 4, 8, 12 side by side. */
BAILEY_FN __m512 bailey_icdf_rows_f32(const float *table, const bailey_uint32 *at)
{
    __m512 r_ = _mm512_castps128_ps512(bailey_icdf_read_f32(table, at[0]));
    r_ = _mm512_insertf32x4(r_, bailey_icdf_read_f32(table, at[4]), 1);
    r_ = _mm512_insertf32x4(r_, bailey_icdf_read_f32(table, at[8]), 2);
    return _mm512_insertf32x4(r_, bailey_icdf_read_f32(table, at[12]), 3);
}

BAILEY_FN bailey_icdf_row_f32 bailey_icdf_load_at_f32(const float *table, const bailey_uint32 *at)
{
    const __m512 a_ = bailey_icdf_rows_f32(table, at), b_ = bailey_icdf_rows_f32(table, at + 1);
    const __m512 c_ = bailey_icdf_rows_f32(table, at + 2), d_ = bailey_icdf_rows_f32(table, at + 3);
    const __m512d low = (__m512d)_mm512_unpacklo_ps(a_, b_), low2 = (__m512d)_mm512_unpacklo_ps(c_, d_);
    const __m512d high = (__m512d)_mm512_unpackhi_ps(a_, b_), high2 = (__m512d)_mm512_unpackhi_ps(c_, d_);
    bailey_icdf_row_f32 r_;
    r_.c_[0] = (bailey_f32)_mm512_unpacklo_pd(low, low2);
    r_.c_[1] = (bailey_f32)_mm512_unpackhi_pd(low, low2);
    r_.c_[2] = (bailey_f32)_mm512_unpacklo_pd(high, high2);
    r_.c_[3] = (bailey_f32)_mm512_unpackhi_pd(high, high2);
    return r_;
}

#elif BAILEY_LANES == 8 && defined(__AVX2__)
/* Leading zeros from the exponent of k + 1/2. The bit below the leading one of k is cleared, so that no
 * rounding can carry into the exponent. */
BAILEY_FN bailey_icdf_place_f32 bailey_icdf_find_f32(bailey_u32 w_)
{
    const bailey_u32 k_ = w_ ^ bailey_u32_bits_i32(bailey_i32_bits_u32(w_) >> 31);
    const bailey_f32 f_ = bailey_f32_from_i32(bailey_i32_bits_u32(k_ & ~(k_ >> 1))) + bailey_splat_f32(0.5f);
    const bailey_u32 n_ = bailey_splat_u32(157) - (bailey_u32_bits_f32(f_) >> 23);
    const bailey_u32 M_ = ((k_ + k_) | bailey_splat_u32(1)) << n_;
    bailey_icdf_place_f32 r_;
    r_.at = (n_ << 8) + ((M_ >> 23) & bailey_splat_u32(0xf0));
    r_.u_ = bailey_icdf_distance_u32(M_);
    return r_;
}

/* Rows 0 and 4 side by side. */
BAILEY_FN __m256 bailey_icdf_rows_f32(const float *table, const bailey_uint32 *at)
{
    const __m256 low = _mm256_castps128_ps256(bailey_icdf_read_f32(table, at[0]));
    return _mm256_insertf128_ps(low, bailey_icdf_read_f32(table, at[4]), 1);
}

BAILEY_FN bailey_icdf_row_f32 bailey_icdf_load_at_f32(const float *table, const bailey_uint32 *at)
{
    const __m256 a_ = bailey_icdf_rows_f32(table, at), b_ = bailey_icdf_rows_f32(table, at + 1);
    const __m256 c_ = bailey_icdf_rows_f32(table, at + 2), d_ = bailey_icdf_rows_f32(table, at + 3);
    const __m256d low = (__m256d)_mm256_unpacklo_ps(a_, b_), low2 = (__m256d)_mm256_unpacklo_ps(c_, d_);
    const __m256d high = (__m256d)_mm256_unpackhi_ps(a_, b_), high2 = (__m256d)_mm256_unpackhi_ps(c_, d_);
    bailey_icdf_row_f32 r_;
    r_.c_[0] = (bailey_f32)_mm256_unpacklo_pd(low, low2);
    r_.c_[1] = (bailey_f32)_mm256_unpackhi_pd(low, low2);
    r_.c_[2] = (bailey_f32)_mm256_unpacklo_pd(high, high2);
    r_.c_[3] = (bailey_f32)_mm256_unpackhi_pd(high, high2);
    return r_;
}
#endif

#if defined(BAILEY_ICDF_AT_ONCE_F32)
BAILEY_FN bailey_icdf_row_f32 bailey_icdf_load_f32(const float *table, bailey_u32 at)
{
    bailey_uint32 own[BAILEY_LANES];
    bailey_icdf_unpack(own, at);
    return bailey_icdf_load_at_f32(table, own);
}
#endif

/* ---- f64 ------------------------------------------------------------------------------------ */

#if (BAILEY_LANES == 8 && defined(__AVX512F__)) || (BAILEY_LANES == 4 && defined(__AVX2__))
#define BAILEY_ICDF_FINDS_F64 1
#define BAILEY_ICDF_LOADS_F64 1

/* Where the rows of numbers with these bits are, in bytes. */
BAILEY_FN bailey_u64 bailey_icdf_places_f64(bailey_u64 b_)
{
    return ((b_ >> 41) ^ bailey_splat_u64(0x3ff800)) & bailey_splat_u64(0x3fffc0);
}
BAILEY_FN const char *bailey_icdf_base_f64(const double *table, bailey_uint32 first)
{
    return (const char *)table - ((2047 - first) << 11);
}

BAILEY_FN bailey_icdf_row_f64 bailey_icdf_load_f64(const char *base, const bailey_uint64 *at);

/* Places go through memory: loads cost less than taking elements from a register, as compilers would. In
 * halves of 32 bytes, for no load gets its data from a pending store of 64 (Golden Cove). */
BAILEY_FN bailey_icdf_row_f64 bailey_icdf_find_f64(const double *table, bailey_u64 b_, bailey_uint32 first)
{
    union {
        bailey_uint64 at[BAILEY_LANES];
        __m256i half[BAILEY_LANES / 4];
    } places;
    const bailey_u64 at = bailey_icdf_places_f64(b_);
#if BAILEY_LANES == 8
    places.half[0] = _mm512_castsi512_si256((__m512i)at);
    places.half[1] = _mm512_extracti64x4_epi64((__m512i)at, 1);
    __asm__("" : "+m"(places.half[1]));
#else
    places.half[0] = (__m256i)at;
#endif
    __asm__("" : "+m"(places.half[0]));
    return bailey_icdf_load_f64(bailey_icdf_base_f64(table, first), places.at);
}
#endif

#if BAILEY_LANES == 8 && defined(__AVX512F__)
#if defined(__AVX512DQ__)
#define BAILEY_ICDF_TAILS_F64 1085
/* 2^64 times the tail probability, with a sign: the word as a signed number, in the middle of its cell. */
BAILEY_FN bailey_f64 bailey_icdf_tail_f64(bailey_u64 w_)
{
    const bailey_u64 middle = (w_ & bailey_splat_u64(~(bailey_uint64)0x7ff)) | bailey_splat_u64(0x400);
    return BAILEY_CONVERT(f64, bailey_i64_bits_u64(middle));
}
#endif

/* 2^33 times the tail probability of words of 32 bits in memory, with a sign: 2 w + 1 of the signed w. */
#define BAILEY_ICDF_SIGNED_TAILS_F64 1054
BAILEY_FN bailey_f64 bailey_icdf_signed_tail_f64(const bailey_uint32 *words)
{
    const bailey_f64 w_ = (bailey_f64)_mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)words));
    return (w_ + w_) + bailey_splat_f64(1.0);
}

/* Four coefficients of lanes 0 and 2. */
BAILEY_FN __m512d bailey_icdf_read_f64(const char *base, const bailey_uint64 *at)
{
    const __m256d low = _mm256_loadu_pd((const double *)(base + at[0]));
    const __m256d high = _mm256_loadu_pd((const double *)(base + at[2]));
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}

/* The first and third blocks of 16 bytes of a, then those of b; or the second and fourth. */
#define BAILEY_EVEN_BLOCKS(a, b) (bailey_f64) _mm512_shuffle_f64x2(a, b, 0x88)
#define BAILEY_ODD_BLOCKS(a, b) (bailey_f64) _mm512_shuffle_f64x2(a, b, 0xdd)

BAILEY_FN bailey_icdf_row_f64 bailey_icdf_load_f64(const char *base, const bailey_uint64 *at)
{
    bailey_icdf_row_f64 r_;
    BAILEY_UNROLL
    for (int k_ = 0; k_ < 8; k_ += 4, base += 32) {
        const __m512d a_ = bailey_icdf_read_f64(base, at), b_ = bailey_icdf_read_f64(base, at + 1);
        const __m512d c_ = bailey_icdf_read_f64(base, at + 4), d_ = bailey_icdf_read_f64(base, at + 5);
        __m512d even = _mm512_unpacklo_pd(a_, b_), even2 = _mm512_unpacklo_pd(c_, d_);
        __m512d odd = _mm512_unpackhi_pd(a_, b_), odd2 = _mm512_unpackhi_pd(c_, d_);
        BAILEY_ICDF_KEEP(even);
        BAILEY_ICDF_KEEP(even2);
        BAILEY_ICDF_KEEP(odd);
        BAILEY_ICDF_KEEP(odd2);
        r_.c_[k_] = BAILEY_EVEN_BLOCKS(even, even2);
        r_.c_[k_ + 1] = BAILEY_EVEN_BLOCKS(odd, odd2);
        r_.c_[k_ + 2] = BAILEY_ODD_BLOCKS(even, even2);
        r_.c_[k_ + 3] = BAILEY_ODD_BLOCKS(odd, odd2);
    }
    return r_;
}

#elif BAILEY_LANES == 4 && defined(__AVX2__)
#define BAILEY_ICDF_SIGNED_TAILS_F64 1054
BAILEY_FN bailey_f64 bailey_icdf_signed_tail_f64(const bailey_uint32 *words)
{
    const bailey_f64 w_ = (bailey_f64)_mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)words));
    return (w_ + w_) + bailey_splat_f64(1.0);
}

/* Shuffles of integers, for which there are two units (Golden Cove; one for floats). */
BAILEY_FN bailey_icdf_row_f64 bailey_icdf_load_f64(const char *base, const bailey_uint64 *at)
{
    bailey_icdf_row_f64 r_;
    BAILEY_UNROLL
    for (int k_ = 0; k_ < 8; k_ += 4) { /* four coefficients of each lane */
        __m256i c_[4];
        for (int lane = 0; lane < 4; lane++)
            c_[lane] = _mm256_loadu_si256((const __m256i *)(base + at[lane] + 8 * k_));
        const __m256i even = _mm256_unpacklo_epi64(c_[0], c_[1]), even2 = _mm256_unpacklo_epi64(c_[2], c_[3]);
        const __m256i odd = _mm256_unpackhi_epi64(c_[0], c_[1]), odd2 = _mm256_unpackhi_epi64(c_[2], c_[3]);
        r_.c_[k_] = (bailey_f64)_mm256_permute2x128_si256(even, even2, 0x20);
        r_.c_[k_ + 1] = (bailey_f64)_mm256_permute2x128_si256(odd, odd2, 0x20);
        r_.c_[k_ + 2] = (bailey_f64)_mm256_permute2x128_si256(even, even2, 0x31);
        r_.c_[k_ + 3] = (bailey_f64)_mm256_permute2x128_si256(odd, odd2, 0x31);
    }
    return r_;
}
#endif

#endif
