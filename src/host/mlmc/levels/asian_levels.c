/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An Asian call on the mean of the price over all times, by Milstein's scheme.
 *
 * The price follows a geometric Brownian motion. Between two points it is approximated by a Brownian motion
 * with drift. Its integral over a step of length h is then h times the mean of both ends, plus g times an
 * independent normal of variance h^3 / 12, where g is the volatility times the first price. Over a coarse
 * step, that normal is I1 + I2 + h (dW1 - dW2) / 2: the integrals I1 and I2 of the two halves, and the
 * distance of the midpoint from the line between the ends.
 *
 * name: asian
 * dims: at least 1
 * out[0] price: payoff, discounted from time T
 * source: M. Giles, Improved multilevel Monte Carlo convergence using the Milstein scheme, 2006
 * example: --generator sobol --eps 0.001: multilevel quasi-Monte Carlo
 */
#define NORMALS 1

typedef struct {
    real spot;       /* spot price [> 0; unit money; default 100; role spot] */
    real strike;     /* strike [unit money; default 100; role strike] */
    real rate;       /* rate, continuously compounded [unit per year; default 0.05; role rate] */
    real dividend;   /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility; /* volatility [>= 0; unit per square root of a year; default 0.2; role volatility] */
} params;

typedef struct {
    real fine, coarse;         /* prices */
    real fine_sum, coarse_sum; /* their integrals so far */
} state;

/* The relative gain of a price in a step: (r - q) h + sigma dW + sigma^2 (dW^2 - h) / 2. */
real gain(const params *p, real h, real dw)
{
    const real half_variance = 0.5 * p->volatility * p->volatility;
    const real drift = p->rate - p->dividend - half_variance;
    return fma(dw, fma(half_variance, dw, p->volatility), drift * h);
}

/* The integral of Brownian motion over a step of length h from 0 to 0. */
real area(real h, real z) { return h * sqrt(h / 12) * z; }

/* The integral of a price over a step, in which it gains a part `a`; `bridge` is that of Brownian motion off
 * the line between the ends. */
real integral(const params *p, real h, real price, real a, real bridge)
{
    return price * fma(p->volatility, bridge, h * fma(a, 0.5, 1));
}

void start(state *s, const params *p, int level)
{
    s->fine = p->spot;
    s->coarse = p->spot;
    s->fine_sum = 0;
    s->coarse_sum = 0;
}

void step(state *s, const params *p, real t, real h, const noise *n)
{
    const real a = gain(p, h, n->dw[0]);
    s->fine_sum += integral(p, h, s->fine, a, area(h, n->z[0]));
    s->fine = fma(s->fine, a, s->fine);
}

void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)
{
    const real a = gain(p, 2 * h, n->dw[0] + m->dw[0]);
    const real off = 0.5 * h * (n->dw[0] - m->dw[0]);
    step(s, p, t, h, n);
    step(s, p, t + h, h, m);
    s->coarse_sum += integral(p, 2 * h, s->coarse, a, area(h, n->z[0] + m->z[0]) + off);
    s->coarse = fma(s->coarse, a, s->coarse);
}

void finish(const state *s, const params *p, real t, real out[2])
{
    const real discount = exp(-p->rate * t);
    out[0] = discount * fmax(s->fine_sum / t - p->strike, 0);
    out[1] = discount * fmax(s->coarse_sum / t - p->strike, 0);
}
