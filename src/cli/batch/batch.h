/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * `bailey batch`: a file of deals.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <jansson.h>

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Ids ----------------------------------------------------------------------------------------- */

/* The ids of a file's deals, to find those that occur twice. Some 50 bytes are kept of each. */

struct batch_ids {
    struct batch_id *table; /* [room], a power of two */
    size_t room, count;
};

/* Adds the id of a deal, whose text is read without being checked; without an id it is `number`. *same is the
 * line of an earlier deal with that id, or 0. Prints what is wrong, returns an exit code. */
int batch_ids_add(struct batch_ids *ids, const char *deal, size_t length, uint64_t number, uint64_t line,
                  uint64_t *same);
void batch_ids_free(struct batch_ids *ids);

/* ---- The file of deals --------------------------------------------------------------------------- */

/* The file of `bailey batch`: a document with the members defaults and deals, an array of deals, or a deal
 * per line. A document is read whole, its deals one by one; lines are read as they come. */

/* Which deals of the file are needed: those whose number is `index` modulo `count`. */
struct batch_part {
    uint64_t index, count;
};

struct batch_file {
    const char *path;
    int file;
    atomic_int *stop; /* not 0: nothing more is needed */
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
    int (*is_wanted)(void *user, uint64_t number); /* asked of the part's deals, in order; NULL: all */
    void *user;
};

enum batch_what { BATCH_END, BATCH_DEFAULTS, BATCH_DEAL };

struct batch_item {
    enum batch_what what;
    json_t *object; /* to be released; NULL: the deal cannot be read, which has been reported */
    uint64_t number, line;
    uint64_t same; /* the line of an earlier deal with the same id; 0: there is none */
    int wanted;    /* the deal is priced by this process */
};

/* "-" is standard input. batch_file_close in any case. */
int batch_file_open(struct batch_file *file, const char *path, struct batch_part part, atomic_int *stop);

/* The next part of the file. An error is printed; it ends the file, except where it is of one deal: a line
 * that is not JSON, or a key that is there twice. */
int batch_file_next(struct batch_file *file, struct batch_item *item);
void batch_file_close(struct batch_file *file);

/* ---- A batch ------------------------------------------------------------------------------------- */

/* A file of deals priced in one go: one thread reads, one thread for each context prices, the caller's
 * writes. */

#define BATCH_WORKERS_MAX 64u

struct batch_request {
    const char *input, *output; /* "-": standard ones */
    struct batch_part part;
    int strict;                      /* the first deal that is wrong ends the batch */
    unsigned simulations;            /* that each worker caches */
    bailey_context *const *contexts; /* [workers] */
    unsigned workers;
    const struct batch_team *team; /* the processes that share the deals; NULL: this one alone */
};

struct batch_totals {
    uint64_t deals, failed, simulations; /* the latter: made */
    double seconds, run_seconds;         /* the latter: inside runs, of all workers */
    uint64_t fewest, most;               /* deals that a process of a team has priced */
};

struct batch;        /* deals that are being read and priced: batch_deal.h */
struct batch_writer; /* where their lines go */

/* Processes that share the deals of a file. */
struct batch_team {
    int rank, ranks; /* rank 0 writes */
    /* Called first: whether all ranks can read the file. */
    int (*check)(const char *input);
    /* Runs until all has been written, instead of writing what this process prices. */
    int (*run)(struct batch *batch, struct batch_writer *writer);
    /* Called last: gives every rank the totals of all and rank 0's exit code. */
    int (*finish)(struct batch_totals *totals, int code);
};
/* Of `bailey batch`; NULL: this process is alone. */
extern const struct batch_team *batch_team;

/* The ranks of MPI as a team (batch_mpi.c); NULL if there is one rank only. `all_start` says whether every
 * rank is ready, and is called once. */
const struct batch_team *batch_mpi_team(int rank, int ranks, int (*all_start)(int ready));

/* Prints what is wrong with the file, returns an exit code: of the first deal that failed, if some did. */
int batch_run(const struct batch_request *request, struct batch_totals *totals);

/* ---- Keys ---------------------------------------------------------------------------------------- */

/* The keys of a deal of `bailey batch`: the options of the command that prices it, with _ for -, and what
 * JSON has for each. */

enum batch_kind {
    KIND_SCALAR,  /* a string or a number, which the option reads */
    KIND_NUMBER,  /* a number */
    KIND_NUMBERS, /* a number or an array of numbers */
    KIND_COUNT,   /* an integer, or a string where it is beyond 2^63 */
    KIND_FLAG,    /* true or false */
    KIND_TIMES,   /* a file, or an array of numbers or dates */
    KIND_MATRIX,  /* a file, a number, or an array of rows */
    KIND_NAMES,   /* a string, or an array of strings */
    KIND_PAIRS,   /* a string, or an object of numbers */
    KIND_REFUSED  /* nothing but null */
};

struct batch_key {
    char name[32]; /* "past_count", of the option --past-count */
    int option;
    enum batch_kind kind;
    const char *why; /* why it is refused; NULL: it is taken */
    const char *now; /* its new name, if it is one of the release before; else NULL */
};

/* The keys of the deals of a command, which are its options. Made by the thread that reads deals, when it
 * meets the first of them, and kept as long as the program. */
struct batch_keys {
    struct batch_keys *next;
    const struct command *command;
    int count;
    struct batch_key key[2 * OPTIONS_MAX];
};

/* NULL without memory, which has been reported. */
struct batch_keys *batch_keys_of(const struct command *command);
struct batch_key *batch_find_key(struct batch_keys *keys, const char *name);

/* Notes, once per key, that it has another name now: on standard error, as `error` takes only what is wrong
 * with the deal. */
void batch_note_new_name(struct batch_key *key, char *error, size_t size);

/* Prints that a value is not of the key's kind, and returns the exit code. */
int batch_wrong(const char *key, enum batch_kind kind);

/* Replaces the names of options in an error by those of the keys; `keys` may be NULL. */
void batch_use_keys(struct batch_keys *keys, char *error);

#endif
