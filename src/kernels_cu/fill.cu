/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry_cu.h"

#include <kernels/kernels.h>

BLY_CHECK_ROW
BLY_PHILOX_UNIFORM_ROWS
BLY_DRAWS_f32(BLY_PHILOX_ROW)
BLY_PHILOX_ROW(icdf, ICDF, f64, double, 64)
BLY_FORM_ROWS
