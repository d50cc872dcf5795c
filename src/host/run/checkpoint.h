/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The file of a job, or of another run: either whole, as it was last written, or not there.
 */
#ifndef BLY_CHECKPOINT_H
#define BLY_CHECKPOINT_H

#include <bailey/job.h>

#define BLY_CHECKPOINT_SECONDS 60.0 /* between two savings, where nothing else is asked for */

/* The bytes of a file, to be freed with bly_free; NULL of one that is not there. */
bailey_status bly_checkpoint_load(const char *path, uint8_t **bytes, uint64_t *size);

/* Adds the file's name to the message of a status ERROR_INVALID. Returns `status`. */
bailey_status bly_checkpoint_refuse(const char *path, bailey_status status);

/* Writes bytes to a temporary file, makes sure that they are on the disk, and replaces the file. */
bailey_status bly_checkpoint_write(const char *path, const void *bytes, uint64_t size);

#endif
