/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Jumps of the price's logarithm by normal amounts, at the times of a Poisson process, over a model without
 * jumps.
 *
 * Prices keep their mean, and are exact at any times. Jumps of several assets are independent. The path holds
 * increments divided by the step length, two for each asset: the first gives the number of jumps, the second
 * their sum.
 *
 * kind: model
 * name: normal-jumps
 * model: black-scholes
 * path: increments
 * dims: assets
 * own: 2 per dimension
 * construction: walk
 * start: any time
 * step: 0.25 years
 * source: Merton 1976
 */
typedef struct {
    real intensity[DIMS];  /* mean number of jumps [in [0, 10]; unit per year] */
    real jump_mean[DIMS];  /* mean of the jump of the price's logarithm */
    real jump_sigma[DIMS]; /* standard deviation of that jump [>= 0] */
} params;

typedef struct {
    real time;
    real jumped[DIMS]; /* the sum of jumps since time 0, less their mean effect */
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) s->jumped[a] = 0;
}

/* It has the sign of share - above, and near 0 the same scale whatever `above` is, for the width that gradients
 * spread a jump over. Far from 0 it varies with the normal z of `share`, and with k. */
real beyond(real share, real above, real z, int k)
{
    return (share - above) / fmax(share + above - 2 * share * above, 1e-30) * (k + z * z);
}

/* The number of jumps in a step that has `mean` of them on average, at most 2.5: by inversion of its upper
 * tail at the uniform number of z. More than 16 have a probability below 1e-8. The first has a comparison to itself,
 * whose derivative is as exact with few jumps as with many. */
int jumps_in(real mean, real z)
{
    const real share = normal_cdf(z);
    real mass = exp(-mean), above = 1 - mass; /* the probabilities of k, and of more */
    int count = share < above;
    for (int k = 2; k <= 16; k++) {
        mass *= mean / (k - 1);
        above -= mass;
        count += beyond(share, above, z, k) < 0;
    }
    return count;
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    const real root_dt = sqrt(dt);
    for (int a = 0; a < DIMS; a++) {
        const real mean = p->jump_mean[a], sigma = p->jump_sigma[a], grows = exp(mean + 0.5 * sigma * sigma) - 1;
        const real count = jumps_in(p->intensity[a] * dt, -root_dt * x[DIMS + 2 * a]);
        const real spread = sigma * sqrt(fmax(count, 1e-30)) * (root_dt * x[DIMS + 2 * a + 1]);
        s->jumped[a] += count * mean + spread - p->intensity[a] * grows * dt;
    }
}

real price(const state *s, const params *p, int a) { return price(a) * exp(s->jumped[a]); }

real martingale(const state *s, const params *p, int a) { return (1 + martingale(a)) * exp(s->jumped[a]) - 1; }

real price_growth(const state *s, const params *p, int a) { return price_growth(a); }

#include "host/simulate/schemes/black.h"

/* The mean over the number of jumps (Merton 1976): the price is lognormal for each. */
real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)
{
    const real mean = p->jump_mean[a], sigma = p->jump_sigma[a], jump = mean + 0.5 * sigma * sigma;
    const real total = p->intensity[a] * s->time, drift = total * (1 - exp(jump));
    const real forward = price(a) / lognormal(a), spread = known_variance(a);
    real mass = exp(-total), sum = 0;
    for (int n = 0; n < 400; n++) {
        sum += mass * black(sign, forward * exp(drift + n * jump), strike, spread + n * sigma * sigma);
        mass *= total / (n + 1);
    }
    return sum;
}
