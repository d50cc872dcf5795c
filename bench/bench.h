/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the benchmarks: their last options, the device, timing of alternating calls, rows,
 * and their output as a table or JSON.
 */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <cli/options/options.h>

#include <bailey/advanced.h>

struct document;

/* The subjects of measurements: results of the library and, where they make them, of its peers
 * (bench_peers.h). */
enum bench_subject {
    BENCH_WORDS,
    BENCH_UNIFORMS, /* of single precision */
    BENCH_NORMALS,
    BENCH_POINTS,
    BENCH_BASKET,    /* simulations: an Asian call on three assets; */
    BENCH_AVERAGE,   /* on one; */
    BENCH_SINGLE,    /* on one, of 64 steps, by a bridge; */
    BENCH_ASIAN_MAX, /* the two of GPU Gems 3 */
    BENCH_LOOKBACK_GARCH,
    BENCH_LEVELS, /* multilevel Monte Carlo */
    BENCH_MOTION,
    BENCH_BRIDGES,
    BENCH_BATCHES,
    BENCH_GRADIENTS,
    BENCH_COUNTS /* Poisson numbers, as integers */
};

#define BENCH_MAX_REPEAT 99
#define BENCH_MAX_TABLES 8
#define BENCH_NAME 64 /* bytes of a row's name */

/* Calls so slow that all batches would take longer than this many seconds are measured with fewer batches. */
#define BENCH_PATIENCE 20.0

struct bench_settings {
    uint64_t repeat;      /* batches of each thing, at most BENCH_MAX_REPEAT */
    double batch_seconds; /* that a batch takes at least; 0: one call */
};

/* Something that is timed: `queue` queues one call, or makes it. */
struct bench_timed {
    bailey_status (*queue)(void *user);
    void *user;
    uint64_t calls; /* a batch */
    uint64_t batches;
    double median, least, most; /* seconds a call */
    double each[BENCH_MAX_REPEAT];
};

/* Times things alternately, batch by batch, after a batch that warms up and one or more that find how many
 * calls a batch needs. `prepare` (may be NULL) is called after those, before the first timed batch. */
bailey_status bench_time(bailey_context *context, const struct bench_settings *settings,
                         struct bench_timed *timed, size_t count, bailey_status (*prepare)(void *user),
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
    char name[BENCH_NAME];
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
    char note[128];            /* at the end of the table's line */
    struct bench_fact fact[12];
    size_t facts;
};

void bench_fact_number(struct bench_row *row, const char *key, double number);
void bench_fact_text(struct bench_row *row, const char *key, const char *text); /* `text` must live on */

/* The figures of timed[0], which makes `amount` units of the row per call, and its ratio to
 * timed[rival]. */
void bench_figures(struct bench_row *row, const struct bench_timed *timed, size_t rival, double amount);

/* Element `index` of floats (element 4) or doubles (8). */
double bench_real(const void *array, uint64_t index, size_t element);

/* Marks the row as skipped (ERROR_UNSUPPORTED) or failed, with the library's message; false for OK. */
int bench_trouble(struct bench_row *row, bailey_status status, const char *what);

/* Marks the row as failed, and says what is wrong; or as not measured, and why. */
void bench_fail(struct bench_row *row, const char *format, ...) CLI_PRINTF(2, 3);
void bench_skip(struct bench_row *row, const char *why);

struct bench_report {
    const char *count_name; /* "paths" */
    const char *note_name;  /* title of the notes, instead of the columns about kernels; NULL: those */
    int unit_width;         /* of the longest unit; 0: 4 */
    int as_json;
    struct cli_progress progress;
    uint64_t done, total; /* measurements */
    int code;             /* of what is wrong with the report itself */
    unsigned failed;
    char first_failed[64];
};

/* ---- A benchmark ---- */

/* The options that tables end with. --quick says which sizes are small, --repeat what its default is. */
#define BENCH_LAST_NAMES QUICK, H_HOW, REPEAT, JSON, H_WHERE, DEVICE, THREADS
#define BENCH_QUICK(sizes)                                                                                   \
    OPTION("--quick", NULL,                                                                                  \
           sizes " and single calls: a quick check of every kind of row, whose figures mean nothing")
#define BENCH_REPEAT(most)                                                                                   \
    OPTION("--repeat", "R",                                                                                  \
           "number of batches of each kind, whose median is reported; 1 to 99, default " most)
#define BENCH_JSON OPTION("--json", NULL, "print the rows as JSON")
#define BENCH_WHERE                                                                                          \
    HEADING("Where it runs:"), OPTION("--device", "D", OPTION_DEVICE_HELP), THREADS_OPTION, OPTIONS_END
#define BENCH_LAST_OPTIONS(quick, repeat) quick, HEADING("How:"), repeat, BENCH_JSON, BENCH_WHERE

/* Set by those options; the other members of `report`, `only` and `summary` are the command's. */
struct bench {
    bailey_context *context;
    bailey_device device;
    struct bench_settings settings;
    struct bench_report report;
    int quick;
    const struct bench_table *tables;
    size_t count, table; /* of them; the number of that whose case is named or measured */
    int wanted[BENCH_MAX_TABLES];
    const char *only;                           /* cases with that in their names; NULL: all */
    void (*summary)(const struct bench *bench); /* prints what ends a report that is a table; may be NULL */
};

/* Reads those options, from number `first`, and opens the device. Returns an exit code; bench_close in any
 * case. */
int bench_open(struct bench *bench, const struct arguments *arguments, int first, uint64_t repeat);
void bench_close(struct bench *bench);

/* A table of cases. */
struct bench_table {
    const char *name, *heading; /* NULL: `begin` prints one */
    enum bench_subject subject; /* of its cases; gems and peers of simulations also have others */
    /* The name of case `index` in BENCH_NAME bytes, "" if that is not asked for; false beyond the last. */
    int (*name_case)(const struct bench *bench, size_t index, char *name);
    /* Measures it; what goes wrong is in the row, which is empty but for its name. A row without a name is
     * not printed. */
    void (*measure)(struct bench *bench, size_t index, struct bench_row *row);
    /* Before the first case; may be NULL. The settings are the usual ones again after the last. */
    void (*begin)(struct bench *bench);
};

/* The tables of the command, at most BENCH_MAX_TABLES, and those of them that `option` lists: all without it,
 * or if it is a title. Returns an exit code. */
int bench_tables(struct bench *bench, const struct arguments *arguments, int option,
                 const struct bench_table *tables, size_t count);
uint64_t bench_count(struct bench *bench, size_t table); /* the cases of one */

enum bench_subject bench_subject_of(const struct bench *bench); /* of the case that is named or measured */

/* Measures every case of the tables that are needed, and reports: a row is written as soon as it is measured.
 * Returns an exit code, CLI_FAILED if a row failed. */
int bench_run(struct bench *bench);
void bench_heading(struct bench *bench, const char *text);
void bench_row(struct bench *bench, const struct bench_row *row); /* one more */

/* ---- JSON ---- */

/* A report with `head`, in which a list is open, and then rows, which are in the file when they have been
 * written. Ended by the caller or by SIGINT or SIGTERM, it is whole. Return an exit code. */
int bench_json_begin(const struct document *head);
int bench_json_row(const struct document *row);
void bench_json_end(void);

/* The commands, a file each (cmd_bench_*.c). */
extern const struct command command_bench_batch, command_bench_bridge, command_bench_gradient,
    command_bench_mlmc, command_bench_motion, command_bench_normal, command_bench_points, command_bench_quality,
    command_bench_random, command_bench_simulate, command_bench_variates;

#endif
