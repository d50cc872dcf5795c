/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A rainbow option: a call or put on the best or the worst of several assets, or on a mix of their ranks.
 *
 * Prices are compared after they are multiplied by their weights; with weights of 1 / spot they are
 * performances. With which = 0 the option is on rank_weight[0] times the largest of them, plus rank_weight[1]
 * times the second, and so on.
 *
 * kind: product
 * name: rainbow
 * model: black-scholes
 * dims: assets, at least 2
 * steps: 1
 * start: any time
 * out[0] price: discounted payoff
 * control: asset: the assets at the end, discounted, less their mean
 * source: Stulz 1982
 * example: --spot 100,95 --rate 0.05 --volatility 0.2,0.3 --correlation 0.5 --strike 100: on the better of
 * two assets
 */
typedef struct {
    real weight[DIMS];      /* weight of each asset [default 1; role weight] */
    real strike;            /* strike [unit money; role strike] */
    int which;              /* price that it is on [-1 (worst), 0 (ranks) or 1 (best); default 1] */
    real rank_weight[DIMS]; /* weight of each rank, the best first, with which = 0 [default 1 / DIMS] */
    real sign;              /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag;       /* time from the last date to the payment [>= 0; unit years; default 0] */
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
    real ranked[DIMS];
    for (int a = 0; a < DIMS; a++) ranked[a] = p->weight[a] * price(a);
    /* Each round moves the least of the rest to its end. */
    for (int from = 0; from < DIMS - 1; from++)
        for (int a = DIMS - 2; a >= from; a--) {
            const real first = ranked[a], second = ranked[a + 1];
            ranked[a] = fmax(first, second);
            ranked[a + 1] = fmin(first, second);
        }
    real mixed = 0;
    for (int a = 0; a < DIMS; a++) mixed = fma(p->rank_weight[a], ranked[a], mixed);
    const real value = p->which > 0 ? ranked[0] : p->which < 0 ? ranked[DIMS - 1] : mixed;
    const real gain = p->sign < 0 ? p->strike - value : value - p->strike;
    out[0] = discount_in(p->payment_lag) * fmax(gain, 0);
}

real control_asset(const state *s, const params *p)
{
    real sum = 0;
    for (int a = 0; a < DIMS; a++) sum += p->weight[a] * s->spot[a] * martingale(a);
    return sum;
}
