/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How a benchmark runs: it opens its device, times alternating batches of calls, so that whatever else the
 * machine does affects all of them alike, takes medians, and prints rows.
 */
#include "bench.h"
#include "bench_peers.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Options and the device ---- */

enum last_option { BENCH_LAST_NAMES };

int bench_open(struct bench *bench, const struct arguments *a, int first, uint64_t repeat)
{
    bench->quick = a->value[first + QUICK] != NULL;
    bench->settings = (struct bench_settings){.repeat = bench->quick ? 1 : repeat,
                                              .batch_seconds = bench->quick ? 0 : 0.01};
    bench->report.as_json = a->value[first + JSON] != NULL;
    const int code = option_u64(a, first + REPEAT, 1, BENCH_MAX_REPEAT, &bench->settings.repeat);
    return code ? code : open_device(a, a->value[first + DEVICE], &bench->context, &bench->device);
}

void bench_close(struct bench *bench)
{
    bench_peers_close();
    bailey_context_destroy(bench->context);
}

/* ---- Timing ---- */

static bailey_status batch(bailey_context *context, struct bench_timed *subject, double *seconds)
{
    const double begun = cli_seconds();
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < subject->calls && status == BAILEY_OK; i++)
        status = subject->queue(subject->user);
    if (status == BAILEY_OK) status = bailey_context_sync(context);
    *seconds = cli_seconds() - begun;
    return status;
}

/* A single call includes the wait for the device, which may be longer than the call: the number of calls
 * grows until a batch is long enough to tell. */
static bailey_status calibrate(bailey_context *context, const struct bench_settings *settings,
                               struct bench_timed *subject)
{
    double seconds;
    subject->calls = 1;
    bailey_status status = batch(context, subject, &seconds); /* warms up: compiles, touches memory */
    if (status == BAILEY_OK && settings->batch_seconds > 0) status = batch(context, subject, &seconds);
    while (status == BAILEY_OK && seconds < settings->batch_seconds && subject->calls < 1000000) {
        const double wanted = 1.1 * settings->batch_seconds / seconds;
        subject->calls *= (uint64_t)ceil(wanted < 16 ? wanted : 16);
        status = batch(context, subject, &seconds);
    }
    return status;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(struct bench_timed *subject)
{
    const size_t count = (size_t)subject->batches;
    qsort(subject->each, count, sizeof *subject->each, ascending);
    subject->least = subject->each[0];
    subject->most = subject->each[count - 1];
    subject->median = (subject->each[(count - 1) / 2] + subject->each[count / 2]) / 2;
}

bailey_status bench_time(bailey_context *context, const struct bench_settings *settings,
                         struct bench_timed *timed, size_t count, bailey_status (*prepare)(void *user),
                         void *user)
{
    bailey_status status = BAILEY_OK;
    for (size_t i = 0; i < count && status == BAILEY_OK; i++)
        status = calibrate(context, settings, &timed[i]);
    if (status == BAILEY_OK && prepare) status = prepare(user);
    if (status == BAILEY_OK) status = bailey_context_sync(context);
    const double begun = cli_seconds();
    for (uint64_t round = 0; round < settings->repeat && status == BAILEY_OK; round++) {
        if (round && cli_seconds() - begun > BENCH_PATIENCE) break;
        for (size_t i = 0; i < count && status == BAILEY_OK; i++) {
            /* each in turn is the first of a round */
            struct bench_timed *subject = &timed[(round + i) % count];
            double seconds;
            status = batch(context, subject, &seconds);
            subject->each[round] = seconds / (double)subject->calls;
            subject->batches = round + 1;
        }
    }
    for (size_t i = 0; i < count && status == BAILEY_OK; i++) summarise(&timed[i]);
    return status;
}

double bench_processor_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* ---- Rows ---- */

void bench_fact_number(struct bench_row *row, const char *key, double number)
{
    if (row->facts < sizeof row->fact / sizeof *row->fact)
        row->fact[row->facts++] = (struct bench_fact){.key = key, .number = number};
}

void bench_fact_text(struct bench_row *row, const char *key, const char *text)
{
    if (row->facts < sizeof row->fact / sizeof *row->fact)
        row->fact[row->facts++] = (struct bench_fact){.key = key, .text = text};
}

void bench_figures(struct bench_row *row, const struct bench_timed *timed, size_t rival, double amount)
{
    row->seconds = timed[0].median;
    row->value = amount / timed[0].median;
    row->least = amount / timed[0].most;
    row->most = amount / timed[0].least;
    row->reference = amount / timed[rival].median;
    row->ratio = timed[rival].median / timed[0].median;
    bench_fact_number(row, "calls", (double)timed[0].calls);
    bench_fact_number(row, "batches", (double)timed[0].batches);
}

double bench_real(const void *array, uint64_t index, size_t element)
{
    double twice;
    float single;
    if (element == sizeof twice) {
        memcpy(&twice, (const char *)array + index * element, element);
        return twice;
    }
    memcpy(&single, (const char *)array + index * element, element);
    return (double)single;
}

int bench_trouble(struct bench_row *row, bailey_status status, const char *what)
{
    if (status == BAILEY_OK) return 0;
    /* without memory of our own there is no text of the library */
    const char *text = status == BAILEY_ERROR_MEMORY ? "" : bailey_error_message();
    row->state = status == BAILEY_ERROR_UNSUPPORTED ? BENCH_SKIPPED : BENCH_FAILED;
    snprintf(row->reason, sizeof row->reason, "%s%s%s", what, *what ? ": " : "",
             *text ? text : bailey_status_message(status));
    return 1;
}

void bench_fail(struct bench_row *row, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    row->state = BENCH_FAILED;
    vsnprintf(row->reason, sizeof row->reason, format, values);
    va_end(values);
}

void bench_skip(struct bench_row *row, const char *why)
{
    row->state = BENCH_SKIPPED;
    snprintf(row->reason, sizeof row->reason, "%s", why);
}

/* ---- Output ---- */

static void begin(struct bench *bench, uint64_t total)
{
    struct bench_report *report = &bench->report;
    report->total = total;
    if (report->as_json) {
        struct document *head = document_new();
        document_text(head, "version", bailey_version());
        document_text(head, "device", bench->device.address);
        document_text(head, "device_name", bench->device.name);
        document_text(head, "driver", bench->device.driver);
        document_count(head, "repeat", bench->settings.repeat);
        document_number(head, "batch_seconds", bench->settings.batch_seconds);
        document_open(head, "rows", '[');
        report->code = bench_json_begin(head);
        document_free(head);
    } else {
        printf("device %s: %s", bench->device.address, cli_printable(bench->device.name));
        printf(", %s\n", cli_printable(bench->device.driver));
        fflush(stdout);
    }
    cli_progress_start(&report->progress, "measuring");
}

static int unit_width(const struct bench_report *report)
{
    return report->unit_width ? report->unit_width : 4;
}

void bench_heading(struct bench *bench, const char *text)
{
    struct bench_report *report = &bench->report;
    if (report->as_json) return;
    cli_progress_end(&report->progress);
    char count[16] = "";
    for (size_t i = 0; report->count_name[i] && i + 1 < sizeof count; i++)
        count[i] = (char)toupper((unsigned char)report->count_name[i]);
    printf("\n%s\n%-36s %13s %*s %10s %7s %-11s", text, "NAME", count, 11 + unit_width(report), "VALUE", "MS",
           "RATIO", "OF");
    if (report->note_name)
        printf("  %s\n", report->note_name);
    else
        printf(" %6s %5s %6s %6s\n", "SHAPE", "REGS", "OCCUP", "SPILL");
    fflush(stdout);
}

/* `text` right-aligned, "-" where the platform does not tell. */
static void column(int width, int known, const char *format, double value)
{
    char text[32] = "-";
    if (known) snprintf(text, sizeof text, format, value);
    printf(" %*s", width, text);
}

static void print_line(const struct bench_report *report, const struct bench_row *row)
{
    const bailey_kernel_info *k = &row->kernel;
    printf("%-36s", row->name);
    if (row->state != BENCH_MEASURED) {
        printf(" %s: %.160s\n", row->state == BENCH_FAILED ? "FAILED" : "not measured",
               cli_printable(row->reason));
        return;
    }
    const int over = (int)strlen(row->name) - 36; /* a longer name takes of the next column */
    const int width = over < 0 ? 13 : over < 13 ? 13 - over : 0;
    printf(" %*s %10.*f %-*s %10.3f %7.3f %-11s", width, cli_count(row->count), row->value < 10 ? 3 : 1,
           row->value, unit_width(report), row->unit, 1e3 * row->seconds, row->ratio, row->of);
    if (!report->note_name) {
        column(6, row->shape_ratio > 0, "%.3f", row->shape_ratio);
        column(5, k->registers > 0, "%.0f", k->registers);
        column(6, k->occupancy > 0, "%.0f %%", 100 * k->occupancy);
        column(6, k->registers > 0, "%.0f", k->spill_bytes);
    }
    printf("%s%s\n", *row->note ? "  " : "", row->note);
}

static void add_kernel(struct document *json, const bailey_kernel_info *kernel)
{
    if (kernel->registers > 0) {
        document_count(json, "registers", kernel->registers);
        document_count(json, "spill_bytes", kernel->spill_bytes);
        document_count(json, "shared_bytes", kernel->shared_bytes);
    }
    if (kernel->block > 0) document_count(json, "block", kernel->block);
    if (kernel->occupancy > 0) document_number(json, "occupancy", kernel->occupancy);
}

static void add_row(struct document *json, const struct bench_row *row, const char *count_name)
{
    const int measured = row->state == BENCH_MEASURED;
    document_text(json, "name", row->name);
    document_number(json, "value", measured ? row->value : NAN);
    document_text(json, "unit", row->unit ? row->unit : "");
    document_number(json, "ratio", measured ? row->ratio : NAN);
    document_text(json, "of", row->of ? row->of : "");
    if (measured) {
        document_number(json, "least", row->least);
        document_number(json, "most", row->most);
        document_number(json, "reference", row->reference);
        if (row->shape_ratio > 0) document_number(json, "shape_ratio", row->shape_ratio);
        document_number(json, "seconds", row->seconds);
        document_count(json, count_name, row->count);
        add_kernel(json, &row->kernel);
    } else {
        document_text(json, row->state == BENCH_FAILED ? "error" : "reason", row->reason);
    }
    for (size_t i = 0; i < row->facts; i++) {
        if (row->fact[i].text)
            document_text(json, row->fact[i].key, row->fact[i].text);
        else
            document_number(json, row->fact[i].key, row->fact[i].number);
    }
}

void bench_row(struct bench *bench, const struct bench_row *row)
{
    struct bench_report *report = &bench->report;
    cli_progress_end(&report->progress);
    if (row->state == BENCH_FAILED && !report->failed++)
        snprintf(report->first_failed, sizeof report->first_failed, "%s", row->name);
    if (report->as_json) {
        struct document *json = document_new();
        add_row(json, row, report->count_name);
        if (bench_json_row(json)) report->code = CLI_FAILED;
        document_free(json);
    } else {
        print_line(report, row);
        fflush(stdout);
    }
}

static int finish(struct bench *bench)
{
    struct bench_report *report = &bench->report;
    cli_progress_end(&report->progress);
    if (report->as_json)
        bench_json_end();
    else if (bench->summary)
        bench->summary(bench);
    if (!report->failed) return report->code;
    return cli_error(CLI_FAILED, "%u row%s failed, first: %s", report->failed, report->failed == 1 ? "" : "s",
                     report->first_failed);
}

/* ---- Tables ---- */

int bench_tables(struct bench *bench, const struct arguments *a, int option, const struct bench_table *tables,
                 size_t count)
{
    const char *names[BENCH_MAX_TABLES + 1] = {NULL};
    bench->tables = tables;
    bench->count = count;
    for (size_t t = 0; t < count; t++) {
        names[t] = tables[t].name;
        bench->wanted[t] = !a->value[option];
    }
    return option_list_choice(a, option, names, bench->wanted);
}

/* Case `index` of the table, or the next that is needed; false beyond the last. */
static int next_case(const struct bench *bench, size_t *index, struct bench_row *row)
{
    memset(row, 0, sizeof *row);
    for (; bench->tables[bench->table].name_case(bench, *index, row->name); ++*index)
        if (*row->name && (!bench->only || strstr(row->name, bench->only))) return 1;
    return 0;
}

enum bench_subject bench_subject_of(const struct bench *bench) { return bench->tables[bench->table].subject; }

uint64_t bench_count(struct bench *bench, size_t table)
{
    struct bench_row row;
    uint64_t count = 0;
    bench->table = table;
    for (size_t i = 0; next_case(bench, &i, &row); i++) count++;
    return count;
}

static void run_table(struct bench *bench)
{
    const struct bench_table *table = &bench->tables[bench->table];
    struct bench_report *report = &bench->report;
    struct bench_row row;
    if (table->heading) bench_heading(bench, table->heading);
    if (table->begin) table->begin(bench);
    for (size_t i = 0; next_case(bench, &i, &row); i++) {
        table->measure(bench, i, &row);
        cli_progress_update(&report->progress, ++report->done, report->total);
        if (*row.name) bench_row(bench, &row);
    }
}

int bench_run(struct bench *bench)
{
    const struct bench_settings usual = bench->settings;
    uint64_t total = 0;
    for (size_t t = 0; t < bench->count; t++) total += bench->wanted[t] ? bench_count(bench, t) : 0;
    begin(bench, total);
    for (bench->table = 0; bench->table < bench->count; bench->table++) {
        if (bench->wanted[bench->table]) run_table(bench);
        bench->settings = usual;
    }
    return finish(bench);
}
