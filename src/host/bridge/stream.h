/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A plan as a stream: the same points, built in an order in which they can be emitted in time order while few
 * of them wait. Pure host code.
 */
#ifndef BLY_STREAM_H
#define BLY_STREAM_H

#include <host/bridge/plan.h>

/* A step of a stream builds a point from the point that was emitted last (left) and the one on top of the
 * stack (right), pushes it, then emits `pops` points from the top of the stack. Where the stack is empty,
 * right is the point emitted last too; such a step has right_weight 0. Before the first step the point
 * emitted last is the start.
 *
 * The value is that of bailey_bridge_point_f64 with the plan's own numbers: the same bits. With a fixed end
 * the first step has no Z: its numbers are all 0, and the caller pushes the end. */
struct bly_stream_step {
    uint32_t z, pops;
    double left_weight, right_weight, sigma;
};

struct bly_stream {
    uint64_t steps; /* as many as the plan's, in the order in which they are built; their pops sum to it */
    struct bly_stream_step *items;
    uint32_t depth; /* most points that wait at once */
};

/* Makes the stream of the `path` records of a plan of paths, of any construction that has one, in time and
 * memory O(steps).
 *
 * On failure sets the error and leaves *stream empty: BAILEY_ERROR_MEMORY. */
bailey_status bly_stream_create(const struct bly_plan *plan, struct bly_stream *stream);
void bly_stream_destroy(struct bly_stream *stream);

#endif
