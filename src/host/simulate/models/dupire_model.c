/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Dupire's local volatility, which reprices quoted options, from a grid of 16 times and 65 logarithms of the
 * price divided by the forward, by a scheme of weak order 2.
 *
 * bailey_local_volatility_find, `bailey local-volatility` and bailey.local_volatility make the grid from
 * implied volatilities. Times are horizon k / 15, logarithms low + (high - low) j / 64, and the volatility of
 * both is volatility[65 k + j]. Between them it is bilinear, beyond the grid that of its edge. The bias falls
 * with the square of the step length. The path holds increments of Brownian motions divided by the step
 * length.
 *
 * kind: model
 * name: dupire
 * model: flat
 * path: increments
 * dims: assets
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.0625 years
 * source: Dupire 1994; Kloeden and Platen 1992, section 15.1
 * check: low < high: the grid of logarithms is empty
 * check: horizon >= LAST: the grid has to reach the last date
 */
typedef struct {
    real spot[DIMS];    /* spot price of each asset [> 0; unit money; role spot] */
    real horizon[DIMS]; /* time of the last row [> 0; unit years] */
    real low[DIMS];     /* logarithm of the first column [default -1] */
    real high[DIMS];    /* logarithm of the last column [default 1] */
    real volatility[1040 * DIMS]; /* volatility of each time and logarithm of the first asset, then of the others
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

enum { ROWS = 16, COLUMNS = 65 };

/* The volatility of a row, at place u from 0 to COLUMNS - 1. */
real in_row(const params *p, int row, real u)
{
    int j = (int)u;
    if (j < 0) j = 0;
    if (j > COLUMNS - 2) j = COLUMNS - 2;
    const real share = u - j, left = p->volatility[COLUMNS * row + j];
    return fma(share, p->volatility[COLUMNS * row + j + 1] - left, left);
}

/* Of asset a, at time t and the logarithm y. */
real in_grid(const params *p, int a, real t, real y)
{
    const real u = fmin(fmax((y - p->low[a]) / (p->high[a] - p->low[a]) * (COLUMNS - 1), 0), COLUMNS - 1);
    const real w = fmin(fmax(t / p->horizon[a] * (ROWS - 1), 0), ROWS - 1);
    int k = (int)w;
    if (k < 0) k = 0;
    if (k > ROWS - 2) k = ROWS - 2;
    const real early = in_row(p, ROWS * a + k, u);
    return fma(w - k, in_row(p, ROWS * a + k + 1, u) - early, early);
}

/* Of Platen: up and down are where a step by one standard deviation leads. */
void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    const real root_dt = sqrt(dt), share = 0.25 / root_dt;
    for (int a = 0; a < DIMS; a++) {
        const real y = s->change[a], v = in_grid(p, a, t - dt, y), noise = dt * x[a];
        const real moved = fma(-0.5 * dt, v * v, y), end = in_grid(p, a, t, fma(v, noise, moved));
        const real up = in_grid(p, a, t, fma(v, root_dt, moved)), down = in_grid(p, a, t, fma(-v, root_dt, moved));
        const real mean = 0.5 * (v * v + end * end);
        s->change[a] = y - 0.5 * dt * mean + 0.25 * (up + down + 2 * v) * noise +
                       share * (up - down) * (noise * noise - dt);
        s->passed[a] = mean;
    }
}

real price(const state *s, const params *p, int a) { return p->spot[a] * exp(growth(a, 0) + s->change[a]); }

real variance(const state *s, const params *p, int a) { return s->passed[a]; }

real price_growth(const state *s, const params *p, int a) { return known_growth(a); }
