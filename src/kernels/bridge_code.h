/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The code of the programs that src/host/bridge/specialise_text.c writes: a bridge as straight-line code,
 * every row and every neighbour a constant and all values in registers. Weights are read from the records, at
 * constant offsets, so that one program serves all times that have the same construction order.
 *
 * A program includes kernels/bridges.h and defines, before it includes this file:
 *   BLY_REAL, BLY_SCALAR      f32 and float, or f64 and double
 *   BLY_BLOCK_ELEMENTS        elements of a generator block: 4 or 2
 *   BLY_WIDTH                 paths per item: 1, 2 or 4
 *   BLY_VECTOR                the type of BLY_WIDTH scalars; not with a width of 1
 *   BLY_RECORD                the type of the records
 *   BLY_DIMS
 *   BLY_PARTS                 items that share out the dims of a path; not defined where one makes all
 *   BLY_ITEM_DIMS             with it: dims that an item makes at most
 *   BLY_EXCHANGES             with it: 1 if they exchange Z
 *   BLY_DRAW                  BLY_DRAW_NONE or a BAILEY_DRAW_ method
 *   BLY_IN_LINE               1 if each row is drawn where it is used
 *   BLY_ROUNDS                of Philox, where normals are drawn
 *   BLY_POINTS                bits of a word, 32 or 64, where they are drawn from points; and BLY_OWEN, 1 if
 *                             words are hashed, and BLY_NORMAL, the function that makes a normal of a word
 *   BLY_WHOLE                 1 if all of an item's paths are in the range and its vectors are aligned
 *   BLY_Z_ROWS, BLY_X_ROWS    rows of Z and X
 *   BLY_TILE_ROWS             path-major: rows of the tile; 0 for step-major
 *   BLY_TILE_VECTORS          path-major: 1 if the tile is read and written in whole vectors
 *   BLY_REWRITES              1 if a row of X may be written twice: a gap waits there until it is split
 *   BLY_PAUSES                1 where loads are to stay where they are written
 *   BAILEY_ICDF_COPIES        of the table (bailey/device/lang/icdf_copies.h), before any header, where
 * groups copy it; and BLY_STASH_ROWS, the rows of the stash
 */
#ifndef BLY_BRIDGE_CODE_H
#define BLY_BRIDGE_CODE_H

#include "kernels/bridges.h"
#if defined(BLY_POINTS)
#include "kernels/sobol_draw.h"
#endif

#define BLY_PASTE_(a, b) a##b
#define BLY_PASTE(a, b) BLY_PASTE_(a, b)
#define BLY_(name) BLY_PASTE(name, BLY_REAL)

/* The values of an item's paths in one row. There are no loops over them: compilers take a time that grows
 * with the square of the number of loops. */
#if BLY_WIDTH == 1
typedef BLY_SCALAR bly_pack;
#else
typedef BLY_VECTOR bly_pack;
#endif
#if BLY_WIDTH == 1
#define BLY_MAP(r, f) r = f()
#elif BLY_WIDTH == 2
#define BLY_MAP(r, f) (r).x = f(.x), (r).y = f(.y)
#else
#define BLY_MAP(r, f) (r).x = f(.x), (r).y = f(.y), (r).z = f(.z), (r).w = f(.w)
#endif

#define BLY_VALUE bly_pack
#define BLY_VALUE_(name) bly_##name
#include "kernels/path_algebra.h"

#if BLY_DRAW == BLY_DRAW_NONE
#define BLY_Z_SPACE BAILEY_GLOBAL
#else
#define BLY_Z_SPACE BAILEY_ICDF_SPACE
#endif
#if defined(BLY_POINTS)
#define BLY_WORD BLY_PASTE(bailey_uint, BLY_POINTS)
#endif
#if !defined(BLY_PARTS)
#define BLY_PARTS 1
#define BLY_ITEM_DIMS BLY_DIMS
#endif
#define BLY_LANES (BLY_BLOCK / BLY_PARTS) /* items of a group that make the same dims */

/* C, where items share out the dims: [part][column][dim of the part]. */
#if BLY_PARTS > 1
#define BLY_FACTOR_ELEMENTS (BLY_EXCHANGES ? (BLY_PARTS * BLY_DIMS * BLY_ITEM_DIMS + 3) / 4 * 4 : 0)
#endif

#if defined(BLY_GIVEN)
/* Parameters with the weights of so many steps, which multiplications take from there without a load. */
typedef struct bly_given_params {
    bly_bridge_params p;
    BLY_SCALAR weights[3 * BLY_GIVEN];
} bly_given_params;

BAILEY_FN BLY_RECORD bly_given_step(const bly_given_params *given, int k)
{
    BLY_RECORD s;
    s.left_weight = given->weights[3 * k];
    s.right_weight = given->weights[3 * k + 1];
    s.sigma = given->weights[3 * k + 2];
    return s;
}
#endif

/* What normals are drawn from. */
typedef struct bly_origin {
#if defined(BLY_POINTS)
    const BAILEY_GLOBAL BLY_WORD *points; /* the table */
    const BAILEY_GLOBAL BLY_WORD *heads;  /* of the item's chunk, by row */
#else
    bailey_philox_keys keys;
    bailey_uint64 stream;
#endif
} bly_origin;

typedef struct bly_item {
    const BLY_Z_SPACE BLY_SCALAR *z; /* of the item's first path; drawn: the table of the inverse CDF */
    BAILEY_GLOBAL BLY_SCALAR *x;
    bailey_uint64 z_row, x_row;
    bly_origin from;
    bailey_uint64 begin;          /* of draws: the number of the first path */
    bailey_uint32 low, high;      /* the item's paths that are in the range */
    BLY_SHARED BLY_SCALAR *tile;  /* path-major: the item's first path in the group's tile */
    BLY_SHARED BLY_SCALAR *stash; /* drawn or exchanged: the item's first element */
#if BLY_PARTS > 1
    bailey_uint32 part;                  /* the item makes dims part, part + BLY_PARTS, ... */
    bailey_uint32 has_last;              /* whether it makes BLY_ITEM_DIMS of them, or one fewer */
    const BLY_SHARED BLY_SCALAR *shown;  /* the first element of its paths in the stash of all dims */
    const BLY_SHARED BLY_SCALAR *factor; /* entries of C of its dims, [column][dim] */
#endif
} bly_item;

/* NVIDIA's compilers make the address of a row from that of another one, and keep hundreds of them in
 * registers, which then are too few; but not of rows that lie a distance apart that they do not know. */
#if defined(BAILEY_HAS_OPAQUE)
#define BLY_FORGET() t.z_row = bailey_opaque(t.z_row), t.x_row = bailey_opaque(t.x_row);
#define BLY_UNKNOWN(x) bailey_opaque(x)
#else
#define BLY_FORGET()
#define BLY_UNKNOWN(x) x
#endif

/* The compiler moves loads to where their values are used, and then too few are under way. It moves none
 * across a barrier. On an H200 that is 0.94 of the speed of a copy instead of 0.89. */
#if BLY_PAUSES
#define BLY_PAUSE()                                                                                          \
    BLY_BARRIER();                                                                                           \
    BLY_FORGET()
#else
#define BLY_PAUSE()
#endif
#define BLY_EXCHANGE()                                                                                       \
    BLY_BARRIER();                                                                                           \
    BLY_FORGET()

/* Element (path, row) of the group's tile; an odd pitch, in elements or vectors, spreads the paths over the
 * banks. */
#if BLY_TILE_VECTORS
#define BLY_PITCH ((BLY_TILE_ROWS / BLY_BLOCK_ELEMENTS | 1) * BLY_BLOCK_ELEMENTS)
#else
#define BLY_PITCH (BLY_TILE_ROWS | 1)
#endif
#define BLY_TILE_AT(path, row) ((path)*BLY_PITCH + (row))
#define BLY_TILE_PATHS (BLY_LANES * BLY_WIDTH)
#if BLY_TILE_ROWS
#define BLY_TILE_ELEMENTS (BLY_TILE_PATHS * BLY_PITCH)
#else
#define BLY_TILE_ELEMENTS 0
#endif

BAILEY_FN bly_item bly_item_begin(bly_bridge_params p, const BLY_Z_SPACE BLY_SCALAR *z,
                                  BAILEY_GLOBAL BLY_SCALAR *x, BLY_SHARED bailey_uint64 *shared,
                                  bailey_uint64 item)
{
    bly_item t;
    t.z_row = p.z_row;
    t.x_row = p.x_row;
#if !defined(BLY_POINTS)
    t.from.keys = p.keys;
    t.from.stream = p.stream;
#endif
    t.low = 0;
    t.high = BLY_WIDTH;
    bailey_uint64 path; /* from first_path; may be below it */
    bailey_uint32 lane = BLY_LOCAL_ID;
#if BLY_PARTS > 1
    t.part = lane / BLY_LANES;
    t.has_last = t.part + (BLY_ITEM_DIMS - 1) * BLY_PARTS < BLY_DIMS;
    lane %= BLY_LANES;
    item = (item - BLY_LOCAL_ID) / BLY_PARTS + lane;
#endif
#if BLY_DRAW != BLY_DRAW_NONE && !BLY_WHOLE
    const bly_range range = bly_range_of_item(p.first_path, p.paths, BLY_BLOCK_ELEMENTS, BLY_WIDTH, item);
    path = range.begin - p.first_path;
    t.low = range.low;
    t.high = range.high;
#else
    /* An item past the end does the last one's work again: all items of a group must meet at the barriers,
     * and they write the same values. Where rows are written twice it writes none, as the other may be
     * elsewhere in its work. */
    path = item * BLY_WIDTH;
    if (path >= p.paths) {
        path = p.paths - BLY_WIDTH;
#if BLY_REWRITES
        t.high = 0;
#endif
    }
#endif
    t.begin = p.first_path + path;
#if BLY_PARTS > 1
    const bailey_uint64 z_first = BLY_UNKNOWN(path + t.part * p.z_row),
                        x_first = BLY_UNKNOWN(path + t.part * p.x_row);
#else
    const bailey_uint64 z_first = path, x_first = path;
#endif
#if BLY_DRAW == BLY_DRAW_NONE
    t.z = z + z_first;
#else
    t.z = z;
#endif
    t.x = x + x_first;
    t.tile = (BLY_SHARED BLY_SCALAR *)shared + BLY_TILE_AT(BLY_LOCAL_ID * BLY_WIDTH, 0);
    t.stash = (BLY_SHARED BLY_SCALAR *)shared + BLY_TILE_ELEMENTS + lane * BLY_WIDTH;
#if BLY_PARTS > 1
    t.shown = t.stash + BLY_FACTOR_ELEMENTS;
    t.stash += BLY_FACTOR_ELEMENTS + t.part * BLY_TILE_PATHS;
    t.factor = (const BLY_SHARED BLY_SCALAR *)shared + t.part * (BLY_DIMS * BLY_ITEM_DIMS);
#endif
    return t;
}

#if BLY_PARTS > 1

/* Copies C to where items find it, with the whole group; a barrier must follow. */
BAILEY_FN void bly_factor_fill(const BAILEY_GLOBAL BLY_SCALAR *c, BLY_SHARED bailey_uint64 *shared)
{
    BLY_SHARED BLY_SCALAR *factor = (BLY_SHARED BLY_SCALAR *)shared;
    for (bailey_uint32 i = BLY_LOCAL_ID; i < BLY_PARTS * BLY_DIMS * BLY_ITEM_DIMS; i += BLY_BLOCK) {
        const bailey_uint32 part = i / (BLY_DIMS * BLY_ITEM_DIMS), column = i / BLY_ITEM_DIMS % BLY_DIMS;
        const bailey_uint32 dim = part + i % BLY_ITEM_DIMS * BLY_PARTS;
        factor[i] = column <= dim && dim < BLY_DIMS ? c[(2 + dim) * BLY_DIMS + column] : 0;
    }
}

/* What the item shows to the others, or keeps for itself. */
BAILEY_FN void bly_show(const bly_item *t, bailey_uint32 place, bly_pack value)
{
    *(BLY_SHARED bly_pack *)(t->stash + place * BLY_TILE_PATHS) = value;
}

BAILEY_FN bly_pack bly_own(const bly_item *t, bailey_uint32 place)
{
    return *(const BLY_SHARED bly_pack *)(t->stash + place * BLY_TILE_PATHS);
}

/* What another item has shown. */
BAILEY_FN bly_pack bly_shown(const bly_item *t, bailey_uint32 place)
{
    return *(const BLY_SHARED bly_pack *)(t->shown + place * BLY_TILE_PATHS);
}

#endif

#if BLY_DRAW != BLY_DRAW_NONE

#if defined(BLY_POINTS)

BAILEY_FN void bly_item_draws_from(bly_item *t, bly_bridge_params p, const BAILEY_GLOBAL BLY_WORD *points,
                                   const BAILEY_GLOBAL BLY_WORD *heads)
{
    const bailey_uint64 base = p.first_path & ~(bailey_uint64)(BLY_SOBOL_CHUNK - 1);
    const bailey_uint64 last = (p.first_path + (p.paths - 1) - base) >> BLY_SOBOL_CHUNK_BITS;
    const bailey_uint64 chunk = (t->begin - base) >> BLY_SOBOL_CHUNK_BITS; /* may be past the last */
    t->from.points = points;
    t->from.heads = heads + (chunk < last ? chunk : last) * BLY_Z_ROWS;
}

/* What row `row` is drawn from, fetched while the row before is drawn. */
typedef BLY_PASTE(bly_sobol_row_, BLY_POINTS) bly_fetched;
BAILEY_FN bly_fetched bly_fetch(bly_origin from, bailey_uint64 row)
{
    return BLY_PASTE(bly_sobol_fetch_, BLY_POINTS)(from.points + row * BLY_SOBOL_STRIDE, from.heads + row,
                                                   BLY_OWEN);
}

/* Its normals for the paths from `begin` on. */
BAILEY_FN BLY_(bailey_pack_) bly_draw_row(bly_origin from, const BAILEY_ICDF_SPACE BLY_SCALAR *table,
                                          bailey_uint64 begin, bly_fetched row)
{
    const BLY_PASTE(bly_sobol_near_, BLY_POINTS) w =
        BLY_PASTE(bly_sobol_near_of_, BLY_POINTS)(&row, begin, BLY_WIDTH);
    BLY_(bailey_pack_) x;
    (void)from;
    BAILEY_UNROLL
    for (int j = 0; j < BLY_WIDTH; j++)
        x.value[j] = BLY_NORMAL(
            table, BLY_OWEN ? BLY_PASTE(bailey_sobol_owen_u, BLY_POINTS)(w.value[j], row.seeds) : w.value[j]);
    return x;
}

#else

typedef bailey_uint64 bly_fetched;
BAILEY_FN bly_fetched bly_fetch(bly_origin from, bailey_uint64 row)
{
    (void)from;
    return row;
}

/* The path's number and the row's have no bit in common: written with |, this shows the compiler that most of
 * two rounds of Philox is the same for all rows. */
BAILEY_FN BLY_(bailey_pack_) bly_draw_row(bly_origin from, const BAILEY_ICDF_SPACE BLY_SCALAR *table,
                                          bailey_uint64 begin, bly_fetched row)
{
    return BLY_(bailey_draw_rounds_)(BLY_ROUNDS, BLY_DRAW, table, from.keys, from.stream,
                                     row << BLY_PATH_BITS | begin);
}

#endif

/* Row `row` of Z. */
BAILEY_FN bly_pack bly_drawn(const BAILEY_ICDF_SPACE BLY_SCALAR *table, bly_origin from, bailey_uint64 begin,
                             bly_fetched row)
{
    const BLY_(bailey_pack_) drawn = bly_draw_row(from, table, begin, row);
    bly_pack values;
    values.x = drawn.value[0];
    values.y = drawn.value[1];
#if BLY_WIDTH == 4
    values.z = drawn.value[2];
    values.w = drawn.value[3];
#endif
    return values;
}

#if BLY_IN_LINE

/* Row `row` of Z, a constant, where it is used. */
BAILEY_FN bly_pack bly_z(const bly_item *t, bailey_uint64 row)
{
    return bly_drawn(t->z, t->from, t->begin, bly_fetch(t->from, row));
}

#else

/* The dimension and the row that a turn of bly_draw makes. */
#if BLY_PARTS > 1
#define BLY_DIM_OF(i) (part + (i) % BLY_ITEM_DIMS * BLY_PARTS)
#else
#define BLY_DIM_OF(i) ((i) % BLY_DIMS)
#endif
#define BLY_ROW_OF(i) ((bailey_uint64)s[(i) / BLY_ITEM_DIMS].row * BLY_DIMS + BLY_DIM_OF(i))

/* Whether a turn fetches what the next one needs. With the inverse CDF that makes 0.379 of a fill instead of
 * 0.351 in f64 and 0.495 instead of 0.489 in f32 on an H200; fast Box-Muller lost 0.01 by it. */
#if defined(BLY_POINTS) || BLY_DRAW == BAILEY_DRAW_ICDF
#define BLY_FETCHES_AHEAD 1
#else
#define BLY_FETCHES_AHEAD 0
#endif

/* Turns that stand side by side. On an H200 two of them make 0.61 of a fill instead of 0.58 with fast
 * Box-Muller; in f64 Box-Muller takes too many registers for two, 0.38 instead of 0.41. */
#if BLY_DRAW == BAILEY_DRAW_BOX_MULLER && BLY_BLOCK_ELEMENTS == 2
#define BLY_TURNS BAILEY_UNROLL_1
#else
#define BLY_TURNS BAILEY_UNROLL_2
#endif

/* Draws the rows of `steps` records into the item's stash in shared memory, for the code after it. A draw is
 * a hundred instructions, so where there are many it stands in the program once, in a loop, in a function
 * that is called. */
BAILEY_CALLED void bly_draw(BLY_SHARED BLY_SCALAR *stash, const BAILEY_ICDF_SPACE BLY_SCALAR *table,
                            bly_origin from, bailey_uint64 begin, const BAILEY_GLOBAL BLY_RECORD *s,
                            bailey_uint32 steps
#if BLY_PARTS > 1
                            ,
                            bailey_uint32 part
#endif
)
{
    const bailey_uint32 turns = steps * BLY_ITEM_DIMS;
#if BLY_FETCHES_AHEAD
    bly_fetched next = bly_fetch(from, BLY_ROW_OF(0));
#endif
#if defined(BAILEY_IS_CUDA)
    BLY_TURNS
#endif
    for (bailey_uint32 i = 0; i < turns; i++) {
        const bailey_uint32 dim = BLY_DIM_OF(i);
#if BLY_FETCHES_AHEAD
        const bly_fetched row = next;
        if (i + 1 < turns && BLY_DIM_OF(i + 1) < BLY_DIMS) next = bly_fetch(from, BLY_ROW_OF(i + 1));
#else
        const bly_fetched row = bly_fetch(from, BLY_ROW_OF(i));
#endif
#if BLY_PARTS > 1
        const bailey_uint32 place = i / BLY_ITEM_DIMS * BLY_DIMS + dim - part;
        if (dim >= BLY_DIMS) continue;
#else
        const bailey_uint32 place = i;
#endif
        *(BLY_SHARED bly_pack *)(stash + place * BLY_TILE_PATHS) = bly_drawn(table, from, begin, row);
    }
}

BAILEY_FN bly_pack bly_z(const bly_item *t, bailey_uint32 place)
{
    return *(const BLY_SHARED bly_pack *)(t->stash + place * BLY_TILE_PATHS);
}

#endif

#if defined(BAILEY_ICDF_COPIES)

/* A group copies the table of the inverse CDF behind its stash. */
#define BLY_COPIES_AT(shared) ((BLY_SHARED BLY_SCALAR *)(shared) + BLY_STASH_ROWS * BLY_TILE_PATHS)
#define BLY_COPY_TABLE(shared, table)                                                                        \
    BLY_(bailey_icdf_copy_)(BLY_COPIES_AT(shared), table, BLY_LOCAL_ID, BLY_BLOCK);                          \
    BLY_BARRIER();

#endif

#else

/* Row `row` of Z: one dimension of a step. */
BAILEY_FN bly_pack bly_z(const bly_item *t, bailey_uint64 row)
{
#if BLY_TILE_ROWS
    return t->tile[row];
#else
    return *(const BAILEY_GLOBAL bly_pack *)(t->z + row * t->z_row);
#endif
}

#endif

/* Stores row `row` of X; path-major, in row `tile_row` of the tile. */
BAILEY_FN void bly_x(const bly_item *t, bailey_uint64 row, bailey_uint32 tile_row, bly_pack value)
{
#if BLY_REWRITES
    if (t->high == 0) return;
#endif
#if BLY_TILE_ROWS
    BLY_SHARED BLY_SCALAR *x = t->tile + tile_row;
    const bailey_uint32 next = BLY_PITCH;
    (void)row;
#else
    BAILEY_GLOBAL BLY_SCALAR *x = t->x + row * t->x_row;
    const bailey_uint32 next = 1;
    (void)tile_row;
#endif
#if BLY_WIDTH == 1
    (void)next;
    *x = value;
#elif !BLY_TILE_ROWS && (BLY_DRAW == BLY_DRAW_NONE || BLY_WHOLE)
    (void)next;
    *(BAILEY_GLOBAL bly_pack *)x = value;
#else
    if (t->low == 0 && t->high > 0) x[0] = value.x;
    if (t->low <= 1 && t->high > 1) x[next] = value.y;
#if BLY_WIDTH == 4
    if (t->low <= 2 && t->high > 2) x[2 * next] = value.z;
    if (t->high > 3) x[3 * next] = value.w;
#endif
#endif
}

#if !BLY_TILE_ROWS

/* A neighbour of BLOCKS: a value of the step before, or read back from row `row`. */
BAILEY_FN bly_pack bly_source(const bly_item *t, bailey_uint32 source, bailey_uint64 row, bly_pack left,
                              bly_pack right, bly_pack built, bly_pack start)
{
    switch (source) {
    case BAILEY_BRIDGE_FROM_LEFT: return left;
    case BAILEY_BRIDGE_FROM_RIGHT: return right;
    case BAILEY_BRIDGE_FROM_BUILT: return built;
    case BAILEY_BRIDGE_FROM_START: return start;
    }
    const BAILEY_GLOBAL BLY_SCALAR *x = t->x + row * t->x_row;
#if BLY_WIDTH == 1 || BLY_DRAW == BLY_DRAW_NONE || BLY_WHOLE
    return *(const BAILEY_GLOBAL bly_pack *)x;
#else
    bly_pack r = start;
    if (t->low == 0 && t->high > 0) r.x = x[0];
    if (t->low <= 1 && t->high > 1) r.y = x[1];
#if BLY_WIDTH == 4
    if (t->low <= 2 && t->high > 2) r.z = x[2];
    if (t->high > 3) r.w = x[3];
#endif
    return r;
#endif
}

#endif

#if BLY_TILE_ROWS

/* Path-major arrays: the paths of a group lie one after the other in memory. They pass through a tile
 * [path][row] in shared memory, which the group fills and empties in the order of memory and the items use
 * one path each. A path's row of Z gives its place to a row of X once it has been used. */

/* The group's first path, counted from first_path (it may lie below), and its paths low .. high - 1. */
typedef struct bly_tile_range {
    bailey_uint64 first;
    bailey_uint32 low, high;
} bly_tile_range;

BAILEY_FN bly_tile_range bly_tile_range_of(bly_bridge_params p, bailey_uint64 item)
{
    bly_tile_range r;
    const bailey_uint64 before = BLY_DRAW == BLY_DRAW_NONE ? 0 : p.first_path % BLY_BLOCK_ELEMENTS;
    r.first = (item - BLY_LOCAL_ID) * BLY_WIDTH - before;
    r.low = item == BLY_LOCAL_ID ? (bailey_uint32)before : 0;
    const bailey_uint64 left = p.paths - r.first; /* wraps as `first` does */
    r.high = left < BLY_TILE_PATHS ? (bailey_uint32)left : BLY_TILE_PATHS;
    return r;
}

/* Memory is moved in vectors of 16 bytes, a few per item under way, where it is aligned to them. */
typedef BLY_PASTE(BLY_SCALAR, BLY_BLOCK_ELEMENTS) bly_vector;
#define BLY_UNDER_WAY 8

#if BLY_TILE_VECTORS

/* Rows BLY_BLOCK_ELEMENTS v ... of the item's path, which has a width of 1. */
BAILEY_FN bly_vector bly_tile_get(const bly_item *t, bailey_uint32 v)
{
    return ((const BLY_SHARED bly_vector *)t->tile)[v];
}

/* The same rows of X, of all of the item's paths. */
#if BLY_BLOCK_ELEMENTS == 4
#define BLY_PUT(j, part)                                                                                     \
    r.x = a part, r.y = b part, r.z = c part, r.w = d part;                                                  \
    ((BLY_SHARED bly_vector *)(t->tile + (j)*BLY_PITCH))[v] = r;
#else
#define BLY_PUT(j, part)                                                                                     \
    r.x = a part, r.y = b part;                                                                              \
    ((BLY_SHARED bly_vector *)(t->tile + (j)*BLY_PITCH))[v] = r;
#endif
BAILEY_FN void bly_tile_put(const bly_item *t, bailey_uint32 v, bly_pack a, bly_pack b
#if BLY_BLOCK_ELEMENTS == 4
                            ,
                            bly_pack c, bly_pack d
#endif
)
{
    bly_vector r;
#if BLY_WIDTH == 1
    BLY_PUT(0, )
#else
    BLY_PUT(0, .x)
    BLY_PUT(1, .y)
#if BLY_WIDTH == 4
    BLY_PUT(2, .z)
    BLY_PUT(3, .w)
#endif
#endif
}

#endif

/* Where element e of the group's part of an array of `rows` rows lies in the tile. */
#define BLY_TILE_OF(e, rows) BLY_TILE_AT((e) / (rows), (e) % (rows))

#if BLY_Z_ROWS

BAILEY_FN void bly_tile_fill(bly_bridge_params p, BLY_SHARED bailey_uint64 *shared,
                             const BAILEY_GLOBAL BLY_SCALAR *z, bailey_uint64 item)
{
    BLY_SHARED BLY_SCALAR *tile = (BLY_SHARED BLY_SCALAR *)shared;
    const bly_tile_range r = bly_tile_range_of(p, item);
    const BAILEY_GLOBAL BLY_SCALAR *from = z + r.first * BLY_Z_ROWS;
    const bailey_uint32 count = r.high * BLY_Z_ROWS;
    const bailey_uint32 whole = ((size_t)from & 15) == 0 ? count / BLY_BLOCK_ELEMENTS : 0;
#if BLY_TILE_VECTORS && defined(BAILEY_COPY_16)
    for (bailey_uint32 v = BLY_LOCAL_ID; v < whole; v += BLY_BLOCK)
        BAILEY_COPY_16(tile + BLY_TILE_OF(v * BLY_BLOCK_ELEMENTS, BLY_Z_ROWS), (const bly_vector *)from + v);
    BAILEY_COPIED();
#else
    const bailey_uint32 last = whole ? whole - 1 : 0;
    for (bailey_uint32 v = BLY_LOCAL_ID; v < whole; v += BLY_UNDER_WAY * BLY_BLOCK) {
        bly_vector part[BLY_UNDER_WAY];
        for (bailey_uint32 u = 0; u < BLY_UNDER_WAY; u++) {
            const bailey_uint32 at = v + u * BLY_BLOCK;
            part[u] = ((const BAILEY_GLOBAL bly_vector *)from)[at < whole ? at : last];
        }
        for (bailey_uint32 u = 0; u < BLY_UNDER_WAY; u++) {
            const bailey_uint32 at = v + u * BLY_BLOCK, e = (at < whole ? at : last) * BLY_BLOCK_ELEMENTS;
#if BLY_TILE_VECTORS
            *(BLY_SHARED bly_vector *)(tile + BLY_TILE_OF(e, BLY_Z_ROWS)) = part[u];
#else
            tile[BLY_TILE_OF(e, BLY_Z_ROWS)] = part[u].x;
            tile[BLY_TILE_OF(e + 1, BLY_Z_ROWS)] = part[u].y;
#if BLY_BLOCK_ELEMENTS == 4
            tile[BLY_TILE_OF(e + 2, BLY_Z_ROWS)] = part[u].z;
            tile[BLY_TILE_OF(e + 3, BLY_Z_ROWS)] = part[u].w;
#endif
#endif
        }
    }
#endif
    for (bailey_uint32 e = whole * BLY_BLOCK_ELEMENTS + BLY_LOCAL_ID; e < count; e += BLY_BLOCK)
        tile[BLY_TILE_OF(e, BLY_Z_ROWS)] = from[e];
    BLY_BARRIER();
}

#endif

/* Element e of the group's part of X; `places` says in which row of the tile a row of X lies, where the tile
 * is not in whole vectors. */
BAILEY_FN BLY_SCALAR bly_tile_x(const BLY_SHARED BLY_SCALAR *tile, const BLY_SHARED unsigned short *places,
                                bailey_uint32 e)
{
    const bailey_uint32 row = e % BLY_X_ROWS;
#if BLY_TILE_VECTORS
    (void)places;
    return tile[BLY_TILE_AT(e / BLY_X_ROWS, row)];
#else
    return tile[BLY_TILE_AT(e / BLY_X_ROWS, places[row / BLY_DIMS] * BLY_DIMS + row % BLY_DIMS)];
#endif
}

BAILEY_FN void bly_tile_empty(bly_bridge_params p, BLY_SHARED bailey_uint64 *shared,
                              const BLY_SHARED unsigned short *places, BAILEY_GLOBAL BLY_SCALAR *x,
                              bailey_uint64 item)
{
    const BLY_SHARED BLY_SCALAR *tile = (const BLY_SHARED BLY_SCALAR *)shared;
    const bly_tile_range r = bly_tile_range_of(p, item);
    const bailey_uint64 at = r.first * BLY_X_ROWS; /* an element of x, which wraps as r.first does */
    const bailey_uint32 count = r.high * BLY_X_ROWS;
    const bailey_uint32 whole = r.low == 0 && ((size_t)(x + at) & 15) == 0 ? count / BLY_BLOCK_ELEMENTS : 0;
    BLY_BARRIER();
    for (bailey_uint32 v = BLY_LOCAL_ID; v < whole; v += BLY_BLOCK) {
        const bailey_uint32 e = v * BLY_BLOCK_ELEMENTS;
#if BLY_TILE_VECTORS
        const bly_vector part = *(const BLY_SHARED bly_vector *)(tile + BLY_TILE_OF(e, BLY_X_ROWS));
#else
        bly_vector part;
        part.x = bly_tile_x(tile, places, e);
        part.y = bly_tile_x(tile, places, e + 1);
#if BLY_BLOCK_ELEMENTS == 4
        part.z = bly_tile_x(tile, places, e + 2);
        part.w = bly_tile_x(tile, places, e + 3);
#endif
#endif
        ((BAILEY_GLOBAL bly_vector *)(x + at))[v] = part;
    }
    const bailey_uint32 begin = whole ? whole * BLY_BLOCK_ELEMENTS : r.low * BLY_X_ROWS;
    for (bailey_uint32 e = begin + BLY_LOCAL_ID; e < count; e += BLY_BLOCK)
        x[at + e] = bly_tile_x(tile, places, e);
}

#endif

#endif
