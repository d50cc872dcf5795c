/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An option to exchange one asset for another, or, with a strike, a call on the spread of two assets.
 *
 * It pays weight[0] price[0] - weight[1] price[1] - strike if that is positive.
 *
 * kind: product
 * name: exchange
 * model: black-scholes
 * dims: 2
 * steps: 1
 * start: any time
 * out[0] price: discounted payoff
 * control: asset: the spread at the end, discounted, less its mean
 * source: Margrabe 1978
 * example: --spot 100,95 --rate 0.05 --volatility 0.2,0.3 --correlation 0.5: the first for the second
 */
typedef struct {
    real weight[2];   /* number of each asset [default 1; role weight] */
    real strike;      /* strike of the spread [unit money; default 0; role strike] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real spot[2];
} state;

void start(state *s, const params *p)
{
    s->spot[0] = price(0);
    s->spot[1] = price(1);
}

void finish(const state *s, const params *p, real out[])
{
    const real spread = p->weight[0] * price(0) - p->weight[1] * price(1) - p->strike;
    out[0] = discount_in(p->payment_lag) * fmax(spread, 0);
}

real control_asset(const state *s, const params *p)
{
    return p->weight[0] * s->spot[0] * martingale(0) - p->weight[1] * s->spot[1] * martingale(1);
}
