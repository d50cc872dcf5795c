/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Defines each row of kernels/families.h as ROW(name), whatever it was before.
 */
#include "rows_undefined.h"

#define BLY_ROW_f32(entry) entry
#define BLY_ROW_f64(entry) entry
#define BLY_ENTRY_1(name, params, a) ROW(name)
#define BLY_ENTRY_2(name, params, a, b) ROW(name)
#define BLY_ENTRY_3(name, params, a, b, c) ROW(name)
#define BLY_STRIPED_ENTRY_1(name, params, a) ROW(name)
#define BLY_STRIPED_ENTRY_2(name, params, a, b) ROW(name)
#define BLY_POINT_ENTRY_2(name, params, a, b) ROW(name)
#define BLY_POINT_ENTRY_3(name, params, a, b, c) ROW(name)
#define BLY_TEAM_ENTRY_1(name, params, a, words) ROW(name)
#define BLY_TEAM_ENTRY_2(name, params, a, b, words) ROW(name)
#define BLY_BRIDGE_READ(name, kind, record, real, scalar) ROW(name)
#define BLY_BRIDGE_DRAW(name, kind, record, METHOD, real, scalar) ROW(name)
#define BLY_PREBUILT(name, real, scalar) ROW(name)
