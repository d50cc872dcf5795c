/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Undefines the rows of kernels/families.h, so that they can be expanded as something else.
 */
#undef BLY_ROW_f32
#undef BLY_ROW_f64
#undef BLY_ENTRY_1
#undef BLY_ENTRY_2
#undef BLY_ENTRY_3
#undef BLY_STRIPED_ENTRY_1
#undef BLY_STRIPED_ENTRY_2
#undef BLY_POINT_ENTRY_2
#undef BLY_POINT_ENTRY_3
#undef BLY_TEAM_ENTRY_1
#undef BLY_TEAM_ENTRY_2
#undef BLY_BRIDGE_READ
#undef BLY_BRIDGE_DRAW
#undef BLY_PREBUILT
