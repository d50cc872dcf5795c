/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "price_explain.h"

#include "json.h"
#include "source_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 14 /* of a column */

struct explanation {
    const struct price_settings *settings;
    const struct price_model *model;
    const struct price_outcome *outcome;
    uint64_t path;
    struct json *json; /* NULL: for people */
    int began;
    char fault[400]; /* "": none */
};

static int is_f64(const struct explanation *e)
{
    return e->settings->normal.precision == BAILEY_PRECISION_F64;
}

/* ---- For people ---- */

static void print_word(const char *word) { printf(" %*s", WIDTH, word); }

static void print_field(const char *name, uint64_t number, uint64_t count)
{
    char word[120];
    snprintf(word, sizeof word, count > 1 ? "%s[%llu]" : "%s", name, (unsigned long long)number);
    print_word(word);
}

static void print_heading(const struct explanation *e)
{
    const bailey_simulation *s = e->model->simulation;
    const int is_motion = e->model->levels > 0;
    uint64_t count;
    const char *name;
    printf("path %llu of %s, seed %llu\n\n%-6s", (unsigned long long)e->path, cli_printable(e->model->name),
           (unsigned long long)e->settings->source.seed, is_motion ? "" : "step");
    if (is_motion) print_word("tick");
    print_word("time");
    for (uint64_t d = 0; d < (is_motion ? 1 : e->model->dims); d++)
        print_field(is_motion ? "at" : "x", d, e->model->dims);
    for (size_t i = 0; (name = bailey_simulation_state(s, i, &count)); i++)
        for (uint64_t k = 0; k < count; k++) print_field(name, k, count);
    printf("\n");
}

/* With the digits that tell it from every other number of the precision; "-" if nothing was written to it. */
static void print_number(const struct explanation *e, double value)
{
    char text[40];
    if (isnan(value))
        snprintf(text, sizeof text, "-");
    else if (is_f64(e) || (double)(float)value != value)
        cli_shortest_f64(text, sizeof text, value);
    else
        cli_shortest_f32(text, sizeof text, (float)value);
    print_word(text);
}

static void print_state(const struct explanation *e, const bailey_moment *moment)
{
    uint64_t count;
    const double *value = moment->state;
    for (size_t i = 0; value && bailey_simulation_state(e->model->simulation, i, &count); i++)
        for (uint64_t k = 0; k < count; k++) print_number(e, *value++);
}

static void print_outputs(const struct explanation *e, const double *outputs)
{
    printf("\n");
    for (uint32_t i = 0; i < e->outcome->outputs; i++) {
        printf("%-20s", cli_printable(e->outcome->name[i]));
        print_number(e, outputs[i]);
        printf("\n");
    }
}

static void print_step(const struct explanation *e, const bailey_moment *moment)
{
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)moment->step);
    if (moment->kind == BAILEY_MOMENT_KIND_START) {
        printf("start ");
        for (uint64_t i = 0; i < 1 + e->model->dims; i++) print_word("");
    } else if (moment->kind == BAILEY_MOMENT_KIND_STEP) {
        printf("%-6s", number);
        print_number(e, moment->time);
        for (uint64_t d = 0; d < e->model->dims; d++) print_number(e, moment->x[d]);
    } else {
        char dimension[16] = "";
        if (e->model->dims > 1) snprintf(dimension, sizeof dimension, "x[%u]", (unsigned)moment->dimension);
        printf("%-6s", dimension);
        print_word(number);
        print_number(e, moment->time);
        print_number(e, moment->x[0]);
    }
    print_state(e, moment);
    printf("\n");
}

static void print_moment(const struct explanation *e, const bailey_moment *moment)
{
    if (moment->kind == BAILEY_MOMENT_KIND_START && !bailey_simulation_state(e->model->simulation, 0, NULL))
        return;
    if (moment->outputs && !moment->fault)
        print_outputs(e, moment->outputs);
    else if (!moment->outputs)
        print_step(e, moment);
    if (moment->fault) printf("\nfails here: %s\n", cli_printable(moment->fault));
}

/* ---- For machines ---- */

static void json_state(const struct explanation *e, const double *value)
{
    uint64_t count;
    const char *name;
    json_open(e->json, "state", '{');
    for (size_t i = 0; (name = bailey_simulation_state(e->model->simulation, i, &count)); i++) {
        if (count > 1) json_open(e->json, name, '[');
        for (uint64_t k = 0; k < count; k++) json_number(e->json, count > 1 ? NULL : name, *value++);
        if (count > 1) json_close(e->json, ']');
    }
    json_close(e->json, '}');
}

static void json_moment(const struct explanation *e, const bailey_moment *moment)
{
    static const char *const kinds[] = {"start", "step", "at", "finish"};
    const int has_x = moment->x != NULL, is_at = moment->kind == BAILEY_MOMENT_KIND_AT;
    json_open(e->json, NULL, '{');
    json_text(e->json, "kind", kinds[moment->kind]);
    if (has_x) json_count(e->json, is_at ? "tick" : "step", moment->step);
    if (has_x) json_number(e->json, "time", moment->time);
    if (is_at) json_count(e->json, "dimension", moment->dimension);
    if (has_x) json_open(e->json, "x", '[');
    for (uint64_t d = 0; has_x && d < (is_at ? 1 : e->model->dims); d++)
        json_number(e->json, NULL, moment->x[d]);
    if (has_x) json_close(e->json, ']');
    if (moment->state) json_state(e, moment->state);
    if (moment->outputs && !moment->fault) {
        json_open(e->json, "outputs", '{');
        for (uint32_t i = 0; i < e->outcome->outputs; i++)
            json_number(e->json, e->outcome->name[i], moment->outputs[i]);
        json_close(e->json, '}');
    }
    json_close(e->json, '}');
}

static void json_begin(const struct explanation *e)
{
    json_open(e->json, NULL, '{');
    json_text(e->json, e->model->product ? "product" : "payoff", e->model->name);
    json_count(e->json, "path", e->path);
    json_text(e->json, "precision", option_precision(e->settings->normal.precision));
    source_json(e->json, &e->settings->source);
    json_open(e->json, "moments", '[');
}

static void json_end(const struct explanation *e)
{
    json_close(e->json, ']');
    json_ready(e->json, "fault", "null");
    json_close(e->json, '}');
}

static void json_end_at_fault(const struct explanation *e)
{
    json_close(e->json, ']');
    json_text(e->json, "fault", e->fault);
    json_close(e->json, '}');
}

/* ---- Both ---- */

static int show(void *user, const bailey_moment *moment)
{
    struct explanation *e = user;
    if (!e->began && e->json) json_begin(e);
    if (!e->began && !e->json) print_heading(e);
    e->began = 1;
    if (moment->fault) snprintf(e->fault, sizeof e->fault, "%s", moment->fault);
    if (e->json)
        json_moment(e, moment);
    else
        print_moment(e, moment);
    return 0;
}

int price_explain_check(const struct arguments *a)
{
    static const int others[] = {TARGET_ERROR, ANTITHETIC, CONTROL,     SCENARIOS,
                                 GREEKS,       CHECKPOINT, SAVE_OUTPUTS};
    uint64_t path;
    int code = option_u64(a, EXPLAIN, 0, UINT64_MAX >> 1, &path);
    for (size_t i = 0; i < sizeof others / sizeof *others && !code; i++)
        code = options_conflict(a, EXPLAIN, others[i], "one path is shown, and nothing is estimated");
    if (!code && a->value[EXPLAIN] && a->value[NUMERICS] && !strcmp(a->value[NUMERICS], "fast"))
        code = cli_error(CLI_USAGE, "--explain takes --numerics exact");
    if (!code && a->value[EXPLAIN] && price_job_is_shared(a))
        code = cli_error(CLI_USAGE, "--explain shows one path, of one --device");
    return code;
}

int price_explain(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                  const struct price_outcome *o)
{
    struct json json = {0};
    struct explanation e = {.settings = s, .model = m, .outcome = o, .json = a->value[JSON] ? &json : NULL};
    int code = option_u64(a, EXPLAIN, 0, UINT64_MAX >> 1, &e.path);
    if (code) return code;
    const bailey_simulation_run_params run = price_run_params(s, o, 1);
    const bailey_status status = bailey_simulation_explain(m->simulation, &run, e.path, show, &e);
    if (e.began && e.json) {
        if (e.fault[0])
            json_end_at_fault(&e);
        else
            json_end(&e);
    }
    return price_check(status, a, m);
}
