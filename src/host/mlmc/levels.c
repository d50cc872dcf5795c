/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "levels.h"

#include <base/alloc.h>
#include <base/status.h>

#include <string.h>

bailey_status bly_levels_create(uint32_t rows, struct bly_levels *levels)
{
    memset(levels, 0, sizeof *levels);
    levels->rows = rows;
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) {
        levels->tree[l].rows = levels->tree[l].sums = rows;
        levels->tree[l].value = bly_alloc((size_t)BLY_MOST_NODES * rows, sizeof(double));
        if (!levels->tree[l].value) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for sums of levels");
    }
    return BAILEY_OK;
}

void bly_levels_free(struct bly_levels *levels)
{
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) bly_free(levels->tree[l].value);
    memset(levels, 0, sizeof *levels);
}

void bly_levels_add(struct bly_levels *levels, uint32_t level, uint32_t height, uint64_t number,
                    const double *value, uint64_t stride)
{
    bly_tree_add(&levels->tree[level], height, number, value, stride);
    levels->samples[level] = (number + 1) << height;
}

void bly_levels_sums(const struct bly_levels *levels, uint32_t level, double sums[BLY_LEVEL_ROWS])
{
    double value[BLY_MOST_NODES * BLY_LEVEL_ROWS];
    struct bly_tree tree = levels->tree[level];
    memcpy(value, tree.value, (size_t)tree.count * tree.rows * sizeof *value);
    tree.value = value;
    bly_tree_finish(&tree);
    memcpy(sums, value, levels->rows * sizeof *sums);
}
