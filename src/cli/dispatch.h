/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * From the words of a command line to a command: what `bailey` and `bailey-bench` share.
 */
#ifndef CLI_DISPATCH_H
#define CLI_DISPATCH_H

#include "options.h"

enum { FAMILY_MEMBERS_MAX = 15 };

/* A word that a second one follows. */
struct family {
    const char *word;
    const char *missing; /* what the second word says */
    const char *kind;    /* of thing that it names */
    const char *about;
    const struct command *members[FAMILY_MEMBERS_MAX + 1]; /* their names begin with `word`; NULL ends */
    const struct command *(*more)(size_t index);           /* members before these, until NULL; may be NULL */
    const struct command *otherwise;                       /* where an option follows `word`; may be NULL */
};

/* Member number `index`, those of `more` first; NULL beyond the last. */
const struct command *family_at(const struct family *family, size_t index);
/* The member whose second word is `second`; with NULL the only one, if there is only one. */
const struct command *family_member(const struct family *family, const char *second);

/* argv begins with the word after the family's. Both return the exit code. */
int family_run(const struct family *family, int argc, char **argv);
int family_help(const struct family *family);

/* argv begins with the word after the command's. Returns the exit code. */
int command_run(const struct command *command, int argc, char **argv);

/* Whether the word asks for help: "--help", "-h" or "help". */
int is_help(const char *word);

#endif
