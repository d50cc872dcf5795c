/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What stands before the built-in payoffs of one precision, which are compiled with the library for any
 * number of dimensions and steps: DIMS and STEPS are arguments of each function, behind its own. A payoff's
 * names begin with BLY_OF().
 *
 * Whoever includes this defines BLY_REAL, BLY_SCALAR and BLY_REAL_BYTES, and may define BLY_WIDTH, the paths
 * of an item.
 */
#ifndef BLY_PREBUILT_HEAD_H
#define BLY_PREBUILT_HEAD_H

#include "kernels/output_items.h"

#if !defined(BLY_WIDTH)
#define BLY_WIDTH (16 / BLY_REAL_BYTES)
#endif
#define BLY_DIMS bly_dims
#define BLY_STEPS bly_steps
#define BLY_WALK BLY_WALK_TREE /* which says nothing here: an argument does */

#include "kernels/payoff_head.h"

#define bly_params BLY_OF(params)
#define bly_state BLY_OF(state)
#define bly_states BLY_OF(states)
#define bly_state_get BLY_OF(get)
#define bly_state_put BLY_OF(put)
#define bly_own_start(s, p) BLY_OF(start)(s, p, const int bly_dims, const int bly_steps)
#define bly_own_step(s, p, i, t, x) BLY_OF(step)(s, p, i, t, x, const int bly_dims, const int bly_steps)
#define bly_own_finish(s, p, out) BLY_OF(finish)(s, p, out, const int bly_dims, const int bly_steps)
#define bly_own_whole(p, x, out) BLY_OF(whole)(p, x, out, const int bly_dims, const int bly_steps)

#define BLY_PREBUILT(name, real, scalar)                                                                     \
    BLY_ENTRY_4(name, bly_prebuilt_params, const bailey_uint64, const scalar, const scalar, double)

#endif
