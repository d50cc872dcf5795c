/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "entry_cu.h"

#include <kernels/kernels.h>

BLY_VARIATE_ROWS
BLY_INTEGERS_ROWS
BLY_HALVES_ROWS
BLY_COPULA_ROWS
BLY_CORRELATED_ROWS
