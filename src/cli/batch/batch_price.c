/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Prices deals on one context. Compiling a simulation takes much longer than a short run of it, so
 * simulations are cached by everything but their parameters: deals that differ in parameters alone use the
 * same one. Deals with early exercise that differ in parameters alone and come one after the other share launches.
 */
#include "batch_deal.h"

#include <cli/options/options.h>
#include <cli/price/price.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Simulations ---- */

/* What defines a simulation, except its parameters: a record, and then times, correlation, order and the
 * names and code of the payoff and its model. `levels` is 0 of it, and tells its record from that of levels. */
struct shape {
    uint64_t levels;
    const struct price_product *product;
    uint64_t steps, dims, order, correlated, text_bytes, loop_budget;
    int precision, construction, increments;
    uint32_t substeps;
    uint32_t controls;
    uint32_t unused; /* instead of padding, since shapes are compared as bytes */
};

struct batch_cached {
    struct batch_cached *next;
    bailey_simulation *simulation; /* NULL: levels */
    bailey_mlmc *mlmc;             /* NULL: a simulation */
    int code; /* not 0: its program does not compile, for the reason `error` */
    char error[BATCH_ERROR_MAX];
    uint64_t hash;
    size_t bytes;
    unsigned char shape[]; /* its bytes */
};

static size_t shape_bytes(const struct shape *s)
{
    return sizeof *s + (s->steps + s->correlated * s->dims * s->dims) * sizeof(double) +
           s->order * sizeof(uint32_t) + s->text_bytes;
}

static size_t bytes_of(const char *text) { return text ? strlen(text) + 1 : 1; }

static struct shape shape_of(const struct batch_deal *d)
{
    const struct price_model *m = &d->model;
    return (struct shape){.product = m->product,
                          .steps = m->steps,
                          .dims = m->dims,
                          .order = m->order.index ? m->steps - 1 : 0,
                          .correlated = m->correlation != NULL,
                          .text_bytes = m->product ? 0
                                                   : bytes_of(m->text) + bytes_of(m->name) +
                                                         bytes_of(m->model_text) + bytes_of(m->model_name),
                          .precision = d->settings.run.normal.precision,
                          .construction = m->construction,
                          .increments = m->increments,
                          .substeps = m->substeps,
                          .controls = m->controls,
                          .loop_budget = m->loop_budget};
}

static unsigned char *append(unsigned char *to, const void *from, size_t bytes)
{
    if (bytes) memcpy(to, from, bytes);
    return to + bytes;
}

static void write_shape(const struct batch_deal *d, const struct shape *s, unsigned char *to)
{
    const struct price_model *m = &d->model;
    to = append(to, s, sizeof *s);
    to = append(to, m->times, m->steps * sizeof *m->times);
    if (m->correlation) to = append(to, m->correlation, m->dims * m->dims * sizeof *m->correlation);
    if (m->order.index) to = append(to, m->order.index, (m->steps - 1) * sizeof *m->order.index);
    const char *const texts[] = {m->text, m->name, m->model_text, m->model_name};
    for (size_t i = 0; !m->product && i < sizeof texts / sizeof *texts; i++)
        to = append(to, texts[i] ? texts[i] : "", bytes_of(texts[i]));
}

/* The same of levels: correlation, and the names of parameters that the deal gives, as levels keep what is set:
 * others would have the numbers of the deal before. */
struct levels_shape {
    uint64_t levels; /* 1 */
    double time;
    uint64_t loop_budget, text_bytes;
    uint32_t dims, first_steps, precision, correlated;
};

static size_t name_bytes(const char *setting) { return strcspn(setting, "=") + 1; }

static struct levels_shape levels_shape_of(const struct batch_deal *d)
{
    const struct levels_request *r = &d->levels;
    const bailey_mlmc_params *p = &r->params;
    struct levels_shape s = {.levels = 1,
                             .time = p->time,
                             .loop_budget = p->estimator.loop_budget,
                             .text_bytes = bytes_of(r->name) + bytes_of(r->text),
                             .dims = p->dims,
                             .first_steps = p->first_steps,
                             .precision = (uint32_t)p->precision,
                             .correlated = r->correlation != NULL};
    for (int i = 0; i < d->arguments.repeats; i++) s.text_bytes += name_bytes(d->arguments.repeated[i]);
    return s;
}

static size_t levels_shape_bytes(const struct levels_shape *s)
{
    return sizeof *s + (size_t)s->correlated * s->dims * s->dims * sizeof(double) + s->text_bytes;
}

static void write_levels_shape(const struct batch_deal *d, const struct levels_shape *s, unsigned char *to)
{
    const struct levels_request *r = &d->levels;
    to = append(to, s, sizeof *s);
    if (r->correlation) to = append(to, r->correlation, (size_t)s->dims * s->dims * sizeof *r->correlation);
    to = append(to, r->name, bytes_of(r->name));
    to = append(to, r->text ? r->text : "", bytes_of(r->text));
    for (int i = 0; i < d->arguments.repeats; i++)
        to = append(to, d->arguments.repeated[i], name_bytes(d->arguments.repeated[i]));
}

/* FNV-1a, by words. */
static uint64_t hash_of(const unsigned char *bytes, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
    for (; count >= sizeof word; bytes += sizeof word, count -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word ^ word >> 32) * UINT64_C(0x100000001b3);
    }
    for (; count; bytes++, count--) hash = (hash ^ *bytes) * UINT64_C(0x100000001b3);
    return hash;
}

static struct batch_cached *new_cached(const struct batch_deal *d)
{
    const int is_levels = d->kind == DEAL_LEVELS;
    const struct shape s = is_levels ? (struct shape){0} : shape_of(d);
    const struct levels_shape l = is_levels ? levels_shape_of(d) : (struct levels_shape){0};
    const size_t bytes = is_levels ? levels_shape_bytes(&l) : shape_bytes(&s);
    struct batch_cached *cached = malloc(sizeof *cached + bytes);
    if (!cached) {
        cli_memory_error("a simulation", bytes);
        return NULL;
    }
    *cached = (struct batch_cached){.bytes = bytes};
    if (is_levels)
        write_levels_shape(d, &l, cached->shape);
    else
        write_shape(d, &s, cached->shape);
    cached->hash = hash_of(cached->shape, bytes);
    return cached;
}

static void free_cached(struct batch_cached *cached)
{
    bailey_simulation_destroy(cached->simulation);
    bailey_mlmc_destroy(cached->mlmc);
    free(cached);
}

/* Takes the simulation of the same shape from the list. */
static struct batch_cached *unlink_same(struct batch_worker *w, const struct batch_cached *wanted)
{
    struct batch_cached **link = &w->cached;
    while (*link && ((*link)->hash != wanted->hash || (*link)->bytes != wanted->bytes ||
                     memcmp((*link)->shape, wanted->shape, wanted->bytes) != 0))
        link = &(*link)->next;
    struct batch_cached *found = *link;
    if (found) *link = found->next;
    return found;
}

/* Makes room for one more. */
static void drop_oldest(struct batch_worker *w)
{
    struct batch_cached **link = &w->cached;
    if (w->count < w->most) return;
    while ((*link)->next) link = &(*link)->next;
    free_cached(*link);
    *link = NULL;
    w->count--;
}

static int make_simulation(struct batch_worker *w, struct batch_deal *d, struct batch_cached *cached)
{
    drop_oldest(w);
    const int code = d->kind == DEAL_LEVELS
                         ? levels_create(&d->arguments, &d->levels, w->context)
                         : price_model_create(&d->arguments, &d->settings, w->context, &d->model);
    cached->simulation = d->model.simulation;
    cached->mlmc = d->levels.mlmc;
    d->model.simulation = NULL;
    d->levels.mlmc = NULL;
    w->made += !code;
    w->count += !code;
    return code;
}

/* The deal's simulation, the first of the list. */
static int find_simulation(struct batch_worker *w, struct batch_deal *d)
{
    struct batch_cached *wanted = new_cached(d);
    if (!wanted) return CLI_FAILED;
    struct batch_cached *found = unlink_same(w, wanted);
    const int code = found ? CLI_OK : make_simulation(w, d, wanted);
    if (found || code) free_cached(wanted);
    if (code) return code;
    if (!found) found = wanted;
    found->next = w->cached;
    w->cached = found;
    return found->code ? cli_error(found->code, "%s", found->error) : CLI_OK;
}

void batch_worker_end(struct batch_worker *w)
{
    document_free(w->document);
    w->document = NULL;
    while (w->cached) {
        struct batch_cached *next = w->cached->next;
        free_cached(w->cached);
        w->cached = next;
    }
    w->count = 0;
}

/* ---- Prices ---- */

static void write_result(struct batch_worker *w, struct batch_deal *d, const struct price_outcome *o,
                         const struct price_gradient *gradient, double began)
{
    struct document *to = w->document ? w->document : (w->document = document_new());
    char seconds[40];
    if (to) document_clear(to);
    document_quiet(to);
    document_json(to, "id", d->id);
    document_fields(to, "estimate", &o->estimate[o->price], REPORT_ESTIMATE);
    price_report_outputs(to, &d->settings, o);
    price_exercise_report(to, &d->model);
    price_gradient_report(to, gradient, &d->model);
    document_count(to, "paths", o->estimate[0].paths);
    if (d->settings.target > 0) price_report_target(to, &d->settings, o);
    price_report_warnings(to, &d->settings, &d->model, o);
    if (to && to->warnings.count) document_list_warnings(to);
    snprintf(seconds, sizeof seconds, "%.6g", cli_seconds() - began);
    document_json(to, "seconds", seconds);
    document_append(to, &d->result);
}

static void write_american(struct batch_worker *w, struct batch_deal *d, const bailey_american_result *result,
                           double began)
{
    struct document *to = document_new();
    char seconds[40];
    document_json(to, "id", d->id);
    document_fields(to, "american_result", result, NULL);
    snprintf(seconds, sizeof seconds, "%.6g", cli_seconds() - began);
    document_json(to, "seconds", seconds);
    document_append(to, &d->result);
    document_free(to);
    (void)w;
}

void batch_write_error(struct batch_deal *d)
{
    struct document *to = document_new();
    d->result.used = 0;
    batch_deal_use_keys(d);
    document_json(to, "id", d->id);
    document_text(to, "error", *d->error ? d->error : "out of memory");
    document_count(to, "line", d->line);
    document_append(to, &d->result);
    document_free(to);
}

/* A text that did not compile is not compiled again. */
static void remember_failure(struct batch_worker *w, const struct batch_deal *d, bailey_status status,
                             int code)
{
    if (status != BAILEY_ERROR_BUILD) return; /* what is not supported may be the deal's, not the text's */
    w->cached->code = code;
    memcpy(w->cached->error, d->error, sizeof w->cached->error);
}

static int price_simulation(struct batch_worker *w, struct batch_deal *d)
{
    struct price_devices devices = {.count = 1, .context = {w->context}};
    struct price_outcome outcome = {0};
    struct price_gradient gradient;
    const double began = cli_seconds();
    int code = find_simulation(w, d);
    if (code) return code;
    struct price_model *m = &d->model;
    m->simulation = devices.simulation[0] = w->cached->simulation;
    if (!(code = price_gradient_read(&d->arguments, &gradient)) &&
        !(code = price_model_set(&d->arguments, m)) && !(code = price_exercise(&d->arguments, &d->settings, m)) &&
        !(code = price_exercise_bound(&d->arguments, &d->settings, m)) &&
        !(code = price_outputs_read(&d->arguments, m, &outcome)) &&
        !(code = price_run_on(&d->arguments, &d->settings, m, &devices, &outcome)) &&
        !(code = price_gradient_run(&d->arguments, &d->settings, m, &outcome, &gradient)))
        write_result(w, d, &outcome, &gradient, began);
    else
        remember_failure(w, d, outcome.status, code);
    w->run_seconds += outcome.seconds;
    price_outcome_free(&outcome);
    price_gradient_free(&gradient);
    price_exercise_end(m);
    m->simulation = NULL; /* the worker's */
    return code;
}

static int price_american_deal(struct batch_worker *w, struct batch_deal *d)
{
    bailey_american_result result;
    const double began = cli_seconds();
    const int code = price_american_run(&d->arguments, &d->settings, &d->american, w->context, &result);
    if (!code) write_american(w, d, &result, began);
    w->run_seconds += cli_seconds() - began;
    return code;
}

/* ---- Levels ---- */

static _Thread_local int prices_levels;

static void hear(void *user, const char *message)
{
    if (prices_levels) cli_print_warning(user, message);
}

void batch_hear_warnings(void) { bailey_warning_set(hear, NULL); }

static void write_levels(struct batch_worker *w, struct batch_deal *d, const bailey_mlmc_test_run *run, double began)
{
    struct document *to = w->document ? w->document : (w->document = document_new());
    char seconds[40];
    if (to) document_clear(to);
    document_quiet(to);
    document_json(to, "id", d->id);
    document_fields(to, "mlmc_result", &run->result, NULL);
    levels_report_derivatives(to, run, 1, &d->levels);
    levels_warn(to, run);
    if (to && to->warnings.count) document_list_warnings(to);
    snprintf(seconds, sizeof seconds, "%.6g", cli_seconds() - began);
    document_json(to, "seconds", seconds);
    document_append(to, &d->result);
}

static int price_levels(struct batch_worker *w, struct batch_deal *d)
{
    struct levels_request *r = &d->levels;
    bailey_mlmc_test_run run = {.eps = r->eps[0]};
    bailey_mlmc_run_params params = r->test.run;
    const double began = cli_seconds();
    int code = find_simulation(w, d);
    if (code) return code;
    r->mlmc = w->cached->mlmc;
    params.eps = run.eps;
    prices_levels = 1;
    if (!(code = levels_set(&d->arguments, r)) && !(code = levels_begin_derivatives(&d->arguments, r))) {
        const bailey_status status = levels_run(r, &params, 0, &run.result);
        code = levels_check(&d->arguments, r, status);
        if (code) remember_failure(w, d, status, code);
    }
    if (!code) write_levels(w, d, &run, began);
    w->run_seconds += cli_seconds() - began;
    prices_levels = 0;
    r->mlmc = NULL; /* the worker's */
    return code;
}

/* ---- Deals that share launches ---- */

/* A table of their parameters, with policies and prices. */
struct shared {
    bailey_scenarios scenarios;
    const char **names;
    char (*name)[80];
    double *values;
    bailey_exercise_result *policies;
    bailey_estimate *estimates; /* [count][outputs] */
    uint64_t policy_paths;
};

static int is_same(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static int is_same_numbers(const struct option_numbers *a, const struct option_numbers *b)
{
    return a->count == b->count && a->rows == b->rows && a->dates == b->dates &&
           (!a->count || !memcmp(a->value, b->value, a->count * sizeof *a->value));
}

/* Whether all options but parameters are the same. */
static int has_options_of(const struct arguments *a, const struct arguments *b)
{
    const struct option *options = a->command->options;
    if (a->command != b->command) return 0;
    for (int i = 0; options[i].name; i++)
        if (!is_same(a->value[i], b->value[i]) ||
            (a->numbers && a->value[i] && !is_same_numbers(&a->numbers[i], &b->numbers[i])))
            return 0;
    return 1;
}

int batch_are_alike(const struct batch_deal *a, const struct batch_deal *b)
{
    const char *const *value = a->arguments.value;
    if (a->code || b->code || a->kind == DEAL_AMERICAN || a->kind == DEAL_LEVELS || a->kind != b->kind)
        return 0;
    if (a->arguments.command->options != price_payoff_options || !value[EXERCISE_LOWER_ONLY] || value[GRADIENT] ||
        a->settings.target > 0 || !has_options_of(&a->arguments, &b->arguments))
        return 0;
    struct batch_cached *first = new_cached(a), *second = new_cached(b);
    const int alike = first && second && first->bytes == second->bytes &&
                      !memcmp(first->shape, second->shape, first->bytes);
    free(first);
    free(second);
    return alike;
}

/* The deals' parameters, [count][columns], all of them in the order of the simulation. */
static int read_table(struct batch_deal *const *deals, unsigned count, struct shared *s)
{
    const struct price_model *first = &deals[0]->model;
    size_t columns = 0;
    for (size_t p = 0; p < first->parameter_count; p++) columns += first->parameters[p].count;
    s->names = calloc(columns + 1, sizeof *s->names);
    s->name = calloc(columns + 1, sizeof *s->name);
    s->values = calloc(count * columns + 1, sizeof *s->values);
    if (!s->names || !s->name || !s->values) return CLI_FAILED;
    for (unsigned i = 0; i < count; i++) {
        const struct price_model *m = &deals[i]->model;
        size_t c = 0;
        for (size_t p = 0; p < first->parameter_count; p++)
            for (uint64_t e = 0; e < first->parameters[p].count; e++, c++) {
                s->values[i * columns + c] = m->parameters[p].values[e];
                snprintf(s->name[c], sizeof s->name[c], first->parameters[p].count > 1 ? "%s[%llu]" : "%s",
                         first->parameters[p].name, (unsigned long long)e);
                s->names[c] = s->name[c];
            }
    }
    s->scenarios = (bailey_scenarios){
        .count = count, .columns = (uint32_t)columns, .names = s->names, .values = s->values};
    return CLI_OK;
}

static int set_all(struct batch_worker *w, struct batch_deal *const *deals, unsigned count)
{
    int code = find_simulation(w, deals[0]);
    const bailey_description *d = code ? NULL : bailey_simulation_description(w->cached->simulation);
    if (!d || !d->exercises) return CLI_FAILED;
    for (unsigned i = 0; i < count && !code; i++) {
        deals[i]->model.simulation = w->cached->simulation;
        deals[i]->model.bounds.upper = NAN;
        code = price_model_set(&deals[i]->arguments, &deals[i]->model);
    }
    return code;
}

/* Fails where a deal has to say alone what is wrong with it, or has control variates. */
static int run_together(struct batch_worker *w, struct batch_deal *const *deals, unsigned count,
                        const struct price_outcome *o, struct shared *s)
{
    const struct batch_deal *first = deals[0];
    bailey_exercise_params params;
    if (o->controls || read_table(deals, count, s)) return CLI_FAILED;
    bailey_simulation_run_params run = price_run_params(&first->settings, o, first->settings.run.paths);
    run.scenarios = s->scenarios;
    s->policies = calloc(count, sizeof *s->policies);
    s->estimates = calloc((size_t)count * o->outputs, sizeof *s->estimates);
    if (!s->policies || !s->estimates) return CLI_FAILED;
    int code = price_exercise_params(&first->arguments, &first->settings, &params);
    s->policy_paths = params.paths ? params.paths : price_policy_paths();
    if (!code && bailey_exercise_price(w->cached->simulation, &params, &run, s->policies, s->estimates) != BAILEY_OK)
        code = CLI_FAILED;
    return code;
}

static int write_shared(struct batch_worker *w, struct batch_deal *d, const struct shared *s, unsigned i, double began)
{
    struct price_outcome o;
    const struct price_gradient gradient = {.count = 0};
    struct price_model *m = &d->model;
    m->held = m->simulation;
    m->policy = s->policies[i];
    m->policy_paths = s->policy_paths;
    int code = price_outputs_read(&d->arguments, m, &o);
    if (!code) {
        memcpy(o.estimate, s->estimates + (size_t)i * o.outputs, o.outputs * sizeof *o.estimate);
        o.paths = d->settings.run.paths;
        write_result(w, d, &o, &gradient, began);
    }
    price_outcome_free(&o);
    m->held = NULL;
    return !code && d->result.failed ? cli_memory_error("a result", d->result.room) : code;
}

/* Nothing is written unless all are priced. */
static int price_together(struct batch_worker *w, struct batch_deal *const *deals, unsigned count)
{
    const double began = cli_seconds();
    struct shared s = {.names = NULL};
    struct price_outcome o = {0};
    char unused[BATCH_ERROR_MAX];
    cli_error_capture(unused, sizeof unused);
    int code = set_all(w, deals, count);
    if (!code) code = price_outputs_read(&deals[0]->arguments, &deals[0]->model, &o);
    if (!code) code = run_together(w, deals, count, &o, &s);
    cli_error_capture(NULL, 0);
    const double each = (cli_seconds() - began) / count;
    for (unsigned i = 0; i < count && !code; i++) {
        struct batch_deal *d = deals[i];
        cli_error_capture(d->error, sizeof d->error);
        d->code = write_shared(w, d, &s, i, cli_seconds() - each);
        cli_error_capture(NULL, 0);
        if (d->code) batch_write_error(d);
    }
    for (unsigned i = 0; i < count; i++) {
        price_parameters_free(&deals[i]->model);
        deals[i]->model.simulation = NULL; /* the worker's */
    }
    if (!code) w->run_seconds += each * count;
    price_outcome_free(&o);
    free(s.names);
    free(s.name);
    free(s.values);
    free(s.policies);
    free(s.estimates);
    return code;
}

static int price_deal(struct batch_worker *w, struct batch_deal *d)
{
    const int code = d->kind == DEAL_AMERICAN ? price_american_deal(w, d)
                     : d->kind == DEAL_LEVELS ? price_levels(w, d)
                                              : price_simulation(w, d);
    return !code && d->result.failed ? cli_memory_error("a result", d->result.room) : code;
}

void batch_price_together(struct batch_worker *w, struct batch_deal *const *deals, unsigned count)
{
    if (count > 1 && !price_together(w, deals, count)) return;
    for (unsigned i = 0; i < count; i++) batch_price(w, deals[i]);
}

void batch_price(struct batch_worker *w, struct batch_deal *d)
{
    if (!d->code) {
        cli_error_capture(d->error, sizeof d->error);
        d->code = price_deal(w, d);
        cli_error_capture(NULL, 0);
    }
    if (d->code) batch_write_error(d);
}
