/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The keys that a deal may have, made from the options of the command that prices it, so that `bailey batch`
 * takes every new option of `bailey price` and of `bailey mlmc`.
 */
#include "batch.h"

#include <cli/options/options.h>
#include <cli/price/price.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keys ---- */

static const char *const expected[] = {
    [KIND_SCALAR] = "a string or a number",
    [KIND_NUMBER] = "a number",
    [KIND_NUMBERS] = "a number or an array of numbers",
    [KIND_COUNT] = "an integer that is not negative",
    [KIND_FLAG] = "true or false",
    [KIND_TIMES] = "the name of a file, or an array of years or of dates",
    [KIND_MATRIX] = "the name of a file, a number, or an array of rows",
    [KIND_NAMES] = "a string or an array of strings",
    [KIND_PAIRS] = "an object of numbers",
};

static enum batch_kind kind_of_field(const bailey_field *f)
{
    if (f->choice_count || f->type == BAILEY_FIELD_TYPE_TEXT) return KIND_SCALAR;
    if (f->type == BAILEY_FIELD_TYPE_REAL) return f->pointer ? KIND_NUMBERS : KIND_NUMBER;
    return f->type == BAILEY_FIELD_TYPE_FLAG ? KIND_FLAG : KIND_COUNT;
}

static enum batch_kind kind_by_help(const struct option *o)
{
    char takes[128];
    const bailey_field *f = option_field(o);
    option_value_words(o, takes, sizeof takes);
    return f ? kind_of_field(f) : *takes ? KIND_SCALAR : KIND_FLAG;
}

/* Where a deal has more than a text or a number for it: of `bailey price`, and of `bailey mlmc`. */
static enum batch_kind kind_of_price(const struct option *o, int option)
{
    if (option == TIMES) return KIND_TIMES;
    if (option == CORRELATION) return KIND_MATRIX;
    if (option == OUTPUTS || option == BY || option == DIRECTIONS) return KIND_NAMES;
    if (option == JUMP_WIDTHS || option == GRADIENT_WEIGHTS) return KIND_NUMBERS;
    return option == CONTROL ? KIND_PAIRS : kind_by_help(o);
}

static enum batch_kind kind_of_levels(const struct option *o, int option)
{
    if (option == M_CORRELATION) return KIND_MATRIX;
    if (option == M_BY) return KIND_NAMES;
    return option == M_EPS ? KIND_NUMBER : kind_by_help(o);
}

static int is_among(int option, const int *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == option) return 1;
    return 0;
}

/* Why deals do not have it; NULL: they do. */
static const char *refusal(const struct command *command, int option)
{
    static const int of_price[] = {
        SCENARIOS,          GREEKS,       LIKELIHOOD, DEVICE,          THREADS, CHECKPOINT,
        CHECKPOINT_SECONDS, SAVE_OUTPUTS, EXPLAIN,    DERIVATIVE_CODE, JSON};
    static const int of_levels[] = {M_TEST_SAMPLES, M_FINEST, M_NO_TEST, M_DEVICE, M_THREADS,
                                    M_CHECKPOINT,   M_OUTPUT, M_PLOT,    M_JSON};
    if (command->options == levels_options)
        return is_among(option, of_levels, sizeof of_levels / sizeof *of_levels)
                   ? "not an option of a deal; see 'bailey mlmc'"
                   : option_refusal(command, option);
    if (is_among(option, of_price, sizeof of_price / sizeof *of_price))
        return "not an option of a deal; see 'bailey price'";
    if (command == &command_price_payoff && option == PAYOFF_TEMPLATE) return "not an option of a deal";
    return option_refusal(command, option);
}

static void name_key(char *name, size_t size, const char *option)
{
    snprintf(name, size, "%s", option + 2);
    for (char *c = name; *c; c++)
        if (*c == '-') *c = '_';
}

static void add_key(struct batch_keys *keys, int option)
{
    const struct option *o = &keys->command->options[option];
    struct batch_key *key = &keys->key[keys->count++];
    *key = (struct batch_key){
        .option = option,
        .kind = keys->command->options == levels_options ? kind_of_levels(o, option) : kind_of_price(o, option),
        .why = refusal(keys->command, option)};
    if (key->why) key->kind = KIND_REFUSED;
    name_key(key->name, sizeof key->name, o->name);
    if (!o->before) return;
    keys->key[keys->count] = *key;
    keys->key[keys->count].now = key->name;
    name_key(keys->key[keys->count++].name, sizeof key->name, o->before);
}

struct batch_keys *batch_keys_of(const struct command *command)
{
    static struct batch_keys *all;
    struct batch_keys *keys = all;
    while (keys && keys->command != command) keys = keys->next;
    if (keys) return keys;
    keys = calloc(1, sizeof *keys);
    if (!keys) return cli_memory_error("keys", sizeof *keys), NULL;
    keys->command = command;
    for (int i = 0; command->options[i].name; i++)
        if (!option_is_heading(&command->options[i]) && strcmp(command->options[i].name, "--set"))
            add_key(keys, i);
    keys->next = all;
    return all = keys;
}

struct batch_key *batch_find_key(struct batch_keys *keys, const char *name)
{
    for (int i = 0; i < keys->count; i++)
        if (*keys->key[i].name == *name && !strcmp(keys->key[i].name, name)) return &keys->key[i];
    return NULL;
}

void batch_note_new_name(struct batch_key *key, char *error, size_t size)
{
    if (!key->now) return;
    cli_error_capture(NULL, 0);
    cli_error(CLI_OK, "note: the key %s is called %s now", key->name, key->now);
    cli_error_capture(error, size);
    key->now = NULL;
}

int batch_wrong(const char *key, enum batch_kind kind)
{
    return cli_error(CLI_USAGE, "%s: %s is expected", cli_printable(key), expected[kind]);
}

/* ---- Words ---- */

static void cut(char *text, const char *part)
{
    char *at = strstr(text, part);
    if (at) memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
}

/* The key of the option that stands at `text`; NULL if none does. */
static const struct batch_key *key_at(struct batch_keys *keys, const char *text)
{
    char option[34], name[32];
    const size_t length = strspn(text, "-abcdefghijklmnopqrstuvwxyz");
    if (length < 4 || length >= sizeof option) return NULL;
    snprintf(option, sizeof option, "%.*s", (int)length, text);
    name_key(name, sizeof name, option);
    return batch_find_key(keys, name);
}

void batch_use_keys(struct batch_keys *keys, char *error)
{
    cut(error, "; see --set NAME=VALUE");
    cut(error, "--set ");
    for (char *at = strstr(error, "--"); at && keys; at = strstr(at + 1, "--")) {
        const struct batch_key *key = at == error || strchr(" '(", at[-1]) ? key_at(keys, at) : NULL;
        if (!key) continue;
        memmove(at, at + 2, strlen(at + 2) + 1);
        memcpy(at, key->name, strlen(key->name));
    }
}
