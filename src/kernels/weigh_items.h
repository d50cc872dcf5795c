/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Results that are weighted sums of the outputs of several scenarios, with the bits of bly_weigh in the
 * programs of simulations: terms are added in order, from 0 on, and those without a weight are left out.
 */
#ifndef BLY_WEIGH_ITEMS_H
#define BLY_WEIGH_ITEMS_H

#include "kernels/bridges.h"

/* Number k of path i is outputs[k output_row + i]; the sum of row r goes to outputs[(count + r) output_row +
 * i]. Its weights are `count` doubles from number `weights` + r count on. */
typedef struct bly_weigh_params {
    bailey_uint64 paths, output_row, weights;
    bailey_uint32 count;
    bailey_uint32 reserved; /* 0 */
} bly_weigh_params;

#if BAILEY_HAS_F64

/* An item makes a pack of a row. */
BAILEY_FN void bly_weigh_item(bly_weigh_params p, const BAILEY_GLOBAL double *weights,
                              BAILEY_GLOBAL double *outputs, bailey_uint64 item, bailey_uint64 row)
{
    const bly_range r = bly_range_of_item(0, p.paths, 1, BAILEY_PACK64, item);
    bailey_pack_f64 sum = bly_pack_splat_f64(0);
    for (bailey_uint64 k = 0; k < p.count; k++) {
        const double weight = weights[p.weights + row * p.count + k];
        if (weight == 0) continue;
        sum = bly_pack_fma_f64(weight, bailey_load_f64(outputs, k * p.output_row + r.begin, 1, r.low, r.high),
                               sum);
    }
    bailey_store_f64(outputs, (p.count + row) * p.output_row + r.begin, 1, r.low, r.high, sum);
}

#endif

#endif
