/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The hybrid Tausworthe generator: three Tausworthe (linear feedback shift register) steps and a linear
 * congruential one, four words of state.
 *
 * Source: Howes and Thomas, "Efficient random number generation and application using CUDA", GPU Gems 3
 * (2007), chapter 37, listings 37-2 to 37-4. The three steps are taus88 of L'Ecuyer, "Maximally
 * equidistributed combined Tausworthe generators", Mathematics of Computation 65 (1996); the fourth is the
 * "quick and dirty" generator of Press et al., Numerical Recipes in C, 2nd edition (1992).
 *
 * Two outputs of one state. `bailey_hybrid_taus_gems_next` is z1 ^ z2 ^ z3 ^ z4, as published. Bit k of z4 is
 * a linear sequence of complexity about 2^k, so that its low bits are linear over GF(2) with short
 * recurrences: it fails matrix rank and linear complexity tests (PractRand after 1 MB, four tests of
 * TestU01's Crush). Use it only to reproduce old results.
 * `bailey_hybrid_taus_next` is (z1 ^ z2 ^ z3) + the high half of z4 * 9E3779B9: every bit that it adds
 * depends on all lower bits of z4 through carries, which are not linear. That is the one to use.
 *
 * Period of the state: (2^31 - 1)(2^29 - 1)(2^28 - 1) 2^32, about 2^120 (the listing says 2^30 - 1 for z2,
 * and 2^121). The state is small and lanes start at random: if you need more than about 2^40 words
 * of one seed, use Philox, whose streams cannot meet, or the warp generator, whose period makes a meeting
 * practically impossible.
 *
 * State, in the order of the listing: z1, z2, z3, z4; z1 > 1, z2 > 7, z3 > 15, else the component is stuck at
 * zero. The text asks for > 128 of all three, which does no harm, and which starts here keep to.
 *
 * Order contract of a start: block `lane` of bailey_run_hash with tag 4 (both outputs), words 0 to 3 as z1 to
 * z4; 129 is added to those of z1, z2, z3 that are below 129.
 */
#ifndef BAILEY_DEVICE_HYBRID_TAUS_H
#define BAILEY_DEVICE_HYBRID_TAUS_H

#include "bailey/device/run.h"

typedef struct bailey_hybrid_taus {
    bailey_u32 z1_, z2_, z3_, z4_;
} bailey_hybrid_taus;

BAILEY_FN bailey_u32 bailey_hybrid_taus_above_128(bailey_u32 z_)
{
    const bailey_u32 least = bailey_splat_u32(129u);
    const bailey_m32 below = z_ < least;
    return bailey_select_u32(below, z_ + least, z_);
}

BAILEY_FN bailey_hybrid_taus bailey_hybrid_taus_start(bailey_uint64 seed, bailey_uint64 stream,
                                                      bailey_uint64 run, bailey_u32 lane)
{
    const bailey_philox_block b_ = bailey_run_hash(4u, seed, stream, run, lane);
    bailey_hybrid_taus g_;
    g_.z1_ = bailey_hybrid_taus_above_128(b_.word[0]);
    g_.z2_ = bailey_hybrid_taus_above_128(b_.word[1]);
    g_.z3_ = bailey_hybrid_taus_above_128(b_.word[2]);
    g_.z4_ = b_.word[3];
    return g_;
}

BAILEY_FN void bailey_hybrid_taus_step(bailey_hybrid_taus *g_)
{
    const bailey_u32 z1_ = g_->z1_, z2_ = g_->z2_, z3_ = g_->z3_;
    g_->z1_ = ((z1_ & bailey_splat_u32(0xFFFFFFFEu)) << 12) ^ (((z1_ << 13) ^ z1_) >> 19);
    g_->z2_ = ((z2_ & bailey_splat_u32(0xFFFFFFF8u)) << 4) ^ (((z2_ << 2) ^ z2_) >> 25);
    g_->z3_ = ((z3_ & bailey_splat_u32(0xFFFFFFF0u)) << 17) ^ (((z3_ << 3) ^ z3_) >> 11);
    g_->z4_ = g_->z4_ * bailey_splat_u32(1664525u) + bailey_splat_u32(1013904223u);
}

/* The repaired output. */
BAILEY_FN bailey_u32 bailey_hybrid_taus_next(bailey_hybrid_taus *g_)
{
    bailey_hybrid_taus_step(g_);
    return (g_->z1_ ^ g_->z2_ ^ g_->z3_) + bailey_mulhi_u32(g_->z4_, bailey_splat_u32(0x9E3779B9u));
}

/* The published output, from the same starts: weak. */
typedef bailey_hybrid_taus bailey_hybrid_taus_gems;

BAILEY_FN bailey_hybrid_taus_gems bailey_hybrid_taus_gems_start(bailey_uint64 seed, bailey_uint64 stream,
                                                                bailey_uint64 run, bailey_u32 lane)
{
    return bailey_hybrid_taus_start(seed, stream, run, lane);
}

BAILEY_FN bailey_u32 bailey_hybrid_taus_gems_next(bailey_hybrid_taus *g_)
{
    bailey_hybrid_taus_step(g_);
    return g_->z1_ ^ g_->z2_ ^ g_->z3_ ^ g_->z4_;
}

#endif
