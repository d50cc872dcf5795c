/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Local volatility from a grid of 8 times and 17 logarithms of the price divided by the forward, by Euler's
 * scheme for the logarithm.
 *
 * Times are horizon k / 7, logarithms low + (high - low) j / 16, and the volatility of both is volatility[17
 * k + j]. Between them it is bilinear, beyond the grid that of its edge. A step takes the volatility at its
 * middle, and at the price where it begins; its bias falls with the step length. The path holds
 * increments of Brownian motions divided by the step length.
 *
 * kind: model
 * name: local-volatility
 * model: flat
 * path: increments
 * dims: assets
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.03125 years
 * source: Dupire 1994
 * check: low < high: the grid of logarithms is empty
 */
typedef struct {
    real spot[DIMS];    /* spot price of each asset [> 0; unit money; role spot] */
    real horizon[DIMS]; /* time of the last row [> 0; unit years] */
    real low[DIMS];     /* logarithm of the first column [default -1] */
    real high[DIMS];    /* logarithm of the last column [default 1] */
    real volatility[136 * DIMS]; /* volatility of each time and logarithm of the first asset, then of the others
                                    [>= 0; unit per square root of a year; role volatility] */
} params;

typedef struct {
    real passed[DIMS];
    real change[DIMS]; /* of the logarithm of the price divided by the forward */
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) {
        s->change[a] = 0;
        s->passed[a] = 0;
    }
}

/* The volatility of a row, at place u from 0 to 16. */
real in_row(const params *p, int row, real u)
{
    int j = (int)u;
    if (j < 0) j = 0;
    if (j > 15) j = 15;
    const real share = u - j, left = p->volatility[17 * row + j];
    return fma(share, p->volatility[17 * row + j + 1] - left, left);
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int a = 0; a < DIMS; a++) {
        const real u = fmin(fmax((s->change[a] - p->low[a]) / (p->high[a] - p->low[a]) * 16, 0), 16);
        const real w = fmin(fmax((t - 0.5 * dt) / p->horizon[a] * 7, 0), 7);
        int k = (int)w;
        if (k < 0) k = 0;
        if (k > 6) k = 6;
        const real early = in_row(p, 8 * a + k, u);
        const real v = fma(w - k, in_row(p, 8 * a + k + 1, u) - early, early);
        s->change[a] = fma(dt, v * x[a] - 0.5 * v * v, s->change[a]);
        s->passed[a] = v * v;
    }
}

real price(const state *s, const params *p, int a) { return p->spot[a] * exp(growth(a, 0) + s->change[a]); }

real variance(const state *s, const params *p, int a) { return s->passed[a]; }

real martingale(const state *s, const params *p, int a) { return exp(s->change[a]) - 1; }
