/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of the language in double precision.
 */
#define BLY_SCALAR double
#define BLY_REAL f64
#define BLY_LIBRARY_CALL bly_library_call_f64
#include "library_calls.h"
