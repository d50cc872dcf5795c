/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A European call or put under Heston's stochastic volatility.
 *
 * The variance of the price is stochastic, dv = reversion (mean_variance - v) dt + sigma sqrt(v) dW1, and the
 * price follows dS = (rate - dividend) S dt + sqrt(v) S dW0, where dW0 dW1 = correlation dt. The scheme is
 * Andersen's QE with martingale correction. A step of the variance has the exact mean and variance; it is a
 * shifted normal variate squared, or, near 0, exponential with a mass at 0. The price has the exact mean
 * unless correlation and sigma are so large that the scheme has none. The bias falls with the step length: 8
 * steps per year are usually enough.
 *
 * The path, x[0] and x[1], holds the increments of two independent Brownian motions divided by the step
 * length: x[1] moves the variance, x[0] the rest of the price. Any construction works: a walk is the fastest,
 * a bridge suits Sobol points best.
 *
 * name: heston
 * path: increments
 * dims: at least 2 independent
 * steps: 64
 * construction: walk
 * start: any time
 * coarser: steps
 * out[0] price: discounted payoff
 * source: Heston 1993; Andersen 2008
 * example: --spot 100 --strike 100 --rate 0.03 --correlation -0.7 --variance 0.04 --reversion 1.5
 *     --mean-variance 0.04 --sigma 0.3 --paths 1000000: one year
 */
typedef struct {
    real spot;     /* spot price [> 0; unit money; role spot] */
    real strike;   /* strike [unit money; role strike] */
    real rate;     /* rate, continuously compounded [unit per year; role rate] */
    real dividend; /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real variance; /* variance at time 0; 0.04 for a volatility of 0.2 [>= 0; unit per year; role variance] */
    real reversion;     /* speed of the variance's mean reversion [> 0; unit per year] */
    real mean_variance; /* long-run mean of the variance [>= 0; unit per year; role variance] */
    real sigma;         /* volatility of the variance [>= 0] */
    real correlation;   /* of the price and the variance [in [-1, 1]; role correlation] */
    real sign;          /* put or call [-1 (put) or 1 (call); default 1; role sign] */
} params;

typedef struct {
    real time, variance;
    real change; /* of the price's logarithm since time 0, less (rate - dividend) time */
} state;

#include "host/simulate/schemes/andersen_qe.h"

void start(state *s, const params *p)
{
    s->time = 0;
    s->variance = p->variance;
    s->change = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time;
    const qe_law law =
        qe_law_of(s->variance, dt, p->reversion, p->mean_variance, p->sigma, p->correlation, x[1]);
    const qe_draw next = qe_drawn(&law);
    s->change += qe_change(&next, s->variance, dt, p->correlation, x[0]);
    s->variance = next.variance;
    s->time = t;
}

void finish(const state *s, const params *p, real out[])
{
    const real price = p->spot * exp((p->rate - p->dividend) * s->time + s->change);
    const real gain = p->sign < 0 ? p->strike - price : price - p->strike;
    out[0] = exp(-p->rate * s->time) * fmax(gain, 0);
}
