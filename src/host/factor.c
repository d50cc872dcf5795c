/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The results depend on these bits: every operation is one of IEEE 754's, and a product that meets a sum
 * does so in an fma.
 */
#include "factor.h"

#include "internal.h"

#include <math.h>

static bailey_status refuse(char *why, size_t why_size, const char *format, ...)
{
    if (why_size > 0) {
        va_list arguments;
        va_start(arguments, format);
        bly_format(why, why_size, format, arguments);
        va_end(arguments);
    }
    return BAILEY_ERROR_INVALID;
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
 * in the original order. */
static bailey_status factor_pivoting(const double *cov, uint32_t dims, const double *deviation, double *c,
                                     char *why, size_t why_size)
{
    const double tolerance = BLY_FACTOR_TOLERANCE(dims);
    double rest[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS]; /* lower triangle, less what is factored */
    unsigned char done[BAILEY_BRIDGE_MAX_DIMS];
    for (uint32_t i = 0; i < dims; i++) {
        done[i] = deviation[i] == 0;
        for (uint32_t j = 0; j < dims; j++) c[i * dims + j] = 0;
        for (uint32_t j = 0; j <= i; j++)
            rest[i * dims + j] = done[i] || done[j] ? 0
                                 : i == j           ? 1
                                                    : cov[i * dims + j] / deviation[i] / deviation[j];
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
            if (!done[i] && !done[j] && !(fabs(rest[i * dims + j]) <= tolerance))
                return refuse(why, why_size,
                              "covariance is not positive semi-definite: the other dimensions leave %.3g of "
                              "covariance[%u][%u] = %.17g, which is not %s",
                              rest[i * dims + j] * deviation[i] * deviation[j], i, j, cov[i * dims + j],
                              i == j ? "a variance" : "zero");
    make_triangular(c, dims, rank);
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j <= i; j++) c[i * dims + j] *= deviation[i];
    return BAILEY_OK;
}

bailey_status bly_factor_covariance(const double *cov, uint32_t dims, double *c, char *why, size_t why_size)
{
    const double tolerance = BLY_FACTOR_TOLERANCE(dims);
    double deviation[BAILEY_BRIDGE_MAX_DIMS];
    for (uint32_t i = 0; i < dims; i++) {
        for (uint32_t j = 0; j < dims; j++)
            if (!isfinite(cov[i * dims + j]))
                return refuse(why, why_size, "covariance[%u][%u] = %g is not finite", i, j,
                              cov[i * dims + j]);
        if (cov[i * dims + i] < 0)
            return refuse(why, why_size, "covariance[%u][%u] = %.17g is negative", i, i, cov[i * dims + i]);
        deviation[i] = sqrt(cov[i * dims + i]);
    }
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double lower = cov[i * dims + j], upper = cov[j * dims + i];
            const double most = deviation[i] * deviation[j];
            if (!(fabs(lower - upper) <= tolerance * most))
                return refuse(why, why_size,
                              "covariance[%u][%u] = %.17g differs from covariance[%u][%u] = %.17g", i, j,
                              lower, j, i, upper);
            if (!(fabs(lower) <= (1 + tolerance) * most))
                return refuse(why, why_size,
                              "covariance[%u][%u] = %.17g is more than covariance[%u][%u] = %.17g and "
                              "covariance[%u][%u] = %.17g allow",
                              i, j, lower, i, i, cov[i * dims + i], j, j, cov[j * dims + j]);
        }
    return factor_plainly(cov, dims, deviation, c) ? BAILEY_OK
                                                   : factor_pivoting(cov, dims, deviation, c, why, why_size);
}

bailey_status bly_check_factor(const double *c, uint32_t dims, char *why, size_t why_size)
{
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j <= i; j++)
            if (!isfinite(c[i * dims + j]))
                return refuse(why, why_size, "factor[%u][%u] = %g is not finite", i, j, c[i * dims + j]);
    return BAILEY_OK;
}
