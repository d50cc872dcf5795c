/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Compiled programs by key (src/backend/programs.h), with a backend that only counts: what is kept, what
 * goes, and what happens to binaries that are rejected. Where the cache on disk is made; the rest of its
 * tests are in test_opencl_faults_cache.c and test_cuda_faults_source.c.
 */
#include <backend/programs.h>

#include <dirent.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

/* A backend, and what it was asked to do. A program is a number. */
struct counts {
    uintptr_t number;
    size_t size; /* of the binary; 0: it has none */
    int built, loaded, rejects;
    bailey_status status;
};

static void *load(void *target, const void *binary, size_t size)
{
    struct counts *counts = target;
    uintptr_t number;
    if (counts->rejects) return NULL;
    counts->loaded++;
    assert_int_equal(size, counts->size);
    memcpy(&number, binary, sizeof number);
    return (void *)number;
}

static bailey_status build(void *target, void **program, void **binary, size_t *size)
{
    struct counts *counts = target;
    if (counts->status != BAILEY_OK) return bly_fail(counts->status, "told to fail");
    counts->built++;
    *program = (void *)counts->number;
    if (!counts->size) return BAILEY_OK;
    *binary = calloc(1, counts->size);
    assert_non_null(*binary);
    memcpy(*binary, &counts->number, sizeof counts->number);
    *size = counts->size;
    return BAILEY_OK;
}

/* Makes program `number` and checks whether it was built or loaded. */
static void make(struct counts *counts, uintptr_t number, int built, int loaded)
{
    char text[32];
    void *program = NULL;
    snprintf(text, sizeof text, "%lu", (unsigned long)number);
    const char *const key[] = {"test", text, NULL};
    const struct bly_wanted wanted = {.backend = "test",
                                      .name = "program",
                                      .key = key,
                                      .cache = BLY_CACHE_NONE,
                                      .target = counts,
                                      .load = load,
                                      .build = build};
    counts->number = number;
    counts->built = counts->loaded = 0;
    assert_int_equal(bly_program_make(&wanted, &program), BAILEY_OK);
    assert_int_equal((uintptr_t)program, number);
    assert_int_equal(counts->built, built);
    assert_int_equal(counts->loaded, loaded);
}

TEST(kept, HOST)
{
    struct counts counts = {.size = 100};
    make(&counts, 1, 1, 0);
    make(&counts, 1, 0, 1);
    make(&counts, 2, 1, 0);
    make(&counts, 1, 0, 1);
    counts.rejects = 1; /* replaced */
    make(&counts, 1, 1, 0);
    counts.rejects = 0;
    make(&counts, 1, 0, 1);
    counts.size = 0; /* nothing to keep */
    make(&counts, 3, 1, 0);
    make(&counts, 3, 1, 0);
}

TEST(key_parts, HOST)
{
    struct counts counts = {.number = 4, .size = 8};
    static const char *const keys[][4] = {{"test", "ab", "c"}, {"test", "a", "bc"}, {"test", "abc"}};
    for (int i = 0; i < 3; i++) { /* where a part ends matters */
        const struct bly_wanted wanted = {"test",  "program", keys[i], BLY_CACHE_NONE,
                                          &counts, load,      build,   NULL};
        void *program = NULL;
        assert_int_equal(bly_program_make(&wanted, &program), BAILEY_OK);
        assert_int_equal(counts.built, i + 1);
    }
}

TEST(failures, HOST)
{
    struct counts counts = {.size = 100, .status = BAILEY_ERROR_BUILD};
    static const char *const key[] = {"test", "failing", NULL};
    const struct bly_wanted wanted = {"test", "program", key, BLY_CACHE_NONE, &counts, load, build, NULL};
    void *program = &counts;
    assert_int_equal(bly_program_make(&wanted, &program), BAILEY_ERROR_BUILD);
    assert_null(program);
    counts.status = BAILEY_OK;
    counts.number = 5;
    assert_int_equal(bly_program_make(&wanted, &program), BAILEY_OK); /* a failure is not kept */
    assert_int_equal(counts.built, 1);
}

/* 64 MiB are kept: six of 10 MiB, those used last. */
TEST(bounded, HOST)
{
    struct counts counts = {.size = (size_t)10 << 20};
    for (uintptr_t i = 10; i < 16; i++) make(&counts, i, 1, 0);
    make(&counts, 10, 0, 1);
    make(&counts, 16, 1, 0); /* 11 goes, which was used longest ago */
    make(&counts, 10, 0, 1);
    make(&counts, 12, 0, 1);
    make(&counts, 11, 1, 0);
    make(&counts, 13, 1, 0);
    counts.size = (size_t)65 << 20; /* more than all that is kept */
    make(&counts, 17, 1, 0);
    make(&counts, 17, 1, 0);
    counts.size = 100;
    make(&counts, 18, 1, 0);
    make(&counts, 18, 0, 1);
}

/* Opens the cache with `variable` set to root/value, then says whether root/made was made; root is emptied.
 */
static int opens(const char *root, const char *variable, const char *value, const char *made)
{
    char path[256], clean[256];
    unsetenv("BAILEY_CACHE_DIR");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    snprintf(path, sizeof path, "%s/%s", root, value);
    setenv(variable, path, 1);
    const int cache = bly_cache_open(NULL);
    snprintf(path, sizeof path, "%s/%s", root, made);
    const int exists = access(path, F_OK) == 0;
    assert_int_equal(cache != BLY_CACHE_NONE, exists);
    bly_cache_close(cache);
    snprintf(clean, sizeof clean, "rm -rf '%s' && mkdir '%s'", root, root);
    assert_int_equal(system(clean), 0);
    return exists;
}

TEST(directories, HOST)
{
    char root[] = "/tmp/bailey-cache-XXXXXX", clean[64];
    assert_non_null(mkdtemp(root));
    assert_true(opens(root, "HOME", "", ".cache/bailey"));
    assert_true(opens(root, "HOME", "//", ".cache/bailey"));
    assert_false(opens(root, "HOME", "nobody", "nobody"));
    assert_false(opens(root, "HOME", "nobody/", "nobody"));
    assert_true(opens(root, "XDG_CACHE_HOME", "", "bailey"));
    assert_true(opens(root, "XDG_CACHE_HOME", "cache", "cache/bailey"));
    assert_true(opens(root, "XDG_CACHE_HOME", "cache//", "cache/bailey"));
    assert_false(opens(root, "XDG_CACHE_HOME", "nobody/cache", "nobody"));
    assert_false(opens(root, "XDG_CACHE_HOME", "nobody//cache//", "nobody"));
    assert_true(opens(root, "BAILEY_CACHE_DIR", "as/deep/as/wanted", "as/deep/as/wanted"));
    snprintf(clean, sizeof clean, "rm -rf '%s'", root);
    assert_int_equal(system(clean), 0);
}

/* Whether program `number` is in the cache; a load that succeeds counts as its use. */
static int is_cached(int cache, uint8_t number)
{
    const uint8_t key[BLY_DIGEST_BYTES] = {number};
    size_t size;
    void *data = bly_cache_load(cache, key, "program", &size);
    free(data);
    return data != NULL;
}

/* Stores 400 KiB, and lets some time pass for the clock of files. */
static void store(int cache, uint8_t number)
{
    static const char data[400 << 10];
    const uint8_t key[BLY_DIGEST_BYTES] = {number};
    bly_cache_store(cache, key, "program", data, sizeof data);
    usleep(50000);
}

TEST(evicted, HOST)
{
    char root[] = "/tmp/bailey-limit-XXXXXX", path[64], clean[64];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/notes.txt", root);
    FILE *notes = fopen(path, "w"); /* not an entry */
    assert_non_null(notes);
    assert_int_equal(fseek(notes, 2 << 20, SEEK_SET), 0);
    fputc('x', notes);
    fclose(notes);
    const int cache = bly_cache_open(root);
    setenv("BAILEY_CACHE_LIMIT", "1", 1);
    store(cache, 1);
    store(cache, 2);
    assert_true(is_cached(cache, 1)); /* is used now, after 2 */
    usleep(50000);
    store(cache, 3);
    assert_true(is_cached(cache, 1));
    assert_false(is_cached(cache, 2));
    assert_true(is_cached(cache, 3));
    assert_int_equal(access(path, F_OK), 0);
    setenv("BAILEY_CACHE_LIMIT", "one", 1); /* 256 */
    for (uint8_t number = 4; number < 8; number++) store(cache, number);
    for (uint8_t number = 3; number < 8; number++) assert_true(is_cached(cache, number));
    setenv("BAILEY_CACHE_LIMIT", "0", 1);
    store(cache, 9);
    for (uint8_t number = 1; number < 10; number++) assert_false(is_cached(cache, number));
    unsetenv("BAILEY_CACHE_LIMIT");
    bly_cache_close(cache);
    snprintf(clean, sizeof clean, "rm -rf '%s'", root);
    assert_int_equal(system(clean), 0);
}

/* Another process holds the lock and builds the same: this one waits, and loads it. */
TEST(locked, HOST)
{
    char directory[] = "/tmp/bailey_lock.XXXXXX", entry[96];
    assert_non_null(mkdtemp(directory));
    struct counts counts = {.number = 30, .size = 8};
    static const char *const key[] = {"test", "locked", NULL};
    const int cache = bly_cache_open(directory);
    const struct bly_wanted wanted = {"test", "program", key, cache, &counts, load, build, directory};
    int told[2];
    char byte;
    assert_int_equal(pipe(told), 0);
    const pid_t child = fork();
    if (child == 0) {
        const struct bly_wanted free = {"test", "program", key, cache, &counts, load, build, NULL};
        void *program;
        const int lock = bly_cache_lock(directory);
        const int good = lock != BLY_CACHE_NONE && write(told[1], "l", 1) == 1;
        usleep(300000);
        bly_program_make(&free, &program);
        _exit(!good); /* lets go of the lock */
    }
    assert_int_equal(read(told[0], &byte, 1), 1);
    void *program = NULL;
    assert_int_equal(bly_program_make(&wanted, &program), BAILEY_OK);
    assert_int_equal((uintptr_t)program, 30);
    assert_int_equal(counts.built, 0);
    assert_int_equal(counts.loaded, 1);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    const int lock = bly_cache_lock(directory); /* is free */
    assert_int_not_equal(lock, BLY_CACHE_NONE);
    bly_cache_unlock(lock);
    assert_int_equal(bly_cache_lock("/nonexistent"), BLY_CACHE_NONE);
    bly_cache_close(cache);
    DIR *files = opendir(directory);
    for (struct dirent *file; (file = readdir(files));) {
        snprintf(entry, sizeof entry, "%.20s/%.70s", directory, file->d_name);
        unlink(entry);
    }
    closedir(files);
    rmdir(directory);
}

/* Threads in a backend: `build` ends when as many as two are in it, or after `seconds`. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int seconds, inside, most, built, loaded;
} meeting = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *meet_load(void *target, const void *binary, size_t size)
{
    (void)target, (void)binary, (void)size;
    pthread_mutex_lock(&meeting.mutex);
    meeting.loaded++;
    pthread_mutex_unlock(&meeting.mutex);
    return &meeting;
}

static bailey_status meet_build(void *target, void **program, void **binary, size_t *size)
{
    struct timespec end;
    int late = 0;
    (void)target;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += meeting.seconds;
    pthread_mutex_lock(&meeting.mutex);
    meeting.built++;
    if (++meeting.inside > meeting.most) meeting.most = meeting.inside;
    pthread_cond_broadcast(&meeting.changed);
    while (meeting.most < 2 && !late) late = pthread_cond_timedwait(&meeting.changed, &meeting.mutex, &end);
    meeting.inside--;
    pthread_mutex_unlock(&meeting.mutex);
    *size = 100;
    *binary = calloc(1, *size);
    *program = &meeting;
    return BAILEY_OK;
}

static void *meet(void *wanted)
{
    void *program = NULL;
    return bly_program_make(wanted, &program) == BAILEY_OK ? program : NULL;
}

/* Two threads make programs of these keys. */
static void make_both(const char *first, const char *second, const char *lock, int seconds)
{
    const char *const keys[2][3] = {{"test", first, NULL}, {"test", second, NULL}};
    pthread_t threads[2];
    struct bly_wanted programs[2];
    meeting.seconds = seconds;
    meeting.most = meeting.built = meeting.loaded = 0;
    for (int i = 0; i < 2; i++) {
        programs[i] = (struct bly_wanted){"test", "program", keys[i],    BLY_CACHE_NONE,
                                          NULL,   meet_load, meet_build, lock};
        assert_int_equal(pthread_create(&threads[i], NULL, meet, &programs[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        void *made = NULL;
        pthread_join(threads[i], &made);
        assert_ptr_equal(made, &meeting);
    }
}

TEST(together, HOST | LONG)
{
    make_both("one", "other", NULL, 30); /* both are in build at once */
    assert_int_equal(meeting.most, 2);
    assert_int_equal(meeting.built, 2);
    make_both("same", "same", NULL, 1); /* built once, and loaded by who waited */
    assert_int_equal(meeting.built, 1);
    assert_int_equal(meeting.loaded, 1);
    make_both("alone", "alone too", ".", 1); /* a driver that works for one at a time */
    assert_int_equal(meeting.most, 1);
    assert_int_equal(meeting.built, 2);
}
