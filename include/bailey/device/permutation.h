/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Keyed permutations of 0 .. n - 1, in which each element is found without the others: samples without
 * replacement, and shuffles. A generalised Feistel cipher with cycle walking (J. Black, P. Rogaway, "Ciphers
 * with arbitrary finite domains", CT-RSA 2002), as R. Mitchell, D. Stokes, E. Frank and G. Holmes shuffle on
 * GPUs ("Bandwidth-optimal random shuffling for GPUs", ACM TOPC 9, 2022).
 *
 * The numbers fill a table of b = 2^shift rows and as few columns as hold n numbers: number x is in column x
 * / b and row x mod b, and b is about the root of n. A turn rotates each row by a number of columns that
 * depends on the row, then each column by a number of rows that depends on the column: bijections of the
 * table. A result of n or more is permuted again until it is below n. This keeps a uniform permutation
 * uniform, and is rare: the table has less than b numbers too many. Since b is even, permutations of both
 * parities arise, which ciphers of two halves of bits lack.
 *
 * Turns. If the rotations were independent and uniform, two numbers of one row would keep their distance
 * until the columns part them, and a share 1 / b of them stays together in a turn: so the distance from a
 * uniform permutation falls by this factor. There are 48 / shift turns, at least 8; the distance after the first
 * turns was computed for tables of up to 8 numbers (docs/records/quality.md#permutations). A rotation is a hash of two
 * multiplications (the constants are those of C. Wellons' "hash prospector", 2018) with a key of 32 bits of
 * its own; keys are blocks of bailey_run_hash.
 *
 * How many: a seed and a stream are 128 bits, too few for all permutations of 35 numbers; the streams of one
 * seed, or the seeds of one stream, are 2^64, too few for those of 21.
 */
#ifndef BAILEY_DEVICE_PERMUTATION_H
#define BAILEY_DEVICE_PERMUTATION_H

#include "bailey/device/run.h"

#define BAILEY_PERMUTATION_TURNS 48 /* at most */
#define BAILEY_PERMUTATION_TAG 17u

/* A permutation of 0 .. last, last below 2^48. */
typedef struct bailey_permutation {
    bailey_uint64 last;
    bailey_uint32 shift, columns, turns, unused;
    bailey_uint32 key[2 * BAILEY_PERMUTATION_TURNS];
} bailey_permutation;

#if BAILEY_LANES == 1
/* That of n numbers, 1 to 2^48, for a seed and a stream: 8 to 24 blocks of Philox, once for all elements. */
BAILEY_FN bailey_permutation bailey_permutation_of(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 n_)
{
    bailey_permutation p_;
    bailey_uint32 bits = 0;
    for (bailey_uint64 m_ = n_; m_ > 1; m_ >>= 1) bits++;
    p_.last = n_ - 1;
    p_.shift = bits < 4 ? 1 : bits / 2;
    p_.columns = (bailey_uint32)(p_.last >> p_.shift) + 1;
    p_.turns = p_.shift > 6 ? 8 : 48 / p_.shift;
    p_.unused = 0;
    for (bailey_uint32 i_ = 0; i_ < 2 * BAILEY_PERMUTATION_TURNS; i_ += 4) {
        const bailey_philox_block w_ = bailey_run_hash(BAILEY_PERMUTATION_TAG, seed, stream, n_, i_ >> 2);
        for (bailey_uint32 j_ = 0; j_ < 4; j_++) p_.key[i_ + j_] = i_ < 2 * p_.turns ? w_.word[j_] : 0;
    }
    return p_;
}
#endif

/* A word whose first bits depend on all of x. */
BAILEY_FN bailey_u32 bailey_permutation_hash(bailey_u32 x_, bailey_uint32 key)
{
    x_ = (x_ ^ bailey_splat_u32(key)) * bailey_splat_u32(0x7feb352du);
    return (x_ ^ x_ >> 15) * bailey_splat_u32(0x846ca68bu);
}

/* Moves a place of the table to where its number goes, which is below n. */
BAILEY_FN void bailey_permutation_move(const bailey_permutation *p_, bailey_u32 *row, bailey_u32 *column)
{
    const bailey_u32 columns = bailey_splat_u32(p_->columns);
    const bailey_u32 rows = bailey_splat_u32((1u << p_->shift) - 1u), rest = bailey_splat_u32(32 - p_->shift);
    const bailey_i32 last_row = bailey_i32_bits_u32(bailey_splat_u32((bailey_uint32)p_->last) & rows);
    const bailey_i32 whole = bailey_splat_i32((bailey_int32)p_->columns - 1);
    bailey_m32 beyond = bailey_lt_i32(bailey_splat_i32(0), bailey_splat_i32(1));
    do {
        bailey_u32 r_ = *row, c_ = *column;
        BAILEY_UNROLL_1 for (bailey_uint32 i_ = 0; i_ < 2 * p_->turns; i_ += 2)
        {
            c_ += bailey_mulhi_u32(bailey_permutation_hash(r_, p_->key[i_]), columns);
            c_ = bailey_select_u32(bailey_lt_i32(whole, bailey_i32_bits_u32(c_)), c_ - columns, c_);
            r_ = (r_ + (bailey_permutation_hash(c_, p_->key[i_ + 1]) >> rest)) & rows;
        }
        *row = bailey_select_u32(beyond, r_, *row);
        *column = bailey_select_u32(beyond, c_, *column);
        beyond = beyond & bailey_lt_i32(whole, bailey_i32_bits_u32(*column + bailey_splat_u32(1))) &
                 bailey_lt_i32(last_row, bailey_i32_bits_u32(*row));
    } while (bailey_any_m32(beyond));
}

/* Element x of the permutation, for x from 0 to last; the first is for last below 2^32. */
BAILEY_FN bailey_u32 bailey_permuted_u32(const bailey_permutation *p_, bailey_u32 x_)
{
    const bailey_u32 shift = bailey_splat_u32(p_->shift);
    bailey_u32 row = x_ & bailey_splat_u32((1u << p_->shift) - 1u), column = x_ >> shift;
    bailey_permutation_move(p_, &row, &column);
    return column << shift | row;
}
BAILEY_FN bailey_u64 bailey_permuted_u64(const bailey_permutation *p_, bailey_u64 x_)
{
    const bailey_u64 shift = bailey_splat_u64(p_->shift);
    bailey_u32 row = bailey_u32_from_u64(x_) & bailey_splat_u32((1u << p_->shift) - 1u);
    bailey_u32 column = bailey_u32_from_u64(x_ >> shift);
    bailey_permutation_move(p_, &row, &column);
    return bailey_u64_from_u32(column) << shift | bailey_u64_from_u32(row);
}

#endif
