/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A barrier option whose barrier is monitored at the dates of the path.
 *
 * A knock-out pays the rebate when it is hit, or at maturity; a knock-in pays it at maturity if it was never
 * hit.
 *
 * kind: product
 * name: barrier-dates
 * model: black-scholes
 * dims: 1
 * steps: 12
 * start: any time
 * out[0] price: discounted payoff
 * control: asset: the price at the end, discounted, less its mean
 * control: lognormal: the payoff without barriers on a lognormal price, less its mean
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --side down --barrier 80 --steps 52: a
 * down-and-out call, monitored each week
 */
typedef struct {
    real strike;      /* strike [unit money; role strike] */
    real barrier;     /* touched by a price at or beyond it [> 0; unit money; role barrier] */
    real rebate;      /* payment if knocked out, or never knocked in [unit money; default 0] */
    int at_hit;       /* when a knock-out pays its rebate [0 (maturity) or 1 (hit); default 0] */
    real side;        /* side of the barrier; a down barrier is touched from above [-1 (down) or 1 (up)] */
    int knock_in;     /* knock-out or knock-in [0 (out) or 1 (in); default 0] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date, or the hit, to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real touched, paid; /* 1 if it is; the rebate's discount factor, at the hit */
    real spot;
} state;

void start(state *s, const params *p)
{
    s->spot = price(0);
    const real now = price(0);
    s->touched = (p->side < 0 ? now <= p->barrier : now >= p->barrier) ? 1 : 0;
    s->paid = s->touched;
}

void date(state *s, const params *p, int k, real t)
{
    const real now = price(0);
    const int beyond = p->side < 0 ? now <= p->barrier : now >= p->barrier;
    if (s->touched == 0 && beyond) {
        s->touched = 1;
        s->paid = discount_in(p->payment_lag);
    }
}

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0), end = discount_in(p->payment_lag);
    const real gain = end * fmax(p->sign < 0 ? p->strike - now : now - p->strike, 0);
    const real lives = p->knock_in ? s->touched : 1 - s->touched;
    const real rebate = p->rebate * (p->knock_in || !p->at_hit ? end : s->paid);
    out[0] = lives > 0 ? gain : rebate;
}

#include "host/simulate/schemes/black.h"
#include "host/simulate/schemes/vanilla_controls.h"
