/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The bodies of all rows of the table (kernels/families.h), for the files that expand it.
 */
#ifndef BLY_KERNELS_H
#define BLY_KERNELS_H

#include "kernels/bridges.h"
#include "kernels/rank_items.h"
#include "kernels/families.h"
#include "kernels/fill.h"
#include "kernels/fixed_nodes.h"
#include "kernels/halves_items.h"
#include "kernels/integers_items.h"
#include "kernels/mixed_widths.h"
#include "kernels/motion_items.h"
#include "kernels/output_items.h"
#include "kernels/pca_items.h"
#include "kernels/published_words.h"
#include "kernels/segments.h"
#include "kernels/simulation_nodes.h"
#include "kernels/sobol_items.h"
#include "kernels/variates.h"
#include "kernels/wallace_pools.h"
#include "kernels/weigh_items.h"

/* Z and the table of the inverse CDF take the same place. */
#define BLY_BRIDGE_ITEM(name, make, record, draw, scalar)                                                    \
    BAILEY_FN void name##_item(bly_bridge_params p, const BAILEY_GLOBAL record *r,                           \
                               const BAILEY_GLOBAL scalar *c, const BAILEY_GLOBAL scalar *z,                 \
                               BAILEY_GLOBAL scalar *x, bailey_uint64 item, bailey_uint64 row)               \
    {                                                                                                        \
        (void)row;                                                                                           \
        make(draw, p, r, c, z, x, item);                                                                     \
    }                                                                                                        \
    BLY_ENTRY_4(name, bly_bridge_params, const record, const scalar, const scalar, scalar)
#define BLY_BRIDGE_READ(name, kind, record, real, scalar)                                                    \
    BLY_BRIDGE_ITEM(name, bly_bridge_##kind##_##real, bailey_bridge_##record##_##real, BLY_DRAW_NONE, scalar)
#define BLY_BRIDGE_DRAW(name, kind, record, METHOD, real, scalar)                                            \
    BLY_BRIDGE_ITEM(name, bly_bridge_##kind##_##real, bailey_bridge_##record##_##real, BAILEY_DRAW_##METHOD, \
                    scalar)

#endif
