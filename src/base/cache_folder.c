/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The XDG base directory specification, and what may be named instead.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "cache_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of `path` without its last component. */
static size_t parent_length(const char *path)
{
    size_t length = strlen(path);
    while (length && path[length - 1] == '/') length--;
    while (length && path[length - 1] != '/') length--;
    return length ? length - 1 : 0;
}

int bly_cache_folder(const char *wanted, char *path, size_t size, size_t *existing, const char **why)
{
    *existing = 0;
    *why = NULL;
    const char *tail = "";
    if (!wanted) wanted = secure_getenv("BAILEY_CACHE_DIR");
    if (!wanted) {
        wanted = secure_getenv("XDG_CACHE_HOME");
        tail = "/bailey";
        if (wanted) *existing = parent_length(wanted);
        if (!wanted || *wanted != '/') { /* the XDG specification has relative paths ignored */
            wanted = secure_getenv("HOME");
            tail = "/.cache/bailey";
            if (!wanted || *wanted != '/') {
                *why = "neither XDG_CACHE_HOME nor HOME is set";
                return 0;
            }
            *existing = strlen(wanted);
        }
    }
    if (!*wanted) return 0;
    if ((size_t)snprintf(path, size, "%s%s", wanted, tail) < size) return 1;
    *why = "the path is too long";
    return 0;
}
