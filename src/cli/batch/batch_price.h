/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Prices deals one after another on one context, whose simulations are kept for deals of the same shape.
 */
#ifndef CLI_BATCH_PRICE_H
#define CLI_BATCH_PRICE_H

#include "batch_deal.h"
#include <cli/price/price.h>

struct batch_cached; /* a simulation */

struct batch_worker {
    bailey_context *context;
    unsigned most;               /* simulations that are kept; at least 1 */
    struct batch_cached *cached; /* the one used last comes first */
    unsigned count;
    struct document *document; /* of the line of a deal, made anew for each; batch_price makes it */
    uint64_t made;             /* simulations */
    double run_seconds;        /* inside the runs of deals */
};

/* Prices a deal that has been read, and writes its line. */
void batch_price(struct batch_worker *worker, struct batch_deal *deal);

/* Writes the line of a deal that is wrong. */
void batch_write_error(struct batch_deal *deal);

void batch_worker_end(struct batch_worker *worker);

#endif
