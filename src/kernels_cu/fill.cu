/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry_cu.h"

#include <kernels/kernels.h>

BLY_CHECK_ROW
BLY_PHILOX_ROWS
BLY_PHILOX7_ROWS
BLY_FORM_ROWS
