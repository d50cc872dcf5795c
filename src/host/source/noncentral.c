/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The density g of a non-central chi-square distribution: with a, half the degrees of freedom, and the
 * noncentrality L,
 *
 *     x g'' + (x + 2 - a) g' + (x / 4 + 1 - a / 2 - L / 4) g = 0,
 *
 * as g is exp(-x / 2) x^(a - 1) 0F1(; a; L x / 4) times a constant, and z w'' + a w' = w for the last factor
 * w (DLMF 16.3.1 and 10.25). g'/g is -1/2 + (a - 1) / x + L R / (2 z) with z = sqrt(L x) and the ratio R =
 * I_a(z) / I_(a-1)(z) of Bessel functions, a continued fraction of positive terms (DLMF 10.33.1).
 *
 * Steps go upwards from an x below which there is nothing, or a power series: in this direction another
 * solution of the equation fades, where z is above SMALL; below, each step begins with the continued
 * fraction. Steps are so short that such a solution grows by exp(12) or less within one.
 */
#include "density.h"

#include <base/status.h>

#include <math.h>

#define SMALL 64

struct law {
    double a, noncentrality;
};

static struct bly_wide square_root(struct bly_wide x)
{
    if (x.high == 0) return x;
    const double r = sqrt(x.high);
    const struct bly_wide rest =
        bly_wide_add(x, bly_wide_negative(bly_wide_multiply(bly_wide(r), bly_wide(r))));
    return bly_wide_join(r, rest.high / (2 * r));
}

/* g'/g. Terms below the last that is used count for less than exp(-144). */
static struct bly_wide log_slope(const struct law *law, double x)
{
    const struct bly_wide z = square_root(bly_wide_times(bly_wide(law->noncentrality), x));
    struct bly_wide slope = bly_wide_divide(bly_wide_sum(law->a, -1), bly_wide(x));
    slope = bly_wide_add(slope, bly_wide(-0.5));
    if (z.high == 0) return slope;
    const struct bly_wide unit = bly_wide_divide(bly_wide(2), z);
    struct bly_wide ratio = bly_wide(0);
    for (int n = 60 + (int)(12 * sqrt(z.high)); n >= 0; n--)
        ratio = bly_wide_divide(bly_wide(1),
                                bly_wide_add(bly_wide_multiply(bly_wide_sum(law->a, n), unit), ratio));
    const struct bly_wide half = bly_wide_divide(bly_wide(law->noncentrality), bly_wide_times(z, 2));
    return bly_wide_add(slope, bly_wide_multiply(half, ratio));
}

/* t_(k+2) (k + 2) (k + 1) = -((k + 1) (k + p) u t_(k+1) + (k + q) u h t_k + u h^2 / 4 t_(k-1)), where u is h
 * / x, p is x + 2 - a and q is x / 4 + 1 - a / 2 - L / 4. */
int bly_noncentral_series(const struct bly_side *side, const struct bly_step *step,
                          struct bly_wide term[BLY_MOST_TERMS])
{
    const double x = side->sign * step->s.high, h = side->sign * step->h;
    const struct bly_wide u = bly_wide_divide(bly_wide(h), bly_wide(x)), u2 = bly_wide_times(u, h),
                          u3 = bly_wide_times(u2, 0.25 * h), x2 = bly_wide_sum(x, 2);
    const struct bly_wide p = bly_wide_add(x2, bly_wide(-side->first));
    struct bly_wide q = bly_wide_add(bly_wide_sum(0.25 * x, 1), bly_wide(-0.5 * side->first));
    q = bly_wide_add(q, bly_wide(-0.25 * side->second));
    double largest = step->g.high;
    int k = 0, small = 0;
    term[0] = step->g;
    term[1] = bly_wide_times(step->slope, h);
    for (; k + 2 < BLY_MOST_TERMS && small < 3; k++) {
        struct bly_wide sum = bly_wide_multiply(bly_wide_times(bly_wide_add(p, bly_wide(k)), k + 1),
                                                bly_wide_multiply(u, term[k + 1]));
        sum = bly_wide_add(sum,
                           bly_wide_multiply(bly_wide_multiply(bly_wide_add(q, bly_wide(k)), u2), term[k]));
        if (k > 0) sum = bly_wide_add(sum, bly_wide_multiply(u3, term[k - 1]));
        term[k + 2] = bly_wide_divide(bly_wide_negative(sum), bly_wide((k + 2.0) * (k + 1)));
        largest = fmax(largest, fabs(term[k + 2].high));
        small = fabs(term[k + 2].high) <= BLY_LEAST_TERM * largest ? small + 1 : 0;
    }
    return k + 2;
}

static struct bly_wide slope_at_end(const struct bly_wide *term, int count, double h)
{
    struct bly_wide sum = bly_wide(0);
    for (int k = count - 1; k > 0; k--) sum = bly_wide_add(sum, bly_wide_times(term[k], k));
    return bly_wide_divide(sum, bly_wide(h));
}

static double length_of(const struct law *law, double x)
{
    const double a = law->a - 2, rate = 0.5 + sqrt(a * a + law->noncentrality * x) / x;
    return fmin(0.25 * x, 12 / rate);
}

/* Where steps begin: x g(x) has fallen by exp(-100), or by `least` to where the series of rest_of serves. */
static double first_of(const struct law *law, double least, int *whole)
{
    const double mean = 2 * law->a + law->noncentrality, half = 0.5 * sqrt(2 * (mean + law->noncentrality));
    double x = mean, fallen = 0;
    for (;;) {
        const double h = fmin(0.25 * x, half), middle = x - 0.5 * h;
        fallen -= (log_slope(law, middle).high + 1 / middle) * h;
        x -= h;
        *whole = fallen < -100;
        if (*whole || (fallen < least && x <= 1 && law->noncentrality * x <= 4)) return x;
    }
}

/* The integral of g below x, for g = 1 there: of g = s^(a-1) (e_0 + e_1 s + ...) term by term, where
 * e_(k+1) (k + 1) (k + a) = -((k + a / 2 - L / 4) e_k + e_(k-1) / 4). */
static struct bly_wide rest_of(const struct law *law, double x)
{
    const struct bly_wide middle = bly_wide_sum(0.5 * law->a, -0.25 * law->noncentrality);
    struct bly_wide before = bly_wide(0), e = bly_wide(1), density = bly_wide(0), integral = bly_wide(0);
    for (int k = 0; k < 200; k++) {
        const struct bly_wide ak = bly_wide_sum(law->a, k);
        density = bly_wide_add(density, e);
        integral = bly_wide_add(integral, bly_wide_divide(e, ak));
        const struct bly_wide sum =
            bly_wide_add(bly_wide_times(bly_wide_multiply(bly_wide_add(middle, bly_wide(k)), e), x),
                         bly_wide_times(bly_wide_times(before, 0.25 * x), x));
        before = e;
        e = bly_wide_negative(bly_wide_divide(sum, bly_wide_times(ak, k + 1)));
        if (fabs(e.high) < BLY_LEAST_TERM * density.high && fabs(before.high) < BLY_LEAST_TERM * density.high)
            break;
    }
    return bly_wide_times(bly_wide_divide(integral, density), x);
}

/* Steps from `x` upwards until nothing is left; c of each is its own part. */
static bailey_status go_up(const struct law *law, const struct bly_side *side, double x,
                           struct bly_steps *steps)
{
    const double mean = 2 * law->a + law->noncentrality;
    struct bly_wide term[BLY_MOST_TERMS], slope = bly_wide(0);
    struct bly_step at = {.g = bly_wide(1)};
    double sum = 0;
    for (int first = 1;; first = 0) {
        const double next = x + length_of(law, x);
        if (first || law->noncentrality * x <= SMALL * SMALL)
            slope = bly_wide_multiply(at.g, log_slope(law, x));
        at.s = bly_wide(x);
        at.h = next - x;
        at.slope = slope;
        const int count = bly_noncentral_series(side, &at, term);
        at.c = bly_integral_at(term, count, bly_wide(1), at.h);
        const bailey_status status = bly_add_step(steps, at);
        sum += at.c.high;
        if (status != BAILEY_OK || (x > mean && at.c.high < 0x1p-124 * sum)) return status;
        at.g = bly_density_at(term, count, bly_wide(1));
        slope = slope_at_end(term, count, at.h);
        x = next;
    }
}

/* The other side's steps, in the order of its probabilities, and both sides' sums. */
static bailey_status add_up(struct bly_wide rest, struct bly_density *density)
{
    struct bly_steps *up = &density->steps[0], *down = &density->steps[1];
    struct bly_wide c = bly_wide(0);
    for (uint32_t i = up->count; i-- > 0;) {
        struct bly_step step = up->of[i];
        c = bly_wide_add(c, step.c);
        step.s = bly_wide_negative(step.s);
        step.h = -step.h;
        step.c = c;
        step.until = c.high;
        const bailey_status status = bly_add_step(down, step);
        if (status != BAILEY_OK) return status;
    }
    density->total = bly_wide_add(rest, c);
    c = rest;
    for (uint32_t i = 0; i < up->count; i++) {
        const struct bly_wide next = bly_wide_add(c, up->of[i].c);
        up->of[i].c = c;
        up->of[i].until = next.high;
        c = next;
    }
    return BAILEY_OK;
}

bailey_status bly_noncentral_steps(const bailey_variate_params *p, struct bly_density *density)
{
    const struct law law = {0.5 * (p->freedom == 0 ? 1 : p->freedom), p->noncentrality};
    int whole;
    for (int i = 0; i < 2; i++)
        density->side[i] = (struct bly_side){
            .sign = i ? -1 : 1, .noncentral = 1, .first = law.a, .second = law.noncentrality};
    const double x = first_of(&law, p->normal.precision == BAILEY_PRECISION_F64 ? -52 : -38, &whole);
    const bailey_status status = go_up(&law, &density->side[0], x, &density->steps[0]);
    return status == BAILEY_OK ? add_up(whole ? bly_wide(0) : rest_of(&law, x), density) : status;
}
