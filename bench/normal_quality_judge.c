/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What floats and 32-bit words do to the counts. Where values are off by at most E units in the last place
 * u(x), the probability of abs(z) >= x is off by at most E u(x) phi(x), phi the density of abs(z). In
 * standard deviations of 2^36 values that is below 0.04 E wherever x lies, so that tails and A^2, which
 * has about the square of it, see nothing. Chi-square gets the noncentrality n sum (difference)^2 /
 * probability: at most 138 E^2 if all errors were adverse, where 69 are a standard deviation. Rounding
 * alone takes half a unit at every edge; what a cell gets at one it loses at the other, except at 1/2, 1,
 * 2 and 4: below 0.1. So it is for Box-Muller, whose other errors average out over radii and angles
 * (0.05, from the angles of 1,024 radii at each of 1,250 edges). The inverse CDF has 2^32 values, each
 * with its own error, and cells of few words. All of them can be counted: the row says by how many
 * standard deviations chi-square is shifted, and below which p-value this doubles it (for 2^36 values
 * 0.17 and 4e-5; the shift is in proportion to n). Its moments miss 0.02 (8th) standard deviations or
 * less, since the outermost word stands for all that is beyond. A cell has at most 0.0016 of the values: the
 * trapezoidal sum over cells that is A^2 differs from the integral by less than 0.001 of it.
 */
#include "normal_quality.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static quality_statistic *put(quality_result *x, double observed, double expected, double z, double p,
                              const char *name, ...)
{
    quality_statistic *s = &x->all[x->count++];
    va_list list;
    *s = (quality_statistic){.observed = observed, .expected = expected, .z = z, .p = p};
    va_start(list, name);
    vsnprintf(s->name, sizeof s->name, name, list);
    va_end(list);
    return s;
}

/* `places` ends the name. */
static quality_statistic *put_z(quality_result *x, const char *name, unsigned places, double observed,
                                double expected, double deviation)
{
    const double z = (observed - expected) / deviation;
    return put(x, observed, expected, z, normal_quality_p(z), name, places);
}

/* Normals from words and radii of 32 bits have a discrete law, which in the tails is that of fast forms too.
 */
static normal_quality_law law_of(const bailey_normal_params *normal)
{
    if (normal->precision != BAILEY_PRECISION_F32) return NORMAL_QUALITY_NORMAL;
    if (normal->method == BAILEY_NORMAL_METHOD_ICDF) return NORMAL_QUALITY_ICDF_F32;
    if (normal->method == BAILEY_NORMAL_METHOD_BOX_MULLER) return NORMAL_QUALITY_BOX_MULLER_F32;
    return NORMAL_QUALITY_NORMAL;
}

static void judge_cells(const quality_totals *t, const bailey_normal_params *normal, quality_result *x)
{
    const int exact = normal->numerics == BAILEY_NUMERICS_EXACT;
    const double bad = (double)t->cell[2 * QUALITY_CELLS];
    put(x, bad, 0, bad > 0 ? INFINITY : 0, bad > 0 ? 0 : 1, "not numbers");
    const normal_quality_fit fit =
        normal_quality_fit_of(t->cell, exact ? law_of(normal) : NORMAL_QUALITY_NORMAL);
    x->shift = fit.shift;
    put(x, fit.chi_square, fit.degrees, fit.z, normal_quality_p(fit.z), "chi-square");
    put(x, fit.anderson_darling, 1, NAN, fmin(2 * fmin(fit.p, 1 - fit.p), 1), "Anderson-Darling");
}

static void judge_moments(const quality_totals *t, quality_result *x)
{
    const double n = (double)t->values;
    double mu[2 * QUALITY_MOMENTS + 1] = {1};
    for (int k = 2; k <= 2 * QUALITY_MOMENTS; k += 2) mu[k] = mu[k - 2] * (k - 1);
    for (int k = 1; k <= QUALITY_MOMENTS; k++)
        put_z(x, "moment %u", (unsigned)k, t->sum[k - 1] / n, mu[k],
              sqrt(mu[2 * k] - mu[k] * mu[k]) / sqrt(n));
}

static void judge_tail(const quality_totals *t, normal_quality_law law, double edge, int side,
                       quality_result *x)
{
    uint64_t found = 0;
    for (int k = (int)(edge * QUALITY_CELLS_A_UNIT); k < QUALITY_CELLS; k++)
        found += t->cell[side * QUALITY_CELLS + k];
    const double p = normal_quality_beyond(law, edge), mean = (double)t->values * p;
    const double z = ((double)found - mean) / sqrt(mean > 0 ? mean * (1 - p) : 1);
    put(x, (double)found, mean, z, mean > 1000 ? normal_quality_p(z) : normal_quality_poisson(found, mean),
        "tail %s %s%g", side ? ">=" : "<=", side ? "" : "-", edge);
}

static void judge_lags(const quality_totals *t, int squares, quality_result *x)
{
    const double n = (double)t->values;
    for (unsigned l = 0; l < QUALITY_LAGS; l++) {
        const int far = l == QUALITY_LAGS - 1;
        const unsigned at = far ? QUALITY_MOMENTS : QUALITY_FIRST_SUMS + 2 * l;
        put_z(x, squares ? "squares, lag %u" : "values, lag %u",
              far ? QUALITY_FAR : quality_lag(l / QUALITY_NEAR_LAGS, l % QUALITY_NEAR_LAGS),
              t->sum[at + (unsigned)squares] / n / (squares ? 2 : 1), 0, 1 / sqrt(n));
    }
}

static void judge_blocks(const quality_totals *t, int wallace, quality_result *x)
{
    const double k = QUALITY_BLOCK, b = (double)t->blocks;
    put_z(x, "blocks' squares, mean", 0, t->squares[0] / b + k, k, sqrt(2 * k / b));
    put_z(x, "blocks' squares, variance", 0, t->squares[1] / b, 2 * k, sqrt((8 * k * k + 48 * k) / b));
    put_z(x, "blocks' squares, lag %u", 1, t->next_squares / (double)t->pairs[0] / (2 * k), 0,
          1 / sqrt((double)t->pairs[0]));
    for (unsigned lag = 1; lag <= 2; lag++) {
        const double pairs = (double)t->pairs[lag - 1];
        put_z(x, "blocks' He_4, lag %u", lag, t->fourth[lag - 1] / pairs / (24 * k), 0, 1 / sqrt(pairs))
            ->known = wallace;
    }
}

/* By the smallest of all p-values, and the chance of one as small. */
static void give_verdict(quality_result *x)
{
    int known = 0;
    x->worst = 0;
    for (size_t i = 0; i < x->count; i++) {
        if (x->all[i].known)
            known = known || x->all[i].p < 1e-6;
        else if (!(x->all[i].p >= x->all[x->worst].p))
            x->worst = i;
    }
    x->corrected = -expm1((double)x->count * log1p(-x->all[x->worst].p));
    x->fails = !(x->corrected >= 1e-6);
    x->verdict = x->fails                  ? "FAILS"
                 : !(x->corrected >= 1e-3) ? "suspect"
                 : known                   ? "passes except for what is known of it"
                                           : "passes";
}

void quality_judge(const quality_totals *t, const bailey_normal_params *normal, quality_result *x)
{
    static const double edges[] = {1, 2, 3, 4, 5, 5.5, 6, 6.5};
    x->count = 0;
    judge_cells(t, normal, x);
    judge_moments(t, x);
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (int side = 0; side < 2; side++) judge_tail(t, law_of(normal), edges[i], side, x);
    for (int squares = 0; squares < 2; squares++) judge_lags(t, squares, x);
    judge_blocks(t, normal->method == BAILEY_NORMAL_METHOD_WALLACE, x);
    give_verdict(x);
}
