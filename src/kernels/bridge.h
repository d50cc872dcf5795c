/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian bridge kernels: items that build packs of paths by walking a plan's records
 * (bailey/device/bridge.h).
 *
 * One dimension keeps neighbours in registers and the local stack (du Toit, NAG 2011, section 7). More
 * dimensions read neighbours back from the output instead, which needs no memory a path.
 */
#ifndef BLY_BRIDGE_H
#define BLY_BRIDGE_H

#include "bailey/device/bridge.h"
#include "bailey/device/draw.h"
#include "kernels/range.h"

#define BLY_MAX_DIMS 64

/* Z comes from memory; the other sources are the BAILEY_DRAW_ methods. */
#define BLY_DRAW_NONE (-1)

/* Paths are numbered so that a normal's number is row * 2^38 + path. */
#define BLY_PATH_BITS 38

/* Element (row, path) of Z is z[row * z_row + path * z_path], X likewise, where row = step * dims + dim and
 * path counts from first_path. Constants: start[dims], end[dims], C[dims][dims]. */
typedef struct bly_bridge_params {
    bailey_uint64 first_path, paths;
    bailey_uint64 z_row, z_path, x_row, x_path;
    bailey_uint64 seed, stream;
    bailey_uint32 steps, dims;
    bailey_uint32 fixed_end;
    bailey_uint32 correlated; /* 0: C is the identity and is not multiplied by */
} bly_bridge_params;

#define BLY_REAL f32
#define BLY_SCALAR float
#define BLY_PACK BAILEY_PACK32
#define BLY_VECTORS 4
#include "kernels/bridge_items.h"
#undef BLY_REAL
#undef BLY_SCALAR
#undef BLY_PACK
#undef BLY_VECTORS

#if BAILEY_HAS_F64
#define BLY_REAL f64
#define BLY_SCALAR double
#define BLY_PACK BAILEY_PACK64
#define BLY_VECTORS 2
#include "kernels/bridge_items.h"
#undef BLY_REAL
#undef BLY_SCALAR
#undef BLY_PACK
#undef BLY_VECTORS
#endif

#endif
