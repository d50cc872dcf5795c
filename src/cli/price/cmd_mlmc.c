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

struct request {
    struct levels_request asked;
    bailey_mlmc_report report;
};

/* ---- The request --------------------------------------------------------------------------------- */

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
    const int code = levels_read(a, &r->asked);
    return code ? code : read_files(a);
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

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
    const bailey_status status = levels_run(&r->asked, run, number, result);
    interrupt_leave(old);
    return status;
}

/* The runs alone, each with its own checkpoint file if there are any. */
static int run_each(const struct arguments *a, struct request *r)
{
    const uint32_t count = r->asked.test.eps_count;
    int code = CLI_OK;
    for (uint32_t i = 0; i < count && !code; i++) {
        bailey_mlmc_run_params run = r->asked.test.run;
        bailey_mlmc_test_run *to = &r->report.run[i];
        char file[4096];
        snprintf(file, sizeof file, "%s.%u", a->value[M_CHECKPOINT] ? a->value[M_CHECKPOINT] : "", i + 1);
        run.eps = to->eps = r->asked.eps[i];
        run.checkpoint = a->value[M_CHECKPOINT] ? file : NULL;
        const bailey_status status =
            run.checkpoint ? run_saved(r, &run, i, &to->result) : levels_run(&r->asked, &run, i, &to->result);
        code = levels_check(a, &r->asked, status);
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
    const double given = r->asked.test.run.bias_share, share = given > 0 ? given : field->default_value;
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
    bailey_mlmc_test_params test = r->asked.test;
    if (a->value[M_NO_TEST]) return run_each(a, r);
    if (!a->value[M_CHECKPOINT] && !a->value[M_GRADIENT])
        return options_check(a, bailey_mlmc_test(r->asked.mlmc, &test, &r->report), r->asked.name);
    /* The runs first, which may be refused. */
    bailey_mlmc_report levels;
    test.eps_count = 0;
    int code = run_each(a, r);
    if (!code) code = options_check(a, bailey_mlmc_test(r->asked.mlmc, &test, &levels), r->asked.name);
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
    snprintf(title, sizeof title, "Multilevel Monte Carlo: %s", r->asked.name);
    snprintf(subtitle, sizeof subtitle, "%s, seed %llu%s", option_precision(r->asked.params.precision),
             (unsigned long long)r->asked.test.run.source.seed, source_remark(&r->asked.test.run.source));
    const int code = levels_picture(plot, &r->report, r->report.levels > 0, title, subtitle);
    return code ? code : output_commit(plot);
}

static int report(const struct arguments *a, const struct request *r, const bailey_device *device,
                  struct output *output, struct output *plot)
{
    struct document *d = document_new();
    int code = a->value[M_PLOT] ? draw(r, plot) : CLI_OK;
    if (!code && a->value[M_OUTPUT] && !(code = write_tables(output, r))) code = output_commit(output);
    levels_report(d, &r->asked, &r->report, device);
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
    r->asked.test.run.progress = price_progress;
    r->asked.test.run.progress_user = &bar;
    if (!(code = levels_create(a, &r->asked, context)) && !(code = levels_set(a, &r->asked)) &&
        !(code = levels_begin_derivatives(a, &r->asked)))
        code = run_all(a, r);
    cli_progress_end(&bar);
    bailey_mlmc_destroy(r->asked.mlmc);
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
    levels_free(&r.asked);
    return code;
}

static void more_help(void)
{
    const char *names[LEVELS_BUILTINS + 1];
    char all[400] = "";
    levels_names(names, all, sizeof all);
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
    .options = levels_options,
    .run = run,
    .more_help = more_help,
    .describe = mlmc_describe,
    .has_parameter = mlmc_has_parameter,
    .repeatable = "--set",
    .takes_file = 1,
};
