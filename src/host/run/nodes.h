/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sums as binary trees over the numbers of paths, from the nodes that devices have made up to the root
 * (kernels/simulation_nodes.h). The root has the same bits whichever device makes the nodes, and at whatever
 * height.
 */
#ifndef BLY_NODES_H
#define BLY_NODES_H

#include "fixed.h"

#include <stdint.h>

#define BLY_MOST_NODES 128u /* that wait for a sibling to their right */

/* Nodes come from left to right. Each is `rows` numbers, of which the first are sums, then there are minima
 * and as many maxima. */
struct bly_tree {
    uint32_t rows, sums;
    const struct bly_fixed *fixed; /* NULL, or of nodes in integers, whose words stand for doubles */
    uint32_t count;
    struct {
        uint32_t height;
        uint64_t number;
    } node[BLY_MOST_NODES];
    double *value; /* [BLY_MOST_NODES][rows], the caller's */
};

/* Adds node `number` of height `height`: row r is value[r * stride]. */
void bly_tree_add(struct bly_tree *tree, uint32_t height, uint64_t number, const double *value,
                  uint64_t stride);
/* Raises nodes below `height` to it: nothing is still to come that they could be joined with below. */
void bly_tree_settle(struct bly_tree *tree, uint32_t height);
/* Joins all nodes into the root. Row 0 of the root is value[0], and so on. At least one node has been added.
 */
void bly_tree_finish(struct bly_tree *tree);

#endif
