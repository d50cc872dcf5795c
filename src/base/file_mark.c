/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What stat says.
 */
#define _XOPEN_SOURCE 700

#include "file_mark.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define NUMBERS 4 /* before the path */

int bly_file_mark(const char *path, char *line, size_t size)
{
    struct stat s = {0};
    if (stat(path, &s)) s.st_size = -1;
    const int length = snprintf(line, size, "/%llu %llu %lld %lld.%09ld %s", (unsigned long long)s.st_dev,
                                (unsigned long long)s.st_ino, (long long)s.st_size,
                                (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec, path);
    return length > 0 && (size_t)length < size;
}

int bly_file_mark_holds(const char *line, size_t length)
{
    char path[PATH_MAX], now[PATH_MAX + 128];
    const char *begin = line, *end = line + length;
    for (int i = 0; i < NUMBERS && begin < end; i++) begin += strcspn(begin, " ") + 1;
    if (*line != '/' || begin >= end || length >= sizeof path) return 0;
    snprintf(path, sizeof path, "%.*s", (int)(end - begin), begin);
    return bly_file_mark(path, now, sizeof now) && strlen(now) == length && !memcmp(line, now, length);
}
