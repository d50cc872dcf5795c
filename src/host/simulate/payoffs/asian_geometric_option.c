/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An Asian call or put on the geometric mean of a basket of assets.
 *
 * The mean is that of B prod_d (price[d] / spot[d])^(weight[d] spot[d] / B) over the fixings, which are the
 * times of the path. B is today's basket, weight[0] spot[0] + weight[1] spot[1] + ... With one asset of
 * weight 1 this is the price itself. Past fixings count in the mean. The prices follow correlated geometric
 * Brownian motions.
 *
 * The path, x[d] for asset d, is a Brownian motion of variance 1 per year, without the volatilities; its
 * correlation is that of the assets.
 *
 * name: asian-geometric
 * path: paths
 * dims: assets
 * steps: 12
 * start: any time
 * out[0] price: payoff, discounted from the last fixing; a closed form is known
 * source: Kemna and Vorst 1990
 * check: past_count > 0 or past_average == 0: past_average needs past_count, the number of past fixings
 * check: past_count == 0 or past_average > 0 or weight < 0: past_average is the mean of the past fixings
 * example: --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --steps 12: twelve fixings in one year
 * example: --spot 100,50 --volatility 0.2,0.3 --correlation 0.5 --strike 75 --rate 0.05 --steps 12
 *     --antithetic: two assets
 */
typedef struct {
    real spot[DIMS];       /* spot price of each asset [> 0; unit money; role spot] */
    real volatility[DIMS]; /* volatility of each asset [>= 0; unit per square root of a year; role volatility]
                            */
    real dividend[DIMS];   /* dividend yield of each asset, continuously compounded [unit per year; default 0;
                              role dividend] */
    real weight[DIMS];     /* weight of each asset in the basket [default 1 / DIMS; role weight] */
    real rate;             /* rate, continuously compounded [unit per year; role rate] */
    real strike;           /* strike [unit money; role strike] */
    real past_average;     /* geometric mean over the past fixings [unit money; default 0] */
    int past_count;        /* number of past fixings, in addition to those of the path [>= 0; default 0] */
    real sign;             /* put or call [-1 (put) or 1 (call); default 1; role sign] */
} params;

typedef struct {
    real logs;      /* over the fixings, B times the logarithm of the basket against today's */
    real past_logs; /* a part of it that is put aside, see below */
    real time;      /* of the last fixing so far */
} state;

void start(state *s, const params *p)
{
    s->logs = 0;
    s->past_logs = 0;
    s->time = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    for (int d = 0; d < DIMS; d++) {
        const real money = p->weight[d] * p->spot[d];
        const real drift = p->rate - p->dividend[d] - 0.5 * p->volatility[d] * p->volatility[d];
        s->logs = fma(money, fma(p->volatility[d], x[d], drift * t), s->logs);
    }
    /* A long sum is computed from parts of 256 steps, so that float keeps its digits. */
    if (STEPS > 256 && i % 256 == 255) {
        s->past_logs += s->logs;
        s->logs = 0;
    }
    s->time = t;
}

void finish(const state *s, const params *p, real out[])
{
    const real past = p->past_count, fixings = past + STEPS;
    real basket = 0;
    for (int d = 0; d < DIMS; d++) basket = fma(p->weight[d], p->spot[d], basket);
    real logs = (s->past_logs + s->logs) / basket;
    if (past > 0) logs += past * log(p->past_average / basket);
    const real mean = basket * exp(logs / fixings);
    const real gain = p->sign < 0 ? p->strike - mean : mean - p->strike;
    out[0] = exp(-p->rate * s->time) * fmax(gain, 0);
}
