/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A barrier option on one asset that follows a geometric Brownian motion. The barrier is watched at all
 * times, not only at those of the path: between two points a Brownian motion crosses it with a probability
 * that is known, and the option's value is weighed with the probability that it lives on. So the result is
 * that of a barrier that is watched continuously, with any number of steps.
 *
 * A barrier below the spot is one from above (down-and-out, down-and-in), a barrier above it one from below
 * (up-and-out, up-and-in).
 *
 * The path: x[0] is the Brownian motion itself (output PATHS), of variance 1 per year, from 0 at time 0; the
 * last time is the maturity.
 *
 * out[0]: what the option pays on average over the paths through these points, discounted. A closed form is
 * known (Merton 1973, Reiner and Rubinstein 1991).
 */
typedef struct {
    real spot, strike, barrier;
    real rate, dividend; /* per year, continuous */
    real volatility;     /* per square root of a year; positive */
    real rebate;         /* what is paid at maturity by an option that has been knocked out, or never in */
    int knock_in;        /* 1: lives if the barrier was touched; 0: if it was not (knock-out) */
    real sign;           /* -1: a put; else a call */
} params;

typedef struct {
    real side;      /* 1 with the barrier below the spot, else -1 */
    real first;     /* the logarithm of spot / barrier */
    real distance;  /* of the logarithm of the price from the barrier's; negative beyond it */
    real untouched; /* the probability of it */
    real time;
    real change; /* of the price's logarithm since time 0 */
} state;

void start(state *s, const params *p)
{
    s->side = p->barrier < p->spot ? 1 : -1;
    s->first = log(p->spot / p->barrier);
    s->distance = s->side * s->first;
    s->untouched = 1;
    s->time = 0;
    s->change = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real variance = p->volatility * p->volatility;
    const real change = fma(p->volatility, x[0], (p->rate - p->dividend - 0.5 * variance) * t);
    const real distance = s->side * (s->first + change);
    /* Beyond the barrier at one end: the product is 0, and the probability of a crossing 1. */
    const real product = fmax(s->distance, 0) * fmax(distance, 0);
    s->untouched *= 1 - exp(-2 * product / (variance * (t - s->time)));
    s->distance = distance;
    s->time = t;
    s->change = change;
}

void finish(const state *s, const params *p, real out[])
{
    const real price = p->spot * exp(s->change);
    const real gain = fmax(p->sign < 0 ? p->strike - price : price - p->strike, 0);
    const real lives = p->knock_in ? 1 - s->untouched : s->untouched;
    out[0] = exp(-p->rate * s->time) * fma(lives, gain - p->rebate, p->rebate);
}
