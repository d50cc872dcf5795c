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
 * place of A and 1. With weights w the matrix that is sought is D X D, D = diag(sqrt(w)), of the diagonal b
 * w.
 *
 * Fixed entries are further constraints, whose multipliers stand outside of the diagonal of A + Y: constraint
 * k is <E, X> = target, E having 1 / sqrt(2) at (i, j) and (j, i). Where no positive definite matrix has
 * these entries, theta has no minimum, and its gradient does not vanish.
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
#define FEASIBLE 1e-10   /* of the gradient, for each dimension, where there are fixed entries */
#define ROOT_2 0x1.6a09e667f3bcdp+0
#define HALF_ROOT_2 0x1.6a09e667f3bcdp-1
enum { ITERATIONS = 100, HALVINGS = 30, SOLVER_STEPS = 200 };

struct newton {
    uint32_t n;
    uint32_t constraints;    /* n of the diagonal, then fixed entries */
    const uint32_t *entries; /* i * n + j of each fixed entry, i > j */
    const double *a;         /* A, [n][n] */
    double *target;          /* b, then those of the entries, [constraints] */
    double *vectors;         /* V, a row for each eigenvector */
    double *weights;         /* W */
    double *work, *other;    /* [n][n] */
    double *values;          /* l, and the others, [constraints] */
    double *y, *trial, *gradient, *step, *residual, *direction, *product, *scale;
};

enum { MATRICES = 4, VECTORS = 10 };

static double dot(const double *x, const double *y, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum = fma(x[i], y[i], sum);
    return sum;
}

static double positive(double x) { return x > 0 ? x : 0; }

/* Adds the fixed entries' part of Y. */
static void add_entries(const struct newton *s, const double *y, double *matrix)
{
    for (uint32_t k = s->n; k < s->constraints; k++) {
        const uint32_t entry = s->entries[k - s->n], i = entry / s->n, j = entry % s->n;
        matrix[i * s->n + j] = fma(HALF_ROOT_2, y[k], matrix[i * s->n + j]);
        matrix[j * s->n + i] = matrix[i * s->n + j];
    }
}

/* Adds factor <E, x v'> for each fixed entry; matrices x v' add up to a symmetric one. */
static void add_to_entries(const struct newton *s, double factor, const double *x, const double *v,
                           double *out)
{
    for (uint32_t k = s->n; k < s->constraints; k++) {
        const uint32_t entry = s->entries[k - s->n], i = entry / s->n, j = entry % s->n;
        out[k] = fma(factor * HALF_ROOT_2, fma(x[i], v[j], x[j] * v[i]), out[k]);
    }
}

/* theta(y), with its gradient and the eigenvalues that both come from. */
static double evaluate(struct newton *s, const double *y)
{
    const uint32_t n = s->n;
    double theta = 0;
    memcpy(s->work, s->a, (size_t)n * n * sizeof *s->work);
    for (uint32_t i = 0; i < n; i++) s->work[i * n + i] += y[i];
    add_entries(s, y, s->work);
    bly_eigen(s->work, n, s->vectors);
    for (uint32_t i = 0; i < s->constraints; i++) s->gradient[i] = -s->target[i];
    for (uint32_t k = 0; k < n; k++) {
        const double value = s->values[k] = s->work[k * n + k], *v = s->vectors + k * n;
        for (uint32_t i = 0; i < n && value > 0; i++)
            s->gradient[i] = fma(value * v[i], v[i], s->gradient[i]);
        theta = fma(0.5 * positive(value), positive(value), fma(-s->target[k], y[k], theta));
    }
    for (uint32_t k = 0; k < n; k++)
        if (s->values[k] > 0)
            add_to_entries(s, s->values[k], s->vectors + k * n, s->vectors + k * n, s->gradient);
    for (uint32_t k = n; k < s->constraints; k++) theta = fma(-s->target[k], y[k], theta);
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
    for (uint32_t k = n; k < s->constraints; k++) /* only about so large */
        s->scale[k] = sqrt(s->scale[s->entries[k - n] / n] * s->scale[s->entries[k - n] % n]);
}

/* V H, for the matrix H that is h at the constraints. */
static void times_constraints(struct newton *s, const double *h)
{
    const uint32_t n = s->n;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++) s->work[k * n + i] = s->vectors[k * n + i] * h[i];
    for (uint32_t c = n; c < s->constraints; c++) {
        const uint32_t i = s->entries[c - n] / n, j = s->entries[c - n] % n;
        const double part = HALF_ROOT_2 * h[c];
        for (uint32_t k = 0; k < n; k++) {
            s->work[k * n + i] = fma(part, s->vectors[k * n + j], s->work[k * n + i]);
            s->work[k * n + j] = fma(part, s->vectors[k * n + i], s->work[k * n + j]);
        }
    }
}

static void times_hessian(struct newton *s, const double *h, double *out)
{
    const uint32_t n = s->n;
    times_constraints(s, h);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t m = 0; m <= k; m++)
            s->other[k * n + m] = s->other[m * n + k] =
                s->weights[k * n + m] > 0
                    ? s->weights[k * n + m] * dot(s->work + k * n, s->vectors + m * n, n)
                    : 0;
    for (uint32_t i = 0; i < s->constraints; i++) out[i] = REGULAR * h[i];
    for (uint32_t k = 0; k < n; k++) {
        double *row = s->work + k * n;
        memset(row, 0, n * sizeof *row);
        for (uint32_t m = 0; m < n; m++)
            for (uint32_t i = 0; i < n && s->other[k * n + m] != 0; i++)
                row[i] = fma(s->other[k * n + m], s->vectors[m * n + i], row[i]);
        for (uint32_t i = 0; i < n; i++) out[i] = fma(row[i], s->vectors[k * n + i], out[i]);
        add_to_entries(s, 1, row, s->vectors + k * n, out);
    }
}

/* The step: conjugate gradients with the Hessian's diagonal as preconditioner, to a hundredth of the
 * gradient at most, and to the gradient's square near the minimum. */
static void find_step(struct newton *s, double size)
{
    const uint32_t n = s->constraints;
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
    const double slope = dot(s->gradient, s->step, s->constraints);
    double length = 1, there = theta;
    for (int k = 0; k < HALVINGS; k++, length /= 2) {
        for (uint32_t i = 0; i < s->constraints; i++) s->trial[i] = fma(length, s->step[i], s->y[i]);
        there = evaluate(s, s->trial);
        if (there <= theta + SUFFICIENT * length * slope + ROUNDING * (1 + fabs(theta))) break;
    }
    memcpy(s->y, s->trial, s->constraints * sizeof *s->y);
    return there;
}

/* Finds y; the eigenvalues and their vectors are then those of A + Y. Returns the length of the gradient. */
static double minimise(struct newton *s)
{
    double theta = evaluate(s, s->y), size = sqrt(dot(s->gradient, s->gradient, s->constraints));
    for (int k = 0; k < ITERATIONS && size > ENOUGH * s->n; k++) {
        const double before = size;
        find_step(s, size);
        theta = search(s, theta);
        size = sqrt(dot(s->gradient, s->gradient, s->constraints));
        if (size < 1e-9 * s->n && size > 0.5 * before) break; /* rounding is what is left */
    }
    return size;
}

/* The positive part of A + Y, plus `least`, scaled to a diagonal of exactly 1, which takes the weights away.
 */
static void place_nearest(struct newton *s, double least, const double *weights, double *x)
{
    const uint32_t n = s->n;
    memset(s->work, 0, (size_t)n * n * sizeof *s->work);
    for (uint32_t k = 0; k < n; k++) {
        const double *v = s->vectors + k * n;
        for (uint32_t i = 0; i < n && s->values[k] > 0; i++)
            for (uint32_t j = 0; j <= i; j++)
                s->work[i * n + j] = fma(s->values[k] * v[i], v[j], s->work[i * n + j]);
    }
    for (uint32_t i = 0; i < n; i++) s->scale[i] = sqrt(s->work[i * n + i] + least * weights[i]);
    for (uint32_t i = 0; i < n; i++) {
        x[i * n + i] = 1;
        for (uint32_t j = 0; j < i; j++) {
            const double value = s->work[i * n + j] / s->scale[i] / s->scale[j];
            x[i * n + j] = x[j * n + i] = fmax(-1, fmin(value, 1));
        }
    }
}

/* Memory for all of it, in one allocation, which is returned. */
static double *begin(struct newton *s, uint32_t n, uint32_t fixed)
{
    const size_t count = (size_t)n + fixed;
    double *memory = bly_alloc((size_t)n * n * MATRICES + count * VECTORS, sizeof *memory), *at = memory;
    double **const matrices[] = {&s->vectors, &s->weights, &s->work, &s->other};
    double **const vectors[] = {&s->values,   &s->y,         &s->trial,   &s->gradient, &s->step,
                                &s->residual, &s->direction, &s->product, &s->scale,    &s->target};
    s->n = n;
    s->constraints = n + fixed;
    for (int i = 0; i < MATRICES && memory; i++, at += (size_t)n * n) *matrices[i] = at;
    for (int i = 0; i < VECTORS && memory; i++, at += count) *vectors[i] = at;
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
    double *memory = begin(&s, dims, 0);
    if (!memory) return BAILEY_ERROR_MEMORY;
    bly_correlation_check(correlation, dims, MOST, s.other);
    s.a = s.other;
    evaluate(&s, s.y);
    memcpy(eigenvalues, s.values, dims * sizeof *eigenvalues);
    qsort(eigenvalues, dims, sizeof *eigenvalues, increasing);
    bly_free(memory);
    return BAILEY_OK;
}

/* The request, without the matrix. */
struct wish {
    double least;
    const double *weights; /* NULL: 1 */
    const uint32_t *fixed; /* NULL: none */
};

/* Whether the eigenvalues that have been found are all at least 0, and the entries from -1 to 1. */
static int is_nearest(const struct newton *s, const double *given)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->values[i] < 0) return 0;
    for (uint32_t i = 0; i < s->n * s->n; i++)
        if (fabs(given[i]) > 1) return 0;
    return 1;
}

static double distance_of(const double *x, const double *y, const double *roots, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n * n; i++) {
        const double change = (x[i] - y[i]) * roots[i / n] * roots[i % n];
        sum = fma(change, change, sum);
    }
    return sqrt(sum);
}

static bailey_status check_weights(const double *weights, uint32_t dims)
{
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; weights && i < dims; i++) {
        if (!(weights[i] > 0 && weights[i] < INFINITY))
            return bly_fail_argument("weights", "weights[%u] is %g, not above 0", i, weights[i]);
        least = fmin(least, weights[i]);
        most = fmax(most, weights[i]);
    }
    if (!weights || most <= 1e6 * least) return BAILEY_OK;
    return bly_fail_argument(
        "weights", "weights are from %g to %g; the largest may be 1e6 times the smallest", least, most);
}

static bailey_status check_fixed(const double *correlation, const uint32_t *fixed, uint32_t dims,
                                 uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; fixed && i < dims; i++)
        for (uint32_t j = 0; j < i; j++) {
            if (!fixed[i * dims + j] != !fixed[j * dims + i])
                return bly_fail_argument("fixed", "fixed[%u][%u] is %u, but fixed[%u][%u] is %u", i, j,
                                         fixed[i * dims + j], j, i, fixed[j * dims + i]);
            if (fixed[i * dims + j] && !(fabs(correlation[i * dims + j]) < 1))
                return bly_fail_argument("fixed",
                                         "entry [%u][%u] is %g and fixed; fixed ones are within -1 and 1", i,
                                         j, correlation[i * dims + j]);
            *count += fixed[i * dims + j] != 0;
        }
    return BAILEY_OK;
}

static bailey_status check_wish(const double *correlation, uint32_t dims, const struct wish *w,
                                const double *nearest, uint32_t *fixed)
{
    bailey_status status = bly_correlation_check(correlation, dims, MOST, NULL);
    if (status == BAILEY_OK && !(w->least >= 0 && w->least < 1))
        status =
            bly_fail_argument("least_eigenvalue", "least_eigenvalue is %g, not from 0 to below 1", w->least);
    if (status == BAILEY_OK && !nearest) status = bly_fail_argument("nearest", "nearest is NULL");
    if (status == BAILEY_OK) status = check_weights(w->weights, dims);
    return status == BAILEY_OK ? check_fixed(correlation, w->fixed, dims, fixed) : status;
}

/* Memory for what the search is given. */
struct given {
    double *exact;  /* the matrix */
    double *scaled; /* D (A - e) D */
    double *weights, *roots;
    uint32_t *entries;
};

static void end_given(struct given *g)
{
    bly_free(g->exact);
    bly_free(g->scaled);
    bly_free(g->weights);
    bly_free(g->roots);
    bly_free(g->entries);
}

static bailey_status begin_given(struct given *g, uint32_t n, uint32_t fixed)
{
    g->exact = bly_alloc(n, n * sizeof *g->exact);
    g->scaled = bly_alloc(n, n * sizeof *g->scaled);
    g->weights = bly_alloc(n, sizeof *g->weights);
    g->roots = bly_alloc(n, sizeof *g->roots);
    g->entries = bly_alloc((size_t)fixed + 1, sizeof *g->entries);
    if (g->exact && g->scaled && g->weights && g->roots && g->entries) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_MEMORY, "no memory for %u x %u entries", n, n);
}

/* Fills these; weights are taken relative to their mean, which changes no matrix. */
static void set_given(struct newton *s, struct given *g, const double *correlation, const struct wish *w)
{
    const uint32_t n = s->n;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += w->weights ? w->weights[i] : 1;
    for (uint32_t i = 0; i < n; i++) {
        g->weights[i] = w->weights ? w->weights[i] * n / sum : 1;
        g->roots[i] = sqrt(g->weights[i]);
        s->target[i] = (1 - w->least) * g->weights[i];
    }
    bly_correlation_check(correlation, n, MOST, g->exact);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const double entry = g->exact[i * n + j] - (i == j ? w->least : 0);
            g->scaled[i * n + j] = entry * g->roots[i] * g->roots[j];
            if (j >= i || !w->fixed || !w->fixed[i * n + j]) continue;
            s->target[n + k] = ROOT_2 * g->scaled[i * n + j];
            g->entries[k++] = i * n + j;
        }
    s->a = g->scaled;
    s->entries = g->entries;
}

static bailey_status find_nearest(struct newton *s, const struct given *g, const struct wish *w,
                                  double *nearest)
{
    const uint32_t n = s->n;
    evaluate(s, s->y);
    if (is_nearest(s, g->exact)) {
        memcpy(nearest, g->exact, (size_t)n * n * sizeof *nearest);
        return BAILEY_OK;
    }
    const double left = minimise(s);
    if (s->constraints > n && !(left <= FEASIBLE * n))
        return bly_fail_argument("fixed",
                                 "no correlation matrix, or only singular ones, have the fixed entries "
                                 "and these eigenvalues: the search ended %.2g away",
                                 left);
    place_nearest(s, w->least, g->weights, nearest);
    for (uint32_t k = n; k < s->constraints; k++) {
        const uint32_t i = s->entries[k - n] / n, j = s->entries[k - n] % n;
        nearest[i * n + j] = nearest[j * n + i] = g->exact[i * n + j];
    }
    return BAILEY_OK;
}

bailey_status bailey_correlation_adjust(const double *correlation, uint32_t dims, double least_eigenvalue,
                                        const double *weights, const uint32_t *fixed, double *nearest,
                                        double *distance)
{
    const struct wish w = {least_eigenvalue, weights, fixed};
    struct newton s = {0};
    struct given g = {0};
    uint32_t count = 0;
    bailey_status status = check_wish(correlation, dims, &w, nearest, &count);
    if (status != BAILEY_OK) return status;
    double *memory = begin(&s, dims, count);
    status = memory ? begin_given(&g, dims, count) : BAILEY_ERROR_MEMORY;
    if (status == BAILEY_OK) {
        set_given(&s, &g, correlation, &w);
        status = find_nearest(&s, &g, &w, nearest);
    }
    if (status == BAILEY_OK && distance) *distance = distance_of(nearest, g.exact, g.roots, dims);
    end_given(&g);
    bly_free(memory);
    return status;
}

bailey_status bailey_correlation_nearest(const double *correlation, uint32_t dims, double least_eigenvalue,
                                         double *nearest, double *distance)
{
    return bailey_correlation_adjust(correlation, dims, least_eigenvalue, NULL, NULL, nearest, distance);
}
