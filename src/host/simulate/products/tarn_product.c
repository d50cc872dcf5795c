/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A target redemption forward: purchases at a strike, date by date, until their gains reach a target.
 *
 * At each date the holder buys notional of the asset at the strike, or sells it with sign -1. A gain counts
 * towards the target; a loss is multiplied by leverage. Once the gains reach the target the contract ends.
 *
 * kind: product
 * name: tarn
 * model: black-scholes
 * dims: 1
 * steps: 12
 * start: any time
 * out[0] price: all payments, discounted
 * out[1] life: number of dates until it ends
 * control: sum: the discounted prices of the dates, less their mean
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 95 --target 30 --leverage 2: twelve months, at
 * most 30 of gains
 */
typedef struct {
    real notional; /* amount of the asset at each date [> 0; default 1] */
    real strike;   /* strike [unit money; role strike] */
    real target;   /* sum of gains, for a notional of 1, at which it ends [> 0; unit money] */
    real leverage; /* factor of losses; with 0 it has none [>= 0; default 1] */
    int last_gain; /* part that is paid of the gain that reaches the target [0 (nothing), 1 (up to the target)
                      or 2 (all of it); default 1] */
    real sign;     /* sells or buys [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from each date to its payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real paid; /* and discounted */
    real gained, alive, life;
    real spot, martingales;
} state;

void start(state *s, const params *p)
{
    s->spot = price(0);
    s->martingales = 0;
    s->paid = 0;
    s->gained = 0;
    s->alive = 1;
    s->life = 0;
}

void date(state *s, const params *p, int k, real t)
{
    if (s->alive == 0) return;
    const real now = price(0), gain = p->sign < 0 ? p->strike - now : now - p->strike;
    const real rest = p->target - s->gained, won = fmax(gain, 0);
    const int ends = won >= rest;
    const real last = p->last_gain == 0 ? 0 : p->last_gain == 1 ? rest : won;
    const real paid = gain < 0 ? p->leverage * gain : ends ? last : won;
    s->paid = fma(p->notional * discount_in(p->payment_lag), paid, s->paid);
    s->gained += won;
    s->life = k + 1;
    if (ends) s->alive = 0;
}

void finish(const state *s, const params *p, real out[2])
{
    out[0] = s->paid;
    out[1] = s->life;
}

void date_sum(state *s, const params *p, int k, real t) { s->martingales += martingale(0); }

real control_sum(const state *s, const params *p) { return s->spot * s->martingales; }
