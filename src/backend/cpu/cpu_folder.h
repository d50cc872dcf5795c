/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A private folder for a while, in TMPDIR: bailey-cc-XXXXXX, of mode 0700. The process that made it holds a
 * lock on it, so that what a killed one has left is known, and is removed when the next folder is made.
 * Threads: any.
 */
#ifndef BLY_CPU_FOLDER_H
#define BLY_CPU_FOLDER_H

#include <limits.h>
#include <stddef.h>

struct bly_folder {
    char path[PATH_MAX];
    int lock; /* a descriptor of the folder */
};

/* Returns whether there is one; else errno. */
int bly_folder_make(struct bly_folder *folder);
/* The path of a file in it; 0 and errno if it is too long. */
int bly_folder_file(const struct bly_folder *folder, const char *name, char *path, size_t size);
/* Removes it with the files in it. */
void bly_folder_remove(struct bly_folder *folder);

#endif
