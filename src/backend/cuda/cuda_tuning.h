/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What is tuned for CUDA devices, by compute capability. No result depends on it.
 */
#ifndef BLY_CUDA_TUNING_H
#define BLY_CUDA_TUNING_H

#include <backend/backend.h>

struct bly_cuda_tuning {
    unsigned capability;    /* times 10: of devices of at least this one */
    struct bly_tuning host; /* what the host layer asks for */
    /* Threads of a row's block, powers of two: at most `block`, halved down to `least_block` while a launch
     * has fewer than `blocks_per_unit` blocks for each multiprocessor. */
    unsigned block, least_block, blocks_per_unit;
    /* A kernel that copies a table into every block is not used if less than 1 in so many of its threads
     * would have an item. */
    unsigned copies_part;
    unsigned idle_part; /* rows fill a block where items alone would leave more than 1 in so many idle */
};

/* That of a device; the table ends with what every device has. */
const struct bly_cuda_tuning *bly_cuda_tuning_of(unsigned capability);

#endif
