/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Normals by the inverse CDF in double precision, its table in shared memory.
 */
#include <kernels_cu/tuned/entry_copies.h>

BLY_PHILOX_ROW(icdf, ICDF, f64, double, 64)
BLY_PHILOX7_ROW(icdf, ICDF, f64, double, 64)
BLY_WARP_ROW(icdf, ICDF, f64, double, 64)
BLY_FORM_ROW(icdf, ICDF, f64, double, 64)
BLY_MIXED_COUNTER_ROW(icdf, ICDF, f64, double, 32)
BLY_MIXED_ROW(icdf, ICDF, f64, double, 32)
