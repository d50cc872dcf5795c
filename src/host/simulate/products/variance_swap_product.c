/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A variance or volatility swap on the realised variance of the dates.
 *
 * The realised variance is the sum of squared changes of the price's logarithm, from date to date, divided by
 * the time of the last date.
 *
 * kind: product
 * name: variance-swap
 * model: black-scholes
 * dims: 1
 * steps: 252
 * start: any time
 * out[0] price: discounted payoff
 * out[1] realised: realised variance or volatility per year
 * source: Demeterfi, Derman, Kamal and Zou 1999
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 0.04 --steps 252: daily returns of one year
 */
typedef struct {
    real notional;       /* factor of the payoff [unit money; default 100] */
    real strike;         /* strike, per year; 0.04 for a volatility of 0.2 [>= 0; role strike] */
    int volatility_swap; /* what is swapped [0 (variance) or 1 (volatility); default 0] */
    real payment_lag;    /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real last, sum, time;
    real mean, middle, spread; /* of prices that are lognormal: the sum's, and the logarithm's mean and variance */
} state;

void start(state *s, const params *p)
{
    s->last = log(price(0));
    s->sum = 0;
    s->time = 0;
    s->mean = 0;
    s->middle = 0;
    s->spread = 0;
}

void date(state *s, const params *p, int k, real t)
{
    const real now = log(price(0)), change = now - s->last;
    s->sum = fma(change, change, s->sum);
    s->last = now;
    s->time = t;
}

void finish(const state *s, const params *p, real out[2])
{
    const real variance_paid = s->sum / s->time;
    const real paid = p->volatility_swap ? sqrt(fmax(variance_paid, 1e-30)) : variance_paid;
    out[0] = p->notional * discount_in(p->payment_lag) * (paid - p->strike);
    out[1] = paid;
}

/* The change of a period is normal. */
void date_closed_form(state *s, const params *p, int k, real t)
{
    const real middle = known_growth(0) - 0.5 * known_variance(0), spread = known_variance(0);
    s->mean += (middle - s->middle) * (middle - s->middle) + spread - s->spread;
    s->middle = middle;
    s->spread = spread;
}

/* A volatility swap has none, which log(0) says. */
real closed_form(const state *s, const params *p)
{
    const real swap = p->notional * discount_in(p->payment_lag) * (s->mean / s->time - p->strike);
    return p->volatility_swap ? log(0.0) : swap;
}
