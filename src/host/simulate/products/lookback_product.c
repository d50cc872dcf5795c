/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A lookback call or put, on the extreme of the prices at the dates of the path.
 *
 * With a floating strike, a call pays the last price less the lowest one, a put the highest less the last.
 * With a fixed strike, a call pays the highest price less the strike, a put the strike less the lowest.
 * Today's price counts unless the extreme begins later, at date number `first`; it may end early, at date
 * number `last`. A floating strike is multiplied by `share`, of a partial lookback.
 *
 * kind: product
 * name: lookback
 * model: black-scholes
 * dims: 1
 * steps: 12
 * start: any time
 * out[0] price: discounted payoff
 * control: asset: the price at the end, discounted, less its mean
 * source: Goldman, Sosin and Gatto 1979; Conze and Viswanathan 1991
 * example: --spot 100 --rate 0.05 --volatility 0.2 --steps 52: the last price less the lowest of 52
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --strike-kind fixed: the highest price less
 * 100
 */
typedef struct {
    int strike_kind;  /* the strike [0 (floating) or 1 (fixed); default 0] */
    real strike;      /* fixed strike [unit money; default 0; role strike] */
    int first;        /* number of the date at which the extreme begins; 0: today [>= 0; default 0] */
    int last;         /* number of the date at which it ends; 0: the last one [>= 0; default 0] */
    real share;       /* factor of the extreme in a floating strike [> 0; default 1] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real spot, lowest, highest;
    int seen; /* whether the extreme has begun */
} state;

void see(state *s, real now)
{
    s->lowest = s->seen ? fmin(s->lowest, now) : now;
    s->highest = s->seen ? fmax(s->highest, now) : now;
    s->seen = 1;
}

void start(state *s, const params *p)
{
    s->seen = 0;
    s->spot = price(0);
    s->lowest = 0;
    s->highest = 0;
    if (p->first == 0) see(s, price(0));
}

void date(state *s, const params *p, int k, real t)
{
    if (k + 1 >= p->first && (p->last == 0 || k < p->last)) see(s, price(0));
}

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0);
    const real floating = p->sign < 0 ? p->share * s->highest - now : now - p->share * s->lowest;
    const real fixed = p->sign < 0 ? p->strike - s->lowest : s->highest - p->strike;
    out[0] = s->seen ? discount_in(p->payment_lag) * fmax(p->strike_kind ? fixed : floating, 0) : 0;
}

real control_asset(const state *s, const params *p) { return s->spot * martingale(0); }
