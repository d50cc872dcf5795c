/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The rows of kernels/families.h: the kernels by number, BLY_KERNEL_<name>.
 */
#ifndef BLY_ROWS_H
#define BLY_ROWS_H

#include "backend.h"

#include <kernels/families.h>

#include "rows_named.h"
#define ROW(name) BLY_KERNEL_##name,
enum { BLY_KERNEL_ROWS BLY_KERNELS };
#undef ROW
#include "rows_undefined.h"

/* The ways of drawing normals, in the order of the rows; those from words of the other width, and of points,
 * follow. */
#define BLY_DRAW(method, METHOD, real, scalar, bits) BLY_DRAW_##method##_##real,
#define BLY_DRAW_MIXED(method, METHOD, real, scalar, bits) BLY_DRAW_mixed_##method##_##real,
enum bly_draw { BLY_DRAWS(BLY_DRAW) BLY_MIXED(BLY_DRAW_MIXED) BLY_DRAW_points, BLY_DRAW_KINDS };
#undef BLY_DRAW
#undef BLY_DRAW_MIXED

extern const struct bly_kernel bly_kernels[BLY_KERNELS];

#endif
