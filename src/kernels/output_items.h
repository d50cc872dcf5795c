/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Simulations whose payoffs were compiled with the library take two launches, with the outputs of paths in
 * memory between them: one of the payoff's row (prebuilt_item.h), and one that makes nodes, samples and
 * counts from outputs. The bits are those of kernels/simulation_item.h, which does all of it in registers.
 */
#ifndef BLY_OUTPUT_ITEMS_H
#define BLY_OUTPUT_ITEMS_H

#include "kernels/prebuilt_sizes.h"
#include "kernels/simulation_nodes.h"

/* Evaluates the payoff on `paths` paths, whose X begins at x. Output o of path i goes to
 * outputs[output_first + o output_row + i]. */
typedef struct bly_prebuilt_params {
    bailey_uint64 paths, x_row;
    bailey_uint64 output_first, output_row;
    bailey_uint64 values; /* 8-byte words before the payoff's parameters */
    bailey_uint32 dims, steps;
    bailey_uint32 antithetic; /* 1: each path is followed by its mirror image */
    bailey_uint32 increments; /* 1: x holds increments */
} bly_prebuilt_params;

#if BAILEY_HAS_F64

/* For the simulation's parameters it looks at those for nodes, samples and counts. A node is of
 * 2^BLY_NODE_BITS paths, the first of which is path `base`, a multiple of that. */
typedef struct bly_output_params {
    bly_simulation_params run;
    bailey_uint64 output_first, output_row;
    bailey_uint32 outputs, products, shape; /* as BLY_OUTPUTS, ... in kernels/simulation_code.h */
    bailey_uint32 samples, histogram, sums; /* `sums` rows are added up */
} bly_output_params;

/* How a row of nodes is computed from the outputs a and b. */
typedef struct bly_output_row {
    bailey_uint32 a, b, power; /* 1: a; 2: a b; 3 and 4: of a */
    double absent;
} bly_output_row;

BAILEY_FN bly_output_row bly_output_row_of(bly_output_params p, bailey_uint32 row)
{
    bly_output_row r;
    r.a = r.b = row;
    r.power = 1;
    r.absent = BLY_NODE_NOTHING;
    if (row < p.outputs) return r;
    row -= p.outputs;
    r.power = 2;
    for (r.a = 0; r.a < p.outputs; r.a++) {
        const bailey_uint32 pairs = p.products ? p.outputs - r.a : 1;
        r.b = r.a + row;
        if (row < pairs) return r;
        row -= pairs;
    }
    r.a = r.b = row % p.outputs;
    r.power = row < p.outputs ? 3 : row < 2 * p.outputs ? 4 : 1;
    if (r.power == 1) r.absent = row < 3 * p.outputs ? BLY_NODE_FAR : -BLY_NODE_FAR;
    return r;
}

BAILEY_FN double bly_output_term(bly_output_row r, double a, double b)
{
    if (r.power == 1) return a;
    if (r.power == 2) return a * b;
    return r.power == 3 ? a * a * a : (a * a) * (a * a);
}

/* Node `node` of a row; paths outside [first, end) are left out. */
BAILEY_FN double bly_output_node(bly_output_params p, const BAILEY_GLOBAL double *outputs, bailey_uint32 row,
                                 bailey_uint64 node)
{
    const bly_output_row r = bly_output_row_of(p, row);
    const bailey_uint64 begin = node << BLY_NODE_BITS;
    const BAILEY_GLOBAL double *a = outputs + p.output_first + r.a * p.output_row + begin,
                               *b = outputs + p.output_first + r.b * p.output_row + begin;
    double left[BLY_NODE_BITS + 1];
    BAILEY_UNROLL
    for (bailey_uint32 i = 0; i < 1u << BLY_NODE_BITS; i++) {
        const bailey_uint64 path = p.run.base + begin + i;
        double joined = r.absent;
        if (path >= p.run.first && path < p.run.end) joined = bly_output_term(r, a[i], b[i]);
        bailey_uint32 height = 0;
        for (; i >> height & 1; height++)
            joined = bly_node_join(left[height], joined, row, p.sums, p.outputs);
        left[height] = joined;
    }
    return left[BLY_NODE_BITS];
}

/* An item makes BAILEY_PACK64 nodes of a row; in the row that adds up an output, its samples and counts too.
 */
#define BLY_OUTPUT_ITEM(real, scalar)                                                                        \
    BAILEY_FN void bly_output_nodes_##real##_item(                                                           \
        bly_output_params p, const BAILEY_GLOBAL double *outputs, BAILEY_GLOBAL double *nodes,               \
        BAILEY_GLOBAL scalar *samples, bailey_uint64 item, bailey_uint64 row)                                \
    {                                                                                                        \
        for (bailey_uint32 lane = 0; lane < BAILEY_PACK64; lane++) {                                         \
            const bailey_uint64 node = item * BAILEY_PACK64 + lane, begin = node << BLY_NODE_BITS;           \
            if (node >= p.run.node_row) return;                                                              \
            nodes[row * p.run.node_row + node] = bly_output_node(p, outputs, (bailey_uint32)row, node);      \
            const int stores = p.samples && row < p.outputs, counts = row + 1 == p.histogram;                \
            for (bailey_uint32 i = 0; (stores || counts) && i < 1u << BLY_NODE_BITS; i++) {                  \
                const bailey_uint64 path = p.run.base + begin + i;                                           \
                if (path < p.run.first || path >= p.run.end) continue;                                       \
                const double x = outputs[p.output_first + row * p.output_row + begin + i];                   \
                if (stores)                                                                                  \
                    samples[p.run.sample_first + row * p.run.sample_row + (path - p.run.first)] = (scalar)x; \
                if (counts) bly_count_in(p.run, nodes, x);                                                   \
            }                                                                                                \
        }                                                                                                    \
    }
BLY_OUTPUT_ITEM(f32, float)
BLY_OUTPUT_ITEM(f64, double)

#endif

#endif
