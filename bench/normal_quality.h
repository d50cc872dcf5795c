/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What bench/normal_quality.cu, with normal_quality_count.cuh (fills and counts), and
 * bench/normal_quality_law.c (expectations and p-values) share.
 */
#ifndef BENCH_NORMAL_QUALITY_H
#define BENCH_NORMAL_QUALITY_H

#include <stdint.h>

/* Cells of abs(z): CELLS of 1/CELLS_A_UNIT each, for either sign. */
#define NORMAL_QUALITY_CELLS 2048
#define NORMAL_QUALITY_CELLS_A_UNIT 256

#ifdef __cplusplus
extern "C" {
#endif

/* What the values can be: the normal law, or that of f32 normals made from 32-bit words. */
typedef enum normal_quality_law {
    NORMAL_QUALITY_NORMAL,
    NORMAL_QUALITY_ICDF_F32,
    NORMAL_QUALITY_BOX_MULLER_F32
} normal_quality_law;

/* P(Z >= x), x >= 0. Of the inverse CDF f32 the words that give such a value are counted; of Box-Muller f32,
 * for x >= 4, the angles are added up for each of the words that the radius is made from. */
double normal_quality_beyond(normal_quality_law law, double x);

/* count[0 .. CELLS - 1]: of z < 0, by abs(z); then of z >= 0. The last cells go to 9. */
typedef struct normal_quality_fit {
    double chi_square,
        degrees; /* cells that expect fewer than 100, or one in 2^24, are joined with the next */
    double z;    /* of chi_square, by Wilson and Hilferty */
    double anderson_darling, p; /* A^2, of grouped data, and P(A^2 or more) */
    double shift; /* of chi_square, in its standard deviations, that `law` in place of the normal law makes */
} normal_quality_fit;
normal_quality_fit normal_quality_fit_of(const uint64_t *count, normal_quality_law law);

/* Two-sided p-values: of a standard normal, of a Poisson variable. */
double normal_quality_p(double z);
double normal_quality_poisson(uint64_t count, double mean);

#ifdef __cplusplus
}
#endif

#endif
