/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridge items that take blocks of packs, with vector lanes: the part of kernels/bridge_items.h that keeps
 * values in a pool of buffers or in a tile of all rows. Included by that file, once for each precision.
 */

BAILEY_FN BLY_(bailey_pack_) BLY_(bly_pack_get_)(const BLY_SCALAR *own)
{
    BLY_(bailey_pack_) x;
    BLY_EACH(m) x.value[m] = BLY_(bailey_vector_get_)(own + m * BAILEY_LANES);
    return x;
}

BAILEY_FN void BLY_(bly_pack_put_)(BLY_SCALAR *own, BLY_(bailey_pack_) x)
{
    BLY_EACH(m) BLY_(bailey_vector_put_)(own + m * BAILEY_LANES, x.value[m]);
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

BAILEY_FN BLY_(bailey_pack_) BLY_(bly_pack_load_)(const BAILEY_GLOBAL BLY_SCALAR *z)
{
    BLY_(bailey_pack_) x;
    BLY_EACH(m) x.value[m] = BLY_(bailey_vector_load_)(z + m * BAILEY_LANES);
    return x;
}

/* What a step of a pool reads and makes, by dimensions and by elements `begin` .. `end` - 1 of the pool,
 * which are whole packs: rows of Z, of this step and of the next; buffers of its neighbours or of its gap
 * (right is not read then); buffers and rows of X for one value or two, each NULL where a value does not go.
 */
typedef struct BLY_(bly_pool_step_) {
    const BAILEY_GLOBAL BLY_SCALAR *z, *next;
    const BLY_SCALAR *left, *right;
    BLY_SCALAR *made[2];
    BAILEY_GLOBAL BLY_SCALAR *to[2];
    BLY_SCALAR *seen; /* buffer for Z */
    bailey_uint32 begin, end;
} BLY_(bly_pool_step_);

/* C Z of `rows` dimensions from `dim` on, a constant, for a pack: `z` is in row `dim` of Z, and `seen`, where
 * Z of the dimensions before is. Sums grow side by side, so that a value of Z is loaded once for all of them.
 * It is read once where it lies and kept: the same places of rows that lie a power of two apart have few
 * places in a cache, and 16 dimensions took 2.5 times as long without. */
#define BLY_SUMS (8 / BLY_VECTORS)
#define BLY_EACH_SUM(i) BLY_UNROLL for (bailey_uint32 i = 0; i < rows; i++)
BAILEY_FN void BLY_(bly_pool_correlate_)(const bly_bridge_params *p,
                                         const BAILEY_GLOBAL BLY_SCALAR *constants,
                                         const BAILEY_GLOBAL BLY_SCALAR *z, BLY_SCALAR *seen, size_t stride,
                                         bailey_uint32 dim, bailey_uint32 rows, BLY_(bailey_pack_) * sum)
{
    const size_t dims = p->dims, z_row = p->z_row;
    if (!p->correlated) {
        BLY_EACH_SUM(i) sum[i] = BLY_(bly_pack_load_)(z + i * z_row);
        return;
    }
    const BAILEY_GLOBAL BLY_SCALAR *c = constants + (2 + dim) * dims;
    for (bailey_uint32 j = 0; j < dim; j++) {
        const BLY_(bailey_pack_) in = BLY_(bly_pack_get_)(seen + j * stride);
        BLY_EACH_SUM(i)
        sum[i] = j == 0 ? BLY_(bly_pack_scale_)(c[i * dims], in)
                        : BLY_(bly_pack_fma_)(c[i * dims + j], in, sum[i]);
    }
    BLY_EACH_SUM(k)
    {
        const bailey_uint32 j = dim + k;
        const BLY_(bailey_pack_) in = BLY_(bly_pack_load_)(z + k * z_row);
        BLY_(bly_pack_put_)(seen + j * stride, in);
        BLY_EACH_SUM(i)
        {
            if (i < k) continue;
            sum[i] = j == 0 ? BLY_(bly_pack_scale_)(c[i * dims], in)
                            : BLY_(bly_pack_fma_)(c[i * dims + j], in, sum[i]);
        }
    }
}

/* Asks for the pack at element `e` of a row that is read soon: of this step or, from row `dims` on, of the
 * next. */
#define BLY_POOL_AHEAD 8 /* rows, or as many as a step has */
BAILEY_FN void BLY_(bly_pool_prefetch_)(const bly_bridge_params *p, const BLY_(bly_pool_step_) * at,
                                        bailey_uint32 row, size_t e)
{
    const BAILEY_GLOBAL BLY_SCALAR *z =
        (row < p->dims ? at->z + row * (size_t)p->z_row : at->next + (row - p->dims) * (size_t)p->z_row) + e;
    BLY_UNROLL
    for (bailey_uint32 m = 0; m < BLY_PACK; m += 64 / sizeof(BLY_SCALAR)) BLY_(bailey_prefetch_)(z + m);
}

/* C Z of the pack at element `e`, after asking for rows that are read soon. */
BAILEY_FN void BLY_(bly_pool_normals_)(const bly_bridge_params *p, const BAILEY_GLOBAL BLY_SCALAR *constants,
                                       const BLY_(bly_pool_step_) * at, size_t stride, bailey_uint32 dim,
                                       bailey_uint32 rows, size_t e, BLY_(bailey_pack_) * cz)
{
    const bailey_uint32 ahead = dim + (p->dims < BLY_POOL_AHEAD ? p->dims : BLY_POOL_AHEAD);
    BLY_EACH_SUM(i) BLY_(bly_pool_prefetch_)(p, at, ahead + i, e);
    BLY_(bly_pool_correlate_)
    (p, constants, at->z + dim * (size_t)p->z_row + e, at->seen + e, stride, dim, rows, cz);
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

/* Where whole packs go as they are made: the first row of step row `row` of X, at the pool's first path. NULL
 * where they wait for bly_pool_store: not all packs are whole, or vectors are not where they can stream. */
BAILEY_FN BAILEY_GLOBAL BLY_SCALAR *BLY_(bly_pool_to_)(bly_bridge_params p, BLY_(bly_pool_) t,
                                                       BAILEY_GLOBAL BLY_SCALAR *x, bailey_uint32 row)
{
    const BLY_(bly_pool_part_) part = BLY_(bly_pool_part_of_)(t);
    if (p.x_path != 1 || part.begin != 0 || part.end != t.packs) return 0;
    BAILEY_GLOBAL BLY_SCALAR *to = x + (p.x_first + (bailey_uint64)row * p.dims * p.x_row + t.block.begin +
                                        t.first * BLY_PACK - p.first_path);
    const size_t misplaced =
        ((size_t)to | (size_t)p.x_row * sizeof(BLY_SCALAR)) & (sizeof(BLY_(bailey_)) - 1);
    return misplaced == 0 ? to : 0;
}

/* Puts a pack of dimension `dim` where value `n` of a step goes. */
BAILEY_FN void BLY_(bly_pool_put_)(const bly_bridge_params *p, const BLY_(bly_pool_step_) * at, int n,
                                   size_t stride, size_t dim, size_t e, BLY_(bailey_pack_) x)
{
    if (at->made[n]) BLY_(bly_pack_put_)(at->made[n] + dim * stride + e, x);
    if (!at->to[n]) return;
    BAILEY_GLOBAL BLY_SCALAR *to = at->to[n] + dim * (size_t)p->x_row + e;
    BLY_EACH(m) BLY_(bailey_vector_stream_placed_)(to + m * BAILEY_LANES, x.value[m]);
}

/* Dimensions dim .. dim + rows - 1 of a point, of all packs: memory prefers a row's packs in turn to a pack's
 * rows. */
BAILEY_FN void BLY_(bly_pool_point_)(const bly_bridge_params *p, BLY_(bailey_bridge_step_) s,
                                     const BAILEY_GLOBAL BLY_SCALAR *constants, BLY_(bly_pool_step_) at,
                                     size_t stride, bailey_uint32 dim, bailey_uint32 rows)
{
    for (size_t e = at.begin; e < at.end; e += BLY_PACK) {
        BLY_(bailey_pack_) cz[BLY_SUMS];
        BLY_(bly_pool_normals_)(p, constants, &at, stride, dim, rows, e, cz);
        BLY_EACH_SUM(i)
        {
            const size_t own = (dim + i) * stride + e;
            BLY_(bly_pool_put_)
            (p, &at, 0, stride, dim + i, e,
             BLY_(bly_pack_point_)(s, BLY_(bly_pack_get_)(at.left + own), BLY_(bly_pack_get_)(at.right + own),
                                   cz[i]));
        }
    }
}

BAILEY_CALLED void BLY_(bly_pool_points_)(const bly_bridge_params *p, BLY_(bailey_bridge_step_) s,
                                          const BAILEY_GLOBAL BLY_SCALAR *constants,
                                          const BLY_(bly_pool_step_) * at, size_t stride)
{
    bailey_uint32 dim = 0;
    for (; dim + BLY_SUMS <= p->dims; dim += BLY_SUMS) BLY_(bly_pool_point_)
    (p, s, constants, *at, stride, dim, BLY_SUMS);
    for (; dim < p->dims; dim++) BLY_(bly_pool_point_)(p, s, constants, *at, stride, dim, 1);
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
            const BAILEY_GLOBAL BLY_SCALAR *row = z + (bailey_uint64)s.row * p.dims * p.z_row + path;
            const BAILEY_GLOBAL BLY_SCALAR *next =
                z + (bailey_uint64)(k + 1 < p.steps ? steps[k + 1].row : s.row) * p.dims * p.z_row + path;
            const int whole = rows && !given;
            /* Nobody reads a value that is neither a neighbour in the next step nor put in a slot. */
            const bailey_uint32 after = k + 1 < p.steps ? steps[k + 1].code : 0;
            const int is_leaf = BAILEY_BRIDGE_WRITE_SLOT(s.code) == BAILEY_BRIDGE_NO_SLOT &&
                                BAILEY_BRIDGE_LEFT_SOURCE(after) != BAILEY_BRIDGE_FROM_BUILT &&
                                BAILEY_BRIDGE_RIGHT_SOURCE(after) != BAILEY_BRIDGE_FROM_BUILT;
            BAILEY_GLOBAL BLY_SCALAR *to = BLY_(bly_pool_to_)(p, t, x, s.point - 1);
            if (whole) {
                const BLY_(bly_pool_step_) at = {row,
                                                 next,
                                                 pool + left * buffer,
                                                 pool + right * buffer,
                                                 {to && is_leaf ? 0 : pool + built * buffer, 0},
                                                 {to, 0},
                                                 pool + (p.slots + 4) * buffer,
                                                 part.begin * BLY_PACK,
                                                 part.end * BLY_PACK};
                BLY_(bly_pool_points_)(&p, s, constants, &at, t.stride);
            }
            for (bailey_uint32 j = 0; j < t.packs; j++) {
                if (whole && j >= part.begin && j < part.end) continue;
                if (!given) BLY_(bly_bridge_draw_)
                (draw, p, BLY_(bly_bridge_pack_of_)(p, block, t.first + j), z, s.row, drawn);
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
            if (!whole || !to) BLY_(bly_pool_store_)(p, t, x, s.point - 1, pool, built);
            const bailey_uint32 written = BAILEY_BRIDGE_WRITE_SLOT(s.code);
            if (written != BAILEY_BRIDGE_NO_SLOT) {
                kept = (kept & ~((bailey_uint64)1 << slot[written])) | (bailey_uint64)1 << built | 1;
                slot[written] = built;
            }
        }
    }
    bailey_stream_end();
}

/* The two parts of a gap, likewise: values 0 and 1. */
BAILEY_FN void BLY_(bly_pool_split_)(const bly_bridge_params *p, BLY_(bailey_bridge_split_) s,
                                     const BAILEY_GLOBAL BLY_SCALAR *constants, BLY_(bly_pool_step_) at,
                                     size_t stride, bailey_uint32 dim, bailey_uint32 rows)
{
    for (size_t e = at.begin; e < at.end; e += BLY_PACK) {
        BLY_(bailey_pack_) cz[BLY_SUMS];
        BLY_(bly_pool_normals_)(p, constants, &at, stride, dim, rows, e, cz);
        BLY_EACH_SUM(i)
        {
            const BLY_(bailey_pack_) gap = BLY_(bly_pack_get_)(at.left + (dim + i) * stride + e);
            BLY_(bly_pool_put_)(p, &at, 0, stride, dim + i, e, BLY_(bly_pack_left_)(s, gap, cz[i]));
            BLY_(bly_pool_put_)(p, &at, 1, stride, dim + i, e, BLY_(bly_pack_right_)(s, gap, cz[i]));
        }
    }
}

BAILEY_CALLED void BLY_(bly_pool_splits_)(const bly_bridge_params *p, BLY_(bailey_bridge_split_) s,
                                          const BAILEY_GLOBAL BLY_SCALAR *constants,
                                          const BLY_(bly_pool_step_) * at, size_t stride)
{
    bailey_uint32 dim = 0;
    for (; dim + BLY_SUMS <= p->dims; dim += BLY_SUMS) BLY_(bly_pool_split_)
    (p, s, constants, *at, stride, dim, BLY_SUMS);
    for (; dim < p->dims; dim++) BLY_(bly_pool_split_)(p, s, constants, *at, stride, dim, 1);
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
            const BAILEY_GLOBAL BLY_SCALAR *row = z + (bailey_uint64)s.row * p.dims * p.z_row + path;
            const BAILEY_GLOBAL BLY_SCALAR *next =
                z + (bailey_uint64)(k + 1 < p.steps ? splits[k + 1].row : s.row) * p.dims * p.z_row + path;
            const int whole = rows && k > 0;
            const int left_done = k == 0 ? p.steps == 1 : BAILEY_BRIDGE_SPLIT_LEFT_DONE(s.code) != 0;
            const int right_done = k > 0 && BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s.code);
            BAILEY_GLOBAL BLY_SCALAR *to_left = left_done ? BLY_(bly_pool_to_)(p, t, x, s.gap) : 0;
            BAILEY_GLOBAL BLY_SCALAR *to_right = right_done ? BLY_(bly_pool_to_)(p, t, x, s.node) : 0;
            if (whole) {
                const BLY_(bly_pool_step_)
                    at = {row,
                          next,
                          pool + gap * buffer,
                          0,
                          {to_left ? 0 : pool + left * buffer, to_right ? 0 : pool + right * buffer},
                          {to_left, to_right},
                          pool + (p.slots + 4) * buffer,
                          part.begin * BLY_PACK,
                          part.end * BLY_PACK};
                BLY_(bly_pool_splits_)(&p, s, constants, &at, t.stride);
            }
            for (bailey_uint32 j = 0; j < t.packs; j++) {
                if (whole && j >= part.begin && j < part.end) continue;
                if (k > 0 || !p.fixed_end) BLY_(bly_bridge_draw_)
                (draw, p, BLY_(bly_bridge_pack_of_)(p, block, t.first + j), z, s.row, drawn);
                for (bailey_uint32 i = 0; i < p.dims; i++) {
                    BLY_SCALAR *own = pool + i * t.stride + j * BLY_PACK;
                    if (k == 0) {
                        BLY_(bly_pack_put_)(own, BLY_(bly_bridge_root_)(p, constants, s, drawn, i));
                        continue;
                    }
                    const BLY_(bailey_pack_) split = BLY_(bly_pack_get_)(own + gap * buffer);
                    const BLY_(bailey_pack_) cz = BLY_(bly_bridge_correlate_)(p, constants, drawn, i);
                    BLY_(bly_pack_put_)(own + left * buffer, BLY_(bly_pack_left_)(s, split, cz));
                    BLY_(bly_pack_put_)(own + right * buffer, BLY_(bly_pack_right_)(s, split, cz));
                }
            }
            if (left_done && (!whole || !to_left)) BLY_(bly_pool_store_)(p, t, x, s.gap, pool, left);
            if (right_done && (!whole || !to_right)) BLY_(bly_pool_store_)(p, t, x, s.node, pool, right);
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
 * and written once and whole. `place` says which row of the tile holds a row of X. A step's dimensions are
 * built from the last to the first, whose Z is still needed after. */
#define BLY_TILE_ROWS (BLY_TILE_BYTES / sizeof(BLY_(bailey_pack_)))

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

/* Z of the next pack, which follows this one's: it is asked for a little at a time, a quarter while this pack
 * is read, half while it is built and a quarter while it is written, so that memory is never idle. */
typedef struct BLY_(bly_tile_ahead_) {
    const BAILEY_GLOBAL BLY_SCALAR *z;
    bailey_uint64 left; /* elements to ask for */
} BLY_(bly_tile_ahead_);

BAILEY_FN BLY_(bly_tile_ahead_)
    BLY_(bly_tile_ahead_of_)(bly_drawing draw, bly_bridge_params p, BLY_(bly_bridge_item_) t,
                             const BAILEY_GLOBAL BLY_SCALAR *z)
{
    BLY_(bly_tile_ahead_) ahead = {z, 0};
    const bailey_uint64 path = t.range.begin + BLY_PACK - p.first_path;
    if (draw != BLY_DRAW_NONE || t.range.high < BLY_PACK || path >= p.paths) return ahead;
    ahead.z = z + path * p.z_path;
    ahead.left = (p.paths - path < BLY_PACK ? p.paths - path : BLY_PACK) * p.z_path;
    return ahead;
}

BAILEY_FN void BLY_(bly_tile_ask_)(BLY_(bly_tile_ahead_) * ahead, bailey_uint32 elements)
{
    if (ahead->left < elements) return;
    BLY_UNROLL
    for (bailey_uint32 e = 0; e < elements; e += 64 / sizeof(BLY_SCALAR))
        BLY_(bailey_prefetch_)(ahead->z + e);
    ahead->z += elements;
    ahead->left -= elements;
}

/* The last rows are met twice where the number of rows is not a multiple of the lanes. Lanes without a path
 * take the nearest path's Z. */
BAILEY_FN void BLY_(bly_tile_read_)(bly_bridge_params p, BLY_(bly_bridge_item_) t,
                                    const BAILEY_GLOBAL BLY_SCALAR *z, BLY_(bly_tile_ahead_) * ahead,
                                    BLY_(bailey_pack_) * tile)
{
    const bailey_uint32 rows = (p.steps - (p.fixed_end ? 1 : 0)) * p.dims;
    bailey_uint64 at[BLY_PACK]; /* where paths begin in Z */
    for (bailey_uint32 e = 0; e < BLY_PACK; e++) {
        const bailey_uint32 path = e < t.range.low ? t.range.low : e >= t.range.high ? t.range.high - 1 : e;
        at[e] = t.z_offset + path * p.z_path;
    }
    for (bailey_uint32 m = 0; m < BLY_VECTORS; m++)
        for (bailey_uint32 r = 0; r < rows; r += BAILEY_LANES) {
            const bailey_uint32 row = r < rows - BAILEY_LANES ? r : rows - BAILEY_LANES;
            BLY_(bailey_) v[BAILEY_LANES];
            BLY_UNROLL
            for (bailey_uint32 l = 0; l < BAILEY_LANES; l++)
                v[l] = BLY_(bailey_vector_load_)(z + at[m * BAILEY_LANES + l] + row);
            BLY_(bly_tile_ask_)(ahead, BAILEY_LANES * BAILEY_LANES / 4);
            BLY_(bly_tile_transpose_)(v);
            BLY_UNROLL
            for (bailey_uint32 l = 0; l < BAILEY_LANES; l++) tile[row + l].value[m] = v[l];
        }
}

/* Vectors that are less than a line stream only where few paths, each with a line that is begun and not full,
 * are written side by side: eight, in f32 with vectors of 32 bytes, took twice the time of ordinary stores.
 */
BAILEY_FN void BLY_(bly_tile_store_)(BAILEY_GLOBAL BLY_SCALAR *x, BLY_(bailey_) v)
{
    if (BAILEY_LANES <= 4 || sizeof(v) >= 64)
        BLY_(bailey_vector_stream_)(x, v);
    else
        BAILEY_VECTOR_STORE(x, v);
}

BAILEY_FN void BLY_(bly_tile_write_)(bly_bridge_params p, BLY_(bly_bridge_item_) t,
                                     const BLY_(bailey_pack_) * tile, const bailey_uint32 *place,
                                     BLY_(bly_tile_ahead_) * ahead, BAILEY_GLOBAL BLY_SCALAR *x)
{
    const bailey_uint32 rows = p.steps * p.dims;
    for (bailey_uint32 m = 0; m < BLY_VECTORS; m++)
        for (bailey_uint32 r = 0; r < rows; r += BAILEY_LANES) {
            const bailey_uint32 row = r < rows - BAILEY_LANES ? r : rows - BAILEY_LANES;
            BLY_(bailey_) v[BAILEY_LANES];
            BLY_UNROLL
            for (bailey_uint32 l = 0; l < BAILEY_LANES; l++) v[l] = tile[place[row + l]].value[m];
            BLY_(bly_tile_ask_)(ahead, BAILEY_LANES * BAILEY_LANES / 4);
            BLY_(bly_tile_transpose_)(v);
            BLY_UNROLL
            for (bailey_uint32 l = 0; l < BAILEY_LANES; l++) {
                const bailey_uint32 path = m * BAILEY_LANES + l;
                if (path >= t.range.low && path < t.range.high)
                    BLY_(bly_tile_store_)(x + (t.x_offset + path * p.x_path) + row, v[l]);
            }
        }
}

BAILEY_FN void BLY_(bly_bridge_paths_tile_)(bly_drawing draw, bly_bridge_params p,
                                            const BAILEY_GLOBAL BLY_(bailey_bridge_step_) * steps,
                                            const BAILEY_GLOBAL BLY_SCALAR *constants,
                                            const BAILEY_GLOBAL BLY_SCALAR *z, BAILEY_GLOBAL BLY_SCALAR *x,
                                            bly_range block)
{
    BLY_(bailey_pack_) tile[BLY_TILE_ROWS], drawn[BLY_MAX_DIMS];
    bailey_uint32 place[BLY_TILE_ROWS];
    for (bailey_uint32 j = 0; j * BLY_PACK < block.high; j++) {
        const BLY_(bly_bridge_item_) t = BLY_(bly_bridge_pack_of_)(p, block, j);
        BLY_(bly_tile_ahead_) ahead = BLY_(bly_tile_ahead_of_)(draw, p, t, z);
        if (draw == BLY_DRAW_NONE) BLY_(bly_tile_read_)(p, t, z, &ahead, tile);
        for (bailey_uint32 k = 0; k < p.steps; k++) {
            const BLY_(bailey_bridge_step_) s = steps[k];
            const int given = k == 0 && p.fixed_end;
            const bailey_uint32 to = (given ? p.steps - 1 : s.row) * p.dims;
            const BLY_(bailey_pack_) *normals = draw == BLY_DRAW_NONE ? tile + to : drawn;
            if (!given && draw != BLY_DRAW_NONE) BLY_(bly_bridge_draw_)(draw, p, t, z, s.row, drawn);
            for (bailey_uint32 i = p.dims; i-- > 0;) {
                BLY_(bailey_pack_) left, right, built;
                left = right = BLY_(bly_pack_splat_)(constants[i]);
                if (s.left != 0) left = tile[place[(s.left - 1) * p.dims + i]];
                if (s.right != 0) right = tile[place[(s.right - 1) * p.dims + i]];
                built = given ? BLY_(bly_pack_splat_)(constants[p.dims + i])
                              : BLY_(bly_pack_point_)(s, left, right,
                                                      BLY_(bly_bridge_correlate_)(p, constants, normals, i));
                BLY_(bly_tile_ask_)(&ahead, BLY_PACK / 2);
                tile[to + i] = built;
                place[(s.point - 1) * p.dims + i] = to + i;
            }
        }
        BLY_(bly_tile_write_)(p, t, tile, place, &ahead, x);
    }
    bailey_stream_end();
}

BAILEY_FN void BLY_(bly_bridge_increments_tile_)(bly_drawing draw, bly_bridge_params p,
                                                 const BAILEY_GLOBAL BLY_(bailey_bridge_split_) * splits,
                                                 const BAILEY_GLOBAL BLY_SCALAR *constants,
                                                 const BAILEY_GLOBAL BLY_SCALAR *z,
                                                 BAILEY_GLOBAL BLY_SCALAR *x, bly_range block)
{
    BLY_(bailey_pack_) tile[BLY_TILE_ROWS], drawn[BLY_MAX_DIMS];
    bailey_uint32 place[BLY_TILE_ROWS];
    for (bailey_uint32 j = 0; j * BLY_PACK < block.high; j++) {
        const BLY_(bly_bridge_item_) t = BLY_(bly_bridge_pack_of_)(p, block, j);
        BLY_(bly_tile_ahead_) ahead = BLY_(bly_tile_ahead_of_)(draw, p, t, z);
        if (draw == BLY_DRAW_NONE) BLY_(bly_tile_read_)(p, t, z, &ahead, tile);
        for (bailey_uint32 k = 0; k < p.steps; k++) {
            const BLY_(bailey_bridge_split_) s = splits[k];
            const int given = k == 0 && p.fixed_end;
            const bailey_uint32 to = (given ? p.steps - 1 : s.row) * p.dims;
            const BLY_(bailey_pack_) *normals = draw == BLY_DRAW_NONE ? tile + to : drawn;
            if (!given && draw != BLY_DRAW_NONE) BLY_(bly_bridge_draw_)(draw, p, t, z, s.row, drawn);
            for (bailey_uint32 i = p.dims; i-- > 0;) {
                BLY_(bly_tile_ask_)(&ahead, BLY_PACK / 2);
                place[s.node * p.dims + i] = to + i; /* node 0 is the root */
                if (k == 0) {
                    tile[to + i] = BLY_(bly_bridge_root_)(p, constants, s, normals, i);
                    continue;
                }
                BLY_(bailey_pack_) *at = tile + place[s.gap * p.dims + i];
                const BLY_(bailey_pack_) gap = *at;
                const BLY_(bailey_pack_) cz = BLY_(bly_bridge_correlate_)(p, constants, normals, i);
                *at = BLY_(bly_pack_left_)(s, gap, cz);
                tile[to + i] = BLY_(bly_pack_right_)(s, gap, cz);
            }
        }
        BLY_(bly_tile_write_)(p, t, tile, place, &ahead, x);
    }
    bailey_stream_end();
}

#undef BLY_POOL
#undef BLY_OWN
#undef BLY_TILE_ROWS
