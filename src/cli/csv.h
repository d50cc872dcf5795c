/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Comma-separated values, as spreadsheets write them: a byte-order mark, CR LF, quoted fields and a
 * missing end of the last line are accepted. Empty lines and lines that begin with # are skipped.
 * Errors name option, file and line and are printed; functions return an exit code.
 */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include "cli.h"

#include <stdio.h>

#define CSV_LINE_MAX ((size_t)1 << 20)

struct csv {
    const char *option; /* that named the file */
    const char *path;
    FILE *file;
    uint64_t line; /* of the row, from 1 */
    char **field;  /* of the row, spaces around them removed */
    size_t fields; /* 0: the file has ended */
    char *text;
    size_t text_size, field_size;
};

int csv_open(struct csv *csv, const char *option, const char *path);
int csv_next(struct csv *csv); /* the next row */
void csv_close(struct csv *csv);

/* Prints "option: path line n: ..." and returns CLI_USAGE. */
int csv_error(const struct csv *csv, const char *format, ...) CLI_PRINTF(2, 3);
int csv_number(const struct csv *csv, size_t field, const char *what, double *value);

/* Is the row a heading: one word that begins with a letter, and no nan or inf? */
int csv_is_heading(const struct csv *csv);

/* One number a line, increasing, the first greater than `after`; a heading is allowed. If `valuation` is not
 * NULL lines may be ISO dates instead: years from *valuation (days since 1970), actual / 365 fixed. With
 * dates but without valuation (*valuation is INT64_MIN) it is an error, and so are numbers with valuation or
 * under the heading "date". *values is allocated. */
int csv_times(const char *option, const char *path, double after, const int64_t *valuation, uint64_t most,
              double **values, uint64_t *count);

/* A square matrix of at most 64 rows, [*dims][*dims]. *values is allocated. */
int csv_square(const char *option, const char *path, double **values, uint64_t *dims);

/* A permutation of 1 .. count, one number a line. *values is allocated (never NULL). */
int csv_order(const char *option, const char *path, uint64_t count, uint32_t **values);

#endif
