/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What targets share where an item has one lane: lane types are the scalars. Part of
 * bailey/device/dialect.h.
 */
#ifndef BAILEY_DEVICE_LANG_ONE_LANE_H
#define BAILEY_DEVICE_LANG_ONE_LANE_H

typedef bailey_uint32 bailey_u32;
typedef bailey_int32 bailey_i32;
typedef bailey_uint64 bailey_u64;
typedef bailey_int64 bailey_i64;
typedef float bailey_f32;
typedef bailey_int32 bailey_m32;
typedef bailey_int32 bailey_m64;
#if BAILEY_HAS_F64
typedef double bailey_f64;
#endif

#define BAILEY_SPLAT(type, x) ((type)(x))
#define BAILEY_SPLAT_REAL(type, x) ((type)(x))
#define BAILEY_CONVERT(to, x) ((bailey_##to)(x))
#define BAILEY_SELECT(to, mask, m, a, b) ((m) ? (a) : (b))
BAILEY_FN bailey_u64 bailey_lane_numbers(void) { return 0; }
BAILEY_FN int bailey_any_m32(bailey_m32 m) { return m != 0; }
BAILEY_FN int bailey_any_m64(bailey_m64 m) { return m != 0; }
BAILEY_FN bailey_u32 bailey_gather_u32(const bailey_uint32 *own, bailey_u32 at) { return own[at]; }
BAILEY_FN bailey_f32 bailey_gather_f32(const float *own, bailey_u32 at) { return own[at]; }

#define BAILEY_WHOLE(p) (((size_t)(p)&15) == 0)
#if !defined(BAILEY_LOAD_WHOLE32) /* OpenCL and CUDA have the vector types */
#define BAILEY_LOAD_WHOLE32(pack, vector, p)                                                                 \
    do {                                                                                                     \
        const vector whole = *(const BAILEY_GLOBAL vector *)(p);                                             \
        (pack).v[0] = whole.x, (pack).v[1] = whole.y, (pack).v[2] = whole.z, (pack).v[3] = whole.w;          \
    } while (0)
#define BAILEY_STORE_WHOLE32(pack, vector, p)                                                                \
    do {                                                                                                     \
        vector whole;                                                                                        \
        whole.x = (pack).v[0], whole.y = (pack).v[1], whole.z = (pack).v[2], whole.w = (pack).v[3];          \
        *(BAILEY_GLOBAL vector *)(p) = whole;                                                                \
    } while (0)
#define BAILEY_LOAD_WHOLE64(pack, vector, p)                                                                 \
    do {                                                                                                     \
        const vector whole = *(const BAILEY_GLOBAL vector *)(p);                                             \
        (pack).v[0] = whole.x, (pack).v[1] = whole.y;                                                        \
    } while (0)
#define BAILEY_STORE_WHOLE64(pack, vector, p)                                                                \
    do {                                                                                                     \
        vector whole;                                                                                        \
        whole.x = (pack).v[0], whole.y = (pack).v[1];                                                        \
        *(BAILEY_GLOBAL vector *)(p) = whole;                                                                \
    } while (0)
#endif

/* Constant indices keep the pack in registers. */
#define BAILEY_LOAD_PARTS(x, scalar, elements, p, offset, stride, low, high)                                 \
    for (bailey_uint32 i = 0; i < (elements); i++)                                                           \
    (x).v[i] = i >= (low) && i < (high) ? (p)[(offset) + i * (stride)] : (scalar)0
#define BAILEY_STORE_PARTS(x, scalar, elements, p, offset, stride, low, high)                                \
    for (bailey_uint32 i = 0; i < (elements); i++)                                                           \
        if (i >= (low) && i < (high)) (p)[(offset) + i * (stride)] = (x).v[i]
#define BAILEY_VECTOR_LOAD(x, p) (x) = *(p)
#define BAILEY_VECTOR_STORE(p, x) *(p) = (x)

#endif
