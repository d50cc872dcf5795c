/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The rows of bailey/device/tabled.h. The middle of each piece and the quantile's Taylor series there come
 * from density.c; the series is shortened by Chebyshev polynomials to the degree of a row. Where two pieces
 * meet, the order of the numbers is checked with the device's own arithmetic. Where shapes are small, the
 * same is done for logarithms (logarithms.c).
 */
#include "density.h"

#include <bailey/device/tabled.h>
#include <base/alloc.h>
#include <base/status.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Pieces ------------------------------------------------------------------------------------ */

#define MOST_DEGREE 6
#define MORE (BLY_MOST_POWERS - MOST_DEGREE) /* terms beyond the degree */

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

/* A row of a series v0 + v1 (t + r_2 t^2 + ...) on [-1, 1], of which v0 and v1 have sums of two doubles. */
static struct row row_of_series(struct bly_wide v0, struct bly_wide v1, double *r, int terms, int degree,
                                uint32_t pieces)
{
    struct row row;
    r[1] = 0; /* 1, added apart */
    row.error = shorten(r, terms, degree);
    double up = 0, power = -2 * ldexp(1, (int)pieces), scale = power, d1 = 0;
    for (int k = degree; k >= 0; k--) up += r[k];
    for (int k = degree; k >= 1; k--) d1 += k * r[k];
    row.c0 = bly_wide_add(v0, bly_wide_multiply(v1, bly_wide_sum(1, up)));
    row.c1 = bly_wide_times(bly_wide_multiply(v1, bly_wide_sum(1, d1)), scale);
    for (int j = 2; j <= degree; j++) {
        double sum = 0, choose = 1;
        for (int k = j; k <= degree; k++) {
            sum += choose * r[k];
            choose = choose * (k + 1) / (k + 1 - j);
        }
        scale *= power;
        row.more[j - 2] = sum * v1.high * scale;
    }
    return row;
}

static struct row row_of(struct bly_finder *f, const struct bly_density *density, double low, double high,
                         int degree, uint32_t pieces)
{
    const struct bly_side *side = f->side;
    const double w = 0.5 * (high - low);
    struct bly_wide s0, g;
    double r[MOST_DEGREE + MORE + 1];
    const int terms = degree + MORE;
    bly_find(f, bly_wide_times(density->total, low + w), &s0, &g);
    const struct bly_wide s1 = bly_wide_divide(bly_wide_times(density->total, w), g);
    bly_continue_quantile(f, s0, s1.high, terms, r);
    struct row row = row_of_series(s0, s1, r, terms, degree, pieces);
    row.c0 = bly_wide_add(bly_wide_times(row.c0, side->sign), bly_wide(side->shift));
    row.c1 = bly_wide_times(row.c1, side->sign);
    for (int j = 2; j <= degree; j++) row.more[j - 2] *= side->sign;
    /* a distribution about 0 keeps its relative accuracy there: that of the derivative */
    if (side->rest == BLY_REST_OF_T && high == 0.5) {
        row.c0 = bly_wide(0);
        row.error *= degree * degree;
    } else {
        row.error *= s1.high / fmax(fabs(row.c0.high), density->least);
    }
    return row;
}

/* The same of a logarithm, whose errors are those of the number. The second power's coefficient has one part.
 */
static struct row row_of_logarithm(struct bly_finder *f, int number, const struct bly_density *density,
                                   double low, double high, int degree, uint32_t pieces, int f64)
{
    const double w = 0.5 * (high - low);
    double r[MOST_DEGREE + MORE + 1];
    const int terms = degree + MORE;
    const struct bly_logarithm l =
        bly_find_logarithm(density, f, number, bly_wide_times(density->total, low + w));
    const struct bly_wide l1 = bly_wide_multiply(bly_wide_times(density->total, w), l.slope);
    bly_continue_logarithm(density, &l, l1.high, terms, r);
    const double sign = l.beyond ? -1 : 1;
    struct row row =
        row_of_series(bly_wide_times(l.log, sign), bly_wide_times(l1, sign), r, terms, degree, pieces);
    const struct bly_wide scale = bly_wide_log(bly_wide(density->scale));
    row.error =
        row.error * fabs(l1.high) + fabs(row.more[0]) * ldexp(f64 ? 0x1p-54 : 0x1p-25, -2 * (int)pieces);
    if (l.log.high + scale.high < (f64 ? -720 : -90)) row.error = 0; /* x or 1 - x becomes 0 */
    row.c0 = bly_wide_add(row.c0, scale);
    return row;
}

/* ---- Tables ------------------------------------------------------------------------------------ */

struct form {
    int f64, degree, kind;      /* kind: BAILEY_TABLED_NUMBERS ... */
    uint32_t octaves, exponent; /* the least tail probability is 2^-exponent */
    double scale, least;        /* as bly_density's, but least is one of the distribution's numbers */
};

static void put_row(const struct form *form, const struct row *row, void *table, uint64_t at)
{
    const struct bly_wide c0 = bly_wide_times(row->c0, form->scale),
                          c1 = bly_wide_times(row->c1, form->scale);
    if (form->f64) {
        double *c = (double *)table + 8 * at;
        const int parts = form->kind ? 4 : 3;
        c[0] = c0.high, c[1] = c0.low, c[2] = c1.high, c[3] = c1.low;
        for (int k = parts; k < 8; k++) c[k] = row->more[k - parts] * form->scale;
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

static void fill_side(const struct form *form, const struct bly_density *density, uint32_t pieces, int number,
                      void *table, double *worst)
{
    struct bly_finder f = {.side = &density->side[number], .steps = &density->steps[number]};
    for (uint32_t octave = 0; octave < form->octaves; octave++) {
        const double low = ldexp(1, (int)octave - (int)form->exponent), width = ldexp(low, -(int)pieces);
        for (uint32_t i = 0; i < UINT32_C(1) << pieces; i++) {
            const double from = low + i * width, to = low + (i + 1) * width;
            const struct row row =
                form->kind ? row_of_logarithm(&f, number, density, from, to, form->degree, pieces, form->f64)
                           : row_of(&f, density, from, to, form->degree, pieces);
            *worst = fmax(*worst, row.error);
            put_row(form, &row, table, place_of(form, number, octave, i, pieces));
        }
    }
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
            c[1] += ldexp(fmax(fabs(c[0]), form->least), -59);
        } else {
            float *c = (float *)table + 8 * at;
            c[1] += ldexpf(fmaxf(fabsf(c[0]), (float)form->least), -30);
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
static bailey_status make_table(const struct form *form, const struct bly_density *density, void **table,
                                uint64_t *bytes)
{
    const double wanted = form->f64 ? form->kind ? 0x1p-57 : 0x1p-59 : form->kind ? 0x1p-28 : 0x1p-31;
    for (uint32_t pieces = form->f64 ? 5 : 4; pieces <= 9; pieces++) {
        const uint64_t elements = 8 + 8 * ((uint64_t)2 * form->octaves << pieces);
        double worst = 0;
        *bytes = elements * (form->f64 ? sizeof(double) : sizeof(float));
        *table = bly_alloc(*bytes, 1);
        if (!*table) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a distribution's table");
        for (int i = 0; i < 2; i++) fill_side(form, density, pieces, i, *table, &worst);
        if (form->f64)
            ((double *)*table)[0] = pieces, ((double *)*table)[1] = form->kind;
        else
            ((float *)*table)[0] = (float)pieces, ((float *)*table)[1] = (float)form->kind;
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
    struct bly_density density;
    *table = NULL;
    bailey_status status = bly_density_create(p, &density);
    const int kind = !density.logarithms                           ? BAILEY_TABLED_NUMBERS
                     : p->distribution == BAILEY_DISTRIBUTION_BETA ? BAILEY_TABLED_LOGITS
                                                                   : BAILEY_TABLED_LOGARITHMS;
    const struct form form = {.f64 = f64,
                              .degree = !f64   ? 4
                                        : kind ? 5
                                               : 6,
                              .kind = kind,
                              .octaves = f64 ? BAILEY_TABLED_OCTAVES_F64 : BAILEY_TABLED_OCTAVES_F32,
                              .exponent = f64 ? 54 : 33,
                              .scale = kind ? 1 : density.scale,
                              .least = kind ? 1 : density.least * density.scale};
    if (status == BAILEY_OK) status = make_table(&form, &density, table, bytes);
    bly_density_free(&density);
    return status;
}
