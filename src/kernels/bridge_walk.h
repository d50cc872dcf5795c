/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridge strategies that walk a plan's records, as in du Toit (NAG 2011), sections 3 to 7, except for those
 * of kernels/bridge_items.h. The text of one program, kernel bly_bridge: src/host/bridge/walk.c writes the
 * macros that choose among the parts, and includes this file after kernels/group_entry.h.
 *
 *   BLY_WALK_F64         1 for double precision
 *   BLY_WALK_INCREMENTS  1 for scaled increments
 *   BLY_WALK_DIMS        dimensions
 *   BLY_WALK_FIXED_END, BLY_WALK_CORRELATED
 *   BLY_WALK_DRAW        BLY_DRAW_NONE, or the BAILEY_DRAW_ method
 *   BLY_ROUNDS           of Philox, where normals are drawn
 *   BLY_WALK_PATHS       paths an item makes: 1, or those of a generator block
 *   BLY_WALK_TEAM        0: an item makes all dimensions of its paths. Else items cooperate, one for each
 *                        dimension, and this is the number of such teams in a group
 *   BLY_WALK_SLOTS       stack slots
 *   BLY_WALK_REUSE       1: neighbours come from registers where the record's code says so. 0: always from
 *                        the stack, and codes have another form, see below
 *   BLY_WALK_STACK       where the stack is, and
 *   BLY_WALK_RECORDS     where records are read from: 0 private and constant memory, 1 memory that the
 *                        group shares, 2 (records only) global memory
 *   BLY_WALK_CONSTANTS   1: start, end and C are in constant memory too
 *   BLY_WALK_AHEAD       steps whose normals are fetched ahead; 0 for none
 *   BLY_WALK_LOOK        records that are fetched ahead; 0 for none
 *   BLY_WALK_SECTION     records that are copied into shared memory at a time, a multiple of BLY_WALK_AHEAD
 *
 * Records for walks without reuse. Every point that is read has been written to a slot, t0 to slot 0, and
 * a point that is not read is written to a slot that is not read: steps have no branch. The masks of
 * `code` are the usual ones, with both sources the stack; the code of a split names the slot that its
 * right part is written to in bits 24-31, and PUSH is not used. The root is a split of a gap 0.
 *
 * Records in constant memory are the arrays bly_walk_z and so on that bly_walk_at reads: 7 bytes of
 * indices per point as in section 3 (9 per split). They and bly_walk_constants come before the #include.
 */
#ifndef BLY_BRIDGE_WALK_H
#define BLY_BRIDGE_WALK_H

#include "kernels/bridges.h"

#define BLY_PASTE_(a, b) a##b
#define BLY_PASTE(a, b) BLY_PASTE_(a, b)
#if BLY_WALK_F64
#define BLY_(name) BLY_PASTE(name, f64)
#define BLY_SCALAR double
#define BLY_BLOCK_NORMALS 2
#else
#define BLY_(name) BLY_PASTE(name, f32)
#define BLY_SCALAR float
#define BLY_BLOCK_NORMALS 4
#endif

#if BLY_WALK_INCREMENTS
typedef BLY_(bailey_bridge_split_) bly_walk_record;
#else
typedef BLY_(bailey_bridge_step_) bly_walk_record;
#endif

/* Rows of Z and X that an item takes per step. */
#if BLY_WALK_TEAM
#define BLY_ROWS 1
#else
#define BLY_ROWS BLY_WALK_DIMS
#endif
#define BLY_EACH_ROW(i) for (bailey_uint32 i = 0; i < BLY_ROWS; i++)
#define BLY_EACH_PATH(m) for (bailey_uint32 m = 0; m < BLY_WALK_PATHS; m++)

/* One number for each path of an item. */
#if BLY_WALK_PATHS == 1
typedef struct bly_walk_value {
    BLY_SCALAR value[1];
} bly_walk_value;
#else
typedef BLY_(bailey_pack_) bly_walk_value;
#endif

/* ---- Which paths, and their Z and X ---------------------------------------------------------- */

typedef struct bly_walk_place {
    bly_range range;                  /* of paths */
    bailey_uint64 z_offset, x_offset; /* of the first one, in row 0 */
    bailey_uint32 team, dim;          /* in the group; 0 where items do not cooperate */
} bly_walk_place;

BAILEY_FN bly_walk_place bly_walk_begin(bly_bridge_params p, bailey_uint64 item)
{
    bly_walk_place t;
#if BLY_WALK_TEAM
    /* Neighbouring items take neighbouring paths, so that they access neighbouring elements. */
    t.team = BLY_LOCAL_ID % BLY_WALK_TEAM;
    t.dim = BLY_LOCAL_ID / BLY_WALK_TEAM;
    item = (item - BLY_LOCAL_ID) / BLY_BLOCK * BLY_WALK_TEAM + t.team;
#else
    t.team = t.dim = 0;
#endif
#if BLY_WALK_PATHS == 1
    t.range.begin = (p.first_path & ~(bailey_uint64)(BLY_BLOCK_NORMALS - 1)) + item;
    t.range.low = 0;
    t.range.high = t.range.begin >= p.first_path && t.range.begin - p.first_path < p.paths;
#else
    t.range = bly_range_of_item(p.first_path, p.paths, BLY_BLOCK_NORMALS, BLY_WALK_PATHS, item);
#endif
    t.z_offset = (t.range.begin - p.first_path) * p.z_path;
    t.x_offset = p.x_first + (t.range.begin - p.first_path) * p.x_path;
    return t;
}

/* The item's rows of Z for step row `step`, to z[0 .. BLY_ROWS - 1]. `memory` is Z or, where it is drawn, the
 * table of the inverse CDF. */
BAILEY_FN void bly_walk_fetch(bly_bridge_params p, bly_walk_place t, const BAILEY_GLOBAL BLY_SCALAR *memory,
                              bailey_uint32 step, bly_walk_value *z)
{
    BLY_EACH_ROW(i)
    {
        const bailey_uint64 row = (bailey_uint64)step * BLY_WALK_DIMS + t.dim + i;
#if BLY_WALK_DRAW != BLY_DRAW_NONE
        const BLY_(bailey_pack_) drawn = BLY_(bailey_draw_rounds_)(
            BLY_ROUNDS, BLY_WALK_DRAW, memory, p.keys, p.stream,
            (row << BLY_PATH_BITS) + (t.range.begin & ~(bailey_uint64)(BLY_BLOCK_NORMALS - 1)));
#if BLY_WALK_PATHS == 1
        z[i].value[0] = drawn.value[0];
        for (bailey_uint32 m = 1; m < BLY_BLOCK_NORMALS; m++)
            if ((t.range.begin & (BLY_BLOCK_NORMALS - 1)) == m) z[i].value[0] = drawn.value[m];
#else
        z[i] = drawn;
#endif
#elif BLY_WALK_PATHS == 1
        z[i].value[0] = t.range.high ? memory[t.z_offset + row * p.z_row] : 0;
#else
        z[i] = BLY_(bailey_load_)(memory, t.z_offset + row * p.z_row, p.z_path, t.range.low, t.range.high);
#endif
    }
}

/* The item's row i of step row `step` of X. */
BAILEY_FN void bly_walk_store(bly_bridge_params p, bly_walk_place t, BAILEY_GLOBAL BLY_SCALAR *x,
                              bailey_uint32 step, bailey_uint32 i, bly_walk_value value)
{
    const bailey_uint64 row = (bailey_uint64)step * BLY_WALK_DIMS + t.dim + i;
#if BLY_WALK_PATHS == 1
    if (t.range.high) x[t.x_offset + row * p.x_row] = value.value[0];
#else
    BLY_(bailey_store_)
    (x, t.x_offset + row * p.x_row, p.x_path, t.range.low, t.range.high, value);
#endif
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

#define BLY_VALUE bly_walk_value
#define BLY_VALUE_(name) bly_walk_##name
#define BLY_MAP(r, f) BLY_EACH_PATH(m) r.value[m] = f(.value[m])
#include "kernels/path_algebra.h"

/* ---- Constants ------------------------------------------------------------------------------- */

/* Entry i of start[dims], end[dims], C[dims][dims]. */
#if BLY_WALK_CONSTANTS
#define BLY_CONSTANT(i) bly_walk_constants[i]
#else
#define BLY_CONSTANT(i) constants[i]
#endif

/* Where an item has all dimensions, and they are few, it keeps C in registers, row after row of the lower
 * triangle (section 6). */
#define BLY_C_IN_REGISTERS (BLY_WALK_CORRELATED && !BLY_WALK_TEAM && BLY_WALK_DIMS <= 8)
#if BLY_C_IN_REGISTERS
#define BLY_C(i, j) c[(i) * ((i) + 1) / 2 + (j)]
#else
#define BLY_C(i, j) BLY_CONSTANT((2 + (i)) * BLY_WALK_DIMS + (j))
#endif

/* ---- Stack ----------------------------------------------------------------------------------- */

#if BLY_WALK_STACK == 1
/* Element (slot, row, path m) of all items of the group lies together, so that no two of them that access
 * it meet in a bank. `stack` is the item's first element. */
BAILEY_FN bly_walk_value bly_walk_pull(const BLY_SHARED BLY_SCALAR *stack, bailey_uint32 slot,
                                       bailey_uint32 i)
{
    bly_walk_value r;
    BLY_EACH_PATH(m) r.value[m] = stack[((slot * BLY_ROWS + i) * BLY_WALK_PATHS + m) * BLY_BLOCK];
    return r;
}
BAILEY_FN void bly_walk_push(BLY_SHARED BLY_SCALAR *stack, bailey_uint32 slot, bailey_uint32 i,
                             bly_walk_value value)
{
    BLY_EACH_PATH(m) stack[((slot * BLY_ROWS + i) * BLY_WALK_PATHS + m) * BLY_BLOCK] = value.value[m];
}
#define BLY_PULL(slot, i) bly_walk_pull(stack, slot, i)
#define BLY_PUSH(slot, i, value) bly_walk_push(stack, slot, i, value)
#else
#define BLY_PULL(slot, i) stack[(slot)*BLY_ROWS + (i)]
#define BLY_PUSH(slot, i, value) stack[(slot)*BLY_ROWS + (i)] = (value)
#endif

/* ---- Records --------------------------------------------------------------------------------- */

#if BLY_WALK_RECORDS == 0
BAILEY_FN bly_walk_record bly_walk_at(bailey_uint32 k)
{
    bly_walk_record s;
    s.row = bly_walk_z[k];
#if BLY_WALK_INCREMENTS
    /* Bit 7 of a slot: the part is a single interval. */
    const bailey_uint32 left = bly_walk_left_slot[k], right = bly_walk_right_slot[k];
    s.gap = bly_walk_gap[k];
    s.node = bly_walk_node[k];
    s.code = BAILEY_BRIDGE_SPLIT_STACK | (left >> 7) << 4 | (right >> 7) << 5 |
             (bailey_uint32)bly_walk_read_slot[k] << 8 | (left & 127) << 16 | (right & 127) << 24;
    s.left_weight = bly_walk_left_weight[k];
    s.right_weight = bly_walk_right_weight[k];
    s.left_sigma = bly_walk_left_sigma[k];
    s.right_sigma = bly_walk_right_sigma[k];
#else
    s.point = bly_walk_x[k];
    s.left = s.right = 0;
    s.code = BAILEY_BRIDGE_FROM_STACK | BAILEY_BRIDGE_FROM_STACK << 3 |
             (bailey_uint32)bly_walk_left_slot[k] << 8 | (bailey_uint32)bly_walk_right_slot[k] << 16 |
             (bailey_uint32)bly_walk_write_slot[k] << 24;
    s.left_weight = bly_walk_left_weight[k];
    s.right_weight = bly_walk_right_weight[k];
    s.sigma = bly_walk_sigma[k];
#endif
    return s;
}
#define BLY_AT(k) bly_walk_at(k)
#define BLY_Z_AT(k) bly_walk_z[k]
#define BLY_FIRST_AT(k) BLY_AT(k)
#define BLY_FIRST_Z(k) BLY_Z_AT(k)
#define BLY_WALK_STEPS steps
#else

/* A record as whole vectors, which takes two or three loads rather than seven. */
typedef struct bly_walk_packed {
    uint4 part[sizeof(bly_walk_record) / 16];
} bly_walk_packed;
#if BLY_WALK_F64
#define BLY_REAL_AT(part, low, high) bailey_f64_bits_u64((part).low | (bailey_uint64)(part).high << 32)
#endif
BAILEY_FN bly_walk_record bly_walk_unpack(bly_walk_packed w)
{
    bly_walk_record s;
    s.row = w.part[0].x;
#if BLY_WALK_INCREMENTS
    s.gap = w.part[0].y;
    s.node = w.part[0].z;
    s.code = w.part[0].w;
#if BLY_WALK_F64
    s.left_weight = BLY_REAL_AT(w.part[1], x, y);
    s.right_weight = BLY_REAL_AT(w.part[1], z, w);
    s.left_sigma = BLY_REAL_AT(w.part[2], x, y);
    s.right_sigma = BLY_REAL_AT(w.part[2], z, w);
#else
    s.left_weight = bailey_f32_bits_u32(w.part[1].x);
    s.right_weight = bailey_f32_bits_u32(w.part[1].y);
    s.left_sigma = bailey_f32_bits_u32(w.part[1].z);
    s.right_sigma = bailey_f32_bits_u32(w.part[1].w);
#endif
#else
    s.point = w.part[0].y;
    s.left = w.part[0].z;
    s.right = w.part[0].w;
    s.code = w.part[1].x;
#if BLY_WALK_F64
    s.reserved = 0;
    s.left_weight = BLY_REAL_AT(w.part[1], z, w);
    s.right_weight = BLY_REAL_AT(w.part[2], x, y);
    s.sigma = BLY_REAL_AT(w.part[2], z, w);
#else
    s.left_weight = bailey_f32_bits_u32(w.part[1].y);
    s.right_weight = bailey_f32_bits_u32(w.part[1].z);
    s.sigma = bailey_f32_bits_u32(w.part[1].w);
#endif
#endif
    return s;
}

/* What is fetched ahead of the first step comes from global memory in any case. */
#define BLY_FIRST_AT(k) bly_walk_unpack(((const BAILEY_GLOBAL bly_walk_packed *)records)[k])
#define BLY_FIRST_Z(k) records[k].row
#if BLY_WALK_RECORDS == 1
/* A section overlaps the next by what is fetched ahead from it. */
#define BLY_HELD (BLY_WALK_SECTION + BLY_WALK_AHEAD + BLY_WALK_LOOK)
#define BLY_AT(k) bly_walk_unpack(held[(k)-base])
#define BLY_Z_AT(k) held[(k)-base].part[0].x
#define BLY_WALK_STEPS BLY_WALK_SECTION
/* Copies records base .. into shared memory, with the whole group. */
BAILEY_FN void bly_walk_copy(const BAILEY_GLOBAL bly_walk_record *records, bailey_uint32 base,
                             bailey_uint32 steps, BLY_SHARED bly_walk_packed *held)
{
    const BAILEY_GLOBAL bly_walk_packed *packed = (const BAILEY_GLOBAL bly_walk_packed *)records;
    BLY_BARRIER();
    for (bailey_uint32 i = BLY_LOCAL_ID; i < BLY_HELD && base + i < steps; i += BLY_BLOCK)
        held[i] = packed[base + i];
    BLY_BARRIER();
}
#else
#define BLY_AT(k) BLY_FIRST_AT(k)
#define BLY_Z_AT(k) BLY_FIRST_Z(k)
#define BLY_WALK_STEPS steps
#endif
#endif

/* ---- The walk -------------------------------------------------------------------------------- */

/* Normals wait in a ring that the loop is unrolled over, so that each place of it is a register. */
#if BLY_WALK_AHEAD
#define BLY_RING BLY_WALK_AHEAD
#else
#define BLY_RING 1
#endif

#define BLY_LEAST(a, b) ((a) < (b) ? (a) : (b))
/* The first step draws nothing where the end is fixed. */
#define BLY_IS_DRAWN(k) (!BLY_WALK_FIXED_END || (k) != 0)
#define BLY_EXCHANGES (BLY_WALK_TEAM && BLY_WALK_CORRELATED)

BAILEY_FN void bly_walk(bly_bridge_params p, const BAILEY_GLOBAL bly_walk_record *records,
                        const BAILEY_GLOBAL BLY_SCALAR *constants, const BAILEY_GLOBAL BLY_SCALAR *z,
                        BAILEY_GLOBAL BLY_SCALAR *x, BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)
{
    const bly_walk_place t = bly_walk_begin(p, item);
    const bailey_uint32 steps = p.steps;
    bly_walk_value drawn[BLY_ROWS];

    /* Memory, and what the stack starts with. */
#if BLY_WALK_RECORDS == 1
    BLY_SHARED bly_walk_packed *held = (BLY_SHARED bly_walk_packed *)shared;
    BLY_SHARED BLY_SCALAR *stack = (BLY_SHARED BLY_SCALAR *)(held + BLY_HELD) + BLY_LOCAL_ID;
#elif BLY_WALK_STACK == 1
    BLY_SHARED BLY_SCALAR *stack = (BLY_SHARED BLY_SCALAR *)shared + BLY_LOCAL_ID;
#else
    bly_walk_value stack[BLY_WALK_SLOTS * BLY_ROWS];
#endif
#if BLY_EXCHANGES
    BLY_SHARED BLY_SCALAR *exchange = (BLY_SHARED BLY_SCALAR *)shared + t.team;
#endif
#if BLY_C_IN_REGISTERS
    BLY_SCALAR c[BLY_WALK_DIMS * (BLY_WALK_DIMS + 1) / 2];
    BLY_EACH_ROW(i)
    {
        for (bailey_uint32 j = 0; j <= i; j++)
            c[i * (i + 1) / 2 + j] = BLY_CONSTANT((2 + i) * BLY_WALK_DIMS + j);
    }
#endif
#if BLY_WALK_REUSE
    const bailey_uint32 first = BLY_WALK_INCREMENTS; /* the root is made before the loop */
    bly_walk_value left[BLY_ROWS], right[BLY_ROWS];
#if !BLY_WALK_INCREMENTS
    bly_walk_value built[BLY_ROWS];
    BLY_EACH_ROW(i) left[i] = right[i] = built[i] = bly_walk_splat(BLY_CONSTANT(i));
#endif
#else
    const bailey_uint32 first = 0;
    BLY_EACH_ROW(i) BLY_PUSH(0, i, bly_walk_splat(BLY_WALK_INCREMENTS ? 0 : BLY_CONSTANT(t.dim + i)));
#endif

    /* What is fetched ahead of the first step. The root of increments comes first where it is apart. */
#if BLY_WALK_REUSE && BLY_WALK_INCREMENTS && !BLY_WALK_FIXED_END
    bly_walk_fetch(p, t, z, records[0].row, drawn);
#endif
#if BLY_WALK_AHEAD
    bly_walk_value ring[BLY_WALK_AHEAD * BLY_ROWS];
    bailey_uint32 first_z[BLY_WALK_AHEAD]; /* all of them first, as a value waits for its index */
    for (bailey_uint32 j = 0; j < BLY_WALK_AHEAD; j++)
        first_z[j] = BLY_FIRST_Z(BLY_LEAST(first + j, steps - 1));
    for (bailey_uint32 j = 0; j < BLY_WALK_AHEAD; j++) {
        if (first + j < steps && BLY_IS_DRAWN(first + j)) {
            bly_walk_fetch(p, t, z, first_z[j], ring + j * BLY_ROWS);
        } else {
            BLY_EACH_ROW(i) ring[j * BLY_ROWS + i] = bly_walk_splat(0);
        }
    }
#endif
#if BLY_WALK_LOOK
    bly_walk_record next[BLY_WALK_LOOK];
    for (bailey_uint32 j = 0; j < BLY_WALK_LOOK; j++) next[j] = BLY_FIRST_AT(BLY_LEAST(first + j, steps - 1));
#if BLY_WALK_AHEAD
    bailey_uint32 next_z[BLY_WALK_LOOK];
    for (bailey_uint32 j = 0; j < BLY_WALK_LOOK; j++)
        next_z[j] = BLY_FIRST_Z(BLY_LEAST(first + BLY_WALK_AHEAD + j, steps - 1));
#endif
#endif
#if BLY_WALK_REUSE && BLY_WALK_INCREMENTS
    BLY_EACH_ROW(i)
    {
#if BLY_WALK_FIXED_END
        left[i] = BLY_ROOT_FIXED(records[0], BLY_CONSTANT(i), BLY_CONSTANT(BLY_WALK_DIMS + i));
#else
        bly_walk_value cz = drawn[i];
#if BLY_WALK_CORRELATED
        BLY_SUM_CZ(cz, i, BLY_C(i, j), drawn[j]);
#endif
        left[i] = BLY_ROOT(records[0], cz);
#endif
        right[i] = left[i];
        if (steps == 1) bly_walk_store(p, t, x, 0, i, left[i]);
    }
#endif

    /* One round per section, so that its barriers are not under a condition: PoCL 3.1 goes wrong where the
     * copy is made now and then from within the loop over steps. Other records are one section. */
    for (bailey_uint32 base = first; base < steps; base += BLY_WALK_STEPS) {
#if BLY_WALK_RECORDS == 1
        bly_walk_copy(records, base, steps, held);
#endif
        for (bailey_uint32 k0 = base; k0 < BLY_LEAST(base + BLY_WALK_STEPS, steps); k0 += BLY_RING) {
#pragma unroll
            for (bailey_uint32 n = 0; n < BLY_RING; n++) {
                const bailey_uint32 k = k0 + n;
#if !BLY_EXCHANGES
                if (k >= steps) break;
#endif

                    /* The record and its normals, and what takes their places. */
#if BLY_WALK_LOOK
                const bly_walk_record s = next[0];
                for (bailey_uint32 j = 1; j < BLY_WALK_LOOK; j++) next[j - 1] = next[j];
                next[BLY_WALK_LOOK - 1] = BLY_AT(BLY_LEAST(k + BLY_WALK_LOOK, steps - 1));
#else
                const bly_walk_record s = BLY_AT(BLY_LEAST(k, steps - 1));
#endif
#if BLY_WALK_AHEAD
                BLY_EACH_ROW(i) drawn[i] = ring[n * BLY_ROWS + i];
#if BLY_WALK_LOOK
                if (k + BLY_WALK_AHEAD < steps) bly_walk_fetch(p, t, z, next_z[0], ring + n * BLY_ROWS);
                for (bailey_uint32 j = 1; j < BLY_WALK_LOOK; j++) next_z[j - 1] = next_z[j];
                next_z[BLY_WALK_LOOK - 1] =
                    BLY_Z_AT(BLY_LEAST(k + BLY_WALK_AHEAD + BLY_WALK_LOOK, steps - 1));
#else
                if (k + BLY_WALK_AHEAD < steps)
                    bly_walk_fetch(p, t, z, BLY_Z_AT(k + BLY_WALK_AHEAD), ring + n * BLY_ROWS);
#endif
#else
                if (BLY_IS_DRAWN(k)) {
                    bly_walk_fetch(p, t, z, s.row, drawn);
                } else {
                    BLY_EACH_ROW(i) drawn[i] = bly_walk_splat(0);
                }
#endif

                /* Neighbours, or the gap, that are in registers or come there for all rows at once. */
#if BLY_WALK_REUSE && BLY_WALK_INCREMENTS
                switch (BAILEY_BRIDGE_SPLIT_SOURCE(s.code)) {
                case BAILEY_BRIDGE_SPLIT_LEFT: break;
                case BAILEY_BRIDGE_SPLIT_RIGHT: BLY_EACH_ROW(i) left[i] = right[i]; break;
                default: BLY_EACH_ROW(i) left[i] = BLY_PULL(BAILEY_BRIDGE_SPLIT_READ_SLOT(s.code), i);
                }
#elif BLY_WALK_REUSE
                bly_walk_value old_left[BLY_ROWS];
                BLY_EACH_ROW(i) old_left[i] = left[i];
                switch (BAILEY_BRIDGE_LEFT_SOURCE(s.code)) {
                case BAILEY_BRIDGE_FROM_LEFT: break;
                case BAILEY_BRIDGE_FROM_RIGHT: BLY_EACH_ROW(i) left[i] = right[i]; break;
                case BAILEY_BRIDGE_FROM_BUILT: BLY_EACH_ROW(i) left[i] = built[i]; break;
                case BAILEY_BRIDGE_FROM_STACK:
                    BLY_EACH_ROW(i) left[i] = BLY_PULL(BAILEY_BRIDGE_LEFT_SLOT(s.code), i);
                    break;
                default: BLY_EACH_ROW(i) left[i] = bly_walk_splat(BLY_CONSTANT(i));
                }
                switch (BAILEY_BRIDGE_RIGHT_SOURCE(s.code)) {
                case BAILEY_BRIDGE_FROM_LEFT: BLY_EACH_ROW(i) right[i] = old_left[i]; break;
                case BAILEY_BRIDGE_FROM_RIGHT: break;
                case BAILEY_BRIDGE_FROM_BUILT: BLY_EACH_ROW(i) right[i] = built[i]; break;
                case BAILEY_BRIDGE_FROM_STACK:
                    BLY_EACH_ROW(i) right[i] = BLY_PULL(BAILEY_BRIDGE_RIGHT_SLOT(s.code), i);
                    break;
                default: BLY_EACH_ROW(i) right[i] = bly_walk_splat(BLY_CONSTANT(i));
                }
#endif

#if BLY_EXCHANGES
                /* Two barriers per step, as in section 3.1. They are passed in the steps of the ring after
                 * the last record too: PoCL 3.1 goes wrong where a loop with barriers is left in its middle.
                 */
                BLY_EACH_PATH(m) exchange[(t.dim * BLY_WALK_PATHS + m) * BLY_WALK_TEAM] = drawn[0].value[m];
                BLY_BARRIER();
                for (bailey_uint32 j = 0; j <= t.dim; j++) {
                    bly_walk_value other;
                    BLY_EACH_PATH(m) other.value[m] = exchange[(j * BLY_WALK_PATHS + m) * BLY_WALK_TEAM];
                    drawn[0] = j == 0 ? bly_walk_scale(BLY_C(t.dim, 0), other)
                                      : bly_walk_fma(BLY_C(t.dim, j), other, drawn[0]);
                }
                BLY_BARRIER();
                if (k >= steps) continue;
#endif

                BLY_EACH_ROW(i)
                {
                    bly_walk_value cz = drawn[i];
#if BLY_WALK_CORRELATED && !BLY_WALK_TEAM
                    BLY_SUM_CZ(cz, i, BLY_C(i, j), drawn[j]);
#endif

#if BLY_WALK_INCREMENTS && BLY_WALK_REUSE
                    const bly_walk_value gap = left[i];
                    left[i] = bly_walk_left(s, gap, cz);
                    right[i] = bly_walk_right(s, gap, cz);
                    if (BAILEY_BRIDGE_SPLIT_LEFT_DONE(s.code)) bly_walk_store(p, t, x, s.gap, i, left[i]);
                    if (BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s.code)) bly_walk_store(p, t, x, s.node, i, right[i]);
#elif BLY_WALK_INCREMENTS
                    const bly_walk_value gap = BLY_PULL(BAILEY_BRIDGE_SPLIT_READ_SLOT(s.code), i);
                    bly_walk_value left = bly_walk_left(s, gap, cz);
                    if (!BLY_IS_DRAWN(k))
                        left = BLY_ROOT_FIXED(s, BLY_CONSTANT(t.dim + i),
                                              BLY_CONSTANT(BLY_WALK_DIMS + t.dim + i));
                    const bly_walk_value right = bly_walk_right(s, gap, cz);
                    BLY_PUSH(BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s.code), i, left);
                    BLY_PUSH(s.code >> 24, i, right);
                    if (BAILEY_BRIDGE_SPLIT_LEFT_DONE(s.code)) bly_walk_store(p, t, x, s.gap, i, left);
                    if (BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s.code)) bly_walk_store(p, t, x, s.node, i, right);
#elif BLY_WALK_REUSE
                    built[i] = bly_walk_point(s, left[i], right[i], cz);
                    if (!BLY_IS_DRAWN(k)) built[i] = bly_walk_splat(BLY_CONSTANT(BLY_WALK_DIMS + i));
                    bly_walk_store(p, t, x, s.point - 1, i, built[i]);
#else
                    const bly_walk_value left = BLY_PULL(BAILEY_BRIDGE_LEFT_SLOT(s.code), i);
                    const bly_walk_value right = BLY_PULL(BAILEY_BRIDGE_RIGHT_SLOT(s.code), i);
                    bly_walk_value built = bly_walk_point(s, left, right, cz);
                    if (!BLY_IS_DRAWN(k)) built = bly_walk_splat(BLY_CONSTANT(BLY_WALK_DIMS + t.dim + i));
                    bly_walk_store(p, t, x, s.point - 1, i, built);
                    BLY_PUSH(BAILEY_BRIDGE_WRITE_SLOT(s.code), i, built);
#endif
                }

                /* With reuse, what is read from the stack later goes there. */
#if BLY_WALK_REUSE && BLY_WALK_INCREMENTS
                if (BAILEY_BRIDGE_SPLIT_PUSH(s.code) == 1)
                    BLY_EACH_ROW(i) BLY_PUSH(BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s.code), i, left[i]);
                if (BAILEY_BRIDGE_SPLIT_PUSH(s.code) == 2)
                    BLY_EACH_ROW(i) BLY_PUSH(BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s.code), i, right[i]);
#elif BLY_WALK_REUSE
                if (BAILEY_BRIDGE_WRITE_SLOT(s.code) != BAILEY_BRIDGE_NO_SLOT)
                    BLY_EACH_ROW(i) BLY_PUSH(BAILEY_BRIDGE_WRITE_SLOT(s.code), i, built[i]);
#endif
            }
        }
    }
}

BAILEY_FN void bly_bridge_group(bly_bridge_params p, const BAILEY_GLOBAL bly_walk_record *records,
                                const BAILEY_GLOBAL BLY_SCALAR *constants, const BAILEY_GLOBAL BLY_SCALAR *z,
                                BAILEY_GLOBAL BLY_SCALAR *x, BLY_SHARED bailey_uint64 *shared,
                                bailey_uint64 item)
{
    bly_walk(p, records, constants, z, x, shared, item);
}
BLY_GROUP_ENTRY_4(bly_bridge, bly_bridge_params, const bly_walk_record, const BLY_SCALAR, const BLY_SCALAR,
                  BLY_SCALAR)

#endif
