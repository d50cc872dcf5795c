/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What all that read the tables of the inverse CDF have in common: where the tables are, their sizes, rows
 * and places in them, and how a word becomes a place. Part of bailey/device/icdf_table.h.
 */
#ifndef BAILEY_DEVICE_LANG_ICDF_ROWS_H
#define BAILEY_DEVICE_LANG_ICDF_ROWS_H

#include "bailey/device/dialect.h"

/* The address space of the tables: a kernel that has them elsewhere than in global memory, as __local or
 * __constant, defines it before it includes icdf_table.h, and then gives all functions such pointers.
 * BAILEY_ICDF_SPACE_F64 is f64's own where it differs: constant memory has no room for that table. Tables are
 * aligned to 16 bytes. With BAILEY_ICDF_COPIES, several copies (bailey/device/lang/icdf_copies.h), it is the
 * memory of a group. */
#if defined(BAILEY_ICDF_COPIES)
#define BAILEY_ICDF_SPACE BAILEY_SHARED
#elif !defined(BAILEY_ICDF_SPACE)
#define BAILEY_ICDF_SPACE BAILEY_GLOBAL
#endif
#if !defined(BAILEY_ICDF_SPACE_F64)
#define BAILEY_ICDF_SPACE_F64 BAILEY_ICDF_SPACE
#endif

#define BAILEY_ICDF_ROWS_F32 512      /* that words of 32 bits need: 8 KB */
#define BAILEY_ICDF_ALL_ROWS_F32 1024 /* 16 KB */
#define BAILEY_ICDF_SIGNED_ROWS_F32 1040 /* with the sign in them (bailey/device/lang/icdf_copies.h) */
#define BAILEY_ICDF_ROWS_F64 1696     /* 106 KB */

/* The coefficients of each lane's row. */
typedef struct bailey_icdf_row_f32 {
    bailey_f32 c_[4];
} bailey_icdf_row_f32;
#if BAILEY_HAS_F64
typedef struct bailey_icdf_row_f64 {
    bailey_f64 c_[8];
} bailey_icdf_row_f64;
#endif

/* Where the row is, in a unit that the function which loads it knows, and MINUS the distance from the upper
 * end of its piece, in units of 2^-27 of the piece. */
typedef struct bailey_icdf_place_f32 {
    bailey_u32 at;
    bailey_f32 u_;
} bailey_icdf_place_f32;

/* K, twice the reflected word plus 1: the tail probability is K / 2^33. */
BAILEY_FN bailey_u32 bailey_icdf_odd_u32(bailey_u32 w_)
{
    return ((w_ << 1) ^ bailey_u32_bits_i32(bailey_i32_bits_u32(w_) >> 31)) | bailey_splat_u32(1);
}

/* From M, which is K with its leading one at bit 31: the four bits below are the piece. */
BAILEY_FN bailey_f32 bailey_icdf_distance_u32(bailey_u32 M_)
{
    return bailey_f32_from_i32(bailey_i32_bits_u32(M_ | bailey_splat_u32(0xf8000000u)));
}

/* A row's polynomial. */
BAILEY_FN bailey_f32 bailey_icdf_polynomial_f32(bailey_icdf_row_f32 r_, bailey_f32 u_)
{
    bailey_f32 x_ = bailey_fma_f32(r_.c_[3], u_, r_.c_[2]);
    x_ = bailey_fma_f32(x_, u_, r_.c_[1]);
    return bailey_fma_f32(x_, u_, r_.c_[0]);
}

#endif
