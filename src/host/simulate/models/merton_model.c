/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Merton's jump diffusion: a geometric Brownian motion whose logarithm also jumps by normal amounts, at the
 * times of a Poisson process.
 *
 * Prices are exact at any times. The path holds increments of two independent Brownian motions divided by the
 * step length: x[0] moves the price, x[1] gives the number of jumps.
 *
 * kind: model
 * name: merton
 * path: increments
 * dims: 2 independent
 * construction: walk
 * start: any time
 * step: 0.25 years
 * source: Merton 1976
 */
typedef struct {
    real spot;       /* spot price [> 0; unit money; role spot] */
    real rate;       /* rate, continuously compounded [unit per year; role rate] */
    real dividend;   /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility; /* volatility between jumps [>= 0; unit per square root of a year; role volatility] */
    real intensity;  /* mean number of jumps [in [0, 10]; unit per year] */
    real jump_mean;  /* mean of the jump of the price's logarithm */
    real jump_sigma; /* standard deviation of that jump [>= 0] */
} params;

typedef struct {
    real time;
    real change; /* of the price's logarithm since time 0 */
} state;

/* The number of jumps in a step that has `mean` of them on average, at most 2.5: by inversion of its upper
 * tail at the uniform `share`. More than 16 have a probability below 1e-8. */
int jumps_in(real mean, real share)
{
    real mass = exp(-mean), above = 1 - mass; /* the probabilities of k, and of more */
    int count = 0;
    for (int k = 1; k <= 16; k++) {
        count += share < above;
        mass *= mean / k;
        above -= mass;
    }
    return count;
}

void start(state *s, const params *p)
{
    s->time = 0;
    s->change = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time, root_dt = sqrt(dt), v = p->volatility * p->volatility;
    const real count = jumps_in(p->intensity * dt, normal_cdf(-root_dt * x[1]));
    const real grows = exp(p->jump_mean + 0.5 * p->jump_sigma * p->jump_sigma) - 1;
    const real drift = p->rate - p->dividend - p->intensity * grows - 0.5 * v;
    const real spread = sqrt(fmax(v * dt + count * p->jump_sigma * p->jump_sigma, 1e-30));
    s->change += drift * dt + count * p->jump_mean + spread * (root_dt * x[0]);
    s->time = t;
}

real price(const state *s, const params *p, int a) { return p->spot * exp(s->change); }

real discount(const state *s, const params *p) { return exp(-p->rate * s->time); }

real discount_in(const state *s, const params *p, real tau) { return exp(-p->rate * (s->time + tau)); }

real forward_price(const state *s, const params *p, int a)
{
    return p->spot * exp((p->rate - p->dividend) * s->time);
}
