/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * MT19937, the Mersenne Twister: 624 words of state, period 2^19937 - 1, linear over GF(2).
 *
 * Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998) 3-30: word width 32, recurrence
 * of distance 397, matrix A 9908B0DF, tempering 11, 7 and 9D2C5680, 15 and EFC60000, 18.
 *
 * In a run (bailey/device/run.h) the words are those of one generator, in order; its 624 words are hashes
 * 0 to 155. Fails tests of linear complexity and of the rank of large matrices (docs/records/quality.md). Its state
 * is too large for a thread of a GPU: 32 threads share one, or a processor's thread has one.
 */
#ifndef BAILEY_DEVICE_MT19937_H
#define BAILEY_DEVICE_MT19937_H

#include "bailey/device/run.h"

#define BAILEY_MT19937_TAG 8u
#define BAILEY_MT19937_WORDS 624
#define BAILEY_MT19937_DISTANCE 397

/* Word n of the state's sequence from words n - 624, n - 623 and n - 227. */
BAILEY_FN bailey_u32 bailey_mt19937_twist(bailey_u32 a_, bailey_u32 b_, bailey_u32 m_)
{
    const bailey_u32 y_ = (a_ & bailey_splat_u32(0x80000000u)) | (b_ & bailey_splat_u32(0x7fffffffu));
    const bailey_u32 odd = bailey_splat_u32(0) - (b_ & bailey_splat_u32(1));
    return m_ ^ y_ >> 1 ^ (odd & bailey_splat_u32(0x9908B0DFu));
}

/* The word that is given out for a word of the state. */
BAILEY_FN bailey_u32 bailey_mt19937_temper(bailey_u32 y_)
{
    y_ ^= y_ >> 11;
    y_ ^= y_ << 7 & bailey_splat_u32(0x9D2C5680u);
    y_ ^= y_ << 15 & bailey_splat_u32(0xEFC60000u);
    return y_ ^ y_ >> 18;
}

#endif
