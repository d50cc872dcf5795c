/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Arithmetic in half precision, IEEE 754 binary16, with the same bits on every device: what host/payoff's
 * printing in half precision is printed as. A bly_half is a number of the device's own type where compilers
 * have instructions for halves: in CUDA, and clang's for processors with AVX-512 FP16, of which it makes
 * vectors of loops that have floats, too (gcc 12 does not). Elsewhere it is a float that is a half.
 *
 * There each operation is that of single precision, rounded. That rounds as one operation of halves does: floats
 * have 24 bits of significand, and 2 * 11 + 2 are enough for + - * / and sqrt (S. Figueroa, "When is double
 * rounding innocuous?", SIGNUM Newsletter 30, 1995). fma rounds its sum to odd first. Functions of one or two
 * arguments are those of single precision, rounded. Subnormal halves are normal floats, and are kept.
 *
 * Included after kernels/payoff_math.h, in programs whose reals are floats, and by the host.
 */
#ifndef BLY_HALF_H
#define BLY_HALF_H

#define BLY_HALF_MOST 65504.0f  /* the largest half */
#define BLY_HALF_LEAST 0x1p-24f /* the smallest above 0 */
#define BLY_HALF_BELOW_1 0x1.ffcp-1f

/* ---- Rounding ------------------------------------------------------------------------------------ */

/* The half nearest to x, to even, as a float. c is such that the last place of x + c is that of a half in x's
 * binade, or of a subnormal one: 1.5 2^13 times the power of two below |x|. The comparison is of bits. */
BAILEY_FN float bly_half_rounded(float x)
{
    const bailey_uint32 bits = bailey_u32_bits_f32(x), sign = bits & 0x80000000u;
    const bailey_uint32 e = bits & 0x7f800000u, binade = e < 0x38800000u ? 0x38800000u : e;
    const float c = bailey_f32_bits_u32(binade + 0x06c00000u);
    const float nearest = bailey_f32_bits_u32(bailey_u32_bits_f32((x + c) - c) | sign);
    /* From 65520 on infinity; NaN stays. */
    return (bits ^ sign) < 0x477ff000u ? nearest : x * 0x1p113f;
}

/* a b + c rounded to odd: of halves, the product is exact, and the sum's error tells whether it was. */
BAILEY_FN float bly_half_odd_fma(float a, float b, float c)
{
    const float product = a * b, sum = product + c, part = sum - product;
    const float error = (product - (sum - part)) + (c - part);
    const bailey_uint32 bits = bailey_u32_bits_f32(sum);
    const bailey_uint32 inexact = (bailey_uint32)(error < 0.0f) | (bailey_uint32)(error > 0.0f);
    const bailey_uint32 away = (bailey_uint32)((error > 0.0f) == (sum > 0.0f));
    const bailey_uint32 odd = bits & 1 ? bits : away ? bits + 1 : bits - 1;
    return bailey_f32_bits_u32(inexact ? odd : bits);
}

/* ---- Numbers and operations ---------------------------------------------------------------------- */

#if defined(__CUDACC__)

typedef struct bly_half {
    unsigned short bits;
} bly_half;

BAILEY_FN bly_half bly_half_of(float x)
{
    bly_half h;
    BAILEY_ASM("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(x));
    return h;
}
BAILEY_FN float bly_single(bly_half x)
{
    float single;
    BAILEY_ASM("cvt.f32.f16 %0, %1;" : "=f"(single) : "h"(x.bits));
    return single;
}

/* With .rn nothing is contracted. */
#define BLY_HALF_OPERATION(name, instruction)                                                                \
    BAILEY_FN bly_half bly_half_##name(bly_half a, bly_half b)                                               \
    {                                                                                                        \
        bly_half h;                                                                                          \
        BAILEY_ASM(instruction " %0, %1, %2;" : "=h"(h.bits) : "h"(a.bits), "h"(b.bits));                    \
        return h;                                                                                            \
    }
BLY_HALF_OPERATION(add, "add.rn.f16")
BLY_HALF_OPERATION(subtract, "sub.rn.f16")
BLY_HALF_OPERATION(multiply, "mul.rn.f16")
#undef BLY_HALF_OPERATION

BAILEY_FN bly_half bly_half_negate(bly_half a)
{
    const bly_half h = {(unsigned short)(a.bits ^ 0x8000u)};
    return h;
}
BAILEY_FN bly_half bly_half_fused(bly_half a, bly_half b, bly_half c)
{
    bly_half h;
    BAILEY_ASM("fma.rn.f16 %0, %1, %2, %3;" : "=h"(h.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return h;
}

#elif defined(__AVX512FP16__) && defined(__clang__)

typedef _Float16 bly_half;

BAILEY_FN bly_half bly_half_of(float x) { return (bly_half)x; }
BAILEY_FN float bly_single(bly_half x) { return (float)x; }
BAILEY_FN bly_half bly_half_add(bly_half a, bly_half b) { return a + b; }
BAILEY_FN bly_half bly_half_subtract(bly_half a, bly_half b) { return a - b; }
BAILEY_FN bly_half bly_half_multiply(bly_half a, bly_half b) { return a * b; }
BAILEY_FN bly_half bly_half_negate(bly_half a) { return -a; }
BAILEY_FN bly_half bly_half_fused(bly_half a, bly_half b, bly_half c) { return BAILEY_FMA_F16(a, b, c); }

#else

#define BLY_HALF_EMULATED 1
typedef float bly_half;

BAILEY_FN bly_half bly_half_of(float x) { return bly_half_rounded(x); }
BAILEY_FN float bly_single(bly_half x) { return x; }

BAILEY_FN bly_half bly_half_add(bly_half a, bly_half b) { return bly_half_rounded(a + b); }
BAILEY_FN bly_half bly_half_subtract(bly_half a, bly_half b) { return bly_half_rounded(a - b); }
BAILEY_FN bly_half bly_half_multiply(bly_half a, bly_half b) { return bly_half_rounded(a * b); }
BAILEY_FN bly_half bly_half_negate(bly_half a) { return -a; }
BAILEY_FN bly_half bly_half_fused(bly_half a, bly_half b, bly_half c)
{
    return bly_half_rounded(bly_half_odd_fma(a, b, c));
}

#endif

/* For a float that is a half. */
BAILEY_FN bly_half bly_half_same(float x)
{
#if defined(BLY_HALF_EMULATED)
    return x;
#else
    return bly_half_of(x);
#endif
}

BAILEY_FN bly_half bly_half_divide(bly_half a, bly_half b)
{
    return bly_half_of(bly_single(a) / bly_single(b));
}

/* The functions of the payoff language: bly_half_exp and so on. */
#define BLY_HALF_TAKES_1 (bly_half x)
#define BLY_HALF_TAKES_2 (bly_half x, bly_half y)
#define BLY_HALF_TAKES_3 (bly_half x, bly_half y, bly_half z)
#define BLY_HALF_MADE_1(function) bly_half_of(function(bly_single(x)))
#define BLY_HALF_MADE_2(function) bly_half_of(function(bly_single(x), bly_single(y)))
#define BLY_HALF_MADE_3(function) bly_half_fused(x, y, z) /* fma is the only one */
#define BLY_HALF_DEFINE(name, arguments, made, root, summary)                                                \
    BAILEY_FN bly_half bly_half_##name BLY_HALF_TAKES_##arguments                                            \
    {                                                                                                        \
        return BLY_HALF_MADE_##arguments(bly_payoff_##name);                                                 \
    }
BLY_PAYOFF_FUNCTIONS(BLY_HALF_DEFINE)
#undef BLY_HALF_DEFINE

#endif
