/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The same of warp, whose items have no registers left for rows with a sign: on an H100 722 G normals/s instead of
 * 752.
 */
#define BAILEY_ICDF_HOT_F32 512
#define BLY_SHAPE_F32 BLY_SHAPE_WARP_F32
#include <kernels_cu/tuned/entry_copies.h>

BLY_WARP_ROW(icdf, ICDF, f32, float, 32)
