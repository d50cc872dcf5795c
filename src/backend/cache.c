/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The folder of compiled programs. Everything goes through a descriptor of the directory that was checked, so
 * that the directory cannot be exchanged between the check and the use. POSIX; another operating system
 * replaces this file.
 */
#define _POSIX_C_SOURCE 200809L
#define _GNU_SOURCE /* secure_getenv */
#include "cache.h"

#include "backend.h"

#include <base/cache_folder.h>
#include <base/replace.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_BYTES (8 + BLY_DIGEST_BYTES + 8 + BLY_DIGEST_BYTES) /* magic, key, length, digest */
#define MAX_BYTES (UINT64_C(1) << 28)
#define NAME_BYTES (2 * BLY_DIGEST_BYTES + 5) /* hex.bin */
#define LIMIT_MIB 256

static const char magic[8] = {'b', 'a', 'i', 'l', 'e', 'y', 'P', '1'};

/* mkdir -p, with mode 0700, of what follows the first `existing` characters. Returns 0 or the first error's
 * number, which says more than that of opening what was not made. */
static int make(char *path, size_t existing)
{
    int failed = 0;
    for (char *p = path + existing + 1;; p++) {
        const char end = *p;
        if (end && end != '/') continue;
        *p = 0;
        if (mkdir(path, 0700) != 0 && errno != EEXIST && !failed) failed = errno;
        *p = end;
        if (!end) return failed;
    }
}

/* Whether this user alone can have written the file that `s` describes. */
static int is_private(const struct stat *s)
{
    return s->st_uid == geteuid() && (s->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

int bly_cache_open(const char *wanted)
{
    char path[PATH_MAX];
    const char *why;
    size_t existing;
    if (!bly_cache_folder(wanted, path, sizeof path, &existing, &why)) {
        if (why) bly_log(1, "no program cache: %s", why);
        return BLY_CACHE_NONE;
    }
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0 && errno == ENOENT) {
        const int failed = make(path, existing);
        directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory < 0 && failed) errno = failed;
    }
    if (directory < 0) {
        bly_log(1, "no program cache: %s: %s", path, strerror(errno));
        return BLY_CACHE_NONE;
    }
    struct stat s;
    if (fstat(directory, &s) != 0 || !is_private(&s)) {
        bly_log(1, "no program cache: %s is owned or writable by other users (mode 0700 is required)", path);
        close(directory);
        return BLY_CACHE_NONE;
    }
    return directory;
}

void bly_cache_close(int cache)
{
    if (cache != BLY_CACHE_NONE) close(cache);
}

static void entry_name(const uint8_t key[BLY_DIGEST_BYTES], char name[NAME_BYTES])
{
    for (int i = 0; i < BLY_DIGEST_BYTES; i++) snprintf(name + 2 * i, 3, "%02x", key[i]);
    memcpy(name + 2 * BLY_DIGEST_BYTES, ".bin", 5);
}

static void make_header(uint8_t header[HEADER_BYTES], const uint8_t key[BLY_DIGEST_BYTES], const void *data,
                        size_t size)
{
    memcpy(header, magic, 8);
    memcpy(header + 8, key, BLY_DIGEST_BYTES);
    for (int i = 0; i < 8; i++) header[8 + BLY_DIGEST_BYTES + i] = (uint8_t)((uint64_t)size >> 8 * i);
    bly_hash_of(data, size, header + 16 + BLY_DIGEST_BYTES);
}

size_t bly_file_read(int file, uint64_t from, void *data, size_t size)
{
    size_t used = 0;
    while (used < size) {
        const ssize_t got = pread(file, (char *)data + used, size - used, (off_t)(from + used));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += (size_t)got;
    }
    return used;
}

int bly_file_write(int file, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        const ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return 0;
        at += written;
        size -= (size_t)written;
    }
    return 1;
}

void *bly_cache_load(int cache, const uint8_t key[BLY_DIGEST_BYTES], const char *name, size_t *size)
{
    if (cache == BLY_CACHE_NONE) return NULL;
    char entry[NAME_BYTES];
    entry_name(key, entry);
    /* O_NONBLOCK: a pipe of that name must not hang us. */
    const int file = openat(cache, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        if (errno != ENOENT) bly_log(1, "cache entry of %s not used: %s", name, strerror(errno));
        return NULL;
    }
    struct stat s;
    if (fstat(file, &s) != 0 || !S_ISREG(s.st_mode) || !is_private(&s)) {
        bly_log(1, "cache entry of %s not used: it is owned or writable by other users", name);
        close(file);
        return NULL;
    }
    uint8_t header[HEADER_BYTES], expected[HEADER_BYTES];
    uint8_t *data = NULL;
    int good = s.st_size > HEADER_BYTES && (uint64_t)s.st_size <= MAX_BYTES;
    if (good) {
        *size = (size_t)s.st_size - HEADER_BYTES;
        data = malloc(*size);
        if (!data) {
            close(file);
            return NULL;
        }
        good = bly_file_read(file, 0, header, sizeof header) == sizeof header &&
               bly_file_read(file, sizeof header, data, *size) == *size;
        if (good) make_header(expected, key, data, *size);
        good = good && memcmp(header, expected, sizeof header) == 0;
    }
    if (good) futimens(file, NULL); /* for evict */
    close(file);
    if (!good) {
        bly_log(1, "cache entry of %s is damaged and will be rebuilt", name);
        free(data);
        bly_cache_drop(cache, key);
        return NULL;
    }
    return data;
}

/* BAILEY_CACHE_LIMIT, in MiB. */
static uint64_t limit(void)
{
    const char *text = secure_getenv("BAILEY_CACHE_LIMIT");
    const size_t digits = text ? strspn(text, "0123456789") : 0;
    if (digits && digits < 10 && !text[digits]) return strtoull(text, NULL, 10) << 20;
    if (text && *text)
        bly_log(1, "BAILEY_CACHE_LIMIT: \"%.64s\" is not an integer number of MiB; using %d", text,
                LIMIT_MIB);
    return (uint64_t)LIMIT_MIB << 20;
}

struct entry {
    char name[NAME_BYTES + 64];
    uint64_t bytes;
    struct timespec used;
};

/* Entries, and what writers that were killed have left of some, which goes with them where there are no
 * locks. */
static int is_entry(const char *name)
{
    const size_t hex = 2 * BLY_DIGEST_BYTES;
    if (*name == '.') name++;
    return strspn(name, "0123456789abcdef") == hex && strncmp(name + hex, ".bin", 4) == 0 &&
           strlen(name) < sizeof((struct entry *)0)->name;
}

/* The directory's entries, to be freed; NULL without any. */
static struct entry *list_entries(int cache, size_t *count)
{
    struct entry *entries = NULL;
    size_t room = 0;
    const int copy = openat(cache, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = copy < 0 ? NULL : fdopendir(copy);
    *count = 0;
    if (!directory && copy >= 0) close(copy);
    for (struct dirent *file; directory && (file = readdir(directory));) {
        struct stat s;
        if (!is_entry(file->d_name) || fstatat(cache, file->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(s.st_mode))
            continue;
        if (*count == room) {
            struct entry *more = realloc(entries, (room = 2 * room + 64) * sizeof *entries);
            if (!more) break;
            entries = more;
        }
        struct entry *entry = &entries[(*count)++];
        strcpy(entry->name, file->d_name);
        entry->bytes = (uint64_t)s.st_size;
        entry->used = s.st_mtim;
    }
    if (directory) closedir(directory);
    return entries;
}

static int by_use(const void *a, const void *b)
{
    const struct timespec *p = &((const struct entry *)a)->used, *q = &((const struct entry *)b)->used;
    if (p->tv_sec != q->tv_sec) return p->tv_sec < q->tv_sec ? -1 : 1;
    return (p->tv_nsec > q->tv_nsec) - (p->tv_nsec < q->tv_nsec);
}

/* Removes what was used longest ago, until the rest is within the limit. */
static void evict(int cache)
{
    const uint64_t most = limit();
    uint64_t total = 0;
    size_t count;
    struct entry *entries = list_entries(cache, &count);
    for (size_t i = 0; i < count; i++) total += entries[i].bytes;
    if (total > most) qsort(entries, count, sizeof *entries, by_use);
    for (size_t i = 0; i < count && total > most; i++) {
        unlinkat(cache, entries[i].name, 0);
        total -= entries[i].bytes;
    }
    free(entries);
}

void bly_cache_store(int cache, const uint8_t key[BLY_DIGEST_BYTES], const char *name, const void *data,
                     size_t size)
{
    if (cache == BLY_CACHE_NONE || size == 0 || size > MAX_BYTES - HEADER_BYTES) return;
    char entry[NAME_BYTES];
    entry_name(key, entry);
    struct bly_replacement r;
    uint8_t header[HEADER_BYTES];
    make_header(header, key, data, size);
    const int good = bly_replace_begin_in(&r, cache, entry) &&
                     bly_file_write(r.file, header, sizeof header) && bly_file_write(r.file, data, size) &&
                     bly_replace_close(&r) && bly_replace_end(&r, 0);
    if (!good) {
        bly_log(1, "%s not cached: %s", name, strerror(errno));
        bly_replace_abandon(&r);
    }
    evict(cache);
}

int bly_cache_lock(const char *directory)
{
    const int lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0) {
        bly_log(1, "no lock: %s: %s", directory, strerror(errno));
        return BLY_CACHE_NONE;
    }
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
    if (errno == EWOULDBLOCK) bly_log(1, "waiting for another process that compiles in %s ...", directory);
    int failed;
    while ((failed = flock(lock, LOCK_EX)) != 0 && errno == EINTR) continue;
    if (!failed) return lock;
    bly_log(1, "no lock: %s: %s", directory, strerror(errno));
    close(lock);
    return BLY_CACHE_NONE;
}

void bly_cache_unlock(int lock)
{
    if (lock == BLY_CACHE_NONE) return;
    flock(lock, LOCK_UN); /* whatever child has a copy */
    close(lock);
}

void bly_cache_drop(int cache, const uint8_t key[BLY_DIGEST_BYTES])
{
    if (cache == BLY_CACHE_NONE) return;
    char entry[NAME_BYTES];
    entry_name(key, entry);
    unlinkat(cache, entry, 0);
}
