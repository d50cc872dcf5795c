/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry.h"

#include <kernels/kernels.h>

BLY_KERNEL_bly_bridge_paths_readback_z_f64;
BLY_KERNEL_bly_bridge_paths_readback_icdf_f64;
BLY_KERNEL_bly_bridge_paths_readback_box_muller_f64;
BLY_KERNEL_bly_bridge_increments_readback_z_f64;
BLY_KERNEL_bly_bridge_increments_readback_icdf_f64;
BLY_KERNEL_bly_bridge_increments_readback_box_muller_f64;
