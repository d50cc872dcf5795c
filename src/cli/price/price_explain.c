/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * --explain: one path of a price, step by step, with the state of the payoff's code after each. It shows a
 * user why a payoff does not do what was meant.
 */
#include "price.h"

#include <cli/options/options.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 14 /* of a column */

struct explanation {
    const struct price_settings *settings;
    const struct price_model *model;
    const struct price_outcome *outcome;
    uint64_t path;
    struct document *document;
    int json, began;
    char fault[400]; /* "": none */
};

static int is_f64(const struct explanation *e)
{
    return e->settings->run.normal.precision == BAILEY_PRECISION_F64;
}

/* ---- What people see ---- */

static void put_word(const struct explanation *e, const char *word)
{
    document_put(e->document, " %*s", WIDTH, word);
}

/* Numbers of x: of the dimensions, and the payoff's own. */
static uint64_t x_count(const struct price_model *m)
{
    return m->dims * (1 + m->needs.own_each) + m->needs.own_more;
}

static void put_field(const struct explanation *e, const char *name, uint64_t number, uint64_t count)
{
    char word[120];
    snprintf(word, sizeof word, count > 1 ? "%s[%llu]" : "%s", name, (unsigned long long)number);
    put_word(e, word);
}

static void put_heading(const struct explanation *e)
{
    const bailey_simulation *s = e->model->simulation;
    const int is_motion = e->model->motion_depth > 0;
    uint64_t count;
    const char *name;
    document_put(e->document, "path %llu of %s, seed %llu\n\n%-6s", (unsigned long long)e->path,
                 cli_printable(e->model->name), (unsigned long long)e->settings->run.source.seed,
                 is_motion ? "" : "step");
    if (is_motion) put_word(e, "tick");
    put_word(e, "time");
    for (uint64_t d = 0; d < (is_motion ? 1 : x_count(e->model)); d++)
        put_field(e, is_motion ? "at" : "x", d, x_count(e->model));
    for (size_t i = 0; (name = bailey_simulation_state(s, i, &count)); i++)
        for (uint64_t k = 0; k < count; k++) put_field(e, name, k, count);
    document_gap(e->document);
}

/* With the digits that tell it from every other number of the precision; "-" if nothing was written to it. */
static void put_number(const struct explanation *e, double value)
{
    char text[40];
    if (isnan(value))
        snprintf(text, sizeof text, "-");
    else if (is_f64(e) || (double)(float)value != value)
        cli_shortest_f64(text, sizeof text, value);
    else
        cli_shortest_f32(text, sizeof text, (float)value);
    put_word(e, text);
}

static void put_state(const struct explanation *e, const bailey_moment *moment)
{
    uint64_t count;
    const double *value = moment->state;
    for (size_t i = 0; value && bailey_simulation_state(e->model->simulation, i, &count); i++)
        for (uint64_t k = 0; k < count; k++) put_number(e, *value++);
}

static void put_outputs(const struct explanation *e, const double *outputs)
{
    document_gap(e->document);
    for (uint32_t i = 0; i < e->outcome->outputs; i++) {
        document_put(e->document, "%-20s", cli_printable(e->outcome->name[i]));
        put_number(e, outputs[i]);
        document_gap(e->document);
    }
}

static void put_step(const struct explanation *e, const bailey_moment *moment)
{
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)moment->step);
    if (moment->kind == BAILEY_MOMENT_KIND_START) {
        document_put(e->document, "start ");
        for (uint64_t i = 0; i < 1 + x_count(e->model); i++) put_word(e, "");
    } else if (moment->kind == BAILEY_MOMENT_KIND_STEP) {
        document_put(e->document, "%-6s", number);
        put_number(e, moment->time);
        for (uint64_t d = 0; d < x_count(e->model); d++) put_number(e, moment->x[d]);
    } else {
        char dimension[16] = "";
        if (x_count(e->model) > 1) snprintf(dimension, sizeof dimension, "x[%u]", (unsigned)moment->dimension);
        document_put(e->document, "%-6s", dimension);
        put_word(e, number);
        put_number(e, moment->time);
        put_number(e, moment->x[0]);
    }
    put_state(e, moment);
    document_gap(e->document);
}

static void put_moment(const struct explanation *e, const bailey_moment *moment)
{
    if (moment->kind == BAILEY_MOMENT_KIND_START && !bailey_simulation_state(e->model->simulation, 0, NULL))
        return;
    if (moment->outputs && !moment->fault)
        put_outputs(e, moment->outputs);
    else if (!moment->outputs)
        put_step(e, moment);
    if (moment->fault) document_line(e->document, "\nfailed here: %s", cli_printable(moment->fault));
}

/* ---- Members ---- */

static void add_state(const struct explanation *e, const double *value)
{
    uint64_t count;
    const char *name;
    document_open(e->document, "state", '{');
    for (size_t i = 0; (name = bailey_simulation_state(e->model->simulation, i, &count)); i++, value += count)
        if (count > 1)
            document_numbers(e->document, name, value, count);
        else
            document_number(e->document, name, *value);
    document_close(e->document);
}

static void add_moment(const struct explanation *e, const bailey_moment *moment)
{
    struct document *d = e->document;
    const int is_at = moment->kind == BAILEY_MOMENT_KIND_AT;
    document_open(d, NULL, '{');
    document_fields(d, "moment", moment,
                    is_at       ? "kind step time dimension"
                    : moment->x ? "kind step time"
                                : "kind");
    if (moment->x) document_numbers(d, "x", moment->x, is_at ? 1 : x_count(e->model));
    if (moment->state) add_state(e, moment->state);
    if (moment->outputs && !moment->fault) {
        document_open(d, "outputs", '{');
        for (uint32_t i = 0; i < e->outcome->outputs; i++)
            document_number(d, e->outcome->name[i], moment->outputs[i]);
        document_close(d);
    }
    document_close(d);
}

static void begin(const struct explanation *e)
{
    struct document *d = e->document;
    put_heading(e);
    document_text(d, e->model->text ? "payoff" : "product", e->model->name);
    if (e->model->model_name) document_text(d, "model", e->model->model_name);
    document_count(d, "path", e->path);
    document_fields(d, "normal_params", &e->settings->run.normal, "precision");
    report_source(d, &e->settings->run.source);
    document_open(d, "moments", '[');
}

static int show(void *user, const bailey_moment *moment)
{
    struct explanation *e = user;
    if (!e->began) begin(e);
    e->began = 1;
    if (moment->fault) snprintf(e->fault, sizeof e->fault, "%s", moment->fault);
    put_moment(e, moment);
    add_moment(e, moment);
    if (!e->json) document_flush(e->document);
    return 0;
}

static int end(const struct explanation *e)
{
    document_close(e->document);
    document_text(e->document, "fault", e->fault[0] ? e->fault : NULL);
    return document_print(e->document, e->json);
}

int price_explain_check(const struct arguments *a)
{
    static const int others[] = {TARGET_ERROR, ANTITHETIC, CONTROL,     SCENARIOS,
                                 GREEKS,       CHECKPOINT, SAVE_OUTPUTS};
    uint64_t path;
    int code = option_u64(a, EXPLAIN, 0, UINT64_MAX >> 1, &path);
    for (size_t i = 0; i < sizeof others / sizeof *others && !code; i++)
        code = options_conflict(a, EXPLAIN, others[i], "--explain shows one path and estimates nothing");
    if (!code && a->value[EXPLAIN] && a->value[NUMERICS] && !strcmp(a->value[NUMERICS], "fast"))
        code = cli_error(CLI_USAGE, "--explain needs --numerics exact");
    if (!code && a->value[EXPLAIN] && price_job_is_shared(a))
        code = cli_error(CLI_USAGE, "--explain shows one path, on one --device");
    return code;
}

int price_explain(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                  const struct price_outcome *o)
{
    struct explanation e = {.settings = s, .model = m, .outcome = o, .json = a->value[JSON] != NULL};
    int code = option_u64(a, EXPLAIN, 0, UINT64_MAX >> 1, &e.path);
    if (code) return code;
    e.document = document_new();
    const bailey_simulation_run_params run = price_run_params(s, o, 1);
    const bailey_status status = bailey_simulation_explain(m->simulation, &run, e.path, show, &e);
    if (e.began) code = end(&e);
    document_free(e.document);
    return status == BAILEY_OK ? code : price_check(status, a, m);
}
