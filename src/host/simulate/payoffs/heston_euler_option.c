/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A European call or put in Heston's model, by Euler's scheme.
 *
 * The variance of the price is stochastic, dv = reversion (mean_variance - v) dt + sigma sqrt(v) dW1, and the
 * price follows dS = (rate - dividend) S dt + sqrt(v) S dW0. The scheme is Euler's for the logarithm of the
 * price and for the variance, with full truncation (Lord, Koekkoek and van Dijk 2010): a negative v counts
 * as 0. Its bias falls with the step length.
 *
 * The path, x[0] and x[1], holds the increments of W0 and W1 divided by the step length. Its correlation is
 * that of the price and the variance: {1, rho, rho, 1}. Any construction works: a walk is the fastest, a
 * bridge suits Sobol points best.
 *
 * name: heston-euler
 * path: increments
 * dims: at least 2
 * steps: 64
 * construction: walk
 * start: any time
 * coarser: steps
 * out[0] price: discounted payoff
 * source: Heston 1993; Lord, Koekkoek and van Dijk 2010
 * example: --spot 100 --strike 100 --rate 0.03 --correlation -0.7 --variance 0.04 --reversion 1.5
 *     --mean-variance 0.04 --sigma 0.3 --paths 1000000: one year
 */
typedef struct {
    real spot;     /* spot price [> 0; unit money; role spot] */
    real strike;   /* strike [unit money; role strike] */
    real rate;     /* rate, continuously compounded [unit per year; role rate] */
    real dividend; /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real variance; /* variance at time 0; 0.04 for a volatility of 0.2 [>= 0; unit per year; role variance] */
    real reversion;     /* speed of the variance's mean reversion [unit per year] */
    real mean_variance; /* long-run mean of the variance [>= 0; unit per year; role variance] */
    real sigma;         /* volatility of the variance [>= 0] */
    real sign;          /* put or call [-1 (put) or 1 (call); default 1; role sign] */
} params;

typedef struct {
    real time, variance;
    real change; /* of the price's logarithm since time 0 */
} state;

void start(state *s, const params *p)
{
    s->time = 0;
    s->variance = p->variance;
    s->change = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time, v = fmax(s->variance, 0), root = sqrt(v);
    s->change = fma(dt, p->rate - p->dividend - 0.5 * v + root * x[0], s->change);
    s->variance = fma(dt, p->reversion * (p->mean_variance - v) + p->sigma * root * x[1], s->variance);
    s->time = t;
}

void finish(const state *s, const params *p, real out[])
{
    const real price = p->spot * exp(s->change);
    const real gain = p->sign < 0 ? p->strike - price : price - p->strike;
    out[0] = exp(-p->rate * s->time) * fmax(gain, 0);
}
