/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Hull and White's short rate with one factor, which fits the forward rates of today's curve, with exact
 * discounting.
 *
 * The rate is the forward rate of its date plus y + (sigma g)^2 / 2, where g = (1 - exp(-reversion t)) /
 * reversion and dy = -reversion y dt + sigma dW. The curve has one forward rate for each period, from one
 * date of the path to the next; the last one goes on beyond. Rates and discount factors are exact at the
 * dates. Bonds that are paid beyond the next date take the dates for equally far from each other. The path holds
 * increments of two independent Brownian motions divided by the step length.
 *
 * kind: model
 * name: hull-white
 * path: increments
 * dims: 2 independent
 * construction: walk
 * start: any time
 * source: Hull and White 1990; Glasserman 2003, section 3.3
 */
typedef struct {
    real forward[STEPS]; /* forward rate of each period, continuously compounded [unit per year; role rate] */
    real reversion;      /* speed of the rate's mean reversion [> 0; unit per year] */
    real sigma;          /* volatility of the rate [>= 0; unit per year; role volatility] */
} params;

typedef struct {
    real time;
    real factor, integral;   /* y, and its integral since time 0 */
    real discounting, ahead; /* the integral of forward rates up to now, and the forward rate after now */
    real period;             /* time from date to date */
    int next;                /* number of the period after now */
} state;

real reversion_of(const params *p) { return p->reversion; }
real sigma_of(const params *p) { return p->sigma; }

#include "host/simulate/schemes/hull_white.h"

void start(state *s, const params *p)
{
    s->time = 0;
    start_rate(s, p);
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time, root_dt = sqrt(dt), a = p->reversion;
    const real decay = exp(-a * dt), g = (1 - decay) / a, h = (1 - decay * decay) / (2 * a);
    const real spread = sqrt(fmax(h, 1e-30)), lean = 0.5 * g * g / spread;
    const real rest = sqrt(fmax((dt - 2 * g + h) / (a * a) - lean * lean, 0));
    const real z = root_dt * x[0], beside = root_dt * x[1];
    s->integral += s->factor * g + p->sigma * (lean * z + rest * beside);
    s->factor = s->factor * decay + p->sigma * spread * z;
    next_period(s, p, i, t, dt);
    s->time = t;
}

/* Without dividends, which the layer dividend-yield adds. */
real growth(const state *s, const params *p, int a, real more) { return fma(more, s->time, passed(s, p)); }
