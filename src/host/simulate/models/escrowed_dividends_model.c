/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Discrete cash dividends by the escrowed convention: a price is the value of the dividends to come plus a
 * rest that moves as the model below says.
 *
 * Dividends are at any times up to the last date. The value of all of them is below the price.
 *
 * kind: model
 * name: escrowed-dividends
 * model: black-scholes
 * dims: assets
 * start: any time
 * source: Haug, Haug and Lewis 2003
 * check: ex_time <= LAST: the last date has to reach all dividends; leave out those after it
 */
typedef struct {
    real ex_time[8];          /* time of each dividend; 0: there is none [>= 0; unit years; default 0] */
    real cash[8];             /* its cash [>= 0; unit money; default 0] */
    real cash_of_asset[DIMS]; /* factor of each asset's cash [>= 0; default 1] */
} params;

typedef struct {
    real time;
    real share[DIMS]; /* of each price that is not dividends */
} state;

/* The value now of dividends to come, with a factor of 1. */
real value_of_dividends(const state *s, const params *p)
{
    real sum = 0;
    for (int k = 0; k < 8; k++)
        if (p->ex_time[k] > s->time) sum += p->cash[k] * discount_in(p->ex_time[k] - s->time);
    return sum / discount();
}

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++)
        s->share[a] = fmax(1 - p->cash_of_asset[a] * value_of_dividends(s, p) / price(a), 0);
}

real price(const state *s, const params *p, int a)
{
    return price(a) * s->share[a] + p->cash_of_asset[a] * value_of_dividends(s, p);
}

/* At the last date no dividend is to come. */
real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)
{
    const real share = fmax(s->share[a], 1e-20);
    return share * known_option(a, sign, strike / share, tau);
}
