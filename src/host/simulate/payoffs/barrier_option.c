/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A barrier option with a continuously monitored barrier.
 *
 * The price of its asset follows a geometric Brownian motion. Between two points of the path, the probability
 * that a Brownian motion crosses the barrier is known. The payoff is weighted by the probability that the
 * option is alive, which is the mean over all paths through these points. Any number of steps therefore
 * prices a continuously monitored barrier, and one step is enough.
 *
 * Set the side of the barrier. A price at or beyond it has touched it. If today's spot is there already, a
 * knock-out option pays only the rebate, and a knock-in option is the plain call or put.
 *
 * The path, x[0], is a Brownian motion of variance 1 per year.
 *
 * name: barrier
 * path: paths
 * dims: at least 1
 * steps: 1
 * start: any time
 * out[0] price: discounted payoff; a closed form is known
 * source: Merton 1973; Reiner and Rubinstein 1991
 * example: --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --side down --barrier 80: a down-and-out
 *     call
 * example: --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --side up --barrier 120 --knock-in in
 *     --type put: an up-and-in put
 */
typedef struct {
    real spot;       /* spot price [> 0; unit money; role spot] */
    real strike;     /* strike [unit money; role strike] */
    real barrier;    /* barrier, touched by a price at or beyond it [> 0; unit money; role barrier] */
    real rate;       /* rate, continuously compounded [unit per year; role rate] */
    real dividend;   /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility; /* volatility [> 0; unit per square root of a year; role volatility] */
    real rebate;     /* payment at maturity if knocked out, or never knocked in [unit money; default 0] */
    real side;       /* side of the barrier; a down barrier is touched from above [-1 (down) or 1 (up)] */
    int knock_in;    /* knock-out or knock-in [0 (out) or 1 (in); default 0] */
    real sign;       /* put or call [-1 (put) or 1 (call); default 1; role sign] */
} params;

typedef struct {
    real first;              /* the logarithm of spot / barrier */
    real distance;           /* of the logarithm of the price from the barrier's; negative beyond it */
    real touched, untouched; /* the probabilities of it */
    real time;
    real change; /* of the price's logarithm since time 0 */
} state;

/* log(a / b), with all its digits where a and b are close: the series of the area tangent. */
real log_ratio(real a, real b)
{
    const real w = (a - b) / (a + b), square = w * w;
    if (square > 0.00025) return log(a / b);
    const real more = fma(square, fma(square, fma(square, 0.1111111111111111, 0.14285714285714285), 0.2),
                          0.3333333333333333);
    return 2 * w * fma(square, more, 1);
}

/* 1 - exp(-y), with all its digits where y is small: the series of exp. */
real one_less_exp(real y)
{
    if (y > 0.015625) return 1 - exp(-y);
    const real more = fma(-y, fma(-y, 0.0013888888888888889, 0.008333333333333333), 0.041666666666666664);
    return y * fma(-y, fma(-y, fma(-y, more, 0.16666666666666666), 0.5), 1);
}

void start(state *s, const params *p)
{
    s->first = log_ratio(p->spot, p->barrier);
    s->distance = p->side < 0 ? s->first : -s->first;
    s->touched = 0;
    s->untouched = 1;
    s->time = 0;
    s->change = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real variance = p->volatility * p->volatility;
    const real change = fma(p->volatility, x[0], (p->rate - p->dividend - 0.5 * variance) * t);
    const real distance = p->side < 0 ? s->first + change : -(s->first + change);
    /* Beyond the barrier at one end: the product is 0, and the probability of a crossing 1. */
    const real product = fmax(s->distance, 0) * fmax(distance, 0);
    const real y = 2 * product / (variance * (t - s->time));
    s->touched = fma(s->untouched, exp(-y), s->touched);
    s->untouched *= one_less_exp(y);
    s->distance = distance;
    s->time = t;
    s->change = change;
}

void finish(const state *s, const params *p, real out[])
{
    const real price = p->spot * exp(s->change);
    const real gain = fmax(p->sign < 0 ? p->strike - price : price - p->strike, 0);
    const real lives = p->knock_in ? s->touched : s->untouched;
    const real dead = p->knock_in ? s->untouched : s->touched;
    out[0] = exp(-p->rate * s->time) * fma(lives, gain, dead * p->rebate);
}
