/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How OpenCL devices with vectors of 4, 8 or 16 lanes read the rows of the inverse CDF's tables: whole rows
 * or pairs of coefficients are loaded and transposed, eight lanes at a time. Part of
 * bailey/device/icdf_table.h, whose generic functions these replace; the values are the same.
 */
#ifndef BAILEY_DEVICE_LANG_ICDF_OPENCL_H
#define BAILEY_DEVICE_LANG_ICDF_OPENCL_H

#include "bailey/device/lang/icdf_rows.h"

#define BAILEY_ICDF_LOADS_F32 1
#define BAILEY_ICDF_LOADS_F64 1

/* In each block of four lanes: the first halves of a and b with lanes in turn, the second halves, the first
 * halves one after the other, the second halves. And the even and odd lanes of a and b in turn. */
#if BAILEY_LANES == 4
#define BAILEY_ICDF_PART 4
#define BAILEY_ICDF_PARTS 1
#define BAILEY_ICDF_TURNS_LOW 0, 4, 1, 5
#define BAILEY_ICDF_TURNS_HIGH 2, 6, 3, 7
#define BAILEY_ICDF_LOW 0, 1, 4, 5
#define BAILEY_ICDF_HIGH 2, 3, 6, 7
#define BAILEY_ICDF_TURNS_EVEN 0, 4, 2, 6
#define BAILEY_ICDF_TURNS_ODD 1, 5, 3, 7
typedef float4 bailey_icdf_part_f32;
typedef uint4 bailey_icdf_index_u32;
typedef ulong4 bailey_icdf_index_u64;
#if BAILEY_HAS_F64
typedef double4 bailey_icdf_part_f64;
#endif
#else
#define BAILEY_ICDF_PART 8
#define BAILEY_ICDF_PARTS (BAILEY_LANES / 8)
#define BAILEY_ICDF_TURNS_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define BAILEY_ICDF_TURNS_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#define BAILEY_ICDF_LOW 0, 1, 8, 9, 4, 5, 12, 13
#define BAILEY_ICDF_HIGH 2, 3, 10, 11, 6, 7, 14, 15
#define BAILEY_ICDF_TURNS_EVEN 0, 8, 2, 10, 4, 12, 6, 14
#define BAILEY_ICDF_TURNS_ODD 1, 9, 3, 11, 5, 13, 7, 15
typedef float8 bailey_icdf_part_f32;
typedef uint8 bailey_icdf_index_u32;
typedef ulong8 bailey_icdf_index_u64;
#if BAILEY_HAS_F64
typedef double8 bailey_icdf_part_f64;
#endif
#endif

#if BAILEY_LANES == 16
#define BAILEY_ICDF_WHOLE(type, part, k) (type)(part[0].c_[k], part[1].c_[k])
#else
#define BAILEY_ICDF_WHOLE(type, part, k) part[0].c_[k]
#endif

typedef struct bailey_icdf_rows_f32 {
    bailey_icdf_part_f32 c_[4];
} bailey_icdf_rows_f32;

BAILEY_FN bailey_icdf_part_f32 bailey_icdf_read_f32(const BAILEY_ICDF_SPACE float *table,
                                                    const bailey_uint32 *row)
{
#if BAILEY_LANES == 4
    return vload4(row[0], table);
#else
    return (float8)(vload4(row[0], table), vload4(row[4], table));
#endif
}

BAILEY_FN bailey_icdf_rows_f32 bailey_icdf_part_of_f32(const BAILEY_ICDF_SPACE float *table,
                                                       const bailey_uint32 *row)
{
    typedef bailey_icdf_part_f32 part;
    const part a_ = bailey_icdf_read_f32(table, row), b_ = bailey_icdf_read_f32(table, row + 1);
    const part c_ = bailey_icdf_read_f32(table, row + 2), d_ = bailey_icdf_read_f32(table, row + 3);
    const part low = BAILEY_SHUFFLE(bailey_icdf_index_u32, a_, b_, BAILEY_ICDF_TURNS_LOW);
    const part low2 = BAILEY_SHUFFLE(bailey_icdf_index_u32, c_, d_, BAILEY_ICDF_TURNS_LOW);
    const part high = BAILEY_SHUFFLE(bailey_icdf_index_u32, a_, b_, BAILEY_ICDF_TURNS_HIGH);
    const part high2 = BAILEY_SHUFFLE(bailey_icdf_index_u32, c_, d_, BAILEY_ICDF_TURNS_HIGH);
    bailey_icdf_rows_f32 r_;
    r_.c_[0] = BAILEY_SHUFFLE(bailey_icdf_index_u32, low, low2, BAILEY_ICDF_LOW);
    r_.c_[1] = BAILEY_SHUFFLE(bailey_icdf_index_u32, low, low2, BAILEY_ICDF_HIGH);
    r_.c_[2] = BAILEY_SHUFFLE(bailey_icdf_index_u32, high, high2, BAILEY_ICDF_LOW);
    r_.c_[3] = BAILEY_SHUFFLE(bailey_icdf_index_u32, high, high2, BAILEY_ICDF_HIGH);
    return r_;
}

BAILEY_FN bailey_icdf_row_f32 bailey_icdf_load_f32(const BAILEY_ICDF_SPACE float *table, bailey_u32 row)
{
    bailey_uint32 own[BAILEY_LANES];
    bailey_icdf_rows_f32 part[BAILEY_ICDF_PARTS];
    bailey_icdf_row_f32 r_;
    bailey_vector_put_u32(own, row);
    BAILEY_UNROLL
    for (int i_ = 0; i_ < BAILEY_ICDF_PARTS; i_++) part[i_] = bailey_icdf_part_of_f32(table, own + 8 * i_);
    BAILEY_UNROLL
    for (int k_ = 0; k_ < 4; k_++) r_.c_[k_] = BAILEY_ICDF_WHOLE(bailey_f32, part, k_);
    return r_;
}

#if BAILEY_HAS_F64
typedef struct bailey_icdf_pair_f64 {
    bailey_icdf_part_f64 c_[2];
} bailey_icdf_pair_f64;

/* A pair of coefficients of every second lane. */
BAILEY_FN bailey_icdf_part_f64 bailey_icdf_read_f64(const BAILEY_ICDF_SPACE_F64 double *pairs,
                                                    const bailey_uint32 *row)
{
#if BAILEY_LANES == 4
    return (double4)(vload2(4 * row[0], pairs), vload2(4 * row[2], pairs));
#else
    return (double8)(vload2(4 * row[0], pairs), vload2(4 * row[2], pairs), vload2(4 * row[4], pairs),
                     vload2(4 * row[6], pairs));
#endif
}

BAILEY_FN bailey_icdf_pair_f64 bailey_icdf_part_of_f64(const BAILEY_ICDF_SPACE_F64 double *pairs,
                                                       const bailey_uint32 *row)
{
    const bailey_icdf_part_f64 a_ = bailey_icdf_read_f64(pairs, row),
                               b_ = bailey_icdf_read_f64(pairs, row + 1);
    bailey_icdf_pair_f64 r_;
    r_.c_[0] = BAILEY_SHUFFLE(bailey_icdf_index_u64, a_, b_, BAILEY_ICDF_TURNS_EVEN);
    r_.c_[1] = BAILEY_SHUFFLE(bailey_icdf_index_u64, a_, b_, BAILEY_ICDF_TURNS_ODD);
    return r_;
}

BAILEY_FN bailey_icdf_row_f64 bailey_icdf_load_f64(const BAILEY_ICDF_SPACE_F64 double *table, bailey_u32 row)
{
    bailey_uint32 own[BAILEY_LANES];
    bailey_icdf_row_f64 r_;
    bailey_vector_put_u32(own, row);
    BAILEY_UNROLL
    for (int k_ = 0; k_ < 8; k_ += 2) {
        bailey_icdf_pair_f64 part[BAILEY_ICDF_PARTS];
        BAILEY_UNROLL
        for (int i_ = 0; i_ < BAILEY_ICDF_PARTS; i_++)
            part[i_] = bailey_icdf_part_of_f64(table + k_, own + 8 * i_);
        r_.c_[k_] = BAILEY_ICDF_WHOLE(bailey_f64, part, 0);
        r_.c_[k_ + 1] = BAILEY_ICDF_WHOLE(bailey_f64, part, 1);
    }
    return r_;
}
#endif

#endif
