/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The warp generator: 32 words that a GPU's warp holds, one per lane, and steps together.
 *
 *   s'[i] = (s[qa[i]] << za) ^ (s[qb[i]] >> zb[i]),   qa and qb permutations of 0 .. 31, zb in 0 .. 3
 *
 * is linear over GF(2) with 1024 bits of state, and has period 2^1024 - 1 for the parameter sets that
 * bailey/device/warp_sets.h lists and tools/warp_search.c proves. Words come from the two taps of a lane,
 * t0 = s[qa[i]] and t1 = s[qb[i]], which the step has at hand:
 *   wide  (t0 M + t1) ^ mulhi(t0, M), M = 0x9E3779B9: the default
 *   add   t0 + t1: as published, and weak: its lowest bit is linear (docs/quality.md)
 *
 * Source: D. B. Thomas, "WarpStandard" (2011): the recurrence, one parameter set with za = 2, and the output
 * `add`. Sets with za = 3 and the output `wide` are bailey's.
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
BAILEY_FN bailey_u32 bailey_warp_word(int output, bailey_u32 t0, bailey_u32 t1)
{
    const bailey_u32 m = bailey_splat_u32(0x9E3779B9u);
    return output == BAILEY_WARP_ADD ? t0 + t1 : (t0 * m + t1) ^ bailey_mulhi_u32(t0, m);
}

#if BAILEY_LANES == 1
/* Word `lane` of the state at the beginning of a run. */
BAILEY_FN bailey_uint32 bailey_warp_start(bailey_uint32 tag, bailey_uint64 seed, bailey_uint64 stream,
                                          bailey_uint64 run, bailey_uint32 lane)
{
    const bailey_philox_block b = bailey_run_hash(tag, seed, stream, run, lane >> 2);
    const bailey_uint32 low = lane & 1 ? b.word[1] : b.word[0], high = lane & 1 ? b.word[3] : b.word[2];
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
BAILEY_FN bailey_uint32 bailey_warp_next(int output, int shift, bailey_warp *g)
{
    const bailey_uint32 t0 = bailey_warp_read(g->word, g->taps & 31),
                        t1 = bailey_warp_read(g->word, g->taps >> 8 & 31);
    g->word = t0 << shift ^ t1 >> (g->taps >> 16);
    return bailey_warp_word(output, t0, t1);
}
#endif

/* The same on devices without shuffles: lanes exchange words through 64 words of local memory, of which each
 * generator has its own. `step` counts steps from any number on. Every item of the work-group calls it. */
BAILEY_FN bailey_uint32 bailey_warp_next_local(int output, int shift, bailey_warp *g,
                                               BAILEY_SHARED bailey_uint32 *words, bailey_uint32 lane,
                                               bailey_uint32 step)
{
    BAILEY_SHARED bailey_uint32 *now = words + (step & 1) * 32; /* two halves in turn: one barrier per step */
    now[lane] = g->word;
    BAILEY_BARRIER();
    const bailey_uint32 t0 = now[g->taps & 31], t1 = now[g->taps >> 8 & 31];
    g->word = t0 << shift ^ t1 >> (g->taps >> 16);
    return bailey_warp_word(output, t0, t1);
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
    bailey_warp_own g;
    for (int i = 0; i < 32; i += 4) {
#if BAILEY_LANES == 1
        const bailey_philox_block b =
            bailey_run_hash(BAILEY_WARP_TAG, seed, stream, run, bailey_splat_u32((bailey_uint32)i / 4));
        for (int j = 0; j < 4; j++) g.word[i + j] = b.word[j];
#else
        for (int lane = 0; lane < BAILEY_LANES; lane++) {
            const bailey_philox_block b =
                bailey_run_hash(BAILEY_WARP_TAG, seed, stream, run + (bailey_uint64)lane,
                                bailey_splat_u32((bailey_uint32)i / 4));
            for (int j = 0; j < 4; j++) g.word[i + j][lane] = b.word[j][lane];
        }
#endif
    }
    return g;
}

/* The next word of all 32 lanes of the warp. Call it where `g` and `out` are the kernel's own variables. */
BAILEY_FN void bailey_warp_own_next(bailey_warp_own *g, bailey_u32 out[32])
{
    const bailey_warp_own s = *g;
#define BAILEY_WARP_OWN_STEP(i, a, b, z)                                                                     \
    g->word[i] = s.word[a] << BAILEY_WARP_ZA ^ s.word[b] >> z;                                               \
    out[i] = bailey_warp_word(BAILEY_WARP_WIDE, s.word[a], s.word[b]);
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
    bailey_warp_all g;
    for (int v = 0; v < BAILEY_WARP_VECTORS; v++) {
        const bailey_u32 lane = bailey_warp_lanes(v);
        const bailey_philox_block b = bailey_run_hash(tag, seed, stream, run, lane >> 2);
        const bailey_u32 odd = lane & bailey_splat_u32(1), upper = lane >> 1 & bailey_splat_u32(1);
        const bailey_u32 o = bailey_splat_u32(0) - odd, u = bailey_splat_u32(0) - upper;
        const bailey_u32 low = (b.word[0] & ~o) | (b.word[1] & o), high = (b.word[2] & ~o) | (b.word[3] & o);
        g.word[v] = (low & ~u) | (high & u);
        const bailey_u32 packed = bailey_vector_get_u32(taps + v * BAILEY_LANES);
        g.qa[v] = packed & bailey_splat_u32(31);
        g.qb[v] = packed >> 8 & bailey_splat_u32(31);
        g.zb[v] = packed >> 16;
    }
    return g;
}

/* The next word of every lane. */
BAILEY_FN void bailey_warp_all_next(int output, int shift, bailey_warp_all *g, bailey_u32 *out)
{
#if defined(BAILEY_PERMUTE2)
#define BAILEY_WARP_PICK(q) BAILEY_PERMUTE2(g->word[0], g->word[1], q)
#else
    bailey_uint32 words[32];
    for (int v = 0; v < BAILEY_WARP_VECTORS; v++) bailey_vector_put_u32(words + v * BAILEY_LANES, g->word[v]);
#define BAILEY_WARP_PICK(q) bailey_gather_u32(words, q)
#endif
    bailey_u32 next[BAILEY_WARP_VECTORS];
    for (int v = 0; v < BAILEY_WARP_VECTORS; v++) {
        const bailey_u32 t0 = BAILEY_WARP_PICK(g->qa[v]), t1 = BAILEY_WARP_PICK(g->qb[v]);
        next[v] = t0 << shift ^ t1 >> g->zb[v];
        out[v] = bailey_warp_word(output, t0, t1);
    }
#undef BAILEY_WARP_PICK
    for (int v = 0; v < BAILEY_WARP_VECTORS; v++) g->word[v] = next[v];
}

#endif
