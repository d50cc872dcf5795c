/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry.h"

#include <kernels/kernels.h>

BLY_KERNEL_bly_variate_icdf_f32;
BLY_KERNEL_bly_variate_box_muller_f32;
BLY_KERNEL_bly_variate_icdf_fast_f32;
BLY_KERNEL_bly_variate_box_muller_fast_f32;
BLY_KERNEL_bly_variate_exponential_f32;
BLY_KERNEL_bly_variate_icdf_f64;
BLY_KERNEL_bly_variate_box_muller_f64;
BLY_KERNEL_bly_variate_exponential_f64;
BLY_KERNEL_bly_correlate_f32;
BLY_KERNEL_bly_correlate_f64;
