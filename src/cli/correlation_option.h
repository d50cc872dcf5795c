/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#ifndef CLI_CORRELATION_OPTION_H
#define CLI_CORRELATION_OPTION_H

#include "options.h"

/* The correlation of a path from an option: a CSV file, in the order of `names`, `count` of them (NULL: of
 * its own); the correlation of every pair of `dims` dimensions (0: one dimension); or a matrix that was given
 * as numbers. *matrix, [*rows][*rows], is allocated and exact, NULL without the option; *rows is what the
 * file has, which may differ from `dims`. Prints what is wrong, returns an exit code. */
int correlation_read(const struct arguments *arguments, int option, const char *const *names, uint64_t count,
                     uint64_t dims, double **matrix, uint64_t *rows);

/* As options_check; places in a matrix that the file `path` gave (NULL: none) are said by names, or as the
 * file's rows and columns, and `option` is called. */
int correlation_check(const struct arguments *arguments, bailey_status status, const char *otherwise,
                      int option, const char *path, const char *const *names);

/* Whether the option was given as one number. */
int correlation_is_number(const struct arguments *arguments, int option);

#endif
