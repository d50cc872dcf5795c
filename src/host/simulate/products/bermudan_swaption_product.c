/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A Bermudan swaption: at each of several dates, an option to enter a swap with a fixed end.
 *
 * The dates are those at which the swap's periods begin; the last period ends one tenor after the last date. Who
 * exercises at a date receives the rest of the swap from there, whose value comes from the prices of bonds.
 *
 * kind: product
 * name: bermudan-swaption
 * model: vasicek
 * dims: 1
 * steps: 4
 * start: any time
 * out[0] price: discounted value of the swap that is entered
 * example: --short-rate 0.03 --reversion 0.5 --mean-rate 0.04 --sigma 0.01 --strike 0.035 --maturity 4 --steps 4
 * --tenor 1: each year for four years, into a swap that ends after five
 */
typedef struct {
    real notional; /* amount on which rates are paid [unit money; default 1] */
    real strike;   /* fixed rate [unit per year; role strike] */
    real tenor;    /* length of a period, and time from date to date [> 0; unit years; default 0.5] */
    int first;     /* number of the first date of exercise, from 1 [>= 1; default 1] */
    real sign;     /* receiver or payer of the fixed rate [-1 (receiver) or 1 (payer); default 1; role sign] */
} params;

typedef struct {
    real worth; /* of the rest of the swap to its payer of the fixed rate */
    int date_number;
} state;

void start(state *s, const params *p)
{
    s->worth = 0;
    s->date_number = 0;
}

void date(state *s, const params *p, int k, real t)
{
    real fixed = 0, last = 1;
    for (int j = 1; j <= STEPS; j++) {
        last = j <= STEPS - k ? bond(j * p->tenor) : last;
        fixed += j <= STEPS - k ? p->strike * p->tenor * last : 0;
    }
    s->worth = 1 - last - fixed;
    s->date_number = k + 1;
}

real exercise(const state *s, const params *p, real t)
{
    const real gain = p->notional * discount() * fmax(p->sign < 0 ? -s->worth : s->worth, 0);
    return s->date_number < p->first ? 0 : gain;
}

/* One factor moves all bonds, so the swap's value says where it is. */
void regress(const state *s, const params *p, real f[4])
{
    f[0] = s->worth;
    f[1] = s->worth * s->worth;
    f[2] = f[1] * s->worth;
    f[3] = discount();
}

void finish(const state *s, const params *p, real out[])
{
    out[0] = p->notional * discount() * fmax(p->sign < 0 ? -s->worth : s->worth, 0);
}
