/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A file that is written and then renamed into place, so that its name has the old contents or the new ones
 * whole. Until then it is called .NAME.XXXXXXXX.tmp, in the folder of its target, and is locked: so the file
 * that a killed process has left is recognised, and is removed when its target is written the next time. It
 * is new, not followed through a link, and the user's alone (mode 0600). Nothing here sets an error text:
 * functions return 0 and errno where they fail. POSIX alone, as the program has a copy of this too. Threads:
 * any.
 */
#ifndef BLY_REPLACE_H
#define BLY_REPLACE_H

#include <stddef.h>

#define BLY_REPLACE_NAME 256

struct bly_replacement {
    int file; /* for writing; belongs to this until it is closed with bly_replace_close */
    int folder, lock;
    char name[BLY_REPLACE_NAME];
    const char *target; /* within the folder */
};

/* `path` stays as it is until the end. */
int bly_replace_begin(struct bly_replacement *replacement, const char *path);
/* In an open folder, which stays open; removes what is left for any target in it. */
int bly_replace_begin_in(struct bly_replacement *replacement, int folder, const char *name);
/* Closes the file, which may find the last error of writing. */
int bly_replace_close(struct bly_replacement *replacement);
/* Puts the closed file in its place. With `sync` the new name is on the disk too, where the file system can.
 */
int bly_replace_end(struct bly_replacement *replacement, int sync);
/* Removes what was begun; nothing after bly_replace_end. Keeps errno. */
void bly_replace_abandon(struct bly_replacement *replacement);

#endif
