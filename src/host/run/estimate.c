/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Estimates from sums, in plain IEEE operations in a fixed order, so that they have the same bits everywhere.
 * Products that are subtracted go through fma.
 *
 * Control variates: with C the covariance of the controls and b that with an output, the slopes C^-1 b make
 * the variance of output - slopes (controls - expected) smallest (P. Glasserman, "Monte Carlo Methods in
 * Financial Engineering", 2004, 4.1.3). Each replicate finds its own slopes.
 */
#include "estimate.h"
#include "regression.h"

#include <base/alloc.h>

#include <math.h>
#include <string.h>

#define MOST BAILEY_SIMULATION_MAX_RESULTS
/* Below this part of an error, what is left of it with control variates is rounding, as `sound` says. */
#define LEAST_REST 0x1p-18

/* Sums of one replicate after the other: of a mean, and of its distances from the first one. */
struct series {
    double first, sum, distance, squares;
};

struct bly_estimator {
    uint32_t outputs;
    int controlled, shape;
    double expected[MOST]; /* NaN where the output is not a control */
    uint64_t replicates, paths;
    struct series mean[MOST], adjusted[MOST];
    double error[MOST], adjusted_error[MOST];   /* of the first replicate, from its paths */
    int varies[MOST], adjusted_varies[MOST];    /* from path to path, in some replicate */
    double power[4][MOST], product[MOST][MOST]; /* sums over all replicates */
    double minimum[MOST], maximum[MOST];
};

struct bly_estimator *bly_estimator_create(uint32_t outputs, const double *expected)
{
    struct bly_estimator *estimator = bly_alloc(1, sizeof *estimator);
    if (!estimator) return NULL;
    estimator->outputs = outputs;
    for (uint32_t o = 0; o < outputs; o++) {
        estimator->expected[o] = expected ? expected[o] : NAN;
        estimator->controlled |= !isnan(estimator->expected[o]);
    }
    return estimator;
}

void bly_estimator_destroy(struct bly_estimator *estimator) { bly_free(estimator); }

/* ---- A replicate --------------------------------------------------------------------------------- */

/* Means, and covariances between paths with n - 1. */
struct moments {
    double n, mean[MOST], covariance[MOST][MOST];
};

/* Below this it is the rounding of the sums that varies, not the outputs. */
static double sound(double variance, double mean_square)
{
    return variance > 0x1p-44 * mean_square ? variance : 0;
}

/* The sum of the products of outputs a <= b. */
static double product_of(const struct bly_sums *s, uint32_t a, uint32_t b)
{
    const double *products = s->value + s->outputs;
    if (!s->products) return a == b ? products[a] : 0;
    return products[a * s->outputs - a * (a - 1) / 2 - a + b];
}

static void find_moments(const struct bly_sums *s, struct moments *m)
{
    m->n = (double)s->paths;
    for (uint32_t a = 0; a < s->outputs; a++) m->mean[a] = s->value[a] / m->n;
    for (uint32_t a = 0; a < s->outputs; a++)
        for (uint32_t b = a; b < s->outputs; b++) {
            const double product = product_of(s, a, b), rest = fma(-m->mean[a], s->value[b], product);
            const double value = s->paths < 2 ? 0 : rest / (m->n - 1);
            m->covariance[a][b] = m->covariance[b][a] = a == b ? sound(value, product / m->n) : value;
        }
}

/* ---- Control variates ---------------------------------------------------------------------------- */

struct controls {
    uint32_t count, output[MOST];
    double factor[MOST][MOST];
    int used[MOST];
};

static void find_controls(const struct bly_estimator *estimator, const struct moments *m, struct controls *c)
{
    memset(c, 0, sizeof *c);
    for (uint32_t o = 0; o < estimator->outputs; o++)
        if (!isnan(estimator->expected[o])) c->output[c->count++] = o;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t j = 0; j < c->count; j++) c->factor[i][j] = m->covariance[c->output[i]][c->output[j]];
    bly_regression_factor(c->count, MOST, c->factor[0], c->used);
}

/* The mean of output `o` with controls, and its standard error. */
static double adjust(const struct bly_estimator *estimator, const struct moments *m, struct controls *c,
                     uint32_t o, double *error)
{
    double slope[MOST], mean = m->mean[o], variance = m->covariance[o][o];
    for (uint32_t i = 0; i < c->count; i++) slope[i] = m->covariance[c->output[i]][o];
    bly_regression_solve(c->count, MOST, c->factor[0], c->used, slope);
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t control = c->output[i];
        mean = fma(slope[i], estimator->expected[control] - m->mean[control], mean);
        variance = fma(-slope[i], m->covariance[control][o], variance);
    }
    /* Each slope takes a degree of freedom. */
    double free = m->n - 1;
    for (uint32_t i = 0; i < c->count; i++) free -= c->used[i] != 0;
    *error = free > 0 ? sqrt(fmax(variance, 0) * ((m->n - 1) / free) / m->n) : NAN;
    return mean;
}

/* ---- All replicates ------------------------------------------------------------------------------ */

static void add(struct series *series, uint64_t replicates, double value)
{
    if (replicates == 0) series->first = value;
    const double distance = value - series->first;
    series->sum += value;
    series->distance += distance;
    series->squares = fma(distance, distance, series->squares);
}

/* The standard error of the mean of n numbers, from their spread. Numbers that are the same up to the
 * rounding of their sums (2^-47 is of the most paths that there can be) have none, nor is it 0 where paths
 * differ. */
static double error_of(const struct series *series, double n, int varies)
{
    const double variance = fma(-series->distance / n, series->distance, series->squares) / (n - 1);
    const double error = sqrt(fmax(variance, 0) / n);
    return varies && error <= 0x1p-47 * fabs(series->sum / n) ? NAN : error;
}

static void add_powers(struct bly_estimator *estimator, const struct bly_sums *s)
{
    const uint32_t outputs = s->outputs, pairs = s->products ? outputs * (outputs + 1) / 2 : outputs;
    const int powers = s->shape == 1;
    const double *cubes = s->value + outputs + pairs, *minima = cubes + (powers ? 2 * outputs : 0);
    estimator->shape = s->shape;
    for (uint32_t a = 0; a < outputs; a++) {
        estimator->power[0][a] += s->value[a];
        for (uint32_t b = a; b < outputs; b++) estimator->product[a][b] += product_of(s, a, b);
        if (!s->shape) continue;
        if (powers) estimator->power[2][a] += cubes[a];
        if (powers) estimator->power[3][a] += cubes[outputs + a];
        const int first = estimator->replicates == 0;
        estimator->minimum[a] =
            first || minima[a] < estimator->minimum[a] ? minima[a] : estimator->minimum[a];
        estimator->maximum[a] = first || minima[outputs + a] > estimator->maximum[a] ? minima[outputs + a]
                                                                                     : estimator->maximum[a];
    }
}

void bly_estimator_add(struct bly_estimator *estimator, const struct bly_sums *sums)
{
    struct moments m;
    struct controls controls;
    find_moments(sums, &m);
    find_controls(estimator, &m, &controls);
    add_powers(estimator, sums);
    for (uint32_t o = 0; o < estimator->outputs; o++) {
        double error = sums->paths < 2 ? NAN : sqrt(m.covariance[o][o] / m.n);
        if (estimator->replicates == 0) estimator->error[o] = error;
        estimator->varies[o] |= m.covariance[o][o] > 0;
        add(&estimator->mean[o], estimator->replicates, m.mean[o]);
        const int is_control = !isnan(estimator->expected[o]);
        const double mean = is_control              ? m.mean[o]
                            : estimator->controlled ? adjust(estimator, &m, &controls, o, &error)
                                                    : m.mean[o];
        if (estimator->replicates == 0) estimator->adjusted_error[o] = error;
        estimator->adjusted_varies[o] |= error > LEAST_REST * sqrt(m.covariance[o][o] / m.n);
        add(&estimator->adjusted[o], estimator->replicates, mean);
    }
    estimator->replicates++;
    estimator->paths += sums->paths;
}

/* Skewness and excess kurtosis from means of powers about `mean`. */
static void find_shape(const struct bly_estimator *estimator, uint32_t o, double mean, bailey_estimate *e)
{
    const double n = (double)estimator->paths, second = estimator->product[o][o] / n,
                 third = estimator->power[2][o] / n, fourth = estimator->power[3][o] / n;
    const double m2 = sound(fma(-mean, mean, second), second);
    const double m3 = fma(mean, fma(2 * mean, mean, -3 * second), third);
    const double m4 = fma(mean, fma(-3 * mean, mean * mean, fma(6 * mean, second, -4 * third)), fourth);
    e->skewness = m2 > 0 ? m3 / (m2 * sqrt(m2)) : 0;
    e->kurtosis = m2 > 0 ? m4 / (m2 * m2) - 3 : 0;
}

/* By how many errors the interval reaches to either side. */
static void find_interval(const struct bly_estimator *estimator, bailey_estimate *e)
{
    const uint64_t of = estimator->replicates > 1 ? estimator->replicates : estimator->paths;
    const double errors = bailey_student_95(of - 1);
    e->interval_low = fma(-errors, e->controlled_standard_error, e->controlled);
    e->interval_high = fma(errors, e->controlled_standard_error, e->controlled);
}

void bly_estimator_finish(const struct bly_estimator *estimator, int points, bailey_estimate *estimates,
                          double *covariance)
{
    const double n = (double)estimator->replicates, paths = (double)estimator->paths;
    const double divisor = estimator->paths > 1 ? paths - 1 : 1;
    for (uint32_t o = 0; o < estimator->outputs; o++) {
        bailey_estimate *e = &estimates[o];
        const double mean = estimator->power[0][o] / paths, product = estimator->product[o][o];
        memset(e, 0, sizeof *e);
        e->mean = estimator->mean[o].sum / n;
        e->controlled = estimator->adjusted[o].sum / n;
        e->standard_error = estimator->replicates > 1 ? error_of(&estimator->mean[o], n, estimator->varies[o])
                            : points                  ? NAN
                                                      : estimator->error[o];
        e->controlled_standard_error =
            estimator->replicates > 1 ? error_of(&estimator->adjusted[o], n, estimator->adjusted_varies[o])
            : points                  ? NAN
                                      : estimator->adjusted_error[o];
        find_interval(estimator, e);
        e->variance = sound(fma(-mean, estimator->power[0][o], product) / divisor, product / paths);
        e->skewness = e->kurtosis = e->minimum = e->maximum = NAN;
        e->paths = estimator->paths;
        if (!estimator->shape) continue;
        if (estimator->shape == 1) find_shape(estimator, o, mean, e);
        e->minimum = estimator->minimum[o];
        e->maximum = estimator->maximum[o];
    }
    for (uint32_t a = 0; covariance && a < estimator->outputs; a++)
        for (uint32_t b = a; b < estimator->outputs; b++) {
            const double mean = estimator->power[0][a] / paths;
            const double value = fma(-mean, estimator->power[0][b], estimator->product[a][b]) / divisor;
            covariance[a * estimator->outputs + b] = covariance[b * estimator->outputs + a] =
                a == b ? estimates[a].variance : value;
        }
}

/* ---- Intervals ----------------------------------------------------------------------------------- */

#define NORMAL_975 1.959963984540054

/* Student's quantile of 97.5 %: up to 20 degrees of freedom a table (SciPy 1.15, stats.t.ppf), above it the
 * expansion of Cornish and Fisher (Abramowitz and Stegun 26.7.5), which is within 2e-7 there. */
double bailey_student_95(uint64_t freedom)
{
    static const double table[] = {12.7062047361747, 4.30265272974946, 3.18244630528371, 2.77644510519779,
                                   2.57058183563631, 2.44691185114498, 2.36462425159278, 2.30600413520417,
                                   2.2621571627982,  2.22813885198627, 2.20098516009164, 2.17881282966723,
                                   2.16036865646279, 2.1447866879178,  2.13144954555978, 2.11990529922125,
                                   2.10981557783332, 2.10092204024104, 2.09302405440831, 2.08596344726586};
    const double z = NORMAL_975, y = z * z, n = (double)freedom;
    if (freedom == 0) return NAN;
    if (freedom <= sizeof table / sizeof *table) return table[freedom - 1];
    const double first = (y + 1) / 4, second = fma(fma(5, y, 16), y, 3) / 96,
                 third = fma(fma(fma(3, y, 19), y, 17), y, -15) / 384,
                 fourth = fma(fma(fma(fma(79, y, 776), y, 1482), y, -1920), y, -945) / 92160;
    const double sum = (first + (second + (third + fourth / n) / n) / n) / n;
    return fma(z, sum, z);
}
