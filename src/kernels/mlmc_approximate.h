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
/* Numbers of a step or of two, by run. Rows are written in place: of an item with many samples, a copy takes as
 * long as a step. */
typedef struct bly_step_noises {
    bly_row dw[BLY_RUNS][2 * BLY_DIMS];
#if BLY_STEP_NORMALS
    bly_row z[BLY_RUNS][2 * BLY_STEP_NORMALS];
#endif
#if BLY_STEP_UNIFORMS
    bly_row u[2 * BLY_STEP_UNIFORMS];
#endif
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

/* ---- Words and normals --------------------------------------------------------------------------- */

#if BLY_FILLED

/* Words of paths `first` .. first + count - 1, whose number is a multiple of 4. By the library's own kernel,
 * as in kernels/mlmc_samples.h. */
BAILEY_FN void bly_words_from(const bly_sampled *t, bailey_uint64 row, bailey_uint64 first, int count,
                              bly_words *w)
{
    const bly_row_called kernel = bly_rows[0][BLY_PHILOX_WORDS_ROW];
    const bailey_uint64 pack = 4 * (bailey_uint64)kernel.lanes;
    const bly_fill_params p = {.stream = t->stream,
                               .first = row << BLY_PATH_BITS | first,
                               .count = (bailey_uint64)count,
                               .out_stride = 1,
                               .keys = t->keys,
                               .rounds = BLY_ROUNDS};
    void *const to[2] = {w->value, 0};
    kernel.function(&p, to, 0, (p.count + pack - 1) / pack, 0);
}

#else

BAILEY_FN void bly_words_from(const bly_sampled *t, bailey_uint64 row, bailey_uint64 first, int count,
                              bly_words *w)
{
    const bailey_uint64 from = (row << BLY_PATH_BITS | first) >> 2;
    BLY_UNROLL_SAMPLES
    for (int i = 0; i < count / 4; i++) {
        const bailey_philox_block block =
            bailey_philox_words4_either(BLY_ROUNDS, t->keys, t->stream, from + (bailey_uint64)i);
        BAILEY_UNROLL
        for (int j = 0; j < 4; j++) w->value[4 * i + j] = block.word[j];
    }
}

#endif

BAILEY_FN void bly_words_of(const bly_sampled *t, bailey_uint64 row, bly_words *w)
{
    bly_words_from(t, row, t->begin, BLY_LANES_OF(t), w);
}

/* For the first halves of words, or for the last, which become the first. */
BAILEY_FN void bly_approximate_of(const bly_sampled *t, bly_words *w, int last, bly_row *x)
{
    if (last) BLY_FOR_SAMPLES(t) w->value[v] <<= 16;
    bailey_normals_approximate_f32(BLY_APPROXIMATE, t->approximate, w->value, x->value, BLY_LANES_OF(t));
}

#if BLY_SHARES
/* For both halves, for samples that share words. */
BAILEY_FN void bly_halves_of(const bly_sampled *t, bailey_uint64 row, bly_row *x)
{
    const int count = BLY_LANES_OF(t) / 2;
    bly_words w, bits;
    bly_words_from(t, row, t->begin / 2, count, &w);
    BLY_UNROLL_SAMPLES
    for (int n = 0; n < count; n++) {
        bits.value[2 * n] = w.value[n];
        bits.value[2 * n + 1] = w.value[n] << 16;
    }
    bailey_normals_approximate_f32(BLY_APPROXIMATE, t->approximate, bits.value, x->value, BLY_LANES_OF(t));
}
#endif

#if BLY_CORRECTION && !BLY_FILLED
BAILEY_FN void bly_exact_of(const bly_sampled *t, const bly_words *w, bly_row *x)
{
    BLY_FOR_SAMPLES(t) x->value[v] = bailey_normal_icdf_f32(t->table, w->value[v]);
}
#endif

/* ---- Numbers of steps ---------------------------------------------------------------------------- */

#if BLY_CORRECTION

/* Numbers first .. first + count - 1 of those whose words begin at row `base`: approximate ones, and exact ones where
 * there is a second run. */
BAILEY_FN void bly_numbers_of(const bly_sampled *t, bailey_uint64 base, bailey_uint64 first, int count,
                              bly_row x[], bly_row exact[])
{
    BAILEY_UNROLL
    for (int k = 0; k < count; k++) {
        const bailey_uint64 row = base + first + (bailey_uint64)k;
        bly_words w;
        bly_words_of(t, row, &w);
#if BLY_FILLED
        bly_place_normals(t, row, &exact[k]);
#else
        bly_exact_of(t, &w, &exact[k]);
#endif
        bly_approximate_of(t, &w, 0, &x[k]);
    }
}

#else

/* An even count begins at an even number: each word makes two. With BLY_SHARES a count of 1 is all that the
 * samples have. */
BAILEY_FN void bly_numbers_of(const bly_sampled *t, bailey_uint64 base, bailey_uint64 first, int count,
                              bly_row x[], bly_row exact[])
{
    const int step = count % 2 == 0 ? 2 : 1;
    (void)exact;
#if BLY_SHARES
    if (count == 1) {
        bly_halves_of(t, base, &x[0]);
        return;
    }
#endif
    BAILEY_UNROLL
    for (int k = 0; k < count; k += step) {
        const bailey_uint64 number = first + (bailey_uint64)k;
        bly_words w;
        bly_words_of(t, base + (number >> 1), &w);
        bly_approximate_of(t, &w, step == 1 && (number & 1), &x[k]);
        if (step == 2) bly_approximate_of(t, &w, 1, &x[k + 1]);
    }
}

#endif

#if BLY_STEP_UNIFORMS
BAILEY_FN void bly_uniform_row_of(const bly_sampled *t, bailey_uint64 row, bly_row *x)
{
    bly_words w;
    bly_words_of(t, row, &w);
    BLY_FOR_SAMPLES(t) x->value[v] = bly_uniform_f32(w.value[v]);
}
#endif

/* The numbers of fine steps i .. i + steps - 1, one or two: of two i is even. */
BAILEY_FN void bly_step_noises_of(const bly_sampled *t, bailey_uint32 i, int steps, bly_step_noises *n)
{
    bly_numbers_of(t, 0, (bailey_uint64)i * BLY_DIMS, steps * BLY_DIMS, n->dw[0], n->dw[BLY_RUNS - 1]);
#if BLY_CORRELATED
    BAILEY_UNROLL
    for (int k = 0; k < steps; k++) BLY_FOR_RUNS bly_correlate(t, n->dw[r] + k * BLY_DIMS);
#endif
#if BLY_STEP_NORMALS
    bly_numbers_of(t, (bailey_uint64)t->steps * BLY_DIMS, (bailey_uint64)i * BLY_STEP_NORMALS,
                   steps * BLY_STEP_NORMALS, n->z[0], n->z[BLY_RUNS - 1]);
#endif
#if BLY_STEP_UNIFORMS
    BAILEY_UNROLL
    for (int k = 0; k < steps * BLY_STEP_UNIFORMS; k++)
        bly_uniform_row_of(t,
                           (bailey_uint64)t->steps * (BLY_DIMS + BLY_STEP_NORMALS) +
                               (bailey_uint64)i * BLY_STEP_UNIFORMS + (bailey_uint64)k,
                           &n->u[k]);
#endif
}

/* ---- Numbers of a sample ------------------------------------------------------------------------- */

#if BLY_HALF
/* As the first run takes it. */
BAILEY_FN real bly_number_in(int r, real x) { return r == 0 ? bly_single(bly_half_of(x)) : x; }
#else
#define bly_number_in(r, x) (x)
#endif

/* Increments of the step's length, and numbers of the first run as halves. Emulated halves are made here, row by row:
 * compilers give up vector instructions for a step that also rounds its numbers. */
#if BLY_HALF && defined(BLY_HALF_EMULATED)
#define BLY_ROUNDS_ROWS 1
BAILEY_FN void bly_round_rows(const bly_sampled *t, int steps, bly_step_noises *n)
{
    BAILEY_UNROLL
    for (int d = 0; d < steps * BLY_DIMS; d++)
        BLY_FOR_SAMPLES(t) n->dw[0][d].value[v] = bly_half_rounded(t->root * n->dw[0][d].value[v]);
#if BLY_STEP_NORMALS
    BAILEY_UNROLL
    for (int d = 0; d < steps * BLY_STEP_NORMALS; d++)
        BLY_FOR_SAMPLES(t) n->z[0][d].value[v] = bly_half_rounded(n->z[0][d].value[v]);
#endif
}
#else
#define BLY_ROUNDS_ROWS 0
#endif

/* Numbers of sample v in step k of run r. Uniform numbers stay below 1. */
BAILEY_FN bly_noise bly_noise_in(const bly_sampled *t, const bly_step_noises *n, int k, int r, int v)
{
    const int ready = BLY_ROUNDS_ROWS && r == 0;
    bly_noise one;
    BAILEY_UNROLL
    for (int d = 0; d < BLY_DIMS; d++) {
        const real x = n->dw[r][k * BLY_DIMS + d].value[v];
        one.dw[d] = ready ? x : bly_number_in(r, t->root * x);
    }
#if BLY_STEP_NORMALS
    BAILEY_UNROLL
    for (int d = 0; d < BLY_STEP_NORMALS; d++) {
        const real z = n->z[r][k * BLY_STEP_NORMALS + d].value[v];
        one.z[d] = ready ? z : bly_number_in(r, z);
    }
#endif
#if BLY_STEP_UNIFORMS
    BAILEY_UNROLL
    for (int d = 0; d < BLY_STEP_UNIFORMS; d++) {
        one.u[d] = bly_number_in(r, n->u[k * BLY_STEP_UNIFORMS + d].value[v]);
#if BLY_HALF
        if (r == 0) one.u[d] = bailey_min_f32(one.u[d], BLY_HALF_BELOW_1);
#endif
    }
#endif
    return one;
}

/* ---- Samples ------------------------------------------------------------------------------------- */

/* Level 0: the fine path alone. */
BAILEY_FN void bly_go_steps(const bly_sampled *t, bly_states states[BLY_RUNS], bly_sample_payoffs *payoffs)
{
    (void)payoffs;
    BAILEY_UNROLL_1
    for (bailey_uint32 i = 0; i < t->steps; i++) {
        const real time = bly_time_of(t, i);
        bly_step_noises n;
        bly_step_noises_of(t, i, 1, &n);
#if BLY_ROUNDS_ROWS
        bly_round_rows(t, 1, &n);
#endif
        BLY_FOR_RUNS
        BLY_FOR_SAMPLES(t)
        {
            state s = bly_state_get(&states[r], v);
            const bly_noise one = bly_noise_in(t, &n, 0, r, v);
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
        bly_step_noises n;
        bly_step_noises_of(t, i, 2, &n);
#if BLY_ROUNDS_ROWS
        bly_round_rows(t, 2, &n);
#endif
        BLY_FOR_RUNS
        BLY_FOR_SAMPLES(t)
        {
            state s = bly_state_get(&states[r], v);
            const bly_noise first = bly_noise_in(t, &n, 0, r, v), second = bly_noise_in(t, &n, 1, r, v);
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
