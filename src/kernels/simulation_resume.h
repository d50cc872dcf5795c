/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A walk through some steps, from the mark that an earlier launch left to one for the next
 * (kernels/simulation_kept.h). Antithetic paths are reflected about the mark. Part of kernels/simulation_code.h.
 */
#ifndef BLY_SIMULATION_RESUME_H
#define BLY_SIMULATION_RESUME_H

BAILEY_FN void bly_follow(bly_simulated *t, const BAILEY_GLOBAL BLY_(bly_stream_) * stream)
{
    const bly_kept_params p = t->kept;
    const bailey_uint32 first_z = BLY_INPUT == BLY_INPUT_NORMALS ? p.begin : 0; /* of Z in memory */
    bly_point x;
    BLY_FOR_DIMS BLY_FOR_PATHS x.dim[d].value[v] = BLY_WALK == BLY_WALK_POINTS ? t->constants[d] : 0;
    if (p.begin) {
        bly_recall(t);
        BLY_FOR_DIMS BLY_FOR_KEPT(t)
        x.dim[d].value[v] = bly_kept_from(t, v)[(BLY_KEPT_NUMBERS + (bailey_uint64)d) * p.row];
    }
#if BLY_ANTITHETIC
    t->origin = x;
#endif
    t->shown = p.begin;
    BAILEY_UNROLL_1
    for (bailey_uint32 k = p.begin; k < p.end; k++) {
        const BLY_(bly_stream_) s = stream[k];
        bly_point y;
        bly_normals_of(t, s.z - first_z, &y);
        BLY_FOR_DIMS BLY_FOR_PATHS x.dim[d].value[v] =
            bly_payoff_fma(s.sigma, y.dim[d].value[v], BLY_WALK == BLY_WALK_POINTS ? x.dim[d].value[v] : 0);
        bly_show(t, &x);
    }
    if (!p.mark) return;
    bly_keep(t, p.mark);
    BLY_FOR_DIMS BLY_FOR_KEPT(t)
        t->memory[p.mark + (BLY_KEPT_NUMBERS + (bailey_uint64)d) * p.row + (bailey_uint64)v] =
        x.dim[d].value[v];
}

#endif
