/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A deal's values become those of the options of `bailey price`, so that both are read and checked in one
 * place: scalars as text, which reads back as the same number; long arrays as the numbers they are.
 */
#include "batch_deal.h"

#include "commands.h"
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEM_MAX 64 /* of a number and its separator */

/* ---- Memory ---- */

struct batch_chunk {
    struct batch_chunk *next;
    size_t used, room;
    double data[]; /* aligned for what is taken of it */
};

static void *take(struct batch_arena *arena, size_t bytes)
{
    struct batch_chunk *chunk = arena->chunks;
    bytes = (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    if (!chunk || chunk->room - chunk->used < bytes) {
        const size_t room = bytes > BATCH_ARENA_BYTES ? bytes : BATCH_ARENA_BYTES;
        chunk = malloc(sizeof *chunk + room);
        if (!chunk) {
            cli_memory_error("a deal", room);
            return NULL;
        }
        *chunk = (struct batch_chunk){.next = arena->chunks, .room = room};
        arena->chunks = chunk;
    }
    void *taken = (char *)chunk->data + chunk->used;
    chunk->used += bytes;
    return taken;
}

static void free_chunks(struct batch_chunk *chunk)
{
    while (chunk) {
        struct batch_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

/* Keeps the first chunk, which is usually enough. */
static void drop_all(struct batch_arena *arena)
{
    struct batch_chunk *last = arena->chunks;
    if (!last) return;
    while (last->next) {
        struct batch_chunk *next = last->next;
        free(last);
        last = next;
    }
    last->used = 0;
    arena->chunks = last;
}

static char *copy_text(struct batch_arena *arena, const char *text)
{
    char *copy = take(arena, strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* ---- Keys ---- */

enum kind {
    WORD,    /* a string */
    NUMBER,  /* a number */
    NUMBERS, /* a number or an array of numbers */
    COUNT,   /* a whole number, or a string where it is beyond 2^63 */
    FLAG,    /* true or false */
    TIMES,   /* a file, or an array of numbers or dates */
    MATRIX,  /* a file, a number, or an array of rows */
    NAMES,   /* a string, or an array of strings */
    PAIRS    /* a string, or an object of numbers */
};

static const char *const expected[] = {
    [WORD] = "a string",
    [NUMBER] = "a number",
    [NUMBERS] = "a number or an array of numbers",
    [COUNT] = "a whole number that is not negative",
    [FLAG] = "true or false",
    [TIMES] = "the name of a file, or an array of years or of dates",
    [MATRIX] = "the name of a file, a number, or an array of rows",
    [NAMES] = "a string or an array of strings",
    [PAIRS] = "an object of numbers",
};

static const struct key {
    const char *name;
    int option;
    enum kind kind;
} keys[] = {
    {"type", TYPE, WORD},
    {"assets", ASSETS, WORD},
    {"correlation", CORRELATION, MATRIX},
    {"dims", DIMS, COUNT},
    {"steps", STEPS, COUNT},
    {"levels", LEVELS, COUNT},
    {"maturity", MATURITY, NUMBER},
    {"fixings", FIXINGS, TIMES},
    {"valuation", VALUATION, WORD},
    {"paths", PATHS, COUNT},
    {"replicates", REPLICATES, COUNT},
    {"target_error", TARGET_ERROR, NUMBER},
    {"generator", GENERATOR, WORD},
    {"sequence", SEQUENCE, WORD},
    {"warp_set", WARP_SET, COUNT},
    {"seed", SEED, COUNT},
    {"stream", STREAM, COUNT},
    {"normal", NORMAL, WORD},
    {"antithetic", ANTITHETIC, FLAG},
    {"control", CONTROL, PAIRS},
    {"construction", CONSTRUCTION, WORD},
    {"order", ORDER, WORD},
    {"precision", PRECISION, WORD},
    {"bits", WORD_BITS, COUNT}, /* its name before */
    {"numerics", NUMERICS, WORD},
    {"sum", SUM, WORD},
    {"sum_limit", SUM_LIMIT, NUMBER},
    {"scramble", SCRAMBLE, WORD},
    {"replicate", STREAM, COUNT}, /* likewise */
    {"assignment", ASSIGNMENT, WORD},
    {"point_order", POINT_ORDER, WORD},
    {"word_bits", WORD_BITS, COUNT},
    {"outputs", OUTPUTS, NAMES},
    {"payoff", PAYOFF, WORD},
    {"increments", INCREMENTS, FLAG},
    {"loop_budget", LOOP_BUDGET, COUNT},
};
enum { KEYS = sizeof keys / sizeof *keys };

static int wrong(const char *key, enum kind kind)
{
    return cli_error(CLI_USAGE, "%s: %s is expected", cli_printable(key), expected[kind]);
}

/* ---- Values as text ---- */

/* Writes a number and returns its length, 0 of what is no number. */
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

/* A number or an array of numbers, behind `before`. NULL of anything else, which has been said. */
static const char *numbers_text(struct batch_deal *d, const char *key, const char *before,
                                const json_t *value)
{
    const size_t count = json_is_array(value) ? json_array_size(value) : 1, offset = strlen(before);
    char *text = take(&d->arena, offset + (count + 1) * ITEM_MAX), *at = text;
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
        wrong(key, NUMBERS);
        return NULL;
    }
    at[-1] = 0;
    return text;
}

/* A word for a choice, behind `before`. NULL of a number as a string, which has been said. */
static const char *word_text(struct batch_deal *d, const char *key, const char *before, const json_t *value)
{
    const char *word = json_string_value(value);
    double number;
    if (!*word || parse_f64(word, &number) == PARSE_OK) {
        wrong(key, NUMBERS);
        return NULL;
    }
    char *text = take(&d->arena, strlen(before) + strlen(word) + 1);
    if (text) strcat(strcpy(text, before), word);
    return text;
}

static const char *count_text(struct batch_deal *d, const json_t *value)
{
    char text[ITEM_MAX] = "";
    if (json_is_string(value))
        return copy_text(&d->arena, json_string_value(value)); /* the option reads it */
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        write_number(value, text);
    else if (json_is_real(value) && json_real_value(value) >= 0 && json_real_value(value) < 0x1p63 &&
             json_real_value(value) == (double)(uint64_t)json_real_value(value))
        snprintf(text, sizeof text, "%.0f", json_real_value(value));
    else if (json_is_real(value) && json_real_value(value) >= 0x1p63)
        write_number(value, text); /* the option says how many it takes */
    char *plus = strchr(text, '+');
    if (plus) memmove(plus, plus + 1, strlen(plus));
    return *text ? copy_text(&d->arena, text) : NULL;
}

/* Strings, with commas between them. */
static const char *names_text(struct batch_deal *d, const json_t *value)
{
    size_t length = 1, i;
    const json_t *item;
    if (json_is_string(value)) return copy_text(&d->arena, json_string_value(value));
    json_array_foreach((json_t *)value, i, item)
    {
        if (!json_is_string(item)) return NULL;
        length += json_string_length(item) + 1;
    }
    if (!json_array_size(value)) return NULL;
    char *text = take(&d->arena, length), *at = text;
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
    if (json_is_string(value)) return copy_text(&d->arena, json_string_value(value));
    json_object_foreach((json_t *)value, name, item) length += strlen(name) + ITEM_MAX;
    if (!json_object_size(value)) return NULL;
    char *text = take(&d->arena, length), *at = text;
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
    if (!*dates) return wrong(key, TIMES);
    if (parse_date(json_string_value(item), &days) != PARSE_OK)
        return cli_error(CLI_USAGE, "%s: '%s' %s", key, cli_printable(json_string_value(item)),
                         parse_date_error(json_string_value(item)));
    *time = (double)days;
    return CLI_OK;
}

static int take_times(struct batch_deal *d, const struct key *key, const json_t *value)
{
    struct option_numbers *numbers = &d->numbers[key->option];
    const size_t count = json_array_size(value);
    double *times = count ? take(&d->arena, count * sizeof *times) : NULL;
    int code = count ? times ? CLI_OK : CLI_FAILED : wrong(key->name, TIMES);
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

static int take_matrix(struct batch_deal *d, const struct key *key, const json_t *value)
{
    const size_t rows = json_array_size(value);
    double *entries = rows ? take(&d->arena, rows * rows * sizeof *entries) : NULL;
    if (!entries) return rows ? CLI_FAILED : wrong(key->name, MATRIX);
    for (size_t i = 0; i < rows; i++) {
        const json_t *row = json_array_get(value, i);
        if (!json_is_array(row)) return wrong(key->name, MATRIX);
        if (json_array_size(row) != rows)
            return cli_error(CLI_USAGE, "%s: row %zu of %zu has %zu numbers, which is not a square",
                             key->name, i + 1, rows, json_array_size(row));
        for (size_t j = 0; j < rows; j++) {
            if (!json_is_number(json_array_get(row, j))) return wrong(key->name, MATRIX);
            entries[i * rows + j] = json_number_value(json_array_get(row, j));
        }
    }
    d->numbers[key->option] = (struct option_numbers){.value = entries, .count = rows * rows, .rows = rows};
    return CLI_OK;
}

/* ---- Options and parameters ---- */

static const char *text_of(struct batch_deal *d, const struct key *key, const json_t *value)
{
    switch (key->kind) {
    case NUMBER: return json_is_number(value) ? numbers_text(d, key->name, "", value) : NULL;
    case NUMBERS:
        return json_is_number(value) || json_is_array(value) ? numbers_text(d, key->name, "", value) : NULL;
    case COUNT: return count_text(d, value);
    case MATRIX:
        if (json_is_number(value)) return numbers_text(d, key->name, "", value);
        break;
    case NAMES: return names_text(d, value);
    case PAIRS: return pairs_text(d, value);
    default: break;
    }
    return json_is_string(value) && json_string_length(value) ? copy_text(&d->arena, json_string_value(value))
                                                              : NULL;
}

/* null takes a default away. */
static int give_option(struct batch_deal *d, const struct key *key, const json_t *value)
{
    const char **text = &d->arguments.value[key->option];
    d->numbers[key->option] = (struct option_numbers){0};
    *text = NULL;
    if (json_is_null(value)) return CLI_OK;
    if (key->kind == FLAG) {
        if (!json_is_boolean(value)) return wrong(key->name, FLAG);
        *text = json_is_true(value) ? "" : NULL;
        return CLI_OK;
    }
    if (json_is_array(value) && (key->kind == TIMES || key->kind == MATRIX)) {
        *text = "an array";
        return key->kind == TIMES ? take_times(d, key, value) : take_matrix(d, key, value);
    }
    *text = text_of(d, key, value);
    return *text ? CLI_OK : wrong(key->name, key->kind);
}

/* What --set would be given, in place of the default of that name. */
static int give_parameter(struct batch_deal *d, const char *name, const json_t *value)
{
    struct arguments *a = &d->arguments;
    const size_t length = strlen(name);
    char *before = take(&d->arena, length + 2);
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
    a->value[SET] = text;
    return CLI_OK;
}

static int give_set(struct batch_deal *d, const json_t *value)
{
    const char *name;
    json_t *item;
    int code = CLI_OK;
    if (!json_is_object(value)) return cli_error(CLI_USAGE, "set: an object of parameters is expected");
    json_object_foreach((json_t *)value, name, item) if (!code) code = give_parameter(d, name, item);
    return code;
}

static int give_id(struct batch_deal *d, const json_t *value)
{
    if (!json_is_string(value) && !json_is_integer(value))
        return cli_error(CLI_USAGE, "id: a string or a whole number is expected");
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    if (!text) return cli_memory_error("an id", 0);
    d->id = copy_text(&d->arena, text);
    free(text);
    return d->id ? CLI_OK : CLI_FAILED;
}

static int give_product(struct batch_deal *d, const json_t *value)
{
    d->product_name = NULL;
    if (json_is_null(value)) return CLI_OK;
    if (!json_is_string(value)) return wrong("product", WORD);
    d->product_name = copy_text(&d->arena, json_string_value(value));
    return d->product_name ? CLI_OK : CLI_FAILED;
}

static const struct key *find_key(const char *name)
{
    for (size_t i = 0; i < KEYS; i++)
        if (!strcmp(keys[i].name, name)) return &keys[i];
    return NULL;
}

/* A string: the word for a choice of a parameter, a product's or, unless the key looks like that of an
 * option, of a payoff of one's own. */
static int give_word(struct batch_deal *d, const char *name, const json_t *value)
{
    const char *names[KEYS + 1];
    for (size_t i = 0; i < KEYS; i++) names[i] = keys[i].name;
    names[KEYS] = NULL;
    const char *nearest = price_takes_word(name) ? NULL : cli_nearest(name, names);
    if (!nearest) return give_parameter(d, name, value);
    return cli_error(CLI_USAGE, "unknown key '%s'; did you mean %s?", cli_printable(name), nearest);
}

static int give(struct batch_deal *d, const char *name, const json_t *value)
{
    const struct key *key = find_key(name);
    if (key) return give_option(d, key, value);
    if (!strcmp(name, "id")) return CLI_OK; /* read before */
    if (!strcmp(name, "product")) return give_product(d, value);
    if (!strcmp(name, "set")) return give_set(d, value);
    if (json_is_string(value)) return give_word(d, name, value);
    return give_parameter(d, name, value);
}

static int give_all(struct batch_deal *d, const json_t *object)
{
    const char *name;
    json_t *value;
    int code = CLI_OK;
    /* What is priced is one thing: naming it puts the default aside. */
    if (json_object_get(object, "payoff")) d->product_name = NULL;
    if (json_object_get(object, "product")) d->arguments.value[PAYOFF] = NULL;
    if (json_is_string(json_object_get(object, "payoff")) &&
        json_is_string(json_object_get(object, "product")))
        return cli_error(CLI_USAGE, "product and payoff exclude each other: both say what is priced");
    json_object_foreach(json_object_get(object, "set"), name, value)
    {
        if (!code && !find_key(name) && json_object_get(object, name))
            code = cli_error(CLI_USAGE, "%s: %s is given twice", cli_printable(name), cli_printable(name));
    }
    json_object_foreach((json_t *)object, name, value) if (!code) code = give(d, name, value);
    return code;
}

/* ---- Deals ---- */

static int find_product(struct batch_deal *d, const struct price_product **product)
{
    const char *names[32];
    size_t count = 0;
    *product = NULL;
    if (!d->product_name && d->arguments.value[PAYOFF]) return CLI_OK;
    if (!d->product_name) return cli_error(CLI_USAGE, "what to price is missing: the key product or payoff");
    *product = price_product(d->product_name);
    if (*product && (d->arguments.value[INCREMENTS] || d->arguments.value[LOOP_BUDGET]))
        return cli_error(CLI_USAGE, "%s: only for a payoff of one's own; %s is a product",
                         d->arguments.value[INCREMENTS] ? "increments" : "loop_budget", d->product_name);
    if (*product) return CLI_OK;
    while (count < 31 && (names[count] = price_product_name(count))) count++;
    names[count] = NULL;
    const char *nearest = cli_nearest(d->product_name, names);
    return cli_error(CLI_USAGE, "product: there is no '%s'%s%s%s", cli_printable(d->product_name),
                     nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static int read_deal(struct batch_deal *d, const json_t *defaults, const json_t *object)
{
    const struct price_product *product = NULL;
    const json_t *id = json_object_get(object, "id");
    int code = id ? give_id(d, id) : CLI_OK;
    if (!code && d->same)
        code = cli_error(CLI_USAGE, "id: the deal in line %llu has the id %s already",
                         (unsigned long long)d->same, cli_printable(d->id));
    if (!code && defaults) code = give_all(d, defaults);
    if (!code) code = give_all(d, object);
    if (!code) code = find_product(d, &product);
    if (!code) code = price_settings_read(&d->arguments, &d->settings);
    d->settings.quiet = 1;
    return code ? code : price_model_read(&d->arguments, product, &d->settings, &d->model);
}

void batch_deal_read(struct batch_deal *d, const json_t *defaults, const json_t *object)
{
    char number[24];
    d->arguments = (struct arguments){.command = &command_price_payoff, .numbers = d->numbers};
    memset(d->numbers, 0, sizeof d->numbers);
    memset(&d->model, 0, sizeof d->model);
    d->product_name = NULL;
    d->result.used = 0;
    d->result.failed = 0;
    snprintf(number, sizeof number, "%llu", (unsigned long long)d->number);
    d->id = copy_text(&d->arena, number);
    if (!object) return;
    cli_error_capture(d->error, sizeof d->error);
    d->code = d->id ? read_deal(d, defaults, object) : CLI_FAILED;
    cli_error_capture(NULL, 0);
}

void batch_deal_clear(struct batch_deal *d)
{
    price_model_free(&d->model);
    memset(&d->model, 0, sizeof d->model);
    drop_all(&d->arena);
    d->code = CLI_OK;
    *d->error = 0;
}

void batch_deal_free(struct batch_deal *d)
{
    batch_deal_clear(d);
    free_chunks(d->arena.chunks);
    d->arena.chunks = NULL;
    free(d->result.text);
    d->result = (struct json_line){0};
}

/* ---- Words ---- */

static int has_parameter(const bailey_simulation *simulation, const char *name, size_t length)
{
    const char *parameter;
    for (size_t i = 0; (parameter = bailey_simulation_parameter(simulation, i, NULL)); i++)
        if (strlen(parameter) == length && !strncmp(parameter, name, length)) return 1;
    return 0;
}

static int unknown_key(const struct batch_deal *d, const bailey_simulation *simulation, const char *name)
{
    size_t count = 0;
    while (bailey_simulation_parameter(simulation, count, NULL)) count++;
    const char **names = malloc((count + KEYS + 1) * sizeof *names);
    if (!names) return cli_memory_error("names", count);
    for (size_t i = 0; i < count; i++) names[i] = bailey_simulation_parameter(simulation, i, NULL);
    for (size_t i = 0; i < KEYS; i++) names[count + i] = keys[i].name;
    names[count + KEYS] = NULL;
    const char *nearest = cli_nearest(name, names);
    free(names);
    return cli_error(CLI_USAGE, "unknown key '%s': neither an option nor a parameter of %s%s%s%s",
                     cli_printable(name), d->model.name, nearest ? "; did you mean " : "",
                     nearest ? nearest : "", nearest ? "?" : "");
}

int batch_deal_check_names(const struct batch_deal *d, const bailey_simulation *simulation)
{
    for (int i = 0; i < d->arguments.repeats; i++) {
        const char *word = d->arguments.repeated[i];
        const size_t length = strcspn(word, "=");
        char name[100];
        if (has_parameter(simulation, word, length)) continue;
        snprintf(name, sizeof name, "%.*s", (int)(length < 99 ? length : 99), word);
        return unknown_key(d, simulation, name);
    }
    return CLI_OK;
}

static void cut(char *text, const char *part)
{
    char *at = strstr(text, part);
    if (at) memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
}

/* The length of the option's name that stands at `text`, 0 of none. */
static size_t option_at(const char *text)
{
    const size_t length = strspn(text, "-abcdefghijklmnopqrstuvwxyz");
    for (const struct option *o = price_payoff_options; o->name; o++)
        if (!option_is_heading(o) && strlen(o->name) == length && !strncmp(o->name, text, length))
            return length;
    return 0;
}

void batch_deal_use_keys(char *error)
{
    cut(error, "; see --set NAME=VALUE");
    cut(error, "--set ");
    for (char *at = strstr(error, "--"); at; at = strstr(at + 1, "--")) {
        const size_t length = at == error || strchr(" '(", at[-1]) ? option_at(at) : 0;
        if (!length) continue;
        memmove(at, at + 2, strlen(at + 2) + 1);
        for (size_t i = 0; i + 2 < length; i++)
            if (at[i] == '-') at[i] = '_';
    }
}
