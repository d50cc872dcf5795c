/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Entry points in C, of programs that are given as source at run time: as in src/kernels_cl/entry_cl.h, with
 * one lane per item.
 *
 * BLY_GROUP_ENTRY_n makes the function `name`, which runs items first ... last - 1 one after another
 * (src/backend/cpu/cpu_program.h). The items of a group of several have a stack each, and take turns: a
 * barrier gives the thread to the next one. The host gives BLY_BLOCK and BLY_SHARED_BYTES.
 */
#ifndef BLY_KERNELS_C_ENTRY_H
#define BLY_KERNELS_C_ENTRY_H

/* Vectors that OpenCL C and CUDA have built in. */
#define BLY_VECTORS(name, type)                                                                              \
    typedef struct {                                                                                         \
        type x, y;                                                                                           \
    } __attribute__((aligned(2 * sizeof(type)))) name##2;                                                    \
    typedef struct {                                                                                         \
        type x, y, z, w;                                                                                     \
    } __attribute__((aligned(16))) name##4;
BLY_VECTORS(float, float)
BLY_VECTORS(double, double)
BLY_VECTORS(int, bailey_int32)
BLY_VECTORS(uint, bailey_uint32)

#define BLY_EXPORT __attribute__((visibility("default")))
#define BLY_BY_REFERENCE(type) const type
#define BLY_SHARED

#if BLY_BLOCK == 1
#define BLY_LOCAL_ID 0u
#define BLY_BARRIER() ((void)0)
#define BLY_ENTER(item) ((void)0)
#else
/* All items of a group run in one thread. */
static _Thread_local bailey_uint32 bly_local_id;
extern BLY_EXPORT void (*bly_next_item)(void); /* the host's; returns when the others have met the barrier */
BLY_EXPORT void (*bly_next_item)(void);
BAILEY_CALLED void bly_meet(void)
{
    const bailey_uint32 own = bly_local_id;
    bly_next_item();
    bly_local_id = own;
}
#define BLY_LOCAL_ID bly_local_id
#define BLY_BARRIER() bly_meet()
#define BLY_ENTER(item) (bly_local_id = (bailey_uint32)((item) % BLY_BLOCK))
#endif

/* Texts that define BLY_CALLS_ROWS may call rows of kernels/families.h, by number (src/backend/rows.h): those
 * of lanes of 4 bytes and of 8, in bly_rows[0] and bly_rows[1]. `function` runs items first .. last - 1 of a
 * row of the launch; an item takes a pack of BAILEY_PACK32 or BAILEY_PACK64 elements, of `lanes` lanes. */
#if defined(BLY_CALLS_ROWS)
typedef struct bly_row_called {
    void (*function)(const void *params, void *const *buffers, bailey_uint64 first, bailey_uint64 last,
                     bailey_uint64 row);
    bailey_uint32 lanes;
} bly_row_called;
extern BLY_EXPORT const bly_row_called *bly_rows[2]; /* the host's */
BLY_EXPORT const bly_row_called *bly_rows[2];
#endif

#define BLY_GROUP_ENTRY(name, params_type, ...)                                                              \
    BLY_EXPORT void name(const void *params, void *const *buffers, bailey_uint64 *shared,                    \
                         bailey_uint64 first, bailey_uint64 last);                                           \
    BLY_EXPORT void name(const void *params, void *const *buffers, bailey_uint64 *shared,                    \
                         bailey_uint64 first, bailey_uint64 last)                                            \
    {                                                                                                        \
        params_type p;                                                                                       \
        memcpy(&p, params, sizeof p);                                                                        \
        for (bailey_uint64 item = first; item < last; item++) {                                              \
            BLY_ENTER(item);                                                                                 \
            name##_group(p, __VA_ARGS__, shared, item);                                                      \
        }                                                                                                    \
    }

/* Buffers from number i on, with their types. */
#define BLY_BUFFERS_1(i, a) (a *)buffers[i]
#define BLY_BUFFERS_2(i, a, b) BLY_BUFFERS_1(i, a), BLY_BUFFERS_1(i + 1, b)
#define BLY_BUFFERS_3(i, a, b, c) BLY_BUFFERS_2(i, a, b), BLY_BUFFERS_1(i + 2, c)
#define BLY_BUFFERS_4(i, a, b, c, d) BLY_BUFFERS_2(i, a, b), BLY_BUFFERS_2(i + 2, c, d)
#define BLY_BUFFERS_6(i, a, b, c, d, ...) BLY_BUFFERS_4(i, a, b, c, d), BLY_BUFFERS_2(i + 4, __VA_ARGS__)
#define BLY_BUFFERS_8(i, a, b, c, d, ...) BLY_BUFFERS_4(i, a, b, c, d), BLY_BUFFERS_4(i + 4, __VA_ARGS__)
#define BLY_BUFFERS_16(i, a, b, c, d, e, f, g, h, ...)                                                       \
    BLY_BUFFERS_8(i, a, b, c, d, e, f, g, h), BLY_BUFFERS_8(i + 8, __VA_ARGS__)

#define BLY_GROUP_ENTRY_OF(n, name, params, ...)                                                             \
    BLY_GROUP_ENTRY(name, params, BLY_BUFFERS_##n(0, __VA_ARGS__))
#define BLY_GROUP_ENTRY_1(...) BLY_GROUP_ENTRY_OF(1, __VA_ARGS__)
#define BLY_GROUP_ENTRY_2(...) BLY_GROUP_ENTRY_OF(2, __VA_ARGS__)
#define BLY_GROUP_ENTRY_3(...) BLY_GROUP_ENTRY_OF(3, __VA_ARGS__)
#define BLY_GROUP_ENTRY_4(...) BLY_GROUP_ENTRY_OF(4, __VA_ARGS__)
#define BLY_GROUP_ENTRY_6(...) BLY_GROUP_ENTRY_OF(6, __VA_ARGS__)
#define BLY_GROUP_ENTRY_8(...) BLY_GROUP_ENTRY_OF(8, __VA_ARGS__)
#define BLY_GROUP_ENTRY_16(...) BLY_GROUP_ENTRY_OF(16, __VA_ARGS__)

#endif
