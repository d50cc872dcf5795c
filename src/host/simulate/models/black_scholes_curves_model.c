/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** The Black-Scholes model with a rate, dividend yields and volatilities for each period, from one date of
 * the path to the next.
 *
 * A rate or yield is the mean over its period, a volatility the root mean square. Prices are exact at the
 * dates. The path holds increments divided by the step length.
 *
 * kind: model
 * name: black-scholes-curves
 * path: increments
 * dims: assets
 * start: any time
 * source: Black and Scholes 1973; Merton 1973
 */
typedef struct {
    real spot[DIMS];        /* spot price of each asset [> 0; unit money; role spot] */
    real rate[STEPS];       /* rate of each period, continuously compounded [unit per year; role rate] */
    real dividend[STEPS];   /* dividend yield of all assets in each period [unit per year; default 0; role
                               dividend] */
    real volatility[STEPS]; /* volatility of each period, times the next parameter [>= 0; unit per square root
                               of a year; role volatility] */
    real volatility_of_asset[DIMS]; /* factor of each asset's volatilities [>= 0; default 1] */
} params;

typedef struct {
    real time, discounting; /* the integral of the rate */
    real growth, ahead;     /* the integral of the rate less the dividend yield, and the next period's rate */
    real change[DIMS];      /* of the logarithm of each price since time 0 */
    real variance;          /* of the last period, with factors 1 */
} state;

void start(state *s, const params *p)
{
    s->time = 0;
    s->discounting = 0;
    s->growth = 0;
    s->ahead = p->rate[0];
    s->variance = 0;
    for (int d = 0; d < DIMS; d++) s->change[d] = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time;
    for (int d = 0; d < DIMS; d++) {
        const real v = p->volatility[i] * p->volatility_of_asset[d];
        s->change[d] = fma(dt, p->rate[i] - p->dividend[i] - 0.5 * v * v + v * x[d], s->change[d]);
    }
    s->discounting = fma(dt, p->rate[i], s->discounting);
    s->growth = fma(dt, p->rate[i] - p->dividend[i], s->growth);
    s->ahead = p->rate[i < STEPS - 1 ? i + 1 : STEPS - 1];
    s->variance = p->volatility[i] * p->volatility[i];
    s->time = t;
}

real price(const state *s, const params *p, int a) { return p->spot[a] * exp(s->change[a]); }

real variance(const state *s, const params *p, int a)
{
    return p->volatility_of_asset[a] * p->volatility_of_asset[a] * s->variance;
}

real discount(const state *s, const params *p) { return exp(-s->discounting); }

real discount_in(const state *s, const params *p, real tau)
{
    return exp(-(s->discounting + s->ahead * tau));
}

real forward_price(const state *s, const params *p, int a) { return p->spot[a] * exp(s->growth); }
