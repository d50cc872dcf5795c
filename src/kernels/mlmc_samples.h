/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Samples of levels: an item's random numbers, BLY_WIDTH samples side by side, or fewer where a group is one
 * item; the level functions on them, step by step; and the payoffs of the samples. Part of
 * kernels/mlmc_code.h.
 *
 * Random numbers are addressed as those of paths: number r of sample s is number r 2^BLY_PATH_BITS + s of the
 * level's stream. So a sample is the same in whatever launch, and one block of the generator makes a number
 * of four neighbouring samples, or of two in double precision.
 */
#ifndef BLY_MLMC_SAMPLES_H
#define BLY_MLMC_SAMPLES_H

#include "kernels/mlmc_head.h"
#include "kernels/mlmc_params.h"
#include "kernels/payoff_faults.h"

#ifndef BLY_HALF
#define BLY_HALF 0
#endif

#if BLY_INPUT == BLY_INPUT_DRAWN && defined(BLY_CALLS_ROWS)
#include "kernels/fill.h"
#define BLY_FILLED 1
#else
#define BLY_FILLED 0
#endif

/* Rows of a node: those that are added up, and of faults the least. */
#define BLY_LEVEL_ADDED (BLY_TEST ? 7 : 3)
#define BLY_LEVEL_SUMS (BLY_LEVEL_ADDED + BLY_FAULT_ROWS)

/* For each of an item's samples side by side: as many as a chunk has. Compilers see that they are a multiple
 * of the grain, and make no loops of what a vector leaves over. */
#define BLY_GRAIN_BITS 5 /* BLY_LEVEL_GRAIN of src/host/mlmc/driver.h */
#if BLY_BLOCK == 1
#define BLY_LANES_OF(t) ((t)->grains << BLY_GRAIN_BITS)
#if defined(__GNUC__) && !defined(__clang__)
#define BLY_FOR_SAMPLES(t) _Pragma("GCC ivdep") for (int v = 0; v < BLY_LANES_OF(t); v++)
#else
#define BLY_FOR_SAMPLES(t) for (int v = 0; v < BLY_LANES_OF(t); v++)
#endif
#else
#define BLY_LANES_OF(t) BLY_WIDTH
#define BLY_FOR_SAMPLES(t) BAILEY_UNROLL for (int v = 0; v < BLY_WIDTH; v++)
#endif
#define BLY_PACK_SAMPLES (sizeof(real) == 4 ? BAILEY_PACK32 : BAILEY_PACK64)

/* For each pack of an item's samples in a row. */
#define BLY_FOR_PACKS(t)                                                                                     \
    BAILEY_UNROLL_1 for (int pack = 0; pack < BLY_LANES_OF(t); pack += (int)BLY_PACK_SAMPLES)

/* Numbers of an item's samples in one row. */
typedef struct bly_row {
    real value[BLY_WIDTH];
} bly_row;

/* The random numbers of a step of an item's samples. */
typedef struct bly_noises {
    bly_row dw[BLY_DIMS];
#if BLY_STEP_NORMALS
    bly_row z[BLY_STEP_NORMALS];
#endif
#if BLY_STEP_UNIFORMS
    bly_row u[BLY_STEP_UNIFORMS];
#endif
} bly_noises;

/* Where samples that fail end the work on those behind them. A persistent kernel works on two rounds at
 * once, of which the later may fail before the earlier: there an item knows of its own samples alone. */
#define BLY_KNOWS_FAILED (BLY_FAULTS && !BLY_DIAGNOSES && !BLY_PERSISTENT)

/* What an item works on. */
typedef struct bly_sampled {
    const BLY_VALUES_SPACE bailey_uint64 *values;
    const BAILEY_GLOBAL real *factor;
#if BLY_INPUT == BLY_INPUT_DRAWN
    const BAILEY_ICDF_SPACE real *table;
    bailey_philox_keys keys;
    bailey_uint64 stream; /* of the level */
#if BLY_APPROXIMATE
    const BAILEY_GLOBAL float *approximate; /* the table */
#endif
#else
    const BAILEY_GLOBAL real *from;
    bailey_uint64 from_row, from_first;
#endif
    bailey_uint64 begin; /* the item's first sample of a turn */
#if BLY_FAULTS
    bailey_uint64 asked; /* the sample whose fault is diagnosed */
#if BLY_KNOWS_FAILED
    BAILEY_GLOBAL bailey_uint32 *failed;
#else
    bailey_uint64 failed_begin; /* 1 + the first of the item's samples of a level that failed; 0 */
    bailey_uint32 failed_level;
#endif
#endif
    bailey_uint32 level, steps;
#if BLY_BLOCK == 1
    int grains;
#endif
    real h, root, time;
} bly_sampled;

BAILEY_FN const params *bly_set(const bly_sampled *t) { return (const params *)t->values; }

/* ---- Numbers ------------------------------------------------------------------------------------- */

#if BLY_STEP_UNIFORMS && BLY_INPUT == BLY_INPUT_DRAWN

/* As bailey_uniforms_generate makes them of the usual words. */
BAILEY_FN real bly_uniform_f32(bailey_uint32 word)
{
    return (real)bailey_fma_f32((float)(bailey_int32)(word >> 9), 0x1p-23f, 0x1p-24f);
}
BAILEY_FN real bly_uniform_f64(bailey_uint64 word)
{
    return (real)(bailey_f64_bits_u64(word >> 12 | 0x3ff0000000000000u) - 0x1.fffffffffffffp-1);
}

#endif

#if BLY_FILLED

/* A row, made by the library's own kernel, which is faster than what compilers make of a program. `wide` says
 * whether its lanes have 8 bytes. */
BAILEY_FN void bly_fill_row(const bly_sampled *t, int row_kernel, int wide, bailey_uint64 row, int uniform,
                            bly_row *to)
{
    const bly_row_called kernel = bly_rows[wide][row_kernel];
    const bailey_uint64 pack = (wide ? 2 : 4) * (bailey_uint64)kernel.lanes;
    const bly_fill_params p = {.stream = t->stream,
                               .first = row << BLY_PATH_BITS | t->begin,
                               .count = (bailey_uint64)BLY_LANES_OF(t),
                               .out_stride = 1,
                               .keys = t->keys,
                               .rounds = BLY_ROUNDS};
    void *const normal[2] = {(void *)t->table, to->value}, *const one[2] = {to->value, 0};
    kernel.function(&p, uniform ? one : normal, 0, (p.count + pack - 1) / pack, 0);
}

#define BLY_WIDE (sizeof(real) == 8)
BAILEY_FN void bly_place_normals(const bly_sampled *t, bailey_uint64 row, bly_row *to)
{
    bly_fill_row(t, BLY_NORMALS_ROW, BLY_WIDE, row, 0, to);
}
BAILEY_FN void bly_place_uniforms(const bly_sampled *t, bailey_uint64 row, bly_row *to)
{
    bly_fill_row(t, BLY_UNIFORMS_ROW, BLY_WIDE, row, 1, to);
}

#elif BLY_INPUT == BLY_INPUT_DRAWN

BAILEY_FN bly_row bly_normals_of(const bly_sampled *t, bailey_uint64 row)
{
    bly_row x;
    BLY_FOR_PACKS(t)
    {
        const BLY_(bailey_pack_) drawn =
            BLY_(bailey_draw_rounds_)(BLY_ROUNDS, BLY_DRAW, t->table, t->keys, t->stream,
                                      row << BLY_PATH_BITS | (t->begin + (bailey_uint64)pack));
        BAILEY_UNROLL
        for (int v = 0; v < (int)BLY_PACK_SAMPLES; v++) x.value[pack + v] = drawn.value[v];
    }
    return x;
}

#if BLY_STEP_UNIFORMS

BAILEY_FN void bly_uniforms_f32(const bly_sampled *t, bailey_uint64 first, real u[])
{
    const bailey_philox_block w = bailey_philox_words4_either(BLY_ROUNDS, t->keys, t->stream, first >> 2);
    BAILEY_UNROLL
    for (int v = 0; v < 4; v++) u[v] = bly_uniform_f32(w.word[v]);
}
BAILEY_FN void bly_uniforms_f64(const bly_sampled *t, bailey_uint64 first, real u[])
{
    const bailey_pack_u64 w = bailey_philox_elements2_either(BLY_ROUNDS, t->keys, t->stream, first >> 1);
    BAILEY_UNROLL
    for (int v = 0; v < 2; v++) u[v] = bly_uniform_f64(w.value[v]);
}
BAILEY_FN bly_row bly_uniforms_of(const bly_sampled *t, bailey_uint64 row)
{
    bly_row x;
    BLY_FOR_PACKS(t)
    BLY_(bly_uniforms_)(t, row << BLY_PATH_BITS | (t->begin + (bailey_uint64)pack), x.value + pack);
    return x;
}

#endif

#else

BAILEY_FN bly_row bly_normals_of(const bly_sampled *t, bailey_uint64 row)
{
    const BAILEY_GLOBAL real *from = t->from + row * t->from_row + (t->begin - t->from_first);
    bly_row x;
    BLY_FOR_SAMPLES(t) x.value[v] = from[v];
    return x;
}
#define bly_uniforms_of bly_normals_of

#endif

#if !BLY_FILLED
BAILEY_FN void bly_place_normals(const bly_sampled *t, bailey_uint64 row, bly_row *to)
{
    *to = bly_normals_of(t, row);
}
#if BLY_STEP_UNIFORMS
BAILEY_FN void bly_place_uniforms(const bly_sampled *t, bailey_uint64 row, bly_row *to)
{
    *to = bly_uniforms_of(t, row);
}
#endif
#endif

#if BLY_CORRELATED && BLY_INPUT == BLY_INPUT_DRAWN
/* From Z of a step C Z, in the order of operations that bridges have. */
BAILEY_FN void bly_correlate(const bly_sampled *t, bly_row dw[BLY_DIMS])
{
    const BAILEY_GLOBAL real *c = t->factor;
    /* From the last dimension on, so that those before are still Z. */
    for (int d = BLY_DIMS - 1; d >= 0; d--) {
        BLY_FOR_SAMPLES(t)
        {
            real sum = c[d * BLY_DIMS] * dw[0].value[v];
            for (int j = 1; j <= d; j++) sum = bly_payoff_fma(c[d * BLY_DIMS + j], dw[j].value[v], sum);
            dw[d].value[v] = sum;
        }
    }
}
#endif

/* C Z of a step; increments, where those are stored. */
BAILEY_FN void bly_increments_of(const bly_sampled *t, bailey_uint64 row, bly_row dw[BLY_DIMS])
{
    BAILEY_UNROLL
    for (int d = 0; d < BLY_DIMS; d++) bly_place_normals(t, row + (bailey_uint64)d, &dw[d]);
#if BLY_CORRELATED && BLY_INPUT == BLY_INPUT_DRAWN
    bly_correlate(t, dw);
#endif
}

/* The numbers of fine step i. Rows are those of bailey/mlmc.h: Brownian numbers of all steps, then normals,
 * then uniform numbers. */
BAILEY_FN void bly_noise_of(const bly_sampled *t, bailey_uint32 i, bly_noises *n)
{
    bly_increments_of(t, (bailey_uint64)i * BLY_DIMS, n->dw);
#if BLY_STEP_NORMALS
    BAILEY_UNROLL
    for (int k = 0; k < BLY_STEP_NORMALS; k++)
        bly_place_normals(
            t, (bailey_uint64)t->steps * BLY_DIMS + (bailey_uint64)i * BLY_STEP_NORMALS + (bailey_uint64)k,
            &n->z[k]);
#endif
#if BLY_STEP_UNIFORMS
    BAILEY_UNROLL
    for (int k = 0; k < BLY_STEP_UNIFORMS; k++)
        bly_place_uniforms(t,
                           (bailey_uint64)t->steps * (BLY_DIMS + BLY_STEP_NORMALS) +
                               (bailey_uint64)i * BLY_STEP_UNIFORMS + (bailey_uint64)k,
                           &n->u[k]);
#endif
}

/* Whether increments are still to be multiplied by the root of the step's length. */
#define BLY_UNSCALED (BLY_INPUT == BLY_INPUT_DRAWN)

/* Those of one sample. */
BAILEY_FN bly_noise bly_noise_at(const bly_sampled *t, const bly_noises *all, int v)
{
    bly_noise one;
    BAILEY_UNROLL
    for (int d = 0; d < BLY_DIMS; d++)
        one.dw[d] = BLY_UNSCALED ? t->root * all->dw[d].value[v] : all->dw[d].value[v];
#if BLY_STEP_NORMALS
    BAILEY_UNROLL
    for (int k = 0; k < BLY_STEP_NORMALS; k++) one.z[k] = all->z[k].value[v];
#endif
#if BLY_STEP_UNIFORMS
    BAILEY_UNROLL
    for (int k = 0; k < BLY_STEP_UNIFORMS; k++) one.u[k] = all->u[k].value[v];
#endif
    return one;
}

/* ---- Samples ------------------------------------------------------------------------------------- */

/* A step's beginning: `i` is below 2^26, so that a 32-bit conversion does. */
BAILEY_FN real bly_time_of(const bly_sampled *t, bailey_uint32 i) { return (real)(bailey_int32)i * t->h; }

#if BLY_APPROXIMATE
#define BLY_RUNS (1 + BLY_CORRECTION) /* of the level functions in a sample */
#else
#define BLY_RUNS 1
#endif
#define BLY_WATCHES (BLY_DIAGNOSES ? BLY_RUNS : 1)

/* The payoffs of samples: the fine one less the coarse one, and the fine one. */
typedef struct bly_sample_payoffs {
    double y[BLY_WIDTH], fine[BLY_WIDTH];
#if BLY_FAULTS
    bly_watched watched[BLY_WATCHES]; /* of each of these runs where a fault is diagnosed */
#endif
} bly_sample_payoffs;
#if BLY_FAULTS
#if BLY_KNOWS_FAILED
/* The item's samples among those of all levels, 2^11 of which count as one: a word has room for the rest. */
BAILEY_FN bailey_uint32 bly_order_of(const bly_sampled *t)
{
    return t->level << (BLY_PATH_BITS - 11) | (bailey_uint32)(t->begin >> 11);
}
BAILEY_FN int bly_is_behind(const bly_sampled *t) { return BAILEY_PEEK(t->failed) > ~bly_order_of(t); }
BAILEY_FN void bly_note_failed(const bly_sampled *t, const bly_sample_payoffs *payoffs)
{
    const bailey_uint32 order = ~bly_order_of(t);
    for (int v = 0; v < BLY_LANES_OF(t); v++)
        if (payoffs->watched[0].site[v] && BAILEY_PEEK(t->failed) < order) BAILEY_RAISE(t->failed, order);
}
#else
BAILEY_FN int bly_is_behind(const bly_sampled *t)
{
    return !BLY_DIAGNOSES && t->failed_begin != 0 && t->failed_level == t->level &&
           t->begin >= t->failed_begin;
}
BAILEY_FN void bly_note_failed(bly_sampled *t, const bly_sample_payoffs *payoffs)
{
    int any = 0;
    for (int v = 0; v < BLY_LANES_OF(t); v++) any |= payoffs->watched[0].site[v] != 0;
    if (!any || bly_is_behind(t)) return;
    t->failed_begin = t->begin + 1;
    t->failed_level = t->level;
}
#endif
#define BLY_WATCH_OF(payoffs, r) (&(payoffs)->watched[BLY_DIAGNOSES ? (r) : 0])
#define BLY_WATCH_IN(payoffs, r) bly_watched *watched = BLY_WATCH_OF(payoffs, r);
#define BLY_WATCHED_BEGIN(t, payoffs)                                                                        \
    for (int k = 0; k < BLY_WATCHES; k++)                                                                    \
        bly_watched_begin(&(payoffs)->watched[k], BLY_LANES_OF(t), bly_is_behind(t));
#else
#define BLY_WATCH_IN(payoffs, r)
#define BLY_WATCHED_BEGIN(t, payoffs)
#endif

#if BLY_APPROXIMATE

#include "kernels/mlmc_approximate.h"

#else

/* Level 0: the fine path alone. */
BAILEY_FN void bly_go_steps(const bly_sampled *t, bly_states *states BLY_WATCHING)
{
    BAILEY_UNROLL_1
    for (bailey_uint32 i = 0; i < t->steps; i++) {
        const real time = bly_time_of(t, i);
        bly_noises n;
        bly_noise_of(t, i, &n);
        BLY_FOR_SAMPLES(t)
        {
            state s = bly_state_get(states, v);
            const bly_noise one = bly_noise_at(t, &n, v);
            BLY_WATCH(v)
            bly_own_step(&s, bly_set(t), time, t->h, &one BLY_WATCHED);
            BLY_KEEP(v)
            bly_state_put(states, v, s);
        }
    }
}

/* Levels above: two fine steps and a coarse one at a time. */
BAILEY_FN void bly_go_pairs(const bly_sampled *t, bly_states *states BLY_WATCHING)
{
    BAILEY_UNROLL_1
    for (bailey_uint32 i = 0; i < t->steps; i += 2) {
        const real time = bly_time_of(t, i);
        bly_noises n, m;
        bly_noise_of(t, i, &n);
        bly_noise_of(t, i + 1, &m);
        BLY_FOR_SAMPLES(t)
        {
            state s = bly_state_get(states, v);
            const bly_noise first = bly_noise_at(t, &n, v), second = bly_noise_at(t, &m, v);
            BLY_WATCH(v)
            bly_own_pair(&s, bly_set(t), time, t->h, &first, &second BLY_WATCHED);
            BLY_KEEP(v)
            bly_state_put(states, v, s);
        }
    }
}

/* The difference of two reals is taken in double, so that it is exact where they are close. */
BAILEY_FN void bly_sample(const bly_sampled *t, bly_sample_payoffs *payoffs)
{
    bly_states states;
    BLY_WATCH_IN(payoffs, 0)
    BLY_WATCHED_BEGIN(t, payoffs)
    BLY_FOR_SAMPLES(t)
    {
        state s = bly_state_get(&states, v);
        BLY_WATCH(v)
        bly_own_start(&s, bly_set(t), (int)t->level BLY_WATCHED);
        BLY_KEEP(v)
        bly_state_put(&states, v, s);
    }
    if (t->level == 0)
        bly_go_steps(t, &states BLY_WATCHED_BY(watched));
    else
        bly_go_pairs(t, &states BLY_WATCHED_BY(watched));
    BLY_FOR_SAMPLES(t)
    {
        const state s = bly_state_get(&states, v);
        real out[2];
        out[0] = out[1] = 0;
        BLY_WATCH(v)
        bly_own_finish(&s, bly_set(t), t->time, out BLY_WATCHED);
        BLY_KEEP(v)
        payoffs->fine[v] = (double)out[0];
        payoffs->y[v] = t->level == 0 ? (double)out[0] : (double)out[0] - (double)out[1];
    }
}

#endif

#endif
