/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs that the options of `bailey mlmc` ask for, read from a command line or from a deal of `bailey batch`: levels,
 * their parameters, runs and derivatives.
 */
#include "price.h"

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <bailey/describe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The default of --eps is written once: as numbers, and as the words of its help. */
#define WORDS_OF(...) #__VA_ARGS__
#define WORDS(list) WORDS_OF(list)

/* clang-format off */
/* Those of the tables of Giles's talk at MCM 2025, so that both can be laid side by side. */
#define USUAL_EPS 0.001,0.002,0.005,0.01,0.02

const struct option levels_options[] = {
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

/* ---- The request --------------------------------------------------------------------------------- */

/* The names of the built-ins, NULL behind them; and as a list: "asian, barrier". */
void levels_names(const char *names[LEVELS_BUILTINS + 1], char *text, size_t size)
{
    size_t n = 0, used = 0;
    for (; n < LEVELS_BUILTINS && (names[n] = bailey_mlmc_name(n)); n++)
        if (used < size) used += (size_t)snprintf(text + used, size - used, "%s%s", n ? ", " : "", names[n]);
    names[n] = NULL;
}

static int find_builtin(const char *word, struct levels_request *r)
{
    const char *names[LEVELS_BUILTINS + 1];
    char all[400] = "";
    levels_names(names, all, sizeof all);
    r->name = word;
    for (size_t i = 0; names[i]; i++)
        if (!strcmp(names[i], word)) return CLI_OK;
    const char *nearest = cli_nearest(word, names);
    return cli_error(CLI_USAGE, "unknown estimator '%s'; choose from %s%s%s%s", cli_printable(word), all,
                     nearest ? "; did you mean " : "; see --code FILE", nearest ? nearest : "",
                     nearest ? "?" : "");
}

static int read_what(const struct arguments *a, struct levels_request *r)
{
    const char *names[LEVELS_BUILTINS + 1];
    char all[400] = "";
    levels_names(names, all, sizeof all);
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
static int read_correlation(const struct arguments *a, struct levels_request *r)
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
static int read_levels(const struct arguments *a, struct levels_request *r)
{
    static const int own[] = {M_DIMS, M_CORRELATION};
    bailey_mlmc_params *p = &r->params;
    int code = read_what(a, r);
    for (size_t i = 0; i < 2 && !code; i++)
        if (!r->text && a->value[own[i]])
            return cli_error(CLI_USAGE, "%s: %s has one asset; only --code allows several dimensions",
                             levels_options[own[i]].name, r->name);
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
static int read_eps(const struct arguments *a, struct levels_request *r)
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

static int read_runs(const struct arguments *a, struct levels_request *r)
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

int levels_read(const struct arguments *a, struct levels_request *r)
{
    const int code = read_levels(a, r);
    return code ? code : read_runs(a, r);
}

/* ---- Parameters ---------------------------------------------------------------------------------- */

static int set_parameter(const struct levels_request *r, const struct price_setting *s)
{
    double *values = NULL;
    uint64_t count = 0;
    int code = price_values(s->what, s->parameter, s->list, &values, &count);
    if (!code) code = cli_check(bailey_mlmc_set(r->mlmc, s->parameter->name, values, count), s->what);
    free(values);
    return code;
}

/* A parameter that is not set has the default of its description, or is refused by the run. */
int levels_set(const struct arguments *a, const struct levels_request *r)
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
static void name_elements(struct levels_request *r, const char *name)
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

int levels_begin_derivatives(const struct arguments *a, struct levels_request *r)
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
bailey_status levels_run(const struct levels_request *r, const bailey_mlmc_run_params *run, uint32_t number,
                             bailey_mlmc_result *result)
{
    if (!r->derivative) return bailey_mlmc_run(r->mlmc, run, result);
    return bailey_mlmc_gradient(r->mlmc, run, r->names, r->name_count, result,
                                r->derivative + number * r->derivatives);
}

int levels_check(const struct arguments *a, const struct levels_request *r, bailey_status status)
{
    static const char *const others[][2] = {{"names", "--by"},
                                            {"source", "--generator"},
                                            {"schedule", "--schedule"},
                                            {"approximate", "--approximate"},
                                            {NULL, NULL}};
    const char *what = status != BAILEY_OK && r->derivative ? cli_refused(others, NULL) : NULL;
    return what ? cli_check(status, what) : options_check(a, status, r->name);
}

int levels_create(const struct arguments *a, struct levels_request *r, bailey_context *context)
{
    return correlation_check(a, bailey_mlmc_create(context, &r->params, &r->mlmc), r->name, M_CORRELATION,
                             r->correlation_source, NULL);
}

void levels_free(struct levels_request *r)
{
    free(r->text);
    free(r->correlation);
    free(r->list);
    free(r->names);
    free(r->derivative);
    free(r->derivative_text);
    free(r->derivative_name);
}
