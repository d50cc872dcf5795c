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
 * rank tests of low bits fail. Uniforms and normals, which use the high bits, are not
 * affected; if you use words bit by bit, or as hashes, take Philox or the warp generator.
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
    bailey_u32 value[5], d_;
} bailey_xorwow;

BAILEY_FN bailey_xorwow bailey_xorwow_start(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 run,
                                            bailey_u32 lane)
{
    const bailey_philox_block a_ = bailey_run_hash(6u, seed, stream, run, lane);
    const bailey_philox_block b_ =
        bailey_run_hash(6u, seed, stream, run, lane + bailey_splat_u32(BAILEY_RUN_LANES));
    const bailey_u32 zero = bailey_splat_u32(0u), one = bailey_splat_u32(1u);
    const bailey_m32 good = zero < (a_.word[0] | a_.word[1] | a_.word[2] | a_.word[3] | b_.word[0]);
    bailey_xorwow g_;
    for (int i_ = 0; i_ < 4; i_++) g_.value[i_] = a_.word[i_];
    g_.value[4] = bailey_select_u32(good, b_.word[0], one);
    g_.d_ = b_.word[1];
    return g_;
}

BAILEY_FN bailey_u32 bailey_xorwow_next(bailey_xorwow *g_)
{
    const bailey_u32 t_ = g_->value[0] ^ (g_->value[0] >> 2), v4_ = g_->value[4];
    g_->value[0] = g_->value[1];
    g_->value[1] = g_->value[2];
    g_->value[2] = g_->value[3];
    g_->value[3] = v4_;
    g_->value[4] = (v4_ ^ (v4_ << 4)) ^ (t_ ^ (t_ << 1));
    g_->d_ += bailey_splat_u32(362437u);
    return g_->value[4] + g_->d_;
}

#endif
