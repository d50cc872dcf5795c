/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Planning a Brownian bridge: from times and a construction order to an execution strategy
 * (bailey/device/bridge.h). Pure host code: no device, no context.
 */
#ifndef BLY_PLAN_H
#define BLY_PLAN_H

#include <bailey/bailey.h>
#include <bailey/device/bridge.h>

/* Records for N + 1 steps in execution order, in double; the f32 records are these, rounded once. */
struct bly_plan {
    uint64_t steps; /* N + 1 */
    bailey_bridge_step_f64 *path;
    bailey_bridge_split_f64 *split;     /* NULL for a random walk */
    uint32_t path_slots;                /* stack slots that a walk of `path` needs */
    uint32_t split_slots;               /* stack slots for `split` */
    uint64_t stack_reads, stack_writes; /* of the `path` walk, for one path */
};

/* Plans. `times` holds `steps` increasing reals after `start_time`, the last is T; `order` holds
 * steps - 1 one-based indices into the interior times, in construction order, or is NULL for the
 * default order. Z row of a step: its place in the construction order (0 for T), less one where the
 * end is fixed.
 *
 * The execution order is a depth-first order with maximal neighbour reuse and minimal stack.
 * O(N) time and memory after the order is known. Weights are computed in double as
 * (hi - t) / (hi - lo), (t - lo) / (hi - lo), sqrt((hi - t) (t - lo) / (hi - lo)).
 *
 * On failure sets the error (whose argument names are those of `bailey_bridge_params`), and leaves *plan
 * empty: BAILEY_ERROR_INVALID for times that are not finite or not increasing or whose differences are not
 * normal numbers, an order that is not a permutation (naming the first offending index), BAILEY_ERROR_MEMORY.
 */
bailey_status bly_plan_create(const double *times, uint64_t steps, double start_time, const uint32_t *order,
                              int fixed_end, struct bly_plan *plan);
/* The plan of a random walk, BAILEY_CONSTRUCTION_WALK: step k builds point k + 1 from Z row k. Of paths, both
 * neighbours are the point before, left_weight is 1, right_weight 0 and sigma sqrt(dt). Of `increments`, both
 * are t0, both weights 0, and sigma is sqrt(dt) / dt: the "points" of these records are the scaled increments
 * if the start is 0. No stack, and no `split` records. Failures as above. */
bailey_status bly_plan_create_random_walk(const double *times, uint64_t steps, double start_time,
                                          int increments, struct bly_plan *plan);
void bly_plan_destroy(struct bly_plan *plan);

/* ---- Streams (stream.c) ---------------------------------------------------------------------- */

/* A plan as a stream: the same points, built in an order in which they can be emitted in time order while few
 * of them wait. Pure host code. */

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

/* ---- Bidiagonal matrices (bidiagonal.c) ------------------------------------------------------ */

/* Singular values and right singular vectors of a bidiagonal matrix. Pure host code; the same bits on every
 * host. */

/* The matrix has d[0 .. n - 1] on its diagonal and e[0 .. n - 2] above it, all finite and not 0, except that
 * d[n - 1] may be 0. Leaves the singular values in `d`, in no order, and destroys `e`; row k of v[n][n]
 * becomes the right singular vector of d[k], with either sign. The rows are orthogonal and of length 1 to
 * rounding, whatever the matrix. Returns OK, ERROR_MEMORY. */
bailey_status bly_bidiagonal(uint32_t n, double *d, double *e, double *v);

#endif
