/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Densities whose logarithm has a rational derivative, A(x) g' = B(x) g with polynomials A and B of degree 2
 * or less, and their quantiles.
 *
 * 1. From a point c in the middle, where g is set to 1, the density is continued to each end, step by step,
 *    by its Taylor series, whose terms follow from the equation. The integrals of the steps are added up from
 *    the ends inwards, so that small probabilities keep their relative accuracy; what remains at an end is a
 *    hypergeometric series, or nothing. The sum of both sides replaces the gamma or beta function.
 * 2. A quantile is found by Newton's method on the series of the step that it is in.
 * 3. There the quantile Q is continued by an equation, too, A(Q) Q'' = -B(Q) Q'^2 (Steinbrecher and Shaw,
 *    "Quantile mechanics", European Journal of Applied Mathematics 19 (2008)).
 *
 * Steps 1 and 2 are computed in sums of two doubles.
 */
#include "density.h"

#include <base/alloc.h>
#include <base/status.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Steps ------------------------------------------------------------------------------------- */

/* A polynomial of degree 2 and its derivatives, halved: the coefficients of its powers of s - at. */
struct local {
    struct bly_wide of[3];
};

static struct local local_of(const struct bly_wide p[3], struct bly_wide at)
{
    const struct bly_wide slope = bly_wide_add(p[1], bly_wide_multiply(p[2], at));
    return (struct local){{bly_wide_add(p[0], bly_wide_multiply(slope, at)),
                           bly_wide_add(slope, bly_wide_multiply(p[2], at)), p[2]}};
}

/* The distance of s from the nearest zero of A. */
static double radius_of(const struct bly_wide a[3], double s)
{
    const double a0 = a[0].high, a1 = a[1].high, a2 = a[2].high;
    if (a2 == 0) return a1 == 0 ? INFINITY : fabs(s + a0 / a1);
    const double middle = -a1 / (2 * a2), square = middle * middle - a0 / a2;
    if (square < 0) return sqrt((s - middle) * (s - middle) - square);
    const double half = sqrt(square);
    return fmin(fabs(s - (middle - half)), fabs(s - (middle + half)));
}

/* A length over which the logarithm of the density changes little. */
static double length_of(const struct local *a, const struct local *b, double radius)
{
    const double a0 = a->of[0].high, unit = radius < 1e300 ? radius : 1; /* no squares of tiny numbers */
    const double slope = b->of[0].high / a0 * unit;
    const double bend = fabs((b->of[1].high * unit - slope * a->of[1].high) / a0 * unit);
    double h = radius < 1e300 ? 0.25 : 1e6;
    if (bend > 0) h = fmin(h, 0.5 / sqrt(bend));
    if (slope != 0) h = fmin(h, 4 / fabs(slope));
    return h * unit;
}

int bly_density_series(const struct bly_side *side, const struct bly_step *step,
                       struct bly_wide term[BLY_MOST_TERMS])
{
    if (side->noncentral) return bly_noncentral_series(side, step, term);
    const struct local a = local_of(side->a, step->s), b = local_of(side->b, step->s);
    const struct bly_wide unit = bly_wide_divide(bly_wide(step->h), a.of[0]);
    /* a0 (k + 1) t_(k+1) = (b0 - a1 k) h t_k + (b1 - a2 (k - 1)) h^2 t_(k-1) + b2 h^3 t_(k-2) */
    const struct bly_wide unit2 = bly_wide_times(unit, step->h), unit3 = bly_wide_times(unit2, step->h);
    double largest = step->g.high;
    int k = 0, small = 0;
    term[0] = step->g;
    while (k + 1 < BLY_MOST_TERMS && small < 3) {
        struct bly_wide sum = bly_wide_multiply(
            bly_wide_multiply(bly_wide_add(b.of[0], bly_wide_times(a.of[1], -k)), unit), term[k]);
        if (k >= 1)
            sum = bly_wide_add(
                sum, bly_wide_multiply(
                         bly_wide_multiply(bly_wide_add(b.of[1], bly_wide_times(a.of[2], 1 - k)), unit2),
                         term[k - 1]));
        if (k >= 2)
            sum = bly_wide_add(sum, bly_wide_multiply(bly_wide_multiply(b.of[2], unit3), term[k - 2]));
        k++;
        term[k] = bly_wide_divide(sum, bly_wide(k));
        largest = fmax(largest, fabs(term[k].high));
        small = fabs(term[k].high) <= BLY_LEAST_TERM * largest ? small + 1 : 0;
    }
    return k + 1;
}

/* The factor of term n + 1 of the rest's series, and e. */
static struct bly_wide ratio_of(const struct bly_side *side, struct bly_wide s, int n)
{
    const double a = side->first;
    if (side->rest == BLY_REST_OF_GAMMA) return bly_wide_divide(s, bly_wide_sum(a, n + 1));
    if (side->rest == BLY_REST_OF_BETA)
        return bly_wide_divide(bly_wide_multiply(s, bly_wide_add(bly_wide_sum(a, side->second), bly_wide(n))),
                               bly_wide_sum(a, n + 1));
    const struct bly_wide y =
        bly_wide_divide(bly_wide(a), bly_wide_add(bly_wide(a), bly_wide_multiply(s, s)));
    return bly_wide_divide(bly_wide_multiply(y, bly_wide_sum(a / 2, n + 0.5)), bly_wide_sum(a / 2, n + 1));
}

struct bly_wide bly_rest_sum(const struct bly_side *side, struct bly_wide s)
{
    struct bly_wide sum = bly_wide(1), term = bly_wide(1);
    for (int n = 0; term.high > BLY_LEAST_TERM && n < 1000; n++) {
        term = bly_wide_multiply(term, ratio_of(side, s, n));
        sum = bly_wide_add(sum, term);
    }
    return sum;
}

static struct bly_wide rest_of(const struct bly_side *side, struct bly_wide s, struct bly_wide g)
{
    struct bly_wide lead = bly_wide_divide(bly_wide_multiply(g, s), bly_wide(side->first));
    if (side->rest == BLY_REST_OF_BETA)
        lead = bly_wide_multiply(lead, bly_wide_add(bly_wide(1), bly_wide_negative(s)));
    if (side->rest == BLY_REST_OF_T) lead = bly_wide_negative(lead); /* s is below 0 there */
    return bly_wide_multiply(lead, bly_rest_sum(side, s));
}

/* Turns the outermost step round, so that it begins at the end, near which s is accurate. */
static void turn_round(const struct bly_wide *term, int count, struct bly_wide t, struct bly_step *step)
{
    step->g = bly_density_at(term, count, t);
    step->s = bly_wide(0);
    step->h = -step->h;
}

/* Adds up the steps from the end inwards, and puts them in this order; the first of them has been turned
 * round where the side ends. */
static struct bly_wide add_up(const struct bly_side *side, struct bly_wide rest, int ended,
                              struct bly_steps *steps)
{
    struct bly_wide c = rest;
    for (uint32_t i = steps->count; i-- > 0;) {
        struct bly_step *step = &steps->of[i];
        const struct bly_wide before = c;
        c = bly_wide_add(c, step->c);
        step->c = ended && side->ends && i + 1 == steps->count ? before : c;
        step->until = c.high;
    }
    for (uint32_t i = 0; i < steps->count / 2; i++) {
        const struct bly_step swap = steps->of[i];
        steps->of[i] = steps->of[steps->count - 1 - i];
        steps->of[steps->count - 1 - i] = swap;
    }
    return c;
}

/* Steps of a side from the middle to the end, where less than `least` of what has been added up is left, or
 * as soon as the rest's series serves if that is infinite. Finds the probability up to the middle. */
static bailey_status go_out(struct bly_density *density, int number, double least, struct bly_wide *all)
{
    const struct bly_side *side = &density->side[number];
    struct bly_steps *steps = &density->steps[number];
    struct bly_wide term[BLY_MOST_TERMS], rest = bly_wide(0);
    struct bly_step at = {.s = side->from, .g = bly_wide(1)};
    double sum = 0, before = INFINITY;
    int ended = 0;
    while (!ended) {
        if (side->rest != BLY_REST_NOTHING && ratio_of(side, at.s, 0).high < 0.5 &&
            (isinf(least) ? side->rest == BLY_REST_OF_GAMMA || at.s.high <= 0.5
                          : fabs(at.g.high * at.s.high / side->first) < least * sum)) {
            rest = rest_of(side, at.s, at.g);
            density->rest_s[number] = at.s;
            break;
        }
        const struct local a = local_of(side->a, at.s), b = local_of(side->b, at.s);
        at.h = -length_of(&a, &b, radius_of(side->a, at.s.high));
        ended = side->ends && at.s.high <= -1.25 * at.h;
        if (ended) at.h = -at.s.high;
        const struct bly_wide t = ended ? bly_wide_sum(1, at.s.low / at.s.high) : bly_wide(1);
        const int count = bly_density_series(side, &at, term);
        struct bly_step step = at;
        step.c = bly_wide_negative(bly_integral_at(term, count, t, at.h));
        if (ended) turn_round(term, count, t, &step);
        const bailey_status status = bly_add_step(steps, step);
        if (status != BAILEY_OK) return status;
        sum += step.c.high;
        if (step.c.high < 0x1p-124 * sum && step.c.high < before) break;
        before = step.c.high;
        at.g = bly_density_at(term, count, t);
        at.s = bly_wide_add(at.s, bly_wide(at.h));
    }
    density->rest[number] = rest;
    *all = add_up(side, rest, ended, steps);
    return BAILEY_OK;
}

/* Steps on from the middle, until the probability is `half`. */
static bailey_status go_on(const struct bly_side *side, struct bly_wide c, double half,
                           struct bly_steps *steps)
{
    struct bly_wide term[BLY_MOST_TERMS];
    struct bly_step at = {.s = side->from, .g = bly_wide(1), .c = c};
    while (at.c.high <= half) {
        const struct local a = local_of(side->a, at.s), b = local_of(side->b, at.s);
        at.h = length_of(&a, &b, radius_of(side->a, at.s.high));
        const int count = bly_density_series(side, &at, term);
        const struct bly_wide next = bly_wide_add(at.c, bly_integral_at(term, count, bly_wide(1), at.h));
        at.until = next.high;
        const bailey_status status = bly_add_step(steps, at);
        if (status != BAILEY_OK) return status;
        at.c = next;
        at.g = bly_density_at(term, count, bly_wide(1));
        at.s = bly_wide_add(at.s, bly_wide(at.h));
    }
    return BAILEY_OK;
}

/* ---- Quantiles --------------------------------------------------------------------------------- */

static void enter_step(struct bly_finder *f, double target)
{
    uint32_t at = f->at;
    while (at + 1 < f->steps->count && f->steps->of[at].until < target) at++;
    if (f->count && at == f->at) return;
    f->at = at;
    f->count = bly_density_series(f->side, &f->steps->of[at], f->term);
    for (int k = 0; k < f->count; k++) {
        f->plain[k] = f->term[k].high;
        f->integral[k] = f->term[k].high / (k + 1);
    }
}

/* The t for which the integral is x, in doubles: Newton's method, with bisection. */
static double solve(const struct bly_finder *f, double x)
{
    double low = 0, high = 1.5, t = 0.5;
    for (int i = 0; i < 100; i++) {
        double y = 0, slope = 0;
        for (int k = f->count - 1; k >= 0; k--)
            y = fma(y, t, f->integral[k]), slope = fma(slope, t, f->plain[k]);
        y = y * t - x;
        if (y > 0)
            high = t;
        else
            low = t;
        double next = t - y / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - t) <= 0x1p-50 * fabs(t)) return next;
        t = next;
    }
    return t;
}

void bly_find(struct bly_finder *f, struct bly_wide c, struct bly_wide *s, struct bly_wide *g)
{
    enter_step(f, c.high);
    const struct bly_step *step = &f->steps->of[f->at];
    const struct bly_wide rest = bly_wide_add(c, bly_wide_negative(step->c));
    const double t0 = solve(f, bly_wide_divide(rest, bly_wide(step->h)).high);
    const struct bly_wide error =
        bly_wide_add(bly_integral_at(f->term, f->count, bly_wide(t0), step->h), bly_wide_negative(rest));
    double slope = 0;
    for (int k = f->count - 1; k >= 0; k--) slope = fma(slope, t0, f->plain[k]);
    const struct bly_wide t = bly_wide_sum(t0, -error.high / (step->h * slope));
    f->t = t.high;
    *s = bly_wide_add(step->s, bly_wide_times(t, step->h));
    *g = bly_density_at(f->term, f->count, t);
}

/* The same from the density's own series: that of its integral, reversed. */
static void by_reversal(const struct bly_finder *f, double s1, int terms, double *r)
{
    const double ratio = s1 / f->steps->of[f->at].h;
    double near[BLY_MOST_POWERS] = {0}, power[BLY_MOST_POWERS + 1][BLY_MOST_POWERS + 1] = {{0}};
    /* the series about t */
    for (int k = f->count - 1; k >= 0; k--) {
        for (int j = terms - 1; j > 0; j--) near[j] = fma(near[j], f->t, near[j - 1]);
        near[0] = fma(near[0], f->t, f->plain[k]);
    }
    double scale = 1;
    for (int j = 1; j < terms; j++) {
        scale *= ratio;
        near[j] *= scale / (near[0] * (j + 1));
    }
    r[0] = 0;
    r[1] = power[1][1] = 1;
    for (int n = 2; n <= terms; n++) {
        double sum = 0;
        for (int m = 2; m <= n; m++) {
            double of = 0;
            for (int i = 1; i <= n - m + 1; i++) of += r[i] * power[m - 1][n - i];
            power[m][n] = of;
            sum += near[m - 1] * of;
        }
        r[n] = power[1][n] = -sum;
    }
}

static void by_equation(const struct bly_side *side, struct bly_wide s0, double s1, int terms, double *r)
{
    const struct local a = local_of(side->a, s0), b = local_of(side->b, s0);
    const double a0 = a.of[0].high / s1, a1 = a.of[1].high, a2 = a.of[2].high * s1;
    const double b0 = b.of[0].high, b1 = b.of[1].high * s1, b2 = b.of[2].high * s1 * s1;
    double y[BLY_MOST_POWERS + 1] = {1}, v[BLY_MOST_POWERS + 1], big[BLY_MOST_POWERS + 1],
                               bend[BLY_MOST_POWERS + 1];
    r[0] = 0;
    r[1] = 1;
    for (int n = 0; n + 2 <= terms; n++) {
        double square = 0, speed = 0, sum = 0;
        for (int j = 1; j < n; j++) square += r[j] * r[n - j];
        for (int j = 0; j <= n; j++) speed += y[j] * y[n - j];
        v[n] = speed;
        big[n] = n ? a1 * r[n] + a2 * square : a0;
        bend[n] = n ? b1 * r[n] + b2 * square : b0;
        for (int j = 0; j <= n; j++) sum -= bend[j] * v[n - j];
        for (int j = 1; j <= n; j++) sum -= big[j] * (n + 1 - j) * y[n + 1 - j];
        y[n + 1] = sum / ((n + 1) * a0);
        r[n + 2] = y[n + 1] / (n + 2);
    }
}

void bly_continue_quantile(const struct bly_finder *f, struct bly_wide s0, double s1, int terms, double *r)
{
    if (f->side->noncentral)
        by_reversal(f, s1, terms, r);
    else
        by_equation(f->side, s0, s1, terms, r);
}

/* ---- Distributions ----------------------------------------------------------------------------- */

static struct bly_wide minus(struct bly_wide x) { return bly_wide_negative(x); }

/* Both sides of a distribution: 0 is that of U, 1 that of 1 - U. */
static void sides_of(const bailey_variate_params *p, struct bly_side side[2])
{
    const struct bly_wide zero = bly_wide(0), one = bly_wide(1);
    const double freedom = p->freedom == 0 ? 1 : p->freedom, shape = p->shape == 0 ? 1 : p->shape;
    const double a = p->distribution == BAILEY_DISTRIBUTION_CHI_SQUARE ? freedom / 2 : shape;
    if (p->distribution == BAILEY_DISTRIBUTION_BETA) {
        const double b = p->second_shape ? p->second_shape : 1;
        for (int i = 0; i < 2; i++) {
            const double here = i ? b : a, there = i ? a : b;
            const struct bly_wide more = bly_wide_add(bly_wide_sum(a, b), bly_wide(-2));
            side[i] = (struct bly_side){.a = {zero, one, minus(one)},
                                        .b = {bly_wide_sum(here, -1), minus(more), zero},
                                        .sign = i ? -1 : 1,
                                        .shift = i,
                                        .rest = BLY_REST_OF_BETA,
                                        .first = here,
                                        .second = there};
        }
        /* 1 - from is exact */
        const double from = fmax(0x1p-30, fmin(1 - 0x1p-30, rint(a / (a + b) * 0x1p30) * 0x1p-30));
        side[0].from = bly_wide(from);
        side[1].from = bly_wide(1 - from);
        return;
    }
    if (p->distribution == BAILEY_DISTRIBUTION_STUDENT_T) {
        for (int i = 0; i < 2; i++)
            side[i] = (struct bly_side){.a = {bly_wide(freedom), zero, one},
                                        .b = {zero, minus(bly_wide_sum(freedom, 1)), zero},
                                        .sign = i ? -1 : 1,
                                        .rest = BLY_REST_OF_T,
                                        .first = freedom};
        return;
    }
    side[0] = (struct bly_side){.a = {zero, one, zero},
                                .b = {bly_wide_sum(a, -1), minus(one), zero},
                                .sign = 1,
                                .from = bly_wide(a),
                                .rest = BLY_REST_OF_GAMMA,
                                .first = a};
    side[1] = (struct bly_side){.a = {zero, minus(one), zero},
                                .b = {minus(bly_wide_sum(a, -1)), minus(one), zero},
                                .sign = -1,
                                .from = bly_wide(-a)};
}

/* ---- Truncated normal distributions ------------------------------------------------------------ */

/* Beyond so many standard deviations from the mean an end does not matter. */
#define FAR 40

double bly_truncated_width(const bailey_variate_params *p)
{
    const double sd = p->stddev == 0 ? 1 : p->stddev;
    const double away = fmax(0, fmax(p->lower - p->mean, p->mean - p->upper));
    return fmin(p->upper - p->lower, sd / (1 + away / sd));
}

/* Numbers are divided by a power of two near the width. */
static double sides_of_truncated(const bailey_variate_params *p, struct bly_side side[2])
{
    int exponent;
    frexp(bly_truncated_width(p), &exponent);
    const double scale = ldexp(1, exponent - 1), sd = (p->stddev == 0 ? 1 : p->stddev) / scale;
    const double mean = p->mean / scale, end[2] = {p->lower / scale, p->upper / scale};
    const double half = 0.5 * bly_truncated_width(p) / scale;
    /* near the mode or, of a normal's tail, the median */
    const double middle = fmax(end[0] + half, fmin(end[1] - half, mean));
    for (int i = 0; i < 2; i++) {
        const double sign = i ? -1 : 1;
        const int ends = sign * (mean - end[i]) < FAR * sd;
        const double shift = ends ? end[i] : mean;
        const struct bly_wide rest = bly_wide_sum(mean, -shift);
        side[i] =
            (struct bly_side){.a = {bly_wide_multiply(bly_wide(sd), bly_wide(sd)), bly_wide(0), bly_wide(0)},
                              .b = {i ? bly_wide_negative(rest) : rest, bly_wide(-1), bly_wide(0)},
                              .sign = sign,
                              .shift = shift,
                              .ends = ends,
                              .from = bly_wide_sum(sign * middle, -sign * shift)};
    }
    return scale;
}

/* Whether a shape is so small that numbers are found by their logarithms. */
static int needs_logarithms(const bailey_variate_params *p)
{
    const double least = bly_least_shape(p->normal.precision);
    if (p->distribution == BAILEY_DISTRIBUTION_CHI_SQUARE) return p->freedom != 0 && p->freedom < 2 * least;
    if (p->distribution != BAILEY_DISTRIBUTION_GAMMA && p->distribution != BAILEY_DISTRIBUTION_BETA) return 0;
    return (p->shape != 0 && p->shape < least) || (p->second_shape != 0 && p->second_shape < least);
}

bailey_status bly_density_create(const bailey_variate_params *p, struct bly_density *density)
{
    const int f64 = p->normal.precision == BAILEY_PRECISION_F64;
    struct bly_wide part[2] = {{0, 0}, {0, 0}};
    bailey_status status = BAILEY_OK;
    *density = (struct bly_density){.scale = 1};
    if (p->distribution == BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE) return bly_noncentral_steps(p, density);
    if (p->distribution == BAILEY_DISTRIBUTION_TRUNCATED_NORMAL) {
        density->scale = sides_of_truncated(p, density->side);
        density->least = p->lower < 0 && p->upper > 0;
    } else {
        density->scale =
            (p->distribution == BAILEY_DISTRIBUTION_CHI_SQUARE ? 2 : 1) * (p->scale == 0 ? 1 : p->scale);
        sides_of(p, density->side);
    }
    density->logarithms = needs_logarithms(p);
    const double least = density->logarithms ? INFINITY : f64 ? 0x1p-60 : 0x1p-40;
    for (int i = 0; i < 2 && status == BAILEY_OK; i++) status = go_out(density, i, least, &part[i]);
    density->total = bly_wide_add(part[0], part[1]);
    for (int i = 0; i < 2 && status == BAILEY_OK; i++) {
        double until = 0.5 * density->total.high * (1 + 0x1p-40);
        /* no further than to the other rest */
        if (density->logarithms)
            until = fmin(until, (density->total.high - density->rest[1 - i].high) * (1 - 0x1p-50));
        status = go_on(&density->side[i], part[i], until, &density->steps[i]);
    }
    return status;
}

void bly_density_free(struct bly_density *density)
{
    for (int i = 0; i < 2; i++) bly_free(density->steps[i].of);
}
