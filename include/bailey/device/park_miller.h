/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The "minimal standard" of Park and Miller: x = 16807 x mod 2^31 - 1, and a word is 2 x.
 *
 * Source: Park and Miller, "Random number generators: good ones are hard to find", Communications of the ACM
 * 31(10), 1988; first in Lewis, Goodman, Miller, IBM Systems Journal 8(2), 1969. std::minstd_rand0 of C++.
 *
 * Period: 2^31 - 2, which a graphics processor uses up in a few milliseconds, so that a large fill repeats
 * itself; a coarse lattice, and the lowest bit of every word is 0. It fails every battery at once. It is
 * here to reproduce old results, and as a control that tests must catch: not for results.
 *
 * State: x, from 1 to 2^31 - 2.
 *
 * Order contract of a start: 1 + the high half of w (2^31 - 2), where w is word 0 of block `lane` of
 * bailey_run_hash with tag 10.
 */
#ifndef BAILEY_DEVICE_PARK_MILLER_H
#define BAILEY_DEVICE_PARK_MILLER_H

#include "bailey/device/run.h"

typedef struct bailey_park_miller {
    bailey_u32 x_;
} bailey_park_miller;

BAILEY_FN bailey_park_miller bailey_park_miller_start(bailey_uint64 seed, bailey_uint64 stream,
                                                      bailey_uint64 run, bailey_u32 lane)
{
    const bailey_philox_block b_ = bailey_run_hash(10u, seed, stream, run, lane);
    bailey_park_miller g_;
    g_.x_ = bailey_mulhi_u32(b_.word[0], bailey_splat_u32(0x7FFFFFFEu)) + bailey_splat_u32(1u);
    return g_;
}

BAILEY_FN bailey_u32 bailey_park_miller_next(bailey_park_miller *g_)
{
    const bailey_u32 a_ = bailey_splat_u32(16807u), m_ = bailey_splat_u32(0x7FFFFFFFu), twice = g_->x_ << 1;
    /* With 2^31 = 1 mod m, what stands above bit 31 of the product is added below it, twice: the first sum is
     * below 2^31 + 2^15, and never m, which 0 alone could lead to. */
    const bailey_u32 s_ = (a_ * g_->x_ & m_) + bailey_mulhi_u32(a_, twice);
    g_->x_ = (s_ & m_) + (s_ >> 31);
    return g_->x_ << 1;
}

#endif
