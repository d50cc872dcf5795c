/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Where the library keeps compiled programs, and the program what it knows of drivers. POSIX alone, as the
 * program has a copy of this too.
 */
#ifndef BLY_CACHE_FOLDER_H
#define BLY_CACHE_FOLDER_H

#include <stddef.h>

/* Writes the folder's path: `wanted`, else the environment's BAILEY_CACHE_DIR, else XDG_CACHE_HOME/bailey,
 * else HOME/.cache/bailey. *existing is how many characters of it are never made: a home that does not exist
 * is somebody's decision, and of XDG_CACHE_HOME only the last component may be missing. Returns 0 if there
 * must be no cache; *why then says why, or is NULL where it was wished. */
int bly_cache_folder(const char *wanted, char *path, size_t size, size_t *existing, const char **why);

#endif
