/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A call or put with a lower and an upper barrier, monitored at the dates of the path.
 *
 * kind: product
 * name: double-barrier-dates
 * model: black-scholes
 * dims: 1
 * steps: 12
 * start: any time
 * out[0] price: discounted payoff
 * control: asset: the price at the end, discounted, less its mean
 * control: lognormal: the payoff without barriers on a lognormal price, less its mean
 * check: lower < upper: the lower barrier is not below the upper one
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --lower 80 --upper 130: knocked out outside
 * of 80 to 130
 */
typedef struct {
    real strike;      /* strike [unit money; role strike] */
    real lower;       /* touched by a price at or below it [>= 0; unit money; role barrier] */
    real upper;       /* touched by a price at or above it [> 0; unit money; role barrier] */
    real rebate;      /* payment at maturity if knocked out, or never knocked in [unit money; default 0] */
    int knock_in;     /* knock-out or knock-in [0 (out) or 1 (in); default 0] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real touched; /* 1 if one of them is */
    real spot;
} state;

real touches(const params *p, real now) { return now <= p->lower || now >= p->upper ? 1 : 0; }

void start(state *s, const params *p)
{
    s->spot = price(0);
    s->touched = touches(p, s->spot);
}

void date(state *s, const params *p, int k, real t)
{
    if (touches(p, price(0)) > 0) s->touched = 1;
}

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0);
    const real gain = fmax(p->sign < 0 ? p->strike - now : now - p->strike, 0);
    const real lives = p->knock_in ? s->touched : 1 - s->touched;
    out[0] = discount_in(p->payment_lag) * (lives > 0 ? gain : p->rebate);
}

#include "host/simulate/schemes/black.h"
#include "host/simulate/schemes/vanilla_controls.h"
