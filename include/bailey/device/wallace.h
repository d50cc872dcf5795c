/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Wallace's generator of normals: a pool of normals is turned into the next one by orthogonal maps, which
 * leave independent normals independent normals. Only the start needs uniform numbers and a
 * transformation of them. Its pools depend on each other: docs/records/quality.md says how much.
 *
 * Sources: C. S. Wallace, "Fast pseudorandom generators for normal and exponential variates", ACM TOMS 22
 * (1996); L. Howes, D. Thomas, "Efficient random number generation and application using CUDA", GPU Gems 3
 * (2007), chapter 37: pools in shared memory, permutations by congruences, several passes. This code differs
 * where their listings are wrong or incomplete: each pass of each pool has its own permutation, which is a
 * true one; sums of squares vary by the right amount; nothing is carried from one launch to the next.
 *
 * Order contract. A stream (seed, stream) is a sequence of runs of 16 pools of K = 1024 normals: element i is
 * slot i mod 2^10 of pool (i / 2^10) mod 16 of run i / 2^14. With h(tag, number) the hash of the run
 * (bailey/device/run.h):
 *   - The run starts from x[4 n + j] = inverse CDF of word j of h(14, n), n = 0 .. 255, times the root of
 *     K / (sum of squares). The sum is made by 32 lanes: lane l adds the squares of x[128 q + 4 l + j] for
 *     q = 0 .. 7 and j = 0 .. 3, in this order, by fma; then l takes in lane l + w for w = 16, 8, 4, 2, 1.
 *   - A pool is computed from the one before it (the first from x) by four passes; pass t of pool n uses
 *     key = word t of h(15, n). With q = 0 .. 7, l = 0 .. 31, slot 128 q + 4 l + j, j = 0 .. 3, becomes
 *     component j of the map s A applied to the four values at
 *         (((l ^ k) + 32 k) m + c) mod 2^10 ^ x,     k = 4 q + j,
 *         A (b0, b1, b2, b3) = (b0 - t, b1 - t, t - b2, t - b3),   t = (b0 + b1 + b2 + b3) / 2.
 *     x is bits 0 to 9 of the key, c bits 10 to 19, (m - 1) / 2 bits 20 to 28; s is -1 where bit 30, for q
 *     odd bit 31, is set.
 *   - Normals of pool n are its values times S = (1 - 1/K)^(1/4) + (1 - (1 - 1/K)^(1/2))^(1/2) z, z the
 *     inverse CDF of word 0 of h(15, 16 + n): sums of squares get the mean and the variance of chi-square.
 *
 * Where these choices come from. Sixteen pools: a start takes as many instructions as two pools, a ninth of
 * the whole (of 8 pools it would be a fifth); 10^8 normals are 6104 runs, a team each, which still fill a
 * large GPU; a normal anywhere costs a processor 20 us; and what remains between pools goes no further than a
 * run. Four passes: a pool's correlation with the next falls by 4 with each, to 1/256. Lanes: 32 of them,
 * each with 32 values, which they read from 32 banks of shared memory at once, since for one k l ^ k, an odd
 * factor, a sum modulo 32 and an exclusive or are each a permutation of 0 .. 31. Slots: each lane writes 16
 * bytes next to its neighbour's, to shared memory and to the output, and a processor's vector of lanes whole
 * packs.
 */
#ifndef BAILEY_DEVICE_WALLACE_H
#define BAILEY_DEVICE_WALLACE_H

#include "bailey/device/normal.h"
#include "bailey/device/run.h"

#define BAILEY_WALLACE_TAG 14u     /* of the start */
#define BAILEY_WALLACE_KEY_TAG 15u /* of permutations, signs and sums of squares */
#define BAILEY_WALLACE_POOL 1024
#define BAILEY_WALLACE_POOLS 16 /* of a run */
#define BAILEY_WALLACE_RUN (BAILEY_WALLACE_POOL * BAILEY_WALLACE_POOLS)
#define BAILEY_WALLACE_PASSES 4 /* at most: a word of a hash each */

/* (K / sum)^(1/2) for a sum of squares from K / 2 to 2 K. As bailey_sqrt_f32 begins; below 2 ulp. */
BAILEY_FN bailey_f32 bailey_wallace_unit(bailey_f32 sum)
{
    const bailey_f32 y_ = sum * bailey_splat_f32(1.0f / BAILEY_WALLACE_POOL), one = bailey_splat_f32(1.0f);
    bailey_f32 r_ = bailey_f32_bits_u32(bailey_splat_u32(0x5f0b385du) - (bailey_u32_bits_f32(y_) >> 1));
    r_ = r_ * bailey_fma_f32(-(y_ * r_), r_, bailey_splat_f32(0x1.e417eap0f));
    bailey_f32 e_ = bailey_fma_f32(-(y_ * r_), r_, one);
    return bailey_fma_f32(r_ * e_, bailey_fma_f32(e_, bailey_splat_f32(0.375f), bailey_splat_f32(0.5f)), r_);
}

/* S, from word 0 of h(15, 16 + n). */
BAILEY_FN bailey_f32 bailey_wallace_scale(const BAILEY_ICDF_SPACE float *table, bailey_u32 word)
{
    return bailey_fma_f32(bailey_splat_f32(0x1.6a1538p-6f), bailey_normal_icdf_f32(table, word),
                          bailey_splat_f32(0x1.ffdffcp-1f));
}

/* A key taken apart. */
typedef struct bailey_wallace_key {
    bailey_uint32 m_, c_, x_;
    float sign[2]; /* for q even and odd */
} bailey_wallace_key;

BAILEY_FN float bailey_wallace_sign(bailey_uint32 bit) { return bit & 1 ? -1.0f : 1.0f; }

BAILEY_FN bailey_wallace_key bailey_wallace_key_of(bailey_uint32 word)
{
    bailey_wallace_key key;
    key.m_ = (word >> 20 & 511) << 1 | 1;
    key.c_ = word >> 10 & 1023;
    key.x_ = word & 1023;
    key.sign[0] = bailey_wallace_sign(word >> 30);
    key.sign[1] = bailey_wallace_sign(word >> 31);
    return key;
}

/* Where lane `lane` reads its value number k = 4 q + j. */
BAILEY_FN bailey_u32 bailey_wallace_source(bailey_wallace_key key, bailey_u32 lane, bailey_uint32 k_)
{
    const bailey_u32 a_ = (lane ^ bailey_splat_u32(k_)) * bailey_splat_u32(key.m_);
    return ((a_ + bailey_splat_u32(32 * k_ * key.m_ + key.c_)) & bailey_splat_u32(1023)) ^
           bailey_splat_u32(key.x_);
}

/* s A b. */
BAILEY_FN bailey_pack_f32 bailey_wallace_map(float sign, bailey_pack_f32 b_)
{
    const bailey_f32 s_ = bailey_splat_f32(sign);
    const bailey_f32 t_ =
        bailey_splat_f32(0.5f * sign) * ((b_.value[0] + b_.value[1]) + (b_.value[2] + b_.value[3]));
    bailey_pack_f32 r_;
    r_.value[0] = bailey_fma_f32(s_, b_.value[0], -t_);
    r_.value[1] = bailey_fma_f32(s_, b_.value[1], -t_);
    r_.value[2] = bailey_fma_f32(-s_, b_.value[2], t_);
    r_.value[3] = bailey_fma_f32(-s_, b_.value[3], t_);
    return r_;
}

/* ---- For processors: a run in one thread's own memory ----------------------------------------- */

typedef struct bailey_wallace {
    float pool[2][BAILEY_WALLACE_POOL]; /* the pool, and where the next pass writes */
    float scale[BAILEY_WALLACE_POOLS + 15];
    bailey_uint32 key[BAILEY_WALLACE_PASSES][BAILEY_WALLACE_POOLS + 15];
    bailey_uint32 now; /* which of the two is the pool */
} bailey_wallace;

/* Lanes of the run (order contract) that are in vector v. */
#define BAILEY_WALLACE_VECTORS (BAILEY_RUN_LANES / BAILEY_LANES)
BAILEY_FN bailey_u32 bailey_wallace_lanes(bailey_uint32 first)
{
    return bailey_u32_from_u64(bailey_lane_numbers()) + bailey_splat_u32(first);
}

/* The beginning of a run, with the table of the inverse CDF (bailey/device/icdf_table.h). */
BAILEY_FN void bailey_wallace_start(bailey_wallace *g_, const BAILEY_ICDF_SPACE float *table,
                                    bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 run)
{
    float sums[BAILEY_RUN_LANES];
    for (bailey_uint32 n_ = 0; n_ < BAILEY_WALLACE_POOLS; n_ += BAILEY_LANES) {
        const bailey_u32 numbers = bailey_wallace_lanes(n_);
        const bailey_philox_block keys = bailey_run_hash(BAILEY_WALLACE_KEY_TAG, seed, stream, run, numbers);
        for (int t_ = 0; t_ < BAILEY_WALLACE_PASSES; t_++)
            bailey_vector_put_u32(g_->key[t_] + n_, keys.word[t_]);
        const bailey_philox_block z_ = bailey_run_hash(BAILEY_WALLACE_KEY_TAG, seed, stream, run,
                                                       numbers + bailey_splat_u32(BAILEY_WALLACE_POOLS));
        bailey_vector_put_f32(g_->scale + n_, bailey_wallace_scale(table, z_.word[0]));
    }
    for (bailey_uint32 lane = 0; lane < BAILEY_RUN_LANES; lane += BAILEY_LANES) {
        bailey_f32 sum = bailey_splat_f32(0.0f);
        for (bailey_uint32 q_ = 0; q_ < 8; q_++) {
            const bailey_philox_block w_ =
                bailey_run_hash(BAILEY_WALLACE_TAG, seed, stream, run, bailey_wallace_lanes(32 * q_ + lane));
            bailey_pack_f32 x_;
            for (int j_ = 0; j_ < 4; j_++) {
                x_.value[j_] = bailey_normal_icdf_f32(table, w_.word[j_]);
                sum = bailey_fma_f32(x_.value[j_], x_.value[j_], sum);
            }
            x_ = bailey_zip_f32(x_);
            for (int j_ = 0; j_ < 4; j_++)
                bailey_vector_put_f32(g_->pool[0] + 128 * q_ + 4 * lane + j_ * BAILEY_LANES, x_.value[j_]);
        }
        bailey_vector_put_f32(sums + lane, sum);
    }
    for (int w_ = BAILEY_RUN_LANES / 2; w_; w_ /= 2)
        for (int l_ = 0; l_ < w_; l_++) sums[l_] += sums[l_ + w_];
    for (int l_ = 0; l_ < BAILEY_LANES; l_++) sums[l_] = sums[0];
    const bailey_f32 unit = bailey_wallace_unit(bailey_vector_get_f32(sums));
    for (bailey_uint32 i_ = 0; i_ < BAILEY_WALLACE_POOL; i_ += BAILEY_LANES)
        bailey_vector_put_f32(g_->pool[0] + i_, unit * bailey_vector_get_f32(g_->pool[0] + i_));
    g_->now = 0;
}

/* Turns the pool into number n of the run, of which it is number n - 1, or the start. Four passes are the
 * generator's; fewer are for those who want to see why. */
BAILEY_FN void bailey_wallace_next(int passes, bailey_wallace *g_, bailey_uint32 n_)
{
    for (int t_ = 0; t_ < passes; t_++) {
        const bailey_wallace_key key = bailey_wallace_key_of(g_->key[t_][n_]);
        const float *from = g_->pool[g_->now];
        float *to = g_->pool[1 - g_->now];
        for (bailey_uint32 q_ = 0; q_ < 8; q_++)
            for (bailey_uint32 lane = 0; lane < BAILEY_RUN_LANES; lane += BAILEY_LANES) {
                const bailey_u32 lanes = bailey_wallace_lanes(lane);
                bailey_pack_f32 b_;
                for (bailey_uint32 j_ = 0; j_ < 4; j_++)
                    b_.value[j_] = bailey_gather_f32(from, bailey_wallace_source(key, lanes, 4 * q_ + j_));
                b_ = bailey_zip_f32(bailey_wallace_map(key.sign[q_ & 1], b_));
                for (int j_ = 0; j_ < 4; j_++)
                    bailey_vector_put_f32(to + 128 * q_ + 4 * lane + j_ * BAILEY_LANES, b_.value[j_]);
            }
        g_->now = 1 - g_->now;
    }
}

/* Normals slot .. slot + BAILEY_PACK32 - 1 of pool n, which is the pool. */
BAILEY_FN bailey_pack_f32 bailey_wallace_normals(const bailey_wallace *g_, bailey_uint32 n_,
                                                 bailey_uint32 slot)
{
    bailey_pack_f32 x_;
    for (int j_ = 0; j_ < 4; j_++)
        x_.value[j_] = bailey_splat_f32(g_->scale[n_]) *
                       bailey_vector_get_f32(g_->pool[g_->now] + slot + j_ * BAILEY_LANES);
    return x_;
}

#endif
