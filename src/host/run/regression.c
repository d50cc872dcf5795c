/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Normal equations by Cholesky's factorisation, in plain IEEE operations and a fixed order; products that are
 * subtracted go through fma. Sums are of double precision and functions few and well apart, so that normal
 * equations lose nothing that the noise of the paths would not cover.
 */
#include "regression.h"

#include <math.h>
#include <string.h>

/* Below this part of a function, the rest that the others leave of it is rounding. */
#define LEAST 0x1p-40

void bly_regression_factor(uint32_t count, uint32_t stride, double *a, int *used)
{
    for (uint32_t j = 0; j < count; j++) {
        double *row = a + (uint64_t)j * stride;
        const double own = row[j];
        for (uint32_t k = 0; k < j; k++)
            if (used[k]) row[j] = fma(-row[k], row[k], row[j]);
        used[j] = row[j] > LEAST * own;
        if (!used[j]) continue;
        row[j] = sqrt(row[j]);
        for (uint32_t i = j + 1; i < count; i++) {
            double *below = a + (uint64_t)i * stride;
            for (uint32_t k = 0; k < j; k++)
                if (used[k]) below[j] = fma(-below[k], row[k], below[j]);
            below[j] /= row[j];
        }
    }
}

void bly_regression_solve(uint32_t count, uint32_t stride, const double *a, const int *used, double *x)
{
    for (uint32_t j = 0; j < count; j++) {
        const double *row = a + (uint64_t)j * stride;
        for (uint32_t k = 0; k < j && used[j]; k++)
            if (used[k]) x[j] = fma(-row[k], x[k], x[j]);
        x[j] = used[j] ? x[j] / row[j] : 0;
    }
    for (uint32_t j = count; j-- > 0;) {
        for (uint32_t k = j + 1; k < count && used[j]; k++)
            if (used[k]) x[j] = fma(-a[(uint64_t)k * stride + j], x[k], x[j]);
        x[j] = used[j] ? x[j] / a[(uint64_t)j * stride + j] : 0;
    }
}

/* ---- Fits ---------------------------------------------------------------------------------------- */

/* As a device of one item has it. */
#define BLY_BLOCK 1
#define BLY_LOCAL_ID 0u
#define BLY_BARRIER() ((void)0)
#define BLY_SHARED
#include <kernels/regression_code.h>

struct bly_fit_quality bly_regression_fit(uint32_t count, const double *mean, const double *covariance,
                                          double *coefficient)
{
    double memory[BLY_FIT_DOUBLES(BLY_FIT_MOST)];
    bly_fit f = bly_fit_at(memory, count);
    memcpy(f.mean, mean, (count + 1) * sizeof *mean);
    memcpy(f.covariance, covariance, (count + 1) * (count + 1) * sizeof *covariance);
    bly_fit_functions(&f);
    bly_fit_coefficients(&f);
    memcpy(coefficient, f.coefficient, (count + 1) * sizeof *coefficient);
    return (struct bly_fit_quality){1 + f.rank, f.condition};
}
