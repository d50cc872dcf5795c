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

#define CONSTANT 0x1p-40 /* a part of its mean square up to which a function does not vary but by rounding */
#define LEAST_NEW 0x1p-24 /* a part of its variance below which a function is a combination of others */

struct fit {
    uint32_t count, rank;
    uint32_t order[BLY_FIT_MOST]; /* in which functions are taken: the one that is least explained so far */
    double scale[BLY_FIT_MOST];   /* 1 / standard deviation; 0 of one that does not vary */
    double r[BLY_FIT_MOST][BLY_FIT_MOST]; /* correlations, then in the lower triangle their factor */
};

static void begin_fit(struct fit *f, const double *mean, const double *covariance)
{
    const uint32_t n = f->count, stride = n + 1;
    for (uint32_t i = 0; i < n; i++) {
        const double variance = covariance[i * stride + i];
        const int varies = variance > CONSTANT * fma(mean[i], mean[i], variance);
        f->order[i] = i;
        f->scale[i] = varies ? 1 / sqrt(variance) : 0;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            f->r[i][j] = i == j ? f->scale[i] > 0 : covariance[i * stride + j] * f->scale[i] * f->scale[j];
}

static void swap(struct fit *f, uint32_t a, uint32_t b)
{
    const uint32_t order = f->order[a];
    f->order[a] = f->order[b];
    f->order[b] = order;
    for (uint32_t k = 0; k < f->count; k++) {
        const double x = f->r[a][k];
        f->r[a][k] = f->r[b][k];
        f->r[b][k] = x;
    }
    for (uint32_t k = 0; k < f->count; k++) {
        const double x = f->r[k][a];
        f->r[k][a] = f->r[k][b];
        f->r[k][b] = x;
    }
}

/* Cholesky's factorisation with pivots: of equal ones the first. */
static void factor(struct fit *f)
{
    const uint32_t n = f->count;
    for (f->rank = 0; f->rank < n; f->rank++) {
        const uint32_t j = f->rank;
        uint32_t best = j;
        for (uint32_t k = j + 1; k < n; k++)
            if (f->r[k][k] > f->r[best][best]) best = k;
        if (!(f->r[best][best] > LEAST_NEW)) return;
        if (best != j) swap(f, j, best);
        f->r[j][j] = sqrt(f->r[j][j]);
        for (uint32_t i = j + 1; i < n; i++) f->r[i][j] /= f->r[j][j];
        for (uint32_t i = j + 1; i < n; i++)
            for (uint32_t k = j + 1; k <= i; k++)
                f->r[k][i] = f->r[i][k] = fma(-f->r[i][j], f->r[k][j], f->r[i][k]);
    }
}

/* x becomes the solution, for the functions in their order. */
static void solve(const struct fit *f, double *x)
{
    for (uint32_t j = 0; j < f->rank; j++) {
        for (uint32_t k = 0; k < j; k++) x[j] = fma(-f->r[j][k], x[k], x[j]);
        x[j] /= f->r[j][j];
    }
    for (uint32_t j = f->rank; j-- > 0;) {
        for (uint32_t k = j + 1; k < f->rank; k++) x[j] = fma(-f->r[k][j], x[k], x[j]);
        x[j] /= f->r[j][j];
    }
}

/* The norm of the correlations that are used, times that of their inverse: the largest sums of columns. */
static double condition_of(const struct fit *f, const double *covariance)
{
    double norm = 0, inverse = 0;
    for (uint32_t j = 0; j < f->rank; j++) {
        const uint32_t b = f->order[j];
        double sum = 0, of_inverse = 0, x[BLY_FIT_MOST] = {0};
        for (uint32_t i = 0; i < f->rank; i++) {
            const uint32_t a = f->order[i];
            sum += i == j ? 1 : fabs(covariance[a * (f->count + 1) + b] * f->scale[a] * f->scale[b]);
        }
        x[j] = 1;
        solve(f, x);
        for (uint32_t i = 0; i < f->rank; i++) of_inverse += fabs(x[i]);
        norm = sum > norm ? sum : norm;
        inverse = of_inverse > inverse ? of_inverse : inverse;
    }
    return norm * inverse;
}

struct bly_fit_quality bly_regression_fit(uint32_t count, const double *mean, const double *covariance,
                                          double *coefficient)
{
    struct fit f = {.count = count};
    double x[BLY_FIT_MOST] = {0}, constant = mean[count];
    begin_fit(&f, mean, covariance);
    factor(&f);
    for (uint32_t j = 0; j < f.rank; j++)
        x[j] = covariance[f.order[j] * (count + 1) + count] * f.scale[f.order[j]];
    solve(&f, x);
    memset(coefficient, 0, (count + 1) * sizeof *coefficient);
    for (uint32_t j = 0; j < f.rank; j++) coefficient[1 + f.order[j]] = x[j] * f.scale[f.order[j]];
    for (uint32_t i = 0; i < count; i++) constant = fma(-coefficient[1 + i], mean[i], constant);
    coefficient[0] = constant;
    return (struct bly_fit_quality){1 + f.rank, condition_of(&f, covariance)};
}
