/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs: how the sequences of stepping generators are divided into pieces that can be generated anywhere, in
 * any order.
 *
 * Order contract. A stream of such a generator is a sequence of runs of 2^13 words. A run has 32 lanes,
 * which are 32 separate generators (for the warp generator, the 32 words of one; MT19937 is the exception
 * below). The lanes of run w start from a hash of (generator, seed, stream, w, lane). They make four steps
 * at a time, lane after lane:
 *   word i is in run i / 2^13; with r = i mod 2^13 it is step 4 (r / 2^7) + r mod 4 of lane (r / 4) mod 32.
 * So a GPU's warp writes 512 consecutive bytes at once, and a processor's vector of lanes whole packs.
 * A run of MT19937 is 2^13 words of one generator, in order.
 *
 * The hash is Philox4x32-10 with the seed as key, and the counter { w bits 0 to 31, w bits 32 to 48 +
 * number 2^17 + tag 2^25 + 2^30 w bits 49 and 50, stream low, stream high }, which no word of
 * bailey/device/philox.h before number 2^59 uses. Only runs number 2^50 and above set the top bit of the
 * second word, which that file reserves; no tag is 0, so that bits 25 to 29 tell them from the block there
 * that makes keys. Starts are thus 128-bit blocks of a good generator, and distinct for distinct (w, number,
 * tag, stream): no generator here gets a state all zero from two of them. Within 2^40 words, two lanes
 * overlap anywhere with a probability of about 2^-48 where the period is 2^120 (hybrid-taus), and never in
 * practice where it is longer.
 */
#ifndef BAILEY_DEVICE_RUN_H
#define BAILEY_DEVICE_RUN_H

#include "bailey/device/philox.h"

#define BAILEY_RUN_LANES 32
#define BAILEY_RUN_STEPS 256
#define BAILEY_RUN_WORDS (BAILEY_RUN_LANES * BAILEY_RUN_STEPS)

/* Four hash words for each lane, of which number (below 256) and tag (1 to 31: a generator's number in
 * bailey_generator; 14 and 15: Wallace's normals; 16: scrambles of points; 17: permutations) tell them apart. A run's number is
 * below 2^51. */
BAILEY_FN bailey_philox_block bailey_run_hash(bailey_uint32 tag, bailey_uint64 seed, bailey_uint64 stream,
                                              bailey_uint64 run, bailey_u32 number)
{
    const bailey_uint32 high = (bailey_uint32)(run >> 32);
    const bailey_u32 c1_ = bailey_splat_u32((high & 0x1ffffu) | tag << 25 | high >> 17 << 30) | number << 17;
    return bailey_philox4x32_10(
        bailey_splat_u32((bailey_uint32)run), c1_, bailey_splat_u32((bailey_uint32)stream),
        bailey_splat_u32((bailey_uint32)(stream >> 32)), (bailey_uint32)seed, (bailey_uint32)(seed >> 32));
}

#endif
