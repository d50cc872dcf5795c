/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A rate and dividend yields for each period, from one date of the path to the next.
 *
 * A rate or yield is the mean over its period, so that discount factors are log-linear between the dates.
 *
 * kind: model
 * name: curve
 * dims: assets
 * start: any time
 */
typedef struct {
    real rate[STEPS];     /* rate of each period, continuously compounded [unit per year; role rate] */
    real dividend[STEPS]; /* dividend yield of all assets in each period [unit per year; default 0; role
                             dividend] */
} params;

typedef struct {
    real time;
    real rates, yields; /* their integrals */
    real ahead;         /* the rate of the next period, and after the last one */
} state;

void start(state *s, const params *p)
{
    s->rates = 0;
    s->yields = 0;
    s->ahead = p->rate[0];
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    s->rates = fma(dt, p->rate[i], s->rates);
    s->yields = fma(dt, p->dividend[i], s->yields);
    s->ahead = p->rate[i < STEPS - 1 ? i + 1 : STEPS - 1];
}

real growth(const state *s, const params *p, int a, real more)
{
    return fma(more, s->time, s->rates - s->yields);
}

real known_growth(const state *s, const params *p, int a) { return s->rates - s->yields; }

real discount(const state *s, const params *p) { return exp(-s->rates); }

real discount_in(const state *s, const params *p, real tau) { return exp(-(s->rates + s->ahead * tau)); }

real known_discount(const state *s, const params *p, real tau) { return discount_in(s, p, tau); }
