/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An Asian option on a geometric mean: a call or put on the geometric mean over the fixings, which are the
 * times of the path, of B prod_d (price[d] / spot[d])^(weight[d] spot[d] / B), where B is today's basket,
 * weight[0] spot[0] + weight[1] spot[1] + ... With one asset of weight 1 this is the price itself. Fixings
 * that are past have a part in the mean.
 *
 * The path: x[d] is the Brownian motion of asset d (output PATHS), of variance 1 per year; the covariance of
 * the path is the correlation of the assets, without their volatilities.
 *
 * out[0]: what the option pays, discounted at the last fixing. A closed form is known (Kemna and Vorst 1990).
 */
typedef struct {
    real spot[DIMS];
    real volatility[DIMS]; /* per square root of a year */
    real dividend[DIMS];   /* per year, continuous */
    real weight[DIMS];     /* positive */
    real rate, strike;
    real past_average; /* the geometric mean over the fixings that are past */
    int past_count;    /* how many they are */
    real sign;         /* -1: a put; else a call */
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
    /* A long sum is made of parts of 256 steps, so that float keeps its digits. */
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
