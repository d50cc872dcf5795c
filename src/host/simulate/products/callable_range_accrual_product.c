/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A range note that its issuer may call, or its holder put.
 *
 * At each date at which the price is within the range the note pays a coupon. It ends at the last date, or when the
 * right to end it is exercised, and then pays its redemption.
 *
 * The price is what the holder receives; it is found as what the party with the right receives, so the issuer's
 * policy, under which the note is worth least, gives an upper bound of the note's price as output `note`.
 *
 * kind: product
 * name: callable-range-accrual
 * model: black-scholes
 * dims: 1
 * steps: 12
 * start: any time
 * out[0] price: what the party with the right receives, discounted; of the issuer's, the note with a minus
 * out[1] note: what the holder receives, discounted
 * check: lower < upper: the range is empty
 * example: --spot 100 --rate 0.03 --volatility 0.2 --lower 85 --upper 115 --coupon 0.01 --maturity 3: three
 * years, with a date each quarter, called by its issuer
 */
typedef struct {
    real notional;   /* amount on which payments are computed [> 0; unit money; default 100] */
    real coupon;     /* payment at a date within the range, as a share of the notional [default 0.01] */
    real lower;      /* least price that counts [>= 0; unit money; role barrier] */
    real upper;      /* largest price that counts [> 0; unit money; role barrier] */
    int first;       /* number of the first date at which the note may end, from 1 [>= 1; default 1] */
    real redemption; /* payment if it ends early, as a share of the notional [>= 0; default 1] */
    real right;      /* who may end it [-1 (the issuer) or 1 (the holder); default -1] */
} params;

typedef struct {
    real paid; /* and discounted */
    real now;  /* price */
    int date_number;
} state;

void start(state *s, const params *p)
{
    s->paid = 0;
    s->now = 0;
    s->date_number = 0;
}

void date(state *s, const params *p, int k, real t)
{
    s->now = price(0);
    s->date_number = k + 1;
    if (s->now >= p->lower && s->now <= p->upper) s->paid += p->notional * p->coupon * discount();
}

/* All that the note pays if it ends now. */
real ended(const state *s, const params *p)
{
    return s->paid + p->notional * discount() * (s->date_number < STEPS ? p->redemption : 1);
}

real exercise(const state *s, const params *p, real t)
{
    return s->date_number < p->first || s->date_number == STEPS ? 0 : p->right * ended(s, p);
}

void regress(const state *s, const params *p, real f[5])
{
    const real middle = (p->lower + p->upper) / 2, u = s->now / middle - 1;
    f[0] = s->paid;
    f[1] = u;
    f[2] = u * u;
    f[3] = f[2] * u;
    f[4] = f[2] * f[2];
}

void finish(const state *s, const params *p, real out[2])
{
    out[1] = ended(s, p);
    out[0] = p->right * out[1];
}
