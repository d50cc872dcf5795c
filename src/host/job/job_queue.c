/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The places of a job that wait for a worker. Ranges join with their neighbours, so that there are few of
 * them however many places there are.
 */
#include "job_queue.h"

#include <base/alloc.h>

#include <string.h>

int bly_job_queue_reserve(struct bly_job_queue *q, uint64_t more)
{
    if (q->size - q->count >= more) return 1;
    const uint64_t size = q->size + (more > q->size ? more : q->size);
    struct bly_job_range *range = bly_alloc(size, sizeof *range);
    if (!range) return 0;
    if (q->count) memcpy(range, q->range, q->count * sizeof *range);
    bly_free(q->range);
    q->range = range;
    q->size = size;
    return 1;
}

static void drop(struct bly_job_queue *q, uint64_t i)
{
    memmove(&q->range[i], &q->range[i + 1], (q->count - i - 1) * sizeof *q->range);
    q->count--;
}

/* Most are given at the end. */
void bly_job_queue_add(struct bly_job_queue *q, uint64_t first, uint64_t count)
{
    uint64_t at = q->count;
    if (count == 0) return;
    while (at > 0 && q->range[at - 1].first > first) at--;
    q->left += count;
    if (at > 0 && q->range[at - 1].first + q->range[at - 1].count == first) {
        q->range[--at].count += count;
    } else {
        memmove(&q->range[at + 1], &q->range[at], (q->count - at) * sizeof *q->range);
        q->range[at] = (struct bly_job_range){first, count};
        q->count++;
    }
    struct bly_job_range *s = &q->range[at];
    if (at + 1 < q->count && s->first + s->count == s[1].first) {
        s->count += s[1].count;
        drop(q, at + 1);
    }
}

/* The largest power of two that is at most half of `most`, at least 1. */
static uint64_t step_of(uint64_t most)
{
    uint64_t step = 1;
    while (step <= most / 4) step *= 2;
    return step;
}

static uint64_t take_front(struct bly_job_queue *q, uint64_t most, uint64_t *first)
{
    struct bly_job_range *s = &q->range[0];
    const uint64_t step = step_of(most), end = (s->first + most) / step * step;
    const uint64_t count = s->count <= most ? s->count : end - s->first;
    *first = s->first;
    s->first += count;
    s->count -= count;
    if (s->count == 0) drop(q, 0);
    return count;
}

static uint64_t take_back(struct bly_job_queue *q, uint64_t most, uint64_t *first)
{
    struct bly_job_range *s = &q->range[q->count - 1];
    const uint64_t step = step_of(most), end = s->first + s->count;
    const uint64_t begin = s->count <= most ? s->first : (end - most + (step - 1)) / step * step;
    *first = begin;
    s->count = begin - s->first;
    if (s->count == 0) drop(q, q->count - 1);
    return end - begin;
}

uint64_t bly_job_queue_take(struct bly_job_queue *q, uint64_t most, int back, uint64_t *first)
{
    if (q->count == 0 || most == 0) return 0;
    const uint64_t count = back ? take_back(q, most, first) : take_front(q, most, first);
    q->left -= count;
    return count;
}

void bly_job_queue_cut(struct bly_job_queue *q, uint64_t from)
{
    while (q->count > 0) {
        struct bly_job_range *last = &q->range[q->count - 1];
        const uint64_t left = last->first < from ? from - last->first : 0;
        if (left >= last->count) return;
        q->left -= last->count - left;
        last->count = left;
        if (left > 0) return;
        q->count--;
    }
}

void bly_job_queue_free(struct bly_job_queue *q)
{
    bly_free(q->range);
    *q = (struct bly_job_queue){0};
}
