/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Packs: how elements are ordered and moved, for all targets. Part of bailey/device/dialect.h.
 *
 * A pack is 16 bytes per lane: four vectors of 32-bit lanes or two of 64-bit lanes, and stands for
 * BAILEY_PACK32 or BAILEY_PACK64 consecutive elements: element m * BAILEY_LANES + l is lane l of value[m].
 *
 * A target provides, for a pack x and the device's 16-byte type `vector`:
 *   BAILEY_WHOLE(p)                              whether a whole pack can move to or from p at once
 *   BAILEY_LOAD_WHOLE32(x, scalar, vector, p), _STORE_   moves it; also with 64
 *   BAILEY_LOAD_PARTS(x, scalar, elements, p, offset, stride, low, high), _STORE_    moves some elements
 *   BAILEY_VECTOR_LOAD(x, p), BAILEY_VECTOR_STORE(p, x)    one vector, at any address
 * and may provide:
 *   BAILEY_STORE_ONCE32(constraint, x, scalar, vector, p)    a whole pack in one store, whatever code is
 *                                                around it; `constraint` is the assembler's letter for the
 *                                                type of an element
 *   BAILEY_STREAM32(p, x), BAILEY_STREAM_END()   a vector, past the caches; also with 64
 *   BAILEY_PREFETCH(p)                           requests a cache line
 */
#ifndef BAILEY_DEVICE_LANG_PACKS_H
#define BAILEY_DEVICE_LANG_PACKS_H

#define BAILEY_PACK32 (4 * BAILEY_LANES)
#define BAILEY_PACK64 (2 * BAILEY_LANES)
typedef struct bailey_pack_u32 {
    bailey_u32 value[4];
} bailey_pack_u32;
typedef struct bailey_pack_f32 {
    bailey_f32 value[4];
} bailey_pack_f32;
typedef struct bailey_pack_u64 {
    bailey_u64 value[2];
} bailey_pack_u64;
#if BAILEY_HAS_F64
typedef struct bailey_pack_f64 {
    bailey_f64 value[2];
} bailey_pack_f64;
#endif

/* zip: value[m], lane l of the argument becomes element 4 l + m (32 bits) or 2 l + m (64 bits): turns
 * results computed as one generator block per lane into consecutive elements.
 *
 * turn: of vectors 0 and 1, and of 2 and 3, elements 2 l of both become the first, elements 2 l + 1 the
 * second: each lane then has both elements of a pair. A second turn undoes it. */
#define BAILEY_REORDER(name, pack) BAILEY_FN pack name(pack a_)
#if BAILEY_LANES == 1
#define BAILEY_ZIP32(suffix)                                                                                 \
    BAILEY_REORDER(bailey_zip_##suffix, bailey_pack_##suffix) { return a_; }
#define BAILEY_ZIP64 BAILEY_ZIP32
#define BAILEY_TURN(suffix, index, vectors)                                                                  \
    BAILEY_REORDER(bailey_turn_##suffix, bailey_pack_##suffix) { return a_; }
#else
#define BAILEY_ZIP32(suffix)                                                                                 \
    BAILEY_REORDER(bailey_zip_##suffix, bailey_pack_##suffix)                                                \
    {                                                                                                        \
        bailey_##suffix even_low = BAILEY_SHUFFLE(bailey_u32, a_.value[0], a_.value[2], BAILEY_ZIP_LOW);     \
        bailey_##suffix even_high = BAILEY_SHUFFLE(bailey_u32, a_.value[0], a_.value[2], BAILEY_ZIP_HIGH);   \
        bailey_##suffix odd_low = BAILEY_SHUFFLE(bailey_u32, a_.value[1], a_.value[3], BAILEY_ZIP_LOW);      \
        bailey_##suffix odd_high = BAILEY_SHUFFLE(bailey_u32, a_.value[1], a_.value[3], BAILEY_ZIP_HIGH);    \
        a_.value[0] = BAILEY_SHUFFLE(bailey_u32, even_low, odd_low, BAILEY_ZIP_LOW);                         \
        a_.value[1] = BAILEY_SHUFFLE(bailey_u32, even_low, odd_low, BAILEY_ZIP_HIGH);                        \
        a_.value[2] = BAILEY_SHUFFLE(bailey_u32, even_high, odd_high, BAILEY_ZIP_LOW);                       \
        a_.value[3] = BAILEY_SHUFFLE(bailey_u32, even_high, odd_high, BAILEY_ZIP_HIGH);                      \
        return a_;                                                                                           \
    }
#define BAILEY_ZIP64(suffix)                                                                                 \
    BAILEY_REORDER(bailey_zip_##suffix, bailey_pack_##suffix)                                                \
    {                                                                                                        \
        bailey_##suffix low = BAILEY_SHUFFLE(bailey_u64, a_.value[0], a_.value[1], BAILEY_ZIP_LOW);          \
        a_.value[1] = BAILEY_SHUFFLE(bailey_u64, a_.value[0], a_.value[1], BAILEY_ZIP_HIGH);                 \
        a_.value[0] = low;                                                                                   \
        return a_;                                                                                           \
    }
#define BAILEY_TURN(suffix, index, vectors)                                                                  \
    BAILEY_REORDER(bailey_turn_##suffix, bailey_pack_##suffix)                                               \
    {                                                                                                        \
        for (int m_ = 0; m_ < (vectors); m_ += 2) {                                                          \
            const bailey_##suffix evens =                                                                    \
                BAILEY_SHUFFLE(index, a_.value[m_], a_.value[m_ + 1], BAILEY_TURN_EVENS);                    \
            a_.value[m_ + 1] = BAILEY_SHUFFLE(index, a_.value[m_], a_.value[m_ + 1], BAILEY_TURN_ODDS);      \
            a_.value[m_] = evens;                                                                            \
        }                                                                                                    \
        return a_;                                                                                           \
    }
#endif
BAILEY_ZIP32(u32)
BAILEY_ZIP32(f32)
BAILEY_ZIP64(u64)
BAILEY_TURN(u32, bailey_u32, 4)
BAILEY_TURN(f32, bailey_u32, 4)
BAILEY_TURN(u64, bailey_u64, 2)

/* Memory. Element i of the pack lives at p[offset + i * stride]; only elements low <= i < high are
 * touched, the others of a loaded pack are zero. `offset` may wrap below zero as long as the elements
 * touched do not. A whole pack with stride 1 moves as vectors.
 *
 * store_whole is the same for a whole pack with stride 1, at an address that BAILEY_WHOLE finds good. */
#if !defined(BAILEY_STORE_ONCE32)
#define BAILEY_STORE_ONCE32(constraint, x, scalar, vector, p) BAILEY_STORE_WHOLE32(x, scalar, vector, p)
#define BAILEY_STORE_ONCE64(constraint, x, scalar, vector, p) BAILEY_STORE_WHOLE64(x, scalar, vector, p)
#endif
#define BAILEY_MEMORY(suffix, bits, scalar, vector, constraint)                                              \
    BAILEY_FN bailey_pack_##suffix bailey_load_##suffix(const BAILEY_GLOBAL scalar *p_,                      \
                                                        bailey_uint64 offset, bailey_uint64 stride,          \
                                                        bailey_uint32 low, bailey_uint32 high)               \
    {                                                                                                        \
        bailey_pack_##suffix x_;                                                                             \
        if (stride == 1 && low == 0 && high == BAILEY_PACK##bits && BAILEY_WHOLE(p_ + offset)) {             \
            BAILEY_LOAD_WHOLE##bits(x_, scalar, vector, p_ + offset);                                        \
        } else {                                                                                             \
            BAILEY_LOAD_PARTS(x_, scalar, BAILEY_PACK##bits, p_, offset, stride, low, high);                 \
        }                                                                                                    \
        return x_;                                                                                           \
    }                                                                                                        \
    BAILEY_FN void bailey_store_##suffix(BAILEY_GLOBAL scalar *p_, bailey_uint64 offset,                     \
                                         bailey_uint64 stride, bailey_uint32 low, bailey_uint32 high,        \
                                         bailey_pack_##suffix x_)                                            \
    {                                                                                                        \
        if (stride == 1 && low == 0 && high == BAILEY_PACK##bits && BAILEY_WHOLE(p_ + offset)) {             \
            BAILEY_STORE_WHOLE##bits(x_, scalar, vector, p_ + offset);                                       \
        } else {                                                                                             \
            BAILEY_STORE_PARTS(x_, scalar, BAILEY_PACK##bits, p_, offset, stride, low, high);                \
        }                                                                                                    \
    }                                                                                                        \
    BAILEY_FN void bailey_store_whole_##suffix(BAILEY_GLOBAL scalar *p_, bailey_pack_##suffix x_)            \
    {                                                                                                        \
        BAILEY_STORE_ONCE##bits(constraint, x_, scalar, vector, p_);                                         \
    }
BAILEY_MEMORY(u32, 32, bailey_uint32, uint4, "r")
BAILEY_MEMORY(u64, 64, bailey_uint64, ulong2, "l")
BAILEY_MEMORY(f32, 32, float, float4, "f")

/* Single vectors, at any address: loaded from memory, and got from and put into an item's own arrays. */
#define BAILEY_VECTOR_ACCESS(suffix, scalar)                                                                 \
    BAILEY_FN bailey_##suffix bailey_vector_load_##suffix(const BAILEY_GLOBAL scalar *p_)                    \
    {                                                                                                        \
        bailey_##suffix x_;                                                                                  \
        BAILEY_VECTOR_LOAD(x_, p_);                                                                          \
        return x_;                                                                                           \
    }                                                                                                        \
    BAILEY_FN bailey_##suffix bailey_vector_get_##suffix(const scalar *own)                                  \
    {                                                                                                        \
        bailey_##suffix x_;                                                                                  \
        BAILEY_VECTOR_LOAD(x_, own);                                                                         \
        return x_;                                                                                           \
    }                                                                                                        \
    BAILEY_FN void bailey_vector_put_##suffix(scalar *own, bailey_##suffix x_)                               \
    {                                                                                                        \
        BAILEY_VECTOR_STORE(own, x_);                                                                        \
    }
BAILEY_VECTOR_ACCESS(u32, bailey_uint32)
BAILEY_VECTOR_ACCESS(u64, bailey_uint64)
BAILEY_VECTOR_ACCESS(f32, float)

#if BAILEY_LANES > 1
/* A streaming store goes past the caches, where the platform has such stores and the address is a multiple of
 * the vector's size, as it must be for bailey_vector_stream_placed; an item that makes them ends with
 * bailey_stream_end. */
#if !defined(BAILEY_STREAM32)
#define BAILEY_STREAM32 BAILEY_VECTOR_STORE
#endif
#if !defined(BAILEY_STREAM64)
#define BAILEY_STREAM64 BAILEY_VECTOR_STORE
#endif
#if !defined(BAILEY_STREAM_END)
#define BAILEY_STREAM_END() (void)0
#endif
#if !defined(BAILEY_PREFETCH)
#define BAILEY_PREFETCH(p) (void)(p)
#endif

#define BAILEY_VECTOR_MEMORY(suffix, bits, scalar)                                                           \
    BAILEY_FN void bailey_vector_stream_placed_##suffix(BAILEY_GLOBAL scalar *p_, bailey_##suffix x_)        \
    {                                                                                                        \
        BAILEY_STREAM##bits(p_, x_);                                                                         \
    }                                                                                                        \
    BAILEY_FN void bailey_vector_stream_##suffix(BAILEY_GLOBAL scalar *p_, bailey_##suffix x_)               \
    {                                                                                                        \
        if (((size_t)p_ & (sizeof(x_) - 1)) == 0)                                                            \
            BAILEY_STREAM##bits(p_, x_);                                                                     \
        else                                                                                                 \
            BAILEY_VECTOR_STORE(p_, x_);                                                                     \
    }                                                                                                        \
    /* Streams `count` elements from an array of the item's own. */                                          \
    BAILEY_FN void bailey_stream_##suffix(BAILEY_GLOBAL scalar *p_, const scalar *own, bailey_uint32 count)  \
    {                                                                                                        \
        bailey_uint32 i_ = 0;                                                                                \
        for (; i_ < count && ((size_t)(p_ + i_) & (sizeof(bailey_##suffix) - 1)); i_++) p_[i_] = own[i_];    \
        for (; i_ + BAILEY_LANES <= count; i_ += BAILEY_LANES)                                               \
            bailey_vector_stream_##suffix(p_ + i_, bailey_vector_get_##suffix(own + i_));                    \
        for (; i_ < count; i_++) p_[i_] = own[i_];                                                           \
    }                                                                                                        \
    /* Asks for the cache line of an element that will be read soon; it must exist. */                       \
    BAILEY_FN void bailey_prefetch_##suffix(const BAILEY_GLOBAL scalar *p_) { BAILEY_PREFETCH(p_); }
BAILEY_VECTOR_MEMORY(f32, 32, float)

/* Orders streaming stores before what the item's thread does next. */
BAILEY_FN void bailey_stream_end(void) { BAILEY_STREAM_END(); }
#endif

#if BAILEY_HAS_F64
BAILEY_ZIP64(f64)
BAILEY_TURN(f64, bailey_u64, 2)
BAILEY_MEMORY(f64, 64, double, double2, "d")
BAILEY_VECTOR_ACCESS(f64, double)
#if BAILEY_LANES > 1
BAILEY_VECTOR_MEMORY(f64, 64, double)
#endif
#endif

#endif
