/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Heston's stochastic volatility, by Andersen's QE scheme with martingale correction.
 *
 * The variance of the price follows dv = reversion (mean_variance - v) dt + sigma sqrt(v) dW1, and the price
 * dS = (rate - dividend) S dt + sqrt(v) S dW0, where dW0 dW1 = correlation dt. The variance may reach 0, so
 * Feller's condition need not hold. The correlation of several assets is that of their W0; noise of a variance
 * that is not its price's is independent of all others. The bias is below the error of most runs with 8 steps
 * per year, and falls with the step length. The path holds increments divided by the step length: those of the
 * assets, then one for each variance.
 *
 * kind: model
 * name: heston
 * model: flat
 * path: increments
 * dims: assets
 * own: 1 per dimension
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.125 years
 * source: Heston 1993; Andersen 2008
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
    real time;
    real variance[DIMS];
    real change[DIMS]; /* of the price's logarithm since time 0, less its growth */
    real passed[DIMS]; /* the mean variance in the last step */
    /* With its mean as the variance: that, its integral, and the change of the logarithm by the same noise. */
    real expected[DIMS], integral[DIMS], likely[DIMS];
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) {
        s->variance[a] = p->variance[a];
        s->change[a] = 0;
        s->passed[a] = p->variance[a];
        s->expected[a] = p->variance[a];
        s->integral[a] = 0;
        s->likely[a] = 0;
    }
}

#include "host/simulate/schemes/heston_step.h"

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    move_assets(s, p, dt, x);
    for (int a = 0; a < DIMS; a++) {
        const real rho = p->correlation[a], mean = p->mean_variance[a];
        const price_noises noises = noises_of(rho, x[a], x[DIMS + a]);
        const real expected = mean + (s->expected[a] - mean) * exp(-p->reversion[a] * dt);
        const real middle = 0.5 * (s->expected[a] + expected);
        const real noise = DIMS > 1 ? x[a] : rho * noises.moves + sqrt(fmax(1 - rho * rho, 0)) * noises.rest;
        s->likely[a] = fma(dt, sqrt(fmax(middle, 1e-30)) * noise - 0.5 * middle, s->likely[a]);
        s->integral[a] = fma(dt, middle, s->integral[a]);
        s->expected[a] = expected;
    }
}

real price(const state *s, const params *p, int a) { return p->spot[a] * exp(growth(a, 0) + s->change[a]); }

real log_price(const state *s, const params *p, int a, real first) { return growth(a, 0) + s->change[a]; }

real variance(const state *s, const params *p, int a) { return s->passed[a]; }

real martingale(const state *s, const params *p, int a) { return exp(s->change[a]) - 1; }

/* The price if its variance were the mean variance. */
real lognormal(const state *s, const params *p, int a) { return exp(s->likely[a]); }

real lognormal_variance(const state *s, const params *p, int a) { return s->integral[a]; }

real price_growth(const state *s, const params *p, int a) { return known_growth(a); }

#include "host/simulate/schemes/heston_formula.h"

/* A strike that is not positive has none, which log(0) says. */
real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)
{
    return strike > 0 ? heston_option(sign, p->spot[a] * exp(known_growth(a)), strike, s->time, p->variance[a],
                                      p->reversion[a], p->mean_variance[a], p->sigma[a], p->correlation[a])
                      : log(0.0);
}
