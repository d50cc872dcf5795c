/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Box-Muller in double precision, whose items keep the coefficients of its polynomials in registers.
 */
#define BAILEY_HELD_COEFFICIENTS /* bailey/device/math.h */
#include <kernels_cu/entry_cu.h>

#include <kernels/kernels.h>

BLY_PHILOX_ROW(box_muller, BOX_MULLER, f64, double, 64)
BLY_WARP_ROW(box_muller, BOX_MULLER, f64, double, 64)
