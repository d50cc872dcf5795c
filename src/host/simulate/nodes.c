/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A stack of nodes, the one added last on top. As soon as the two on top are a left and a right child they
 * become their parent. A node whose sibling is absent is its own parent.
 */
#include "nodes.h"

#include <kernels/simulation.h>

/* Joins the two on top, which are children of one node. */
static void join(struct bly_tree *tree)
{
    const uint32_t rows = tree->rows, minima = (rows - tree->sums) / 2;
    double *right = tree->value + (uint64_t)--tree->count * rows, *left = right - rows;
    for (uint32_t r = 0; r < rows; r++) left[r] = bly_node_join(left[r], right[r], r, tree->sums, minima);
    tree->node[tree->count - 1].level++;
    tree->node[tree->count - 1].number >>= 1;
}

static int are_siblings(const struct bly_tree *tree)
{
    if (tree->count < 2) return 0;
    const uint32_t top = tree->count - 1;
    return tree->node[top].level == tree->node[top - 1].level && tree->node[top].number % 2 == 1 &&
           tree->node[top - 1].number == tree->node[top].number - 1;
}

void bly_tree_add(struct bly_tree *tree, uint32_t level, uint64_t number, const double *value, uint64_t stride)
{
    double *to = tree->value + (uint64_t)tree->count * tree->rows;
    for (uint32_t r = 0; r < tree->rows; r++) to[r] = value[r * stride];
    tree->node[tree->count].level = level;
    tree->node[tree->count++].number = number;
    while (are_siblings(tree)) join(tree);
}

void bly_tree_finish(struct bly_tree *tree)
{
    while (tree->count > 1) {
        const uint32_t top = tree->count - 1;
        const int below = tree->node[top - 1].level <= tree->node[top].level,
                  above = tree->node[top].level <= tree->node[top - 1].level;
        if (are_siblings(tree)) {
            join(tree);
            continue;
        }
        if (below) tree->node[top - 1].level++, tree->node[top - 1].number >>= 1;
        if (above) tree->node[top].level++, tree->node[top].number >>= 1;
    }
}
