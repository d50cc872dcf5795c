/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sums over paths (src/host/run/nodes.c): however the nodes are made, the root has the bits of the plain
 * recursive definition.
 */
#include <host/run/nodes.h>

#include "harness.h"

enum { MOST_COUNT = 300, SUMS = 2, MINIMA = 1, ROWS = SUMS + 2 * MINIMA };

/* Numbers of paths first .. first + count - 1, [row][path]. Sums of them depend on the shape of the tree. */
struct sequence {
    uint64_t first, count;
    double value[ROWS][MOST_COUNT];
};

static void fill(struct sequence *s, uint64_t first, uint64_t count)
{
    uint64_t random = first * 1000 + count;
    s->first = first;
    s->count = count;
    for (int r = 0; r < ROWS; r++)
        for (uint64_t i = 0; i < count; i++)
            s->value[r][i] = (next_uniform(&random) - 0.5) * (next_random(&random) % 8 ? 1 : 1e6);
}

/* Whether node `number` of a level stands for any path of the sequence. */
static int exists(const struct sequence *s, uint32_t level, uint64_t number)
{
    const uint64_t last = s->first + s->count - 1;
    return number >= s->first >> level && number <= last >> level;
}

static double join(double left, double right, int row)
{
    if (row < SUMS) return left + right;
    if (row < SUMS + MINIMA) return right < left ? right : left;
    return right > left ? right : left;
}

/* node (j, i) = node (j - 1, 2i) + node (j - 1, 2i + 1), of which an absent one is left out. */
static double node(const struct sequence *s, uint32_t level, uint64_t number, int row)
{
    if (level == 0) return s->value[row][number - s->first];
    const int left = exists(s, level - 1, 2 * number), right = exists(s, level - 1, 2 * number + 1);
    if (!right) return node(s, level - 1, 2 * number, row);
    if (!left) return node(s, level - 1, 2 * number + 1, row);
    return join(node(s, level - 1, 2 * number, row), node(s, level - 1, 2 * number + 1, row), row);
}

/* Level of the lowest node that stands for all paths. */
static uint32_t root_of(const struct sequence *s)
{
    uint32_t level = 0;
    while (s->first >> level != (s->first + s->count - 1) >> level) level++;
    return level;
}

/* Checks the root of the nodes in tree. */
static void check_root(struct bly_tree *tree, const struct sequence *s)
{
    char what[96];
    double expected[ROWS];
    bly_tree_finish(tree);
    assert_int_equal(tree->count, 1);
    for (int r = 0; r < ROWS; r++) expected[r] = node(s, root_of(s), s->first >> root_of(s), r);
    snprintf(what, sizeof what, "%llu numbers from %llu on", (unsigned long long)s->count,
             (unsigned long long)s->first);
    same_bits(what, tree->value, expected, ROWS, sizeof(double));
}

static double storage[BLY_MOST_NODES * ROWS];

static struct bly_tree begin(void) { return (struct bly_tree){.rows = ROWS, .sums = SUMS, .value = storage}; }

/* Adds node `number` of a level from numbers that lie `stride` apart, as devices deliver them. */
static void add(struct bly_tree *tree, const struct sequence *s, uint32_t level, uint64_t number,
                uint64_t stride)
{
    double value[ROWS * 7] = {0};
    for (int r = 0; r < ROWS; r++) value[(uint64_t)r * stride] = node(s, level, number, r);
    bly_tree_add(tree, level, number, value, stride);
}

static const uint64_t firsts[] = {0,
                                  1,
                                  2,
                                  3,
                                  5,
                                  6,
                                  7,
                                  8,
                                  31,
                                  63,
                                  64,
                                  65,
                                  127,
                                  128,
                                  1000003,
                                  (UINT64_C(1) << 38) - 300,
                                  (UINT64_C(1) << 63) - 300};
#define FIRSTS (sizeof firsts / sizeof *firsts)

/* Nodes of one level, as parts of a run have them. */
TEST(one_level, HOST)
{
    static struct sequence s;
    for (size_t f = 0; f < FIRSTS; f++)
        for (uint64_t count = 1; count <= MOST_COUNT; count++) {
            fill(&s, firsts[f], count);
            const uint64_t last = s.first + count - 1;
            for (uint32_t level = 0; level < 10; level += 1 + (uint32_t)(count % 3)) {
                struct bly_tree tree = begin();
                for (uint64_t i = s.first >> level; i <= last >> level; i++)
                    add(&tree, &s, level, i, 1 + count % 7);
                check_root(&tree, &s);
            }
        }
}

/* Nodes of any levels, as large as they may be where they begin, or smaller. */
TEST(any_levels, HOST)
{
    static struct sequence s;
    uint64_t random = 5;
    for (size_t f = 0; f < FIRSTS; f++)
        for (uint64_t count = 1; count <= MOST_COUNT; count++) {
            fill(&s, firsts[f], count);
            struct bly_tree tree = begin();
            for (uint64_t at = s.first, end = s.first + count; at < end;) {
                uint32_t level = (uint32_t)(next_random(&random) % 9);
                while (at >> level << level != at && at != s.first) level--;
                add(&tree, &s, level, at >> level, 1);
                at = ((at >> level) + 1) << level;
            }
            check_root(&tree, &s);
        }
}

/* As many nodes wait at once as any run of 2^63 paths can leave: one of each level on both sides. */
TEST(most_nodes, HOST)
{
    const double one[ROWS] = {1, 1, 1, 1};
    struct bly_tree tree = begin();
    uint64_t at = 1;
    for (uint32_t level = 0; level < 62; level++, at *= 2) bly_tree_add(&tree, level, 1, one, 1);
    assert_true(at == UINT64_C(1) << 62);
    for (uint32_t level = 62; level-- > 0;) {
        bly_tree_add(&tree, level, at >> level, one, 1);
        at += UINT64_C(1) << level;
        assert_in_range(tree.count, 1, BLY_MOST_NODES);
    }
    bly_tree_finish(&tree);
    assert_int_equal(tree.count, 1);
    assert_true(tree.value[0] == 124 && tree.value[ROWS - 1] == 1);
}
