/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Nodes from anywhere in a run, in a sorted array. Ranges of a run arrive nearly in order, so that nearly all
 * nodes are added at the end.
 */
#include "node_set.h"

#include <base/alloc.h>
#include <kernels/simulation_nodes.h>

#include <string.h>

int bly_node_set_reserve(struct bly_node_set *set, uint64_t more)
{
    if (set->size - set->count >= more) return 1;
    if (more > SIZE_MAX / 64 - set->size) return 0;
    const uint64_t size = set->size + (more > set->size ? more : set->size);
    struct bly_node *node = bly_alloc(size, sizeof *node);
    double *value = bly_alloc(size * set->rows, sizeof *value);
    if (!node || !value) {
        bly_free(node);
        bly_free(value);
        return 0;
    }
    if (set->count) {
        memcpy(node, set->node, set->count * sizeof *node);
        memcpy(value, set->value, set->count * set->rows * sizeof *value);
    }
    bly_free(set->node);
    bly_free(set->value);
    set->node = node;
    set->value = value;
    set->size = size;
    return 1;
}

uint64_t bly_node_set_find(const struct bly_node_set *set, uint64_t replicate, uint64_t path)
{
    uint64_t low = 0, high = set->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct bly_node *node = &set->node[middle];
        if (node->replicate < replicate || (node->replicate == replicate && bly_node_last(node) < path))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether paths of the node are there; *at is where it belongs. */
static int is_there(const struct bly_node_set *set, const struct bly_node *node, uint64_t *at)
{
    *at = bly_node_set_find(set, node->replicate, bly_node_begin(node));
    return *at < set->count && set->node[*at].replicate == node->replicate &&
           bly_node_begin(&set->node[*at]) <= bly_node_last(node);
}

static void insert(struct bly_node_set *set, uint64_t at, const struct bly_node *node, const double *value)
{
    const uint64_t after = set->count - at;
    double *to = set->value + at * set->rows;
    memmove(&set->node[at + 1], &set->node[at], after * sizeof *node);
    memmove(to + set->rows, to, after * set->rows * sizeof *value);
    set->node[at] = *node;
    memcpy(to, value, set->rows * sizeof *value);
    set->count++;
}

static int are_siblings(const struct bly_node_set *set, uint64_t left)
{
    if (left + 1 >= set->count) return 0;
    const struct bly_node *a = &set->node[left], *b = a + 1;
    return a->replicate == b->replicate && a->height == b->height && a->number % 2 == 0 &&
           b->number == a->number + 1 && a->height < BLY_MOST_HEIGHT;
}

/* Whether it has a sibling that stands for no path, and is not the root. */
static int is_alone(const struct bly_node_set *set, const struct bly_node *node)
{
    const struct bly_node sibling = {node->replicate, node->number ^ 1, node->height};
    if (node->height >= BLY_MOST_HEIGHT ||
        (bly_node_begin(node) <= set->first && bly_node_last(node) >= set->last))
        return 0;
    return bly_node_begin(&sibling) > set->last || bly_node_last(&sibling) < set->first;
}

static void lift(struct bly_node *node)
{
    node->height++;
    node->number /= 2;
}

/* Makes nodes `left` and `left` + 1 their parent. */
static void join(struct bly_node_set *set, uint64_t left)
{
    const uint32_t rows = set->rows, minima = (rows - set->sums) / 2;
    const uint64_t after = set->count - left - 2;
    double *value = set->value + left * rows;
    if (set->fixed) bly_fixed_join_nodes(set->fixed, value, value + rows);
    for (uint32_t r = 0; r < rows && !set->fixed; r++)
        value[r] = bly_node_join(value[r], value[rows + r], r, set->sums, minima);
    lift(&set->node[left]);
    memmove(&set->node[left + 1], &set->node[left + 2], after * sizeof *set->node);
    memmove(value + rows, value + 2 * (uint64_t)rows, after * rows * sizeof *value);
    set->count--;
}

int bly_node_set_add(struct bly_node_set *set, const struct bly_node *node, const double *value)
{
    uint64_t at;
    if (is_there(set, node, &at)) return 0;
    insert(set, at, node, value);
    for (;;) {
        if (are_siblings(set, at))
            join(set, at);
        else if (at > 0 && are_siblings(set, at - 1))
            join(set, --at);
        else if (is_alone(set, &set->node[at]))
            lift(&set->node[at]);
        else
            return 1;
    }
}

int bly_node_set_is_apart(const struct bly_node_set *a, const struct bly_node_set *b)
{
    uint64_t at;
    for (uint64_t i = 0; i < b->count; i++)
        if (is_there(a, &b->node[i], &at)) return 0;
    return 1;
}

void bly_node_set_free(struct bly_node_set *set)
{
    bly_free(set->node);
    bly_free(set->value);
    set->node = NULL;
    set->value = NULL;
    set->count = set->size = 0;
}
