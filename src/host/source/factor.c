/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * From a covariance matrix to a lower triangular factor. The bits of paths depend on it: every operation is
 * one of IEEE 754, and a product that meets a sum does so in an fma.
 */
#include "source.h"

#include <host/internal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int bly_digits(double value)
{
    char text[40];
    for (int n = 15; n < 17; n++) {
        snprintf(text, sizeof text, "%.*g", n, value); /* in any locale, as strtod is in the same */
        if (strtod(text, NULL) == value) return n;
    }
    return 17;
}

/* The correlation of dimensions i and j; where one of them has no variance they are independent. */
static double correlation_of(const double *cov, uint32_t dims, const double *deviation, uint32_t i,
                             uint32_t j)
{
    if (i == j) return 1;
    if (deviation[i] == 0 || deviation[j] == 0) return 0;
    return cov[i * dims + j] / deviation[i] / deviation[j];
}

/* Says that the matrix is not positive semi-definite, how far it is from it, and which entry to look at: to
 * first order an entry moves an eigenvalue by its two components of the eigenvector. */
static bailey_status refuse_indefinite(const char *name, const double *cov, uint32_t dims,
                                       const double *deviation)
{
    double scaled[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS], vector[BAILEY_BRIDGE_MAX_DIMS];
    uint32_t row = 1, column = 0;
    double most = 0;
    int unit = 1;
    for (uint32_t i = 0; i < dims; i++) {
        unit = unit && deviation[i] == 1;
        for (uint32_t j = 0; j < dims; j++)
            scaled[i * dims + j] = correlation_of(cov, dims, deviation, i > j ? i : j, i > j ? j : i);
    }
    const double eigenvalue = bly_eigen_smallest(scaled, dims, vector);
    for (uint32_t i = 1; i < dims; i++)
        for (uint32_t j = 0; j < i; j++)
            if (fabs(vector[i] * vector[j]) >
                1.000001 * most) /* of equals the first, whatever rounding does */
                most = fabs(vector[i] * vector[j]), row = i, column = j;
    const double entry = cov[row * dims + column];
    return bly_fail_argument(
        name,
        "%s is not positive semi-definite: %sits smallest eigenvalue is %.3g, determined mostly by "
        "%s[%u][%u] = %.*g%s",
        name, unit ? "" : "scaled to a diagonal of ones, ", eigenvalue, name, row, column, bly_digits(entry),
        entry,
        unit ? "; bailey_correlation_nearest and `bailey correlation FILE --nearest OUT` find the nearest "
               "correlation matrix"
             : "");
}

/* Cholesky's factorisation, column by column. A pivot within the tolerance of zero makes a zero column,
 * which is right only if what remains of the matrix is zero there. Returns 0 where it is not: then the
 * matrix is not positive semi-definite, or nearly singular in a way that needs pivoting. */
static int factor_plainly(const double *cov, uint32_t dims, const double *deviation, double *c)
{
    const double tolerance = BLY_FACTOR_TOLERANCE(dims);
    for (uint32_t j = 0; j < dims; j++) {
        double pivot = cov[j * dims + j];
        for (uint32_t k = 0; k < j; k++) pivot = fma(-c[j * dims + k], c[j * dims + k], pivot);
        const double zero = tolerance * cov[j * dims + j];
        if (!(pivot >= -zero)) return 0;
        c[j * dims + j] = pivot > zero ? sqrt(pivot) : 0;
        for (uint32_t i = 0; i < j; i++) c[i * dims + j] = 0;
        for (uint32_t i = j + 1; i < dims; i++) {
            double rest = cov[i * dims + j];
            for (uint32_t k = 0; k < j; k++) rest = fma(-c[i * dims + k], c[j * dims + k], rest);
            if (pivot > zero)
                c[i * dims + j] = rest / c[j * dims + j];
            else if (fabs(rest) <= tolerance * (deviation[i] * deviation[j]))
                c[i * dims + j] = 0;
            else
                return 0;
        }
    }
    return 1;
}

/* Makes c, whose first `columns` columns are in use, lower triangular by Givens rotations of columns,
 * which leave C C' as it is. G. Golub, C. Van Loan, "Matrix Computations", 4th ed., section 5.1.8. */
static void make_triangular(double *c, uint32_t dims, uint32_t columns)
{
    for (uint32_t i = 0; i < columns; i++) {
        for (uint32_t k = i + 1; k < columns; k++) {
            const double x = c[i * dims + i], y = c[i * dims + k];
            if (y == 0) continue;
            const double larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
            const double u = x / larger, v = y / larger, length = sqrt(fma(u, u, v * v));
            const double cosine = u / length, sine = v / length;
            c[i * dims + i] = larger * length;
            c[i * dims + k] = 0;
            for (uint32_t row = i + 1; row < dims; row++) {
                const double a = c[row * dims + i], b = c[row * dims + k];
                c[row * dims + i] = fma(sine, b, cosine * a);
                c[row * dims + k] = fma(cosine, b, -(sine * a));
            }
        }
        if (c[i * dims + i] < 0)
            for (uint32_t row = i; row < dims; row++) c[row * dims + i] = -c[row * dims + i];
    }
}

/* Cholesky's factorisation of the correlations with complete pivoting, which finds the rank reliably
 * (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 10.3), made triangular
 * in the original order. Returns 0 if the matrix is not positive semi-definite. */
static int factor_pivoting(const double *cov, uint32_t dims, const double *deviation, double *c)
{
    const double tolerance = BLY_FACTOR_TOLERANCE(dims);
    double rest[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS]; /* lower triangle, less what is factored */
    unsigned char done[BAILEY_BRIDGE_MAX_DIMS];
    for (uint32_t i = 0; i < dims; i++) {
        done[i] = deviation[i] == 0;
        for (uint32_t j = 0; j < dims; j++) c[i * dims + j] = 0;
        for (uint32_t j = 0; j <= i; j++)
            rest[i * dims + j] = done[i] || done[j] ? 0 : correlation_of(cov, dims, deviation, i, j);
    }
    uint32_t rank = 0;
    for (; rank < dims; rank++) {
        uint32_t best = dims;
        double pivot = tolerance;
        for (uint32_t i = 0; i < dims; i++)
            if (!done[i] && rest[i * dims + i] > pivot) best = i, pivot = rest[i * dims + i];
        if (best == dims) break;
        const double root = sqrt(pivot);
        done[best] = 1;
        c[best * dims + rank] = root;
        for (uint32_t i = 0; i < dims; i++)
            if (!done[i]) c[i * dims + rank] = rest[i > best ? i * dims + best : best * dims + i] / root;
        for (uint32_t i = 0; i < dims; i++)
            for (uint32_t j = 0; j <= i; j++)
                if (!done[i] && !done[j])
                    rest[i * dims + j] = fma(-c[i * dims + rank], c[j * dims + rank], rest[i * dims + j]);
    }
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j <= i; j++)
            if (!done[i] && !done[j] && !(fabs(rest[i * dims + j]) <= tolerance)) return 0;
    make_triangular(c, dims, rank);
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j <= i; j++) c[i * dims + j] *= deviation[i];
    return 1;
}

bailey_status bly_factor_covariance(const char *name, const double *cov, uint32_t dims, double *c)
{
    const double tolerance = BLY_FACTOR_TOLERANCE(dims);
    double deviation[BAILEY_BRIDGE_MAX_DIMS];
    for (uint32_t i = 0; i < dims; i++) {
        for (uint32_t j = 0; j < dims; j++)
            if (!isfinite(cov[i * dims + j]))
                return bly_fail_argument(name, "%s[%u][%u] = %g is not finite", name, i, j,
                                         cov[i * dims + j]);
        const double variance = cov[i * dims + i];
        if (variance < 0)
            return bly_fail_argument(name, "%s[%u][%u] = %.*g is negative", name, i, i, bly_digits(variance),
                                     variance);
        deviation[i] = sqrt(variance);
    }
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double lower = cov[i * dims + j], upper = cov[j * dims + i];
            const double most = deviation[i] * deviation[j];
            if (!(fabs(lower - upper) <= tolerance * most))
                return bly_fail_argument(name, "%s[%u][%u] = %.*g differs from %s[%u][%u] = %.*g", name, i, j,
                                         bly_digits(lower), lower, name, j, i, bly_digits(upper), upper);
            if (!(fabs(lower) <= (1 + tolerance) * most))
                return bly_fail_argument(
                    name,
                    "%s[%u][%u] = %.*g exceeds the limit given by %s[%u][%u] = %.*g and %s[%u][%u] = %.*g",
                    name, i, j, bly_digits(lower), lower, name, i, i, bly_digits(cov[i * dims + i]),
                    cov[i * dims + i], name, j, j, bly_digits(cov[j * dims + j]), cov[j * dims + j]);
        }
    if (factor_plainly(cov, dims, deviation, c) || factor_pivoting(cov, dims, deviation, c)) return BAILEY_OK;
    return refuse_indefinite(name, cov, dims, deviation);
}

bailey_status bly_check_factor(const double *c, uint32_t dims)
{
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j <= i; j++)
            if (!isfinite(c[i * dims + j]))
                return bly_fail_argument("factor", "factor[%u][%u] = %g is not finite", i, j,
                                         c[i * dims + j]);
    return BAILEY_OK;
}
