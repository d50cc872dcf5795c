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
 * A 64-bit element i, where one is asked for, is words 2i (low half) and 2i + 1 (high half).
 *
 * Elements of 32 or 64 bits have numbers below 2^64, so that their blocks have numbers below 2^63: the top
 * bit of the counter's second word is 0 in every one of them. Counters that have it set are reserved for
 * addresses that no 64-bit number holds (a path and a node), under keys that one block makes of (seed,
 * stream). That block has it set too, and bits 25 to 29 of the word 0: bailey_run_hash (bailey/device/run.h),
 * whose runs from number 2^50 on have the top bit, always has one of those set.
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
    for (int n = 0; n < 10; n++) {
        keys.word[2 * n] = (bailey_uint32)seed + (bailey_uint32)n * 0x9E3779B9u;
        keys.word[2 * n + 1] = (bailey_uint32)(seed >> 32) + (bailey_uint32)n * 0xBB67AE85u;
    }
    return keys;
}

/* Rounds from .. to - 1 (at most 9), constants, of a counter that has been through those before. */
BAILEY_FN bailey_philox_block bailey_philox_rounds(int from, int to, bailey_philox_block b,
                                                   bailey_philox_keys keys)
{
    const bailey_u32 m0 = bailey_splat_u32(0xD2511F53u), m1 = bailey_splat_u32(0xCD9E8D57u);
    bailey_u32 c0 = b.word[0], c1 = b.word[1], c2 = b.word[2], c3 = b.word[3];
    /* Written out: nvcc 13 leaves the last two rounds of a loop rolled in larger kernels. */
#define BAILEY_PHILOX_ROUND(n)                                                                               \
    if (n >= from && n < to) {                                                                               \
        const bailey_u32 h0 = bailey_mulhi_u32(m0, c0), l0 = m0 * c0;                                        \
        const bailey_u32 h1 = bailey_mulhi_u32(m1, c2), l1 = m1 * c2;                                        \
        c0 = h1 ^ c1 ^ bailey_splat_u32(keys.word[2 * n]);                                                   \
        c1 = l1;                                                                                             \
        c2 = h0 ^ c3 ^ bailey_splat_u32(keys.word[2 * n + 1]);                                               \
        c3 = l0;                                                                                             \
    }
    BAILEY_PHILOX_ROUND(0)
    BAILEY_PHILOX_ROUND(1)
    BAILEY_PHILOX_ROUND(2)
    BAILEY_PHILOX_ROUND(3)
    BAILEY_PHILOX_ROUND(4)
    BAILEY_PHILOX_ROUND(5)
    BAILEY_PHILOX_ROUND(6)
    BAILEY_PHILOX_ROUND(7)
    BAILEY_PHILOX_ROUND(8)
    BAILEY_PHILOX_ROUND(9)
#undef BAILEY_PHILOX_ROUND
    b.word[0] = c0;
    b.word[1] = c1;
    b.word[2] = c2;
    b.word[3] = c3;
    return b;
}

/* The function itself, of `rounds` rounds (at most 10), on raw counter words. */
BAILEY_FN bailey_philox_block bailey_philox4x32_keyed(int rounds, bailey_u32 c0, bailey_u32 c1, bailey_u32 c2,
                                                      bailey_u32 c3, bailey_philox_keys keys)
{
    bailey_philox_block b;
    b.word[0] = c0;
    b.word[1] = c1;
    b.word[2] = c2;
    b.word[3] = c3;
    return bailey_philox_rounds(0, rounds, b, keys);
}

BAILEY_FN bailey_philox_block bailey_philox4x32(int rounds, bailey_u32 c0, bailey_u32 c1, bailey_u32 c2,
                                                bailey_u32 c3, bailey_uint32 k0, bailey_uint32 k1)
{
    return bailey_philox4x32_keyed(rounds, c0, c1, c2, c3,
                                   bailey_philox_keys_of(k0 | (bailey_uint64)k1 << 32));
}

BAILEY_FN bailey_philox_block bailey_philox4x32_10(bailey_u32 c0, bailey_u32 c1, bailey_u32 c2, bailey_u32 c3,
                                                   bailey_uint32 k0, bailey_uint32 k1)
{
    return bailey_philox4x32(10, c0, c1, c2, c3, k0, k1);
}

/* Words 4*block .. 4*block + 3 of (seed, stream) with so many rounds, for each lane's block number. */
BAILEY_FN bailey_philox_block bailey_philox_words4_keyed(int rounds, bailey_philox_keys keys,
                                                         bailey_uint64 stream, bailey_u64 block)
{
    return bailey_philox4x32_keyed(rounds, bailey_u32_from_u64(block), bailey_u32_from_u64(block >> 32),
                                   bailey_splat_u32((bailey_uint32)stream),
                                   bailey_splat_u32((bailey_uint32)(stream >> 32)), keys);
}

/* The same with 7 or 10 rounds, which may be known at run time only: one branch, around the last three. */
BAILEY_FN bailey_philox_block bailey_philox_words4_either(int rounds, bailey_philox_keys keys,
                                                          bailey_uint64 stream, bailey_u64 block)
{
    const bailey_philox_block b = bailey_philox_words4_keyed(7, keys, stream, block);
    return rounds == 7 ? b : bailey_philox_rounds(7, 10, b, keys);
}

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
