/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Merton's jump diffusion: a geometric Brownian motion whose logarithm also jumps by normal amounts, at the
 * times of a Poisson process.
 *
 * kind: model
 * name: merton
 * model: normal-jumps+black-scholes
 * source: Merton 1976
 */
