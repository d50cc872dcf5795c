/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#define BAILEY_HELD_COEFFICIENTS /* 36 of them; the inverse CDF has 44, too many for its items to be many */
#include "entry.h"

#include <kernels/kernels.h>

BLY_KERNEL_bly_normals_box_muller_f64;
