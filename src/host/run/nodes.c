/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The host's part of a tree of sums: a stack of nodes, the one added last on top. As soon as the two on top
 * are a left and a right child they become their parent. A node whose sibling is absent is its own parent.
 */
#include "nodes.h"

#include <kernels/simulation_nodes.h>

#include <string.h>

/* Replaces node `left` by its parent and, if the next node is its sibling, joins that to it. */
static void lift(struct bly_tree *tree, uint32_t left, int joins)
{
    const uint32_t rows = tree->rows, minima = (rows - tree->sums) / 2;
    double *value = tree->value + (uint64_t)left * rows;
    if (tree->fixed && joins) bly_fixed_join_nodes(tree->fixed, value, value + rows);
    for (uint32_t r = 0; r < rows && joins && !tree->fixed; r++)
        value[r] = bly_node_join(value[r], value[rows + r], r, tree->sums, minima);
    tree->node[left].height++;
    tree->node[left].number >>= 1;
}

static int are_siblings(const struct bly_tree *tree, uint32_t left)
{
    if (left + 1 >= tree->count) return 0;
    return tree->node[left].height == tree->node[left + 1].height && tree->node[left].number % 2 == 0 &&
           tree->node[left + 1].number == tree->node[left].number + 1;
}

void bly_tree_add(struct bly_tree *tree, uint32_t height, uint64_t number, const double *value,
                  uint64_t stride)
{
    double *to = tree->value + (uint64_t)tree->count * tree->rows;
    for (uint32_t r = 0; r < tree->rows; r++) memcpy(&to[r], &value[r * stride], sizeof *to);
    if (tree->fixed) bly_fixed_settle(tree->fixed, to);
    tree->node[tree->count].height = height;
    tree->node[tree->count++].number = number;
    for (; tree->count > 1 && are_siblings(tree, tree->count - 2); tree->count--)
        lift(tree, tree->count - 2, 1);
}

static uint32_t least_height(const struct bly_tree *tree)
{
    uint32_t height = tree->node[0].height;
    for (uint32_t i = 1; i < tree->count; i++)
        if (tree->node[i].height < height) height = tree->node[i].height;
    return height;
}

/* Raises the nodes of `height`, the least there is: a node above waits until its sibling has got there. */
static void lift_lowest(struct bly_tree *tree, uint32_t height)
{
    const uint32_t rows = tree->rows;
    uint32_t filled = 0, next = 0;
    for (uint32_t i = 0; i < tree->count; i = next, filled++) {
        const int joins = are_siblings(tree, i), here = tree->node[i].height == height;
        next = i + 1 + (here && joins);
        if (here) lift(tree, i, joins);
        tree->node[filled] = tree->node[i];
        memmove(tree->value + (uint64_t)filled * rows, tree->value + (uint64_t)i * rows,
                rows * sizeof(double));
    }
    tree->count = filled;
}

void bly_tree_settle(struct bly_tree *tree, uint32_t height)
{
    uint32_t lowest;
    while (tree->count > 0 && (lowest = least_height(tree)) < height) lift_lowest(tree, lowest);
}

void bly_tree_finish(struct bly_tree *tree)
{
    while (tree->count > 1) lift_lowest(tree, least_height(tree));
}
