/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The noises of a price and of its variance or volatility, in the payoff language.
 */

typedef struct {
    real moves, rest;
} price_noises;

/* The noise of the variance, and one that is independent of it, whose sum with the weights of the correlation rho
 * is that of the price: of several assets, whose prices' noises x are correlated, from x and an independent y; of
 * one asset they are y and x. */
price_noises noises_of(real rho, real x, real y)
{
    const real apart = DIMS > 1 ? sqrt(fmax(1 - rho * rho, 1e-30)) : 1;
    price_noises n;
    n.moves = DIMS > 1 ? rho * x + apart * y : y;
    n.rest = DIMS > 1 ? apart * x - rho * y : x;
    return n;
}
