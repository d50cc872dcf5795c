/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** The Black-Scholes model with Hull and White's short rate, which is correlated with the first asset.
 *
 * Prices, rates and discount factors are exact at the dates: over a step the noise of the price, the rate and the
 * rate's integral are normal together, and are drawn so. Other assets are correlated with the rate by their
 * correlation with the first one. The curve has one forward rate for each period, from one date of the path to the
 * next; the last one goes on beyond. The path holds increments divided by the step length: those of the assets, then
 * two for the rate.
 *
 * kind: model
 * name: black-scholes-hull-white
 * path: increments
 * dims: assets
 * own: 2
 * construction: walk
 * start: any time
 * source: Hull and White 1990; Brigo and Mercurio 2006, appendix B
 */
typedef struct {
    real spot[DIMS];       /* spot price of each asset [> 0; unit money; role spot] */
    real volatility[DIMS]; /* volatility of each asset [>= 0; unit per square root of a year; role volatility] */
    real dividend[DIMS];   /* dividend yield of each asset, continuously compounded [unit per year; default 0; role
                              dividend] */
    real forward[STEPS];   /* forward rate of each period, continuously compounded [unit per year; role rate] */
    real reversion;        /* speed of the rate's mean reversion [> 0; unit per year] */
    real sigma;            /* volatility of the rate [>= 0; unit per year] */
    real rate_correlation; /* of the rate and the first asset [in [-1, 1]] */
} params;

typedef struct {
    real time;
    real change[DIMS];       /* of the logarithm of each price since time 0, less its growth */
    real factor, integral;   /* y, and its integral since time 0 */
    real discounting, ahead; /* the integral of forward rates up to now, and the forward rate after now */
    real period;             /* time from date to date */
    int next;                /* number of the period after now */
} state;

real reversion_of(const params *p) { return p->reversion; }
real sigma_of(const params *p) { return p->sigma; }

#include "host/simulate/schemes/hull_white.h"
#include "host/simulate/schemes/hull_white_step.h"

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) s->change[a] = 0;
    start_rate(s, p);
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int k = 0; k < DIMS; k++) {
        const real v = p->volatility[k];
        s->change[k] = fma(dt, v * x[k] - 0.5 * v * v, s->change[k]);
    }
    move_rate(s, p, i, t, dt, p->rate_correlation, x[0], x[DIMS], x[DIMS + 1]);
}

real price(const state *s, const params *p, int a)
{
    return p->spot[a] * exp(passed(s, p) - p->dividend[a] * s->time + s->change[a]);
}

real variance(const state *s, const params *p, int a) { return p->volatility[a] * p->volatility[a]; }

#include "host/simulate/schemes/black.h"

/* By the bond as numeraire, whose noise that of the price gets. Of later payments, and of other assets, whose correlation
 * with the rate the code does not know, there is none, which log(0) says. */
real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)
{
    const real k = p->reversion, v = p->volatility[a], w = p->sigma / k, t = s->time, decay = exp(-k * t);
    const real g = (1 - decay) / k, h = (1 - decay * decay) / (2 * k);
    const real spread = v * v * t + 2 * p->rate_correlation * v * w * (t - g) + w * w * (t - 2 * g + h);
    const real forward = p->spot[a] * exp(-p->dividend[a] * t) / known_discount(s, p, 0);
    return a > 0 || tau > 0 ? log(0.0) : black(sign, forward, strike, spread);
}
