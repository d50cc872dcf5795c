/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A digital call or put, which pays a fixed amount of cash or nothing.
 *
 * It pays if the price at the end of the path is above the strike (call) or below it (put). The price follows
 * a geometric Brownian motion, for which one step is enough.
 *
 * The path, x[0], is a Brownian motion of variance 1 per year.
 *
 * name: digital
 * path: paths
 * dims: at least 1
 * steps: 1
 * start: any time
 * out[0] price: discounted payoff; a closed form is known [likelihood]
 * example: --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --cash 10: 10 if the price is above 100
 *     after one year
 */
typedef struct {
    real spot;       /* spot price [> 0; unit money; role spot] */
    real strike;     /* strike [unit money; role strike] */
    real rate;       /* rate, continuously compounded [unit per year; role rate] */
    real dividend;   /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility; /* volatility [>= 0; unit per square root of a year; role volatility] */
    real cash;       /* cash payout [unit money; default 1] */
    real sign;       /* put or call [-1 (put) or 1 (call); default 1; role sign] */
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
