/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The whole path that a payoff is given, from memory, and as scenarios move it. Part of
 * kernels/payoff_head.h.
 */
#ifndef BLY_PAYOFF_PATH_H
#define BLY_PAYOFF_PATH_H

/* The whole path, in memory. */
typedef struct bly_path {
    const BAILEY_GLOBAL real *x; /* its first row */
    bailey_uint64 row;
    const BAILEY_GLOBAL real *constants;
#if BLY_MOVES
    const BLY_VALUES_SPACE real *move;
#endif
    int dims, increments, mirrored;
} bly_path;

/* Dimension d of step i as the simulation has it. */
BAILEY_FN real bly_path_own(bly_path x, int i, int d)
{
    const real value = x.x[((bailey_uint64)i * (bailey_uint64)x.dims + (bailey_uint64)d) * x.row];
    if (!x.mirrored) return value;
    return (x.increments ? 0 : 2 * x.constants[d]) - value;
}

#if BLY_MOVES

BAILEY_FN real bly_path_shifted(bly_path x, int i, int d)
{
    const real value = bly_path_own(x, i, d), by = x.move[BLY_MOVE_FIRST];
    if (BLY_WALK == BLY_WALK_INCREMENTS) return i == 0 ? bly_payoff_fma(by, value, value) : value;
    return bly_payoff_fma(by, bly_path_own(x, 0, d) - x.constants[d], value);
}

/* Dimension d of step i, and that step's time. */
BAILEY_FN real bly_payoff_at(bly_path x, int i, int d)
{
    const BLY_VALUES_SPACE real *matrix = x.move + BLY_MOVE_MATRIX + d * BLY_DIMS;
    if (x.move[0] == 0) return bly_path_own(x, i, d);
    real sum = bly_path_shifted(x, i, d);
    for (int j = 0; j <= d && BLY_RECORRELATES; j++)
        sum = bly_payoff_fma(matrix[j], bly_path_shifted(x, i, j) - bly_origin(x.constants, j), sum);
    return sum;
}
BAILEY_FN real bly_payoff_time(bly_path x, int i)
{
    return x.constants[BLY_DIMS * (2 + BLY_DIMS) + i] + x.move[BLY_MOVE_SHIFT];
}

#else

BAILEY_FN real bly_payoff_at(bly_path x, int i, int d) { return bly_path_own(x, i, d); }
BAILEY_FN real bly_payoff_time(bly_path x, int i) { return x.constants[x.dims * (2 + x.dims) + i]; }

#endif

#endif
