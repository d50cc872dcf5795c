/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the rows of the table (kernels/families.h) are made of: items, runs and teams of every kernel.
 */
#ifndef BLY_KERNELS_H
#define BLY_KERNELS_H

#include "kernels/asian.h"
#include "kernels/bridges.h"
#include "kernels/families.h"
#include "kernels/fill.h"
#include "kernels/published_words.h"
#include "kernels/runs.h"
#include "kernels/variates.h"
#include "kernels/wallace_pools.h"

#define BLY_BRIDGE_READ(name, kind, record, real, scalar)                                                    \
    BAILEY_FN void name##_item(bly_bridge_params p, const BAILEY_GLOBAL bailey_bridge_##record##_##real *r,  \
                               const BAILEY_GLOBAL scalar *c, const BAILEY_GLOBAL scalar *z,                 \
                               BAILEY_GLOBAL scalar *x, bailey_uint64 item, bailey_uint64 row)               \
    {                                                                                                        \
        (void)row;                                                                                           \
        bly_bridge_##kind##_##real(BLY_DRAW_NONE, p, r, c, z, x, item);                                      \
    }                                                                                                        \
    BLY_ENTRY_4(name, bly_bridge_params, const bailey_bridge_##record##_##real, const scalar, const scalar,  \
                scalar)
#define BLY_BRIDGE_DRAW(name, kind, record, METHOD, real, scalar)                                            \
    BAILEY_FN void name##_item(bly_bridge_params p, const BAILEY_GLOBAL bailey_bridge_##record##_##real *r,  \
                               const BAILEY_GLOBAL scalar *c, BAILEY_GLOBAL scalar *x, bailey_uint64 item,   \
                               bailey_uint64 row)                                                            \
    {                                                                                                        \
        (void)row;                                                                                           \
        bly_bridge_##kind##_##real(BAILEY_DRAW_##METHOD, p, r, c, 0, x, item);                               \
    }                                                                                                        \
    BLY_ENTRY_3(name, bly_bridge_params, const bailey_bridge_##record##_##real, const scalar, scalar)

#endif
