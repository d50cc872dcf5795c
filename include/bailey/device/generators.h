/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Every generator: the one table, for the host and for kernels alike, and the headers of those that step.
 * With BAILEY_TABLE_ALONE defined it is the table alone.
 */
#ifndef BAILEY_GENERATOR_LIST

/* X(number, NAME, word, kind, published, text, verdict, period). Numbers never change; they count from 0.
 *   word        the name that functions and kernels have
 *   kind        COUNTER  words are a function of their number
 *               LANES    steps; a run is made by 32 of its kind side by side (bailey/device/run.h)
 *               TEAM     steps, with a separate kernel
 *   published   how the published sequence is made: NONE (it has none, or no state), from STATES that the
 *               host jumps to, or by one TEAM
 *   text        the name that people use
 *   verdict     of docs/records/quality.md, in a word. sound: no failure found; linear: fails only tests of
 * linearity over GF(2); weak: do not use it for results period      of the recurrence, in words; for Philox
 * that of a seed, 2^128 blocks of four */
#define BAILEY_GENERATOR_LIST(X)                                                                             \
    X(0, PHILOX, philox, COUNTER, NONE, "philox", "sound", "2^130")                                          \
    X(1, PHILOX7, philox7, COUNTER, NONE, "philox7", "sound", "2^130")                                       \
    X(2, WARP, warp, TEAM, NONE, "warp", "sound", "2^1024 - 1")                                              \
    X(3, WARP_ADD, warp_add, TEAM, NONE, "warp-add", "weak", "2^1024 - 1")                                   \
    X(4, HYBRID_TAUS, hybrid_taus, LANES, NONE, "hybrid-taus", "sound", "2^120")                             \
    X(5, HYBRID_TAUS_GEMS, hybrid_taus_gems, LANES, NONE, "hybrid-taus-gems", "weak", "2^120")               \
    X(6, XORWOW, xorwow, LANES, STATES, "xorwow", "linear", "2^192 - 2^32")                                  \
    X(7, MRG32K3A, mrg32k3a, LANES, STATES, "mrg32k3a", "sound", "2^191")                                    \
    X(8, MT19937, mt19937, TEAM, TEAM, "mt19937", "linear", "2^19937 - 1")                                   \
    X(9, KISS, kiss, LANES, STATES, "kiss", "sound", "2^117")                                                \
    X(10, PARK_MILLER, park_miller, LANES, STATES, "park-miller", "weak", "2^31 - 2")                        \
    X(11, LCG, lcg, LANES, STATES, "lcg", "weak", "2^32")                                                    \
    X(12, ADDER, adder, LANES, STATES, "adder", "weak", "2^32")                                              \
    /* the next generator */

/* Points, which are numbered by point and dimension: no sequence of words. X(number, NAME, text, verdict,
 * period); numbers as above, starting at 32; the period in points. */
#define BAILEY_POINT_LIST(X) X(32, SOBOL, "sobol", "points", "2^64")

#endif

#if !defined(BAILEY_TABLE_ALONE) && !defined(BAILEY_DEVICE_GENERATORS_H)
#define BAILEY_DEVICE_GENERATORS_H
#include "bailey/device/hybrid_taus.h"
#include "bailey/device/kiss.h"
#include "bailey/device/lcg.h"
#include "bailey/device/mrg32k3a.h"
#include "bailey/device/mt19937.h"
#include "bailey/device/park_miller.h"
#include "bailey/device/warp.h"
#include "bailey/device/xorwow.h"
#endif
