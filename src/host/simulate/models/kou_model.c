/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Kou's jump diffusion: a geometric Brownian motion whose logarithm also jumps, up or down, by exponential
 * amounts, at the times of a Poisson process.
 *
 * Prices are exact at any times. The path holds increments of three independent Brownian motions divided by
 * the step length: x[0] moves the price, x[1] gives the sum of its jumps up, x[2] of those down. Gradients by
 * intensity and share_up do not exist, because their code is too long.
 *
 * kind: model
 * name: kou
 * path: increments
 * dims: 3 independent
 * construction: walk
 * start: any time
 * step: 0.25 years
 * source: Kou 2002
 */
typedef struct {
    real spot;       /* spot price [> 0; unit money; role spot] */
    real rate;       /* rate, continuously compounded [unit per year; role rate] */
    real dividend;   /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility; /* volatility between jumps [>= 0; unit per square root of a year; role volatility] */
    real intensity;  /* mean number of jumps [in [0, 10]; unit per year] */
    real share_up;   /* share of jumps that go up [in [0, 1]] */
    real mean_up;    /* mean of a jump up of the price's logarithm [>= 0; < 1] */
    real mean_down;  /* mean of a jump down, as a positive number [>= 0] */
} params;

typedef struct {
    real time;
    real change; /* of the price's logarithm since time 0 */
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
    s->time = 0;
    s->change = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time, root_dt = sqrt(dt), v = p->volatility * p->volatility;
    const real up = p->intensity * p->share_up, down = p->intensity * (1 - p->share_up);
    const real grows = up * p->mean_up / (1 - p->mean_up) - down * p->mean_down / (1 + p->mean_down);
    const real rises = p->mean_up * jumps_in(up * dt, normal_cdf(-root_dt * x[1]));
    const real falls = p->mean_down * jumps_in(down * dt, normal_cdf(-root_dt * x[2]));
    s->change += (p->rate - p->dividend - grows - 0.5 * v) * dt + p->volatility * (dt * x[0]) + rises - falls;
    s->time = t;
}

real price(const state *s, const params *p, int a) { return p->spot * exp(s->change); }

real discount(const state *s, const params *p) { return exp(-p->rate * s->time); }

real discount_in(const state *s, const params *p, real tau) { return exp(-p->rate * (s->time + tau)); }

real forward_price(const state *s, const params *p, int a)
{
    return p->spot * exp((p->rate - p->dividend) * s->time);
}
