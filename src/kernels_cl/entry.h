/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * OpenCL entry points. BLY_ENTRY_n makes the kernel `name` from the device function `name_item`, for n
 * buffers (src/kernels/kernels.h). A launch is one piece of the whole range: dimension 0 holds items
 * first_item ..., of which those at `items` and after do nothing, and dimension 1 holds rows
 * first_row ..., exactly. The host gives BLY_LOCAL_SIZE, the work-group size.
 */
#ifndef BLY_KERNELS_CL_ENTRY_H
#define BLY_KERNELS_CL_ENTRY_H

/* OpenCL C 1.2 has no variadic macros, and NVIDIA's compiler holds to that. */
#define BLY_ENTRY_HEAD(name, params)                                                                         \
    __attribute__((reqd_work_group_size(BLY_LOCAL_SIZE, 1, 1))) __kernel void name(const params p,
#define BLY_ENTRY_RANGE ulong first_item, ulong items, ulong first_row)
#define BLY_ENTRY_INDEX const ulong item = first_item + get_global_id(0), row = first_row + get_global_id(1);

#define BLY_ENTRY_1(name, params, t0)                                                                        \
    BLY_ENTRY_HEAD(name, params) __global t0 *b0, BLY_ENTRY_RANGE                                            \
    {                                                                                                        \
        BLY_ENTRY_INDEX                                                                                      \
        if (item < items) name##_item(p, b0, item, row);                                                     \
    }
#define BLY_ENTRY_2(name, params, t0, t1)                                                                    \
    BLY_ENTRY_HEAD(name, params) __global t0 *b0, __global t1 *b1, BLY_ENTRY_RANGE                           \
    {                                                                                                        \
        BLY_ENTRY_INDEX                                                                                      \
        if (item < items) name##_item(p, b0, b1, item, row);                                                 \
    }
#define BLY_ENTRY_3(name, params, t0, t1, t2)                                                                \
    BLY_ENTRY_HEAD(name, params) __global t0 *b0, __global t1 *b1, __global t2 *b2, BLY_ENTRY_RANGE          \
    {                                                                                                        \
        BLY_ENTRY_INDEX                                                                                      \
        if (item < items) name##_item(p, b0, b1, b2, item, row);                                             \
    }
#define BLY_ENTRY_4(name, params, t0, t1, t2, t3)                                                            \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, __global t1 *b1, __global t2 *b2, __global t3 *b3, BLY_ENTRY_RANGE                      \
    {                                                                                                        \
        BLY_ENTRY_INDEX                                                                                      \
        if (item < items) name##_item(p, b0, b1, b2, b3, item, row);                                         \
    }

#endif
