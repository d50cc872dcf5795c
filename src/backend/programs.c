/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "programs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_BYTES ((size_t)64 << 20)

struct binary {
    struct binary *next;
    uint8_t key[BLY_DIGEST_BYTES];
    size_t size;
    void *data;
};

/* Held while a program is looked up and built, so that no two threads build the same one. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct binary *binaries; /* the one used last comes first */

static void make_key(const char *const *parts, uint8_t key[BLY_DIGEST_BYTES])
{
    static uint8_t headers[BLY_DIGEST_BYTES];
    static int have_headers;
    struct bly_hash hash;
    if (!have_headers) {
        bly_hash_init(&hash);
        for (const struct bly_embedded *h = bly_embedded_headers; h->name; h++) {
            bly_hash_add_text(&hash, h->name);
            bly_hash_add_text(&hash, h->text);
        }
        bly_hash_done(&hash, headers);
        have_headers = 1;
    }
    bly_hash_init(&hash);
    while (*parts) bly_hash_add_text(&hash, *parts++);
    bly_hash_add(&hash, headers, sizeof headers);
    bly_hash_done(&hash, key);
}

/* Drops what was used longest ago. */
static void trim(void)
{
    size_t total = 0;
    struct binary **link = &binaries;
    while (*link && (total += (*link)->size) <= KEPT_BYTES) link = &(*link)->next;
    while (*link) {
        struct binary *old = *link;
        *link = old->next;
        free(old->data);
        free(old);
    }
}

/* Takes `data`. Without memory for the list the program is used all the same. */
static void keep(const uint8_t key[BLY_DIGEST_BYTES], void *data, size_t size)
{
    struct binary *binary = malloc(sizeof *binary);
    if (!binary) {
        free(data);
        return;
    }
    memcpy(binary->key, key, BLY_DIGEST_BYTES);
    binary->data = data;
    binary->size = size;
    binary->next = binaries;
    binaries = binary;
    trim();
}

static void *from_process(const struct bly_program *what, const uint8_t key[BLY_DIGEST_BYTES])
{
    for (struct binary **link = &binaries; *link; link = &(*link)->next) {
        struct binary *binary = *link;
        if (memcmp(binary->key, key, BLY_DIGEST_BYTES) != 0) continue;
        void *program = what->load(what->target, binary->data, binary->size);
        *link = binary->next;
        if (program) {
            binary->next = binaries;
            binaries = binary;
        } else { /* another one will be built */
            free(binary->data);
            free(binary);
        }
        return program;
    }
    return NULL;
}

static void *from_disk(const struct bly_program *what, const uint8_t key[BLY_DIGEST_BYTES])
{
    size_t size;
    void *data = bly_cache_load(what->cache, key, what->name, &size);
    if (!data) return NULL;
    void *program = what->load(what->target, data, size);
    if (program) {
        keep(key, data, size);
        return program;
    }
    bly_log(1, "%s: the driver rejects the cached %s; it will be rebuilt", what->backend, what->name);
    bly_cache_drop(what->cache, key);
    free(data);
    return NULL;
}

static bailey_status build(const struct bly_program *what, const uint8_t key[BLY_DIGEST_BYTES],
                           void **program)
{
    const double start = bly_seconds();
    void *binary = NULL;
    size_t size = 0;
    bly_log(1, "%s: building %s ...", what->backend, what->name);
    const bailey_status status = what->build(what->target, program, &binary, &size);
    if (status != BAILEY_OK) {
        bly_log(1, "%s: %s did not build", what->backend, what->name);
        return status;
    }
    if (binary) {
        bly_cache_store(what->cache, key, what->name, binary, size);
        keep(key, binary, size);
    }
    bly_log(1, "%s: built %s in %.3f s", what->backend, what->name, bly_seconds() - start);
    return BAILEY_OK;
}

static bailey_status find_or_build(const struct bly_program *what, const uint8_t key[BLY_DIGEST_BYTES],
                                   void **program)
{
    const double start = bly_seconds();
    if (!(*program = from_disk(what, key))) return build(what, key, program);
    bly_log(1, "%s: loaded %s from cache in %.3f s", what->backend, what->name, bly_seconds() - start);
    return BAILEY_OK;
}

static bailey_status make(const struct bly_program *what, void **program)
{
    uint8_t key[BLY_DIGEST_BYTES];
    make_key(what->key, key);
    if ((*program = from_process(what, key))) return BAILEY_OK;
    const int lock = what->lock ? bly_cache_lock(what->lock) : BLY_CACHE_NONE;
    const bailey_status status = find_or_build(what, key, program);
    bly_cache_unlock(lock);
    return status;
}

bailey_status bly_program_make(const struct bly_program *what, void **program)
{
    *program = NULL;
    pthread_mutex_lock(&mutex);
    const bailey_status status = make(what, program);
    pthread_mutex_unlock(&mutex);
    return status;
}
