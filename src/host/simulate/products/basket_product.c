/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A call or put on a weighted basket of assets.
 *
 * kind: product
 * name: basket
 * model: black-scholes
 * dims: assets
 * steps: 1
 * start: any time
 * out[0] price: discounted payoff [likelihood]
 * control: asset: the assets at the end, discounted, less their mean
 * example: --spot 100,95 --rate 0.05 --volatility 0.2,0.3 --correlation 0.5 --strike 100: two assets
 */
typedef struct {
    real weight[DIMS]; /* weight of each asset [default 1 / DIMS; role weight] */
    real strike;       /* strike; may be negative for a spread [unit money; role strike] */
    real sign;         /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag;  /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real spot[DIMS];
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) s->spot[a] = price(a);
}

void finish(const state *s, const params *p, real out[])
{
    real basket = 0;
    for (int a = 0; a < DIMS; a++) basket = fma(p->weight[a], price(a), basket);
    const real gain = p->sign < 0 ? p->strike - basket : basket - p->strike;
    out[0] = discount_in(p->payment_lag) * fmax(gain, 0);
}

real control_asset(const state *s, const params *p)
{
    real sum = 0;
    for (int a = 0; a < DIMS; a++) sum += p->weight[a] * s->spot[a] * martingale(a);
    return sum;
}
