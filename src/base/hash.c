/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * SHA-256 as FIPS 180-4 writes it. Its own code rather than a library's: the digest of a program or of a
 * checkpoint has to be the same on every system, and nothing else here would need the library.
 */
#include "hash.h"

#include <string.h>

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* FIPS 180-4, section 6.2.2; the constants are those of its section 4.2.2. */
static void compress(uint32_t state[8], const uint8_t block[64])
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        const uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(s, state, sizeof s);
    /* Eight rounds bring every variable back to its place. */
    for (int i = 0; i < 64; i += 8)
        for (int j = 0; j < 8; j++) {
            const uint32_t a = s[(8 - j) & 7], b = s[(9 - j) & 7], c = s[(10 - j) & 7], e = s[(12 - j) & 7],
                           f = s[(13 - j) & 7], g = s[(14 - j) & 7];
            const uint32_t t = s[7 - j] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                               (g ^ (e & (f ^ g))) + k[i + j] + w[i + j];
            s[(11 - j) & 7] += t;
            s[7 - j] = t + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) | (c & (a | b)));
        }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

void bly_hash_init(struct bly_hash *hash)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}; /* section 5.3.3 */
    memcpy(hash->state, start, sizeof start);
    hash->length = 0;
}

void bly_hash_add(struct bly_hash *hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    size_t used = hash->length % 64;
    hash->length += size;
    while (size) {
        if (used == 0 && size >= 64) {
            compress(hash->state, bytes);
            bytes += 64;
            size -= 64;
            continue;
        }
        const size_t part = size < 64 - used ? size : 64 - used;
        memcpy(hash->block + used, bytes, part);
        bytes += part;
        size -= part;
        used += part;
        if (used == 64) {
            compress(hash->state, hash->block);
            used = 0;
        }
    }
}

void bly_hash_add_text(struct bly_hash *hash, const char *text)
{
    const size_t size = strlen(text);
    uint8_t length[8];
    for (int i = 0; i < 8; i++) length[i] = (uint8_t)((uint64_t)size >> 8 * i);
    bly_hash_add(hash, length, sizeof length);
    bly_hash_add(hash, text, size);
}

void bly_hash_done(struct bly_hash *hash, uint8_t digest[BLY_DIGEST_BYTES])
{
    static const uint8_t padding[64] = {0x80};
    const uint64_t bits = hash->length * 8;
    uint8_t length[8];
    for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
    bly_hash_add(hash, padding, 1 + (64 + 55 - hash->length % 64) % 64);
    bly_hash_add(hash, length, sizeof length);
    for (int i = 0; i < BLY_DIGEST_BYTES; i++)
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void bly_hash_of(const void *data, size_t size, uint8_t digest[BLY_DIGEST_BYTES])
{
    struct bly_hash hash;
    bly_hash_init(&hash);
    bly_hash_add(&hash, data, size);
    bly_hash_done(&hash, digest);
}
