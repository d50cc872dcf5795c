/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench batch: deals per second of `bailey batch`, JSON and all, against the runs alone.
 */
#include "bench.h"
#include <cli/batch/batch.h>
#include <cli/io/io.h>

#include <bailey/simulation.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
enum { H_WHAT, DEALS, PATHS, PRECISION, NUMERICS, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--deals", "N", "deals per batch; default 10000, on a CPU 100"),
    OPTION("--paths", "P", "paths per deal; default 100000, on a CPU 10000"),
    OPTION("--precision", "f32|f64", "default f32"),
    OPTION("--numerics", "exact|fast", "default exact"),
    BENCH_LAST_OPTIONS(OPTION("--quick", NULL, "few deals of few paths: a quick check whose figures mean nothing"),
                       OPTION("--repeat", "R", "number of batches, whose median is reported; 1 to 99, default 5")),
};
/* clang-format on */

enum { ASSETS = 3, FIXINGS = 24, MOST_WORKERS = 4 };
static const double spots[ASSETS] = {104.5, 97.25, 98.4}, volatilities[ASSETS] = {0.19, 0.34, 0.15},
                    dividends[ASSETS] = {0.031, 0.006, 0.024}, weights[ASSETS] = {0.4, 0.35, 0.25},
                    correlation[ASSETS * ASSETS] = {1, 0.42, 0.55, 0.42, 1, 0.31, 0.55, 0.31, 1};
static const double rate = 0.03;

struct batches {
    struct bench base;
    bailey_context *contexts[MOST_WORKERS]; /* of the same device */
    uint64_t deals, paths;
    int precision, numerics;
    char folder[400], input[420], output[420];
    struct batch_request request;
    struct batch_totals totals;
    bailey_simulation *simulation;
    bailey_estimate estimate[2]; /* of the price and the control variate */
};

/* ---- The deals ---- */

static double spot_of(uint64_t deal, int asset) { return spots[asset] * (1 + 0.001 * (double)(deal % 17)); }
static double strike_of(uint64_t deal) { return 90 + 0.01 * (double)(deal % 2001); }
static double time_of(int fixing) { return (fixing + 1) / 12.0; }

static void write_numbers(struct document *json, const char *key, const double *values, int count)
{
    document_open(json, key, '[');
    for (int i = 0; i < count; i++) document_number(json, NULL, values[i]);
    document_close(json);
}

static void write_defaults(const struct batches *b, struct document *json)
{
    double times[FIXINGS];
    for (int i = 0; i < FIXINGS; i++) times[i] = time_of(i);
    document_open(json, "defaults", '{');
    document_text(json, "product", "asian");
    document_text(json, "construction", "walk");
    document_text(json, "precision", option_precision(b->precision));
    document_text(json, "numerics", option_word_of("normal_params", "numerics", b->numerics));
    document_count(json, "paths", b->paths);
    document_count(json, "seed", 1);
    document_number(json, "rate", rate);
    write_numbers(json, "times", times, FIXINGS);
    document_open(json, "correlation", '[');
    for (int i = 0; i < ASSETS; i++) write_numbers(json, NULL, correlation + i * ASSETS, ASSETS);
    document_close(json);
    document_close(json);
}

static void write_deal(struct document *json, uint64_t deal)
{
    double spot[ASSETS];
    for (int i = 0; i < ASSETS; i++) spot[i] = spot_of(deal, i);
    document_open(json, NULL, '{');
    document_count(json, "id", deal);
    document_number(json, "strike", strike_of(deal));
    write_numbers(json, "spot", spot, ASSETS);
    write_numbers(json, "volatility", volatilities, ASSETS);
    write_numbers(json, "dividend", dividends, ASSETS);
    write_numbers(json, "weight", weights, ASSETS);
    document_close(json);
}

static int write_file(const char *path, const struct json_line *line)
{
    FILE *file = line->failed ? NULL : fopen(path, "wb");
    const int written = file && fwrite(line->text, 1, line->used, file) == line->used;
    if (file && !fclose(file) && written) return CLI_OK;
    return cli_error(CLI_FAILED, "cannot write %s", path);
}

static int write_deals(const struct batches *b)
{
    struct json_line line = {0};
    struct document *json = document_new();
    write_defaults(b, json);
    document_open(json, "deals", '[');
    for (uint64_t i = 0; i < b->deals; i++) write_deal(json, i);
    document_close(json);
    document_append(json, &line);
    document_free(json);
    const int code = write_file(b->input, &line);
    free(line.text);
    return code;
}

/* ---- The batch that is timed ---- */

static bailey_status run_batch(void *user)
{
    struct batches *b = user;
    return batch_run(&b->request, &b->totals) ? BAILEY_ERROR_INVALID : BAILEY_OK;
}

static bailey_status set_deal(struct batches *b, uint64_t deal)
{
    double spot[ASSETS];
    const double strike = strike_of(deal);
    for (int i = 0; i < ASSETS; i++) spot[i] = spot_of(deal, i);
    bailey_status status = bailey_simulation_set(b->simulation, "spot", spot, ASSETS);
    return status ? status : bailey_simulation_set(b->simulation, "strike", &strike, 1);
}

/* The same deals without files: of each the parameters that change, and the run. */
static bailey_status run_deals(void *user)
{
    struct batches *b = user;
    const bailey_simulation_run_params run = {
        .source = {.seed = 1},
        .normal = {.precision = (bailey_precision)b->precision, .numerics = (bailey_numerics)b->numerics},
        .paths = b->paths};
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < b->deals && !status; i++) {
        status = set_deal(b, i);
        if (!status) status = bailey_simulation_run(b->simulation, &run, b->estimate);
    }
    return status;
}

static bailey_status make_simulation(struct batches *b)
{
    static const double sign = 1;
    double times[FIXINGS];
    for (int i = 0; i < FIXINGS; i++) times[i] = time_of(i);
    const bailey_simulation_params params = {.path = {.times = times,
                                                      .steps = FIXINGS,
                                                      .dims = ASSETS,
                                                      .covariance = correlation,
                                                      .precision = (bailey_precision)b->precision,
                                                      .construction = BAILEY_CONSTRUCTION_WALK},
                                             .payoff = {.name = "asian"}};
    bailey_status status = bailey_simulation_create(b->base.context, &params, &b->simulation);
    if (!status) status = bailey_simulation_set(b->simulation, "volatility", volatilities, ASSETS);
    if (!status) status = bailey_simulation_set(b->simulation, "dividend", dividends, ASSETS);
    if (!status) status = bailey_simulation_set(b->simulation, "weight", weights, ASSETS);
    if (!status) status = bailey_simulation_set(b->simulation, "rate", &rate, 1);
    return status ? status : bailey_simulation_set(b->simulation, "sign", &sign, 1);
}

/* ---- Rows ---- */

/* The price in the last line of the output. */
static int last_price(const struct batches *b, double *price)
{
    static const char key[] = ", \"mean\": "; /* first in the line: that of the deal */
    char tail[8192];
    FILE *file = fopen(b->output, "rb");
    if (!file) return 0;
    if (fseek(file, -(long)(sizeof tail - 1), SEEK_END)) rewind(file);
    tail[fread(tail, 1, sizeof tail - 1, file)] = 0;
    fclose(file);
    const char *line = tail;
    for (const char *end = strchr(tail, '\n'); end && end[1]; end = strchr(end + 1, '\n')) line = end + 1;
    const char *found = strstr(line, key);
    if (found) *price = strtod(found + strlen(key), NULL);
    return found != NULL;
}

/* The batch's last price has the bits of the last run. */
static void check_price(struct batches *b, struct bench_row *row)
{
    double price = 0;
    snprintf(row->note, sizeof row->note, "%.5f", b->estimate[0].mean);
    bench_fact_number(row, "price", b->estimate[0].mean);
    if (b->totals.deals == b->deals && last_price(b, &price) && price == b->estimate[0].mean) return;
    bench_fail(row, "the last of %llu prices is %.17g, of the run alone %.17g",
               (unsigned long long)b->totals.deals, price, b->estimate[0].mean);
}

static unsigned workers_of(size_t index) { return 1u << index; }

static int name_row(const struct bench *bench, size_t index, char *name)
{
    const struct batches *b = (const struct batches *)bench;
    snprintf(name, BENCH_NAME, "batch/basket/workers%u/%s", workers_of(index),
             option_precision(b->precision));
    return workers_of(index) <= MOST_WORKERS;
}

static void run_row(struct bench *bench, size_t index, struct bench_row *row)
{
    struct batches *b = (struct batches *)bench;
    struct bench_timed timed[2] = {{.queue = run_batch, .user = b}, {.queue = run_deals, .user = b}};
    row->unit = "deals/s";
    row->of = "runs alone";
    row->count = b->deals * b->paths;
    b->request.workers = workers_of(index);
    bench_fact_number(row, "deals", (double)b->deals);
    bench_fact_number(row, "workers", b->request.workers);
    if (bench_trouble(row, bench_time(b->base.context, &b->base.settings, timed, 2, NULL, NULL), "")) return;
    bench_figures(row, timed, 1, (double)b->deals);
    bench_fact_number(row, "microseconds_beside_runs",
                      1e6 * (b->totals.seconds - b->totals.run_seconds / b->request.workers) /
                          (double)b->deals);
    check_price(b, row);
}

static void begin_rows(struct bench *bench)
{
    const struct batches *b = (const struct batches *)bench;
    char heading[200];
    snprintf(heading, sizeof heading,
             "%s deals, Asian calls on 3 correlated assets, 24 fixings, %s paths each", cli_count(b->deals),
             cli_count(b->paths));
    bench_heading(bench, heading);
}

static const struct bench_table table = {"batch", NULL, BENCH_BATCHES, name_row, run_row, begin_rows};

/* ---- The command ---- */

static int make_folder(struct batches *b)
{
    const char *where = getenv("TMPDIR");
    snprintf(b->folder, sizeof b->folder, "%s/bailey-bench-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(b->folder)) return cli_error(CLI_FAILED, "cannot make a folder %s", b->folder);
    snprintf(b->input, sizeof b->input, "%s/deals.json", b->folder);
    snprintf(b->output, sizeof b->output, "%s/prices.jsonl", b->folder);
    return CLI_OK;
}

static int run_in_folder(const struct arguments *a, struct batches *b)
{
    int code = write_deals(b);
    if (!code) code = cli_check(make_simulation(b), "the simulation");
    if (!code) code = bench_tables(&b->base, a, H_WHAT, &table, 1);
    if (!code) code = bench_run(&b->base);
    bailey_simulation_destroy(b->simulation);
    unlink(b->input);
    unlink(b->output);
    rmdir(b->folder);
    return code;
}

static int read_options(const struct arguments *a, struct batches *b)
{
    const int quick = b->base.quick, cpu = b->base.device.kind == BAILEY_DEVICE_KIND_CPU;
    b->base.settings.batch_seconds = 0;
    b->deals = quick ? 20 : cpu ? 100 : 10000;
    b->paths = quick ? 100 : cpu ? 10000 : 100000;
    b->request = (struct batch_request){
        .input = b->input, .output = b->output, .part = {0, 1}, .simulations = 16, .contexts = b->contexts};
    int code;
    if ((code = option_u64(a, DEALS, 1, UINT64_C(10000000), &b->deals)) ||
        (code = option_u64(a, PATHS, 2, BAILEY_BRIDGE_MAX_PATHS, &b->paths)) ||
        (code = option_choice(a, PRECISION, option_words("normal_params", "precision"), &b->precision)))
        return code;
    return option_choice(a, NUMERICS, option_words("normal_params", "numerics"), &b->numerics);
}

static int open_workers(const struct arguments *a, struct batches *b)
{
    int code = bench_open(&b->base, a, QUICK, 5);
    b->contexts[0] = b->base.context;
    for (int i = 1; i < MOST_WORKERS && !code; i++)
        code = open_device(a, a->value[DEVICE], &b->contexts[i], &b->base.device);
    return code;
}

static int run(const struct arguments *a)
{
    static struct batches b;
    memset(&b, 0, sizeof b);
    b.base.report = (struct bench_report){.count_name = "paths", .note_name = "PRICE", .unit_width = 7};
    int code = open_workers(a, &b);
    if (!code) code = read_options(a, &b);
    if (!code) code = make_folder(&b);
    if (!code) code = run_in_folder(a, &b);
    for (int i = 1; i < MOST_WORKERS; i++) bailey_context_destroy(b.contexts[i]);
    bench_close(&b.base);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_batch = {
    .name = "bench batch",
    .summary = "measure deals per second of 'bailey batch'",
    .usage = "[--deals N] [--paths P] [options]",
    .about =
        "Times 'bailey batch' on a file of baskets, from reading the first byte to writing the last, with 1, 2\n"
        "and 4 workers, against the same runs without files. The last price must have the same bits as that\n"
        "of its run; exit code 1 if it has not.",
    .examples =
        "  bailey bench batch --device cuda\n"
        "  bailey bench batch --paths 1000 --deals 20000 --device cuda --json\n"
        "\n"
        "Columns:\n"
        "  VALUE, MS: deals per second of the median batch, and the time of one batch.\n"
        "  RATIO, OF: VALUE divided by that of the runs alone, one after another, without reading or writing.\n"
        "  PRICE: the price of the last deal.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
