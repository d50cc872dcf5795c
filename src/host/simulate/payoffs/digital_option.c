/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A digital (binary) option on one asset that follows a geometric Brownian motion: it pays a fixed sum of
 * cash if the price at maturity is above the strike (a call) or below it (a put), else nothing.
 *
 * The path: x[0] is the Brownian motion itself (output PATHS), of variance 1 per year; the last time is the
 * maturity, and one step is enough.
 *
 * out[0]: what the option pays, discounted. A closed form is known.
 */
typedef struct {
    real spot, strike;
    real rate, dividend; /* per year, continuous */
    real volatility;     /* per square root of a year */
    real cash;           /* what it pays */
    real sign;           /* -1: a put; else a call */
} params;

typedef struct {
    real time, x; /* at the last step so far */
} state;

void start(state *s, const params *p)
{
    s->time = 0;
    s->x = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    s->time = t;
    s->x = x[0];
}

void finish(const state *s, const params *p, real out[])
{
    const real drift = p->rate - p->dividend - 0.5 * p->volatility * p->volatility;
    const real price = p->spot * exp(fma(p->volatility, s->x, drift * s->time));
    const int pays = p->sign < 0 ? price < p->strike : price > p->strike;
    out[0] = pays ? p->cash * exp(-p->rate * s->time) : 0;
}
