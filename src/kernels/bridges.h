/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian bridge kernels: items that build packs of paths by walking a plan's records
 * (bailey/device/bridge.h).
 *
 * Paths and increments of one dimension keep neighbours in registers and the local stack (du Toit, NAG 2011,
 * section 7). Readback kernels take any number of dimensions and read neighbours back from the output, which
 * needs no memory per path. With vector lanes, on CPUs, they take blocks of packs and steps outside, packs
 * inside:
 * - step-major, with values in a pool of buffers that stays in the first caches, and rows of X streamed past
 *   the caches;
 * - path-major, with a tile of all rows, transposed on the way in and out;
 * - where neither fits, reading back.
 */
#ifndef BLY_BRIDGE_H
#define BLY_BRIDGE_H

#include "bailey/device/bridge.h"
#include "bailey/device/draw.h"
#include "kernels/range.h"

#define BLY_MAX_DIMS 64

/* What an item with vector lanes keeps values in, on its thread's stack: a pool of buffers, or a tile. */
#define BLY_POOL_BYTES 131072
#define BLY_TILE_BYTES 98304

/* Loops over a pack's vectors and over a square of lanes are unrolled, or the vectors stay in memory. */
#if BAILEY_LANES == 1
#define BLY_UNROLL
#else
#define BLY_UNROLL BAILEY_UNROLL
#endif

/* Z comes from memory; the other sources are the BAILEY_DRAW_ methods. */
#define BLY_DRAW_NONE (-1)

/* Element (row, path) of Z is z[row * z_row + path * z_path], X likewise, where row = step * dims + dim and
 * path counts from first_path; X begins at element x_first. Constants: start[dims], end[dims], C[dims][dims].
 */
typedef struct bly_bridge_params {
    bailey_uint64 first_path, paths;
    bailey_uint64 z_row, z_path, x_row, x_path;
    bailey_uint64 x_first;                      /* 0 where normals are drawn */
    bailey_uint64 stream;
    bailey_philox_keys keys; /* of the seed */
    bailey_uint32 steps, dims;
    bailey_uint32 fixed_end;
    bailey_uint32 correlated; /* 0: C is the identity and is not multiplied by */
    bailey_uint32 slots;      /* stack slots that the records use */
    bailey_uint32 rounds;     /* of Philox, 7 or 10; compiled programs have theirs */
} bly_bridge_params;

/* How a readback kernel draws: BLY_DRAW_NONE or the method, a constant. Where kernels of all methods are
 * compiled together, as for processors (BLY_DRAWS_CALLED), the address of what follows makes one kernel of
 * those that draw, which calls a function for each step of a pack. */
#if defined(BLY_DRAWS_CALLED)
typedef struct bly_called_draw {
    int method; /* an exact one */
    const bly_bridge_params *params;
} bly_called_draw;
typedef intptr_t bly_drawing;
#else
typedef int bly_drawing;
#endif

/* Packs that an item with vector lanes takes, by kind of kernel. Readback kernels walk the records once for
 * a block of paths whose part of a row, 4 KiB with vectors of 64 bytes, is long enough for the memory system.
 */
#define BLY_BRIDGE_PACKS_paths(real) 1
#define BLY_BRIDGE_PACKS_increments(real) 1
#define BLY_BRIDGE_PACKS_paths_readback(real) BLY_BLOCK_PACKS_##real
#define BLY_BRIDGE_PACKS_increments_readback(real) BLY_BLOCK_PACKS_##real
#define BLY_BLOCK_PACKS_f32 16
#define BLY_BLOCK_PACKS_f64 32

/* Not with copies of the table, from which programs with code of their own draw. */
#if !defined(BAILEY_ICDF_COPIES)

#define BLY_REAL f32
#define BLY_SCALAR float
#define BLY_PACKS BLY_BLOCK_PACKS_f32
#define BLY_INDEX bailey_u32
#define BLY_PACK BAILEY_PACK32
#define BLY_VECTORS 4
#include "kernels/bridge_items.h"
#undef BLY_REAL
#undef BLY_SCALAR
#undef BLY_PACKS
#undef BLY_INDEX
#undef BLY_PACK
#undef BLY_VECTORS

#if BAILEY_HAS_F64
#define BLY_REAL f64
#define BLY_SCALAR double
#define BLY_PACKS BLY_BLOCK_PACKS_f64
#define BLY_INDEX bailey_u64
#define BLY_PACK BAILEY_PACK64
#define BLY_VECTORS 2
#include "kernels/bridge_items.h"
#undef BLY_REAL
#undef BLY_SCALAR
#undef BLY_PACKS
#undef BLY_INDEX
#undef BLY_PACK
#undef BLY_VECTORS
#endif

#endif

#endif
