/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Philox4x32, a counter-based generator: a pure function from (seed, stream, element) to words. Ten rounds
 * are the default; seven are the fewest that the authors found to pass BigCrush.
 *
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011),
 * section 4.3 and table 2: multipliers D2511F53, CD9E8D57; key increments 9E3779B9, BB67AE85.
 *
 * Order contract: word i of (seed, stream) is word i mod 4 of the block whose counter is
 * { i/4 low, i/4 high, stream low, stream high } and whose key is { seed low, seed high }.
 * A 64-bit element i is words 2i (low half) and 2i + 1 (high half).
 *
 * Elements of 32 or 64 bits have numbers below 2^64, so that their blocks have numbers below 2^63: the top
 * bit of the counter's second word is 0 in every one of them. Counters that have it set are reserved for
 * addresses that no 64-bit number holds (a path and a node), under keys that one block makes of (seed,
 * stream). That block has it set too, and bits 25 to 29 of the word 0: bailey_run_hash (bailey/device/run.h),
 * whose runs number 2^50 and above have the top bit set, always has one of those set.
 */
#ifndef BAILEY_DEVICE_PHILOX_H
#define BAILEY_DEVICE_PHILOX_H

#include "bailey/device/dialect.h"

/* Four words for each lane. */
typedef struct bailey_philox_block {
    bailey_u32 word[4];
} bailey_philox_block;

/* The keys of all rounds: round n takes words 2 n and 2 n + 1. A kernel that is given them, rather than the
 * seed, need not count them up in every item: on a GPU they are operands, in constant memory, of instructions
 * that are there anyway. */
typedef struct bailey_philox_keys {
    bailey_uint32 word[20];
} bailey_philox_keys;

BAILEY_FN bailey_philox_keys bailey_philox_keys_of(bailey_uint64 seed)
{
    bailey_philox_keys keys;
    for (int n_ = 0; n_ < 10; n_++) {
        keys.word[2 * n_] = (bailey_uint32)seed + (bailey_uint32)n_ * 0x9E3779B9u;
        keys.word[2 * n_ + 1] = (bailey_uint32)(seed >> 32) + (bailey_uint32)n_ * 0xBB67AE85u;
    }
    return keys;
}

/* Written out: nvcc 13 leaves the last two rounds of a loop rolled in larger kernels. */
#define BAILEY_PHILOX_ROUNDS(ROUND)                                                                          \
    ROUND(0) ROUND(1) ROUND(2) ROUND(3) ROUND(4) ROUND(5) ROUND(6) ROUND(7) ROUND(8) ROUND(9)

/* Rounds from .. to - 1 (at most 9), constants, of a counter that has been through those before. */
BAILEY_FN bailey_philox_block bailey_philox_rounds(int from, int to, bailey_philox_block b_,
                                                   bailey_philox_keys keys)
{
    const bailey_u32 m0_ = bailey_splat_u32(0xD2511F53u), m1_ = bailey_splat_u32(0xCD9E8D57u);
    bailey_u32 c0_ = b_.word[0], c1_ = b_.word[1], c2_ = b_.word[2], c3_ = b_.word[3];
#define BAILEY_PHILOX_ROUND(n)                                                                               \
    if (n >= from && n < to) {                                                                               \
        const bailey_u32 h0_ = bailey_mulhi_u32(m0_, c0_), l0_ = m0_ * c0_;                                  \
        const bailey_u32 h1_ = bailey_mulhi_u32(m1_, c2_), l1_ = m1_ * c2_;                                  \
        c0_ = h1_ ^ c1_ ^ bailey_splat_u32(keys.word[2 * n]);                                                \
        c1_ = l1_;                                                                                           \
        c2_ = h0_ ^ c3_ ^ bailey_splat_u32(keys.word[2 * n + 1]);                                            \
        c3_ = l0_;                                                                                           \
    }
    BAILEY_PHILOX_ROUNDS(BAILEY_PHILOX_ROUND)
#undef BAILEY_PHILOX_ROUND
    b_.word[0] = c0_;
    b_.word[1] = c1_;
    b_.word[2] = c2_;
    b_.word[3] = c3_;
    return b_;
}

#if defined(BAILEY_HAS_PAIRS) || defined(BAILEY_HAS_PRODUCTS)
#include "bailey/device/lang/philox_gnu.h"
#endif

/* Rounds 0 .. rounds - 1, and the others up to 10 if `more`, of `count` counters, 1 or 2; two side by side
 * keep more of a processor busy. */
#if defined(BAILEY_HAS_PAIRS)
BAILEY_FN void bailey_philox_run(int count, int rounds, int more, bailey_philox_block *b_,
                                 bailey_philox_keys keys)
{
    bailey_philox_pairs half[4];
    for (int i_ = 0; i_ < count; i_++)
        for (int j_ = 0; j_ < 4; j_++) {
            half[2 * i_].word[j_] = bailey_pairs_even(b_[i_].word[j_]);
            half[2 * i_ + 1].word[j_] = bailey_pairs_odd(b_[i_].word[j_]);
        }
#define BAILEY_PHILOX_HALVES(n)                                                                              \
    for (int i_ = 0; i_ < 2 * count; i_++) half[i_] = bailey_philox_rounds_pairs(n, n + 1, half[i_], keys);
#define BAILEY_PHILOX_FIRST(n)                                                                               \
    if (n < rounds) BAILEY_PHILOX_HALVES(n)
#define BAILEY_PHILOX_REST(n)                                                                                \
    if (n >= rounds) BAILEY_PHILOX_HALVES(n)
    BAILEY_PHILOX_ROUNDS(BAILEY_PHILOX_FIRST)
    if (more) {
        BAILEY_PHILOX_ROUNDS(BAILEY_PHILOX_REST)
    }
#undef BAILEY_PHILOX_HALVES
#undef BAILEY_PHILOX_FIRST
#undef BAILEY_PHILOX_REST
    for (int i_ = 0; i_ < count; i_++)
        for (int j_ = 0; j_ < 4; j_++)
            b_[i_].word[j_] = bailey_u32_from_pairs(half[2 * i_].word[j_], half[2 * i_ + 1].word[j_]);
}
#else
BAILEY_FN void bailey_philox_run(int count, int rounds, int more, bailey_philox_block *b_,
                                 bailey_philox_keys keys)
{
    for (int i_ = 0; i_ < count; i_++) {
        b_[i_] = bailey_philox_rounds(0, rounds, b_[i_], keys);
        if (more) b_[i_] = bailey_philox_rounds(rounds, 10, b_[i_], keys);
    }
}
#endif

/* The function itself, of `rounds` rounds (at most 10), on raw counter words. */
BAILEY_FN bailey_philox_block bailey_philox4x32_keyed(int rounds, bailey_u32 c0_, bailey_u32 c1_,
                                                      bailey_u32 c2_, bailey_u32 c3_, bailey_philox_keys keys)
{
    bailey_philox_block b_;
    b_.word[0] = c0_;
    b_.word[1] = c1_;
    b_.word[2] = c2_;
    b_.word[3] = c3_;
    bailey_philox_run(1, rounds, 0, &b_, keys);
    return b_;
}

BAILEY_FN bailey_philox_block bailey_philox4x32(int rounds, bailey_u32 c0_, bailey_u32 c1_, bailey_u32 c2_,
                                                bailey_u32 c3_, bailey_uint32 k0_, bailey_uint32 k1_)
{
    return bailey_philox4x32_keyed(rounds, c0_, c1_, c2_, c3_,
                                   bailey_philox_keys_of(k0_ | (bailey_uint64)k1_ << 32));
}

BAILEY_FN bailey_philox_block bailey_philox4x32_10(bailey_u32 c0_, bailey_u32 c1_, bailey_u32 c2_,
                                                   bailey_u32 c3_, bailey_uint32 k0_, bailey_uint32 k1_)
{
    return bailey_philox4x32(10, c0_, c1_, c2_, c3_, k0_, k1_);
}

/* Block numbers as counters. */
BAILEY_FN bailey_philox_block bailey_philox_counters(bailey_uint64 stream, bailey_u64 block)
{
    bailey_philox_block b_;
    b_.word[0] = bailey_u32_from_u64(block);
    b_.word[1] = bailey_u32_from_u64(block >> 32);
    b_.word[2] = bailey_splat_u32((bailey_uint32)stream);
    b_.word[3] = bailey_splat_u32((bailey_uint32)(stream >> 32));
    return b_;
}

/* Words 4*block .. 4*block + 3 of (seed, stream) with so many rounds, for each lane's block number. */
BAILEY_FN bailey_philox_block bailey_philox_words4_keyed(int rounds, bailey_philox_keys keys,
                                                         bailey_uint64 stream, bailey_u64 block)
{
    bailey_philox_block b_ = bailey_philox_counters(stream, block);
    bailey_philox_run(1, rounds, 0, &b_, keys);
    return b_;
}

/* The same with 7 or 10 rounds, which may be known at run time only: one branch, around the last three. */
BAILEY_FN bailey_philox_block bailey_philox_words4_either(int rounds, bailey_philox_keys keys,
                                                          bailey_uint64 stream, bailey_u64 block)
{
    bailey_philox_block b_ = bailey_philox_counters(stream, block);
    bailey_philox_run(1, 7, rounds != 7, &b_, keys);
    return b_;
}

/* The same as 64-bit elements 2*block and 2*block + 1. */
#if defined(BAILEY_HAS_PRODUCTS)
BAILEY_FN bailey_pack_u64 bailey_philox_elements2_either(int rounds, bailey_philox_keys keys,
                                                         bailey_uint64 stream, bailey_u64 block)
{
    bailey_philox_u64 b_;
    b_.word[0] = block;
    b_.word[1] = block >> 32;
    b_.word[2] = bailey_splat_u64(stream);
    b_.word[3] = bailey_splat_u64(stream >> 32);
    b_ = bailey_philox_rounds_u64(0, 7, b_, keys);
    if (rounds != 7) b_ = bailey_philox_rounds_u64(7, 10, b_, keys);
    bailey_pack_u64 u_;
    for (int j_ = 0; j_ < 2; j_++)
        u_.value[j_] = (b_.word[2 * j_] & bailey_splat_u64(0xffffffffu)) | b_.word[2 * j_ + 1] << 32;
    return u_;
}
#else
BAILEY_FN bailey_pack_u64 bailey_philox_elements2_either(int rounds, bailey_philox_keys keys,
                                                         bailey_uint64 stream, bailey_u64 block)
{
    const bailey_philox_block w_ = bailey_philox_words4_either(rounds, keys, stream, block);
    bailey_pack_u64 u_;
    for (int j_ = 0; j_ < 2; j_++)
        u_.value[j_] = bailey_u64_from_u32(w_.word[2 * j_]) | bailey_u64_from_u32(w_.word[2 * j_ + 1]) << 32;
    return u_;
}
#endif

BAILEY_FN bailey_philox_block bailey_philox_words4_rounds(int rounds, bailey_uint64 seed,
                                                          bailey_uint64 stream, bailey_u64 block)
{
    return bailey_philox_words4_keyed(rounds, bailey_philox_keys_of(seed), stream, block);
}

BAILEY_FN bailey_philox_block bailey_philox_words4(bailey_uint64 seed, bailey_uint64 stream, bailey_u64 block)
{
    return bailey_philox_words4_rounds(10, seed, stream, block);
}

#endif
