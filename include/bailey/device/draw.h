/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Normals by number: the sequence that bailey_normals_generate fills memory with, drawn inside a kernel.
 *
 * Order contract: normal i of (seed, stream, method) is made from element i of the Philox sequence
 * (bailey/device/philox.h): word i for f32, 64-bit element i for f64. Box-Muller turns elements 2m and
 * 2m + 1 into normals 2m and 2m + 1. The sequence is that of ten rounds, except where `rounds` says 7 or 10;
 * a constant there costs nothing, a variable one branch.
 */
#ifndef BAILEY_DEVICE_DRAW_H
#define BAILEY_DEVICE_DRAW_H

#include "bailey/device/normal.h"
#include "bailey/device/philox.h"

#define BAILEY_DRAW_ICDF 0
#define BAILEY_DRAW_BOX_MULLER 1
#define BAILEY_DRAW_BOX_MULLER_FAST 2

/* Normals from four words for each lane: v[j] from word j, Box-Muller's from words 0 and 1, 2 and 3. `method`
 * should be a constant: the other methods then cost nothing. `table` is the inverse CDF's of the precision
 * (bailey/device/icdf_table.h); other methods do not read it. */
BAILEY_FN bailey_pack_f32 bailey_normals_of_words_f32(int method, const BAILEY_ICDF_SPACE float *table,
                                                      bailey_philox_block w)
{
    bailey_pack_f32 x;
    if (method == BAILEY_DRAW_ICDF) {
        for (int j = 0; j < 4; j++) x.v[j] = bailey_normal_icdf_f32(table, w.word[j]);
    } else {
        for (int j = 0; j < 4; j += 2) {
            const bailey_pair_f32 pair = method == BAILEY_DRAW_BOX_MULLER
                                             ? bailey_normal_box_muller_f32(w.word[j], w.word[j + 1])
                                             : bailey_normal_box_muller_fast_f32(w.word[j], w.word[j + 1]);
            x.v[j] = pair.v[0];
            x.v[j + 1] = pair.v[1];
        }
    }
    return x;
}

/* Normals begin .. begin + BAILEY_PACK32 - 1, where `begin` is a multiple of 4. */
BAILEY_FN bailey_pack_f32 bailey_draw_rounds_f32(int rounds, int method, const BAILEY_ICDF_SPACE float *table,
                                                 bailey_philox_keys keys, bailey_uint64 stream,
                                                 bailey_uint64 begin)
{
    const bailey_philox_block w = bailey_philox_words4_either(
        rounds, keys, stream, bailey_splat_u64(begin >> 2) + bailey_lane_numbers());
    return bailey_zip_f32(bailey_normals_of_words_f32(method, table, w));
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

#if BAILEY_HAS_F64
/* Normals from two 64-bit elements for each lane. There are no fast forms. */
BAILEY_FN bailey_pack_f64 bailey_normals_of_elements_f64(int method, const BAILEY_ICDF_SPACE double *table,
                                                         bailey_u64 u0, bailey_u64 u1)
{
    bailey_pack_f64 x;
    if (method == BAILEY_DRAW_ICDF) {
        x.v[0] = bailey_normal_icdf_f64(table, u0);
        x.v[1] = bailey_normal_icdf_f64(table, u1);
    } else {
        const bailey_pair_f64 pair = bailey_normal_box_muller_f64(u0, u1);
        x.v[0] = pair.v[0];
        x.v[1] = pair.v[1];
    }
    return x;
}

/* The two 64-bit elements of a block for each lane: begin, begin + 2, ... and those after them. */
BAILEY_FN bailey_pack_u64 bailey_draw_rounds_elements(int rounds, bailey_philox_keys keys,
                                                      bailey_uint64 stream, bailey_uint64 begin)
{
    const bailey_philox_block w = bailey_philox_words4_either(
        rounds, keys, stream, bailey_splat_u64(begin >> 1) + bailey_lane_numbers());
    bailey_pack_u64 u;
    u.v[0] = bailey_u64_from_u32(w.word[0]) | bailey_u64_from_u32(w.word[1]) << 32;
    u.v[1] = bailey_u64_from_u32(w.word[2]) | bailey_u64_from_u32(w.word[3]) << 32;
    return u;
}

BAILEY_FN bailey_pack_u64 bailey_draw_elements(bailey_philox_keys keys, bailey_uint64 stream,
                                               bailey_uint64 begin)
{
    return bailey_draw_rounds_elements(10, keys, stream, begin);
}

/* Normals begin .. begin + BAILEY_PACK64 - 1, where `begin` is a multiple of 2. */
BAILEY_FN bailey_pack_f64 bailey_draw_rounds_f64(int rounds, int method,
                                                 const BAILEY_ICDF_SPACE double *table,
                                                 bailey_philox_keys keys, bailey_uint64 stream,
                                                 bailey_uint64 begin)
{
    const bailey_pack_u64 u = bailey_draw_rounds_elements(rounds, keys, stream, begin);
    return bailey_zip_f64(bailey_normals_of_elements_f64(method, table, u.v[0], u.v[1]));
}
BAILEY_FN bailey_pack_f64 bailey_draw_keyed_f64(int method, const BAILEY_ICDF_SPACE double *table,
                                                bailey_philox_keys keys, bailey_uint64 stream,
                                                bailey_uint64 begin)
{
    return bailey_draw_rounds_f64(10, method, table, keys, stream, begin);
}
BAILEY_FN bailey_pack_f64 bailey_draw_f64(int method, const BAILEY_ICDF_SPACE double *table,
                                          bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 begin)
{
    return bailey_draw_keyed_f64(method, table, bailey_philox_keys_of(seed), stream, begin);
}
#endif

#endif
