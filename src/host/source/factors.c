/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The nearest correlation matrix of a factor model, by the spectral projected gradient method (E. Birgin, J.
 * Martinez, M. Raydan, "Nonmonotone spectral projected gradient methods on convex sets", SIAM J. Optim. 10
 * (2000), algorithm SPG2), which R. Borsdorf, N. Higham and M. Raydan (2010) recommend for it. Rows of L are
 * projected onto the unit ball; f(L) is the sum of (A - L L')^2 outside of the diagonal, with the gradient
 * 4 (L (L' L) - diag(|row|^2) L - A L), where A has zeros on its diagonal.
 */
#include "source.h"

#include <base/alloc.h>
#include <base/status.h>

#include <math.h>
#include <string.h>

#define MOST 1000.0      /* entries */
#define ENOUGH 1e-9      /* of a projected step */
#define SUFFICIENT 1e-4  /* part of the decrease that the slope promises */
#define LEAST_STEP 1e-10 /* and its inverse, the largest */
enum { ITERATIONS = 5000, MEMORY = 10, HALVINGS = 40 };

struct search {
    uint32_t n, k;
    const double *a;                                           /* [n][n], zeros on the diagonal */
    double *l, *gradient, *direction, *trial, *gradient_there; /* [n][k] */
    double *square;                                            /* L' L, [k][k] */
    double history[MEMORY];
};

static double dot(const double *x, const double *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum = fma(x[i], y[i], sum);
    return sum;
}

/* Puts each row into the unit ball. */
static void project(const struct search *s, double *l)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const double length = sqrt(dot(l + i * s->k, l + i * s->k, s->k));
        for (uint32_t c = 0; c < s->k && length > 1; c++) l[i * s->k + c] /= length;
    }
}

/* f(L) and its gradient. */
static double evaluate(const struct search *s, const double *l, double *gradient)
{
    const uint32_t n = s->n, k = s->k;
    double f = 0;
    for (uint32_t c = 0; c < k; c++)
        for (uint32_t d = 0; d < k; d++) {
            double sum = 0;
            for (uint32_t i = 0; i < n; i++) sum = fma(l[i * k + c], l[i * k + d], sum);
            s->square[c * k + d] = sum;
        }
    for (uint32_t i = 0; i < n; i++) {
        const double *row = l + i * k, square = dot(row, row, k);
        double *g = gradient + i * k;
        for (uint32_t c = 0; c < k; c++) g[c] = dot(s->square + c * k, row, k) - square * row[c];
        for (uint32_t j = 0; j < n; j++) {
            const double entry = s->a[i * n + j];
            if (j == i) continue;
            const double miss = entry - dot(row, l + j * k, k);
            f = fma(miss, miss, f);
            for (uint32_t c = 0; c < k && entry != 0; c++) g[c] = fma(-entry, l[j * k + c], g[c]);
        }
        for (uint32_t c = 0; c < k; c++) g[c] *= 4;
    }
    return f;
}

/* The largest eigenvalues' vectors, times their roots. */
static bailey_status begin_loadings(struct search *s)
{
    const uint32_t n = s->n;
    double *matrix = bly_alloc((size_t)n * n, 2 * sizeof *matrix),
           *vectors = matrix ? matrix + (size_t)n * n : NULL;
    if (!matrix)
        return bly_fail(BAILEY_ERROR_MEMORY, "no memory for the eigenvalues of %u x %u entries", n, n);
    memcpy(matrix, s->a, (size_t)n * n * sizeof *matrix);
    for (uint32_t i = 0; i < n; i++) matrix[i * n + i] = 1;
    bly_eigen(matrix, n, vectors);
    for (uint32_t c = 0; c < s->k; c++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < n; i++)
            if (matrix[i * n + i] > matrix[best * n + best]) best = i;
        const double root = sqrt(fmax(matrix[best * n + best], 0));
        for (uint32_t i = 0; i < n; i++) s->l[i * s->k + c] = root * vectors[best * n + i];
        matrix[best * n + best] = -INFINITY;
    }
    bly_free(matrix);
    project(s, s->l);
    return BAILEY_OK;
}

/* The direction of a step of length `step` down the gradient, back into the balls. Returns its largest entry.
 */
static double find_direction(struct search *s, double step, double *direction)
{
    double largest = 0;
    for (size_t i = 0; i < (size_t)s->n * s->k; i++) direction[i] = fma(-step, s->gradient[i], s->l[i]);
    project(s, direction);
    for (size_t i = 0; i < (size_t)s->n * s->k; i++) {
        direction[i] -= s->l[i];
        largest = fmax(largest, fabs(direction[i]));
    }
    return largest;
}

/* Goes along the direction until f is below the largest of the last values by enough. Returns f there. */
static double go(struct search *s, int iteration)
{
    const size_t count = (size_t)s->n * s->k;
    const double slope = dot(s->gradient, s->direction, count);
    double most = s->history[0], length = 1, f = 0;
    for (int i = 1; i < MEMORY && i <= iteration; i++) most = fmax(most, s->history[i]);
    for (int h = 0; h < HALVINGS; h++, length /= 2) {
        for (size_t i = 0; i < count; i++) s->trial[i] = fma(length, s->direction[i], s->l[i]);
        f = evaluate(s, s->trial, s->gradient_there);
        if (f <= most + SUFFICIENT * length * slope) break;
    }
    return f;
}

/* Takes the trial point; returns the next step of Barzilai and Borwein. */
static double accept(struct search *s)
{
    const size_t count = (size_t)s->n * s->k;
    double moved = 0, turned = 0;
    for (size_t i = 0; i < count; i++) {
        const double x = s->trial[i] - s->l[i], y = s->gradient_there[i] - s->gradient[i];
        moved = fma(x, x, moved);
        turned = fma(x, y, turned);
    }
    memcpy(s->l, s->trial, count * sizeof *s->l);
    memcpy(s->gradient, s->gradient_there, count * sizeof *s->gradient);
    return turned > 0 ? fmin(fmax(moved / turned, LEAST_STEP), 1 / LEAST_STEP) : 1 / LEAST_STEP;
}

static void minimise(struct search *s)
{
    double f = evaluate(s, s->l, s->gradient), step = 1;
    for (int i = 0; i < ITERATIONS && find_direction(s, 1, s->direction) > ENOUGH; i++) {
        s->history[i % MEMORY] = f;
        if (i == 0) step = fmin(1, 1 / fmax(find_direction(s, 1, s->direction), LEAST_STEP));
        find_direction(s, step, s->direction);
        f = go(s, i);
        step = accept(s);
    }
}

static void place_matrix(const struct search *s, double *x)
{
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            const double value = dot(s->l + i * s->k, s->l + j * s->k, s->k);
            x[i * s->n + j] = x[j * s->n + i] = i == j ? 1 : fmax(-1, fmin(value, 1));
        }
}

bailey_status bailey_correlation_factors(const double *correlation, uint32_t dims, uint32_t factors,
                                         double *loadings, double *nearest, double *distance)
{
    bailey_status status = bly_correlation_check(correlation, dims, MOST, NULL);
    if (status == BAILEY_OK && (factors < 1 || factors > dims))
        status = bly_fail_argument("factors", "factors is %u, not from 1 to dims, %u", factors, dims);
    if (status == BAILEY_OK && !loadings) status = bly_fail_argument("loadings", "loadings is NULL");
    if (status != BAILEY_OK) return status;
    const size_t count = (size_t)dims * factors, all = (size_t)dims * dims;
    double *memory = bly_alloc(all + 5 * count + (size_t)factors * factors, sizeof *memory);
    if (!memory) return bly_fail(BAILEY_ERROR_MEMORY, "no memory for %u x %u entries", dims, dims);
    struct search s = {.n = dims,
                       .k = factors,
                       .a = memory,
                       .l = memory + all,
                       .gradient = memory + all + count,
                       .direction = memory + all + 2 * count,
                       .trial = memory + all + 3 * count,
                       .gradient_there = memory + all + 4 * count,
                       .square = memory + all + 5 * count};
    bly_correlation_check(correlation, dims, MOST, memory);
    for (uint32_t i = 0; i < dims; i++) memory[i * dims + i] = 0;
    status = begin_loadings(&s);
    if (status == BAILEY_OK) {
        minimise(&s);
        memcpy(loadings, s.l, count * sizeof *loadings);
        if (distance) *distance = sqrt(evaluate(&s, s.l, s.gradient));
        if (nearest) place_matrix(&s, nearest);
    }
    bly_free(memory);
    return status;
}
