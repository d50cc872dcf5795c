/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A chooser: at an earlier date its holder decides whether it is a call or a put.
 *
 * The call is worth more where the forward price of the last date is at or above the strike.
 *
 * kind: product
 * name: chooser
 * model: black-scholes
 * dims: 1
 * steps: 2
 * start: any time
 * out[0] price: discounted payoff
 * out[1] call: share of the paths on which the call is chosen
 * source: Rubinstein 1991
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --steps 2: decided after half a year
 */
typedef struct {
    real strike;      /* strike [unit money; role strike] */
    int first;        /* number of the date of the decision, from 1 [>= 1; default 1] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real relative; /* the price at the decision without its growth until then */
    real spot, spread;
} state;

void start(state *s, const params *p)
{
    s->relative = 1;
    s->spot = price(0);
    s->spread = 0;
}

void date(state *s, const params *p, int k, real t)
{
    if (k + 1 == p->first) s->relative = price(0) * exp(-price_growth(0));
}

void finish(const state *s, const params *p, real out[2])
{
    const real now = price(0);
    /* Call less put is the discounted forward price less the strike. */
    const int call = s->relative * exp(price_growth(0)) >= p->strike;
    out[0] = discount_in(p->payment_lag) * fmax(call ? now - p->strike : p->strike - now, 0);
    out[1] = call;
}

#include "host/simulate/schemes/black.h"

/* The variance of the logarithm at the decision. */
void date_closed_form(state *s, const params *p, int k, real t)
{
    if (k + 1 == p->first) s->spread = known_variance(0);
}

real closed_form(const state *s, const params *p)
{
    const real forward = s->spot * exp(price_growth(0));
    return discount_in(p->payment_lag) *
           (black(1, forward, p->strike, known_variance(0)) + black(-1, forward, p->strike, s->spread));
}
