/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** The Black-Scholes model with a rate, dividend yields and volatilities for each period, from one date of
 * the path to the next.
 *
 * A volatility is the root mean square over its period. Prices are exact at the dates. The path holds
 * increments divided by the step length.
 *
 * kind: model
 * name: black-scholes-curves
 * model: curve
 * path: increments
 * dims: assets
 * start: any time
 * source: Black and Scholes 1973; Merton 1973
 */
typedef struct {
    real spot[DIMS];        /* spot price of each asset [> 0; unit money; role spot] */
    real volatility[STEPS]; /* volatility of each period, times the next parameter [>= 0; unit per square root
                               of a year; role volatility] */
    real volatility_of_asset[DIMS]; /* factor of each asset's volatilities [>= 0; default 1] */
} params;

typedef struct {
    real change[DIMS]; /* of the logarithm of each price since time 0, less its growth */
    real variance;     /* of the last period, with factors 1 */
    real sum;          /* of variances, each by the length of its step */
} state;

void start(state *s, const params *p)
{
    s->variance = 0;
    s->sum = 0;
    for (int d = 0; d < DIMS; d++) s->change[d] = 0;
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int d = 0; d < DIMS; d++) {
        const real v = p->volatility[i] * p->volatility_of_asset[d];
        s->change[d] = fma(dt, v * x[d] - 0.5 * v * v, s->change[d]);
    }
    s->variance = p->volatility[i] * p->volatility[i];
    s->sum = fma(dt, s->variance, s->sum);
}

real price(const state *s, const params *p, int a) { return p->spot[a] * exp(growth(a, 0) + s->change[a]); }

real log_price(const state *s, const params *p, int a, real first) { return growth(a, 0) + s->change[a]; }

real variance(const state *s, const params *p, int a)
{
    return p->volatility_of_asset[a] * p->volatility_of_asset[a] * s->variance;
}

real known_variance(const state *s, const params *p, int a)
{
    return p->volatility_of_asset[a] * p->volatility_of_asset[a] * s->sum;
}

real lognormal_variance(const state *s, const params *p, int a) { return known_variance(s, p, a); }

real lognormal(const state *s, const params *p, int a) { return exp(s->change[a]); }

real martingale(const state *s, const params *p, int a) { return lognormal(s, p, a) - 1; }

real price_growth(const state *s, const params *p, int a) { return known_growth(a); }

#include "host/simulate/schemes/black.h"

real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)
{
    return black(sign, p->spot[a] * exp(known_growth(a)), strike, known_variance(s, p, a));
}
