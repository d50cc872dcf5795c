/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An Asian call or put on the geometric mean of a basket of assets.
 *
 * The mean is that of B prod_a (price[a] / spot[a])^(weight[a] spot[a] / B) over the fixings, which are the dates of
 * the path, and over past fixings. B is today's basket, weight[0] spot[0] + weight[1] spot[1] + ... With one asset of
 * weight 1 this is the price itself.
 *
 * kind: product
 * name: asian-geometric
 * model: black-scholes
 * dims: assets
 * steps: 12
 * start: any time
 * out[0] price: payoff, discounted from the last fixing
 * control: mean: the mean of the discounted assets, less its mean
 * control: lognormal: with one asset, the option on a lognormal price, less its mean
 * source: Kemna and Vorst 1990
 * check: past_count > 0 or past_average == 0: past_average needs past_count, the number of past fixings
 * check: past_count == 0 or past_average > 0: past_average is the mean of the past fixings
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --steps 12: twelve fixings in one year
 */
typedef struct {
    real weight[DIMS]; /* weight of each asset in the basket [> 0; default 1 / DIMS; role weight] */
    real strike;       /* strike [unit money; role strike] */
    real past_average; /* geometric mean over the past fixings [unit money; default 0] */
    int past_count;    /* number of past fixings, in addition to those of the path [>= 0; default 0] */
    real sign;         /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag;  /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real sum; /* over the fixings, of the logarithm of the basket against today's, times today's */
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
    for (int a = 0; a < DIMS; a++)
        s->sum = fma(p->weight[a] * s->spot[a], log(price(a) / s->spot[a]), s->sum);
    /* A long sum is computed from parts of 256 dates, so that float keeps its digits. */
    if (STEPS > 256 && k % 256 == 255) {
        s->past_sum += s->sum;
        s->sum = 0;
    }
}

real basket_of(const state *s, const params *p)
{
    real basket = 0;
    for (int a = 0; a < DIMS; a++) basket = fma(p->weight[a], s->spot[a], basket);
    return basket;
}

/* The mean over all fixings, past ones too, from the sum over those to come of logarithms against today's basket. */
real mean_of(const state *s, const params *p, real sum)
{
    const real past = p->past_count, basket = basket_of(s, p);
    const real before = past > 0 ? past * log(fmax(p->past_average / basket, 1e-30)) : 0;
    return basket * exp((before + sum) / (past + STEPS));
}

void finish(const state *s, const params *p, real out[])
{
    const real mean = mean_of(s, p, (s->past_sum + s->sum) / basket_of(s, p));
    const real gain = p->sign < 0 ? p->strike - mean : mean - p->strike;
    out[0] = discount_in(p->payment_lag) * fmax(gain, 0);
}

#include "host/simulate/schemes/asian_controls.h"
#include "host/simulate/schemes/black.h"

/* An option on the mean of a lognormal price, not discounted. */
real black_on_mean(const state *s, const params *p)
{
    const real part = (real)STEPS / (p->past_count + STEPS), spread = part * part * s->spread;
    return black(p->sign, mean_of(s, p, s->means) * exp(0.5 * spread), p->strike, spread);
}

real control_lognormal(const state *s, const params *p)
{
    const real gain = p->sign * (mean_of(s, p, s->means + s->logs) - p->strike);
    return DIMS == 1 ? discount_in(p->payment_lag) * (fmax(gain, 0) - black_on_mean(s, p)) : 0;
}

void date_closed_form(state *s, const params *p, int k, real t)
{
    const real now = known_variance(0), part = (real)(STEPS - k) / STEPS;
    s->means += known_growth(0) - 0.5 * now;
    s->spread = fma(part * part, now - s->last, s->spread);
    s->last = now;
}

/* Several assets have none that the code could know, which log(0) says. */
real closed_form(const state *s, const params *p)
{
    return DIMS == 1 ? discount_in(p->payment_lag) * black_on_mean(s, p) : log(0.0);
}
