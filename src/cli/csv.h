/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Comma-separated values, as spreadsheets write them: a byte-order mark, CR LF, quoted fields and a
 * missing end of the last line are accepted. Empty lines, lines of nothing but commas, and lines that begin
 * with # are skipped. Errors name option, file and line, and the separator where it is not the comma. They
 * are printed; functions return an exit code.
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
    uint64_t line;  /* of the row, from 1 */
    char **field;   /* of the row, spaces around them removed */
    size_t fields;  /* 0: the file has ended */
    char separator; /* of the row in place of commas, ';' or a tab; 0: none */
    char *text;
    size_t text_size, field_size;
};

int csv_open(struct csv *csv, const char *option, const char *path);
int csv_next(struct csv *csv); /* the next row */
void csv_close(struct csv *csv);

/* Drops empty fields at the end of a row that has more than `most`. */
void csv_trim(struct csv *csv, size_t most);

/* Prints "option: path line n: ..." and returns CLI_USAGE. */
int csv_error(const struct csv *csv, const char *format, ...) CLI_PRINTF(2, 3);
int csv_number(const struct csv *csv, size_t field, const char *what, double *value);

/* The first row of times and of orders may be a heading: a name that the help of `bailey paths` lists, or,
 * with a note to standard error, a word without digits that is not a mistyped number. */

/* One number per line, increasing, the first greater than `after`. Lines may be ISO dates
 * instead: years from *valuation (days since 1970), actual / 365 fixed. Dates without valuation (NULL, or
 * INT64_MIN in it) are an error, and so are numbers with valuation or under the heading "date". *values is
 * allocated. */
int csv_times(const char *option, const char *path, double after, const int64_t *valuation, uint64_t most,
              double **values, uint64_t *count);

/* A permutation of 1 .. count, one number per line. *values is allocated (never NULL). */
int csv_order(const char *option, const char *path, uint64_t count, uint32_t **values);

/* csv_matrix.c: a square matrix of at most 64 rows, [*dims][*dims]. *values is allocated.
 *
 * A heading and a first column of names are recognised. Where `names`, `count` of them, is not NULL the
 * matrix comes in the order of those, and another name is an error; else in the order of the heading, which
 * the first column must agree with. */
int csv_square(const char *option, const char *path, const char *const *names, uint64_t count,
               double **values, uint64_t *dims);

/* The same of at most BAILEY_CORRELATION_MAX_DIMS rows, with the names of the heading or the first column, *dims
 * of them, allocated one by one; *names is NULL where there are none, or only row names. */
int csv_named_square(const char *option, const char *path, double **values, uint64_t *dims, char ***names);

/* cli_check of a call that was given the matrix of `option`, from `path` ("": not from a file). What the library says about an
 * entry is said of its row and column, from 1, or, if `names` is not NULL, of their names; what it says about
 * anything else begins with `what`. */
int csv_check_matrix(bailey_status status, const char *what, const char *option, const char *path,
                     const char *const *names);

#endif
