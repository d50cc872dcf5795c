/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gamma and beta numbers of small shapes by their logarithms, as they span thousands of octaves: with shape
 * 0.001, half of all are below 2^-1000.
 *
 * The probability C below a number s near 0 is K s^a exp(-s) S(s), or K s^a (1 - s)^b S(s) of a beta
 * distribution, where S is the series of density.c's rest. So ln(s) solves a L + F(exp(L)) = ln(C / K), F
 * being the logarithm of the other factors: Newton's method, whose slope is a / S, or a / (S (1 - s)).
 * Elsewhere s is found from the steps.
 *
 * The logarithm is continued by the density's equation: L = ln(x) of gamma numbers has L'' = -L'^2 (a - x),
 * and L = ln(x / (1 - x)) of beta numbers -L'^2 (a - (a + b) x), the derivatives being those by the
 * probability.
 */
#include "density.h"

#include <bailey/device/elementary.h>

#include <math.h>

/* ---- Exponential and logarithm in sums of two doubles, to about 2^-95 ----------------------------- */

static struct bly_wide wide_exp(struct bly_wide x)
{
    const struct bly_wide ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    const double n = rint(x.high * 0x1.71547652b82fep0);
    const struct bly_wide r =
        bly_wide_times(bly_wide_add(x, bly_wide_negative(bly_wide_times(ln2, n))), 0x1p-8);
    struct bly_wide y = bly_wide(0); /* exp(r) - 1, of r below 0.0014 */
    for (int k = 11; k > 0; k--)
        y = bly_wide_divide(bly_wide_multiply(r, bly_wide_add(bly_wide(1), y)), bly_wide(k));
    for (int k = 0; k < 8; k++) y = bly_wide_add(bly_wide_times(y, 2), bly_wide_multiply(y, y));
    y = bly_wide_add(bly_wide(1), y);
    return (struct bly_wide){ldexp(y.high, (int)n), ldexp(y.low, (int)n)};
}

struct bly_wide bly_wide_log(struct bly_wide x)
{
    const double y = bailey_log_f64(x.high);
    const struct bly_wide rest =
        bly_wide_add(bly_wide_multiply(x, wide_exp(bly_wide(-y))), bly_wide(-1)); /* about 2^-53 */
    return bly_wide_add(bly_wide(y), bly_wide_add(rest, bly_wide(-0.5 * rest.high * rest.high)));
}

/* ---- Quantiles ------------------------------------------------------------------------------------ */

#define NEGLIGIBLE -120 /* exp() of which changes nothing next to 1 */

static int is_beta(const struct bly_side *side) { return side->rest == BLY_REST_OF_BETA; }

static struct bly_wide one_minus(struct bly_wide x)
{
    return bly_wide_add(bly_wide(1), bly_wide_negative(x));
}

/* F(s). */
static struct bly_wide factors_of(const struct bly_side *side, struct bly_wide s, struct bly_wide sum)
{
    const struct bly_wide other =
        is_beta(side) ? bly_wide_times(bly_wide_log(one_minus(s)), side->second) : bly_wide_negative(s);
    return bly_wide_add(other, bly_wide_log(sum));
}

/* The logarithm of the smaller one of x and 1 - x, which is `left`. */
static struct bly_logarithm turned(struct bly_logarithm l, double left)
{
    if (l.x <= 0.5) return l;
    return (struct bly_logarithm){
        bly_wide_negative(l.log), bly_wide_negative(l.slope), left, l.other, l.shape, !l.beyond};
}

/* In the rest of side `number`, whose probability is c there. */
static struct bly_logarithm in_rest(const struct bly_density *density, int number, struct bly_wide c)
{
    const struct bly_side *side = &density->side[number];
    const struct bly_wide a = bly_wide(side->first), s0 = density->rest_s[number], l0 = bly_wide_log(s0);
    /* a L + F(exp(L)) */
    const struct bly_wide wanted =
        bly_wide_add(bly_wide_log(bly_wide_divide(c, density->rest[number])),
                     bly_wide_add(bly_wide_multiply(a, l0), factors_of(side, s0, bly_rest_sum(side, s0))));
    struct bly_wide log = bly_wide_divide(wanted, a), s = bly_wide(0), sum = bly_wide(1);
    if (log.high > l0.high) log = l0;
    for (int i = 0; i < 20 && log.high > NEGLIGIBLE; i++) {
        s = wide_exp(log);
        sum = bly_rest_sum(side, s);
        const struct bly_wide error = bly_wide_add(
            bly_wide_add(bly_wide_multiply(a, log), factors_of(side, s, sum)), bly_wide_negative(wanted));
        struct bly_wide change = bly_wide_multiply(bly_wide_divide(error, a), sum);
        if (is_beta(side)) change = bly_wide_multiply(change, one_minus(s));
        log = bly_wide_add(log, bly_wide_negative(change));
        if (fabs(change.high) < 0x1p-60) break;
    }
    const struct bly_wide slope = bly_wide_divide(sum, bly_wide_multiply(a, c)), left = one_minus(s);
    if (!is_beta(side) || s.high == 0)
        return (struct bly_logarithm){log, slope, s.high, side->first, side->second, number};
    /* (1 - s) (slope of ln(s)) / (1 - s) */
    return turned((struct bly_logarithm){bly_wide_add(log, bly_wide_negative(bly_wide_log(left))), slope,
                                         s.high, side->first, side->second, number},
                  left.high);
}

struct bly_logarithm bly_find_logarithm(const struct bly_density *density, struct bly_finder *f, int number,
                                        struct bly_wide c)
{
    const int beta = is_beta(&density->side[1]);
    const struct bly_wide there = bly_wide_add(density->total, bly_wide_negative(c));
    for (int i = 0; i < 1 + beta; i++) {
        const struct bly_wide own = number == i ? c : there;
        if (own.high > density->rest[i].high) continue;
        struct bly_logarithm l = in_rest(density, i, own);
        if (number != i) l.slope = bly_wide_negative(l.slope);
        return l;
    }
    struct bly_wide s, g;
    bly_find(f, c, &s, &g);
    const struct bly_side *side = f->side;
    struct bly_logarithm l = {.shape = side->first, .other = side->second, .beyond = beta && number};
    const struct bly_wide x = number && !beta ? bly_wide_negative(s) : s, left = one_minus(x);
    struct bly_wide scale = bly_wide_multiply(g, x);
    l.x = x.high;
    l.log = bly_wide_log(x);
    if (number && !beta) scale = bly_wide_negative(scale);
    if (beta) {
        scale = bly_wide_multiply(scale, left);
        l.log = bly_wide_add(l.log, bly_wide_negative(bly_wide_log(left)));
    } else {
        l.shape = density->side[0].first;
    }
    l.slope = bly_wide_divide(bly_wide(1), scale);
    return beta ? turned(l, left.high) : l;
}

void bly_continue_logarithm(const struct bly_density *density, const struct bly_logarithm *l, double s1,
                            int terms, double *r)
{
    const int beta = is_beta(&density->side[1]);
    const double pull = beta ? l->shape + l->other : 1;
    /* L' / s1 and its square, x, and its derivative by L, x or x (1 - x) */
    double y[BLY_MOST_POWERS + 1] = {1}, square[BLY_MOST_POWERS + 1], x[BLY_MOST_POWERS + 1] = {l->x},
                               grown[BLY_MOST_POWERS + 1];
    r[0] = 0;
    r[1] = 1;
    for (int n = 0; n + 2 <= terms; n++) {
        double sum = 0, bent = 0;
        for (int k = 1; k <= n; k++) bent += k * r[k] * grown[n - k];
        if (n) x[n] = s1 * bent / n;
        grown[n] = x[n];
        for (int k = 0; beta && k <= n; k++) grown[n] -= x[k] * x[n - k];
        square[n] = 0;
        for (int k = 0; k <= n; k++) square[n] += y[k] * y[n - k];
        for (int k = 0; k <= n; k++) sum += square[n - k] * ((k ? 0 : l->shape) - pull * x[k]);
        y[n + 1] = -s1 * sum / (n + 1);
        r[n + 2] = y[n + 1] / (n + 2);
    }
}
