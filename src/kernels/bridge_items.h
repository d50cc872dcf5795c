/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The bridge items for one precision; included once for each by kernels/bridges.h, which says what
 * BLY_REAL (the suffix), BLY_SCALAR, BLY_PACK (elements per pack), BLY_VECTORS (vectors per pack) and
 * BLY_PACKS (packs per item of a readback kernel, where lanes are vectors) are.
 */
#define BLY_PASTE_(a, b) a##b
#define BLY_PASTE(a, b) BLY_PASTE_(a, b)
#define BLY_(name) BLY_PASTE(name, BLY_REAL)
#define BLY_EACH(m) BLY_UNROLL for (int m = 0; m < BLY_VECTORS; m++)
#define BLY_VALUE BLY_(bailey_pack_)
#define BLY_VALUE_(name) BLY_(bly_pack_##name##_)
#define BLY_MAP(r, f) BLY_EACH(m) r.value[m] = f(.value[m])
#include "kernels/path_algebra.h"
#if BAILEY_LANES > 1
#define BLY_BLOCK_OF_PACKS BLY_PACKS
#else
#define BLY_BLOCK_OF_PACKS 1
#endif

typedef struct BLY_(bly_bridge_item_) {
    bly_range range;
    bailey_uint64 z_offset, x_offset; /* of the pack's first path, in row 0 */
} BLY_(bly_bridge_item_);

BAILEY_FN BLY_(bly_bridge_item_) BLY_(bly_bridge_begin_)(bly_bridge_params p, bailey_uint64 item)
{
    BLY_(bly_bridge_item_) t;
    t.range = bly_range_of_item(p.first_path, p.paths, BLY_VECTORS, BLY_PACK, item);
    t.z_offset = (t.range.begin - p.first_path) * p.z_path;
    t.x_offset = p.x_first + (t.range.begin - p.first_path) * p.x_path;
    return t;
}

/* Row `row` of Z. Where it is drawn, `z` is the table of the inverse CDF, here and in what follows. */
BAILEY_FN BLY_(bailey_pack_) BLY_(bly_bridge_z_)(int draw, bly_bridge_params p, BLY_(bly_bridge_item_) t,
                                                 const BAILEY_GLOBAL BLY_SCALAR *z, bailey_uint64 row)
{
    if (draw == BLY_DRAW_NONE)
        return BLY_(bailey_load_)(z, t.z_offset + row * p.z_row, p.z_path, t.range.low, t.range.high);
    return BLY_(bailey_draw_rounds_)((int)p.rounds, draw, z, p.keys, p.stream,
                                     (row << BLY_PATH_BITS) + t.range.begin);
}

/* Entry `dim` of C Z for one step, from all of its Z. */
BAILEY_FN BLY_(bailey_pack_)
    BLY_(bly_bridge_correlate_)(bly_bridge_params p, const BAILEY_GLOBAL BLY_SCALAR *constants,
                                const BLY_(bailey_pack_) * z, bailey_uint32 dim)
{
    if (!p.correlated) return z[dim];
    const BAILEY_GLOBAL BLY_SCALAR *c = constants + (2 + dim) * p.dims;
    BLY_(bailey_pack_) sum;
    BLY_SUM_CZ(sum, dim, c[j], z[j]);
    return sum;
}

/* Paths, one dimension. */
BAILEY_FN void BLY_(bly_bridge_paths_)(int draw, bly_bridge_params p,
                                       const BAILEY_GLOBAL BLY_(bailey_bridge_step_) * steps,
                                       const BAILEY_GLOBAL BLY_SCALAR *constants,
                                       const BAILEY_GLOBAL BLY_SCALAR *z, BAILEY_GLOBAL BLY_SCALAR *x,
                                       bailey_uint64 item)
{
    const BLY_(bly_bridge_item_) t = BLY_(bly_bridge_begin_)(p, item);
    if (t.range.low == t.range.high) return;
    const BLY_(bailey_pack_) start = BLY_(bly_pack_splat_)(constants[0]);
    BLY_(bailey_pack_) left = start, right = start, built = start, stack[BAILEY_BRIDGE_MAX_SLOTS];
    for (bailey_uint32 k = 0; k < p.steps; k++) {
        const BLY_(bailey_bridge_step_) s = steps[k];
        const BLY_(bailey_pack_) old_left = left;
        switch (BAILEY_BRIDGE_LEFT_SOURCE(s.code)) {
        case BAILEY_BRIDGE_FROM_LEFT: break;
        case BAILEY_BRIDGE_FROM_RIGHT: left = right; break;
        case BAILEY_BRIDGE_FROM_BUILT: left = built; break;
        case BAILEY_BRIDGE_FROM_STACK: left = stack[BAILEY_BRIDGE_LEFT_SLOT(s.code)]; break;
        default: left = start;
        }
        switch (BAILEY_BRIDGE_RIGHT_SOURCE(s.code)) {
        case BAILEY_BRIDGE_FROM_LEFT: right = old_left; break;
        case BAILEY_BRIDGE_FROM_RIGHT: break;
        case BAILEY_BRIDGE_FROM_BUILT: right = built; break;
        case BAILEY_BRIDGE_FROM_STACK: right = stack[BAILEY_BRIDGE_RIGHT_SLOT(s.code)]; break;
        default: right = start;
        }
        if (k == 0 && p.fixed_end) {
            built = BLY_(bly_pack_splat_)(constants[1]);
        } else {
            const BLY_(bailey_pack_) drawn = BLY_(bly_bridge_z_)(draw, p, t, z, s.row);
            built =
                BLY_(bly_pack_point_)(s, left, right, BLY_(bly_bridge_correlate_)(p, constants, &drawn, 0));
        }
        BLY_(bailey_store_)
        (x, t.x_offset + (s.point - 1) * p.x_row, p.x_path, t.range.low, t.range.high, built);
        if (BAILEY_BRIDGE_WRITE_SLOT(s.code) != BAILEY_BRIDGE_NO_SLOT)
            stack[BAILEY_BRIDGE_WRITE_SLOT(s.code)] = built;
    }
}

/* X(T) - X(t0), or the only increment, by the first record. */
BAILEY_FN BLY_(bailey_pack_)
    BLY_(bly_bridge_root_)(bly_bridge_params p, const BAILEY_GLOBAL BLY_SCALAR *constants,
                           BLY_(bailey_bridge_split_) s, const BLY_(bailey_pack_) * drawn, bailey_uint32 dim)
{
    if (p.fixed_end) return BLY_ROOT_FIXED(s, constants[dim], constants[p.dims + dim]);
    return BLY_ROOT(s, BLY_(bly_bridge_correlate_)(p, constants, drawn, dim));
}

/* Scaled increments, one dimension. */
BAILEY_FN void BLY_(bly_bridge_increments_)(int draw, bly_bridge_params p,
                                            const BAILEY_GLOBAL BLY_(bailey_bridge_split_) * splits,
                                            const BAILEY_GLOBAL BLY_SCALAR *constants,
                                            const BAILEY_GLOBAL BLY_SCALAR *z, BAILEY_GLOBAL BLY_SCALAR *x,
                                            bailey_uint64 item)
{
    const BLY_(bly_bridge_item_) t = BLY_(bly_bridge_begin_)(p, item);
    if (t.range.low == t.range.high) return;
    BLY_(bailey_pack_) drawn = BLY_(bly_pack_splat_)(0), left, right, stack[BAILEY_BRIDGE_MAX_SLOTS];
    if (!p.fixed_end) drawn = BLY_(bly_bridge_z_)(draw, p, t, z, splits[0].row);
    left = right = BLY_(bly_bridge_root_)(p, constants, splits[0], &drawn, 0);
    if (p.steps == 1) BLY_(bailey_store_)(x, t.x_offset, p.x_path, t.range.low, t.range.high, left);
    for (bailey_uint32 k = 1; k < p.steps; k++) {
        const BLY_(bailey_bridge_split_) s = splits[k];
        BLY_(bailey_pack_) gap;
        switch (BAILEY_BRIDGE_SPLIT_SOURCE(s.code)) {
        case BAILEY_BRIDGE_SPLIT_LEFT: gap = left; break;
        case BAILEY_BRIDGE_SPLIT_RIGHT: gap = right; break;
        default: gap = stack[BAILEY_BRIDGE_SPLIT_READ_SLOT(s.code)];
        }
        drawn = BLY_(bly_bridge_z_)(draw, p, t, z, s.row);
        drawn = BLY_(bly_bridge_correlate_)(p, constants, &drawn, 0);
        left = BLY_(bly_pack_left_)(s, gap, drawn);
        right = BLY_(bly_pack_right_)(s, gap, drawn);
        if (BAILEY_BRIDGE_SPLIT_PUSH(s.code) == 1) stack[BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s.code)] = left;
        if (BAILEY_BRIDGE_SPLIT_PUSH(s.code) == 2) stack[BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s.code)] = right;
        if (BAILEY_BRIDGE_SPLIT_LEFT_DONE(s.code)) BLY_(bailey_store_)
        (x, t.x_offset + s.gap * p.x_row, p.x_path, t.range.low, t.range.high, left);
        if (BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s.code)) BLY_(bailey_store_)
        (x, t.x_offset + s.node * p.x_row, p.x_path, t.range.low, t.range.high, right);
    }
}

/* ---- Readback kernels: any number of dimensions; blocks of packs where lanes are vectors ------------ */

/* Pack `j` of an item that takes blocks of packs. */
BAILEY_FN BLY_(bly_bridge_item_)
    BLY_(bly_bridge_pack_of_)(bly_bridge_params p, bly_range block, bailey_uint32 j)
{
    BLY_(bly_bridge_item_) t;
    const bailey_uint32 begin = j * BLY_PACK;
    t.range.begin = block.begin + begin;
    t.range.low = block.low > begin ? block.low - begin : 0;
    t.range.high = block.high - begin < BLY_PACK ? block.high - begin : BLY_PACK;
    t.z_offset = (t.range.begin - p.first_path) * p.z_path;
    t.x_offset = p.x_first + (t.range.begin - p.first_path) * p.x_path;
    return t;
}

#if defined(BLY_DRAWS_CALLED)
/* All Z of one step, of the pack that begins at path `begin`. */
BAILEY_CALLED void BLY_(bly_bridge_drawn_)(const bly_called_draw *called, const BLY_SCALAR *table,
                                           bailey_uint64 begin, bailey_uint32 step,
                                           BLY_(bailey_pack_) * drawn)
{
    const bly_bridge_params *p = called->params;
    const bailey_uint64 row = (bailey_uint64)step * p->dims;
    BLY_(bly_bridge_item_) t;
    t.range.begin = begin;
    if (called->method == BAILEY_DRAW_ICDF)
        for (bailey_uint32 i = 0; i < p->dims; i++)
            drawn[i] = BLY_(bly_bridge_z_)(BAILEY_DRAW_ICDF, *p, t, table, row + i);
    else
        for (bailey_uint32 i = 0; i < p->dims; i++)
            drawn[i] = BLY_(bly_bridge_z_)(BAILEY_DRAW_BOX_MULLER, *p, t, table, row + i);
}
#endif

/* All Z of one step. */
BAILEY_FN void BLY_(bly_bridge_draw_)(bly_drawing draw, bly_bridge_params p, BLY_(bly_bridge_item_) t,
                                      const BAILEY_GLOBAL BLY_SCALAR *z, bailey_uint32 step,
                                      BLY_(bailey_pack_) * drawn)
{
#if defined(BLY_DRAWS_CALLED)
    if (draw != BLY_DRAW_NONE) {
        BLY_(bly_bridge_drawn_)((const bly_called_draw *)draw, z, t.range.begin, step, drawn);
        return;
    }
#endif
    for (bailey_uint32 i = 0; i < p.dims; i++)
        drawn[i] = BLY_(bly_bridge_z_)((int)draw, p, t, z, (bailey_uint64)step * p.dims + i);
}

/* Paths of a block of packs, which reads neighbours back from the output: no memory per path. */
BAILEY_FN void BLY_(bly_bridge_paths_output_)(bly_drawing draw, bly_bridge_params p,
                                              const BAILEY_GLOBAL BLY_(bailey_bridge_step_) * steps,
                                              const BAILEY_GLOBAL BLY_SCALAR *constants,
                                              const BAILEY_GLOBAL BLY_SCALAR *z, BAILEY_GLOBAL BLY_SCALAR *x,
                                              bly_range block)
{
    const bailey_uint32 packs = (block.high + BLY_PACK - 1) / BLY_PACK;
    BLY_(bailey_pack_) drawn[BLY_MAX_DIMS];
    for (bailey_uint32 k = 0; k < p.steps; k++) {
        const BLY_(bailey_bridge_step_) s = steps[k];
        const int given = k == 0 && p.fixed_end;
        for (bailey_uint32 j = 0; j < packs; j++) {
            const BLY_(bly_bridge_item_) t = BLY_(bly_bridge_pack_of_)(p, block, j);
            if (!given) BLY_(bly_bridge_draw_)(draw, p, t, z, s.row, drawn);
            for (bailey_uint32 i = 0; i < p.dims; i++) {
                BLY_(bailey_pack_) built, left, right;
                if (given) {
                    built = BLY_(bly_pack_splat_)(constants[p.dims + i]);
                } else {
                    left = right = BLY_(bly_pack_splat_)(constants[i]);
                    if (s.left != 0)
                        left = BLY_(bailey_load_)(
                            x, t.x_offset + ((s.left - 1) * (bailey_uint64)p.dims + i) * p.x_row, p.x_path,
                            t.range.low, t.range.high);
                    if (s.right != 0)
                        right = BLY_(bailey_load_)(
                            x, t.x_offset + ((s.right - 1) * (bailey_uint64)p.dims + i) * p.x_row, p.x_path,
                            t.range.low, t.range.high);
                    built = BLY_(bly_pack_point_)(s, left, right,
                                                  BLY_(bly_bridge_correlate_)(p, constants, drawn, i));
                }
                BLY_(bailey_store_)
                (x, t.x_offset + ((s.point - 1) * (bailey_uint64)p.dims + i) * p.x_row, p.x_path, t.range.low,
                 t.range.high, built);
            }
        }
    }
}

/* Scaled increments: a gap waits in the output, in the row of its first increment, until it is split. */
BAILEY_FN void BLY_(bly_bridge_increments_output_)(bly_drawing draw, bly_bridge_params p,
                                                   const BAILEY_GLOBAL BLY_(bailey_bridge_split_) * splits,
                                                   const BAILEY_GLOBAL BLY_SCALAR *constants,
                                                   const BAILEY_GLOBAL BLY_SCALAR *z,
                                                   BAILEY_GLOBAL BLY_SCALAR *x, bly_range block)
{
    const bailey_uint32 packs = (block.high + BLY_PACK - 1) / BLY_PACK;
    BLY_(bailey_pack_) drawn[BLY_MAX_DIMS];
    for (bailey_uint32 k = 0; k < p.steps; k++) {
        const BLY_(bailey_bridge_split_) s = splits[k];
        for (bailey_uint32 j = 0; j < packs; j++) {
            const BLY_(bly_bridge_item_) t = BLY_(bly_bridge_pack_of_)(p, block, j);
            if (k != 0 || !p.fixed_end) BLY_(bly_bridge_draw_)(draw, p, t, z, s.row, drawn);
            for (bailey_uint32 i = 0; i < p.dims; i++) {
                const bailey_uint64 gap_offset = t.x_offset + ((bailey_uint64)s.gap * p.dims + i) * p.x_row;
                const bailey_uint64 node_offset = t.x_offset + ((bailey_uint64)s.node * p.dims + i) * p.x_row;
                if (k == 0) {
                    BLY_(bailey_store_)
                    (x, gap_offset, p.x_path, t.range.low, t.range.high,
                     BLY_(bly_bridge_root_)(p, constants, s, drawn, i));
                    continue;
                }
                const BLY_(bailey_pack_) gap =
                    BLY_(bailey_load_)(x, gap_offset, p.x_path, t.range.low, t.range.high);
                const BLY_(bailey_pack_) cz = BLY_(bly_bridge_correlate_)(p, constants, drawn, i);
                BLY_(bailey_store_)
                (x, gap_offset, p.x_path, t.range.low, t.range.high, BLY_(bly_pack_left_)(s, gap, cz));
                BLY_(bailey_store_)
                (x, node_offset, p.x_path, t.range.low, t.range.high, BLY_(bly_pack_right_)(s, gap, cz));
            }
        }
    }
}

#if BAILEY_LANES > 1
#include "kernels/bridge_blocks.h"
#endif

/* The readback kernels. */
#define BLY_READBACK(kind, record)                                                                           \
    BAILEY_FN void BLY_(bly_bridge_##kind##_readback_)(                                                      \
        bly_drawing draw, bly_bridge_params p,                                                               \
        const BAILEY_GLOBAL BLY_(bailey_bridge_##record##_) * records,                                       \
        const BAILEY_GLOBAL BLY_SCALAR *constants, const BAILEY_GLOBAL BLY_SCALAR *z,                        \
        BAILEY_GLOBAL BLY_SCALAR *x, bailey_uint64 item)                                                     \
    {                                                                                                        \
        const bly_range block =                                                                              \
            bly_range_of_item(p.first_path, p.paths, BLY_VECTORS, BLY_PACK * BLY_BLOCK_OF_PACKS, item);      \
        if (block.low == block.high) return;                                                                 \
        BLY_READBACK_BLOCK(kind)                                                                             \
        BLY_(bly_bridge_##kind##_output_)(draw, p, records, constants, z, x, block);                         \
    }
#if BAILEY_LANES > 1
#define BLY_READBACK_BLOCK(kind)                                                                             \
    if (BLY_(bly_tile_fits_)(draw, p)) {                                                                     \
        BLY_(bly_bridge_##kind##_tile_)(draw, p, records, constants, z, x, block);                           \
        return;                                                                                              \
    }                                                                                                        \
    const bailey_uint32 packs = BLY_(bly_pool_packs_)(p, p.slots + (p.correlated ? 5 : 4));                  \
    if (packs > 0) {                                                                                         \
        BLY_(bly_bridge_##kind##_pool_)(draw, p, records, constants, z, x, block, packs);                    \
        return;                                                                                              \
    }
#else
#define BLY_READBACK_BLOCK(kind)
#endif
BLY_READBACK(paths, step)
BLY_READBACK(increments, split)

#undef BLY_READBACK
#undef BLY_READBACK_BLOCK
#undef BLY_PASTE_
#undef BLY_PASTE
#undef BLY_
#undef BLY_EACH
#undef BLY_BLOCK_OF_PACKS
#undef BLY_VALUE
#undef BLY_VALUE_
#undef BLY_MAP
