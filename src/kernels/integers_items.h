/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Integers below n, drawn from Philox and of words in memory, and elements of permutations.
 */
#ifndef BLY_INTEGERS_ITEMS_H
#define BLY_INTEGERS_ITEMS_H

#include "bailey/device/below.h"
#include "bailey/device/permutation.h"
#include "kernels/fill.h"

/* Integers least .. least + last, as bly_fill_params has places: one row, a stride of 1. */
typedef struct bly_integers_params {
    bailey_uint64 stream;
    bailey_uint64 first, count, out_offset;
    bailey_uint64 least, last;
    bailey_philox_keys keys;
    bailey_uint64 rounds;
} bly_integers_params;

/* Elements of 64 bits from number `begin` on, of which a lane makes four integers of 32 bits. */
BAILEY_FN bailey_pack_u32 bly_integers_of_u32(bailey_uint64 least, bailey_uint64 last, bailey_pack_u64 a,
                                              bailey_pack_u64 b)
{
    const bailey_u32 from = bailey_splat_u32((bailey_uint32)least);
    bailey_pack_u32 y;
    for (int j = 0; j < 2; j++) {
        y.value[j] = bailey_integer_u32(a.value[j], (bailey_uint32)last) + from;
        y.value[2 + j] = bailey_integer_u32(b.value[j], (bailey_uint32)last) + from;
    }
    return y;
}

/* Two blocks of Philox for four integers. */
BAILEY_FN bailey_pack_u32 bly_drawn_integers_u32(bly_integers_params p, bailey_uint64 begin)
{
    const bailey_pack_u64 a = bailey_draw_rounds_elements((int)p.rounds, p.keys, p.stream, begin);
    const bailey_pack_u64 b =
        bailey_draw_rounds_elements((int)p.rounds, p.keys, p.stream, begin + BAILEY_PACK64);
    return bly_integers_of_u32(p.least, p.last, bailey_zip_u64(a), bailey_zip_u64(b));
}

/* One block for each integer of 64 bits. */
BAILEY_FN bailey_pack_u64 bly_drawn_integers_u64(bly_integers_params p, bailey_uint64 begin)
{
    bailey_pack_u64 y;
    for (int j = 0; j < 2; j++) {
        const bailey_u64 block =
            bailey_splat_u64(begin + (bailey_uint64)j * BAILEY_LANES) + bailey_lane_numbers();
        const bailey_pack_u64 w = bailey_philox_elements2_either((int)p.rounds, p.keys, p.stream, block);
        y.value[j] = bailey_integer_u64(w.value[1], w.value[0], p.last) + bailey_splat_u64(p.least);
    }
    return y;
}

BAILEY_FN bailey_pack_u32 bly_read_integers_u32(bly_form_params p, const BAILEY_GLOBAL bailey_uint64 *in,
                                                bailey_uint64 begin)
{
    return bly_integers_of_u32(p.shift, p.scale, bailey_load_u64(in, begin, 1, 0, BAILEY_PACK64),
                               bailey_load_u64(in, begin + BAILEY_PACK64, 1, 0, BAILEY_PACK64));
}

/* Of elements of 128 bits. */
BAILEY_FN bailey_pack_u64 bly_read_integers_u64(bly_form_params p, const BAILEY_GLOBAL bailey_uint64 *in,
                                                bailey_uint64 begin)
{
    bailey_pack_u64 y;
    bailey_uint64 low[BAILEY_LANES], high[BAILEY_LANES];
    for (int j = 0; j < 2; j++) {
        for (int lane = 0; lane < BAILEY_LANES; lane++) {
            low[lane] = in[2 * (begin + (bailey_uint64)(j * BAILEY_LANES + lane))];
            high[lane] = in[2 * (begin + (bailey_uint64)(j * BAILEY_LANES + lane)) + 1];
        }
        y.value[j] = bailey_integer_u64(bailey_vector_get_u64(high), bailey_vector_get_u64(low), p.scale) +
                     bailey_splat_u64(p.shift);
    }
    return y;
}

#define BLY_INTEGERS_ITEM(suffix, bits, block)                                                               \
    BAILEY_FN void bly_integers_drawn_##suffix##_item(                                                       \
        bly_integers_params p, BAILEY_GLOBAL bailey_uint##bits *out, bailey_uint64 item, bailey_uint64 row)  \
    {                                                                                                        \
        const bly_range r = bly_range_of_item(p.first, p.count, block, BAILEY_PACK##bits, item);             \
        (void)row;                                                                                           \
        if (r.low < r.high)                                                                                  \
            bailey_store_##suffix(out, p.out_offset + (r.begin - p.first), 1, r.low, r.high,                 \
                                  bly_drawn_integers_##suffix(p, r.begin));                                  \
    }                                                                                                        \
    BLY_FORM_ITEM(bly_integers_read_##suffix##_item, suffix, 64, bailey_uint##bits, block,                   \
                  BAILEY_PACK##bits, BLY_NO_TABLE, bly_read_integers_##suffix(p, in, begin))
/* ---- Permutations ---- */

typedef struct bly_permutation_params {
    bailey_uint64 first, count, out_offset;
    bailey_permutation permutation;
} bly_permutation_params;

/* Element `begin` and those after it; beyond the last, which has no place to go, element 0. */
BAILEY_FN bailey_pack_u32 bly_permutation_pack_u32(const bailey_permutation *p, bailey_uint64 begin)
{
    const bailey_i64 last = bailey_i64_bits_u64(bailey_splat_u64(p->last));
    bailey_pack_u32 y;
    for (int j = 0; j < 4; j++) {
        const bailey_u64 x =
            bailey_splat_u64(begin + (bailey_uint64)j * BAILEY_LANES) + bailey_lane_numbers();
        const bailey_m64 beyond = bailey_lt_i64(last, bailey_i64_bits_u64(x));
        y.value[j] =
            bailey_permuted_u32(p, bailey_u32_from_u64(bailey_select_u64(beyond, bailey_splat_u64(0), x)));
    }
    return y;
}
BAILEY_FN bailey_pack_u64 bly_permutation_pack_u64(const bailey_permutation *p, bailey_uint64 begin)
{
    const bailey_i64 last = bailey_i64_bits_u64(bailey_splat_u64(p->last));
    bailey_pack_u64 y;
    for (int j = 0; j < 2; j++) {
        const bailey_u64 x =
            bailey_splat_u64(begin + (bailey_uint64)j * BAILEY_LANES) + bailey_lane_numbers();
        const bailey_m64 beyond = bailey_lt_i64(last, bailey_i64_bits_u64(x));
        y.value[j] = bailey_permuted_u64(p, bailey_select_u64(beyond, bailey_splat_u64(0), x));
    }
    return y;
}
#define BLY_PERMUTATION_ITEM(suffix, bits, block)                                                            \
    BAILEY_FN void bly_permutation_##suffix##_item(bly_permutation_params p,                                 \
                                                   BAILEY_GLOBAL bailey_uint##bits *out, bailey_uint64 item, \
                                                   bailey_uint64 row)                                        \
    {                                                                                                        \
        const bly_range r = bly_range_of_item(p.first, p.count, block, BAILEY_PACK##bits, item);             \
        (void)row;                                                                                           \
        if (r.low < r.high)                                                                                  \
            bailey_store_##suffix(out, p.out_offset + (r.begin - p.first), 1, r.low, r.high,                 \
                                  bly_permutation_pack_##suffix(&p.permutation, r.begin));                   \
    }

BLY_PERMUTATION_ITEM(u32, 32, 4)
BLY_INTEGERS_ITEM(u32, 32, 4)
#if BAILEY_HAS_F64
BLY_PERMUTATION_ITEM(u64, 64, 2)
BLY_INTEGERS_ITEM(u64, 64, 2)
#endif

#endif
