/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Ranks of numbers: the words that a quantile turns into them. And what makes a normal vector one of
 * Student's t. Row r begins at element r * in_row of the numbers and out_offset + r * out_row of the words.
 */
#ifndef BLY_RANK_ITEMS_H
#define BLY_RANK_ITEMS_H

#include "bailey/device/elementary.h"
#include "bailey/device/tabled.h"
#include "kernels/fill.h"

/* The largest word whose number is at most x, by bisection: quantiles grow with the word. Of numbers below
 * all of them, 0. */
#define BLY_RANKS_ITEM(name, real, scalar, bits, parameter, quantile)                                        \
    BAILEY_FN void name##_item(bly_form_params p, const BAILEY_GLOBAL scalar *in,                            \
                               parameter BAILEY_GLOBAL bailey_uint##bits *out, bailey_uint64 item,           \
                               bailey_uint64 row)                                                            \
    {                                                                                                        \
        const bly_range r = bly_range_of_item(0, p.count, 128 / (bits), BAILEY_PACK##bits, item);            \
        if (r.low >= r.high) return;                                                                         \
        const bailey_pack_##real x = bailey_load_##real(in, row * p.in_row + r.begin, 1, r.low, r.high);     \
        bailey_pack_u##bits y;                                                                               \
        for (int j = 0; j < 128 / (bits); j++) {                                                             \
            bailey_u##bits word = bailey_splat_u##bits(0);                                                   \
            BAILEY_UNROLL_1 for (bailey_uint32 k = (bits); k > 0; k--)                                       \
            {                                                                                                \
                const bailey_u##bits w = word | bailey_splat_u##bits((bailey_uint##bits)1 << (k - 1));       \
                word = bailey_select_u##bits(bailey_lt_##real(x.value[j], quantile), word, w);               \
            }                                                                                                \
            y.value[j] = word;                                                                               \
        }                                                                                                    \
        bailey_store_u##bits(out, p.out_offset + row * p.out_row + r.begin, 1, r.low, r.high, y);            \
    }

/* x sqrt(freedom / s) for chi-square numbers s of so many degrees; `scale` is the logarithm of freedom. */
#define BLY_STUDENT_ITEM(real, scalar, bits)                                                                 \
    BAILEY_FN void bly_student_##real##_item(bly_form_params p, const BAILEY_GLOBAL scalar *s,               \
                                             BAILEY_GLOBAL scalar *x, bailey_uint64 item, bailey_uint64 row) \
    {                                                                                                        \
        const bly_range r = bly_range_of_item(0, p.count, 128 / (bits), BAILEY_PACK##bits, item);            \
        const bailey_##real scale =                                                                          \
            bailey_##real##_bits_u##bits(bailey_splat_u##bits((bailey_uint##bits)p.scale));                  \
        if (r.low >= r.high) return;                                                                         \
        const bailey_pack_##real t = bailey_load_##real(s, r.begin, 1, r.low, r.high);                       \
        bailey_pack_##real y = bailey_load_##real(x, row * p.in_row + r.begin, 1, r.low, r.high);            \
        for (int j = 0; j < 128 / (bits); j++) {                                                             \
            const bailey_##real log_ratio = scale - bailey_log_##real(t.value[j]);                           \
            y.value[j] = y.value[j] * bailey_exp_##real(bailey_splat_##real(0.5f) * log_ratio);              \
        }                                                                                                    \
        bailey_store_##real(x, row *p.in_row + r.begin, 1, r.low, r.high, y);                                \
    }

#define BLY_COPULA_ITEMS(real, scalar, bits)                                                                 \
    BLY_RANKS_ITEM(bly_ranks_normal_##real, real, scalar, bits, BLY_TABLE_##real,                            \
                   bailey_normal_icdf_##real(table, w))                                                      \
    BLY_RANKS_ITEM(bly_ranks_tabled_##real, real, scalar, bits, const BAILEY_GLOBAL scalar *table BLY_COMMA, \
                   bailey_tabled_number_##real(table, w))                                                    \
    BLY_STUDENT_ITEM(real, scalar, bits)
#define BLY_COMMA ,
BLY_COPULA_ITEMS(f32, float, 32)
#if BAILEY_HAS_F64
BLY_COPULA_ITEMS(f64, double, 64)
#endif

#endif
