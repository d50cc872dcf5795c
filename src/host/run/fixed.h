/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sums in integers, as nodes have them (kernels/fixed_nodes.h): joining them, and what they are as
 * numbers. Words stand instead of doubles, 64 bits each.
 */
#ifndef BLY_FIXED_H
#define BLY_FIXED_H

#include <kernels/simulation_nodes.h>

#include <bailey/simulation.h>

/* The sums in a node: of outputs, products of `pairs` of them, and where `shape` is 1 third and fourth
 * powers; it is 2 for extrema without these. */
struct bly_fixed {
    uint32_t outputs, pairs;
    int shape;
};

/* Rows of a node that are sums, and all of them. */
uint32_t bly_fixed_sums(const struct bly_fixed *fixed);
uint32_t bly_fixed_rows(const struct bly_fixed *fixed);

/* An output x counts as x 2^k, rounded: the k of a limit. */
int bly_fixed_places(double limit);

/* What kernels are given for a run's limit and histogram. */
bly_fixed_params bly_fixed_params_of(const bailey_simulation_run_params *params, bailey_precision precision);

/* Gives a node's sums the words that they alone have: devices leave some in words what belongs to the next.
 */
void bly_fixed_settle(const struct bly_fixed *fixed, void *node);

/* Joins a node to the one at its left; both are settled, and so is what they become. */
void bly_fixed_join_nodes(const struct bly_fixed *fixed, void *left, const void *right);

/* The node's numbers, in the order of those in double, each the double next to it. */
void bly_fixed_read(const struct bly_fixed *fixed, int places, const void *node, double *values);

/* Finds the first path of the run with an output beyond the limit, and which output. Returns 0 if all are
 * within it. */
int bly_fixed_find_beyond(const struct bly_fixed *fixed, const void *node, uint64_t first_path,
                          uint64_t *path, uint32_t *output);

#endif
