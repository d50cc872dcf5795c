/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The self-test's deals: a payoff of one's own, Greeks, an American option, multilevel Monte Carlo.
 */
#ifndef BLY_HOST_SELFTEST_DEALS_H
#define BLY_HOST_SELFTEST_DEALS_H

#include <bailey/bailey.h>

/* Is given each item's name and results. */
typedef void (*bly_deal_judge)(void *user, const char *item, const double *values, size_t count);

/* OK where a device cannot have the item, which is left out. */
bailey_status bly_selftest_forgive(const char *item, bailey_status status);

/* On a device with double precision. What cannot be compiled there is left out. */
bailey_status bly_selftest_deals(bailey_context *context, bailey_precision precision, bly_deal_judge judge,
                                 void *user);

#endif
