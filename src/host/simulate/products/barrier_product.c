/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A barrier option with a continuously monitored barrier.
 *
 * Between two dates, a Brownian bridge of the model's variance says with which probability the price touched
 * the barrier, and the payoff is weighted by it. Under Black-Scholes this is exact with any number of dates;
 * where the variance is stochastic, it is an approximation that improves with more dates. The time of a hit,
 * at which a knock-out may pay its rebate, is close to its mean within the period.
 *
 * kind: product
 * name: barrier
 * model: black-scholes
 * dims: 1
 * steps: 12
 * start: any time
 * out[0] price: discounted payoff
 * control: asset: the price at the end, discounted, less its mean
 * control: lognormal: the payoff without barriers on a lognormal price, less its mean
 * source: Merton 1973; Reiner and Rubinstein 1991
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --side down --barrier 80: a down-and-out call
 */
typedef struct {
    real strike;      /* strike [unit money; role strike] */
    real barrier;     /* touched by a price at or beyond it [> 0; unit money; role barrier] */
    real rebate;      /* payment if knocked out, or never knocked in [unit money; default 0] */
    int at_hit;       /* when a knock-out pays its rebate [0 (maturity) or 1 (hit); default 0] */
    real side;        /* side of the barrier; a down barrier is touched from above [-1 (down) or 1 (up)] */
    int knock_in;     /* knock-out or knock-in [0 (out) or 1 (in); default 0] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date, or the hit, to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real distance;           /* of the logarithm of the price from the barrier's; negative beyond it */
    real touched, untouched; /* the probabilities of it */
    real time;
    real factor, paid; /* the discount factor of a payment at the last date; that of the rebate at the hit */
    real spot;
} state;

/* 1 - exp(-y), with all its digits where y is small: the series of exp. */
real one_less_exp(real y)
{
    if (y > 0.015625) return 1 - exp(-y);
    const real more = fma(-y, fma(-y, 0.0013888888888888889, 0.008333333333333333), 0.041666666666666664);
    return y * fma(-y, fma(-y, fma(-y, more, 0.16666666666666666), 0.5), 1);
}

real distance_of(const params *p, real now)
{
    const real above = log(now / p->barrier);
    return p->side < 0 ? above : -above;
}

void start(state *s, const params *p)
{
    s->spot = price(0);
    s->distance = distance_of(p, price(0));
    s->touched = 0;
    s->untouched = 1;
    s->time = 0;
    s->factor = discount_in(p->payment_lag);
    s->paid = 0;
}

void date(state *s, const params *p, int k, real t)
{
    const real distance = distance_of(p, price(0));
    /* Beyond the barrier at one end: the product is 0, and the probability of a crossing 1. */
    const real product = fmax(s->distance, 0) * fmax(distance, 0);
    const real y = 2 * product / fmax(variance(0) * (t - s->time), 1e-30);
    const real factor = discount_in(p->payment_lag), crosses = exp(-y);
    /* A bridge that touches has the law of one to the point behind the barrier: its mean is there at a share
     * of the period. */
    const real from = fmax(s->distance, 0), share = from / fmax(from + fabs(distance), 1e-30);
    s->paid = fma(s->untouched * crosses, fma(share, factor - s->factor, s->factor), s->paid);
    s->touched = fma(s->untouched, crosses, s->touched);
    s->untouched *= one_less_exp(y);
    s->distance = distance;
    s->time = t;
    s->factor = factor;
}

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0);
    const real gain = fmax(p->sign < 0 ? p->strike - now : now - p->strike, 0);
    const real lives = p->knock_in ? s->touched : s->untouched;
    const real dead = p->knock_in ? s->untouched : s->touched;
    const int early = p->at_hit && !p->knock_in;
    out[0] = s->factor * fma(lives, gain, early ? 0 : dead * p->rebate) + (early ? s->paid * p->rebate : 0);
}

real control_asset(const state *s, const params *p) { return s->spot * martingale(0); }

#include "host/simulate/schemes/black.h"

real control_lognormal(const state *s, const params *p)
{
    const real forward = s->spot * exp(known_growth(0)), gain = p->sign * (forward * lognormal(0) - p->strike);
    return discount_in(p->payment_lag) *
           (fmax(gain, 0) - black(p->sign, forward, p->strike, lognormal_variance(0)));
}
