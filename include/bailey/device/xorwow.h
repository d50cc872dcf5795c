/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * XORWOW: a shift register of five words, to which a Weyl sequence (a counter) is added.
 *
 * Source: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, section 3.1. It is also
 * the default generator of cuRAND.
 *
 * Period: 2^192 - 2^32. The counter hides little: bit 0 of a word is linear over GF(2) with complexity 162 at
 * most, and the bits above follow with complexities that grow slowly, so that linear complexity and matrix
 * rank tests of low bits fail. Whoever needs only the high bits (uniforms, normals) sees nothing of it;
 * whoever uses words bit by bit, or as hashes, should take Philox or the warp generator.
 *
 * State, in the order published: v[0] (the oldest word) to v[4], then the counter d; v not all zero.
 *
 * Order contract of a start: block `lane` of bailey_run_hash with tag 6 is v[0] to v[3]; words 0 and 1 of
 * block 32 + lane are v[4] and d. Should v be all zero, v[4] is 1.
 */
#ifndef BAILEY_DEVICE_XORWOW_H
#define BAILEY_DEVICE_XORWOW_H

#include "bailey/device/run.h"

typedef struct bailey_xorwow {
    bailey_u32 v[5], d;
} bailey_xorwow;

BAILEY_FN bailey_xorwow bailey_xorwow_start(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 run,
                                            bailey_u32 lane)
{
    const bailey_philox_block a = bailey_run_hash(6u, seed, stream, run, lane);
    const bailey_philox_block b =
        bailey_run_hash(6u, seed, stream, run, lane + bailey_splat_u32(BAILEY_RUN_LANES));
    const bailey_u32 zero = bailey_splat_u32(0u), one = bailey_splat_u32(1u);
    const bailey_m32 good = zero < (a.word[0] | a.word[1] | a.word[2] | a.word[3] | b.word[0]);
    bailey_xorwow g;
    for (int i = 0; i < 4; i++) g.v[i] = a.word[i];
    g.v[4] = bailey_select_u32(good, b.word[0], one);
    g.d = b.word[1];
    return g;
}

BAILEY_FN bailey_u32 bailey_xorwow_next(bailey_xorwow *g)
{
    const bailey_u32 t = g->v[0] ^ (g->v[0] >> 2), v4 = g->v[4];
    g->v[0] = g->v[1];
    g->v[1] = g->v[2];
    g->v[2] = g->v[3];
    g->v[3] = v4;
    g->v[4] = (v4 ^ (v4 << 4)) ^ (t ^ (t << 1));
    g->d += bailey_splat_u32(362437u);
    return g->v[4] + g->d;
}

#endif
