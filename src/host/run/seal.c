/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sealed bytes are checked from the outside in - length, mark, checksum, version, run - so that the error
 * names the first thing that is wrong.
 */
#include "seal.h"

#include <base/status.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK_BYTES 16u
#define VERSION_BYTES (BLY_SEAL_IDENTITY - MARK_BYTES)

const char *bly_seal_differs(const struct bly_seal *seal, const struct bly_identity *a,
                             const struct bly_identity *b)
{
    for (int i = 0; i < BLY_IDENTITY_PARTS; i++)
        if (memcmp(a->digest[i], b->digest[i], BLY_DIGEST_BYTES) != 0) return seal->parts[i];
    return NULL;
}

/* ---- Writing --------------------------------------------------------------------------------------- */

uint8_t *bly_seal_begin(const struct bly_seal *seal, const struct bly_identity *identity, void *bytes)
{
    char head[BLY_SEAL_IDENTITY] = {0};
    snprintf(head, MARK_BYTES, "%s%u\n", seal->mark, seal->format);
    snprintf(head + MARK_BYTES, VERSION_BYTES, "%s", bailey_version());
    memcpy(bytes, head, sizeof head);
    memcpy((uint8_t *)bytes + sizeof head, identity, sizeof *identity);
    return (uint8_t *)bytes + BLY_SEAL_HEAD;
}

uint64_t bly_seal_end(void *bytes, uint8_t *end)
{
    const size_t size = (size_t)(end - (uint8_t *)bytes);
    bly_hash_of(bytes, size, end);
    return size + BLY_DIGEST_BYTES;
}

/* ---- Reading --------------------------------------------------------------------------------------- */

bailey_status bly_seal_damaged(const struct bly_seal *seal, const char *how)
{
    return bly_fail_argument(seal->argument, "%s: %s", seal->what, how);
}

/* Numbers and bits that a checkpoint has are those of one version. */
static bailey_status check_version(const struct bly_seal *seal, const uint8_t *bytes)
{
    char version[40] = "0.1.0, before its release", mark[MARK_BYTES + 1] = "";
    memcpy(mark, bytes, MARK_BYTES);
    const unsigned long format = strtoul(mark + strlen(seal->mark), NULL, 10);
    if (format > seal->bare) snprintf(version, sizeof version, "%.16s", (const char *)bytes + MARK_BYTES);
    if (format == seal->format && strcmp(version, bailey_version()) == 0) return BAILEY_OK;
    return bly_fail_argument(seal->argument,
                             "it was written by bailey %s, in format %lu; this is bailey %s, with format %u: "
                             "finish the run with the version that started it, or restart it",
                             version, format, bailey_version(), seal->format);
}

bailey_status bly_seal_check(const struct bly_seal *seal, const struct bly_identity *identity,
                             const uint8_t *bytes, uint64_t size)
{
    uint8_t digest[BLY_DIGEST_BYTES];
    struct bly_identity own;
    if (size < BLY_SEAL_IDENTITY + BLY_DIGEST_BYTES) return bly_seal_damaged(seal, "it is too short");
    if (memcmp(bytes, seal->mark, strlen(seal->mark)) != 0)
        return bly_seal_damaged(seal, "it does not begin as one");
    bly_hash_of(bytes, (size_t)(size - BLY_DIGEST_BYTES), digest);
    if (memcmp(digest, bytes + size - BLY_DIGEST_BYTES, BLY_DIGEST_BYTES) != 0)
        return bly_seal_damaged(seal, "the checksum is wrong");
    const bailey_status status = check_version(seal, bytes);
    if (status != BAILEY_OK) return status;
    if (size < BLY_SEAL_HEAD + BLY_DIGEST_BYTES) return bly_seal_damaged(seal, "it is too short");
    memcpy(&own, bytes + BLY_SEAL_IDENTITY, sizeof own);
    const char *what = bly_seal_differs(seal, identity, &own);
    if (!what) return BAILEY_OK;
    return bly_fail_argument(seal->argument, "it belongs to another run: not the same %s", what + 4);
}
