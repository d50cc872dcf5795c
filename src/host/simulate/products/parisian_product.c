/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A Parisian option, which is knocked out or in by a price that stays beyond a barrier for several dates.
 *
 * The dates that count are those in a row, or, with cumulative, all of them. Today is not one.
 *
 * kind: product
 * name: parisian
 * model: black-scholes
 * dims: 1
 * steps: 52
 * start: any time
 * out[0] price: discounted payoff
 * control: asset: the price at the end, discounted, less its mean
 * control: lognormal: the payoff without barriers on a lognormal price, less its mean
 * source: Chesney, Jeanblanc-Picque and Yor 1997
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --side down --barrier 90 --window 4: a call
 * that ends after four weeks in a row below 90
 */
typedef struct {
    real strike;      /* strike [unit money; role strike] */
    real barrier;     /* a price at or beyond it counts [> 0; unit money; role barrier] */
    int window;       /* number of dates that touch [>= 1] */
    int cumulative;   /* which dates count [0 (in a row) or 1 (all); default 0] */
    real rebate;      /* payment at maturity if knocked out, or never knocked in [unit money; default 0] */
    real side;        /* side of the barrier that counts [-1 (down) or 1 (up)] */
    int knock_in;     /* knock-out or knock-in [0 (out) or 1 (in); default 0] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real touched; /* 1 if it is */
    int count;
    real spot;
} state;

void start(state *s, const params *p)
{
    s->spot = price(0);
    s->touched = 0;
    s->count = 0;
}

void date(state *s, const params *p, int k, real t)
{
    const real now = price(0);
    const int beyond = p->side < 0 ? now <= p->barrier : now >= p->barrier;
    if (!beyond && !p->cumulative) s->count = 0;
    if (beyond) s->count += 1;
    if (s->count >= p->window) s->touched = 1;
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
