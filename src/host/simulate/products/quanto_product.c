/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A call or put on a foreign asset that is paid at a fixed exchange rate.
 *
 * Asset 0 of the model is the foreign asset in domestic money, its price times the exchange rate, and asset 1
 * is the exchange rate, the price of the foreign currency, whose dividend yield is the foreign rate. The
 * option is on their ratio, the asset's price in foreign money. Both are prices in domestic money, so the
 * drift needs no adjustment.
 *
 * kind: product
 * name: quanto
 * model: black-scholes
 * dims: 2
 * steps: 1
 * start: any time
 * out[0] price: discounted payoff
 * source: Reiner 1992
 * example: --spot 90,0.9 --rate 0.05 --dividend 0,0.02 --volatility 0.2,0.1 --correlation 0.5 --strike 100:
 * an asset at 100 in foreign money
 */
typedef struct {
    real strike;      /* strike, in foreign money [unit money; role strike] */
    real fixed;       /* exchange rate at which it is paid [> 0; default 1] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

void finish(const state *s, const params *p, real out[])
{
    const real foreign = price(0) / price(1);
    const real gain = p->sign < 0 ? p->strike - foreign : foreign - p->strike;
    out[0] = p->fixed * discount_in(p->payment_lag) * fmax(gain, 0);
}
