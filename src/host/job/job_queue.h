/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Places of a window (tally.h) that must be run and that no worker has taken, as ranges from left to right.
 */
#ifndef BLY_JOB_QUEUE_H
#define BLY_JOB_QUEUE_H

#include <stdint.h>

struct bly_job_range {
    uint64_t first, count;
};

struct bly_job_queue {
    uint64_t left; /* places */
    uint64_t count, size;
    struct bly_job_range *range;
};

/* Makes room for `more` ranges. Returns 0 where there is no memory. */
int bly_job_queue_reserve(struct bly_job_queue *queue, uint64_t more);

/* Adds places, none of which is there; there is room for a range more. */
void bly_job_queue_add(struct bly_job_queue *queue, uint64_t first, uint64_t count);

/* Takes at most `most` places, and more than half as many where a range has them: from the front up to a
 * round number or, with `back`, from the last round number to the end, so that nodes of high levels are
 * whole. Needs no room. Returns how many; 0: the queue is empty. */
uint64_t bly_job_queue_take(struct bly_job_queue *queue, uint64_t most, int back, uint64_t *first);

/* Takes away all places from `from` on. */
void bly_job_queue_cut(struct bly_job_queue *queue, uint64_t from);

void bly_job_queue_free(struct bly_job_queue *queue);

#endif
