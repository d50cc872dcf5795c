/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Discrete dividends by the piecewise lognormal convention: a price falls by each dividend when it is paid, and
 * then moves as the model below says.
 *
 * A dividend is paid at the beginning of a period, just after the date before, so the dates of the path include
 * those of dividends. It is a part of the price and an amount of cash; a price that cannot pay becomes 0.
 *
 * kind: model
 * name: lognormal-dividends
 * model: black-scholes
 * dims: assets
 * start: any time
 * source: Haug, Haug and Lewis 2003
 */
typedef struct {
    real proportional[STEPS]; /* share of each price that is paid as each period begins [in [0, 1]; default 0] */
    real cash[STEPS];         /* cash that is paid as each period begins [>= 0; unit money; default 0] */
    real cash_of_asset[DIMS]; /* factor of each asset's cash [>= 0; default 1] */
} params;

typedef struct {
    int period;      /* whose dividends have been paid */
    real kept[DIMS]; /* by these, share of a price without dividends */
    real last[DIMS]; /* price at the last step */
} state;

void start(state *s, const params *p)
{
    s->period = -1;
    for (int a = 0; a < DIMS; a++) {
        s->kept[a] = 1;
        s->last[a] = price(a);
    }
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int a = 0; a < DIMS; a++) {
        const real cash = p->cash[i] * p->cash_of_asset[a], share = p->proportional[i] + cash / fmax(s->last[a], 1e-30);
        if (i > s->period) s->kept[a] *= fmax(1 - share, 0);
        s->last[a] = price(a) * s->kept[a];
    }
    s->period = i;
}

real price(const state *s, const params *p, int a) { return price(a) * s->kept[a]; }

/* Of dividends in cash there is none, which log(0) says. */
real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)
{
    real cash = 0;
    for (int k = 0; k < STEPS; k++) cash += p->cash[k];
    const real kept = fmax(s->kept[a], 1e-20);
    return cash > 0 ? log(0.0) : kept * known_option(a, sign, strike / kept, tau);
}
