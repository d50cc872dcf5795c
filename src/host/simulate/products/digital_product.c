/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A digital call or put, which pays a fixed amount of cash or nothing.
 *
 * It pays if the price at the end is above the strike (call) or below it (put).
 *
 * kind: product
 * name: digital
 * model: black-scholes
 * dims: 1
 * steps: 1
 * start: any time
 * out[0] price: discounted payoff [likelihood]
 * control: asset: the price at the end, discounted, less its mean
 * control: lognormal: the payoff on a lognormal price, less its mean
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --cash 10: 10 if the price is above 100 after
 * one year
 */
typedef struct {
    real strike;      /* strike [unit money; role strike] */
    real cash;        /* cash payout [unit money; default 1] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real spot;
} state;

void start(state *s, const params *p) { s->spot = price(0); }

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0);
    const int pays = p->sign < 0 ? now < p->strike : now > p->strike;
    out[0] = pays ? p->cash * discount_in(p->payment_lag) : 0;
}

real control_asset(const state *s, const params *p) { return s->spot * martingale(0); }

/* The probability that a lognormal price ends where the option pays. */
real pays_with(const params *p, real forward, real spread)
{
    const real deviation = sqrt(fmax(spread, 1e-20)), least = 1e-20 * forward;
    return normal_cdf(p->sign * (log(forward / fmax(p->strike, least)) / deviation - 0.5 * deviation));
}

real control_lognormal(const state *s, const params *p)
{
    const real forward = s->spot * exp(known_growth(0)), now = forward * lognormal(0);
    const int pays = p->sign < 0 ? now < p->strike : now > p->strike;
    return p->cash * discount_in(p->payment_lag) *
           ((pays ? 1 : 0) - pays_with(p, forward, lognormal_variance(0)));
}

real closed_form(const state *s, const params *p)
{
    return p->cash * discount_in(p->payment_lag) * pays_with(p, s->spot * exp(known_growth(0)), known_variance(0));
}
