/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey price asian.
 */
#include "assets.h"
#include "commands.h"
#include "csv.h"
#include "json.h"
#include "numbers.h"
#include "order_file.h"
#include "path_source.h"
#include "source_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum {
    H_DEAL, TYPE, FIXINGS, VALUATION, ASSETS, CORRELATION, STRIKE, RATE, PAST_COUNT, PAST_AVERAGE,
    H_SIMULATION, PATHS, REPLICATES, SOURCE_OPTION_NAMES, NORMAL, ORDER, PRECISION, BITS, NUMERICS,
    H_POINTS, PATH_POINT_OPTION_NAMES,
    H_WORK, DEVICE, THREADS, JSON
};
/* clang-format on */

static const struct option options[] = {
    {"The deal:", NULL, NULL, 0},
    {"--type", "call|put", "default call", 0},
    {"--fixings", "FILE", "when the basket is observed: one date (YYYY-MM-DD) or number of years per line",
     0},
    {"--valuation", "DATE", "today, from which dates are counted, actual / 365 fixed", 0},
    {"--assets", "FILE", "CSV with a heading: name, spot, volatility, dividend, weight", 0},
    {"--correlation", "FILE", "CSV, a row and a column for each asset; default: independent", 0},
    {"--strike", "K", "not negative, except for a spread", 0},
    {"--rate", "R", "continuously compounded, 0.03 for 3 %", 0},
    {"--past-count", "N", "fixings that are past, in addition to those of --fixings; default 0", 0},
    {"--past-average", "A", "the mean of the basket over them", 0},
    {"Simulation:", NULL, NULL, 0},
    {"--paths", "P", "of each replicate; default 1048576", 0},
    {"--replicates", "R",
     "how many independent prices are averaged, from consecutive streams or scrambles; the standard error is "
     "then that of their spread. Default 1; take 16 or more of points",
     0},
    SOURCE_OPTIONS,
    {"--normal", "METHOD", "icdf (default) or box-muller", 0},
    {"--order", "NAME|FILE", "of construction of the fixings, as in 'bailey paths --help'; default bisection",
     0},
    {"--precision", "f32|f64", "of paths and payoffs, default f32; sums are double always", 0},
    {"--bits", "32|64", OPTION_BITS_HELP, 0},
    {"--numerics", "exact|fast", "exact (default): the same bits on every device; fast: its native functions",
     0},
    {"Points, of --generator sobol: path N is point N; take 2^m of them:", NULL, NULL, 0},
    PATH_POINT_OPTIONS,
    {"Where it runs, and what is printed:", NULL, NULL, 0},
    {"--device", "D", OPTION_DEVICE_HELP, 0},
    {"--threads", "N", OPTION_THREADS_HELP, 0},
    {"--json", NULL, "the report as JSON", 0},
    {NULL, NULL, NULL, 0},
};

static const char *const types[] = {"call", "put", NULL}; /* in the order of bailey_option_type */

struct deal {
    int type;
    struct assets assets;
    double *fixings, *correlation;
    const char *correlation_path; /* NULL: independent */
    struct order order;
    uint64_t fixing_count, past_count;
    double strike, rate, past_average;
};

/* ---- Input ---- */

static int read_correlation(const char *path, struct deal *deal)
{
    uint64_t dims = 0;
    int code = path ? csv_square("--correlation", path, assets_names(&deal->assets), deal->assets.count,
                                 &deal->correlation, &dims)
                    : CLI_OK;
    if (path && !code && dims != deal->assets.count)
        return cli_error(CLI_USAGE, "--correlation: %s has %u rows, --assets has %u assets", path,
                         (unsigned)dims, (unsigned)deal->assets.count);
    deal->correlation_path = path;
    return code;
}

static int is_spread(const struct deal *deal)
{
    for (uint32_t k = 0; k < deal->assets.count; k++)
        if (deal->assets.column[ASSET_WEIGHT][k] < 0) return 1;
    return 0;
}

static int read_past(const struct arguments *a, struct deal *deal)
{
    int code;
    if ((code = option_u64(a, PAST_COUNT, 0, BAILEY_BRIDGE_MAX_STEPS, &deal->past_count)) ||
        (code = option_f64(a, PAST_AVERAGE, &deal->past_average)))
        return code;
    if (deal->past_count && !a->value[PAST_AVERAGE])
        return cli_error(CLI_USAGE, "--past-count: %s needs --past-average, the mean of the basket over them",
                         a->value[PAST_COUNT]);
    if (!deal->past_count && a->value[PAST_AVERAGE])
        return cli_error(CLI_USAGE, "--past-average: %s needs --past-count, the number of fixings past",
                         a->value[PAST_AVERAGE]);
    if (deal->past_count && deal->past_average <= 0 && !is_spread(deal))
        return cli_error(CLI_USAGE, "--past-average: %s is not positive, but every weight is",
                         a->value[PAST_AVERAGE]);
    return CLI_OK;
}

/* What the deal pays; the assets have been read. */
static int read_payoff(const struct arguments *a, struct deal *deal)
{
    int code;
    if ((code = option_choice(a, TYPE, types, &deal->type)) ||
        (code = option_f64(a, STRIKE, &deal->strike)) || (code = option_f64(a, RATE, &deal->rate)))
        return code;
    if (deal->strike < 0 && !is_spread(deal))
        return cli_error(CLI_USAGE, "--strike: %s is negative, which needs a spread (a negative weight)",
                         a->value[STRIKE]);
    return read_past(a, deal);
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
    if ((code = option_date(a, VALUATION, &valuation)) ||
        (code = assets_read("--assets", a->value[ASSETS], &deal->assets)) || (code = read_payoff(a, deal)) ||
        (code = csv_times("--fixings", a->value[FIXINGS], 0, &valuation, BAILEY_BRIDGE_MAX_STEPS,
                          &deal->fixings, &deal->fixing_count)) ||
        (code = read_correlation(a->value[CORRELATION], deal)))
        return code;
    return order_read(a, ORDER, -1, deal->fixing_count - 1, &deal->order);
}

/* ---- Warnings ---- */

typedef void (*warning_function)(void *user, const char *text);

static void warn_of_percent(const char *what, const char *name, double value, double limit,
                            warning_function warn, void *user)
{
    char text[400];
    if (fabs(value) <= limit) return;
    snprintf(text, sizeof text, "%s%s%.200s is %.10g, which means %.10g %%; %.10g %% is written %.10g", what,
             *name ? " of " : "", name, value, 100 * value, value, value / 100);
    warn(user, text);
}

/* Numbers that are allowed and hardly meant, and a price of 0 with an error of 0, which looks exact. */
static void find_warnings(const struct deal *deal, const bailey_source *source, uint64_t paths,
                          const bailey_asian_result *result, warning_function warn, void *user)
{
    const struct assets *assets = &deal->assets;
    const double last = deal->fixings[deal->fixing_count - 1];
    char text[100];
    if (last > 100) {
        snprintf(text, sizeof text, "the last fixing is in %.10g years, over 100; --fixings counts years",
                 last);
        warn(user, text);
    }
    warn_of_percent("rate", "", deal->rate, 0.5, warn, user);
    for (uint32_t k = 0; k < assets->count; k++) {
        warn_of_percent("volatility", assets->name[k], assets->column[ASSET_VOLATILITY][k], 3, warn, user);
        warn_of_percent("dividend", assets->name[k], assets->column[ASSET_DIVIDEND][k], 0.5, warn, user);
    }
    if (!strcmp(bailey_generator_verdict(source->generator), "weak")) {
        snprintf(text, sizeof text, "%s is a weak generator: not for results",
                 bailey_generator_name(source->generator));
        warn(user, text);
    }
    if (source_is_points(source) && (paths & (paths - 1))) {
        snprintf(text, sizeof text, "--paths %s is not a power of two, which points need for their balance",
                 cli_count(paths));
        warn(user, text);
    }
    if (result->price == 0)
        warn(user, "no path pays anything: the price is 0, or too small for this number of paths to see");
}

static void print_warning(void *user, const char *text)
{
    (void)user;
    cli_error(CLI_OK, "warning: %s", cli_printable(text));
}

static void json_warning(void *user, const char *text) { json_text(user, NULL, text); }

/* ---- Report ---- */

struct settings {
    uint64_t paths, replicates;
    bailey_source source;
    int method, precision, numerics;
    uint32_t bits; /* 0: as the precision has it */
};

/* Small and large numbers keep their digits. */
static void print_money(const char *before, int width, double value)
{
    const int plain = value == 0 || (fabs(value) >= 1e-5 && fabs(value) < 1e10);
    printf(plain ? "%s%*.8f" : "%s%*.8e", before, width, value);
}

static void line(const char *label, double value, double error)
{
    printf("  %-26s", label);
    print_money(" ", 16, value);
    if (!isnan(error)) print_money("  +- ", 1, error);
    printf("%s\n", isnan(error) ? "" : " standard error");
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* Columns on the screen that a name takes in UTF-8, as far as each of its characters takes one. */
static int width_of(const char *name)
{
    int width = 0;
    for (; *name; name++) width += ((unsigned char)*name & 0xc0) != 0x80;
    return width;
}

static void print_assets(const struct assets *assets)
{
    enum { NARROWEST = 5, WIDEST = 40 };
    int width = NARROWEST;
    for (uint32_t k = 0; k < assets->count; k++)
        if (width_of(assets->name[k]) > width) width = width_of(assets->name[k]);
    if (width > WIDEST) width = WIDEST;
    printf("  %-*s %14s %12s %12s %12s\n", width, "asset", "spot", "volatility", "dividend", "weight");
    for (uint32_t k = 0; k < assets->count; k++) {
        const int blank = width - width_of(assets->name[k]);
        printf("  %s%*s", cli_printable(assets->name[k]), blank > 0 ? blank : 0, "");
        printf(" %14.10g", assets->column[ASSET_SPOT][k]);
        for (int column = ASSET_VOLATILITY; column <= ASSET_WEIGHT; column++)
            printf(" %12.8g", assets->column[column][k]);
        printf("\n");
    }
}

static void print_deal(const struct deal *deal)
{
    const uint64_t fixings = deal->fixing_count + deal->past_count;
    const uint32_t assets = deal->assets.count;
    if (fixings == 1)
        printf("European %s (one fixing)", types[deal->type]);
    else
        printf("Asian %s on the mean of %s fixings", types[deal->type], cli_count(fixings));
    printf(" %s a basket of %u asset%s\n", fixings == 1 ? "on" : "of", (unsigned)assets, plural(assets));
    if (deal->past_count)
        printf("%s fixing%s past, with mean %.10g\n", cli_count(deal->past_count),
               deal->past_count == 1 ? " is" : "s are", deal->past_average);
    printf("strike %.10g, rate %.10g, %s fixing in %.6g years, last in %.6g\n\n", deal->strike, deal->rate,
           deal->past_count ? "next" : "first", deal->fixings[0], deal->fixings[deal->fixing_count - 1]);
    print_assets(&deal->assets);
    if (deal->correlation_path)
        printf("  correlation from %s\n", cli_printable(deal->correlation_path));
    else if (assets > 1)
        printf("  correlation: independent\n");
    printf("\n");
}

static void print_check(const struct deal *deal, const bailey_asian_result *result)
{
    double difference = result->geometric_price - result->geometric_closed_form;
    printf("\nCheck: the geometric Asian %s on the same paths\n", types[deal->type]);
    line("estimate", result->geometric_price, result->geometric_standard_error);
    printf("  %-26s", "closed form");
    print_money(" ", 16, result->geometric_closed_form);
    if (result->geometric_standard_error > 0)
        printf("  off by %.2f standard errors\n", difference / result->geometric_standard_error);
    else
        printf("  off by %.3g\n", difference);
}

static void print_paths(const struct settings *s, const bailey_asian_result *result)
{
    printf("paths    %s", cli_count(result->paths));
    if (result->replicates > 1)
        printf(" (%s replicates of %s)", cli_count(result->replicates), cli_count(s->paths));
    printf(", %s%s, %s, %s, seed %llu, %s %llu%s\n", option_precisions[s->precision],
           s->bits ? s->bits == 64 ? " from 64 bits" : " from 32 bits" : "", option_normals[s->method],
           option_numerics[s->numerics], (unsigned long long)s->source.seed,
           source_is_points(&s->source) ? "replicate" : "stream", (unsigned long long)s->source.stream,
           path_source_remark(&s->source));
}

static void print_bits(const struct settings *s, const bailey_asian_result *result)
{
    printf("\nBit for bit%s\n", s->numerics == BAILEY_NUMERICS_EXACT
                                    ? ", the same on every device"
                                    : " (fast: not the same on every device)");
    printf("  %-26s %a\n", "price", result->price);
    if (!isnan(result->standard_error)) printf("  %-26s %a\n", "standard error", result->standard_error);
    printf("\n");
}

static void print_report(const struct deal *deal, const struct settings *s, const bailey_asian_result *result,
                         const bailey_device *device, double seconds)
{
    print_deal(deal);
    line("price", result->price, result->standard_error);
    if (result->has_control) {
        line("with control variate", result->controlled_price, result->controlled_standard_error);
        print_check(deal, result);
    } else {
        printf("  no control variate and no check by it: a basket with a negative weight has no geometric "
               "mean\n");
    }
    if (isnan(result->standard_error))
        printf("\nNo standard error: points of one replicate are not independent. See --replicates.\n");
    print_bits(s, result);
    print_paths(s, result);
    printf("device   %s: %s\n", device->address, cli_printable(device->name));
    printf("time     %.3f s\n", seconds);
}

static void json_null(struct json *json, const char *key) { json_number(json, key, NAN); }

static void json_hex(struct json *json, const char *key, double value)
{
    char text[40];
    if (isnan(value)) {
        json_null(json, key);
        return;
    }
    snprintf(text, sizeof text, "%a", value);
    json_text(json, key, text);
}

/* Those of the geometric option are null where there is none. */
static void json_results(struct json *json, const bailey_asian_result *result)
{
    const int control = (int)result->has_control;
    json_number(json, "price", result->price);
    json_number(json, "standard_error", result->standard_error);
    json_number(json, "controlled_price", control ? result->controlled_price : NAN);
    json_number(json, "controlled_standard_error", control ? result->controlled_standard_error : NAN);
    if (control) {
        json_open(json, "geometric", '{');
        json_number(json, "closed_form", result->geometric_closed_form);
        json_number(json, "price", result->geometric_price);
        json_number(json, "standard_error", result->geometric_standard_error);
        json_number(json, "difference_in_standard_errors",
                    (result->geometric_price - result->geometric_closed_form) /
                        result->geometric_standard_error);
        json_close(json, '}');
    } else {
        json_null(json, "geometric");
    }
    json_open(json, "bits", '{');
    json_hex(json, "price", result->price);
    json_hex(json, "standard_error", result->standard_error);
    if (control) {
        json_hex(json, "geometric_price", result->geometric_price);
        json_hex(json, "geometric_standard_error", result->geometric_standard_error);
    }
    json_close(json, '}');
}

static void json_assets(struct json *json, const struct assets *assets)
{
    json_open(json, "assets", '[');
    for (uint32_t k = 0; k < assets->count; k++) {
        json_open(json, NULL, '{');
        json_text(json, "name", assets->name[k]);
        json_number(json, "spot", assets->column[ASSET_SPOT][k]);
        json_number(json, "volatility", assets->column[ASSET_VOLATILITY][k]);
        json_number(json, "dividend", assets->column[ASSET_DIVIDEND][k]);
        json_number(json, "weight", assets->column[ASSET_WEIGHT][k]);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void json_correlation(struct json *json, const struct deal *deal)
{
    const uint32_t d = deal->assets.count;
    json_text(json, "correlation_source", deal->correlation_path ? deal->correlation_path : "independent");
    if (!deal->correlation) {
        json_null(json, "correlation");
        return;
    }
    json_open(json, "correlation", '[');
    for (uint32_t i = 0; i < d; i++) {
        json_open(json, NULL, '[');
        for (uint32_t j = 0; j < d; j++) json_number(json, NULL, deal->correlation[i * d + j]);
        json_close(json, ']');
    }
    json_close(json, ']');
}

static void json_warnings(struct json *json, const struct deal *deal, const bailey_source *source,
                          const bailey_asian_result *result)
{
    json_open(json, "warnings", '[');
    find_warnings(deal, source, result->paths / result->replicates, result, json_warning, json);
    json_close(json, ']');
}

static void json_deal(struct json *json, const struct deal *deal)
{
    json_text(json, "type", types[deal->type]);
    json_number(json, "strike", deal->strike);
    json_number(json, "rate", deal->rate);
    json_integer(json, "fixings", deal->fixing_count);
    json_number(json, "first_fixing", deal->fixings[0]);
    json_number(json, "last_fixing", deal->fixings[deal->fixing_count - 1]);
    json_integer(json, "past_count", deal->past_count);
    json_number(json, "past_average", deal->past_count ? deal->past_average : NAN);
    json_assets(json, &deal->assets);
    json_correlation(json, deal);
}

static void print_json(const struct deal *deal, const struct settings *s, const bailey_asian_result *result,
                       const bailey_device *device, double seconds)
{
    struct json json = {0};
    json_open(&json, NULL, '{');
    json_results(&json, result);
    json_deal(&json, deal);
    json_warnings(&json, deal, &s->source, result);
    json_integer(&json, "paths", result->paths);
    json_integer(&json, "replicates", result->replicates);
    path_source_json(&json, &s->source);
    json_text(&json, "normal", option_normals[s->method]);
    json_text(&json, "precision", option_precisions[s->precision]);
    json_integer(&json, "bits", path_source_bits(&s->source, s->bits, s->precision));
    json_text(&json, "numerics", option_numerics[s->numerics]);
    json_text(&json, "device", device->address);
    json_text(&json, "device_name", device->name);
    json_number(&json, "seconds", seconds);
    json_close(&json, '}');
}

/* Arguments of bailey_asian_price and the options that give them. */
static const char *const argument_options[][2] = {{"correlation", "--correlation"},
                                                  {"spot", "--assets"},
                                                  {"weight", "--assets"},
                                                  {"volatility", "--assets"},
                                                  {"dividend", "--assets"},
                                                  {"strike", "--strike"},
                                                  {"rate", "--rate"},
                                                  {"fixings", "--fixings"},
                                                  {"past_average", "--past-average"},
                                                  {"sequence", "--sequence"},
                                                  {"replicates", "--replicates"},
                                                  {"stream", "--replicates"},
                                                  {NULL, NULL}};

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
    params.type = (bailey_option_type)deal->type;
    params.past_count = deal->past_count;
    params.past_average = deal->past_average;
    params.order = deal->order.index;
    params.paths = s->paths;
    params.replicates = s->replicates;
    params.source = s->source;
    params.normal.method = (bailey_normal_method)s->method;
    params.normal.precision = (bailey_precision)s->precision;
    params.normal.numerics = (bailey_numerics)s->numerics;
    params.normal.bits = s->bits;
    params.progress = show_progress;
    params.progress_user = &progress;
    cli_progress_start(&progress, "paths");
    double started = cli_seconds();
    bailey_status status = bailey_asian_price(context, &params, &result);
    double seconds = cli_seconds() - started;
    cli_progress_end(&progress);
    code = csv_check_matrix(status, cli_refused(argument_options, "pricing"), "--correlation",
                            a->value[CORRELATION], assets_names(&deal->assets));
    if (!code) find_warnings(deal, &s->source, s->paths, &result, print_warning, NULL);
    if (!code && a->value[JSON])
        print_json(deal, s, &result, &device, seconds);
    else if (!code)
        print_report(deal, s, &result, &device, seconds);
    bailey_context_destroy(context);
    return code;
}

static int run(const struct arguments *a)
{
    const struct path_source_options source = {GENERATOR, SCRAMBLE, NORMAL, BITS};
    struct settings s = {.paths = UINT64_C(1) << 20, .replicates = 1};
    struct deal deal = {0};
    int code;
    if ((code = option_u64(a, PATHS, 2, BAILEY_BRIDGE_MAX_PATHS, &s.paths)) ||
        (code = option_u64(a, REPLICATES, 1, BAILEY_ASIAN_MAX_REPLICATES, &s.replicates)) ||
        (code = path_source_read(a, &source, &s.source)) ||
        (code = option_choice(a, NORMAL, option_path_normals, &s.method)) ||
        (code = option_choice(a, PRECISION, option_precisions, &s.precision)) ||
        (code = option_read_bits(a, BITS, &s.bits)) ||
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
    .summary = "price an arithmetic Asian call or put on a basket of assets",
    .usage = "--fixings FILE --assets FILE --strike K --rate R  [options]",
    .about = "Prices the call that pays max(A - K, 0), or the put that pays max(K - A, 0), at the last "
             "fixing, where A\n"
             "is the mean over the fixings, past and to come, of the weighted sum of the assets. With one "
             "fixing it is\n"
             "a European option. The assets are correlated geometric Brownian motions. Prints the deal, the "
             "price with\n"
             "its standard error, the price with the geometric Asian option as control variate, and as a "
             "check that\n"
             "option's closed form (Kemna and Vorst 1990) beside its estimate from the same paths. A spread, "
             "which has\n"
             "a negative weight, has no such option. Numbers that are hardly meant, such as a rate of 3 for "
             "3 %, are\n"
             "reported on standard error.",
    .examples = "  bailey price asian --fixings fixings.csv --valuation 2026-01-02 --assets assets.csv \\\n"
                "      --correlation correlation.csv --strike 100 --rate 0.03 --paths 4000000 --seed 1\n"
                "      the deal of examples/asian-basket\n"
                "  bailey price asian ... --type put --past-count 3 --past-average 101.5\n"
                "      a put, three fixings later: --fixings holds those to come\n"
                "  bailey price asian ... --device cpu --json\n"
                "      for machines; \"bits\" holds the numbers as hexadecimal floats, to compare devices\n"
                "  bailey price asian --fixings fixings.csv --valuation 2026-01-02 --assets assets.csv \\\n"
                "      --strike 100 --rate 0.03 --generator sobol --paths 4096 --replicates 32\n"
                "      quasi-Monte Carlo: 32 scrambles of 4096 points, whose spread is the error bar\n"
                "\nFiles:\n"
                "  Fixings: a date (YYYY-MM-DD) or a number of years per line, increasing, all after the\n"
                "  valuation; one line makes a European option. A heading may stand before them: those that\n"
                "  'bailey paths --help' lists.\n"
                "  Assets: a heading, then a row for each asset, the columns in any order:\n"
                "      name,spot,volatility,dividend,weight\n"
                "      Acme,100,0.25,0.02,0.6\n"
                "  spot and volatility are needed. dividend: continuous yields, default 0. weight: default 1 "
                "/ assets;\n"
                "  negative for the asset that a spread subtracts.\n"
                "  Correlation: ones on the diagonal, in the order of the assets; in any order where a\n"
                "  heading, a first column or both have the assets' names.\n"
                "  Commas separate, numbers have a decimal point. Empty lines, lines that begin with #,\n"
                "  and commas at the end of a line are skipped.\n",
    .options = options,
    .run = run,
    .more_help = generators_help,
};
