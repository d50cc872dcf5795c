/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A compound option: an option to buy or sell, at an earlier date, a call or put that expires at the last
 * date.
 *
 * The decision at the earlier date is found by regression, as an early exercise.
 *
 * kind: product
 * name: compound
 * model: black-scholes
 * dims: 1
 * steps: 2
 * start: any time
 * out[0] price: discounted payments
 * source: Geske 1979
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --premium 6: a call on a call, decided after
 * half a year
 */
typedef struct {
    real strike;  /* strike of the option at the last date [unit money; role strike] */
    real premium; /* strike of the option on it [>= 0; unit money] */
    int first;    /* number of the date of the decision, from 1 [>= 1; default 1] */
    real buys;    /* whether that option is sold or bought [-1 (sells) or 1 (buys); default 1] */
    real sign;    /* put or call at the last date [-1 (put) or 1 (call); default 1; role sign] */
} params;

typedef struct {
    real paid; /* the premium, discounted */
    real moneyness;
    int date_number;
} state;

void start(state *s, const params *p)
{
    s->paid = 0;
    s->moneyness = 0;
    s->date_number = 0;
}

void date(state *s, const params *p, int k, real t)
{
    s->date_number = k + 1;
    if (k + 1 == p->first) {
        s->paid = p->premium * discount();
        s->moneyness = price(0) / p->strike;
    }
}

/* To let the option lapse pays nothing; a value of 0 would say that this is not allowed. */
real exercise(const state *s, const params *p, real t) { return s->date_number == p->first ? 1e-20 : 0; }

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0);
    const real gain = discount() * fmax(p->sign < 0 ? p->strike - now : now - p->strike, 0);
    out[0] = p->buys < 0 ? s->paid - gain : gain - s->paid;
}
