/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey study solver: the error of the built-in solver of stochastic equations against its steps, on one and
 * the same Brownian motion, with steps that each path chooses and with equal ones.
 */
#include "chart.h"
#include "commands.h"
#include "fit.h"
#include "json.h"
#include "options.h"

#include <bailey/motion.h>
#include <bailey/simulation.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
enum {
    H_EQUATION, SPOT, RATE, VOLATILITY, MATURITY,
    H_STUDY, SIZES, PATHS, SEED, PRECISION,
    H_WORK, OUTPUT, JSON, DEVICE, THREADS
};
/* clang-format on */

static const struct option options[] = {
    HEADING("The equation, dS = rate S dt + volatility S dW:"),
    OPTION("--spot", "S", "default 100"),
    OPTION("--rate", "R", "default 0.05"),
    OPTION("--volatility", "V", "default 0.4"),
    OPTION("--maturity", "T", "default 1"),
    HEADING("The study:"),
    OPTION("--sizes", "N", "equal steps 2, 4, ... 2^N, and as many tolerances; 3 to 16, default 10"),
    OPTION("--paths", "P", "default 16384"),
    OPTION("--seed", "S", "default 0"),
    OPTION("--precision", "f32|f64", "default f64"),
    HEADING("Where it runs, and what is written:"),
    OPTION("--output", "FILE.svg", "draws the errors, both axes logarithmic", .letter = 'o'),
    OPTION("--json", NULL, "the report as JSON"),
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    OPTION("--threads", "N", OPTION_THREADS_HELP),
    OPTIONS_END,
};

enum { CHOSEN, EQUAL, METHODS, MOST_SIZES = 16, LEVELS = 40 };
static const char *const names[METHODS] = {"steps that each path chooses", "equal steps"};

struct method {
    double tolerance[MOST_SIZES], steps[MOST_SIZES],
        error[MOST_SIZES]; /* steps and error: mean, root mean square */
    struct interval order;
};

struct study_solver {
    double spot, rate, volatility, maturity;
    uint64_t sizes, paths, seed;
    int precision;
    struct method methods[METHODS];
};

static int read_study(const struct arguments *a, struct study_solver *s)
{
    static const char *const svg[] = {"svg", NULL};
    const struct {
        int option;
        double *value;
    } positive[] = {{SPOT, &s->spot}, {VOLATILITY, &s->volatility}, {MATURITY, &s->maturity}};
    int code;
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++) {
        if ((code = option_f64(a, positive[i].option, positive[i].value))) return code;
        if (!(*positive[i].value > 0))
            return cli_error(CLI_USAGE, "%s: %s is not positive", options[positive[i].option].name,
                             a->value[positive[i].option]);
    }
    if ((code = option_f64(a, RATE, &s->rate)) || (code = option_u64(a, SIZES, 3, MOST_SIZES, &s->sizes)) ||
        (code = option_u64(a, PATHS, 1, BAILEY_BRIDGE_MAX_PATHS, &s->paths)) ||
        (code = option_u64(a, SEED, 0, UINT64_MAX, &s->seed)) ||
        (code = option_choice(a, PRECISION, option_precisions, &s->precision)))
        return code;
    if (a->value[OUTPUT] && option_ending(a->value[OUTPUT], svg) < 0)
        return cli_error(CLI_USAGE, "--output: '%s' does not end with .svg", cli_printable(a->value[OUTPUT]));
    return CLI_OK;
}

/* ---- The work ---- */

/* The mean steps and the error of one size. Without a tolerance steps are of one tick; those that were tried
 * to find that out do not count. */
static bailey_status measure(bailey_context *context, const struct study_solver *s, struct method *m,
                             uint64_t size, uint32_t levels)
{
    const bailey_simulation_params params = {
        .path = {.times = &s->maturity, .steps = 1, .precision = (bailey_precision)s->precision},
        .payoff = {.name = "adaptive-milstein"},
        .motion_depth = levels};
    const struct {
        const char *name;
        double value;
    } values[] = {{"spot", s->spot},
                  {"strike", s->spot},
                  {"rate", s->rate},
                  {"volatility", s->volatility},
                  {"tolerance", m->tolerance[size]},
                  {"sign", 1}};
    const bailey_simulation_run_params run = {.source = {.seed = s->seed}, .paths = s->paths};
    bailey_simulation *simulation = NULL;
    bailey_estimate estimates[3];
    bailey_status status = bailey_simulation_create(context, &params, &simulation);
    for (size_t i = 0; i < sizeof values / sizeof *values && status == BAILEY_OK; i++)
        status = bailey_simulation_set(simulation, values[i].name, &values[i].value, 1);
    if (status == BAILEY_OK) status = bailey_simulation_run(simulation, &run, estimates);
    bailey_simulation_destroy(simulation);
    if (status != BAILEY_OK) return status;
    /* Each accepted trial is two steps. */
    m->steps[size] = m->tolerance[size] > 0 ? 2 * estimates[2].mean : ldexp(1, (int)levels);
    m->error[size] = sqrt(estimates[1].mean);
    return BAILEY_OK;
}

/* The slope of log error on log steps, with its sign changed. */
static void find_order(struct method *m, uint64_t sizes)
{
    double x[MOST_SIZES], y[MOST_SIZES];
    for (uint64_t i = 0; i < sizes; i++) {
        x[i] = log(m->steps[i]);
        y[i] = log(m->error[i]);
    }
    const struct interval slope = fit_slope(x, y, sizes);
    m->order = (struct interval){-slope.value, -slope.high, -slope.low};
}

static int run_study(bailey_context *context, struct study_solver *s)
{
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < s->sizes && status == BAILEY_OK; i++) {
        s->methods[CHOSEN].tolerance[i] = ldexp(s->spot * s->volatility * sqrt(s->maturity) / 4, -(int)i);
        status = measure(context, s, &s->methods[CHOSEN], i, LEVELS);
        if (status == BAILEY_OK) status = measure(context, s, &s->methods[EQUAL], i, (uint32_t)i + 1);
    }
    for (int i = 0; i < METHODS && status == BAILEY_OK; i++) find_order(&s->methods[i], s->sizes);
    return cli_check(status, "solving");
}

/* ---- Report ---- */

static void describe(const struct study_solver *s, char *text, size_t size)
{
    snprintf(text, size, "dS = %.6g S dt + %.6g S dW, S(0) = %.6g, to time %.6g", s->rate, s->volatility,
             s->spot, s->maturity);
}

static void print_report(const struct study_solver *s, const bailey_device *device)
{
    const struct method *chosen = &s->methods[CHOSEN], *equal = &s->methods[EQUAL];
    char equation[200];
    describe(s, equation, sizeof equation);
    printf("%s, by Milstein's scheme\n\nError: the root mean square of S(T) less the exact one, %s paths\n",
           equation, cli_count(s->paths));
    printf("  %12s  %12s  %12s    %12s  %12s\n", "tolerance", "steps tried", "error", "equal steps", "error");
    for (uint64_t i = 0; i < s->sizes; i++)
        printf("  %12.4g  %12.1f  %12.4g    %12.0f  %12.4g\n", chosen->tolerance[i], chosen->steps[i],
               chosen->error[i], equal->steps[i], equal->error[i]);
    printf(
        "\norder    %.3f (%.3f to %.3f) with steps that each path chooses, %.3f (%.3f to %.3f) with equal "
        "ones: of "
        "log error\n         on log steps, by least squares; 95 %% interval from the residuals (Student)\n",
        chosen->order.value, chosen->order.low, chosen->order.high, equal->order.value, equal->order.low,
        equal->order.high);
    printf("paths    seed %llu, %s; the same motion throughout\n", (unsigned long long)s->seed,
           option_precisions[s->precision]);
    printf("device   %s: %s\ntime     %.3f s\n", device->address, cli_printable(device->name), cli_elapsed());
}

static void json_method(struct json *json, const struct study_solver *s, int method)
{
    const struct method *m = &s->methods[method];
    json_open(json, NULL, '{');
    json_text(json, "name", names[method]);
    json_open(json, "sizes", '[');
    for (uint64_t i = 0; i < s->sizes; i++) {
        json_open(json, NULL, '{');
        json_number(json, "tolerance", m->tolerance[i]);
        json_number(json, "steps", m->steps[i]);
        json_number(json, "error", m->error[i]);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "order", '{');
    json_number(json, "value", m->order.value);
    json_number(json, "low", m->order.low);
    json_number(json, "high", m->order.high);
    json_close(json, '}');
    json_close(json, '}');
}

static void print_json(const struct study_solver *s, const bailey_device *device)
{
    struct json json = {0};
    json_open(&json, NULL, '{');
    json_number(&json, "spot", s->spot);
    json_number(&json, "rate", s->rate);
    json_number(&json, "volatility", s->volatility);
    json_number(&json, "maturity", s->maturity);
    json_count(&json, "paths", s->paths);
    json_count(&json, "seed", s->seed);
    json_text(&json, "precision", option_precisions[s->precision]);
    json_open(&json, "methods", '[');
    for (int i = 0; i < METHODS; i++) json_method(&json, s, i);
    json_close(&json, ']');
    json_text(&json, "device", device->address);
    json_text(&json, "device_name", device->name);
    json_number(&json, "seconds", cli_elapsed());
    json_close(&json, '}');
}

static int draw(const struct study_solver *s, struct output *output)
{
    char equation[200], subtitle[300], shown[METHODS][100];
    struct chart chart = {.title = "Error against steps",
                          .subtitle = subtitle,
                          .across = "steps",
                          .axis = "root mean square error of S(T)",
                          .log2_first = 1,
                          .points = (int)s->sizes,
                          .lines = METHODS,
                          .factor = 1};
    describe(s, equation, sizeof equation);
    snprintf(subtitle, sizeof subtitle, "%s \u00b7 Milstein's scheme, %llu paths of one motion", equation,
             (unsigned long long)s->paths);
    for (int i = 0; i < METHODS; i++) {
        snprintf(shown[i], sizeof shown[i], "%s, order %.2f", names[i], s->methods[i].order.value);
        chart.names[i] = shown[i];
        chart.values[i] = s->methods[i].error;
        chart.sizes[i] = s->methods[i].steps;
    }
    const int code = chart_write(output, &chart);
    return code ? code : output_commit(output);
}

static int study_with(const struct arguments *a, struct study_solver *s, struct output *output)
{
    bailey_context *context = NULL;
    bailey_device device;
    /* first, so that a folder that is not there is an error before the work */
    int code = a->value[OUTPUT] ? output_open(output, a->value[OUTPUT], 0) : CLI_OK;
    if (code || (code = open_device(a->value[DEVICE], a->value[THREADS], &context, &device))) return code;
    code = run_study(context, s);
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
    struct study_solver study = {.spot = 100,
                                 .rate = 0.05,
                                 .volatility = 0.4,
                                 .maturity = 1,
                                 .sizes = 10,
                                 .paths = 16384,
                                 .precision = BAILEY_PRECISION_F64};
    struct output output = {0};
    int code = read_study(a, &study);
    if (!code) code = study_with(a, &study, &output);
    output_abandon(&output);
    return code;
}

const struct command command_study_solver = {
    .name = "study solver",
    .summary = "tabulate and draw the error of a solver against its steps",
    .usage = "[--sizes N] [--output FILE.svg]  [options]",
    .about = "Solves a stochastic equation with the built-in adaptive-milstein, whose steps each path "
             "chooses to a "
             "tolerance,\n"
             "and with equal steps, on the same paths of a Brownian motion throughout: neither the tolerance "
             "nor the "
             "steps\n"
             "that are tried and given up change the path. Prints the errors against the exact solution and "
             "the order "
             "at which\n"
             "they fall, 1 for Milstein's scheme.",
    .examples = "  bailey study solver --output solver.svg\n"
                "      a table, and a picture\n"
                "  bailey study solver --volatility 0.8 --maturity 2 --json\n"
                "      for machines\n",
    .options = options,
    .run = run,
};
