/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Entries of the cache of programs (src/backend/cache.h). The first byte of a case says, by its bits, what of
 * the header is made right, and what kind of file it is.
 */
#include "fuzz.h"

#include <backend/cache.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    RIGHT_MARK = 1,
    RIGHT_KEY = 2,
    RIGHT_LENGTH = 4,
    RIGHT_DIGEST = 8,
    PUBLIC = 16,
    LINK = 32,
    STORE = 64
};
enum { KEY = 8, LENGTH = KEY + BLY_DIGEST_BYTES, DIGEST = LENGTH + 8, HEADER = DIGEST + BLY_DIGEST_BYTES };

static const uint8_t key[BLY_DIGEST_BYTES];
static char name[2 * BLY_DIGEST_BYTES + 5];
static int cache;

static void close_cache(void)
{
    bly_cache_drop(cache, key);
    bly_cache_close(cache);
}

static void open_cache(void)
{
    if (*name) return;
    memset(name, '0', sizeof name - 5);
    memcpy(name + sizeof name - 5, ".bin", 5);
    cache = bly_cache_open(fuzz_folder());
    FUZZ_REQUIRE(cache != BLY_CACHE_NONE);
    atexit(close_cache);
}

static void repair(uint8_t *bytes, size_t size, int right)
{
    if (size < HEADER) return;
    if (right & RIGHT_MARK) memcpy(bytes, "baileyP1", KEY);
    if (right & RIGHT_KEY) memcpy(bytes + KEY, key, sizeof key);
    for (int i = 0; i < 8 && right & RIGHT_LENGTH; i++)
        bytes[LENGTH + i] = (uint8_t)((uint64_t)(size - HEADER) >> 8 * i);
    if (right & RIGHT_DIGEST) bly_hash_of(bytes + HEADER, size - HEADER, bytes + DIGEST);
}

static void write_entry(const uint8_t *bytes, size_t size, int kind)
{
    bly_cache_drop(cache, key);
    if (kind & LINK) {
        FUZZ_REQUIRE(symlinkat("/dev/zero", cache, name) == 0);
        return;
    }
    const int file = openat(cache, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    FUZZ_REQUIRE(file >= 0 && bly_file_write(file, bytes, size));
    if (kind & PUBLIC) FUZZ_REQUIRE(fchmod(file, 0666) == 0);
    close(file);
}

/* An entry that loads consists of the bytes behind a correct header; one that does not load is removed,
 * unless it belongs to another user. */
static void load_entry(const uint8_t *bytes, size_t size, int kind)
{
    struct stat about;
    uint8_t digest[BLY_DIGEST_BYTES];
    size_t loaded = 0;
    write_entry(bytes, size, kind);
    uint8_t *data = bly_cache_load(cache, key, "fuzz", &loaded);
    if (data) {
        FUZZ_REQUIRE(!(kind & (PUBLIC | LINK)) && size > HEADER && loaded == size - HEADER);
        FUZZ_REQUIRE(!memcmp(data, bytes + HEADER, loaded) && !memcmp(bytes, "baileyP1", KEY));
        bly_hash_of(data, loaded, digest);
        FUZZ_REQUIRE(!memcmp(digest, bytes + DIGEST, sizeof digest) && !memcmp(bytes + KEY, key, sizeof key));
    }
    if (!data && !(kind & (PUBLIC | LINK)))
        FUZZ_REQUIRE(fstatat(cache, name, &about, AT_SYMLINK_NOFOLLOW) != 0);
    free(data);
}

static void store_entry(const uint8_t *bytes, size_t size)
{
    size_t loaded = 0;
    bly_cache_drop(cache, key);
    bly_cache_store(cache, key, "fuzz", bytes, size);
    uint8_t *data = bly_cache_load(cache, key, "fuzz", &loaded);
    FUZZ_REQUIRE(size ? data && loaded == size && !memcmp(data, bytes, size) : !data);
    free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    open_cache();
    if (data[0] & STORE) {
        store_entry(data + 1, size - 1);
        return 0;
    }
    uint8_t *bytes = malloc(size);
    FUZZ_REQUIRE(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    repair(bytes, size - 1, data[0]);
    load_entry(bytes, size - 1, data[0]);
    free(bytes);
    return 0;
}
