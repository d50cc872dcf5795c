/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Heston's stochastic volatility by Euler's scheme, for comparison with `heston`, which has a far smaller bias.
 *
 * The scheme is Euler's for the logarithm of the price and for the variance, with full truncation: a negative variance
 * counts as 0. Its weak order is 1, and its bias is large where the variance is often near 0. The path holds
 * increments divided by the step length: those of the assets, then one for each variance.
 *
 * kind: model
 * name: heston-euler
 * model: flat
 * path: increments
 * dims: assets
 * own: 1 per dimension
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.015625 years
 * source: Heston 1993; Lord, Koekkoek and van Dijk 2010
 * example: --spot 100 --strike 100 --rate 0.03 --correlation -0.7 --variance 0.04 --reversion 1.5
 *     --mean-variance 0.04 --sigma 0.3 --paths 1000000: one year
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
} params;

typedef struct {
    real variance[DIMS];
    real change[DIMS]; /* of the price's logarithm since time 0, less its growth */
    real passed[DIMS]; /* the variance that the last step had */
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) {
        s->variance[a] = p->variance[a];
        s->change[a] = 0;
        s->passed[a] = p->variance[a];
    }
}

#include "host/simulate/schemes/price_noises.h"

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int a = 0; a < DIMS; a++) {
        const real rho = p->correlation[a], v = fmax(s->variance[a], 0), root = sqrt(fmax(v, 1e-30));
        const price_noises noises = noises_of(rho, x[a], x[DIMS + a]);
        const real noise = rho * noises.moves + sqrt(fmax(1 - rho * rho, 0)) * noises.rest;
        s->change[a] = fma(dt, root * noise - 0.5 * v, s->change[a]);
        s->variance[a] +=
            dt * (p->reversion[a] * (p->mean_variance[a] - v) + p->sigma[a] * root * noises.moves);
        s->passed[a] = v;
    }
}

real price(const state *s, const params *p, int a) { return p->spot[a] * exp(growth(a, 0) + s->change[a]); }

real variance(const state *s, const params *p, int a) { return s->passed[a]; }

real martingale(const state *s, const params *p, int a) { return exp(s->change[a]) - 1; }

real price_growth(const state *s, const params *p, int a) { return known_growth(a); }
