/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the kernels of a simulation take, and what the host knows of them (kernels/simulation_code.h).
 */
#ifndef BLY_SIMULATION_NODES_H
#define BLY_SIMULATION_NODES_H

#include "bailey/device/draw.h"
#include "kernels/range.h"

/* Where an item finds the numbers that it makes its paths from. */
#define BLY_INPUT_PATHS 0   /* X in memory, [row][path] */
#define BLY_INPUT_NORMALS 1 /* Z in memory, [row][path] */
#define BLY_INPUT_DRAWN 2   /* Z is drawn in registers */
#define BLY_INPUT_KEPT 3    /* no path: the states of one step are in memory */

/* How points follow each other. */
#define BLY_WALK_TREE 0       /* a bridge: from the point before and the top of a stack */
#define BLY_WALK_POINTS 1     /* from the point before */
#define BLY_WALK_INCREMENTS 2 /* from nothing */

/* Words from row to row of what the items of a warp draw for each other, which has four (BLY_TOGETHER). */
#define BLY_TOGETHER_ROW 40u

/* Which sums of products of two results there are, and how many sums in all. */
#define BLY_PRODUCTS_NONE 0   /* squares alone */
#define BLY_PRODUCTS_ALL 1    /* of each with itself and those after it */
#define BLY_PRODUCTS_LAST 2   /* of all but the first with the last; of results themselves the last one's sum */
#define BLY_PRODUCTS_OTHERS 3 /* as all, but as if the last were not there */
#define BLY_SUMS_OF(products, results)                                                                       \
    ((products) == BLY_PRODUCTS_NONE     ? 2 * (results)                                                     \
     : (products) == BLY_PRODUCTS_LAST   ? (results)                                                         \
     : (products) == BLY_PRODUCTS_OTHERS ? ((results)-1) * ((results) + 2) / 2                               \
                                         : (results) * ((results) + 3) / 2)

/* Of sums in integers (kernels/fixed_nodes.h): the limit of outputs and the resolutions per unit, as the
 * bits of a real, and the histogram's ends in resolutions. */
typedef struct bly_fixed_params {
    bailey_uint64 limit, scale;
    bailey_int64 low, high;
} bly_fixed_params;

#if BAILEY_HAS_F64
typedef double bly_histogram_end;
#else
typedef bailey_uint64 bly_histogram_end; /* of the same size, and ignored */
#endif

/* States in memory, [step][number][path] (kernels/simulation_kept.h): elements of the precision from its
 * beginning. Rows begin with path 0. */
typedef struct bly_kept_params {
    bailey_uint64 row;        /* from row to row */
    bailey_uint64 from;       /* the states that are read: of the step, or of the mark to continue at */
    bailey_uint64 to, mark;   /* where those of the steps go, and the last with its point (0: nowhere) */
    bailey_uint64 last;       /* the row of the states' last number, or where outputs go */
    bailey_uint32 begin, end; /* the steps */
    bailey_uint32 every;      /* the last step is kept, and of those before it each so many; 0: none */
    bailey_uint32 fork;       /* paths that continue at each mark; 0: one */
    /* A launch that reads states may first replace their last number by the first output of the states at
     * `before`. The words before the parameters that either is evaluated with are `values_before` and `values`;
     * a launch that keeps states takes the latter. */
    bailey_uint32 replaces;
    /* Looks at several dates of several deals, which differ in parameters alone, have so many groups each, date after
     * date of a deal after the other; 0: there is one. From deal to deal and from date to date: elements of memory,
     * and words of parameters; from look to look: nodes. */
    bailey_uint32 groups;
    bailey_uint64 before, values_before, values;
    bailey_uint64 deal_memory, deal_values, date_memory, date_values, look_nodes;
    bailey_uint32 dates; /* of a deal, with `groups` */
    bailey_uint32 unused;
} bly_kept_params;

/* An item makes BLY_WIDTH paths, a group BLY_BLOCK items; paths are counted from `base`, a multiple of a
 * group's paths, and those outside [first, end) are left out. */
typedef struct bly_simulation_params {
    bailey_uint64 base, first, end; /* end - 1 is the last path */
    bailey_uint64 from_row; /* elements from row to row of what is in memory, which begins at `base` */
    bailey_uint64 sample_row, sample_first; /* of the samples: from output to output; where `first` goes */
    bailey_uint64 node_row;                 /* of the nodes: from sum to sum; a group's go to its number */
    bailey_uint64 counts;                   /* words in the nodes' buffer before those of the histogram */
    bailey_uint64 bins;                     /* of it, from `low` to `high`, `scale` of them per unit */
    bly_histogram_end low, high, scale;
    bailey_uint64 stream;
    bailey_philox_keys keys;
    bly_fixed_params fixed;
    bly_kept_params kept;
} bly_simulation_params;

#if BAILEY_HAS_F64

/* Counts x in its bin of the histogram: bin 0 is below the others, the last one above. */
BAILEY_FN void bly_count_in(bly_simulation_params p, BAILEY_GLOBAL double *nodes, double x)
{
    BAILEY_GLOBAL bailey_uint32 *counts = (BAILEY_GLOBAL bailey_uint32 *)nodes + p.counts;
    bailey_uint64 bin = 0;
    if (x >= p.high) {
        bin = p.bins + 1;
    } else if (x >= p.low) {
        bin = (bailey_uint64)((x - p.low) * p.scale) + 1;
        if (bin > p.bins) bin = p.bins;
    }
    BAILEY_COUNT(counts + bin);
}

#endif

/* A step of a stream (host/bridge/plan.h) as devices read it. */
typedef struct bly_stream_f32 {
    bailey_uint32 z, pops;
    float left_weight, right_weight, sigma, unused;
} bly_stream_f32;
#if BAILEY_HAS_F64
typedef struct bly_stream_f64 {
    bailey_uint32 z, pops;
    double left_weight, right_weight, sigma;
} bly_stream_f64;
#endif

/* The nodes of a sum are a binary tree over the numbers of paths: node i of height h joins nodes 2i and 2i +
 * 1 of height h - 1, and a path has height 0. A path that is left out is the number that changes nothing. The
 * least and the greatest of all paths are made the same way.
 *
 * What a launch takes that goes up by BLY_NODE_BITS, from `count` nodes; the first one's number is a
 * multiple of 2^BLY_NODE_BITS. */
typedef struct bly_nodes_params {
    bailey_uint64 count, in_row, out_row;
    bailey_uint32 sums, minima; /* rows of each; the rest are maxima */
} bly_nodes_params;

#define BLY_NODE_BITS 6

#if BAILEY_HAS_F64

/* What becomes of the sums of looks at dates (kernels/regression_item.h), a group for each look, from `count` nodes
 * of each of `rows` rows: [part][looks][rows][each], all parts but the last full. */
#define BLY_FIT_SUMS 0   /* a record of the sum and squares of the last output */
#define BLY_FIT_FACTOR 1 /* of all but the last output: the functions' factor */
#define BLY_FIT_SOLVE 2  /* of the last output: coefficients, by that factor */
typedef struct bly_fit_params {
    bailey_uint64 paths, count, each;
    bailey_uint64 record; /* doubles before the record */
    bailey_uint64 values; /* parameters before those that become the coefficients */
    bailey_uint64 factor; /* doubles before the factor, or that of the first date */
    bailey_uint64 deal_record, deal_values, deal_factor; /* the same from deal to deal */
    double otherwise; /* the constant where too few paths count; 0: the mean of their regressand */
    bailey_uint32 looks, dates, rows; /* dates: of a deal */
    bailey_uint32 functions;          /* besides the constant */
    bailey_uint32 task;
    bailey_uint32 gives; /* coefficients become parameters */
} bly_fit_params;

/* A record. */
#define BLY_RECORD_USED 0      /* functions with a coefficient, the constant included; 0: too few paths */
#define BLY_RECORD_CONDITION 1 /* of their correlations */
#define BLY_RECORD_REFUSED 2   /* the first sum that is not finite; 0: all are */
#define BLY_RECORD_SUM 3       /* of the last output */
#define BLY_RECORD_SQUARES 4   /* the same */
#define BLY_RECORD_COEFFICIENTS 5
#define BLY_RECORD_DOUBLES 20

/* The factor of a date's functions, of `count` besides the constant: 1 if paths are enough, the rank, the condition,
 * the first sum that is not finite or 0, sums of what says that a path counts and of the functions, then order, scale
 * and factor as bly_fit has them. */
#define BLY_FACTOR_SUMS 4
#define BLY_FACTOR_DOUBLES(count) (BLY_FACTOR_SUMS + 1 + (count) * (3 + (count)))

/* Doubles that a fit takes besides sums, of `count` functions besides the constant. */
#define BLY_FIT_DOUBLES(count) (((count) + 1) * ((count) + 3) + 4 * (count) + (count) * (2 * (count) + 1))

/* What is left out of a sum, and of what is least (or, negative, greatest). */
#define BLY_NODE_NOTHING (-0.0)
#define BLY_NODE_FAR 0x1.fffffffffffffp+1023

/* Combines two nodes of row `row`. */
BAILEY_FN double bly_node_join(double left, double right, bailey_uint32 row, bailey_uint32 sums,
                               bailey_uint32 minima)
{
    if (row < sums) return left + right;
    if (row < sums + minima) return right < left ? right : left;
    return right > left ? right : left;
}

/* Makes BAILEY_PACK64 nodes of row `row`, each from the 2^BLY_NODE_BITS beneath it, of which those past the
 * last are absent. */
BAILEY_FN void bly_nodes_item(bly_nodes_params p, const BAILEY_GLOBAL double *in, BAILEY_GLOBAL double *out,
                              bailey_uint64 item, bailey_uint64 row)
{
    const bailey_uint32 r = (bailey_uint32)row;
    const double absent = r < p.sums              ? BLY_NODE_NOTHING
                          : r < p.sums + p.minima ? BLY_NODE_FAR
                                                  : -BLY_NODE_FAR;
    for (bailey_uint32 lane = 0; lane < BAILEY_PACK64; lane++) {
        const bailey_uint64 node = item * BAILEY_PACK64 + lane, begin = node << BLY_NODE_BITS;
        double left[BLY_NODE_BITS + 1];
        if (begin >= p.count) return;
        BAILEY_UNROLL
        for (bailey_uint32 i = 0; i < 1u << BLY_NODE_BITS; i++) {
            double joined = begin + i < p.count ? in[row * p.in_row + begin + i] : absent;
            bailey_uint32 height = 0;
            for (; i >> height & 1; height++)
                joined = bly_node_join(left[height], joined, r, p.sums, p.minima);
            left[height] = joined;
        }
        out[row * p.out_row + node] = left[BLY_NODE_BITS];
    }
}

#endif

#endif
