/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sums of simulations in integers, for devices with and without double precision. An output counts as
 * the multiple of 2^-k nearest to it (to an even one where two are as near), q 2^-k with
 * |q| <= 2^BLY_FIXED_BITS. Sums of q, of products of two, of third and fourth powers are exact, and so the
 * same in whatever order they are made.
 *
 * A sum is some words of 64 bits: word i counts 2^(32 i). For the words only the last is signed, and it has
 * room for the sum over 2^63 paths; the others are not negative, and may be 2^32 and more, with what belongs
 * to the next word, until the host moves it there (host/run/fixed.c). So devices add up words, each
 * alone.
 *
 * A node has the sums in the order that those in double have (kernels/simulation_code.h), then the first
 * path with an output beyond the limit, then the least and the greatest q of each output.
 */
#ifndef BLY_FIXED_NODES_H
#define BLY_FIXED_NODES_H

#include "kernels/simulation_nodes.h"

#define BLY_FIXED_BITS 30

/* Words of the sum of products of `factors` outputs: of 30 bits each, over 2^63 paths. */
#define BLY_FIXED_WORDS(factors) ((factors) + 1)

/* How nodes of a row are joined, and what is left out. */
#define BLY_FIXED_SUM 0
#define BLY_FIXED_LEAST 1
#define BLY_FIXED_GREATEST 2

BAILEY_FN bailey_uint64 bly_fixed_nothing(int kind)
{
    const bailey_uint64 far = (bailey_uint64)1 << 63; /* the least of all, if it has a sign */
    return kind == BLY_FIXED_SUM ? 0 : kind == BLY_FIXED_LEAST ? far - 1 : far;
}

BAILEY_FN bailey_uint64 bly_fixed_join(bailey_uint64 left, bailey_uint64 right, int kind)
{
    if (kind == BLY_FIXED_SUM) return left + right;
    if (kind == BLY_FIXED_LEAST) return (bailey_int64)right < (bailey_int64)left ? right : left;
    return (bailey_int64)right > (bailey_int64)left ? right : left;
}

/* A path with an output beyond the limit, as a number whose least is the first of them. For the path's number
 * the last bits suffice to tell it from the run's others. */
#define BLY_FIXED_OUTPUT_BITS 6
BAILEY_FN bailey_uint64 bly_fixed_beyond(bailey_uint64 path, bailey_uint32 output)
{
    return path << (BLY_FIXED_OUTPUT_BITS + 1) >> 1 | output;
}

/* As bly_nodes_item. */
BAILEY_FN void bly_nodes_fixed_item(bly_nodes_params p, const BAILEY_GLOBAL bailey_uint64 *in,
                                    BAILEY_GLOBAL bailey_uint64 *out, bailey_uint64 item, bailey_uint64 row)
{
    const int kind = row < p.sums              ? BLY_FIXED_SUM
                     : row < p.sums + p.minima ? BLY_FIXED_LEAST
                                               : BLY_FIXED_GREATEST;
    for (bailey_uint32 lane = 0; lane < BAILEY_PACK64; lane++) {
        const bailey_uint64 node = item * BAILEY_PACK64 + lane, begin = node << BLY_NODE_BITS;
        bailey_uint64 joined = bly_fixed_nothing(kind);
        if (begin >= p.count) return;
        for (bailey_uint32 i = 0; i < 1u << BLY_NODE_BITS && begin + i < p.count; i++)
            joined = bly_fixed_join(joined, in[row * p.in_row + begin + i], kind);
        out[row * p.out_row + node] = joined;
    }
}

#endif
