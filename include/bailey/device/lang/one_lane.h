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
#define BAILEY_SELECT(type, mask, m, a, b) ((m) ? (a) : (b))
BAILEY_FN bailey_u64 bailey_lane_numbers(void) { return 0; }
BAILEY_FN int bailey_any_m32(bailey_m32 m_) { return m_ != 0; }
BAILEY_FN int bailey_any_m64(bailey_m64 m_) { return m_ != 0; }
BAILEY_FN bailey_u32 bailey_gather_u32(const bailey_uint32 *own, bailey_u32 at) { return own[at]; }
BAILEY_FN bailey_f32 bailey_gather_f32(const float *own, bailey_u32 at) { return own[at]; }

#define BAILEY_WHOLE(p) (((size_t)(p)&15) == 0)
#if !defined(BAILEY_LOAD_WHOLE32) /* OpenCL and CUDA have the vector types */
/* Element i of such a vector, whose members' names, x, y, z and w, users may have as macros. */
#define BAILEY_ELEMENT(type, whole, i) (((type *)&(whole))[i])
#define BAILEY_LOAD_WHOLE32(pack, scalar, vector, p)                                                         \
    do {                                                                                                     \
        const vector whole = *(const BAILEY_GLOBAL vector *)(p);                                             \
        (pack).value[0] = BAILEY_ELEMENT(const scalar, whole, 0);                                            \
        (pack).value[1] = BAILEY_ELEMENT(const scalar, whole, 1);                                            \
        (pack).value[2] = BAILEY_ELEMENT(const scalar, whole, 2);                                            \
        (pack).value[3] = BAILEY_ELEMENT(const scalar, whole, 3);                                            \
    } while (0)
#define BAILEY_STORE_WHOLE32(pack, scalar, vector, p)                                                        \
    do {                                                                                                     \
        vector whole;                                                                                        \
        BAILEY_ELEMENT(scalar, whole, 0) = (pack).value[0];                                                  \
        BAILEY_ELEMENT(scalar, whole, 1) = (pack).value[1];                                                  \
        BAILEY_ELEMENT(scalar, whole, 2) = (pack).value[2];                                                  \
        BAILEY_ELEMENT(scalar, whole, 3) = (pack).value[3];                                                  \
        *(BAILEY_GLOBAL vector *)(p) = whole;                                                                \
    } while (0)
#define BAILEY_LOAD_WHOLE64(pack, scalar, vector, p)                                                         \
    do {                                                                                                     \
        const vector whole = *(const BAILEY_GLOBAL vector *)(p);                                             \
        (pack).value[0] = BAILEY_ELEMENT(const scalar, whole, 0);                                            \
        (pack).value[1] = BAILEY_ELEMENT(const scalar, whole, 1);                                            \
    } while (0)
#define BAILEY_STORE_WHOLE64(pack, scalar, vector, p)                                                        \
    do {                                                                                                     \
        vector whole;                                                                                        \
        BAILEY_ELEMENT(scalar, whole, 0) = (pack).value[0];                                                  \
        BAILEY_ELEMENT(scalar, whole, 1) = (pack).value[1];                                                  \
        *(BAILEY_GLOBAL vector *)(p) = whole;                                                                \
    } while (0)
#endif

/* Constant indices keep the pack in registers. */
#define BAILEY_LOAD_PARTS(x, scalar, elements, p, offset, stride, low, high)                                 \
    for (bailey_uint32 i_ = 0; i_ < (elements); i_++)                                                        \
    (x).value[i_] = i_ >= (low) && i_ < (high) ? (p)[(offset) + i_ * (stride)] : (scalar)0
#define BAILEY_STORE_PARTS(x, scalar, elements, p, offset, stride, low, high)                                \
    for (bailey_uint32 i_ = 0; i_ < (elements); i_++)                                                        \
        if (i_ >= (low) && i_ < (high)) (p)[(offset) + i_ * (stride)] = (x).value[i_]
#define BAILEY_VECTOR_LOAD(x, p) (x) = *(p)
#define BAILEY_VECTOR_STORE(p, x) *(p) = (x)

#endif
