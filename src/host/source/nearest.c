/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The nearest correlation matrix by Newton's method on the dual problem: H. Qi, D. Sun, "A quadratically
 * convergent Newton method for computing the nearest correlation matrix", SIAM J. Matrix Anal. Appl. 28
 * (2006), 360-385. Alternating projections (Higham 2002) need no equations to be solved, but some hundred
 * eigenvalue problems; this needs about ten.
 *
 * Among matrices X of the diagonal b that are positive semi-definite the one nearest to A is the positive
 * part of A + diag(y), where y is the minimum of the convex function theta(y) = |(A + diag(y))+|^2 / 2 - b
 * sum(y). Its gradient is the diagonal of the positive part, less b. With A + diag(y) = V' diag(l) V a
 * generalised Hessian takes h to the diagonal of V' (W o (V diag(h) V')) V, where W[k][m] is the part of l[k]
 * - l[m] that is a difference of positive parts. For eigenvalues of at least e, A - e and b = 1 - e take the
 * place of A and 1.
 */
#include "source.h"

#include <base/alloc.h>
#include <base/status.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 1000.0      /* entries */
#define ENOUGH 1e-13     /* of the gradient, for each dimension */
#define REGULAR 1e-12    /* added to the Hessian, which may be singular far from the minimum */
#define SUFFICIENT 1e-4  /* Armijo's part of the decrease that the slope promises */
#define ROUNDING 0x1p-46 /* what theta is uncertain by, of its size */
enum { ITERATIONS = 100, HALVINGS = 30, SOLVER_STEPS = 200 };

struct newton {
    uint32_t n;
    double diagonal;      /* b */
    const double *a;      /* A, [n][n] */
    double *vectors;      /* V, a row for each eigenvector */
    double *weights;      /* W */
    double *work, *other; /* [n][n] */
    double *values;       /* l, and the others, [n] */
    double *y, *trial, *gradient, *step, *residual, *direction, *product, *scale;
};

enum { MATRICES = 4, VECTORS = 9 };

static double dot(const double *x, const double *y, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum = fma(x[i], y[i], sum);
    return sum;
}

static double positive(double x) { return x > 0 ? x : 0; }

/* theta(y), with its gradient and the eigenvalues that both come from. */
static double evaluate(struct newton *s, const double *y)
{
    const uint32_t n = s->n;
    double theta = 0;
    memcpy(s->work, s->a, (size_t)n * n * sizeof *s->work);
    for (uint32_t i = 0; i < n; i++) s->work[i * n + i] += y[i];
    bly_eigen(s->work, n, s->vectors);
    for (uint32_t i = 0; i < n; i++) s->gradient[i] = -s->diagonal;
    for (uint32_t k = 0; k < n; k++) {
        const double value = s->values[k] = s->work[k * n + k], *v = s->vectors + k * n;
        for (uint32_t i = 0; i < n && value > 0; i++)
            s->gradient[i] = fma(value * v[i], v[i], s->gradient[i]);
        theta = fma(0.5 * positive(value), positive(value), fma(-s->diagonal, y[k], theta));
    }
    return theta;
}

/* W, and the diagonal of the Hessian. */
static void prepare_hessian(struct newton *s)
{
    const uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++) s->scale[i] = REGULAR;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t m = 0; m < n; m++) {
            const double x = s->values[k], y = s->values[m];
            const double weight = x > 0 && y > 0     ? 1
                                  : x <= 0 && y <= 0 ? 0
                                                     : (positive(x) - positive(y)) / (x - y);
            s->weights[k * n + m] = weight;
            const double *v = s->vectors + k * n, *w = s->vectors + m * n;
            for (uint32_t i = 0; i < n && weight > 0; i++)
                s->scale[i] = fma(weight * v[i] * v[i], w[i] * w[i], s->scale[i]);
        }
}

static void times_hessian(struct newton *s, const double *h, double *out)
{
    const uint32_t n = s->n;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++) s->work[k * n + i] = s->vectors[k * n + i] * h[i];
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t m = 0; m <= k; m++)
            s->other[k * n + m] = s->other[m * n + k] =
                s->weights[k * n + m] > 0
                    ? s->weights[k * n + m] * dot(s->work + k * n, s->vectors + m * n, n)
                    : 0;
    for (uint32_t i = 0; i < n; i++) out[i] = REGULAR * h[i];
    for (uint32_t k = 0; k < n; k++) {
        double *row = s->work + k * n;
        memset(row, 0, n * sizeof *row);
        for (uint32_t m = 0; m < n; m++)
            for (uint32_t i = 0; i < n && s->other[k * n + m] != 0; i++)
                row[i] = fma(s->other[k * n + m], s->vectors[m * n + i], row[i]);
        for (uint32_t i = 0; i < n; i++) out[i] = fma(row[i], s->vectors[k * n + i], out[i]);
    }
}

/* The step: conjugate gradients with the Hessian's diagonal as preconditioner, to a hundredth of the
 * gradient at most, and to the gradient's square near the minimum. */
static void find_step(struct newton *s, double size)
{
    const uint32_t n = s->n;
    const double enough = size * fmin(0.01, size);
    double rho = 0;
    prepare_hessian(s);
    for (uint32_t i = 0; i < n; i++) {
        s->step[i] = 0;
        s->residual[i] = -s->gradient[i];
        s->direction[i] = s->residual[i] / s->scale[i];
        rho = fma(s->residual[i], s->direction[i], rho);
    }
    for (int k = 0; k < SOLVER_STEPS && sqrt(dot(s->residual, s->residual, n)) > enough; k++) {
        times_hessian(s, s->direction, s->product);
        const double curvature = dot(s->direction, s->product, n);
        if (!(curvature > 0)) return;
        const double length = rho / curvature, before = rho;
        rho = 0;
        for (uint32_t i = 0; i < n; i++) {
            s->step[i] = fma(length, s->direction[i], s->step[i]);
            s->residual[i] = fma(-length, s->product[i], s->residual[i]);
            rho = fma(s->residual[i], s->residual[i] / s->scale[i], rho);
        }
        for (uint32_t i = 0; i < n; i++)
            s->direction[i] = fma(rho / before, s->direction[i], s->residual[i] / s->scale[i]);
    }
}

/* Goes along the step as far as theta decreases enough. Returns theta there. */
static double search(struct newton *s, double theta)
{
    const double slope = dot(s->gradient, s->step, s->n);
    double length = 1, there = theta;
    for (int k = 0; k < HALVINGS; k++, length /= 2) {
        for (uint32_t i = 0; i < s->n; i++) s->trial[i] = fma(length, s->step[i], s->y[i]);
        there = evaluate(s, s->trial);
        if (there <= theta + SUFFICIENT * length * slope + ROUNDING * (1 + fabs(theta))) break;
    }
    memcpy(s->y, s->trial, s->n * sizeof *s->y);
    return there;
}

/* Finds y; the eigenvalues and their vectors are then those of A + diag(y). */
static void minimise(struct newton *s)
{
    double theta = evaluate(s, s->y), size = sqrt(dot(s->gradient, s->gradient, s->n));
    for (int k = 0; k < ITERATIONS && size > ENOUGH * s->n; k++) {
        const double before = size;
        find_step(s, size);
        theta = search(s, theta);
        size = sqrt(dot(s->gradient, s->gradient, s->n));
        if (size < 1e-9 * s->n && size > 0.5 * before) break; /* rounding is what is left */
    }
}

/* The positive part of A + diag(y), plus `least`, scaled to a diagonal of exactly 1. */
static void place_nearest(struct newton *s, double least, double *x)
{
    const uint32_t n = s->n;
    memset(s->work, 0, (size_t)n * n * sizeof *s->work);
    for (uint32_t k = 0; k < n; k++) {
        const double *v = s->vectors + k * n;
        for (uint32_t i = 0; i < n && s->values[k] > 0; i++)
            for (uint32_t j = 0; j <= i; j++)
                s->work[i * n + j] = fma(s->values[k] * v[i], v[j], s->work[i * n + j]);
    }
    for (uint32_t i = 0; i < n; i++) s->scale[i] = sqrt(s->work[i * n + i] + least);
    for (uint32_t i = 0; i < n; i++) {
        x[i * n + i] = 1;
        for (uint32_t j = 0; j < i; j++) {
            const double value = s->work[i * n + j] / s->scale[i] / s->scale[j];
            x[i * n + j] = x[j * n + i] = fmax(-1, fmin(value, 1));
        }
    }
}

/* Memory for all of it, in one allocation, which is returned. */
static double *begin(struct newton *s, uint32_t n)
{
    double *memory = bly_alloc((size_t)n * (MATRICES * n + VECTORS), sizeof *memory), *at = memory;
    double **const matrices[] = {&s->vectors, &s->weights, &s->work, &s->other};
    double **const vectors[] = {&s->values,   &s->y,         &s->trial,   &s->gradient, &s->step,
                                &s->residual, &s->direction, &s->product, &s->scale};
    s->n = n;
    for (int i = 0; i < MATRICES && memory; i++, at += (size_t)n * n) *matrices[i] = at;
    for (int i = 0; i < VECTORS && memory; i++, at += n) *vectors[i] = at;
    if (!memory) bly_fail(BAILEY_ERROR_MEMORY, "no memory for the eigenvalues of %u x %u entries", n, n);
    return memory;
}

static int increasing(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

bailey_status bailey_correlation_eigenvalues(const double *correlation, uint32_t dims, double *eigenvalues)
{
    struct newton s = {0};
    bailey_status status = bly_correlation_check(correlation, dims, MOST, NULL);
    if (status == BAILEY_OK && !eigenvalues) status = bly_fail_argument("eigenvalues", "eigenvalues is NULL");
    if (status != BAILEY_OK) return status;
    double *memory = begin(&s, dims);
    if (!memory) return BAILEY_ERROR_MEMORY;
    bly_correlation_check(correlation, dims, MOST, s.other);
    s.a = s.other;
    evaluate(&s, s.y);
    memcpy(eigenvalues, s.values, dims * sizeof *eigenvalues);
    qsort(eigenvalues, dims, sizeof *eigenvalues, increasing);
    bly_free(memory);
    return BAILEY_OK;
}

/* Whether the eigenvalues that have been found are all at least 0, and the entries from -1 to 1. */
static int is_nearest(const struct newton *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->values[i] < 0) return 0;
    for (uint32_t i = 0; i < s->n * s->n; i++)
        if (fabs(s->a[i]) > 1) return 0;
    return 1;
}

static double distance_of(const double *x, const double *y, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n * n; i++) sum = fma(x[i] - y[i], x[i] - y[i], sum);
    return sqrt(sum);
}

bailey_status bailey_correlation_nearest(const double *correlation, uint32_t dims, double least_eigenvalue,
                                         double *nearest, double *distance)
{
    struct newton s = {.diagonal = 1 - least_eigenvalue};
    bailey_status status = bly_correlation_check(correlation, dims, MOST, NULL);
    if (status == BAILEY_OK && !(least_eigenvalue >= 0 && least_eigenvalue < 1))
        status = bly_fail_argument("least_eigenvalue", "least_eigenvalue is %g, not from 0 to below 1",
                                   least_eigenvalue);
    if (status == BAILEY_OK && !nearest) status = bly_fail_argument("nearest", "nearest is NULL");
    if (status != BAILEY_OK) return status;
    double *memory = begin(&s, dims), *given = memory ? bly_alloc(dims, dims * sizeof *given) : NULL;
    if (!given) {
        bly_free(memory);
        return bly_fail(BAILEY_ERROR_MEMORY, "no memory for %u x %u entries", dims, dims);
    }
    bly_correlation_check(correlation, dims, MOST, given);
    for (uint32_t i = 0; i < dims; i++) given[i * dims + i] -= least_eigenvalue;
    s.a = given;
    evaluate(&s, s.y);
    const int unchanged = is_nearest(&s);
    if (!unchanged) minimise(&s);
    for (uint32_t i = 0; i < dims; i++) given[i * dims + i] = 1;
    if (unchanged)
        memcpy(nearest, given, (size_t)dims * dims * sizeof *nearest);
    else
        place_nearest(&s, least_eigenvalue, nearest);
    if (distance) *distance = distance_of(nearest, given, dims);
    bly_free(given);
    bly_free(memory);
    return BAILEY_OK;
}
