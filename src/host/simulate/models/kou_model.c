/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Kou's jump diffusion: a geometric Brownian motion whose logarithm also jumps, up or down, by exponential
 * amounts, at the times of a Poisson process.
 *
 * kind: model
 * name: kou
 * model: exponential-jumps+black-scholes
 * source: Kou 2002
 */
