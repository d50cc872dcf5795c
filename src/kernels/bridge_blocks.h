/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridge items that take blocks of packs, with vector lanes: the part of kernels/bridge_items.h that keeps
 * values in a pool of buffers or in a tile of all rows. Included by that file, once for each precision.
 */

BAILEY_FN BLY_(bailey_pack_) BLY_(bly_pack_get_)(const BLY_SCALAR *own)
{
    BLY_(bailey_pack_) x;
    BLY_EACH(m) x.v[m] = BLY_(bailey_vector_get_)(own + m * BAILEY_LANES);
    return x;
}

BAILEY_FN void BLY_(bly_pack_put_)(BLY_SCALAR *own, BLY_(bailey_pack_) x)
{
    BLY_EACH(m) BLY_(bailey_vector_put_)(own + m * BAILEY_LANES, x.v[m]);
}

/* The packs of a block that are walked together, and the memory that their values are kept in: buffers of
 * dims * packs packs each, numbered from 0. The walk's left, right, built and stack slots are numbers of
 * buffers, so that no value is ever copied. */
#define BLY_POOL (BLY_POOL_BYTES / sizeof(BLY_SCALAR))
#define BLY_OWN BLY_SCALAR __attribute__((aligned(64)))
typedef struct BLY_(bly_pool_) {
    bly_range block;
    bailey_uint32 first, packs; /* packs first .. first + packs - 1 of the block */
    bailey_uint32 stride;       /* elements of one dimension of a buffer */
} BLY_(bly_pool_);

/* How many packs fit if `buffers` buffers are needed; 0 if they are too few to be worth it. */
BAILEY_FN bailey_uint32 BLY_(bly_pool_packs_)(bly_bridge_params p, bailey_uint32 buffers)
{
    const bailey_uint32 packs = (bailey_uint32)(BLY_POOL / (BLY_PACK * buffers * p.dims));
    if (p.x_path != 1) return packs > 0; /* a pack's lines are reused from step to step: keep them few */
    return packs < BLY_PACKS ? packs : BLY_PACKS;
}

/* Moves on to the next packs of the block; zero after the last. */
BAILEY_FN int BLY_(bly_pool_next_)(BLY_(bly_pool_) * t)
{
    const bailey_uint32 most = t->stride / BLY_PACK, all = (t->block.high + BLY_PACK - 1) / BLY_PACK;
    t->first += t->packs;
    t->packs = all - t->first < most ? all - t->first : most;
    return t->packs != 0;
}

/* The lowest buffer that is not in the set. */
BAILEY_FN bailey_uint32 BLY_(bly_pool_free_)(bailey_uint64 used)
{
    bailey_uint32 b = 0;
    while (used >> b & 1) b++;
    return b;
}

/* The elements low .. high - 1 of the pool's packs exist; packs begin .. end - 1 of them are whole. */
typedef struct BLY_(bly_pool_part_) {
    bailey_uint32 low, high, begin, end;
} BLY_(bly_pool_part_);

BAILEY_FN BLY_(bly_pool_part_) BLY_(bly_pool_part_of_)(BLY_(bly_pool_) t)
{
    BLY_(bly_pool_part_) part;
    const bailey_uint32 begin = t.first * BLY_PACK, end = begin + t.packs * BLY_PACK;
    part.low = t.block.low > begin ? t.block.low - begin : 0;
    part.high = (t.block.high < end ? t.block.high : end) - begin;
    part.begin = part.low > 0;
    part.end = part.high / BLY_PACK;
    return part;
}

/* C Z of a row, at an element of Z in the first row of its step: as BLY_SUM_CZ, vector by vector from memory,
 * which GCC makes 1.04 times as fast. */
BAILEY_FN BLY_(bailey_pack_)
    BLY_(bly_pool_correlate_)(bly_bridge_params p, const BAILEY_GLOBAL BLY_SCALAR *constants,
                              const BAILEY_GLOBAL BLY_SCALAR *z, bailey_uint32 dim)
{
    BLY_(bailey_pack_) sum, next;
    if (!p.correlated) {
        BLY_EACH(m) sum.v[m] = BLY_(bailey_vector_load_)(z + dim * p.z_row + m * BAILEY_LANES);
        return sum;
    }
    const BAILEY_GLOBAL BLY_SCALAR *c = constants + (2 + dim) * p.dims;
    BLY_EACH(m) sum.v[m] = BLY_(bailey_splat_)(c[0]) * BLY_(bailey_vector_load_)(z + m * BAILEY_LANES);
    for (bailey_uint32 j = 1; j <= dim; j++) {
        BLY_EACH(m) next.v[m] = BLY_(bailey_vector_load_)(z + j * p.z_row + m * BAILEY_LANES);
        sum = BLY_(bly_pack_fma_)(c[j], next, sum);
    }
    return sum;
}

/* Asks for a pack that the next step reads. */
BAILEY_FN void BLY_(bly_pool_prefetch_)(const BAILEY_GLOBAL BLY_SCALAR *z)
{
    BLY_UNROLL
    for (bailey_uint32 m = 0; m < BLY_PACK; m += 64 / sizeof(BLY_SCALAR)) BLY_(bailey_prefetch_)(z + m);
}

/* Puts buffer `b` of the pool in step row `row` of X. */
BAILEY_FN void BLY_(bly_pool_store_)(bly_bridge_params p, BLY_(bly_pool_) t, BAILEY_GLOBAL BLY_SCALAR *x,
                                     bailey_uint32 row, const BLY_SCALAR *pool, bailey_uint32 b)
{
    const BLY_(bly_pool_part_) part = BLY_(bly_pool_part_of_)(t);
    const bailey_uint64 path = t.block.begin + t.first * BLY_PACK - p.first_path;
    for (bailey_uint32 i = 0; i < p.dims; i++) {
        const BLY_SCALAR *own = pool + (b * p.dims + i) * t.stride;
        BAILEY_GLOBAL BLY_SCALAR *to = x + (p.x_first + ((bailey_uint64)row * p.dims + i) * p.x_row);
        if (p.x_path == 1)
            BLY_(bailey_stream_)(to + (path + part.low), own + part.low, part.high - part.low);
        else
            for (bailey_uint32 e = part.low; e < part.high; e++) to[(path + e) * p.x_path] = own[e];
    }
}

/* Paths of a block: `packs` packs at a time, their values in a pool. Rows of X are streamed, which saves
 * reading them first: 1.3 to 1.5 times the speed of reading neighbours back from X. */
BAILEY_FN void BLY_(bly_bridge_paths_pool_)(bly_drawing draw, bly_bridge_params p,
                                            const BAILEY_GLOBAL BLY_(bailey_bridge_step_) * steps,
                                            const BAILEY_GLOBAL BLY_SCALAR *constants,
                                            const BAILEY_GLOBAL BLY_SCALAR *z, BAILEY_GLOBAL BLY_SCALAR *x,
                                            bly_range block, bailey_uint32 packs)
{
    BLY_OWN pool[BLY_POOL];
    BLY_(bailey_pack_) drawn[BLY_MAX_DIMS];
    bailey_uint32 slot[BAILEY_BRIDGE_MAX_SLOTS];
    BLY_(bly_pool_) t;
    t.block = block, t.first = 0, t.packs = 0, t.stride = packs * BLY_PACK;
    const bailey_uint32 buffer = p.dims * t.stride;
    const int rows = draw == BLY_DRAW_NONE && p.z_path == 1;
    while (BLY_(bly_pool_next_)(&t)) {
        const BLY_(bly_pool_part_) part = BLY_(bly_pool_part_of_)(t);
        const bailey_uint64 path = block.begin + t.first * BLY_PACK - p.first_path;
        /* Buffer 0 is the start. */
        for (bailey_uint32 i = 0; i < p.dims; i++)
            for (bailey_uint32 j = 0; j < t.packs; j++)
                BLY_(bly_pack_put_)(pool + i * t.stride + j * BLY_PACK, BLY_(bly_pack_splat_)(constants[i]));
        bailey_uint64 kept = 1; /* the buffers that slots hold, as bits */
        bailey_uint32 left = 0, right = 0, built = 0;
        for (bailey_uint32 n = 0; n < BAILEY_BRIDGE_MAX_SLOTS; n++) slot[n] = 0;
        for (bailey_uint32 k = 0; k < p.steps; k++) {
            const BLY_(bailey_bridge_step_) s = steps[k];
            const bailey_uint32 from_left = BAILEY_BRIDGE_LEFT_SOURCE(s.code);
            const bailey_uint32 from_right = BAILEY_BRIDGE_RIGHT_SOURCE(s.code);
            const bailey_uint32 old_left = left;
            left = from_left == BAILEY_BRIDGE_FROM_LEFT    ? left
                   : from_left == BAILEY_BRIDGE_FROM_RIGHT ? right
                   : from_left == BAILEY_BRIDGE_FROM_BUILT ? built
                   : from_left == BAILEY_BRIDGE_FROM_STACK ? slot[BAILEY_BRIDGE_LEFT_SLOT(s.code)]
                                                           : 0;
            right = from_right == BAILEY_BRIDGE_FROM_LEFT    ? old_left
                    : from_right == BAILEY_BRIDGE_FROM_RIGHT ? right
                    : from_right == BAILEY_BRIDGE_FROM_BUILT ? built
                    : from_right == BAILEY_BRIDGE_FROM_STACK ? slot[BAILEY_BRIDGE_RIGHT_SLOT(s.code)]
                                                             : 0;
            built = BLY_(bly_pool_free_)(kept | (bailey_uint64)1 << left | (bailey_uint64)1 << right);
            const int given = k == 0 && p.fixed_end;
            const BAILEY_GLOBAL BLY_SCALAR *row = z + (bailey_uint64)s.z * p.dims * p.z_row + path;
            const BAILEY_GLOBAL BLY_SCALAR *next =
                z + (bailey_uint64)(k + 1 < p.steps ? steps[k + 1].z : s.z) * p.dims * p.z_row + path;
            for (bailey_uint32 i = 0; i < p.dims && rows && !given; i++) {
                BLY_SCALAR *own = pool + i * t.stride;
                for (bailey_uint32 e = part.begin * BLY_PACK; e < part.end * BLY_PACK; e += BLY_PACK) {
                    BLY_(bly_pool_prefetch_)(next + i * p.z_row + e);
                    BLY_(bly_pack_put_)
                    (own + built * buffer + e,
                     BLY_(bly_pack_point_)(s, BLY_(bly_pack_get_)(own + left * buffer + e),
                                           BLY_(bly_pack_get_)(own + right * buffer + e),
                                           BLY_(bly_pool_correlate_)(p, constants, row + e, i)));
                }
            }
            for (bailey_uint32 j = 0; j < t.packs; j++) {
                if (rows && !given && j >= part.begin && j < part.end) continue;
                if (!given) BLY_(bly_bridge_draw_)
                (draw, p, BLY_(bly_bridge_pack_of_)(p, block, t.first + j), z, s.z, drawn);
                for (bailey_uint32 i = 0; i < p.dims; i++) {
                    BLY_SCALAR *own = pool + i * t.stride + j * BLY_PACK;
                    BLY_(bly_pack_put_)
                    (own + built * buffer,
                     given ? BLY_(bly_pack_splat_)(constants[p.dims + i])
                           : BLY_(bly_pack_point_)(s, BLY_(bly_pack_get_)(own + left * buffer),
                                                   BLY_(bly_pack_get_)(own + right * buffer),
                                                   BLY_(bly_bridge_correlate_)(p, constants, drawn, i)));
                }
            }
            BLY_(bly_pool_store_)(p, t, x, s.point - 1, pool, built);
            const bailey_uint32 written = BAILEY_BRIDGE_WRITE_SLOT(s.code);
            if (written != BAILEY_BRIDGE_NO_SLOT) {
                kept = (kept & ~((bailey_uint64)1 << slot[written])) | (bailey_uint64)1 << built | 1;
                slot[written] = built;
            }
        }
    }
    bailey_stream_end();
}

/* Scaled increments of a block, likewise. */
BAILEY_FN void BLY_(bly_bridge_increments_pool_)(bly_drawing draw, bly_bridge_params p,
                                                 const BAILEY_GLOBAL BLY_(bailey_bridge_split_) * splits,
                                                 const BAILEY_GLOBAL BLY_SCALAR *constants,
                                                 const BAILEY_GLOBAL BLY_SCALAR *z,
                                                 BAILEY_GLOBAL BLY_SCALAR *x, bly_range block,
                                                 bailey_uint32 packs)
{
    BLY_OWN pool[BLY_POOL];
    BLY_(bailey_pack_) drawn[BLY_MAX_DIMS];
    bailey_uint32 slot[BAILEY_BRIDGE_MAX_SLOTS];
    BLY_(bly_pool_) t;
    t.block = block, t.first = 0, t.packs = 0, t.stride = packs * BLY_PACK;
    const bailey_uint32 buffer = p.dims * t.stride;
    const int rows = draw == BLY_DRAW_NONE && p.z_path == 1;
    while (BLY_(bly_pool_next_)(&t)) {
        const BLY_(bly_pool_part_) part = BLY_(bly_pool_part_of_)(t);
        const bailey_uint64 path = block.begin + t.first * BLY_PACK - p.first_path;
        bailey_uint64 kept = 0; /* the buffers that slots hold, as bits */
        bailey_uint32 left = 0, right = 0;
        for (bailey_uint32 n = 0; n < BAILEY_BRIDGE_MAX_SLOTS; n++) slot[n] = 63;
        for (bailey_uint32 k = 0; k < p.steps; k++) {
            const BLY_(bailey_bridge_split_) s = splits[k];
            const bailey_uint32 source = BAILEY_BRIDGE_SPLIT_SOURCE(s.code);
            const bailey_uint32 gap = source == BAILEY_BRIDGE_SPLIT_LEFT ? left
                                      : source == BAILEY_BRIDGE_SPLIT_RIGHT
                                          ? right
                                          : slot[BAILEY_BRIDGE_SPLIT_READ_SLOT(s.code)];
            const bailey_uint64 used = kept | (bailey_uint64)1 << gap;
            if (k > 0) {
                left = BLY_(bly_pool_free_)(used);
                right = BLY_(bly_pool_free_)(used | (bailey_uint64)1 << left);
            }
            const BAILEY_GLOBAL BLY_SCALAR *row = z + (bailey_uint64)s.z * p.dims * p.z_row + path;
            const BAILEY_GLOBAL BLY_SCALAR *next =
                z + (bailey_uint64)(k + 1 < p.steps ? splits[k + 1].z : s.z) * p.dims * p.z_row + path;
            for (bailey_uint32 i = 0; i < p.dims && rows && k > 0; i++) {
                BLY_SCALAR *own = pool + i * t.stride;
                for (bailey_uint32 e = part.begin * BLY_PACK; e < part.end * BLY_PACK; e += BLY_PACK) {
                    BLY_(bly_pool_prefetch_)(next + i * p.z_row + e);
                    const BLY_(bailey_pack_) whole = BLY_(bly_pack_get_)(own + gap * buffer + e);
                    const BLY_(bailey_pack_) cz = BLY_(bly_pool_correlate_)(p, constants, row + e, i);
                    BLY_(bly_pack_put_)(own + left * buffer + e, BLY_(bly_pack_left_)(s, whole, cz));
                    BLY_(bly_pack_put_)(own + right * buffer + e, BLY_(bly_pack_right_)(s, whole, cz));
                }
            }
            for (bailey_uint32 j = 0; j < t.packs; j++) {
                if (rows && k > 0 && j >= part.begin && j < part.end) continue;
                if (k > 0 || !p.fixed_end) BLY_(bly_bridge_draw_)
                (draw, p, BLY_(bly_bridge_pack_of_)(p, block, t.first + j), z, s.z, drawn);
                for (bailey_uint32 i = 0; i < p.dims; i++) {
                    BLY_SCALAR *own = pool + i * t.stride + j * BLY_PACK;
                    if (k == 0) {
                        BLY_(bly_pack_put_)(own, BLY_(bly_bridge_root_)(p, constants, s, drawn, i));
                        continue;
                    }
                    const BLY_(bailey_pack_) whole = BLY_(bly_pack_get_)(own + gap * buffer);
                    const BLY_(bailey_pack_) cz = BLY_(bly_bridge_correlate_)(p, constants, drawn, i);
                    BLY_(bly_pack_put_)(own + left * buffer, BLY_(bly_pack_left_)(s, whole, cz));
                    BLY_(bly_pack_put_)(own + right * buffer, BLY_(bly_pack_right_)(s, whole, cz));
                }
            }
            if (k == 0 ? p.steps == 1 : BAILEY_BRIDGE_SPLIT_LEFT_DONE(s.code))
                BLY_(bly_pool_store_)(p, t, x, s.gap, pool, left);
            if (k > 0 && BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s.code))
                BLY_(bly_pool_store_)(p, t, x, s.node, pool, right);
            const bailey_uint32 push = k == 0 ? 0 : BAILEY_BRIDGE_SPLIT_PUSH(s.code);
            if (push != 0) {
                const bailey_uint32 pushed = push == 1 ? left : right;
                const bailey_uint32 written = BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s.code);
                kept = (kept & ~((bailey_uint64)1 << slot[written])) | (bailey_uint64)1 << pushed;
                slot[written] = pushed;
            }
        }
    }
    bailey_stream_end();
}

/* Path-major packs. Z of a pack of paths is transposed into a tile, one pack per row; each value takes the
 * place of the Z that it was built from; and the tile is transposed into X: a line of memory is read once,
 * and written once and whole. `place` says which row of the tile holds a row of X. */
#define BLY_TILE_ROWS (BLY_TILE_BYTES / (BLY_PACK * sizeof(BLY_SCALAR)))

BAILEY_FN int BLY_(bly_tile_fits_)(bly_drawing draw, bly_bridge_params p)
{
    const bailey_uint64 rows = (bailey_uint64)p.steps * p.dims;
    const bailey_uint64 z_rows = rows - (p.fixed_end ? p.dims : 0);
    return p.x_path != 1 && p.x_row == 1 && rows <= BLY_TILE_ROWS && rows >= BAILEY_LANES &&
           (draw != BLY_DRAW_NONE || z_rows >= BAILEY_LANES);
}

/* Each stage rotates the bits of an element's place in the square by one; so many rotations as the number of
 * a lane has bits swap rows and columns. */
BAILEY_FN void BLY_(bly_tile_transpose_)(BLY_(bailey_) * v)
{
    BLY_(bailey_) w[BAILEY_LANES];
    BLY_UNROLL
    for (int stage = 1; stage < BAILEY_LANES; stage *= 2) {
        BLY_UNROLL
        for (int i = 0; i < BAILEY_LANES / 2; i++) {
            w[2 * i] = BAILEY_SHUFFLE(BLY_INDEX, v[i], v[i + BAILEY_LANES / 2], BAILEY_ZIP_LOW);
            w[2 * i + 1] = BAILEY_SHUFFLE(BLY_INDEX, v[i], v[i + BAILEY_LANES / 2], BAILEY_ZIP_HIGH);
        }
        BLY_UNROLL
        for (int i = 0; i < BAILEY_LANES; i++) v[i] = w[i];
    }
}

/* The last rows are met twice where the number of rows is not a multiple of the lanes. Lanes without a path
 * take the nearest path's Z. */
BAILEY_FN void BLY_(bly_tile_read_)(bly_bridge_params p, BLY_(bly_bridge_item_) t,
                                    const BAILEY_GLOBAL BLY_SCALAR *z, BLY_SCALAR *tile)
{
    const bailey_uint32 rows = (p.steps - (p.fixed_end ? 1 : 0)) * p.dims;
    for (bailey_uint32 m = 0; m < BLY_PACK; m += BAILEY_LANES)
        for (bailey_uint32 r = 0; r < rows; r += BAILEY_LANES) {
            const bailey_uint32 row = r < rows - BAILEY_LANES ? r : rows - BAILEY_LANES;
            BLY_(bailey_) v[BAILEY_LANES];
            BLY_UNROLL
            for (bailey_uint32 l = 0; l < BAILEY_LANES; l++) {
                const bailey_uint32 path = m + l < t.range.low     ? t.range.low
                                           : m + l >= t.range.high ? t.range.high - 1
                                                                   : m + l;
                v[l] = BLY_(bailey_vector_load_)(z + (t.z_offset + path * p.z_path) + row);
            }
            BLY_(bly_tile_transpose_)(v);
            BLY_UNROLL
            for (bailey_uint32 l = 0; l < BAILEY_LANES; l++)
                BLY_(bailey_vector_put_)(tile + (row + l) * BLY_PACK + m, v[l]);
        }
}

BAILEY_FN void BLY_(bly_tile_write_)(bly_bridge_params p, BLY_(bly_bridge_item_) t, const BLY_SCALAR *tile,
                                     const bailey_uint32 *place, BAILEY_GLOBAL BLY_SCALAR *x)
{
    const bailey_uint32 rows = p.steps * p.dims;
    for (bailey_uint32 m = 0; m < BLY_PACK; m += BAILEY_LANES)
        for (bailey_uint32 r = 0; r < rows; r += BAILEY_LANES) {
            const bailey_uint32 row = r < rows - BAILEY_LANES ? r : rows - BAILEY_LANES;
            BLY_(bailey_) v[BAILEY_LANES];
            BLY_UNROLL
            for (bailey_uint32 l = 0; l < BAILEY_LANES; l++)
                v[l] = BLY_(bailey_vector_get_)(tile + place[row + l] * BLY_PACK + m);
            BLY_(bly_tile_transpose_)(v);
            BLY_UNROLL
            for (bailey_uint32 l = 0; l < BAILEY_LANES; l++)
                if (m + l >= t.range.low && m + l < t.range.high)
                    BLY_(bailey_vector_stream_)(x + (t.x_offset + (m + l) * p.x_path) + row, v[l]);
        }
}

/* All Z of one step, from the tile or drawn with a table. */
BAILEY_FN void BLY_(bly_tile_draw_)(bly_drawing draw, bly_bridge_params p, BLY_(bly_bridge_item_) t,
                                    const BAILEY_GLOBAL BLY_SCALAR *table, const BLY_SCALAR *tile,
                                    bailey_uint32 step, BLY_(bailey_pack_) * drawn)
{
    if (draw != BLY_DRAW_NONE) {
        BLY_(bly_bridge_draw_)(draw, p, t, table, step, drawn);
        return;
    }
    for (bailey_uint32 i = 0; i < p.dims; i++)
        drawn[i] = BLY_(bly_pack_get_)(tile + (step * p.dims + i) * BLY_PACK);
}

BAILEY_FN void BLY_(bly_bridge_paths_tile_)(bly_drawing draw, bly_bridge_params p,
                                            const BAILEY_GLOBAL BLY_(bailey_bridge_step_) * steps,
                                            const BAILEY_GLOBAL BLY_SCALAR *constants,
                                            const BAILEY_GLOBAL BLY_SCALAR *z, BAILEY_GLOBAL BLY_SCALAR *x,
                                            bly_range block)
{
    BLY_OWN tile[BLY_TILE_ROWS * BLY_PACK];
    bailey_uint32 place[BLY_TILE_ROWS];
    BLY_(bailey_pack_) drawn[BLY_MAX_DIMS];
    for (bailey_uint32 j = 0; j * BLY_PACK < block.high; j++) {
        const BLY_(bly_bridge_item_) t = BLY_(bly_bridge_pack_of_)(p, block, j);
        if (draw == BLY_DRAW_NONE) BLY_(bly_tile_read_)(p, t, z, tile);
        for (bailey_uint32 k = 0; k < p.steps; k++) {
            const BLY_(bailey_bridge_step_) s = steps[k];
            const int given = k == 0 && p.fixed_end;
            const bailey_uint32 to = (given ? p.steps - 1 : s.z) * p.dims;
            if (!given) BLY_(bly_tile_draw_)(draw, p, t, z, tile, s.z, drawn);
            for (bailey_uint32 i = 0; i < p.dims; i++) {
                BLY_(bailey_pack_) left, right, built;
                left = right = BLY_(bly_pack_splat_)(constants[i]);
                if (s.left != 0)
                    left = BLY_(bly_pack_get_)(tile + place[(s.left - 1) * p.dims + i] * BLY_PACK);
                if (s.right != 0)
                    right = BLY_(bly_pack_get_)(tile + place[(s.right - 1) * p.dims + i] * BLY_PACK);
                built = given ? BLY_(bly_pack_splat_)(constants[p.dims + i])
                              : BLY_(bly_pack_point_)(s, left, right,
                                                      BLY_(bly_bridge_correlate_)(p, constants, drawn, i));
                BLY_(bly_pack_put_)(tile + (to + i) * BLY_PACK, built);
                place[(s.point - 1) * p.dims + i] = to + i;
            }
        }
        BLY_(bly_tile_write_)(p, t, tile, place, x);
    }
    bailey_stream_end();
}

BAILEY_FN void BLY_(bly_bridge_increments_tile_)(bly_drawing draw, bly_bridge_params p,
                                                 const BAILEY_GLOBAL BLY_(bailey_bridge_split_) * splits,
                                                 const BAILEY_GLOBAL BLY_SCALAR *constants,
                                                 const BAILEY_GLOBAL BLY_SCALAR *z,
                                                 BAILEY_GLOBAL BLY_SCALAR *x, bly_range block)
{
    BLY_OWN tile[BLY_TILE_ROWS * BLY_PACK];
    bailey_uint32 place[BLY_TILE_ROWS];
    BLY_(bailey_pack_) drawn[BLY_MAX_DIMS];
    for (bailey_uint32 j = 0; j * BLY_PACK < block.high; j++) {
        const BLY_(bly_bridge_item_) t = BLY_(bly_bridge_pack_of_)(p, block, j);
        if (draw == BLY_DRAW_NONE) BLY_(bly_tile_read_)(p, t, z, tile);
        for (bailey_uint32 k = 0; k < p.steps; k++) {
            const BLY_(bailey_bridge_split_) s = splits[k];
            const int given = k == 0 && p.fixed_end;
            const bailey_uint32 to = (given ? p.steps - 1 : s.z) * p.dims;
            if (!given) BLY_(bly_tile_draw_)(draw, p, t, z, tile, s.z, drawn);
            for (bailey_uint32 i = 0; i < p.dims; i++) {
                place[s.node * p.dims + i] = to + i; /* node 0 is the root */
                if (k == 0) {
                    BLY_(bly_pack_put_)
                    (tile + (to + i) * BLY_PACK, BLY_(bly_bridge_root_)(p, constants, s, drawn, i));
                    continue;
                }
                BLY_SCALAR *at = tile + place[s.gap * p.dims + i] * BLY_PACK;
                const BLY_(bailey_pack_) gap = BLY_(bly_pack_get_)(at);
                const BLY_(bailey_pack_) cz = BLY_(bly_bridge_correlate_)(p, constants, drawn, i);
                BLY_(bly_pack_put_)(at, BLY_(bly_pack_left_)(s, gap, cz));
                BLY_(bly_pack_put_)(tile + (to + i) * BLY_PACK, BLY_(bly_pack_right_)(s, gap, cz));
            }
        }
        BLY_(bly_tile_write_)(p, t, tile, place, x);
    }
    bailey_stream_end();
}

#undef BLY_POOL
#undef BLY_OWN
#undef BLY_TILE_ROWS
