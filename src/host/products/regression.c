/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Cholesky's factorisation, in plain IEEE operations and a fixed order; products that are subtracted go
 * through fma. The sums are of double precision and the functions few and well apart, so that normal
 * equations lose nothing that the noise of the paths would not cover.
 */
#include "products.h"

#include <math.h>

#define MOST BLY_REGRESSION_MOST

/* Below this part of a function, what the others leave of it is rounding. */
#define LEAST 0x1p-40

static void factor(uint32_t count, double a[MOST][MOST], int kept[MOST])
{
    for (uint32_t j = 0; j < count; j++) {
        const double own = a[j][j];
        for (uint32_t k = 0; k < j; k++)
            if (kept[k]) a[j][j] = fma(-a[j][k], a[j][k], a[j][j]);
        kept[j] = a[j][j] > LEAST * own;
        if (!kept[j]) continue;
        a[j][j] = sqrt(a[j][j]);
        for (uint32_t i = j + 1; i < count; i++) {
            for (uint32_t k = 0; k < j; k++)
                if (kept[k]) a[i][j] = fma(-a[i][k], a[j][k], a[i][j]);
            a[i][j] /= a[j][j];
        }
    }
}

void bly_regress(uint32_t count, double a[MOST][MOST], const double b[MOST], double x[MOST])
{
    int kept[MOST];
    factor(count, a, kept);
    for (uint32_t j = 0; j < count; j++) {
        x[j] = 0;
        if (!kept[j]) continue;
        double rest = b[j];
        for (uint32_t k = 0; k < j; k++)
            if (kept[k]) rest = fma(-a[j][k], x[k], rest);
        x[j] = rest / a[j][j];
    }
    for (uint32_t j = count; j-- > 0;) {
        if (!kept[j]) continue;
        for (uint32_t k = j + 1; k < count; k++)
            if (kept[k]) x[j] = fma(-a[k][j], x[k], x[j]);
        x[j] /= a[j][j];
    }
}
