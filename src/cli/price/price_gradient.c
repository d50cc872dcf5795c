/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gradients of a price: the derivatives of its payoff by adjoints, on the paths of the price itself.
 */
#include "price.h"

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ------------------------------------------------------------------------------------- */

int price_gradient_names(const char *option, const char *list, char **copy, const char ***names,
                         uint32_t *count)
{
    size_t most = 1;
    for (const char *comma = strchr(list, ','); comma; comma = strchr(comma + 1, ',')) most++;
    *copy = malloc(strlen(list) + 1);
    *names = calloc(most, sizeof **names);
    if (!*copy || !*names) return cli_memory_error(option, strlen(list) + 1);
    strcpy(*copy, list);
    for (char *name = *copy; name;) {
        char *comma = strchr(name, ',');
        if (comma) *comma = 0;
        if (!*name) return cli_error(CLI_USAGE, "%s: a name is missing before or after a comma", option);
        for (uint32_t i = 0; i < *count; i++)
            if (!strcmp((*names)[i], name))
                return cli_error(CLI_USAGE, "%s: %s is given twice", option, cli_printable(name));
        (*names)[(*count)++] = name;
        name = comma ? comma + 1 : NULL;
    }
    return CLI_OK;
}

static int read_numbers(const struct arguments *a, int option, double **numbers, uint64_t *count)
{
    if (!a->value[option]) return CLI_OK;
    const uint64_t most = option_list_length(a->value[option]);
    *numbers = calloc((size_t)most, sizeof **numbers);
    if (!*numbers) return cli_memory_error(price_options[option].name, most * sizeof **numbers);
    return option_list_f64(a, option, *numbers, most, count);
}

static int read_weights(const struct arguments *a, struct price_gradient *g)
{
    uint64_t widths = 0;
    if (a->value[GRADIENT_OUTPUT] && a->value[GRADIENT_WEIGHTS])
        return cli_error(CLI_USAGE, "--output and --weights cannot both be given");
    int code = read_numbers(a, JUMP_WIDTHS, &g->widths, &widths);
    if (!code) code = read_numbers(a, GRADIENT_WEIGHTS, &g->weights, &g->weight_count);
    g->params.widths = g->widths;
    g->params.width_count = (uint32_t)widths;
    g->params.weights = g->weights;
    return code;
}

int price_gradient_read(const struct arguments *a, struct price_gradient *g)
{
    static const int with[] = {BY,         BY_COVARIANCE, BY_TIME,         DIRECTIONS,
                               JUMP_WIDTH, JUMP_WIDTHS,   GRADIENT_OUTPUT, GRADIENT_WEIGHTS};
    memset(g, 0, sizeof *g);
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (a->value[with[i]] && !a->value[GRADIENT] && !a->value[DERIVATIVE_CODE] &&
            !(with[i] == JUMP_WIDTH && a->value[GREEKS]))
            return cli_error(CLI_USAGE, "%s needs --gradient", price_options[with[i]].name);
    int code = options_read_fields(a, "gradient_params", &g->params);
    if (!code && a->value[BY])
        code = price_gradient_names("--by", a->value[BY], &g->list[0], &g->names[0], &g->params.count);
    if (!code && a->value[DIRECTIONS])
        code = price_gradient_names("--directions", a->value[DIRECTIONS], &g->list[1], &g->names[1],
                                    &g->params.direction_count);
    g->params.names = g->names[0];
    g->params.directions = g->names[1];
    return code ? code : read_weights(a, g);
}

void price_gradient_free(struct price_gradient *g)
{
    for (int i = 0; i < 2; i++) {
        free(g->list[i]);
        free(g->names[i]);
    }
    free(g->widths);
    free(g->weights);
    free(g->derivative);
    free(g->jump);
}

/* ---- The run ------------------------------------------------------------------------------------- */

static int check(bailey_status status, const struct arguments *a, const struct price_model *m)
{
    static const char *const others[][2] = {{"names", "--by"},        {"covariance", "--by-covariance"},
                                            {"time", "--by-time"},    {"directions", "--directions"},
                                            {"width", "--width"},     {"widths", "--widths"},
                                            {"weights", "--weights"}, {NULL, NULL}};
    const char *what = status == BAILEY_OK ? NULL : cli_refused(others, NULL);
    return what ? cli_check(status, what) : price_check(status, a, m);
}

/* The output that --output names, else the price. */
static int choose_output(const struct arguments *a, const struct price_outcome *o, struct price_gradient *g)
{
    const char *wanted = a->value[GRADIENT_OUTPUT];
    g->params.output = o->price;
    if (g->weights && g->weight_count != o->outputs)
        return cli_error(CLI_USAGE, "--weights: %llu number%s for %u output%s",
                         (unsigned long long)g->weight_count, g->weight_count == 1 ? "" : "s",
                         (unsigned)o->outputs, o->outputs == 1 ? "" : "s");
    if (!wanted) return CLI_OK;
    for (uint32_t i = 0; i < o->outputs; i++)
        if (!strcmp(o->name[i], wanted)) {
            g->params.output = i;
            return CLI_OK;
        }
    return cli_error(CLI_USAGE, "--output: there is no output '%s'; see --outputs", cli_printable(wanted));
}

/* Those of the first derivatives. */
static int take_jumps(const struct price_model *m, struct price_gradient *g)
{
    bailey_gradient_jump one;
    if (g->params.direction_count) return CLI_OK;
    while (!bailey_simulation_gradient_jump(m->simulation, g->jumps, &one)) g->jumps++;
    g->jump = calloc((size_t)g->jumps + 1, sizeof *g->jump);
    if (!g->jump) return cli_memory_error("--gradient", g->jumps * sizeof *g->jump);
    for (uint64_t i = 0; i < g->jumps; i++) bailey_simulation_gradient_jump(m->simulation, i, &g->jump[i]);
    return CLI_OK;
}

/* With control variates a run has, for each derivative, one of each control, too. Those of the product, which
 * the program adds by itself, go where a run cannot have so many. */
static bailey_simulation_run_params run_params(const struct arguments *a, const struct price_settings *s,
                                               const struct price_outcome *o, const struct price_gradient *g)
{
    bailey_simulation_run_params run = price_run_params(s, o, o->paths);
    if (!a->value[CONTROL] && (g->count + 1) * (o->controls + 1) > BAILEY_SIMULATION_MAX_RESULTS)
        run.expected = NULL;
    return run;
}

int price_gradient_run(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                       const struct price_outcome *o, struct price_gradient *g)
{
    if (!a->value[GRADIENT]) return CLI_OK;
    int code = choose_output(a, o, g);
    if (code) return code;
    bailey_estimate estimate[BAILEY_SIMULATION_MAX_OUTPUTS];
    g->count = bailey_simulation_gradient_count(m->simulation, &g->params);
    const bailey_simulation_run_params run = run_params(a, s, o, g);
    g->derivative = calloc((size_t)g->count + 1, sizeof *g->derivative);
    if (!g->derivative) return cli_memory_error("--gradient", (size_t)g->count * sizeof *g->derivative);
    code = check(bailey_simulation_gradient(m->simulation, &run, &g->params, estimate, g->derivative), a, m);
    return code ? code : take_jumps(m, g);
}

int price_gradient_code(const struct arguments *a, const struct price_model *m, struct price_gradient *g)
{
    const char *text;
    struct price_outcome outputs;
    int code = price_outputs_read(a, m, &outputs);
    if (!code) code = choose_output(a, &outputs, g);
    price_outcome_free(&outputs);
    if (code) return code;
    const bailey_status status = bailey_simulation_gradient_code(m->simulation, &g->params, &text);
    if (status != BAILEY_OK) return check(status, a, m);
    fputs(text, stdout);
    return CLI_OK;
}

/* ---- The report ---------------------------------------------------------------------------------- */

static uint64_t elements_of(const struct price_model *m, const char *name)
{
    for (size_t i = 0; i < m->parameter_count; i++)
        if (!strcmp(m->parameters[i].name, name)) return m->parameters[i].count;
    return 1;
}

/* Derivatives by the covariance come after those by parameters, of which one may be called so. The block is
 * repeated for second derivatives. */
static int is_covariance(const struct price_gradient *g, const struct price_model *m, uint64_t i)
{
    uint64_t size = 0;
    while (size < g->count && !g->derivative[size].by) size++;
    const uint64_t entries = g->params.covariance ? m->dims * (m->dims + 1) / 2 : 0,
                   end = size - (g->params.time != 0), at = i % size;
    return at >= end - entries && at < end;
}

static void name_element(const struct price_model *m, const char *name, uint32_t element, char *to,
                         size_t size)
{
    if (elements_of(m, name) > 1)
        snprintf(to, size, "%.300s[%u]", name, (unsigned)element);
    else
        snprintf(to, size, "%.300s", name);
}

/* "spot[1]", "covariance[1][0]"; of a second derivative "spot[1], volatility". */
static void name_derivative(const struct price_gradient *g, const struct price_model *m, uint64_t i,
                            char *name, size_t size)
{
    const bailey_derivative *d = &g->derivative[i];
    size_t used = 0;
    if (d->by) {
        name_element(m, d->by, d->by_first, name, size);
        used = strlen(name);
        used += (size_t)snprintf(name + used, size - used, ", ");
    }
    if (is_covariance(g, m, i))
        snprintf(name + used, size - used, "%s[%u][%u]", d->name, (unsigned)d->first, (unsigned)d->second);
    else
        name_element(m, d->name, d->first, name + used, size - used);
}

/* Where the run has control variates, the estimates are those with them. */
static void add_derivative(struct document *d, const struct price_gradient *g, const struct price_model *m,
                           uint64_t i)
{
    char name[700];
    const bailey_derivative *of = &g->derivative[i];
    name_derivative(g, m, i, name, sizeof name);
    document_open(d, NULL, '{');
    document_text(d, "name", name);
    document_fields(d, "derivative", of, "first second forward independent");
    document_fields(d, "estimate", &of->estimate, "mean standard_error controlled controlled_standard_error");
    document_fields(d, "derivative", of, "largest_share");
    document_number(d, "by_jumps", of->by_jumps.mean);
    document_number(d, "by_jumps_standard_error", of->by_jumps.standard_error);
    document_close(d);
}

/* The comparisons that jumps came through, and the widths that they were spread over. */
static void add_jumps(struct document *d, const struct price_gradient *g)
{
    static const struct column columns[] = {{"line", "jump in line", FORM_PLAIN, -14, NULL},
                                            {"column", "column", FORM_PLAIN, -18, NULL},
                                            {"width", "width", FORM_MONEY, 16, NULL},
                                            {0}};
    if (!g->jumps) return;
    document_gap(d);
    document_open(d, "jumps", '[')->columns = columns;
    for (uint64_t i = 0; i < g->jumps; i++) {
        document_open(d, NULL, '{');
        document_fields(d, "gradient_jump", &g->jump[i], "line column reruns counts width spread side");
        document_close(d);
    }
    document_close(d);
}

/* Names of the derivatives that are 0 as nothing depends on what they are with respect to, as far as they fit. */
static void say_independent(struct document *d, const struct price_gradient *g, const struct price_model *m)
{
    char list[200] = "", name[700];
    uint64_t left = 0;
    for (uint64_t i = 0; i < g->count; i++) {
        if (!g->derivative[i].independent) continue;
        name_derivative(g, m, i, name, sizeof name);
        const size_t used = strlen(list), length = strlen(name);
        if (left || used + length + 3 > sizeof list) {
            left++;
            continue;
        }
        if (used) memcpy(list + used, "; ", 2);
        memcpy(list + used + (used ? 2 : 0), name, length + 1);
    }
    if (left) snprintf(name, sizeof name, " and %llu others", (unsigned long long)left);
    if (*list || left)
        document_line(d, "  0, as the output does not depend on it: %s%s", cli_printable(list), left ? name : "");
}

void price_gradient_report(struct document *d, const struct price_gradient *g, const struct price_model *m)
{
#define COLUMNS                                                                                              \
    {"name", "derivative with respect to", FORM_PLAIN, -32, NULL},                                           \
        {"controlled", "estimate", FORM_MONEY, 16, NULL},                                                    \
    {                                                                                                        \
        "controlled_standard_error", "standard error", FORM_ROUGH, 14, NULL                                  \
    }
    static const struct column smooth[] = {COLUMNS, {0}},
                               jumping[] = {COLUMNS, {"by_jumps", "by jumps", FORM_MONEY, 16, NULL}, {0}};
#undef COLUMNS
    if (!g->derivative) return;
    document_gap(d);
    document_open(d, "gradient", '[')->columns = g->jumps ? jumping : smooth;
    for (uint64_t i = 0; i < g->count; i++) add_derivative(d, g, m, i);
    document_close(d);
    if (g->count && g->derivative[0].forward)
        document_line(d, "in forward mode: each path ran once for each derivative");
    say_independent(d, g, m);
    add_jumps(d, g);
}
