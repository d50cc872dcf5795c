/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry.h"

#include <kernels/kernels.h>

BLY_KERNEL_bly_bridge_paths_z_f64;
BLY_KERNEL_bly_bridge_paths_icdf_f64;
BLY_KERNEL_bly_bridge_paths_box_muller_f64;
BLY_KERNEL_bly_bridge_increments_z_f64;
BLY_KERNEL_bly_bridge_increments_icdf_f64;
BLY_KERNEL_bly_bridge_increments_box_muller_f64;
