/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling memory with Wallace's normals: a team makes a segment, which is the run of bailey/device/wallace.h.
 * On GPUs the pool is in memory that the team shares, and each of its 32 lanes has 32 values in registers
 * between two passes.
 */
#ifndef BLY_WALLACE_H
#define BLY_WALLACE_H

#include "bailey/device/wallace.h"
#include "kernels/segments.h"

#if defined(BLY_TEAM)

/* The pool, then the keys of each pool, and then the factors S. */
#define BLY_WALLACE_KEYS BAILEY_WALLACE_POOL
#define BLY_WALLACE_SCALES (BLY_WALLACE_KEYS + 4 * BAILEY_WALLACE_POOLS)
#define BLY_WALLACE_SHARED (BLY_WALLACE_SCALES + BAILEY_WALLACE_POOLS)

/* A value of the pool at an offset in bytes. */
BAILEY_FN float bly_wallace_at(const BLY_TEAM_SHARED bailey_uint32 *shared, bailey_uint32 offset)
{
    return bailey_f32_bits_u32(
        *(const BLY_TEAM_SHARED bailey_uint32 *)((const BLY_TEAM_SHARED char *)shared + offset));
}

/* Four neighbours, at a multiple of four words. */
BAILEY_FN void bly_wallace_put(BLY_TEAM_SHARED bailey_uint32 *shared, bailey_pack_f32 x)
{
    uint4 whole;
    whole.x = bailey_u32_bits_f32(x.value[0]), whole.y = bailey_u32_bits_f32(x.value[1]);
    whole.z = bailey_u32_bits_f32(x.value[2]), whole.w = bailey_u32_bits_f32(x.value[3]);
    *(BLY_TEAM_SHARED uint4 *)shared = whole;
}

/* Puts the start of a segment and its keys into the team's memory. */
BAILEY_FN void bly_wallace_start(bly_segment_params p, const BAILEY_GLOBAL float *table, bailey_uint64 number,
                                 BLY_TEAM_SHARED bailey_uint32 *shared, bailey_uint32 lane)
{
    BLY_TEAM_SHARED bailey_uint32 *own = shared + 4 * lane;
    float sum = 0.0f;
    BAILEY_UNROLL_1
    for (bailey_uint32 q = 0; q < 8; q++) {
        const bailey_philox_block w =
            bailey_run_hash(BAILEY_WALLACE_TAG, p.seed, p.stream, number, 32 * q + lane);
        bailey_pack_f32 x;
        for (int j = 0; j < 4; j++) {
            x.value[j] = bailey_normal_icdf_f32(table, w.word[j]);
            sum = bailey_fma_f32(x.value[j], x.value[j], sum);
        }
        bly_wallace_put(own + 128 * q, x);
    }
    /* The sums lie where keys will. */
    shared[BLY_WALLACE_KEYS + lane] = bailey_u32_bits_f32(sum);
    BLY_TEAM_SYNC();
    float sums[BAILEY_RUN_LANES];
    for (int l = 0; l < BAILEY_RUN_LANES; l++) sums[l] = bailey_f32_bits_u32(shared[BLY_WALLACE_KEYS + l]);
    for (int l = 0; l < 16; l++) sums[l] += sums[l + 16];
    for (int l = 0; l < 8; l++) sums[l] += sums[l + 8];
    for (int l = 0; l < 4; l++) sums[l] += sums[l + 4];
    const float unit = bailey_wallace_unit((sums[0] + sums[2]) + (sums[1] + sums[3]));
    for (bailey_uint32 q = 0; q < 8; q++) {
        bailey_pack_f32 x;
        for (bailey_uint32 j = 0; j < 4; j++) x.value[j] = unit * bly_wallace_at(own, 4 * (128 * q + j));
        bly_wallace_put(own + 128 * q, x);
    }
    BLY_TEAM_SYNC();
    const bailey_philox_block h = bailey_run_hash(BAILEY_WALLACE_KEY_TAG, p.seed, p.stream, number, lane);
    if (lane < BAILEY_WALLACE_POOLS)
        for (bailey_uint32 t = 0; t < 4; t++) shared[BLY_WALLACE_KEYS + 4 * lane + t] = h.word[t];
    else
        shared[BLY_WALLACE_SCALES + lane - BAILEY_WALLACE_POOLS] =
            bailey_u32_bits_f32(bailey_wallace_scale(table, h.word[0]));
    BLY_TEAM_SYNC();
}

/* One pass; `b` are the lane's places 128 q + 4 lane + j of the new pool. */
BAILEY_FN void bly_wallace_pass(BLY_TEAM_SHARED bailey_uint32 *shared, bailey_uint32 lane, bailey_uint32 word,
                                bailey_pack_f32 b[8])
{
    const bailey_wallace_key key = bailey_wallace_key_of(word);
    /* bailey_wallace_source times 4, an offset in bytes. A bit k of 4 q + j moves it by k 32 m, and by k m up
     * or, where the lane has that bit, down: six operations instead of twelve for four values. */
    const bailey_uint32 x = 4 * key.x_;
    bailey_uint32 step[5];
    for (bailey_uint32 bit = 0; bit < 5; bit++)
        step[bit] = 4 * key.m_ * (lane >> bit & 1 ? 31u << bit : 33u << bit);
    const bailey_uint32 start = 4 * (lane * key.m_ + key.c_);
    for (bailey_uint32 q = 0; q < 8; q++) {
        bailey_uint32 at = start;
        if (q & 1) at += step[2];
        if (q & 2) at += step[3];
        if (q & 4) at += step[4];
        b[q].value[0] = bly_wallace_at(shared, (at & 4092) ^ x);
        b[q].value[1] = bly_wallace_at(shared, ((at + step[0]) & 4092) ^ x);
        at += step[1];
        b[q].value[2] = bly_wallace_at(shared, (at & 4092) ^ x);
        b[q].value[3] = bly_wallace_at(shared, ((at + step[0]) & 4092) ^ x);
        b[q] = bailey_wallace_map(key.sign[q & 1], b[q]);
    }
    BLY_TEAM_SYNC();
    for (bailey_uint32 q = 0; q < 8; q++) bly_wallace_put(shared + 4 * lane + 128 * q, b[q]);
    BLY_TEAM_SYNC();
}

BAILEY_FN void bly_wallace_f32_team(bly_segment_params p, const BAILEY_GLOBAL float *table,
                                    BAILEY_GLOBAL bailey_uint32 *out, BLY_TEAM_SHARED bailey_uint32 *shared,
                                    bailey_uint64 number, bailey_uint32 lane, int exists)
{
    const bly_segment segment = bly_segment_of(BAILEY_WALLACE_RUN, p, number, exists);
    bly_wallace_start(p, table, segment.number, shared, lane);
    /* All pools, whatever is needed: teams of a work-group meet at the same barriers. */
    BAILEY_UNROLL_1
    for (bailey_uint32 n = 0; n < BAILEY_WALLACE_POOLS; n++) {
        bailey_pack_f32 b[8];
        BAILEY_UNROLL_1
        for (bailey_uint32 t = 0; t < BAILEY_WALLACE_PASSES; t++)
            bly_wallace_pass(shared, lane, shared[BLY_WALLACE_KEYS + 4 * n + t], b);
        const float scale = bailey_f32_bits_u32(shared[BLY_WALLACE_SCALES + n]);
        const bailey_uint32 first = BAILEY_WALLACE_POOL * n;
        const bailey_uint64 at =
            segment.at + first + 4 * lane; /* an element of out; wraps as segment.at does */
        const int whole =
            segment.low <= first && segment.high >= first + BAILEY_WALLACE_POOL && BAILEY_WHOLE(out + at);
        bailey_pack_u32 normals[8];
        for (bailey_uint32 q = 0; q < 8; q++)
            for (int j = 0; j < 4; j++) normals[q].value[j] = bailey_u32_bits_f32(scale * b[q].value[j]);
        if (whole)
            for (bailey_uint32 q = 0; q < 8; q++) {
                const bailey_pack_u32 x = normals[q];
                bailey_store_whole_u32(out + (at + 128 * q), x);
            }
        else
            for (bailey_uint32 q = 0; q < 8; q++)
                bly_store_segment(out, segment, first + 128 * q + 4 * lane, normals[q]);
    }
}

#else

BAILEY_FN void bly_wallace_f32_alone(bly_segment_params p, const BAILEY_GLOBAL float *table,
                                     BAILEY_GLOBAL bailey_uint32 *out, bailey_uint64 number)
{
    const bly_segment segment = bly_segment_of(BAILEY_WALLACE_RUN, p, number, 1);
    bailey_wallace g;
    bailey_wallace_start(&g, table, p.seed, p.stream, segment.number);
    for (bailey_uint32 n = 0; BAILEY_WALLACE_POOL * n < segment.high; n++) {
        bailey_wallace_next(BAILEY_WALLACE_PASSES, &g, n);
        for (bailey_uint32 place = 0; place < BAILEY_WALLACE_POOL; place += BAILEY_PACK32) {
            const bailey_pack_f32 z = bailey_wallace_normals(&g, n, place);
            bailey_pack_u32 x;
            for (int j = 0; j < 4; j++) x.value[j] = bailey_u32_bits_f32(z.value[j]);
            bly_store_segment(out, segment, BAILEY_WALLACE_POOL * n + place, x);
        }
    }
}

#endif

#endif
