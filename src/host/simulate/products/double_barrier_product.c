/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A call or put with a lower and an upper barrier, continuously monitored.
 *
 * Between two dates, a Brownian bridge of the model's variance says with which probability the price stayed
 * between the barriers, and the payoff is weighted by it. Under Black-Scholes this is exact with any number
 * of dates, if the distance of the barriers' logarithms is at least the standard deviation of a period's
 * return; where the variance is stochastic, it is an approximation that improves with more dates.
 *
 * kind: product
 * name: double-barrier
 * model: black-scholes
 * dims: 1
 * steps: 12
 * start: any time
 * out[0] price: discounted payoff
 * control: asset: the price at the end, discounted, less its mean
 * control: lognormal: the payoff without barriers on a lognormal price, less its mean
 * source: Kunitomo and Ikeda 1992
 * check: lower < upper: the lower barrier is not below the upper one
 * example: --spot 100 --rate 0.05 --volatility 0.2 --strike 100 --lower 80 --upper 130: knocked out outside
 * of 80 to 130
 */
typedef struct {
    real strike;      /* strike [unit money; role strike] */
    real lower;       /* touched by a price at or below it [> 0; unit money; role barrier] */
    real upper;       /* touched by a price at or above it [> 0; unit money; role barrier] */
    real rebate;      /* payment at maturity if knocked out, or never knocked in [unit money; default 0] */
    int knock_in;     /* knock-out or knock-in [0 (out) or 1 (in); default 0] */
    real sign;        /* put or call [-1 (put) or 1 (call); default 1; role sign] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

typedef struct {
    real place;     /* of the price between the barriers, by logarithms: 0 at the lower, 1 at the upper one */
    real untouched; /* the probability of it */
    real time;
    real spot;
} state;

real place_of(const params *p, real now) { return log(now / p->lower) / log(p->upper / p->lower); }

void start(state *s, const params *p)
{
    s->spot = price(0);
    s->place = place_of(p, price(0));
    s->untouched = 1;
    s->time = 0;
}

/* A Brownian bridge from a to b with `width` as the variance stays within 0 and 1 with the probability
 *
 *     sum over n of exp(-2 n (n + b - a) / width) - exp(-2 (n + a) (n + b) / width).
 *
 * With a width of at most 1, terms beyond n = -4 and 4 are below exp(-32). */
real stays(real a, real b, real width)
{
    real sum = 0;
    for (int n = -4; n <= 4; n++)
        sum += exp(-2 * n * (n + b - a) / width) - exp(-2 * (n + a) * (n + b) / width);
    return fmin(fmax(sum, 0), 1);
}

void date(state *s, const params *p, int k, real t)
{
    const real place = place_of(p, price(0)), height = log(p->upper / p->lower);
    const real inside = fmin(fmin(s->place, 1 - s->place), fmin(place, 1 - place));
    const real width = fmax(variance(0) * (t - s->time), 1e-30) / (height * height);
    s->untouched = inside > 0 ? s->untouched * stays(s->place, place, width) : 0;
    s->place = place;
    s->time = t;
}

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0);
    const real gain = fmax(p->sign < 0 ? p->strike - now : now - p->strike, 0);
    const real lives = p->knock_in ? 1 - s->untouched : s->untouched;
    out[0] = discount_in(p->payment_lag) * fma(lives, gain, (1 - lives) * p->rebate);
}

#include "host/simulate/schemes/black.h"
#include "host/simulate/schemes/vanilla_controls.h"

#include "host/simulate/schemes/barrier_images.h"

/* The mean of scale e^y - strike where y is within low and high and never was 0 or height: from `from`, moved by
 * `moved`. */
real untouched_within(real low, real high, real height, real from, real moved, real deviation, real scale, real strike)
{
    const real pull = moved / (deviation * deviation);
    real sum = 0;
    for (int n = -16; n <= 16; n++) {
        const real image = from + 2 * n * height;
        sum += exp(pull * (image - from)) * within(low, high, image + moved, deviation, scale, strike) -
               exp(pull * (-image - from)) * within(low, high, moved - image, deviation, scale, strike);
    }
    return sum;
}

/* Of y, the logarithm of the price from the lower barrier's. */
real closed_form(const state *s, const params *p)
{
    const real v = fixed_volatility(0), spread = v * v * s->time, deviation = sqrt(spread), grown = known_growth(0);
    const real height = log(p->upper / p->lower), from = log(s->spot / p->lower), moved = grown - 0.5 * spread;
    const real at = fmin(fmax(log(p->strike / p->lower), 0), height);
    const real low = p->sign < 0 ? 0 : at, high = p->sign < 0 ? at : height;
    const real begins = from > 0 && from < height ? 1 : 0;
    const real gain =
        begins * p->sign * untouched_within(low, high, height, from, moved, deviation, p->lower, p->strike);
    const real lives = -begins * untouched_within(0, height, height, from, moved, deviation, 0, 1);
    const real all = black(p->sign, s->spot * exp(grown), p->strike, spread);
    return exp(-fixed_rate() * (s->time + p->payment_lag)) *
           (p->knock_in ? all - gain + p->rebate * lives : gain + p->rebate * (1 - lives));
}
