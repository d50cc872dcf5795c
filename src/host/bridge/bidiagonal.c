/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The implicit QR algorithm: sweeps of rotations from both sides chase a bulge along the diagonal, and each
 * makes the entry at its end smaller, with a good shift by its cube. G. Golub, C. Van Loan, "Matrix
 * Computations", 4th ed., section 8.6; the sweep without a shift and the choice of the direction are those of
 * J. Demmel, W. Kahan, "Accurate singular values of bidiagonal matrices", SIAM J. Sci. Stat. Comput. 11
 * (1990).
 *
 * Half a sweep's cost or less is in the matrix; the vectors take n times as much. So rotations wait in a
 * queue and are applied together, to so many columns at a time as stay in a cache.
 */
#include "plan.h"

#include <base/alloc.h>
#include <base/status.h>

#include <float.h>
#include <math.h>

enum {
    QUEUE = 1 << 15,
    COLUMNS = 32, /* 256 KiB with 1024 rows */
    SWEEPS = 30   /* per singular value; two or three are usual */
};

/* Rows `row` and row + 1 become c row + s next and c next - s row. */
struct rotation {
    uint32_t row;
    double c, s;
};

struct vectors {
    uint32_t n, waiting;
    double *v;
    struct rotation *queue;
};

static void rotate_columns(const struct vectors *vectors, uint32_t first, uint32_t count)
{
    for (uint32_t q = 0; q < vectors->waiting; q++) {
        const double c = vectors->queue[q].c, s = vectors->queue[q].s;
        double *restrict row = vectors->v + (size_t)vectors->queue[q].row * vectors->n + first;
        double *restrict next = row + vectors->n;
        for (uint32_t i = 0; i < count; i++) {
            const double x = row[i], y = next[i];
            row[i] = c * x + s * y;
            next[i] = c * y - s * x;
        }
    }
}

static void apply(struct vectors *vectors)
{
    uint32_t first = 0;
    for (; first + COLUMNS <= vectors->n; first += COLUMNS) rotate_columns(vectors, first, COLUMNS);
    rotate_columns(vectors, first, vectors->n - first);
    vectors->waiting = 0;
}

static void put(struct vectors *vectors, uint32_t row, double c, double s)
{
    vectors->queue[vectors->waiting++] = (struct rotation){row, c, s};
    if (vectors->waiting == QUEUE) apply(vectors);
}

/* The rotation that turns (f, g) into (r, 0). */
static double angle(double f, double g, double *c, double *s)
{
    const int larger = fabs(f) > fabs(g);
    const double ratio = g == 0 ? 0 : larger ? g / f : f / g, length = sqrt(1 + ratio * ratio);
    if (g == 0 || larger) {
        *c = 1 / length, *s = ratio / length;
        return f * length;
    }
    *s = 1 / length, *c = ratio / length;
    return g * length;
}

/* Rows first .. last of the matrix, from the end that a sweep begins at. Seen from the last row the matrix is
 * that of its transpose, so that left and right change places. */
struct part {
    double *d, *e;
    uint32_t first, last;
    int up;
};

static double *at(const struct part *part, double *values, uint32_t i, uint32_t end)
{
    return values + (part->up ? end - i : part->first + i);
}
static double *d_of(const struct part *part, uint32_t i) { return at(part, part->d, i, part->last); }
static double *e_of(const struct part *part, uint32_t i) { return at(part, part->e, i, part->last - 1); }

/* Keeps what step i of a sweep does to the right vectors. */
static void keep(struct vectors *vectors, const struct part *part, uint32_t i, const double right[2],
                 const double left[2])
{
    if (part->up)
        put(vectors, part->last - i - 1, left[0], -left[1]);
    else
        put(vectors, part->first + i, right[0], right[1]);
}

/* A sweep without a shift, which keeps the relative accuracy of small singular values. Where the last of `d`
 * is 0, the last of `e` becomes 0. */
static void sweep_unshifted(const struct part *part, struct vectors *vectors)
{
    const uint32_t steps = part->last - part->first;
    double right[2] = {1, 0}, left[2] = {1, 0};
    for (uint32_t i = 0; i < steps; i++) {
        const double r = angle(*d_of(part, i) * right[0], *e_of(part, i), &right[0], &right[1]);
        if (i > 0) *e_of(part, i - 1) = left[1] * r;
        *d_of(part, i) = angle(left[0] * r, *d_of(part, i + 1) * right[1], &left[0], &left[1]);
        keep(vectors, part, i, right, left);
    }
    const double h = *d_of(part, steps) * right[0];
    *d_of(part, steps) = h * left[0];
    *e_of(part, steps - 1) = h * left[1];
}

static void sweep_shifted(const struct part *part, double shift, struct vectors *vectors)
{
    const uint32_t steps = part->last - part->first;
    const double top = *d_of(part, 0);
    double f = (fabs(top) - shift) * ((top < 0 ? -1 : 1) + shift / top), g = *e_of(part, 0);
    for (uint32_t i = 0; i < steps; i++) {
        double *d = d_of(part, i), *e = e_of(part, i), *below = d_of(part, i + 1);
        double right[2], left[2];
        const double r = angle(f, g, &right[0], &right[1]);
        if (i > 0) *e_of(part, i - 1) = r;
        f = right[0] * *d + right[1] * *e;
        *e = right[0] * *e - right[1] * *d;
        g = right[1] * *below;
        *below = right[0] * *below;
        *d = angle(f, g, &left[0], &left[1]);
        f = left[0] * *e + left[1] * *below;
        *below = left[0] * *below - left[1] * *e;
        keep(vectors, part, i, right, left);
        if (i + 1 == steps) break;
        g = left[1] * *e_of(part, i + 1);
        *e_of(part, i + 1) *= left[0];
    }
    *e_of(part, steps - 1) = f;
}

/* The smaller singular value of the matrix of f and h on the diagonal and g above h, without overflow. */
static double smaller_of_two(double f, double g, double h)
{
    const double least = fmin(fabs(f), fabs(h)), most = fmax(fabs(f), fabs(h)), over = fabs(g);
    if (least == 0) return 0;
    const double sum = 1 + least / most, difference = (most - least) / most;
    if (over < most) {
        const double u = over / most * (over / most);
        return least * (2 / (sqrt(sum * sum + u) + sqrt(difference * difference + u)));
    }
    const double u = most / over, a = sum * u, b = difference * u;
    return 2 * (least * (1 / (sqrt(1 + a * a) + sqrt(1 + b * b))) * u);
}

/* One sweep, towards the end that has the smaller entries, where small singular values belong. */
static void sweep(struct part *part, struct vectors *vectors)
{
    part->up = fabs(part->d[part->first]) < fabs(part->d[part->last]);
    const uint32_t last = part->last - part->first;
    const double shift = smaller_of_two(*d_of(part, last - 1), *e_of(part, last - 1), *d_of(part, last));
    const double ratio = shift / fabs(*d_of(part, 0));
    if (ratio * ratio < DBL_EPSILON)
        sweep_unshifted(part, vectors);
    else
        sweep_shifted(part, shift, vectors);
}

/* Moves first to where the part that ends at last begins: after the nearest entry that no longer matters. */
static void find_first(struct part *part)
{
    for (part->first = part->last; part->first > 0; part->first--) {
        double *e = part->e + part->first - 1;
        const double size = fabs(part->d[part->first - 1]) + fabs(part->d[part->first]);
        if (fabs(*e) > DBL_EPSILON / 2 * size) continue;
        *e = 0;
        return;
    }
}

bailey_status bly_bidiagonal(uint32_t n, double *d, double *e, double *v)
{
    struct vectors vectors = {n, 0, v, bly_alloc(QUEUE, sizeof(struct rotation))};
    struct part part = {d, e, 0, n - 1, 0};
    uint64_t sweeps =
        (uint64_t)SWEEPS * n; /* a matrix that needs more has its vectors nearly, and orthogonal */
    if (!vectors.queue) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge");
    for (size_t i = 0; i < (size_t)n * n; i++) v[i] = i % (n + 1) == 0;
    while (part.last > 0 && sweeps > 0) {
        find_first(&part);
        if (part.first == part.last)
            part.last--;
        else
            sweep(&part, &vectors), sweeps--;
    }
    apply(&vectors);
    for (uint32_t i = 0; i < n; i++) d[i] = fabs(d[i]);
    bly_free(vectors.queue);
    return BAILEY_OK;
}
