/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A line that tells whether a file is the one that it was. POSIX alone, as the program has a copy of this
 * too.
 */
#ifndef BLY_FILE_MARK_H
#define BLY_FILE_MARK_H

#include <stddef.h>

/* Writes "/", device, number, size, time of the last change and `path`, without an end of line; of a file
 * that is not there, a line that no file has. Returns 0 where it does not fit. */
int bly_file_mark(const char *path, char *line, size_t size);

/* Whether the file that such a line, of `length` characters, is of still has it. */
int bly_file_mark_holds(const char *line, size_t length);

#endif
