/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An Asian call or put on the mean of a basket of assets.
 *
 * The basket is weight[0] price[0] + weight[1] price[1] + ... Its mean is over the dates of the path and over
 * past fixings; with the geometric mean, weights must not be negative.
 *
 * kind: product
 * name: asian
 * model: black-scholes
 * dims: assets
 * steps: 12
 * start: any time
 * out[0] price: payoff, discounted from the last fixing
 * check: past_count > 0 or past_average == 0: past_average needs past_count, the number of past fixings
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --steps 12: twelve fixings in one year
 */
typedef struct {
    real weight[DIMS]; /* weight of each asset in the basket [default 1 / DIMS; role weight] */
    real strike;       /* strike [unit money; role strike] */
    int geometric;     /* the mean [0 (arithmetic) or 1 (geometric); default 0] */
    real past_average; /* mean of the basket over the past fixings [unit money; default 0] */
    int past_count;    /* number of past fixings, in addition to those of the path [>= 0; default 0] */
    real sign;         /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag;  /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real sum;      /* over the fixings: of the basket, or of its logarithm */
    real past_sum; /* a part of it that is put aside, see below */
} state;

void start(state *s, const params *p)
{
    s->sum = 0;
    s->past_sum = 0;
}

void date(state *s, const params *p, int k, real t)
{
    real basket = 0;
    for (int a = 0; a < DIMS; a++) basket = fma(p->weight[a], price(a), basket);
    s->sum += p->geometric ? log(fmax(basket, 1e-30)) : basket;
    /* A long sum is computed from parts of 256 dates, so that float keeps its digits. */
    if (STEPS > 256 && k % 256 == 255) {
        s->past_sum += s->sum;
        s->sum = 0;
    }
}

void finish(const state *s, const params *p, real out[])
{
    const real past = p->past_count, fixings = past + STEPS, sum = s->past_sum + s->sum;
    const real before = p->geometric && past > 0 ? log(fmax(p->past_average, 1e-30)) : p->past_average;
    const real value = (past * before + sum) / fixings;
    const real mean = p->geometric ? exp(value) : value;
    const real gain = p->sign < 0 ? p->strike - mean : mean - p->strike;
    out[0] = discount_in(p->payment_lag) * fmax(gain, 0);
}
