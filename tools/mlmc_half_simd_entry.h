/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What mlmc_half_simd.c has, under two names: of AVX-512, and of AVX-512 FP16 if it is compiled for that. As
 * mlmc_half_maker has them; samples are multiples of 128.
 */
#ifndef MLMC_HALF_SIMD_ENTRY_H
#define MLMC_HALF_SIMD_ENTRY_H

#include "mlmc_half_steps.h"

#define MLMC_HALF_SIMD_DECLARE(level)                                                                        \
    void mlmc_half_##level##_sum(const struct mlmc_half_variant *, enum mlmc_half_form, int, uint64_t,       \
                                 struct mlmc_half_sums *);                                                   \
    void mlmc_half_##level##_ends(const struct mlmc_half_variant *, enum mlmc_half_form, int, uint64_t,      \
                                  float *, float *);
MLMC_HALF_SIMD_DECLARE(avx512)
MLMC_HALF_SIMD_DECLARE(fp16)

#if defined(__AVX512FP16__)
#define MLMC_HALF_SIMD(name) mlmc_half_fp16_##name
#else
#define MLMC_HALF_SIMD(name) mlmc_half_avx512_##name
#endif

#endif
