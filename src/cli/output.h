/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The file that a command writes. A regular file is written under a temporary name beside it and renamed
 * when it is complete, so that neither an error nor a signal leaves half a file or harms an old one, whose
 * permissions it takes over. Symbolic links stay: what they lead to is written.
 * Devices and pipes are written directly. Errors are printed; functions return an exit code.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli.h"

#include <base/replace.h>

struct output {
    const char *path; /* for messages */
    int file;
    int seekable;
    int reader_gone; /* writing failed because the pipe has no reader any more: nothing was printed. Only
                        where SIGPIPE is ignored, for else it ends the program */
    uint64_t base;   /* where the file's first byte is */
    uint64_t end;    /* of what was written */
    char *target;
    struct bly_replacement replacement; /* of the target, while `replaces` */
    int replaces;
    char *text; /* of output_print, not yet written */
    size_t text_used;
};

/* "-" is standard output. `bytes` is the size to come, 0 if unknown: a file system that is too full is an
 * error here. */
int output_open(struct output *output, const char *path, uint64_t bytes);
int output_write(struct output *output, const void *data, uint64_t bytes); /* appends */
int output_write_at(struct output *output, uint64_t offset, const void *data, uint64_t bytes);
int output_print(struct output *output, const char *format, ...) CLI_PRINTF(2, 3); /* appends, buffered */

/* Ends a complete file. */
int output_commit(struct output *output);
/* Removes an incomplete one; nothing after output_commit or before output_open. */
void output_abandon(struct output *output);

#endif
