/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A checkpoint is written to a temporary file next to the real one, which it replaces when it is on the disk,
 * so that a crash leaves the previous one. Links, pipes and devices are refused: they would be replaced, not
 * written to.
 */
#include "checkpoint.h"

#include <base/alloc.h>
#include <base/replace.h>
#include <base/status.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bailey_status fail(const char *path, const char *what)
{
    bly_fail(BAILEY_ERROR_IO, "%.400s: %s: %s", path, what, strerror(errno));
    return bly_name_argument(BAILEY_ERROR_IO, "checkpoint");
}

/* ---- Reading ------------------------------------------------------------------------------------- */

static int read_all(int file, uint8_t *to, uint64_t size)
{
    while (size) {
        const ssize_t got = read(file, to, size < 1 << 30 ? (size_t)size : (size_t)1 << 30);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO; /* it has become shorter */
        if (got <= 0) return 0;
        to += got;
        size -= (uint64_t)got;
    }
    return 1;
}

static bailey_status refuse(const char *path, mode_t mode)
{
    const char *what = S_ISLNK(mode)    ? "a symbolic link, not a file: name what it points to"
                       : S_ISDIR(mode)  ? "a folder, not a file"
                       : S_ISFIFO(mode) ? "a pipe, not a file"
                       : S_ISCHR(mode) || S_ISBLK(mode) ? "a device, not a file"
                                                        : "not a file";
    return bly_fail_argument("checkpoint", "%.400s is %s", path, what);
}

static bailey_status load(int file, const char *path, uint8_t **bytes, uint64_t *size)
{
    struct stat about;
    if (fstat(file, &about) != 0) return fail(path, "cannot be read");
    if (!S_ISREG(about.st_mode)) return refuse(path, about.st_mode);
    *size = (uint64_t)about.st_size;
    *bytes = bly_alloc((size_t)*size + 1, 1);
    if (!*bytes) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a checkpoint");
    return read_all(file, *bytes, *size) ? BAILEY_OK : fail(path, "cannot be read");
}

bailey_status bly_checkpoint_load(const char *path, uint8_t **bytes, uint64_t *size)
{
    struct stat about;
    *bytes = NULL;
    /* Opening a pipe or a device has effects, so that it is refused before; load looks again, at the open
     * file. */
    if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode)) return refuse(path, about.st_mode);
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return errno == ENOENT ? BAILEY_OK : fail(path, "cannot be opened");
    const bailey_status status = load(file, path, bytes, size);
    close(file);
    if (status == BAILEY_OK) return status;
    bly_free(*bytes);
    *bytes = NULL;
    return status;
}

bailey_status bly_checkpoint_refuse(const char *path, bailey_status status)
{
    char words[BLY_ERROR_TEXT];
    if (status != BAILEY_ERROR_INVALID) return status;
    snprintf(words, sizeof words, "%s", bailey_error_message());
    return bly_fail_argument("checkpoint", "%.400s: %.1000s", path, words);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

static int write_all(int file, const uint8_t *from, uint64_t size)
{
    while (size) {
        const ssize_t put = write(file, from, size < 1 << 30 ? (size_t)size : (size_t)1 << 30);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return 0;
        from += put;
        size -= (uint64_t)put;
    }
    return 1;
}

static bailey_status write_and_place(struct bly_replacement *r, const char *path, const void *bytes,
                                     uint64_t size)
{
    const int good = write_all(r->file, bytes, size) && fsync(r->file) == 0 && bly_replace_close(r);
    if (good && bly_replace_end(r, 1)) return BAILEY_OK;
    const bailey_status status = fail(path, good ? "cannot be replaced" : "cannot be written");
    bly_replace_abandon(r);
    return status;
}

bailey_status bly_checkpoint_write(const char *path, const void *bytes, uint64_t size)
{
    struct bly_replacement replacement;
    if (!bly_replace_begin(&replacement, path)) return fail(path, "cannot be created");
    return write_and_place(&replacement, path, bytes, size);
}
