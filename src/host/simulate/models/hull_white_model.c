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

/* Half of the variance of the integral of y up to t. */
real convexity(const params *p, real t)
{
    const real a = p->reversion, v = p->sigma / a, decay = exp(-a * t);
    return 0.5 * v * v * (t - (1 - decay) * (3 - decay) / (2 * a));
}

void start(state *s, const params *p)
{
    s->time = 0;
    s->factor = 0;
    s->integral = 0;
    s->discounting = 0;
    s->ahead = p->forward[0];
    s->period = 0;
    s->next = 0;
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
    s->discounting = fma(dt, p->forward[i], s->discounting);
    s->ahead = p->forward[i < STEPS - 1 ? i + 1 : STEPS - 1];
    s->period = t / (i + 1);
    s->next = i + 1;
    s->time = t;
}

real passed(const state *s, const params *p) { return s->discounting + convexity(p, s->time) + s->integral; }

real discount(const state *s, const params *p) { return exp(-passed(s, p)); }

/* Without dividends, which the layer dividend-yield adds. */
real growth(const state *s, const params *p, int a, real more) { return fma(more, s->time, passed(s, p)); }

real rate(const state *s, const params *p)
{
    const real g = (1 - exp(-p->reversion * s->time)) / p->reversion;
    return s->ahead + 0.5 * p->sigma * p->sigma * g * g + s->factor;
}

/* The integral of forward rates from now to `tau` from now. */
real expected(const state *s, const params *p, real tau)
{
    real sum = 0, rest = tau;
    if (s->next >= STEPS - 1 || tau <= s->period) return s->ahead * tau;
    for (int j = 1; j < STEPS; j++) {
        const real within = j < s->next ? 0 : j < STEPS - 1 ? fmin(rest, s->period) : rest;
        sum = fma(within, p->forward[j], sum);
        rest -= within;
    }
    return sum;
}

real bond(const state *s, const params *p, real tau)
{
    const real a = p->reversion, g = (1 - exp(-a * tau)) / a;
    const real squares = p->sigma * p->sigma * (1 - exp(-2 * a * s->time)) / (4 * a);
    const real grown = p->sigma * (1 - exp(-a * s->time)) / a;
    return exp(-expected(s, p, tau) - g * (s->factor + 0.5 * grown * grown) - squares * g * g);
}

real discount_in(const state *s, const params *p, real tau) { return discount(s, p) * bond(s, p, tau); }
