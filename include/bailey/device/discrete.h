/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Discrete distributions by inversion: the number of thresholds that a word has reached. The thresholds are
 * integers (bailey_variate_table of bailey/bailey.h computes them), so that the result is the exact quantile
 * at the probability U of bailey/device/quantile.h, grows with the word, and is the same on every device.
 *
 * Each octave of the tail probability is cut into 2^pieces cells, and a guide has two elements for each cell
 * (Chen and Asau 1974, with cells that get smaller with the tail). A table is an array of words, uint32_t for
 * words of 32 bits and uint64_t for words of 64 bits:
 *
 *     [0]  pieces   [1]  comparisons, and BAILEY_DISCRETE_LINES more where cells have lines
 *     [2]  the least number   [3]  where the thresholds begin
 *     [BAILEY_DISCRETE_HEAD ...]  the guide: two times BAILEY_DISCRETE_CELLS_32 or _64 << pieces
 *     then the thresholds less 1, in ascending order, and 2^comparisons above all words
 *
 * A cell has the threshold that its search compares with first, and how many its first word has reached; the
 * search makes as many comparisons as the fullest cell needs. If this is at most one, a number costs one
 * read: there the least number is added to the second element.
 *
 * Where cells have many thresholds, nearly evenly spaced, a cell has a line instead: a start and a rise, in
 * units of 2^-BAILEY_DISCRETE_PART thresholds. The line says how many a word has reached, or one too few,
 * which one comparison decides. Cells without such a line have a rise of BAILEY_DISCRETE_NO_LINE and are
 * searched.
 *
 * Thresholds of words of 64 bits are for the first 53 bits.
 *
 * A table of aliases (Walker 1977) has BAILEY_DISCRETE_ALIAS instead of the comparisons. It gives each
 * number as many words as thresholds would, but not in order: words are cut into 2^pieces equal cells, each
 * with two numbers. The cell's own number is the least one and the cell's place; cells are pairs from
 * BAILEY_DISCRETE_HEAD on, the first word that has the other number, and that number.
 */
#ifndef BAILEY_DEVICE_DISCRETE_H
#define BAILEY_DEVICE_DISCRETE_H

#include "bailey/device/dialect.h"

#define BAILEY_DISCRETE_HEAD 4
#define BAILEY_DISCRETE_CELLS_32 (2 * 33)
#define BAILEY_DISCRETE_CELLS_64 (2 * 53)
#define BAILEY_DISCRETE_LINES 32
#define BAILEY_DISCRETE_ALIAS 64
#define BAILEY_DISCRETE_PART 10
#define BAILEY_DISCRETE_NO_LINE 0x40000000 /* rises of lines are below */

/* Element at of a table in each lane. */
#define BAILEY_DISCRETE_READ(bits)                                                                           \
    BAILEY_FN bailey_u##bits bailey_discrete_read_u##bits(const BAILEY_GLOBAL bailey_uint##bits *table,      \
                                                          bailey_u32 at)                                     \
    {                                                                                                        \
        BAILEY_DISCRETE_LANES(bits)                                                                          \
    }
#if defined(BAILEY_HAS_READ_ONLY) && BAILEY_LANES == 1
#define BAILEY_DISCRETE_LANES(bits) return bailey_read_only_u##bits(table + at);
#elif BAILEY_LANES == 1
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

/* Two elements of a table in each lane, the first of them at an even place. */
#define BAILEY_DISCRETE_TWO(bits)                                                                            \
    typedef struct bailey_discrete_two_u##bits {                                                             \
        bailey_u##bits first, second;                                                                        \
    } bailey_discrete_two_u##bits;                                                                           \
    BAILEY_FN bailey_discrete_two_u##bits bailey_discrete_both_u##bits(                                      \
        const BAILEY_GLOBAL bailey_uint##bits *table, bailey_u32 at)                                         \
    {                                                                                                        \
        bailey_discrete_two_u##bits both;                                                                    \
        BAILEY_DISCRETE_BOTH_##bits(table, at);                                                              \
        return both;                                                                                         \
    }
#if BAILEY_LANES == 1 && defined(BAILEY_HAS_READ_ONLY)
#define BAILEY_DISCRETE_BOTH_64(table, at)                                                                   \
    bailey_uint64 read_[2];                                                                                  \
    bailey_read_only_u64x2(table + at, read_);                                                               \
    both.first = read_[0];                                                                                   \
    both.second = read_[1]
#else
#define BAILEY_DISCRETE_BOTH_64(table, at)                                                                   \
    both.first = bailey_discrete_read_u64(table, at);                                                        \
    both.second = bailey_discrete_read_u64(table, at + bailey_splat_u32(1))
#endif
#if BAILEY_LANES == 1 && (defined(BAILEY_IS_CUDA) || defined(BAILEY_IS_OPENCL))
/* in one read */
#if defined(BAILEY_HAS_READ_ONLY)
#define BAILEY_DISCRETE_KEPT(p) bailey_read_only_u64(p)
#else
#define BAILEY_DISCRETE_KEPT(p) (*(p))
#endif
#define BAILEY_DISCRETE_BOTH_32(table, at)                                                                   \
    const bailey_uint64 read = BAILEY_DISCRETE_KEPT((const BAILEY_GLOBAL bailey_uint64 *)(table + at));      \
    both.first = (bailey_uint32)read;                                                                        \
    both.second = (bailey_uint32)(read >> 32)
#else
#define BAILEY_DISCRETE_BOTH_32(table, at)                                                                   \
    both.first = bailey_discrete_read_u32(table, at);                                                        \
    both.second = bailey_discrete_read_u32(table, at + bailey_splat_u32(1))
#endif
BAILEY_DISCRETE_TWO(32)
BAILEY_DISCRETE_TWO(64)

/* Where a word is among all, in the order of the words: 23 bits below the octave. That of the tail
 * probability as a float, which may be rounded up: that keeps the order, too. */
BAILEY_FN bailey_u32 bailey_discrete_place_u32(bailey_u32 w_)
{
    const bailey_u32 s_ = bailey_u32_bits_i32(bailey_i32_bits_u32(w_) >> 31);
    const bailey_f32 f_ = bailey_f32_from_i32(bailey_i32_bits_u32(w_ ^ s_)) + bailey_splat_f32(0.5f);
    const bailey_u32 tail = bailey_u32_bits_f32(f_) - bailey_splat_u32(126u << 23);
    return (tail ^ s_) + (s_ & bailey_splat_u32((bailey_uint32)BAILEY_DISCRETE_CELLS_32 << 23));
}

#if BAILEY_HAS_F64
/* The same of a word of 64 bits, rounded down. */
BAILEY_FN bailey_u32 bailey_discrete_place_u64(bailey_u64 w_)
{
    const bailey_u64 s_ = bailey_splat_u64(0) - (w_ >> 63);
    const bailey_u64 k_ = ((w_ ^ s_) >> 11) | bailey_splat_u64(0x3fe0000000000000u);
    const bailey_f64 p_ = bailey_f64_bits_u64(k_) - bailey_splat_f64(0.5 - 0x1p-54);
    const bailey_u64 tail = bailey_u64_bits_f64(p_) - bailey_splat_u64((bailey_uint64)969 << 52);
    const bailey_u64 place =
        (tail ^ s_) + (s_ & bailey_splat_u64((bailey_uint64)BAILEY_DISCRETE_CELLS_64 << 52));
    return bailey_u32_from_u64(place >> 29);
}
#endif

/* Whether a threshold less 1 is below a word. */
BAILEY_FN bailey_m32 bailey_discrete_below_u32(bailey_u32 t_, bailey_u32 w_)
{
#if BAILEY_LANES == 1
    return (bailey_m32)(t_ < w_);
#else
    const bailey_u32 flip = bailey_splat_u32(0x80000000u);
    return bailey_lt_i32(bailey_i32_bits_u32(t_ ^ flip), bailey_i32_bits_u32(w_ ^ flip));
#endif
}
BAILEY_FN bailey_m64 bailey_discrete_below_u64(bailey_u64 t_, bailey_u64 w_)
{
    return bailey_lt_i64(bailey_i64_bits_u64(t_), bailey_i64_bits_u64(w_));
}

#if defined(BAILEY_HAS_READ_ONLY)
#define BAILEY_DISCRETE_HEAD_AT(bits, at) (bailey_uint32) bailey_read_only_u##bits(table + (at))
#else
#define BAILEY_DISCRETE_HEAD_AT(bits, at) (bailey_uint32) table[at]
#endif

/* The beginning of a table. */
typedef struct bailey_discrete_head {
    bailey_uint32 below, comparisons, least, thresholds; /* below: 23 - pieces */
} bailey_discrete_head;

/* Whether a number costs one read of the table. */
BAILEY_FN int bailey_discrete_at_once(bailey_discrete_head head) { return head.comparisons < 2; }

/* Whether the table is one of aliases. */
BAILEY_FN int bailey_discrete_has_aliases(bailey_discrete_head head)
{
    return head.comparisons == BAILEY_DISCRETE_ALIAS;
}

/* The number of the distribution for a word, of 53 bits if wide, and its place. */
#define BAILEY_DISCRETE_SEARCH(bits)                                                                         \
    BAILEY_FN bailey_discrete_head bailey_discrete_head_u##bits(                                             \
        const BAILEY_GLOBAL bailey_uint##bits *table)                                                        \
    {                                                                                                        \
        bailey_discrete_head head;                                                                           \
        head.below = 23 - BAILEY_DISCRETE_HEAD_AT(bits, 0);                                                  \
        head.comparisons = BAILEY_DISCRETE_HEAD_AT(bits, 1);                                                 \
        head.least = BAILEY_DISCRETE_HEAD_AT(bits, 2);                                                       \
        head.thresholds = BAILEY_DISCRETE_HEAD_AT(bits, 3);                                                  \
        return head;                                                                                         \
    }                                                                                                        \
    BAILEY_FN bailey_discrete_two_u##bits bailey_discrete_cell_u##bits(                                      \
        const BAILEY_GLOBAL bailey_uint##bits *table, bailey_u32 place, bailey_uint32 below)                 \
    {                                                                                                        \
        return bailey_discrete_both_u##bits(table + BAILEY_DISCRETE_HEAD, (place >> bailey_splat_u32(below)) \
                                                                              << bailey_splat_u32(1));       \
    }                                                                                                        \
    /* with one read */                                                                                      \
    BAILEY_FN bailey_u##bits bailey_discrete_once_u##bits(const BAILEY_GLOBAL bailey_uint##bits *table,      \
                                                          bailey_discrete_head head, bailey_u32 place,       \
                                                          bailey_u##bits w_)                                 \
    {                                                                                                        \
        const bailey_discrete_two_u##bits both = bailey_discrete_cell_u##bits(table, place, head.below);     \
        return bailey_select_u##bits(bailey_discrete_below_u##bits(both.first, w_),                          \
                                     both.second + bailey_splat_u##bits(1), both.second);                    \
    }                                                                                                        \
    /* of aliases: the cell is the word's first bits */                                                      \
    BAILEY_FN bailey_u##bits bailey_discrete_alias_u##bits(const BAILEY_GLOBAL bailey_uint##bits *table,     \
                                                           bailey_discrete_head head, bailey_u32 place,      \
                                                           bailey_u##bits w_)                                \
    {                                                                                                        \
        const bailey_u##bits cell = w_ >> bailey_splat_u##bits(head.below + BAILEY_DISCRETE_MORE_##bits);    \
        const bailey_discrete_two_u##bits both = bailey_discrete_both_u##bits(                               \
            table + BAILEY_DISCRETE_HEAD, BAILEY_DISCRETE_AT_##bits(cell) << bailey_splat_u32(1));           \
        (void)place;                                                                                         \
        return bailey_select_u##bits(bailey_discrete_below_u##bits(w_, both.first),                          \
                                     cell + bailey_splat_u##bits(head.least), both.second);                  \
    }                                                                                                        \
    /* behind n thresholds, with steps of at most `step` */                                                  \
    BAILEY_FN bailey_u##bits bailey_discrete_search_u##bits(const BAILEY_GLOBAL bailey_uint##bits *before,   \
                                                            bailey_u##bits w_, bailey_u##bits n_,            \
                                                            bailey_uint32 step)                              \
    {                                                                                                        \
        for (; step > 0; step >>= 1) {                                                                       \
            const bailey_u##bits next = n_ + bailey_splat_u##bits(step);                                     \
            const bailey_u##bits t_ = bailey_discrete_read_u##bits(before, BAILEY_DISCRETE_AT_##bits(next)); \
            n_ = bailey_select_u##bits(bailey_discrete_below_u##bits(t_, w_), next, n_);                     \
        }                                                                                                    \
        return n_;                                                                                           \
    }                                                                                                        \
    BAILEY_FN bailey_u##bits bailey_discrete_number_u##bits(const BAILEY_GLOBAL bailey_uint##bits *table,    \
                                                            bailey_discrete_head head, bailey_u32 place,     \
                                                            bailey_u##bits w_)                               \
    {                                                                                                        \
        if (bailey_discrete_at_once(head)) return bailey_discrete_once_u##bits(table, head, place, w_);      \
        if (bailey_discrete_has_aliases(head)) return bailey_discrete_alias_u##bits(table, head, place, w_); \
        const BAILEY_GLOBAL bailey_uint##bits *before = table + head.thresholds - 1;                         \
        const bailey_discrete_two_u##bits both = bailey_discrete_cell_u##bits(table, place, head.below);     \
        const bailey_uint32 step = (1u << (head.comparisons & (BAILEY_DISCRETE_LINES - 1))) >> 1;            \
        const bailey_u##bits least = bailey_splat_u##bits(head.least);                                       \
        if (head.comparisons < BAILEY_DISCRETE_LINES) {                                                      \
            const bailey_u##bits n_ =                                                                        \
                bailey_select_u##bits(bailey_discrete_below_u##bits(both.first, w_),                         \
                                      both.second + bailey_splat_u##bits(step), both.second);                \
            return bailey_discrete_search_u##bits(before, w_, n_, step >> 1) + least;                        \
        } else {                                                                                             \
            const bailey_u##bits rest =                                                                      \
                BAILEY_DISCRETE_FROM_##bits(place & bailey_splat_u32((1u << head.below) - 1));               \
            const bailey_u##bits n_ =                                                                        \
                (both.first + ((rest * both.second) >> bailey_splat_u##bits(head.below))) >>                 \
                bailey_splat_u##bits(BAILEY_DISCRETE_PART);                                                  \
            const bailey_m##bits searched = bailey_lt_i##bits(                                               \
                bailey_i##bits##_bits_u##bits(bailey_splat_u##bits(BAILEY_DISCRETE_NO_LINE - 1)),            \
                bailey_i##bits##_bits_u##bits(both.second));                                                 \
            const bailey_u##bits begin = bailey_select_u##bits(searched, both.first, n_);                    \
            bailey_u##bits found = bailey_discrete_search_u##bits(before, w_, begin, 1);                     \
            if (bailey_any_m##bits(searched))                                                                \
                found = bailey_select_u##bits(                                                               \
                    searched, bailey_discrete_search_u##bits(before, w_, begin, step), found);               \
            return found + least;                                                                            \
        }                                                                                                    \
    }
#define BAILEY_DISCRETE_MORE_32 9 /* bits of a word than 23 */
#define BAILEY_DISCRETE_MORE_64 30
#define BAILEY_DISCRETE_AT_32(n) (n)
#define BAILEY_DISCRETE_AT_64(n) bailey_u32_from_u64(n)
#define BAILEY_DISCRETE_FROM_32(n) (n)
#define BAILEY_DISCRETE_FROM_64(n) bailey_u64_from_u32(n)
BAILEY_DISCRETE_SEARCH(32)

BAILEY_FN bailey_u32 bailey_discrete_u32(const BAILEY_GLOBAL bailey_uint32 *table, bailey_u32 w_)
{
    return bailey_discrete_number_u32(table, bailey_discrete_head_u32(table), bailey_discrete_place_u32(w_),
                                      w_);
}

/* Numbers as reals, rounded to nearest above 2^24. */
BAILEY_FN bailey_f32 bailey_discrete_real_f32(bailey_u32 n_)
{
    return bailey_f32_from_i32(bailey_i32_bits_u32(n_));
}
BAILEY_FN bailey_f32 bailey_discrete_f32(const BAILEY_GLOBAL bailey_uint32 *table, bailey_u32 w_)
{
    return bailey_discrete_real_f32(bailey_discrete_u32(table, w_));
}

#if BAILEY_HAS_F64
BAILEY_DISCRETE_SEARCH(64)

BAILEY_FN bailey_u64 bailey_discrete_u64(const BAILEY_GLOBAL bailey_uint64 *table, bailey_u64 w_)
{
    return bailey_discrete_number_u64(table, bailey_discrete_head_u64(table), bailey_discrete_place_u64(w_),
                                      w_ >> 11);
}

BAILEY_FN bailey_f64 bailey_discrete_real_f64(bailey_u64 n_)
{
    return bailey_f64_bits_u64(n_ | bailey_splat_u64(0x4330000000000000u)) - bailey_splat_f64(0x1p52);
}
BAILEY_FN bailey_f64 bailey_discrete_f64(const BAILEY_GLOBAL bailey_uint64 *table, bailey_u64 w_)
{
    return bailey_discrete_real_f64(bailey_discrete_u64(table, w_));
}
#endif

#endif
