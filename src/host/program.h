/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a context keeps for reuse: loaded programs above all, with what their makers know of them.
 *
 * An entry is known by a digest that its maker chooses, for example of all that the program's text depends
 * on: the text need not be made to find it. The contents follow from the digest, so an entry serves all who
 * ask for it. Entries that are not in use stay, up to a number; those used longest ago go.
 */
#ifndef BLY_PROGRAM_H
#define BLY_PROGRAM_H

#include <backend/backend.h>
#include <base/hash.h>

#define BLY_CACHED_BUFFERS 2

struct bly_cached {
    struct bly_cached *next;
    uint8_t key[BLY_DIGEST_BYTES];
    uint32_t users;
    struct bly_program *program;                /* NULL: there is none */
    struct bly_kernel *kernels;                 /* the program's */
    bailey_buffer *buffers[BLY_CACHED_BUFFERS]; /* of the pool, to which they go back with the entry */
    void *note;                                 /* the maker's own */
};

/* The entry with the key, which is in use until the caller releases it; NULL where there is none. */
struct bly_cached *bly_program_find(bailey_context *context, const uint8_t key[BLY_DIGEST_BYTES]);

/* A new entry, which the caller uses, with a note of so many zero bytes. Returns: OK, ERROR_MEMORY. */
bailey_status bly_program_new(bailey_context *context, const uint8_t key[BLY_DIGEST_BYTES], size_t note_bytes,
                              struct bly_cached **cached);
/* Loads the entry's program. Fails as `load` of backend.h does. */
bailey_status bly_program_load(bailey_context *context, struct bly_cached *cached,
                               const struct bly_code *code);

/* Ends a use. NULL is allowed. Waits for nothing, unless more entries are idle than are kept. */
void bly_program_release(bailey_context *context, struct bly_cached *cached);
/* Ends the only use of an entry, which is then removed. */
void bly_program_discard(bailey_context *context, struct bly_cached *cached);
/* Discards all of them; none is in use. */
void bly_program_empty(bailey_context *context);

#endif
