/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The file of a run of levels (run/checkpoint.h): sums of all levels and what is under way.
 */
#ifndef BLY_MLMC_CHECKPOINT_H
#define BLY_MLMC_CHECKPOINT_H

#include "driver.h"

#include <host/run/seal.h>

/* The parts that run parameters say; the others are left to the caller. */
void bly_mlmc_identify(const bailey_mlmc_run_params *params, struct bly_identity *identity);

struct bly_mlmc_file {
    const char *path;
    const struct bly_identity *identity;
    const struct bly_levels *levels;
    const struct bly_mlmc_state *state;
    double every, saved; /* seconds: between two times, and when it was last written */
};

/* Sets state and levels, of which nothing is known, to what the file has; one that is not there has
 * nothing. Returns: OK; ERROR_INVALID (damaged, or of another run; names "checkpoint"), ERROR_IO,
 * ERROR_MEMORY. */
bailey_status bly_mlmc_file_read(const char *path, const struct bly_identity *identity,
                                 struct bly_levels *levels, struct bly_mlmc_state *state);

/* Writes it, unless a list has been taken in part: what was written before stands then. */
bailey_status bly_mlmc_file_write(struct bly_mlmc_file *file);

/* Of struct bly_mlmc_state: writes it if it is time. A disk that is full now may have room later, so that
 * it never fails. */
bailey_status bly_mlmc_file_save(void *file);

#endif
