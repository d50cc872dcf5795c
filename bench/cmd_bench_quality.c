/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench quality: how good normals are, as bailey_normals_generate writes them. A buffer is filled
 * again and again, one part of the sequence after the other; each fill is counted where it lies.
 */
#include "bench.h"
#include "normal_quality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum {
    H_WHAT, GENERATORS, METHODS, NUMERICS, PRECISIONS, SEED, COUNT, QUICK, PLANT,
    H_HOW, FILL, JSON,
    H_WHERE, DEVICE, THREADS
};
/* clang-format on */

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--generators", "A,B,...",
           "generators; all combinations with the options below are judged; default philox"),
    OPTION("--methods", "A,B,...", "any of icdf, box-muller, wallace; default icdf"),
    OPTION("--numerics", "A,B", "exact, fast; default exact"),
    OPTION("--precisions", "A,B",
           "f32, f64; default f32. Without any of these four options: the rows of docs/records/quality.md"),
    OPTION("--seed", "N", "seed; default 1"),
    OPTION("--count-log2", "N", "2^N normals per row; 20 to 44, default 36"),
    OPTION("--quick", NULL, "2^20 normals per row: too few to see much"),
    OPTION("--plant", "P",
           "spoil the numbers, so that 2^24 of them must fail: mean, variance, tail or serial"),
    HEADING("How:"),
    OPTION("--fill-log2", "N", "2^N normals at a time, 17 to 31; default 30 at most, on a CPU 22"),
    BENCH_JSON,
    BENCH_WHERE,
};

static const char *const plants[] = {"none", "mean", "variance", "tail", "serial", NULL};

enum { GENERATORS_MAX = 64, CHOICES_MAX = 8 };

struct row {
    bailey_generator generator;
    bailey_normal_params normal;
    uint64_t values;
    double seconds;
    quality_result result;
};

struct run {
    bailey_context *context;
    bailey_device device;
    uint64_t seed, count_log2, fill_log2; /* fill_log2 0: what suits the device */
    int plant;
    struct row *rows;
    size_t count;
    int wrong; /* rows that fail, or that device and host count differently */
    int as_json;
};

/* ---- Rows ---- */

static const struct row usual[] = {
#define USUAL(from, how, numbers, width)                                                                     \
    {                                                                                                        \
        .generator = BAILEY_GENERATOR_##from,                                                                \
        .normal = {BAILEY_NORMAL_METHOD_##how, BAILEY_PRECISION_##width, BAILEY_NUMERICS_##numbers},         \
    }
    USUAL(PHILOX, ICDF, EXACT, F32),       USUAL(WARP, BOX_MULLER, EXACT, F32),
    USUAL(WARP, BOX_MULLER, FAST, F32),    USUAL(PHILOX, ICDF, EXACT, F64),
    USUAL(PHILOX, BOX_MULLER, EXACT, F64), USUAL(PHILOX, WALLACE, EXACT, F32),
#undef USUAL
};

static int possible(bailey_generator generator, const bailey_normal_params *normal)
{
    const int f64 = normal->precision == BAILEY_PRECISION_F64,
              fast = normal->numerics == BAILEY_NUMERICS_FAST;
    if (f64 && fast) return 0;
    return normal->method != BAILEY_NORMAL_METHOD_WALLACE ||
           (!f64 && !fast && generator == BAILEY_GENERATOR_PHILOX);
}

struct choices {
    int generators[GENERATORS_MAX], methods[CHOICES_MAX], numerics[2], precisions[2];
};

/* All combinations, or their number where `rows` is NULL. */
static size_t combine(const struct choices *c, struct row *rows)
{
    size_t count = 0;
    for (int i = 0; i < 4 * CHOICES_MAX * GENERATORS_MAX; i++) {
        const int g = i % GENERATORS_MAX, m = i / GENERATORS_MAX % CHOICES_MAX;
        const int n = i / GENERATORS_MAX / CHOICES_MAX % 2, p = i / GENERATORS_MAX / CHOICES_MAX / 2;
        const bailey_normal_params normal = {.method = (bailey_normal_method)m,
                                             .precision = (bailey_precision)p,
                                             .numerics = (bailey_numerics)n};
        if (!c->generators[g] || !c->methods[m] || !c->numerics[n] || !c->precisions[p]) continue;
        if (!possible((bailey_generator)g, &normal)) continue;
        if (rows) rows[count] = (struct row){.generator = (bailey_generator)g, .normal = normal};
        count++;
    }
    return count;
}

static int read_rows(const struct arguments *a, struct run *run)
{
    struct choices c = {
        {!a->value[GENERATORS]}, {!a->value[METHODS]}, {!a->value[NUMERICS]}, {!a->value[PRECISIONS]}};
    const int chosen =
        a->value[GENERATORS] || a->value[METHODS] || a->value[NUMERICS] || a->value[PRECISIONS];
    int code;
    if ((code = option_list_choice(a, GENERATORS, option_words("source", "generator"), c.generators)) ||
        (code = option_list_choice(a, METHODS, option_words("normal_params", "method"), c.methods)) ||
        (code = option_list_choice(a, NUMERICS, option_words("normal_params", "numerics"), c.numerics)) ||
        (code = option_list_choice(a, PRECISIONS, option_words("normal_params", "precision"), c.precisions)))
        return code;
    run->count = chosen ? combine(&c, NULL) : sizeof usual / sizeof *usual;
    if (!run->count) return cli_error(CLI_USAGE, "the library has none of these normals");
    run->rows = malloc(run->count * sizeof *run->rows);
    if (!run->rows) return cli_memory_error("the rows", run->count * sizeof *run->rows);
    if (chosen)
        combine(&c, run->rows);
    else
        memcpy(run->rows, usual, sizeof usual);
    return CLI_OK;
}

/* ---- One row ---- */

static uint64_t fill_of(const struct run *run, bailey_precision precision)
{
    const uint64_t element = precision == BAILEY_PRECISION_F64 ? 8 : 4;
    uint64_t log2 = run->fill_log2, most = run->device.memory_bytes / 4;
    if (!log2) {
        if (run->device.allocation_bytes && run->device.allocation_bytes < most)
            most = run->device.allocation_bytes;
        log2 = run->device.kind == BAILEY_DEVICE_KIND_CPU ? 22 : element == 8 ? 29 : 30;
        while (log2 > 22 && most && (element << log2) > most) log2--;
    }
    return UINT64_C(1) << (log2 < run->count_log2 ? log2 : run->count_log2);
}

static bailey_status count_row(struct run *run, struct row *row, struct quality_counter *counter,
                               uint64_t fill, int *same)
{
    const bailey_source source = {.seed = run->seed, .generator = row->generator};
    const uint64_t total = UINT64_C(1) << run->count_log2;
    struct cli_progress progress;
    bailey_status status = BAILEY_OK;
    cli_progress_start(&progress, "counting");
    for (uint64_t first = 0; first < total && status == BAILEY_OK; first += fill) {
        status = bailey_normals_generate(run->context, &source, &row->normal, first, fill + QUALITY_HALO,
                                         quality_buffer(counter), 0);
        if (status == BAILEY_OK && first == 0) status = quality_check(counter, same);
        if (status == BAILEY_OK) status = quality_count(counter);
        cli_progress_update(&progress, (first + fill) >> 17, total >> 17);
    }
    cli_progress_end(&progress);
    return status;
}

static int run_row(struct run *run, struct row *row)
{
    static quality_totals totals;
    const uint64_t fill = fill_of(run, row->normal.precision);
    const double begun = cli_seconds();
    struct quality_counter *counter;
    int same = 1;
    bailey_status status = quality_create(run->context, row->normal.precision, run->plant, fill, &counter);
    if (status == BAILEY_OK) status = count_row(run, row, counter, fill, &same);
    if (status == BAILEY_OK) {
        quality_finish(counter, &totals);
        quality_judge(&totals, &row->normal, &row->result);
        row->values = totals.values;
    }
    quality_destroy(counter);
    row->seconds = cli_seconds() - begun;
    if (!same) cli_error(CLI_FAILED, "the device and the host count the first values differently");
    run->wrong += !same || row->result.fails;
    return cli_check(status, "counting normals");
}

/* ---- Reports ---- */

static const char *title(const struct row *row)
{
    static char text[80];
    snprintf(text, sizeof text, "%s:%s:%s:%s", bailey_generator_name(row->generator),
             option_word_of("normal_params", "method", row->normal.method),
             option_word_of("normal_params", "numerics", row->normal.numerics),
             option_precision(row->normal.precision));
    return text;
}

static int begins(const quality_statistic *s, const char *with)
{
    return !strncmp(s->name, with, strlen(with));
}

/* The one with the smallest p of those whose names begin so. */
static const quality_statistic *largest(const quality_result *x, const char *with)
{
    const quality_statistic *most = NULL;
    for (size_t i = 0; i < x->count; i++)
        if (begins(&x->all[i], with) && (!most || x->all[i].p < most->p)) most = &x->all[i];
    return most;
}

static void print_statistic(const quality_statistic *s, const char *more)
{
    char z[24] = "";
    if (!isnan(s->z)) snprintf(z, sizeof z, "%.2f", s->z);
    printf("  %-28s %18.10g %18.10g %9s %11.3g%s%s\n", s->name, s->observed, s->expected, z, s->p,
           s->known ? "  known" : "", more);
}

static void print_row(const struct row *row)
{
    const quality_result *x = &row->result;
    char more[40];
    printf("%s: %s normals, %.1f s\n  %-28s %18s %18s %9s %11s\n", title(row), cli_count(row->values),
           row->seconds, "statistic", "observed", "expected", "z", "p");
    for (size_t i = 0; i < x->count; i++)
        if (!begins(&x->all[i], "values, ") && !begins(&x->all[i], "squares, "))
            print_statistic(&x->all[i], "");
    snprintf(more, sizeof more, "  largest of %d", QUALITY_LAGS);
    print_statistic(largest(x, "values, "), more);
    print_statistic(largest(x, "squares, "), more);
    if (x->shift > 0)
        printf(
            "  the law of the words shifts chi-square by %.2g standard deviations, which doubles a p-value "
            "below %.2g\n",
            x->shift, normal_quality_p(log(2) / x->shift));
    printf("  smallest p of %zu: %.3g (%s); the chance of one as small: %.3g\n  %s\n\n", x->count,
           x->all[x->worst].p, x->all[x->worst].name, x->corrected, x->verdict);
    fflush(stdout);
}

static int put_object(const struct row *row)
{
    const quality_result *x = &row->result;
    struct document *json = document_new();
    document_text(json, "name", title(row));
    document_count(json, "count", row->values);
    document_number(json, "seconds", row->seconds);
    document_number(json, "chi_square_shift", x->shift);
    document_number(json, "smallest_p", x->all[x->worst].p);
    document_number(json, "corrected_p", x->corrected);
    document_text(json, "verdict", x->verdict);
    document_open(json, "statistics", '[');
    for (size_t i = 0; i < x->count; i++) {
        document_open(json, NULL, '{');
        document_text(json, "name", x->all[i].name);
        document_number(json, "observed", x->all[i].observed);
        document_number(json, "expected", x->all[i].expected);
        document_number(json, "z", x->all[i].z);
        document_number(json, "p", x->all[i].p);
        document_close(json);
    }
    document_close(json);
    const int code = bench_json_row(json);
    document_free(json);
    return code;
}

/* One line per row, for docs/records/quality.md. */
static void print_summary(const struct run *run)
{
    printf(
        "| generator, method, numerics, precision | normals | chi-square, z | A^2, p | largest moment, z | "
        "beyond -6; 6: found (expected) | lags: values; squares, largest z of %d | smallest p of %zu | |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        QUALITY_LAGS, run->rows[0].result.count);
    for (size_t i = 0; i < run->count; i++) {
        const quality_result *x = &run->rows[i].result;
        const quality_statistic *a = largest(x, "Anderson"), *moment = largest(x, "moment "),
                                *low = largest(x, "tail <= -6"), *high = largest(x, "tail >= 6");
        for (size_t k = 0; k < x->count; k++) {
            if (!strcmp(x->all[k].name, "tail <= -6")) low = &x->all[k];
            if (!strcmp(x->all[k].name, "tail >= 6")) high = &x->all[k];
        }
        printf("| %s | 2^%g | %.2f | %.2f, %.3f | %s: %.2f | %.0f; %.0f (%.1f) | %.2f; %.2f | %.2g | %s |\n",
               title(&run->rows[i]), log2((double)run->rows[i].values), largest(x, "chi-square")->z,
               a->observed, a->p, moment->name + strlen("moment "), moment->z, low->observed, high->observed,
               high->expected, largest(x, "values, ")->z, largest(x, "squares, ")->z, x->all[x->worst].p,
               x->verdict);
    }
}

/* ---- The command ---- */

static int begin_json(const struct run *run)
{
    struct document *head = document_new();
    document_text(head, "device", run->device.name);
    document_count(head, "seed", run->seed);
    document_open(head, "rows", '[');
    const int code = bench_json_begin(head);
    document_free(head);
    return code;
}

static int run_rows(struct run *run)
{
    int code = run->as_json ? begin_json(run) : CLI_OK;
    if (!run->as_json)
        printf("%s, seed %llu\n\n", cli_printable(run->device.name), (unsigned long long)run->seed);
    for (size_t i = 0; i < run->count && !code; i++) {
        code = run_row(run, &run->rows[i]);
        if (!code && run->as_json) code = put_object(&run->rows[i]);
        if (!code && !run->as_json) print_row(&run->rows[i]);
    }
    if (run->as_json)
        bench_json_end();
    else if (!code)
        print_summary(run);
    if (code || !run->wrong) return code;
    return cli_error(CLI_FAILED, "%d of %zu rows fail", run->wrong, run->count);
}

static int run(const struct arguments *a)
{
    struct run run = {.seed = 1, .count_log2 = a->value[QUICK] ? 20 : 36, .as_json = a->value[JSON] != NULL};
    int code;
    if ((code = option_u64(a, SEED, 0, UINT64_MAX, &run.seed)) ||
        (code = option_u64(a, COUNT, 20, 44, &run.count_log2)) ||
        (code = option_u64(a, FILL, 17, 31, &run.fill_log2)) ||
        (code = option_choice(a, PLANT, plants, &run.plant)) || (code = read_rows(a, &run)))
        return code;
    code = open_device(a, a->value[DEVICE], &run.context, &run.device);
    if (!code) code = run_rows(&run);
    bailey_context_destroy(run.context);
    free(run.rows);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_quality = {
    .name = "bench quality",
    .summary = "count normals and judge how good they are",
    .usage = "[--generators A,B,...] [--methods A,B,...] [--count-log2 N] [options]",
    .about =
        "Counts normals on the device that makes them, and judges the counts: cells, moments, tails,\n"
        "correlations and sums of blocks, as docs/records/quality.md describes. Every device has the same\n"
        "counts and sums, bit for bit; the first ones are counted on the host too. Exit code 1 if a row fails.",
    .examples =
        "  bailey bench quality\n"
        "  bailey bench quality --generators philox7 --seed 2\n"
        "  bailey bench quality --methods box-muller --precisions f64 --json > quality.json\n",
    .options = options,
    .run = run,
};
/* clang-format on */
