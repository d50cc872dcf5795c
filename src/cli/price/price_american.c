/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * American and Bermudan options. The library prices them with a function for the purpose, not as the
 * simulation of a payoff: the program's options become the parameters of that function.
 */
#include "price.h"

#include <cli/io/io.h>

#include <stdlib.h>
#include <string.h>

static const struct price_product products[] = {
    {.name = "american", .dims = 1, .steps = 50, .walk = 1},
    {.name = "bermudan-max-call", .steps = 9, .walk = 1},
};

const char *price_american_refuses(const struct command *command, int option)
{
    static const int taken[] = {TYPE,     ASSETS,    CORRELATION, DIMS,       STEPS,     MATURITY,
                                TIMES,    VALUATION, PATHS,       GENERATOR,  SEQUENCE,  WARP_SET,
                                SEED,     STREAM,    NORMAL,      ANTITHETIC, PRECISION, WORD_BITS,
                                NUMERICS, DEVICE,    THREADS,     JSON};
    static const char why[] = "not for American and Bermudan options";
    if (option == MODEL)
        return strcmp(command->name, "price american")
                   ? "bermudan-max-call has one model; bermudan-rainbow takes any"
                   : "american has one model; bermudan takes any";
    if (option == TYPE && strcmp(command->name, "price american")) return "bermudan-max-call is a call";
    if ((option == CORRELATION || option == DIMS || option == ASSETS) &&
        !strcmp(command->name, "price american"))
        return "american is on one asset";
    if (option >= H_AMERICAN) return NULL;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (taken[i] == option) return NULL;
    return option_is_heading(&price_american_options[option]) ? NULL : why;
}

/* Numbers of the assets, from an option or a column of --assets; `otherwise` if there is neither, NaN where
 * one is needed. */
static int read_column(const struct arguments *a, const struct price_model *m, int option, int column,
                       const double *otherwise, double *to)
{
    const char *name = price_american_options[option].name;
    uint64_t count = 0;
    const int code = option_list_f64(a, option, to, BAILEY_AMERICAN_MAX_ASSETS, &count);
    if (code) return code;
    if (count > 1 && count != m->dims)
        return cli_error(CLI_USAGE, "%s: %u numbers for %u assets", name, (unsigned)count, (unsigned)m->dims);
    if (!count && !(m->assets.count && m->assets.given[column]) && !otherwise)
        return cli_error(CLI_USAGE, "%s %s is required", name, price_american_options[option].value);
    for (uint64_t k = count; k < m->dims; k++)
        to[k] = count ? to[0] : m->assets.count ? m->assets.column[column][k] : *otherwise;
    return CLI_OK;
}

/* The report says how many there are. */
static void fill_path_counts(bailey_american_params *p)
{
    uint64_t *const counts[] = {&p->policy_paths, &p->outer_paths, &p->inner_paths};
    static const char *const names[] = {"policy_paths", "outer_paths", "inner_paths"};
    for (int i = 0; i < (p->lower_only ? 1 : 3); i++)
        if (!*counts[i])
            *counts[i] =
                (uint64_t)bailey_record_field(bailey_describe("american_params"), names[i])->default_value;
}

static int read_numbers(const struct arguments *a, struct american_model *american)
{
    static const double no_dividend = 0;
    bailey_american_params *p = &american->params;
    int code;
    if (!a->value[STRIKE]) return cli_error(CLI_USAGE, "--strike K is required");
    if (a->value[OUTER_PATHS] && !strcmp(a->value[OUTER_PATHS], "0"))
        return cli_error(CLI_USAGE, "--outer-paths is 0; use --lower-only for no upper bound");
    if ((code = read_column(a, &american->model, SPOT, ASSET_SPOT, NULL, american->spot)) ||
        (code = read_column(a, &american->model, VOLATILITY, ASSET_VOLATILITY, NULL, american->volatility)) ||
        (code =
             read_column(a, &american->model, DIVIDEND, ASSET_DIVIDEND, &no_dividend, american->dividend)) ||
        (code = options_read_fields(a, "american_params", p)))
        return code;
    fill_path_counts(p);
    return CLI_OK;
}

int price_american_read(const struct arguments *a, const struct price_settings *s,
                        struct american_model *american)
{
    static const int lists[] = {SPOT, VOLATILITY, DIVIDEND};
    const struct price_product *product = &products[strcmp(a->command->name, "price american") != 0];
    bailey_american_params *p = &american->params;
    struct price_product listed = *product;
    for (size_t i = 0; i < 3; i++)
        if (a->value[lists[i]] && option_list_length(a->value[lists[i]]) > listed.listed)
            listed.listed = option_list_length(a->value[lists[i]]);
    int code = price_model_read(a, &listed, s, &american->model);
    american->model.product = product;
    if (code) return code;
    p->type = product == &products[1] ? BAILEY_OPTION_TYPE_CALL : BAILEY_OPTION_TYPE_PUT;
    if (american->model.dims > BAILEY_AMERICAN_MAX_ASSETS)
        return cli_error(CLI_USAGE, "%u assets; at most %u", (unsigned)american->model.dims,
                         BAILEY_AMERICAN_MAX_ASSETS);
    if ((code = read_numbers(a, american))) return code;
    p->assets = (uint32_t)american->model.dims;
    p->spot = american->spot;
    p->volatility = american->volatility;
    p->dividend = american->dividend;
    p->correlation = american->model.correlation;
    p->exercise_times = american->model.times;
    p->exercise_count = american->model.steps;
    p->paths = s->run.paths;
    p->antithetic = s->run.antithetic;
    p->source = s->run.source;
    p->normal = s->run.normal;
    return CLI_OK;
}

/* Arguments of bailey_american_price and the options that give them. */
static int check(const struct arguments *a, const struct american_model *american, bailey_status status)
{
    static const char *const columns[] = {"spot", "volatility", "dividend"};
    const char *argument = bailey_error_argument();
    for (size_t i = 0; status != BAILEY_OK && american->model.assets.count && i < 3; i++)
        if (!strcmp(columns[i], argument)) return cli_check(status, "--assets");
    if (status == BAILEY_ERROR_INVALID && !strcmp(argument, "correlation"))
        return csv_check_matrix(status, "--correlation", "--correlation",
                                american->model.correlation ? american->model.correlation_source : NULL,
                                assets_names(&american->model.assets));
    if (!strcmp(argument, "exercise_times")) return cli_check(status, "--times");
    if (!strcmp(argument, "exercise_count")) return cli_check(status, "--steps");
    return options_check(a, status, "pricing");
}

int price_american_run(const struct arguments *a, const struct price_settings *s,
                       struct american_model *american, bailey_context *context,
                       bailey_american_result *result)
{
    struct cli_progress progress;
    if (s->quiet) return check(a, american, bailey_american_price(context, &american->params, result));
    american->params.progress = price_progress;
    american->params.progress_user = &progress;
    cli_progress_start(&progress, "paths");
    const bailey_status status = bailey_american_price(context, &american->params, result);
    cli_progress_end(&progress);
    return check(a, american, status);
}

static int price(const struct arguments *a, struct american_model *american, const struct price_settings *s)
{
    bailey_context *context = NULL;
    bailey_device device;
    bailey_american_result result;
    int code = open_device(a, a->value[DEVICE], &context, &device);
    if (code) return code;
    code = price_american_run(a, s, american, context, &result);
    if (!code) code = price_american_report(american, s, &result, &device, a->value[JSON] != NULL);
    bailey_context_destroy(context);
    return code;
}

int price_american(const struct arguments *a)
{
    struct price_settings s;
    struct american_model american = {0};
    int code = price_settings_read(a, &s);
    if (!code) code = price_american_read(a, &s, &american);
    if (!code) code = price(a, &american, &s);
    price_model_free(&american.model);
    return code;
}
