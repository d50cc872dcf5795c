/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey study convergence: asks, runs (study.h), reports, draws (chart.h).
 */
#include "chart.h"
#include "commands.h"
#include "json.h"
#include "options.h"
#include "parse.h"
#include "point_options.h"
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum {
    H_DEAL, PAYOFF, TYPE, STEPS, DIGITAL_TIME, SPOT, STRIKE, RATE, VOLATILITY, MATURITY,
    H_STUDY, PATHS_LOG2, REPLICATES, IMPORTANT, SCRAMBLE, SEED, PRECISION,
    H_WORK, OUTPUT, JSON, DEVICE, THREADS
};
/* clang-format on */

static const struct option options[] = {
    HEADING("The deal, on one asset:"),
    OPTION("--payoff", "asian|digital",
     "asian (default): on the mean of the steps; digital: 1 at maturity if the asset was above the strike "
     "(a put: below) at one of them"),
    OPTION("--type", "call|put", "default call"),
    OPTION("--steps", "N", "equidistant times, the last is maturity; 1 to 65536, default 64"),
    OPTION("--digital-time", "I", "with --payoff digital: which step, 1 is the first"),
    OPTION("--spot", "S", "default 100"),
    OPTION("--strike", "K", "default 100"),
    OPTION("--rate", "R", "continuously compounded, default 0.05"),
    OPTION("--volatility", "V", "per square root of a year, default 0.2"),
    OPTION("--maturity", "T", "in years, default 1"),
    HEADING("The study:"),
    OPTION("--paths-log2", "A..B", "numbers of paths, 2^A to 2^B; 1 to 30, default 6..16"),
    OPTION("--replicates", "R", "of each number of paths, 4 to 65536, default 32"),
    OPTION("--important", "I,J,...",
     "a fourth method, whose bridge builds these times first (1 is the first time); default with digital: "
     "its time"),
    OPTION("--scramble", "shift|lms|owen", "of the points, default lms; see 'bailey paths --help'"),
    OPTION("--seed", "S", "default 0"),
    OPTION("--precision", "f32|f64", "of paths, default f32"),
    HEADING("Where it runs, and what is written:"),
    OPTION("--output", "FILE.svg", "draws the errors, both axes logarithmic", .letter = 'o'),
    OPTION("--json", NULL, "the report as JSON"),
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    OPTION("--threads", "N", OPTION_THREADS_HELP),
    OPTIONS_END,
};

static const char *const payoffs[] = {"asian", "digital", NULL}; /* in the order of study_payoff */
static const char *const types[] = {"call", "put", NULL};        /* of bailey_option_type */

/* ---- The request ---- */

static int positive(const struct arguments *a, int option, double *value)
{
    const int code = option_f64(a, option, value);
    if (code || *value > 0) return code;
    return cli_error(CLI_USAGE, "%s: %s is not positive", options[option].name, a->value[option]);
}

static int read_deal(const struct arguments *a, struct study_deal *deal)
{
    int code;
    if ((code = option_choice(a, PAYOFF, payoffs, &deal->payoff)) ||
        (code = option_choice(a, TYPE, types, &deal->type)) ||
        (code = option_u64(a, STEPS, 1, 65536, &deal->steps)) ||
        (code = option_u64(a, DIGITAL_TIME, 1, deal->steps, &deal->digital)) ||
        (code = positive(a, SPOT, &deal->spot)) || (code = positive(a, STRIKE, &deal->strike)) ||
        (code = option_f64(a, RATE, &deal->rate)) || (code = positive(a, VOLATILITY, &deal->volatility)) ||
        (code = positive(a, MATURITY, &deal->maturity)))
        return code;
    if (deal->payoff == STUDY_DIGITAL && !a->value[DIGITAL_TIME])
        return cli_error(CLI_USAGE, "--digital-time I is needed with --payoff digital");
    if (deal->payoff != STUDY_DIGITAL && a->value[DIGITAL_TIME])
        return cli_error(CLI_USAGE, "--digital-time: only --payoff digital has one");
    return CLI_OK;
}

static int read_sizes(const struct arguments *a, struct study *s)
{
    const char *text = a->value[PATHS_LOG2];
    const char *dots = text ? strstr(text, "..") : NULL;
    char first[8];
    uint64_t low = 0, high = 0;
    if (!text) return CLI_OK;
    snprintf(first, sizeof first, "%.*s", dots && dots - text < 7 ? (int)(dots - text) : 0, text);
    if (!dots || parse_u64(first, &low) != PARSE_OK || parse_u64(dots + 2, &high) != PARSE_OK || low < 1 ||
        high < low || high > STUDY_LOG2_MAX)
        return cli_error(CLI_USAGE,
                         "--paths-log2: '%s' is not two increasing numbers from 1 to %d, such as 6..16",
                         cli_printable(text), STUDY_LOG2_MAX);
    s->log2_first = (int)low;
    s->sizes = (int)(high - low) + 1;
    return CLI_OK;
}

/* Before the methods that do not need them. */
static int check_important(const struct study *s)
{
    uint32_t *order = malloc((size_t)s->deal.steps * sizeof *order);
    if (!order) return cli_memory_error("--important", s->deal.steps * sizeof *order);
    const int code = cli_check(
        bailey_order_make(BAILEY_ORDER_BISECTION, s->deal.steps - 1, s->important, s->important_count, order),
        "--important");
    free(order);
    return code;
}

/* A digital's own time is what matters, unless it is the last, which is first in any case. */
static int read_important(const struct arguments *a, struct study *s)
{
    if (a->value[IMPORTANT]) {
        const int code = option_list_u32(a, IMPORTANT, &s->important, &s->important_count);
        return code ? code : check_important(s);
    }
    if (s->deal.payoff != STUDY_DIGITAL || s->deal.digital == s->deal.steps) return CLI_OK;
    s->important = malloc(sizeof *s->important);
    if (!s->important) return cli_memory_error("--important", sizeof *s->important);
    *s->important = (uint32_t)s->deal.digital;
    s->important_count = 1;
    return CLI_OK;
}

static int read_study(const struct arguments *a, struct study *s)
{
    static const char *const svg[] = {"svg", NULL};
    int code;
    if ((code = read_deal(a, &s->deal)) || (code = read_sizes(a, s)) ||
        (code = option_u64(a, REPLICATES, 4, 65536, &s->replicates)) || (code = read_important(a, s)) ||
        (code = option_choice(a, SCRAMBLE, option_scrambles, &s->scramble)) ||
        (code = option_u64(a, SEED, 0, UINT64_MAX, &s->seed)) ||
        (code = option_choice(a, PRECISION, option_precisions, &s->precision)))
        return code;
    if (s->scramble == BAILEY_SCRAMBLE_NONE)
        return cli_error(CLI_USAGE, "--scramble: without one all replicates are the same and show no error");
    if (a->value[OUTPUT] && option_ending(a->value[OUTPUT], svg) < 0)
        return cli_error(CLI_USAGE, "--output: '%s' does not end with .svg", cli_printable(a->value[OUTPUT]));
    return CLI_OK;
}

/* ---- Report ---- */

static uint64_t most_paths(const struct study *s) { return UINT64_C(1) << (s->log2_first + s->sizes - 1); }

static void describe(const struct study *s, char *text, size_t size)
{
    const struct study_deal *d = &s->deal;
    char what[80];
    if (d->payoff == STUDY_DIGITAL)
        snprintf(what, sizeof what, "Digital %s at step %llu of %llu", types[d->type],
                 (unsigned long long)d->digital, (unsigned long long)d->steps);
    else
        snprintf(what, sizeof what, "Asian %s on the mean of %llu steps", types[d->type],
                 (unsigned long long)d->steps);
    snprintf(text, size, "%s: spot %.10g, strike %.10g, rate %.10g, volatility %.10g, maturity %.10g", what,
             d->spot, d->strike, d->rate, d->volatility, d->maturity);
}

static void print_important(const struct study *s)
{
    if (!s->important_count) return;
    printf("important first: built first");
    for (uint64_t i = 0; i < s->important_count; i++)
        printf("%s %u", i ? "," : " are the last step and", (unsigned)s->important[i]);
    printf("\n");
}

static void print_errors(const struct study *s)
{
    printf("  %12s", "paths");
    for (int i = 0; i < s->method_count; i++) printf("  %24s", s->methods[i].name);
    printf("\n");
    for (int size = 0; size < s->sizes; size++) {
        printf("  %12s", cli_count(UINT64_C(1) << (s->log2_first + size)));
        for (int i = 0; i < s->method_count; i++) printf("  %24.3g", s->methods[i].error[size]);
        printf("\n");
    }
}

static void print_interval(const struct interval *v, const char *format)
{
    char text[64];
    if (isnan(v->value))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, format, v->value, v->low, v->high);
    printf("  %24s", text);
}

static void print_report(const struct study *s, const bailey_device *device)
{
    const double root = sqrt((double)s->replicates);
    char deal[300];
    describe(s, deal, sizeof deal);
    printf("%s\n", deal);
    print_important(s);
    printf("\nError: the standard deviation of the price over %s replicates\n", cli_count(s->replicates));
    print_errors(s);
    printf("\n  %12s", "slope");
    for (int i = 0; i < s->method_count; i++) print_interval(&s->methods[i].slope, "%.2f (%.2f to %.2f)");
    printf("\n  %12s", "variance / ");
    for (int i = 0; i < s->method_count; i++) {
        if (i)
            print_interval(&s->methods[i].reduction, s->methods[i].reduction.value < 100
                                                         ? "%.3g (%.3g to %.3g)"
                                                         : "%.0f (%.0f to %.0f)");
        else
            printf("  %24s", "1");
    }
    printf("\n  %12s", "price");
    for (int i = 0; i < s->method_count; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.6f +- %.1e", s->methods[i].mean[s->sizes - 1],
                 s->methods[i].error[s->sizes - 1] / root);
        printf("  %24s", text);
    }
    printf("\n\nslope: of log error on log paths, by least squares; 95 %% interval from the residuals "
           "(Student)\n"
           "variance /: how many times smaller than pseudo-random with %s paths; 95 %% interval, logarithm "
           "taken "
           "as normal\n\n",
           cli_count(most_paths(s)));
    printf("paths    scramble %s, seed %llu, %s\n", option_scrambles[s->scramble],
           (unsigned long long)s->seed, option_precisions[s->precision]);
    printf("device   %s: %s\n", device->address, cli_printable(device->name));
    printf("time     %.3f s\n", cli_elapsed());
}

static void json_interval(struct json *json, const char *key, const struct interval *v)
{
    json_open(json, key, '{');
    json_number(json, "value", v->value);
    json_number(json, "low", v->low);
    json_number(json, "high", v->high);
    json_close(json, '}');
}

static void json_method(struct json *json, const struct study *s, const struct study_method *m)
{
    json_open(json, NULL, '{');
    json_text(json, "name", m->name);
    json_text(json, "generator", bailey_generator_name(m->generator));
    json_text(json, "order", m->order == BAILEY_ORDER_INCREMENTAL ? "incremental" : "bisection");
    json_open(json, "important", '[');
    for (uint64_t i = 0; m->important && i < s->important_count; i++) json_count(json, NULL, s->important[i]);
    json_close(json, ']');
    json_open(json, "sizes", '[');
    for (int i = 0; i < s->sizes; i++) {
        json_open(json, NULL, '{');
        json_count(json, "paths", UINT64_C(1) << (s->log2_first + i));
        json_number(json, "error", m->error[i]);
        json_number(json, "value", m->mean[i]);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_interval(json, "slope", &m->slope);
    json_interval(json, "variance_reduction", &m->reduction);
    json_number(json, "seconds", m->seconds);
    json_close(json, '}');
}

static void json_deal(struct json *json, const struct study_deal *d)
{
    json_text(json, "payoff", payoffs[d->payoff]);
    json_text(json, "type", types[d->type]);
    json_count(json, "steps", d->steps);
    if (d->payoff == STUDY_DIGITAL) json_count(json, "digital_time", d->digital);
    json_number(json, "spot", d->spot);
    json_number(json, "strike", d->strike);
    json_number(json, "rate", d->rate);
    json_number(json, "volatility", d->volatility);
    json_number(json, "maturity", d->maturity);
}

static void print_json(const struct study *s, const bailey_device *device)
{
    struct json json = {0};
    json_open(&json, NULL, '{');
    json_deal(&json, &s->deal);
    json_count(&json, "replicates", s->replicates);
    json_text(&json, "scramble", option_scrambles[s->scramble]);
    json_count(&json, "seed", s->seed);
    json_text(&json, "precision", option_precisions[s->precision]);
    json_open(&json, "methods", '[');
    for (int i = 0; i < s->method_count; i++) json_method(&json, s, &s->methods[i]);
    json_close(&json, ']');
    json_text(&json, "device", device->address);
    json_text(&json, "device_name", device->name);
    json_number(&json, "seconds", cli_elapsed());
    json_close(&json, '}');
}

static int draw(const struct study *s, struct output *output)
{
    char deal[300], subtitle[400], names[STUDY_METHODS_MAX][100];
    struct chart chart = {.title = "Error against paths",
                          .subtitle = subtitle,
                          .axis = "standard deviation of the price",
                          .log2_first = s->log2_first,
                          .points = s->sizes,
                          .lines = s->method_count,
                          .factor = fit_spread_factor(s->replicates)};
    describe(s, deal, sizeof deal);
    snprintf(subtitle, sizeof subtitle, "%s \u00b7 %llu replicates, scramble %s, bars: 95 %%", deal,
             (unsigned long long)s->replicates, option_scrambles[s->scramble]);
    for (int i = 0; i < s->method_count; i++) {
        const struct study_method *m = &s->methods[i];
        if (isnan(m->slope.value))
            snprintf(names[i], sizeof names[i], "%s", m->name);
        else
            snprintf(names[i], sizeof names[i], "%s, slope %.2f", m->name, m->slope.value);
        chart.names[i] = names[i];
        chart.values[i] = m->error;
    }
    const int code = chart_write(output, &chart);
    return code ? code : output_commit(output);
}

static int study_with(const struct arguments *a, struct study *s, struct output *output)
{
    bailey_context *context = NULL;
    bailey_device device;
    /* first, so that a folder that is not there is an error before the work */
    int code = a->value[OUTPUT] ? output_open(output, a->value[OUTPUT], 0) : CLI_OK;
    if (code || (code = open_device(a->value[DEVICE], a->value[THREADS], &context, &device))) return code;
    code = study_run(context, s);
    bailey_context_destroy(context);
    if (!code && a->value[OUTPUT]) code = draw(s, output);
    if (!code && a->value[JSON])
        print_json(s, &device);
    else if (!code)
        print_report(s, &device);
    return code;
}

static int run(const struct arguments *a)
{
    struct study study = {
        .deal = {.steps = 64, .spot = 100, .strike = 100, .rate = 0.05, .volatility = 0.2, .maturity = 1},
        .replicates = 32,
        .scramble = BAILEY_SCRAMBLE_LMS,
        .log2_first = 6,
        .sizes = 11};
    struct output output = {0};
    int code = read_study(a, &study);
    if (!code) code = study_with(a, &study, &output);
    output_abandon(&output);
    study_free(&study);
    return code;
}

const struct command command_study_convergence = {
    .name = "study convergence",
    .summary = "tabulate and draw the error of a price against the number of paths",
    .usage = "[--payoff asian|digital] [--paths-log2 A..B] [--output FILE.svg]  [options]",
    .about =
        "Prices one deal with pseudo-random paths (philox), with Sobol's points in the order of time, and "
        "with\n"
        "Sobol's points and the Brownian bridge, at growing numbers of paths, many times each. Every price "
        "is\n"
        "unbiased, so its error is the standard deviation of these prices. Prints the errors, the slope of "
        "each\n"
        "method (-0.5 for random numbers, -1 at best for points of smooth payoffs) and how many times "
        "smaller\n"
        "its variance is. With --important a fourth method builds the times that matter first, so that "
        "they get\n"
        "the best dimensions.",
    .examples = "  bailey study convergence --paths-log2 6..12 --output convergence.svg\n"
                "      an Asian call of 64 steps: what points and the bridge gain\n"
                "  bailey study convergence --payoff digital --digital-time 23 --paths-log2 6..12\n"
                "      a digital on one time, with that time built first as the fourth method\n"
                "  bailey study convergence --steps 12 --important 6,3 --paths-log2 6..12 --json\n"
                "      for machines\n",
    .options = options,
    .run = run,
};
