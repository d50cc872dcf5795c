/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Euler's scheme for a volatility from a grid of ROWS times and COLUMNS logarithms, which the code that includes this
 * defines, and with it the parameters horizon, low, high and volatility, and the state's change and passed.
 */

/* The volatility of a row, at place u from 0 to COLUMNS - 1. */
real in_row(const params *p, int row, real u)
{
    int j = (int)u;
    if (j < 0) j = 0;
    if (j > COLUMNS - 2) j = COLUMNS - 2;
    const real share = u - j, left = p->volatility[COLUMNS * row + j];
    return fma(share, p->volatility[COLUMNS * row + j + 1] - left, left);
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int a = 0; a < DIMS; a++) {
        const real u = fmin(fmax((s->change[a] - p->low[a]) / (p->high[a] - p->low[a]) * (COLUMNS - 1), 0), COLUMNS - 1);
        const real w = fmin(fmax((t - 0.5 * dt) / p->horizon[a] * (ROWS - 1), 0), ROWS - 1);
        int k = (int)w;
        if (k < 0) k = 0;
        if (k > ROWS - 2) k = ROWS - 2;
        const real early = in_row(p, ROWS * a + k, u);
        const real v = fma(w - k, in_row(p, ROWS * a + k + 1, u) - early, early);
        s->change[a] = fma(dt, v * x[a] - 0.5 * v * v, s->change[a]);
        s->passed[a] = v * v;
    }
}
