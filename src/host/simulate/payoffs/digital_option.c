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
    real value;
} state;

void start(state *s, const params *p) { s->value = 0; }

void step(state *s, const params *p, int i, real t, const real x[])
{
    if (i < STEPS - 1) return; /* the price matters at the last time only */
    const real drift = p->rate - p->dividend - 0.5 * p->volatility * p->volatility;
    const real price = p->spot * exp(fma(p->volatility, x[0], drift * t));
    const int pays = p->sign < 0 ? price < p->strike : price > p->strike;
    s->value = pays ? p->cash * exp(-p->rate * t) : 0;
}

void finish(const state *s, const params *p, real out[]) { out[0] = s->value; }
