/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A digital call, which pays a fixed amount of cash or nothing, by Milstein's scheme.
 *
 * It pays if the price at the end is above the strike. The price follows a geometric Brownian motion.
 *
 * Such a payoff jumps. It is therefore replaced by its expectation given the path up to the last step, which
 * is smooth: in the last step, starting at x, the price moves by x ((r - q) h + sigma dW). For the coarse
 * path's last step, the first half is known from the fine path's dW, and the second half has its variance.
 *
 * On level 0 with one step the payoff is constant.
 *
 * name: digital
 * dims: at least 1
 * out[0] price: payoff, discounted from time T; a closed form is known
 * source: M. Giles, Improved multilevel Monte Carlo convergence using the Milstein scheme, 2006
 * example: --cash 10 --eps 0.01,0.02: 10 if the price is above 100 after one year
 */
typedef struct {
    real spot;       /* spot price [> 0; unit money; default 100; role spot] */
    real strike;     /* strike [unit money; default 100; role strike] */
    real rate;       /* rate, continuously compounded [unit per year; default 0.05; role rate] */
    real dividend;   /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility; /* volatility [>= 0; unit per square root of a year; default 0.2; role volatility] */
    real cash;       /* cash payout [unit money; default strike] */
} params;

typedef struct {
    real fine, coarse;               /* prices */
    real fine_before, coarse_before; /* a step before */
    real known;                      /* dW of the first half of the last coarse step */
    real h;
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
    s->fine_before = p->spot;
    s->coarse_before = p->spot;
    s->known = 0;
    s->h = 0;
}

void step(state *s, const params *p, real t, real h, const noise *n)
{
    s->fine_before = s->fine;
    s->fine = fma(s->fine, gain(p, h, n->dw[0]), s->fine);
    s->h = h;
}

void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)
{
    step(s, p, t, h, n);
    step(s, p, t + h, h, m);
    s->coarse_before = s->coarse;
    s->coarse = fma(s->coarse, gain(p, 2 * h, n->dw[0] + m->dw[0]), s->coarse);
    s->known = n->dw[0];
}

/* The probability that a price ends above the strike that is expected to gain a part `a`, and whose
 * volatility times the root of the time that is left is `spread`. */
real above(const params *p, real price, real a, real spread)
{
    return normal_cdf(fma(price, a, price - p->strike) / (price * spread));
}

void finish(const state *s, const params *p, real t, real out[2])
{
    const real cash = p->cash * exp(-p->rate * t);
    const real spread = p->volatility * sqrt(s->h), drift = (p->rate - p->dividend) * s->h;
    out[0] = cash * above(p, s->fine_before, drift, spread);
    out[1] = cash * above(p, s->coarse_before, fma(p->volatility, s->known, 2 * drift), spread);
}
