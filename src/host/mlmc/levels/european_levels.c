/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A European call on one asset, by Milstein's scheme.
 *
 * The price follows a geometric Brownian motion.
 *
 * name: european
 * dims: at least 1
 * out[0] price: payoff, discounted from time T; a closed form is known
 * source: M. Giles, Improved multilevel Monte Carlo convergence using the Milstein scheme, 2006
 * example: --seed 1: the usual tables
 */
typedef struct {
    real spot;       /* spot price [> 0; unit money; default 100; role spot] */
    real strike;     /* strike [unit money; default 100; role strike] */
    real rate;       /* rate, continuously compounded [unit per year; default 0.05; role rate] */
    real dividend;   /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility; /* volatility [>= 0; unit per square root of a year; default 0.2; role volatility] */
} params;

typedef struct {
    real fine, coarse; /* prices */
} state;

/* The relative gain of a price in a step: (r - q) h + sigma dW + sigma^2 (dW^2 - h) / 2. */
real gain(const params *p, real h, real dw)
{
    const real half_variance = 0.5 * p->volatility * p->volatility;
    const real drift = p->rate - p->dividend - half_variance;
    return fma(dw, fma(half_variance, dw, p->volatility), drift * h);
}

void start(state *s, const params *p, int level)
{
    s->fine = p->spot;
    s->coarse = p->spot;
}

void step(state *s, const params *p, real t, real h, const noise *n)
{
    s->fine = fma(s->fine, gain(p, h, n->dw[0]), s->fine);
}

void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)
{
    step(s, p, t, h, n);
    step(s, p, t + h, h, m);
    s->coarse = fma(s->coarse, gain(p, 2 * h, n->dw[0] + m->dw[0]), s->coarse);
}

void finish(const state *s, const params *p, real t, real out[2])
{
    const real discount = exp(-p->rate * t);
    out[0] = discount * fmax(s->fine - p->strike, 0);
    out[1] = discount * fmax(s->coarse - p->strike, 0);
}
