/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Discrete distributions by inversion: the number of thresholds that a word has reached. The thresholds are
 * integers (bailey_variate_table of bailey/bailey.h computes them), so that the result is the exact quantile
 * at the probability U of bailey/device/quantile.h, grows with the word, and is the same on every device.
 *
 * Each octave of the tail probability is cut into 2^pieces cells, and a guide says for each cell how many
 * thresholds lie before it (Chen and Asau 1974, with cells that get smaller with the tail); a search of as
 * many comparisons as the fullest cell needs finds the rest. A table is an array of words, uint32_t for words
 * of 32 bits and uint64_t for words of 64 bits:
 *
 *     [0]  pieces   [1]  comparisons   [2]  the least number   [3]  0
 *     [BAILEY_DISCRETE_HEAD ...]  the guide: BAILEY_DISCRETE_CELLS_32 or _64 << pieces
 *     then the thresholds less 1, in ascending order, and 2^comparisons above all words
 *
 * Those of words of 32 bits have their first bit flipped, so that they compare as signed integers; those of
 * words of 64 bits are for the first 53 bits.
 */
#ifndef BAILEY_DEVICE_DISCRETE_H
#define BAILEY_DEVICE_DISCRETE_H

#include "bailey/device/dialect.h"

#define BAILEY_DISCRETE_HEAD 4
#define BAILEY_DISCRETE_CELLS_32 (2 * 33)
#define BAILEY_DISCRETE_CELLS_64 (2 * 53)

/* Element at of a table in each lane. */
#define BAILEY_DISCRETE_READ(bits)                                                                           \
    BAILEY_FN bailey_u##bits bailey_discrete_read_u##bits(const BAILEY_GLOBAL bailey_uint##bits *table,      \
                                                          bailey_u32 at)                                     \
    {                                                                                                        \
        BAILEY_DISCRETE_LANES(bits)                                                                          \
    }
#if BAILEY_LANES == 1
#define BAILEY_DISCRETE_LANES(bits) return table[at];
#else
#define BAILEY_DISCRETE_LANES(bits)                                                                          \
    bailey_uint32 own[BAILEY_LANES];                                                                         \
    bailey_uint##bits found[BAILEY_LANES];                                                                   \
    bailey_vector_put_u32(own, at);                                                                          \
    BAILEY_UNROLL                                                                                            \
    for (int lane = 0; lane < BAILEY_LANES; lane++) found[lane] = table[own[lane]];                          \
    return bailey_vector_get_u##bits(found);
#endif
BAILEY_DISCRETE_READ(32)
BAILEY_DISCRETE_READ(64)

/* The cell of a word, in the order of the words. The exponent and the first bits of the tail probability as a
 * float, which may be rounded up to the next cell: that keeps the order, too. */
BAILEY_FN bailey_u32 bailey_discrete_cell_u32(bailey_u32 w_, bailey_uint32 pieces)
{
    const bailey_u32 s_ = bailey_u32_bits_i32(bailey_i32_bits_u32(w_) >> 31);
    const bailey_f32 f_ = bailey_f32_from_i32(bailey_i32_bits_u32(w_ ^ s_)) + bailey_splat_f32(0.5f);
    const bailey_u32 cell =
        (bailey_u32_bits_f32(f_) >> bailey_splat_u32(23 - pieces)) - bailey_splat_u32(126u << pieces);
    return (cell ^ s_) + (s_ & bailey_splat_u32((bailey_uint32)BAILEY_DISCRETE_CELLS_32 << pieces));
}

/* The number of the distribution for a word. */
BAILEY_FN bailey_u32 bailey_discrete_u32(const BAILEY_GLOBAL bailey_uint32 *table, bailey_u32 w_)
{
    const bailey_uint32 pieces = table[0], first = (bailey_uint32)BAILEY_DISCRETE_CELLS_32 << pieces;
    const BAILEY_GLOBAL bailey_uint32 *guide = table + BAILEY_DISCRETE_HEAD, *before = guide + first - 1;
    const bailey_i32 x_ = bailey_i32_bits_u32(w_ ^ bailey_splat_u32(0x80000000u));
    bailey_u32 n_ = bailey_discrete_read_u32(guide, bailey_discrete_cell_u32(w_, pieces));
    for (bailey_uint32 step = (1u << table[1]) >> 1; step > 0; step >>= 1) {
        const bailey_u32 next = n_ + bailey_splat_u32(step);
        const bailey_i32 t_ = bailey_i32_bits_u32(bailey_discrete_read_u32(before, next));
        n_ = bailey_select_u32(bailey_lt_i32(t_, x_), next, n_);
    }
    return n_ + bailey_splat_u32(table[2]);
}

/* Rounded to nearest above 2^24. */
BAILEY_FN bailey_f32 bailey_discrete_f32(const BAILEY_GLOBAL bailey_uint32 *table, bailey_u32 w_)
{
    return bailey_f32_from_i32(bailey_i32_bits_u32(bailey_discrete_u32(table, w_)));
}

#if BAILEY_HAS_F64
/* The same of a word of 64 bits; the tail probability is exact. */
BAILEY_FN bailey_u64 bailey_discrete_cell_u64(bailey_u64 w_, bailey_uint32 pieces)
{
    const bailey_u64 s_ = bailey_splat_u64(0) - (w_ >> 63);
    const bailey_u64 k_ = ((w_ ^ s_) >> 11) | bailey_splat_u64(0x3fe0000000000000u);
    const bailey_f64 p_ = bailey_f64_bits_u64(k_) - bailey_splat_f64(0.5 - 0x1p-54);
    const bailey_u64 cell = (bailey_u64_bits_f64(p_) >> bailey_splat_u64(52 - pieces)) -
                            bailey_splat_u64((bailey_uint64)969 << pieces);
    return (cell ^ s_) + (s_ & bailey_splat_u64((bailey_uint64)BAILEY_DISCRETE_CELLS_64 << pieces));
}

BAILEY_FN bailey_u64 bailey_discrete_u64(const BAILEY_GLOBAL bailey_uint64 *table, bailey_u64 w_)
{
    const bailey_uint32 pieces = (bailey_uint32)table[0];
    const bailey_uint32 first = (bailey_uint32)BAILEY_DISCRETE_CELLS_64 << pieces;
    const BAILEY_GLOBAL bailey_uint64 *guide = table + BAILEY_DISCRETE_HEAD, *before = guide + first - 1;
    const bailey_i64 x_ = bailey_i64_bits_u64(w_ >> 11);
    bailey_u64 n_ =
        bailey_discrete_read_u64(guide, bailey_u32_from_u64(bailey_discrete_cell_u64(w_, pieces)));
    for (bailey_uint64 step = ((bailey_uint64)1 << table[1]) >> 1; step > 0; step >>= 1) {
        const bailey_u64 next = n_ + bailey_splat_u64(step);
        const bailey_i64 t_ =
            bailey_i64_bits_u64(bailey_discrete_read_u64(before, bailey_u32_from_u64(next)));
        n_ = bailey_select_u64(bailey_lt_i64(t_, x_), next, n_);
    }
    return n_ + bailey_splat_u64(table[2]);
}

BAILEY_FN bailey_f64 bailey_discrete_f64(const BAILEY_GLOBAL bailey_uint64 *table, bailey_u64 w_)
{
    const bailey_u64 n_ = bailey_discrete_u64(table, w_) | bailey_splat_u64(0x4330000000000000u);
    return bailey_f64_bits_u64(n_) - bailey_splat_f64(0x1p52);
}
#endif

#endif
