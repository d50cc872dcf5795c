/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the programs written by src/host/mlmc/mlmc_text.c are made of: samples of all levels, and the sums of
 * what they pay. A launch has tickets of several levels (kernels/mlmc_list.h), which teams take in turn: an
 * item makes BLY_WIDTH samples side by side, or fewer where a group is one item, step by step, adds up what
 * they pay in a tree that grows with the samples one after another, and at the end of the ticket the items of
 * a team add up theirs.
 *
 * A team is a warp in CUDA, which needs no barrier, else a group. Groups stay for as many tickets as there
 * are, so that they copy the table of the inverse CDF once.
 *
 * A program includes kernels/mlmc_head.h, the text, and this file. It defines what kernels/payoff_head.h
 * lists and:
 *
 *   BLY_INPUT                 BLY_INPUT_DRAWN or BLY_INPUT_SHOWN
 *   BLY_STEP_NORMALS          of a step
 *   BLY_STEP_UNIFORMS         likewise
 *   BLY_CALLS_ROWS            where numbers are filled by rows of the library, which are
 *   BLY_NORMALS_ROW           and
 *   BLY_UNIFORMS_ROW          then
 *   BLY_CORRELATED            1 if C is not the identity
 *   BLY_TEST                  1 for all sums of src/host/mlmc/levels.h, 0 for the first three
 *   BLY_LEVEL_TEAM            items of a team, a power of two
 *   BLY_STRIP_BITS            the largest strip
 *   BLY_DRAW                  as in kernels/simulation_code.h
 *   BLY_ROUNDS                likewise
 *   BAILEY_ICDF_COPIES        likewise
 *   BLY_APPROXIMATE           0, or the kind of approximate normals: see kernels/mlmc_approximate.h
 *   BLY_STAYS                 1 for kernels that stay: see kernels/mlmc_stay.h
 *   BLY_CORRECTION            with those, 1 for samples that correct them
 *   BLY_SHARES                with those, 1 if two samples share a word that makes one number of each
 */
#ifndef BLY_MLMC_CODE_H
#define BLY_MLMC_CODE_H

#include "kernels/mlmc_head.h"
#include "kernels/mlmc_list.h"
#include "kernels/payoff_faults.h"

#if BLY_INPUT == BLY_INPUT_DRAWN && defined(BLY_CALLS_ROWS)
#include "kernels/fill.h"
#define BLY_FILLED 1
#else
#define BLY_FILLED 0
#endif

/* Rows of a node: those that are added up, and of faults the least. */
#define BLY_LEVEL_ADDED (BLY_TEST ? 7 : 3)
#define BLY_LEVEL_SUMS (BLY_LEVEL_ADDED + BLY_FAULT_ROWS)

/* For each of an item's samples side by side: as many as a part has. */
#if BLY_BLOCK == 1
#define BLY_LANES_OF(t) ((t)->lanes)
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
    BAILEY_UNROLL_1 for (int part = 0; part < BLY_LANES_OF(t); part += (int)BLY_PACK_SAMPLES)

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

/* Of kernels that stay later lists may fail before earlier ones: an item knows of its own samples. */
#define BLY_KNOWS_FAILED (BLY_FAULTS && !BLY_TELLS && !BLY_STAYS)

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
    bailey_uint64 begin; /* the item's first sample of a pass */
#if BLY_FAULTS
    bailey_uint64 asked; /* the sample of whose fault is told */
#if BLY_KNOWS_FAILED
    BAILEY_GLOBAL bailey_uint32 *failed;
#else
    bailey_uint64 failed_begin; /* 1 + the first of the item's samples of a level that failed; 0 */
    bailey_uint32 failed_level;
#endif
#endif
    bailey_uint32 level, steps;
    int lanes;
    real h, root, time;
} bly_sampled;

BAILEY_FN const params *bly_set(const bly_sampled *t) { return (const params *)t->values; }

/* ---- Numbers ------------------------------------------------------------------------------------- */

#if BLY_FILLED

/* A row, made by the library's own kernel, which is faster than what compilers make of a text. `kind` says
 * whether its lanes have 8 bytes. */
BAILEY_FN void bly_fill_row(const bly_sampled *t, int row_kernel, int wide, bailey_uint64 row, int uniform,
                            bly_row *to)
{
    const bly_row_called kernel = bly_rows[wide][row_kernel];
    const bailey_uint64 pack = (wide ? 2 : 4) * (bailey_uint64)kernel.lanes;
    const bly_fill_params p = {.stream = t->stream,
                               .first = row << BLY_PATH_BITS | t->begin,
                               .count = (bailey_uint64)t->lanes,
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
                                      row << BLY_PATH_BITS | (t->begin + (bailey_uint64)part));
        BAILEY_UNROLL
        for (int v = 0; v < (int)BLY_PACK_SAMPLES; v++) x.value[part + v] = drawn.value[v];
    }
    return x;
}

#if BLY_STEP_UNIFORMS

/* As bailey_uniforms_generate makes them of the usual words. */
BAILEY_FN real bly_uniform_f32(bailey_uint32 word)
{
    return (real)bailey_fma_f32((float)(bailey_int32)(word >> 9), 0x1p-23f, 0x1p-24f);
}
BAILEY_FN real bly_uniform_f64(bailey_uint64 word)
{
    return (real)(bailey_f64_bits_u64(word >> 12 | 0x3ff0000000000000u) - 0x1.fffffffffffffp-1);
}
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
    BLY_(bly_uniforms_)(t, row << BLY_PATH_BITS | (t->begin + (bailey_uint64)part), x.value + part);
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

/* C Z of a step, as bridges have it; increments, where those are given. */
BAILEY_FN void bly_increments_of(const bly_sampled *t, bailey_uint64 row, bly_row dw[BLY_DIMS])
{
    BAILEY_UNROLL
    for (int d = 0; d < BLY_DIMS; d++) bly_place_normals(t, row + (bailey_uint64)d, &dw[d]);
#if BLY_CORRELATED && BLY_INPUT == BLY_INPUT_DRAWN
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
#endif
}

/* The numbers of fine step i. */
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

/* Those of one sample; increments are of the step's length. */
BAILEY_FN bly_noise bly_noise_at(const bly_sampled *t, const bly_noises *all, int v)
{
    bly_noise one;
    BAILEY_UNROLL
    for (int d = 0; d < BLY_DIMS; d++)
        one.dw[d] = BLY_INPUT == BLY_INPUT_DRAWN ? t->root * all->dw[d].value[v] : all->dw[d].value[v];
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

/* A step's beginning: `i` is below 2^26. */
BAILEY_FN real bly_time_of(const bly_sampled *t, bailey_uint32 i) { return (real)(bailey_int32)i * t->h; }

#if BLY_APPROXIMATE
#define BLY_RUNS (1 + BLY_CORRECTION) /* of the text in a sample */
#else
#define BLY_RUNS 1
#endif
#define BLY_WATCHES (BLY_TELLS ? BLY_RUNS : 1)

/* What samples pay: the fine payoff less the coarse one, and the fine one. */
typedef struct bly_earned {
    double y[BLY_WIDTH], fine[BLY_WIDTH];
#if BLY_FAULTS
    bly_watched watched[BLY_WATCHES]; /* of each run of the text if they are told from each other */
#endif
} bly_earned;
#if BLY_FAULTS
#if BLY_KNOWS_FAILED
/* The item's samples among those of all levels, of which many are as one. */
BAILEY_FN bailey_uint32 bly_order_of(const bly_sampled *t)
{
    return t->level << (BLY_PATH_BITS - 11) | (bailey_uint32)(t->begin >> 11);
}
BAILEY_FN int bly_is_behind(const bly_sampled *t) { return BAILEY_PEEK(t->failed) > ~bly_order_of(t); }
BAILEY_FN void bly_tell_failed(const bly_sampled *t, const bly_earned *earned)
{
    const bailey_uint32 order = ~bly_order_of(t);
    for (int v = 0; v < BLY_LANES_OF(t); v++)
        if (earned->watched[0].site[v] && BAILEY_PEEK(t->failed) < order) BAILEY_RAISE(t->failed, order);
}
#else
BAILEY_FN int bly_is_behind(const bly_sampled *t)
{
    return !BLY_TELLS && t->failed_begin != 0 && t->failed_level == t->level && t->begin >= t->failed_begin;
}
BAILEY_FN void bly_tell_failed(bly_sampled *t, const bly_earned *earned)
{
    int any = 0;
    for (int v = 0; v < BLY_LANES_OF(t); v++) any |= earned->watched[0].site[v] != 0;
    if (!any || bly_is_behind(t)) return;
    t->failed_begin = t->begin + 1;
    t->failed_level = t->level;
}
#endif
#define BLY_WATCH_OF(earned, r) (&(earned)->watched[BLY_TELLS ? (r) : 0])
#define BLY_WATCH_IN(earned, r) bly_watched *watched = BLY_WATCH_OF(earned, r);
#define BLY_WATCHED_BEGIN(t, earned)                                                                         \
    for (int k = 0; k < BLY_WATCHES; k++)                                                                    \
        bly_watched_begin(&(earned)->watched[k], BLY_LANES_OF(t), bly_is_behind(t));
#else
#define BLY_WATCH_IN(earned, r)
#define BLY_WATCHED_BEGIN(t, earned)
#endif

#if BLY_APPROXIMATE

#include "kernels/mlmc_approximate.h"

#else

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

BAILEY_FN void bly_sample(const bly_sampled *t, bly_earned *earned)
{
    bly_states states;
    BLY_WATCH_IN(earned, 0)
    BLY_WATCHED_BEGIN(t, earned)
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
        earned->fine[v] = (double)out[0];
        earned->y[v] = t->level == 0 ? (double)out[0] : (double)out[0] - (double)out[1];
    }
}

#endif

/* ---- Sums ---------------------------------------------------------------------------------------- */

BAILEY_FN double bly_term(int row, double y, double fine)
{
    switch (row) {
    case 0: return y;
    case 1: return y * y;
    case 2: return y != 0;
    case 3: return y * y * y;
    case 4: return (y * y) * (y * y);
    case 5: return fine;
    default: return fine * fine;
    }
}

#if BLY_FAULTS

/* Fault row `row` of sample v. */
BAILEY_FN double bly_fault_number(const bly_sampled *t, int row, const bly_earned *earned, int v)
{
    const bailey_uint64 sample = t->begin + (bailey_uint64)v;
#if BLY_TELLS
    for (int r = 0; r < BLY_WATCHES; r++)
        if (sample == t->asked && earned->watched[r].site[v])
            return (double)bly_fault_told(&earned->watched[r], v, r, row);
    return BLY_NODE_FAR;
#else
    (void)row;
    return earned->watched[0].site[v] ? (double)sample : BLY_NODE_FAR;
#endif
}

#endif

BAILEY_FN double bly_level_join(int row, double left, double right)
{
#if BLY_FAULTS
    if (row >= BLY_LEVEL_ADDED) return right < left ? right : left;
#endif
    (void)row;
    return left + right;
}

/* What is left out of a row. */
#define BLY_LEVEL_NOTHING(row) ((row) < BLY_LEVEL_ADDED ? BLY_NODE_NOTHING : BLY_NODE_FAR)

/* The node of an item's samples, in one row. */
BAILEY_FN double bly_node_of(const bly_sampled *t, int row, const bly_earned *earned)
{
    double node[BLY_WIDTH];
#if BLY_FAULTS
    if (row >= BLY_LEVEL_ADDED)
        BLY_FOR_SAMPLES(t) node[v] = bly_fault_number(t, row - BLY_LEVEL_ADDED, earned, v);
    else
#endif
        BLY_FOR_SAMPLES(t) node[v] = bly_term(row, earned->y[v], earned->fine[v]);
#if BLY_BLOCK == 1
    for (int width = BLY_LANES_OF(t) / 2; width > 0; width /= 2)
#if defined(__GNUC__) && !defined(__clang__)
        _Pragma("GCC ivdep")
#endif
            for (int v = 0; v < width; v++) node[v] = bly_level_join(row, node[2 * v], node[2 * v + 1]);
#else
    BAILEY_UNROLL
    for (int width = BLY_WIDTH / 2; width > 0; width /= 2) BAILEY_UNROLL
    for (int v = 0; v < width; v++) node[v] = bly_level_join(row, node[2 * v], node[2 * v + 1]);
#endif
    (void)t;
    return node[0];
}

#define BLY_FOR_SUMS BAILEY_UNROLL for (int r = 0; r < BLY_LEVEL_SUMS; r++)

/* Where nodes wait for their right siblings: of each level above an item's. */
typedef struct bly_strip {
    double left[BLY_STRIP_BITS][BLY_LEVEL_SUMS];
} bly_strip;

/* Adds node number `pass` of an item, from those of its samples; sum[] is then the largest node that is
 * complete. */
BAILEY_FN void bly_strip_add(bly_strip *strip, bailey_uint32 pass, double sum[])
{
    BAILEY_UNROLL
    for (int j = 0; j < BLY_STRIP_BITS; j++) {
        const bailey_uint32 below = (1u << j) - 1;
        if ((pass & below) != below) continue;
        if (pass >> j & 1) {
            BLY_FOR_SUMS { sum[r] = bly_level_join(r, strip->left[j][r], sum[r]); }
        } else {
            BLY_FOR_SUMS { strip->left[j][r] = sum[r]; }
        }
    }
}

#if BLY_LEVEL_TEAM > 1

/* `far` is below BLY_LEVEL_TEAM; whose lane is past the team's last gets something. */
BAILEY_FN double bly_team_next(BLY_SHARED bailey_uint64 *shared, double x, bailey_uint32 far)
{
#if defined(BAILEY_WARP_SHUFFLES) && BLY_LEVEL_TEAM <= 32
    const bailey_uint64 bits = bailey_u64_bits_f64(x);
    const bailey_uint32 lane = (BLY_LOCAL_ID + far) % 32;
    (void)shared;
    return bailey_f64_bits_u64(bailey_warp_read((bailey_uint32)bits, lane) |
                               (bailey_uint64)bailey_warp_read((bailey_uint32)(bits >> 32), lane) << 32);
#else
    BLY_SHARED double *own = (BLY_SHARED double *)shared + BLY_LOCAL_ID;
    *own = x;
    BLY_BARRIER();
    if (BLY_LOCAL_ID + far < BLY_BLOCK) x = own[far];
    BLY_BARRIER();
    return x;
#endif
}

#endif

#define BLY_LOG2_OF(n)                                                                                       \
    ((n) >= 256   ? 8                                                                                        \
     : (n) >= 128 ? 7                                                                                        \
     : (n) >= 64  ? 6                                                                                        \
     : (n) >= 32  ? 5                                                                                        \
     : (n) >= 16  ? 4                                                                                        \
     : (n) >= 8   ? 3                                                                                        \
     : (n) >= 4   ? 2                                                                                        \
     : (n) >= 2   ? 1                                                                                        \
                  : 0)
#if BLY_BLOCK == 1
#define BLY_WIDTH_BITS(part) ((part)->width)
#else
#define BLY_WIDTH_BITS(part) BLY_LOG2_OF(BLY_WIDTH)
#endif
#define BLY_TEAM_BITS BLY_LOG2_OF(BLY_LEVEL_TEAM)

/* Joins the nodes of a team's items up to the part's height, and stores them. */
BAILEY_FN void bly_team_store(const bly_level_part *part, bailey_uint64 ticket, double sum[],
                              BLY_SHARED bailey_uint64 *shared, BAILEY_GLOBAL double *nodes)
{
    const bailey_uint32 item_bits = BLY_WIDTH_BITS(part) + part->strip;
    const bailey_uint32 joined = part->height - item_bits; /* levels of items' nodes */
    const bailey_uint32 lane = BLY_LOCAL_ID % BLY_LEVEL_TEAM;
#if BLY_LEVEL_TEAM > 1
    for (bailey_uint32 j = 0; j < joined; j++) {
        BLY_FOR_SUMS { sum[r] = bly_level_join(r, sum[r], bly_team_next(shared, sum[r], 1u << j)); }
    }
#endif
    (void)shared;
    const bailey_uint64 node = ((ticket - part->ticket) << BLY_TEAM_BITS | lane) >> joined;
    if ((lane & ((1u << joined) - 1)) == 0 && node < part->node_row) {
        BLY_FOR_SUMS { nodes[part->node + (bailey_uint64)r * part->node_row + node] = sum[r]; }
    }
}

/* ---- The list ------------------------------------------------------------------------------------ */

#define BLY_TABLE_AT(shared) ((BLY_SHARED real *)((BLY_SHARED bailey_uint64 *)(shared) + BLY_BLOCK))

#if BLY_GIVEN
typedef struct bly_levels_launch {
    bly_levels_params list;
    bailey_uint64 values[BLY_GIVEN];
} bly_levels_launch;
#else
typedef struct bly_levels_launch {
    bly_levels_params list;
} bly_levels_launch;
#endif

/* A ticket of a part, by all items of a team. */
BAILEY_FN void bly_take_ticket(bly_sampled *t, const bly_level_part *part, bailey_uint64 ticket, double sum[])
{
    const bailey_uint64 number = (ticket - part->ticket) << BLY_TEAM_BITS | BLY_LOCAL_ID % BLY_LEVEL_TEAM;
    bly_strip strip;
    BLY_FOR_SUMS { sum[r] = BLY_LEVEL_NOTHING(r); }
    t->begin = part->first + (number << (BLY_WIDTH_BITS(part) + part->strip));
    if (t->begin >= part->end) return;
    BAILEY_UNROLL_1
    for (bailey_uint32 pass = 0; pass >> part->strip == 0; pass++) {
        bly_earned earned;
        bly_sample(t, &earned);
#if BLY_FAULTS
        bly_tell_failed(t, &earned);
#endif
        BLY_FOR_SUMS { sum[r] = bly_node_of(t, r, &earned); }
        bly_strip_add(&strip, pass, sum);
        t->begin += (bailey_uint64)BLY_LANES_OF(t);
    }
}

#if BLY_STAYS

#include "kernels/mlmc_stay.h"

#else

BAILEY_FN void bly_levels_group(BLY_BY_REFERENCE(bly_levels_launch) launch,
                                const BAILEY_GLOBAL bailey_uint64 *values, const BAILEY_GLOBAL real *factor,
                                const BAILEY_GLOBAL real *from, BAILEY_GLOBAL double *folded,
                                BAILEY_GLOBAL double *own, const BAILEY_GLOBAL float *approximate,
                                BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)
{
    const bailey_uint64 groups = launch.list.groups;
    bly_sampled t;
    (void)values, (void)approximate;
#if BLY_APPROXIMATE
    t.approximate = approximate;
#endif
#if BLY_GIVEN
    t.values = launch.values;
#else
    t.values = values;
#endif
    t.factor = factor;
    t.time = (real)launch.list.time;
#if BLY_FAULTS
    t.asked = launch.list.asked;
#if BLY_KNOWS_FAILED
    t.failed = (BAILEY_GLOBAL bailey_uint32 *)(folded + launch.list.asked);
#else
    t.failed_begin = 0;
    t.failed_level = 0;
#endif
#endif
#if BLY_INPUT == BLY_INPUT_DRAWN
#if defined(BAILEY_ICDF_COPIES)
    BLY_(bailey_icdf_copy_)(BLY_TABLE_AT(shared), from, BLY_LOCAL_ID, BLY_BLOCK);
    BLY_BARRIER();
    t.table = BLY_TABLE_AT(shared);
#else
    t.table = from;
#endif
    t.keys = launch.list.keys;
#endif
    /* Neighbouring tickets go to different groups. */
    bailey_uint64 ticket = BLY_LOCAL_ID / BLY_LEVEL_TEAM * groups + item / BLY_BLOCK;
    bailey_uint32 at = 0;
    for (; ticket < launch.list.tickets; ticket += groups * (BLY_BLOCK / BLY_LEVEL_TEAM)) {
        while (at + 1 < launch.list.parts && ticket >= launch.list.part[at + 1].ticket) at++;
        const bly_level_part part = launch.list.part[at];
        double sum[BLY_LEVEL_SUMS];
        t.level = part.level;
        t.steps = part.steps;
        t.lanes = 1 << BLY_WIDTH_BITS(&part);
        t.h = (real)part.h;
        t.root = (real)part.root;
#if BLY_INPUT == BLY_INPUT_DRAWN
        t.stream = launch.list.stream + part.level;
#else
        t.from = from;
        t.from_row = launch.list.from_row;
        t.from_first = launch.list.from_first;
#endif
        bly_take_ticket(&t, &part, ticket, sum);
        bly_team_store(&part, ticket, sum, shared, part.folded ? folded : own);
    }
}

BLY_GROUP_ENTRY_6(bly_levels, bly_levels_launch, const bailey_uint64, const real, const real, double, double,
                  const float)

/* Joins 2^BLY_NODE_BITS nodes of one row. */
BAILEY_FN void bly_fold_levels_group(BLY_BY_REFERENCE(bly_level_folds_params) p,
                                     const BAILEY_GLOBAL double *in, BAILEY_GLOBAL double *out,
                                     BAILEY_GLOBAL double *own, BLY_SHARED bailey_uint64 *shared,
                                     bailey_uint64 item)
{
    double left[BLY_NODE_BITS + 1];
    bailey_uint32 at = 0;
    (void)shared;
    if (item >= p.items) return;
    while (at + 1 < p.folds && item >= p.fold[at + 1].item) at++;
    const bly_level_fold f = p.fold[at];
    const bailey_uint64 row = (item - f.item) / f.out_count, node = (item - f.item) % f.out_count;
    const BAILEY_GLOBAL double *from = in + f.in + row * f.in_row + (node << BLY_NODE_BITS);
    BAILEY_UNROLL
    for (bailey_uint32 i = 0; i < 1u << BLY_NODE_BITS; i++) {
        double joined = from[i];
        bailey_uint32 level = 0;
        for (; i >> level & 1; level++) joined = bly_level_join((int)row, left[level], joined);
        left[level] = joined;
    }
    (f.own ? own : out)[f.out + row * f.out_row + node] = left[BLY_NODE_BITS];
}

BLY_GROUP_ENTRY_3(bly_fold_levels, bly_level_folds_params, const double, double, double)

#endif

#endif
