/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Values of options: numbers, dates, words and lists. A value that cannot be read is refused with what it may
 * be, and, where that can be guessed, with what was probably meant.
 */
#include "options.h"

#include <cli/io/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                             "%s: %s looks like a number with a decimal comma; use a decimal point", name,
                             cli_printable(list));
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
    return cli_error(CLI_USAGE, "%s: unknown value '%s'; choose from %s%s%s%s", name, cli_printable(word),
                     all, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
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

uint64_t option_list_length(const char *list)
{
    uint64_t length = 1;
    for (; *list; list++) length += *list == ',';
    return length;
}

int option_next_item(const char **list, char *item, size_t size)
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
    while (option_next_item(&list, item, sizeof item)) {
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
    while (option_next_item(&list, item, sizeof item)) {
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
    const uint64_t most = option_list_length(list);
    *values = malloc(most * sizeof **values);
    if (!*values) return cli_memory_error(name, most * sizeof **values);
    while (option_next_item(&list, item, sizeof item)) {
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
    return cli_error(CLI_USAGE, "%s and %s cannot be combined: %s", options[one].name, options[other].name,
                     why);
}
