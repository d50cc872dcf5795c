/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How normals are counted where they lie, in the dialect: the text of a program for devices, which defines
 * QUALITY_F64 and QUALITY_PLANT, and plain functions for the host.
 *
 * Values are counted tile by tile. A tile has QUALITY_PARTS parts, each with QUALITY_LANES items, which need
 * nothing from each other:
 * - part 0: cells (a histogram in integers), sums of powers 1 to 8, and of products of values and of squares
 *   QUALITY_FAR places apart;
 * - parts 1 to 8: sums of products of values and of squares, QUALITY_NEAR_LAGS distances in each part;
 * - part 9: blocks of 1024 values: sums of squares and of He_4 = z^4 - 6 z^2 + 3.
 *
 * Lane l looks at values l, l + 32, ... of the tile, one after the other; a second kernel
 * adds the lanes' sums pairwise. The shape of every sum is thus fixed, and no product feeds a plain addition:
 * all devices have the same bits.
 */
#ifndef BENCH_NORMAL_QUALITY_COUNT_H
#define BENCH_NORMAL_QUALITY_COUNT_H

#if defined(QUALITY_F64)
#include "kernels/group_entry.h"
#else
#include <bailey/device/dialect.h>
#endif

#define QUALITY_LANES 32
#define QUALITY_STEPS 4096 /* values of an item */
#define QUALITY_TILE (QUALITY_LANES * QUALITY_STEPS)
#define QUALITY_PARTS 10
#define QUALITY_BLOCK 1024
#define QUALITY_TILE_BLOCKS (QUALITY_TILE / QUALITY_BLOCK)

/* Cells of abs(z), so many per unit, for negative and for other z, and one for what is not a number or beyond
 * 9: the last of either sign has all up to there. Edges are floats: no value lies in doubt. So that few items
 * meet at a cell there are several copies. */
#define QUALITY_CELLS 2048
#define QUALITY_CELLS_A_UNIT 256
#define QUALITY_ALL_CELLS (2 * QUALITY_CELLS + 1)
#define QUALITY_COPIES 64

#define QUALITY_MOMENTS 8
#define QUALITY_FAR 8192 /* the same step and lane of the next run: bailey/device/run.h */
#define QUALITY_NEAR_LAGS 10
#define QUALITY_NEAR_PARTS 8
#define QUALITY_NEAR_SUMS (2 * QUALITY_NEAR_LAGS)
/* Sums of a tile: powers, the two of the far lag, those of the near lags part by part. */
#define QUALITY_FIRST_SUMS (QUALITY_MOMENTS + 2)
#define QUALITY_SUMS (QUALITY_FIRST_SUMS + QUALITY_NEAR_PARTS * QUALITY_NEAR_SUMS)
#define QUALITY_HALO (QUALITY_FAR + 64) /* values beyond those that are counted, which are examined too */

/* How values are spoilt on purpose. */
#define QUALITY_PLANT_NONE 0
#define QUALITY_PLANT_MEAN 1
#define QUALITY_PLANT_VARIANCE 2
#define QUALITY_PLANT_TAIL 3
#define QUALITY_PLANT_SERIAL 4

typedef struct quality_params {
    bailey_uint64 tiles;
} quality_params;

#if BAILEY_HAS_F64

#if defined(BAILEY_IS_OPENCL)
#define QUALITY_COUNT(at) atomic_inc(at)
#elif defined(BAILEY_IS_CUDA)
#define QUALITY_COUNT(at) atomicAdd(at, 1u)
#else
#define QUALITY_COUNT(at) __atomic_fetch_add(at, 1u, __ATOMIC_RELAXED)
#endif

/* The lag number `j` of near part `part` (from 0): all from 1 to 64, then 68, 72, ..., 128, the neighbours
 * within 4 steps and 32 lanes of a run. */
BAILEY_FN bailey_uint32 quality_lag(bailey_uint32 part, bailey_uint32 j)
{
    return j < 8 ? 8 * part + 1 + j : 68 + 8 * part + 4 * (j - 8);
}

/* `f64` and `plant` should be constants, here and below. */
BAILEY_FN double quality_stored(const BAILEY_GLOBAL bailey_uint32 *z, int f64, bailey_uint64 i)
{
    return f64 ? ((const BAILEY_GLOBAL double *)z)[i] : (double)((const BAILEY_GLOBAL float *)z)[i];
}
BAILEY_FN double quality_value(const BAILEY_GLOBAL bailey_uint32 *z, int f64, int plant, bailey_uint64 i)
{
    const double x = quality_stored(z, f64, i);
    switch (plant) {
    case QUALITY_PLANT_MEAN: return x + 1.0 / 512;
    case QUALITY_PLANT_VARIANCE: return x * (1 + 1.0 / 256);
    case QUALITY_PLANT_TAIL: return x > 4 ? bailey_fma_f64(x - 4, 0.25, 4) : x;
    case QUALITY_PLANT_SERIAL:
        return bailey_fma_f64(quality_stored(z, f64, i + 1), 1.0 / 128, x) * 0.99996948382161;
    default: return x;
    }
}

BAILEY_FN bailey_uint32 quality_cell(double z)
{
    const double size = z < 0 ? -z : z;
    if (!(size < 9)) return 2 * QUALITY_CELLS;
    const bailey_uint32 k = (bailey_uint32)(size * QUALITY_CELLS_A_UNIT);
    return (z < 0 ? 0 : QUALITY_CELLS) + (k < QUALITY_CELLS ? k : QUALITY_CELLS - 1);
}

BAILEY_FN void quality_put(BAILEY_GLOBAL double *lanes, bailey_uint64 tile, bailey_uint32 sum,
                           bailey_uint32 lane, double value)
{
    lanes[(tile * QUALITY_SUMS + sum) * QUALITY_LANES + lane] = value;
}

BAILEY_FN void quality_values(const BAILEY_GLOBAL bailey_uint32 *z, int f64, int plant,
                              BAILEY_GLOBAL bailey_uint32 *cells, BAILEY_GLOBAL double *lanes,
                              bailey_uint64 tile, bailey_uint32 lane)
{
    BAILEY_GLOBAL bailey_uint32 *const own = cells + tile % QUALITY_COPIES * QUALITY_ALL_CELLS;
    const bailey_uint64 begin = tile * QUALITY_TILE + lane;
    double moment[QUALITY_MOMENTS] = {0}, products = 0, squares = 0;
    for (bailey_uint32 k = 0; k < QUALITY_STEPS; k++) {
        const bailey_uint64 i = begin + (bailey_uint64)k * QUALITY_LANES;
        const double x = quality_value(z, f64, plant, i), y = quality_value(z, f64, plant, i + QUALITY_FAR);
        double power = 1;
        QUALITY_COUNT(own + quality_cell(x));
        BAILEY_UNROLL
        for (int m = 0; m < QUALITY_MOMENTS; m++) {
            moment[m] = bailey_fma_f64(power, x, moment[m]);
            power *= x;
        }
        products = bailey_fma_f64(x, y, products);
        squares = bailey_fma_f64(bailey_fma_f64(x, x, -1), bailey_fma_f64(y, y, -1), squares);
    }
    for (int m = 0; m < QUALITY_MOMENTS; m++) quality_put(lanes, tile, (bailey_uint32)m, lane, moment[m]);
    quality_put(lanes, tile, QUALITY_MOMENTS, lane, products);
    quality_put(lanes, tile, QUALITY_MOMENTS + 1, lane, squares);
}

BAILEY_FN void quality_near(const BAILEY_GLOBAL bailey_uint32 *z, int f64, int plant,
                            BAILEY_GLOBAL double *lanes, bailey_uint64 tile, bailey_uint32 part,
                            bailey_uint32 lane)
{
    const bailey_uint64 begin = tile * QUALITY_TILE + lane;
    double sum[QUALITY_NEAR_SUMS] = {0};
    for (bailey_uint32 k = 0; k < QUALITY_STEPS; k++) {
        const bailey_uint64 i = begin + (bailey_uint64)k * QUALITY_LANES;
        const double x = quality_value(z, f64, plant, i), square = bailey_fma_f64(x, x, -1);
        BAILEY_UNROLL
        for (int j = 0; j < QUALITY_NEAR_LAGS; j++) {
            const double y = quality_value(z, f64, plant, i + quality_lag(part, (bailey_uint32)j));
            sum[2 * j] = bailey_fma_f64(x, y, sum[2 * j]);
            sum[2 * j + 1] = bailey_fma_f64(square, bailey_fma_f64(y, y, -1), sum[2 * j + 1]);
        }
    }
    for (int j = 0; j < QUALITY_NEAR_SUMS; j++)
        quality_put(lanes, tile, QUALITY_FIRST_SUMS + part * QUALITY_NEAR_SUMS + (bailey_uint32)j, lane,
                    sum[j]);
}

/* A lane has neighbouring blocks: two sums of each. */
BAILEY_FN void quality_blocks(const BAILEY_GLOBAL bailey_uint32 *z, int f64, int plant,
                              BAILEY_GLOBAL double *blocks, bailey_uint64 tile, bailey_uint32 lane)
{
    const bailey_uint64 first = tile * QUALITY_TILE_BLOCKS + lane * (QUALITY_TILE_BLOCKS / QUALITY_LANES);
    for (bailey_uint64 block = first; block < first + QUALITY_TILE_BLOCKS / QUALITY_LANES; block++) {
        double squares = 0, fourth = 0;
        for (bailey_uint32 i = 0; i < QUALITY_BLOCK; i++) {
            const double x = quality_value(z, f64, plant, block * QUALITY_BLOCK + i);
            squares = bailey_fma_f64(x, x, squares);
            fourth += bailey_fma_f64(x * x, bailey_fma_f64(x, x, -6), 3);
        }
        blocks[2 * block] = squares;
        blocks[2 * block + 1] = fourth;
    }
}

/* z has QUALITY_HALO values more than the tiles; `lanes` gets QUALITY_LANES numbers of each sum of a tile. */
#define QUALITY_COUNT_ITEMS (QUALITY_PARTS * QUALITY_LANES) /* of a tile */
BAILEY_FN void quality_count_item(const BAILEY_GLOBAL bailey_uint32 *z, int f64, int plant,
                                  BAILEY_GLOBAL bailey_uint32 *cells, BAILEY_GLOBAL double *lanes,
                                  BAILEY_GLOBAL double *blocks, bailey_uint64 item)
{
    const bailey_uint64 tile = item / QUALITY_COUNT_ITEMS;
    const bailey_uint32 lane = (bailey_uint32)(item % QUALITY_LANES);
    const bailey_uint32 part = (bailey_uint32)(item / QUALITY_LANES % QUALITY_PARTS);
    if (part == 0)
        quality_values(z, f64, plant, cells, lanes, tile, lane);
    else if (part <= QUALITY_NEAR_PARTS)
        quality_near(z, f64, plant, lanes, tile, part - 1, lane);
    else
        quality_blocks(z, f64, plant, blocks, tile, lane);
}

/* Adds the lanes of sum number `item`: 0 and 1, 2 and 3, ..., then pairs of these. */
BAILEY_FN void quality_fold_item(const BAILEY_GLOBAL double *lanes, BAILEY_GLOBAL double *sums,
                                 bailey_uint64 item)
{
    double sum[QUALITY_LANES];
    for (int l = 0; l < QUALITY_LANES; l++) sum[l] = lanes[item * QUALITY_LANES + (bailey_uint32)l];
    for (int width = QUALITY_LANES / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++) sum[l] = sum[2 * l] + sum[2 * l + 1];
    sums[item] = sum[0];
}

#if defined(QUALITY_F64)
BAILEY_FN void quality_count_group(quality_params p, const BAILEY_GLOBAL bailey_uint32 *z,
                                   BAILEY_GLOBAL bailey_uint32 *cells, BAILEY_GLOBAL double *lanes,
                                   BAILEY_GLOBAL double *blocks, BLY_SHARED bailey_uint64 *shared,
                                   bailey_uint64 item)
{
    (void)shared;
    if (item < p.tiles * QUALITY_COUNT_ITEMS)
        quality_count_item(z, QUALITY_F64, QUALITY_PLANT, cells, lanes, blocks, item);
}
BAILEY_FN void quality_fold_group(quality_params p, const BAILEY_GLOBAL double *lanes,
                                  BAILEY_GLOBAL double *sums, BLY_SHARED bailey_uint64 *shared,
                                  bailey_uint64 item)
{
    (void)shared;
    if (item < p.tiles * QUALITY_SUMS) quality_fold_item(lanes, sums, item);
}
BLY_GROUP_ENTRY_4(quality_count, quality_params, const bailey_uint32, bailey_uint32, double, double)
BLY_GROUP_ENTRY_2(quality_fold, quality_params, const double, double)
#endif

#endif
#endif
