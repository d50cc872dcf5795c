/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Normals by the inverse CDF in single precision, its table in shared memory; as floats and as halves.
 */
#include <kernels_cu/tuned/entry_copies.h>

BLY_PHILOX_ROW(icdf, ICDF, f32, float, 32)
BLY_PHILOX7_ROW(icdf, ICDF, f32, float, 32)
BLY_HALVES_ICDF_ROW
