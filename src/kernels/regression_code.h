/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Least squares of a few functions, by the items of a group: from sums over paths to coefficients. In double,
 * in plain IEEE operations whose order does not depend on how many items there are, so that a device and the
 * host (host/run/regression.c) get the same bits.
 *
 * Before this file: BLY_BLOCK items, BLY_LOCAL_ID, BLY_BARRIER() and BLY_SHARED, as kernels/group_entry.h has
 * them.
 */
#ifndef BLY_REGRESSION_CODE_H
#define BLY_REGRESSION_CODE_H

#include "bailey/device/dialect.h"
#include "kernels/payoff_functions.h"
#include "kernels/simulation_nodes.h"

#if BAILEY_HAS_F64

#define BLY_FIT_CONSTANT                                                                                     \
    0x1p-40                   /* a part of its mean square up to which a function varies by rounding alone */
#define BLY_FIT_NEW 0x1p-24   /* a part of its variance below which it is a combination of others */
#define BLY_FIT_SOUND 0x1p-44 /* a part of the mean square up to which a variance is rounding */
#define BLY_FIT_FEWEST 2      /* paths for each function */

/* A fit of `count` functions besides the constant, in memory of the group. */
typedef struct bly_fit {
    bailey_uint32 count, rank;
    double condition;
    BLY_SHARED double *mean, *covariance; /* [count + 1], [count + 1][count + 1]: the regressand is last */
    BLY_SHARED double *coefficient;       /* [count + 1]: the constant's first */
    BLY_SHARED double *order; /* in which functions are taken: the one that is least explained so far */
    BLY_SHARED double *scale; /* 1 / standard deviation; 0 of one that does not vary */
    BLY_SHARED double *norm, *inverse; /* of columns */
    BLY_SHARED double *r;              /* correlations, then in the lower triangle their factor */
    BLY_SHARED double *x;              /* [count + 1][count]: solutions */
} bly_fit;

/* So that an item takes every so many. */
#define BLY_FIT_EACH(i, count) for (bailey_uint32 i = BLY_LOCAL_ID; i < (count); i += BLY_BLOCK)

BAILEY_FN bly_fit bly_fit_at(BLY_SHARED double *memory, bailey_uint32 count)
{
    bly_fit f;
    f.count = count;
    f.rank = 0;
    f.condition = 0;
    f.mean = memory;
    f.covariance = f.mean + (count + 1);
    f.coefficient = f.covariance + (count + 1) * (count + 1);
    f.order = f.coefficient + (count + 1);
    f.scale = f.order + count;
    f.norm = f.scale + count;
    f.inverse = f.norm + count;
    f.r = f.inverse + count;
    f.x = f.r + count * count;
    return f;
}

BAILEY_FN double bly_fit_correlation(const bly_fit *f, bailey_uint32 i, bailey_uint32 j)
{
    return f->covariance[i * (f->count + 1) + j] * f->scale[i] * f->scale[j];
}

BAILEY_FN void bly_fit_begin(const bly_fit *f)
{
    const bailey_uint32 n = f->count;
    BLY_FIT_EACH(i, n)
    {
        const double variance = f->covariance[i * (n + 1) + i];
        const int varies = variance > BLY_FIT_CONSTANT * bailey_fma_f64(f->mean[i], f->mean[i], variance);
        f->order[i] = i;
        f->scale[i] = varies ? 1 / BLY_PAYOFF_SQRT_f64(variance) : 0;
    }
    BLY_BARRIER();
    BLY_FIT_EACH(e, n * n)
    {
        const bailey_uint32 i = e / n, j = e % n;
        f->r[e] = i == j ? (f->scale[i] > 0 ? 1 : 0) : bly_fit_correlation(f, i, j);
    }
    BLY_BARRIER();
}

BAILEY_FN void bly_fit_exchange(BLY_SHARED double *a, BLY_SHARED double *b)
{
    const double x = *a;
    *a = *b;
    *b = x;
}

/* Function `best` becomes number j. */
BAILEY_FN void bly_fit_take(const bly_fit *f, bailey_uint32 j, bailey_uint32 best)
{
    const bailey_uint32 n = f->count;
    if (best == j) return;
    BLY_FIT_EACH(k, n) bly_fit_exchange(&f->r[j * n + k], &f->r[best * n + k]);
    BLY_BARRIER();
    BLY_FIT_EACH(k, n) bly_fit_exchange(&f->r[k * n + j], &f->r[k * n + best]);
    if (BLY_LOCAL_ID == 0) bly_fit_exchange(&f->order[j], &f->order[best]);
    BLY_BARRIER();
}

/* Cholesky's factorisation with pivots: of equal ones the first. */
BAILEY_FN void bly_fit_factor(bly_fit *f)
{
    const bailey_uint32 n = f->count;
    for (f->rank = 0; f->rank < n; f->rank++) {
        const bailey_uint32 j = f->rank;
        bailey_uint32 best = j;
        for (bailey_uint32 k = j + 1; k < n; k++)
            if (f->r[k * n + k] > f->r[best * n + best]) best = k;
        if (!(f->r[best * n + best] > BLY_FIT_NEW)) break; /* of all items */
        BLY_BARRIER();
        bly_fit_take(f, j, best);
        if (BLY_LOCAL_ID == 0) f->r[j * n + j] = BLY_PAYOFF_SQRT_f64(f->r[j * n + j]);
        BLY_BARRIER();
        BLY_FIT_EACH(i, n)
        if (i > j) f->r[i * n + j] /= f->r[j * n + j];
        BLY_BARRIER();
        BLY_FIT_EACH(e, n * n)
        {
            const bailey_uint32 i = e / n, k = e % n;
            if (k <= j || k > i) continue;
            f->r[k * n + i] = f->r[e] = bailey_fma_f64(-f->r[i * n + j], f->r[k * n + j], f->r[e]);
        }
        BLY_BARRIER();
    }
}

/* x becomes the solution, for the functions in their order. */
BAILEY_FN void bly_fit_solve(const bly_fit *f, BLY_SHARED double *x)
{
    const bailey_uint32 n = f->count;
    for (bailey_uint32 j = 0; j < f->rank; j++) {
        double sum = x[j];
        BAILEY_UNROLL_4
        for (bailey_uint32 k = 0; k < j; k++) sum = bailey_fma_f64(-f->r[j * n + k], x[k], sum);
        x[j] = sum / f->r[j * n + j];
    }
    for (bailey_uint32 j = f->rank; j-- > 0;) {
        double sum = x[j];
        BAILEY_UNROLL_4
        for (bailey_uint32 k = j + 1; k < f->rank; k++) sum = bailey_fma_f64(-f->r[k * n + j], x[k], sum);
        x[j] = sum / f->r[j * n + j];
    }
}

/* A column of the inverse for each function that is used, side by side. */
BAILEY_FN void bly_fit_invert(const bly_fit *f)
{
    const bailey_uint32 n = f->count;
    BLY_FIT_EACH(c, f->rank)
    {
        BLY_SHARED double *x = f->x + c * n;
        for (bailey_uint32 j = 0; j < f->rank; j++) x[j] = j == c ? 1 : 0;
        bly_fit_solve(f, x);
        double sum = 0, of_inverse = 0;
        for (bailey_uint32 i = 0; i < f->rank; i++) {
            const double r = bly_fit_correlation(f, (bailey_uint32)f->order[i], (bailey_uint32)f->order[c]);
            sum += i == c ? 1 : (r < 0 ? -r : r);
            of_inverse += x[i] < 0 ? -x[i] : x[i];
        }
        f->norm[c] = sum;
        f->inverse[c] = of_inverse;
    }
    BLY_BARRIER();
}

/* The norm of the correlations that are used, times that of their inverse: the largest sums of columns. */
BAILEY_FN double bly_fit_condition(const bly_fit *f)
{
    double norm = 0, inverse = 0;
    for (bailey_uint32 j = 0; j < f->rank; j++) {
        norm = f->norm[j] > norm ? f->norm[j] : norm;
        inverse = f->inverse[j] > inverse ? f->inverse[j] : inverse;
    }
    return norm * inverse;
}

/* Factor, rank and condition, from mean and covariance of the functions. All items call it, and may read the result. */
BAILEY_FN void bly_fit_functions(bly_fit *f)
{
    bly_fit_begin(f);
    bly_fit_factor(f);
    bly_fit_invert(f);
    f->condition = bly_fit_condition(f);
}

/* Coefficients, from the regressand's mean and covariances: the same of these. */
BAILEY_FN void bly_fit_coefficients(const bly_fit *f)
{
    const bailey_uint32 n = f->count;
    if (BLY_LOCAL_ID == 0) {
        BLY_SHARED double *x = f->x;
        double level = f->mean[n];
        for (bailey_uint32 j = 0; j < f->rank; j++) {
            const bailey_uint32 own = (bailey_uint32)f->order[j];
            x[j] = f->covariance[own * (n + 1) + n] * f->scale[own];
        }
        bly_fit_solve(f, x);
        for (bailey_uint32 j = 0; j < n; j++) f->coefficient[1 + j] = 0;
        for (bailey_uint32 j = 0; j < f->rank; j++) {
            const bailey_uint32 own = (bailey_uint32)f->order[j];
            f->coefficient[1 + own] = x[j] * f->scale[own];
        }
        for (bailey_uint32 i = 0; i < n; i++)
            level = bailey_fma_f64(-f->coefficient[1 + i], f->mean[i], level);
        f->coefficient[0] = level;
    }
    BLY_BARRIER();
}

/* ---- From sums ------------------------------------------------------------------------------------ */

/* Output 0 of a look is 1 on the paths that count and 0 on others, on which outputs are 0; then come `count`
 * functions and the regressand. Its sums are those of BLY_PRODUCTS_OTHERS, then of BLY_PRODUCTS_LAST. */

/* The covariance of two outputs between the paths that count, a part q of all n, from sums of their product and of
 * each. */
BAILEY_FN double bly_fit_covariance(double product, double a, double b, double q, double n, int is_variance)
{
    const double value = bailey_fma_f64(-(a / n), b, product) / (n - 1);
    const double all = (!is_variance || value > BLY_FIT_SOUND * (product / n) ? value : 0) * ((n - 1) / n);
    return bailey_fma_f64(-(a / n * (b / n)), (1 - q) / q, all) / q;
}

/* Whether so many paths count, a sum, that there is a fit. */
BAILEY_FN int bly_fit_is_possible(const bly_fit *f, double paths, double n)
{
    return !(paths / n * n < BLY_FIT_FEWEST * (double)(f->count + 1));
}

/* Mean and covariance of the functions. */
BAILEY_FN void bly_fit_read_functions(const bly_fit *f, const BLY_SHARED double *sums, double n)
{
    const bailey_uint32 count = f->count, outputs = count + 1;
    const double q = sums[0] / n;
    BLY_FIT_EACH(i, count) f->mean[i] = sums[1 + i] / n / q;
    BLY_FIT_EACH(e, count * count)
    {
        const bailey_uint32 i = e / count, j = e % count, a = 1 + (i < j ? i : j), b = 1 + (i < j ? j : i);
        f->covariance[i * (count + 1) + j] = bly_fit_covariance(
            sums[outputs + a * outputs + b - a * (a + 1) / 2], sums[a], sums[b], q, n, a == b);
    }
    BLY_BARRIER();
}

/* Mean and covariances of the regressand, given sums of paths that count and of functions, which are `of`. */
BAILEY_FN void bly_fit_read_regressand(const bly_fit *f, const BLY_SHARED double *of, const BLY_SHARED double *sums,
                                       double n)
{
    const bailey_uint32 count = f->count;
    const double q = of[0] / n;
    BLY_FIT_EACH(i, count + 1)
    {
        f->mean[i] = (i < count ? of[1 + i] : sums[0]) / n / q;
        if (i < count)
            f->covariance[i * (count + 1) + count] =
                bly_fit_covariance(sums[1 + i], of[1 + i], sums[0], q, n, 0);
    }
    BLY_BARRIER();
}

#endif

#endif
