/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Normals of points in single precision, the table of the inverse CDF in shared memory.
 */
#include <kernels_cu/tuned/entry_copies.h>

BLY_SOBOL_DIM_icdf(f32, float, 32) BLY_SOBOL_POINT_icdf(f32, float, 32)
