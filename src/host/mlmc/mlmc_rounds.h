/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Samples of levels made on a device: lists of them are launched, and sums are added to trees.
 *
 * Two lists may be under way, in the order in which they were queued. Nothing is allocated per list. Sums
 * have the same bits however samples are cut into lists: all nodes are of the tree over the numbers of a
 * level's samples, in which neighbours are joined in double precision.
 */
#ifndef BLY_MLMC_ROUNDS_H
#define BLY_MLMC_ROUNDS_H

#include "driver.h"
#include "mlmc_internal.h"

#include <kernels/mlmc_list.h>

struct bly_rounds;

/* Makes what runs need: the program for all levels, memory, the parameters on the device as they are now. The
 * sums are those of `levels`, which has rows for them (BLY_LEVEL_RUN_ROWS or BLY_LEVEL_ROWS) and has to stay
 * until the rounds are destroyed. Of `params` source and normal are looked at, now. With a source of kind
 * COUNTER lists are queued by the sampler, and numbers are drawn in the program: normals as `normal` says,
 * uniform numbers as bailey_uniforms_generate makes them of words of the precision's usual width. With a
 * source of kind POINT they are queued by bly_rounds_queue_shown. Other kinds are refused.
 * Returns: OK; ERROR_INVALID; ERROR_BUILD, ERROR_UNSUPPORTED (no compiler, no double precision),
 * ERROR_MEMORY, ERROR_DRIVER. */
bailey_status bly_rounds_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                struct bly_levels *levels, struct bly_rounds **rounds);
/* Likewise with approximate normals, of the kind that `params` asks for: samples of differences, or with
 * `correction` of what corrects them, whose estimators in `levels` are BLY_CORRECTIONS + level. The source is
 * of kind COUNTER, the normals by the inverse CDF. */
bailey_status bly_rounds_create_approximate(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                            int correction, struct bly_levels *levels,
                                            struct bly_rounds **rounds);
/* Waits for what is under way. NULL is allowed. */
void bly_rounds_destroy(struct bly_rounds *rounds);

/* How the driver sees them. Errors of `queue` and `take`, besides those of devices: ERROR_INVALID for payoffs
 * that are not finite, and for levels with more random numbers or samples than can be numbered. */
struct bly_sampler bly_rounds_sampler(struct bly_rounds *rounds);

/* What samples are made of, in memory: the precision's numbers as the text is shown them, [row][sample], rows
 * being those of bailey/mlmc.h: increments of the Brownian motion (of covariance h C), step by step and in
 * each step dimension by dimension, then normals, then uniform numbers, likewise. Sample `first` of the level
 * is element `offset` of `numbers`, the next one stands beside it, and the next row begins `row` elements
 * further on. The buffer must not be written until the list has been taken, except by what is queued after it
 * in queue 0. */
struct bly_shown {
    const bailey_buffer *numbers;
    uint64_t offset, row;
    /* Where its nodes go when the list is taken, in the order of their samples: number `number` of 2^h
     * samples, h up to `height`, which is at least that of BLY_LEVEL_GRAIN; row r is value[r * stride], as in
     * `levels`, which is not touched. */
    void *user;
    void (*add)(void *user, uint32_t h, uint64_t number, const double *value, uint64_t stride);
    uint32_t height;
    /* Told of the first sample whose code failed, before anything is added. Its status is the list's. */
    bailey_status (*fault)(void *user, uint64_t sample);
};

/* Queues samples [first, first + count) of a level, as one list; `range` is as the driver's. It is taken by
 * bly_rounds_take. At most two lists are under way. */
bailey_status bly_rounds_queue_shown(struct bly_rounds *rounds, const struct bly_level_range *range,
                                     const struct bly_shown *shown);
bailey_status bly_rounds_take(struct bly_rounds *rounds);

/* ---- For code that failed (mlmc_faults.h) ----------------------------------------------------------- */

/* Rounds that tell of one sample why its code failed, and nothing else: `levels` has rows alone. With
 * params->approximate they are of differences, or corrections as the levels' fault is. */
bailey_status bly_rounds_create_telling(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                        struct bly_levels *levels, uint64_t sample,
                                        struct bly_rounds **rounds);
/* What the list that was taken has told. */
void bly_rounds_told(const struct bly_rounds *rounds, uint64_t told[BLY_LEVEL_TOLD]);
/* All of it, of a source of kind COUNTER, for the levels' fault. */
bailey_status bly_rounds_tell(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                              uint64_t told[BLY_LEVEL_TOLD]);

/* ---- For kernels that stay (mlmc_persistent.c) ------------------------------------------------------ */

#define BLY_ROUNDS_PARTS 128u

/* Likewise, without memory for lists. Returns, besides: ERROR_UNSUPPORTED where kernels and the host do not
 * hear of each other. */
bailey_status bly_rounds_create_staying(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                        struct bly_levels *levels, struct bly_rounds **rounds);

/* Launches the kernel, in queue 0: `control` and `own` as kernels/mlmc_list.h says, `nodes` is the host's
 * memory that kernels see. */
bailey_status bly_rounds_stay(struct bly_rounds *rounds, bailey_buffer *control, bailey_buffer *nodes,
                              bailey_buffer *own);

/* Cuts the beginning of a range, up to *end, into parts of about `nodes` nodes in all, none of which is to be
 * folded. In each `ticket` is how many tickets it has, and `node` is not set. */
bailey_status bly_rounds_cut(const struct bly_rounds *rounds, const struct bly_level_range *range,
                             uint64_t nodes, bly_level_part parts[BLY_ROUNDS_PARTS], uint32_t *count,
                             uint64_t *end);

#endif
