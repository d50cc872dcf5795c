/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry_cu.h"

#include <kernels/kernels.h>

BLY_WORDS_ROWS
BLY_PUBLISHED_ROWS
BLY_WARP_ROWS
