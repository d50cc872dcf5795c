/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Outputs and control variates, and one run on one device.
 */
#include "price.h"

#include <cli/io/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Outputs ---- */

/* Splits outcome->names at its commas. */
static int split_names(struct price_outcome *o)
{
    uint32_t n = 0;
    for (char *name = o->names; name; n++) {
        char *comma = strchr(name, ',');
        if (comma) *comma = 0;
        if (!*name || strchr(name, '='))
            return cli_error(CLI_USAGE, "--outputs: '%s' is not a name", cli_printable(name));
        for (uint32_t i = 0; i < n && i < o->outputs; i++)
            if (!strcmp(o->name[i], name))
                return cli_error(CLI_USAGE, "--outputs: %s is given twice", cli_printable(name));
        if (n < o->outputs) o->name[n] = name;
        name = comma ? comma + 1 : NULL;
    }
    if (n == o->outputs) return CLI_OK;
    return cli_error(CLI_USAGE, "--outputs: %u name%s for %u output%s", (unsigned)n, n == 1 ? "" : "s",
                     (unsigned)o->outputs, o->outputs == 1 ? "" : "s");
}

/* "price", or "out0,out1,..." */
static void default_names(uint32_t outputs, char *text, size_t size)
{
    snprintf(text, size, "price");
    for (uint32_t i = 0; i < outputs && outputs > 1; i++) {
        const size_t used = i ? strlen(text) : 0;
        snprintf(text + used, size - used, "%sout%u", i ? "," : "", (unsigned)i);
    }
}

static int name_outputs(const struct arguments *a, const struct price_model *m, struct price_outcome *o)
{
    char names[BAILEY_SIMULATION_MAX_OUTPUTS * 8], described[PRICE_OUTPUTS_MAX] = "";
    const char *list = a->value[OUTPUTS];
    struct price_product product;
    default_names(o->outputs, names, sizeof names);
    price_product_of(bailey_simulation_description(m->simulation), described, &product);
    if (!list) list = *described ? described : names;
    o->names = malloc(strlen(list) + 1);
    if (!o->names) return cli_memory_error("the outputs", strlen(list) + 1);
    strcpy(o->names, list);
    return split_names(o);
}

/* A control variate: NAME=EXPECTED. */
static int read_control(struct price_outcome *o, const char *item)
{
    const size_t length = strcspn(item, "=");
    uint32_t i = 0;
    double value;
    while (i < o->outputs && (strlen(o->name[i]) != length || strncmp(o->name[i], item, length))) i++;
    if (!item[length])
        return cli_error(CLI_USAGE, "--control: '%s' is not of the form NAME=EXPECTED", cli_printable(item));
    if (i == o->outputs)
        return cli_error(CLI_USAGE, "--control: there is no output '%.*s'; see --outputs", (int)length,
                         cli_printable(item));
    if (parse_f64(item + length + 1, &value) != PARSE_OK)
        return cli_error(CLI_USAGE, "--control: '%s' is not a finite decimal number",
                         cli_printable(item + length + 1));
    if (!isnan(o->expected[i])) return cli_error(CLI_USAGE, "--control: %s is given twice", o->name[i]);
    o->expected[i] = value;
    o->controls++;
    return CLI_OK;
}

static int read_controls(const char *list, struct price_outcome *o)
{
    char item[400];
    int code = CLI_OK;
    if (!strcmp(list, "none")) return CLI_OK;
    while (!code && option_next_item(&list, item, sizeof item)) code = read_control(o, item);
    return code;
}

/* Without --control, those that the payoff's code names a closed form for. */
static int find_controls(const struct price_model *m, struct price_outcome *o)
{
    const int code = cli_check(bailey_simulation_expected(m->simulation, o->expected), "pricing");
    for (uint32_t i = 0; i < o->outputs; i++) o->controls += !isnan(o->expected[i]);
    return code;
}

int price_outputs_read(const struct arguments *a, const struct price_model *m, struct price_outcome *o)
{
    memset(o, 0, sizeof *o);
    o->outputs = bailey_simulation_outputs(m->simulation);
    for (uint32_t i = 0; i < BAILEY_SIMULATION_MAX_OUTPUTS; i++) o->expected[i] = NAN;
    o->closed_form = NAN;
    int code = name_outputs(a, m, o);
    if (!code) code = a->value[CONTROL] ? read_controls(a->value[CONTROL], o) : find_controls(m, o);
    if (!code) code = cli_check(bailey_simulation_closed_form(m->simulation, &o->closed_form), "pricing");
    while (o->price + 1 < o->outputs && !isnan(o->expected[o->price])) o->price++;
    o->is_bound = m->held != NULL;
    o->most = o->is_bound && !isnan(m->bounds.upper) ? m->bounds.interval_high : INFINITY;
    return code;
}

void price_outcome_free(struct price_outcome *o)
{
    free(o->names);
    free(o->share);
}

/* ---- Runs ---- */

bailey_simulation_run_params price_run_params(const struct price_settings *s, const struct price_outcome *o,
                                              uint64_t paths)
{
    bailey_simulation_run_params params = s->run;
    params.paths = paths;
    params.expected = o->controls ? o->expected : NULL;
    return params;
}

/* `samples` must be written to a file, NULL without --save-outputs. */
static int run_once(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                    uint64_t paths, bailey_buffer *samples, struct price_outcome *o)
{
    struct cli_progress progress;
    bailey_simulation_run_params params = price_run_params(s, o, paths);
    params.samples = samples;
    if (!s->quiet) {
        params.progress = price_progress;
        params.progress_user = &progress;
        cli_progress_start(&progress, "paths");
    }
    const bailey_status status = o->status = bailey_simulation_run(m->simulation, &params, o->estimate);
    if (!s->quiet) cli_progress_end(&progress);
    o->paths = paths;
    return price_check(status, a, m);
}

static int make_samples(const struct price_settings *s, bailey_context *context, uint64_t paths,
                        const struct price_outcome *o, bailey_buffer **samples)
{
    uint64_t bytes = s->run.normal.precision == BAILEY_PRECISION_F64 ? 8 : 4;
    if (!cli_multiply(bytes, paths, &bytes) || !cli_multiply(bytes, s->run.replicates * o->outputs, &bytes))
        return cli_error(CLI_USAGE, "--save-outputs: more than 2^64 bytes");
    return cli_check(bailey_buffer_create(context, bytes, samples), "--save-outputs");
}

int price_run(const struct arguments *a, const struct price_settings *s, bailey_context *context,
              const struct price_model *m, uint64_t paths, struct price_outcome *o)
{
    bailey_buffer *samples = NULL;
    int code = a->value[SAVE_OUTPUTS] ? make_samples(s, context, paths, o, &samples) : CLI_OK;
    const double started = cli_seconds();
    if (!code) code = run_once(a, s, m, paths, samples, o);
    o->seconds += cli_seconds() - started;
    if (!code && samples) code = price_samples_write(a, s, o, samples);
    bailey_buffer_destroy(samples);
    return code;
}
