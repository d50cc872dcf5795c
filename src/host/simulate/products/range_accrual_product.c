/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A note that pays a coupon for the share of the dates at which the price is within a range.
 *
 * kind: product
 * name: range-accrual
 * model: black-scholes
 * dims: 1
 * steps: 52
 * start: any time
 * out[0] price: discounted coupon
 * out[1] share: share of the dates within the range
 * control: lognormal: the dates at which a lognormal price is within the range, less their mean
 * check: lower < upper: the range is empty
 * example: --spot 100 --rate 0.05 --volatility 0.2 --lower 90 --upper 110: weekly dates in one year
 */
typedef struct {
    real coupon;      /* payment at maturity if all dates are within the range [unit money; default 1] */
    real lower;       /* least price that counts [>= 0; unit money; role barrier] */
    real upper;       /* largest price that counts [> 0; unit money; role barrier] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real count;
    real spot;
    real likely, mean; /* dates of a lognormal price within the range, and of these the mean */
} state;

void start(state *s, const params *p)
{
    s->count = 0;
    s->spot = price(0);
    s->likely = 0;
    s->mean = 0;
}

void date(state *s, const params *p, int k, real t)
{
    const real now = price(0);
    if (now >= p->lower && now <= p->upper) s->count += 1;
}

void finish(const state *s, const params *p, real out[2])
{
    out[1] = s->count / STEPS;
    out[0] = p->coupon * discount_in(p->payment_lag) * out[1];
}

/* The probability that a lognormal price of that mean is above a limit. */
real above(real limit, real forward, real spread)
{
    const real least = 1e-20 * forward, deviation = sqrt(fmax(spread, 1e-20));
    return limit > least ? normal_cdf(log(forward / fmax(limit, least)) / deviation - 0.5 * deviation) : 1;
}

real within(const params *p, real forward, real spread)
{
    return above(p->lower, forward, spread) - above(p->upper, forward, spread);
}

void date_lognormal(state *s, const params *p, int k, real t)
{
    const real forward = s->spot * exp(known_growth(0)), now = forward * lognormal(0);
    if (now >= p->lower && now <= p->upper) s->likely += 1;
    s->mean += within(p, forward, lognormal_variance(0));
}

real control_lognormal(const state *s, const params *p)
{
    return p->coupon * discount_in(p->payment_lag) * (s->likely - s->mean) / STEPS;
}

void date_closed_form(state *s, const params *p, int k, real t)
{
    s->mean += within(p, s->spot * exp(known_growth(0)), known_variance(0));
}

real closed_form(const state *s, const params *p)
{
    return p->coupon * discount_in(p->payment_lag) * s->mean / STEPS;
}
