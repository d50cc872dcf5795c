/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * OpenCL entry points of kernels that read the table of the inverse CDF from copies in local memory
 * (bailey/device/lang/icdf_copies.h). A work-group copies the table and then loops over items of all rows;
 * the range has one dimension, and the last argument is the number of rows (opencl_launch.c). The table is
 * the buffer before the last. Whoever includes this defines BLY_REAL, BLY_SCALAR and what icdf_copies.h asks
 * for (tuned_cl.h), and BLY_LOCAL_BYTES.
 */
#ifndef BLY_ENTRY_LOCAL_H
#define BLY_ENTRY_LOCAL_H

#include "kernels_cl/entry_cl.h"

#include "kernels/fill.h"
#include "kernels/sobol_items.h"

#undef BLY_STRIPED_ENTRY_2
#undef BLY_ENTRY_3
#undef BLY_POINT_ENTRY_3

#define BLY_LOCAL_PASTE_(a, b) a##b
#define BLY_LOCAL_PASTE(a, b) BLY_LOCAL_PASTE_(a, b)

#define BLY_LOCAL_RANGE ulong first_item, ulong items, ulong rows)
#define BLY_LOCAL_BODY(table, loop, call)                                                                    \
    {                                                                                                        \
        __local ulong2 memory[BLY_LOCAL_BYTES / 16];                                                         \
        __local BLY_SCALAR *const copies = (__local BLY_SCALAR *)memory;                                     \
        if (items == 0 || rows == 0) return;                                                                 \
        BLY_LOCAL_PASTE(bailey_icdf_copy_, BLY_REAL)(memory, table, BLY_LOCAL_ID, BLY_LOCAL_SIZE);           \
        BLY_BARRIER();                                                                                       \
        const ulong first = get_global_id(0), step = (ulong)get_num_groups(0) * BLY_LOCAL_SIZE;              \
        loop(call)                                                                                           \
    }

#define BLY_STRIPED_ENTRY_2(name, params, t0, t1)                                                            \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, __global t1 *b1,                                                                        \
        BLY_LOCAL_RANGE BLY_LOCAL_BODY(b0, BLY_ONE_ROW, name##_item(p, copies, b1, item, row))
#define BLY_ENTRY_3(name, params, t0, t1, t2)                                                                \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, __global t1 *b1, __global t2 *b2,                                                       \
        BLY_LOCAL_RANGE BLY_LOCAL_BODY(b1, BLY_ONE_ROW, name##_item(p, b0, copies, b2, item, row))
#define BLY_POINT_ENTRY_3(name, params, t0, t1, t2)                                                          \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, __global t1 *b1, __global t2 *b2,                                                       \
        BLY_LOCAL_RANGE BLY_LOCAL_BODY(b1, BLY_MANY_ROWS, name##_item(p, b0, copies, b2, item, row))

#endif
