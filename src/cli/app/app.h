/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The program itself: from words to commands, help, manual pages and completion.
 */
#ifndef CLI_APP_H
#define CLI_APP_H

#include <cli/options/options.h>

/* ---- All commands -------------------------------------------------------------------------------- */

/* All commands of a program, for manual pages and shells' completions. */

struct catalogue {
    const char *program;                   /* its name */
    const char *summary;                   /* one line about the program; NULL: it has no page */
    void (*help)(void);                    /* prints what --help does */
    const struct command *const *commands; /* NULL ends; their names are one word or two */
    const struct family *const *families;  /* NULL ends */
    const char *companion;                 /* a word whose commands are another program's, or NULL */
};

/* The running program's. Its main sets it first, so that pages need not know which program they are of. */
extern const struct catalogue *cli_catalogue;

/* `bailey manual [PAGE]`, and `bailey completion bash|zsh|fish`. */
extern const struct command command_manual;
extern const struct family family_completion;

/* ---- Programs installed with this one ------------------------------------------------------------ */

/* Continues as the program `name`, with the words after argv[0] (NULL ends) as its own. It is looked for in
 * this program's folder, then in the package's libexec folder. Returns only when that fails, with the exit
 * code. */
int companion_run(const char *name, char **argv);

#endif
