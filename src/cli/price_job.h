/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The devices of `bailey price`, one or a list, and what it runs as a job (bailey/job.h): on several of them,
 * with a checkpoint, or up to a standard error.
 */
#ifndef CLI_PRICE_JOB_H
#define CLI_PRICE_JOB_H

#include "price_run.h"

#include <bailey/job.h>

#define PRICE_DEVICES_MAX 16

struct price_devices {
    size_t count;
    bailey_context *context[PRICE_DEVICES_MAX];
    bailey_device about[PRICE_DEVICES_MAX];
    bailey_simulation *simulation[PRICE_DEVICES_MAX]; /* the first one is the model's */
};

/* Opens what --device names. price_devices_close in any case. */
int price_devices_open(const struct arguments *arguments, struct price_devices *devices);
void price_devices_close(struct price_devices *devices);

/* What runs jobs: bailey_job_run, or a program's own. `ranks` are those that shared the paths, where it is
 * not this process alone. */
typedef bailey_status (*price_job_runner)(bailey_simulation *const *simulations, size_t count,
                                          const bailey_job_params *params, bailey_estimate *estimates,
                                          bailey_job_report *report);
struct price_jobs {
    price_job_runner run;
    int ranks;
    uint64_t *rank_paths; /* [ranks] */
};
extern struct price_jobs price_jobs;

/* Whether the paths are shared, by devices or ranks. */
int price_job_is_shared(const struct arguments *arguments);

/* Checks --checkpoint and --checkpoint-seconds, before anything is computed. */
int price_job_check(const struct arguments *arguments);

/* Runs what is asked for, as a job where it takes one; the model is made and set on the first device. Writes
 * --save-outputs. */
int price_run_on(const struct arguments *arguments, const struct price_settings *settings,
                 const struct price_model *model, struct price_devices *devices,
                 struct price_outcome *outcome);

#endif
