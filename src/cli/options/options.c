/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The command line: finds the option of each word by the command's table, and keeps the words of its value.
 * Values are read later, by functions that know the type (option_values.c, option_fields.c).
 */
#include "options.h"

#include "drivers_known.h"

#include <cli/io/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int option_is_heading(const struct option *option) { return !option->help && !option->field; }

const char *option_refusal(const struct command *command, int option)
{
    return command->refuses ? command->refuses(command, option) : NULL;
}

static int unknown_option(const struct command *command, const char *word)
{
    const char *names[2 * OPTIONS_MAX + 2];
    size_t n = 0;
    for (const struct option *o = command->own; o && o->name && n < OPTIONS_MAX; o++) names[n++] = o->name;
    for (int i = 0; command->options[i].name; i++)
        if (!option_is_heading(&command->options[i]) && !option_refusal(command, i))
            names[n++] = command->options[i].name;
    names[n++] = "--help";
    names[n] = NULL;
    const char *nearest = cli_nearest(word, names);
    if (nearest)
        return cli_error(CLI_USAGE, "unknown option '%s'; did you mean %s?", cli_printable(word), nearest);
    return cli_error(CLI_USAGE, "unknown option '%s'; '%s --help' lists the options", cli_printable(word),
                     cli_command);
}

/* --cash 10 or --cash=10 of a parameter, as --set cash=10; -1: there is no such parameter. */
static int read_parameter(const struct command *command, int argc, char **argv, int *i,
                          struct arguments *arguments)
{
    char name[64];
    const char *word = argv[*i] + 2;
    const size_t length = strcspn(word, "=");
    if (length >= sizeof name) return -1;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (!command->has_parameter(command, argc, argv, name)) return -1;
    const char *value = word[length] ? word + length + 1 : *i + 1 < argc ? argv[++*i] : "";
    if (!*value || (!word[length] && !strncmp(value, "--", 2)))
        return cli_error(CLI_USAGE, "--%s needs a value", name);
    if (arguments->repeats == OPTIONS_REPEATS_MAX)
        return cli_error(CLI_USAGE, "more than %d parameters", OPTIONS_REPEATS_MAX);
    const size_t size = strlen(name) + strlen(value) + 2;
    char *set = malloc(size);
    if (!set) return cli_memory_error("options", size);
    snprintf(set, size, "%s=%s", name, value);
    for (char *c = set; *c != '='; c++)
        if (*c == '-') *c = '_';
    arguments->made[arguments->repeats] = set;
    arguments->repeated[arguments->repeats++] = set;
    return CLI_OK;
}

/* The index of the option called `name`, or so in the release before; of the table's end if there is none. */
static int find_option(const struct command *command, const char *name)
{
    const struct option *options = command->options;
    int i = 0;
    for (; options[i].name; i++) {
        if (option_is_heading(&options[i])) continue;
        if (!strcmp(options[i].name, name) || (options[i].letter && name[1] == options[i].letter && !name[2]))
            return i;
    }
    for (int old = 0; old < i; old++) {
        if (!options[old].before || strcmp(options[old].before, name)) continue;
        cli_error(CLI_OK, "note: %s is called %s now", name, options[old].name);
        return old;
    }
    return i;
}

void options_free(struct arguments *arguments)
{
    for (int i = 0; i < arguments->repeats; i++) free(arguments->made[i]);
}

/* The value of an option, after = or in the next word; NULL: it is missing. */
static const char *find_value(int argc, char **argv, int *i, const char *inside)
{
    const char *value = inside ? inside + 1 : *i + 1 < argc ? argv[++*i] : NULL;
    return value && *value && (inside || strncmp(value, "--", 2)) ? value : NULL;
}

static int take_value(const struct command *command, int index, const char *value,
                      struct arguments *arguments)
{
    const struct option *o = &command->options[index];
    arguments->value[index] = value;
    if (!command->repeatable || strcmp(o->name, command->repeatable)) return CLI_OK;
    if (arguments->repeats == OPTIONS_REPEATS_MAX)
        return cli_error(CLI_USAGE, "%s is given more than %d times", o->name, OPTIONS_REPEATS_MAX);
    arguments->repeated[arguments->repeats++] = value;
    return CLI_OK;
}

/* Reads the option at argv[*i], which moves on to its value. A parameter may have the name of an option that
 * the command refuses. */
static int read_option(const struct command *command, int argc, char **argv, int *i,
                       struct arguments *arguments)
{
    const char *word = argv[*i], *inside = strncmp(word, "--", 2) ? NULL : strchr(word, '=');
    const size_t length = inside ? (size_t)(inside - word) : strlen(word);
    char name[64], takes[128];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    const int index = find_option(command, name);
    const struct option *o = &command->options[index];
    if ((!o->name || option_refusal(command, index)) && command->has_parameter && !strncmp(name, "--", 2)) {
        const int code = read_parameter(command, argc, argv, i, arguments);
        if (code >= 0) return code;
    }
    if (!o->name) return unknown_option(command, name);
    if (option_refusal(command, index))
        return cli_error(CLI_USAGE, "%s: %s", o->name, option_refusal(command, index));
    if (arguments->value[index] && (!command->repeatable || strcmp(o->name, command->repeatable)))
        return cli_error(CLI_USAGE, "%s is given twice", o->name);
    option_value_words(o, takes, sizeof takes);
    if (!*takes && inside) return cli_error(CLI_USAGE, "%s takes no value", o->name);
    if (!*takes) return take_value(command, index, "", arguments);
    const char *value = find_value(argc, argv, i, inside);
    if (!value) return cli_error(CLI_USAGE, "%s needs a value: %s %s", o->name, o->name, takes);
    return take_value(command, index, value, arguments);
}

int options_read(const struct command *command, int argc, char **argv, struct arguments *arguments, int *help)
{
    int code = CLI_OK;
    memset(arguments, 0, sizeof *arguments);
    arguments->command = command;
    *help = 0;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) *help = 1;
    }
    if (*help) return CLI_OK; /* whatever else is wrong: a user who asks for help needs it */
    for (int i = 0; i < argc && !code; i++) {
        const char *word = argv[i];
        if (word[0] == '-' && word[1])
            code = read_option(command, argc, argv, &i, arguments);
        else if (command->takes_file && !arguments->file)
            arguments->file = word;
        else
            code = cli_error(CLI_USAGE, "'%s' is not an option; '%s --help' shows the usage",
                             cli_printable(word), cli_command);
    }
    return code;
}

/* Unless nothing of what is below it is taken. */
static void print_heading(const struct command *command, int heading)
{
    for (int i = heading + 1; command->options[i].name && !option_is_heading(&command->options[i]); i++)
        if (!option_refusal(command, i)) {
            printf("\n%s\n", command->options[heading].name);
            return;
        }
}

static void print_option(const struct option *o)
{
    char left[160], takes[128], help[1000];
    int n = o->letter ? snprintf(left, sizeof left, "  -%c, %s", o->letter, o->name)
                      : snprintf(left, sizeof left, "  %s", o->name);
    option_value_words(o, takes, sizeof takes);
    if (*takes) snprintf(left + n, sizeof left - (size_t)n, " %s", takes);
    printf("%-26s", left);
    if (strlen(left) > 25) printf("\n%26s", "");
    option_help_words(o, help, sizeof help);
    cli_wrap(help, 26, 26);
}

void options_help(const struct command *command)
{
    printf("usage: bailey %s %s\n\n%s\n", command->name, command->usage, command->about);
    for (int i = 0; command->options[i].name; i++)
        if (option_is_heading(&command->options[i]))
            print_heading(command, i);
        else if (!option_refusal(command, i))
            print_option(&command->options[i]);
    printf("\nExamples:\n%s", command->examples);
    if (command->more_help) command->more_help();
}

int open_device(const struct arguments *arguments, const char *device, bailey_context **context,
                bailey_device *described)
{
    bailey_context_params params = {0};
    const char *named = device;
    int code = options_read_fields(arguments, "context_params", &params);
    if (!code) code = drivers_try(&device);
    if (code) return code;
    notice_start();
    bailey_status status = bailey_context_create(device, &params, context);
    const char *what = status && named && !strcmp(bailey_error_argument(), "device") ? "--device" : "";
    code = cli_check(status, what);
    if (!code) {
        code = cli_check(bailey_context_device(*context, described), what);
        if (code) {
            bailey_context_destroy(*context);
            *context = NULL;
        }
    }
    if (!code) driver_opened(described->address);
    return code;
}
