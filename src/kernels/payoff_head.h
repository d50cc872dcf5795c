/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What stands before a payoff's text: its types, its functions, and what holds the states of many paths.
 *
 * A program defines, before it includes this file:
 *   BLY_REAL, BLY_SCALAR      f32 and float, or f64 and double
 *   BLY_WIDTH                 paths of an item
 *   BLY_DIMS, BLY_STEPS       of a path
 *   BLY_PAYOFF_FAST           1 if native functions may serve
 * and then bly_params, bly_state, bly_states, bly_state_get and bly_state_put.
 */
#ifndef BLY_PAYOFF_HEAD_H
#define BLY_PAYOFF_HEAD_H

#include "kernels/simulation_nodes.h"

#define BLY_PASTE_(a, b) a##b
#define BLY_PASTE(a, b) BLY_PASTE_(a, b)
#define BLY_(name) BLY_PASTE(name, BLY_REAL)

typedef BLY_SCALAR real;
typedef bailey_int32 int32;
typedef bailey_uint32 uint32;
typedef bailey_int64 int64;
typedef bailey_uint64 uint64;

#include "kernels/payoff_math.h"

/* Stands before each loop of a text. A loop over paths becomes vector instructions if those within it are
 * unrolled before, which gcc does only if it is told to. Loops over dimensions are short; those over the
 * steps of a whole path are not, and would make a program of any length. */
#if defined(BAILEY_IS_OPENCL) && (defined(__clang__) || defined(__NV_CL_C_VERSION))
#define BLY_LOOP _Pragma("unroll 16")
#elif defined(__GNUC__) && !defined(__clang__) && !defined(BAILEY_IS_CUDA) && !defined(BAILEY_IS_OPENCL)
#define BLY_LOOP BAILEY_UNROLL
#else
#define BLY_LOOP
#endif

#define DIMS BLY_DIMS
#define STEPS BLY_STEPS
#define params BAILEY_GLOBAL bly_params
#define state bly_state
#define path bly_path

/* The whole path, in memory. */
typedef struct bly_path {
    const BAILEY_GLOBAL real *x; /* its first row */
    bailey_uint64 row;
    const BAILEY_GLOBAL real *constants;
    int dims, increments, mirrored;
} bly_path;

/* Dimension d of step i, and that step's time. */
BAILEY_FN real bly_payoff_at(bly_path x, int i, int d)
{
    const real value = x.x[((bailey_uint64)i * (bailey_uint64)x.dims + (bailey_uint64)d) * x.row];
    if (!x.mirrored) return value;
    return (x.increments ? 0 : 2 * x.constants[d]) - value;
}
BAILEY_FN real bly_payoff_time(bly_path x, int i) { return x.constants[x.dims * (2 + x.dims) + i]; }

/* For each path v of an item. */
#if BLY_WIDTH <= 4
#define BLY_FOR_PATHS BAILEY_UNROLL for (int v = 0; v < BLY_WIDTH; v++)
#elif defined(__GNUC__) && !defined(__clang__)
#define BLY_FOR_PATHS _Pragma("GCC ivdep") for (int v = 0; v < BLY_WIDTH; v++)
#else
#define BLY_FOR_PATHS for (int v = 0; v < BLY_WIDTH; v++)
#endif

#endif
