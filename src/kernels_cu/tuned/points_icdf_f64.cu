/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Normals of points in double precision, the table of the inverse CDF in shared memory.
 */
#include <kernels_cu/tuned/entry_copies.h>

BLY_SOBOL_DIM_icdf(f64, double, 32) BLY_SOBOL_DIM_icdf(f64, double, 64) BLY_SOBOL_POINT_icdf(f64, double, 32)
    BLY_SOBOL_POINT_icdf(f64, double, 64)
