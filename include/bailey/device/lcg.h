/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Two generators of one word, not for results: what tests and speeds are compared with.
 *
 * lcg, the "quick and dirty" linear congruential generator: x = 1664525 x + 1013904223 mod 2^32, and x is the
 * word. Source: Press et al., Numerical Recipes in C, 2nd edition (1992), section 7.1 ("ranqd1"); the
 * multiplier is Knuth's and Lewis's. Period 2^32; bit k has period 2^(k + 1), so that the lowest bit
 * alternates. It fails every battery at once.
 *
 * adder: x = x + 9E3779B9 mod 2^32 (2^32 divided by the golden ratio: a Weyl sequence), and x is the
 * word. Period 2^32. It is not random at all: the cheapest thing that fills memory with words that differ,
 * hence the upper limit of speed, and the control that every test must catch.
 *
 * Every lane goes through the same 2^32 words; streams and lanes overlap.
 *
 * State: x, any word.
 *
 * Order contract of a start: word 0 of block `lane` of bailey_run_hash with tag 11 (lcg) or 12 (adder).
 */
#ifndef BAILEY_DEVICE_LCG_H
#define BAILEY_DEVICE_LCG_H

#include "bailey/device/run.h"

typedef struct bailey_lcg {
    bailey_u32 x_;
} bailey_lcg;

typedef struct bailey_adder {
    bailey_u32 x_;
} bailey_adder;

BAILEY_FN bailey_lcg bailey_lcg_start(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 run,
                                      bailey_u32 lane)
{
    bailey_lcg g_;
    g_.x_ = bailey_run_hash(11u, seed, stream, run, lane).word[0];
    return g_;
}

BAILEY_FN bailey_u32 bailey_lcg_next(bailey_lcg *g_)
{
    g_->x_ = g_->x_ * bailey_splat_u32(1664525u) + bailey_splat_u32(1013904223u);
    return g_->x_;
}

BAILEY_FN bailey_adder bailey_adder_start(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 run,
                                          bailey_u32 lane)
{
    bailey_adder g_;
    g_.x_ = bailey_run_hash(12u, seed, stream, run, lane).word[0];
    return g_;
}

BAILEY_FN bailey_u32 bailey_adder_next(bailey_adder *g_)
{
    g_->x_ += bailey_splat_u32(0x9E3779B9u);
    return g_->x_;
}

#endif
