/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Local volatility from a grid of 8 times and 17 logarithms of the price divided by the forward, by Euler's
 * scheme for the logarithm.
 *
 * Times are horizon k / 7, logarithms low + (high - low) j / 16, and the volatility of both is volatility[17
 * k + j]. Between them it is bilinear, beyond the grid that of its edge. A step takes the volatility at its
 * middle, and at the price where it begins; its bias falls with the step length. The path holds increments of
 * a Brownian motion divided by the step length.
 *
 * kind: model
 * name: local-volatility
 * path: increments
 * dims: 1 independent
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.03125 years
 * source: Dupire 1994
 * check: low < high: the grid of logarithms is empty
 */
typedef struct {
    real spot;     /* spot price [> 0; unit money; role spot] */
    real rate;     /* rate, continuously compounded [unit per year; role rate] */
    real dividend; /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real horizon;  /* time of the last row [> 0; unit years] */
    real low;      /* logarithm of the first column [default -1] */
    real high;     /* logarithm of the last column [default 1] */
    real volatility[136]; /* volatility of each time and logarithm [>= 0; unit per square root of a year; role
                             volatility] */
} params;

typedef struct {
    real time, passed;
    real change; /* of the logarithm of the price divided by the forward */
} state;

void start(state *s, const params *p)
{
    s->time = 0;
    s->change = 0;
    s->passed = 0;
}

/* The volatility of a row, at place u from 0 to 16. */
real in_row(const params *p, int row, real u)
{
    int j = (int)u;
    if (j < 0) j = 0;
    if (j > 15) j = 15;
    const real share = u - j, left = p->volatility[17 * row + j];
    return fma(share, p->volatility[17 * row + j + 1] - left, left);
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time;
    const real u = fmin(fmax((s->change - p->low) / (p->high - p->low) * 16, 0), 16);
    const real w = fmin(fmax((s->time + 0.5 * dt) / p->horizon * 7, 0), 7);
    int k = (int)w;
    if (k < 0) k = 0;
    if (k > 6) k = 6;
    const real early = in_row(p, k, u), v = fma(w - k, in_row(p, k + 1, u) - early, early);
    s->change = fma(dt, v * x[0] - 0.5 * v * v, s->change);
    s->passed = v * v;
    s->time = t;
}

real price(const state *s, const params *p, int a)
{
    return p->spot * exp((p->rate - p->dividend) * s->time + s->change);
}

real variance(const state *s, const params *p, int a) { return s->passed; }

real discount(const state *s, const params *p) { return exp(-p->rate * s->time); }

real discount_in(const state *s, const params *p, real tau) { return exp(-p->rate * (s->time + tau)); }

real forward_price(const state *s, const params *p, int a)
{
    return p->spot * exp((p->rate - p->dividend) * s->time);
}
