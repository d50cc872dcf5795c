/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A call or put on the smallest of several prices, each times its weight.
 *
 * kind: product
 * name: worst-of
 * model: black-scholes
 * dims: assets, at least 2
 * steps: 1
 * start: any time
 * out[0] price: discounted payoff
 * source: Stulz 1982
 * example: --spot 100,95 --rate 0.05 --volatility 0.2,0.3 --correlation 0.5 --strike 100: two assets
 */
typedef struct {
    real weight[DIMS]; /* weight of each asset [default 1; role weight] */
    real strike;       /* strike [unit money; role strike] */
    real sign;         /* put or call [-1 (put) or 1 (call); default 1; role sign] */
} params;

void finish(const state *s, const params *p, real out[])
{
    real smallest = p->weight[0] * price(0);
    for (int a = 1; a < DIMS; a++) smallest = fmin(smallest, p->weight[a] * price(a));
    const real gain = p->sign < 0 ? p->strike - smallest : smallest - p->strike;
    out[0] = discount() * fmax(gain, 0);
}
