/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What is known of each level: sums over its samples so far, as binary trees over their numbers. With
 * approximate normals a level has samples of two kinds: differences, and what corrects them.
 */
#ifndef BLY_MLMC_LEVELS_H
#define BLY_MLMC_LEVELS_H

#include <bailey/mlmc.h>
#include <host/run/nodes.h>

/* Numbers of estimators: of level l's differences l, of its corrections BLY_CORRECTIONS + l. */
#define BLY_KINDS 2u
#define BLY_CORRECTIONS BAILEY_MLMC_MAX_LEVELS
#define BLY_ESTIMATORS (BLY_KINDS * BAILEY_MLMC_MAX_LEVELS)

#define BLY_LEVEL_GRAIN 32u /* samples: nodes are of this level of the tree, 5, or above */

/* Rows of a level's nodes: sums of Y and Y^2, and how many samples differ from 0; with `test` also of Y^3,
 * Y^4, the fine payoff and its square. */
enum {
    BLY_LEVEL_Y,
    BLY_LEVEL_Y2,
    BLY_LEVEL_SEEN,
    BLY_LEVEL_Y3,
    BLY_LEVEL_Y4,
    BLY_LEVEL_FINE,
    BLY_LEVEL_FINE2,
    BLY_LEVEL_ROWS
};
#define BLY_LEVEL_RUN_ROWS 3u

struct bly_levels {
    uint32_t rows;                    /* BLY_LEVEL_RUN_ROWS or BLY_LEVEL_ROWS */
    uint32_t kinds;                   /* 1: differences alone, or BLY_KINDS */
    uint64_t samples[BLY_ESTIMATORS]; /* in the tree; numbers 0 .. samples - 1 */
    struct bly_tree *tree;            /* [kinds * BAILEY_MLMC_MAX_LEVELS] */
};

/* Nothing is known. To be freed with bly_levels_free whatever is returned. Returns: OK, ERROR_MEMORY. */
bailey_status bly_levels_create(uint32_t rows, uint32_t kinds, struct bly_levels *levels);
void bly_levels_free(struct bly_levels *levels);

/* Adds node `number` of tree level `height` (2^height samples), the estimator's next one: row r is
 * value[r * stride]. */
void bly_levels_add(struct bly_levels *levels, uint32_t estimator, uint32_t height, uint64_t number,
                    const double *value, uint64_t stride);

/* The sums of all samples so far, of which there are some; the tree stays as it is. */
void bly_levels_sums(const struct bly_levels *levels, uint32_t estimator, double sums[BLY_LEVEL_ROWS]);

#endif
