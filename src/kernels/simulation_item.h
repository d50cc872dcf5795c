/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An item of a simulation, from its place to its group's nodes. Part of kernels/simulation_code.h, which says
 * what programs define.
 */
#ifndef BLY_SIMULATION_ITEM_H
#define BLY_SIMULATION_ITEM_H

#include "kernels/simulation_code.h"

#if !BLY_GRADIENT

/* The outputs of one path in scenario k. */
BAILEY_FN void bly_find_outputs(bly_simulated *t, int k, int v, int mirrored, real out[])
{
#if BLY_FAULTS
    bly_watched *watched = BLY_WATCH_OF(t, k, mirrored);
#endif
    BLY_WATCH(v)
    for (int a = 0; a < BLY_OUTPUTS; a++) out[a] = 0;
#if BLY_MOTION_DEPTH
    path x;
    bly_path_begin(&x, t->keys, t->table, t->constants, t->begin + (bailey_uint64)v, mirrored);
    bly_own_whole(bly_set(t, k), x, out BLY_WATCHED);
#elif BLY_WHOLE
    path x;
    x.x = t->from + v;
    x.row = t->row;
    x.constants = t->constants;
    x.dims = BLY_DIMS;
    x.increments = BLY_WALK == BLY_WALK_INCREMENTS;
    x.mirrored = mirrored;
#if BLY_MOVES
    x.move = bly_move_of(t, k);
#endif
    bly_own_whole(bly_set(t, k), x, out BLY_WATCHED);
#elif BLY_ANTITHETIC
    const state s = bly_state_get(mirrored ? &t->mirrored[k] : &t->states[k], v);
    bly_own_finish(&s, bly_set(t, k), out BLY_WATCHED);
#else
    const state s = bly_state_get(&t->states[k], v);
    (void)mirrored;
    bly_own_finish(&s, bly_set(t, k), out BLY_WATCHED);
#endif
    BLY_KEEP(v)
}

#endif

/* The outputs of the item's paths, or their mirror images, in scenario k. */
BAILEY_FN void bly_evaluate_scenario(bly_simulated *t, int k, int mirrored, bly_output outputs[BLY_OUTPUTS])
{
#if BLY_GRADIENT
    bly_gradient(t, k, mirrored, outputs);
#else
    BLY_FOR_PATHS
    {
        real out[BLY_OUTPUTS];
        bly_find_outputs(t, k, v, mirrored, out);
        for (int a = 0; a < BLY_OUTPUTS; a++) outputs[a].value[v] = (bly_number)out[a];
    }
#endif
}

#if BLY_SCORED

/* A dimension of a path's first point, less what the path is about. */
BAILEY_FN double bly_first_step(const bly_simulated *t, int v, int d)
{
#if BLY_WHOLE
    const real first = t->from[(bailey_uint64)d * t->row + (bailey_uint64)v];
#else
    const real first = t->first.dim[d].value[v];
#endif
    return (double)first - (double)bly_origin(t->constants, d);
}

/* Multiplies rows by their scores. */
BAILEY_FN void bly_score(const bly_simulated *t, int mirrored, bly_output rows[BLY_RESULTS])
{
    const BLY_VALUES_SPACE double *scores = (const BLY_VALUES_SPACE double *)(t->values + BLY_SCORES_AT);
    BLY_UNROLL_SCENARIOS
    for (int r = 0; r < BLY_RESULTS; r++) {
        const BLY_VALUES_SPACE double *score = scores + r * BLY_SCORE;
        BLY_FOR_PATHS
        {
            double sum = score[0];
            for (int d = 0; d < BLY_DIMS; d++) {
                double slope = 0;
                for (int j = 0; j < BLY_DIMS; j++)
                    slope = bailey_fma_f64(score[1 + BLY_DIMS + d * BLY_DIMS + j], bly_first_step(t, v, j),
                                           slope);
                slope = mirrored ? slope - score[1 + d] : slope + score[1 + d];
                sum = bailey_fma_f64(slope, bly_first_step(t, v, d), sum);
            }
            rows[r].value[v] *= sum;
        }
    }
}

#endif

/* The means of numbers of paths and of their mirror images, instead of the former. */
BAILEY_FN void bly_mean(bly_output *outputs, const bly_output *mirrored, int count)
{
    BLY_UNROLL_SCENARIOS
    for (int a = 0; a < count; a++)
        BLY_FOR_PATHS outputs[a].value[v] = (outputs[a].value[v] + mirrored[a].value[v]) * BLY_(BAILEY_HALF_);
}

BAILEY_FN void bly_evaluate_scenarios(bly_simulated *t, int mirrored, bly_output *outputs)
{
#if defined(BLY_KEPT_TASK) && !defined(BAILEY_IS_CUDA) && !defined(BAILEY_IS_OPENCL)
    if (bly_set(t, 0)->BLY_KEPT_TASK == 0) {
        bly_evaluate_scenario(t, 0, mirrored, outputs);
        return;
    }
#endif
    BLY_FOR_SCENARIOS bly_evaluate_scenario(t, k, mirrored, outputs + k * BLY_OUTPUTS);
}

#if BLY_SCORED

/* Scores differ between a path and its mirror image. */
BAILEY_FN void bly_evaluate_half(bly_simulated *t, int mirrored, bly_output results[BLY_RESULTS])
{
    bly_output outputs[BLY_SCENARIOS * BLY_OUTPUTS];
    bly_evaluate_scenarios(t, mirrored, outputs);
    bly_weigh((const BLY_VALUES_SPACE double *)(t->values + BLY_WEIGHTS_AT), outputs, results);
    bly_score(t, mirrored, results);
}

BAILEY_FN void bly_evaluate_all(bly_simulated *t, bly_output results[BLY_RESULTS])
{
    bly_evaluate_half(t, 0, results);
#if BLY_ANTITHETIC
    bly_output mirrored[BLY_RESULTS];
    bly_evaluate_half(t, 1, mirrored);
    bly_mean(results, mirrored, BLY_RESULTS);
#endif
}

#else

/* All results of the item's paths. */
BAILEY_FN void bly_evaluate_all(bly_simulated *t, bly_output results[BLY_RESULTS])
{
#if BLY_WEIGHTED
    bly_output outputs[BLY_SCENARIOS * BLY_OUTPUTS];
#else
    bly_output *outputs = results;
#endif
    bly_evaluate_scenarios(t, 0, outputs);
#if BLY_ANTITHETIC
    bly_output mirrored[BLY_SCENARIOS * BLY_OUTPUTS];
    bly_evaluate_scenarios(t, 1, mirrored);
    bly_mean(outputs, mirrored, BLY_SCENARIOS * BLY_OUTPUTS);
#endif
#if BLY_WEIGHTED
    bly_weigh((const BLY_VALUES_SPACE double *)(t->values + BLY_WEIGHTS_AT), outputs, results);
#endif
}

#endif

#if BLY_HISTOGRAM
/* Counts one output of the item's paths low .. high - 1. */
BAILEY_FN void bly_count(bly_simulation_params p, BAILEY_GLOBAL bly_node *nodes, const bly_output *outputs,
                         bailey_uint32 low, bailey_uint32 high)
{
#if BLY_FIXED
    for (bailey_uint32 v = low; v < high; v++) bly_count_whole(p, nodes, outputs->value[v]);
#else
    for (bailey_uint32 v = low; v < high; v++) bly_count_in(p, nodes, outputs->value[v]);
#endif
}
#endif

/* A group copies the table of the inverse CDF behind the place where its items meet, and where segments are. */
#define BLY_TABLE_AT(shared) ((BLY_SHARED real *)((BLY_SHARED bailey_uint64 *)(shared) + BLY_TABLE_WORDS))

/* How many of the item's paths, which begin at `begin`, come before path `path`. */
BAILEY_FN bailey_uint32 bly_lanes_before(bailey_uint64 begin, bailey_uint64 path)
{
    const bailey_uint64 before = path > begin ? path - begin : 0;
    return before < BLY_WIDTH ? (bailey_uint32)before : BLY_WIDTH;
}

#if BLY_GIVEN
typedef struct bly_simulation_launch {
    bly_simulation_params run;
    bailey_uint64 values[BLY_GIVEN];
} bly_simulation_launch;
#else
typedef struct bly_simulation_launch {
    bly_simulation_params run;
} bly_simulation_launch;
#endif

BAILEY_FN void bly_simulate_group(BLY_BY_REFERENCE(bly_simulation_launch) launch,
                                  const BAILEY_GLOBAL bailey_uint64 *values,
                                  const BAILEY_GLOBAL BLY_(bly_stream_) * stream,
                                  const BAILEY_GLOBAL real *constants, const BAILEY_GLOBAL real *from,
                                  const BAILEY_GLOBAL BLY_WORD *points, const BAILEY_GLOBAL BLY_WORD *heads,
                                  BAILEY_GLOBAL bly_node *nodes, BAILEY_GLOBAL real *samples,
                                  BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)
{
    const bly_simulation_params p = launch.run;
#if BLY_KEPT
    const bailey_uint32 look = p.kept.groups ? (bailey_uint32)(item / BLY_BLOCK) / p.kept.groups : 0,
                        deal = p.kept.groups ? look / p.kept.dates : 0, date = look - deal * p.kept.dates;
    item -= (bailey_uint64)look * p.kept.groups * BLY_BLOCK;
    values += deal * p.kept.deal_values + date * p.kept.date_values;
    samples += deal * p.kept.deal_memory;
    nodes += look * p.kept.look_nodes;
#endif
    const bailey_uint64 begin = p.base + item * BLY_WIDTH;
    bly_simulated t;
    (void)stream, (void)points, (void)heads, (void)shared;
#if BLY_GIVEN
    (void)values;
    t.values = launch.values;
#else
#if BLY_KEPT
    values += BLY_INPUT == BLY_INPUT_KEPT ? 0 : p.kept.values;
#endif
    t.values = values;
#endif
    t.constants = constants;
    t.shown = 0;
#if BLY_INPUT == BLY_INPUT_DRAWN
#if defined(BAILEY_ICDF_COPIES)
    BLY_(bailey_icdf_copy_)(BLY_TABLE_AT(shared), from, BLY_LOCAL_ID, BLY_BLOCK);
    BLY_BARRIER();
    t.table = BLY_TABLE_AT(shared);
#else
    t.table = from;
#endif
    t.begin = begin;
#if defined(BLY_POINTS)
    {
        const bailey_uint64 first = p.base & ~(bailey_uint64)(BLY_SOBOL_CHUNK - 1);
        const bailey_uint64 last = (p.end - 1 - first) >> BLY_SOBOL_CHUNK_BITS;
        const bailey_uint64 chunk = (begin - first) >> BLY_SOBOL_CHUNK_BITS; /* may be past the last */
        t.points = points;
        t.heads = heads + (chunk < last ? chunk : last) * BLY_Z_ROWS;
    }
#else
    t.keys = p.keys;
    t.stream = p.stream;
#if BLY_TOGETHER
    t.shared = (BLY_SHARED bailey_uint32 *)shared + BLY_LOCAL_ID / 32 * 4 * BLY_TOGETHER_ROW;
#endif
#endif
#elif BLY_INPUT == BLY_INPUT_KEPT
    (void)from;
#else
    t.from = from + item * BLY_WIDTH;
    t.row = p.from_row;
#endif
#if BLY_SEGMENT
    t.segment = (BLY_SHARED real *)shared + BLY_LOCAL_ID;
    t.segment_first = BLY_NO_SEGMENT;
#if BLY_INPUT == BLY_INPUT_DRAWN
    t.walk = stream;
#endif
#endif
    const bailey_uint32 low = bly_lanes_before(begin, p.first), high = bly_lanes_before(begin, p.end);
#if BLY_KEPT
    t.memory = samples + begin;
    t.marks = samples;
    t.path = begin;
    t.kept = p.kept;
    t.kept.from += date * p.kept.date_memory;
    t.low = low;
    t.high = high;
#endif

#if BLY_FAULTS
    BAILEY_GLOBAL bailey_uint32 *failed = (BAILEY_GLOBAL bailey_uint32 *)nodes + p.counts + p.bins + 2;
    const int behind = !BLY_DIAGNOSES && BAILEY_PEEK(failed) > ~(bailey_uint32)item;
    BAILEY_UNROLL
    for (int k = 0; k < BLY_WATCHES; k++) bly_watched_begin(&t.watched[k], BLY_WIDTH, behind);
#endif
#if !BLY_WHOLE
    BLY_FOR_SCENARIOS
    {
        bly_begin(&t.states[k], bly_set(&t, k) BLY_WATCHED_BY(BLY_WATCH_OF(&t, k, 0)));
#if BLY_ANTITHETIC
        t.mirrored[k] = t.states[k];
#if BLY_FAULTS && BLY_DIAGNOSES
        *BLY_WATCH_OF(&t, k, 1) = *BLY_WATCH_OF(&t, k, 0);
#endif
#endif
    }
#if BLY_INPUT == BLY_INPUT_PATHS
    bly_follow(&t);
#elif BLY_INPUT != BLY_INPUT_KEPT
    bly_follow(&t, stream);
#endif
#endif

#if BLY_FOLLOWS
    bly_follow(&t, stream);
#endif

    bly_output results[BLY_RESULTS];
#if BLY_INPUT == BLY_INPUT_KEPT
    BAILEY_UNROLL_1
    for (int last = p.kept.replaces ? 0 : 1; last < 2; last++) {
        bly_recall_at(&t, last ? p.kept.from + date * p.kept.date_memory : p.kept.before);
#if !BLY_GIVEN
        t.values = values + (last ? p.kept.values : p.kept.values_before);
#endif
        bly_evaluate_all(&t, results);
        BLY_FOR_KEPT(&t)
        if (!last) t.memory[p.kept.last + (bailey_uint64)v] = (real)results[0].value[v];
    }
#else
    bly_evaluate_all(&t, results);
#endif
#if BLY_SEGMENT || BLY_TOGETHER
    BLY_BARRIER(); /* before results meet in the same memory */
#endif
#if BLY_SAMPLES
    for (int a = 0; a < BLY_RESULTS; a++)
        for (bailey_uint32 v = low; v < high; v++)
            samples[p.sample_first + (bailey_uint32)a * p.sample_row + (begin + v - p.first)] =
                (real)results[a].value[v];
#else
    (void)samples;
#endif
#if BLY_HISTOGRAM
    bly_count(p, nodes, &results[BLY_HISTOGRAM - 1], low, high);
#endif
    bly_fold fold;
    fold.node = nodes + item / BLY_BLOCK;
    fold.row = p.node_row;
    fold.meeting = (BLY_SHARED bly_node *)shared;
#if BLY_FIXED
    fold.rows = 0;
    fold.fixed = p.fixed;
    fold.begin = begin;
#else
    fold.turn = 0;
#endif
#if BLY_FAULTS
    for (bailey_uint32 v = low; v < high && !behind; v++)
        if (t.watched[0].site[v]) BAILEY_RAISE(failed, ~(bailey_uint32)item);
    fold.simulated = &t;
    fold.path = begin - p.first;
#endif
    bly_fold_all(&fold, results, low, high);
}

BLY_GROUP_ENTRY_8(bly_simulate, bly_simulation_launch, const bailey_uint64, const BLY_(bly_stream_),
                  const real, const real, const BLY_WORD, const BLY_WORD, bly_node, real)

#endif
