/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "checkpoint.h"

#include <base/alloc.h>
#include <base/status.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_BYTES 4096

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

static bailey_status load(int file, const char *path, uint8_t **bytes, uint64_t *size)
{
    struct stat about;
    if (fstat(file, &about) != 0) return fail(path, "cannot be read");
    if (!S_ISREG(about.st_mode)) return bly_fail_argument("checkpoint", "%.400s is not a file", path);
    *size = (uint64_t)about.st_size;
    *bytes = bly_alloc((size_t)*size + 1, 1);
    if (!*bytes) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a checkpoint");
    return read_all(file, *bytes, *size) ? BAILEY_OK : fail(path, "cannot be read");
}

bailey_status bly_checkpoint_load(const char *path, uint8_t **bytes, uint64_t *size)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    *bytes = NULL;
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
    snprintf(words, sizeof words, "%s", bailey_error_text());
    return bly_fail_argument("checkpoint", "%.400s: %.1000s", path, words);
}

bailey_status bly_checkpoint_read(const char *path, bailey_tally *tally)
{
    uint8_t *bytes;
    uint64_t size;
    bailey_status status = bly_checkpoint_load(path, &bytes, &size);
    if (status == BAILEY_OK && bytes)
        status = bly_checkpoint_refuse(path, bailey_tally_load(tally, bytes, size));
    bly_free(bytes);
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------- */

void *bly_checkpoint_bytes(const bailey_tally *tally, uint64_t *size)
{
    *size = bailey_tally_bytes(tally);
    void *bytes = bly_alloc(*size, 1);
    if (bytes) bailey_tally_save(tally, bytes, *size);
    return bytes;
}

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

/* So that the new name is on the disk too. Not every file system can. */
static void sync_folder(const char *path)
{
    char folder[NAME_BYTES];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

bailey_status bly_checkpoint_write(const char *path, const void *bytes, uint64_t size)
{
    char temporary[NAME_BYTES];
    if (strlen(path) > NAME_BYTES - 32)
        return bly_fail_argument("checkpoint", "checkpoint has too long a name");
    snprintf(temporary, sizeof temporary, "%s.%ld.new", path, (long)getpid());
    const int file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return fail(temporary, "cannot be made");
    int good = write_all(file, bytes, size) && fsync(file) == 0;
    if (!good) fail(temporary, "cannot be written");
    if (close(file) != 0 && good) good = 0, fail(temporary, "cannot be written");
    if (good && rename(temporary, path) != 0) good = 0, fail(path, "cannot be replaced");
    if (!good) {
        unlink(temporary);
        return bly_name_argument(BAILEY_ERROR_IO, "checkpoint");
    }
    sync_folder(path);
    return BAILEY_OK;
}
