/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * OpenCL entry points. BLY_ENTRY_n makes the kernel `name` from the device function `name_item`, for n
 * buffers (kernels/families.h). A launch makes a part of the whole: dimension 0 holds items
 * first_item ..., of which those at `items` and after do nothing, and dimension 1 holds rows
 * first_row ..., exactly. The host gives BLY_LOCAL_SIZE, the work-group size.
 *
 * BLY_GROUP_ENTRY_n makes a group kernel from the device function `name_group(p, b0, ..., shared, item)`,
 * for programs that are given as texts: `shared`, a BLY_SHARED bailey_uint64 *, is the memory of the
 * work-group, aligned to 16 bytes, and `item` counts through the launch. Work-groups are whole: items past
 * the end run too, up to a multiple of BLY_BLOCK. The host gives BLY_BLOCK, which is BLY_LOCAL_SIZE, and
 * BLY_SHARED_BYTES, a multiple of 16. No two buffers overlap, unless both are only read.
 */
#ifndef BLY_KERNELS_CL_ENTRY_H
#define BLY_KERNELS_CL_ENTRY_H

/* OpenCL C 1.2 has no variadic macros, and NVIDIA's compiler holds to that. */
#define BLY_ENTRY_HEAD(name, params)                                                                         \
    BLY_SUBGROUP_SIZE __attribute__((reqd_work_group_size(BLY_LOCAL_SIZE, 1, 1)))                            \
    __kernel void name(const params p,
/* Of sizes that a compiler chooses from, as Intel's does, 32 is the one to have. */
#if defined(BAILEY_SUBGROUPS_OF_32) && defined(cl_intel_required_subgroup_size)
#define BLY_SUBGROUP_SIZE __attribute__((intel_reqd_sub_group_size(32)))
#else
#define BLY_SUBGROUP_SIZE
#endif
#define BLY_ENTRY_RANGE ulong first_item, ulong items, ulong first_row)
#define BLY_ENTRY_INDEX const ulong item = first_item + get_global_id(0), row = first_row + get_global_id(1);

#define BLY_ENTRY_BODY(call)                                                                                 \
    {                                                                                                        \
        BLY_ENTRY_INDEX                                                                                      \
        if (item < items) call;                                                                              \
    }

#define BLY_STRIPED_ENTRY_1 BLY_ENTRY_1
#define BLY_STRIPED_ENTRY_2 BLY_ENTRY_2
#define BLY_POINT_ENTRY_2 BLY_ENTRY_2
#define BLY_POINT_ENTRY_3 BLY_ENTRY_3
#define BLY_ENTRY_1(name, params, t0)                                                                        \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, BLY_ENTRY_RANGE BLY_ENTRY_BODY(name##_item(p, b0, item, row))
#define BLY_ENTRY_2(name, params, t0, t1)                                                                    \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, __global t1 *b1, BLY_ENTRY_RANGE BLY_ENTRY_BODY(name##_item(p, b0, b1, item, row))
#define BLY_ENTRY_3(name, params, t0, t1, t2)                                                                \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, __global t1 *b1, __global t2 *b2,                                                       \
        BLY_ENTRY_RANGE BLY_ENTRY_BODY(name##_item(p, b0, b1, b2, item, row))
#define BLY_ENTRY_4(name, params, t0, t1, t2, t3)                                                            \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, __global t1 *b1, __global t2 *b2, __global t3 *b3,                                      \
        BLY_ENTRY_RANGE BLY_ENTRY_BODY(name##_item(p, b0, b1, b2, b3, item, row))

/* A team kernel (kernels/segments.h), from `name_team(p, b0, shared, group, lane, exists)` or, where one item
 * does a team's work, `name_alone(p, b0, group)`. `words` of 32 bits are a team's. Teams are whole; those
 * past the end run too. */
#if BAILEY_LANES == 1
#define BLY_TEAM 32
#define BLY_TEAM_SHARED __local
#define BLY_TEAM_CHOOSES 1
#define BLY_TEAM_SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#if defined(BAILEY_SUBGROUPS_OF_32)
/* OpenCL leaves open which items make a sub-group; a team must not cross one. */
#define BLY_TEAM_ID (get_sub_group_id() * get_sub_group_size() + get_sub_group_local_id())
#else
#define BLY_TEAM_ID ((uint)get_local_id(0))
#endif
#define BLY_TEAM_ENTRY(name, words, arguments)                                                               \
    {                                                                                                        \
        __local uint shared[(words) * (BLY_LOCAL_SIZE / BLY_TEAM)] __attribute__((aligned(16)));             \
        const uint id = BLY_TEAM_ID; /* in the work-group */                                                 \
        const ulong item = first_item + get_group_id(0) * BLY_LOCAL_SIZE + id;                               \
        name##_team arguments;                                                                               \
    }
#define BLY_TEAM_PLACE(words)                                                                                \
    shared + id / BLY_TEAM *(words), item / BLY_TEAM, (uint)(item % BLY_TEAM), item < items
#define BLY_TEAM_ENTRY_1(name, params, t0, words)                                                            \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, BLY_ENTRY_RANGE BLY_TEAM_ENTRY(name, words, (p, b0, BLY_TEAM_PLACE(words)))
#define BLY_TEAM_ENTRY_2(name, params, t0, t1, words)                                                        \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, __global t1 *b1,                                                                        \
        BLY_ENTRY_RANGE BLY_TEAM_ENTRY(name, words, (p, b0, b1, BLY_TEAM_PLACE(words)))
#else
#define BLY_TEAM_ENTRY_1(name, params, t0, words)                                                            \
    BLY_ENTRY_HEAD(name, params) __global t0 *b0, BLY_ENTRY_RANGE BLY_ENTRY_BODY(name##_alone(p, b0, item))
#define BLY_TEAM_ENTRY_2(name, params, t0, t1, words)                                                        \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    __global t0 *b0, __global t1 *b1, BLY_ENTRY_RANGE BLY_ENTRY_BODY(name##_alone(p, b0, b1, item))
#endif

#define BLY_BY_REFERENCE(type) const type
#define BLY_SHARED __local
#define BLY_LOCAL_ID ((uint)get_local_id(0))
#define BLY_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)

/* Local memory can be declared in kernel functions only. */
#define BLY_GROUP_ENTRY_BODY(call)                                                                           \
    {                                                                                                        \
        __local ulong2 group_memory[BLY_SHARED_BYTES / 16];                                                  \
        __local ulong *shared = (__local ulong *)group_memory;                                               \
        const ulong item = first_item + get_global_id(0);                                                    \
        call;                                                                                                \
    }
#define BLY_GROUP_BUFFER(type, name) __global type *restrict name
#define BLY_GROUP_ENTRY_1(name, params, t0)                                                                  \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    BLY_GROUP_BUFFER(t0, b0), BLY_ENTRY_RANGE BLY_GROUP_ENTRY_BODY(name##_group(p, b0, shared, item))
#define BLY_GROUP_ENTRY_2(name, params, t0, t1)                                                              \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    BLY_GROUP_BUFFER(t0, b0), BLY_GROUP_BUFFER(t1, b1),                                                      \
        BLY_ENTRY_RANGE BLY_GROUP_ENTRY_BODY(name##_group(p, b0, b1, shared, item))
#define BLY_GROUP_ENTRY_3(name, params, t0, t1, t2)                                                          \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    BLY_GROUP_BUFFER(t0, b0), BLY_GROUP_BUFFER(t1, b1), BLY_GROUP_BUFFER(t2, b2),                            \
        BLY_ENTRY_RANGE BLY_GROUP_ENTRY_BODY(name##_group(p, b0, b1, b2, shared, item))
#define BLY_GROUP_ENTRY_4(name, params, t0, t1, t2, t3)                                                      \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    BLY_GROUP_BUFFER(t0, b0), BLY_GROUP_BUFFER(t1, b1), BLY_GROUP_BUFFER(t2, b2), BLY_GROUP_BUFFER(t3, b3),  \
        BLY_ENTRY_RANGE BLY_GROUP_ENTRY_BODY(name##_group(p, b0, b1, b2, b3, shared, item))
#define BLY_GROUP_ENTRY_6(name, params, t0, t1, t2, t3, t4, t5)                                              \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    BLY_GROUP_BUFFER(t0, b0), BLY_GROUP_BUFFER(t1, b1), BLY_GROUP_BUFFER(t2, b2), BLY_GROUP_BUFFER(t3, b3),  \
        BLY_GROUP_BUFFER(t4, b4), BLY_GROUP_BUFFER(t5, b5),                                                  \
        BLY_ENTRY_RANGE BLY_GROUP_ENTRY_BODY(name##_group(p, b0, b1, b2, b3, b4, b5, shared, item))
#define BLY_GROUP_ENTRY_8(name, params, t0, t1, t2, t3, t4, t5, t6, t7)                                      \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    BLY_GROUP_BUFFER(t0, b0), BLY_GROUP_BUFFER(t1, b1), BLY_GROUP_BUFFER(t2, b2), BLY_GROUP_BUFFER(t3, b3),  \
        BLY_GROUP_BUFFER(t4, b4), BLY_GROUP_BUFFER(t5, b5), BLY_GROUP_BUFFER(t6, b6),                        \
        BLY_GROUP_BUFFER(t7, b7),                                                                            \
        BLY_ENTRY_RANGE BLY_GROUP_ENTRY_BODY(name##_group(p, b0, b1, b2, b3, b4, b5, b6, b7, shared, item))
#define BLY_GROUP_ENTRY_16(name, params, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14,    \
                           t15)                                                                              \
    BLY_ENTRY_HEAD(name, params)                                                                             \
    BLY_GROUP_BUFFER(t0, b0), BLY_GROUP_BUFFER(t1, b1), BLY_GROUP_BUFFER(t2, b2), BLY_GROUP_BUFFER(t3, b3),  \
        BLY_GROUP_BUFFER(t4, b4), BLY_GROUP_BUFFER(t5, b5), BLY_GROUP_BUFFER(t6, b6),                        \
        BLY_GROUP_BUFFER(t7, b7), BLY_GROUP_BUFFER(t8, b8), BLY_GROUP_BUFFER(t9, b9),                        \
        BLY_GROUP_BUFFER(t10, b10), BLY_GROUP_BUFFER(t11, b11), BLY_GROUP_BUFFER(t12, b12),                  \
        BLY_GROUP_BUFFER(t13, b13), BLY_GROUP_BUFFER(t14, b14), BLY_GROUP_BUFFER(t15, b15),                  \
        BLY_ENTRY_RANGE BLY_GROUP_ENTRY_BODY(name##_group(p, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10,    \
                                                          b11, b12, b13, b14, b15, shared, item))

#endif
