/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the benchmarks share: their last options, the device, timing of calls that take turns, rows, and their
 * output as a table or JSON.
 */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <cli/options/options.h>

#include <bailey/advanced.h>

#define BENCH_MAX_REPEAT 99
#define BENCH_MAX_SUBJECTS 3

/* What is so slow that its batches take this many seconds together is measured with fewer of them. */
#define BENCH_PATIENCE 20.0

struct bench_settings {
    uint64_t repeat;      /* batches of each subject, at most BENCH_MAX_REPEAT */
    double batch_seconds; /* that a batch takes at least; 0: one call */
};

/* Something that is timed: `queue` queues one call, or makes it. */
struct bench_subject {
    bailey_status (*queue)(void *user);
    void *user;
    uint64_t calls; /* a batch */
    uint64_t batches;
    double median, least, most; /* seconds a call */
    double each[BENCH_MAX_REPEAT];
};

/* Times subjects that take turns, batch by batch, after a batch that warms up and one or more that find how
 * many calls a batch needs. `prepare` (may be NULL) is called after those, before the first timed batch. */
bailey_status bench_time(bailey_context *context, const struct bench_settings *settings,
                         struct bench_subject *subjects, size_t count, bailey_status (*prepare)(void *user),
                         void *user);

/* Seconds of the processor that this process has used, of all threads. */
double bench_processor_seconds(void);

/* A fact of a row that only the JSON shows. */
struct bench_fact {
    const char *key, *text; /* text NULL: a number */
    double number;
};

enum bench_state { BENCH_MEASURED, BENCH_SKIPPED, BENCH_FAILED };

struct bench_row {
    char name[64];
    enum bench_state state;
    char reason[400];          /* why it was not measured, or what is wrong */
    double value, least, most; /* `least` and `most` of the batches */
    const char *unit;          /* "GB/s" */
    double reference;          /* what `of` reached in the same run */
    double ratio;              /* value to reference */
    const char *of;            /* "device copy" */
    double shape_ratio;        /* to a pure copy of the same shape; 0: there is none */
    double seconds;            /* of a call */
    uint64_t count;            /* what a call makes */
    bailey_kernel_info kernel; /* zero where the platform does not tell */
    char note[48];             /* at the end of the table's line */
    struct bench_fact fact[12];
    size_t facts;
};

void bench_fact_number(struct bench_row *row, const char *key, double number);
void bench_fact_text(struct bench_row *row, const char *key, const char *text); /* `text` must live on */

/* The figures of subjects[0], which makes `amount` units of the row per call, and its ratio to
 * subjects[rival]. */
void bench_figures(struct bench_row *row, const struct bench_subject *subjects, size_t rival, double amount);

/* Element `index` of floats (element 4) or doubles (8). */
double bench_real(const void *array, uint64_t index, size_t element);

/* Marks the row as skipped (ERROR_UNSUPPORTED) or failed, with the library's words; false for OK. */
int bench_trouble(struct bench_row *row, bailey_status status, const char *what);

/* Marks the row as failed, and says what is wrong; or as not measured, and why. */
void bench_fail(struct bench_row *row, const char *format, ...) CLI_PRINTF(2, 3);
void bench_skip(struct bench_row *row, const char *why);

struct bench_report {
    const char *count_name; /* "paths" */
    const char *note_name;  /* heading of the notes, instead of the columns about kernels; NULL: those */
    int unit_width;         /* of the longest unit; 0: 4 */
    int as_json;
    struct document *json; /* NULL without memory, or as a table */
    struct cli_progress progress;
    uint64_t done, total; /* measurements */
    unsigned failed;
    char first_failed[64];
};

/* ---- A benchmark ---- */

/* The options that tables end with. --quick says which sizes are small, --repeat what its default is. */
#define BENCH_LAST_NAMES QUICK, H_HOW, REPEAT, JSON, H_WHERE, DEVICE, THREADS
#define BENCH_QUICK(sizes)                                                                                   \
    OPTION("--quick", NULL, sizes " and single calls: figures that mean nothing, but every kind of row")
#define BENCH_REPEAT(most)                                                                                   \
    OPTION("--repeat", "R",                                                                                  \
           "batches of each thing measured, of which the median counts; 1 to 99, default " most)
#define BENCH_JSON OPTION("--json", NULL, "the rows as JSON")
#define BENCH_WHERE                                                                                          \
    HEADING("Where it runs:"), OPTION("--device", "D", OPTION_DEVICE_HELP), THREADS_OPTION, OPTIONS_END
#define BENCH_LAST_OPTIONS(quick, repeat) quick, HEADING("How:"), repeat, BENCH_JSON, BENCH_WHERE

/* Set by those options; the other members of `report` are the command's. */
struct bench {
    bailey_context *context;
    bailey_device device;
    struct bench_settings settings;
    struct bench_report report;
    int quick;
};

/* Reads those options, from number `first`, and opens the device. Returns an exit code; bench_close in any
 * case. */
int bench_open(struct bench *bench, const struct arguments *arguments, int first, uint64_t repeat);
void bench_close(struct bench *bench);

/* Begins the report. `total` is for the progress bar, which bench_step moves. */
void bench_begin(struct bench *bench, uint64_t total);
void bench_step(struct bench *bench);
void bench_heading(struct bench *bench, const char *text);
void bench_row(struct bench *bench, const struct bench_row *row);

/* Ends the report; an exit code: CLI_FAILED if a row failed. */
int bench_end(struct bench *bench);

/* The commands, a file each (cmd_bench_*.c). */
extern const struct command command_bench_batch, command_bench_bridge, command_bench_mlmc,
    command_bench_motion, command_bench_normal, command_bench_points, command_bench_quality,
    command_bench_random, command_bench_simulate;

#endif
