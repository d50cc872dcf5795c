/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The completed nodes of a run's sums (nodes.h), of any of its replicates and in any order of arrival. Two
 * siblings become their parent as soon as both are there, and one whose sibling has no path of the run does
 * at once, so that the set depends only on which paths are done, not on the order in which they were done,
 * and is small: a range of paths has at most two nodes of each height.
 */
#ifndef BLY_NODE_SET_H
#define BLY_NODE_SET_H

#include "fixed.h"

#include <stdint.h>

#define BLY_MOST_HEIGHT 63u

/* Stands for paths number 2^height .. (number + 1) 2^height - 1 of a replicate. */
struct bly_node {
    uint64_t replicate, number;
    uint32_t height;
};

struct bly_node_set {
    uint32_t rows, sums;           /* of a node: sums, then minima and as many maxima */
    const struct bly_fixed *fixed; /* NULL, or of nodes in integers, whose words stand for doubles */
    uint64_t first, last;          /* paths of the run */
    uint64_t count, size;          /* nodes there are, and for how many there is memory */
    struct bly_node *node;         /* by replicate, then by path */
    double *value;                 /* [size][rows] */
};

/* Makes room for `more` nodes. Returns 0 where there is no memory. */
int bly_node_set_reserve(struct bly_node_set *set, uint64_t more);

/* Adds a node, for which there is room. Returns 0, and adds nothing, if paths of it are there. */
int bly_node_set_add(struct bly_node_set *set, const struct bly_node *node, const double *value);

/* Whether no path is in both, which have the same rows. */
int bly_node_set_is_apart(const struct bly_node_set *a, const struct bly_node_set *b);

/* The first node that ends behind path `path` of the replicate, or is of a later one; `count` without any. */
uint64_t bly_node_set_find(const struct bly_node_set *set, uint64_t replicate, uint64_t path);

void bly_node_set_free(struct bly_node_set *set);

static inline uint64_t bly_node_begin(const struct bly_node *node) { return node->number << node->height; }
static inline uint64_t bly_node_last(const struct bly_node *node)
{
    return bly_node_begin(node) + ((UINT64_C(1) << node->height) - 1);
}

#endif
