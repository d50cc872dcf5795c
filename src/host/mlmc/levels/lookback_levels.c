/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A lookback call, which pays the last price minus the lowest, by Milstein's scheme.
 *
 * The price follows a geometric Brownian motion.
 *
 * Between points x and y it is approximated by a Brownian bridge of volatility g = sigma x, whose minimum is
 * (x + y - sqrt((y - x)^2 - 2 h g^2 log U)) / 2 with a uniform U. A coarse step has such a minimum in each of
 * its halves, with the U of the two fine steps. The halves meet at the bridge's midpoint for the same
 * Brownian motion, (x + y + g (dW1 - dW2)) / 2.
 *
 * name: lookback
 * dims: at least 1
 * out[0] price: payoff, discounted from time T; a closed form is known
 * source: M. Giles, Improved multilevel Monte Carlo convergence using the Milstein scheme, 2006
 * example: --eps 0.005,0.01: fewer target errors than by default
 */
#define UNIFORMS 1

typedef struct {
    real spot;       /* spot price [> 0; unit money; default 100; role spot] */
    real rate;       /* rate, continuously compounded [unit per year; default 0.05; role rate] */
    real dividend;   /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility; /* volatility [>= 0; unit per square root of a year; default 0.2; role volatility] */
} params;

typedef struct {
    real fine, coarse;               /* prices */
    real fine_lowest, coarse_lowest; /* so far */
} state;

/* The relative gain of a price in a step: (r - q) h + sigma dW + sigma^2 (dW^2 - h) / 2. */
real gain(const params *p, real h, real dw)
{
    const real half_variance = 0.5 * p->volatility * p->volatility;
    const real drift = p->rate - p->dividend - half_variance;
    return fma(dw, fma(half_variance, dw, p->volatility), drift * h);
}

/* Twice the least that is gained in a time h, at whose end it is `a`; all of it as parts of a price. */
real least(const params *p, real h, real a, real log_u)
{
    const real variance = p->volatility * p->volatility * h;
    return a - sqrt(fma(-2 * variance, log_u, a * a));
}

void start(state *s, const params *p, int level)
{
    s->fine = p->spot;
    s->coarse = p->spot;
    s->fine_lowest = p->spot;
    s->coarse_lowest = p->spot;
}

void fine_step(state *s, const params *p, real h, real dw, real log_u)
{
    const real a = gain(p, h, dw);
    const real lowest = fma(s->fine, 0.5 * least(p, h, a, log_u), s->fine);
    s->fine_lowest = fmin(s->fine_lowest, lowest);
    s->fine = fma(s->fine, a, s->fine);
}

void step(state *s, const params *p, real t, real h, const noise *n)
{
    fine_step(s, p, h, n->dw[0], log(n->u[0]));
}

void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)
{
    const real log_u = log(n->u[0]), log_v = log(m->u[0]);
    const real a = gain(p, 2 * h, n->dw[0] + m->dw[0]);
    const real first = 0.5 * fma(p->volatility, n->dw[0] - m->dw[0], a), second = a - first;
    fine_step(s, p, h, n->dw[0], log_u);
    fine_step(s, p, h, m->dw[0], log_v);
    const real low = fmin(least(p, h, first, log_u), fma(2, first, least(p, h, second, log_v)));
    s->coarse_lowest = fmin(s->coarse_lowest, fma(s->coarse, 0.5 * low, s->coarse));
    s->coarse = fma(s->coarse, a, s->coarse);
}

void finish(const state *s, const params *p, real t, real out[2])
{
    const real discount = exp(-p->rate * t);
    out[0] = discount * (s->fine - s->fine_lowest);
    out[1] = discount * (s->coarse - s->coarse_lowest);
}
