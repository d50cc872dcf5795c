/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A cliquet, which pays the sum of returns from date to date, each with a floor and a cap, and their sum
 * with a floor and a cap.
 *
 * kind: product
 * name: cliquet
 * model: black-scholes
 * dims: 1
 * steps: 12
 * start: any time
 * out[0] price: discounted payoff
 * example: --spot 100 --rate 0.05 --volatility 0.2 --local-floor -0.02 --local-cap 0.02 --global-floor 0:
 * twelve monthly returns
 */
typedef struct {
    real notional;     /* factor of the payoff [unit money; default 100] */
    real local_floor;  /* least return of a period [default -1] */
    real local_cap;    /* largest return of a period [default 1000] */
    real global_floor; /* least sum of the returns [default -1000] */
    real global_cap;   /* largest sum of the returns [default 1000] */
    real payment_lag;  /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real last, sum;
} state;

void start(state *s, const params *p)
{
    s->last = price(0);
    s->sum = 0;
}

void date(state *s, const params *p, int k, real t)
{
    const real now = price(0);
    s->sum += fmin(fmax(now / s->last - 1, p->local_floor), p->local_cap);
    s->last = now;
}

void finish(const state *s, const params *p, real out[])
{
    out[0] = p->notional * discount_in(p->payment_lag) * fmin(fmax(s->sum, p->global_floor), p->global_cap);
}
