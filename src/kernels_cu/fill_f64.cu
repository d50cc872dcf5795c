/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Box-Muller in double precision, whose items keep the coefficients of its polynomials in registers.
 */
#define BAILEY_HELD_COEFFICIENTS /* bailey/device/math.h */
#include "entry.h"

#include <kernels/kernels.h>

BLY_KERNEL_bly_philox_box_muller_f64;
BLY_KERNEL_bly_warp_box_muller_f64;
