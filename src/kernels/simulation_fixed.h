/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The fold of a simulation in integers, instead of that in double of kernels/simulation_code.h,
 * which includes this where BLY_FIXED is 1. kernels/fixed_nodes.h says what the sums are.
 */
#ifndef BLY_SIMULATION_FIXED_H
#define BLY_SIMULATION_FIXED_H

#include "kernels/fixed_nodes.h"

typedef bailey_uint64 bly_node;

/* A result of each of an item's paths. */
typedef real bly_number;
typedef struct bly_output {
    real value[BLY_WIDTH];
} bly_output;

/* The limit of outputs, and the resolutions per unit, which are a power of two. */
BAILEY_FN float bly_fixed_real_f32(bailey_uint64 bits) { return bailey_f32_bits_u32((bailey_uint32)bits); }
#define BLY_FIXED_WHOLE_f32 0x1p23f
#if BAILEY_HAS_F64
BAILEY_FN double bly_fixed_real_f64(bailey_uint64 bits) { return bailey_f64_bits_u64(bits); }
#define BLY_FIXED_WHOLE_f64 0x1p52
#endif

/* The integer next to x per resolution; 0 of what is beyond the limit. From `whole` on all numbers are
 * whole, and a sum with it rounds to them. */
BAILEY_FN bailey_int32 bly_fixed_of(bly_fixed_params f, real x)
{
    const real whole = BLY_(BLY_FIXED_WHOLE_), scale = BLY_(bly_fixed_real_)(f.scale);
    real a = bly_payoff_fabs(x);
    a = a <= BLY_(bly_fixed_real_)(f.limit) ? a : 0;
    const real scaled = a * scale;
    const bailey_int32 q = (bailey_int32)(scaled < whole ? bly_payoff_fma(a, scale, whole) - whole : scaled);
    return x < 0 ? -q : q;
}

/* Counts a result in its bin of the histogram: bin 0 is below the others, the last one above. */
BAILEY_FN void bly_count_whole(bly_simulation_params p, BAILEY_GLOBAL bly_node *nodes, real x)
{
    BAILEY_GLOBAL bailey_uint32 *counts = (BAILEY_GLOBAL bailey_uint32 *)nodes + p.counts;
    const bailey_int64 q = bly_fixed_of(p.fixed, x), width = p.fixed.high - p.fixed.low;
    bailey_uint64 bin = 0;
    if (q >= p.fixed.high)
        bin = p.bins + 1;
    else if (q >= p.fixed.low)
        bin = (bailey_uint64)(q - p.fixed.low) * p.bins / (bailey_uint64)width + 1;
    BAILEY_COUNT(counts + bin);
}

/* Where a group's items meet. */
typedef struct bly_fold {
    BAILEY_GLOBAL bly_node *node; /* of row 0 */
    bailey_uint64 row;
    BLY_SHARED bly_node *meeting; /* a number of each item; not where a group is one item */
    bailey_uint32 rows;           /* that are done */
    bly_fixed_params fixed;
    bailey_uint64 begin; /* the item's first path */
#if BLY_FAULTS
    const bly_simulated *simulated;
    bailey_uint64 path; /* the number of the item's first one in the launch */
#endif
} bly_fold;

/* The number of the whole group, which its first item has then. */
BAILEY_FN bly_node bly_fold_group(bly_fold *fold, bly_node node, int kind)
{
#if BLY_BLOCK > 1
    BLY_SHARED bly_node *own = fold->meeting + BLY_LOCAL_ID;
    *own = node;
    for (bailey_uint32 far = 1; far < BLY_BLOCK; far *= 2) {
        BLY_BARRIER();
        if (BLY_LOCAL_ID % (2 * far) == 0) *own = node = bly_fixed_join(node, own[far], kind);
    }
    BLY_BARRIER();
#else
    (void)fold, (void)kind;
#endif
    return node;
}

BAILEY_FN void bly_fold_row(bly_fold *fold, bly_node node)
{
    if (BLY_LOCAL_ID == 0) fold->node[fold->rows * fold->row] = node;
    fold->rows++;
}

/* The words of a sum from its parts, of which part i counts 2^(32 i) and the last has a sign. */
BAILEY_FN void bly_fold_parts(bly_fold *fold, const bly_node *part, int parts)
{
    for (int i = 0; i + 1 < parts; i++) bly_fold_row(fold, bly_fold_group(fold, part[i], BLY_FIXED_SUM));
    const bly_node last = bly_fold_group(fold, part[parts - 1], BLY_FIXED_SUM);
    bly_fold_row(fold, last & 0xffffffffu);
    bly_fold_row(fold, (bly_node)((bailey_int64)last >> 32));
}

/* The item's paths as integers, 0 of those that are left out. */
typedef struct bly_wholes {
    bailey_int32 value[BLY_WIDTH];
} bly_wholes;

BAILEY_FN void bly_fold_sum(bly_fold *fold, const bly_wholes *a)
{
    bailey_int64 sum = 0;
    for (int v = 0; v < BLY_WIDTH; v++) sum += a->value[v];
    const bly_node part[1] = {(bly_node)sum};
    bly_fold_parts(fold, part, 1);
}

BAILEY_FN void bly_fold_product(bly_fold *fold, const bly_wholes *a, const bly_wholes *b)
{
    bly_node part[2] = {0, 0};
    for (int v = 0; v < BLY_WIDTH; v++) {
        const bailey_int64 product = (bailey_int64)a->value[v] * b->value[v];
        part[0] += (bly_node)product & 0xffffffffu;
        part[1] += (bly_node)(product >> 32);
    }
    bly_fold_parts(fold, part, 2);
}

#if BLY_SHAPE

/* With q^2 = high 2^32 + low, q^3 = (high q) 2^32 + low q. */
BAILEY_FN void bly_fold_cube(bly_fold *fold, const bly_wholes *a)
{
    bly_node part[3] = {0, 0, 0};
    for (int v = 0; v < BLY_WIDTH; v++) {
        const bailey_int64 q = a->value[v], square = q * q;
        const bailey_int64 low = (square & 0xffffffff) * q, middle = (square >> 32) * q + (low >> 32);
        part[0] += (bly_node)low & 0xffffffffu;
        part[1] += (bly_node)middle & 0xffffffffu;
        part[2] += (bly_node)(middle >> 32);
    }
    bly_fold_parts(fold, part, 3);
}

/* And q^4 = high^2 2^64 + 2 high low 2^32 + low^2, of which nothing is negative. */
BAILEY_FN void bly_fold_fourth(bly_fold *fold, const bly_wholes *a)
{
    bly_node part[4] = {0, 0, 0, 0};
    for (int v = 0; v < BLY_WIDTH; v++) {
        const bailey_int64 q = a->value[v];
        const bly_node square = (bly_node)(q * q), low = square & 0xffffffffu, high = square >> 32;
        const bly_node first = low * low, middle = 2 * high * low + (first >> 32),
                       last = high * high + (middle >> 32);
        part[0] += first & 0xffffffffu;
        part[1] += middle & 0xffffffffu;
        part[2] += last & 0xffffffffu;
        part[3] += last >> 32;
    }
    bly_fold_parts(fold, part, 4);
}

/* The least or greatest of paths low .. high - 1 of the item. */
BAILEY_FN void bly_fold_extremum(bly_fold *fold, const bly_wholes *a, bailey_uint32 low, bailey_uint32 high,
                                 int kind)
{
    bly_node node = bly_fixed_nothing(kind);
    for (bailey_uint32 v = low; v < high; v++)
        node = bly_fixed_join(node, (bly_node)(bailey_int64)a->value[v], kind);
    bly_fold_row(fold, bly_fold_group(fold, node, kind));
}

#endif

BAILEY_FN void bly_fold_beyond(bly_fold *fold, const bly_output *outputs, bailey_uint32 low,
                               bailey_uint32 high)
{
    const real limit = BLY_(bly_fixed_real_)(fold->fixed.limit);
    bly_node node = bly_fixed_nothing(BLY_FIXED_LEAST);
    for (int a = 0; a < BLY_RESULTS; a++)
        for (bailey_uint32 v = low; v < high; v++)
            if (!(bly_payoff_fabs(outputs[a].value[v]) <= limit))
                node = bly_fixed_join(node, bly_fixed_beyond(fold->begin + v, (bailey_uint32)a),
                                      BLY_FIXED_LEAST);
    bly_fold_row(fold, bly_fold_group(fold, node, BLY_FIXED_LEAST));
}

#if BLY_FAULTS
BAILEY_FN void bly_fold_fault(bly_fold *fold, bailey_uint32 low, bailey_uint32 high, int row)
{
    const bailey_uint64 none = bly_fixed_nothing(BLY_FIXED_LEAST);
    bly_node node = none;
    for (bailey_uint32 v = low; v < high; v++)
        node = bly_fixed_join(node, bly_fault_of(fold->simulated, (int)v, fold->path + v, row, none),
                              BLY_FIXED_LEAST);
    bly_fold_row(fold, bly_fold_group(fold, node, BLY_FIXED_LEAST));
}
#endif

/* Where scenarios make many results they come one after the other: side by side each had its own barriers. */
#if BLY_SCENARIOS > 1
#define BLY_FOR_RESULTS BAILEY_UNROLL_1 for (int a = 0; a < BLY_RESULTS; a++)
#else
#define BLY_FOR_RESULTS for (int a = 0; a < BLY_RESULTS; a++)
#endif

/* All rows of the outputs of paths low .. high - 1 of the item. */
BAILEY_FN void bly_fold_all(bly_fold *fold, const bly_output *outputs, bailey_uint32 low, bailey_uint32 high)
{
    bly_wholes q[BLY_RESULTS];
    BLY_FOR_RESULTS BLY_FOR_PATHS q[a].value[v] = (bailey_uint32)v >= low && (bailey_uint32)v < high
                                                      ? bly_fixed_of(fold->fixed, outputs[a].value[v])
                                                      : 0;
    BLY_FOR_RESULTS bly_fold_sum(fold, &q[a]);
    BLY_FOR_RESULTS
    for (int b = a; b < (BLY_PRODUCTS ? BLY_RESULTS : a + 1); b++) bly_fold_product(fold, &q[a], &q[b]);
#if BLY_SHAPE == 1
    BLY_FOR_RESULTS bly_fold_cube(fold, &q[a]);
    BLY_FOR_RESULTS bly_fold_fourth(fold, &q[a]);
#endif
    bly_fold_beyond(fold, outputs, low, high);
#if BLY_FAULTS
    for (int f = 0; f < BLY_FAULT_ROWS; f++) bly_fold_fault(fold, low, high, f);
#endif
#if BLY_SHAPE
    BLY_FOR_RESULTS bly_fold_extremum(fold, &q[a], low, high, BLY_FIXED_LEAST);
    BLY_FOR_RESULTS bly_fold_extremum(fold, &q[a], low, high, BLY_FIXED_GREATEST);
#endif
}

#endif
