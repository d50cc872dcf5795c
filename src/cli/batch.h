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
    const struct batch_team *team; /* the processes that share the deals; NULL: this one alone */
};

struct batch_totals {
    uint64_t deals, failed, simulations; /* the latter: made */
    double seconds, run_seconds;         /* the latter: inside runs, of all workers */
    uint64_t fewest, most;               /* deals that a process of a team has priced */
};

struct batch;        /* deals that are being read and priced: batch_team.h */
struct batch_writer; /* where their lines go */

/* Processes that share the deals of a file. */
struct batch_team {
    int rank, ranks; /* rank 0 writes */
    /* Whether all can read the file; the first thing that is done. */
    int (*check)(const char *input);
    /* Runs until all has been written, in place of writing what this process prices. */
    int (*run)(struct batch *batch, struct batch_writer *writer);
    /* Makes the sums of all, and rank 0's exit code everybody's; the last thing. */
    int (*finish)(struct batch_totals *totals, int code);
};
/* Of `bailey batch`; NULL: this process is alone. */
extern const struct batch_team *batch_team;

/* Prints what is wrong with the file, returns an exit code: of the first deal that failed, if some did. */
int batch_run(const struct batch_request *request, struct batch_totals *totals);

#endif
