/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey price asian.
 */
#include "assets.h"
#include "commands.h"
#include "csv.h"
#include "json.h"
#include "order.h"
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum {
    H_DEAL, FIXINGS, VALUATION, ASSETS, CORRELATION, STRIKE, RATE,
    H_SIMULATION, PATHS, SEED, STREAM, NORMAL, ORDER, PRECISION, NUMERICS,
    H_WORK, DEVICE, THREADS, JSON
};
/* clang-format on */

static const struct option options[] = {
    {"The deal:", NULL, NULL, 0},
    {"--fixings", "FILE", "when the basket is observed: one date (YYYY-MM-DD) or number of years a line", 0},
    {"--valuation", "DATE", "today, from which dates are counted, actual / 365 fixed", 0},
    {"--assets", "FILE", "CSV with a heading: name, spot, volatility, dividend, weight", 0},
    {"--correlation", "FILE", "CSV, a row and a column an asset; default: independent", 0},
    {"--strike", "K", "not negative", 0},
    {"--rate", "R", "continuously compounded, 0.03 for 3 %", 0},
    {"Simulation:", NULL, NULL, 0},
    {"--paths", "P", "default 1048576", 0},
    {"--seed", "S", "default 0", 0},
    {"--stream", "K", "an independent sequence of the same seed; default 0", 0},
    {"--normal", "METHOD", "icdf (default) or box-muller", 0},
    {"--order", "NAME|FILE", "of construction of the fixings, as in 'bailey paths --help'; default bisection",
     0},
    {"--precision", "f32|f64", "of paths and payoffs, default f32; sums are double always", 0},
    {"--numerics", "exact|fast", "exact (default): the same bits on every device; fast: its native functions",
     0},
    {"Where it runs, and what is printed:", NULL, NULL, 0},
    {"--device", "D", OPTION_DEVICE_HELP, 0},
    {"--threads", "N", OPTION_THREADS_HELP, 0},
    {"--json", NULL, "the report as JSON", 0},
    {NULL, NULL, NULL, 0},
};

struct deal {
    struct assets assets;
    double *fixings, *correlation;
    struct order order;
    uint64_t fixing_count;
    double strike, rate;
};

/* ---- Input ---- */

static int read_correlation(const char *path, struct deal *deal)
{
    uint64_t dims = 0;
    int code = path ? csv_square("--correlation", path, &deal->correlation, &dims) : CLI_OK;
    if (path && !code && dims != deal->assets.count)
        return cli_error(CLI_USAGE, "--correlation: %s has %u rows, --assets has %u assets", path,
                         (unsigned)dims, (unsigned)deal->assets.count);
    return code;
}

static int read_deal(const struct arguments *a, struct deal *deal)
{
    static const int needed[] = {FIXINGS, ASSETS, STRIKE, RATE};
    int64_t valuation = INT64_MIN;
    int code;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!a->value[needed[i]])
            return cli_error(CLI_USAGE, "%s %s is needed", options[needed[i]].name, options[needed[i]].value);
    }
    if (a->value[VALUATION]) {
        enum parse_result result = parse_date(a->value[VALUATION], &valuation);
        if (result != PARSE_OK)
            return cli_error(CLI_USAGE, "--valuation: '%s' is %s", cli_printable(a->value[VALUATION]),
                             result == PARSE_RANGE ? "no day of the calendar"
                                                   : "no date of the form YYYY-MM-DD");
    }
    if ((code = option_f64(a, STRIKE, &deal->strike)) || (code = option_f64(a, RATE, &deal->rate)))
        return code;
    if (deal->strike < 0) return cli_error(CLI_USAGE, "--strike: %s is negative", a->value[STRIKE]);
    if ((code = csv_times("--fixings", a->value[FIXINGS], 0, &valuation, BAILEY_BRIDGE_MAX_STEPS,
                          &deal->fixings, &deal->fixing_count)) ||
        (code = assets_read("--assets", a->value[ASSETS], &deal->assets)) ||
        (code = read_correlation(a->value[CORRELATION], deal)))
        return code;
    return order_read(a, ORDER, -1, deal->fixing_count - 1, &deal->order);
}

/* ---- Report ---- */

struct settings {
    uint64_t paths, seed, stream;
    int method, precision, numerics;
};

static void line(const char *label, double value, double error)
{
    printf("  %-26s %16.8f  +- %.8f\n", label, value, error);
}

static void print_report(const struct deal *deal, const struct settings *s, const bailey_asian_result *result,
                         const bailey_device *device, double seconds)
{
    double difference = result->geometric_price - result->geometric_closed_form;
    printf("Asian call on the mean of %s fixing%s of a basket of %u asset%s\n", cli_count(deal->fixing_count),
           deal->fixing_count == 1 ? "" : "s", (unsigned)deal->assets.count,
           deal->assets.count == 1 ? "" : "s");
    printf("strike %.10g, rate %.10g, first fixing in %.6g years, last in %.6g\n\n", deal->strike, deal->rate,
           deal->fixings[0], deal->fixings[deal->fixing_count - 1]);
    line("price", result->price, result->standard_error);
    line("with control variate", result->controlled_price, result->controlled_standard_error);
    printf("\nCheck: the geometric Asian call on the same paths\n");
    line("estimate", result->geometric_price, result->geometric_standard_error);
    printf("  %-26s %16.8f", "closed form", result->geometric_closed_form);
    if (result->geometric_standard_error > 0)
        printf("  off by %.2f standard errors\n", difference / result->geometric_standard_error);
    else
        printf("  off by %.3g\n", difference);
    printf("\nBit for bit%s\n", s->numerics == BAILEY_NUMERICS_EXACT
                                    ? ", the same on every device"
                                    : " (fast: not the same on every device)");
    printf("  %-26s %a\n  %-26s %a\n\n", "price", result->price, "standard error", result->standard_error);
    printf("paths    %s, %s, %s, %s, seed %llu, stream %llu\n", cli_count(result->paths),
           option_precisions[s->precision], option_normals[s->method], option_numerics[s->numerics],
           (unsigned long long)s->seed, (unsigned long long)s->stream);
    printf("device   %s: %s\n", device->address, cli_printable(device->name));
    printf("time     %.3f s\n", seconds);
}

static void json_hex(struct json *json, const char *key, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%a", value);
    json_text(json, key, text);
}

static void print_json(const struct deal *deal, const struct settings *s, const bailey_asian_result *result,
                       const bailey_device *device, double seconds)
{
    struct json json = {0};
    json_open(&json, NULL, '{');
    json_number(&json, "price", result->price);
    json_number(&json, "standard_error", result->standard_error);
    json_number(&json, "controlled_price", result->controlled_price);
    json_number(&json, "controlled_standard_error", result->controlled_standard_error);
    json_open(&json, "geometric", '{');
    json_number(&json, "closed_form", result->geometric_closed_form);
    json_number(&json, "price", result->geometric_price);
    json_number(&json, "standard_error", result->geometric_standard_error);
    json_number(&json, "difference_in_standard_errors",
                (result->geometric_price - result->geometric_closed_form) / result->geometric_standard_error);
    json_close(&json, '}');
    json_open(&json, "bits", '{');
    json_hex(&json, "price", result->price);
    json_hex(&json, "standard_error", result->standard_error);
    json_hex(&json, "geometric_price", result->geometric_price);
    json_hex(&json, "geometric_standard_error", result->geometric_standard_error);
    json_close(&json, '}');
    json_integer(&json, "paths", result->paths);
    json_integer(&json, "fixings", deal->fixing_count);
    json_integer(&json, "assets", deal->assets.count);
    json_number(&json, "strike", deal->strike);
    json_number(&json, "rate", deal->rate);
    json_integer(&json, "seed", s->seed);
    json_integer(&json, "stream", s->stream);
    json_text(&json, "normal", option_normals[s->method]);
    json_text(&json, "precision", option_precisions[s->precision]);
    json_text(&json, "numerics", option_numerics[s->numerics]);
    json_text(&json, "device", device->address);
    json_text(&json, "device_name", device->name);
    json_number(&json, "seconds", seconds);
    json_close(&json, '}');
}

static int show_progress(void *user, uint64_t done, uint64_t total)
{
    cli_progress_update(user, done, total);
    return 0;
}

static int price(const struct arguments *a, const struct deal *deal, const struct settings *s)
{
    bailey_context *context = NULL;
    bailey_device device;
    struct cli_progress progress;
    bailey_asian_params params = {0};
    bailey_asian_result result;
    int code = open_device(a->value[DEVICE], a->value[THREADS], &context, &device);
    if (code) return code;
    params.fixings = deal->fixings;
    params.fixing_count = deal->fixing_count;
    params.assets = deal->assets.count;
    params.spot = deal->assets.column[ASSET_SPOT];
    params.volatility = deal->assets.column[ASSET_VOLATILITY];
    params.dividend = deal->assets.column[ASSET_DIVIDEND];
    params.weight = deal->assets.column[ASSET_WEIGHT];
    params.correlation = deal->correlation;
    params.rate = deal->rate;
    params.strike = deal->strike;
    params.order = deal->order.index;
    params.paths = s->paths;
    params.seed = s->seed;
    params.stream = s->stream;
    params.method = (bailey_normal_method)s->method;
    params.precision = (bailey_precision)s->precision;
    params.numerics = (bailey_numerics)s->numerics;
    params.progress = show_progress;
    params.progress_user = &progress;
    cli_progress_start(&progress, "paths");
    double started = cli_seconds();
    bailey_status status = bailey_asian_price(context, &params, &result);
    double seconds = cli_seconds() - started;
    cli_progress_end(&progress);
    code = cli_check(status, !strncmp(bailey_error_text(), "correlation", 11) ? "--correlation" : "pricing");
    if (!code && a->value[JSON])
        print_json(deal, s, &result, &device, seconds);
    else if (!code)
        print_report(deal, s, &result, &device, seconds);
    bailey_context_destroy(context);
    return code;
}

static int run(const struct arguments *a)
{
    struct settings s = {.paths = UINT64_C(1) << 20};
    struct deal deal = {0};
    int code;
    if ((code = option_u64(a, PATHS, 2, BAILEY_BRIDGE_MAX_PATHS, &s.paths)) ||
        (code = option_u64(a, SEED, 0, UINT64_MAX, &s.seed)) ||
        (code = option_u64(a, STREAM, 0, UINT64_MAX, &s.stream)) ||
        (code = option_choice(a, NORMAL, option_path_normals, &s.method)) ||
        (code = option_choice(a, PRECISION, option_precisions, &s.precision)) ||
        (code = option_choice(a, NUMERICS, option_numerics, &s.numerics)))
        return code;
    code = read_deal(a, &deal);
    if (!code) code = price(a, &deal, &s);
    assets_free(&deal.assets);
    free(deal.fixings);
    free(deal.correlation);
    free(deal.order.index);
    return code;
}

const struct command command_price_asian = {
    .name = "price asian",
    .summary = "price an arithmetic Asian call on a basket of assets",
    .usage = "--fixings FILE --assets FILE --strike K --rate R  [options]",
    .about = "Prices the call that pays max(A - K, 0) at the last fixing, where A is the mean over the "
             "fixings of the\n"
             "weighted sum of the assets. The assets are correlated geometric Brownian motions. Prints the "
             "price with\n"
             "its standard error, the price with the geometric Asian call as control variate, and as a check "
             "that\n"
             "call's closed form (Kemna and Vorst 1990) beside its estimate from the same paths.",
    .examples = "  bailey price asian --fixings fixings.csv --valuation 2026-01-02 --assets assets.csv \\\n"
                "      --correlation correlation.csv --strike 100 --rate 0.03 --paths 4000000 --seed 1\n"
                "      the deal of examples/asian-basket\n"
                "  bailey price asian ... --device cpu --json\n"
                "      for machines; \"bits\" holds the numbers as hexadecimal floats, to compare devices\n"
                "\nFiles:\n"
                "  Fixings: a date or a number of years a line, increasing, all after the valuation date.\n"
                "  Assets: a heading, then a row an asset, the columns in any order:\n"
                "      name,spot,volatility,dividend,weight\n"
                "      Acme,100,0.25,0.02,0.6\n"
                "  spot and volatility are needed. dividend: continuous yields, default 0. weight: default 1 "
                "/ assets.\n"
                "  Correlation: numbers only, in the order of the assets, ones on the diagonal.\n"
                "  Empty lines and lines that begin with # are skipped.\n",
    .options = options,
    .run = run,
};
