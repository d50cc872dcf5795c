/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How GPUs read the tables of the inverse CDF from the memory of a group (CUDA's shared, OpenCL's local),
 * which is twice as fast as through the first cache in f64. Part of bailey/device/icdf_table.h where
 * BAILEY_ICDF_COPIES is defined before it is included; its functions are then given pointers to what a group
 * has copied, once for many normals:
 *
 *     extern __shared__ float4 memory[];                  BAILEY_ICDF_COPIES_BYTES_F32 (F64) of it
 *     bailey_icdf_copy_f32(memory, table, threadIdx.x, blockDim.x);
 *     __syncthreads();
 *     ... bailey_normal_icdf_f32((const float *)memory, word) ...
 *
 * The rows of the first octaves, which nearly all words need, stand there BAILEY_ICDF_COPIES times (1, 2, 4
 * or 8): an item reads the copy that its number gives. A load of 16 bytes serves eight items at a time, and
 * with eight copies no two of them meet in a bank. In f64 pieces of 16 bytes of a row stand apart, in
 * columns. Words of 64 bits in f32 are not served.
 */
#ifndef BAILEY_DEVICE_LANG_ICDF_COPIES_H
#define BAILEY_DEVICE_LANG_ICDF_COPIES_H

#include "bailey/device/lang/icdf_rows.h"

#define BAILEY_ICDF_LOADS_F32 1
#define BAILEY_ICDF_LOADS_F64 1

/* The number of rows that are stored several times, whole octaves of 16 and 32 rows; may be defined before
 * this file is included. With BAILEY_ICDF_COLD_F64 0 the other rows of f64 stay in the table. On CUDA f32 may
 * have twice as many as there are: then negative deviates have separate rows. */
#ifndef BAILEY_ICDF_HOT_F32
#define BAILEY_ICDF_HOT_F32 128
#endif
#ifndef BAILEY_ICDF_HOT_F64
#define BAILEY_ICDF_HOT_F64 192
#endif
#ifndef BAILEY_ICDF_COLD_F64
#define BAILEY_ICDF_COLD_F64 1
#endif

/* Pieces of 16 bytes: all in f32, of a column in f64, where rows that are copied side by side go to different
 * banks. */
#define BAILEY_ICDF_MORE (BAILEY_ICDF_COPIES - 1)
#if defined(BAILEY_IS_CUDA) && BAILEY_ICDF_HOT_F32 > BAILEY_ICDF_ROWS_F32
#define BAILEY_ICDF_SIGNED_F32 1
#define BAILEY_ICDF_PIECES_F32 (BAILEY_ICDF_COPIES * BAILEY_ICDF_SIGNED_ROWS_F32)
#else
#define BAILEY_ICDF_PIECES_F32 (BAILEY_ICDF_ROWS_F32 + BAILEY_ICDF_MORE * BAILEY_ICDF_HOT_F32)
#endif
#define BAILEY_ICDF_HERE_F64 (BAILEY_ICDF_COLD_F64 ? BAILEY_ICDF_ROWS_F64 : BAILEY_ICDF_HOT_F64)
#define BAILEY_ICDF_COLUMN_F64 (BAILEY_ICDF_HERE_F64 + BAILEY_ICDF_MORE * BAILEY_ICDF_HOT_F64 + 2)
#define BAILEY_ICDF_COPIES_BYTES_F32 (16 * BAILEY_ICDF_PIECES_F32)
#define BAILEY_ICDF_COPIES_BYTES_F64 (64 * BAILEY_ICDF_COLUMN_F64)

/* Rows count from 16 here, which spares the subtraction of 16 that their number begins with. */
#define BAILEY_ICDF_AT_F32 16
BAILEY_FN bailey_u32 bailey_icdf_at_f32(bailey_u32 row) { return row + BAILEY_ICDF_AT_F32; }

/* The piece of copy `copy` of the row that counts `at` from `zero`, of `rows`; of a row that stands there
 * once it is the same whatever the copy. */
BAILEY_FN bailey_u32 bailey_icdf_piece(bailey_u32 at, bailey_u32 zero, bailey_u32 rows, bailey_u32 hot,
                                       bailey_u32 copy)
{
    return hot >= rows || at < zero + hot ? at * BAILEY_ICDF_COPIES + (copy - zero * BAILEY_ICDF_COPIES)
                                          : at + (BAILEY_ICDF_MORE * hot - zero);
}

#if defined(BAILEY_ICDF_SIGNED_F32)
/* Places of rows that have a sign. Let F be the word and, below it, a bit 1 and zeros, shifted to the left by n
 * so that the highest bit which differs from the sign is bit 31: as a signed number F is M or -M. The row is
 * 32 n + 16 and the five highest bits of F, and the polynomial's argument the other bits, less 2^27 where the
 * word is positive: u or -u, for which the table's odd coefficients change their sign. From n = 28 on the other
 * bits are 0, and so is the argument of negative words: their rows are values, one further on as -F is then F.
 * The words 0 and -1 have n = -1 and one row, a straight line, after which come rows without a place. */
BAILEY_FN bailey_icdf_row_f32 bailey_icdf_signed_row_f32(const BAILEY_GLOBAL float4 *table, bailey_u32 at)
{
    const bailey_u32 octave = (at + 16) / 32, piece = (at + 16) % 32; /* n + 1 */
    const int last = octave == 0, above = piece >= 16, is_value = last || (!above && octave >= 29);
    const bailey_u32 row = octave < 2 ? BAILEY_ICDF_ROWS_F32 - 16
                                      : octave * 16 - 32 + (above ? piece - 16 : (is_value ? 16 : 15) - piece);
    const float4 c_ = table[row];
    bailey_icdf_row_f32 r_;
    r_.c_[0] = BAILEY_ELEMENT(const float, c_, 0), r_.c_[1] = BAILEY_ELEMENT(const float, c_, 1);
    r_.c_[2] = BAILEY_ELEMENT(const float, c_, 2), r_.c_[3] = BAILEY_ELEMENT(const float, c_, 3);
    if (is_value) {
        r_.c_[0] = bailey_icdf_polynomial_f32(r_, -0x1p27f);
        r_.c_[1] = last ? r_.c_[0] * 0x1p-26f : 0.0f;
        r_.c_[2] = r_.c_[3] = 0.0f;
    } else {
        r_.c_[1] = -r_.c_[1];
        r_.c_[3] = -r_.c_[3];
    }
    if (!above || last) return r_;
    r_.c_[0] = -r_.c_[0];
    r_.c_[2] = -r_.c_[2];
    return r_;
}
#endif

/* Copies a table into the memory of a group, all of whose `items` items call it, each with its number. */
BAILEY_FN void bailey_icdf_copy_f32(BAILEY_SHARED void *memory, const BAILEY_GLOBAL float *table,
                                    bailey_u32 item, bailey_u32 items)
{
    const BAILEY_GLOBAL float4 *const from = (const BAILEY_GLOBAL float4 *)table;
    BAILEY_SHARED float4 *const to = (BAILEY_SHARED float4 *)memory;
#if defined(BAILEY_ICDF_SIGNED_F32)
    for (bailey_u32 at = item; at < BAILEY_ICDF_SIGNED_ROWS_F32; at += items) {
        const bailey_icdf_row_f32 r_ = bailey_icdf_signed_row_f32(from, at);
        /* The bits below a word, which are those of -0, are in the first row without a place. */
        const float4 c_ = make_float4(at == 1 ? -0.0f : r_.c_[0], r_.c_[1], r_.c_[2], r_.c_[3]);
        BAILEY_UNROLL
        for (bailey_u32 k_ = 0; k_ < BAILEY_ICDF_COPIES; k_++) /* neighbours to different banks */
            to[at * BAILEY_ICDF_COPIES + ((at + k_) & BAILEY_ICDF_MORE)] = c_;
    }
#else
    const bailey_u32 hot = BAILEY_ICDF_COPIES * BAILEY_ICDF_HOT_F32;
    BAILEY_UNROLL_4
    for (bailey_u32 i_ = item; i_ < BAILEY_ICDF_PIECES_F32; i_ += items)
        to[i_] = from[i_ < hot ? i_ / BAILEY_ICDF_COPIES : i_ - BAILEY_ICDF_MORE * BAILEY_ICDF_HOT_F32];
#endif
}

#if defined(BAILEY_IS_CUDA) && BAILEY_ICDF_HOT_F32 >= BAILEY_ICDF_ROWS_F32

/* Where all rows are hot. Places are bytes and come from two multiplications: the unit that shifts, adds and
 * does logic is the busiest here, and shifts in their place cost 5 % (H200, Philox). Without a sign, the first 16
 * rows of bailey_icdf_find_f32 do not exist. */
#define BAILEY_ICDF_FINDS_F32 1
#define BAILEY_ICDF_PLACE_F32(table, word) bailey_icdf_find_f32(table, word)
BAILEY_FN bailey_icdf_place_f32 bailey_icdf_find_f32(const float *copies, bailey_u32 w_)
{
    const bailey_u32 row = 16 * BAILEY_ICDF_COPIES, copy = 16 * (BAILEY_LOCAL_X & BAILEY_ICDF_MORE);
#if defined(BAILEY_ICDF_SIGNED_F32)
    /* From memory, as a constant is moved to a register for each word. */
    const bailey_u32 below = ((const bailey_u32 *)copies)[4 * BAILEY_ICDF_COPIES];
    const bailey_u32 n_ = bailey_sign_zeros_u32(w_), F_ = bailey_shift_pair_u32(w_, below, n_);
    const bailey_u32 sign = bailey_u32_bits_i32(bailey_i32_bits_u32(w_) >> 31);
    bailey_icdf_place_f32 r_;
    r_.at = bailey_mad_u32(F_ >> 27, row, n_ * (32 * row) + (copy + 16 * row));
    r_.u_ = bailey_f32_from_i32(bailey_i32_bits_u32(bailey_choose_not_u32(0x07ffffffu, F_, sign)));
    return r_;
#else
    const bailey_u32 K_ = bailey_icdf_odd_u32(w_), n_ = bailey_clz_u32(K_), M_ = K_ << n_;
    bailey_icdf_place_f32 r_;
    (void)copies;
    r_.at = bailey_mad_u32(M_ >> 27, row, n_ * (16 * row) + (copy - 16 * row));
    r_.u_ = bailey_icdf_distance_u32(M_);
    return r_;
#endif
}

BAILEY_FN bailey_icdf_row_f32 bailey_icdf_load_f32(const float *copies, bailey_u32 at)
{
    const float4 c_ = *(const float4 *)((const char *)copies + at);
    bailey_icdf_row_f32 r_;
    r_.c_[0] = BAILEY_ELEMENT(const float, c_, 0), r_.c_[1] = BAILEY_ELEMENT(const float, c_, 1);
    r_.c_[2] = BAILEY_ELEMENT(const float, c_, 2), r_.c_[3] = BAILEY_ELEMENT(const float, c_, 3);
    return r_;
}

#else

BAILEY_FN bailey_icdf_row_f32 bailey_icdf_load_f32(const BAILEY_SHARED float *copies, bailey_u32 at)
{
    const bailey_u32 copy = BAILEY_LOCAL_X & BAILEY_ICDF_MORE;
    const bailey_u32 piece =
        bailey_icdf_piece(at, BAILEY_ICDF_AT_F32, BAILEY_ICDF_ROWS_F32, BAILEY_ICDF_HOT_F32, copy);
    const float4 c_ = ((const BAILEY_SHARED float4 *)copies)[piece];
    bailey_icdf_row_f32 r_;
    r_.c_[0] = BAILEY_ELEMENT(const float, c_, 0), r_.c_[1] = BAILEY_ELEMENT(const float, c_, 1);
    r_.c_[2] = BAILEY_ELEMENT(const float, c_, 2), r_.c_[3] = BAILEY_ELEMENT(const float, c_, 3);
    return r_;
}

#endif

#if BAILEY_HAS_F64

/* The last piece of the last column is where the table itself is. */
#define BAILEY_ICDF_ORIGIN(memory)                                                                           \
    ((BAILEY_SHARED bailey_uint64 *)(memory))[BAILEY_ICDF_COPIES_BYTES_F64 / 8 - 2]

BAILEY_FN void bailey_icdf_copy_f64(BAILEY_SHARED void *memory, const BAILEY_GLOBAL double *table,
                                    bailey_u32 item, bailey_u32 items)
{
    const BAILEY_GLOBAL double2 *const from = (const BAILEY_GLOBAL double2 *)table;
    BAILEY_SHARED double2 *const to = (BAILEY_SHARED double2 *)memory;
    const bailey_u32 hot = 4 * BAILEY_ICDF_HOT_F64;
    BAILEY_UNROLL_4
    for (bailey_u32 i_ = item; i_ < BAILEY_ICDF_COPIES * hot; i_ += items) {
        const bailey_u32 piece = i_ / BAILEY_ICDF_COPIES, copy = i_ % BAILEY_ICDF_COPIES;
        to[piece % 4 * BAILEY_ICDF_COLUMN_F64 + piece / 4 * BAILEY_ICDF_COPIES + copy] = from[piece];
    }
    BAILEY_UNROLL_4
    for (bailey_u32 i_ = hot + item; i_ < 4 * BAILEY_ICDF_HERE_F64; i_ += items)
        to[i_ % 4 * BAILEY_ICDF_COLUMN_F64 + i_ / 4 + BAILEY_ICDF_MORE * BAILEY_ICDF_HOT_F64] = from[i_];
    if (item == 0) BAILEY_ICDF_ORIGIN(memory) = (bailey_uint64)table;
}

BAILEY_FN bailey_icdf_row_f64 bailey_icdf_load_f64(const BAILEY_SHARED double *copies, bailey_u32 row)
{
    const bailey_u32 at = bailey_icdf_piece(row, 0, BAILEY_ICDF_ROWS_F64, BAILEY_ICDF_HOT_F64,
                                            BAILEY_LOCAL_X & BAILEY_ICDF_MORE);
    bailey_icdf_row_f64 r_;
    if (BAILEY_ICDF_COLD_F64 || row < BAILEY_ICDF_HOT_F64) {
        const BAILEY_SHARED double2 *const pieces = (const BAILEY_SHARED double2 *)copies + at;
        BAILEY_UNROLL
        for (int k_ = 0; k_ < 4; k_++) {
            const double2 c_ = pieces[k_ * BAILEY_ICDF_COLUMN_F64];
            r_.c_[2 * k_] = BAILEY_ELEMENT(const double, c_, 0),
                      r_.c_[2 * k_ + 1] = BAILEY_ELEMENT(const double, c_, 1);
        }
    } else {
        const BAILEY_GLOBAL double2 *const table =
            (const BAILEY_GLOBAL double2 *)(size_t)BAILEY_ICDF_ORIGIN(copies);
        BAILEY_UNROLL
        for (int k_ = 0; k_ < 4; k_++) {
            const double2 c_ = table[4 * row + k_];
            r_.c_[2 * k_] = BAILEY_ELEMENT(const double, c_, 0),
                      r_.c_[2 * k_ + 1] = BAILEY_ELEMENT(const double, c_, 1);
        }
    }
    return r_;
}

#endif

#endif
