/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An Asian call or put on the mean of a basket of assets.
 *
 * The basket is weight[0] price[0] + weight[1] price[1] + ... Its mean is over the dates of the path and over
 * past fixings.
 *
 * kind: product
 * name: asian
 * model: black-scholes
 * dims: assets
 * steps: 12
 * start: any time
 * out[0] price: payoff, discounted from the last fixing
 * control: mean: the mean of the discounted assets, less its mean
 * control: lognormal: with one asset, the option on the geometric mean of a lognormal price, less its mean
 * check: past_count > 0 or past_average == 0: past_average needs past_count, the number of past fixings
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --steps 12: twelve fixings in one year
 */
typedef struct {
    real weight[DIMS]; /* weight of each asset in the basket [default 1 / DIMS; role weight] */
    real strike;       /* strike [unit money; role strike] */
    real past_average; /* mean of the basket over the past fixings [unit money; default 0] */
    int past_count;    /* number of past fixings, in addition to those of the path [>= 0; default 0] */
    real sign;         /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag;  /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real sum;      /* of the basket over the fixings */
    real past_sum; /* a part of it that is put aside, see below */
    real spot[DIMS];
    real martingales; /* over the fixings: of the assets, each discounted, divided by its mean, less 1 */
    /* Sums over the fixings: the lognormal price's logarithm, its mean, and what gives the variance. */
    real logs, means, spread, last;
} state;

void start(state *s, const params *p)
{
    s->sum = 0;
    s->past_sum = 0;
    for (int a = 0; a < DIMS; a++) s->spot[a] = price(a);
    s->martingales = 0;
    s->logs = 0;
    s->means = 0;
    s->spread = 0;
    s->last = 0;
}

void date(state *s, const params *p, int k, real t)
{
    real basket = 0;
    for (int a = 0; a < DIMS; a++) basket = fma(p->weight[a], price(a), basket);
    s->sum += basket;
    /* A long sum is computed from parts of 256 dates, so that float keeps its digits. */
    if (STEPS > 256 && k % 256 == 255) {
        s->past_sum += s->sum;
        s->sum = 0;
    }
}

void finish(const state *s, const params *p, real out[])
{
    const real past = p->past_count, sum = s->past_sum + s->sum;
    const real mean = (past * p->past_average + sum) / (past + STEPS);
    const real gain = p->sign < 0 ? p->strike - mean : mean - p->strike;
    out[0] = discount_in(p->payment_lag) * fmax(gain, 0);
}

#include "host/simulate/schemes/asian_controls.h"
#include "host/simulate/schemes/black.h"

/* With past fixings, the option is one on the future ones with another strike, as for the price. */
real control_lognormal(const state *s, const params *p)
{
    const real past = p->past_count, part = STEPS / (past + STEPS);
    const real strike = p->strike + (p->strike - p->past_average) * (past / STEPS);
    const real today = p->weight[0] * s->spot[0], mean = today * exp((s->means + s->logs) / STEPS);
    const real forward = today * exp(s->means / STEPS + 0.5 * s->spread);
    const real value = fmax(p->sign * (mean - strike), 0) - black(p->sign, forward, strike, s->spread);
    return DIMS == 1 && today > 0 ? part * discount_in(p->payment_lag) * value : 0;
}
