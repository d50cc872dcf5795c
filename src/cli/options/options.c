/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "options.h"

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

int options_read(const struct command *command, int argc, char **argv, struct arguments *arguments, int *help)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->command = command;
    *help = 0;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) *help = 1;
    }
    if (*help) return CLI_OK;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        const int option = word[0] == '-' && word[1];
        if (!option && command->takes_file && !arguments->file) {
            arguments->file = word;
            continue;
        }
        if (!option)
            return cli_error(CLI_USAGE, "'%s' is not an option; '%s --help' shows the usage",
                             cli_printable(word), cli_command);
        const char *inside = strncmp(word, "--", 2) ? NULL : strchr(word, '=');
        size_t length = inside ? (size_t)(inside - word) : strlen(word);
        char name[64], takes[128];
        snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
        const int index = find_option(command, name);
        const struct option *o = &command->options[index];
        if (!o->name && command->has_parameter && !strncmp(name, "--", 2)) {
            const int code = read_parameter(command, argc, argv, &i, arguments);
            if (code >= 0) {
                if (code) return code;
                continue;
            }
        }
        if (!o->name) return unknown_option(command, name);
        if (option_refusal(command, index))
            return cli_error(CLI_USAGE, "%s: %s", o->name, option_refusal(command, index));
        const int repeats = command->repeatable && !strcmp(o->name, command->repeatable);
        if (arguments->value[index] && !repeats) return cli_error(CLI_USAGE, "%s is given twice", o->name);
        option_value_words(o, takes, sizeof takes);
        if (!*takes) {
            if (inside) return cli_error(CLI_USAGE, "%s takes no value", o->name);
            arguments->value[index] = "";
            continue;
        }
        const char *value = inside ? inside + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (!value || !*value || (!inside && !strncmp(value, "--", 2)))
            return cli_error(CLI_USAGE, "%s needs a value: %s %s", o->name, o->name, takes);
        arguments->value[index] = value;
        if (!repeats) continue;
        if (arguments->repeats == OPTIONS_REPEATS_MAX)
            return cli_error(CLI_USAGE, "%s is given more than %d times", o->name, OPTIONS_REPEATS_MAX);
        arguments->repeated[arguments->repeats++] = value;
    }
    return CLI_OK;
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

const struct option_numbers *option_numbers(const struct arguments *arguments, int option)
{
    const struct option_numbers *numbers = arguments->numbers ? &arguments->numbers[option] : NULL;
    return numbers && numbers->count && arguments->value[option] ? numbers : NULL;
}

int option_u64(const struct arguments *arguments, int option, uint64_t least, uint64_t most, uint64_t *value)
{
    const char *name = arguments->command->options[option].name, *text = arguments->value[option];
    uint64_t parsed = 0;
    if (!text) return CLI_OK;
    double plain;
    enum parse_result result = parse_u64(text, &parsed);
    /* 2.7e11 is an integer, but not in digits */
    if (result == PARSE_MALFORMED && parse_f64(text, &plain) == PARSE_OK && plain >= 1 && plain < 0x1p53 &&
        plain == (double)(uint64_t)plain)
        return cli_error(CLI_USAGE, "%s: '%s' must be written without a point or sign: %.0f", name,
                         cli_printable(text), plain);
    if (result == PARSE_MALFORMED)
        return cli_error(CLI_USAGE, "%s: '%s' is not an integer from %llu to %llu%s", name,
                         cli_printable(text), (unsigned long long)least, (unsigned long long)most,
                         parse_hint(text, 0));
    if (result == PARSE_RANGE || parsed < least || parsed > most)
        return cli_error(CLI_USAGE, "%s: %s is outside its limits, %llu to %llu", name, cli_printable(text),
                         (unsigned long long)least, (unsigned long long)most);
    *value = parsed;
    return CLI_OK;
}

int option_number(const char *name, const char *text, int is_time, double *value)
{
    switch (parse_f64(text, value)) {
    case PARSE_OK: return CLI_OK;
    case PARSE_RANGE:
        return cli_error(CLI_USAGE, "%s: %s is beyond the largest double, 1.8e308", name,
                         cli_printable(text));
    default:
        return cli_error(CLI_USAGE, "%s: '%s' is not a finite decimal number%s", name, cli_printable(text),
                         parse_hint(text, is_time));
    }
}

int option_check_commas(const char *name, const char *list)
{
    for (const char *comma = strchr(list, ','); comma; comma = strchr(comma + 1, ','))
        if (comma[1] == '0' && comma[2] >= '0' && comma[2] <= '9')
            return cli_error(CLI_USAGE,
                             "%s: %s looks like a number with a decimal comma; decimals stand behind a point",
                             name, cli_printable(list));
    return CLI_OK;
}

int option_f64(const struct arguments *arguments, int option, double *value)
{
    const struct option *o = &arguments->command->options[option];
    const char *text = arguments->value[option];
    /* what is called T is a time */
    return text ? option_number(o->name, text, o->value && o->value[0] == 'T', value) : CLI_OK;
}

int option_date(const struct arguments *arguments, int option, int64_t *days)
{
    const char *text = arguments->value[option];
    if (!text || parse_date(text, days) == PARSE_OK) return CLI_OK;
    return cli_error(CLI_USAGE, "%s: '%s' %s", arguments->command->options[option].name, cli_printable(text),
                     parse_date_error(text));
}

int option_word(const char *name, const char *word, const char *const *choices, int *value)
{
    char all[600] = "";
    for (int i = 0; choices[i]; i++) {
        if (!strcmp(word, choices[i])) {
            *value = i;
            return CLI_OK;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", choices[i]);
    }
    const char *nearest = cli_nearest(word, choices);
    return cli_error(CLI_USAGE, "%s: '%s' is none of %s%s%s%s", name, cli_printable(word), all,
                     nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

int option_choice(const struct arguments *arguments, int option, const char *const *choices, int *value)
{
    const char *text = arguments->value[option];
    return text ? option_word(arguments->command->options[option].name, text, choices, value) : CLI_OK;
}

int option_ending(const char *path, const char *const *endings)
{
    const char *point = strrchr(path, '.');
    for (int i = 0; point && point > path && endings[i]; i++) {
        if (!strcmp(point + 1, endings[i])) return i;
    }
    return -1;
}

/* Copies the item that ends at the next comma; false at the end of the list. */
static int next_item(const char **list, char *item, size_t size)
{
    if (!*list) return 0;
    size_t length = strcspn(*list, ",");
    snprintf(item, size, "%.*s", (int)(length < size ? length : size - 1), *list);
    *list = (*list)[length] ? *list + length + 1 : NULL;
    return 1;
}

int option_list_choice(const struct arguments *arguments, int option, const char *const *choices, int *wanted)
{
    const char *name = arguments->command->options[option].name, *list = arguments->value[option];
    char item[64];
    int index, code;
    while (next_item(&list, item, sizeof item)) {
        if ((code = option_word(name, item, choices, &index))) return code;
        wanted[index] = 1;
    }
    return CLI_OK;
}

int option_list_f64(const struct arguments *arguments, int option, double *values, uint64_t most,
                    uint64_t *count)
{
    const char *name = arguments->command->options[option].name, *list = arguments->value[option];
    char item[400];
    *count = 0;
    if (list && option_check_commas(name, list)) return CLI_USAGE;
    while (next_item(&list, item, sizeof item)) {
        if (*count == most)
            return cli_error(CLI_USAGE, "%s: more than %llu numbers", name, (unsigned long long)most);
        int code = option_number(name, item, 0, &values[*count]);
        if (code) return code;
        ++*count;
    }
    return CLI_OK;
}

int option_list_u32(const struct arguments *arguments, int option, uint32_t **values, uint64_t *count)
{
    const char *name = arguments->command->options[option].name, *list = arguments->value[option];
    char item[64];
    *count = 0;
    *values = NULL;
    if (!list) return CLI_OK;
    uint64_t most = 1;
    for (const char *c = list; *c; c++) most += *c == ',';
    *values = malloc(most * sizeof **values);
    if (!*values) return cli_memory_error(name, most * sizeof **values);
    while (next_item(&list, item, sizeof item)) {
        uint64_t value = 0;
        if (parse_u64(item, &value) != PARSE_OK || value > UINT32_MAX)
            return cli_error(CLI_USAGE, "%s: '%s' is not an integer from 1 to 4294967295", name,
                             cli_printable(item));
        (*values)[(*count)++] = (uint32_t)value;
    }
    return CLI_OK;
}

int options_conflict(const struct arguments *arguments, int one, int other, const char *why)
{
    const struct option *options = arguments->command->options;
    if (!arguments->value[one] || !arguments->value[other]) return CLI_OK;
    return cli_error(CLI_USAGE, "%s and %s exclude each other: %s", options[one].name, options[other].name,
                     why);
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
    return code;
}
