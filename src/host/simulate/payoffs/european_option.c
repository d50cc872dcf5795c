/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A European call or put on one asset that follows a geometric Brownian motion (Black and Scholes).
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
    real sign;           /* -1: a put, which pays strike - price; else a call, which pays price - strike */
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
    const real gain = p->sign < 0 ? p->strike - price : price - p->strike;
    out[0] = exp(-p->rate * s->time) * fmax(gain, 0);
}
