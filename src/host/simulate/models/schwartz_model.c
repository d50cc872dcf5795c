/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Schwartz's one-factor model of a commodity, whose logarithm reverts to a mean.
 *
 * The price follows dS = reversion (mean_log - sigma^2 / (2 reversion) - log S) S dt + sigma S dW, with the risk
 * premium in mean_log, the mean of the logarithm in the long run. Its growth is its own: rates below it discount
 * alone. Prices are exact at any times. The path holds increments divided by the step length.
 *
 * kind: model
 * name: schwartz
 * model: flat
 * path: increments
 * dims: assets
 * construction: walk
 * start: any time
 * source: Schwartz 1997, model 1
 */
typedef struct {
    real spot[DIMS];       /* spot price of each asset [> 0; unit money; role spot] */
    real reversion[DIMS];  /* speed of the logarithm's mean reversion [> 0; unit per year] */
    real mean_log[DIMS];   /* mean of the logarithm in the long run */
    real volatility[DIMS]; /* volatility of each price [>= 0; unit per square root of a year; role volatility] */
} params;

typedef struct {
    real time;
    real logarithm[DIMS]; /* of each price */
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) s->logarithm[a] = log(p->spot[a]);
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int a = 0; a < DIMS; a++) {
        const real k = p->reversion[a], decay = exp(-k * dt), v = p->volatility[a];
        const real spread = v * sqrt((1 - decay * decay) / (2 * k)), above = s->logarithm[a] - p->mean_log[a];
        s->logarithm[a] = p->mean_log[a] + above * decay + spread * (sqrt(dt) * x[a]);
    }
}

real price(const state *s, const params *p, int a) { return exp(s->logarithm[a]); }

real discount(const state *s, const params *p) { return discount(); }

real discount_in(const state *s, const params *p, real tau) { return discount_in(tau); }

real known_discount(const state *s, const params *p, real tau) { return known_discount(tau); }

#include "host/simulate/schemes/black.h"

real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)
{
    const real k = p->reversion[a], decay = exp(-k * s->time), v = p->volatility[a];
    const real spread = v * v * (1 - decay * decay) / (2 * k);
    const real middle = p->mean_log[a] + (log(p->spot[a]) - p->mean_log[a]) * decay;
    return black(sign, exp(middle + 0.5 * spread), strike, spread);
}
