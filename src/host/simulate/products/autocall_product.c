/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An autocallable note with memory coupon, on the worst of its assets.
 *
 * A performance is a price divided by the initial fixing. At each date where the worst performance is at
 * coupon_barrier or above, the note pays a coupon, and with memory all that it did not pay before. Where it
 * is at call_barrier or above, the note also pays its notional and ends. At the last date it ends in any
 * case: it pays its notional, or, if the worst performance is below protection, notional times that
 * performance.
 *
 * kind: product
 * name: autocall
 * model: black-scholes
 * dims: assets
 * steps: 4
 * start: any time
 * out[0] price: all that the note pays, discounted
 * out[1] life: number of dates until it ends
 * control: asset: the assets at the end, discounted, less their mean
 * example: --spot 100 --rate 0.03 --volatility 0.25 --maturity 3 --steps 6: three years, with a date each
 * half year
 */
typedef struct {
    real notional;       /* amount on which payments are computed [> 0; unit money; default 100] */
    real initial[DIMS];  /* initial fixing of each asset [> 0; unit money; default spot] */
    real call_barrier;   /* worst performance from which the note ends [>= 0; default 1] */
    real coupon_barrier; /* worst performance from which it pays a coupon [>= 0; default 0.8] */
    real coupon;         /* coupon of a period, as a share of the notional [default 0.05] */
    int memory;       /* whether coupons that were not paid are paid later [0 (no) or 1 (yes); default 1] */
    real protection;  /* worst performance at the end below which notional is lost [>= 0; default 0.6] */
    real payment_lag; /* time from each date to its payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real paid;  /* and discounted */
    real alive; /* 1 until the note ends */
    real missed, life;
    real spot[DIMS];
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) s->spot[a] = price(a);
    s->paid = 0;
    s->alive = 1;
    s->missed = 0;
    s->life = 0;
}

void date(state *s, const params *p, int k, real t)
{
    if (s->alive == 0) return;
    const real factor = discount_in(p->payment_lag) * p->notional;
    real worst = price(0) / p->initial[0];
    for (int a = 1; a < DIMS; a++) worst = fmin(worst, price(a) / p->initial[a]);
    s->life = k + 1;
    s->missed += p->coupon;
    if (worst >= p->coupon_barrier) s->paid += factor * s->missed;
    if (worst >= p->coupon_barrier || !p->memory) s->missed = 0;
    const int called = worst >= p->call_barrier;
    if (called) s->paid += factor;
    if (!called && k == STEPS - 1) s->paid += factor * (worst < p->protection ? worst : 1);
    if (called) s->alive = 0;
}

void finish(const state *s, const params *p, real out[2])
{
    out[0] = s->paid;
    out[1] = s->life;
}

real control_asset(const state *s, const params *p)
{
    real sum = 0;
    for (int a = 0; a < DIMS; a++) sum += s->spot[a] / p->initial[a] * martingale(a);
    return sum;
}
