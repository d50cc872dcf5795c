/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The identity of a run, and the seal around bytes that are saved of it: 16 bytes with their kind and format,
 * 16 with the version of the library that wrote them, the run's identity, contents, and SHA-256 of all that.
 */
#ifndef BLY_SEAL_H
#define BLY_SEAL_H

#include <bailey/bailey.h>
#include <base/hash.h>

/* In parts, so that the error says what differs. */
enum bly_identity_part {
    BLY_IDENTITY_PATH,
    BLY_IDENTITY_PAYOFF, /* or level functions */
    BLY_IDENTITY_PARAMETERS,
    BLY_IDENTITY_SOURCE,
    BLY_IDENTITY_RUN,
    BLY_IDENTITY_PARTS
};
struct bly_identity {
    uint8_t digest[BLY_IDENTITY_PARTS][BLY_DIGEST_BYTES];
};

/* A kind of sealed bytes. */
struct bly_seal {
    const char *mark;                      /* without the format's number: "bailey tally " */
    unsigned format, bare;                 /* formats up to `bare` had no version in the head */
    const char *argument;                  /* that is refused */
    const char *what;                      /* "bytes are damaged, or not a tally" */
    const char *parts[BLY_IDENTITY_PARTS]; /* of identities: "the paths, or the precision" */
};

#define BLY_SEAL_IDENTITY 32u /* where it stands */
#define BLY_SEAL_HEAD (BLY_SEAL_IDENTITY + sizeof(struct bly_identity))

/* Writes the head. Returns where the contents begin. */
uint8_t *bly_seal_begin(const struct bly_seal *seal, const struct bly_identity *identity, void *bytes);

/* Seals what ends before `end`. Returns how many bytes it is then. */
uint64_t bly_seal_end(void *bytes, uint8_t *end);

/* Refuses bytes that are damaged, of another format or version, or of another run. */
bailey_status bly_seal_check(const struct bly_seal *seal, const struct bly_identity *identity,
                             const uint8_t *bytes, uint64_t size);
bailey_status bly_seal_damaged(const struct bly_seal *seal, const char *how);

/* Which part differs first, as "the payoff's parameters"; NULL if none does. */
const char *bly_seal_differs(const struct bly_seal *seal, const struct bly_identity *a,
                             const struct bly_identity *b);

#endif
