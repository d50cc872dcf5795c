/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * States of paths that go to memory step by step, and come back from there. Part of
 * kernels/simulation_code.h, for payoffs with one scenario.
 *
 * Programs with BLY_KEEPS leave the states after steps `begin` .. `end` - 1, or of some of these. Where the
 * path is a walk of normals (BLY_RESUMES) they walk those steps alone, and leave a mark at the end: the last
 * states with the walk's last point. Another launch continues there, with the same bits, or with several paths
 * from each mark. Other paths always begin with their first step. Programs with BLY_INPUT_KEPT see no path:
 * `finish` is given the states of one step.
 *
 * The last number of a state is not of a step: all steps have one row of it, which programs of the second
 * kind read. They may replace it first, by the first output of the same or another step's states, before they
 * evaluate those that they are given: so one launch ends a date and begins the one before it.
 *
 * Before this file comes, as host/simulate/simulation_text.c writes it:
 *   BLY_KEPT_NUMBERS          of a state, without the last: reals that hold it exactly
 *   BLY_KEPT_LAST             the field of the last
 *   BLY_KEPT_TASK             if there is one, a parameter that says what finish looks for: all paths of a launch
 *                             take the same way, which compilers are to know before they make vectors
 *   bly_state_keep(&state, to, row)
 *   bly_state_recall(&state, from, row)
 */
#ifndef BLY_SIMULATION_KEPT_H
#define BLY_SIMULATION_KEPT_H

#define BLY_RESUMES                                                                                          \
    (BLY_KEEPS && BLY_WALK != BLY_WALK_TREE && (BLY_INPUT == BLY_INPUT_NORMALS || BLY_INPUT == BLY_INPUT_DRAWN))

/* For each path v of the item that counts: there is no memory for others. */
#define BLY_FOR_KEPT(t) BLY_FOR_PATHS if ((bailey_uint32)v >= (t)->low && (bailey_uint32)v < (t)->high)

#if BLY_RESUMES || BLY_INPUT == BLY_INPUT_KEPT

/* Where path v of the item begins in a row of what is read. */
BAILEY_FN const BAILEY_GLOBAL real *bly_kept_from(const bly_simulated *t, int v)
{
    const bailey_uint64 path = t->path + (bailey_uint64)v;
    return t->marks + t->kept.from + (t->kept.fork ? path / t->kept.fork : path);
}

BAILEY_FN void bly_recall(bly_simulated *t)
{
    BLY_FOR_KEPT(t)
    {
        state s = bly_state_get(&t->states[0], v);
        bly_state_recall(&s, bly_kept_from(t, v), t->kept.row);
#if BLY_INPUT == BLY_INPUT_KEPT
        s.BLY_KEPT_LAST = t->memory[t->kept.last + (bailey_uint64)v];
#endif
        bly_state_put(&t->states[0], v, s);
#if BLY_ANTITHETIC
        bly_state_put(&t->mirrored[0], v, s);
#endif
    }
}

#endif

#if BLY_INPUT == BLY_INPUT_KEPT

BAILEY_FN void bly_recall_at(bly_simulated *t, bailey_uint64 from)
{
    t->kept.from = from;
    bly_recall(t);
}

#endif

#if BLY_KEEPS

BAILEY_FN void bly_keep(bly_simulated *t, bailey_uint64 to)
{
    BLY_FOR_KEPT(t)
    {
        const state s = bly_state_get(&t->states[0], v);
        bly_state_keep(&s, t->memory + to + v, t->kept.row);
    }
}

/* Step k has been shown. */
BAILEY_FN void bly_keep_step(bly_simulated *t, bailey_uint32 k)
{
    if (!t->kept.every || k < t->kept.begin || k >= t->kept.end) return;
    if ((BLY_STEPS - 1 - k) % t->kept.every != 0) return;
    bly_keep(t, t->kept.to);
    t->kept.to += BLY_KEPT_NUMBERS * t->kept.row;
}

#endif

#endif
