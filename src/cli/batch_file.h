/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The file of `bailey batch`: a document with the members defaults and deals, an array of deals, or a deal
 * per line. A document is read whole, its deals one by one; lines are read as they come.
 */
#ifndef CLI_BATCH_FILE_H
#define CLI_BATCH_FILE_H

#include "batch_ids.h"
#include "cli.h"

#include <jansson.h>
#include <stdatomic.h>

/* Which deals of the file are wanted: those whose number is `index` modulo `count`. */
struct batch_part {
    uint64_t index, count;
};

struct batch_file {
    const char *path;
    int file;
    atomic_int *stop; /* not 0: nobody waits for more */
    char *text;
    size_t used, room, at;
    int ended;     /* all of the file is in text */
    uint64_t line; /* of text[at], from 1 */
    enum { BATCH_UNKNOWN, BATCH_LINES, BATCH_DOCUMENT } form;
    int has_deals; /* a document, which has an array of deals at `deals` */
    size_t deals;
    uint64_t deals_line;
    json_t *defaults; /* of a document that has been read */
    int begun;        /* its first deal has been read */
    uint64_t number;  /* of the next deal, from 0 */
    struct batch_ids ids;
    struct batch_part part;
    int (*is_wanted)(void *user, uint64_t number); /* of deals of the part, with rising numbers; NULL: all */
    void *user;
};

enum batch_what { BATCH_END, BATCH_DEFAULTS, BATCH_DEAL };

struct batch_item {
    enum batch_what what;
    json_t *object; /* to be let go of; NULL: of a deal that cannot be read, which has been said */
    uint64_t number, line;
    uint64_t same; /* the line of an earlier deal with the same id; 0: there is none */
    int wanted; /* a deal that is */
};

/* "-" is standard input. batch_file_close in any case. */
int batch_file_open(struct batch_file *file, const char *path, struct batch_part part, atomic_int *stop);

/* The next part of the file. An error is printed; it ends the file, except where it is of one deal: a line
 * that is no JSON, or a key that is there twice. */
int batch_file_next(struct batch_file *file, struct batch_item *item);
void batch_file_close(struct batch_file *file);

#endif
