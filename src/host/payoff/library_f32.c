/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of the language in single precision.
 */
#define BLY_SCALAR float
#define BLY_REAL f32
#define BLY_LIBRARY_CALL bly_library_call_f32
#include "library_calls.h"
