/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Distributions made from words in memory, and vectors of correlated normals.
 */
#ifndef BLY_DISTRIBUTION_H
#define BLY_DISTRIBUTION_H

#include "bailey/device/discrete.h"
#include "bailey/device/distribution.h"
#include "bailey/device/tabled.h"
#include "kernels/bridges.h"
#include "kernels/fill.h"

/* The constants of bly_form_params in every lane. */
#define BLY_VARIATE_CONSTANTS(real, bits)                                                                    \
    const bailey_##real scale =                                                                              \
        bailey_##real##_bits_u##bits(bailey_splat_u##bits((bailey_uint##bits)p.scale));                      \
    const bailey_##real shift =                                                                              \
        bailey_##real##_bits_u##bits(bailey_splat_u##bits((bailey_uint##bits)p.shift));

/* fma(scale, z, shift) of normals z, and its exp, which is a choice of the launch, alike for all items.
 * `numbers` per pack. */
#define BLY_SCALED(real, bits, numbers)                                                                      \
    BAILEY_FN bailey_pack_##real bly_scaled_##real(bly_form_params p, bailey_pack_##real y)                  \
    {                                                                                                        \
        BLY_VARIATE_CONSTANTS(real, bits)                                                                    \
        for (int j = 0; j < (numbers); j++) y.value[j] = bailey_fma_##real(scale, y.value[j], shift);        \
        if (p.exponential)                                                                                   \
            for (int j = 0; j < (numbers); j++) y.value[j] = bailey_exp_##real(y.value[j]);                  \
        return y;                                                                                            \
    }
#define BLY_VARIATE_OF_DRAW(method, METHOD, real, scalar, bits)                                              \
    BLY_FORM_ITEM(bly_variate_##method##_##real##_item, real, bits, scalar, 128 / bits, BAILEY_PACK##bits,   \
                  BLY_TABLE_##real,                                                                          \
                  bly_scaled_##real(p, bly_form_##real(BAILEY_DRAW_##METHOD, table, BLY_WORDS_IN(bits))))

/* Numbers computed from one word each; `make` is the number of word x. */
#define BLY_VARIATE_OF_WORD(word, real, scalar, bits, make)                                                  \
    BAILEY_FN bailey_pack_##real bly_variate_of_##word##_##real(bly_form_params p, bailey_pack_u##bits w)    \
    {                                                                                                        \
        BLY_VARIATE_CONSTANTS(real, bits)                                                                    \
        bailey_pack_##real y;                                                                                \
        (void)shift;                                                                                         \
        for (int j = 0; j < 128 / (bits); j++) {                                                             \
            const bailey_u##bits x = w.value[j];                                                             \
            y.value[j] = make;                                                                               \
        }                                                                                                    \
        return y;                                                                                            \
    }                                                                                                        \
    BLY_FORM_ITEM(bly_variate_##word##_##real##_item, real, bits, scalar, 128 / bits, BAILEY_PACK##bits,     \
                  BLY_NO_TABLE, bly_variate_of_##word##_##real(p, BLY_WORDS_IN(bits)))
#define BLY_WORD_NORMAL(word, real, scalar, bits)
#define BLY_WORD_MEAN(word, real, scalar, bits)                                                              \
    BLY_VARIATE_OF_WORD(word, real, scalar, bits, bailey_fma_##real(scale, bailey_##word##_##real(x), shift))
#define BLY_WORD_RATE(word, real, scalar, bits)                                                              \
    BLY_VARIATE_OF_WORD(word, real, scalar, bits, bailey_##word##_##real(x, scale))
#define BLY_WORD_LOCATION BLY_WORD_MEAN
/* The exponent is in two parts, shift and rest. */
#define BLY_WORD_SHAPE(word, real, scalar, bits)                                                             \
    BLY_VARIATE_OF_WORD(                                                                                     \
        word, real, scalar, bits,                                                                            \
        scale *bailey_##word##_##real(                                                                       \
            x, shift, bailey_##real##_bits_u##bits(bailey_splat_u##bits((bailey_uint##bits)p.rest))))
#define BLY_WORD_DISCRETE(word, real, scalar, bits)
#define BLY_WORD_TABLED(word, real, scalar, bits)
#define BLY_WORD_f32(number, name, word, kind, text, factor) BLY_WORD_##kind(word, f32, float, 32)
#define BLY_WORD_f64(number, name, word, kind, text, factor) BLY_WORD_##kind(word, f64, double, 64)

BLY_SCALED(f32, 32, 4)
BAILEY_DISTRIBUTION_LIST(BLY_WORD_f32)
BLY_DRAWS_f32(BLY_VARIATE_OF_DRAW)
#if BAILEY_HAS_F64
    BLY_SCALED(f64, 64, 2) BAILEY_DISTRIBUTION_LIST(BLY_WORD_f64) BLY_DRAWS_f64(BLY_VARIATE_OF_DRAW)
#endif

/* The words of a generator that knows each block by its number, for a table's numbers where they are stored. */
BAILEY_FN bailey_pack_u32 bly_drawn_pack(int rounds, bailey_philox_keys keys, bailey_uint64 stream,
                                         bailey_uint64 begin)
{
    const bailey_philox_block b = bailey_philox_words4_either(
        rounds, keys, stream, bailey_splat_u64(begin >> 2) + bailey_lane_numbers());
    bailey_pack_u32 x;
    for (int j = 0; j < 4; j++) x.value[j] = b.word[j];
    return bailey_zip_u32(x);
}
#define BLY_WORDS_DRAWN_32 bly_drawn_pack((int)p.rounds, p.keys, p.stream, begin)
#define BLY_WORDS_DRAWN_64 bailey_zip_u64(bailey_draw_rounds_elements((int)p.rounds, p.keys, p.stream, begin))

/* Numbers of discrete distributions, whose tables these are, stored as their bits. A pack's reads are made
 * side by side where each number costs one. */
#define BLY_DISCRETE_NUMBERS(bits, number)                                                                   \
    for (int j = 0; j < 128 / (bits); j++) {                                                                 \
        const bailey_u##bits x = w.value[j];                                                                 \
        w.value[j] = number(table, head, bailey_discrete_place_u##bits(x), BLY_DISCRETE_WORD_##bits(x));     \
    }
#define BLY_DISCRETE_WORD_32(x) (x)
#define BLY_DISCRETE_WORD_64(x) ((x) >> 11)
#define BLY_DISCRETE_ITEM(real, bits)                                                                        \
    BAILEY_FN bailey_pack_u##bits bly_discrete_of_##real(                                                    \
        bailey_uint64 integers, const BAILEY_GLOBAL bailey_uint##bits *table, bailey_pack_u##bits w)         \
    {                                                                                                        \
        const bailey_discrete_head head = bailey_discrete_head_u##bits(table);                               \
        if (bailey_discrete_at_once(head))                                                                   \
            BLY_DISCRETE_NUMBERS(bits, bailey_discrete_once_u##bits)                                         \
        else if (bailey_discrete_has_aliases(head))                                                          \
            BLY_DISCRETE_NUMBERS(bits, bailey_discrete_alias_u##bits)                                        \
        else                                                                                                 \
            BLY_DISCRETE_NUMBERS(bits, bailey_discrete_number_u##bits)                                       \
        if (!integers)                                                                                       \
            for (int j = 0; j < 128 / (bits); j++)                                                           \
                w.value[j] = bailey_u##bits##_bits_##real(bailey_discrete_real_##real(w.value[j]));          \
        return w;                                                                                            \
    }                                                                                                        \
    BLY_FORM_ITEM(bly_discrete_##real##_item, u##bits, bits, bailey_uint##bits, 128 / bits,                  \
                  BAILEY_PACK##bits, BLY_DISCRETE_TABLE_##bits,                                              \
                  bly_discrete_of_##real(p.integers, table, BLY_WORDS_IN(bits)))                             \
    BLY_FILL_ITEM(bly_counter_discrete_##real##_item, u##bits, bailey_uint##bits, 128 / bits,                \
                  BAILEY_PACK##bits, BLY_DISCRETE_TABLE_##bits,                                              \
                  bly_discrete_of_##real(p.integers, table, BLY_WORDS_DRAWN_##bits))
#define BLY_DISCRETE_TABLE_32 const BAILEY_GLOBAL bailey_uint32 *table,
#define BLY_DISCRETE_TABLE_64 const BAILEY_GLOBAL bailey_uint64 *table,
BLY_DISCRETE_ITEM(f32, 32)
#if BAILEY_HAS_F64
BLY_DISCRETE_ITEM(f64, 64)
#endif

/* Quantiles from tables. */
#define BLY_TABLED_ITEM(real, scalar, bits)                                                                  \
    BAILEY_FN bailey_pack_##real bly_tabled_of_##real(const BAILEY_GLOBAL scalar *table,                     \
                                                      bailey_pack_u##bits w)                                 \
    {                                                                                                        \
        const int form = (int)table[1];                                                                      \
        bailey_pack_##real y;                                                                                \
        if (form == BAILEY_TABLED_NUMBERS)                                                                   \
            for (int j = 0; j < 128 / (bits); j++)                                                           \
                y.value[j] = bailey_tabled_number_##real(table, w.value[j]);                                 \
        else                                                                                                 \
            for (int j = 0; j < 128 / (bits); j++)                                                           \
                y.value[j] = bailey_tabled_power_##real(table, form, w.value[j]);                            \
        return y;                                                                                            \
    }                                                                                                        \
    BLY_FORM_ITEM(bly_tabled_##real##_item, real, bits, scalar, 128 / bits, BAILEY_PACK##bits,               \
                  BLY_TABLED_##real, bly_tabled_of_##real(table, BLY_WORDS_IN(bits)))                        \
    BLY_FILL_ITEM(bly_counter_tabled_##real##_item, real, scalar, 128 / bits, BAILEY_PACK##bits,             \
                  BLY_TABLED_##real, bly_tabled_of_##real(table, BLY_WORDS_DRAWN_##bits))
#define BLY_TABLED_f32 const BAILEY_GLOBAL float *table,
#define BLY_TABLED_f64 const BAILEY_GLOBAL double *table,
BLY_TABLED_ITEM(f32, float, 32)
#if BAILEY_HAS_F64
BLY_TABLED_ITEM(f64, double, 64)
#endif

/* x = C z for `count` vectors, both [dims][count]. C is `factor`, [row][dims], with zeros above the
 * diagonal and down to a multiple of BLY_CORRELATE_ROWS rows. Row r of the launch makes
 * BLY_CORRELATE_ROWS dimensions of x. */
typedef struct bly_correlate_params {
    bailey_uint64 count;
    bailey_uint32 dims, reserved;
} bly_correlate_params;

#define BLY_CORRELATE_ROWS 8

/* Dimensions whose sums grow side by side in registers, so that a value of z is read once for all of them. */
#if BAILEY_LANES == 1
#define BLY_CORRELATE_TILE 8
#else
#define BLY_CORRELATE_TILE 4
#endif
#define BLY_CORRELATE_EACH(i) BAILEY_UNROLL for (bailey_uint32 i = 0; i < BLY_CORRELATE_TILE; i++)

/* As the bridge's: C[i][0] z[0], then fma for j = 1 .. i. */
#define BLY_CORRELATE_ITEM(suffix, scalar, block, pack)                                                      \
    BAILEY_FN void bly_correlate_##suffix##_item(bly_correlate_params p, const BAILEY_GLOBAL scalar *factor, \
                                                 const BAILEY_GLOBAL scalar *z, BAILEY_GLOBAL scalar *x,     \
                                                 bailey_uint64 item, bailey_uint64 row)                      \
    {                                                                                                        \
        const bly_range r = bly_range_of_item(0, p.count, block, pack, item);                                \
        if (r.low >= r.high) return;                                                                         \
        const bailey_uint32 begin = (bailey_uint32)row * BLY_CORRELATE_ROWS;                                 \
        for (bailey_uint32 t = begin; t < begin + BLY_CORRELATE_ROWS && t < p.dims;                          \
             t += BLY_CORRELATE_TILE) {                                                                      \
            const BAILEY_GLOBAL scalar *c = factor + t * p.dims;                                             \
            bailey_pack_##suffix sum[BLY_CORRELATE_TILE];                                                    \
            bailey_pack_##suffix in = bailey_load_##suffix(z, r.begin, 1, r.low, r.high);                    \
            BLY_CORRELATE_EACH(i) { sum[i] = bly_pack_scale_##suffix(c[i * p.dims], in); }                   \
            for (bailey_uint32 j = 1; j <= t; j++) {                                                         \
                in = bailey_load_##suffix(z, j * p.count + r.begin, 1, r.low, r.high);                       \
                BLY_CORRELATE_EACH(i) { sum[i] = bly_pack_fma_##suffix(c[i * p.dims + j], in, sum[i]); }     \
            }                                                                                                \
            BLY_CORRELATE_EACH(k)                                                                            \
            {                                                                                                \
                if (k == 0 || t + k >= p.dims) continue;                                                     \
                in = bailey_load_##suffix(z, (t + k) * p.count + r.begin, 1, r.low, r.high);                 \
                BLY_CORRELATE_EACH(i)                                                                        \
                {                                                                                            \
                    if (i >= k) sum[i] = bly_pack_fma_##suffix(c[i * p.dims + t + k], in, sum[i]);           \
                }                                                                                            \
            }                                                                                                \
            BLY_CORRELATE_EACH(i)                                                                            \
            {                                                                                                \
                if (t + i < p.dims)                                                                          \
                    bailey_store_##suffix(x, (t + i) * p.count + r.begin, 1, r.low, r.high, sum[i]);         \
            }                                                                                                \
        }                                                                                                    \
    }
#if !defined(BAILEY_ICDF_COPIES) /* with which kernels/bridges.h has no arithmetic of packs */
BLY_CORRELATE_ITEM(f32, float, 4, BAILEY_PACK32)
#if BAILEY_HAS_F64
BLY_CORRELATE_ITEM(f64, double, 2, BAILEY_PACK64)
#endif
#endif

#endif
