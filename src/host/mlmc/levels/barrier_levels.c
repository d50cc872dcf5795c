/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A knock-out call with a continuously monitored barrier, by Milstein's scheme.
 *
 * The price follows a geometric Brownian motion, and the option is worthless once the price has touched the
 * barrier. Set the side of the barrier: a spot at or beyond it has knocked the option out.
 *
 * Between points x and y the price is approximated by a Brownian bridge of volatility g = sigma x. If both
 * ends are on one side, it stays off the barrier B with probability 1 - exp(-2 (x - B) (y - B) / (g^2 h)).
 * The payoff is multiplied by this probability for each step. A coarse step has two such factors, one for
 * each half. They meet at the bridge's midpoint for the same Brownian motion, (x + y + g (dW1 - dW2)) / 2.
 *
 * name: barrier
 * dims: at least 1
 * out[0] price: payoff, discounted from time T; a closed form is known
 * source: M. Giles, Improved multilevel Monte Carlo convergence using the Milstein scheme, 2006
 * example: --side down --initial-samples 20000 --eps 0.005,0.01: more initial samples, because the
 *     kurtosis is high
 */
typedef struct {
    real spot;   /* spot price [> 0; unit money; default 100; role spot] */
    real strike; /* strike [unit money; default 100; role strike] */
    real
        barrier; /* barrier, touched by a price at or beyond it [> 0; unit money; default 85; role barrier] */
    real rate;   /* rate, continuously compounded [unit per year; default 0.05; role rate] */
    real dividend;   /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility; /* volatility [> 0; unit per square root of a year; default 0.2; role volatility] */
    real side;       /* side of the barrier; a down barrier is touched from above [-1 (down) or 1 (up)] */
} params;

typedef struct {
    real fine, coarse;             /* prices */
    real fine_lives, coarse_lives; /* probabilities that the barrier was not touched so far */
} state;

/* The relative gain of a price in a step: (r - q) h + sigma dW + sigma^2 (dW^2 - h) / 2. */
real gain(const params *p, real h, real dw)
{
    const real half_variance = 0.5 * p->volatility * p->volatility;
    const real drift = p->rate - p->dividend - half_variance;
    return fma(dw, fma(half_variance, dw, p->volatility), drift * h);
}

/* -2 / (g^2 h) at a price. */
real steepness(const params *p, real h, real price)
{
    const real deviation = p->volatility * price;
    return -2 / (deviation * deviation * h);
}

/* How far a price is from the barrier; negative beyond it. */
real off(const params *p, real price) { return p->side < 0 ? price - p->barrier : p->barrier - price; }

/* The probability of touching the barrier between two prices, by their distances from it; `k` is the first
 * one's steepness. */
real touches(real k, real from, real to) { return exp(k * (fmax(from, 0) * fmax(to, 0))); }

void start(state *s, const params *p, int level)
{
    s->fine = p->spot;
    s->coarse = p->spot;
    s->fine_lives = 1;
    s->coarse_lives = 1;
}

void step(state *s, const params *p, real t, real h, const noise *n)
{
    const real before = s->fine;
    s->fine = fma(before, gain(p, h, n->dw[0]), before);
    s->fine_lives *= 1 - touches(steepness(p, h, before), off(p, before), off(p, s->fine));
}

void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)
{
    const real a = gain(p, 2 * h, n->dw[0] + m->dw[0]), before = s->coarse;
    const real to_middle = 0.5 * fma(p->volatility, n->dw[0] - m->dw[0], a);
    const real middle = off(p, fma(before, to_middle, before)), k = steepness(p, h, before);
    step(s, p, t, h, n);
    step(s, p, t + h, h, m);
    s->coarse = fma(before, a, before);
    s->coarse_lives *= 1 - touches(k, off(p, before), middle);
    s->coarse_lives *= 1 - touches(k, middle, off(p, s->coarse));
}

void finish(const state *s, const params *p, real t, real out[2])
{
    const real discount = exp(-p->rate * t);
    out[0] = discount * s->fine_lives * fmax(s->fine - p->strike, 0);
    out[1] = discount * s->coarse_lives * fmax(s->coarse - p->strike, 0);
}
