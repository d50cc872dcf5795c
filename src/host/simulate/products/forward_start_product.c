/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A call or put whose strike is a share of the price at an earlier date.
 *
 * kind: product
 * name: forward-start
 * model: black-scholes
 * dims: 1
 * steps: 2
 * start: any time
 * out[0] price: discounted payoff
 * control: asset: the price at the end, discounted, less its mean
 * control: lognormal: the payoff on a lognormal price, less its mean
 * example: --spot 100 --rate 0.05 --volatility 0.2 --steps 2: the strike is the price after half a year
 */
typedef struct {
    int first;        /* number of the date that sets the strike, from 1 [>= 1; default 1] */
    real moneyness;   /* strike divided by the price at that date [> 0; default 1] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real strike;
    real spot;
    real forward, relative, spread; /* of a lognormal price, at the date of the strike */
} state;

void start(state *s, const params *p)
{
    s->strike = 0;
    s->spot = price(0);
    s->forward = s->spot;
    s->relative = 1;
    s->spread = 0;
}

void date(state *s, const params *p, int k, real t)
{
    if (k + 1 == p->first) s->strike = p->moneyness * price(0);
}

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0);
    const real gain = p->sign < 0 ? s->strike - now : now - s->strike;
    out[0] = discount_in(p->payment_lag) * fmax(gain, 0);
}

real control_asset(const state *s, const params *p) { return s->spot * martingale(0); }

#include "host/simulate/schemes/black.h"

void date_lognormal(state *s, const params *p, int k, real t)
{
    if (k + 1 != p->first) return;
    s->forward = s->spot * exp(known_growth(0));
    s->relative = lognormal(0);
    s->spread = lognormal_variance(0);
}

real control_lognormal(const state *s, const params *p)
{
    const real forward = s->spot * exp(known_growth(0)), fixed = p->moneyness * s->forward;
    const real gain = p->sign * (forward * lognormal(0) - fixed * s->relative);
    return discount_in(p->payment_lag) *
           (fmax(gain, 0) - black(p->sign, forward, fixed, lognormal_variance(0) - s->spread));
}

void date_closed_form(state *s, const params *p, int k, real t)
{
    if (k + 1 != p->first) return;
    s->forward = s->spot * exp(known_growth(0));
    s->spread = known_variance(0);
}

real closed_form(const state *s, const params *p)
{
    const real forward = s->spot * exp(known_growth(0));
    return discount_in(p->payment_lag) *
           black(p->sign, forward, p->moneyness * s->forward, known_variance(0) - s->spread);
}
