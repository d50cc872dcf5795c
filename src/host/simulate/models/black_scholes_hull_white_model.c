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

#include "host/simulate/schemes/hull_white.h"

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) s->change[a] = 0;
    s->factor = 0;
    s->integral = 0;
    s->discounting = 0;
    s->ahead = p->forward[0];
    s->period = 0;
    s->next = 0;
}

/* The three noises have the variances dt, h and (dt - 2 g + h) / a^2; that of the rate's integral has the
 * covariance g^2 / 2 with the rate, and the price's has correlation times g, and times (dt - g) / a, with both. */
void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    const real root_dt = sqrt(dt), a = p->reversion, rho = p->rate_correlation;
    const real decay = exp(-a * dt), g = (1 - decay) / a, h = (1 - decay * decay) / (2 * a);
    const real first = rho * g / root_dt, second = rho * (dt - g) / (a * root_dt);
    const real spread = sqrt(fmax(h - first * first, 1e-30)), lean = (0.5 * g * g - first * second) / spread;
    const real rest = sqrt(fmax((dt - 2 * g + h) / (a * a) - second * second - lean * lean, 0));
    const real z = root_dt * x[0], y = root_dt * x[DIMS], beside = root_dt * x[DIMS + 1];
    for (int k = 0; k < DIMS; k++) {
        const real v = p->volatility[k];
        s->change[k] = fma(dt, v * x[k] - 0.5 * v * v, s->change[k]);
    }
    s->integral += s->factor * g + p->sigma * (second * z + lean * y + rest * beside);
    s->factor = s->factor * decay + p->sigma * (first * z + spread * y);
    s->discounting = fma(dt, p->forward[i], s->discounting);
    s->ahead = p->forward[i < STEPS - 1 ? i + 1 : STEPS - 1];
    s->period = t / (i + 1);
    s->next = i + 1;
}

real price(const state *s, const params *p, int a)
{
    return p->spot[a] * exp(passed(s, p) - p->dividend[a] * s->time + s->change[a]);
}

real variance(const state *s, const params *p, int a) { return p->volatility[a] * p->volatility[a]; }
