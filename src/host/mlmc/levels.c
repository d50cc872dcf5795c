/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "levels.h"

#include <base/alloc.h>
#include <base/status.h>

#include <string.h>

static bailey_status take_memory(struct bly_levels *levels)
{
    const uint32_t trees = levels->kinds * BAILEY_MLMC_MAX_LEVELS;
    levels->tree = bly_alloc(trees, sizeof *levels->tree);
    for (uint32_t e = 0; levels->tree && e < trees; e++) {
        struct bly_tree *tree = &levels->tree[e];
        tree->rows = tree->sums = levels->rows;
        tree->value = bly_alloc((size_t)BLY_MOST_NODES * levels->rows, sizeof *tree->value);
        if (!tree->value) return BAILEY_ERROR_MEMORY;
    }
    return levels->tree ? BAILEY_OK : BAILEY_ERROR_MEMORY;
}

bailey_status bly_levels_create(uint32_t rows, uint32_t kinds, struct bly_levels *levels)
{
    memset(levels, 0, sizeof *levels);
    levels->rows = rows;
    levels->kinds = kinds;
    if (take_memory(levels) == BAILEY_OK) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for sums of levels");
}

void bly_levels_free(struct bly_levels *levels)
{
    for (uint32_t e = 0; levels->tree && e < levels->kinds * BAILEY_MLMC_MAX_LEVELS; e++)
        bly_free(levels->tree[e].value);
    bly_free(levels->tree);
    memset(levels, 0, sizeof *levels);
}

void bly_levels_add(struct bly_levels *levels, uint32_t estimator, uint32_t height, uint64_t number,
                    const double *value, uint64_t stride)
{
    bly_tree_add(&levels->tree[estimator], height, number, value, stride);
    levels->samples[estimator] = (number + 1) << height;
}

void bly_levels_sums(const struct bly_levels *levels, uint32_t estimator, double sums[BLY_LEVEL_ROWS])
{
    double value[BLY_MOST_NODES * BLY_LEVEL_ROWS];
    struct bly_tree tree = levels->tree[estimator];
    memcpy(value, tree.value, (size_t)tree.count * tree.rows * sizeof *value);
    tree.value = value;
    bly_tree_finish(&tree);
    memcpy(sums, value, levels->rows * sizeof *sums);
}
