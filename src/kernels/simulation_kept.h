/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * States of paths that go to memory step by step, and come back from there. Part of
 * kernels/simulation_code.h, for payoffs with one scenario whose path is a random walk.
 *
 * Programs with BLY_KEEPS walk the steps `begin` .. `end` - 1, leave the states after each, and leave a mark
 * at the end: the last states with the walk's last point. Another launch continues there, with the same bits.
 * Programs with BLY_INPUT_KEPT see no path: `finish` is given the states of one step.
 *
 * The last number of a state is not of a step: all steps have one row of it, which programs of the second
 * kind read, and which their first output replaces if BLY_SAMPLES is 1.
 *
 * Before this file comes, as host/simulate/simulation_text.c writes it:
 *   BLY_KEPT_NUMBERS          of a state, without the last
 *   BLY_KEPT_LAST             the field of the last
 *   bly_state_keep(&state, to, row)
 *   bly_state_recall(&state, from, row)
 */
#ifndef BLY_SIMULATION_KEPT_H
#define BLY_SIMULATION_KEPT_H

/* For each path v of the item that counts: there is no memory for others. */
#define BLY_FOR_KEPT(t) BLY_FOR_PATHS if ((bailey_uint32)v >= (t)->low && (bailey_uint32)v < (t)->high)

BAILEY_FN void bly_recall(bly_simulated *t)
{
    const BAILEY_GLOBAL real *from = t->memory + t->kept.from;
    BLY_FOR_KEPT(t)
    {
        state s = bly_state_get(&t->states[0], v);
        bly_state_recall(&s, from + v, t->kept.row);
#if BLY_INPUT == BLY_INPUT_KEPT
        s.BLY_KEPT_LAST = t->memory[t->kept.last + (bailey_uint64)v];
#endif
        bly_state_put(&t->states[0], v, s);
    }
}

#if BLY_INPUT == BLY_INPUT_KEPT

BAILEY_FN void bly_follow(bly_simulated *t) { bly_recall(t); }

#else

BAILEY_FN void bly_keep(bly_simulated *t, bailey_uint64 to)
{
    BLY_FOR_KEPT(t)
    {
        const state s = bly_state_get(&t->states[0], v);
        bly_state_keep(&s, t->memory + to + v, t->kept.row);
    }
}

BAILEY_FN void bly_follow(bly_simulated *t, const BAILEY_GLOBAL BLY_(bly_stream_) * stream)
{
    const bly_kept_params p = t->kept;
    const bailey_uint32 first_z = BLY_INPUT == BLY_INPUT_NORMALS ? p.begin : 0; /* of Z in memory */
    bly_point x;
    BLY_FOR_DIMS BLY_FOR_PATHS x.dim[d].value[v] = t->constants[d];
    if (p.begin) {
        const BAILEY_GLOBAL real *point = t->memory + p.from + BLY_KEPT_NUMBERS * p.row;
        bly_recall(t);
        BLY_FOR_DIMS BLY_FOR_KEPT(t) x.dim[d].value[v] = point[(bailey_uint64)d * p.row + (bailey_uint64)v];
    }
    t->shown = p.begin;
    BAILEY_UNROLL_1
    for (bailey_uint32 k = p.begin; k < p.end; k++) {
        const BLY_(bly_stream_) s = stream[k];
        bly_point y;
        bly_normals_of(t, s.z - first_z, &y);
        BLY_FOR_DIMS BLY_FOR_PATHS x.dim[d].value[v] =
            bly_payoff_fma(s.sigma, y.dim[d].value[v], x.dim[d].value[v]);
        bly_show(t, &x);
        bly_keep(t, p.to + (bailey_uint64)(k - p.begin) * BLY_KEPT_NUMBERS * p.row);
    }
    if (!p.mark) return;
    bly_keep(t, p.mark);
    BLY_FOR_DIMS BLY_FOR_KEPT(t)
        t->memory[p.mark + (BLY_KEPT_NUMBERS + (bailey_uint64)d) * p.row + (bailey_uint64)v] =
        x.dim[d].value[v];
}

#endif

#endif
