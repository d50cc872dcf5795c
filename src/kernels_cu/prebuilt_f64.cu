/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry_cu.h"

#include <kernels/families.h>
#include <kernels/prebuilt_f64.h>

BLY_PREBUILT_ROWS_f64
