/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling memory with words and normals, and checking a device's arithmetic.
 */
#ifndef BLY_FILL_H
#define BLY_FILL_H

#include "bailey/device/draw.h"
#include "kernels/range.h"

/* Row r of the output holds elements first + r * row_elements .. + count - 1 of (seed, stream), element i
 * of them at out_offset + r * out_row + i * out_stride. row_elements is a multiple of 4. */
typedef struct bly_fill_params {
    bailey_uint64 seed, stream;
    bailey_uint64 first, count, row_elements;
    bailey_uint64 out_offset, out_row, out_stride;
} bly_fill_params;

BAILEY_FN void bly_words_item(bly_fill_params p, BAILEY_GLOBAL bailey_uint32 *out, bailey_uint64 item,
                              bailey_uint64 row)
{
    const bailey_uint64 first = p.first + row * p.row_elements;
    const bly_range r = bly_range_of_item(first, p.count, 4, BAILEY_PACK32, item);
    if (r.low == r.high) return;
    const bailey_philox_block b =
        bailey_philox_words4(p.seed, p.stream, bailey_splat_u64(r.begin >> 2) + bailey_lane_numbers());
    bailey_pack_u32 x;
    for (int j = 0; j < 4; j++) x.v[j] = b.word[j];
    bailey_store_u32(out, p.out_offset + row * p.out_row + (r.begin - first) * p.out_stride, p.out_stride,
                     r.low, r.high, bailey_zip_u32(x));
}

#define BLY_NORMALS_ITEM(suffix, scalar, block, pack)                                                        \
    BAILEY_FN void bly_normals_##suffix(int method, bly_fill_params p, BAILEY_GLOBAL scalar *out,            \
                                        bailey_uint64 item, bailey_uint64 row)                               \
    {                                                                                                        \
        const bailey_uint64 first = p.first + row * p.row_elements;                                          \
        const bly_range r = bly_range_of_item(first, p.count, block, pack, item);                            \
        if (r.low == r.high) return;                                                                         \
        bailey_store_##suffix(out, p.out_offset + row * p.out_row + (r.begin - first) * p.out_stride,        \
                              p.out_stride, r.low, r.high,                                                   \
                              bailey_draw_##suffix(method, p.seed, p.stream, r.begin));                      \
    }
BLY_NORMALS_ITEM(f32, float, 4, BAILEY_PACK32)
#if BAILEY_HAS_F64
BLY_NORMALS_ITEM(f64, double, 2, BAILEY_PACK64)
#endif

#define bly_normals_icdf_f32_item(p, out, item, row) bly_normals_f32(BAILEY_DRAW_ICDF, p, out, item, row)
#define bly_normals_box_muller_f32_item(p, out, item, row)                                                   \
    bly_normals_f32(BAILEY_DRAW_BOX_MULLER, p, out, item, row)
#define bly_normals_icdf_fast_f32_item(p, out, item, row)                                                    \
    bly_normals_f32(BAILEY_DRAW_ICDF_FAST, p, out, item, row)
#define bly_normals_box_muller_fast_f32_item(p, out, item, row)                                              \
    bly_normals_f32(BAILEY_DRAW_BOX_MULLER_FAST, p, out, item, row)
#define bly_normals_icdf_f64_item(p, out, item, row) bly_normals_f64(BAILEY_DRAW_ICDF, p, out, item, row)
#define bly_normals_box_muller_f64_item(p, out, item, row)                                                   \
    bly_normals_f64(BAILEY_DRAW_BOX_MULLER, p, out, item, row)

/* Arithmetic that the promise stands on, for operands drawn from Philox: row 0 fma, row 1 the error of a
 * product, row 2 a difference, row 3 an integer rounded to float, rows 4 to 6 the first three in double (low
 * halves; a double's error shows there). The host computes the same and compares. `count` columns. */
typedef struct bly_check_params {
    bailey_uint64 count;
} bly_check_params;

#define BLY_CHECK_ROWS 7

BAILEY_FN void bly_check_store(BAILEY_GLOBAL bailey_uint32 *out, bailey_uint64 offset, bailey_u32 x)
{
    bailey_pack_u32 pack;
    for (int j = 0; j < 4; j++) pack.v[j] = x;
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
#if BAILEY_HAS_F64
    const bailey_u64 one64 = bailey_splat_u64(0x3ff0000000000000u);
    const bailey_u64 u = bailey_u64_from_u32(w.word[0]) << 32 | bailey_u64_from_u32(w.word[1]);
    const bailey_u64 v = bailey_u64_from_u32(w.word[2]) << 32 | bailey_u64_from_u32(w.word[3]);
    const bailey_f64 x = bailey_f64_bits_u64(u >> 12 | one64), y = bailey_f64_bits_u64(v >> 12 | one64);
    bly_check_store(out, 4 * p.count + begin,
                    bailey_u32_from_u64(bailey_u64_bits_f64(bailey_fma_f64(x, y, -x))));
    bly_check_store(out, 5 * p.count + begin,
                    bailey_u32_from_u64(bailey_u64_bits_f64(bailey_fma_f64(x, y, -(x * y)))));
    bly_check_store(out, 6 * p.count + begin, bailey_u32_from_u64(bailey_u64_bits_f64(x - y)));
#else
    for (int k = 4; k < BLY_CHECK_ROWS; k++) bly_check_store(out, k * p.count + begin, bailey_splat_u32(0));
#endif
}

#endif
