/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "job_queue.h"

#include <base/alloc.h>

#include <string.h>

int bly_job_queue_reserve(struct bly_job_queue *q, uint64_t more)
{
    if (q->size - q->count >= more) return 1;
    const uint64_t size = q->size + (more > q->size ? more : q->size);
    struct bly_stretch *stretch = bly_alloc(size, sizeof *stretch);
    if (!stretch) return 0;
    if (q->count) memcpy(stretch, q->stretch, q->count * sizeof *stretch);
    bly_free(q->stretch);
    q->stretch = stretch;
    q->size = size;
    return 1;
}

static void drop(struct bly_job_queue *q, uint64_t i)
{
    memmove(&q->stretch[i], &q->stretch[i + 1], (q->count - i - 1) * sizeof *q->stretch);
    q->count--;
}

/* Most are given at the end. */
void bly_job_queue_give(struct bly_job_queue *q, uint64_t first, uint64_t count)
{
    uint64_t at = q->count;
    if (count == 0) return;
    while (at > 0 && q->stretch[at - 1].first > first) at--;
    q->left += count;
    if (at > 0 && q->stretch[at - 1].first + q->stretch[at - 1].count == first) {
        q->stretch[--at].count += count;
    } else {
        memmove(&q->stretch[at + 1], &q->stretch[at], (q->count - at) * sizeof *q->stretch);
        q->stretch[at] = (struct bly_stretch){first, count};
        q->count++;
    }
    struct bly_stretch *s = &q->stretch[at];
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
    struct bly_stretch *s = &q->stretch[0];
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
    struct bly_stretch *s = &q->stretch[q->count - 1];
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
        struct bly_stretch *last = &q->stretch[q->count - 1];
        const uint64_t kept = last->first < from ? from - last->first : 0;
        if (kept >= last->count) return;
        q->left -= last->count - kept;
        last->count = kept;
        if (kept > 0) return;
        q->count--;
    }
}

void bly_job_queue_free(struct bly_job_queue *q)
{
    bly_free(q->stretch);
    *q = (struct bly_job_queue){0};
}
