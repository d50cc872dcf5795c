/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Making programs once. Where several threads want the same one, the first takes its key and the others wait
 * for it; once it is there they load its binary, which is faster than to build it again.
 */
#include "programs.h"

#include <base/alloc.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- Their code ------------------------------------------------------------------------------ */

void bly_code_define(const struct bly_code *code, struct bly_text *text)
{
    for (const char *const *define = code->defines; define && *define; define++) {
        const int name = (int)strcspn(*define, "=");
        bly_text_add(text, "#define %.*s %s\n", name, *define, (*define)[name] ? *define + name + 1 : "1");
    }
}

char *bly_code_compose(const struct bly_code *code)
{
    struct bly_text text = {0};
    bly_code_define(code, &text);
    bly_text_add(&text, "%s%s", text.used ? "#line 1\n" : "", code->text);
    if (!text.failed) return text.data;
    bly_free(text.data);
    return NULL;
}

uint32_t bly_code_shared_bytes(const struct bly_code *code)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < code->kernel_count; i++)
        if (bly_shared_bytes(&code->kernels[i]) > most) most = bly_shared_bytes(&code->kernels[i]);
    return most;
}

struct bly_kernel *bly_code_kernels(const struct bly_code *code)
{
    const size_t fixed = code->kernel_count * sizeof(struct bly_kernel);
    size_t names = 0;
    for (uint32_t i = 0; i < code->kernel_count; i++) names += strlen(code->kernels[i].name) + 1;
    struct bly_kernel *kernels = bly_alloc(1, fixed + names);
    char *name = (char *)kernels + fixed;
    for (uint32_t i = 0; kernels && i < code->kernel_count; i++) {
        kernels[i] = code->kernels[i];
        kernels[i].name = strcpy(name, code->kernels[i].name);
        name += strlen(name) + 1;
    }
    return kernels;
}

/* ---- Making them ----------------------------------------------------------------------------- */

/* Of binaries that no thread has taken; what goes is on disk, where there is a cache. */
#define CACHED_BYTES ((size_t)64 << 20)

/* A key that is asked for, and its binary once there is one. */
struct binary {
    struct binary *next;
    uint8_t key[BLY_DIGEST_BYTES];
    size_t size;
    void *data; /* NULL: it is being built */
    int taken;  /* a thread loads or builds it, and the others that want it wait */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of what follows; never held in a driver */
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static struct binary *binaries; /* the one used last comes first */

/* Drivers that work for one process at a time (`lock`) do so for one thread. */
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;

static void make_key(const char *const *parts, uint8_t key[BLY_DIGEST_BYTES])
{
    struct bly_hash hash;
    bly_hash_init(&hash);
    while (*parts) bly_hash_add_text(&hash, *parts++);
    bly_hash_add_text(&hash, bly_embedded_digest);
    bly_hash_done(&hash, key);
}

static struct binary **link_of(const uint8_t key[BLY_DIGEST_BYTES])
{
    struct binary **link = &binaries;
    while (*link && memcmp((*link)->key, key, BLY_DIGEST_BYTES) != 0) link = &(*link)->next;
    return link;
}

/* Waits until no other thread has the key, and takes it. NULL without memory: the program is made all the
 * same, and not cached. */
static struct binary *take(const uint8_t key[BLY_DIGEST_BYTES])
{
    struct binary **link, *binary;
    pthread_mutex_lock(&mutex);
    while ((binary = *(link = link_of(key))) && binary->taken) pthread_cond_wait(&released, &mutex);
    if (binary)
        *link = binary->next;
    else if ((binary = calloc(1, sizeof *binary)))
        memcpy(binary->key, key, BLY_DIGEST_BYTES);
    if (binary) {
        binary->taken = 1;
        binary->next = binaries;
        binaries = binary;
    }
    pthread_mutex_unlock(&mutex);
    return binary;
}

static void drop(struct binary **link)
{
    struct binary *old = *link;
    *link = old->next;
    free(old->data);
    free(old);
}

/* Drops what was used longest ago. */
static void trim(void)
{
    size_t total = 0;
    for (struct binary **link = &binaries; *link;) {
        if (!(*link)->taken) total += (*link)->size;
        if (total > CACHED_BYTES && !(*link)->taken)
            drop(link);
        else
            link = &(*link)->next;
    }
}

static void release(struct binary *binary)
{
    if (!binary) return;
    pthread_mutex_lock(&mutex);
    binary->taken = 0;
    if (!binary->data) drop(link_of(binary->key));
    trim();
    pthread_cond_broadcast(&released);
    pthread_mutex_unlock(&mutex);
}

/* Takes `data`, which stays where the key has an entry. */
static void keep(struct binary *binary, void *data, size_t size)
{
    if (!binary) {
        free(data);
        return;
    }
    binary->data = data;
    binary->size = size;
}

static void *from_process(const struct bly_wanted *what, struct binary *binary)
{
    if (!binary || !binary->data) return NULL;
    void *program = what->load(what->target, binary->data, binary->size);
    if (program) return program;
    free(binary->data); /* another one will be built */
    binary->data = NULL;
    binary->size = 0;
    return NULL;
}

static void *from_disk(const struct bly_wanted *what, const uint8_t key[BLY_DIGEST_BYTES],
                       struct binary *binary)
{
    size_t size;
    void *data = bly_cache_load(what->cache, key, what->name, &size);
    if (!data) return NULL;
    void *program = what->load(what->target, data, size);
    if (program) {
        keep(binary, data, size);
        return program;
    }
    bly_log(1, "%s: the driver rejects the cached %s; it will be rebuilt", what->backend, what->name);
    bly_cache_drop(what->cache, key);
    free(data);
    return NULL;
}

static bailey_status build(const struct bly_wanted *what, const uint8_t key[BLY_DIGEST_BYTES],
                           struct binary *entry, void **program)
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
        keep(entry, binary, size);
    }
    bly_log(1, "%s: built %s in %.3f s", what->backend, what->name, bly_seconds() - start);
    return BAILEY_OK;
}

static bailey_status find_or_build(const struct bly_wanted *what, const uint8_t key[BLY_DIGEST_BYTES],
                                   struct binary *binary, void **program)
{
    const double start = bly_seconds();
    if (!(*program = from_disk(what, key, binary))) return build(what, key, binary, program);
    bly_log(1, "%s: loaded %s from cache in %.3f s", what->backend, what->name, bly_seconds() - start);
    return BAILEY_OK;
}

static bailey_status make(const struct bly_wanted *what, const uint8_t key[BLY_DIGEST_BYTES],
                          struct binary *binary, void **program)
{
    if ((*program = from_process(what, binary))) return BAILEY_OK;
    const int lock = what->lock ? bly_cache_lock(what->lock) : BLY_CACHE_NONE;
    const bailey_status status = find_or_build(what, key, binary, program);
    bly_cache_unlock(lock);
    return status;
}

bailey_status bly_program_make(const struct bly_wanted *what, void **program)
{
    uint8_t key[BLY_DIGEST_BYTES];
    *program = NULL;
    make_key(what->key, key);
    struct binary *binary = take(key);
    if (what->lock) pthread_mutex_lock(&alone);
    const bailey_status status = make(what, key, binary, program);
    if (what->lock) pthread_mutex_unlock(&alone);
    release(binary);
    return status;
}
