/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey mlmc: multilevel Monte Carlo of the built-in levels, or of a user's level functions. It
 * calls bailey_mlmc_test, which tests the levels besides running them to several errors: a price by levels
 * that were never tested proves little. With --no-test there are only the runs.
 */
#include "price.h"

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <bailey/describe.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The default of --eps is written once: as numbers, and as the words of its help. */
#define WORDS_OF(...) #__VA_ARGS__
#define WORDS(list) WORDS_OF(list)

/* clang-format off */
/* Those of the tables of Giles's talk at MCM 2025, so that both can be laid side by side. */
#define USUAL_EPS 0.001,0.002,0.005,0.01,0.02

enum {
    M_H_DEAL, M_SET, M_MATURITY, M_CODE, M_LOOP_BUDGET, M_DIMS, M_CORRELATION,
    M_H_RUNS, M_EPS, M_BIAS_SHARE, M_INITIAL_SAMPLES, M_MIN_LEVEL, M_MAX_LEVEL, M_FIRST_STEPS, M_ALPHA, M_BETA, M_GAMMA,
    M_SCHEDULE, M_REPLICATES, M_APPROXIMATE, M_APPROXIMATE_COST, M_GRADIENT, M_BY,
    M_H_TEST, M_TEST_SAMPLES, M_FINEST, M_NO_TEST,
    M_H_NUMBERS, M_GENERATOR, M_SEED, M_STREAM, M_NORMAL, M_PRECISION, M_WORD_BITS, M_NUMERICS,
    M_H_POINTS, M_SCRAMBLE, M_ASSIGNMENT, M_POINT_ORDER,
    M_H_WORK, M_DEVICE, M_THREADS, M_CHECKPOINT, M_OUTPUT, M_PLOT, M_JSON
};

static const struct option options[] = {
    HEADING("The deal:"),
    OPTION("--set", "NAME=VALUE[,...]",
           "set a parameter, as the option of the same name does; may be repeated. 'bailey mlmc NAME --help' lists the parameters"),
    FIELD(mlmc_params, time, "--maturity", .value = "T"),
    OPTION("--code", "FILE", "your own estimator code, in C, instead of a built-in", .before = "--levels"),
    FIELD(payoff, loop_budget, "--loop-budget",
          .help = "iterations that loops without a proved end may take in one call"),
    FIELD(mlmc_params, dims, "--dims", .value = "D"),
    FIELD(mlmc_params, covariance, "--correlation", .value = "FILE|RHO", .help = "correlation of its dimensions"),
    HEADING("Runs:"),
    OPTION("--eps", "E[,E...]", "target root-mean-square errors, default " WORDS(USUAL_EPS)),
    FIELD(mlmc_run_params, bias_share, "--bias-share", .help = "share of eps^2 allotted to the bias",
          .before = "--theta"),
    FIELD(mlmc_run_params, initial_samples, "--initial-samples",
          .help = "number of samples on each of the first levels; use more if the kurtosis is high", .before = "--initial"),
    FIELD(mlmc_run_params, min_level, "--min-level", .value = "L"),
    FIELD(mlmc_run_params, max_level, "--max-level", .value = "L"),
    FIELD(mlmc_params, first_steps, "--first-steps"),
    FIELD(mlmc_run_params, alpha, "--alpha"),
    FIELD(mlmc_run_params, beta, "--beta"),
    FIELD(mlmc_run_params, gamma, "--gamma"),
    FIELD(mlmc_run_params, schedule, "--schedule"),
    FIELD(mlmc_run_params, replicates, "--replicates", .value = "R"),
    FIELD(mlmc_run_params, approximate, "--approximate"),
    FIELD(mlmc_run_params, approximate_cost, "--approximate-cost"),
    OPTION("--gradient", NULL, "also estimate the derivatives with respect to all real parameters, from the same samples"),
    OPTION("--by", "NAME[,NAME...]", "with --gradient: only with respect to these parameters"),
    HEADING("The convergence test:"),
    FIELD(mlmc_test_params, samples, "--test-samples", .help = "number of samples on each level, rounded up to a multiple of 32",
          .before = "--samples"),
    FIELD(mlmc_test_params, finest, "--finest", .value = "L", .help = "finest level of the test"),
    OPTION("--no-test", NULL, "skip the convergence test"),
    HEADING("Numbers:"),
    COUNTER_OPTIONS("philox philox7 sobol"),
    FIELD(normal_params, method, "--normal", .only = "icdf box-muller"),
    FIELD(mlmc_params, precision, "--precision"),
    WORD_BITS_OPTION,
    FIELD(normal_params, numerics, "--numerics"),
    HEADING("Points (--generator sobol, multilevel quasi-Monte Carlo):"),
    PATH_POINT_OPTIONS,
    HEADING("Device and output:"),
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    THREADS_OPTION,
    FIELD(mlmc_run_params, checkpoint, "--checkpoint", .value = "FILE",
          .help = "save the run to number i of --eps as FILE.i; the same command resumes from it"),
    OPTION("--output", "FILE",
           "file for the tables of Giles's mlmc_test, version 1.0, which his plotting scripts read; - writes them instead of the report", .letter = 'o'),
    OPTION("--plot", "FILE.svg", "plot variances, means, samples and costs"),
    OPTION("--json", NULL, "print the report as JSON"),
    OPTIONS_END,
};
/* clang-format on */

struct request {
    const char *name; /* of a built-in, or the code's file */
    char *text;       /* of the file; NULL: a built-in */
    double *correlation;
    const char *correlation_source;
    bailey_mlmc_params params;
    bailey_mlmc_test_params test;
    double eps[BAILEY_MLMC_MAX_EPS];
    bailey_mlmc *mlmc;
    bailey_mlmc_report report;
    /* Derivatives: the list of --by, its names, and what they are of each run. */
    char *list;
    const char **names;
    uint32_t name_count;
    uint64_t derivatives;
    bailey_mlmc_result *derivative; /* [eps_count][derivatives] */
    char (*derivative_text)[400];
    const char **derivative_name; /* [derivatives] */
};

/* ---- The request --------------------------------------------------------------------------------- */

enum { MOST_BUILTINS = 64 };

/* The names of the built-ins, NULL behind them; and as a list: "asian, barrier". */
static void list_builtins(const char *names[MOST_BUILTINS + 1], char *text, size_t size)
{
    size_t n = 0, used = 0;
    for (; n < MOST_BUILTINS && (names[n] = bailey_mlmc_name(n)); n++)
        if (used < size) used += (size_t)snprintf(text + used, size - used, "%s%s", n ? ", " : "", names[n]);
    names[n] = NULL;
}

static int find_builtin(const char *word, struct request *r)
{
    const char *names[MOST_BUILTINS + 1];
    char all[400] = "";
    list_builtins(names, all, sizeof all);
    r->name = word;
    for (size_t i = 0; names[i]; i++)
        if (!strcmp(names[i], word)) return CLI_OK;
    const char *nearest = cli_nearest(word, names);
    return cli_error(CLI_USAGE, "unknown estimator '%s'; choose from %s%s%s%s", cli_printable(word), all,
                     nearest ? "; did you mean " : "; see --code FILE", nearest ? nearest : "",
                     nearest ? "?" : "");
}

static int read_what(const struct arguments *a, struct request *r)
{
    const char *names[MOST_BUILTINS + 1];
    char all[400] = "";
    list_builtins(names, all, sizeof all);
    if (a->file && a->value[M_CODE])
        return cli_error(CLI_USAGE, "%s and --code are both given; give only one estimator",
                         cli_printable(a->file));
    if (a->file && a->value[M_LOOP_BUDGET])
        return cli_error(CLI_USAGE, "--loop-budget applies to --code FILE; %s is a built-in",
                         cli_printable(a->file));
    if (a->file) return find_builtin(a->file, r);
    if (!a->value[M_CODE]) return cli_error(CLI_USAGE, "name an estimator: %s, or --code FILE", all);
    r->name = a->value[M_CODE];
    return price_read_code("--code", r->name, &r->text);
}

/* A matrix says how many dimensions there are; --dims may say it too. */
static int read_correlation(const struct arguments *a, struct request *r)
{
    uint64_t rows;
    const uint32_t dims = r->params.dims;
    const int code = correlation_read(a, M_CORRELATION, NULL, 0, dims, &r->correlation, &rows);
    if (code || !r->correlation) return code;
    if (dims && rows != dims)
        return cli_error(CLI_USAGE, "--correlation: %s has %u rows, but --dims is %u",
                         a->value[M_CORRELATION], (unsigned)rows, (unsigned)dims);
    r->correlation_source = a->value[M_CORRELATION];
    r->params.covariance = r->correlation;
    r->params.dims = (uint32_t)rows;
    return CLI_OK;
}

/* Built-ins are on one asset, so that --dims and --correlation would change nothing: they are refused. */
static int read_levels(const struct arguments *a, struct request *r)
{
    static const int own[] = {M_DIMS, M_CORRELATION};
    bailey_mlmc_params *p = &r->params;
    int code = read_what(a, r);
    for (size_t i = 0; i < 2 && !code; i++)
        if (!r->text && a->value[own[i]])
            return cli_error(CLI_USAGE, "%s: %s has one asset; only --code allows several dimensions",
                             options[own[i]].name, r->name);
    if (!code) code = options_read_fields(a, "payoff", &p->estimator);
    if (!code) code = options_read_fields(a, "mlmc_params", p);
    if (code) return code;
    p->estimator.code = r->text;
    p->estimator.name = r->name;
    return read_correlation(a, r);
}

static int read_source(const struct arguments *a, bailey_mlmc_run_params *run)
{
    const int code = source_read(a, &run->source, &run->normal);
    if (!code && a->value[M_REPLICATES] && !source_is_points(&run->source))
        return cli_error(CLI_USAGE, "--replicates applies to --generator sobol");
    return code;
}

/* An eps of 0 would never be reached: it is refused before a device is opened. */
static int read_eps(const struct arguments *a, struct request *r)
{
    static const double usual[] = {USUAL_EPS};
    uint64_t count = 0;
    const int code = option_list_f64(a, M_EPS, r->eps, BAILEY_MLMC_MAX_EPS, &count);
    if (code) return code;
    if (!a->value[M_EPS]) memcpy(r->eps, usual, sizeof usual), count = sizeof usual / sizeof *usual;
    for (uint64_t i = 0; i < count; i++)
        if (!(r->eps[i] > 0)) return cli_error(CLI_USAGE, "--eps: %g is not positive", r->eps[i]);
    r->test.eps = r->eps;
    r->test.eps_count = (uint32_t)count;
    return CLI_OK;
}

static int read_runs(const struct arguments *a, struct request *r)
{
    int code = read_eps(a, r);
    if (!code) code = options_read_fields(a, "mlmc_run_params", &r->test.run);
    if (!code) code = options_read_fields(a, "mlmc_test_params", &r->test);
    if (!code) code = read_source(a, &r->test.run);
    if (!code && a->value[M_BY] && !a->value[M_GRADIENT])
        code = cli_error(CLI_USAGE, "--by needs --gradient");
    if (!code && a->value[M_BY])
        code = price_gradient_names("--by", a->value[M_BY], &r->list, &r->names, &r->name_count);
    if (!code && !r->test.run.approximate && a->value[M_APPROXIMATE_COST])
        code = cli_error(CLI_USAGE, "--approximate-cost needs --approximate");
    return code;
}

/* Instead of the report. */
static int tables_take_stdout(const struct arguments *a)
{
    return a->value[M_OUTPUT] && !strcmp(a->value[M_OUTPUT], "-");
}

/* Endings and conflicts of what is written, before any work. */
static int read_files(const struct arguments *a)
{
    static const char *const svg[] = {"svg", NULL};
    if (a->value[M_PLOT] && option_ending(a->value[M_PLOT], svg) < 0)
        return cli_error(CLI_USAGE, "--plot: '%s' does not end with .svg", cli_printable(a->value[M_PLOT]));
    return tables_take_stdout(a) ? options_conflict(a, M_JSON, M_OUTPUT, "both write to standard output")
                                 : CLI_OK;
}

static int read_request(const struct arguments *a, struct request *r)
{
    int code = read_levels(a, r);
    if (!code) code = read_runs(a, r);
    if (code) return code;
    return read_files(a);
}

/* ---- Parameters ---------------------------------------------------------------------------------- */

static int set_parameter(const struct request *r, const struct price_setting *s)
{
    double *values = NULL;
    uint64_t count = 0;
    int code = price_values(s->what, s->parameter, s->list, &values, &count);
    if (!code) code = cli_check(bailey_mlmc_set(r->mlmc, s->parameter->name, values, count), s->what);
    free(values);
    return code;
}

/* A parameter that is not set has the default of its description, or is refused by the run. */
static int set_parameters(const struct arguments *a, const struct request *r)
{
    int code = CLI_OK;
    for (int i = 0; i < a->repeats && !code; i++) {
        struct price_setting setting;
        code = price_read_setting(a, i, bailey_mlmc_description(r->mlmc), &setting);
        if (!code) code = set_parameter(r, &setting);
    }
    return code;
}

/* ---- Derivatives --------------------------------------------------------------------------------- */

/* The elements of a parameter: none if it has no derivative, which a run refuses where it was named. */
static void name_elements(struct request *r, const char *name)
{
    const uint64_t count = bailey_mlmc_gradient_count(r->mlmc, &name, 1);
    for (uint64_t i = 0; i < count; i++) {
        char *text = r->derivative_text[r->derivatives];
        if (count > 1)
            snprintf(text, sizeof *r->derivative_text, "%.300s[%llu]", name, (unsigned long long)i);
        else
            snprintf(text, sizeof *r->derivative_text, "%.300s", name);
        r->derivative_name[r->derivatives++] = text;
    }
}

static int begin_derivatives(const struct arguments *a, struct request *r)
{
    const char *name;
    uint64_t size;
    if (!a->value[M_GRADIENT]) return CLI_OK;
    const uint64_t count = bailey_mlmc_gradient_count(r->mlmc, r->names, r->name_count);
    const size_t runs = r->test.eps_count, all = (size_t)count + 1;
    r->derivative = calloc(runs * all, sizeof *r->derivative);
    r->derivative_text = calloc(all, sizeof *r->derivative_text);
    r->derivative_name = calloc(all, sizeof *r->derivative_name);
    if (!r->derivative || !r->derivative_text || !r->derivative_name)
        return cli_memory_error("--gradient", runs * all * sizeof *r->derivative);
    for (uint32_t k = 0; k < r->name_count && count; k++) name_elements(r, r->names[k]);
    for (size_t k = 0; !r->names && (name = bailey_mlmc_parameter(r->mlmc, k, &size)); k++)
        name_elements(r, name);
    return CLI_OK;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

/* A run, with its derivatives. */
static bailey_status run_one(const struct request *r, const bailey_mlmc_run_params *run, uint32_t number,
                             bailey_mlmc_result *result)
{
    if (!r->derivative) return bailey_mlmc_run(r->mlmc, run, result);
    return bailey_mlmc_gradient(r->mlmc, run, r->names, r->name_count, result,
                                r->derivative + number * r->derivatives);
}

static int create(const struct arguments *a, struct request *r, bailey_context *context)
{
    return correlation_check(a, bailey_mlmc_create(context, &r->params, &r->mlmc), r->name, M_CORRELATION,
                             r->correlation_source, NULL);
}

/* A run that is saved can be interrupted without loss. */
static int on_progress(void *user, uint64_t done, uint64_t total)
{
    price_progress(user, done, total);
    return interrupted();
}

/* A run with a file, which keeps the completed part when the run is interrupted. */
static bailey_status run_saved(const struct request *r, bailey_mlmc_run_params *run, uint32_t number,
                               bailey_mlmc_result *result)
{
    struct sigaction old[2];
    run->progress = on_progress;
    interrupt_catch(old);
    const bailey_status status = run_one(r, run, number, result);
    interrupt_leave(old);
    return status;
}

/* The runs alone, each with its own checkpoint file if there are any. */
static int run_each(const struct arguments *a, struct request *r)
{
    static const char *const others[][2] = {{"names", "--by"},
                                            {"source", "--generator"},
                                            {"schedule", "--schedule"},
                                            {"approximate", "--approximate"},
                                            {NULL, NULL}};
    const uint32_t count = r->test.eps_count;
    int code = CLI_OK;
    for (uint32_t i = 0; i < count && !code; i++) {
        bailey_mlmc_run_params run = r->test.run;
        bailey_mlmc_test_run *to = &r->report.run[i];
        char file[4096];
        snprintf(file, sizeof file, "%s.%u", a->value[M_CHECKPOINT] ? a->value[M_CHECKPOINT] : "", i + 1);
        run.eps = to->eps = r->eps[i];
        run.checkpoint = a->value[M_CHECKPOINT] ? file : NULL;
        const bailey_status status =
            run.checkpoint ? run_saved(r, &run, i, &to->result) : run_one(r, &run, i, &to->result);
        const char *what = status != BAILEY_OK && r->derivative ? cli_refused(others, NULL) : NULL;
        code = what ? cli_check(status, what) : options_check(a, status, r->name);
        if (status == BAILEY_ERROR_CANCELLED && access(file, F_OK) == 0)
            cli_error(CLI_FAILED, "the run is saved in %s; the same command resumes it", cli_printable(file));
        to->standard_cost = to->savings = NAN;
        if (!code) r->report.runs = i + 1;
    }
    return code;
}

/* What plain Monte Carlo would cost, by the variance of the fine payoff on the finest level that is known: as
 * bailey_mlmc_test does it, where runs with a file were made apart from it. */
static void compare(struct request *r)
{
    const bailey_field *field = bailey_record_field(bailey_describe("mlmc_run_params"), "bias_share");
    const double given = r->test.run.bias_share, share = given > 0 ? given : field->default_value;
    for (uint32_t i = 0; i < r->report.runs; i++) {
        bailey_mlmc_test_run *t = &r->report.run[i];
        const uint32_t finest = t->result.levels - 1, known = r->report.levels - 1;
        const double variance = r->report.level[finest < known ? finest : known].fine_variance;
        t->standard_cost = variance * t->result.level[finest].cost / ((1 - share) * (t->eps * t->eps));
        t->savings = t->standard_cost / t->result.cost;
    }
}

/* bailey_mlmc_test keeps no checkpoints, and has no derivatives: where they are asked for, the runs are made
 * one by one, and the convergence test after them. */
static int run_all(const struct arguments *a, struct request *r)
{
    bailey_mlmc_test_params test = r->test;
    if (a->value[M_NO_TEST]) return run_each(a, r);
    if (!a->value[M_CHECKPOINT] && !a->value[M_GRADIENT])
        return options_check(a, bailey_mlmc_test(r->mlmc, &test, &r->report), r->name);
    /* The runs first, which may be refused. */
    bailey_mlmc_report levels;
    test.eps_count = 0;
    int code = run_each(a, r);
    if (!code) code = options_check(a, bailey_mlmc_test(r->mlmc, &test, &levels), r->name);
    if (code) return code;
    memcpy(levels.run, r->report.run, sizeof levels.run);
    levels.runs = r->report.runs;
    r->report = levels;
    compare(r);
    return CLI_OK;
}

/* ---- Output -------------------------------------------------------------------------------------- */

/* In Giles's format. */
static int write_tables(struct output *output, const struct request *r)
{
    const uint64_t size = bailey_mlmc_report_write(&r->report, NULL, 0) + 1;
    char *text = malloc((size_t)size);
    if (!text) return cli_memory_error("the tables", size);
    bailey_mlmc_report_write(&r->report, text, size);
    const int code = output_write(output, text, size - 1);
    free(text);
    return code;
}

static int draw(const struct request *r, struct output *plot)
{
    char title[200], subtitle[300];
    snprintf(title, sizeof title, "Multilevel Monte Carlo: %s", r->name);
    snprintf(subtitle, sizeof subtitle, "%s, seed %llu%s", option_precision(r->params.precision),
             (unsigned long long)r->test.run.source.seed, source_remark(&r->test.run.source));
    const int code = levels_picture(plot, &r->report, r->report.levels > 0, title, subtitle);
    return code ? code : output_commit(plot);
}

static int report(const struct arguments *a, const struct request *r, const bailey_device *device,
                  struct output *output, struct output *plot)
{
    const struct mlmc_view view = {r->name,       &r->params,         &r->test,      &r->report,
                                   r->derivative, r->derivative_name, r->derivatives};
    struct document *d = document_new();
    int code = a->value[M_PLOT] ? draw(r, plot) : CLI_OK;
    if (!code && a->value[M_OUTPUT] && !(code = write_tables(output, r))) code = output_commit(output);
    levels_report(d, &view, device);
    if (!code && !tables_take_stdout(a)) code = document_print(d, a->value[M_JSON] != NULL);
    document_free(d);
    return code;
}

static int run_on(const struct arguments *a, struct request *r, struct output *output, struct output *plot)
{
    bailey_context *context = NULL;
    bailey_device device;
    /* first, so that a folder that is not there is an error before the work */
    int code = a->value[M_PLOT] ? output_open(plot, a->value[M_PLOT], 0) : CLI_OK;
    if (!code && a->value[M_OUTPUT]) code = output_open(output, a->value[M_OUTPUT], 0);
    if (code || (code = open_device(a, a->value[M_DEVICE], &context, &device))) return code;
    struct cli_progress bar;
    cli_progress_start(&bar, "steps");
    r->test.run.progress = price_progress;
    r->test.run.progress_user = &bar;
    if (!(code = create(a, r, context)) && !(code = set_parameters(a, r)) &&
        !(code = begin_derivatives(a, r)))
        code = run_all(a, r);
    cli_progress_end(&bar);
    bailey_mlmc_destroy(r->mlmc);
    bailey_context_destroy(context);
    return code ? code : report(a, r, &device, output, plot);
}

static int run(const struct arguments *a)
{
    cli_print_warnings();
    static struct request r;
    struct output output = {0}, plot = {0};
    int code = read_request(a, &r);
    if (!code) code = run_on(a, &r, &output, &plot);
    output_abandon(&output);
    output_abandon(&plot);
    free(r.text);
    free(r.correlation);
    free(r.list);
    free(r.names);
    free(r.derivative);
    free(r.derivative_text);
    free(r.derivative_name);
    return code;
}

static void more_help(void)
{
    const char *names[MOST_BUILTINS + 1];
    char all[400] = "";
    list_builtins(names, all, sizeof all);
    printf("\nNAME is one of %s. For their parameters see\nbailey mlmc NAME --help.\n", all);
}

const struct command command_mlmc = {
    .name = "mlmc",
    .summary = "multilevel Monte Carlo: a price to a target error, and tests of its levels",
    .usage = "NAME  [--eps E,E,...]  [--PARAMETER VALUE ...]  [options]\n"
             "       bailey mlmc --code FILE  [--PARAMETER VALUE ...]  [options]",
    .about = "Estimates a price to each target root-mean-square error from many coarse paths and few fine "
             "ones (Giles\n"
             "2008), and prints its standard error, the estimated remaining bias and the cost in steps of "
             "fine paths. A\n"
             "test of the levels follows: mean, variance and kurtosis of the fine-minus-coarse difference, "
             "and whether the\n"
             "sum telescopes. --output writes both as the tables of Giles's mlmc_test. docs/mlmc.md explains "
             "them, and how\n"
             "to write your own estimator.",
    .examples =
        "  bailey mlmc european --seed 1\n"
        "      prices to five target errors, and the test of the levels\n"
        "  bailey mlmc barrier --side down --initial-samples 20000 --eps 0.005,0.01 --plot barrier.svg\n"
        "      a barrier option, with a picture\n"
        "  bailey mlmc asian --gradient --by spot,volatility --no-test --eps 0.01\n"
        "      a price and its derivatives\n"
        "  bailey mlmc asian --generator sobol --eps 0.001\n"
        "      multilevel quasi-Monte Carlo\n"
        "  bailey mlmc --code levels.c --spot 100 --rate 0.05 --no-test --json\n"
        "      your own estimator, with a report for scripts\n",
    .options = options,
    .run = run,
    .more_help = more_help,
    .describe = mlmc_describe,
    .has_parameter = mlmc_has_parameter,
    .repeatable = "--set",
    .takes_file = 1,
};
