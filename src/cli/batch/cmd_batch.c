/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey batch: a file of deals, as `bailey price` prices each of them.
 */
#include <cli/io/io.h>
#include <cli/options/options.h>

#ifdef CLI_HAVE_JANSSON
#include "batch.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum { H_WHAT, OUTPUT, PART, STRICT, SUMMARY, H_WHERE, DEVICE, THREADS, WORKERS, SIMULATIONS };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--output", "FILE", "file for the results, one line of JSON per deal; default - (standard output)", .letter = 'o'),
    OPTION("--part", "I/N", "price only the deals I, I + N, I + 2 N, ..., counted from 0: one of N jobs"),
    OPTION("--strict", NULL, "stop at the first invalid deal; otherwise its line gives the error"),
    OPTION("--summary", NULL, "print the number of deals and the speed to standard error"),
    HEADING("Device:"),
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    THREADS_OPTION,
    OPTION("--workers", "W", "number of deals priced at once, each with its own --threads; 1 to 64, default 1"),
    OPTION("--simulations", "N", "number of simulations that each worker keeps, of the shapes used last; 1 to 4096, default 64"),
    OPTIONS_END,
};
/* clang-format on */

#ifdef CLI_HAVE_JANSSON

const struct batch_team *batch_team;

static int read_part(const struct arguments *a, struct batch_part *part)
{
    const char *text = a->value[PART], *slash = text ? strchr(text, '/') : NULL;
    char index[24];
    *part = (struct batch_part){0, 1};
    if (!text) return CLI_OK;
    snprintf(index, sizeof index, "%.*s", slash ? (int)(slash - text < 23 ? slash - text : 23) : 0, text);
    if (slash && parse_u64(index, &part->index) == PARSE_OK &&
        parse_u64(slash + 1, &part->count) == PARSE_OK && part->index < part->count)
        return CLI_OK;
    return cli_error(CLI_USAGE, "--part: '%s' is not of the form I/N, with I from 0 to N - 1",
                     cli_printable(text));
}

static int read_options(const struct arguments *a, struct batch_request *r)
{
    uint64_t workers = 1, simulations = 64;
    int code;
    *r = (struct batch_request){.input = a->file, .output = "-", .strict = a->value[STRICT] != NULL};
    if (a->value[OUTPUT]) r->output = a->value[OUTPUT];
    if (!a->file) return cli_error(CLI_USAGE, "name the file of deals; - is standard input");
    if ((code = read_part(a, &r->part)) || (code = option_u64(a, WORKERS, 1, BATCH_WORKERS_MAX, &workers)) ||
        (code = option_u64(a, SIMULATIONS, 1, 4096, &simulations)))
        return code;
    r->workers = (unsigned)workers;
    r->simulations = (unsigned)simulations;
    return CLI_OK;
}

static void print_summary(const struct batch_totals *t, const bailey_device *device)
{
    fprintf(stderr, "deals    %s", cli_count(t->deals));
    if (t->failed) fprintf(stderr, ", of which %s failed", cli_count(t->failed));
    fprintf(stderr, "\ntime     %.3f s, %.0f deals/s; %.3f s of it in simulations, of which %s were made\n",
            t->seconds, (double)t->deals / t->seconds, t->run_seconds, cli_count(t->simulations));
    if (batch_team)
        fprintf(stderr, "ranks    %d, which priced from %s to %s of the deals\n", batch_team->ranks,
                cli_count(t->fewest), cli_count(t->most));
    fprintf(stderr, "device   %s: %s\n", device->address, cli_printable(device->name));
}

/* Opens a context for each worker, which share a device. */
static int open_all(const struct arguments *a, unsigned workers, bailey_context **contexts,
                    bailey_device *device)
{
    int code = CLI_OK;
    for (unsigned i = 0; i < workers && !code; i++)
        code = open_device(a, a->value[DEVICE], &contexts[i], device);
    return code;
}

static int run(const struct arguments *a)
{
    struct batch_request request;
    struct batch_totals totals;
    bailey_context *contexts[BATCH_WORKERS_MAX] = {NULL};
    bailey_device device;
    int code = read_options(a, &request);
    if (!code && batch_team) code = batch_team->check(request.input);
    if (code) return code;
    request.contexts = contexts;
    request.team = batch_team;
    code = open_all(a, request.workers, contexts, &device);
    if (!code) {
        code = batch_run(&request, &totals);
        if (totals.failed && !request.strict)
            cli_error(code, "%s of %s deals failed", cli_count(totals.failed), cli_count(totals.deals));
        if (a->value[SUMMARY] && !(batch_team && batch_team->rank)) print_summary(&totals, &device);
    }
    for (unsigned i = 0; i < request.workers; i++) bailey_context_destroy(contexts[i]);
    return code;
}

#define LACKS ""

#else

#define LACKS " (not in this build, which lacks jansson)"

static int run(const struct arguments *a)
{
    (void)a;
    return cli_error(CLI_FAILED,
                     "this program was built without jansson, the library that reads JSON; install "
                     "libjansson-dev (Debian, Ubuntu) or jansson-devel, and build again");
}

#endif

const struct command command_batch = {
    .name = "batch",
    .summary = "price a file of deals, thousands per second, with one line of JSON each" LACKS,
    .usage = "FILE|-  [options]",
    .about = "Prices the deals of a JSON file in one process, which loads programs once and reuses "
             "simulations for deals\n"
             "of the same shape. A deal is an object whose keys are the options and parameters of 'bailey "
             "price' or 'bailey\n"
             "mlmc', with _ for -. It has the digits of that command. The file is a document with defaults "
             "and deals, an\n"
             "array of deals, or one deal per line. Results keep the order of the deals.",
    .examples =
        "  bailey batch deals.json --output prices.jsonl --summary\n"
        "      all deals of a file\n"
        "  bailey batch deals.json --part 0/2 > even.jsonl\n"
        "      half of the deals; 1/2 is the other half, on this machine or another\n"
        "  tail -f deals.jsonl | bailey batch -\n"
        "      one deal per line, priced as it arrives\n"
        "  mpirun -n 8 bailey-mpi batch deals.json --device cuda:% --output prices.jsonl\n"
        "      all deals, shared by the ranks of MPI (docs/long-runs.md)\n"
        "\n"
        "File:\n"
        "  {\"defaults\": {\"product\": \"european\", \"rate\": 0.03, \"paths\": 100000, \"seed\": 1},\n"
        "   \"deals\": [{\"id\": \"A1\", \"spot\": 100, \"strike\": 95, \"volatility\": 0.2},\n"
        "             {\"id\": \"A2\", \"product\": \"asian\", \"spot\": [100, 95], \"volatility\": [0.2, "
        "0.3],\n"
        "              \"correlation\": [[1, 0.5], [0.5, 1]], \"strike\": 97, \"times\": [0.5, 1]}]}\n"
        "  product is a name from 'bailey price --help', payoff a file of code in C. Multilevel Monte Carlo "
        "has\n"
        "  estimator, a name from 'bailey mlmc --help', or code, a file, and eps. Arrays replace lists and the\n"
        "  files of times (years, or dates with valuation) and of correlation. null removes a default. set "
        "holds\n"
        "  parameters named like an option. All deals use the same seed unless they set another. With one "
        "deal\n"
        "  per line, {\"defaults\": {...}} applies to the deals that follow.\n"
        "  docs/long-runs.md describes the file and the results.\n",
    .options = options,
    .run = run,
    .takes_file = 1,
};
