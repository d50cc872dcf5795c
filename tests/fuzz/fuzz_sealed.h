/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Files that end with SHA-256 of what is before: few cases would come further than that. So a case is what
 * stands between the file's beginning, which says what run it is of, and the digest.
 */
#ifndef FUZZ_SEALED_H
#define FUZZ_SEALED_H

#include "fuzz.h"

#include <base/hash.h>

#include <stdlib.h>
#include <string.h>

/* Reads a case as such a file. One that has the beginning is a file as it is. */
static inline void fuzz_sealed(const uint8_t *beginning, size_t beginning_size, const uint8_t *data,
                               size_t size, void (*read)(const uint8_t *bytes, size_t size))
{
    const size_t sealed = beginning_size + size;
    if (size >= 6 && !memcmp(data, beginning, 6)) {
        read(data, size);
        return;
    }
    uint8_t *bytes = malloc(sealed + BLY_DIGEST_BYTES);
    FUZZ_REQUIRE(bytes != NULL);
    memcpy(bytes, beginning, beginning_size);
    if (size) memcpy(bytes + beginning_size, data, size);
    bly_hash_of(bytes, sealed, bytes + sealed);
    read(bytes, sealed + BLY_DIGEST_BYTES);
    free(bytes);
}

#endif
