/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The keys of a deal of `bailey batch`: the options of the command that prices it, with _ for -, and what
 * JSON has for each.
 */
#ifndef CLI_BATCH_KEYS_H
#define CLI_BATCH_KEYS_H

#include "options.h"

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
    const char *why; /* it is refused */
    const char *now; /* its name, of a key of the release before */
};

/* The keys of the deals of a command, which are its options. Made by the thread that reads deals, when it
 * meets the first of them, and kept as long as the program. */
struct batch_keys {
    struct batch_keys *next;
    const struct command *command;
    int count;
    struct batch_key key[2 * OPTIONS_MAX];
};

/* NULL without memory, which has been said. */
struct batch_keys *batch_keys_of(const struct command *command);
struct batch_key *batch_find_key(struct batch_keys *keys, const char *name);

/* Says once that a key has another name now; it is not the error of a deal, which `error` is for. */
void batch_say_new_name(struct batch_key *key, char *error, size_t size);

/* A value that is not of its kind. */
int batch_wrong(const char *key, enum batch_kind kind);

/* Calls the options in an error as the keys are; `keys` may be NULL. */
void batch_use_keys(struct batch_keys *keys, char *error);

#endif
