/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A Bermudan call or put on the best or the worst of several assets, which may be exercised at each date.
 *
 * Prices are compared after they are multiplied by their weights; with weights of 1 / spot they are performances.
 * Today is not a date.
 *
 * kind: product
 * name: bermudan-rainbow
 * model: black-scholes
 * dims: assets, at least 2
 * steps: 9
 * start: any time
 * out[0] price: discounted payoff
 * source: Broadie and Glasserman 1997; Andersen and Broadie 2004
 * example: --spot 100,100 --rate 0.05 --dividend 0.1,0.1 --volatility 0.2,0.2 --strike 100 --maturity 3: a call on
 * the better of two assets, with three dates a year; a lattice gives 13.902
 */
typedef struct {
    real weight[DIMS]; /* weight of each asset [default 1; role weight] */
    real strike;       /* strike [> 0; unit money; role strike] */
    int which;         /* price that it is on [-1 (worst) or 1 (best); default 1] */
    real sign;         /* put or call [-1 (put) or 1 (call); default 1; role sign] */
} params;

typedef struct {
    real ranked[DIMS]; /* prices in strikes: first the one that the option is on, last the farthest from it */
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) s->ranked[a] = 0;
}

void date(state *s, const params *p, int k, real t)
{
    for (int a = 0; a < DIMS; a++) s->ranked[a] = p->weight[a] * price(a) / p->strike;
    /* Each round moves the last of the rest to its end. */
    for (int from = 0; from < DIMS - 1; from++)
        for (int a = DIMS - 2; a >= from; a--) {
            const real first = s->ranked[a], second = s->ranked[a + 1];
            const real larger = fmax(first, second), smaller = fmin(first, second);
            s->ranked[a] = p->which < 0 ? smaller : larger;
            s->ranked[a + 1] = p->which < 0 ? larger : smaller;
        }
}

real exercise(const state *s, const params *p, real t)
{
    const real gain = p->sign < 0 ? 1 - s->ranked[0] : s->ranked[0] - 1;
    return p->strike * discount() * fmax(gain, 0);
}

/* Products of powers of the first price and of the distance to the second, up to the third degree. Two assets
 * may differ, so also products with the difference of their prices; for more assets the third price. */
void regress(const state *s, const params *p, real f[12])
{
    const real u = s->ranked[0] - 1, w = s->ranked[1] - s->ranked[0];
    const real apart = (p->weight[0] * price(0) - p->weight[1] * price(1)) / p->strike;
    const real more = DIMS > 2 ? s->ranked[2 % DIMS] - 1 : apart;
    f[0] = u;
    f[1] = w;
    f[2] = u * u;
    f[3] = u * w;
    f[4] = w * w;
    f[5] = f[2] * u;
    f[6] = f[2] * w;
    f[7] = f[4] * u;
    f[8] = f[4] * w;
    f[9] = more;
    f[10] = more * u;
    f[11] = more * (DIMS > 2 ? more : w);
}

void finish(const state *s, const params *p, real out[])
{
    const real gain = p->sign < 0 ? 1 - s->ranked[0] : s->ranked[0] - 1;
    out[0] = p->strike * discount() * fmax(gain, 0);
}
