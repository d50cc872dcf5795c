/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Points of a group's paths, a segment of BLY_SEGMENT steps at a time, in the memory that the group shares:
 * derivatives read a path forward and back. Segments are read from X or, with BLY_INPUT_DRAWN, drawn:
 * forward, and once more going back, so that nothing goes through the device's memory. Part of
 * kernels/simulation_code.h where BLY_SEGMENT is not 0; items have one path.
 *
 * Row r of a segment is dimension r % BLY_DIMS of its step r / BLY_DIMS, and has a column for each item.
 * host/simulate/simulation_segment.c chooses BLY_SEGMENT, a multiple of BLY_SEGMENT_TILE; both,
 * BLY_SEGMENT_PACK and BLY_SEGMENT_FREE come with the program (host/simulate/simulation_text.c).
 */
#ifndef BLY_SIMULATION_SEGMENT_H
#define BLY_SIMULATION_SEGMENT_H

/* The extra columns send neighbours, which write columns of different rows, to different banks. */
#define BLY_SEGMENT_ROW (BLY_BLOCK + BLY_SEGMENT_FREE)
#define BLY_NO_SEGMENT 0xffffffffu

/* Dimension d of step i, which is in the segment. */
BAILEY_FN real bly_segment_at(const bly_simulated *t, int mirrored, int i, int d)
{
    const bailey_uint32 row = ((bailey_uint32)i - t->segment_first) * BLY_DIMS + (bailey_uint32)d;
    const real value = t->segment[row * BLY_SEGMENT_ROW];
    return mirrored ? 2 * bly_origin(t->constants, d) - value : value;
}

#if BLY_INPUT == BLY_INPUT_DRAWN

/* Items that write each other's columns are of one warp. */
#if defined(BAILEY_IS_CUDA)
#define BLY_SEGMENT_MEET() bailey_warp_meet()
#else
#define BLY_SEGMENT_MEET() BLY_BARRIER()
#endif

BAILEY_FN void bly_segment_put(BLY_SHARED real *to, const real *x)
{
#if defined(BAILEY_IS_CUDA) && BLY_SEGMENT_PACK == 4
    *(float4 *)to = make_float4(x[0], x[1], x[2], x[3]);
#elif defined(BAILEY_IS_CUDA)
    *(double2 *)to = make_double2(x[0], x[1]);
#else
    for (bailey_uint32 k = 0; k < BLY_SEGMENT_PACK; k++) to[k] = x[k];
#endif
}

/* Draws that are begun before the first is waited for: few warps run where groups copy the table, and with 5 instead
 * of 2 the derivatives of simulation_segment.c take 1.95 instead of 2.04 ms. */
#if defined(BAILEY_IS_CUDA) && defined(BAILEY_ICDF_COPIES)
#define BLY_SEGMENT_UNROLL _Pragma("unroll 5")
#else
#define BLY_SEGMENT_UNROLL BAILEY_UNROLL_2
#endif

/* Z of the segment. Neighbours have the same blocks: each draws every so many rows, for all of them. */
BAILEY_FN void bly_segment_draw(bly_simulated *t, bailey_uint32 first, bailey_uint32 rows)
{
    const bailey_uint32 own = BLY_LOCAL_ID % BLY_SEGMENT_PACK;
    const bailey_uint64 begin = t->begin - own;
    BLY_SEGMENT_MEET();
    BLY_SEGMENT_UNROLL
    for (bailey_uint32 r = own; r < rows; r += BLY_SEGMENT_PACK) {
        const BLY_(bailey_pack_) drawn =
            BLY_(bailey_draw_rounds_)(BLY_ROUNDS, BLY_DRAW, t->table, t->keys, t->stream,
                                      ((bailey_uint64)first * BLY_DIMS + r) << BLY_PATH_BITS | begin);
        bly_segment_put(t->segment - own + r * BLY_SEGMENT_ROW, drawn.value);
    }
    BLY_SEGMENT_MEET();
}

/* C Z of steps whose rows are in y: see bly_normals_of, which has the same bits. */
BAILEY_FN void bly_segment_correlate(const bly_simulated *t, real y[BLY_SEGMENT_TILE][BLY_DIMS])
{
#if BLY_CORRELATED
#if defined(BLY_FACTOR_AT)
    const real *c = (const real *)(t->values + BLY_FACTOR_AT);
#else
    const BAILEY_GLOBAL real *c = t->constants + 2 * BLY_DIMS;
#endif
    /* From the last dimension on, so that those before are still Z. */
    BAILEY_UNROLL
    for (int d = BLY_DIMS - 1; d >= 0; d--) {
        real sum[BLY_SEGMENT_TILE];
        BAILEY_UNROLL
        for (int k = 0; k < BLY_SEGMENT_TILE; k++) sum[k] = c[d * BLY_DIMS] * y[k][0];
        BAILEY_UNROLL
        for (int j = 1; j < BLY_DIMS; j++) {
            if (j > d) break;
            BAILEY_UNROLL
            for (int k = 0; k < BLY_SEGMENT_TILE; k++)
                sum[k] = bly_payoff_fma(c[d * BLY_DIMS + j], y[k][j], sum[k]);
        }
        BAILEY_UNROLL
        for (int k = 0; k < BLY_SEGMENT_TILE; k++) y[k][d] = sum[k];
    }
#endif
    (void)t, (void)y;
}

/* The point before the segment's first. */
BAILEY_FN real bly_segment_mark(const bly_simulated *t, bailey_uint32 first, int d)
{
#if BLY_WALK == BLY_WALK_POINTS
    return first == 0 ? t->constants[d] : t->marks[first / BLY_SEGMENT - 1][d];
#else
    (void)t, (void)first, (void)d;
    return 0;
#endif
}

/* Makes points of the segment, as bly_follow makes a walk. A tile may reach beyond the path's last step. */
BAILEY_FN void bly_segment_make(bly_simulated *t, bailey_uint32 first, bailey_uint32 steps)
{
    real x[BLY_DIMS];
    bly_segment_draw(t, first, steps * BLY_DIMS);
    BAILEY_UNROLL
    for (int d = 0; d < BLY_DIMS; d++) x[d] = bly_segment_mark(t, first, d);
    BAILEY_UNROLL_1
    for (bailey_uint32 q = 0; q < steps; q += BLY_SEGMENT_TILE) {
        BLY_SHARED real *row = t->segment + q * BLY_DIMS * BLY_SEGMENT_ROW;
        real y[BLY_SEGMENT_TILE][BLY_DIMS];
        BAILEY_UNROLL
        for (int k = 0; k < BLY_SEGMENT_TILE; k++) BAILEY_UNROLL
        for (int d = 0; d < BLY_DIMS; d++) y[k][d] = row[(k * BLY_DIMS + d) * BLY_SEGMENT_ROW];
        bly_segment_correlate(t, y);
        BAILEY_UNROLL
        for (int k = 0; k < BLY_SEGMENT_TILE; k++) {
            const bailey_uint32 i = first + q + (bailey_uint32)k;
            const real sigma = t->walk[i < BLY_STEPS ? i : BLY_STEPS - 1].sigma;
            BAILEY_UNROLL
            for (int d = 0; d < BLY_DIMS; d++) {
                x[d] = bly_payoff_fma(sigma, y[k][d], BLY_WALK == BLY_WALK_POINTS ? x[d] : 0);
                row[(k * BLY_DIMS + d) * BLY_SEGMENT_ROW] = x[d];
            }
        }
    }
#if BLY_WALK == BLY_WALK_POINTS && BLY_STEPS > BLY_SEGMENT
    if (first + BLY_SEGMENT < BLY_STEPS)
        for (int d = 0; d < BLY_DIMS; d++) t->marks[first / BLY_SEGMENT][d] = x[d];
#endif
}

#else

#define BLY_SEGMENT_LOADS 8 /* before the first is waited for */

/* Reads the item's column. */
BAILEY_FN void bly_segment_make(bly_simulated *t, bailey_uint32 first, bailey_uint32 steps)
{
    const BAILEY_GLOBAL real *from = t->from + (bailey_uint64)first * BLY_DIMS * t->row;
    const bailey_uint32 rows = steps * BLY_DIMS;
    BAILEY_UNROLL_1
    for (bailey_uint32 r = 0; r < rows; r += BLY_SEGMENT_LOADS) {
        real x[BLY_SEGMENT_LOADS];
        BAILEY_UNROLL
        for (bailey_uint32 k = 0; k < BLY_SEGMENT_LOADS; k++)
            x[k] = from[(r + k < rows ? r + k : rows - 1) * t->row];
        BAILEY_UNROLL
        for (bailey_uint32 k = 0; k < BLY_SEGMENT_LOADS; k++)
            if (r + k < rows) t->segment[(r + k) * BLY_SEGMENT_ROW] = x[k];
    }
}

#endif

/* Makes the segment that step i is of, unless it is there. All items call it with the same i. */
BAILEY_FN void bly_segment_need(bly_simulated *t, int i)
{
    const bailey_uint32 first = (bailey_uint32)i / BLY_SEGMENT * BLY_SEGMENT, left = BLY_STEPS - first;
    if (first == t->segment_first) return;
    t->segment_first = first;
    bly_segment_make(t, first, left < BLY_SEGMENT ? left : BLY_SEGMENT);
}

#endif
