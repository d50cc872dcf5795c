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

enum { ROWS = 8, COLUMNS = 17 };

#include "host/simulate/schemes/volatility_grid.h"

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int a = 0; a < DIMS; a++) {
        const real v = in_grid(p, a, t - 0.5 * dt, s->change[a]);
        s->change[a] = fma(dt, v * x[a] - 0.5 * v * v, s->change[a]);
        s->passed[a] = v * v;
    }
}

real price(const state *s, const params *p, int a) { return p->spot[a] * exp(growth(a, 0) + s->change[a]); }

real variance(const state *s, const params *p, int a) { return s->passed[a]; }

real martingale(const state *s, const params *p, int a) { return exp(s->change[a]) - 1; }
