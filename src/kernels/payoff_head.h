/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What comes before a payoff's code in a program: its types, its functions, and what holds the states of many
 * paths.
 *
 * A program defines, before it includes this file:
 *   BLY_REAL, BLY_SCALAR      f32 and float, or f64 and double
 *   BLY_WIDTH                 paths of an item
 *   BLY_DIMS, BLY_STEPS       of a path
 *   BLY_PAYOFF_FAST           1 if native functions may serve
 *   BLY_GIVEN                 8-byte words of parameters that come with the launch, or 0
 * and, where the path is a motion,
 *   BLY_MOTION_DEPTH          it has 2^this ticks
 *   BLY_ROUNDS                of Philox
 *   BLY_FIXED_END, BLY_CORRELATED   see kernels/simulation_code.h
 * and then bly_params, bly_state, bly_states, bly_state_get and bly_state_put.
 *
 * A program that values more than one scenario, or moves paths, defines besides, instead of what is below:
 *   BLY_SCENARIOS             sets of parameters, which see the same points
 *   BLY_SET_WORDS             8-byte words from set to set
 *   BLY_RESULTS               of a path: all outputs of all scenarios, or weighted rows of them
 *   BLY_WEIGHTED              1 if results are weighted sums of outputs, which bly_weigh makes
 *   BLY_SCORED                1 if these are multiplied by scores of the first point
 *   BLY_SHIFTS                1 if a scenario shifts times
 *   BLY_RECORRELATES          1 if a scenario has another covariance
 *   BLY_WEIGHTS_AT            words before the weights
 *   BLY_SCORES_AT             words before the scores, a BLY_SCORE of each result
 *   BLY_MOVES_AT              words before the moves, a BLY_MOVE of each scenario
 *   BLY_UNROLLED              1 if loops over scenarios are unrolled
 */
#ifndef BLY_PAYOFF_HEAD_H
#define BLY_PAYOFF_HEAD_H

#include "kernels/simulation_nodes.h"

#ifndef BLY_MOTION_DEPTH
#define BLY_MOTION_DEPTH 0
#endif
#if BLY_MOTION_DEPTH
#include "bailey/device/ticks.h"
#endif

#ifndef BLY_SCENARIOS
#define BLY_SCENARIOS 1
#define BLY_SET_WORDS 0
#define BLY_RESULTS BLY_OUTPUTS
#define BLY_WEIGHTED 0
#define BLY_SCORED 0
#define BLY_SHIFTS 0
#define BLY_RECORRELATES 0
#define BLY_UNROLLED 1
#endif
#if BLY_UNROLLED
#define BLY_UNROLL_SCENARIOS BAILEY_UNROLL
#else
#define BLY_UNROLL_SCENARIOS BAILEY_UNROLL_1
#endif
#define BLY_MOVES (BLY_SHIFTS || BLY_RECORRELATES)

/* Where parameters are: they come with the launch, or from memory. */
#if BLY_GIVEN
#define BLY_VALUES_SPACE
#else
#define BLY_VALUES_SPACE BAILEY_GLOBAL
#endif

#define BLY_PASTE_(a, b) a##b
#define BLY_PASTE(a, b) BLY_PASTE_(a, b)
#define BLY_(name) BLY_PASTE(name, BLY_REAL)

typedef BLY_SCALAR real;
typedef bailey_int32 int32;
typedef bailey_uint32 uint32;
typedef bailey_int64 int64;
typedef bailey_uint64 uint64;

#include "kernels/payoff_math.h"

/* Stands before loops of a payoff, which host/payoff/print_loops.c chooses. A loop over paths becomes vector
 * instructions if those within it are unrolled before, which gcc does only if it is told to. Loops over
 * dimensions are short; those over the steps of a whole path are not, and would make a program of any length.
 */
#if defined(BAILEY_IS_OPENCL) && (defined(__clang__) || defined(__NV_CL_C_VERSION))
#define BLY_LOOP _Pragma("unroll 16")
#elif defined(__GNUC__) && !defined(__clang__) && !defined(BAILEY_IS_CUDA) && !defined(BAILEY_IS_OPENCL)
#define BLY_LOOP BAILEY_UNROLL
#else
#define BLY_LOOP
#endif

/* Stands before long functions of derivatives (host/payoff/print.c). On GPUs calls are not for free, and take
 * states from registers; loops over paths that call functions do not become vector instructions. */
#if defined(BAILEY_IS_CUDA) || defined(BAILEY_IS_OPENCL) || BLY_GRADIENT
#define BLY_LONG_FN BAILEY_FN
#else
#define BLY_LONG_FN BAILEY_CALLED
#endif

#define DIMS BLY_DIMS
#define STEPS BLY_STEPS
#define LEVELS BLY_MOTION_DEPTH
#define params BLY_VALUES_SPACE bly_params
#define state bly_state
#define path bly_path

/* How a scenario moves paths, as reals: 1 or 0 for whether it does; what times are later by; how much of the
 * first point is added to all of them (of increments, of the first one to itself); then, row by row, the
 * matrix that x - start is multiplied by, less 1 on its diagonal. An even number of them. */
#define BLY_MOVE_SHIFT 1
#define BLY_MOVE_FIRST 2
#define BLY_MOVE_MATRIX 3
#define BLY_MOVE ((BLY_MOVE_MATRIX + BLY_DIMS * BLY_DIMS + 1) / 2 * 2)

/* A score, as doubles: a number, one of each dimension, and row by row the matrix of a quadratic form. */
#define BLY_SCORE (1 + BLY_DIMS + BLY_DIMS * BLY_DIMS)

/* What paths are about: nothing where they are increments. */
BAILEY_FN real bly_origin(const BAILEY_GLOBAL real *constants, int d)
{
    return BLY_WALK == BLY_WALK_INCREMENTS ? 0 : constants[d];
}

#if BLY_MOTION_DEPTH
#include "kernels/payoff_motion.h"
#else
#include "kernels/payoff_path.h"
#endif

/* For each path v of an item. */
#if BLY_WIDTH <= 4
#define BLY_FOR_PATHS BAILEY_UNROLL for (int v = 0; v < BLY_WIDTH; v++)
#elif defined(__GNUC__) && !defined(__clang__)
#define BLY_FOR_PATHS _Pragma("GCC ivdep") for (int v = 0; v < BLY_WIDTH; v++)
#else
#define BLY_FOR_PATHS for (int v = 0; v < BLY_WIDTH; v++)
#endif

#endif
