/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Samples of levels with approximate normals (bailey/device/approximate.h), and samples of what corrects
 * them. Part of kernels/mlmc_samples.h where a program defines BLY_APPROXIMATE, the kind of the normals, and
 * BLY_CORRECTION, 0 or 1.
 *
 * A word makes two approximate normals, of its first and of its last 16 bits: of the Brownian motion's
 * numbers, number 2 k of a sample is computed from the first half of its word k, number 2 k + 1 of the last.
 * Normals of level functions likewise, from the word that their first number has by itself. Uniform numbers
 * have the words that they have otherwise.
 *
 * Where a sample has only one number of either sort, half a word would be lost. With BLY_SHARES, which says
 * that level 0 is a single step, the number of sample 2 n + i is computed from half i of the word of path n.
 *
 * A correction takes an exact normal and an approximate one from each word, the latter from its first half:
 * pairs of them are distributed as a whole word makes them, and each as above, since approximate normals see
 * half a word alone. Samples of corrections share no words, and are of separate streams. A correction runs
 * the level functions twice, on the exact numbers and on the approximate ones; in both the coarse path's
 * increments are sums of the fine one's.
 *
 * With BLY_HALF, the run on approximate numbers takes steps in half precision: its numbers are rounded to
 * halves, its parameters are the set that the host has rounded, in units of BLY_HALF_UNIT, and its functions
 * are those that host/payoff/print_half.c prints. Its payoffs are computed from the state in single
 * precision.
 */
#ifndef BLY_MLMC_APPROXIMATE_H
#define BLY_MLMC_APPROXIMATE_H

#include "bailey/device/approximate.h"

/* Before loops over an item's samples and their words, which become vector instructions where there are many.
 */
#if BLY_BLOCK == 1
#define BLY_UNROLL_SAMPLES BAILEY_UNROLL_1
#else
#define BLY_UNROLL_SAMPLES BAILEY_UNROLL
#endif

/* A word of each of an item's samples, or fewer. */
typedef struct bly_words {
    bailey_uint32 value[BLY_WIDTH];
} bly_words;

/* What runs in a sample: the level functions on approximate numbers, and on exact ones where they are
 * corrected. */
#define BLY_FOR_RUNS BAILEY_UNROLL for (int r = 0; r < BLY_RUNS; r++)
typedef struct bly_step_noises {
    bly_noises run[BLY_RUNS];
} bly_step_noises;

/* A call in run r: the first one where that is in half precision. */
#if BLY_HALF
#define BLY_IN_RUN(r, in_half, in_single)                                                                    \
    if ((r) == 0)                                                                                            \
        in_half;                                                                                             \
    else                                                                                                     \
        in_single;
#define BLY_UNIT_OF(r) ((r) == 0 ? (double)BLY_HALF_UNIT : 1.0)
#else
#define BLY_IN_RUN(r, in_half, in_single) in_single;
#define BLY_UNIT_OF(r) 1.0
#endif

/* The parameters of run r. Corrections have the set of exact numbers first. */
BAILEY_FN const params *bly_run_set(const bly_sampled *t, int r)
{
#if BLY_HALF && BLY_CORRECTION
    if (r == 0) return (const params *)(t->values + BLY_HALF_SET);
#endif
    (void)r;
    return bly_set(t);
}

/* Numbers of two steps. */
#define BLY_STEP_NUMBERS (BLY_STEP_NORMALS > BLY_DIMS ? BLY_STEP_NORMALS : BLY_DIMS)
typedef struct bly_numbers {
    bly_row run[BLY_RUNS][2 * BLY_STEP_NUMBERS];
} bly_numbers;

/* ---- Words and normals --------------------------------------------------------------------------- */

#if BLY_FILLED

/* Words of paths `first` .. first + count - 1, whose number is a multiple of 4. By the library's own kernel,
 * as in kernels/mlmc_samples.h. */
BAILEY_FN bly_words bly_words_from(const bly_sampled *t, bailey_uint64 row, bailey_uint64 first, int count)
{
    const bly_row_called kernel = bly_rows[0][BLY_PHILOX_WORDS_ROW];
    const bailey_uint64 pack = 4 * (bailey_uint64)kernel.lanes;
    const bly_fill_params p = {.stream = t->stream,
                               .first = row << BLY_PATH_BITS | first,
                               .count = (bailey_uint64)count,
                               .out_stride = 1,
                               .keys = t->keys,
                               .rounds = BLY_ROUNDS};
    bly_words w;
    void *const to[2] = {w.value, 0};
    kernel.function(&p, to, 0, (p.count + pack - 1) / pack, 0);
    return w;
}

#else

BAILEY_FN bly_words bly_words_from(const bly_sampled *t, bailey_uint64 row, bailey_uint64 first, int count)
{
    const bailey_uint64 from = (row << BLY_PATH_BITS | first) >> 2;
    bly_words w;
    BLY_UNROLL_SAMPLES
    for (int i = 0; i < count / 4; i++) {
        const bailey_philox_block block =
            bailey_philox_words4_either(BLY_ROUNDS, t->keys, t->stream, from + (bailey_uint64)i);
        BAILEY_UNROLL
        for (int j = 0; j < 4; j++) w.value[4 * i + j] = block.word[j];
    }
    return w;
}

#endif

BAILEY_FN bly_words bly_words_of(const bly_sampled *t, bailey_uint64 row)
{
    return bly_words_from(t, row, t->begin, BLY_LANES_OF(t));
}

/* For the first halves of words, or of the last. */
BAILEY_FN bly_row bly_approximate_of(const bly_sampled *t, const bly_words *w, int last)
{
    bly_words bits;
    bly_row x;
    BLY_FOR_SAMPLES(t) bits.value[v] = last ? w->value[v] << 16 : w->value[v];
    bailey_normals_approximate_f32(BLY_APPROXIMATE, t->approximate, bits.value, x.value, BLY_LANES_OF(t));
    return x;
}

#if BLY_SHARES
/* For both halves, for samples that share words. */
BAILEY_FN bly_row bly_halves_of(const bly_sampled *t, bailey_uint64 row)
{
    const int count = BLY_LANES_OF(t) / 2;
    const bly_words w = bly_words_from(t, row, t->begin / 2, count);
    bly_words bits;
    bly_row x;
    BLY_UNROLL_SAMPLES
    for (int n = 0; n < count; n++) {
        bits.value[2 * n] = w.value[n];
        bits.value[2 * n + 1] = w.value[n] << 16;
    }
    bailey_normals_approximate_f32(BLY_APPROXIMATE, t->approximate, bits.value, x.value, BLY_LANES_OF(t));
    return x;
}
#endif

#if BLY_CORRECTION && !BLY_FILLED
BAILEY_FN bly_row bly_exact_of(const bly_sampled *t, const bly_words *w)
{
    bly_row x;
    BLY_FOR_SAMPLES(t) x.value[v] = bailey_normal_icdf_f32(t->table, w->value[v]);
    return x;
}
#endif

/* ---- Numbers of steps ---------------------------------------------------------------------------- */

#if BLY_CORRECTION

/* Numbers first .. first + count - 1 of those whose words begin at row `base`. */
BAILEY_FN void bly_numbers_of(const bly_sampled *t, bailey_uint64 base, bailey_uint64 first, int count,
                              bly_numbers *x)
{
    BAILEY_UNROLL
    for (int k = 0; k < count; k++) {
        const bly_words w = bly_words_of(t, base + first + (bailey_uint64)k);
        x->run[0][k] = bly_approximate_of(t, &w, 0);
#if BLY_FILLED
        bly_place_normals(t, base + first + (bailey_uint64)k, &x->run[1][k]);
#else
        x->run[1][k] = bly_exact_of(t, &w);
#endif
    }
}

#else

/* An even count begins at an even number: each word makes two. With BLY_SHARES a count of 1 is all that the
 * samples have. */
BAILEY_FN void bly_numbers_of(const bly_sampled *t, bailey_uint64 base, bailey_uint64 first, int count,
                              bly_numbers *x)
{
    const int step = count % 2 == 0 ? 2 : 1;
#if BLY_SHARES
    if (count == 1) {
        x->run[0][0] = bly_halves_of(t, base);
        return;
    }
#endif
    BAILEY_UNROLL
    for (int k = 0; k < count; k += step) {
        const bailey_uint64 number = first + (bailey_uint64)k;
        const bly_words w = bly_words_of(t, base + (number >> 1));
        x->run[0][k] = bly_approximate_of(t, &w, step == 1 && (number & 1));
        if (step == 2) x->run[0][k + 1] = bly_approximate_of(t, &w, 1);
    }
}

#endif

/* From Z of a step its increments: C Z times the root of the step's length. */
BAILEY_FN void bly_scale(const bly_sampled *t, bly_row dw[BLY_DIMS])
{
#if BLY_CORRELATED
    bly_correlate(t, dw);
#endif
    BAILEY_UNROLL
    for (int d = 0; d < BLY_DIMS; d++) BLY_FOR_SAMPLES(t) dw[d].value[v] = t->root * dw[d].value[v];
}

#if BLY_STEP_UNIFORMS
BAILEY_FN bly_row bly_uniform_row_of(const bly_sampled *t, bailey_uint64 row)
{
    const bly_words w = bly_words_of(t, row);
    bly_row x;
    BLY_FOR_SAMPLES(t) x.value[v] = bly_uniform_f32(w.value[v]);
    return x;
}
#endif

#if BLY_HALF

BAILEY_FN void bly_round_row(const bly_sampled *t, bly_row *row)
{
    BLY_FOR_SAMPLES(t) row->value[v] = bly_single(bly_half_of(row->value[v]));
}

/* Numbers of a step as halves; uniform numbers stay below 1. */
BAILEY_FN void bly_round_noises(const bly_sampled *t, bly_noises *n)
{
    BAILEY_UNROLL
    for (int d = 0; d < BLY_DIMS; d++) bly_round_row(t, &n->dw[d]);
#if BLY_STEP_NORMALS
    BAILEY_UNROLL
    for (int d = 0; d < BLY_STEP_NORMALS; d++) bly_round_row(t, &n->z[d]);
#endif
#if BLY_STEP_UNIFORMS
    BAILEY_UNROLL
    for (int d = 0; d < BLY_STEP_UNIFORMS; d++) {
        bly_round_row(t, &n->u[d]);
        BLY_FOR_SAMPLES(t) n->u[d].value[v] = bailey_min_f32(n->u[d].value[v], BLY_HALF_BELOW_1);
    }
#endif
}

#endif

/* The numbers of fine steps i .. i + steps - 1, one or two: of two i is even. */
BAILEY_FN void bly_step_noises_of(const bly_sampled *t, bailey_uint32 i, int steps, bly_step_noises n[])
{
    bly_numbers x;
    bly_numbers_of(t, 0, (bailey_uint64)i * BLY_DIMS, steps * BLY_DIMS, &x);
    BAILEY_UNROLL
    for (int k = 0; k < steps; k++) {
        BLY_FOR_RUNS
        {
            BAILEY_UNROLL
            for (int d = 0; d < BLY_DIMS; d++) n[k].run[r].dw[d] = x.run[r][k * BLY_DIMS + d];
            bly_scale(t, n[k].run[r].dw);
        }
    }
#if BLY_STEP_NORMALS
    bly_numbers_of(t, (bailey_uint64)t->steps * BLY_DIMS, (bailey_uint64)i * BLY_STEP_NORMALS,
                   steps * BLY_STEP_NORMALS, &x);
    BAILEY_UNROLL
    for (int k = 0; k < steps; k++) {
        BLY_FOR_RUNS
        {
            BAILEY_UNROLL
            for (int d = 0; d < BLY_STEP_NORMALS; d++) n[k].run[r].z[d] = x.run[r][k * BLY_STEP_NORMALS + d];
        }
    }
#endif
#if BLY_STEP_UNIFORMS
    BAILEY_UNROLL
    for (int k = 0; k < steps; k++) {
        BAILEY_UNROLL
        for (int d = 0; d < BLY_STEP_UNIFORMS; d++) {
            const bly_row u = bly_uniform_row_of(
                t, (bailey_uint64)t->steps * (BLY_DIMS + BLY_STEP_NORMALS) +
                       ((bailey_uint64)i + (bailey_uint64)k) * BLY_STEP_UNIFORMS + (bailey_uint64)d);
            BLY_FOR_RUNS n[k].run[r].u[d] = u;
        }
    }
#endif
#if BLY_HALF
    BAILEY_UNROLL
    for (int k = 0; k < steps; k++) bly_round_noises(t, &n[k].run[0]);
#endif
}

/* ---- Samples ------------------------------------------------------------------------------------- */

/* Level 0: the fine path alone. */
BAILEY_FN void bly_go_steps(const bly_sampled *t, bly_states states[BLY_RUNS], bly_sample_payoffs *payoffs)
{
    (void)payoffs;
    BAILEY_UNROLL_1
    for (bailey_uint32 i = 0; i < t->steps; i++) {
        const real time = bly_time_of(t, i);
        bly_step_noises n[1];
        bly_step_noises_of(t, i, 1, n);
        BLY_FOR_RUNS
        BLY_FOR_SAMPLES(t)
        {
            state s = bly_state_get(&states[r], v);
            const bly_noise one = bly_noise_at(t, &n[0].run[r], v);
            BLY_WATCH_IN(payoffs, r)
            BLY_WATCH(v)
            BLY_IN_RUN(r,
                       bly_half_own_step(&s, bly_run_set(t, r), bly_half_of(time), bly_half_of(t->h),
                                         &one BLY_WATCHED),
                       bly_own_step(&s, bly_set(t), time, t->h, &one BLY_WATCHED))
            BLY_KEEP(v)
            bly_state_put(&states[r], v, s);
        }
    }
}

/* Levels above: two fine steps and a coarse one at a time. */
BAILEY_FN void bly_go_pairs(const bly_sampled *t, bly_states states[BLY_RUNS], bly_sample_payoffs *payoffs)
{
    (void)payoffs;
    BAILEY_UNROLL_1
    for (bailey_uint32 i = 0; i < t->steps; i += 2) {
        const real time = bly_time_of(t, i);
        bly_step_noises n[2];
        bly_step_noises_of(t, i, 2, n);
        BLY_FOR_RUNS
        BLY_FOR_SAMPLES(t)
        {
            state s = bly_state_get(&states[r], v);
            const bly_noise first = bly_noise_at(t, &n[0].run[r], v),
                            second = bly_noise_at(t, &n[1].run[r], v);
            BLY_WATCH_IN(payoffs, r)
            BLY_WATCH(v)
            BLY_IN_RUN(r,
                       bly_half_own_pair(&s, bly_run_set(t, r), bly_half_of(time), bly_half_of(t->h), &first,
                                         &second BLY_WATCHED),
                       bly_own_pair(&s, bly_set(t), time, t->h, &first, &second BLY_WATCHED))
            BLY_KEEP(v)
            bly_state_put(&states[r], v, s);
        }
    }
}

/* The difference with approximate normals, or what is added to it with exact ones. */
BAILEY_FN void bly_sample(const bly_sampled *t, bly_sample_payoffs *payoffs)
{
    bly_states states[BLY_RUNS];
    BLY_WATCHED_BEGIN(t, payoffs)
    BLY_FOR_RUNS
    BLY_FOR_SAMPLES(t)
    {
        state s = bly_state_get(&states[r], v);
        BLY_WATCH_IN(payoffs, r)
        BLY_WATCH(v)
        BLY_IN_RUN(r, bly_half_own_start(&s, bly_run_set(t, r), (int)t->level BLY_WATCHED),
                   bly_own_start(&s, bly_set(t), (int)t->level BLY_WATCHED))
        BLY_KEEP(v)
        bly_state_put(&states[r], v, s);
    }
    if (t->level == 0)
        bly_go_steps(t, states, payoffs);
    else
        bly_go_pairs(t, states, payoffs);
    BLY_FOR_RUNS
    BLY_FOR_SAMPLES(t)
    {
        const state s = bly_state_get(&states[r], v);
        real out[2];
        out[0] = out[1] = 0;
        BLY_WATCH_IN(payoffs, r)
        BLY_WATCH(v)
        bly_own_finish(&s, bly_run_set(t, r), t->time, out BLY_WATCHED);
        BLY_KEEP(v)
        const double unit = BLY_UNIT_OF(r), fine = unit * (double)out[0];
        const double y = t->level == 0 ? fine : fine - unit * (double)out[1];
        payoffs->fine[v] = r == 0 ? fine : fine - payoffs->fine[v];
        payoffs->y[v] = r == 0 ? y : y - payoffs->y[v];
    }
}

#endif
