/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How AVX-512 stores a vector of lanes in 16 bits each. It rounds as bailey/device/float16.h does.
 */
#ifndef BAILEY_DEVICE_LANG_FLOAT16_X86_H
#define BAILEY_DEVICE_LANG_FLOAT16_X86_H

#include "bailey/device/dialect.h"

#if BAILEY_LANES == 16 && defined(__AVX512F__) && !defined(BAILEY_IS_OPENCL)
#define BAILEY_STORES_HALVES 1

#include <immintrin.h>

/* The lower half of each word. */
BAILEY_FN void bailey_store_lower_halves(unsigned short *to, bailey_u32 x_)
{
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi32_epi16((__m512i)x_));
}

/* Floats that are neither NaN nor too large, as IEEE binary16. */
BAILEY_FN void bailey_store_float16(unsigned short *to, bailey_f32 x_)
{
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtps_ph((__m512)x_, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#endif

#endif
