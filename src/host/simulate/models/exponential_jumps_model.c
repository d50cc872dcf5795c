/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Jumps of the price's logarithm, up or down, by exponential amounts, at the times of a Poisson process, over
 * a model without jumps.
 *
 * Prices keep their mean, and are exact at any times. Jumps of several assets are independent. The path holds
 * increments divided by the step length, two for each asset: the first gives the sum of jumps up, the second
 * of those down.
 *
 * kind: model
 * name: exponential-jumps
 * model: black-scholes
 * path: increments
 * dims: assets
 * own: 2 per dimension
 * construction: walk
 * start: any time
 * step: 0.25 years
 * source: Kou 2002
 */
typedef struct {
    real intensity[DIMS]; /* mean number of jumps [in [0, 10]; unit per year] */
    real share_up[DIMS];  /* share of jumps that go up [in [0, 1]] */
    real mean_up[DIMS];   /* mean of a jump up of the price's logarithm [>= 0; < 1] */
    real mean_down[DIMS]; /* mean of a jump down, as a positive number [>= 0] */
} params;

typedef struct {
    real jumped[DIMS]; /* the sum of jumps since time 0, less their mean effect */
} state;

enum { MOST = 25 }; /* jumps of a step, of which there are 2.5 on average at most: more have a chance below 2^-53 */

/* The sum of n exponential variates of mean 1 that exceeds all but `share` of such sums, given its logarithm:
 * Newton's method for y - log(1 + y + y^2 / 2 + ... + y^(n - 1) / (n - 1)!) = -log(share). The left side is
 * convex, and the bound of Laurent and Massart begins beyond the root, so each iteration comes closer. */
real sum_of_exponentials(int n, real minus_log)
{
    real y = n + minus_log + sqrt(2 * n * minus_log);
    if (n == 1) return minus_log;
    for (int iteration = 0; iteration < 12; iteration++) {
        real term = 1, sum = 1;
        for (int k = 1; k < n; k++) {
            term *= y / k;
            sum += term;
        }
        y = fmax(y - (y - log(sum) - minus_log) * (sum / term), 0);
    }
    return y;
}

/* The sum of a Poisson number of exponential variates, with `mean` of them on average: by inversion of its
 * upper tail at the uniform `share`. The rest of the uniform within its number of jumps is uniform too. */
real jumps_in(real mean, real share)
{
    real mass = exp(-mean), above = 1 - mass; /* the probabilities of k, and of more */
    if (share >= above) return 0;
    mass *= mean;
    int count = 1;
    real more = above - mass;
    while (share < more && count < MOST) {
        count++;
        above = more;
        mass *= mean / count;
        more = above - mass;
    }
    const real left = (share - fmax(more, 0)) / fmax(mass, 1e-30);
    return sum_of_exponentials(count, -log(fmin(fmax(left, 1e-30), 1)));
}

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) s->jumped[a] = 0;
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    const real root_dt = sqrt(dt);
    for (int a = 0; a < DIMS; a++) {
        const real rise = p->mean_up[a], fall = p->mean_down[a];
        const real up = p->intensity[a] * p->share_up[a], down = p->intensity[a] * (1 - p->share_up[a]);
        const real grows = up * rise / (1 - rise) - down * fall / (1 + fall);
        const real rises = rise * jumps_in(up * dt, normal_cdf(-root_dt * x[DIMS + 2 * a]));
        const real falls = fall * jumps_in(down * dt, normal_cdf(-root_dt * x[DIMS + 2 * a + 1]));
        s->jumped[a] += rises - falls - grows * dt;
    }
}

real price(const state *s, const params *p, int a) { return price(a) * exp(s->jumped[a]); }
