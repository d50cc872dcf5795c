/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The body of the programs that src/host/simulate/simulation_text.c writes: an item makes BLY_WIDTH paths
 * side by side, step by step in time order, shows each step to the payoff, and adds up its outputs.
 *
 * On GPUs a few paths are in an item's registers, and loops over them are unrolled. On processors they are
 * arrays of lanes, and each loop over them is one that compilers turn into vector instructions: a payoff
 * written for one path runs on as many as a vector has.
 *
 * A bridge is walked depth first, left child first: the left neighbour of a point is the one that was shown
 * last, its right neighbour the top of a stack of points that wait to be shown (host/bridge/plan.h).
 *
 * A program includes kernels/payoff_head.h, the payoff's code, this file, bly_follow if it is straight-line
 * code (BLY_STRAIGHT), and kernels/simulation_item.h. It defines what payoff_head.h lists and:
 *   BLY_INPUT, BLY_WALK       see kernels/simulation_nodes.h
 *   BLY_WHOLE                 1 if the payoff is given the whole path
 *   BLY_MOTION_DEPTH          of a motion, which is then given whole; else 0
 *   BLY_GRADIENT              1 if the program brings bly_gradient: whole, for all paths of an item
 *   BLY_FOLLOWS               1 if BLY_GRADIENT computes its paths from Z in memory, and the item keeps them
 *   BLY_SEGMENT               with BLY_GRADIENT on GPUs, the steps of its paths that a group has at once: see
 *                             kernels/simulation_segment.h; else 0
 *   BLY_FACTOR_AT             the 8-byte word of the launch's values where C is, if it comes with them
 *   BLY_MEETS                 rows of results that meet at once, where there are many; else 0
 *   BLY_KEEPS                 1 if states of steps go to memory; it then brings, as it does where they come
 *                             from there, what kernels/simulation_kept.h lists
 *   BLY_DEPTH                 values that wait at once, at least 1
 *   BLY_STRAIGHT              1 if the program brings bly_follow, as code without a loop over steps
 *   BLY_Z_ROWS                rows of Z
 *   BLY_FIXED_END             1 if the first step of a stream is the end
 *   BLY_CORRELATED            1 if C is not the identity
 *   BLY_ANTITHETIC            1 if each path is followed by its mirror image
 *   BLY_OUTPUTS               of the payoff
 *   BLY_PRODUCTS              sums of products of two results: see kernels/simulation_nodes.h
 *   BLY_SHAPE                 1 for sums of third and fourth powers, minima and maxima; 2 for the latter two
 *   BLY_SAMPLES               1 if results are stored
 *   BLY_HISTOGRAM             1 + the result that is counted in bins; 0 for none
 *   BLY_FIXED                 1 for sums in integers (kernels/simulation_fixed.h), 0 in double
 *   BLY_DRAW, BLY_ROUNDS      of normals that are drawn: a BAILEY_DRAW_ method, and the rounds of Philox
 *   BLY_TOGETHER              1 if items of one path each draw for each other
 *   BLY_POINTS                or bits of a word of points, and BLY_OWEN, BLY_NORMAL as kernels/bridge_code.h
 *   BAILEY_ICDF_COPIES        and what belongs to it, before any header, where groups copy the table
 */
#ifndef BLY_SIMULATION_CODE_H
#define BLY_SIMULATION_CODE_H

#include "kernels/payoff_faults.h"
#include "kernels/simulation_nodes.h"
#if defined(BLY_POINTS)
#include "kernels/sobol_draw.h"
#endif

#ifndef BLY_GRADIENT
#define BLY_GRADIENT 0
#endif
#ifndef BLY_FOLLOWS
#define BLY_FOLLOWS 0
#endif
#ifndef BLY_SEGMENT
#define BLY_SEGMENT 0
#endif
#ifndef BLY_MEETS
#define BLY_MEETS 0
#endif
#ifndef BLY_TOGETHER
#define BLY_TOGETHER 0
#endif
#ifndef BLY_KEEPS
#define BLY_KEEPS 0
#endif
#define BLY_KEPT (BLY_KEEPS || BLY_INPUT == BLY_INPUT_KEPT)

/* The values of an item's paths in one row, and the rows of a step. */
typedef struct bly_row {
    real value[BLY_WIDTH];
} bly_row;
typedef struct bly_point {
    bly_row dim[BLY_DIMS];
} bly_point;

#if BLY_DIMS <= 8
#define BLY_FOR_DIMS BAILEY_UNROLL for (int d = 0; d < BLY_DIMS; d++)
#else
#define BLY_FOR_DIMS for (int d = 0; d < BLY_DIMS; d++)
#endif
#define BLY_FOR_SCENARIOS BLY_UNROLL_SCENARIOS for (int k = 0; k < BLY_SCENARIOS; k++)

#if BLY_FAULTS
#define BLY_WATCHES (BLY_DIAGNOSES ? BLY_SCENARIOS * (1 + BLY_ANTITHETIC) : 1)
#define BLY_WATCH_OF(t, k, mirrored)                                                                         \
    (&(t)->watched[BLY_DIAGNOSES ? (k) * (1 + BLY_ANTITHETIC) + (mirrored) : 0])
#endif

/* The state of an item. */
typedef struct bly_simulated {
    const BLY_VALUES_SPACE bailey_uint64 *values; /* the scenarios' sets of parameters, weights and moves */
    const BAILEY_GLOBAL real *constants;          /* start[dims], end[dims], C[dims][dims], t[steps] */
#if BLY_INPUT == BLY_INPUT_DRAWN
    const BAILEY_ICDF_SPACE real *table;
#if defined(BLY_POINTS)
    const BAILEY_GLOBAL BLY_WORD *points, *heads;
#else
    bailey_philox_keys keys;
    bailey_uint64 stream;
#endif
    bailey_uint64 begin; /* the item's first path */
#if BLY_TOGETHER
    BLY_SHARED bailey_uint32 *shared; /* words of the item's warp */
#endif
#elif BLY_INPUT != BLY_INPUT_KEPT
    const BAILEY_GLOBAL real *from; /* its first path in row 0 */
    bailey_uint64 row;
#endif
#if BLY_FOLLOWS
    real path[BLY_STEPS * BLY_DIMS][BLY_WIDTH]; /* its rows */
#endif
#if BLY_SEGMENT
    BLY_SHARED real *segment;    /* the item's column of row 0 */
    bailey_uint32 segment_first; /* its first step */
#if BLY_INPUT == BLY_INPUT_DRAWN
    const BAILEY_GLOBAL BLY_(bly_stream_) * walk;
#if BLY_WALK == BLY_WALK_POINTS
    real marks[BLY_STEPS / BLY_SEGMENT + 1][BLY_DIMS]; /* the last points of segments */
#endif
#endif
#endif
#if BLY_KEPT
    BAILEY_GLOBAL real *memory;       /* its first path in row 0 of the states */
    const BAILEY_GLOBAL real *marks; /* the first of all paths there */
    bailey_uint64 path;              /* the item's first */
    bly_kept_params kept;
    bailey_uint32 low, high; /* the item's paths that count */
#if BLY_ANTITHETIC
    bly_point origin; /* of the walk from a mark */
#endif
#endif
#if !BLY_WHOLE
    bly_states states[BLY_SCENARIOS];
#if BLY_ANTITHETIC
    bly_states mirrored[BLY_SCENARIOS];
#endif
#if BLY_SHIFTS || BLY_SCORED
    bly_point first; /* that was shown */
#endif
#endif
    bailey_uint32 shown; /* steps */
#if BLY_FAULTS
    bly_watched watched[BLY_WATCHES]; /* of each scenario and its mirror image where a fault is diagnosed */
#endif
} bly_simulated;

#define BLY_TIMES(t) ((t)->constants + BLY_DIMS * (2 + BLY_DIMS))

/* Parameters and moves of scenario k. */
BAILEY_FN const params *bly_set(const bly_simulated *t, int k)
{
    return (const params *)(t->values + k * BLY_SET_WORDS);
}
#if BLY_MOVES
BAILEY_FN const BLY_VALUES_SPACE real *bly_move_of(const bly_simulated *t, int k)
{
    return (const BLY_VALUES_SPACE real *)(t->values + BLY_MOVES_AT) + k * BLY_MOVE;
}
#endif

/* ---- Rows ---------------------------------------------------------------------------------------- */

#if BLY_MOTION_DEPTH

/* A motion has none. */

#elif BLY_INPUT == BLY_INPUT_KEPT

/* Nor have states. */

#elif BLY_INPUT == BLY_INPUT_DRAWN

#if defined(BLY_POINTS)
BAILEY_FN bly_row bly_row_of(const bly_simulated *t, bailey_uint64 row)
{
    const BLY_PASTE(bly_sobol_row_, BLY_POINTS) r =
        BLY_PASTE(bly_sobol_fetch_, BLY_POINTS)(t->points + row * BLY_SOBOL_STRIDE, t->heads + row, BLY_OWEN);
    const BLY_PASTE(bly_sobol_near_, BLY_POINTS) w =
        BLY_PASTE(bly_sobol_near_of_, BLY_POINTS)(&r, t->begin, BLY_WIDTH);
    bly_row x;
    BLY_FOR_PATHS x.value[v] = BLY_NORMAL(
        t->table, BLY_OWEN ? BLY_PASTE(bailey_sobol_owen_u, BLY_POINTS)(w.value[v], r.seeds) : w.value[v]);
    return x;
}
#elif BLY_WIDTH == 1

/* The word of one path, from the block that it shares with its neighbours. */
BAILEY_FN bailey_uint32 bly_word_of_f32(const bly_simulated *t, bailey_uint64 element)
{
    const bailey_philox_block w = bailey_philox_words4_either(BLY_ROUNDS, t->keys, t->stream, element >> 2);
    const bailey_uint32 low = element & 1 ? w.word[1] : w.word[0], high = element & 1 ? w.word[3] : w.word[2];
    return element & 2 ? high : low;
}
BAILEY_FN bailey_uint64 bly_word_of_f64(const bly_simulated *t, bailey_uint64 element)
{
    const bailey_pack_u64 u = bailey_philox_elements2_either(BLY_ROUNDS, t->keys, t->stream, element >> 1);
    return element & 1 ? u.value[1] : u.value[0];
}
BAILEY_FN bly_row bly_row_of(const bly_simulated *t, bailey_uint64 row)
{
    bly_row x;
    x.value[0] = BLY_(bailey_normal_icdf_)(t->table, BLY_(bly_word_of_)(t, row << BLY_PATH_BITS | t->begin));
    return x;
}

#else
BAILEY_FN bly_row bly_row_of(const bly_simulated *t, bailey_uint64 row)
{
    const BLY_(bailey_pack_) drawn = BLY_(bailey_draw_rounds_)(BLY_ROUNDS, BLY_DRAW, t->table, t->keys,
                                                               t->stream, row << BLY_PATH_BITS | t->begin);
    bly_row x;
    BLY_FOR_PATHS x.value[v] = drawn.value[v];
    return x;
}
#endif

#else
BAILEY_FN bly_row bly_row_of(const bly_simulated *t, bailey_uint64 row)
{
    const BAILEY_GLOBAL real *from = t->from + row * t->row;
    bly_row x;
    BLY_FOR_PATHS x.value[v] = from[v];
    return x;
}
#endif

#if !BLY_MOTION_DEPTH && BLY_INPUT != BLY_INPUT_KEPT

#if BLY_TOGETHER

/* Items that read what others draw are of one warp. */
#if defined(BAILEY_IS_CUDA)
#define BLY_TOGETHER_MEET() bailey_warp_meet()
#else
#define BLY_TOGETHER_MEET() BLY_BARRIER()
#endif

BAILEY_FN void bly_together_put(BLY_SHARED bailey_uint32 *to, bailey_philox_block w)
{
#if defined(BAILEY_IS_CUDA)
    *(uint4 *)to = make_uint4(w.word[0], w.word[1], w.word[2], w.word[3]);
#else
    for (int k = 0; k < 4; k++) to[k] = w.word[k];
#endif
}

/* Z of a row and of those after it, one for each dimension. Four items have the paths of a block, of which each
 * would make all four words in every row: so each makes the block of another row. A row of a warp is 128
 * bytes, and 32 bytes lie between two, so that blocks that are stored at once go to different banks. */
BAILEY_FN void bly_draw_together(const bly_simulated *t, bailey_uint64 row, bly_point *y)
{
    const bailey_uint32 item = BLY_LOCAL_ID & 31u, own = item & 3u;
    BAILEY_UNROLL
    for (bailey_uint32 d = 0; d < BLY_DIMS; d += 4u) {
        const bailey_uint32 last = BLY_DIMS - 1u - d, of = own < last ? own : last;
        const bailey_philox_block w = bailey_philox_words4_either(
            BLY_ROUNDS, t->keys, t->stream, (row + d + of) << (BLY_PATH_BITS - 2) | t->begin >> 2);
        BLY_TOGETHER_MEET();
        bly_together_put(t->shared + own * BLY_TOGETHER_ROW + (item & ~3u), w);
        BLY_TOGETHER_MEET();
        BAILEY_UNROLL
        for (bailey_uint32 k = 0; k < 4u; k++)
            if (d + k < BLY_DIMS)
                y->dim[d + k].value[0] =
                    bailey_normal_icdf_f32(t->table, t->shared[k * BLY_TOGETHER_ROW + item]);
    }
}

#endif

/* C Z of a step, which is as bridges have it. */
BAILEY_FN void bly_normals_of(const bly_simulated *t, bailey_uint32 step, bly_point *y)
{
#if BLY_TOGETHER
    bly_draw_together(t, (bailey_uint64)step * BLY_DIMS, y);
#else
    BLY_FOR_DIMS y->dim[d] = bly_row_of(t, (bailey_uint64)step * BLY_DIMS + (bailey_uint32)d);
#endif
#if BLY_CORRELATED
    const BAILEY_GLOBAL real *c = t->constants + 2 * BLY_DIMS;
    /* From the last dimension on, so that those before are still Z. */
#if BLY_DIMS <= 8
    BAILEY_UNROLL
#endif
    for (int d = BLY_DIMS - 1; d >= 0; d--) {
        bly_row sum;
        BLY_FOR_PATHS sum.value[v] = c[d * BLY_DIMS] * y->dim[0].value[v];
#if BLY_DIMS <= 8
        BAILEY_UNROLL
#endif
        for (int j = 1; j < BLY_DIMS; j++) {
            if (j > d) break;
            BLY_FOR_PATHS sum.value[v] =
                bly_payoff_fma(c[d * BLY_DIMS + j], y->dim[j].value[v], sum.value[v]);
        }
        y->dim[d] = sum;
    }
#endif
}

#endif

/* ---- The payoff ---------------------------------------------------------------------------------- */

#if !BLY_WHOLE

BAILEY_FN void bly_begin(bly_states *states, const params *payoff BLY_WATCHING)
{
    BLY_FOR_PATHS
    {
        state s = bly_state_get(states, v);
        BLY_WATCH(v)
        bly_own_start(&s, payoff BLY_WATCHED);
        BLY_KEEP(v)
        bly_state_put(states, v, s);
    }
}

BAILEY_FN void bly_advance(bly_states *states, const params *payoff, bailey_uint32 i, real time,
                           const bly_point *point BLY_WATCHING)
{
    BLY_FOR_PATHS
    {
        state s = bly_state_get(states, v);
        real x[BLY_DIMS];
        BLY_FOR_DIMS x[d] = point->dim[d].value[v];
        BLY_WATCH(v)
        bly_own_step(&s, payoff, (int)i, time, x BLY_WATCHED);
        BLY_KEEP(v)
        bly_state_put(states, v, s);
    }
}

#if BLY_MOVES

/* The point as a scenario has it, which moves paths. */
BAILEY_FN bly_point bly_moved(const bly_simulated *t, const BLY_VALUES_SPACE real *move, bailey_uint32 i,
                              int mirrored, bly_point x)
{
#if BLY_SHIFTS && BLY_WALK == BLY_WALK_INCREMENTS
    const real by = i == 0 ? move[BLY_MOVE_FIRST] : 0;
    BLY_FOR_DIMS BLY_FOR_PATHS x.dim[d].value[v] = bly_payoff_fma(by, x.dim[d].value[v], x.dim[d].value[v]);
    (void)mirrored;
#elif BLY_SHIFTS
    const real by = mirrored ? -move[BLY_MOVE_FIRST] : move[BLY_MOVE_FIRST];
    BLY_FOR_DIMS BLY_FOR_PATHS x.dim[d].value[v] =
        bly_payoff_fma(by, t->first.dim[d].value[v] - t->constants[d], x.dim[d].value[v]);
#endif
#if BLY_RECORRELATES
    const BLY_VALUES_SPACE real *matrix = move + BLY_MOVE_MATRIX;
    /* From the last dimension on, so that those before are still as they were. */
#if BLY_DIMS <= 8
    BAILEY_UNROLL
#endif
    for (int d = BLY_DIMS - 1; d >= 0; d--) {
        bly_row sum = x.dim[d];
#if BLY_DIMS <= 8
        BAILEY_UNROLL
#endif
        for (int j = 0; j < BLY_DIMS; j++) {
            if (j > d) break;
            const real origin = bly_origin(t->constants, j);
            BLY_FOR_PATHS sum.value[v] =
                bly_payoff_fma(matrix[d * BLY_DIMS + j], x.dim[j].value[v] - origin, sum.value[v]);
        }
        x.dim[d] = sum;
    }
#endif
    (void)i, (void)mirrored;
    return x;
}

#endif

/* Shows a step to all scenarios. */
BAILEY_FN void bly_advance_all(bly_simulated *t, bly_states *states, bailey_uint32 i, int mirrored,
                               const bly_point *point)
{
    const real time = BLY_TIMES(t)[i];
    BLY_FOR_SCENARIOS
    {
#if BLY_MOVES
        const BLY_VALUES_SPACE real *move = bly_move_of(t, k);
        bly_point own = *point;
        if (move[0] != 0) own = bly_moved(t, move, i, mirrored, own);
        bly_advance(&states[k], bly_set(t, k), i, time + move[BLY_MOVE_SHIFT],
                    &own BLY_WATCHED_BY(BLY_WATCH_OF(t, k, mirrored)));
#else
        bly_advance(&states[k], bly_set(t, k), i, time, point BLY_WATCHED_BY(BLY_WATCH_OF(t, k, mirrored)));
#endif
    }
    (void)mirrored;
}

#if BLY_KEPT
#include "kernels/simulation_kept.h"
#endif

/* Shows the next step to the payoff. */
BAILEY_FN void bly_show(bly_simulated *t, const bly_point *point)
{
    const bailey_uint32 i = t->shown++;
#if BLY_SHIFTS || BLY_SCORED
    if (i == 0) t->first = *point;
#endif
    bly_advance_all(t, t->states, i, 0, point);
#if BLY_ANTITHETIC
    bly_point mirror;
    BLY_FOR_DIMS
    {
#if BLY_KEEPS && BLY_RESUMES && BLY_WALK == BLY_WALK_POINTS
        BLY_FOR_PATHS mirror.dim[d].value[v] = 2 * t->origin.dim[d].value[v] - point->dim[d].value[v];
#else
        const real twice = BLY_WALK == BLY_WALK_INCREMENTS ? 0 : 2 * t->constants[d];
        BLY_FOR_PATHS mirror.dim[d].value[v] = twice - point->dim[d].value[v];
#endif
    }
    bly_advance_all(t, t->mirrored, i, 1, &mirror);
#endif
#if BLY_KEEPS
    bly_keep_step(t, i);
#endif
}

#elif BLY_FOLLOWS

/* Keeps the next step. */
BAILEY_FN void bly_show(bly_simulated *t, const bly_point *point)
{
    const bailey_uint32 row = t->shown++ * BLY_DIMS;
    BLY_FOR_DIMS BLY_FOR_PATHS t->path[row + (bailey_uint32)d][v] = point->dim[d].value[v];
}

#endif

/* ---- The path ------------------------------------------------------------------------------------ */

#if BLY_SEGMENT

#include "kernels/simulation_segment.h"

#elif BLY_WHOLE && !BLY_FOLLOWS

/* Nothing: the payoff reads X itself. */

#elif BLY_INPUT == BLY_INPUT_KEPT

/* Nothing: an item recalls states. */

#elif BLY_KEEPS && BLY_RESUMES

#include "kernels/simulation_resume.h"

#elif BLY_INPUT == BLY_INPUT_PATHS

BAILEY_FN void bly_follow(bly_simulated *t)
{
    for (bailey_uint32 k = 0; k < BLY_STEPS; k++) {
        bly_point x;
        BLY_FOR_DIMS x.dim[d] = bly_row_of(t, (bailey_uint64)k * BLY_DIMS + (bailey_uint32)d);
        bly_show(t, &x);
    }
}

#elif BLY_WALK == BLY_WALK_TREE

/* A step's value, as all bridges make it (bailey/device/bridge.h). */
BAILEY_FN bly_row bly_between(BLY_(bly_stream_) s, const bly_row *left, const bly_row *right, bly_row y)
{
    BLY_FOR_PATHS y.value[v] = bly_payoff_fma(
        s.sigma, y.value[v], bly_payoff_fma(s.right_weight, right->value[v], s.left_weight * left->value[v]));
    return y;
}

/* Makes the point of step k from those beside it; `z` is the step's row of Z. */
BAILEY_FN void bly_make(bly_simulated *t, const BAILEY_GLOBAL BLY_(bly_stream_) * stream, bailey_uint32 k,
                        bailey_uint32 z, const bly_point *left, const bly_point *right, bly_point *x)
{
    const BLY_(bly_stream_) s = stream[k];
#if BLY_FIXED_END
    if (k == 0) {
        BLY_FOR_DIMS BLY_FOR_PATHS x->dim[d].value[v] = t->constants[BLY_DIMS + d];
        return;
    }
#endif
    bly_normals_of(t, z, x);
    BLY_FOR_DIMS x->dim[d] = bly_between(s, &left->dim[d], &right->dim[d], x->dim[d]);
}

#if !BLY_STRAIGHT

BAILEY_FN void bly_follow(bly_simulated *t, const BAILEY_GLOBAL BLY_(bly_stream_) * stream)
{
    bly_point left, x, waiting[BLY_DEPTH];
    bailey_uint32 depth = 0;
    BLY_FOR_DIMS BLY_FOR_PATHS left.dim[d].value[v] = t->constants[d];
    BAILEY_UNROLL_1
    for (bailey_uint32 k = 0; k < BLY_STEPS; k++) {
        const bailey_uint32 pops = stream[k].pops;
        bly_make(t, stream, k, stream[k].z, &left, depth ? &waiting[depth - 1] : &left, &x);
        if (pops == 0) {
            waiting[depth++] = x;
            continue;
        }
        left = x;
        for (bailey_uint32 i = 1;; i++) {
            bly_show(t, &left);
            if (i == pops) break;
            left = waiting[--depth];
        }
    }
}

#endif

#else

/* One path alone would wait for each instruction. */
#if BLY_WIDTH == 1
#define BLY_UNROLL_STEPS BAILEY_UNROLL_4
#else
#define BLY_UNROLL_STEPS BAILEY_UNROLL_1
#endif

BAILEY_FN void bly_follow(bly_simulated *t, const BAILEY_GLOBAL BLY_(bly_stream_) * stream)
{
    bly_point x;
    BLY_FOR_DIMS BLY_FOR_PATHS x.dim[d].value[v] = BLY_WALK == BLY_WALK_POINTS ? t->constants[d] : 0;
    BLY_UNROLL_STEPS
    for (bailey_uint32 k = 0; k < BLY_STEPS; k++) {
        const BLY_(bly_stream_) s = stream[k];
        bly_point y;
        bly_normals_of(t, s.z, &y);
        BLY_FOR_DIMS BLY_FOR_PATHS x.dim[d].value[v] =
            bly_payoff_fma(s.sigma, y.dim[d].value[v], BLY_WALK == BLY_WALK_POINTS ? x.dim[d].value[v] : 0);
        bly_show(t, &x);
    }
}

#endif

/* ---- Faults -------------------------------------------------------------------------------------- */

#if BLY_FAULTS

/* Row `row` of path v, whose number in the launch is `path`; `none` of a path that has not failed. */
BAILEY_FN bailey_uint64 bly_fault_of(const bly_simulated *t, int v, bailey_uint64 path, int row,
                                     bailey_uint64 none)
{
#if BLY_DIAGNOSES
    for (int order = 0; order < BLY_WATCHES; order++)
        if (t->watched[order].site[v]) return bly_fault_diagnosis(&t->watched[order], v, order, row);
    (void)path;
    return none;
#else
    (void)row;
    return t->watched[0].site[v] ? path : none;
#endif
}

#endif

/* ---- The fold ------------------------------------------------------------------------------------ */

#if BLY_FIXED

#include "kernels/simulation_fixed.h"

#else

typedef double bly_node, bly_number;

#define BLY_SUMS (BLY_SUMS_OF(BLY_PRODUCTS, BLY_RESULTS) + (BLY_SHAPE == 1 ? 2 * BLY_RESULTS : 0))
#define BLY_MINIMA (BLY_FAULT_ROWS + BLY_RESULTS)

/* An output or a result of each of an item's paths. */
typedef struct bly_output {
    double value[BLY_WIDTH];
} bly_output;

/* Where a group's items meet. */
typedef struct bly_fold {
    BAILEY_GLOBAL double *node; /* of row 0 */
    bailey_uint64 row;
    BLY_SHARED double *meeting; /* a number of each item; not where a group is one item */
    bailey_uint32 turn;         /* of two places there */
#if BLY_FAULTS
    const bly_simulated *simulated;
    bailey_uint64 path; /* the number of the item's first one in the launch */
#endif
} bly_fold;

/* A row of its kind, which says how nodes are joined: known as a program is compiled, also in loops over rows
 * that stay loops. */
#define BLY_KIND_SUM 0u
#define BLY_KIND_LEAST ((bailey_uint32)(BLY_SUMS))
#define BLY_KIND_GREATEST ((bailey_uint32)(BLY_SUMS + BLY_MINIMA))

/* On processors a row of many results takes as long in a loop, and compiles in a tenth of the time. */
#if BLY_RESULTS > 8 && !defined(BAILEY_IS_CUDA) && !defined(BAILEY_IS_OPENCL)
#define BLY_UNROLL_RESULTS BAILEY_UNROLL_1
#else
#define BLY_UNROLL_RESULTS BLY_UNROLL_SCENARIOS
#endif

/* The group's node of a row, from its items'. */
BAILEY_FN void bly_meet_row(bly_fold *fold, bailey_uint32 row, bailey_uint32 kind, double node)
{
#if BLY_BLOCK > 1
    BLY_SHARED double *own = fold->meeting + BLY_LOCAL_ID;
    *own = node;
    for (bailey_uint32 far = 1; far < BLY_BLOCK; far *= 2) {
        BLY_BARRIER();
        if (BLY_LOCAL_ID % (2 * far) == 0)
            *own = node = bly_node_join(node, own[far], kind, BLY_SUMS, BLY_MINIMA);
    }
    BLY_BARRIER();
#endif
    if (BLY_LOCAL_ID == 0) fold->node[row * fold->row] = node;
}

/* The item's node of a row: `term` has a number for each path, also for those that are left out. */
#if BLY_WIDTH <= 4 || defined(BAILEY_IS_OPENCL) || defined(BAILEY_IS_CUDA)
BAILEY_FN double bly_node_of(bailey_uint32 kind, bly_output term)
{
#if BLY_WIDTH <= 4
    BAILEY_UNROLL
#endif
    for (int width = BLY_WIDTH; width > 1; width /= 2)
        for (int v = 0; v < width / 2; v++)
            term.value[v] =
                bly_node_join(term.value[2 * v], term.value[2 * v + 1], kind, BLY_SUMS, BLY_MINIMA);
    return term.value[0];
}
#else
/* From array to array, in loops of known length: C compilers turn these into vector instructions. */
#define BLY_HALVE(count)                                                                                     \
    {                                                                                                        \
        double joined[count];                                                                                \
        for (int v = 0; v < (count); v++)                                                                    \
            joined[v] = bly_node_join(term.value[2 * v], term.value[2 * v + 1], kind, BLY_SUMS, BLY_MINIMA); \
        for (int v = 0; v < (count); v++) term.value[v] = joined[v];                                         \
    }
BAILEY_FN double bly_node_of(bailey_uint32 kind, bly_output term)
{
#if BLY_WIDTH >= 64
    BLY_HALVE(32)
#endif
#if BLY_WIDTH >= 32
    BLY_HALVE(16)
#endif
#if BLY_WIDTH >= 16
    BLY_HALVE(8)
#endif
    BLY_HALVE(4)
    BLY_HALVE(2)
    BLY_HALVE(1)
    return term.value[0];
}
#undef BLY_HALVE
#endif

#if BLY_MEETS

/* Rows of one kind meet BLY_MEETS at a time: each item joins BLY_MEETS columns of one row, then one item of each
 * row joins what these have become. The tree is that of bly_meet_row. Every BLY_MEETS columns are followed by a free
 * one, so that items read from different banks. */
#define BLY_MEETS_PARTS (BLY_BLOCK / BLY_MEETS) /* of a row */
#define BLY_MEETS_ROW (BLY_BLOCK + BLY_MEETS_PARTS)
#define BLY_MEETS_MOST (BLY_MEETS > BLY_MEETS_PARTS ? BLY_MEETS : BLY_MEETS_PARTS)

/* Written so that compilers see which node is read: else they keep all of them in memory. */
BAILEY_FN double bly_meet_some(const BLY_SHARED double *from, bailey_uint32 kind, int count)
{
    double node[BLY_MEETS_MOST];
    BAILEY_UNROLL
    for (int k = 0; k < count; k++) node[k] = from[k];
#define BLY_HALVE(half)                                                                                      \
    if (count > (half)) {                                                                                    \
        BAILEY_UNROLL                                                                                        \
        for (int k = 0; k < (half) && 2 * k + 1 < BLY_MEETS_MOST; k++)                                       \
            node[k] = bly_node_join(node[2 * k], node[2 * k + 1], kind, BLY_SUMS, BLY_MINIMA);               \
    }
    BLY_HALVE(64)
    BLY_HALVE(32)
    BLY_HALVE(16)
    BLY_HALVE(8)
    BLY_HALVE(4)
    BLY_HALVE(2)
    BLY_HALVE(1)
#undef BLY_HALVE
    return node[0];
}

#if defined(BAILEY_IS_CUDA) && BLY_BLOCK % 32 == 0 && BLY_MEETS <= 16

/* Items of a warp meet by themselves, and the group then waits once. Warps' nodes have two places in turn, as some
 * may still be read. */
#define BLY_MEETS_WARPS (BLY_BLOCK / 32)
#define BLY_MEETS_LANES (32 / BLY_MEETS) /* that join columns of the same row */

BAILEY_FN void bly_meet_at_once(bly_fold *fold, bailey_uint32 row, bailey_uint32 kind, const double *waiting, int count)
{
    const bailey_uint32 id = BLY_LOCAL_ID, lane = id % 32, own = lane / BLY_MEETS_LANES, part = lane % BLY_MEETS_LANES;
    BLY_SHARED double *columns = fold->meeting + id / 32 * (BLY_MEETS * (32 + BLY_MEETS_LANES)),
                      *parts = fold->meeting + BLY_MEETS * BLY_MEETS_ROW + fold->turn * (BLY_MEETS * BLY_MEETS_WARPS);
    double node;
    BAILEY_UNROLL
    for (int i = 0; i < BLY_MEETS; i++)
        columns[i * (32 + BLY_MEETS_LANES) + (int)(lane + lane / BLY_MEETS)] = waiting[i < count ? i : count - 1];
    bailey_warp_meet();
    node = bly_meet_some(columns + own * (32 + BLY_MEETS_LANES) + part * (BLY_MEETS + 1), kind, BLY_MEETS);
    BAILEY_UNROLL
    for (bailey_uint32 far = 1; far < BLY_MEETS_LANES; far *= 2)
        node = bly_node_join(node, bailey_warp_behind(node, far), kind, BLY_SUMS, BLY_MINIMA);
    if (part == 0) parts[own * BLY_MEETS_WARPS + id / 32] = node;
    BLY_BARRIER();
    if (id < (bailey_uint32)count)
        fold->node[(row + id) * fold->row] = bly_meet_some(parts + id * BLY_MEETS_WARPS, kind, BLY_MEETS_WARPS);
    fold->turn = !fold->turn;
}

#else

BAILEY_FN void bly_meet_at_once(bly_fold *fold, bailey_uint32 row, bailey_uint32 kind, const double *waiting, int count)
{
    const bailey_uint32 id = BLY_LOCAL_ID, own = id / BLY_MEETS_PARTS, part = id % BLY_MEETS_PARTS;
    BLY_SHARED double *parts = fold->meeting + BLY_MEETS * BLY_MEETS_ROW;
    BAILEY_UNROLL
    for (int i = 0; i < BLY_MEETS; i++)
        fold->meeting[i * BLY_MEETS_ROW + id + id / BLY_MEETS] = waiting[i < count ? i : count - 1];
    BLY_BARRIER();
    parts[id] = bly_meet_some(fold->meeting + own * BLY_MEETS_ROW + part * (BLY_MEETS + 1), kind, BLY_MEETS);
    BLY_BARRIER();
    if (id < (bailey_uint32)count)
        fold->node[(row + id) * fold->row] = bly_meet_some(parts + id * BLY_MEETS_PARTS, kind, BLY_MEETS_PARTS);
}

#endif

BAILEY_FN void bly_meet_rows(bly_fold *fold, bailey_uint32 row, bailey_uint32 kind, const double *waiting,
                             int count)
{
    BAILEY_UNROLL_1
    for (int done = 0; done < count; done += BLY_MEETS)
        bly_meet_at_once(fold, row + (bailey_uint32)done, kind, waiting + done,
                         count - done < BLY_MEETS ? count - done : BLY_MEETS);
}

#endif

/* A row of few results meets as soon as it is made. Rows of many, such as scenarios and derivatives, wait for
 * each other, so that a program has few barriers and compiles in a fifth of the time. */
#define BLY_WAITS (BLY_MEETS || BLY_SCENARIOS > 1 || BLY_WEIGHTED || (BLY_RESULTS > 8 && BLY_BLOCK > 1))

/* Rows of looks at states wait for those of all products, so that as few as can be are left to meet alone. */
#define BLY_QUEUES (BLY_MEETS && BLY_INPUT == BLY_INPUT_KEPT)
#if BLY_QUEUES
#define BLY_UNROLL_FACTORS BAILEY_UNROLL /* so that `waiting` is in registers */
#else
#define BLY_UNROLL_FACTORS
#endif

#if !BLY_MEETS
BAILEY_FN void bly_meet_rows(bly_fold *fold, bailey_uint32 row, bailey_uint32 kind, const double *waiting,
                             int count)
{
#if BLY_WAITS
    BAILEY_UNROLL_1
    for (int i = 0; i < count; i++) bly_meet_row(fold, row + (bailey_uint32)i, kind, waiting[i]);
#endif
    (void)fold, (void)row, (void)kind, (void)waiting, (void)count;
}
#endif

#if BLY_FAULTS
BAILEY_FN double bly_fault_number(const bly_fold *fold, int v, int row)
{
    const bailey_uint64 none = ~(bailey_uint64)0,
                        number = bly_fault_of(fold->simulated, v, fold->path + (bailey_uint64)v, row, none);
    return number == none ? BLY_NODE_FAR : (double)number;
}
#endif

/* All rows of the outputs of the item's paths low .. high - 1. */
BAILEY_FN void bly_fold_all(bly_fold *fold, const bly_output *outputs, bailey_uint32 low, bailey_uint32 high)
{
    bailey_uint32 row = 0;
#if BLY_QUEUES
    double waiting[BLY_MEETS];
    int filled = 0;
#define BLY_LEAVE(place, kind, node)                                                                         \
    {                                                                                                        \
        waiting[filled++] = (node);                                                                          \
        row++;                                                                                               \
        if (filled == BLY_MEETS) {                                                                           \
            bly_meet_at_once(fold, row - BLY_MEETS, kind, waiting, BLY_MEETS);                               \
            filled = 0;                                                                                      \
        }                                                                                                    \
    }
#define BLY_SETTLE(kind)                                                                                     \
    if (filled) bly_meet_at_once(fold, row - (bailey_uint32)filled, kind, waiting, filled);                  \
    filled = 0;
#define BLY_MEET(kind, count)
#else
    double waiting[BLY_WAITS ? BLY_RESULTS : 1];
#define BLY_SETTLE(kind)
#define BLY_MEET(kind, count) bly_meet_rows(fold, row - (bailey_uint32)(count), kind, waiting, count);
#if BLY_WAITS
#define BLY_LEAVE(place, kind, node) (waiting[place] = (node), row++)
#else
#define BLY_LEAVE(place, kind, node) bly_meet_row(fold, row, kind, (node)), row++
#endif
#endif
#define BLY_FOLD(place, kind, absent, number)                                                                \
    {                                                                                                        \
        bly_output term;                                                                                     \
        BLY_FOR_PATHS term.value[v] =                                                                        \
            (bailey_uint32)v >= low && (bailey_uint32)v < high ? (number) : (absent);                        \
        BLY_LEAVE(place, kind, bly_node_of(kind, term));                                                     \
    }
#define BLY_FOLD_EACH(kind, absent, number)                                                                  \
    {                                                                                                        \
        BLY_UNROLL_RESULTS                                                                                   \
        for (int a = 0; a < BLY_RESULTS; a++) BLY_FOLD(a, kind, absent, number)                              \
        BLY_MEET(kind, BLY_RESULTS)                                                                          \
        BLY_SETTLE(kind)                                                                                     \
    }
#if BLY_PRODUCTS == BLY_PRODUCTS_LAST
    BLY_FOLD(0, BLY_KIND_SUM, BLY_NODE_NOTHING, outputs[BLY_RESULTS - 1].value[v])
    BLY_UNROLL_RESULTS
    for (int a = 1; a < BLY_RESULTS; a++)
        BLY_FOLD(a, BLY_KIND_SUM, BLY_NODE_NOTHING, outputs[a].value[v] * outputs[BLY_RESULTS - 1].value[v])
    BLY_MEET(BLY_KIND_SUM, BLY_RESULTS)
    BLY_SETTLE(BLY_KIND_SUM)
#elif BLY_PRODUCTS
#define BLY_FACTORS (BLY_RESULTS - (BLY_PRODUCTS == BLY_PRODUCTS_OTHERS))
    BLY_UNROLL_RESULTS
    for (int a = 0; a < BLY_FACTORS; a++) BLY_FOLD(a, BLY_KIND_SUM, BLY_NODE_NOTHING, outputs[a].value[v])
    BLY_MEET(BLY_KIND_SUM, BLY_FACTORS)
    BLY_UNROLL_RESULTS
    for (int a = 0; a < BLY_FACTORS; a++) {
        BLY_UNROLL_FACTORS
        for (int b = a; b < BLY_FACTORS; b++)
            BLY_FOLD(b - a, BLY_KIND_SUM, BLY_NODE_NOTHING, outputs[a].value[v] * outputs[b].value[v])
        BLY_MEET(BLY_KIND_SUM, BLY_FACTORS - a)
    }
    BLY_SETTLE(BLY_KIND_SUM)
#else
    BLY_FOLD_EACH(BLY_KIND_SUM, BLY_NODE_NOTHING, outputs[a].value[v])
    BLY_FOLD_EACH(BLY_KIND_SUM, BLY_NODE_NOTHING, outputs[a].value[v] * outputs[a].value[v])
#endif
#if BLY_SHAPE == 1
    BLY_FOLD_EACH(BLY_KIND_SUM, BLY_NODE_NOTHING, outputs[a].value[v] * outputs[a].value[v] * outputs[a].value[v])
    BLY_FOLD_EACH(BLY_KIND_SUM, BLY_NODE_NOTHING,
                  (outputs[a].value[v] * outputs[a].value[v]) * (outputs[a].value[v] * outputs[a].value[v]))
#endif
#if BLY_FAULTS
    for (int f = 0; f < BLY_FAULT_ROWS; f++) {
        BLY_FOLD(0, BLY_KIND_LEAST, BLY_NODE_FAR, bly_fault_number(fold, v, f))
        BLY_MEET(BLY_KIND_LEAST, 1)
        BLY_SETTLE(BLY_KIND_LEAST)
    }
#endif
#if BLY_SHAPE
    BLY_FOLD_EACH(BLY_KIND_LEAST, BLY_NODE_FAR, outputs[a].value[v])
    BLY_FOLD_EACH(BLY_KIND_GREATEST, -BLY_NODE_FAR, outputs[a].value[v])
#endif
    (void)waiting;
}

#endif

#endif
