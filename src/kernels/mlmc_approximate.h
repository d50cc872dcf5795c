/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Samples of levels with approximate normals (bailey/device/approximate.h), and samples of what corrects
 * them. Part of kernels/mlmc_code.h where a program defines BLY_APPROXIMATE, the kind of the normals, and
 * BLY_CORRECTION, 0 or 1.
 *
 * A word makes two approximate normals, of its first and of its last 16 bits: of the Brownian motion's
 * numbers, number 2 k of a sample is made of the first half of its word k, number 2 k + 1 of the last.
 * Normals of the text likewise, from the word that their first number has by itself. Uniform numbers have the
 * words that they have otherwise.
 *
 * A correction takes an exact normal and an approximate one from each word, the latter from its first half:
 * pairs of them are distributed as a whole word makes them, and each as above. It runs the text twice, on the
 * exact numbers and on the approximate ones; in both the coarse path's increments are sums of the fine one's.
 */
#ifndef BLY_MLMC_APPROXIMATE_H
#define BLY_MLMC_APPROXIMATE_H

#include "bailey/device/approximate.h"

/* A word of each of an item's samples. */
typedef struct bly_words {
    bailey_uint32 v[BLY_WIDTH];
} bly_words;

/* What runs in a sample: the text on approximate numbers, and on exact ones where they are corrected. */
#define BLY_RUNS (1 + BLY_CORRECTION)
#define BLY_FOR_RUNS BAILEY_UNROLL for (int r = 0; r < BLY_RUNS; r++)
typedef struct bly_step_noises {
    bly_noises run[BLY_RUNS];
} bly_step_noises;

/* Numbers of two steps. */
#define BLY_STEP_NUMBERS (BLY_NORMALS > BLY_DIMS ? BLY_NORMALS : BLY_DIMS)
typedef struct bly_numbers {
    bly_row run[BLY_RUNS][2 * BLY_STEP_NUMBERS];
} bly_numbers;

/* ---- Words and normals --------------------------------------------------------------------------- */

/* Where items have many samples this is a loop over blocks that becomes vector instructions. */
BAILEY_FN bly_words bly_words_of(const bly_sampled *t, bailey_uint64 row)
{
    const bailey_uint64 first = (row << BLY_PATH_BITS | t->begin) >> 2;
    bly_words w;
    BAILEY_UNROLL_1
    for (int i = 0; i < BLY_WIDTH / 4; i++) {
        const bailey_philox_block block =
            bailey_philox_words4_either(BLY_ROUNDS, t->keys, t->stream, first + (bailey_uint64)i);
        BAILEY_UNROLL
        for (int j = 0; j < 4; j++) w.v[4 * i + j] = block.word[j];
    }
    return w;
}

/* Of the first halves of words, or of the last. */
BAILEY_FN bly_row bly_approximate_of(const bly_sampled *t, const bly_words *w, int last)
{
    bly_words bits;
    bly_row x;
    BLY_FOR_PATHS bits.v[v] = last ? w->v[v] << 16 : w->v[v];
    bailey_normals_approximate_f32(BLY_APPROXIMATE, t->approximate, bits.v, x.v, BLY_WIDTH);
    return x;
}

#if BLY_CORRECTION
BAILEY_FN bly_row bly_exact_of(const bly_sampled *t, const bly_words *w)
{
    bly_row x;
    BLY_FOR_PATHS x.v[v] = bailey_normal_icdf_f32(t->table, w->v[v]);
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
        x->run[1][k] = bly_exact_of(t, &w);
    }
}

#else

/* An even count begins at an even number: each word makes two. */
BAILEY_FN void bly_numbers_of(const bly_sampled *t, bailey_uint64 base, bailey_uint64 first, int count,
                              bly_numbers *x)
{
    const int step = count % 2 == 0 ? 2 : 1;
    BAILEY_UNROLL
    for (int k = 0; k < count; k += step) {
        const bailey_uint64 number = first + (bailey_uint64)k;
        const bly_words w = bly_words_of(t, base + (number >> 1));
        x->run[0][k] = bly_approximate_of(t, &w, step == 1 && (number & 1));
        if (step == 2) x->run[0][k + 1] = bly_approximate_of(t, &w, 1);
    }
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
#if BLY_NORMALS
    bly_numbers_of(t, (bailey_uint64)t->steps * BLY_DIMS, (bailey_uint64)i * BLY_NORMALS, steps * BLY_NORMALS,
                   &x);
    BAILEY_UNROLL
    for (int k = 0; k < steps; k++) {
        BLY_FOR_RUNS
        {
            BAILEY_UNROLL
            for (int d = 0; d < BLY_NORMALS; d++) n[k].run[r].z[d] = x.run[r][k * BLY_NORMALS + d];
        }
    }
#endif
#if BLY_UNIFORMS
    BAILEY_UNROLL
    for (int k = 0; k < steps; k++) {
        BAILEY_UNROLL
        for (int d = 0; d < BLY_UNIFORMS; d++) {
            const bly_row u = bly_uniforms_of(t, (bailey_uint64)t->steps * (BLY_DIMS + BLY_NORMALS) +
                                                     ((bailey_uint64)i + (bailey_uint64)k) * BLY_UNIFORMS +
                                                     (bailey_uint64)d);
            BLY_FOR_RUNS n[k].run[r].u[d] = u;
        }
    }
#endif
}

/* ---- Samples ------------------------------------------------------------------------------------- */

BAILEY_FN void bly_go_steps(const bly_sampled *t, bly_states states[BLY_RUNS])
{
    BAILEY_UNROLL_1
    for (bailey_uint32 i = 0; i < t->steps; i++) {
        const real time = bly_time_of(t, i);
        bly_step_noises n[1];
        bly_step_noises_of(t, i, 1, n);
        BLY_FOR_RUNS
        BLY_FOR_PATHS
        {
            state s = bly_state_get(&states[r], v);
            const bly_noise one = bly_noise_at(&n[0].run[r], v);
            bly_own_step(&s, bly_set(t), time, t->h, &one);
            bly_state_put(&states[r], v, s);
        }
    }
}

BAILEY_FN void bly_go_pairs(const bly_sampled *t, bly_states states[BLY_RUNS])
{
    BAILEY_UNROLL_1
    for (bailey_uint32 i = 0; i < t->steps; i += 2) {
        const real time = bly_time_of(t, i);
        bly_step_noises n[2];
        bly_step_noises_of(t, i, 2, n);
        BLY_FOR_RUNS
        BLY_FOR_PATHS
        {
            state s = bly_state_get(&states[r], v);
            const bly_noise first = bly_noise_at(&n[0].run[r], v), second = bly_noise_at(&n[1].run[r], v);
            bly_own_pair(&s, bly_set(t), time, t->h, &first, &second);
            bly_state_put(&states[r], v, s);
        }
    }
}

/* The difference with approximate normals, or what is added to it with exact ones. */
BAILEY_FN void bly_sample(const bly_sampled *t, bly_earned *earned)
{
    bly_states states[BLY_RUNS];
    BLY_FOR_RUNS
    BLY_FOR_PATHS
    {
        state s = bly_state_get(&states[r], v);
        bly_own_start(&s, bly_set(t), (int)t->level);
        bly_state_put(&states[r], v, s);
    }
    if (t->level == 0)
        bly_go_steps(t, states);
    else
        bly_go_pairs(t, states);
    BLY_FOR_RUNS
    BLY_FOR_PATHS
    {
        const state s = bly_state_get(&states[r], v);
        real out[2];
        out[0] = out[1] = 0;
        bly_own_finish(&s, bly_set(t), t->time, out);
        const double fine = (double)out[0], y = t->level == 0 ? fine : fine - (double)out[1];
        earned->fine[v] = r == 0 ? fine : fine - earned->fine[v];
        earned->y[v] = r == 0 ? y : y - earned->y[v];
    }
}

#endif
