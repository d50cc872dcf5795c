/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What counts of normals should be, and p-values.
 */
#include "normal_quality.h"

#include <bailey/advanced.h>
#include <bailey/device/normal.h>

#include <math.h>

enum { CELLS = QUALITY_CELLS };

static const double pi = 3.14159265358979323846;

/* ---- Laws -------------------------------------------------------------------------------------- */

static long double normal_beyond(double x) { return 0.5L * erfcl((long double)x / sqrtl(2.0L)); }

/* Words below 2^31 have magnitudes that fall. */
static double icdf_beyond(double x)
{
    const float *table = bailey_normal_table_data(BAILEY_PRECISION_F32, NULL);
    uint32_t from = 0, to = UINT32_C(1) << 31;
    while (from < to) {
        const uint32_t k = from + (to - from) / 2;
        if (-(double)bailey_normal_icdf_f32(table, k) >= x)
            from = k + 1;
        else
            to = k;
    }
    return from * 0x1p-32;
}

/* For a radius r, z >= x on acos(x / r) / pi of the circle. */
static double box_muller_beyond(double x)
{
    double sum = 0;
    for (uint64_t u = 0; u < UINT64_C(1) << 32; u++) {
        const double r = sqrt(-2 * log(((double)u + 0.5) * 0x1p-32));
        if (r < x) break;
        sum += acos(x / r) / pi;
    }
    return sum * 0x1p-32;
}

double normal_quality_beyond(normal_quality_law law, double x)
{
    if (law == NORMAL_QUALITY_ICDF_F32) return icdf_beyond(x);
    if (law == NORMAL_QUALITY_BOX_MULLER_F32 && x >= 4) return box_muller_beyond(x);
    return (double)normal_beyond(x);
}

/* ---- P-values ---------------------------------------------------------------------------------- */

double normal_quality_p(double z) { return erfc(fabs(z) * sqrt(0.5)); }

/* Twice the smaller of P(X <= count) and P(X >= count). */
double normal_quality_poisson(uint64_t count, double mean)
{
    const double k = (double)count;
    if (!(mean > 0)) return count ? 0 : 1;
    if (mean > 1000) return normal_quality_p((k - mean) / sqrt(mean));
    double below = 0, above = 0;
    const double at = exp(k * log(mean) - mean - lgamma(k + 1));
    double term = at;
    for (double i = k; i > 0 && term > 0; i--) below += term *= i / mean;
    term = at;
    for (double i = k + 1; term > 1e-20 * at && term > 0; i++) above += term *= mean / i;
    const double p = 2 * (at + fmin(below, above));
    return p < 1 ? p : 1;
}

/* P(A^2 >= x) of infinitely many values: the series of T. W. Anderson, D. A. Darling, Ann. Math. Statist. 23
 * (1952), and beyond 8 its limit, the law of the first term of A^2 = sum of chi-squares / (j (j + 1)) times
 * the product of (1 - 2 / (j (j + 1)))^(-1/2) from j = 2 on, the root of 3. */
static double anderson_darling_beyond(double x)
{
    if (x > 8) return sqrt(3) * erfc(sqrt(x));
    if (x < 0.05) return 1;
    double sum = 0, binomial = 1; /* (-1/2 over j) */
    for (int j = 0; j < 12; j++) {
        const double a = (4 * j + 1) * (4 * j + 1) * pi * pi / (8 * x), step = 0.01 / sqrt(a);
        double integral =
            0; /* of exp(x / (8 (w^2 + 1)) - a (w^2 + 1)): the trapezoidal rule converges fast */
        for (int i = 0; i < 900; i++) {
            const double w = i * step;
            integral += (i ? 1 : 0.5) * exp(x / (8 * (w * w + 1)) - a * (w * w + 1));
        }
        sum += binomial * (4 * j + 1) * integral * step;
        binomial *= (-0.5 - j) / (j + 1);
    }
    const double p = 1 - sqrt(2 * pi) / x * sum;
    return p < 0 ? 0 : p > 1 ? 1 : p;
}

/* ---- Fit --------------------------------------------------------------------------------------- */

normal_quality_fit normal_quality_fit_of(const uint64_t *count, normal_quality_law law)
{
    normal_quality_fit fit = {0};
    static long double beyond[CELLS + 1]; /* P(Z >= k / CELLS_A_UNIT) */
    static double other[CELLS + 1];
    uint64_t n = 0;
    for (int k = 0; k < 2 * CELLS; k++) n += count[k];
    for (int k = 0; k <= CELLS; k++) {
        const double x = (double)k / QUALITY_CELLS_A_UNIT;
        beyond[k] = k < CELLS ? normal_beyond(x) : 0;
        other[k] = law == NORMAL_QUALITY_ICDF_F32 && k < CELLS ? normal_quality_beyond(law, x) : 0;
    }

    const double least = fmax(100, (double)n * 0x1p-24);
    double observed = 0, expected = 0, joined_before = 0, observed_before = 0, excess = 0;
    uint64_t below = 0;
    for (int c = 0; c < 2 * CELLS; c++) { /* in order of z */
        const int k = c < CELLS ? CELLS - 1 - c : c - CELLS, negative = c < CELLS;
        const uint64_t found = count[negative ? k : CELLS + k];
        const long double p = beyond[k] - beyond[k + 1];

        /* Chi-square. The remainder at the end joins the last cell. */
        observed += (double)found;
        expected += (double)(p * (long double)n);
        if (law == NORMAL_QUALITY_ICDF_F32) excess += (double)(other[k] - other[k + 1] - p) * (double)n;
        if (expected >= least) {
            if (joined_before > 0) {
                fit.chi_square +=
                    (observed_before - joined_before) * (observed_before - joined_before) / joined_before;
                fit.degrees++;
            }
            fit.shift += excess * excess / expected;
            observed_before = observed;
            joined_before = expected;
            observed = expected = excess = 0;
        }

        /* Z_j^2 / (H_j (1 - H_j)) at the edge above cell c, which has half of the two cells there. */
        below += found;
        if (c == 2 * CELLS - 1) break;
        const int edge = negative ? k : k + 1;
        const long double tail = beyond[edge], h = negative ? tail : 1 - tail;
        const long double z = negative ? (long double)below - h * (long double)n
                                       : tail * (long double)n - (long double)(n - below);
        const long double next = negative ? (k ? beyond[k - 1] - beyond[k] : beyond[0] - beyond[1])
                                          : beyond[k + 1] - beyond[k + 2];
        fit.anderson_darling += (double)(z * z / (tail * (1 - tail)) * (p + next) / 2 / (long double)n);
    }
    observed_before += observed;
    joined_before += expected;
    if (joined_before > 0)
        fit.chi_square +=
            (observed_before - joined_before) * (observed_before - joined_before) / joined_before;
    const double d = fit.degrees;
    if (d > 0) {
        fit.z = (cbrt(fit.chi_square / d) - (1 - 2 / (9 * d))) / sqrt(2 / (9 * d));
        fit.shift /= sqrt(2 * d);
    }
    fit.p = anderson_darling_beyond(fit.anderson_darling);
    return fit;
}
