/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * PTX shared by CUDA and NVIDIA's OpenCL: each has its own name for BAILEY_ASM. Part of
 * bailey/device/dialect.h.
 */
#ifndef BAILEY_DEVICE_LANG_PTX_H
#define BAILEY_DEVICE_LANG_PTX_H

#define BAILEY_NATIVE(name, instruction)                                                                     \
    BAILEY_FN float bailey_native_##name##_f32(float x_)                                                     \
    {                                                                                                        \
        float r_;                                                                                            \
        BAILEY_ASM(instruction ".approx.ftz.f32 %0, %1;" : "=f"(r_) : "f"(x_));                              \
        return r_;                                                                                           \
    }

/* 1 / sqrt(x) to 2^-22.9 (PTX ISA, rsqrt.approx); infinite for 0. */
#define BAILEY_HAS_RSQRT 1
BAILEY_NATIVE(rsqrt, "rsqrt")

/* One instruction: the compilers turn clz, which must handle 0, into two. */
#define BAILEY_HAS_CLZ 1
BAILEY_FN bailey_u32 bailey_clz_u32(bailey_u32 x_)
{
    bailey_u32 n_;
    BAILEY_ASM("bfind.shiftamt.u32 %0, %1;" : "=r"(n_) : "r"(x_));
    return n_;
}

/* By how much to shift to the left for the highest bit that differs from bit 31 to be there; -1 where none
 * does. */
BAILEY_FN bailey_u32 bailey_sign_zeros_u32(bailey_u32 x_)
{
    bailey_u32 n_;
    BAILEY_ASM("bfind.shiftamt.s32 %0, %1;" : "=r"(n_) : "r"(x_));
    return n_;
}

/* The high half of a pair of words that is shifted to the left by n bits, at most 32. */
BAILEY_FN bailey_u32 bailey_shift_pair_u32(bailey_u32 high, bailey_u32 low, bailey_u32 n_)
{
    bailey_u32 r_;
    BAILEY_ASM("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r_) : "r"(low), "r"(high), "r"(n_));
    return r_;
}

/* The bits of a where the mask has ones, else those of ~b: in one instruction, of which the compilers make two. */
BAILEY_FN bailey_u32 bailey_choose_not_u32(bailey_u32 mask, bailey_u32 a_, bailey_u32 b_)
{
    bailey_u32 r_;
    BAILEY_ASM("lop3.b32 %0, %1, %2, %3, 0xd1;" : "=r"(r_) : "r"(a_), "r"(mask), "r"(b_));
    return r_;
}

/* a b + c by the multiplier, also where b is a power of two. */
BAILEY_FN bailey_u32 bailey_mad_u32(bailey_u32 a_, bailey_u32 b_, bailey_u32 c_)
{
    bailey_u32 r_;
    BAILEY_ASM("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r_) : "r"(a_), "r"(b_), "r"(c_));
    return r_;
}

/* An int as 64 bits. Where (int)((unsigned)a + (unsigned)i) of a loop's counter i is widened, NVIDIA's
 * compilers (CUDA 13.0) step it in 64 bits, as if the sum did not wrap around. */
#define BAILEY_HAS_WIDEN 1
BAILEY_FN bailey_int64 bailey_widen(int x_)
{
    bailey_int64 r_;
    BAILEY_ASM("cvt.s64.s32 %0, %1;" : "=l"(r_) : "r"(x_));
    return r_;
}

/* x, of which the compiler then knows nothing. */
#define BAILEY_HAS_OPAQUE 1
BAILEY_FN bailey_uint64 bailey_opaque(bailey_uint64 x_)
{
    BAILEY_ASM volatile("" : "+l"(x_));
    return x_;
}

/* An index of an array, of which the compiler then knows nothing; equal ones stay one. NVIDIA's compilers
 * (CUDA 13.0) may take an element whose index depends on data for undefined. */
#define BAILEY_HAS_OPAQUE_INDEX 1
BAILEY_FN bailey_uint32 bailey_opaque_index(bailey_uint32 i_)
{
    bailey_uint32 r_;
    BAILEY_ASM("mov.b32 %0, %1;" : "=r"(r_) : "r"(i_));
    return r_;
}

/* Loads from memory that is not written while the kernel runs: not held up by stores before them. */
#define BAILEY_HAS_READ_ONLY 1
BAILEY_FN bailey_uint32 bailey_read_only_u32(const BAILEY_GLOBAL bailey_uint32 *p_)
{
    bailey_uint32 x_;
    BAILEY_ASM("ld.global.nc.u32 %0, [%1];" : "=r"(x_) : "l"(p_));
    return x_;
}
BAILEY_FN bailey_uint64 bailey_read_only_u64(const BAILEY_GLOBAL bailey_uint64 *p_)
{
    bailey_uint64 x_;
    BAILEY_ASM("ld.global.nc.u64 %0, [%1];" : "=l"(x_) : "l"(p_));
    return x_;
}
BAILEY_FN void bailey_read_only_u32x4(const BAILEY_GLOBAL bailey_uint32 *p_, bailey_uint32 *x_)
{
    BAILEY_ASM("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x_[0]), "=r"(x_[1]), "=r"(x_[2]), "=r"(x_[3])
               : "l"(p_));
}
BAILEY_FN void bailey_read_only_u64x2(const BAILEY_GLOBAL bailey_uint64 *p_, bailey_uint64 *x_)
{
    BAILEY_ASM("ld.global.nc.v2.u64 {%0, %1}, [%2];" : "=l"(x_[0]), "=l"(x_[1]) : "l"(p_));
}

/* NVIDIA's compilers make four stores of one where another branch stores the same values one by one, unless
 * the store is written in PTX. */
#define BAILEY_STORE_ONCE32(constraint, x, scalar, vector, p)                                                \
    BAILEY_ASM volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(p), constraint((x).value[0]),       \
                        constraint((x).value[1]), constraint((x).value[2]), constraint((x).value[3])         \
                        : "memory")
#define BAILEY_STORE_ONCE64(constraint, x, scalar, vector, p)                                                \
    BAILEY_ASM volatile("st.global.v2.b64 [%0], {%1, %2};" ::"l"(p), constraint((x).value[0]),               \
                        constraint((x).value[1])                                                             \
                        : "memory")

/* Row i mod 16 of a list of pairs of 64 bits, through L1: constant memory would serve a warp row by
 * row. */
#define BAILEY_FIRST_ROW_TEXT(a, b) #a ", " #b
#define BAILEY_NEXT_ROW_TEXT(a, b) ", " #a ", " #b
#define BAILEY_ROW_OF_16(rows, i, a, b)                                                                      \
    BAILEY_ASM(                                                                                              \
        "{\n\t.reg .u64 at;\n\t.global .align 16 .b64 list[32] = {" rows(                                    \
            BAILEY_FIRST_ROW_TEXT,                                                                           \
            BAILEY_NEXT_ROW_TEXT) "};\n\tmov.u64 at, list;\n\t"                                              \
                                  "mad.wide.u32 at, %2, 16, at;\n\tld.global.nc.v2.b64 {%0, %1}, [at];\n\t}" \
        : "=l"(a), "=l"(b)                                                                                   \
        : "r"((bailey_uint32)(i)&15u))

#endif
