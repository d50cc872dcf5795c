/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Scenarios and Greeks of a price. Both run on the paths of the price itself, and differences are made on the
 * device, so that their errors are those of the differences.
 */
#include "price.h"

#include <cli/io/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The file ---- */

static char *copy(const char *text)
{
    char *to = malloc(strlen(text) + 1);
    return to ? strcpy(to, text) : NULL;
}

/* The places of the columns in the file. */
struct heading {
    size_t fields, name, shift; /* SIZE_MAX: there is no such column */
};

static int read_heading(struct csv *csv, struct price_risk *r, struct heading *h)
{
    *h = (struct heading){csv->fields, SIZE_MAX, SIZE_MAX};
    r->column = calloc(csv->fields, sizeof *r->column);
    if (!r->column) return cli_memory_error("--scenarios", csv->fields * sizeof *r->column);
    for (size_t i = 0; i < csv->fields; i++) {
        if (!*csv->field[i]) return csv_error(csv, "column %zu has no name", i + 1);
        if (!strcmp(csv->field[i], "name")) {
            h->name = i;
        } else if (!strcmp(csv->field[i], "time_shift")) {
            h->shift = i;
        } else if (!(r->column[r->columns++] = copy(csv->field[i]))) {
            return cli_memory_error("--scenarios", strlen(csv->field[i]) + 1);
        }
    }
    return CLI_OK;
}

static int read_row(struct csv *csv, const struct heading *h, struct price_risk *r)
{
    double *to = r->values + r->count * r->columns;
    char number[32];
    int code = CLI_OK;
    csv_trim(csv, h->fields);
    if (csv->fields != h->fields)
        return csv_error(csv, "%zu fields, but the header row has %zu", csv->fields, h->fields);
    if (r->count == PRICE_SCENARIOS_MAX) return csv_error(csv, "more than %d scenarios", PRICE_SCENARIOS_MAX);
    snprintf(number, sizeof number, "%llu", (unsigned long long)r->count);
    r->name[r->count] = copy(h->name < h->fields ? csv->field[h->name] : number);
    if (!r->name[r->count]) return cli_memory_error("--scenarios", strlen(number));
    for (size_t i = 0; i < h->fields && !code; i++)
        if (i != h->name) code = csv_number(csv, i, csv->path, i == h->shift ? &r->shift[r->count] : to++);
    r->count += !code;
    return code;
}

static int take_rows(struct csv *csv, struct price_risk *r)
{
    r->name = calloc(PRICE_SCENARIOS_MAX + 1, sizeof *r->name);
    r->shift = calloc(PRICE_SCENARIOS_MAX, sizeof *r->shift);
    r->values = calloc((size_t)PRICE_SCENARIOS_MAX * (r->columns + 1), sizeof *r->values);
    if (r->name && r->shift && r->values) return CLI_OK;
    (void)csv;
    return cli_memory_error("--scenarios", (size_t)PRICE_SCENARIOS_MAX * (r->columns + 3) * sizeof(double));
}

static int read_file(struct csv *csv, struct price_risk *r)
{
    struct heading heading;
    int code = csv_next(csv);
    if (!code && !csv->fields)
        return csv_error(csv, "no header row; it names parameters, name and time_shift");
    if (!code) code = read_heading(csv, r, &heading);
    if (!code) code = take_rows(csv, r);
    if (!code) code = csv_next(csv);
    while (!code && csv->fields)
        if (!(code = read_row(csv, &heading, r))) code = csv_next(csv);
    return !code && !r->count ? csv_error(csv, "no scenario") : code;
}

static int read_method(const struct arguments *a, struct price_risk *r)
{
    bailey_greeks_params params = {.method = BAILEY_GREEK_METHOD_AUTO};
    if (a->value[LIKELIHOOD] && !a->value[GREEKS]) return cli_error(CLI_USAGE, "--likelihood needs --greeks");
    if (a->value[GREEKS_METHOD] && !a->value[GREEKS])
        return cli_error(CLI_USAGE, "--greeks-method needs --greeks");
    const int code = options_read_fields(a, "greeks_params", &params);
    if (!code && a->value[LIKELIHOOD] && a->value[GREEKS_METHOD] &&
        params.method != BAILEY_GREEK_METHOD_LIKELIHOOD)
        return cli_error(CLI_USAGE, "--likelihood and --greeks-method %s cannot both be given",
                         cli_printable(a->value[GREEKS_METHOD]));
    r->method = a->value[LIKELIHOOD] ? BAILEY_GREEK_METHOD_LIKELIHOOD : params.method;
    bailey_gradient_params gradient = {.width = 0};
    if (code || !a->value[GREEKS]) return code;
    const int wrong = options_read_fields(a, "gradient_params", &gradient);
    r->width = gradient.width;
    return wrong;
}

int price_risk_read(const struct arguments *a, struct price_risk *r)
{
    struct csv csv;
    memset(r, 0, sizeof *r);
    const int method = read_method(a, r);
    if (method) return method;
    if ((a->value[SCENARIOS] || a->value[GREEKS]) && a->value[SUM_LIMIT])
        return cli_error(
            CLI_USAGE,
            "%s cannot be combined with --sum fixed: differences of scenarios are computed in double",
            a->value[GREEKS] ? "--greeks" : "--scenarios");
    if (!a->value[SCENARIOS]) return CLI_OK;
    int code = csv_open(&csv, "--scenarios", a->value[SCENARIOS]);
    if (code) return code;
    code = read_file(&csv, r);
    csv_close(&csv);
    return code;
}

void price_risk_free(struct price_risk *r)
{
    for (uint32_t i = 0; r->column && i < r->columns; i++) free(r->column[i]);
    for (uint64_t i = 0; r->name && r->name[i]; i++) free(r->name[i]);
    free(r->column);
    free(r->name);
    free(r->values);
    free(r->shift);
    free(r->scenario);
    free(r->greek);
}

/* ---- Runs ---- */

static bailey_simulation_run_params run_params(const struct price_settings *s, const struct price_outcome *o)
{
    bailey_simulation_run_params params = price_run_params(s, o, o->paths);
    params.expected = NULL;
    return params;
}

/* Each scenario, and each but the first less the first. */
static void fill_weights(const struct price_risk *r, const struct price_outcome *o, double *weights)
{
    const uint64_t width = r->count * o->outputs;
    weights[o->price] = 1;
    for (uint64_t i = 1; i < r->count; i++) {
        double *own = weights + (2 * i - 1) * width, *difference = own + width;
        own[i * o->outputs + o->price] = difference[i * o->outputs + o->price] = 1;
        difference[o->price] = -1;
    }
}

static int run_scenarios(const struct arguments *a, const struct price_settings *s,
                         const struct price_model *m, const struct price_outcome *o, struct price_risk *r)
{
    const uint64_t rows = 2 * r->count - 1;
    double *weights = calloc((size_t)(rows * r->count * o->outputs), sizeof *weights);
    r->scenario = calloc((size_t)rows, sizeof *r->scenario);
    if (!weights || !r->scenario) {
        free(weights);
        return cli_memory_error("--scenarios", (size_t)(rows * r->count * o->outputs) * sizeof *weights);
    }
    fill_weights(r, o, weights);
    bailey_simulation_run_params params = run_params(s, o);
    params.scenarios = (bailey_scenarios){.count = r->count,
                                          .columns = r->columns,
                                          .names = (const char *const *)r->column,
                                          .values = r->values,
                                          .time_shift = r->shift,
                                          .rows = (uint32_t)rows,
                                          .weights = weights};
    const bailey_status status = bailey_simulation_run(m->simulation, &params, r->scenario);
    free(weights);
    (void)a;
    return cli_check(status, "--scenarios");
}

/* The elements of a parameter, as "spot", or "spot[0]", "spot[1]", ... */
struct elements {
    uint32_t count;
    char text[BAILEY_BRIDGE_MAX_DIMS][80];
    const char *name[BAILEY_BRIDGE_MAX_DIMS];
};

static void add_elements(const struct price_parameter *p, struct elements *e)
{
    for (uint64_t i = 0; i < p->count && e->count < BAILEY_BRIDGE_MAX_DIMS; i++, e->count++) {
        snprintf(e->text[e->count], sizeof e->text[0], p->count > 1 ? "%.60s[%u]" : "%.60s", p->name,
                 (unsigned)i);
        e->name[e->count] = e->text[e->count];
    }
}

/* Those of the parameter called so. */
static void find_named(const struct price_model *m, const char *name, struct elements *e)
{
    e->count = 0;
    for (size_t i = 0; i < m->parameter_count; i++) {
        const struct price_parameter *p = &m->parameters[i];
        if (!strcmp(p->name, name) && p->count <= BAILEY_BRIDGE_MAX_DIMS) add_elements(p, e);
    }
}

/* Where no parameter is called so, those whose code says that they have the role. */
static void find_elements(const struct price_model *m, const char *name, bailey_role role, struct elements *e)
{
    const bailey_description *of = bailey_simulation_description(m->simulation);
    find_named(m, name, e);
    if (e->count) return;
    for (size_t i = 0; i < m->parameter_count; i++)
        if (of->parameters[i].role == role && m->parameters[i].count <= BAILEY_BRIDGE_MAX_DIMS)
            add_elements(&m->parameters[i], e);
}

/* A payoff without a gradient has Greeks by differences. */
static int check(bailey_status status, const struct price_risk *r)
{
    if (status == BAILEY_ERROR_UNSUPPORTED && r->method == BAILEY_GREEK_METHOD_GRADIENT)
        return cli_error(CLI_FAILED, "--greeks-method gradient: %s", bailey_error_message());
    return cli_check(status, "--greeks");
}

static int run_greeks(const struct price_settings *s, const struct price_model *m,
                      const struct price_outcome *o, struct price_risk *r)
{
    static struct elements spots, volatilities, rates;
    const int normals = m->needs.normals; /* whose times count steps */
    const int scored = r->method == BAILEY_GREEK_METHOD_LIKELIHOOD;
    const int unknown = scored && !m->product; /* what the rate does to it */
    find_elements(m, "spot", BAILEY_ROLE_SPOT, &spots);
    find_elements(m, "volatility", BAILEY_ROLE_VOLATILITY, &volatilities);
    find_elements(m, "rate", BAILEY_ROLE_RATE, &rates);
    if (scored && (!spots.count || spots.count != volatilities.count))
        return cli_error(CLI_USAGE,
                         "--likelihood needs a payoff with a spot and a volatility for each asset");
    if (!volatilities.count) find_elements(m, "variance", BAILEY_ROLE_VARIANCE, &volatilities);
    const bailey_greeks_params params = {.spots = spots.name,
                                         .spot_count = spots.count,
                                         .volatilities = volatilities.name,
                                         .volatility_count = volatilities.count,
                                         .rate = rates.count == 1 ? rates.name[0] : NULL,
                                         .theta = !normals && !unknown && !m->motion_depth,
                                         .correlation = m->dims > 1 && m->correlation != NULL,
                                         .cross = 1,
                                         .output = o->price,
                                         .method = r->method,
                                         .width = r->width};
    const bailey_simulation_run_params run = run_params(s, o);
    r->greeks = bailey_simulation_greeks_count(m->simulation, &params);
    r->greek = calloc((size_t)r->greeks, sizeof *r->greek);
    if (!r->greek) return cli_memory_error("--greeks", (size_t)r->greeks * sizeof *r->greek);
    return check(bailey_simulation_greeks(m->simulation, &run, &params, r->greek), r);
}

int price_risk_run(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                   const struct price_outcome *o, struct price_risk *r)
{
    int code = r->count ? run_scenarios(a, s, m, o, r) : CLI_OK;
    if (!code && a->value[GREEKS]) code = run_greeks(s, m, o, r);
    return code;
}

/* ---- Reports ---- */

static void add_scenario(struct document *d, const struct price_risk *r, uint64_t i)
{
    const bailey_estimate *own = &r->scenario[i ? 2 * i - 1 : 0]; /* behind it: less the first */
    document_open(d, NULL, '{');
    document_text(d, "name", r->name[i]);
    document_open(d, "parameters", '{');
    for (uint32_t c = 0; c < r->columns; c++) document_number(d, r->column[c], r->values[i * r->columns + c]);
    document_close(d);
    document_number(d, "time_shift", r->shift[i]);
    document_fields(d, "estimate", own, "mean standard_error");
    document_number(d, "difference", i ? own[1].mean : 0);
    document_number(d, "difference_standard_error", i ? own[1].standard_error : 0);
    document_close(d);
}

static void add_scenarios(struct document *d, const struct price_risk *r)
{
    static const struct column columns[] = {
        {"name", "scenario", FORM_PLAIN, -24, NULL},
        {"mean", "price", FORM_MONEY, 16, NULL},
        {"standard_error", "standard error", FORM_ROUGH, 14, NULL},
        {"difference", "less the first", FORM_MONEY, 16, NULL},
        {"difference_standard_error", "standard error", FORM_ROUGH, 14, NULL},
        {0}};
    document_gap(d);
    document_open(d, "scenarios", '[')->columns = columns;
    for (uint64_t i = 0; i < r->count; i++) add_scenario(d, r, i);
    document_close(d);
}

/* "delta 0", "cross gamma 0 1", and without numbers where there is one asset. */
static void name_greek(const bailey_greek_estimate *g, const struct price_model *m, char *name, size_t size)
{
    const int pair = g->kind == BAILEY_GREEK_KIND_CROSS_GAMMA || g->kind == BAILEY_GREEK_KIND_CORRELATION;
    const int one = g->kind == BAILEY_GREEK_KIND_RHO || g->kind == BAILEY_GREEK_KIND_THETA || m->dims == 1;
    if (pair)
        snprintf(name, size, "%s %u %u", bailey_greek_name(g->kind), (unsigned)g->first, (unsigned)g->second);
    else if (one)
        snprintf(name, size, "%s", bailey_greek_name(g->kind));
    else
        snprintf(name, size, "%s %u", bailey_greek_name(g->kind), (unsigned)g->first);
}

static void add_greek(struct document *d, const bailey_greek_estimate *g, const struct price_model *m)
{
    char name[64];
    name_greek(g, m, name, sizeof name);
    document_open(d, NULL, '{');
    document_text(d, "name", name);
    document_fields(d, "greek_estimate", g, "kind first second mean standard_error method");
    document_number(d, "bump", g->bump > 0 ? g->bump : NAN);
    document_close(d);
}

static void add_greeks(struct document *d, const struct price_risk *r, const struct price_model *m)
{
    static const struct column columns[] = {{"name", "Greek", FORM_PLAIN, -24, NULL},
                                            {"mean", "estimate", FORM_MONEY, 16, NULL},
                                            {"standard_error", "standard error", FORM_ROUGH, 14, NULL},
                                            {"method", "method", FORM_PLAIN, 13, NULL},
                                            {"bump", "bump", FORM_ROUGH, 10, "-"},
                                            {0}};
    document_gap(d);
    document_open(d, "greeks", '[')->columns = columns;
    for (uint64_t i = 1; i < r->greeks; i++) add_greek(d, &r->greek[i], m);
    document_close(d);
}

void price_risk_report(struct document *d, const struct price_risk *r, const struct price_model *m)
{
    if (r->count) add_scenarios(d, r);
    if (r->greeks) add_greeks(d, r, m);
}
