/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A European call or put.
 *
 * kind: product
 * name: european
 * model: black-scholes
 * dims: 1
 * steps: 1
 * start: any time
 * out[0] price: discounted payoff [likelihood]
 * control: asset: the price, discounted, less its mean
 * control: lognormal: the payoff on a lognormal price, less its mean
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100: one year
 */
typedef struct {
    real strike;      /* strike [unit money; role strike] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real spot;
} state;

void start(state *s, const params *p) { s->spot = price(0); }

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0);
    const real gain = p->sign < 0 ? p->strike - now : now - p->strike;
    out[0] = discount_in(p->payment_lag) * fmax(gain, 0);
}

#include "host/simulate/schemes/black.h"
#include "host/simulate/schemes/vanilla_controls.h"

real closed_form(const state *s, const params *p)
{
    return known_discount(p->payment_lag) * known_option(0, p->sign, p->strike, p->payment_lag);
}
