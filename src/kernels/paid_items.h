/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Simulations whose payoffs were compiled with the library: what a row that pays takes (prebuilt_item.h), and
 * the item that makes nodes, samples and counts of what paths pay, with the bits of
 * kernels/simulation_item.h, which does all of it on the chip.
 */
#ifndef BLY_PAID_ITEMS_H
#define BLY_PAID_ITEMS_H

#include "kernels/prebuilt_sizes.h"
#include "kernels/simulation_nodes.h"

/* Pays `paths` paths, of which x holds the first one's. Output o of path i goes to
 * paid[paid_first + o paid_row + i]. */
typedef struct bly_pay_params {
    bailey_uint64 paths, x_row;
    bailey_uint64 paid_first, paid_row;
    bailey_uint64 values; /* 8-byte words before the payoff's parameters */
    bailey_uint32 dims, steps;
    bailey_uint32 antithetic; /* 1: each path is followed by its mirror image */
    bailey_uint32 increments; /* 1: x holds increments */
} bly_pay_params;

#if BAILEY_HAS_F64

/* Of the simulation's parameters it looks at those for nodes, samples and counts. A node is of
 * 2^BLY_NODE_BITS paths, the first of which is path `base`, a multiple of that. */
typedef struct bly_paid_params {
    bly_simulation_params run;
    bailey_uint64 paid_first, paid_row;
    bailey_uint32 outputs, products, shape; /* as BLY_OUTPUTS, ... in kernels/simulation_code.h */
    bailey_uint32 samples, histogram, sums; /* `sums` rows are added up */
} bly_paid_params;

/* How a row of nodes is made of the outputs a and b. */
typedef struct bly_paid_row {
    bailey_uint32 a, b, power; /* 1: a; 2: a b; 3 and 4: of a */
    double absent;
} bly_paid_row;

BAILEY_FN bly_paid_row bly_paid_row_of(bly_paid_params p, bailey_uint32 row)
{
    bly_paid_row r;
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

BAILEY_FN double bly_paid_term(bly_paid_row r, double a, double b)
{
    if (r.power == 1) return a;
    if (r.power == 2) return a * b;
    return r.power == 3 ? a * a * a : (a * a) * (a * a);
}

/* Node `node` of a row; paths outside [first, end) are left out. */
BAILEY_FN double bly_paid_node(bly_paid_params p, const BAILEY_GLOBAL double *paid, bailey_uint32 row,
                               bailey_uint64 node)
{
    const bly_paid_row r = bly_paid_row_of(p, row);
    const bailey_uint64 begin = node << BLY_NODE_BITS;
    const BAILEY_GLOBAL double *a = paid + p.paid_first + r.a * p.paid_row + begin,
                               *b = paid + p.paid_first + r.b * p.paid_row + begin;
    double left[BLY_NODE_BITS + 1];
    BAILEY_UNROLL
    for (bailey_uint32 i = 0; i < 1u << BLY_NODE_BITS; i++) {
        const bailey_uint64 path = p.run.base + begin + i;
        double joined = r.absent;
        if (path >= p.run.first && path < p.run.end) joined = bly_paid_term(r, a[i], b[i]);
        bailey_uint32 level = 0;
        for (; i >> level & 1; level++) joined = bly_node_join(left[level], joined, row, p.sums, p.outputs);
        left[level] = joined;
    }
    return left[BLY_NODE_BITS];
}

/* An item makes BAILEY_PACK64 nodes of a row; in the row that adds up an output, its samples and counts too.
 */
#define BLY_PAID_ITEM(real, scalar)                                                                          \
    BAILEY_FN void bly_paid_##real##_item(bly_paid_params p, const BAILEY_GLOBAL double *paid,               \
                                          BAILEY_GLOBAL double *nodes, BAILEY_GLOBAL scalar *samples,        \
                                          bailey_uint64 item, bailey_uint64 row)                             \
    {                                                                                                        \
        for (bailey_uint32 lane = 0; lane < BAILEY_PACK64; lane++) {                                         \
            const bailey_uint64 node = item * BAILEY_PACK64 + lane, begin = node << BLY_NODE_BITS;           \
            if (node >= p.run.node_row) return;                                                              \
            nodes[row * p.run.node_row + node] = bly_paid_node(p, paid, (bailey_uint32)row, node);           \
            const int stores = p.samples && row < p.outputs, counts = row + 1 == p.histogram;                \
            for (bailey_uint32 i = 0; (stores || counts) && i < 1u << BLY_NODE_BITS; i++) {                  \
                const bailey_uint64 path = p.run.base + begin + i;                                           \
                if (path < p.run.first || path >= p.run.end) continue;                                       \
                const double x = paid[p.paid_first + row * p.paid_row + begin + i];                          \
                if (stores)                                                                                  \
                    samples[p.run.sample_first + row * p.run.sample_row + (path - p.run.first)] = (scalar)x; \
                if (counts) bly_count_in(p.run, nodes, x);                                                   \
            }                                                                                                \
        }                                                                                                    \
    }
BLY_PAID_ITEM(f32, float)
BLY_PAID_ITEM(f64, double)

#endif

#endif
