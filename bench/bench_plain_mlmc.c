/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel Monte Carlo by itself, in plain C: the five options of M. Giles, "Improved multilevel Monte
 * Carlo convergence using the Milstein scheme" (2008), and the adaptive algorithm of his "Multilevel Monte
 * Carlo methods", Acta Numerica 24 (2015). Nothing of the library is in it: it is a rival, and a check.
 */
#include "bench_plain.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define THETA 0.25 /* the share of the mean square error that is left to the bias */

/* A run: the sums of each level. Costs are the steps of a fine path. */
struct state {
    const struct plain_mlmc *mlmc;
    struct plain_source *source; /* one per thread */
    pthread_mutex_t lock;
    unsigned finest;
    uint64_t samples[PLAIN_MAX_LEVELS], wanted[PLAIN_MAX_LEVELS]; /* so far; more of them */
    struct plain_level_sums sums[PLAIN_MAX_LEVELS];
    double mean[PLAIN_MAX_LEVELS], variance[PLAIN_MAX_LEVELS];
    double alpha, beta;
};

/* ---- Samples ---- */

/* A thread's share of every level. */
static void part(void *user, unsigned index, unsigned threads)
{
    struct state *s = user;
    const struct plain_mlmc *m = s->mlmc;
    struct plain_level_sums sums[PLAIN_MAX_LEVELS] = {{0, 0}};
    for (unsigned l = 0; l <= s->finest; l++) {
        const uint64_t first = s->wanted[l] * index / threads,
                       count = s->wanted[l] * (index + 1) / threads - first;
        (m->is_double ? plain_level_f64 : plain_level_f32)(&s->source[index], m->option, l, count, &sums[l]);
    }
    pthread_mutex_lock(&s->lock);
    for (unsigned l = 0; l <= s->finest; l++) {
        s->sums[l].y += sums[l].y;
        s->sums[l].y2 += sums[l].y2;
    }
    pthread_mutex_unlock(&s->lock);
}

static void sample(struct state *s)
{
    bench_host_run(s->mlmc->host, part, s);
    for (unsigned l = 0; l <= s->finest; l++) {
        s->samples[l] += s->wanted[l];
        s->wanted[l] = 0;
    }
}

/* ---- Estimates ---- */

static double cost_of(unsigned level) { return exp2(level); }

/* The slope of -log2 values[l] over levels 1 .. finest by least squares, at least 0.5. */
static double decay(const struct state *s, const double *values)
{
    double n = 0, sum_l = 0, sum_v = 0, sum_ll = 0, sum_lv = 0;
    for (unsigned l = 1; l <= s->finest; l++) {
        const double v = -log2(fmax(values[l], 1e-300));
        n++;
        sum_l += l;
        sum_v += v;
        sum_ll += (double)l * l;
        sum_lv += l * v;
    }
    return fmax(0.5, (n * sum_lv - sum_l * sum_v) / (n * sum_ll - sum_l * sum_l));
}

/* Means and variances of levels, and how they fall. A level's may be far too small by accident: not below
 * what the level before leads to expect, by half. */
static void estimate(struct state *s)
{
    for (unsigned l = 0; l <= s->finest; l++) {
        const double n = (double)s->samples[l], mean = s->sums[l].y / n;
        s->mean[l] = fabs(mean);
        s->variance[l] = fmax(0, s->sums[l].y2 / n - mean * mean);
    }
    s->alpha = decay(s, s->mean);
    s->beta = decay(s, s->variance);
    for (unsigned l = 2; l <= s->finest; l++) {
        s->mean[l] = fmax(s->mean[l], s->mean[l - 1] / exp2(s->alpha + 1));
        s->variance[l] = fmax(s->variance[l], s->variance[l - 1] / exp2(s->beta + 1));
    }
}

/* Wants as many more samples as make the variance of the sum (1 - THETA) eps^2 at least cost. */
static void allot(struct state *s)
{
    const double eps = s->mlmc->eps;
    double sum = 0;
    for (unsigned l = 0; l <= s->finest; l++) sum += sqrt(s->variance[l] * cost_of(l));
    for (unsigned l = 0; l <= s->finest; l++) {
        const double need = sqrt(s->variance[l] / cost_of(l)) * sum / ((1 - THETA) * eps * eps);
        s->wanted[l] = need > (double)s->samples[l] ? (uint64_t)ceil(need - (double)s->samples[l]) : 0;
    }
}

static int enough(const struct state *s)
{
    for (unsigned l = 0; l <= s->finest; l++) {
        if ((double)s->wanted[l] > 0.01 * (double)s->samples[l]) return 0;
    }
    return 1;
}

/* The bias that is left, extrapolated from the last three levels. */
static double bias(const struct state *s)
{
    double most = 0;
    for (unsigned i = 0; i < 3; i++) most = fmax(most, s->mean[s->finest - i] * exp2(-s->alpha * i));
    return most / (exp2(s->alpha) - 1);
}

/* Another level, whose variance is what those before lead to expect. */
static void refine(struct state *s)
{
    const unsigned l = ++s->finest;
    s->mean[l] = s->mean[l - 1] / exp2(s->alpha);
    s->variance[l] = s->variance[l - 1] / exp2(s->beta);
    allot(s);
}

static int drive(struct state *s)
{
    for (unsigned l = 0; l <= s->finest; l++) s->wanted[l] = s->mlmc->first_samples;
    for (;;) {
        sample(s);
        estimate(s);
        allot(s);
        if (!enough(s)) continue;
        if (bias(s) <= sqrt(THETA) * s->mlmc->eps) return 1;
        if (s->finest == s->mlmc->max_level) return 0;
        refine(s);
    }
}

static void finish(const struct state *s, struct plain_mlmc *m)
{
    m->levels = s->finest + 1;
    m->value = m->cost = 0;
    memset(m->samples, 0, sizeof m->samples);
    for (unsigned l = 0; l < m->levels; l++) {
        m->samples[l] = s->samples[l];
        m->mean[l] = s->sums[l].y / (double)s->samples[l];
        m->variance[l] = s->variance[l];
        m->value += m->mean[l];
        m->cost += (double)s->samples[l] * cost_of(l);
    }
}

bailey_status plain_mlmc_run(void *user)
{
    struct plain_mlmc *m = user;
    const unsigned threads = bench_host_threads(m->host);
    struct state s = {.mlmc = m, .finest = m->min_level};
    s.source = aligned_alloc(64, threads * sizeof *s.source);
    if (!s.source) return BAILEY_ERROR_MEMORY;
    for (unsigned i = 0; i < threads; i++) plain_source_start(&s.source[i], m->seed + i, m->is_philox);
    pthread_mutex_init(&s.lock, NULL);
    m->converged = drive(&s);
    finish(&s, m);
    pthread_mutex_destroy(&s.lock);
    free(s.source);
    return BAILEY_OK;
}
