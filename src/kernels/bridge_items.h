/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The bridge items for one precision; included once for each by kernels/bridge.h, which says what
 * BLY_REAL (the suffix), BLY_SCALAR, BLY_PACK (elements a pack), BLY_VECTORS (vectors a pack) and BLY_PACKS
 * (packs an item of a readback kernel, where lanes are vectors) are.
 */
#define BLY_PASTE_(a, b) a##b
#define BLY_PASTE(a, b) BLY_PASTE_(a, b)
#define BLY_(name) BLY_PASTE(name, BLY_REAL)
#define BLY_EACH(m) BLY_UNROLL for (int m = 0; m < BLY_VECTORS; m++)
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
    t.x_offset = (t.range.begin - p.first_path) * p.x_path;
    return t;
}

/* Row `row` of Z. */
BAILEY_FN BLY_(bailey_pack_) BLY_(bly_bridge_z_)(int draw, bly_bridge_params p, BLY_(bly_bridge_item_) t,
                                                 const BAILEY_GLOBAL BLY_SCALAR *z, bailey_uint64 row)
{
    if (draw == BLY_DRAW_NONE)
        return BLY_(bailey_load_)(z, t.z_offset + row * p.z_row, p.z_path, t.range.low, t.range.high);
    return BLY_(bailey_draw_keyed_)(draw, p.keys, p.stream, (row << BLY_PATH_BITS) + t.range.begin);
}

BAILEY_FN BLY_(bailey_pack_) BLY_(bly_pack_splat_)(BLY_SCALAR x)
{
    BLY_(bailey_pack_) r;
    BLY_EACH(m) r.v[m] = BLY_(bailey_splat_)(x);
    return r;
}

/* a x */
BAILEY_FN BLY_(bailey_pack_) BLY_(bly_pack_scale_)(BLY_SCALAR a, BLY_(bailey_pack_) x)
{
    BLY_EACH(m) x.v[m] = BLY_(bailey_splat_)(a) * x.v[m];
    return x;
}

/* a x + y */
BAILEY_FN BLY_(bailey_pack_) BLY_(bly_pack_fma_)(BLY_SCALAR a, BLY_(bailey_pack_) x, BLY_(bailey_pack_) y)
{
    BLY_EACH(m) x.v[m] = BLY_(bailey_fma_)(BLY_(bailey_splat_)(a), x.v[m], y.v[m]);
    return x;
}

/* Entry `dim` of C Z for one step, from all of its Z: the sum over j <= dim in that order. */
BAILEY_FN BLY_(bailey_pack_)
    BLY_(bly_bridge_correlate_)(bly_bridge_params p, const BAILEY_GLOBAL BLY_SCALAR *constants,
                                const BLY_(bailey_pack_) * z, bailey_uint32 dim)
{
    if (!p.correlated) return z[dim];
    const BAILEY_GLOBAL BLY_SCALAR *c = constants + (2 + dim) * p.dims;
    BLY_(bailey_pack_) sum = BLY_(bly_pack_scale_)(c[0], z[0]);
    for (bailey_uint32 j = 1; j <= dim; j++) sum = BLY_(bly_pack_fma_)(c[j], z[j], sum);
    return sum;
}

BAILEY_FN BLY_(bailey_pack_) BLY_(bly_bridge_point_)(BLY_(bailey_bridge_step_) s, BLY_(bailey_pack_) left,
                                                     BLY_(bailey_pack_) right, BLY_(bailey_pack_) z)
{
    BLY_EACH(m) z.v[m] = BLY_(bailey_bridge_point_)(s, left.v[m], right.v[m], z.v[m]);
    return z;
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
            const BLY_(bailey_pack_) drawn = BLY_(bly_bridge_z_)(draw, p, t, z, s.z);
            built =
                BLY_(bly_bridge_point_)(s, left, right, BLY_(bly_bridge_correlate_)(p, constants, &drawn, 0));
        }
        BLY_(bailey_store_)
        (x, t.x_offset + (s.point - 1) * p.x_row, p.x_path, t.range.low, t.range.high, built);
        if (BAILEY_BRIDGE_WRITE_SLOT(s.code) != BAILEY_BRIDGE_NO_SLOT)
            stack[BAILEY_BRIDGE_WRITE_SLOT(s.code)] = built;
    }
}

/* X(T) - X(t0). */
BAILEY_FN BLY_(bailey_pack_)
    BLY_(bly_bridge_root_)(bly_bridge_params p, const BAILEY_GLOBAL BLY_SCALAR *constants, BLY_SCALAR sigma,
                           const BLY_(bailey_pack_) * drawn, bailey_uint32 dim)
{
    if (p.fixed_end) return BLY_(bly_pack_splat_)(constants[p.dims + dim] - constants[dim]);
    return BLY_(bly_pack_fma_)(sigma, BLY_(bly_bridge_correlate_)(p, constants, drawn, dim),
                               BLY_(bly_pack_splat_)(0));
}

BAILEY_FN BLY_(bailey_pack_)
    BLY_(bly_bridge_left_)(BLY_(bailey_bridge_split_) s, BLY_(bailey_pack_) gap, BLY_(bailey_pack_) z)
{
    BLY_EACH(m) z.v[m] = BLY_(bailey_bridge_left_)(s, gap.v[m], z.v[m]);
    return z;
}

BAILEY_FN BLY_(bailey_pack_) BLY_(bly_pack_minus_)(BLY_(bailey_pack_) a, BLY_(bailey_pack_) b)
{
    BLY_EACH(m) a.v[m] = a.v[m] - b.v[m];
    return a;
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
    if (!p.fixed_end) drawn = BLY_(bly_bridge_z_)(draw, p, t, z, splits[0].z);
    left = right = BLY_(bly_bridge_root_)(p, constants, splits[0].sigma, &drawn, 0);
    if (p.steps == 1) BLY_(bailey_store_)
    (x, t.x_offset, p.x_path, t.range.low, t.range.high, BLY_(bly_pack_scale_)(splits[0].left_scale, left));
    for (bailey_uint32 k = 1; k < p.steps; k++) {
        const BLY_(bailey_bridge_split_) s = splits[k];
        BLY_(bailey_pack_) gap;
        switch (BAILEY_BRIDGE_SPLIT_SOURCE(s.code)) {
        case BAILEY_BRIDGE_SPLIT_LEFT: gap = left; break;
        case BAILEY_BRIDGE_SPLIT_RIGHT: gap = right; break;
        default: gap = stack[BAILEY_BRIDGE_SPLIT_READ_SLOT(s.code)];
        }
        drawn = BLY_(bly_bridge_z_)(draw, p, t, z, s.z);
        left = BLY_(bly_bridge_left_)(s, gap, BLY_(bly_bridge_correlate_)(p, constants, &drawn, 0));
        right = BLY_(bly_pack_minus_)(gap, left);
        if (BAILEY_BRIDGE_SPLIT_PUSH(s.code) == 1) stack[BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s.code)] = left;
        if (BAILEY_BRIDGE_SPLIT_PUSH(s.code) == 2) stack[BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s.code)] = right;
        if (BAILEY_BRIDGE_SPLIT_LEFT_DONE(s.code)) BLY_(bailey_store_)
        (x, t.x_offset + s.gap * p.x_row, p.x_path, t.range.low, t.range.high,
         BLY_(bly_pack_scale_)(s.left_scale, left));
        if (BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s.code)) BLY_(bailey_store_)
        (x, t.x_offset + s.node * p.x_row, p.x_path, t.range.low, t.range.high,
         BLY_(bly_pack_scale_)(s.right_scale, right));
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
    t.x_offset = (t.range.begin - p.first_path) * p.x_path;
    return t;
}

/* All Z of one step. */
BAILEY_FN void BLY_(bly_bridge_draw_)(int draw, bly_bridge_params p, BLY_(bly_bridge_item_) t,
                                      const BAILEY_GLOBAL BLY_SCALAR *z, bailey_uint32 step,
                                      BLY_(bailey_pack_) * drawn)
{
    for (bailey_uint32 i = 0; i < p.dims; i++)
        drawn[i] = BLY_(bly_bridge_z_)(draw, p, t, z, (bailey_uint64)step * p.dims + i);
}

/* Paths of a block of packs, which reads neighbours back from the output: no memory a path. */
BAILEY_FN void BLY_(bly_bridge_paths_output_)(int draw, bly_bridge_params p,
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
            if (!given) BLY_(bly_bridge_draw_)(draw, p, t, z, s.z, drawn);
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
                    built = BLY_(bly_bridge_point_)(s, left, right,
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
BAILEY_FN void BLY_(bly_bridge_increments_output_)(int draw, bly_bridge_params p,
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
            if (k != 0 || !p.fixed_end) BLY_(bly_bridge_draw_)(draw, p, t, z, s.z, drawn);
            for (bailey_uint32 i = 0; i < p.dims; i++) {
                const bailey_uint64 gap_offset = t.x_offset + ((bailey_uint64)s.gap * p.dims + i) * p.x_row;
                const bailey_uint64 node_offset = t.x_offset + ((bailey_uint64)s.node * p.dims + i) * p.x_row;
                if (k == 0) {
                    BLY_(bailey_pack_) root = BLY_(bly_bridge_root_)(p, constants, s.sigma, drawn, i);
                    if (p.steps == 1) root = BLY_(bly_pack_scale_)(s.left_scale, root);
                    BLY_(bailey_store_)(x, gap_offset, p.x_path, t.range.low, t.range.high, root);
                    continue;
                }
                const BLY_(bailey_pack_) gap =
                    BLY_(bailey_load_)(x, gap_offset, p.x_path, t.range.low, t.range.high);
                const BLY_(bailey_pack_) left =
                    BLY_(bly_bridge_left_)(s, gap, BLY_(bly_bridge_correlate_)(p, constants, drawn, i));
                BLY_(bailey_store_)
                (x, gap_offset, p.x_path, t.range.low, t.range.high,
                 BLY_(bly_pack_scale_)(s.left_scale, left));
                BLY_(bailey_store_)
                (x, node_offset, p.x_path, t.range.low, t.range.high,
                 BLY_(bly_pack_scale_)(s.right_scale, BLY_(bly_pack_minus_)(gap, left)));
            }
        }
    }
}

#if BAILEY_LANES > 1
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

/* C Z of a row, at an element of Z in the first row of its step. */
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
        BAILEY_GLOBAL BLY_SCALAR *to = x + ((bailey_uint64)row * p.dims + i) * p.x_row;
        if (p.x_path == 1)
            BLY_(bailey_stream_)(to + (path + part.low), own + part.low, part.high - part.low);
        else
            for (bailey_uint32 e = part.low; e < part.high; e++) to[(path + e) * p.x_path] = own[e];
    }
}

/* Paths of a block: `packs` packs at a time, their values in a pool. Rows of X are streamed, which saves
 * reading them first: 1.3 to 1.5 times the speed of reading neighbours back from X. */
BAILEY_FN void BLY_(bly_bridge_paths_pool_)(int draw, bly_bridge_params p,
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
                     BLY_(bly_bridge_point_)(s, BLY_(bly_pack_get_)(own + left * buffer + e),
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
                           : BLY_(bly_bridge_point_)(s, BLY_(bly_pack_get_)(own + left * buffer),
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

/* Scaled increments of a block, likewise. A finished part is scaled in its buffer: no step reads it again. */
BAILEY_FN void BLY_(bly_bridge_increments_pool_)(int draw, bly_bridge_params p,
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
                    const BLY_(bailey_pack_) left_part =
                        BLY_(bly_bridge_left_)(s, whole, BLY_(bly_pool_correlate_)(p, constants, row + e, i));
                    BLY_(bly_pack_put_)
                    (own + left * buffer + e, BLY_(bly_pack_scale_)(s.left_scale, left_part));
                    BLY_(bly_pack_put_)
                    (own + right * buffer + e,
                     BLY_(bly_pack_scale_)(s.right_scale, BLY_(bly_pack_minus_)(whole, left_part)));
                }
            }
            for (bailey_uint32 j = 0; j < t.packs; j++) {
                if (rows && k > 0 && j >= part.begin && j < part.end) continue;
                if (k > 0 || !p.fixed_end) BLY_(bly_bridge_draw_)
                (draw, p, BLY_(bly_bridge_pack_of_)(p, block, t.first + j), z, s.z, drawn);
                for (bailey_uint32 i = 0; i < p.dims; i++) {
                    BLY_SCALAR *own = pool + i * t.stride + j * BLY_PACK;
                    if (k == 0) {
                        BLY_(bailey_pack_) root = BLY_(bly_bridge_root_)(p, constants, s.sigma, drawn, i);
                        if (p.steps == 1) root = BLY_(bly_pack_scale_)(s.left_scale, root);
                        BLY_(bly_pack_put_)(own, root);
                        continue;
                    }
                    const BLY_(bailey_pack_) whole = BLY_(bly_pack_get_)(own + gap * buffer);
                    const BLY_(bailey_pack_) left_part =
                        BLY_(bly_bridge_left_)(s, whole, BLY_(bly_bridge_correlate_)(p, constants, drawn, i));
                    BLY_(bly_pack_put_)(own + left * buffer, BLY_(bly_pack_scale_)(s.left_scale, left_part));
                    BLY_(bly_pack_put_)
                    (own + right * buffer,
                     BLY_(bly_pack_scale_)(s.right_scale, BLY_(bly_pack_minus_)(whole, left_part)));
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

/* Path-major packs. Z of a pack of paths is transposed into a tile, a pack a row; each value takes the place
 * of the Z that it was built from; and the tile is transposed into X: a line of memory is read once, and
 * written once and whole. `place` tells which row of the tile holds a row of X. */
#define BLY_TILE_ROWS (BLY_TILE_BYTES / (BLY_PACK * sizeof(BLY_SCALAR)))

BAILEY_FN int BLY_(bly_tile_fits_)(int draw, bly_bridge_params p)
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

/* The last rows are met twice where the number of rows is no multiple of the lanes. Lanes without a path take
 * the nearest path's Z. */
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

/* All Z of one step, from the tile or drawn. */
BAILEY_FN void BLY_(bly_tile_draw_)(int draw, bly_bridge_params p, BLY_(bly_bridge_item_) t,
                                    const BLY_SCALAR *tile, bailey_uint32 step, BLY_(bailey_pack_) * drawn)
{
    for (bailey_uint32 i = 0; i < p.dims; i++) {
        const bailey_uint32 row = step * p.dims + i;
        drawn[i] = draw == BLY_DRAW_NONE ? BLY_(bly_pack_get_)(tile + row * BLY_PACK)
                                         : BLY_(bly_bridge_z_)(draw, p, t, 0, row);
    }
}

BAILEY_FN void BLY_(bly_bridge_paths_tile_)(int draw, bly_bridge_params p,
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
            if (!given) BLY_(bly_tile_draw_)(draw, p, t, tile, s.z, drawn);
            for (bailey_uint32 i = 0; i < p.dims; i++) {
                BLY_(bailey_pack_) left, right, built;
                left = right = BLY_(bly_pack_splat_)(constants[i]);
                if (s.left != 0)
                    left = BLY_(bly_pack_get_)(tile + place[(s.left - 1) * p.dims + i] * BLY_PACK);
                if (s.right != 0)
                    right = BLY_(bly_pack_get_)(tile + place[(s.right - 1) * p.dims + i] * BLY_PACK);
                built = given ? BLY_(bly_pack_splat_)(constants[p.dims + i])
                              : BLY_(bly_bridge_point_)(s, left, right,
                                                        BLY_(bly_bridge_correlate_)(p, constants, drawn, i));
                BLY_(bly_pack_put_)(tile + (to + i) * BLY_PACK, built);
                place[(s.point - 1) * p.dims + i] = to + i;
            }
        }
        BLY_(bly_tile_write_)(p, t, tile, place, x);
    }
    bailey_stream_end();
}

BAILEY_FN void BLY_(bly_bridge_increments_tile_)(int draw, bly_bridge_params p,
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
            if (!given) BLY_(bly_tile_draw_)(draw, p, t, tile, s.z, drawn);
            for (bailey_uint32 i = 0; i < p.dims; i++) {
                place[s.node * p.dims + i] = to + i; /* node 0 is the root */
                if (k == 0) {
                    BLY_(bailey_pack_) root = BLY_(bly_bridge_root_)(p, constants, s.sigma, drawn, i);
                    if (p.steps == 1) root = BLY_(bly_pack_scale_)(s.left_scale, root);
                    BLY_(bly_pack_put_)(tile + (to + i) * BLY_PACK, root);
                    continue;
                }
                BLY_SCALAR *at = tile + place[s.gap * p.dims + i] * BLY_PACK;
                const BLY_(bailey_pack_) gap = BLY_(bly_pack_get_)(at);
                const BLY_(bailey_pack_) left =
                    BLY_(bly_bridge_left_)(s, gap, BLY_(bly_bridge_correlate_)(p, constants, drawn, i));
                BLY_(bly_pack_put_)(at, BLY_(bly_pack_scale_)(s.left_scale, left));
                BLY_(bly_pack_put_)
                (tile + (to + i) * BLY_PACK,
                 BLY_(bly_pack_scale_)(s.right_scale, BLY_(bly_pack_minus_)(gap, left)));
            }
        }
        BLY_(bly_tile_write_)(p, t, tile, place, x);
    }
    bailey_stream_end();
}
#endif

/* The readback kernels. */
#define BLY_READBACK(kind, record)                                                                           \
    BAILEY_FN void BLY_(bly_bridge_##kind##_readback_)(                                                      \
        int draw, bly_bridge_params p, const BAILEY_GLOBAL BLY_(bailey_bridge_##record##_) * records,        \
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
    const bailey_uint32 packs = BLY_(bly_pool_packs_)(p, p.slots + 4);                                       \
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
#undef BLY_POOL
#undef BLY_OWN
#undef BLY_TILE_ROWS
