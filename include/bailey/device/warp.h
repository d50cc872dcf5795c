/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The warp generator: 32 words that a GPU's warp holds, one per lane, and steps together.
 *
 *   s'[i] = (s[qa[i]] << za) ^ (s[qb[i]] >> zb[i]),   qa and qb permutations of 0 .. 31, zb in 0 .. 3
 *
 * is linear over GF(2) with 1024 bits of state, and has period 2^1024 - 1 for the parameter sets that
 * bailey/device/warp_sets.h lists and tools/warp_search.c proves. Words come from the two taps of a lane,
 * t0 = s[qa[i]] and t1 = s[qb[i]], which the step has already read:
 *   wide  (t0 M + t1) ^ mulhi(t0, M), M = 0x9E3779B9: the default
 *   add   t0 + t1: as published, and weak: its lowest bit is linear (docs/records/quality.md)
 *
 * Source: D. B. Thomas, "WarpStandard" (2011): the recurrence, one parameter set with za = 2, and the output
 * `add`. Sets with za = 3 and the output `wide` were made for bailey.
 *
 * A set is given as 32 taps: qa[i] | qb[i] << 8 | zb[i] << 16. Lane i of run w begins with word i mod 4 of
 * hash i / 4 (bailey/device/run.h).
 */
#ifndef BAILEY_DEVICE_WARP_H
#define BAILEY_DEVICE_WARP_H

#include "bailey/device/run.h"

#define BAILEY_WARP_TAG 2u
#define BAILEY_WARP_ADD_TAG 3u     /* of the published set and output */
#define BAILEY_WARP_ZA 3           /* za of bailey's sets */
#define BAILEY_WARP_ZA_PUBLISHED 2 /* za of the published one */
#define BAILEY_WARP_WIDE 0
#define BAILEY_WARP_ADD 1

/* The word of a lane with these taps. `output` should be a constant. */
BAILEY_FN bailey_u32 bailey_warp_word(int output, bailey_u32 t0_, bailey_u32 t1_)
{
    const bailey_u32 m_ = bailey_splat_u32(0x9E3779B9u);
    return output == BAILEY_WARP_ADD ? t0_ + t1_ : (t0_ * m_ + t1_) ^ bailey_mulhi_u32(t0_, m_);
}

#if BAILEY_LANES == 1
/* Word `lane` of the state at the beginning of a run. */
BAILEY_FN bailey_uint32 bailey_warp_start(bailey_uint32 tag, bailey_uint64 seed, bailey_uint64 stream,
                                          bailey_uint64 run, bailey_uint32 lane)
{
    const bailey_philox_block b_ = bailey_run_hash(tag, seed, stream, run, lane >> 2);
    const bailey_uint32 low = lane & 1 ? b_.word[1] : b_.word[0], high = lane & 1 ? b_.word[3] : b_.word[2];
    return lane & 2 ? high : low;
}
#endif

#if defined(BAILEY_SHARED)
/* One lane of a generator that 32 neighbouring threads hold together. */
typedef struct bailey_warp {
    bailey_uint32 word, taps;
} bailey_warp;

#if defined(BAILEY_WARP_SHUFFLES)
/* The next word of each lane. All 32 lanes call it together. */
BAILEY_FN bailey_uint32 bailey_warp_next(int output, int shift, bailey_warp *g_)
{
    const bailey_uint32 t0_ = bailey_warp_read(g_->word, g_->taps & 31),
                        t1_ = bailey_warp_read(g_->word, g_->taps >> 8 & 31);
    g_->word = t0_ << shift ^ t1_ >> (g_->taps >> 16);
    return bailey_warp_word(output, t0_, t1_);
}
#endif

/* The same on devices without shuffles: lanes exchange words through 64 words of local memory, of which each
 * generator has its own. `step` counts steps, starting at any number. Every item of the work-group calls it.
 */
BAILEY_FN bailey_uint32 bailey_warp_next_local(int output, int shift, bailey_warp *g_,
                                               BAILEY_SHARED bailey_uint32 *words, bailey_uint32 lane,
                                               bailey_uint32 step)
{
    BAILEY_SHARED bailey_uint32 *now = words + (step & 1) * 32; /* two halves in turn: one barrier per step */
    now[lane] = g_->word;
    BAILEY_BARRIER();
    const bailey_uint32 t0_ = now[g_->taps & 31], t1_ = now[g_->taps >> 8 & 31];
    g_->word = t0_ << shift ^ t1_ >> (g_->taps >> 16);
    return bailey_warp_word(output, t0_, t1_);
}
#endif

/* A whole generator of set 0 in each lane's registers: words are moved by the compiler, as names, and no lane
 * needs another. For kernels that use words where they are made and can spare 64 registers: there are no
 * shuffles to wait for. With several lanes these are so many generators. Word i of a step is that of lane i
 * of the warp. */
typedef struct bailey_warp_own {
    bailey_u32 word[32];
} bailey_warp_own;

/* Lane i, qa, qb, zb. */
/* clang-format off */
#define BAILEY_WARP_OWN_TAPS(X)                                                                              \
    X(0, 27, 4, 3) X(1, 20, 6, 2) X(2, 30, 24, 2) X(3, 29, 1, 1)                                             \
    X(4, 12, 2, 1) X(5, 26, 11, 2) X(6, 9, 14, 2) X(7, 19, 9, 3)                                             \
    X(8, 2, 27, 0) X(9, 24, 28, 1) X(10, 0, 7, 0) X(11, 28, 13, 2)                                           \
    X(12, 5, 17, 3) X(13, 7, 20, 1) X(14, 16, 25, 3) X(15, 18, 22, 3)                                        \
    X(16, 22, 29, 2) X(17, 31, 10, 2) X(18, 10, 23, 1) X(19, 6, 12, 1)                                       \
    X(20, 14, 18, 3) X(21, 1, 26, 3) X(22, 23, 8, 2) X(23, 21, 19, 1)                                        \
    X(24, 15, 3, 3) X(25, 8, 15, 3) X(26, 13, 16, 3) X(27, 11, 5, 3)                                         \
    X(28, 3, 30, 3) X(29, 17, 21, 2) X(30, 25, 31, 3) X(31, 4, 0, 0)
/* clang-format on */

/* The state at the beginning of run number `run`, one for each lane. */
BAILEY_FN bailey_warp_own bailey_warp_own_start(bailey_uint64 seed, bailey_uint64 stream, bailey_uint64 run)
{
    bailey_warp_own g_;
    for (int i_ = 0; i_ < 32; i_ += 4) {
#if BAILEY_LANES == 1
        const bailey_philox_block b_ =
            bailey_run_hash(BAILEY_WARP_TAG, seed, stream, run, bailey_splat_u32((bailey_uint32)i_ / 4));
        for (int j_ = 0; j_ < 4; j_++) g_.word[i_ + j_] = b_.word[j_];
#else
        for (int lane = 0; lane < BAILEY_LANES; lane++) {
            const bailey_philox_block b_ =
                bailey_run_hash(BAILEY_WARP_TAG, seed, stream, run + (bailey_uint64)lane,
                                bailey_splat_u32((bailey_uint32)i_ / 4));
            for (int j_ = 0; j_ < 4; j_++) g_.word[i_ + j_][lane] = b_.word[j_][lane];
        }
#endif
    }
    return g_;
}

/* The next word of all 32 lanes of the warp. Call it where `g` and `out` are the kernel's own variables. */
BAILEY_FN void bailey_warp_own_next(bailey_warp_own *g_, bailey_u32 out[32])
{
    const bailey_warp_own s_ = *g_;
#define BAILEY_WARP_OWN_STEP(i, a, b, z)                                                                     \
    g_->word[i] = s_.word[a] << BAILEY_WARP_ZA ^ s_.word[b] >> z;                                            \
    out[i] = bailey_warp_word(BAILEY_WARP_WIDE, s_.word[a], s_.word[b]);
    BAILEY_WARP_OWN_TAPS(BAILEY_WARP_OWN_STEP)
#undef BAILEY_WARP_OWN_STEP
}

/* All 32 lanes held by one thread, for processors: lane i is element i mod BAILEY_LANES of vector
 * i / BAILEY_LANES. */
#define BAILEY_WARP_VECTORS (32 / BAILEY_LANES)
typedef struct bailey_warp_all {
    bailey_u32 word[BAILEY_WARP_VECTORS], qa[BAILEY_WARP_VECTORS], qb[BAILEY_WARP_VECTORS],
        zb[BAILEY_WARP_VECTORS];
} bailey_warp_all;

/* Lanes 0, 1, ... of a vector and those after them. */
BAILEY_FN bailey_u32 bailey_warp_lanes(int vector)
{
    return bailey_u32_from_u64(bailey_lane_numbers()) +
           bailey_splat_u32((bailey_uint32)(vector * BAILEY_LANES));
}

/* The state at the beginning of a run. `taps` has 32 entries. */
BAILEY_FN bailey_warp_all bailey_warp_all_start(bailey_uint32 tag, bailey_uint64 seed, bailey_uint64 stream,
                                                bailey_uint64 run, const bailey_uint32 *taps)
{
    bailey_warp_all g_;
    for (int v_ = 0; v_ < BAILEY_WARP_VECTORS; v_++) {
        const bailey_u32 lane = bailey_warp_lanes(v_);
        const bailey_philox_block b_ = bailey_run_hash(tag, seed, stream, run, lane >> 2);
        const bailey_u32 odd = lane & bailey_splat_u32(1), upper = lane >> 1 & bailey_splat_u32(1);
        const bailey_u32 o_ = bailey_splat_u32(0) - odd, u_ = bailey_splat_u32(0) - upper;
        const bailey_u32 low = (b_.word[0] & ~o_) | (b_.word[1] & o_),
                         high = (b_.word[2] & ~o_) | (b_.word[3] & o_);
        g_.word[v_] = (low & ~u_) | (high & u_);
        const bailey_u32 packed = bailey_vector_get_u32(taps + v_ * BAILEY_LANES);
        g_.qa[v_] = packed & bailey_splat_u32(31);
        g_.qb[v_] = packed >> 8 & bailey_splat_u32(31);
        g_.zb[v_] = packed >> 16;
    }
    return g_;
}

/* The next word of every lane. */
BAILEY_FN void bailey_warp_all_next(int output, int shift, bailey_warp_all *g_, bailey_u32 *out)
{
#if defined(BAILEY_PERMUTE2)
#define BAILEY_WARP_PICK(q) BAILEY_PERMUTE2(g_->word[0], g_->word[1], q)
#else
    bailey_uint32 words[32];
    for (int v_ = 0; v_ < BAILEY_WARP_VECTORS; v_++)
        bailey_vector_put_u32(words + v_ * BAILEY_LANES, g_->word[v_]);
#define BAILEY_WARP_PICK(q) bailey_gather_u32(words, q)
#endif
    bailey_u32 next[BAILEY_WARP_VECTORS];
    for (int v_ = 0; v_ < BAILEY_WARP_VECTORS; v_++) {
        const bailey_u32 t0_ = BAILEY_WARP_PICK(g_->qa[v_]), t1_ = BAILEY_WARP_PICK(g_->qb[v_]);
        next[v_] = t0_ << shift ^ t1_ >> g_->zb[v_];
        out[v_] = bailey_warp_word(output, t0_, t1_);
    }
#undef BAILEY_WARP_PICK
    for (int v_ = 0; v_ < BAILEY_WARP_VECTORS; v_++) g_->word[v_] = next[v_];
}

#endif
