/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A running job: the data that its threads share, under one mutex, and who takes how much (job_schedule.c).
 */
#ifndef BLY_JOB_STATE_H
#define BLY_JOB_STATE_H

#include "job_queue.h"
#include "tally.h"

#include <pthread.h>

#define BLY_JOB_INITIAL_PATHS UINT64_C(16384) /* where bailey_job_params.initial_paths is 0 */

struct bly_worker {
    bailey_job *job;
    bailey_simulation *simulation;
    bailey_job_device *about; /* in the report */
    pthread_t thread;
    int started, alive;
    double speed;     /* paths per second; 0: not known */
    uint64_t granted; /* paths of the range before; 0: none */
};

struct bailey_job {
    const bailey_job_params *params;
    bailey_job_report *report;
    bailey_tally *tally;
    struct bly_worker worker[BAILEY_JOB_MAX_DEVICES];
    size_t workers;
    double longest; /* seconds that a range should take at most */
    uint64_t total; /* paths of each replicate that the job is likely to take */

    pthread_mutex_t mutex; /* of all that follows, and of the tally */
    pthread_cond_t work;   /* there is something to take, or nothing will come */
    pthread_cond_t done;   /* a range has come back */
    struct bly_window window;
    struct bly_job_queue queue; /* places of the window */
    uint64_t busy;              /* ranges that workers have taken */
    uint64_t leased, leases;    /* paths that other processes have taken, and in how many ranges */
    double others_speed;        /* of those who lease parts, each */
    uint64_t others;
    struct bly_fault fault; /* the first of all ranges so far, with its words */
    int stop;               /* take nothing more */
    bailey_status status;   /* of the job: why it ends early */
    char text[BLY_ERROR_TEXT];
    const char *argument;
};

/* How many places a worker is to take now, by its speed and what is left: large ranges at first, small ones
 * towards the end, so that all end together. 0: a faster one will have done everything before this one had
 * done one part. */
uint64_t bly_job_quota(const bailey_job *job, const struct bly_worker *worker);

/* Whether it takes from the back, so that small ranges do not cut up what fast devices take. */
int bly_job_is_slow(const bailey_job *job, const struct bly_worker *worker);

/* Takes what cannot change the answer from the queue: everything behind the first fault. */
void bly_job_cut(bailey_job *job);

/* Notes the error of a status as the job's, if it has none. */
void bly_job_fail(bailey_job *job, bailey_status status);

#endif
