/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry.h"

#include <kernels/kernels.h>

BLY_KERNEL_bly_check;
BLY_KERNEL_bly_words_philox;
BLY_KERNEL_bly_words_philox7;
BLY_KERNEL_bly_philox_u01_f32;
BLY_KERNEL_bly_philox_u01_f64;
BLY_KERNEL_bly_philox_icdf_f32;
BLY_KERNEL_bly_philox_box_muller_f32;
BLY_KERNEL_bly_philox_icdf_fast_f32;
BLY_KERNEL_bly_philox_box_muller_fast_f32;
BLY_KERNEL_bly_philox_icdf_f64;
BLY_KERNEL_bly_form_u01_f32;
BLY_KERNEL_bly_form_icdf_f32;
BLY_KERNEL_bly_form_box_muller_f32;
BLY_KERNEL_bly_form_icdf_fast_f32;
BLY_KERNEL_bly_form_box_muller_fast_f32;
BLY_KERNEL_bly_form_u01_f64;
BLY_KERNEL_bly_form_icdf_f64;
BLY_KERNEL_bly_form_box_muller_f64;
