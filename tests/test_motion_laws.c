/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian motions at any tick, as numbers: increments against values, areas against sums over fine grids,
 * and both in law.
 */
#include "motions.h"

/* Joins two intervals by the definitions of W, H and K, in long double. */
static void join(long double p, const double *a, long double q, const double *b, long double *joined)
{
    const long double n = p + q, e = (q * a[0] - p * b[0]) / n;
    joined[0] = (long double)a[0] + b[0];
    joined[1] = (p * a[1] + q * b[1]) / n + e / 2;
    joined[2] = (p * p * a[2] + q * q * b[2]) / (n * n) + p * q * ((long double)a[1] - b[1]) / (2 * n * n) +
                e * (q - p) / (12 * n);
}

/* Neighbouring intervals make the one that both are: of lengths from one tick of 2^40 to nearly all. */
TEST(test_joined, DEVICE | LONG_ON_OPENCL)
{
    enum { COUNT = 200, LEVELS = 40 };
    if (!device.has_f64) skip();
    const bailey_motion_params p = {
        .end_time = 1, .depth = LEVELS, .areas = BAILEY_MOTION_AREAS_HK, .precision = BAILEY_PRECISION_F64};
    uint64_t low[3 * COUNT], high[3 * COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        const uint64_t a = some_tick(LEVELS - 1, 3 * i) >> (i % 30),
                       length = (uint64_t)1 << (i % (LEVELS - 2));
        const uint64_t b = a + 1 + (some_tick(LEVELS - 1, i) & (length - 1)),
                       c = b + 1 + (i * 7919 & (length - 1));
        low[i] = a, high[i] = b, low[COUNT + i] = b, high[COUNT + i] = c, low[2 * COUNT + i] = a,
        high[2 * COUNT + i] = c;
    }
    double *found = increments_of(&p, &source, low, high, 3 * COUNT, 0, 1);
    for (uint64_t i = 0; i < COUNT; i++) {
        const double time = ldexp((double)(high[2 * COUNT + i] - low[i]), -LEVELS);
        long double joined[3];
        join((long double)(high[i] - low[i]), found + 3 * i, (long double)(high[COUNT + i] - low[COUNT + i]),
             found + 3 * (COUNT + i), joined);
        for (int part = 0; part < 3; part++)
            if (!(fabsl(joined[part] - (long double)found[3 * (2 * COUNT + i) + (uint64_t)part]) <=
                  1e-14L * sqrtl(time)))
                fail_msg("interval %llu, part %d: %g and %g", (unsigned long long)i, part,
                         (double)joined[part], found[3 * (2 * COUNT + i) + (uint64_t)part]);
    }
    free(found);
}

/* Increments are the differences of values, but for their rounding, also with start, factor and end. */
TEST(differences, DEVICE | LONG_ON_OPENCL)
{
    enum { COUNT = 50, LEVELS = 16, PATHS = 9, DIMS = 2 };
    static const double start[DIMS] = {1, -2}, end[DIMS] = {0.5, 3}, factor[DIMS * DIMS] = {2, 0, 0.5, 1.25};
    if (!device.has_f64) skip();
    for (int variant = 0; variant < 6; variant++) {
        const bailey_motion_params p = {.end_time = 2,
                                        .depth = LEVELS,
                                        .dims = DIMS,
                                        .factor = factor,
                                        .start = start,
                                        .end = variant % 2 ? end : NULL,
                                        .areas = (bailey_motion_areas)(variant / 2),
                                        .precision = BAILEY_PRECISION_F64};
        const uint64_t parts = 1u + (unsigned)variant / 2;
        uint64_t low[COUNT], high[COUNT];
        for (uint64_t i = 0; i < COUNT; i++) {
            const uint64_t a = some_tick(LEVELS, i), b = some_tick(LEVELS, i + 500);
            low[i] = a < b ? a : b;
            high[i] = a < b ? b : a;
        }
        double *at_low = values_of(&p, &source, low, COUNT, 0, PATHS),
               *at_high = values_of(&p, &source, high, COUNT, 0, PATHS);
        double *between = increments_of(&p, &source, low, high, COUNT, 0, PATHS);
        for (uint64_t i = 0; i < COUNT; i++)
            for (uint64_t j = 0; j < DIMS * PATHS; j++) {
                const double a = at_high[i * DIMS * PATHS + j] - at_low[i * DIMS * PATHS + j],
                             b = between[i * parts * DIMS * PATHS + j];
                if (!(fabs(a - b) < 1e-13))
                    fail_msg("interval %llu: %g, not %g", (unsigned long long)i, b, a);
            }
        free(at_low), free(at_high), free(between);
    }
}

/* Sums over samples of up to NUMBERS numbers: of x, x^3, x y and (x y)^2. */
enum { NUMBERS = 12, CHUNK = 1 << 15 };
struct sums {
    double n, x[NUMBERS], cube[NUMBERS], product[NUMBERS][NUMBERS], square[NUMBERS][NUMBERS];
};

/* Adds CHUNK samples, x being [count][CHUNK]. */
static void add_samples(struct sums *s, int count, const double *x)
{
    s->n += CHUNK;
    for (int i = 0; i < count; i++) {
        const double *a = x + i * CHUNK;
        for (int p = 0; p < CHUNK; p++) s->x[i] += a[p], s->cube[i] += a[p] * a[p] * a[p];
        for (int j = 0; j <= i; j++) {
            const double *b = x + j * CHUNK;
            for (int p = 0; p < CHUNK; p++) {
                const double product = a[p] * b[p];
                s->product[i][j] += product;
                s->square[i][j] += product * product;
            }
        }
    }
}

/* How many standard errors lie between a mean over n samples and what it should be; more than 5 fail. */
static double away(const char *what, int i, int j, double mean, double expected, double variance, double n)
{
    const double z = fabs(mean - expected) / sqrt(variance / n);
    if (!(z <= 5))
        fail_msg("%s of numbers %d and %d: %g, not %g +- %g", what, i, j, mean, expected, sqrt(variance / n));
    return z;
}

/* Fails unless the samples are normal, with mean 0 and the covariances given. */
static void check_sums(const char *what, const struct sums *s, int count, double covariance[NUMBERS][NUMBERS])
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        const double v = covariance[i][i];
        most = fmax(most, away("mean", i, i, s->x[i] / s->n, 0, v, s->n));
        most = fmax(most, away("third moment", i, i, s->cube[i] / s->n, 0, 15 * v * v * v, s->n));
        for (int j = 0; j <= i; j++) {
            const double w = covariance[j][j], c = covariance[i][j], r = c * c / (v * w);
            most = fmax(most, away("covariance", i, j, s->product[i][j] / s->n, c, v * w + c * c, s->n));
            most = fmax(most, away("covariance of squares", i, j, s->square[i][j] / s->n, v * w + 2 * c * c,
                                   v * v * w * w * (8 + 68 * r + 20 * r * r), s->n));
        }
    }
    if (getenv("BAILEY_TEST_VERBOSE"))
        print_message("%s: %.3g samples of %d numbers, at most %.2f standard errors\n", what, s->n, count,
                      most);
}

static void add_chunk(struct sums *s, int count, void *found, bailey_precision precision)
{
    static double x[NUMBERS * CHUNK];
    for (uint64_t i = 0; i < (uint64_t)count * CHUNK; i++) x[i] = number(found, precision, i);
    add_samples(s, count, x);
    free(found);
}

/* W at some ticks has the covariances min(s, t); with a fixed end min(s, t) - s t. */
static void check_values(const bailey_motion_params *p, uint64_t paths)
{
    enum { TICKS = 6 };
    static const uint64_t ticks[TICKS] = {1, 150, 151, 512, 750, 1023};
    struct sums sums = {0};
    double covariance[NUMBERS][NUMBERS];
    for (int i = 0; i < TICKS; i++)
        for (int j = 0; j <= i; j++) {
            const double s = ldexp((double)ticks[j], -10), t = ldexp((double)ticks[i], -10);
            covariance[i][j] = p->end ? s - s * t : s;
        }
    for (uint64_t first = 0; first < paths; first += CHUNK)
        add_chunk(&sums, TICKS, values_of(p, &source, ticks, TICKS, first, CHUNK), p->precision);
    check_sums("values", &sums, TICKS, covariance);
}

/* W, H and K of intervals, neighbours and others, have the variances h, h/12 and h/720, and nothing to do
 * with each other; but with a fixed end W has h - h^2, and two of them -h h'. */
static void check_intervals(const bailey_motion_params *p, uint64_t paths)
{
    enum { INTERVALS = 4 };
    static const uint64_t low[INTERVALS] = {2, 101, 640, 950}, high[INTERVALS] = {97, 640, 901, 951};
    static const double per[3] = {1, 12, 720};
    const int parts = 1 + (int)p->areas, count = INTERVALS * parts;
    struct sums sums = {0};
    double covariance[NUMBERS][NUMBERS] = {{0}};
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) {
            const double a = ldexp((double)(high[i / parts] - low[i / parts]), -10),
                         b = ldexp((double)(high[j / parts] - low[j / parts]), -10);
            if (i == j) covariance[i][j] = a / per[i % parts];
            if (p->end && i % parts == 0 && j % parts == 0) covariance[i][j] -= a * b;
        }
    for (uint64_t first = 0; first < paths; first += CHUNK)
        add_chunk(&sums, count, increments_of(p, &source, low, high, INTERVALS, first, CHUNK), p->precision);
    check_sums(parts == 1   ? "intervals"
               : parts == 2 ? "intervals with H"
                            : "intervals with H, K",
               &sums, count, covariance);
}

/* H and K are the integrals that they should be, of the path that the motion has: over a fine grid, whose own
 * areas are small. */
TEST(integrals, DEVICE)
{
    enum { LEVELS = 13, FROM = 1000, TO = 5096, PATHS = 16 };
    if (!device.has_f64) skip();
    const bailey_motion_params p = {
        .end_time = 1, .depth = LEVELS, .areas = BAILEY_MOTION_AREAS_HK, .precision = BAILEY_PRECISION_F64};
    static uint64_t ticks[TO - FROM + 1];
    static const uint64_t low = FROM, high = TO;
    const uint64_t count = TO - FROM + 1;
    for (uint64_t i = 0; i < count; i++) ticks[i] = FROM + i;
    double *x = values_of(&p, &source, ticks, count, 0, PATHS),
           *area = increments_of(&p, &source, &low, &high, 1, 0, PATHS);
    const double n = (double)(count - 1);
    for (uint64_t path = 0; path < PATHS; path++) {
        double h = 0, k = 0;
        for (uint64_t i = 0; i < count - 1; i++) { /* trapezia of a function that is 0 at both ends */
            const double share = (double)i / n;
            const double f = x[i * PATHS + path] - x[path] - share * area[path];
            h += f / n;
            k += f * (0.5 - share) / n;
        }
        const double scale = sqrt(ldexp(n, -LEVELS));
        if (!(fabs(h - area[PATHS + path]) < 1e-3 * scale && fabs(k - area[2 * PATHS + path]) < 1e-3 * scale))
            fail_msg("path %llu: H %g, not %g; K %g, not %g", (unsigned long long)path, area[PATHS + path], h,
                     area[2 * PATHS + path], k);
    }
    free(x), free(area);
}

static void check_laws(bailey_precision precision, int fixed)
{
    static const double end[1];
    const uint64_t paths = getenv("BAILEY_TEST_LARGE") ? (uint64_t)1 << 25 : 4 * CHUNK;
    bailey_motion_params p = {.end_time = 1, .depth = 10, .end = fixed ? end : NULL, .precision = precision};
    check_values(&p, paths);
    for (int areas = 0; areas < 3; areas++) {
        p.areas = (bailey_motion_areas)areas;
        check_intervals(&p, paths);
    }
}

TEST(laws, DEVICE | LONG_ON_OPENCL)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        check_laws(BAILEY_PRECISION_F32, fixed);
        if (device.has_f64) check_laws(BAILEY_PRECISION_F64, fixed);
    }
}
