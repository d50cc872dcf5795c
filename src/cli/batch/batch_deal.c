/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A deal's values become those of the options of `bailey price` or `bailey mlmc`, so that both are read and checked in one
 * place: scalars as text, which reads back as the same number; long arrays as the numbers they are.
 */
#include "batch_deal.h"

#include "batch.h"
#include <cli/io/io.h>
#include <cli/options/options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEM_MAX 64 /* of a number and its separator */

/* ---- Memory ---- */

static void *take(struct batch_deal *d, size_t bytes)
{
    void *taken = arena_take(&d->arena, bytes);
    if (!taken) cli_memory_error("a deal", bytes);
    return taken;
}

static char *copy_text(struct batch_deal *d, const char *text)
{
    char *copy = take(d, strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* ---- Values as text ---- */

/* Writes a number and returns its length; 0 if it is not a number. */
static size_t write_number(const json_t *value, char text[ITEM_MAX])
{
    if (json_is_integer(value))
        snprintf(text, ITEM_MAX, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        cli_shortest_f64(text, ITEM_MAX, json_real_value(value));
    else
        return 0;
    return strlen(text);
}

/* A number or an array of numbers, behind `before`. NULL for anything else, which has been reported. */
static const char *numbers_text(struct batch_deal *d, const char *key, const char *before,
                                const json_t *value)
{
    const size_t count = json_is_array(value) ? json_array_size(value) : 1, offset = strlen(before);
    char *text = take(d, offset + (count + 1) * ITEM_MAX), *at = text;
    if (!text) return NULL;
    at = strcpy(text, before) + offset;
    for (size_t i = 0; i < count; i++) {
        const size_t length = write_number(json_is_array(value) ? json_array_get(value, i) : value, at);
        if (!length) break;
        at += length;
        *at++ = ',';
    }
    size_t written = 0;
    for (const char *c = text + offset; c < at; c++) written += *c == ',';
    if (count == 0 || written < count) {
        batch_wrong(key, KIND_NUMBERS);
        return NULL;
    }
    at[-1] = 0;
    return text;
}

/* A word for a choice, behind `before`. NULL for a number as a string, which has been reported. */
static const char *word_text(struct batch_deal *d, const char *key, const char *before, const json_t *value)
{
    const char *word = json_string_value(value);
    double number;
    if (!*word || parse_f64(word, &number) == PARSE_OK) {
        batch_wrong(key, KIND_NUMBERS);
        return NULL;
    }
    char *text = take(d, strlen(before) + strlen(word) + 1);
    if (text) strcat(strcpy(text, before), word);
    return text;
}

static const char *count_text(struct batch_deal *d, const json_t *value)
{
    char text[ITEM_MAX] = "";
    if (json_is_string(value)) return copy_text(d, json_string_value(value)); /* the option reads it */
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        write_number(value, text);
    else if (json_is_real(value) && json_real_value(value) >= 0 && json_real_value(value) < 0x1p63 &&
             json_real_value(value) == (double)(uint64_t)json_real_value(value))
        snprintf(text, sizeof text, "%.0f", json_real_value(value));
    else if (json_is_real(value) && json_real_value(value) >= 0x1p63)
        write_number(value, text); /* the option says how many it takes */
    char *plus = strchr(text, '+');
    if (plus) memmove(plus, plus + 1, strlen(plus));
    return *text ? copy_text(d, text) : NULL;
}

/* Strings, with commas between them. */
static const char *names_text(struct batch_deal *d, const json_t *value)
{
    size_t length = 1, i;
    const json_t *item;
    if (json_is_string(value)) return copy_text(d, json_string_value(value));
    json_array_foreach((json_t *)value, i, item)
    {
        if (!json_is_string(item)) return NULL;
        length += json_string_length(item) + 1;
    }
    if (!json_array_size(value)) return NULL;
    char *text = take(d, length), *at = text;
    json_array_foreach((json_t *)value, i, item)
    {
        if (text) at += sprintf(at, "%s%s", i ? "," : "", json_string_value(item));
    }
    return text;
}

/* NAME=VALUE, with commas between them. */
static const char *pairs_text(struct batch_deal *d, const json_t *value)
{
    size_t length = 1;
    const char *name;
    json_t *item;
    if (json_is_string(value)) return copy_text(d, json_string_value(value));
    json_object_foreach((json_t *)value, name, item) length += strlen(name) + ITEM_MAX;
    if (!json_object_size(value)) return NULL;
    char *text = take(d, length), *at = text;
    json_object_foreach((json_t *)value, name, item)
    {
        char number[ITEM_MAX];
        if (!write_number(item, number)) return NULL;
        if (text) at += sprintf(at, "%s%s=%s", at == text ? "" : ",", name, number);
    }
    return text;
}

/* ---- Arrays ---- */

static int add_time(const char *key, const json_t *item, double *time, int *dates)
{
    int64_t days = 0;
    *dates = json_is_string(item);
    if (json_is_number(item)) {
        *time = json_number_value(item);
        return CLI_OK;
    }
    if (!*dates) return batch_wrong(key, KIND_TIMES);
    if (parse_date(json_string_value(item), &days) != PARSE_OK)
        return cli_error(CLI_USAGE, "%s: '%s' %s", key, cli_printable(json_string_value(item)),
                         parse_date_error(json_string_value(item)));
    *time = (double)days;
    return CLI_OK;
}

static int take_times(struct batch_deal *d, const struct batch_key *key, const json_t *value)
{
    struct option_numbers *numbers = &d->numbers[key->option];
    const size_t count = json_array_size(value);
    double *times = count ? take(d, count * sizeof *times) : NULL;
    int code = count ? times ? CLI_OK : CLI_FAILED : batch_wrong(key->name, KIND_TIMES);
    for (size_t i = 0; i < count && !code; i++) {
        int dates = 0;
        code = add_time(key->name, json_array_get(value, i), &times[i], &dates);
        if (!code && i && dates != numbers->dates)
            code = cli_error(CLI_USAGE, "%s: years and dates in one array", key->name);
        numbers->dates = dates;
    }
    numbers->value = times;
    numbers->count = count;
    numbers->rows = 1;
    return code;
}

static int take_matrix(struct batch_deal *d, const struct batch_key *key, const json_t *value)
{
    const size_t rows = json_array_size(value);
    double *entries = rows ? take(d, rows * rows * sizeof *entries) : NULL;
    if (!entries) return rows ? CLI_FAILED : batch_wrong(key->name, KIND_MATRIX);
    for (size_t i = 0; i < rows; i++) {
        const json_t *row = json_array_get(value, i);
        if (!json_is_array(row)) return batch_wrong(key->name, KIND_MATRIX);
        if (json_array_size(row) != rows)
            return cli_error(CLI_USAGE, "%s: row %zu of %zu has %zu numbers; the matrix must be square",
                             key->name, i + 1, rows, json_array_size(row));
        for (size_t j = 0; j < rows; j++) {
            if (!json_is_number(json_array_get(row, j))) return batch_wrong(key->name, KIND_MATRIX);
            entries[i * rows + j] = json_number_value(json_array_get(row, j));
        }
    }
    d->numbers[key->option] = (struct option_numbers){.value = entries, .count = rows * rows, .rows = rows};
    return CLI_OK;
}

/* ---- Names ---- */

static int unknown_key(const struct batch_deal *d, const bailey_description *about, const char *word)
{
    const uint32_t parameters = about ? about->parameter_count : 0;
    const char *what = d->product               ? d->product->name
                       : d->kind == DEAL_PAYOFF ? d->arguments.value[PAYOFF]
                       : d->kind == DEAL_LEVELS ? about->name
                                                : strchr(d->keys->command->name, ' ') + 1;
    const char **names = calloc(parameters + (size_t)d->keys->count + 1, sizeof *names);
    char name[100];
    uint32_t count = 0;
    if (!names) return cli_memory_error("names", parameters);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (; count < parameters; count++) names[count] = about->parameters[count].name;
    for (int i = 0; i < d->keys->count; i++)
        if (d->keys->key[i].kind != KIND_REFUSED) names[count++] = d->keys->key[i].name;
    const char *nearest = cli_nearest(name, names);
    free(names);
    return cli_error(CLI_USAGE, "unknown key '%s': neither an option nor a parameter of %s%s%s%s",
                     cli_printable(name), what, nearest ? "; did you mean " : "", nearest ? nearest : "",
                     nearest ? "?" : "");
}

/* ---- Product, payoff, levels ---- */

/* One of them is given: naming one puts the default aside, which may be another. */
enum { WHAT_PRODUCT, WHAT_PAYOFF, WHAT_ESTIMATOR, WHAT_CODE, WHATS };
static const char *const whats[WHATS] = {"product", "payoff", "estimator", "code"};

struct what {
    const json_t *given[WHATS], *model;
};

/* Payoffs may have parameters that are called as the later ones, which are numbers. */
static int is_what(const char *name, const json_t *value)
{
    for (int i = 0; i < WHATS; i++)
        if (!strcmp(name, whats[i])) return i < WHAT_ESTIMATOR || json_is_string(value) || json_is_null(value);
    return 0;
}

static int read_what(const json_t *object, struct what *what)
{
    const json_t *given[WHATS], *model = json_object_get(object, "model");
    int named = -1, any = 0;
    if (model) what->model = json_is_null(model) ? NULL : model;
    for (int i = 0; i < WHATS; i++) {
        given[i] = json_object_get(object, whats[i]);
        if (given[i] && !is_what(whats[i], given[i])) given[i] = NULL;
        any |= given[i] != NULL;
        if (!given[i] || json_is_null(given[i])) continue;
        if (!json_is_string(given[i])) return cli_error(CLI_USAGE, "%s: a string is expected", whats[i]);
        if (named >= 0)
            return cli_error(CLI_USAGE, "%s and %s cannot be combined: each selects %s", whats[named], whats[i],
                             i == WHAT_PAYOFF ? "the payoff" : "what is priced");
        named = i;
    }
    for (int i = 0; i < WHATS && any; i++) what->given[i] = named == i ? given[i] : NULL;
    return CLI_OK;
}

/* ---- Options and parameters ---- */

static const char *text_of(struct batch_deal *d, const struct batch_key *key, const json_t *value)
{
    switch (key->kind) {
    case KIND_NUMBER: return json_is_number(value) ? numbers_text(d, key->name, "", value) : NULL;
    case KIND_NUMBERS:
        return json_is_number(value) || json_is_array(value) ? numbers_text(d, key->name, "", value) : NULL;
    case KIND_COUNT: return count_text(d, value);
    case KIND_NAMES: return names_text(d, value);
    case KIND_PAIRS: return pairs_text(d, value);
    default: break;
    }
    if (json_is_number(value) && key->kind != KIND_TIMES) return numbers_text(d, key->name, "", value);
    return json_is_string(value) && json_string_length(value) ? copy_text(d, json_string_value(value)) : NULL;
}

/* null takes a default away. */
static int read_option(struct batch_deal *d, struct batch_key *key, const json_t *value)
{
    const char **text = &d->arguments.value[key->option];
    d->numbers[key->option] = (struct option_numbers){0};
    *text = NULL;
    batch_note_new_name(key, d->error, sizeof d->error);
    if (json_is_null(value)) return CLI_OK;
    if (key->kind == KIND_REFUSED) return cli_error(CLI_USAGE, "%s: %s", key->name, key->why);
    if (key->kind == KIND_FLAG) {
        if (!json_is_boolean(value)) return batch_wrong(key->name, KIND_FLAG);
        *text = json_is_true(value) ? "" : NULL;
        return CLI_OK;
    }
    if (json_is_array(value) && (key->kind == KIND_TIMES || key->kind == KIND_MATRIX)) {
        *text = "an array";
        return key->kind == KIND_TIMES ? take_times(d, key, value) : take_matrix(d, key, value);
    }
    *text = text_of(d, key, value);
    return *text ? CLI_OK : batch_wrong(key->name, key->kind);
}

/* What --set would be given, instead of the default of that name. */
static int read_parameter(struct batch_deal *d, const char *name, const json_t *value)
{
    struct arguments *a = &d->arguments;
    const size_t length = strlen(name);
    if (d->kind != DEAL_PAYOFF && d->kind != DEAL_LEVELS && !price_find_parameter(d->about, name, length))
        return unknown_key(d, d->about, name);
    char *before = take(d, length + 2);
    int place = 0;
    if (!before) return CLI_FAILED;
    memcpy(before, name, length);
    memcpy(before + length, "=", 2);
    while (place < a->repeats && strncmp(a->repeated[place], before, length + 1)) place++;
    if (json_is_null(value)) {
        if (place < a->repeats) a->repeated[place] = a->repeated[--a->repeats];
        return CLI_OK;
    }
    if (!length || strchr(name, '=')) return cli_error(CLI_USAGE, "'%s' is not a name", cli_printable(name));
    if (place == OPTIONS_REPEATS_MAX)
        return cli_error(CLI_USAGE, "more than %d parameters", OPTIONS_REPEATS_MAX);
    const char *text =
        json_is_string(value) ? word_text(d, name, before, value) : numbers_text(d, name, before, value);
    if (!text) return CLI_USAGE;
    a->repeated[place] = text;
    if (place == a->repeats) a->repeats++;
    a->value[d->kind == DEAL_LEVELS ? M_SET : SET] = text;
    return CLI_OK;
}

static int read_set(struct batch_deal *d, const json_t *value)
{
    const char *name;
    json_t *item;
    int code = CLI_OK;
    if (!json_is_object(value)) return cli_error(CLI_USAGE, "set: an object of parameters is expected");
    json_object_foreach((json_t *)value, name, item) if (!code) code = read_parameter(d, name, item);
    return code;
}

static int read_id(struct batch_deal *d, const json_t *value)
{
    if (!json_is_string(value) && !json_is_integer(value))
        return cli_error(CLI_USAGE, "id: a string or an integer is expected");
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    if (!text) return cli_memory_error("an id", 0);
    d->id = copy_text(d, text);
    free(text);
    return d->id ? CLI_OK : CLI_FAILED;
}

static int read_member(struct batch_deal *d, const char *name, const json_t *value)
{
    if (!strcmp(name, "id") || is_what(name, value)) return CLI_OK; /* read before */
    if (!strcmp(name, "set")) return read_set(d, value);
    struct batch_key *key = batch_find_key(d->keys, name);
    const int is_parameter =
        !key || (key->kind == KIND_REFUSED && d->about && price_find_parameter(d->about, name, strlen(name)));
    return is_parameter ? read_parameter(d, name, value) : read_option(d, key, value);
}

static int read_members(struct batch_deal *d, const json_t *object)
{
    const char *name;
    json_t *value;
    int code = CLI_OK;
    json_object_foreach((json_t *)object, name, value) if (!code) code = read_member(d, name, value);
    return code;
}

static int unknown_product(const char *name)
{
    enum { MOST = 64 };
    const char *names[MOST + 1];
    const struct command *command;
    size_t count = 0;
    for (; count < MOST && (command = family_at(&family_price, count)); count++)
        names[count] = strchr(command->name, ' ') + 1;
    names[count] = NULL;
    const char *nearest = cli_nearest(name, names);
    return cli_error(CLI_USAGE, "product: there is no '%s'%s%s%s", cli_printable(name),
                     nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* Keys of levels are the options of `bailey mlmc`. */
static int find_levels(struct batch_deal *d, const struct what *what)
{
    static const struct command command = {.name = "mlmc", .options = levels_options};
    d->kind = DEAL_LEVELS;
    if (!(d->keys = batch_keys_of(&command))) return CLI_FAILED;
    d->arguments.command = &command;
    if (what->given[WHAT_CODE])
        d->arguments.value[M_CODE] = copy_text(d, json_string_value(what->given[WHAT_CODE]));
    else
        d->arguments.file = copy_text(d, json_string_value(what->given[WHAT_ESTIMATOR]));
    return CLI_OK;
}

static int find_command(struct batch_deal *d, const json_t *defaults, const json_t *object)
{
    struct what what = {{NULL}, NULL};
    const struct command *command = &command_price_payoff;
    int code = read_what(defaults, &what);
    if (!code) code = read_what(object, &what);
    if (code) return code;
    const json_t *product = what.given[WHAT_PRODUCT], *payoff = what.given[WHAT_PAYOFF];
    if (what.given[WHAT_ESTIMATOR] || what.given[WHAT_CODE]) return find_levels(d, &what);
    if (!product && !payoff)
        return cli_error(CLI_USAGE, "give product, a name from 'bailey price --help', or payoff, a file; or estimator, a "
                                    "name from 'bailey mlmc --help', or code, a file");
    if (product && !(command = family_member(&family_price, json_string_value(product))))
        return unknown_product(json_string_value(product));
    d->product = product ? price_product(json_string_value(product)) : NULL;
    if (d->product && what.model) command = &command_price_payoff; /* the parameters are not known yet */
    if (!(d->keys = batch_keys_of(command))) return CLI_FAILED;
    d->arguments.command = command;
    d->about = d->product && !what.model ? d->product->description : NULL;
    d->kind = !d->about && (payoff || d->product) ? DEAL_PAYOFF : d->product ? DEAL_PRODUCT : DEAL_AMERICAN;
    if (payoff) d->arguments.value[PAYOFF] = copy_text(d, json_string_value(payoff));
    return CLI_OK;
}

/* ---- Deals ---- */

/* For a user's payoff. Errors of its code are reported when it is compiled. */
static int check_names(const struct batch_deal *d, const bailey_description *about)
{
    for (int i = 0; about && i < d->arguments.repeats; i++) {
        const char *word = d->arguments.repeated[i];
        if (!price_find_parameter(about, word, strcspn(word, "="))) return unknown_key(d, about, word);
    }
    return CLI_OK;
}

/* The description is the code's, or none if it cannot be read, which its run reports. */
static int read_levels(struct batch_deal *d)
{
    bailey_description *about = NULL;
    int code = d->arguments.value[M_EPS] ? levels_read(&d->arguments, &d->levels)
                                         : cli_error(CLI_USAGE, "eps: give the root-mean-square error");
    if (code) return code;
    bailey_mlmc_describe(&d->levels.params.estimator, NULL, &about);
    code = check_names(d, about);
    bailey_description_destroy(about);
    return code;
}

static int read_model(struct batch_deal *d)
{
    if (d->kind == DEAL_LEVELS) return read_levels(d);
    const struct arguments *a = &d->arguments;
    int code = price_settings_read(a, &d->settings);
    d->settings.quiet = 1;
    if (code) return code;
    if (d->kind == DEAL_AMERICAN) return price_american_read(a, &d->settings, &d->american);
    code = price_model_read(a, d->product, &d->settings, &d->model);
    return code || d->kind == DEAL_PRODUCT ? code : check_names(d, d->model.described);
}

static int read_deal(struct batch_deal *d, const json_t *defaults, const json_t *object)
{
    const json_t *id = json_object_get(object, "id");
    int code = id ? read_id(d, id) : CLI_OK;
    if (!code && d->same)
        code = cli_error(CLI_USAGE, "id: the deal in line %llu has the id %s already",
                         (unsigned long long)d->same, cli_printable(d->id));
    if (!code) code = find_command(d, defaults, object);
    if (!code && defaults) code = read_members(d, defaults);
    if (!code) code = read_members(d, object);
    return code ? code : read_model(d);
}

void batch_deal_read(struct batch_deal *d, const json_t *defaults, const json_t *object)
{
    char number[24];
    d->arguments = (struct arguments){.numbers = d->numbers};
    d->keys = NULL;
    d->product = NULL;
    d->about = NULL;
    d->kind = DEAL_PRODUCT;
    memset(d->numbers, 0, sizeof d->numbers);
    d->result.used = 0;
    d->result.failed = 0;
    snprintf(number, sizeof number, "%llu", (unsigned long long)d->number);
    d->id = copy_text(d, number);
    if (!object) return;
    cli_error_capture(d->error, sizeof d->error);
    d->code = d->id ? read_deal(d, defaults, object) : CLI_FAILED;
    cli_error_capture(NULL, 0);
}

void batch_deal_clear(struct batch_deal *d)
{
    price_model_free(&d->model);
    memset(&d->model, 0, sizeof d->model);
    if (d->kind == DEAL_AMERICAN) {
        price_model_free(&d->american.model);
        memset(&d->american, 0, sizeof d->american);
    }
    if (d->kind == DEAL_LEVELS) {
        levels_free(&d->levels);
        memset(&d->levels, 0, sizeof d->levels);
    }
    arena_clear(&d->arena);
    d->code = CLI_OK;
    *d->error = 0;
}

void batch_deal_free(struct batch_deal *d)
{
    batch_deal_clear(d);
    arena_free(&d->arena);
    free(d->result.text);
    d->result = (struct json_line){0};
}

void batch_deal_use_keys(struct batch_deal *d) { batch_use_keys(d->keys, d->error); }
