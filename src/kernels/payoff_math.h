/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions that payoff code may call, bly_payoff_exp and so on, for one lane. Whoever includes this
 * defines `real` as float or double, BLY_REAL as f32 or f64, and may define BLY_PAYOFF_FAST as 1: exp of f32
 * then uses the device's own approximation.
 */
#ifndef BLY_PAYOFF_MATH_H
#define BLY_PAYOFF_MATH_H

#include "bailey/device/elementary.h"
#include "bailey/device/gamma.h"
#include "bailey/device/inverse.h"
#include "kernels/payoff_functions.h"

#define BLY_PAYOFF_PASTE_(a, b) a##b
#define BLY_PAYOFF_PASTE(a, b) BLY_PAYOFF_PASTE_(a, b)

#define BLY_PAYOFF_DEFINE(name, arguments, made, root, summary)                                              \
    BAILEY_FN real bly_payoff_##name BLY_PAYOFF_TAKES_##arguments                                            \
    {                                                                                                        \
        return BLY_PAYOFF_PASTE(made, BLY_REAL) BLY_PAYOFF_GIVES_##arguments;                                \
    }
BLY_PAYOFF_FUNCTIONS(BLY_PAYOFF_DEFINE)
#undef BLY_PAYOFF_DEFINE

#endif
