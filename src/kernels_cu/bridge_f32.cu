/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry.h"

#include <kernels/kernels.h>

BLY_KERNEL_bly_bridge_paths_z_f32;
BLY_KERNEL_bly_bridge_paths_icdf_f32;
BLY_KERNEL_bly_bridge_paths_box_muller_f32;
BLY_KERNEL_bly_bridge_paths_icdf_fast_f32;
BLY_KERNEL_bly_bridge_paths_box_muller_fast_f32;
BLY_KERNEL_bly_bridge_increments_z_f32;
BLY_KERNEL_bly_bridge_increments_icdf_f32;
BLY_KERNEL_bly_bridge_increments_box_muller_f32;
BLY_KERNEL_bly_bridge_increments_icdf_fast_f32;
BLY_KERNEL_bly_bridge_increments_box_muller_fast_f32;
