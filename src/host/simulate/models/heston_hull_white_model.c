/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Heston's stochastic volatility, by Andersen's QE scheme with martingale correction, with Hull and White's short rate,
 * which is correlated with the first asset.
 *
 * The rate is independent of the variances. Its discount factors are exact at the dates, and the price follows the same
 * scheme as `heston`. Other assets are correlated with the rate by their correlation with the first one. The curve has
 * one forward rate for each period, from one date of the path to the next; the last one goes on beyond. The path holds
 * increments divided by the step length: those of the assets, then one for each variance, then two for the rate.
 *
 * kind: model
 * name: heston-hull-white
 * path: increments
 * dims: assets
 * own: 1 per dimension, 2
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.125 years
 * source: Heston 1993; Andersen 2008; Grzelak and Oosterlee 2011
 * check: correlation[0] * correlation[0] + rate_correlation * rate_correlation <= 1.000001: the correlations of the first
 * price, its variance and the rate are not those of three variables
 */
typedef struct {
    real spot[DIMS];     /* spot price of each asset [> 0; unit money; role spot] */
    real variance[DIMS]; /* variance at time 0; 0.04 for a volatility of 0.2 [>= 0; unit per year; role
                            variance] */
    real reversion[DIMS];     /* speed of the variance's mean reversion [> 0; unit per year] */
    real mean_variance[DIMS]; /* long-run mean of the variance [>= 0; unit per year; role variance] */
    real sigma[DIMS];         /* volatility of the variance; its square may exceed Feller's limit, 2 reversion
                                 mean_variance [>= 0] */
    real correlation[DIMS];   /* of each price and its variance [in [-1, 1]; role correlation] */
    real dividend[DIMS];      /* dividend yield of each asset, continuously compounded [unit per year; default 0; role
                                 dividend] */
    real forward[STEPS];      /* forward rate of each period, continuously compounded [unit per year; role rate] */
    real rate_reversion;      /* speed of the rate's mean reversion [> 0; unit per year] */
    real rate_sigma;          /* volatility of the rate [>= 0; unit per year] */
    real rate_correlation;    /* of the rate and the first asset [in [-1, 1]; default 0] */
} params;

typedef struct {
    real time;
    real variance[DIMS];
    real change[DIMS];       /* of the logarithm of each price since time 0, less its growth */
    real passed[DIMS];       /* the mean variance in the last step */
    real factor, integral;   /* y, and its integral since time 0 */
    real discounting, ahead; /* the integral of forward rates up to now, and the forward rate after now */
    real period;             /* time from date to date */
    int next;                /* number of the period after now */
} state;

real reversion_of(const params *p) { return p->rate_reversion; }
real sigma_of(const params *p) { return p->rate_sigma; }

#include "host/simulate/schemes/hull_white.h"
#include "host/simulate/schemes/hull_white_step.h"

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) {
        s->variance[a] = p->variance[a];
        s->change[a] = 0;
        s->passed[a] = p->variance[a];
    }
    start_rate(s, p);
}

#include "host/simulate/schemes/heston_step.h"

/* The rate is correlated with the part of the first price's noise that is independent of the variance's. */
void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    const real beside = noises_of(p->correlation[0], x[0], x[DIMS]).rest;
    move_assets(s, p, dt, x);
    const real with = p->rate_correlation / sqrt(fmax(1 - p->correlation[0] * p->correlation[0], 1e-30));
    move_rate(s, p, i, t, dt, fmax(fmin(with, 1), -1), beside, x[2 * DIMS], x[2 * DIMS + 1]);
}

real price(const state *s, const params *p, int a)
{
    return p->spot[a] * exp(passed(s, p) - p->dividend[a] * s->time + s->change[a]);
}

real variance(const state *s, const params *p, int a) { return s->passed[a]; }

real martingale(const state *s, const params *p, int a) { return exp(s->change[a]) - 1; }
