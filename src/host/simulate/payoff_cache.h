/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoffs that have been read, kept by the context: reading a text takes longer than all else that a
 * simulation is made of, and simulations of other times or correlations have the same text.
 */
#ifndef BLY_PAYOFF_CACHE_H
#define BLY_PAYOFF_CACHE_H

#include <host/payoff/payoff.h>

/* As bly_payoff_read. */
bailey_status bly_payoff_find(bailey_context *context, const bailey_payoff *payoff,
                              const struct bly_payoff_path *path, struct bly_payoff *out);

#endif
