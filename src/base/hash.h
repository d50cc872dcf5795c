/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * SHA-256 (FIPS 180-4): names cached programs and guards their bytes.
 */
#ifndef BLY_HASH_H
#define BLY_HASH_H

#include <stddef.h>
#include <stdint.h>

#define BLY_DIGEST_BYTES 32

struct bly_hash {
    uint32_t state[8];
    uint64_t length;
    uint8_t block[64];
};

void bly_hash_init(struct bly_hash *hash);
void bly_hash_add(struct bly_hash *hash, const void *data, size_t size);
/* Adds the length and then the bytes, so that two texts never run into each other. */
void bly_hash_add_text(struct bly_hash *hash, const char *text);
void bly_hash_done(struct bly_hash *hash, uint8_t digest[BLY_DIGEST_BYTES]);
/* All at once. */
void bly_hash_of(const void *data, size_t size, uint8_t digest[BLY_DIGEST_BYTES]);

#endif
