/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** The Black-Scholes model: geometric Brownian motions with a rate, dividend yields and volatilities that
 * stay the same.
 *
 * Prices are exact at any times.
 *
 * kind: model
 * name: black-scholes
 * path: paths
 * dims: assets
 * start: any time
 * source: Black and Scholes 1973
 */
typedef struct {
    real spot[DIMS];       /* spot price of each asset [> 0; unit money; role spot] */
    real rate;             /* rate, continuously compounded [unit per year; role rate] */
    real dividend[DIMS];   /* dividend yield of each asset, continuously compounded [unit per year; default 0;
                              role dividend] */
    real volatility[DIMS]; /* volatility of each asset [>= 0; unit per square root of a year; role volatility]
                            */
} params;

typedef struct {
    real time, x[DIMS]; /* at the last step so far */
} state;

void start(state *s, const params *p)
{
    s->time = 0;
    for (int d = 0; d < DIMS; d++) s->x[d] = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    s->time = t;
    for (int d = 0; d < DIMS; d++) s->x[d] = x[d];
}

real price(const state *s, const params *p, int a)
{
    const real drift = p->rate - p->dividend[a] - 0.5 * p->volatility[a] * p->volatility[a];
    return p->spot[a] * exp(fma(p->volatility[a], s->x[a], drift * s->time));
}

real variance(const state *s, const params *p, int a) { return p->volatility[a] * p->volatility[a]; }

real discount(const state *s, const params *p) { return exp(-p->rate * s->time); }

real discount_in(const state *s, const params *p, real tau) { return exp(-p->rate * (s->time + tau)); }

real forward_price(const state *s, const params *p, int a)
{
    return p->spot[a] * exp((p->rate - p->dividend[a]) * s->time);
}
