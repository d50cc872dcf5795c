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
    real spot, first; /* the price at the start, and the logarithm of it divided by the barrier */
} state;

#include "host/simulate/schemes/log_ratio.h"

/* 1 - exp(-y), with all its digits where y is small: the series of exp, whose value is `crosses`. Compilers have vectors
 * of `date` if this is a branch, and what only a rebate at a hit needs is not (docs/records/benchmarks.md). */
real one_less_exp(real y, real crosses)
{
    if (y > 0.015625) return 1 - crosses;
    const real more = fma(-y, fma(-y, 0.0013888888888888889, 0.008333333333333333), 0.041666666666666664);
    return y * fma(-y, fma(-y, fma(-y, more, 0.16666666666666666), 0.5), 1);
}

void start(state *s, const params *p)
{
    s->spot = price(0);
    s->first = log_ratio(s->spot, p->barrier);
    s->distance = p->side < 0 ? s->first : -s->first;
    s->touched = 0;
    s->untouched = 1;
    s->time = 0;
    s->factor = discount_in(p->payment_lag);
    s->paid = 0;
}

void date(state *s, const params *p, int k, real t)
{
    const real above = s->first + log_price(0, s->spot), distance = p->side < 0 ? above : -above;
    /* Beyond the barrier at one end: the product is 0, and the probability of a crossing 1. */
    const real product = fmax(s->distance, 0) * fmax(distance, 0);
    const real y = 2 * product / fmax(variance(0) * (t - s->time), 1e-30);
    const real factor = discount_in(p->payment_lag), crosses = exp(-y);
    /* A bridge that touches has the law of one to the point behind the barrier: its mean is there at a share
     * of the period. */
    const real from = fmax(s->distance, 0), share = from / fmax(from + fabs(distance), 1e-30);
    s->paid = fma(s->untouched * crosses, fma(share, factor - s->factor, s->factor), s->paid);
    s->touched = fma(s->untouched, crosses, s->touched);
    s->untouched *= one_less_exp(y, crosses);
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

#include "host/simulate/schemes/black.h"
#include "host/simulate/schemes/vanilla_controls.h"

#include "host/simulate/schemes/barrier_images.h"

/* The mean of scale e^y - strike where y is within low and high and never was 0: from `from`, moved by `moved`. */
real untouched_within(real low, real high, real from, real moved, real deviation, real scale, real strike)
{
    const real weight = exp(-2 * moved * from / (deviation * deviation));
    return within(low, high, from + moved, deviation, scale, strike) -
           weight * within(low, high, moved - from, deviation, scale, strike);
}

/* The mean of a discount factor, whose logarithm falls by `fall` while the time passes, at the time when y is 0. */
real factor_at_hit(real side, real from, real moved, real deviation, real fall)
{
    const real pull = moved / (deviation * deviation), turned = sqrt(moved * moved + 2 * fall * deviation * deviation);
    const real lambda = turned / (deviation * deviation), to = -side * (turned - from) / deviation;
    return exp(-(pull + lambda) * from) * normal_cdf(to) +
           exp(-(pull - lambda) * from) * normal_cdf(to + 2 * side * turned / deviation);
}

/* Of y, the logarithm of the price from the barrier's. */
real closed_form(const state *s, const params *p)
{
    const real v = fixed_volatility(0), yearly = fixed_rate(), spread = v * v * s->time, deviation = sqrt(spread);
    const real grown = known_growth(0), moved = grown - 0.5 * spread, from = log(s->spot / p->barrier);
    const real far = 1e6, low = p->side < 0 ? 0 : -far, high = p->side < 0 ? far : 0;
    const real at = fmin(fmax(log(p->strike / p->barrier), low), high);
    const real least = p->sign < 0 ? low : at, most = p->sign < 0 ? at : high;
    const real begins = p->side < 0 ? (from > 0 ? 1 : 0) : from < 0 ? 1 : 0;
    const real gain =
        begins * p->sign * untouched_within(least, most, from, moved, deviation, p->barrier, p->strike);
    const real lives = -begins * untouched_within(low, high, from, moved, deviation, 0, 1);
    const real end = exp(-yearly * (s->time + p->payment_lag));
    const real all = black(p->sign, s->spot * exp(grown), p->strike, spread);
    if (p->knock_in) return end * (all - gain + p->rebate * lives);
    const real hit = begins > 0 ? factor_at_hit(p->side, from, moved, deviation, yearly * s->time) : 1;
    return end * gain +
           p->rebate * (p->at_hit ? hit * exp(-yearly * p->payment_lag) : end * (1 - lives));
}
