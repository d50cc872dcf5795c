/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The rows of bailey/device/tabled.h: quantiles of distributions whose density g satisfies A(x) g' = B(x) g
 * with polynomials A and B of degree 2 or less.
 *
 * 1. From a point c in the middle, where g is set to 1, the density is continued to each end, step by step,
 * by its Taylor series, whose terms follow from the equation. The integrals of the steps are added up from
 * the ends inwards, so that small probabilities keep their relative accuracy; what remains at an end is a
 *    hypergeometric series, or nothing. The sum of both sides replaces the gamma or beta function.
 * 2. The middle of each piece is found by Newton's method on the series of the step that it is in.
 * 3. There the quantile Q is continued by an equation, too, A(Q) Q'' = -B(Q) Q'^2 (Steinbrecher and Shaw,
 *    "Quantile mechanics", European Journal of Applied Mathematics 19 (2008)), and its Taylor series is
 *    shortened by Chebyshev polynomials to the degree of a row.
 * 4. Where two pieces meet, the order of the numbers is checked with the device's own arithmetic.
 *
 * Steps 1 and 2, and the first two terms of step 3, are computed in sums of two doubles.
 */
#include "source.h"
#include "wide.h"

#include <bailey/device/tabled.h>
#include <base/alloc.h>
#include <base/status.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_TERMS 120
#define LEAST_TERM 0x1p-112
#define MOST_STEPS 40000

/* ---- A side of a distribution ------------------------------------------------------------------ */

/* The rest beyond the last step: nothing, or g(s) s / e (1 + r(0) + r(0) r(1) + ...). */
enum rest { NOTHING, OF_GAMMA, OF_BETA, OF_T };

/* One side as a function of s, which grows from the side's end to the middle: x = shift + sign s. */
struct side {
    struct bly_wide a[3], b[3]; /* A and B in s */
    double sign, shift, from;   /* s begins at `from` */
    enum rest rest;
    double first, second; /* parameters of the rest */
};

/* A step from s to s + h, whose integral is that of C, the side's probability, not divided by the whole. */
struct step {
    struct bly_wide s, g, c;
    double h;
};

struct steps {
    struct step *of;
    uint32_t count, room;
};

static bailey_status add_step(struct steps *steps, struct step step)
{
    if (steps->count == MOST_STEPS)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "a distribution needs more than %d steps", MOST_STEPS);
    if (steps->count == steps->room) {
        const uint32_t room = steps->room ? 2 * steps->room : 128;
        struct step *more = bly_alloc(room, sizeof *more);
        if (!more) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's steps");
        if (steps->count) memcpy(more, steps->of, steps->count * sizeof *more);
        bly_free(steps->of);
        steps->of = more;
        steps->room = room;
    }
    steps->of[steps->count++] = step;
    return BAILEY_OK;
}

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

/* Terms g_k h^k of the density's series at the step's s. */
static int series_of(const struct side *side, const struct step *step, struct bly_wide term[MOST_TERMS])
{
    const struct local a = local_of(side->a, step->s), b = local_of(side->b, step->s);
    const struct bly_wide unit = bly_wide_divide(bly_wide(step->h), a.of[0]);
    /* a0 (k + 1) t_(k+1) = (b0 - a1 k) h t_k + (b1 - a2 (k - 1)) h^2 t_(k-1) + b2 h^3 t_(k-2) */
    const struct bly_wide unit2 = bly_wide_times(unit, step->h), unit3 = bly_wide_times(unit2, step->h);
    double largest = step->g.high;
    int k = 0, small = 0;
    term[0] = step->g;
    while (k + 1 < MOST_TERMS && small < 3) {
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
        small = fabs(term[k].high) <= LEAST_TERM * largest ? small + 1 : 0;
    }
    return k + 1;
}

/* The sum of the terms at t, and h times that of their integrals. */
static struct bly_wide density_at(const struct bly_wide *term, int count, struct bly_wide t)
{
    struct bly_wide sum = term[count - 1];
    for (int k = count - 2; k >= 0; k--) sum = bly_wide_add(bly_wide_multiply(sum, t), term[k]);
    return sum;
}

static struct bly_wide integral_at(const struct bly_wide *term, int count, struct bly_wide t, double h)
{
    struct bly_wide sum = bly_wide_divide(term[count - 1], bly_wide(count));
    for (int k = count - 2; k >= 0; k--)
        sum = bly_wide_add(bly_wide_multiply(sum, t), bly_wide_divide(term[k], bly_wide(k + 1)));
    return bly_wide_times(bly_wide_multiply(sum, t), h);
}

/* The factor of term n + 1 of the rest's series, and e. */
static struct bly_wide ratio_of(const struct side *side, struct bly_wide s, int n)
{
    const double a = side->first;
    if (side->rest == OF_GAMMA) return bly_wide_divide(s, bly_wide_sum(a, n + 1));
    if (side->rest == OF_BETA)
        return bly_wide_divide(bly_wide_multiply(s, bly_wide_add(bly_wide_sum(a, side->second), bly_wide(n))),
                               bly_wide_sum(a, n + 1));
    const struct bly_wide y =
        bly_wide_divide(bly_wide(a), bly_wide_add(bly_wide(a), bly_wide_multiply(s, s)));
    return bly_wide_divide(bly_wide_multiply(y, bly_wide_sum(a / 2, n + 0.5)), bly_wide_sum(a / 2, n + 1));
}

static struct bly_wide rest_of(const struct side *side, struct bly_wide s, struct bly_wide g)
{
    struct bly_wide sum = bly_wide(1), term = bly_wide(1);
    for (int n = 0; term.high > LEAST_TERM && n < 1000; n++) {
        term = bly_wide_multiply(term, ratio_of(side, s, n));
        sum = bly_wide_add(sum, term);
    }
    struct bly_wide lead = bly_wide_divide(bly_wide_multiply(g, s), bly_wide(side->first));
    if (side->rest == OF_BETA)
        lead = bly_wide_multiply(lead, bly_wide_add(bly_wide(1), bly_wide_negative(s)));
    if (side->rest == OF_T) lead = bly_wide_negative(lead); /* s is below 0 there */
    return bly_wide_multiply(lead, sum);
}

/* Steps from the middle to the end, where less than `least` of what has been added up is left; then their
 * integrals, starting at the end. Returns the probability up to the middle. */
static bailey_status go_out(const struct side *side, double least, struct steps *steps, struct bly_wide *all)
{
    struct bly_wide term[MOST_TERMS], c = bly_wide(0);
    struct step at = {.s = bly_wide(side->from), .g = bly_wide(1)};
    double sum = 0, before = INFINITY;
    const struct bly_wide minus = bly_wide(1);
    for (;;) {
        if (side->rest != NOTHING && ratio_of(side, at.s, 0).high < 0.5 &&
            fabs(at.g.high * at.s.high / side->first) < least * sum) {
            c = rest_of(side, at.s, at.g);
            break;
        }
        const struct local a = local_of(side->a, at.s), b = local_of(side->b, at.s);
        at.h = -length_of(&a, &b, radius_of(side->a, at.s.high));
        const int count = series_of(side, &at, term);
        const struct bly_wide part = bly_wide_negative(integral_at(term, count, minus, at.h));
        at.c = part;
        const bailey_status status = add_step(steps, at);
        if (status != BAILEY_OK) return status;
        sum += part.high;
        if (part.high < 0x1p-124 * sum && part.high < before) break;
        before = part.high;
        at.g = density_at(term, count, minus);
        at.s = bly_wide_add(at.s, bly_wide(at.h));
    }
    for (uint32_t i = steps->count; i-- > 0;) {
        c = bly_wide_add(c, steps->of[i].c);
        steps->of[i].c = c;
    }
    for (uint32_t i = 0; i < steps->count / 2; i++) {
        const struct step swap = steps->of[i];
        steps->of[i] = steps->of[steps->count - 1 - i];
        steps->of[steps->count - 1 - i] = swap;
    }
    *all = c;
    return BAILEY_OK;
}

/* Steps on from the middle, until the probability is `half`. */
static bailey_status go_on(const struct side *side, struct bly_wide c, double half, struct steps *steps)
{
    struct bly_wide term[MOST_TERMS];
    struct step at = {.s = bly_wide(side->from), .g = bly_wide(1), .c = c};
    while (at.c.high <= half) {
        const struct local a = local_of(side->a, at.s), b = local_of(side->b, at.s);
        at.h = length_of(&a, &b, radius_of(side->a, at.s.high));
        const int count = series_of(side, &at, term);
        const bailey_status status = add_step(steps, at);
        if (status != BAILEY_OK) return status;
        at.c = bly_wide_add(at.c, integral_at(term, count, bly_wide(1), at.h));
        at.g = density_at(term, count, bly_wide(1));
        at.s = bly_wide_add(at.s, bly_wide(at.h));
    }
    return BAILEY_OK;
}

/* ---- Pieces ------------------------------------------------------------------------------------ */

#define MOST_DEGREE 6
#define MORE 7 /* terms beyond the degree */

/* The step that pieces are in; targets ascend. */
struct finder {
    const struct side *side;
    const struct steps *steps;
    uint32_t at;
    int count; /* of terms; 0: none have been computed */
    struct bly_wide term[MOST_TERMS];
    double plain[MOST_TERMS], integral[MOST_TERMS];
};

/* The end of step i, towards the middle. */
static double end_of(const struct finder *f, uint32_t i)
{
    const struct step *step = &f->steps->of[i];
    if (step->h < 0) return step->c.high;
    return i + 1 < f->steps->count ? f->steps->of[i + 1].c.high : INFINITY;
}

static void enter_step(struct finder *f, double target)
{
    uint32_t at = f->at;
    while (at + 1 < f->steps->count && end_of(f, at) < target) at++;
    if (f->count && at == f->at) return;
    f->at = at;
    f->count = series_of(f->side, &f->steps->of[at], f->term);
    for (int k = 0; k < f->count; k++) {
        f->plain[k] = f->term[k].high;
        f->integral[k] = f->term[k].high / (k + 1);
    }
}

/* The t for which the integral is x, in doubles: Newton's method, with bisection. */
static double solve(const struct finder *f, double x)
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

/* s and the density there, where the side's probability is c. */
static void find(struct finder *f, struct bly_wide c, struct bly_wide *s, struct bly_wide *g)
{
    enter_step(f, c.high);
    const struct step *step = &f->steps->of[f->at];
    const struct bly_wide rest = bly_wide_add(c, bly_wide_negative(step->c));
    const double t0 = solve(f, bly_wide_divide(rest, bly_wide(step->h)).high);
    const struct bly_wide error =
        bly_wide_add(integral_at(f->term, f->count, bly_wide(t0), step->h), bly_wide_negative(rest));
    double slope = 0;
    for (int k = f->count - 1; k >= 0; k--) slope = fma(slope, t0, f->plain[k]);
    const struct bly_wide t = bly_wide_sum(t0, -error.high / (step->h * slope));
    *s = bly_wide_add(step->s, bly_wide_times(t, step->h));
    *g = density_at(f->term, f->count, t);
}

/* Coefficients r_2 ... of the quantile s0 + s1 (t + r_2 t^2 + ...), s1 being its derivative by t at 0. */
static void continue_quantile(const struct side *side, struct bly_wide s0, double s1, int terms, double *r)
{
    const struct local a = local_of(side->a, s0), b = local_of(side->b, s0);
    const double a0 = a.of[0].high / s1, a1 = a.of[1].high, a2 = a.of[2].high * s1;
    const double b0 = b.of[0].high, b1 = b.of[1].high * s1, b2 = b.of[2].high * s1 * s1;
    double y[MOST_DEGREE + MORE + 1] = {1}, v[MOST_DEGREE + MORE + 1], big[MOST_DEGREE + MORE + 1],
                                  bend[MOST_DEGREE + MORE + 1];
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

/* Shortens a polynomial on [-1, 1] to a degree by Chebyshev polynomials. Returns a bound of
 * the change. */
static double shorten(double *r, int terms, int degree)
{
    double t[MOST_DEGREE + MORE + 1][MOST_DEGREE + MORE + 1] = {{1}, {0, 1}}, error = 0;
    for (int k = 2; k <= terms; k++)
        for (int j = 0; j <= k; j++) t[k][j] = 2 * (j ? t[k - 1][j - 1] : 0) - (j <= k - 2 ? t[k - 2][j] : 0);
    for (int k = terms; k > degree; k--) {
        const double c = r[k] / t[k][k];
        for (int j = 0; j <= k; j++) r[j] -= c * t[k][j];
        error += fabs(c);
    }
    return error;
}

/* A row, as doubles: c0 and c1 in two parts, c2, ... of the distance u from the upper end, 2^-pieces at most.
 */
struct row {
    struct bly_wide c0, c1;
    double more[MOST_DEGREE - 1];
    double error; /* of the polynomial, relative to the result */
};

static struct row row_of(struct finder *f, struct bly_wide total, double low, double high, int degree,
                         uint32_t pieces)
{
    const struct side *side = f->side;
    const double w = 0.5 * (high - low);
    struct bly_wide s0, g;
    struct row row;
    double r[MOST_DEGREE + MORE + 1];
    const int terms = degree + MORE;
    find(f, bly_wide_times(total, low + w), &s0, &g);
    const struct bly_wide s1 = bly_wide_divide(bly_wide_times(total, w), g);
    continue_quantile(side, s0, s1.high, terms, r);
    r[1] = 0; /* 1, added apart */
    row.error = shorten(r, terms, degree);
    double up = 0, power = -2 * ldexp(1, (int)pieces), scale = power, d1 = 0;
    for (int k = degree; k >= 0; k--) up += r[k];
    for (int k = degree; k >= 1; k--) d1 += k * r[k];
    row.c0 = bly_wide_add(s0, bly_wide_multiply(s1, bly_wide_sum(1, up)));
    row.c1 = bly_wide_times(bly_wide_multiply(s1, bly_wide_sum(1, d1)), scale);
    for (int j = 2; j <= degree; j++) {
        double sum = 0, choose = 1;
        for (int k = j; k <= degree; k++) {
            sum += choose * r[k];
            choose = choose * (k + 1) / (k + 1 - j);
        }
        scale *= power;
        row.more[j - 2] = side->sign * (sum * s1.high * scale);
    }
    row.c0 = bly_wide_add(bly_wide_times(row.c0, side->sign), bly_wide(side->shift));
    row.c1 = bly_wide_times(row.c1, side->sign);
    /* a distribution about 0 keeps its relative accuracy there: that of the derivative */
    if (side->rest == OF_T && high == 0.5) {
        row.c0 = bly_wide(0);
        row.error *= degree * degree;
    } else {
        row.error *= s1.high / fabs(row.c0.high);
    }
    return row;
}

/* ---- Tables ------------------------------------------------------------------------------------ */

static struct bly_wide minus(struct bly_wide x) { return bly_wide_negative(x); }

/* Both sides of a distribution: 0 is that of U, 1 that of 1 - U. */
static void sides_of(const bailey_variate_params *p, struct side side[2])
{
    const struct bly_wide zero = bly_wide(0), one = bly_wide(1);
    const double freedom = p->freedom == 0 ? 1 : p->freedom, shape = p->shape == 0 ? 1 : p->shape;
    const double a = p->distribution == BAILEY_DISTRIBUTION_CHI_SQUARE ? freedom / 2 : shape;
    if (p->distribution == BAILEY_DISTRIBUTION_BETA) {
        const double b = p->second_shape ? p->second_shape : 1;
        for (int i = 0; i < 2; i++) {
            const double here = i ? b : a, there = i ? a : b;
            const struct bly_wide more = bly_wide_add(bly_wide_sum(a, b), bly_wide(-2));
            side[i] = (struct side){.a = {zero, one, minus(one)},
                                    .b = {bly_wide_sum(here, -1), minus(more), zero},
                                    .sign = i ? -1 : 1,
                                    .shift = i,
                                    .rest = OF_BETA,
                                    .first = here,
                                    .second = there};
        }
        /* 1 - from is exact */
        side[0].from = fmax(0x1p-30, fmin(1 - 0x1p-30, rint(a / (a + b) * 0x1p30) * 0x1p-30));
        side[1].from = 1 - side[0].from;
        return;
    }
    if (p->distribution == BAILEY_DISTRIBUTION_STUDENT_T) {
        for (int i = 0; i < 2; i++)
            side[i] = (struct side){.a = {bly_wide(freedom), zero, one},
                                    .b = {zero, minus(bly_wide_sum(freedom, 1)), zero},
                                    .sign = i ? -1 : 1,
                                    .rest = OF_T,
                                    .first = freedom};
        return;
    }
    side[0] = (struct side){.a = {zero, one, zero},
                            .b = {bly_wide_sum(a, -1), minus(one), zero},
                            .sign = 1,
                            .from = a,
                            .rest = OF_GAMMA,
                            .first = a};
    side[1] = (struct side){.a = {zero, minus(one), zero},
                            .b = {minus(bly_wide_sum(a, -1)), minus(one), zero},
                            .sign = -1,
                            .from = -a};
}

struct form {
    int f64, degree;
    uint32_t octaves, exponent; /* the least tail probability is 2^-exponent */
    double scale;
};

static void put_row(const struct form *form, const struct row *row, void *table, uint64_t at)
{
    const struct bly_wide c0 = bly_wide_times(row->c0, form->scale),
                          c1 = bly_wide_times(row->c1, form->scale);
    if (form->f64) {
        double *c = (double *)table + 8 * at;
        c[0] = c0.high, c[1] = c0.low, c[2] = c1.high;
        for (int k = 0; k < 5; k++) c[3 + k] = row->more[k] * form->scale;
        return;
    }
    float *c = (float *)table + 8 * at;
    c[0] = (float)c0.high, c[1] = (float)(c0.high - (double)c[0]);
    c[2] = (float)c1.high, c[3] = (float)(c1.high - (double)c[2]);
    for (int k = 0; k < 3; k++) c[4 + k] = (float)(row->more[k] * form->scale);
    c[7] = 0;
}

/* Where the row of a piece is: octaves of f32 are counted from 1/2 down, those of f64 upwards. */
static uint64_t place_of(const struct form *form, int side, uint32_t octave, uint32_t piece, uint32_t pieces)
{
    const uint64_t number = form->f64 ? octave : form->octaves - 1 - octave;
    return 1 + ((((uint64_t)side * form->octaves + number) << pieces) | piece);
}

static bailey_status fill_side(const struct form *form, const struct side *side, const struct steps *steps,
                               struct bly_wide total, uint32_t pieces, int number, void *table, double *worst)
{
    struct finder f = {.side = side, .steps = steps};
    for (uint32_t octave = 0; octave < form->octaves; octave++) {
        const double low = ldexp(1, (int)octave - (int)form->exponent), width = ldexp(low, -(int)pieces);
        for (uint32_t i = 0; i < UINT32_C(1) << pieces; i++) {
            const struct row row =
                row_of(&f, total, low + i * width, low + (i + 1) * width, form->degree, pieces);
            *worst = fmax(*worst, row.error);
            put_row(form, &row, table, place_of(form, number, octave, i, pieces));
        }
    }
    return BAILEY_OK;
}

static double number_of(const struct form *form, const void *table, uint64_t word)
{
    return form->f64 ? bailey_tabled_f64(table, word) : (double)bailey_tabled_f32(table, (uint32_t)word);
}

/* Raises rows so that numbers are in order where pieces meet. `first` of the words of a piece follows `last`
 * of the one before. */
static void mend(const struct form *form, void *table, uint64_t last, uint64_t first, uint64_t at)
{
    for (int i = 0; i < 64; i++) {
        if (number_of(form, table, first) >= number_of(form, table, last)) return;
        if (form->f64) {
            double *c = (double *)table + 8 * at;
            c[1] += ldexp(fabs(c[0]), -59);
        } else {
            float *c = (float *)table + 8 * at;
            c[1] += ldexpf(fabsf(c[0]), -30);
        }
    }
}

/* All places where pieces meet, in the order of the words. */
static void mend_all(const struct form *form, void *table, uint32_t pieces)
{
    const int bits = form->f64 ? 53 : 32, shift = form->f64 ? 11 : 0;
    const uint64_t half = UINT64_C(1) << (bits - 1);
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < form->octaves; i++)
            for (uint32_t j = 0; j < UINT32_C(1) << pieces; j++) {
                /* tail probabilities k + 1/2 from the piece's lower end on, in units of the words */
                const uint32_t octave = side ? form->octaves - 1 - i : i;
                const uint32_t piece = side ? (UINT32_C(1) << pieces) - 1 - j : j;
                const double unit = ldexp(1, (int)octave + bits - (int)form->exponent);
                const double low = ceil(unit + unit * ldexp(piece, -(int)pieces) - 0.5);
                const double high = ceil(unit + unit * ldexp(piece + 1.0, -(int)pieces) - 0.5);
                if (!(low < high)) continue;
                const uint64_t first = side ? 2 * half - (uint64_t)high : (uint64_t)low;
                if (first == 0) continue;
                mend(form, table, (first - 1) << shift, first << shift,
                     place_of(form, side, octave, piece, pieces));
            }
}

/* The table, with as many pieces as the error needs. */
static bailey_status make_table(const struct form *form, const struct side side[2],
                                const struct steps steps[2], struct bly_wide total, void **table,
                                uint64_t *bytes)
{
    const double wanted = form->f64 ? 0x1p-59 : 0x1p-31;
    for (uint32_t pieces = form->f64 ? 5 : 4; pieces <= 9; pieces++) {
        const uint64_t elements = 8 + 8 * ((uint64_t)2 * form->octaves << pieces);
        double worst = 0;
        *bytes = elements * (form->f64 ? sizeof(double) : sizeof(float));
        *table = bly_alloc(*bytes, 1);
        if (!*table) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's table");
        for (int i = 0; i < 2; i++) fill_side(form, &side[i], &steps[i], total, pieces, i, *table, &worst);
        if (form->f64)
            *(double *)*table = pieces;
        else
            *(float *)*table = (float)pieces;
        if (worst <= wanted) {
            mend_all(form, *table, pieces);
            return BAILEY_OK;
        }
        bly_free(*table);
        *table = NULL;
    }
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "the distribution's quantiles have no accurate table");
}

bailey_status bly_tabled_table(const bailey_variate_params *p, void **table, uint64_t *bytes)
{
    const int f64 = p->normal.precision == BAILEY_PRECISION_F64;
    const struct form form = {.f64 = f64,
                              .degree = f64 ? 6 : 4,
                              .octaves = f64 ? BAILEY_TABLED_OCTAVES_F64 : BAILEY_TABLED_OCTAVES_F32,
                              .exponent = f64 ? 54 : 33,
                              .scale = (p->distribution == BAILEY_DISTRIBUTION_CHI_SQUARE ? 2 : 1) *
                                       (p->scale == 0 ? 1 : p->scale)};
    struct side side[2];
    struct steps steps[2] = {{0}, {0}};
    struct bly_wide part[2] = {{0, 0}, {0, 0}}, total;
    bailey_status status = BAILEY_OK;
    *table = NULL;
    sides_of(p, side);
    for (int i = 0; i < 2 && status == BAILEY_OK; i++)
        status = go_out(&side[i], f64 ? 0x1p-60 : 0x1p-40, &steps[i], &part[i]);
    total = bly_wide_add(part[0], part[1]);
    for (int i = 0; i < 2 && status == BAILEY_OK; i++)
        status = go_on(&side[i], part[i], 0.5 * total.high * (1 + 0x1p-40), &steps[i]);
    if (status == BAILEY_OK) status = make_table(&form, side, steps, total, table, bytes);
    for (int i = 0; i < 2; i++) bly_free(steps[i].of);
    return status;
}
