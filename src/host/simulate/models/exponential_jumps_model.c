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
    real intensity[DIMS]; /* mean number of jumps [in [0, 10]; differentiable >= 0.01; unit per
                             year] */
    real share_up[DIMS];  /* share of jumps that go up [in [0, 1]; differentiable in [0.01, 0.99]] */
    real mean_up[DIMS];   /* mean of a jump up of the price's logarithm [>= 0; < 1] */
    real mean_down[DIMS]; /* mean of a jump down, as a positive number [>= 0] */
} params;

typedef struct {
    real jumped[DIMS]; /* the sum of jumps since time 0, less their mean effect */
} state;

enum { MOST = 24 }; /* jumps of a step, of which there are 2.5 on average at most */

/* The sum of a Poisson number of exponential variates of mean 1, with `mean` of them on average, that a share
 * `share` of such sums exceeds. It changes by little with both, as gradients need it. Let p[k] be the
 * probability of k variates, whose sum exceeds y with probability exp(-y) (1 + y + ... + y^(k - 1) / (k - 1)!).
 * Then exp(y) times the share above y is a series in y^j / j! with coefficients p[j + 1] + p[j + 2] + ..., and
 * exp(y) times the density has p[j + 1]. y less the logarithm of the first is -log(share): the left side is
 * convex, and Newton's method begins at 0. After five iterations only rounding is left. Loops have two terms a
 * round, because compilers unroll short ones. */
real jumps_in(real mean, real share)
{
    real above[MOST], dense[MOST], mass = exp(-mean), more = 0, factorial = 1;
    for (int k = 0; k < MOST; k += 2) {
        dense[k] = mass * (mean / (k + 1));
        dense[k + 1] = dense[k] * (mean / (k + 2));
        mass = dense[k + 1];
    }
    for (int k = MOST - 2; k >= 0; k -= 2) {
        above[k + 1] = more + dense[k + 1];
        above[k] = above[k + 1] + dense[k];
        more = above[k];
    }
    for (int k = 2; k < MOST; k += 2) {
        above[k] /= factorial * k;
        dense[k] /= factorial * k;
        factorial *= k * (k + 1);
        above[k + 1] /= factorial;
        dense[k + 1] /= factorial;
    }
    above[0] = fmax(above[0], 1e-30);
    dense[0] = fmax(dense[0], 1e-30);
    const real none = -log(above[0]), minus_log = fmax(-log(fmax(share, 1e-30)), none);
    real y = (minus_log - none) * (above[0] / dense[0]);
    for (int iteration = 0; iteration < 4; iteration++) {
        real a = 0, b = 0;
        for (int k = MOST - 2; k >= 0; k -= 2) {
            a = fma(fma(a, y, above[k + 1]), y, above[k]);
            b = fma(fma(b, y, dense[k + 1]), y, dense[k]);
        }
        y -= (y - log(a) - minus_log) * (a / b);
    }
    return y;
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

real martingale(const state *s, const params *p, int a) { return (1 + martingale(a)) * exp(s->jumped[a]) - 1; }

real price_growth(const state *s, const params *p, int a) { return price_growth(a); }
