/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The parameters of a payoff and of levels: from --set and the options of their names; of a payoff also from
 * the columns of --assets, or its defaults.
 */
#include "price.h"

#include <cli/io/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int column;
    const char *name;
} columns[] = {{ASSET_SPOT, "spot"},
               {ASSET_VOLATILITY, "volatility"},
               {ASSET_DIVIDEND, "dividend"},
               {ASSET_WEIGHT, "weight"}};
enum { COLUMNS = sizeof columns / sizeof *columns };

int price_is_column(const char *name)
{
    for (int i = 0; i < COLUMNS; i++)
        if (!strcmp(columns[i].name, name)) return 1;
    return 0;
}

enum { MOST_CHOICES = 32 };

/* A number, or a word for a choice. */
static int read_value(const char *what, const bailey_parameter *p, const char *item, double *value)
{
    const char *words[MOST_CHOICES + 1];
    double choices[MOST_CHOICES];
    int count = 0, chosen = 0;
    for (uint32_t i = 0; i < p->choice_count && count < MOST_CHOICES; i++)
        if (*p->choices[i].name) choices[count] = p->choices[i].value, words[count++] = p->choices[i].name;
    words[count] = NULL;
    if (!count || parse_f64(item, value) == PARSE_OK) return option_number(what, item, 0, value);
    const int code = option_word(what, item, words, &chosen);
    if (!code) *value = choices[chosen];
    return code;
}

/* All numbers of a file, row by row. */
static int read_file(const char *what, const char *path, double **values, uint64_t *count)
{
    struct csv csv;
    uint64_t room = 0;
    int code = csv_open(&csv, what, path);
    *count = 0;
    *values = NULL;
    while (!code) {
        code = csv_next(&csv);
        if (code || !csv.fields) break;
        for (size_t i = 0; i < csv.fields && !code; i++) {
            if (*count == room) {
                room = room ? 2 * room : 64;
                double *more = realloc(*values, (size_t)room * sizeof *more);
                if (!more) code = cli_memory_error(path, room * sizeof *more);
                if (more) *values = more;
            }
            if (!code) code = csv_number(&csv, i, "value", &(*values)[*count]);
            *count += !code;
        }
    }
    csv_close(&csv);
    if (!code && !*count) code = cli_error(CLI_USAGE, "%s: %s has no number", what, cli_printable(path));
    return code;
}

int price_values(const char *what, const bailey_parameter *p, const char *list, double **values,
                 uint64_t *count)
{
    if (*list == '@') return read_file(what, list + 1, values, count);
    const uint64_t most = option_list_length(list);
    int code = option_check_commas(what, list);
    if (code) return code;
    *count = 0;
    *values = malloc((size_t)most * sizeof **values);
    if (!*values) return cli_memory_error(what, most * sizeof **values);
    char item[400];
    while (!code && option_next_item(&list, item, sizeof item))
        code = read_value(what, p, item, &(*values)[(*count)++]);
    return code;
}

const bailey_parameter *price_find_parameter(const bailey_description *d, const char *name, size_t length)
{
    for (uint32_t i = 0; d && i < d->parameter_count; i++)
        if (strlen(d->parameters[i].name) == length && !strncmp(d->parameters[i].name, name, length))
            return &d->parameters[i];
    return NULL;
}

int price_is_correlated(const struct arguments *a, const struct price_model *m)
{
    const int one = m->dims < 2 && (m->needs.own_each || m->needs.own_more);
    return (m->needs.independent || one) && a->value[CORRELATION] &&
           price_find_parameter(m->described, "correlation", strlen("correlation"));
}

static int unknown(const bailey_description *d, const char *word, int length)
{
    char name[400];
    snprintf(name, sizeof name, "%.*s", length, word);
    const char **names = malloc((d->parameter_count + (size_t)1) * sizeof *names);
    if (!names) return cli_memory_error("names", d->parameter_count);
    for (uint32_t i = 0; i < d->parameter_count; i++) names[i] = d->parameters[i].name;
    names[d->parameter_count] = NULL;
    const char *nearest = cli_nearest(name, names);
    free(names);
    return cli_error(CLI_USAGE, "--set: %s has no parameter %s%s%s%s", d->name, cli_printable(name),
                     nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

int price_read_setting(const struct arguments *a, int i, const bailey_description *d,
                       struct price_setting *setting)
{
    const char *word = a->repeated[i];
    const int length = (int)strcspn(word, "=");
    if (!word[length] || !length || !word[length + 1])
        return cli_error(CLI_USAGE, "--set: '%s' is not of the form NAME=VALUE", cli_printable(word));
    setting->parameter = price_find_parameter(d, word, (size_t)length);
    if (!setting->parameter) return unknown(d, word, length);
    setting->list = word + length + 1;
    snprintf(setting->what, sizeof setting->what, a->made[i] ? "--%s" : "--set %s", setting->parameter->name);
    for (char *c = setting->what; a->made[i] && *c; c++)
        if (*c == '_') *c = '-';
    return CLI_OK;
}

/* ---- Values from options ---- */

static const bailey_description *description(const struct price_model *m)
{
    return bailey_simulation_description(m->simulation);
}

static struct price_parameter *find(const struct price_model *m, const char *name)
{
    const bailey_parameter *p = price_find_parameter(description(m), name, strlen(name));
    return p ? &m->parameters[p - description(m)->parameters] : NULL;
}

/* Takes `values`, which then belong to the parameter, or are freed. */
static int set_values(const struct price_model *m, const char *what, struct price_parameter *p,
                      double *values, uint64_t count)
{
    const char *name = p->name;
    int code = CLI_OK;
    if (p->values)
        code = cli_error(CLI_USAGE, "%s: %s is given twice", what, name);
    else if (count != 1 && count != p->count)
        code = cli_error(CLI_USAGE, "%s: %llu numbers, %s has %llu%s", what, (unsigned long long)count, name,
                         (unsigned long long)p->count,
                         count == 2 && p->count == 1 ? "; use a decimal point, not a comma" : "");
    double *all = !code && count < p->count ? realloc(values, (size_t)p->count * sizeof *all) : values;
    if (!code && !all) code = cli_memory_error(name, p->count * sizeof *all);
    if (code) {
        free(values);
        return code;
    }
    for (uint64_t i = count; i < p->count; i++) all[i] = all[0];
    p->values = all;
    return cli_check(bailey_simulation_set(m->simulation, name, all, p->count), what);
}

static const bailey_parameter *described(const struct price_model *m, const struct price_parameter *p)
{
    return &description(m)->parameters[p - m->parameters];
}

static int set_list(const struct price_model *m, const char *what, const bailey_parameter *p,
                    const char *list)
{
    double *values = NULL;
    uint64_t count = 0;
    const int code = price_values(what, p, list, &values, &count);
    if (!code) return set_values(m, what, &m->parameters[p - description(m)->parameters], values, count);
    free(values);
    return code;
}

/* --type call or put: the sign of a payoff, whose code may have no words for it. */
static int set_type(const struct price_model *m, const char *word)
{
    const bailey_parameter *sign = price_find_parameter(description(m), "sign", 4);
    if (!sign) return cli_error(CLI_USAGE, "--type: %s has no parameter sign", m->name);
    const int plain = !sign->choice_count;
    return set_list(m, "--type", sign,
                    plain && !strcmp(word, "put")    ? "-1"
                    : plain && !strcmp(word, "call") ? "1"
                                                     : word);
}

static int set_options(const struct arguments *a, const struct price_model *m)
{
    const bailey_parameter *correlation = price_find_parameter(description(m), "correlation", 11);
    int code = a->value[TYPE] ? set_type(m, a->value[TYPE]) : CLI_OK;
    if (!code && price_is_correlated(a, m))
        code = set_list(m, "--correlation", correlation, a->value[CORRELATION]);
    for (int i = 0; i < a->repeats && !code; i++) {
        struct price_setting setting;
        code = price_read_setting(a, i, description(m), &setting);
        if (!code) code = set_list(m, setting.what, setting.parameter, setting.list);
    }
    return code;
}

/* ---- What they do not say ---- */

static int set_column(const struct price_model *m, struct price_parameter *p)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        if (strcmp(columns[i].name, p->name)) continue;
        double *values = malloc(m->assets.count * sizeof *values);
        if (!values) return cli_memory_error(p->name, m->assets.count * sizeof *values);
        memcpy(values, m->assets.column[columns[i].column], m->assets.count * sizeof *values);
        return set_values(m, "--assets", p, values, m->assets.count);
    }
    return CLI_OK;
}

/* The default in the payoff's code: a number, or the values of another parameter that has some. */
static int set_default(const struct price_model *m, struct price_parameter *p)
{
    const bailey_parameter *d = described(m, p);
    const struct price_parameter *other =
        d->default_kind == BAILEY_DEFAULT_KIND_PARAMETER ? find(m, d->default_code) : NULL;
    const uint64_t count = other ? other->count : 1;
    if (d->default_kind == BAILEY_DEFAULT_KIND_NONE || (other && !other->values)) return CLI_OK;
    double *values = malloc((size_t)count * sizeof *values);
    if (!values) return cli_memory_error(p->name, count * sizeof *values);
    for (uint64_t i = 0; i < count; i++) values[i] = other ? other->values[i] : d->default_value;
    return set_values(m, "default", p, values, count);
}

/* "side" becomes "side [-1 (down) or 1 (up)]". */
static void add_choices(const bailey_parameter *p, char *text, size_t size)
{
    if (!p->choice_count) return;
    const size_t used = strlen(text);
    snprintf(text + used, size - used, " [%s]", p->range_words);
}

static int check_all(const struct price_model *m)
{
    char missing[600] = "";
    unsigned count = 0;
    for (size_t i = 0; i < m->parameter_count; i++) {
        const size_t used = strlen(missing);
        if (m->parameters[i].values) continue;
        snprintf(missing + used, sizeof missing - used, "%s%s", count++ ? ", " : "", m->parameters[i].name);
        add_choices(described(m, &m->parameters[i]), missing, sizeof missing);
    }
    if (!count) return CLI_OK;
    return cli_error(CLI_USAGE, "%s needs %s, which %s neither set nor %s a default; see --set NAME=VALUE",
                     m->name, missing, count == 1 ? "is" : "are", count == 1 ? "has" : "have");
}

/* Zero fixings and a mean of 0 are defaults of both together. */
static int check_past(const struct price_model *m)
{
    const struct price_parameter *count = find(m, "past_count"), *mean = find(m, "past_average");
    if (!m->product || !count || !mean || !count->values == !mean->values) return CLI_OK;
    if (count->values)
        return *count->values == 0
                   ? CLI_OK
                   : cli_error(
                         CLI_USAGE,
                         "--past-count %g needs --past-average, the mean of the basket over the past fixings",
                         *count->values);
    return *mean->values == 0
               ? CLI_OK
               : cli_error(CLI_USAGE, "--past-average %g needs --past-count, the number of past fixings",
                           *mean->values);
}

static int list_parameters(struct price_model *m)
{
    uint64_t count = 0;
    size_t n = 0;
    while (bailey_simulation_parameter(m->simulation, n, &count)) n++;
    m->parameters = calloc(n + 1, sizeof *m->parameters);
    if (!m->parameters) return cli_memory_error("the parameters", n * sizeof *m->parameters);
    for (size_t i = 0; i < n; i++)
        m->parameters[i].name = bailey_simulation_parameter(m->simulation, i, &m->parameters[i].count);
    m->parameter_count = n;
    return CLI_OK;
}

void price_parameters_free(struct price_model *m)
{
    for (size_t i = 0; i < m->parameter_count; i++) free(m->parameters[i].values);
    free(m->parameters);
    m->parameters = NULL;
    m->parameter_count = 0;
}

/* Options come first, then columns of --assets, then the defaults of the code: what is nearer to the user
 * wins. */
int price_model_set(const struct arguments *a, struct price_model *m)
{
    int code = list_parameters(m);
    if (!code) code = set_options(a, m);
    if (!code) code = check_past(m);
    for (size_t i = 0; i < m->parameter_count && m->assets.count && !code; i++)
        if (!m->parameters[i].values) code = set_column(m, &m->parameters[i]);
    /* A default that is a parameter may be of one whose default is a parameter. */
    for (size_t turn = 0; turn <= m->parameter_count && !code; turn++)
        for (size_t i = 0; i < m->parameter_count && !code; i++)
            if (!m->parameters[i].values) code = set_default(m, &m->parameters[i]);
    return code ? code : check_all(m);
}
