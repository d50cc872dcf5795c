/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The whole path that a payoff is given where it is a motion: X at any tick, as bailey_motion_values has it.
 * Part of kernels/payoff_head.h.
 */
#ifndef BLY_PAYOFF_MOTION_H
#define BLY_PAYOFF_MOTION_H

/* Constants of the device after start[dims], end[dims], C[dims][dims]. */
#define BLY_MOTION_END_TIME (BLY_DIMS * (2 + BLY_DIMS))
#define BLY_MOTION_START_TIME (BLY_MOTION_END_TIME + 1)
#define BLY_MOTION_ROOT (BLY_MOTION_END_TIME + 2) /* deviations of the motion: root[0], odd[0], even[0] */
#define BLY_MOTION_CONSTANTS (BLY_MOTION_END_TIME + 5)

#define BLY_LAST_TICK ((bailey_uint64)1 << BLY_MOTION_DEPTH)

/* A path on its way, in each dimension of W at the tick that was asked for last. */
typedef struct bly_path {
    BLY_(bailey_motion_) motion;
    const BAILEY_ICDF_SPACE real *table;
    const BAILEY_GLOBAL real *constants;
    bailey_uint64 number;
    int mirrored;
    BLY_(bailey_motion_walk_) walks[BLY_DIMS];
} bly_path;

/* The path of this number, at tick 0. */
BAILEY_FN void bly_path_begin(bly_path *x, bailey_philox_keys keys, const BAILEY_ICDF_SPACE real *table,
                              const BAILEY_GLOBAL real *constants, bailey_uint64 number, int mirrored)
{
    x->motion.keys = keys;
    x->motion.rounds = BLY_ROUNDS;
    x->motion.levels = BLY_MOTION_DEPTH;
    x->motion.areas = 0;
    x->motion.root[0] = constants[BLY_MOTION_ROOT];
    x->motion.odd[0] = constants[BLY_MOTION_ROOT + 1];
    x->motion.even[0] = constants[BLY_MOTION_ROOT + 2];
    x->table = table;
    x->constants = constants;
    x->number = number;
    x->mirrored = mirrored;
    for (bailey_uint32 d = 0; d < BLY_DIMS; d++)
        BLY_(bailey_motion_walk_begin_)(&x->motion, table, number, d, &x->walks[d]);
}

/* Dimension d at a tick, which is not a number past the last. */
BAILEY_FN real bly_path_at(bly_path *x, bailey_uint64 tick, int d)
{
    const BAILEY_GLOBAL real *c = x->constants;
    if (tick > BLY_LAST_TICK) return BLY_(bailey_motion_nan_)();
    real sum = c[d];
    if (BLY_FIXED_END) {
        const real unit = BLY_(bailey_motion_shift_)(BLY_MOTION_DEPTH);
        const real later = BLY_(bailey_motion_real_)(tick) * unit;
        const real sooner = BLY_(bailey_motion_real_)(BLY_LAST_TICK - tick) * unit;
        sum = bly_payoff_fma(later, c[BLY_DIMS + d], sooner * c[d]);
    }
    for (int j = BLY_CORRELATED ? 0 : d; j <= d; j++) {
        const real w = BLY_(bailey_motion_walk_to_)(&x->motion, x->table, x->number, (bailey_uint32)j,
                                                    &x->walks[j], tick);
        sum = BLY_CORRELATED ? bly_payoff_fma(c[(2 + d) * BLY_DIMS + j], w, sum) : w + sum;
    }
    return x->mirrored ? 2 * c[d] - sum : sum;
}

BAILEY_FN real bly_path_time(const bly_path *x, bailey_uint64 tick)
{
    const real start = x->constants[BLY_MOTION_START_TIME], end = x->constants[BLY_MOTION_END_TIME];
    const real share = BLY_(bailey_motion_real_)(tick) * BLY_(bailey_motion_shift_)(BLY_MOTION_DEPTH);
    return tick < BLY_LAST_TICK ? bly_payoff_fma(share, end - start, start) : end;
}

/* What a text calls at(x, tick, d) and time(x, tick). */
#define bly_payoff_at(x, tick, d) bly_path_at(&(x), tick, d)
#define bly_payoff_time(x, tick) bly_path_time(&(x), tick)

#endif
