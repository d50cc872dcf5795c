/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What `bench random` and `bench normal` share: measurements of whatever fills memory with random numbers,
 * bailey's generators and what they are compared with. Each takes turns with a fill of the same bytes in the
 * same run.
 */
#ifndef CLI_BENCH_RANDOM_H
#define CLI_BENCH_RANDOM_H

#include "bench.h"
#include "bench_host.h"
#include "bench_peers.h"
#include "bench_plain.h"

#define RANDOM_ONE(number, name, word, kind, published, text, verdict, period) +1
enum { RANDOM_GENERATORS = 0 BAILEY_GENERATOR_LIST(RANDOM_ONE) };
#undef RANDOM_ONE

struct random_bench {
    struct bench base;
    uint64_t count;                    /* numbers in a call */
    int generators[RANDOM_GENERATORS]; /* those to measure */

    bailey_context *cpu;         /* makes what the output should be */
    struct bench_host *host;     /* NULL: no CPU device */
    struct bench_curand *curand; /* NULL: curand_why; not looked for unless the backend is cuda */
    char curand_why[200];
    /* What is measured, and the fill. To the memory of a CPU device its own code writes, and the cpu backend.
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
    "  NOTE: of a generator its verdict, see 'bailey random --help'.\n"                                      \
    "  RATIO, OF: VALUE to that of the reference in the same run. device fill: bailey_buffer_fill of the\n"  \
    "  same bytes. "

/* Of a command's options. */
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
    const char *(*why)(void *user); /* what was wrong, where the library's words are not; may be NULL */
    int in_memory;                  /* writes to out.memory */
    const struct draw *expected;    /* what it must have written; NULL: anything, but all of it */
    double tolerance;               /* how far normals may be from `expected`; 0: the same bits */
    int gaussian;                   /* must look like standard normals */
    int weak;                       /* words are not random: if they do not, the row's note says so */
};

/* Times it and checks what it wrote. `name` may be longer than a column. False if the row is none of figures.
 */
int random_bench_measure(struct random_bench *bench, const char *name, const struct random_maker *maker,
                         struct bench_row *row);

/* Times `maker` against `rival`, and both against a fill: the ratio is to the rival, whose name is `of`,
 * which must live on; the fact "fill_ratio" is to the fill. */
int random_bench_compare(struct random_bench *bench, const char *name, const struct random_maker *maker,
                         const struct random_maker *rival, const char *of, struct bench_row *row);

/* A maker that draws; `job` must live as long. Fast normals must be near to the exact ones. */
struct random_job {
    struct random_bench *bench;
    struct draw draw, exact;
};
struct random_maker random_drawing(struct random_job *job, const char *unit);

/* ---- Rows ---- */

/* What a table is of. */
struct random_kind {
    const char *unit;
    const char *suffix;           /* of other libraries' rows: " u01" */
    const char *fact, *fact_text; /* "form", "u01" */
    size_t element;
    int gaussian;
    enum curand_what curand;
};

void random_put_row(struct random_bench *bench, const struct bench_row *row);
void random_skip_row(struct random_bench *bench, const char *name, const struct random_kind *kind,
                     const char *why);

/* The fastest of another library. */
struct random_rival {
    double speed; /* 0: none was measured */
    char name[64];
    unsigned generator, ordering;
};

/* Rows of cuRAND's generators in each of their orderings, on a CUDA device. */
void random_curand_rows(struct random_bench *bench, const struct random_kind *kind,
                        struct random_rival *best);

/* A row of `job` taking turns with that rival. False if there is none, or no figures. */
int random_curand_compare(struct random_bench *bench, const struct random_kind *kind,
                          const struct random_rival *rival, const char *name, struct random_job *job,
                          struct bench_row *row);

/* A row of a generator of cuRAND's for points of `dims` dimensions, and one of `job`, called `name`, taking
 * turns with it; none unless the device is a CUDA device. */
void random_curand_points(struct random_bench *bench, const struct random_kind *kind, unsigned generator,
                          unsigned dims, const char *name, struct random_job *job);

/* A row of what runs on the processor's own threads. `best` may be NULL. */
void random_plain_row(struct random_bench *bench, const struct random_kind *kind, const char *name,
                      const struct random_maker *maker, const char *note, struct random_rival *best);

/* The user of makers that run on the processor's own threads. */
struct random_plain {
    struct random_bench *bench;
    struct plain_gsl *gsl;
    struct plain_mkl *mkl;
    size_t element;
    unsigned method; /* of MKL, or of a plain loop */
};

/* That of a row; its user is `plain`. */
struct random_maker random_plain_maker(struct random_plain *plain, const struct random_kind *kind,
                                       bailey_status (*queue)(void *user));

/* The C library's memset of the same bytes. */
void random_memset_row(struct random_plain *plain, const struct random_kind *kind);

/* Rows of GSL's generators `names` (NULL ends), which `queue` draws from with GSL's function `call`. */
void random_gsl_rows(struct random_plain *plain, const struct random_kind *kind, const char *const *names,
                     const char *call, bailey_status (*queue)(void *user), struct random_rival *best);

#endif
