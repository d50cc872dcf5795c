/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The ids of a file's deals, to find those that occur twice. Some 50 bytes are kept of each.
 */
#ifndef CLI_BATCH_IDS_H
#define CLI_BATCH_IDS_H

#include <stddef.h>
#include <stdint.h>

struct batch_ids {
    struct batch_id *table; /* [room], a power of two */
    size_t room, count;
};

/* Adds the id of a deal, whose text is read without being checked; without an id it is `number`. *same is the
 * line of an earlier deal with that id, or 0. Prints what is wrong, returns an exit code. */
int batch_ids_add(struct batch_ids *ids, const char *deal, size_t length, uint64_t number, uint64_t line,
                  uint64_t *same);
void batch_ids_free(struct batch_ids *ids);

#endif
