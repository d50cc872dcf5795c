/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Normals by number: the sequence that bailey_normals_generate fills memory with, drawn inside a kernel.
 *
 * Order contract: normal i of (seed, stream, method) is computed from element i of the Philox sequence
 * (bailey/device/philox.h): word i for f32, 64-bit element i for f64. Box-Muller turns elements 2m and
 * 2m + 1 into normals 2m and 2m + 1. Request words of the other width with the method: with
 * BAILEY_DRAW_BITS_64 normal i of f32 is computed from 64-bit element i, with BAILEY_DRAW_BITS_32 normal i of
 * f64 from word i. The sequence is that of ten rounds, except where `rounds` says 7 or 10; a constant there
 * costs nothing, a variable one branch.
 */
#ifndef BAILEY_DEVICE_DRAW_H
#define BAILEY_DEVICE_DRAW_H

#include "bailey/device/normal.h"
#include "bailey/device/philox.h"

#define BAILEY_DRAW_ICDF 0
#define BAILEY_DRAW_BOX_MULLER 1
#define BAILEY_DRAW_BOX_MULLER_FAST 2

/* Or'ed to a method. The usual width of the precision changes nothing, and from 64 bits the fast form in f32
 * is the exact one. */
#define BAILEY_DRAW_BITS_32 32
#define BAILEY_DRAW_BITS_64 64
#define BAILEY_DRAW_METHOD(draw) ((draw)&31)
#define BAILEY_DRAW_BITS(draw, usual) ((draw)&96 ? (draw)&96 : (usual))

/* Normals from four words for each lane: value[j] from word j, Box-Muller's from words 0 and 1, 2 and 3.
 * `method` should be a constant: the other methods then cost nothing. `table` is the inverse CDF's of the
 * precision (bailey/device/icdf_table.h); other methods do not read it. */
BAILEY_FN bailey_pack_f32 bailey_normals_of_words_f32(int method, const BAILEY_ICDF_SPACE float *table,
                                                      bailey_philox_block w_)
{
    bailey_pack_f32 x_;
    if (method == BAILEY_DRAW_ICDF) {
        for (int j_ = 0; j_ < 4; j_++) x_.value[j_] = bailey_normal_icdf_f32(table, w_.word[j_]);
    } else {
        for (int j_ = 0; j_ < 4; j_ += 2) {
            const bailey_pair_f32 pair =
                method == BAILEY_DRAW_BOX_MULLER
                    ? bailey_normal_box_muller_f32(w_.word[j_], w_.word[j_ + 1])
                    : bailey_normal_box_muller_fast_f32(w_.word[j_], w_.word[j_ + 1]);
            x_.value[j_] = pair.value[0];
            x_.value[j_ + 1] = pair.value[1];
        }
    }
    return x_;
}

/* Four elements of 64 bits for each lane. */
typedef struct bailey_elements4 {
    bailey_u64 value[4];
} bailey_elements4;

/* Normals from four elements of 64 bits for each lane. */
BAILEY_FN bailey_pack_f32 bailey_normals_of_elements_f32(int method, const BAILEY_ICDF_SPACE float *table,
                                                         bailey_elements4 u_)
{
    bailey_pack_f32 x_;
    for (int j_ = 0; j_ < 4; j_ += 2) {
        if (method == BAILEY_DRAW_ICDF) {
            x_.value[j_] = bailey_normal_icdf_f32_from_u64(table, u_.value[j_]);
            x_.value[j_ + 1] = bailey_normal_icdf_f32_from_u64(table, u_.value[j_ + 1]);
        } else {
            const bailey_pair_f32 pair =
                bailey_normal_box_muller_f32_from_u64(u_.value[j_], u_.value[j_ + 1]);
            x_.value[j_] = pair.value[0];
            x_.value[j_ + 1] = pair.value[1];
        }
    }
    return x_;
}

/* The 64-bit elements of two blocks for each lane: begin, begin + 4, ... and the three after each. */
BAILEY_FN bailey_elements4 bailey_draw_rounds_elements4(int rounds, bailey_philox_keys keys,
                                                        bailey_uint64 stream, bailey_uint64 begin)
{
    const bailey_u64 block = bailey_splat_u64(begin >> 1) + (bailey_lane_numbers() << 1);
    bailey_elements4 u_;
    for (int j_ = 0; j_ < 4; j_ += 2) {
        const bailey_philox_block w_ = bailey_philox_words4_either(
            rounds, keys, stream, block + bailey_splat_u64((bailey_uint64)j_ >> 1));
        u_.value[j_] = bailey_u64_from_u32(w_.word[0]) | bailey_u64_from_u32(w_.word[1]) << 32;
        u_.value[j_ + 1] = bailey_u64_from_u32(w_.word[2]) | bailey_u64_from_u32(w_.word[3]) << 32;
    }
    return u_;
}

/* Normals begin .. begin + BAILEY_PACK32 - 1, where `begin` is a multiple of 4. */
BAILEY_FN bailey_pack_f32 bailey_draw_rounds_f32(int rounds, int method, const BAILEY_ICDF_SPACE float *table,
                                                 bailey_philox_keys keys, bailey_uint64 stream,
                                                 bailey_uint64 begin)
{
    if (BAILEY_DRAW_BITS(method, 32) == 64)
        return bailey_zip_f32(bailey_normals_of_elements_f32(
            BAILEY_DRAW_METHOD(method), table, bailey_draw_rounds_elements4(rounds, keys, stream, begin)));
    const bailey_philox_block w_ = bailey_philox_words4_either(
        rounds, keys, stream, bailey_splat_u64(begin >> 2) + bailey_lane_numbers());
    return bailey_zip_f32(bailey_normals_of_words_f32(BAILEY_DRAW_METHOD(method), table, w_));
}
BAILEY_FN bailey_pack_f32 bailey_draw_keyed_f32(int method, const BAILEY_ICDF_SPACE float *table,
                                                bailey_philox_keys keys, bailey_uint64 stream,
                                                bailey_uint64 begin)
{
    return bailey_draw_rounds_f32(10, method, table, keys, stream, begin);
}
BAILEY_FN bailey_pack_f32 bailey_draw_f32(int method, const BAILEY_ICDF_SPACE float *table,
                                          bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 begin)
{
    return bailey_draw_keyed_f32(method, table, bailey_philox_keys_of(seed), stream, begin);
}

/* The two 64-bit elements of a block for each lane: begin, begin + 2, ... and those after them. */
BAILEY_FN bailey_pack_u64 bailey_draw_rounds_elements(int rounds, bailey_philox_keys keys,
                                                      bailey_uint64 stream, bailey_uint64 begin)
{
    return bailey_philox_elements2_either(rounds, keys, stream,
                                          bailey_splat_u64(begin >> 1) + bailey_lane_numbers());
}

BAILEY_FN bailey_pack_u64 bailey_draw_elements(bailey_philox_keys keys, bailey_uint64 stream,
                                               bailey_uint64 begin)
{
    return bailey_draw_rounds_elements(10, keys, stream, begin);
}

#if BAILEY_HAS_F64
/* Normals from two 64-bit elements for each lane. There are no fast forms. */
BAILEY_FN bailey_pack_f64 bailey_normals_of_elements_f64(int method,
                                                         const BAILEY_ICDF_SPACE_F64 double *table,
                                                         bailey_u64 u0_, bailey_u64 u1_)
{
    bailey_pack_f64 x_;
    if (method == BAILEY_DRAW_ICDF) {
        x_.value[0] = bailey_normal_icdf_f64(table, u0_);
        x_.value[1] = bailey_normal_icdf_f64(table, u1_);
    } else {
        const bailey_pair_f64 pair = bailey_normal_box_muller_f64(u0_, u1_);
        x_.value[0] = pair.value[0];
        x_.value[1] = pair.value[1];
    }
    return x_;
}

/* Normals from two words for each lane. */
BAILEY_FN bailey_pack_f64 bailey_normals_of_words_f64(int method, const BAILEY_ICDF_SPACE_F64 double *table,
                                                      bailey_u32 w0_, bailey_u32 w1_)
{
    bailey_pack_f64 x_;
    if (method == BAILEY_DRAW_ICDF) {
        x_.value[0] = bailey_normal_icdf_f64_from_u32(table, w0_);
        x_.value[1] = bailey_normal_icdf_f64_from_u32(table, w1_);
    } else {
        const bailey_pair_f64 pair = bailey_normal_box_muller_f64_from_u32(w0_, w1_);
        x_.value[0] = pair.value[0];
        x_.value[1] = pair.value[1];
    }
    return x_;
}

/* Words begin, begin + 2, ... and those after them, one half of a block for each lane. Lanes 2m and 2m + 1
 * make the same block where `begin` is a multiple of 4: a normal costs no more than one of 64 bits. */
BAILEY_FN void bailey_draw_rounds_words2(int rounds, bailey_philox_keys keys, bailey_uint64 stream,
                                         bailey_uint64 begin, bailey_u32 *w0_, bailey_u32 *w1_)
{
    const bailey_u64 pair = bailey_splat_u64(begin >> 1) + bailey_lane_numbers();
    const bailey_philox_block w_ = bailey_philox_words4_either(rounds, keys, stream, pair >> 1);
    const bailey_m32 second =
        bailey_lt_i32(bailey_i32_bits_u32(bailey_u32_from_u64(pair) << 31), bailey_splat_i32(0));
    *w0_ = bailey_select_u32(second, w_.word[2], w_.word[0]);
    *w1_ = bailey_select_u32(second, w_.word[3], w_.word[1]);
}

/* Normals begin .. begin + BAILEY_PACK64 - 1, where `begin` is a multiple of 2. */
BAILEY_FN bailey_pack_f64 bailey_draw_rounds_f64(int rounds, int method,
                                                 const BAILEY_ICDF_SPACE_F64 double *table,
                                                 bailey_philox_keys keys, bailey_uint64 stream,
                                                 bailey_uint64 begin)
{
    if (BAILEY_DRAW_BITS(method, 64) == 32) {
        bailey_u32 w0_, w1_;
        bailey_draw_rounds_words2(rounds, keys, stream, begin, &w0_, &w1_);
        return bailey_zip_f64(bailey_normals_of_words_f64(BAILEY_DRAW_METHOD(method), table, w0_, w1_));
    }
    const bailey_pack_u64 u_ = bailey_draw_rounds_elements(rounds, keys, stream, begin);
    return bailey_zip_f64(
        bailey_normals_of_elements_f64(BAILEY_DRAW_METHOD(method), table, u_.value[0], u_.value[1]));
}
BAILEY_FN bailey_pack_f64 bailey_draw_keyed_f64(int method, const BAILEY_ICDF_SPACE_F64 double *table,
                                                bailey_philox_keys keys, bailey_uint64 stream,
                                                bailey_uint64 begin)
{
    return bailey_draw_rounds_f64(10, method, table, keys, stream, begin);
}
BAILEY_FN bailey_pack_f64 bailey_draw_f64(int method, const BAILEY_ICDF_SPACE_F64 double *table,
                                          bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 begin)
{
    return bailey_draw_keyed_f64(method, table, bailey_philox_keys_of(seed), stream, begin);
}
#endif

#endif
