/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a command reports: one tree of members, printed as text for people or as JSON. JSON has all members
 * that have a key, text those that are shown and the lines between them, both in the order in which they were
 * added.
 *
 *     struct document *d = document_new();
 *     document_line(d, "european: 1 step");
 *     struct item *mean = document_number(d, "mean", e->mean);
 *     document_show(d, mean, "price", FORM_MONEY)->error = document_number(d, "standard_error",
 * e->standard_error); document_record(d, "source", "source", &source); code = document_print(d,
 * a->value[JSON] != NULL); document_free(d);
 *
 * A key comes once in an object, which a debug build verifies. Where there is no memory, nothing is added,
 * and printing fails: functions that add return a member all the same.
 */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "cli.h"

#include <bailey/describe.h>

#include <stddef.h>
#include <stdint.h>

enum document_form {
    FORM_PLAIN, /* up to ten digits */
    FORM_MONEY, /* eight decimals, unless it is tiny or huge */
    FORM_ROUGH, /* four digits */
    FORM_EXACT  /* as a hexadecimal float, in JSON too */
};

/* A column of a list of objects, as text shows it. */
struct column {
    const char *key; /* of the objects, as "mean" or "result.mean"; NULL: the number of the row, from 0 */
    const char *heading;
    enum document_form form;
    int width;           /* negative: at the left of it */
    const char *unknown; /* instead of null; NULL: "not known" */
};

enum item_type {
    ITEM_PIECE, /* of text alone */
    ITEM_LINE,
    ITEM_WRAPPED, /* likewise, `label` before `text` */
    ITEM_NULL,
    ITEM_TEXT,
    ITEM_NUMBER,
    ITEM_COUNT,
    ITEM_FLAG,
    ITEM_JSON, /* text that is JSON already */
    ITEM_OBJECT,
    ITEM_LIST
};

struct item {
    struct item *next, *first, *last; /* in the same object or list; its own */
    enum item_type type;
    const char *key;  /* NULL in a list, and of a line */
    const char *text; /* of a line, TEXT and JSON */
    double number;
    uint64_t count;            /* also a flag; elements of a list or object */
    const bailey_field *field; /* that it is; NULL: of no record */
    /* How text shows it. */
    const char *label; /* NULL: not at all */
    enum document_form form;
    const struct item *error;     /* what stands behind it as standard error, "not known" of null */
    const struct column *columns; /* of a list of objects, up to one without heading; NULL: none */
};

/* A text that grows; one object after another is appended, each in a line. */
struct json_line {
    char *text; /* allocated; not ended by a zero */
    size_t used, room;
    int failed; /* there was no memory for it */
};

enum { DOCUMENT_DEPTH = 16 };

struct document {
    struct chunk *chunks; /* memory, the latest first */
    struct item root, *open[DOCUMENT_DEPTH], warnings;
    unsigned depth; /* of what is open */
    int quiet, failed;
};

/* NULL: no memory, which the other functions take. */
struct document *document_new(void);
void document_free(struct document *d);
/* Makes it empty. */
void document_clear(struct document *d);

/* ---- Members of the object or list that is open. Texts and labels are copied, keys are not ---------------
 */

struct item *document_open(struct document *d, const char *key, char bracket); /* '{' or '[' */
void document_close(struct document *d);
struct item *document_text(struct document *d, const char *key, const char *value); /* NULL: null */
struct item *document_number(struct document *d, const char *key, double value);    /* NaN: null */
struct item *document_count(struct document *d, const char *key, uint64_t value);
struct item *document_flag(struct document *d, const char *key, int value);
struct item *document_json(struct document *d, const char *key, const char *value);
struct item *document_numbers(struct document *d, const char *key, const double *values, uint64_t count);
/* "has 95 times": what text alone has, a line of its own. */
void document_line(struct document *d, const char *format, ...) CLI_PRINTF(2, 3);
void document_gap(struct document *d);                                           /* an empty one */
void document_put(struct document *d, const char *format, ...) CLI_PRINTF(2, 3); /* a part of one */
/* Lines of at most 100 columns: `before`, and `text` behind it, whose further lines begin at `indent`, or
 * below its beginning where that is 0. */
void document_wrap(struct document *d, const char *before, const char *text, unsigned indent);

/* Fields of a struct by its record, with their names as keys: those that `names` lists, "seed stream", or
 * NULL for all. Choices are words, flags true or false, and what a parameter's 0 stands for is in its place.
 * What has no value that can be printed, as a function, is left out. Returns the last one. */
struct item *document_fields(struct document *d, const char *record, const void *values, const char *names);
/* Likewise all of them as an object. */
struct item *document_record(struct document *d, const char *key, const char *record, const void *values);

/* ---- What text shows ---- */

struct item *document_show(struct document *d, struct item *item, const char *label, enum document_form form);
/* What is open. */
struct item *document_open_object(struct document *d);
/* The member at "run.result.mean" of an object; NULL if there is none. */
struct item *document_find(struct item *object, const char *path);
/* As text has a number: money. `size` of at least 32. */
const char *document_money(char *text, size_t size, double value);

/* A warning: printed at once, unless `quiet`, and an element of the list "warnings". */
void document_warn(struct document *d, const char *format, ...) CLI_PRINTF(2, 3);
void document_quiet(struct document *d);
/* Adds that list; document_print does it at the end. */
void document_list_warnings(struct document *d);

/* ---- Printing ---- */

/* To standard output. */
int document_print(struct document *d, int json);
/* Prints what there is as text, and makes the document empty: of a report that people see come. */
void document_flush(struct document *d);
/* As JSON in one line. */
void document_append(const struct document *d, struct json_line *line);

#endif
