/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Volatilities from a grid of ROWS times and COLUMNS logarithms, which the code that includes this defines, and with it
 * the parameters horizon, low, high and volatility: bilinear, and beyond the grid those of its edge.
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
