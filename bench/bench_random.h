/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by `bench random`, `bench normal` and `bench variates`: measurements of code that fills memory with
 * random numbers, which are bailey's generators and their rivals. Each alternates with a fill of the same
 * bytes in the same run.
 */
#ifndef CLI_BENCH_RANDOM_H
#define CLI_BENCH_RANDOM_H

#include "bench.h"
#include "bench_host.h"
#include "bench_peers.h"

#define RANDOM_ONE(number, name, word, kind, published, text, verdict, period) +1
enum { RANDOM_GENERATORS = 0 BAILEY_GENERATOR_LIST(RANDOM_ONE) };
#undef RANDOM_ONE

struct random_bench {
    struct bench base;
    uint64_t count;                    /* numbers in a call */
    int generators[RANDOM_GENERATORS]; /* those to measure */

    bailey_context *cpu;     /* makes what the output should be */
    struct bench_host *host; /* NULL: no CPU device */
    /* Memory for the numbers, and for the fill. The device's code writes to it; if the device is a CPU, so do
     * plain C and the cpu backend.
     */
    struct bench_space out, spare;
    uint64_t bytes; /* of each */
};

/* ---- The command line ---- */

/* What both tables of options end with. */
#define RANDOM_LAST_OPTIONS BENCH_LAST_OPTIONS(BENCH_QUICK("few numbers"), BENCH_REPEAT("7"))

/* What both say of their columns. */
#define RANDOM_COLUMNS_HELP                                                                                  \
    "\nColumns:\n"                                                                                           \
    "  VALUE, MS: the median batch, and the time of one call in it.\n"                                       \
    "  NOTE: the verdict on a generator, see 'bailey random --help'.\n"                                      \
    "  RATIO, OF: VALUE divided by that of the reference in the same run. device fill:\n"                    \
    "  bailey_buffer_fill of the same bytes. "

/* For a command's options. */
struct random_options {
    int generators, count;
    int quick;         /* the first of BENCH_LAST_NAMES */
    uint64_t multiple; /* of which the count must be one, and why */
    const char *why;
    const char *unit;      /* the longest */
    const char *generator; /* comma-separated: measured where the option is absent; NULL: all */
};

/* Reads the options, opens the device and takes the memory. `element`: bytes of the largest number that will
 * be made. Returns an exit code; random_bench_close is due whatever it is. */
int random_bench_open(struct random_bench *bench, const struct arguments *arguments,
                      const struct random_options *options, size_t element);
void random_bench_close(struct random_bench *bench);

/* ---- Measurements ---- */

/* Something that fills the first `count` elements of bench->out, or of its memory. */
struct random_maker {
    const char *unit; /* "G words/s" */
    size_t element;
    bailey_status (*queue)(void *user);
    void *user;
    const char *why;             /* what was wrong, where the library does not know; "" or NULL: it does */
    int in_memory;               /* writes to out.memory */
    const struct draw *expected; /* what it must have written; NULL: anything, but all of it */
    double tolerance;            /* how far normals may be from `expected`; 0: the same bits */
    int gaussian;                /* must look like standard normals */
    int weak;                    /* words are not random: if they do not, the row's note says so */
};

/* Times it and checks what it wrote, for a row that has its name. False if the row is not one of figures. */
int random_bench_measure(struct random_bench *bench, const struct random_maker *maker, struct bench_row *row);

/* A maker that draws; `job` must live as long. Fast normals must be near to the exact ones. */
struct random_job {
    struct random_bench *bench;
    struct draw draw, exact;
};
struct random_maker random_drawing(struct random_job *job, const char *unit);

/* ---- Peers ---- */

/* The kind of numbers in a table. */
struct random_kind {
    const char *unit;
    const char *suffix;           /* of peers' rows: " u01" */
    const char *fact, *fact_text; /* "form", "u01" */
    size_t element;
    int gaussian;
    double mean; /* of Poisson numbers */
};

/* The case that peers get for it. */
struct bench_case random_case(const struct random_bench *bench, const struct random_kind *kind);

/* The fastest setting of a peer. */
struct random_rival {
    double speed; /* 0: none was measured */
    char name[64];
    const struct bench_peer *peer;
    unsigned setting;
};

/* The name of the row of setting `index` of all peers, "" if they are not here; false past the last. */
int random_peer_name(const struct bench_case *wanted, const struct random_kind *kind, size_t index,
                     char *name);

/* Measures it. What cannot be opened has one row for all of its settings. `rivals` are BENCH_PEER_COUNT, by
 * number. */
void random_peer_measure(struct random_bench *bench, const struct bench_case *wanted,
                         const struct random_kind *kind, size_t index, struct random_rival *rivals,
                         struct bench_row *row);

/* A row of `job` taking turns with the fastest peer on the device, whose name becomes a part of the row's.
 * NULL if there is none, or no figures; the row is then empty or says why. */
const struct random_rival *random_compare(struct random_bench *bench, const struct bench_case *wanted,
                                          const struct random_kind *kind, const struct random_rival *rivals,
                                          struct random_job *job, struct bench_row *row);

#endif
