/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * KISS of 1999: two multiply-with-carry generators of 16 bits side by side (MWC), a shift register (SHR3) and
 * a linear congruential generator (CONG), combined as (MWC ^ CONG) + SHR3.
 *
 * Source: Marsaglia, "Random numbers for C: the END?", posted to sci.stat.math and sci.math on 20 January
 * 1999, with its shifts 17, 13, 5 as they stand there.
 *
 * Periods: those shifts do not give SHR3 its intended 2^32 - 1. Its minimal polynomial over GF(2) is
 * (x + 1)^3 times factors of degree 12 and 17, so that its longest cycles have 306,706,140 steps, and a
 * start in 2^17 is on a cycle of 2,340 or fewer. The two MWCs have 36969 2^15 - 1 and 18000 2^15 - 1, CONG
 * 2^32: together about 2^117 for nearly every start (Marsaglia says 2^123). docs/records/quality.md has its
 * results in the batteries. Use it to reproduce old results, or to cross-check a result with a generator of
 * another kind; there is no reason to prefer it for new work.
 *
 * State, in the order of Marsaglia's settable(): z, w, jsr, jcong. z = 0 and z = 9068FFFF stay for ever, and
 * so do w = 0 and w = 464FFFFF, to which the other multiples of 464FFFFF go; jsr = 0 stays.
 *
 * Order contract of a start: of block `lane` of bailey_run_hash with tag 9, z is 1 + the high half of
 * 9068FFFE times word 0, w is 1 + that of 464FFFFE times word 1 (what MWC goes through, without the points
 * that stay), jsr is word 2, or 1 if that is 0, and jcong is word 3.
 */
#ifndef BAILEY_DEVICE_KISS_H
#define BAILEY_DEVICE_KISS_H

#include "bailey/device/run.h"

typedef struct bailey_kiss {
    bailey_u32 z_, w_, jsr, jcong;
} bailey_kiss;

BAILEY_FN bailey_kiss bailey_kiss_start(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 run,
                                        bailey_u32 lane)
{
    const bailey_philox_block b_ = bailey_run_hash(9u, seed, stream, run, lane);
    const bailey_u32 zero = bailey_splat_u32(0u), one = bailey_splat_u32(1u);
    const bailey_m32 good = zero < b_.word[2];
    bailey_kiss g_;
    g_.z_ = bailey_mulhi_u32(b_.word[0], bailey_splat_u32(0x9068FFFEu)) + one;
    g_.w_ = bailey_mulhi_u32(b_.word[1], bailey_splat_u32(0x464FFFFEu)) + one;
    g_.jsr = bailey_select_u32(good, b_.word[2], one);
    g_.jcong = b_.word[3];
    return g_;
}

BAILEY_FN bailey_u32 bailey_kiss_next(bailey_kiss *g_)
{
    const bailey_u32 low = bailey_splat_u32(65535u);
    g_->z_ = bailey_splat_u32(36969u) * (g_->z_ & low) + (g_->z_ >> 16);
    g_->w_ = bailey_splat_u32(18000u) * (g_->w_ & low) + (g_->w_ >> 16);
    g_->jsr ^= g_->jsr << 17;
    g_->jsr ^= g_->jsr >> 13;
    g_->jsr ^= g_->jsr << 5;
    g_->jcong = bailey_splat_u32(69069u) * g_->jcong + bailey_splat_u32(1234567u);
    return (((g_->z_ << 16) + g_->w_) ^ g_->jcong) + g_->jsr;
}

#endif
