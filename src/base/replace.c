/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A process holds the lock of a left-over file while it removes it. So a writer that finds its new file
 * locked, or gone once it has the lock, was too late, and makes another. The lock is a second descriptor of
 * the file: it lasts until the file has its name, also after the first is closed.
 */
#define _GNU_SOURCE /* getentropy */
#include "replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DIGITS 8
#define SUFFIX ".tmp"
#define MOST_OF_NAME 200 /* of the target's, so that the whole is a name everywhere */
#define TRIES 64

/* ---- Names --------------------------------------------------------------------------------------- */

static uint32_t random_number(void)
{
    uint32_t number;
    struct timespec now;
    if (getentropy(&number, sizeof number) == 0) return number;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint32_t)now.tv_nsec ^ (uint32_t)getpid() * 2654435761u ^ (uint32_t)(uintptr_t)&now;
}

static void make_name(char name[BLY_REPLACE_NAME], const char *target)
{
    snprintf(name, BLY_REPLACE_NAME, ".%.*s.%08x" SUFFIX, MOST_OF_NAME, target, (unsigned)random_number());
}

/* Whether it is a temporary name, of any target or, if it is not NULL, of this one. */
static int is_temporary(const char *name, const char *target)
{
    const size_t length = strlen(name), end = 1 + DIGITS + strlen(SUFFIX);
    if (*name != '.' || length <= 1 + end) return 0;
    const char *rest = name + length - end;
    if (*rest != '.' || strspn(rest + 1, "0123456789abcdef") != DIGITS ||
        strcmp(rest + 1 + DIGITS, SUFFIX) != 0)
        return 0;
    const size_t own = length - end - 1, wanted = target ? strlen(target) : 0;
    return !target ||
           (own == (wanted < MOST_OF_NAME ? wanted : MOST_OF_NAME) && strncmp(name + 1, target, own) == 0);
}

/* ---- Left-over files ----------------------------------------------------------------------------- */

/* Whether the open file still has its name. */
static int is_named(int folder, const char *name, int file)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

static void remove_one(int folder, const char *name)
{
    struct stat s;
    if (fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid())
        return;
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_named(folder, name, file)) unlinkat(folder, name, 0);
    close(file);
}

static void remove_left(int folder, const char *target)
{
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    if (!entries && copy >= 0) close(copy);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (is_temporary(entry->d_name, target)) remove_one(folder, entry->d_name);
    if (entries) closedir(entries);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

/* Makes a file and locks it, where files have locks. Returns 1, 0 and errno, or -1: it was removed at once.
 */
static int make(struct bly_replacement *r)
{
    make_name(r->name, r->target);
    r->file = openat(r->folder, r->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (r->file < 0) return errno == EEXIST ? -1 : 0;
    r->lock = fcntl(r->file, F_DUPFD_CLOEXEC, 0);
    if (r->lock < 0) {
        bly_replace_abandon(r);
        return 0;
    }
    const int locked = flock(r->file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && is_named(r->folder, r->name, r->file)) return 1;
    close(r->file);
    close(r->lock);
    r->file = r->lock = -1;
    return -1;
}

static int begin(struct bly_replacement *r, int folder, const char *name, const char *left)
{
    *r = (struct bly_replacement){.file = -1, .lock = -1, .folder = folder, .target = name};
    remove_left(folder, left);
    int made = -1;
    for (int i = 0; i < TRIES && made < 0; i++) made = make(r);
    if (made < 0) errno = EEXIST;
    if (made != 1) r->name[0] = 0;
    return made == 1;
}

int bly_replace_begin_in(struct bly_replacement *r, int folder, const char *name)
{
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy < 0) {
        *r = (struct bly_replacement){.file = -1, .lock = -1, .folder = -1};
        return 0;
    }
    if (begin(r, copy, name, NULL)) return 1;
    bly_replace_abandon(r);
    return 0;
}

int bly_replace_begin(struct bly_replacement *r, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int opened = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const int error = folder ? errno : ENOMEM;
    free(folder);
    *r = (struct bly_replacement){.file = -1, .lock = -1, .folder = -1};
    errno = *name ? error : EISDIR;
    if (opened < 0 || !*name) {
        if (opened >= 0) close(opened);
        return 0;
    }
    if (begin(r, opened, name, name)) return 1;
    bly_replace_abandon(r);
    return 0;
}

int bly_replace_close(struct bly_replacement *r)
{
    const int file = r->file;
    r->file = -1;
    return close(file) == 0;
}

static void close_all(struct bly_replacement *r)
{
    if (r->file >= 0) close(r->file);
    if (r->lock >= 0) close(r->lock);
    if (r->folder >= 0) close(r->folder);
    *r = (struct bly_replacement){.file = -1, .lock = -1, .folder = -1};
}

int bly_replace_end(struct bly_replacement *r, int sync)
{
    if (renameat(r->folder, r->name, r->folder, r->target) != 0) return 0;
    if (sync) fsync(r->folder); /* not every file system can */
    close_all(r);
    return 1;
}

void bly_replace_abandon(struct bly_replacement *r)
{
    const int error = errno;
    if (*r->name && r->folder >= 0) unlinkat(r->folder, r->name, 0);
    close_all(r);
    errno = error;
}
