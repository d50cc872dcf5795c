/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** The short rate of Cox, Ingersoll and Ross, dr = reversion (mean_rate - r) dt + sigma sqrt(r) dW, by
 * Andersen's QE scheme.
 *
 * A step of the rate has the exact mean and variance, and never falls below 0; discount factors are by the
 * trapezoidal rule, whose bias falls with the square of the step length. The path holds increments of a
 * Brownian motion divided by the step length.
 *
 * kind: model
 * name: cir
 * path: increments
 * dims: 1 independent
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.125 years
 * source: Cox, Ingersoll and Ross 1985; Andersen 2008
 */
typedef struct {
    real short_rate; /* short rate at time 0 [>= 0; unit per year; role rate] */
    real reversion;  /* speed of the rate's mean reversion [> 0; unit per year] */
    real mean_rate;  /* long-run mean of the rate [>= 0; unit per year; role rate] */
    real sigma;      /* volatility of the rate's root, times 2; its square may exceed Feller's limit, 2 reversion
                        mean_rate [> 0; unit per year; role volatility] */
} params;

typedef struct {
    real time, short_rate;
    real integral; /* of the rate since time 0 */
} state;

void start(state *s, const params *p)
{
    s->time = 0;
    s->short_rate = p->short_rate;
    s->integral = 0;
}

#include "host/simulate/schemes/andersen_qe.h"

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time, r = s->short_rate;
    const qe_law law = qe_law_of(r, dt, p->reversion, p->mean_rate, p->sigma, 0, x[0]);
    const real w = qe_drawn(&law).variance;
    s->integral = fma(0.5 * dt, r + w, s->integral);
    s->short_rate = w;
    s->time = t;
}

/* Without dividends, which the layer dividend-yield adds. */
real growth(const state *s, const params *p, int a, real more) { return fma(more, s->time, s->integral); }

real discount(const state *s, const params *p) { return exp(-s->integral); }

real rate(const state *s, const params *p) { return s->short_rate; }

real bond_at(const params *p, real rate, real tau)
{
    const real a = p->reversion, v = p->sigma * p->sigma, g = sqrt(a * a + 2 * v);
    const real e = exp(g * tau) - 1, below = (g + a) * e + 2 * g;
    const real level = log(2 * g * exp(0.5 * (a + g) * tau) / below);
    return exp(2 * a * p->mean_rate / v * level - 2 * e / below * rate);
}

real bond(const state *s, const params *p, real tau) { return bond_at(p, s->short_rate, tau); }

real discount_in(const state *s, const params *p, real tau) { return discount(s, p) * bond(s, p, tau); }

/* The scheme's mean has a small bias. */
real known_discount(const state *s, const params *p, real tau) { return bond_at(p, p->short_rate, s->time + tau); }
