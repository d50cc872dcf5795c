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
} state;

void start(state *s, const params *p) { s->count = 0; }

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
