/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Streams. The construction tree (plan.c) is walked depth first, the left child first, and a point is emitted
 * when its left subtree is done. The left neighbour of every point is then the point emitted last, and its
 * right neighbour is the nearest of those that wait.
 *
 * That walk needs no tree. Between two emissions it builds the points whose left neighbour is the one emitted
 * last, and each is the right neighbour of the next: they go down in time. So the points, listed by their
 * left neighbour and each list going down, are the stream, with one emission after every list.
 */
#include "plan.h"

#include <base/alloc.h>
#include <host/internal.h>

#include <string.h>

static const uint32_t NONE = UINT32_MAX;

/* The records of a plan, listed by left neighbour. */
struct lists {
    uint32_t *record; /* by point - 1 */
    uint32_t *first;  /* by left neighbour: the last of its points, or NONE */
    uint32_t *next;   /* by point - 1: the next earlier one with the same left neighbour, or NONE */
};

static void make_lists(const struct bly_plan *plan, struct lists *lists)
{
    for (uint32_t k = 0; k < plan->steps; k++) {
        lists->record[plan->path[k].point - 1] = k;
        lists->first[k] = NONE;
    }
    for (uint32_t i = 0; i < plan->steps; i++) {
        const uint32_t left = plan->path[lists->record[i]].left;
        lists->next[i] = lists->first[left];
        lists->first[left] = i;
    }
}

static void make_items(const struct bly_plan *plan, const struct lists *lists, struct bly_stream *stream)
{
    struct bly_stream_step *item = stream->items;
    uint32_t waiting = 0;
    for (uint32_t emitted = 0; emitted < plan->steps; emitted++) {
        for (uint32_t i = lists->first[emitted]; i != NONE; i = lists->next[i]) {
            const bailey_bridge_step_f64 *step = &plan->path[lists->record[i]];
            *item++ = (struct bly_stream_step){.z = step->row,
                                               .left_weight = step->left_weight,
                                               .right_weight = step->right_weight,
                                               .sigma = step->sigma};
            waiting++;
        }
        if (stream->depth < waiting) stream->depth = waiting;
        item[-1].pops++;
        waiting--;
    }
}

bailey_status bly_stream_create(const struct bly_plan *plan, struct bly_stream *stream)
{
    const size_t steps = (size_t)plan->steps;
    struct lists lists = {.record = bly_alloc(steps, sizeof *lists.record),
                          .first = bly_alloc(steps, sizeof *lists.first),
                          .next = bly_alloc(steps, sizeof *lists.next)};
    bailey_status status = BAILEY_OK;
    memset(stream, 0, sizeof *stream);
    stream->items = bly_alloc(steps, sizeof *stream->items);
    if (lists.record == NULL || lists.first == NULL || lists.next == NULL || stream->items == NULL) {
        status = bly_fail(BAILEY_ERROR_MEMORY, "no memory for a stream of %zu steps", steps);
        bly_stream_destroy(stream);
    } else {
        stream->steps = steps;
        make_lists(plan, &lists);
        make_items(plan, &lists, stream);
    }
    bly_free(lists.record);
    bly_free(lists.first);
    bly_free(lists.next);
    return status;
}

void bly_stream_destroy(struct bly_stream *stream)
{
    if (stream == NULL) return;
    bly_free(stream->items);
    memset(stream, 0, sizeof *stream);
}
