/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry_cu.h"

#include <kernels/kernels.h>

BLY_BRIDGE_READ_ROW(paths_readback, step, f64, double)
BLY_DRAWS_f64(BLY_PATHS_READBACK_DRAW)
BLY_BRIDGE_READ_ROW(increments_readback, split, f64, double)
BLY_DRAWS_f64(BLY_INCREMENTS_READBACK_DRAW)
