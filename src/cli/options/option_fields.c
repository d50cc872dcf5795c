/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Options that give a field of one of the library's structs. Their help, limits and defaults are what the
 * library says of the field, so that nothing is written twice.
 */
#include "options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CHOICES = 64 };

const bailey_field *option_field(const struct option *option)
{
    return option->field ? bailey_record_field(bailey_describe(option->record), option->field) : NULL;
}

/* ---- Words --------------------------------------------------------------------------------------- */

static void CLI_PRINTF(3, 4) add(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    if (used + 1 < size) vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* The word after the one at `word`; NULL: it is the last. */
static const char *next_word(const char *word)
{
    const char *space = strchr(word, ' ');
    return space ? space + 1 : NULL;
}

int option_takes(const struct option *option, const bailey_choice *choice)
{
    const size_t length = strlen(choice->name);
    for (const char *at = option->only; at; at = next_word(at))
        if (strcspn(at, " ") == length && !strncmp(at, choice->name, length)) return 1;
    return !option->only;
}

static void add_choices(const struct option *option, const bailey_field *f, const char *between, char *text,
                        size_t size)
{
    for (uint32_t i = 0, some = 0; i < f->choice_count; i++)
        if (option_takes(option, &f->choices[i]))
            add(text, size, "%s%s", some++ ? between : "", f->choices[i].name);
    for (const char *at = option->more; at; at = next_word(at))
        add(text, size, "%s%.*s", between, (int)strcspn(at, " "), at);
}

/* Whether the choices are too many for the place of the value: the help has them then. */
static int are_many(const struct option *option, const bailey_field *f)
{
    char text[200] = "";
    if (f->choice_count && !option->value) add_choices(option, f, "|", text, sizeof text);
    return strlen(text) > 100;
}

void option_value_words(const struct option *option, char *text, size_t size)
{
    const bailey_field *f = option_field(option);
    snprintf(text, size, "%s", option->value ? option->value : "");
    if (!f || *text || f->type == BAILEY_FIELD_TYPE_FLAG) return;
    if (f->choice_count && !are_many(option, f))
        add_choices(option, f, "|", text, size);
    else if (f->choice_count)
        snprintf(text, size, "NAME");
    else
        snprintf(text, size, "%s", f->type == BAILEY_FIELD_TYPE_REAL ? "X" : "N");
}

static int is_default(const bailey_field *f, const bailey_choice *choice)
{
    return !f->needed && !f->default_how && choice->value == f->default_value;
}

/* "exact (default): the same bits on every device; fast: the device's native functions" */
static void add_meanings(const struct option *option, const bailey_field *f, char *text, size_t size)
{
    for (uint32_t i = 0; i < f->choice_count; i++) {
        const bailey_choice *c = &f->choices[i];
        if (option_takes(option, c))
            add(text, size, "; %s%s%s%s", c->name, is_default(f, c) ? " (default)" : "",
                c->summary ? ": " : "", c->summary ? c->summary : "");
    }
}

/* Where the words stand before the help already, the default alone. */
static void add_default_choice(const bailey_field *f, char *text, size_t size)
{
    for (uint32_t i = 0; i < f->choice_count; i++)
        if (is_default(f, &f->choices[i])) add(text, size, "; default %s", f->choices[i].name);
    if (f->default_how) add(text, size, "; default: %s", f->default_how);
}

/* Descriptions do not say that 0 stands for 0. */
static int has_zero_default(const bailey_field *f)
{
    const int number = f->type >= BAILEY_FIELD_TYPE_UINT32 && f->type <= BAILEY_FIELD_TYPE_REAL;
    return number && !f->choice_count && !f->pointer && !f->needed && !f->default_how &&
           f->default_value == 0 && bailey_field_check(f, NULL, 0) == BAILEY_OK;
}

void option_help_words(const struct option *option, char *text, size_t size)
{
    const bailey_field *f = option_field(option);
    char limits[200] = "";
    snprintf(text, size, "%s", option->help ? option->help : f ? f->summary : "");
    if (!f || f->type == BAILEY_FIELD_TYPE_FLAG) return;
    if (f->unit) add(text, size, strncmp(f->unit, "per ", 4) ? ", in %s" : ", %s", f->unit);
    if (f->choice_count && !option->help && !option->value && f->choices[0].summary)
        add_meanings(option, f, text, size);
    else if (f->choice_count) {
        if (are_many(option, f)) {
            add(text, size, ": ");
            add_choices(option, f, ", ", text, size);
        }
        add_default_choice(f, text, size);
    } else if (bailey_field_limits(f, limits, sizeof limits))
        add(text, size, "; %s", limits);
    if (has_zero_default(f)) add(text, size, "; default 0");
}

const char *option_word_of(const char *record, const char *field, int value)
{
    const char *word = document_word(bailey_record_field(bailey_describe(record), field), value);
    return word ? word : "";
}

const char *option_precision(int precision)
{
    return option_word_of("normal_params", "precision", precision);
}

const char *const *option_words(const char *record, const char *field)
{
    static _Thread_local const char *words[4][MOST_CHOICES + 1];
    static _Thread_local unsigned next;
    const char **list = words[next++ % 4];
    const bailey_field *f = bailey_record_field(bailey_describe(record), field);
    uint32_t n = 0;
    for (; n < f->choice_count && n < MOST_CHOICES; n++) list[n] = f->choices[n].name;
    list[n] = NULL;
    return list;
}

/* ---- Reading ------------------------------------------------------------------------------------- */

static void store_uint(const bailey_field *f, void *at, uint64_t value)
{
    const uint32_t narrow = (uint32_t)value;
    if (f->size == sizeof value)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &narrow, sizeof narrow);
}

static int read_uint(const struct arguments *a, int option, const bailey_field *f, void *at)
{
    const uint64_t widest = f->type == BAILEY_FIELD_TYPE_UINT64 ? UINT64_MAX : UINT32_MAX;
    const int bounded = f->range.high > 0 && f->range.high < (double)widest;
    uint64_t value;
    const int code = option_u64(a, option, (uint64_t)ceil(f->range.low),
                                bounded ? (uint64_t)f->range.high : widest, &value);
    if (!code) store_uint(f, at, value);
    return code;
}

/* 0 is a number here and never stands for a default: a user who wants the default leaves the option out. */
static int takes_number(const bailey_field *f, double value)
{
    bailey_field without_default = *f;
    without_default.default_value = 0;
    without_default.default_how = NULL;
    return bailey_field_check(&without_default, NULL, value) == BAILEY_OK;
}

static int read_real(const struct arguments *a, int option, const bailey_field *f, void *at)
{
    double value;
    char limits[200] = "";
    const int code = option_f64(a, option, &value);
    if (code) return code;
    bailey_field_limits(f, limits, sizeof limits);
    limits[strcspn(limits, ";")] = 0;
    if (!takes_number(f, value))
        return cli_error(CLI_USAGE, "%s: %s is not %s", a->command->options[option].name,
                         cli_printable(a->value[option]), limits);
    memcpy(at, &value, sizeof value);
    return CLI_OK;
}

/* Of "u32=words normal=normals", what `word` is called now; NULL: it is not in the list. */
static const char *word_now(const struct option *o, const char *word, char *now, size_t size)
{
    const size_t length = strlen(word);
    for (const char *at = o->words_before; at; at = next_word(at))
        if (!strncmp(at, word, length) && at[length] == '=') {
            snprintf(now, size, "%.*s", (int)strcspn(at + length + 1, " "), at + length + 1);
            cli_error(CLI_OK, "note: %s %s is called %s now", o->name, word, now);
            return now;
        }
    return NULL;
}

static int read_choice(const struct arguments *a, int option, const bailey_field *f, void *at)
{
    const struct option *o = &a->command->options[option];
    const char *names[MOST_CHOICES + 1];
    char now[40], more[40] = "";
    int value[MOST_CHOICES], n = 0, index = 0, added = 0;
    for (uint32_t i = 0; i < f->choice_count && n < MOST_CHOICES; i++)
        if (option_takes(o, &f->choices[i])) {
            value[n] = (int)f->choices[i].value;
            names[n++] = f->choices[i].name;
        }
    snprintf(more, sizeof more, "%s", o->more ? o->more : "");
    for (char *word = more; *word && n < MOST_CHOICES; word += strlen(word) + 1) {
        word[strcspn(word, " ")] = 0;
        value[n] = (int)f->choice_count + added++;
        names[n++] = word;
    }
    names[n] = NULL;
    const char *word = word_now(o, a->value[option], now, sizeof now);
    const int code = option_word(o->name, word ? word : a->value[option], names, &index);
    if (!code) memcpy(at, &value[index], sizeof *value);
    return code;
}

static int read_field(const struct arguments *a, int option, const bailey_field *f, void *values)
{
    static const uint32_t yes = 1;
    void *at = (char *)values + f->offset;
    if (f->choice_count) return read_choice(a, option, f, at);
    switch (f->type) {
    case BAILEY_FIELD_TYPE_FLAG: memcpy(at, &yes, sizeof yes); return CLI_OK;
    case BAILEY_FIELD_TYPE_UINT32:
    case BAILEY_FIELD_TYPE_UINT64: return read_uint(a, option, f, at);
    case BAILEY_FIELD_TYPE_REAL: return read_real(a, option, f, at);
    case BAILEY_FIELD_TYPE_TEXT: memcpy(at, &a->value[option], sizeof a->value[option]); return CLI_OK;
    default: return CLI_OK;
    }
}

int options_read_fields(const struct arguments *a, const char *record, void *values)
{
    const struct option *options = a->command->options;
    for (int i = 0; options[i].name; i++) {
        if (!a->value[i] || !options[i].field || strcmp(options[i].record, record)) continue;
        const bailey_field *f = option_field(&options[i]);
        const int code =
            f->pointer && f->type != BAILEY_FIELD_TYPE_TEXT ? CLI_OK : read_field(a, i, f, values);
        if (code) return code;
    }
    return CLI_OK;
}

const char *options_given(const struct arguments *a, const char *record, const char *field)
{
    const struct option *options = a->command->options;
    for (int i = 0; options[i].name; i++)
        if (a->value[i] && options[i].field && !strcmp(options[i].record, record) &&
            !strcmp(options[i].field, field))
            return options[i].name;
    return NULL;
}

/* Of "first_steps is 3, not a power of two" the option's name is said instead of the field's. */
static int refuse_field(bailey_status status, const struct option *option)
{
    const char *text = bailey_error_message();
    const size_t length = strlen(option->field);
    if (strncmp(text, option->field, length) || strncmp(text + length, " is ", 4))
        return cli_check(status, option->name);
    return cli_error(status == BAILEY_ERROR_INVALID ? CLI_USAGE : CLI_FAILED, "%s: %s", option->name,
                     text + length + 4);
}

/* Whether "--exercise-count" is called as "exercise_count" is. */
static int is_called(const char *option, const char *argument)
{
    for (option += 2; *option && (*option == *argument || (*option == '-' && *argument == '_')); option++)
        argument++;
    return !*option && !*argument;
}

int options_check(const struct arguments *a, bailey_status status, const char *otherwise)
{
    const struct option *options = a->command->options;
    const char *argument = status == BAILEY_OK ? "" : bailey_error_argument();
    for (int i = 0; *argument && options[i].name; i++)
        if (options[i].field && !strcmp(options[i].field, argument)) return refuse_field(status, &options[i]);
    for (int i = 0; *argument && options[i].name; i++)
        if (!strncmp(options[i].name, "--", 2) && is_called(options[i].name, argument))
            return cli_check(status, options[i].name);
    return cli_check(status, otherwise);
}
