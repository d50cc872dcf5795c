/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry_cu.h"

#include <kernels/kernels.h>

BLY_BRIDGE_READ_ROW(paths_readback, step, f32, float)
BLY_DRAWS_f32(BLY_PATHS_READBACK_DRAW)
BLY_BRIDGE_READ_ROW(increments_readback, split, f32, float)
BLY_DRAWS_f32(BLY_INCREMENTS_READBACK_DRAW)
