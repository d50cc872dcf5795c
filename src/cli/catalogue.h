/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * All commands of a program, for whoever writes about them: manual pages and shells' completions.
 */
#ifndef CLI_CATALOGUE_H
#define CLI_CATALOGUE_H

#include "dispatch.h"

struct catalogue {
    const char *program;                   /* its name */
    const char *summary;                   /* one line about the program; NULL: it has no page of its own */
    void (*help)(void);                    /* prints what --help does */
    const struct command *const *commands; /* NULL ends; their names are one word or two */
    const struct family *const *families;  /* NULL ends */
    const char *companion;                 /* a word whose commands are another program's, or NULL */
};

/* Each program defines its own. */
extern const struct catalogue cli_catalogue;

/* `bailey manual [PAGE]`, and `bailey completion bash|zsh|fish`. */
extern const struct command command_manual;
extern const struct family family_completion;

#endif
