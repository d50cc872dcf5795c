/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * DYADIC of bailey/device/approximate.h over an array, where one lane is compiled by GCC or clang for AVX-512: the
 * table is four vectors, whose elements permutations find in a fifth of the time of gathers (Zen 5). The
 * values are the same.
 */
#ifndef BAILEY_DEVICE_LANG_APPROXIMATE_X86_H
#define BAILEY_DEVICE_LANG_APPROXIMATE_X86_H

typedef bailey_uint32 bailey_dyadic_words __attribute__((vector_size(64)));
typedef bailey_int32 bailey_dyadic_signed __attribute__((vector_size(64)));
typedef float bailey_dyadic_floats __attribute__((vector_size(64)));

#if !defined(__clang__)
#define BAILEY_DYADIC_PERMUTED(a, b, q) __builtin_shuffle(a, b, q)
#elif __has_builtin(__builtin_ia32_vpermi2varps512) && __has_builtin(__builtin_ia32_vfmaddps512_mask)
#define BAILEY_DYADIC_PERMUTED(a, b, q) __builtin_ia32_vpermi2varps512(a, (bailey_dyadic_signed)(q), b)
#endif
#if defined(BAILEY_DYADIC_PERMUTED)

#define BAILEY_DYADIC_ARRAYS 16 /* elements at a time */

/* The table's elements q mod 64; of a permutation of two vectors the last five bits count. */
BAILEY_FN bailey_dyadic_floats bailey_dyadic_elements(const bailey_dyadic_floats rows[4],
                                                      bailey_dyadic_words q_)
{
    const bailey_dyadic_signed upper = (bailey_dyadic_signed)(q_ << 26) >> 31;
    const bailey_dyadic_signed low = (bailey_dyadic_signed)BAILEY_DYADIC_PERMUTED(rows[0], rows[1], q_);
    const bailey_dyadic_signed high = (bailey_dyadic_signed)BAILEY_DYADIC_PERMUTED(rows[2], rows[3], q_);
    return (bailey_dyadic_floats)((upper & high) | (~upper & low));
}

BAILEY_FN void bailey_dyadic_sixteen(const bailey_dyadic_floats rows[4], const bailey_uint32 *w_, float *x_)
{
    bailey_dyadic_words word;
    memcpy(&word, w_, sizeof word);
    const bailey_dyadic_words folded = word ^ (bailey_dyadic_words)((bailey_dyadic_signed)word >> 31);
    const bailey_dyadic_floats f_ =
        __builtin_convertvector((bailey_dyadic_signed)((folded >> 15) | 1u), bailey_dyadic_floats);
    const bailey_dyadic_words q_ = (bailey_dyadic_words)f_ >> 22 << 1;
    const bailey_dyadic_floats a_ = bailey_dyadic_elements(rows, q_),
                               b_ = bailey_dyadic_elements(rows, q_ | 1u);
    const bailey_dyadic_floats z_ = __builtin_ia32_vfmaddps512_mask(b_, f_, a_, -1, 4);
    const bailey_dyadic_words r_ = (bailey_dyadic_words)z_ | (~word & 0x80000000u);
    memcpy(x_, &r_, sizeof r_);
}

#endif
#endif
