/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * From words to a command. A command is a table of options and a function; a family is a word, such as price,
 * that a second one follows.
 */
#include "options.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

int is_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
}

int command_run(const struct command *command, int argc, char **argv)
{
    static char name[64];
    struct arguments arguments;
    int wants_help;
    cli_elapsed_start();
    snprintf(name, sizeof name, "bailey %s", command->name);
    cli_command = name;
    signal(SIGXFSZ, SIG_IGN); /* beyond the limit of file sizes write() is to fail, not to kill */
    int code = options_read(command, argc, argv, &arguments, &wants_help);
    if (!code && wants_help) {
        options_help(command);
        if (command->describe) command->describe(command, argc, argv);
    } else if (!code)
        code = command->run(&arguments);
    options_free(&arguments);
    const int finished = cli_finish_stdout();
    return code ? code : finished;
}

static const char *second_word(const struct family *family, const struct command *member)
{
    return member->name + strlen(family->word) + 1;
}

const struct command *family_at(const struct family *family, size_t index)
{
    const struct command *const *member = family->members;
    size_t made = 0;
    for (const struct command *m; family->more && (m = family->more(made)); made++)
        if (made == index) return m;
    for (; *member && index > made; index--) member++;
    return *member;
}

const struct command *family_member(const struct family *family, const char *second)
{
    const struct command *m;
    if (!second) return family_at(family, 1) ? NULL : family_at(family, 0);
    if (family->named && (m = family->named(second))) return m;
    /* What more() makes, which takes long, has just been looked at by its names. */
    for (size_t i = 0; (m = family->named ? family->members[i] : family_at(family, i)); i++)
        if (!strcmp(second_word(family, m), second)) return m;
    return NULL;
}

int family_help(const struct family *family)
{
    const struct command *only = family_member(family, NULL);
    const char *what = only ? second_word(family, only) : "WHAT";
    printf("usage: bailey %s %s [options]\n", family->word, what);
    if (family->otherwise) printf("       bailey %s %s\n", family->otherwise->name, family->otherwise->usage);
    printf("\n%s\n\n", family->about);
    const struct command *m;
    int width = 15;
    for (size_t i = 0; (m = family_at(family, i)); i++) {
        const int length = (int)strlen(second_word(family, m));
        if (length > width) width = length;
    }
    for (size_t i = 0; (m = family_at(family, i)); i++)
        printf("  %-*s %s\n", width, second_word(family, m), m->summary);
    printf("\n'bailey %s %s --help' gives its options and examples.\n", family->word, what);
    if (family->otherwise) printf("%s\n", family->otherwise->summary);
    return cli_finish_stdout();
}

enum { MOST_NAMES = 80 };

static int unknown_member(const struct family *family, const char *word)
{
    const char *names[MOST_NAMES + 1];
    const struct command *only = family_member(family, NULL), *m;
    size_t n = 0;
    if (only)
        return cli_error(CLI_USAGE, "unknown %s '%s'; the only one is 'bailey %s'", family->kind,
                         cli_printable(word), only->name);
    for (; n < MOST_NAMES && (m = family_at(family, n)); n++) names[n] = second_word(family, m);
    names[n] = NULL;
    const char *nearest = cli_nearest(word, names);
    if (nearest)
        return cli_error(CLI_USAGE, "unknown %s '%s'; did you mean '%s'?", family->kind, cli_printable(word),
                         nearest);
    return cli_error(CLI_USAGE, "unknown %s '%s'; 'bailey %s --help' lists them", family->kind,
                     cli_printable(word), family->word);
}

int family_run(const struct family *family, int argc, char **argv)
{
    static char name[64];
    const struct command *member = argc > 0 ? family_member(family, argv[0]) : NULL;
    if (member) return command_run(member, argc - 1, argv + 1);
    snprintf(name, sizeof name, "bailey %s", family->word);
    cli_command = name;
    if (argc > 0 && is_help(argv[0])) return family_help(family);
    if (argc > 0 && argv[0][0] == '-' && family->otherwise) return command_run(family->otherwise, argc, argv);
    if (argc > 0 && argv[0][0] != '-') return unknown_member(family, argv[0]);
    const struct command *only = family_member(family, NULL);
    return cli_error(CLI_USAGE, "%s is missing; see 'bailey %s --help'", family->missing,
                     only ? only->name : family->word);
}
