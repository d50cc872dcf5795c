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
 * control: lognormal: the sum of the returns of a lognormal price, each with floor and cap, less its mean
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
    /* A lognormal price: its last number, the growth and variance until then, and the sum of returns less its mean. */
    real likely, growth, spread, excess;
} state;

void start(state *s, const params *p)
{
    s->last = price(0);
    s->sum = 0;
    s->likely = 1;
    s->growth = 0;
    s->spread = 0;
    s->excess = 0;
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

#include "host/simulate/schemes/black.h"

/* A return with floor and cap is the floor, a call with the floor as its strike, and less one with the cap. */
void date_lognormal(state *s, const params *p, int k, real t)
{
    const real grown = known_growth(0), spread = lognormal_variance(0), likely = lognormal(0);
    const real forward = exp(grown - s->growth), more = fmax(spread - s->spread, 0);
    const real back = fmin(fmax(forward * (likely / s->likely) - 1, p->local_floor), p->local_cap);
    const real mean = p->local_floor + black(1, forward, 1 + p->local_floor, more) -
                      black(1, forward, 1 + p->local_cap, more);
    s->excess += back - mean;
    s->likely = likely;
    s->growth = grown;
    s->spread = spread;
}

real control_lognormal(const state *s, const params *p)
{
    return p->notional * discount_in(p->payment_lag) * s->excess;
}
