/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry_cu.h"

#include <kernels/families.h>
#include <kernels/prebuilt_f32.h>

BLY_PREBUILT_ROWS_f32
