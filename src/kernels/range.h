/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which elements an item of a launch makes.
 */
#ifndef BLY_RANGE_H
#define BLY_RANGE_H

#include "bailey/device/dialect.h"

/* Paths are numbered so that a normal's number is row * 2^38 + path. */
#define BLY_PATH_BITS 38

/* Elements low .. high - 1 of the pack that starts at `begin`; none if low equals high. */
typedef struct bly_range {
    bailey_uint64 begin;
    bailey_uint32 low, high;
} bly_range;

/* The part of [first, first + count) in pack number `item`. Packs are counted from `first` rounded down
 * to `block`, the number of elements that a generator makes at once, so that a block is always drawn
 * whole whatever the first element. */
BAILEY_FN bly_range bly_range_of_item(bailey_uint64 first, bailey_uint64 count, bailey_uint32 block,
                                      bailey_uint32 pack, bailey_uint64 item)
{
    bly_range r;
    r.begin = (first & ~(bailey_uint64)(block - 1)) + item * pack;
    r.low = item == 0 ? (bailey_uint32)(first - r.begin) : 0;
    const bailey_uint64 before = r.begin + r.low - first;
    const bailey_uint64 left = before < count ? count - before : 0;
    r.high = left < pack - r.low ? r.low + (bailey_uint32)left : pack;
    return r;
}

/* Packs that an item of one lane takes: backend.h says which. They share the item's prologue and constants.
 */
#define BLY_FILL_STRIPED 8
#define BLY_POINT_STRIPED 32 /* of normals of points, whose prologue is longer */
#if defined(BAILEY_SHARED)
#define BLY_STRIPED_OF(count) (count)
#else
#define BLY_STRIPED_OF(count) 1
#endif
#define BLY_STRIPED BLY_STRIPED_OF(BLY_FILL_STRIPED)

/* The first of `striped` packs of an item; the others follow 32 packs apart. */
BAILEY_FN bailey_uint64 bly_first_pack(bailey_uint64 item, bailey_uint32 striped)
{
    return striped == 1 ? item : (item & ~(bailey_uint64)31) * striped + (item & 31);
}

/* Whether all packs of the item that begins at element `begin` lie in [first, first + count). */
BAILEY_FN int bly_all_whole(bailey_uint64 first, bailey_uint64 count, bailey_uint32 pack, bailey_uint64 begin)
{
    const bailey_uint64 before = begin - first, span = (BLY_STRIPED - 1) * 32 * (bailey_uint64)pack + pack;
    return begin >= first && before < count && count - before >= span;
}

/* `call` for items first, first + step, ... of all rows, where the groups of a tuned replacement loop: mostly
 * of one row; or of many, without a division for each item, which takes registers. */
#define BLY_ONE_ROW(call)                                                                                    \
    const bailey_uint64 all = items * rows;                                                                  \
    for (bailey_uint64 i = first; i < all; i += step) {                                                      \
        const bailey_uint64 row = rows == 1 ? 0 : i / items, item = i - row * items;                         \
        (void)row;                                                                                           \
        call;                                                                                                \
    }
#define BLY_MANY_ROWS(call)                                                                                  \
    const bailey_uint64 step_rows = step / items, step_items = step % items;                                 \
    bailey_uint64 row = first / items, item = first % items;                                                 \
    while (row < rows) {                                                                                     \
        call;                                                                                                \
        row += step_rows;                                                                                    \
        item += step_items;                                                                                  \
        if (item >= items) item -= items, row++;                                                             \
    }

#endif
