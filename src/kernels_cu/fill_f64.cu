/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#define BAILEY_HELD_COEFFICIENTS
#include "entry.h"

#include <kernels/kernels.h>

BLY_KERNEL_bly_normals_box_muller_f64;
BLY_KERNEL_bly_warp_box_muller_f64;
