/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sobol points: the definition that all devices share. bailey_points_generate of bailey/points.h writes them.
 *
 * Sources: I. M. Sobol, USSR Comput. Math. Math. Phys. 7, 86-112 (1967); direction numbers of S. Joe and
 * F. Y. Kuo, SIAM J. Sci. Comput. 30, 2635-2654 (2008), set D6: data/sobol.bin, made by tools/pack_sobol.py,
 * licence data/LICENSE.sobol. Gray-code order: I. A. Antonov, V. M. Saleev, USSR Comput. Math. Math. Phys.
 * 19, 252-256 (1979).
 *
 * Points. Dimension d, from 0, has direction numbers v_1, ..., v_64 of 64 bits: v_k = m_k 2^(64-k), with m_k
 * given for k <= s and then
 *     v_k = a_1 v_(k-1) ^ ... ^ a_(s-1) v_(k-s+1) ^ v_(k-s) ^ (v_(k-s) >> s);
 * dimension 0 has m_k = 1. The word of point n is the exclusive or of v_(k+1) over the bits k of n (index
 * order) or of n ^ (n >> 1) (Gray-code order). A word of 32 bits is the high half of that of 64 bits.
 *
 * Scrambles. Each takes words of Philox4x32-10 with the seed as key: block j of a dimension is that of
 * counter { d, 16 2^25 + j 2^17, stream low, stream high }, which is bailey_run_hash of bailey/device/run.h
 * with tag 16, and no word of any source. So replicates (streams) and dimensions are independent. With b for
 * block 0, and (high, low) for a number of 64 bits:
 *   shift    the word ^ (b_0, b_1)
 *   linear   first each direction number is multiplied by a lower triangular matrix: bit 63 - j of a number
 *            adds column j, which has a one at bit 63 - j, below it the bits of (c_0, c_1), j even, or (c_2,
 *            c_3), j odd, where c is block 1 + j / 2, and zeros above; then the shift (J. Matousek, J.
 *            Complexity 14, 527-556 (1998))
 *   owen     nested uniform scrambling (A. B. Owen 1995) by a hash of the word, which follows: seeds b_2, b_3
 *
 * Dimensions beyond the last of the table repeat it: dimension d = i + 21201 r, r > 0, has the direction
 * numbers of dimension i with the points in another order, shuffled so that every block of 2^m points stays
 * one. It is a linear shuffle: v_k ^ the exclusive or of the v_j, j < k, for which bit j - 1 is set in (c_0,
 * c_1), k odd, or (c_2, c_3), k even, takes the place of v_k, where c is block 64 + (k - 1) / 2 of
 * "dimension" r, without scramble that of seed 0 and stream 0. Then the scramble of dimension d.
 *
 * The hash (S. Laine, T. Karras 2011; B. Burley, JCGT 9 (4), 2020; constants of N. Vegdahl, "Building a
 * better LK hash", 2021, psychopath.io) works on reversed words: a bit of its result depends on that bit and
 * those before it, and flips one with the other. For 64 bits each half has its own hash; the seed of the low
 * half is b_3 ^ mix(high half, reversed, before its hash), where mix is the end of A. Appleby's MurmurHash3.
 */
#ifndef BAILEY_DEVICE_SOBOL_H
#define BAILEY_DEVICE_SOBOL_H

#include "bailey/device/philox.h"

#define BAILEY_SOBOL_DIMS 21201
#define BAILEY_SOBOL_DEGREE 18      /* the largest s */
#define BAILEY_SOBOL_PACKED_WORDS 6 /* of a dimension in data/sobol.bin */
#define BAILEY_SOBOL_TAG 16u

/* A seed of the hash, (x + seed) ((seed >> 16) | 1) as x factor + term: for the words of many points. */
typedef struct bailey_sobol_key_u32 {
    bailey_u32 factor, term;
} bailey_sobol_key_u32;
BAILEY_FN bailey_sobol_key_u32 bailey_sobol_key_of_u32(bailey_u32 seed)
{
    bailey_sobol_key_u32 r_;
    r_.factor = (seed >> 16) | bailey_splat_u32(1);
    r_.term = seed * r_.factor;
    return r_;
}

/* The hash of a reversed word, in reverse itself. */
BAILEY_FN bailey_u32 bailey_sobol_hash_u32(bailey_u32 x_, bailey_sobol_key_u32 key)
{
    x_ ^= x_ * bailey_splat_u32(0x3d20adeau);
    x_ = x_ * key.factor + key.term;
    x_ ^= x_ * bailey_splat_u32(0x05526c56u);
    return x_ ^ (x_ * bailey_splat_u32(0x53a22864u));
}

/* The scrambled word of a word that is given in reverse, by the key of its dimension or by its seed. */
BAILEY_FN bailey_u32 bailey_sobol_owen_by_u32(bailey_u32 reversed, bailey_sobol_key_u32 key)
{
    return bailey_reverse_u32(bailey_sobol_hash_u32(reversed, key));
}
BAILEY_FN bailey_u32 bailey_sobol_owen_u32(bailey_u32 reversed, bailey_u32 seed)
{
    return bailey_sobol_owen_by_u32(reversed, bailey_sobol_key_of_u32(seed));
}

BAILEY_FN bailey_u32 bailey_sobol_mix_u32(bailey_u32 x_)
{
    x_ = (x_ ^ (x_ >> 16)) * bailey_splat_u32(0x85ebca6bu);
    x_ = (x_ ^ (x_ >> 13)) * bailey_splat_u32(0xc2b2ae35u);
    return x_ ^ (x_ >> 16);
}

/* The same for 64 bits, whose halves are given in reverse, each in its place; `seeds` is (b_2, b_3). */
typedef struct bailey_sobol_key_u64 {
    bailey_sobol_key_u32 high;
    bailey_u32 low; /* b_3 */
} bailey_sobol_key_u64;
BAILEY_FN bailey_sobol_key_u64 bailey_sobol_key_of_u64(bailey_u64 seeds)
{
    bailey_sobol_key_u64 r_;
    r_.high = bailey_sobol_key_of_u32(bailey_u32_from_u64(seeds >> 32));
    r_.low = bailey_u32_from_u64(seeds);
    return r_;
}
BAILEY_FN bailey_u64 bailey_sobol_owen_by_u64(bailey_u64 reversed, bailey_sobol_key_u64 key)
{
    const bailey_u32 high = bailey_u32_from_u64(reversed >> 32);
    const bailey_u32 y_ = bailey_sobol_owen_by_u32(high, key.high);
    const bailey_u32 z_ =
        bailey_sobol_owen_u32(bailey_u32_from_u64(reversed), key.low ^ bailey_sobol_mix_u32(high));
    return bailey_u64_from_u32(y_) << 32 | bailey_u64_from_u32(z_);
}
BAILEY_FN bailey_u64 bailey_sobol_owen_u64(bailey_u64 reversed, bailey_u64 seeds)
{
    return bailey_sobol_owen_by_u64(reversed, bailey_sobol_key_of_u64(seeds));
}

/* Each lane's dimension, from its words in data/sobol.bin: v[k - 1] = v_k for k up to `count`, at most 64. */
BAILEY_FN void bailey_sobol_directions(const bailey_u32 *packed, int count, bailey_u64 *v_)
{
    const bailey_u64 zero = bailey_splat_u64(0), one = bailey_splat_u64(1);
    const bailey_u64 a_ = bailey_u64_from_u32(packed[0]);
    /* Not 0 when shifted right by k - 1: v_k is given. */
    const bailey_u64 given =
        bailey_select_u64(bailey_lt_i64(bailey_i64_bits_u64(a_), bailey_i64_bits_u64(one)), ~zero, a_);
    bailey_u64 adds[BAILEY_SOBOL_DEGREE], last[BAILEY_SOBOL_DEGREE]; /* all ones where a_q is 1, and q is s */
    for (int q_ = 1; q_ <= BAILEY_SOBOL_DEGREE; q_++) {
        adds[q_ - 1] = zero - (a_ >> (q_ - 1) & one);
        last[q_ - 1] = bailey_select_u64(
            bailey_lt_i64(bailey_i64_bits_u64(a_ >> q_), bailey_i64_bits_u64(one)), adds[q_ - 1], zero);
    }
    v_[0] = bailey_splat_u64((bailey_uint64)1 << 63);
    for (int k_ = 2; k_ <= count; k_++) {
        bailey_u64 m_ = one, x_ = zero;
        if (k_ <= BAILEY_SOBOL_DEGREE) {
            const int bit = (k_ - 1) * (k_ - 2) / 2, word = 1 + bit / 32;
            bailey_u64 bits = bailey_u64_from_u32(packed[word]);
            if (word < BAILEY_SOBOL_PACKED_WORDS - 1) bits |= bailey_u64_from_u32(packed[word + 1]) << 32;
            m_ |= (bits >> (bit % 32) & bailey_splat_u64(((bailey_uint64)1 << (k_ - 1)) - 1)) << 1;
        }
        for (int q_ = 1; q_ <= BAILEY_SOBOL_DEGREE && q_ < k_; q_++)
            x_ ^= (v_[k_ - 1 - q_] & adds[q_ - 1]) ^ (v_[k_ - 1 - q_] >> q_ & last[q_ - 1]);
        v_[k_ - 1] =
            bailey_select_u64(bailey_lt_i64(bailey_i64_bits_u64(given >> (k_ - 1)), bailey_i64_bits_u64(one)),
                              x_, m_ << (64 - k_));
    }
}

/* Block `number` of each lane's dimension. */
BAILEY_FN bailey_philox_block bailey_sobol_block(bailey_philox_keys keys, bailey_uint64 stream,
                                                 bailey_u32 dimension, bailey_uint32 number)
{
    return bailey_philox4x32_keyed(10, dimension, bailey_splat_u32(BAILEY_SOBOL_TAG << 25 | number << 17),
                                   bailey_splat_u32((bailey_uint32)stream),
                                   bailey_splat_u32((bailey_uint32)(stream >> 32)), keys);
}

/* Two words of a block as a number. */
BAILEY_FN bailey_u64 bailey_sobol_pair(bailey_u32 high, bailey_u32 low)
{
    return bailey_u64_from_u32(high) << 32 | bailey_u64_from_u32(low);
}

/* The shuffle of the points of each lane's repetition, whose number is 0 for the table itself. */
BAILEY_FN void bailey_sobol_shuffle(bailey_philox_keys keys, bailey_uint64 stream, bailey_u32 repetition,
                                    int count, bailey_u64 *v_)
{
    const bailey_u64 zero = bailey_splat_u64(0), one = bailey_splat_u64(1);
    const bailey_u64 shuffled = bailey_select_u64(
        bailey_lt_i64(bailey_i64_bits_u64(bailey_u64_from_u32(repetition)), bailey_i64_bits_u64(one)), zero,
        ~zero);
    for (int k_ = count - 1; k_ > 0; k_--) {
        const bailey_philox_block c_ =
            bailey_sobol_block(keys, stream, repetition, 64 + (bailey_uint32)k_ / 2);
        const bailey_u64 random =
            shuffled & bailey_sobol_pair(c_.word[k_ % 2 ? 2 : 0], c_.word[k_ % 2 ? 3 : 1]);
        for (int j_ = 0; j_ < k_; j_++) v_[k_] ^= v_[j_] & (zero - (random >> j_ & one));
    }
}

/* The linear scramble of v_1 ... v_count, count even, of which the first `bits` bits are needed. */
BAILEY_FN void bailey_sobol_linear(bailey_philox_keys keys, bailey_uint64 stream, bailey_u32 dimension,
                                   int bits, int count, bailey_u64 *v_)
{
    bailey_u64 y_[64];
    for (int k_ = 0; k_ < count; k_++) y_[k_] = bailey_splat_u64(0);
    for (int j_ = 0; j_ < bits && j_ < count; j_ += 2) {
        const bailey_philox_block c_ = bailey_sobol_block(keys, stream, dimension, 1 + (bailey_uint32)j_ / 2);
        for (int i_ = j_; i_ < j_ + 2; i_++) { /* v_k ends with bit 64 - k */
            const bailey_uint64 diagonal = (bailey_uint64)1 << (63 - i_);
            const bailey_u64 random = i_ & 1 ? bailey_sobol_pair(c_.word[2], c_.word[3])
                                             : bailey_sobol_pair(c_.word[0], c_.word[1]);
            const bailey_u64 column = (random & bailey_splat_u64(diagonal - 1)) | bailey_splat_u64(diagonal);
            for (int k_ = i_; k_ < count; k_++)
                y_[k_] ^= column & (bailey_splat_u64(0) - (v_[k_] >> (63 - i_) & bailey_splat_u64(1)));
        }
    }
    for (int k_ = 0; k_ < count; k_++) v_[k_] = y_[k_];
}

#endif
