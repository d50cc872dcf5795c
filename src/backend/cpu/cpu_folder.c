/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The private folder of a compilation, and removing those that killed processes left. A process holds the
 * lock of a left-over folder while it removes it. So a maker that finds its new folder locked, or gone once
 * it has the lock, was too late, and makes another.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "cpu_program.h"

#include <base/log.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "bailey-cc-"
#define LETTERS 6 /* that mkdtemp adds */
#define TRIES 16

static const char *parent(void)
{
    const char *wanted = secure_getenv("TMPDIR");
    return wanted && *wanted ? wanted : "/tmp";
}

/* Opens a folder of this user, unless another process has its lock. Where folders have no locks one is opened
 * if it is `own`. Returns -1 if that is not so. */
static int open_locked(int at, const char *name, int own)
{
    struct stat opened, named;
    const int folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return -1;
    const int locked = flock(folder, LOCK_EX | LOCK_NB) == 0 || (own && errno != EWOULDBLOCK);
    if (locked && fstat(folder, &opened) == 0 && opened.st_uid == geteuid() &&
        fstatat(at, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == opened.st_ino)
        return folder;
    close(folder);
    return -1;
}

static void remove_files(int folder)
{
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    if (!entries && copy >= 0) close(copy);
    for (struct dirent *file; entries && (file = readdir(entries));)
        if (strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0)
            unlinkat(folder, file->d_name, 0);
    if (entries) closedir(entries);
}

static int is_ours(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && strlen(name) == strlen(PREFIX) + LETTERS;
}

/* Removes what processes have left that no longer are. */
static void remove_left(void)
{
    DIR *entries = opendir(parent());
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        const int folder = is_ours(entry->d_name) ? open_locked(dirfd(entries), entry->d_name, 0) : -1;
        if (folder < 0) continue;
        remove_files(folder);
        if (unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR) == 0)
            bly_log(2, "cpu: removed the leftover %s in %s", entry->d_name, parent());
        close(folder);
    }
    if (entries) closedir(entries);
}

int bly_folder_make(struct bly_folder *folder)
{
    remove_left();
    for (int i = 0; i < TRIES; i++) {
        if ((size_t)snprintf(folder->path, sizeof folder->path, "%s/" PREFIX "XXXXXX", parent()) >=
            sizeof folder->path) {
            errno = ENAMETOOLONG;
            return 0;
        }
        if (!mkdtemp(folder->path)) return 0; /* of mode 0700 */
        folder->lock = open_locked(AT_FDCWD, folder->path, 1);
        if (folder->lock >= 0) return 1;
    }
    errno = EAGAIN;
    return 0;
}

int bly_folder_file(const struct bly_folder *folder, const char *name, char *path, size_t size)
{
    if ((size_t)snprintf(path, size, "%s/%s", folder->path, name) < size) return 1;
    errno = ENAMETOOLONG;
    return 0;
}

void bly_folder_remove(struct bly_folder *folder)
{
    remove_files(folder->lock);
    rmdir(folder->path);
    close(folder->lock);
}
