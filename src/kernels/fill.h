/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling memory with words and normals, and checking a device's arithmetic.
 */
#ifndef BLY_FILL_H
#define BLY_FILL_H

#include "bailey/device/draw.h"
#include "kernels/families.h"
#include "kernels/range.h"

/* Row r of the output holds elements first + r * row_elements .. + count - 1 of the seed with these keys and
 * the stream, element i of them at out_offset + r * out_row + i * out_stride. row_elements is a multiple of
 * 4. */
typedef struct bly_fill_params {
    bailey_uint64 stream;
    bailey_uint64 first, count, row_elements;
    bailey_uint64 out_offset, out_row, out_stride;
    bailey_philox_keys keys;
    bailey_uint64 rounds;   /* of Philox, 7 or 10, for rows that serve both */
    bailey_uint64 integers; /* whether to store them as integers, like bly_form_params, or as bfloat16 */
} bly_fill_params;

/* name(p, out, item, row) stores packs that `draw`, of the number `begin` of their first element, gives.
 * `parameter` is BLY_NO_TABLE or, for draws that read the table of the inverse CDF, BLY_TABLE_f32 or _f64. */
#define BLY_NO_TABLE
#define BLY_TABLE_f32 const BAILEY_ICDF_SPACE float *table,
#define BLY_TABLE_f64 const BAILEY_ICDF_SPACE double *table,
#define BLY_FILL_ITEM(name, suffix, scalar, block, pack, parameter, draw)                                    \
    BAILEY_FN void name(bly_fill_params p, parameter BAILEY_GLOBAL scalar *out, bailey_uint64 item,          \
                        bailey_uint64 row)                                                                   \
    {                                                                                                        \
        const bailey_uint64 first = p.first + row * p.row_elements, at = p.out_offset + row * p.out_row;     \
        const bailey_uint64 number = bly_first_pack(item, BLY_STRIPED);                                                   \
        bailey_uint64 begin = (first & ~(bailey_uint64)((block)-1)) + number * (pack);                       \
        if (p.out_stride == 1 && bly_all_whole(first, p.count, pack, begin) &&                               \
            BAILEY_WHOLE(out + (at + (begin - first)))) {                                                    \
            BAILEY_UNROLL_2 for (bailey_uint32 k = 0; k < BLY_STRIPED; k++, begin += 32 * (pack))             \
                bailey_store_whole_##suffix(out + (at + (begin - first)), draw);                             \
        } else {                                                                                             \
            BAILEY_UNROLL_1 for (bailey_uint32 k = 0; k < BLY_STRIPED; k++)                                   \
            {                                                                                                \
                const bly_range r =                                                                          \
                    bly_range_of_item(first, p.count, block, pack, number + 32 * (bailey_uint64)k);          \
                begin = r.begin;                                                                             \
                if (r.low < r.high)                                                                          \
                    bailey_store_##suffix(out, at + (begin - first) * p.out_stride, p.out_stride, r.low,     \
                                          r.high, draw);                                                     \
            }                                                                                                \
        }                                                                                                    \
    }

BAILEY_FN bailey_pack_u32 bly_philox_pack(int rounds, bailey_philox_keys keys, bailey_uint64 stream,
                                          bailey_uint64 begin)
{
    const bailey_philox_block b = bailey_philox_words4_keyed(
        rounds, keys, stream, bailey_splat_u64(begin >> 2) + bailey_lane_numbers());
    bailey_pack_u32 x;
    for (int j = 0; j < 4; j++) x.value[j] = b.word[j];
    return bailey_zip_u32(x);
}
#define BLY_PHILOX_WORDS_ITEM(word, rounds)                                                                  \
    BLY_FILL_ITEM(bly_words_##word##_item, u32, bailey_uint32, 4, BAILEY_PACK32, BLY_NO_TABLE,               \
                  bly_philox_pack(rounds, p.keys, p.stream, begin))
BLY_PHILOX_WORDS_ITEM(philox, 10)
BLY_PHILOX_WORDS_ITEM(philox7, 7)

#define BLY_COUNTER_ITEM(word, rounds, method, METHOD, real, scalar, bits)                                   \
    BLY_FILL_ITEM(bly_##word##_##method##_##real##_item, real, scalar, 128 / bits, BAILEY_PACK##bits,        \
                  BLY_TABLE_##real,                                                                          \
                  bailey_draw_rounds_##real(rounds, BAILEY_DRAW_##METHOD, table, p.keys, p.stream, begin))
#define BLY_PHILOX_ITEM(method, METHOD, real, scalar, bits)                                                  \
    BLY_COUNTER_ITEM(philox, 10, method, METHOD, real, scalar, bits)
#define BLY_PHILOX7_ITEM(method, METHOD, real, scalar, bits)                                                 \
    BLY_COUNTER_ITEM(philox7, 7, method, METHOD, real, scalar, bits)
BLY_DRAWS_f32(BLY_PHILOX_ITEM) BLY_DRAWS_f32(BLY_PHILOX7_ITEM)
#if BAILEY_HAS_F64
    BLY_DRAWS_f64(BLY_PHILOX_ITEM) BLY_DRAWS_f64(BLY_PHILOX7_ITEM)
#endif

/* Uniform numbers and normals of words in their order; `form` is a constant. */
#define BAILEY_DRAW_UNIFORM 3 /* after the methods of bailey/device/draw.h */
/* Whether a number is computed from its word alone, so that words may have any order. */
#define BLY_FORM_ALONE(form) ((form) == BAILEY_DRAW_UNIFORM || (form) == BAILEY_DRAW_ICDF)

        BAILEY_FN bailey_pack_f32
    bly_numbers_of_words_f32(int form, const BAILEY_ICDF_SPACE float *table, bailey_philox_block w)
{
    bailey_pack_f32 y;
    if (form != BAILEY_DRAW_UNIFORM) return bailey_normals_of_words_f32(form, table, w);
    for (int j = 0; j < 4; j++)
        y.value[j] = bailey_fma_f32(bailey_f32_from_i32(bailey_i32_bits_u32(w.word[j] >> 9)),
                                    bailey_splat_f32(0x1p-23f), bailey_splat_f32(0x1p-24f));
    return y;
}
BAILEY_FN bailey_pack_f32 bly_form_f32(int form, const BAILEY_ICDF_SPACE float *table, bailey_pack_u32 x)
{
    bailey_philox_block w;
    if (!BLY_FORM_ALONE(form)) x = bailey_turn_u32(x);
    for (int j = 0; j < 4; j++) w.word[j] = x.value[j];
    const bailey_pack_f32 y = bly_numbers_of_words_f32(form, table, w);
    return BLY_FORM_ALONE(form) ? y : bailey_turn_f32(y);
}
#if BAILEY_HAS_F64
BAILEY_FN bailey_pack_f64 bly_numbers_of_elements_f64(int form, const BAILEY_ICDF_SPACE double *table,
                                                      bailey_u64 u0, bailey_u64 u1)
{
    const bailey_u64 one = bailey_splat_u64(0x3ff0000000000000u);
    const bailey_f64 low = bailey_splat_f64(0x1.fffffffffffffp-1); /* [1, 2) less 1 - 2^-53: exact */
    bailey_pack_f64 y;
    if (form != BAILEY_DRAW_UNIFORM) return bailey_normals_of_elements_f64(form, table, u0, u1);
    y.value[0] = bailey_f64_bits_u64(u0 >> 12 | one) - low;
    y.value[1] = bailey_f64_bits_u64(u1 >> 12 | one) - low;
    return y;
}
BAILEY_FN bailey_pack_f64 bly_form_f64(int form, const BAILEY_ICDF_SPACE double *table, bailey_pack_u64 x)
{
    if (!BLY_FORM_ALONE(form)) x = bailey_turn_u64(x);
    const bailey_pack_f64 y = bly_numbers_of_elements_f64(form, table, x.value[0], x.value[1]);
    return BLY_FORM_ALONE(form) ? y : bailey_turn_f64(y);
}
#endif

#define BLY_COUNTER_UNIFORM_f32(word, rounds)                                                                \
    BLY_FILL_ITEM(bly_##word##_u01_f32_item, f32, float, 4, BAILEY_PACK32, BLY_NO_TABLE,                     \
                  bly_form_f32(BAILEY_DRAW_UNIFORM, 0, bly_philox_pack(rounds, p.keys, p.stream, begin)))
#define BLY_COUNTER_UNIFORM_f64(word, rounds)                                                                \
    BLY_FILL_ITEM(                                                                                           \
        bly_##word##_u01_f64_item, f64, double, 2, BAILEY_PACK64, BLY_NO_TABLE,                              \
        bly_form_f64(BAILEY_DRAW_UNIFORM, 0,                                                                 \
                     bailey_zip_u64(bailey_draw_rounds_elements(rounds, p.keys, p.stream, begin))))
BLY_COUNTER_UNIFORM_f32(philox, 10) BLY_COUNTER_UNIFORM_f32(philox7, 7)
#if BAILEY_HAS_F64
    BLY_COUNTER_UNIFORM_f64(philox, 10) BLY_COUNTER_UNIFORM_f64(philox7, 7)
#endif

    /* Numbers made from words that lie in memory: of element first + i, i below count, whose words begin with
     * word (first mod block + i) of `words` for 32 bits, twice that for 64. Row r of them is in_row elements
     * further on there, a multiple of 64, and goes to out_offset + r * out_row + i * out_stride; in_row is 0
     * for one row with a stride of 1. For generators without a kernel that does both, and for distributions
     * (kernels/variates.h), whose constants these are: scale, shift and rest are the bits of a number of the
     * form's precision, so that the struct is one for all devices. */
    typedef struct bly_form_params {
    bailey_uint64 first, count, in_row;
    bailey_uint64 out_offset, out_row, out_stride;
    bailey_uint64 scale, shift, rest;
    bailey_uint64 exponential; /* whether exp is taken of the result */
    bailey_uint64 integers;    /* whether the numbers of a discrete distribution are stored as integers */
} bly_form_params;

/* `make` gives the pack of numbers of the words at in[begin], BLY_WORDS_IN(words) where a pack of both has
     * as many; `parameter` is as for BLY_FILL_ITEM. */
#define BLY_WORDS_IN(bits) bailey_load_u##bits(in, begin, 1, 0, BAILEY_PACK##bits)
#define BLY_FORM_ITEM(name, suffix, words, scalar, block, pack, parameter, make)                             \
    BAILEY_FN void name(bly_form_params p, const BAILEY_GLOBAL bailey_uint##words *in,                       \
                        parameter BAILEY_GLOBAL scalar *out, bailey_uint64 item, bailey_uint64 row)          \
    {                                                                                                        \
        const bly_range r = bly_range_of_item(p.first, p.count, block, pack, item);                          \
        if (r.low >= r.high) return;                                                                         \
        bailey_uint64 begin = r.begin - (p.first & ~(bailey_uint64)((block)-1));                             \
        bailey_uint64 at = p.out_offset + (r.begin - p.first);                                               \
        if (p.in_row) {                                                                                      \
            begin += row * p.in_row;                                                                         \
            at = p.out_offset + row * p.out_row + (r.begin - p.first) * p.out_stride;                        \
        }                                                                                                    \
        const bailey_pack_##suffix y = make;                                                                 \
        if (p.in_row && p.out_stride != 1)                                                                   \
            bailey_store_##suffix(out, at, p.out_stride, r.low, r.high, y);                                  \
        else                                                                                                 \
            bailey_store_##suffix(out, at, 1, r.low, r.high, y);                                             \
    }
#define BLY_FORM_OF_DRAW(method, METHOD, real, scalar, bits)                                                 \
    BLY_FORM_ITEM(bly_form_##method##_##real##_item, real, bits, scalar, 128 / bits, BAILEY_PACK##bits,      \
                  BLY_TABLE_##real, bly_form_##real(BAILEY_DRAW_##METHOD, table, BLY_WORDS_IN(bits)))
#define BLY_FORM_OF_UNIFORM(method, METHOD, real, scalar, bits)                                              \
    BLY_FORM_ITEM(bly_form_##method##_##real##_item, real, bits, scalar, 128 / bits, BAILEY_PACK##bits,      \
                  BLY_NO_TABLE, bly_form_##real(BAILEY_DRAW_##METHOD, 0, BLY_WORDS_IN(bits)))
BLY_FORM_OF_UNIFORM(u01, UNIFORM, f32, float, 32)
BLY_DRAWS_f32(BLY_FORM_OF_DRAW)
#if BAILEY_HAS_F64
    BLY_FORM_OF_UNIFORM(u01, UNIFORM, f64, double, 64) BLY_DRAWS_f64(BLY_FORM_OF_DRAW)
#endif

    /* Arithmetic that the promise rests on, for operands drawn from Philox: row 0 fma, row 1 the error of a
     * product, row 2 a difference, row 3 an integer rounded to float, row 4 square roots, rows 5 to 7 the
     * first three in double (low halves; a double's error shows there). The host computes the same and
     * compares. `count` columns.
     *
     * Roots are those of two numbers times powers of 4: where a device guesses 1 / sqrt(x) and is off by no
     * more than 2^-22.9, as bailey_sqrt_f32 lets NVIDIA's do, no others can come out wrong (every mantissa
     * was tried with every such guess). */
    typedef struct bly_check_params {
    bailey_uint64 count;
} bly_check_params;

#define BLY_CHECK_ROWS 8

BAILEY_FN void bly_check_store(BAILEY_GLOBAL bailey_uint32 *out, bailey_uint64 offset, bailey_u32 x)
{
    bailey_pack_u32 pack;
    for (int j = 0; j < 4; j++) pack.value[j] = x;
    bailey_store_u32(out, offset, 1, 0, BAILEY_LANES, pack);
}

BAILEY_FN void bly_check_item(bly_check_params p, BAILEY_GLOBAL bailey_uint32 *out, bailey_uint64 item,
                              bailey_uint64 row)
{
    (void)row;
    const bailey_uint64 begin = item * BAILEY_LANES;
    if (begin + BAILEY_LANES > p.count) return;
    const bailey_philox_block w = bailey_philox_words4(0, 0, bailey_splat_u64(begin) + bailey_lane_numbers());
    const bailey_u32 one = bailey_splat_u32(0x3f800000u);
    const bailey_f32 a = bailey_f32_bits_u32((w.word[0] >> 9) | one),
                     b = bailey_f32_bits_u32((w.word[1] >> 9) | one);
    const bailey_f32 c = bailey_f32_bits_u32((w.word[2] >> 9) | one);
    bly_check_store(out, begin, bailey_u32_bits_f32(bailey_fma_f32(a, b, -c)));
    bly_check_store(out, p.count + begin, bailey_u32_bits_f32(bailey_fma_f32(a, b, -(a * b))));
    bly_check_store(out, 2 * p.count + begin, bailey_u32_bits_f32(a - b));
    bly_check_store(out, 3 * p.count + begin,
                    bailey_u32_bits_f32(bailey_f32_from_i32(bailey_i32_bits_u32(w.word[3]))));
    const bailey_u32 column = bailey_u32_from_u64(bailey_splat_u64(begin) + bailey_lane_numbers());
    const bailey_u32 odd = bailey_splat_u32(0) - (column & bailey_splat_u32(1));
    const bailey_u32 dangerous =
        (odd & bailey_splat_u32(0x3ffc114au)) | (~odd & bailey_splat_u32(0x406e9372u));
    const bailey_u32 bits = dangerous - bailey_splat_u32(0x33000000u) +
                            ((column >> 1 & bailey_splat_u32(63)) << 24); /* from 2^-102 on */
    const bailey_f32 square = bailey_f32_bits_u32(bits);
    bly_check_store(out, 4 * p.count + begin,
                    bailey_u32_bits_f32(bailey_sqrt_f32(square)) ^
                        (bailey_u32_bits_f32(bailey_sqrt_positive_f32(square)) << 1));
#if BAILEY_HAS_F64
    const bailey_u64 one64 = bailey_splat_u64(0x3ff0000000000000u);
    const bailey_u64 u = bailey_u64_from_u32(w.word[0]) << 32 | bailey_u64_from_u32(w.word[1]);
    const bailey_u64 v = bailey_u64_from_u32(w.word[2]) << 32 | bailey_u64_from_u32(w.word[3]);
    const bailey_f64 x = bailey_f64_bits_u64(u >> 12 | one64), y = bailey_f64_bits_u64(v >> 12 | one64);
    bly_check_store(out, 5 * p.count + begin,
                    bailey_u32_from_u64(bailey_u64_bits_f64(bailey_fma_f64(x, y, -x))));
    bly_check_store(out, 6 * p.count + begin,
                    bailey_u32_from_u64(bailey_u64_bits_f64(bailey_fma_f64(x, y, -(x * y)))));
    bly_check_store(out, 7 * p.count + begin, bailey_u32_from_u64(bailey_u64_bits_f64(x - y)));
#else
    for (int k = 5; k < BLY_CHECK_ROWS; k++) bly_check_store(out, k * p.count + begin, bailey_splat_u32(0));
#endif
}

#endif
