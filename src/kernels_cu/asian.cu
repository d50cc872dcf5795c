/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry.h"

#include <kernels/kernels.h>

BLY_KERNEL_bly_asian_f32;
BLY_KERNEL_bly_asian_fast_f32;
BLY_KERNEL_bly_asian_f64;
BLY_KERNEL_bly_fold;
