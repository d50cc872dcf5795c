/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Bates's model: Heston's stochastic volatility and Merton's normal jumps of the price's logarithm.
 *
 * The bias is that of heston: jumps are exact.
 *
 * kind: model
 * name: bates
 * model: normal-jumps+heston
 * source: Bates 1996
 */
