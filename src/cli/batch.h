/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A file of deals priced in one go: one thread reads, one thread for each context prices, the caller's
 * writes.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "batch_file.h"

#define BATCH_WORKERS_MAX 64u

struct batch_request {
    const char *input, *output; /* "-": standard ones */
    struct batch_part part;
    int strict;                      /* the first deal that is wrong ends the batch */
    unsigned simulations;            /* that each worker keeps */
    bailey_context *const *contexts; /* [workers] */
    unsigned workers;
};

struct batch_totals {
    uint64_t deals, failed, simulations; /* the latter: made */
    double seconds, run_seconds;         /* the latter: inside runs, of all workers */
};

/* Prints what is wrong with the file, returns an exit code: of the first deal that failed, if some did. */
int batch_run(const struct batch_request *request, struct batch_totals *totals);

#endif
