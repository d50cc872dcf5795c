/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An Asian call or put on the arithmetic mean of a basket of assets.
 *
 * The mean is that of weight[0] price[0] + weight[1] price[1] + ... over the fixings, which are the times of
 * the path, and over past fixings. With one fixing it is a European option. The prices follow correlated
 * geometric Brownian motions. A negative weight makes it an option on a spread.
 *
 * The control variate is an option on the geometric mean, over the future fixings, of B prod_d (price[d] /
 * spot[d])^(weight[d] spot[d] / B), where B is today's basket. With m past and n future fixings, its payoff
 * is multiplied by n / (m + n), and its strike is that of the future mean, ((m + n) strike - m
 * past_average) / n. It is 0 if a weight is negative.
 *
 * The path, x[d] for asset d, is a Brownian motion of variance 1 per year, without the volatilities; its
 * correlation is that of the assets. Amounts of money may be in any common unit.
 *
 * name: asian
 * path: paths
 * dims: assets
 * steps: 12
 * start: any time
 * out[0] price: payoff, discounted from the last fixing [likelihood]
 * out[1] geometric: control variate, whose expectation has a closed form [control geometric]
 * source: Kemna and Vorst 1990
 * check: strike >= 0 or weight < 0: only a spread has a negative strike
 * check: past_count > 0 or past_average == 0: past_average needs past_count, the number of past fixings
 * check: past_count == 0 or past_average > 0 or weight < 0: past_average is the mean of the past fixings
 * example: --times fixings.csv --valuation 2026-01-02 --assets assets.csv --correlation correlation.csv
 *     --strike 100 --rate 0.03 --paths 4000000 --seed 1: the deal of examples/asian-basket
 * example: ... --type put --past-count 3 --past-average 101.5: a put, three fixings later; --times has
 *     the future ones
 * example: ... --device cpu --json: a report for scripts; "hex" has exact hexadecimal numbers, to compare
 *     devices
 * example: --times fixings.csv --valuation 2026-01-02 --assets assets.csv --strike 100 --rate 0.03
 *     --generator sobol --paths 4096 --replicates 32: quasi-Monte Carlo with 32 scrambles of 4096 points,
 *     whose spread gives the standard error
 * example: --spot 100 --strike 100 --rate 0.03 --volatility 0.2 --steps 12 --target-error 0.01: one asset,
 *     without files, to a standard error of 0.01
 */
typedef struct {
    real spot[DIMS];       /* spot price of each asset [> 0; unit money; role spot] */
    real volatility[DIMS]; /* volatility of each asset [>= 0; unit per square root of a year; role volatility]
                            */
    real dividend[DIMS];   /* dividend yield of each asset, continuously compounded [unit per year; default 0;
                              role dividend] */
    real weight[DIMS];     /* weight of each asset in the basket [default 1 / DIMS; role weight] */
    real rate;             /* rate, continuously compounded [unit per year; role rate] */
    real strike;           /* strike; may be negative for a spread [unit money; role strike] */
    real past_average;     /* mean of the basket over the past fixings [unit money; default 0] */
    int past_count;        /* number of past fixings, in addition to those of the path [>= 0; default 0] */
    real sign;             /* put or call [-1 (put) or 1 (call); default 1; role sign] */
} params;

typedef struct {
    real sum, logs;           /* over the fixings: of the basket, and of the logarithms of the control's */
    real past_sum, past_logs; /* parts of these that are put aside, see below */
    real time;                /* of the last fixing so far */
} state;

void start(state *s, const params *p)
{
    s->sum = 0;
    s->logs = 0;
    s->past_sum = 0;
    s->past_logs = 0;
    s->time = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    for (int d = 0; d < DIMS; d++) {
        const real money = p->weight[d] * p->spot[d];
        const real drift = p->rate - p->dividend[d] - 0.5 * p->volatility[d] * p->volatility[d];
        const real change = fma(p->volatility[d], x[d], drift * t); /* of the price's logarithm */
        s->sum = fma(money, exp(change), s->sum);
        s->logs = fma(money, change, s->logs);
    }
    /* A long sum is computed from parts of 256 steps, so that float keeps its digits. */
    if (STEPS > 256 && i % 256 == 255) {
        s->past_sum += s->sum;
        s->past_logs += s->logs;
        s->sum = 0;
        s->logs = 0;
    }
    s->time = t;
}

void finish(const state *s, const params *p, real out[2])
{
    const real to_come = STEPS, past = p->past_count, fixings = past + to_come;
    const real sign = p->sign < 0 ? -1 : 1;
    const real mean = (past * p->past_average + (s->past_sum + s->sum)) / fixings;
    const real discount = exp(-p->rate * s->time);
    out[0] = discount * fmax(sign * (mean - p->strike), 0);

    real basket = 0, least = 0;
    for (int d = 0; d < DIMS; d++) {
        basket = fma(p->weight[d], p->spot[d], basket);
        least = fmin(least, p->weight[d]);
    }
    out[1] = 0;
    if (least < 0 || basket <= 0) return;
    const real geometric = basket * exp((s->past_logs + s->logs) / (basket * to_come));
    const real strike = p->strike + (p->strike - p->past_average) * (past / to_come);
    out[1] = discount * (to_come / fixings) * fmax(sign * (geometric - strike), 0);
}
