/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** The Black-Scholes model: geometric Brownian motions with volatilities that stay the same.
 *
 * Prices are exact at any times.
 *
 * kind: model
 * name: black-scholes
 * model: flat
 * path: paths likelihood
 * dims: assets
 * start: any time
 * source: Black and Scholes 1973
 */
typedef struct {
    real spot[DIMS];       /* spot price of each asset [> 0; unit money; role spot] */
    real volatility[DIMS]; /* volatility of each asset [>= 0; unit per square root of a year; role volatility]
                            */
} params;

typedef struct {
    real time;
    real x[DIMS]; /* at the last step so far */
} state;

void start(state *s, const params *p)
{
    for (int d = 0; d < DIMS; d++) s->x[d] = 0;
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int d = 0; d < DIMS; d++) s->x[d] = x[d];
}

real log_growth(const state *s, const params *p, int a)
{
    const real drift = growth(a, -(0.5 * p->volatility[a] * p->volatility[a]));
    return fma(p->volatility[a], s->x[a], drift);
}

real price(const state *s, const params *p, int a) { return p->spot[a] * exp(log_growth(s, p, a)); }

real log_price(const state *s, const params *p, int a, real first) { return log_growth(s, p, a); }

real variance(const state *s, const params *p, int a) { return p->volatility[a] * p->volatility[a]; }

real known_variance(const state *s, const params *p, int a) { return p->volatility[a] * p->volatility[a] * s->time; }

real lognormal_variance(const state *s, const params *p, int a) { return known_variance(s, p, a); }

real lognormal(const state *s, const params *p, int a)
{
    return exp(fma(p->volatility[a], s->x[a], -0.5 * known_variance(s, p, a)));
}

real martingale(const state *s, const params *p, int a) { return lognormal(s, p, a) - 1; }

real fixed_volatility(const state *s, const params *p, int a) { return p->volatility[a]; }

real price_growth(const state *s, const params *p, int a) { return known_growth(a); }

#include "host/simulate/schemes/black.h"

real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)
{
    return black(sign, p->spot[a] * exp(known_growth(a)), strike, known_variance(s, p, a));
}
