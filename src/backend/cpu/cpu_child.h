/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A program that runs as a child under limits: BAILEY_CC_SECONDS in all (300), BAILEY_CC_CPU_SECONDS of the
 * processor (300) and BAILEY_CC_MEMORY MiB (4096) for each of its processes; 0 is no limit. It ends with this
 * process, and none of the processes that it has started outlives it. Threads: any.
 */
#ifndef BLY_CPU_CHILD_H
#define BLY_CPU_CHILD_H

#include <stddef.h>

struct bly_child {
    const char *const *words; /* the program, looked for in PATH, and its arguments; ends with NULL */
    const char *folder;       /* that the program takes for TMPDIR; NULL: as it is */
    int in;                   /* standard input */
    char *said;               /* what it writes to standard output and error, up to size - 1 bytes */
    size_t size;
    const char *limit; /* result: the limit that ended it, as words for a message; or NULL */
};

/* Runs the program to its end. Returns 0, an error number if it cannot be run, or -1 if it fails. */
int bly_cpu_child_run(struct bly_child *child);

/* A file without a name, or -1: for reading and writing, closed on exec. */
int bly_cpu_unnamed_file(void);

#endif
