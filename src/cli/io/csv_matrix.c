/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Square matrices from CSV files, with or without names of rows and columns, and errors that name them.
 */
#define _XOPEN_SOURCE 700

#include <bailey/correlation.h>

#include "io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = BAILEY_CORRELATION_MAX_DIMS };
enum { ROW, COLUMN };

struct square {
    struct csv csv;
    uint64_t most;            /* rows that are allowed */
    const char *const *names; /* the caller's, else those of the header; NULL: there are none */
    uint64_t count;           /* of names */
    int given;                /* the names are the caller's */
    char *heading[MOST + 2];  /* the fields of the first row, if they are not numbers; allocated */
    size_t headings;
    uint64_t heading_line;
    int labelled; /* rows begin with a name */
    uint64_t dims, rows;
    uint32_t place[2][MOST];      /* of row or column i of the file in the result */
    unsigned char taken[2][MOST]; /* by a row or column */
    double *values;               /* as the file has them */
};

/* ---- Names of rows and columns ---- */

static int is_name(const struct square *s, const char *text)
{
    for (uint64_t i = 0; s->given && i < s->count; i++) {
        if (!strcmp(s->names[i], text)) return 1;
    }
    return 0;
}

/* A number is an entry, even if an asset has it as its name. */
static int is_label(const struct square *s, const char *text)
{
    double value;
    return parse_f64(text, &value) == PARSE_MALFORMED && (is_name(s, text) || !parse_is_mistyped(text));
}

/* Whether the row of numbers begins with a name. Without a header, 1x is more likely a mistyped number than a
 * name. */
static int has_label(const struct square *s)
{
    const char *text = s->csv.field[0];
    if (s->headings > 1 && !*s->heading[0]) return 1;
    if (s->headings || is_name(s, text)) return is_label(s, text);
    return is_label(s, text) && !strchr("0123456789+-.", *text);
}

/* Whether the row has names alone. The corner above row names may be empty, and the others are then names
 * whatever they look like. */
static int is_heading(const struct square *s)
{
    if (s->csv.fields > 1 && !*s->csv.field[0]) return 1;
    for (size_t i = 0; i < s->csv.fields; i++) {
        if (!is_label(s, s->csv.field[i])) return 0;
    }
    return 1;
}

static int keep_heading(struct square *s)
{
    if (s->csv.fields > s->most + 1)
        return csv_error(&s->csv, "%zu names; at most %u", s->csv.fields, (unsigned)s->most);
    s->heading_line = s->csv.line;
    for (; s->headings < s->csv.fields; s->headings++) {
        char *copy = strdup(s->csv.field[s->headings]);
        if (!copy) return cli_memory_error(s->csv.path, strlen(s->csv.field[s->headings]) + 1);
        s->heading[s->headings] = copy;
    }
    return CLI_OK;
}

static int unknown_name(const struct square *s, const char *label)
{
    const char *list[MOST + 1] = {NULL};
    for (uint64_t i = 0; i < s->count; i++) list[i] = s->names[i];
    const char *nearest = cli_nearest(label, list);
    return csv_error(&s->csv, "'%.60s' is not the name of %s%s%.60s%s", label,
                     s->given ? "an asset" : "a column", nearest ? "; did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

/* Finds the place of row or column `index` of the file, by its name. */
static int find_place(struct square *s, int side, uint64_t index, const char *label)
{
    uint32_t place = 0;
    while (place < s->count && strcmp(s->names[place], label)) place++;
    if (place == s->count) return unknown_name(s, label);
    if (s->taken[side][place]) return csv_error(&s->csv, "the name '%.60s' occurs twice", label);
    s->taken[side][place] = 1;
    s->place[side][index] = place;
    return CLI_OK;
}

/* Once the number of columns is known: assigns the names of the header to the columns. */
static int place_columns(struct square *s)
{
    const uint64_t line = s->csv.line;
    int code = CLI_OK;
    if (!s->headings) return CLI_OK;
    if (s->headings != s->dims && (!s->labelled || s->headings != s->dims + 1))
        return csv_error(&s->csv, "%llu numbers, but the header row has %zu names",
                         (unsigned long long)s->dims, s->headings - (size_t)s->labelled);
    const uint64_t corner = s->headings - s->dims;
    if (!s->given) {
        s->names = (const char *const *)s->heading + corner;
        s->count = s->dims;
    }
    s->csv.line = s->heading_line;
    for (uint64_t i = 0; i < s->dims && !code; i++) code = find_place(s, COLUMN, i, s->heading[corner + i]);
    if (!code) s->csv.line = line;
    return code;
}

/* One name for both sides where the file has those of one side; none at all: the order of the file. */
static int place_rest(struct square *s)
{
    const int named = s->headings || (s->labelled && s->names);
    for (uint64_t i = 0; i < s->dims; i++) {
        if (!named) s->place[ROW][i] = s->place[COLUMN][i] = (uint32_t)i;
        if (named && !s->labelled) s->place[ROW][i] = s->place[COLUMN][i];
        if (named && !s->headings) s->place[COLUMN][i] = s->place[ROW][i];
    }
    const unsigned char *taken = s->taken[s->headings ? COLUMN : ROW];
    for (uint64_t i = 0; named && i < s->count; i++) {
        if (!taken[i])
            return cli_error(CLI_USAGE, "%s: %s: the asset '%s' is missing", s->csv.option, s->csv.path,
                             cli_printable(s->names[i]));
    }
    return CLI_OK;
}

/* ---- Numbers ---- */

/* The first row of numbers decides the dimensions and whether rows have names. */
static int begin(struct square *s)
{
    struct csv *csv = &s->csv;
    s->labelled = has_label(s);
    csv_trim(csv, 1);
    s->dims = csv->fields - (size_t)s->labelled;
    if (!s->dims) return csv_error(csv, "no number after the name '%.60s'", csv->field[0]);
    if (s->dims > s->most) return csv_error(csv, "%zu columns; at most %u", csv->fields, (unsigned)s->most);
    s->values = calloc((size_t)(s->dims * s->dims), sizeof *s->values);
    if (!s->values) return cli_memory_error(csv->path, s->dims * s->dims * sizeof *s->values);
    return place_columns(s);
}

static int add_row(struct square *s)
{
    struct csv *csv = &s->csv;
    const size_t label = (size_t)s->labelled;
    int code = CLI_OK;
    csv_trim(csv, (size_t)s->dims + label);
    if (csv->fields != s->dims + label)
        return csv_error(csv, "%zu columns, but the first row has %u", csv->fields,
                         (unsigned)(s->dims + label));
    if (label && !s->names && !has_label(s))
        return csv_error(csv, "'%.60s' differs from the name in the first row", csv->field[0]);
    if (s->rows == s->dims)
        return csv_error(csv, "more rows than the %u columns; the matrix must be square", (unsigned)s->dims);
    if (label && s->names) code = find_place(s, ROW, s->rows, csv->field[0]);
    for (size_t i = 0; i < s->dims && !code; i++)
        code = csv_number(csv, i + label, "entry", &s->values[s->rows * s->dims + i]);
    s->rows++;
    return code;
}

static int read_square(struct square *s)
{
    int code = csv_next(&s->csv);
    csv_trim(&s->csv, 1);
    if (!code && s->csv.fields && is_heading(s) && !(code = keep_heading(s))) code = csv_next(&s->csv);
    for (; !code && s->csv.fields; code = code ? code : csv_next(&s->csv)) {
        if (!s->values) code = begin(s);
        if (!code) code = add_row(s);
    }
    if (code) return code;
    if (!s->rows)
        return cli_error(CLI_USAGE, "%s: %s: it contains no row of numbers", s->csv.option, s->csv.path);
    if (s->rows != s->dims)
        return cli_error(CLI_USAGE, "%s: %s: %u row%s and %u columns; the matrix must be square",
                         s->csv.option, s->csv.path, (unsigned)s->rows, s->rows == 1 ? "" : "s",
                         (unsigned)s->dims);
    return place_rest(s);
}

/* In the order of the names. */
static int put_in_order(const struct square *s, double **values)
{
    const uint64_t n = s->dims;
    *values = malloc((size_t)(n * n) * sizeof **values);
    if (!*values) return cli_memory_error(s->csv.path, n * n * sizeof **values);
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++)
            (*values)[s->place[ROW][i] * n + s->place[COLUMN][j]] = s->values[i * n + j];
    }
    return CLI_OK;
}

/* Copies of the names in the result's order, which the caller frees; NULL where the file has none. */
static int copy_names(const struct square *s, char ***names)
{
    *names = NULL;
    if (!s->names) return CLI_OK;
    if (!(*names = calloc((size_t)s->dims, sizeof **names)))
        return cli_memory_error(s->csv.path, s->dims * sizeof **names);
    for (uint64_t i = 0; i < s->dims; i++)
        if (!((*names)[i] = strdup(s->names[i]))) return cli_memory_error(s->csv.path, strlen(s->names[i]));
    return CLI_OK;
}

static int read_file(struct square *s, const char *option, const char *path, double **values, uint64_t *dims,
                     char ***names)
{
    *values = NULL;
    *dims = 0;
    int code = csv_open(&s->csv, option, path);
    if (!code) code = read_square(s);
    if (!code) code = put_in_order(s, values);
    if (!code) *dims = s->dims;
    if (!code && names) code = copy_names(s, names);
    for (size_t i = 0; i < s->headings; i++) free(s->heading[i]);
    free(s->values);
    csv_close(&s->csv);
    return code;
}

int csv_square(const char *option, const char *path, const char *const *names, uint64_t count,
               double **values, uint64_t *dims)
{
    struct square s = {
        .most = BAILEY_BRIDGE_MAX_DIMS, .names = names, .count = names ? count : 0, .given = names != NULL};
    return read_file(&s, option, path, values, dims, NULL);
}

int csv_named_square(const char *option, const char *path, double **values, uint64_t *dims, char ***names)
{
    struct square s = {.most = MOST};
    *names = NULL;
    return read_file(&s, option, path, values, dims, names);
}

/* ---- Errors of the library about a matrix ---- */

/* Writes the place "[i][j]" at `text` as people count it; returns what follows, or NULL if there is no place.
 */
static const char *add_place(char *line, size_t size, const char *text, const char *const *names)
{
    unsigned row, column;
    int length = 0;
    if (sscanf(text, "[%u][%u]%n", &row, &column, &length) != 2 || !length || row >= MOST || column >= MOST)
        return NULL;
    if (names)
        snprintf(line, size, " ('%.60s', '%.60s')", names[row], names[column]);
    else
        snprintf(line, size, " (row %u, column %u)", row + 1, column + 1);
    return text + length;
}

int csv_check_matrix(bailey_status status, const char *what, const char *option, const char *path,
                     const char *const *names)
{
    const char *text = bailey_error_message(), *word = bailey_error_argument(), *rest;
    char line[1024];
    if (status != BAILEY_ERROR_INVALID || !path ||
        (strcmp(word, "covariance") && strcmp(word, "correlation")))
        return cli_check(status, what);
    /* The library has covariances alone for a bridge; here the matrix is what its option is called. */
    size_t used = 0, length = strlen(word);
    while (*text && used + 200 < sizeof line) {
        if (strncmp(text, word, length)) {
            line[used++] = *text++;
            continue;
        }
        used += (size_t)snprintf(line + used, sizeof line - used, "%s", option + strspn(option, "-"));
        rest = add_place(line + used, sizeof line - used, text += length, names);
        if (rest) text = rest;
        if (rest) used += strlen(line + used);
    }
    line[used] = 0;
    return cli_error(CLI_USAGE, "%s: %s%s%s", option, path, *path ? ": " : "", cli_printable(line));
}
